/* Comparisons of small profiles. */
#ifndef FST_TESTS_COMPARISON_H
#define FST_TESTS_COMPARISON_H

#include "unit/helpers.h"

/* Recordings of both sides, as texts; NULL behind the last. */
struct sides {
    const char *before[6];
    const char *after[6];
};

struct comparison {
    struct fst_profile *profiles[12];
    size_t count;
    struct fst_diff *diff;
    struct fst_error err;
};

static inline enum fst_status compare(struct comparison *c, const struct sides *sides,
                                      struct fst_profile_options profile,
                                      struct fst_diff_options options)
{
    size_t nbefore = 0;
    *c = (struct comparison){0};
    while (sides->before[nbefore] != NULL) {
        c->profiles[c->count++] = profile_of(sides->before[nbefore++], profile);
    }
    for (size_t i = 0; sides->after[i] != NULL; i++) {
        c->profiles[c->count++] = profile_of(sides->after[i], profile);
    }
    const struct fst_profile *const *all = (const struct fst_profile *const *)c->profiles;
    return fst_diff_new(all, nbefore, all + nbefore, c->count - nbefore, &options, &c->diff,
                        &c->err);
}

static inline void release(struct comparison *c)
{
    fst_diff_free(c->diff);
    for (size_t i = 0; i < c->count; i++) {
        fst_profile_free(c->profiles[i]);
    }
}

static inline const struct fst_diff_row *row_of(const struct fst_diff *diff, const char *name)
{
    size_t i = 0;
    while (i < diff->count && !fst_str_eq(diff->rows[i].name, fst_str_cstr(name))) {
        i++;
    }
    REQUIRE(i < diff->count, "no row %s", name);
    return &diff->rows[i];
}

#endif
