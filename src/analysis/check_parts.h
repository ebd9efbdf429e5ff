/* The parts of fst_check_new: rows against budgets (check.c), what would tell more (check_needed.c), and
 * what there is to say (check_notes.c). */
#ifndef FST_ANALYSIS_CHECK_PARTS_H
#define FST_ANALYSIS_CHECK_PARTS_H

#include "analysis/diff_parts.h"
#include "analysis/statistics_two.h"
#include "base/pattern.h"

/* The public result, and what it owns. */
struct fst_check_work {
    struct fst_check base;
    const struct fst_diff_work *diff;
    struct fst_check_options options;
    struct fst_pattern **patterns; /* by budget; NULL: for every row */
    bool *met;                     /* by budget: some row matches */
    struct fst_matcher matcher;
    size_t capacity;
    struct fst_diff_row *compared; /* all rows of the comparison, by number */
    struct fst_notes notes;
};

/* Half the width of an interval. */
static inline double fst_half_of(struct fst_interval ci)
{
    return (ci.hi - ci.lo) / 2;
}

/* A share that was recorded, and what its limit is held against. */
struct fst_limit {
    double share;
    double limit;
    struct fst_proportion pooled; /* all recordings of the side as one */
    double recordings;
    double error; /* of the mean of several recordings' shares; NaN: there is one */
};

/* The one-sided p-value of "the share is at most its limit": the exact binomial chance of as many samples
 * or more, by several recordings no less than that of Student's t. */
double fst_limit_p(const struct fst_limit *limit);

/* Fills in how many samples or recordings would tell of an undecided row. level: the p-value that a
 * share beyond its limit must come down to. */
void fst_need_for_increase(const struct fst_check_work *check, struct fst_check_row *row);
void fst_need_for_limit(const struct fst_check_work *check, struct fst_check_row *row,
                        const struct fst_limit *limit, double level);

/* Adds what there is to say. Errors: NOMEM; USAGE where a pattern took too long. */
enum fst_status fst_check_say(struct fst_check_work *check, struct fst_error *err);

#endif
