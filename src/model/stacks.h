/* Whole stacks and their counts: a map from text to sum.
 *
 * The text of a stack is what stands before its count in a collapsed file, and reads back as the same
 * frames: frames with semicolons between them, an empty one for [empty], and nothing at all for
 * [no Python frames]. */
#ifndef FST_MODEL_STACKS_H
#define FST_MODEL_STACKS_H

#include "base/buf.h"
#include "base/symtab.h"
#include "parse/lines.h"

struct fst_stacks {
    struct fst_symtab texts; /* a symbol's sum is of whole counts; what it has no room for, and
                                other counts, stand in: */
    fst_i128 *counts;        /* by number in texts; NULL: all are 0 */
    size_t capacity;
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

/* Adds another map. */
bool fst_stacks_merge(struct fst_stacks *into, const struct fst_stacks *from);

/* The sum of the stack of that number. */
fst_i128 fst_stacks_count(const struct fst_stacks *stacks, uint32_t id);

/* Bytes of memory that it holds. */
uint64_t fst_stacks_memory(const struct fst_stacks *stacks);

/* All of its stacks in the order of their bytes, in an array to be freed with fst_free; NULL without
 * memory. A symbol's id is its number. */
struct fst_symbol **fst_stacks_sorted(const struct fst_stacks *stacks);

/* Appends the text of a stack of these frames. Bytes that a frame cannot have in a collapsed file (a
 * semicolon or a newline outside a quoted command line) become a colon or a blank. */
void fst_stack_write(struct fst_buf *out, const struct fst_str *frames, size_t nframes);

#endif
