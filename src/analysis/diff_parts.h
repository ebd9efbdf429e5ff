/* The parts of fst_diff_new: rows across recordings (diff_join.c), their figures (diff_figures.c),
 * stacks that carry a change (diff_paths.c), and what the recordings differ in (diff_notes.c). */
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
    struct fst_symtab labels; /* as profiles have them */
    struct fst_fold fold;     /* what those are called, where they are folded */
    bool folded;
    uint32_t **labels_of; /* by recording: its rows' labels; FST_ID_NONE for those that are none */
    size_t nrecordings;
    size_t nrows;
    fst_i128 *self; /* [recording * nrows + row] */
    fst_i128 *total;
    uint64_t *members; /* by row, where they are folded; else NULL */
};

/* The public result, and what it owns. */
struct fst_diff_work {
    struct fst_diff base;
    struct fst_diff_options options;
    struct fst_diff_recording *recordings; /* those before first */
    size_t nrecordings;
    struct fst_joined joined;
    struct fst_diff_row *rows;   /* all of them, by number */
    struct fst_symtab stacks;    /* of paths */
    struct fst_diff_path *paths; /* all of them */
    struct fst_notes notes;
};

/* Finds the rows. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_diff_join(struct fst_diff_work *diff, struct fst_error *err);
void fst_joined_release(struct fst_joined *joined);

/* The number of the row of that label, which is one. */
uint32_t fst_joined_row(const struct fst_joined *joined, struct fst_str label);
struct fst_str fst_joined_name(const struct fst_joined *joined, size_t row);

/* Whether a row of a profile lies within another one. */
bool fst_row_is_inner(const struct fst_profile *profile, uint32_t row);

/* Fills in self and total of all rows. Errors: NOMEM. */
enum fst_status fst_diff_figure(struct fst_diff_work *diff, struct fst_error *err);

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
