/* Rows within rows: which of them a stack counts into. Labels of stacks meet those of all their frames;
 * where both levels are of frames, each frame has a row of its own. */
#ifndef FST_MODEL_NEST_H
#define FST_MODEL_NEST_H

#include "model/profile.h"

/* The rows of a frame in the stack that had it last. */
struct fst_nest_rows {
    struct fst_symbol *rows[2]; /* the outer one, and that within it; NULL: not known */
    uint32_t met;               /* the label of that stack as a whole, where a level has one */
};

/* A pair of labels, and its row. */
struct fst_nest_slot {
    struct fst_pair pair;
    struct fst_symbol *row; /* NULL: the slot is empty */
};

/* Zero-initialised it is ready. */
struct fst_nest {
    struct fst_nest_rows *frames; /* by frame number */
    size_t capacity;
    size_t known;                /* entries that are made */
    struct fst_nest_slot *slots; /* open addressing; at most half of them are taken */
    size_t mask;                 /* their number less one; 0: there are none yet */
    size_t taken;
    struct fst_symbol **found; /* the rows of the stack at hand, two a frame */
    size_t found_capacity;
};

void fst_nest_release(struct fst_nest *nest);

/* Bytes of memory that it holds. */
uint64_t fst_nest_memory(const struct fst_nest *nest);

struct fst_nest_stack {
    const uint32_t *ids; /* of its frames */
    size_t nframes;
    const uint32_t *whole; /* its label in each level that is of stacks; else FST_ID_NONE */
    fst_i128 count;
    uint64_t units; /* the count, where it is of a batch; else 0 */
};

/* Counts a stack, which is stamped, into its rows, each once, and into those of its leaf. False without
 * memory. */
bool fst_nest_count(struct fst_profile *profile, struct fst_nest *nest,
                    struct fst_nest_stack stack);

#endif
