/* The parts of fst_diff_new: rows across recordings (diff_join.c), what tests say of all of them
 * (diff_tests.c), the figures of those that somebody looks at (diff_figures.c), stacks that carry a
 * change (diff_paths.c), and what the recordings differ in (diff_notes.c). */
#ifndef FST_ANALYSIS_DIFF_PARTS_H
#define FST_ANALYSIS_DIFF_PARTS_H

#include "analysis/fold.h"
#include "analysis/notes.h"
#include "base/count.h"

/* One recording, and what makes figures of its counts. */
struct fst_diff_recording {
    const struct fst_profile *profile;
    bool after;
    enum fst_counting counting;
    fst_i128 whole;   /* what shares are shares of */
    double samples;   /* whole, in samples; NaN where counts are none */
    double ticks;     /* NaN: unknown */
    double n;         /* independent samples; NaN: none */
    double value;     /* of one count, in the unit of the basis */
    double per_count; /* samples of one count */
    double exposure;  /* of rates and counts, by independent samples: events = value * exposure */
};

/* The rows of all recordings, by name. */
struct fst_joined {
    struct fst_symtab labels; /* as profiles have them, where rows are folded or have others within
                                 them; else of the rows that the first recording has not */
    struct fst_fold fold;     /* what labels are called, where they are folded */
    bool folded;
    uint32_t **labels_of; /* by recording and its row: the row, or its label where labels are
                             folded; FST_ID_NONE for those that are none */
    uint32_t **rows_of;   /* by recording and row: its own row, or FST_ID_NONE; NULL where folded */
    size_t nrecordings;
    size_t nrows;
    size_t nfirst;  /* of those so many are the first recording's */
    fst_i128 *self; /* [recording * nrows + row], where labels are folded; else NULL */
    fst_i128 *total;
    uint64_t *members; /* by row, likewise */
};

/* What tests say of one count of all rows; each by row. */
struct fst_diff_tests {
    double *p;    /* NaN: not compared */
    double *q;    /* the same */
    double *half; /* half the width of the interval, by the spread between recordings; NULL: it is
                     made of the counts */
};

/* The public result, and what it owns. */
struct fst_diff_work {
    struct fst_diff base;
    struct fst_diff_options options;
    struct fst_diff_recording *recordings; /* those before first */
    size_t nrecordings;
    struct fst_joined joined;
    struct fst_diff_tests tests[2]; /* by enum fst_on */
    uint32_t *shown;                /* the numbers of the rows in base, in their order */
    struct fst_symtab stacks;       /* of paths */
    struct fst_diff_path *paths;    /* all of them */
    struct fst_notes notes;
};

/* Finds the rows. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_diff_join(struct fst_diff_work *diff, struct fst_error *err);
void fst_joined_release(struct fst_joined *joined);

/* The number of the row of that label, in which other rows lie. */
uint32_t fst_diff_row_number(const struct fst_diff_work *diff, struct fst_str label);
struct fst_str fst_diff_name(const struct fst_diff_work *diff, size_t row);

/* Whether a row of a profile lies within another one. */
bool fst_row_is_inner(const struct fst_profile *profile, uint32_t row);

/* A row's counts in one recording. */
static inline fst_i128 fst_diff_count(const struct fst_diff_work *diff, enum fst_on on,
                                      size_t recording, size_t row)
{
    const struct fst_joined *joined = &diff->joined;
    if (joined->folded) {
        const fst_i128 *counts = on == FST_ON_SELF ? joined->self : joined->total;
        return counts[recording * joined->nrows + row];
    }
    uint32_t own = joined->rows_of[recording][row];
    if (own == FST_ID_NONE) {
        return 0;
    }
    const struct fst_profile *p = diff->recordings[recording].profile;
    return on == FST_ON_SELF ? p->rows[own].self : fst_row_total(p, own);
}

/* Whether any recording of a side has samples of a row. */
bool fst_diff_has(const struct fst_diff_work *diff, enum fst_on on, size_t row, bool after);

/* Whether either side has. */
static inline bool fst_diff_is_there(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    return fst_diff_has(diff, on, row, false) || fst_diff_has(diff, on, row, true);
}

/* What one side has of a row. */
struct fst_diff_part {
    fst_i128 count;
    double share;
    double value;
};
struct fst_diff_part fst_diff_part_of(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                                      bool after);

/* Its counts in one recording, in the unit of the basis. */
double fst_diff_value(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                      size_t row);

enum fst_presence fst_diff_presence(const struct fst_diff_work *diff, size_t row);

/* All figures of a row, which was tested. */
struct fst_diff_row fst_diff_row_of(const struct fst_diff_work *diff, size_t row);

/* Tests self and total of all rows. Errors: NOMEM. */
enum fst_status fst_diff_test(struct fst_diff_work *diff, struct fst_error *err);
void fst_diff_tests_release(struct fst_diff_tests *tests);

/* The interval of the difference of one recording a side. */
struct fst_interval fst_diff_pooled_interval(const struct fst_diff_work *diff, enum fst_on on,
                                             size_t row);

/* Finds the stacks of the rows that are shown and changed. Errors: NOMEM. */
enum fst_status fst_diff_find_paths(struct fst_diff_work *diff, struct fst_error *err);

/* Adds what there is to say. Errors: NOMEM. */
enum fst_status fst_diff_say(struct fst_diff_work *diff, struct fst_error *err);

static inline const struct fst_change *fst_diff_change(const struct fst_diff_row *row,
                                                       enum fst_on on)
{
    return on == FST_ON_SELF ? &row->self : &row->total;
}

/* Whether either side has samples of it. */
static inline bool fst_change_is_there(const struct fst_change *change)
{
    return fst_count_unpack(change->before) != 0 || fst_count_unpack(change->after) != 0;
}

#endif
