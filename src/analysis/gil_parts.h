/* The parts of fst_gil_new: figures and frames (gil.c), threads (gil_threads.c), words
 * (gil_verdict.c). */
#ifndef FST_ANALYSIS_GIL_PARTS_H
#define FST_ANALYSIS_GIL_PARTS_H

#include "analysis/notes.h"
#include "base/count.h"

enum fst_gil_which { FST_SIDE_GIL, FST_SIDE_ALL, FST_SIDE_IDLE, FST_SIDES };

/* Two threads share the lock if each has this part of its samples. */
#define FST_GIL_SHARER 0.1

/* The public result, and what it owns. */
struct fst_gil_work {
    struct fst_gil base;
    const struct fst_profile *sides[FST_SIDES]; /* NULL: not given */
    bool sampled;             /* counts are samples, so that ticks mean something */
    bool processes_named;     /* their number was found in the stacks */
    uint64_t sharers;         /* of the lock: threads, or roots, with a tenth of it each */
    bool sharers_are_threads; /* else roots */
    struct fst_symtab names;  /* of threads */
    struct fst_arena texts;
    struct fst_notes missing;
    struct fst_notes notes;
};

/* Fills base.threads and base.threads_seen, sharers where stacks of GIL name threads. At most `most`
 * rows; 0: all. */
enum fst_status fst_gil_find_threads(struct fst_gil_work *gil, size_t most, struct fst_error *err);

/* Decides the verdict; its text, the label of the count ratio, what is missing, and the notes. */
enum fst_status fst_gil_say(struct fst_gil_work *gil, struct fst_error *err);

/* The count, as a double, of a side; 0 if it is not given. */
static inline double fst_gil_samples(const struct fst_gil_work *gil, enum fst_gil_which side)
{
    return gil->sides[side] == NULL ? 0 : fst_count_to_double(gil->sides[side]->total);
}

#endif
