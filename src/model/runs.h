/* Stacks that have no room in memory: sorted runs of them in temporary files.
 *
 * A file has no name once it is open, so that nothing is left of it whatever ends the program. A stack
 * is written as what it does not have in common with the one before it. FST_RUNS_MOST runs of a level
 * become one of the next, so that few files are open, and a stack is written once a level: with R runs
 * log(R) / log(FST_RUNS_MOST) times more. */
#ifndef FST_MODEL_RUNS_H
#define FST_MODEL_RUNS_H

#include <stdint.h>

#include "model/stream.h"

enum { FST_RUNS_MOST = 32 };

struct fst_run;

struct fst_runs {
    struct fst_run **items;
    size_t count;
    size_t capacity;
    uint64_t bytes; /* of all files */
};

void fst_runs_release(struct fst_runs *runs);

/* Writes all of a stream as another run, in a file of that folder. Errors: NOMEM, also where the file cannot be
 * written, and those of the stream. */
enum fst_status fst_runs_add(struct fst_runs *runs, struct fst_stream *stream, const char *folder,
                             struct fst_error *err);

/* Takes the runs of another set, which is empty then; folder as above, for what many become. */
enum fst_status fst_runs_take(struct fst_runs *into, struct fst_runs *from, const char *folder,
                              struct fst_error *err);

/* Puts a stream for each run into out, which has room for runs->count. They read the runs from their
 * beginning, and belong to the set. Errors: NOMEM. */
enum fst_status fst_runs_open(const struct fst_runs *runs, struct fst_stream **out,
                              struct fst_error *err);

#endif
