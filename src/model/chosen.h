/* Stacks that are judged one by one: where filters drop them or cut them, where a row is made by a
 * stack as a whole (its category, all of it), and where rows lie within rows. Verdicts on names are
 * kept by the frame's number, so that a stack costs a look-up a frame. */
#ifndef FST_MODEL_CHOSEN_H
#define FST_MODEL_CHOSEN_H

#include "base/compat.h"
#include "model/category.h"
#include "model/filter.h"
#include "model/nest.h"

struct fst_profile;

/* Zero-initialised it is ready. It belongs to one profile until that is settled. */
struct fst_chooser {
    bool ready; /* filter is */
    struct fst_filter filter;
    uint32_t *ids; /* of the frames of the stack at hand, and what filters leave of them */
    size_t ids_capacity;
    struct fst_symbol **kept; /* the same */
    size_t kept_capacity;
    struct fst_category_verdict *verdicts; /* by frame number, of the rows' categories */
    size_t verdicts_capacity;
    size_t judged;
    struct fst_category_verdict *idle; /* of the built-in ones */
    size_t idle_capacity;
    size_t idle_judged;
    struct fst_buf label; /* of a stack as a whole */
    struct fst_nest nest; /* where rows lie within rows */
    uint64_t units;       /* the count of the stack at hand, where it is of a batch; else 0 */
};

void fst_chooser_release(struct fst_chooser *chooser);

/* Counts the stack at hand, whose lead is known, if it is chosen. False where that failed: see
 * fst_profile_failed. */
bool fst_chosen_count(struct fst_profile *profile, size_t nframes, fst_i128 count);

#endif
