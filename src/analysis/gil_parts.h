/* The parts of fst_gil_new: figures (gil.c), rows (gil_rows.c), threads (gil_threads.c), the verdict
 * (gil_verdict.c), what else there is to say (gil_words.c). */
#ifndef FST_ANALYSIS_GIL_PARTS_H
#define FST_ANALYSIS_GIL_PARTS_H

#include "analysis/notes.h"
#include "analysis/rows.h"
#include "base/count.h"

enum fst_gil_which { FST_SIDE_GIL, FST_SIDE_ALL, FST_SIDE_IDLE, FST_SIDES };

/* Two threads share the lock if each has this part of its samples. */
#define FST_GIL_SHARER 0.1

/* The public result, and what it owns. */
struct fst_gil_work {
    struct fst_gil base;
    const struct fst_profile *sides[FST_SIDES]; /* NULL: not given */
    bool sampled;                /* counts are samples, so that ticks mean something */
    bool processes_named;        /* their number was found in the stacks */
    uint64_t sharers;            /* of the lock: threads, or roots, with a tenth of it each */
    bool sharers_are_threads;    /* else roots */
    uint64_t whole_threads_seen; /* as base.threads_seen, but whatever filters keep */
    double whole_waiting;        /* mean number of active threads that waited in native frames; NaN
                                 without ticks */
    bool rows_meet;              /* some row has samples in GIL and in ALL */
    struct fst_symtab names;     /* of threads */
    struct fst_candidates rows[2]; /* of GIL and ALL: names of folded rows live here */
    struct fst_arena texts;
    struct fst_notes missing;
    struct fst_notes notes;
};

/* Fills base.threads and base.threads_seen, sharers where stacks of GIL name threads. At most `most`
 * rows; 0: all. */
enum fst_status fst_gil_find_threads(struct fst_gil_work *gil, size_t most, struct fst_error *err);

/* Fills base.frames, holding and without_it. */
enum fst_status fst_gil_find_rows(struct fst_gil_work *gil, const struct fst_gil_options *options,
                                  struct fst_error *err);

/* Decides the verdict; appends its text. */
void fst_gil_find_verdict(struct fst_gil_work *gil, struct fst_buf *text);

/* The verdict and its text, the label of the count ratio, what is missing, and the notes. */
enum fst_status fst_gil_say(struct fst_gil_work *gil, struct fst_error *err);

/* "1,469 ticks". */
void fst_gil_add_ticks(struct fst_buf *out, double ticks);

/* The sum of a side's stacks that were kept; 0 if it is not given. */
static inline fst_i128 fst_gil_kept(const struct fst_gil_work *gil, enum fst_gil_which side)
{
    return gil->sides[side] == NULL ? 0 : gil->sides[side]->total;
}

/* The sum of all stacks of the processes that are asked for, whatever else filters drop. */
static inline fst_i128 fst_gil_whole(const struct fst_gil_work *gil, enum fst_gil_which side)
{
    const struct fst_profile *p = gil->sides[side];
    return p == NULL ? 0 : p->keeps_whole ? p->whole.total : p->total;
}

/* The larger first. */
static inline int fst_gil_compare_counts(struct fst_count left, struct fst_count right)
{
    fst_i128 a = fst_count_unpack(left);
    fst_i128 b = fst_count_unpack(right);
    return (a < b) - (a > b);
}

/* What part a sum is of a side's samples, by base.percent_of; NaN of none. */
double fst_gil_share_of(const struct fst_gil_work *gil, enum fst_gil_which side, fst_i128 sum);

#endif
