/* The rows of the leaf and root tables on their way: gathered from counters, folded where labels
 * become one, sorted, cut. */
#ifndef FST_ANALYSIS_ROWS_H
#define FST_ANALYSIS_ROWS_H

#include "analysis/fold.h"

struct fst_candidate {
    struct fst_str name;
    struct fst_str outer; /* of a row within a row: that one's name */
    bool within;          /* it is one */
    bool leaf;            /* it has a self count */
    fst_i128 self;
    fst_i128 total;
    fst_i128 key;   /* sorted by, descending */
    uint64_t order; /* then by, ascending */
    uint64_t first; /* position of the first stack whose leaf it is */
    uint64_t members;
};

struct fst_candidates {
    struct fst_candidate *items;
    size_t count;
    size_t most;    /* so many of the first are kept; SIZE_MAX: all */
    bool selective; /* more may have been seen than are kept: so many */
    size_t of;
    struct fst_fold folds[2]; /* names may live here */
    bool folded[2];
};

/* Profiles that are compared, made with the same options: the threads of all of them count for the
 * size of pools. NULL among them is fine. */
struct fst_compared {
    const struct fst_profile *const *profiles;
    size_t count;
};

enum { FST_COMPARED_MOST = 4 };

/* Gathers the rows that a table of these options shows, or the first ones of them, as many as it
 * shows; compared may be NULL. Errors: USAGE, NOMEM; release it in any case. */
enum fst_status fst_candidates_of_leaves(struct fst_candidates *candidates,
                                         const struct fst_profile *profile,
                                         const struct fst_compared *compared,
                                         const struct fst_top_options *options,
                                         struct fst_error *err);
enum fst_status fst_candidates_of_roots(struct fst_candidates *candidates,
                                        const struct fst_profile *profile,
                                        const struct fst_top_options *options,
                                        struct fst_error *err);
void fst_candidates_release(struct fst_candidates *candidates);

/* Sorts them: those within no row first, by value; then those within rows, by that row's name and
 * then by value. Returns how many are within none. */
size_t fst_candidates_sort(struct fst_candidates *candidates);

/* Sorts them by name alone: those within no row first, then those within rows, by that row's name. */
void fst_candidates_sort_names(struct fst_candidates *candidates);

/* How two stand in that order: below, at or above 0. */
int fst_candidates_compare(const struct fst_candidate *a, const struct fst_candidate *b);

#endif
