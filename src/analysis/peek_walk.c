/* A call is entered with all that is below it, and left when the walk goes elsewhere. What stands on
 * the way already when a call is entered has counted its stacks: of
 *
 *     a 5
 *     └ f 5        enters f: total 5, a calls f 5
 *       └ f 3      f is on the way: only f calls f 3 */
#include "analysis/peek_walk.h"

#include "analysis/twig.h"
#include "base/alloc.h"
#include "base/count.h"
#include "model/names.h"

bool fst_surroundings_init(struct fst_surroundings *s, const struct fst_profile *p,
                           const uint32_t *rows, size_t count)
{
    *s = (struct fst_surroundings){.profile = p};
    fst_symtab_init(&s->pairs, p->options.seed);
    fst_calltree_init(&s->calls, p->options.seed, fst_rows_join(p->options.by));
    s->spot_of = fst_alloc_zeroed(p->nrows + 1, sizeof *s->spot_of);
    s->spots = fst_alloc_zeroed(count + 1, sizeof *s->spots);
    s->entered = fst_alloc_zeroed(count + 1, sizeof *s->entered);
    if (s->spot_of == NULL || s->spots == NULL || s->entered == NULL) {
        return false;
    }
    memset(s->spot_of, 0xff, (p->nrows + 1) * sizeof *s->spot_of); /* FST_NO_NODE */
    for (; s->nspots < count; s->nspots++) {
        s->spots[s->nspots].row = rows[s->nspots];
        s->spot_of[rows[s->nspots]] = (uint32_t)s->nspots;
    }
    return true;
}

void fst_surroundings_release(struct fst_surroundings *s)
{
    for (size_t i = 0; i < s->nspots; i++) {
        fst_free(s->spots[i].stacks);
    }
    fst_free(s->spots);
    fst_free(s->spot_of);
    fst_free(s->entered);
    fst_free(s->links);
    fst_free(s->lines);
    fst_symtab_release(&s->pairs);
    fst_calltree_release(&s->calls);
}

/* --- walking ----------------------------------------------------------------------------------- */

struct visitor {
    struct fst_surroundings *s;
    /* A call below another one; self: of what ends there. False without memory. */
    bool (*enter)(struct fst_surroundings *s, const struct fst_twig *call,
                  const struct fst_twig *above, fst_i128 self);
    void (*leave)(struct fst_surroundings *s, const struct fst_twig *call,
                  const struct fst_twig *above);
};

struct walk {
    struct fst_twigs path;    /* from the root to the call at hand */
    struct fst_twigs waiting; /* calls that are not reached yet, the next one last */
    struct fst_twigs children;
};

static void leave_down_to(const struct visitor *visitor, struct walk *walk, size_t depth)
{
    while (walk->path.count > depth) {
        walk->path.count--;
        if (walk->path.count > 0) {
            const struct fst_twig *call = &walk->path.items[walk->path.count];
            visitor->leave(visitor->s, call, call - 1);
        }
    }
}

static bool push_children(const struct fst_way *way, struct walk *walk, uint32_t depth)
{
    fst_twigs_sort(way, &walk->children);
    for (size_t i = walk->children.count; i-- > 0;) {
        walk->children.items[i].depth = depth;
        if (!fst_twigs_add(&walk->waiting, &walk->children.items[i])) {
            return false;
        }
    }
    return true;
}

static bool visit_next(const struct visitor *visitor, struct fst_way *way, struct walk *walk)
{
    fst_i128 self;
    struct fst_twig call = walk->waiting.items[--walk->waiting.count];
    leave_down_to(visitor, walk, call.depth);
    if (!fst_way_follow(way, &call, &walk->children, &self) || !fst_twigs_add(&walk->path, &call)) {
        return false;
    }
    const struct fst_twig *entered = &walk->path.items[call.depth];
    return (call.depth == 0 || visitor->enter(visitor->s, entered, entered - 1, self)) &&
           push_children(way, walk, call.depth + 1);
}

/* Visits the calls of a tree, each before what is below it, in the order of fst_tree. */
static bool walk_tree(const struct visitor *visitor, const struct fst_calltree *tree)
{
    struct fst_way way;
    struct walk walk = {0};
    bool good = fst_way_init(&way, visitor->s->profile, tree, false);
    struct fst_twig root = fst_way_root(&way);
    good = good && fst_twigs_add(&walk.waiting, &root);
    while (good && walk.waiting.count > 0) {
        good = visit_next(visitor, &way, &walk);
    }
    fst_way_release(&way);
    fst_free(walk.path.items);
    fst_free(walk.waiting.items);
    fst_free(walk.children.items);
    return good;
}

static void enter_once(struct fst_once *once, fst_i128 self, fst_i128 total)
{
    once->total += once->inside == 0 ? total : 0;
    once->self += self;
    once->inside++;
    once->seen = true;
}

/* --- callers, callees, stacks ------------------------------------------------------------------ */

/* The tree of frames as one of rows. */
static bool make_rows(struct fst_surroundings *s)
{
    const struct fst_profile *p = s->profile;
    size_t count = p->frame_names.count;
    uint32_t *rows = fst_alloc_zeroed(count + 1, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < count; i++) {
        rows[i] = p->frames[i].row;
    }
    bool good = rows != NULL && fst_calltree_merge(&s->calls, &p->calls, rows);
    fst_free(rows);
    return good;
}

