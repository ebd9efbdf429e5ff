/* Rows within rows.
 *
 * A stack counts into two rows for each of its frames: that of the outer label, and that of both. The
 * rows of a frame are remembered from the stack before: they are the same unless the label that the
 * stack has as a whole (its category, its thread) is another. Then a table tells the row of the two
 * labels. So most frames cost one look at what is remembered of them.
 *
 * First all rows of a stack are found, then they are counted into, in the order in which they stand:
 * memory that is asked for in the first walk has come when the second needs it. */
#include "model/nest.h"

#include "base/alloc.h"
#include "model/tally.h"

enum { FIRST_SLOTS = 1024 };

void fst_nest_release(struct fst_nest *nest)
{
    fst_free(nest->frames);
    fst_free(nest->slots);
    fst_free(nest->found);
}

uint64_t fst_nest_memory(const struct fst_nest *nest)
{
    size_t slots = nest->slots == NULL ? 0 : nest->mask + 1;
    return nest->capacity * sizeof *nest->frames + slots * sizeof *nest->slots;
}

/* --- pairs of labels ---------------------------------------------------------------------------- */

/* Seeded as names are, and mixed by the constants of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static size_t hash_of(const struct fst_profile *p, struct fst_pair pair)
{
    uint64_t x = ((uint64_t)pair.outer << 32 | pair.inner) ^ p->row_names.seed[0];
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return (size_t)(x ^ (x >> 31));
}

/* The slot of a pair, or the empty one where it belongs. */
static struct fst_nest_slot *slot_of(const struct fst_profile *p, const struct fst_nest *nest,
                                     struct fst_pair pair)
{
    size_t at = hash_of(p, pair) & nest->mask;
    while (nest->slots[at].row != NULL &&
           (nest->slots[at].pair.outer != pair.outer || nest->slots[at].pair.inner != pair.inner)) {
        at = (at + 1) & nest->mask;
    }
    return &nest->slots[at];
}

static bool grow_slots(const struct fst_profile *p, struct fst_nest *nest)
{
    struct fst_nest old = *nest;
    size_t count = old.mask == 0 ? FIRST_SLOTS : (old.mask + 1) * 2;
    nest->slots = fst_alloc_zeroed(count, sizeof *nest->slots);
    if (nest->slots == NULL) {
        nest->slots = old.slots;
        return false;
    }
    nest->mask = count - 1;
    for (size_t i = 0; old.slots != NULL && i <= old.mask; i++) {
        if (old.slots[i].row != NULL) {
            *slot_of(p, nest, old.slots[i].pair) = old.slots[i];
        }
    }
    fst_free(old.slots);
    return true;
}

/* The row of a pair of labels; NULL without memory. */
static struct fst_symbol *row_of(struct fst_profile *p, struct fst_nest *nest, uint32_t outer,
                                 uint32_t inner)
{
    struct fst_pair pair = {outer, inner};
    if (nest->taken * 2 >= nest->mask && !grow_slots(p, nest)) {
        return NULL;
    }
    struct fst_nest_slot *slot = slot_of(p, nest, pair);
    if (slot->row == NULL) {
        uint32_t row = fst_names_pair(p, pair);
        if (row == FST_ID_NONE) {
            return NULL;
        }
        *slot = (struct fst_nest_slot){pair, p->row_names.symbols[row]};
        nest->taken++;
    }
    return slot->row;
}

/* --- rows of frames ----------------------------------------------------------------------------- */

/* Makes room for what is remembered of every frame that there is, and for the rows of a stack. */
static bool make_room(const struct fst_profile *p, struct fst_nest *nest, size_t nframes)
{
    size_t count = p->frame_names.count;
    void *frames = nest->frames;
    if (nest->known < count) {
        if (fst_grow(&frames, &nest->capacity, count, sizeof *nest->frames) != 0) {
            return false;
        }
        nest->frames = frames;
        memset(nest->frames + nest->known, 0, (count - nest->known) * sizeof *nest->frames);
        nest->known = count;
    }
    return fst_symbols_grow(&nest->found, &nest->found_capacity, nframes * 2);
}

/* The label of the stack as a whole that frames meet; 0 where both levels are of frames. */
static uint32_t met_by(const uint32_t whole[2])
{
    return whole[0] != FST_ID_NONE ? whole[0] : whole[1] != FST_ID_NONE ? whole[1] : 0;
}

/* Finds the rows of a frame. An outer row of its own is the same whatever it meets. */
static bool find_rows(struct fst_profile *p, struct fst_nest *nest, uint32_t id,
                      const uint32_t whole[2])
{
    struct fst_nest_rows *frame = &nest->frames[id];
    uint32_t outer = whole[0] != FST_ID_NONE ? whole[0] : p->labels[0][id];
    uint32_t inner = whole[1] != FST_ID_NONE ? whole[1] : p->labels[1][id];
    bool known = frame->rows[0] != NULL && whole[0] == FST_ID_NONE;
    struct fst_symbol *row = known ? frame->rows[0] : row_of(p, nest, outer, FST_ID_NONE);
    *frame = (struct fst_nest_rows){{row, NULL}, met_by(whole)};
    frame->rows[1] = row == NULL ? NULL : row_of(p, nest, outer, inner);
    return frame->rows[1] != NULL;
}

/* Finds the rows of all frames from the first one on, in their order, which new rows are numbered in. */
static bool find_all(struct fst_profile *p, struct fst_nest *nest,
                     const struct fst_nest_stack *stack, size_t first)
{
    uint32_t met = met_by(stack->whole);
    bool both = stack->whole[0] != FST_ID_NONE && stack->whole[1] != FST_ID_NONE;
    for (size_t i = first; i < stack->nframes; i++) {
        const struct fst_nest_rows *frame = &nest->frames[stack->ids[i]];
        if ((frame->rows[1] == NULL || frame->met != met || both) &&
            !find_rows(p, nest, stack->ids[i], stack->whole)) {
            return false;
        }
        nest->found[2 * i] = frame->rows[0];
        nest->found[2 * i + 1] = frame->rows[1];
        __builtin_prefetch(frame->rows[0], 1);
        __builtin_prefetch(frame->rows[1], 1);
    }
    return true;
}

bool fst_nest_count(struct fst_profile *p, struct fst_nest *nest, struct fst_nest_stack stack)
{
    bool once = stack.whole[0] != FST_ID_NONE && stack.whole[1] != FST_ID_NONE;
    size_t first = once ? stack.nframes - 1 : 0;
    if (!make_room(p, nest, stack.nframes) || !find_all(p, nest, &stack, first)) {
        return false;
    }
    for (size_t i = 2 * first; i < 2 * stack.nframes; i++) {
        if (stack.units > 0) {
            fst_count_units_once(p, nest->found[i], stack.units);
        } else {
            fst_count_once(p, nest->found[i], stack.count);
        }
    }
    fst_count_leaf(p, nest->found[2 * stack.nframes - 2]->id, stack.count);
    fst_count_leaf(p, nest->found[2 * stack.nframes - 1]->id, stack.count);
    return true;
}
