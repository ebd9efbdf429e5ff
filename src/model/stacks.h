/* Whole stacks and their counts: a map from text to sum, of which what has no room in memory stands
 * in sorted runs in temporary files.
 *
 * The text of a stack is what stands before its count in a collapsed file, and reads back as the
 * same frames: frames with semicolons between them, an empty one for [empty], and nothing at all
 * for [no Python frames]. */
#ifndef FST_MODEL_STACKS_H
#define FST_MODEL_STACKS_H

#include "base/buf.h"
#include "base/symtab.h"
#include "model/runs.h"
#include "parse/lines.h"
#include "parse/parser.h"

struct fst_stacks {
    struct fst_symtab texts; /* a symbol's sum is of whole counts; what it has no room for, and
                                other counts, stand in: */
    fst_i128 *counts;        /* by number in texts; NULL: all are 0 */
    size_t capacity;
    struct fst_runs runs;
    uint64_t most; /* bytes of memory, beyond which a run is written; 0: as many as there are */
    const char *folder; /* for runs; borrowed; NULL: /tmp */
    uint64_t seed;
    struct fst_str *batch; /* scratch */
    struct fst_symbol **symbols;
    size_t batch_capacity;
    size_t symbols_capacity;
};

void fst_stacks_init(struct fst_stacks *stacks, uint64_t seed);
void fst_stacks_release(struct fst_stacks *stacks);

/* Adds a count to a stack; whether sums fit is the caller's to check. False without memory. */
bool fst_stacks_add(struct fst_stacks *stacks, struct fst_str text, fst_i128 count);

/* The same for all stacks of a batch, as they are written. */
bool fst_stacks_add_batch(struct fst_stacks *stacks, const struct fst_batch *batch);

/* Writes what is in memory to a run where it takes more than it may. Errors: NOMEM, also where a
 * temporary file cannot be written. */
enum fst_status fst_stacks_make_room(struct fst_stacks *stacks, struct fst_error *err);

/* Adds another map, of which nothing changes. Errors as above. */
enum fst_status fst_stacks_merge(struct fst_stacks *into, const struct fst_stacks *from,
                                 struct fst_error *err);

/* The same, but takes the runs of the other one. */
enum fst_status fst_stacks_absorb(struct fst_stacks *into, struct fst_stacks *from,
                                  struct fst_error *err);

/* Bytes of memory that it holds. */
uint64_t fst_stacks_memory(const struct fst_stacks *stacks);

/* The stacks that are in memory, in the order of their bytes. */
struct fst_table_stream {
    struct fst_stream base;
    const struct fst_stacks *stacks;
    struct fst_symbol **sorted; /* a symbol's id is its number */
    size_t at;
};

/* All stacks in that order; of a map that does not change meanwhile. */
struct fst_walk {
    struct fst_confluence all; /* the stream to read */
    struct fst_table_stream table;
    struct fst_stream **streams;
};

/* Begins a walk, to be released also where this fails. */
enum fst_status fst_walk_begin(struct fst_walk *walk, const struct fst_stacks *stacks,
                               struct fst_error *err);
void fst_walk_release(struct fst_walk *walk);

/* Appends the text of a stack of these frames, which is read as one stack wherever its line
 * stands. Bytes that a frame cannot have in a collapsed file (a semicolon or a newline outside a
 * quoted command line) become a colon or a blank; a quote that nothing closes is closed; what
 * would be a comment or a message of py-spy gets a `_`. */
void fst_stack_write(struct fst_buf *out, const struct fst_str *frames, size_t nframes);

/* The text of a sample: as it is written, where that is as good, or in out. out->failed tells
 * want of memory. */
struct fst_str fst_stack_text(struct fst_buf *out, const struct fst_sample *sample);

#endif