static uint32_t spot_of(const struct fst_surroundings *s, uint32_t row)
{
    return row == FST_NO_NODE ? FST_NO_NODE : s->spot_of[row];
}

static struct fst_str name_of_pair(const struct fst_pair *pair)
{
    return fst_str_of((const char *)pair, sizeof *pair);
}

static bool enter_pair(struct fst_surroundings *s, uint32_t from, uint32_t to, fst_i128 total)
{
    const struct fst_pair pair = {from, to};
    size_t known = s->pairs.count;
    uint32_t id = fst_symtab_intern(&s->pairs, name_of_pair(&pair));
    void *links = s->links;
    if (id == FST_ID_NONE ||
        fst_grow(&links, &s->links_capacity, s->pairs.count, sizeof *s->links) != 0) {
        return false;
    }
    s->links = links;
    if (id >= known) {
        s->links[id] = (struct fst_once){0};
    }
    enter_once(&s->links[id], 0, total);
    return true;
}

/* Keeps a stack if it is among the heaviest of a spot: in their order where they are limited, else
 * as they come. */
static bool offer_stack(struct fst_surroundings *s, struct fst_spot *spot, fst_i128 count,
                        uint32_t chain)
{
    struct fst_heavy stack = {count, spot->stacks_of++, chain};
    bool limited = s->stacks_most > 0;
    bool full = limited && spot->nstacks == s->stacks_most;
    if (full && spot->stacks[spot->nstacks - 1].count >= count) {
        return true;
    }
    void *stacks = spot->stacks;
    if (!full &&
        fst_grow(&stacks, &spot->stacks_capacity, spot->nstacks + 1, sizeof *spot->stacks) != 0) {
        return false;
    }
    spot->stacks = stacks;
    spot->nstacks += !full;
    size_t at = spot->nstacks - 1;
    for (; limited && at > 0 && spot->stacks[at - 1].count < count; at--) {
        spot->stacks[at] = spot->stacks[at - 1];
    }
    spot->stacks[at] = stack;
    return true;
}

static void enter_spot(struct fst_surroundings *s, uint32_t spot)
{
    if (s->spots[spot].inside++ == 0) {
        s->entered[s->nentered++] = spot;
    }
}

/* What was entered last is left first. */
static void leave_spot(struct fst_surroundings *s, uint32_t spot)
{
    s->nentered -= --s->spots[spot].inside == 0;
}

static bool enter_call(struct fst_surroundings *s, const struct fst_twig *call,
                       const struct fst_twig *above, fst_i128 self)
{
    uint32_t spot = spot_of(s, call->row);
    if (spot != FST_NO_NODE) {
        s->spots[spot].begins += above->row == FST_NO_NODE ? call->total : 0;
        enter_spot(s, spot);
    }
    bool linked = spot != FST_NO_NODE || spot_of(s, above->row) != FST_NO_NODE;
    if (linked && above->row != FST_NO_NODE && !enter_pair(s, above->row, call->row, call->total)) {
        return false;
    }
    for (size_t i = 0; self != 0 && i < s->nentered; i++) {
        if (!offer_stack(s, &s->spots[s->entered[i]], self, (uint32_t)call->from)) {
            return false;
        }
    }
    return true;
}

static void leave_call(struct fst_surroundings *s, const struct fst_twig *call,
                       const struct fst_twig *above)
{
    uint32_t spot = spot_of(s, call->row);
    if (spot != FST_NO_NODE) {
        leave_spot(s, spot);
    }
    const struct fst_pair pair = {above->row, call->row};
    if (above->row != FST_NO_NODE &&
        (spot != FST_NO_NODE || spot_of(s, above->row) != FST_NO_NODE)) {
        s->links[fst_symtab_find(&s->pairs, name_of_pair(&pair))].inside--;
    }
}

bool fst_surroundings_gather(struct fst_surroundings *s)
{
    const struct visitor visitor = {s, enter_call, leave_call};
    return make_rows(s) && walk_tree(&visitor, &s->calls);
}

/* --- lines ------------------------------------------------------------------------------------- */

uint32_t fst_line_of_frame(const struct fst_profile *p, uint32_t frame)
{
    return p->alters ? p->spoken[frame] : frame;
}

static struct fst_once *line_of(struct fst_surroundings *s, uint32_t frame)
{
    return &s->lines[fst_line_of_frame(s->profile, frame)];
}

static bool enter_frame(struct fst_surroundings *s, const struct fst_twig *call,
                        const struct fst_twig *above, fst_i128 self)
{
    (void)above;
    enter_once(line_of(s, call->row), self, call->total);
    return true;
}

static void leave_frame(struct fst_surroundings *s, const struct fst_twig *call,
                        const struct fst_twig *above)
{
    (void)above;
    line_of(s, call->row)->inside--;
}

bool fst_surroundings_gather_lines(struct fst_surroundings *s)
{
    const struct fst_profile *p = s->profile;
    const struct visitor visitor = {s, enter_frame, leave_frame};
    s->nlines = p->alters ? p->spoken_names.count : p->frame_names.count;
    s->lines = fst_alloc_zeroed(s->nlines + 1, sizeof *s->lines);
    return s->lines != NULL && walk_tree(&visitor, &p->calls);
}
