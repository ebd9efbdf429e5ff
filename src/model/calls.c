/* How stacks come into the call tree. Those of a batch are looked at some at a time before they are
 * added: each goes down the tree as far as it is known, all beside each other, so that what each of them
 * has to wait for arrives together. */
#include "base/alloc.h"
#include "model/tally.h"

static bool reserve_steps(struct fst_tally *t, size_t n)
{
    void *steps = t->steps;
    if (fst_grow(&steps, &t->steps_capacity, n, sizeof *t->steps) != 0) {
        return false;
    }
    t->steps = steps;
    return true;
}

/* What stands in the tree for frames. */
static void name_steps(const struct fst_profile *p, struct fst_symbol *const *frames, size_t n,
                       uint32_t *steps)
{
    bool same = fst_rows_are_frames(p) || p->options.tree_of_frames;
    for (size_t i = 0; i < n; i++) {
        steps[i] = same ? frames[i]->id : p->frames[frames[i]->id].row;
    }
}

bool fst_count_calls(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_tally *t = p->tally;
    if (!p->options.tree) {
        return true;
    }
    if (!reserve_steps(t, nframes)) {
        return false;
    }
    name_steps(p, t->stack, nframes, t->steps);
    return fst_calltree_add(&p->calls, 0, t->steps, nframes, count);
}

/* --- batches ----------------------------------------------------------------------------------- */

bool fst_calls_take(struct fst_profile *p, const struct fst_batch *batch)
{
    struct fst_tally *t = p->tally;
    if (!reserve_steps(t, batch->nframes)) {
        return false;
    }
    name_steps(p, t->frames, batch->nframes, t->steps);
    return true;
}

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

/* How a stack begins, of which the one before it in the batch begins so. */
static void begin_as(struct fst_outset *outset, const struct fst_outset *before,
                     const struct fst_stack *stack, const uint32_t *steps)
{
    size_t shared = at_most(stack->shared, FST_OUTSET);
    size_t others = at_most(stack->nframes, FST_OUTSET - shared);
    memmove(outset->names, before->names, shared * sizeof *steps);
    memcpy(outset->names + shared, steps + stack->first, others * sizeof *steps);
    outset->length = (uint32_t)(shared + others);
}

/* Looks ahead at the next stacks of a batch from stack i on. */
static void look_ahead(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    struct fst_tally *t = p->tally;
    size_t count = at_most(batch->nstacks - i, FST_OUTSETS);
    const struct fst_outset *before = &t->outsets[FST_OUTSETS - 1]; /* of those before */
    for (size_t k = 0; k < count; k++) {
        begin_as(&t->outsets[k], before, &batch->stacks[i + k], t->steps);
        before = &t->outsets[k];
    }
    fst_calltree_fetch(&p->calls, t->outsets, count);
}

bool fst_calls_add(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    const struct fst_stack *stack = &batch->stacks[i];
    if (i % FST_OUTSETS == 0) {
        look_ahead(p, batch, i);
    }
    return fst_calltree_add(&p->calls, stack->shared, p->tally->steps + stack->first,
                            stack->nframes, (fst_i128)stack->count * FST_COUNT_ONE);
}
