/* The way down follows the chains of the tree. The way up has no tree: all stacks climb together from
 * their leaves, and part where the frames that called them differ. A twig is a range of climbers,
 * which is sorted by the frame that comes next when it is followed:
 *
 *     a;b;x 3     all                  x: 3 2 1      below x    b: 3 2     below b    a: 3
 *     c;b;x 2     3 2 1                                         c: 1                  c: 2
 *     c;x 1
 *
 * So nothing is spent on what nobody follows, and memory grows with the number of distinct stacks. */
#include "analysis/twig.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/count.h"

/* --- twigs ------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const struct fst_twig *a = left;
    const struct fst_twig *b = right;
    if (a->total != b->total) {
        return a->total > b->total ? -1 : 1;
    }
    return fst_str_cmp(a->name, b->name);
}

struct fst_str fst_way_name(const struct fst_way *way, uint32_t row)
{
    const struct fst_profile *p = way->profile;
    bool frame = p->options.tree_of_frames && way->tree == &p->calls;
    return frame ? fst_profile_spoken(p, row) : fst_profile_row_name(p, row, NULL);
}

void fst_twigs_sort(const struct fst_way *way, struct fst_twigs *twigs)
{
    if (twigs->count < 2) {
        return;
    }
    for (size_t i = 0; i < twigs->count; i++) {
        twigs->items[i].name = fst_way_name(way, twigs->items[i].row);
    }
    qsort(twigs->items, twigs->count, sizeof *twigs->items, compare);
}

bool fst_twigs_add(struct fst_twigs *twigs, const struct fst_twig *twig)
{
    void *items = twigs->items;
    if (fst_grow(&items, &twigs->capacity, twigs->count + 1, sizeof *twigs->items) != 0) {
        return false;
    }
    twigs->items = items;
    twigs->items[twigs->count++] = *twig;
    return true;
}

static fst_i128 magnitude(fst_i128 count)
{
    return count < 0 ? -count : count;
}

/* --- down -------------------------------------------------------------------------------------- */

/* Sums what ends at the end of each chain and below; magnitudes: without signs. */
static fst_i128 *sum_up(const struct fst_calltree *tree, const uint32_t *order, bool magnitudes)
{
    void *items = NULL;
    size_t room = 0;
    if (fst_grow(&items, &room, tree->count, sizeof(fst_i128)) != 0) {
        return NULL;
    }
    fst_i128 *sums = items;
    memset(sums, 0, tree->count * sizeof *sums);
    for (size_t i = tree->count; i-- > 0;) {
        const struct fst_chain *chain = &tree->chains[order[i]];
        fst_i128 self = fst_count_unpack(chain->self);
        sums[order[i]] += magnitudes ? magnitude(self) : self;
        if (chain->parent != FST_NO_NODE) {
            sums[chain->parent] += sums[order[i]];
        }
    }
    return sums;
}

static bool begin_down(struct fst_way *way)
{
    const struct fst_profile *p = way->profile;
    if (way->tree->count == 0) {
        return true;
    }
    if (!fst_offspring_init(&way->offspring, way->tree)) {
        return false;
    }
    way->totals = sum_up(way->tree, way->offspring.order, false);
    if (p->negatives > 0) {
        way->weights = sum_up(way->tree, way->offspring.order, true);
    }
    return way->totals != NULL && (way->weights != NULL || p->negatives == 0);
}

/* Adds the call behind the first so many frames of a chain. */
static bool add_call(const struct fst_way *way, uint32_t chain, size_t length,
                     struct fst_twigs *twigs)
{
    const struct fst_chain *whole = &way->tree->chains[chain];
    const struct fst_twig twig = {
        .row = length == 0 ? whole->name : fst_calltree_names(way->tree, whole->first)[length],
        .total = way->totals[chain],
        .weight = way->weights != NULL ? way->weights[chain] : way->totals[chain],
        .from = chain,
        .to = length + 1,
    };
    return fst_twigs_add(twigs, &twig);
}

/* Asks for what will be looked at of the first children of a chain, so that the waits overlap. Part of
 * its caller: see model/calltree.c. */
FST_INLINE void fetch_children(const struct fst_way *way, size_t from, size_t to)
{
    enum { AT_MOST = 32 };
    to = to - from < AT_MOST ? to : from + AT_MOST;
    for (size_t i = from; i < to; i++) {
        __builtin_prefetch(&way->tree->chains[way->offspring.children[i]]);
        __builtin_prefetch(&way->totals[way->offspring.children[i]]);
    }
}

static bool follow_down(const struct fst_way *way, const struct fst_twig *from,
                        struct fst_twigs *twigs, fst_i128 *self)
{
    const struct fst_offspring *o = &way->offspring;
    const struct fst_chain *chain = &way->tree->chains[from->from];
    if (from->to < chain->length) {
        return add_call(way, (uint32_t)from->from, from->to, twigs);
    }
    *self = fst_count_unpack(chain->self);
    fetch_children(way, o->starts[from->from], o->starts[from->from + 1]);
    for (size_t i = o->starts[from->from]; i < o->starts[from->from + 1]; i++) {
        if (!add_call(way, o->children[i], 0, twigs)) {
            return false;
        }
    }
    return true;
}

/* --- up ---------------------------------------------------------------------------------------- */

/* Stands a climber at the last frame of a chain. */
static void enter(const struct fst_way *way, struct fst_climber *climber, uint32_t id)
{
    const struct fst_chain *chain = &way->tree->chains[id];
    climber->chain = id;
    climber->at = id == 0 ? 0 : chain->first + chain->length - 1;
    climber->name = id == 0 ? FST_NO_NODE : *fst_calltree_names(way->tree, climber->at);
}

static void climb(const struct fst_way *way, struct fst_climber *climber)
{
    const struct fst_chain *chain = &way->tree->chains[climber->chain];
    if (climber->chain != 0 && climber->at > chain->first) {
        climber->name = *fst_calltree_names(way->tree, --climber->at);
    } else if (climber->chain != 0) {
        enter(way, climber, chain->parent);
    }
}

static bool begin_up(struct fst_way *way)
{
    const struct fst_calltree *tree = way->tree;
    size_t count = 0;
    for (size_t id = 0; id < tree->count; id++) {
        count += fst_count_unpack(tree->chains[id].self) != 0;
    }
    way->climbers = fst_alloc_zeroed(count + 1, sizeof *way->climbers);
    if (way->climbers == NULL) {
        return false;
    }
    for (size_t id = 0; id < tree->count; id++) {
        if (fst_count_unpack(tree->chains[id].self) != 0) {
            struct fst_climber *climber = &way->climbers[way->nclimbers++];
            enter(way, climber, (uint32_t)id);
            climber->count = tree->chains[id].self;
        }
    }
    return true;
}

static int compare_climbers(const void *left, const void *right)
{
    const struct fst_climber *a = left;
    const struct fst_climber *b = right;
    return (a->name > b->name) - (a->name < b->name);
}

/* Sorts climbers by the frame that comes next, which mostly is the same for all. */
static void part(struct fst_climber *climbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (climbers[i].name != climbers[0].name) {
            qsort(climbers, count, sizeof *climbers, compare_climbers);
            return;
        }
    }
}

static bool follow_up(struct fst_way *way, const struct fst_twig *from, struct fst_twigs *twigs,
                      fst_i128 *self)
{
    if (from->to > from->from) {
        part(way->climbers + from->from, from->to - from->from);
    }
    for (size_t i = from->from; i < from->to;) {
        uint32_t name = way->climbers[i].name;
        struct fst_twig twig = {.row = name, .from = i};
        for (; i < from->to && way->climbers[i].name == name; i++) {
            struct fst_climber *climber = &way->climbers[i];
            fst_i128 count = fst_count_unpack(climber->count);
            twig.total += count;
            twig.weight += magnitude(count);
            climb(way, climber);
        }
        if (name == FST_NO_NODE) {
            *self = twig.total;
            continue;
        }
        twig.to = i;
        if (!fst_twigs_add(twigs, &twig)) {
            return false;
        }
    }
    return true;
}

/* --- ways -------------------------------------------------------------------------------------- */

bool fst_way_init(struct fst_way *way, const struct fst_profile *profile,
                  const struct fst_calltree *tree, bool reverse)
{
    *way = (struct fst_way){.profile = profile, .tree = tree, .reverse = reverse};
    return reverse ? begin_up(way) : begin_down(way);
}

void fst_way_release(struct fst_way *way)
{
    fst_free(way->totals);
    fst_free(way->weights);
    fst_offspring_release(&way->offspring);
    fst_free(way->climbers);
}

struct fst_twig fst_way_root(const struct fst_way *way)
{
    return (struct fst_twig){
        .name = FST_STR("all"),
        .row = FST_NO_NODE,
        .parent = FST_NO_NODE,
        .total = way->profile->total,
        .weight = way->profile->magnitude,
        .to = way->reverse ? way->nclimbers : 0,
    };
}

bool fst_way_follow(struct fst_way *way, const struct fst_twig *twig, struct fst_twigs *twigs,
                    fst_i128 *self)
{
    twigs->count = 0;
    *self = 0;
    if (way->tree->count == 0) {
        return true;
    }
    return way->reverse ? follow_up(way, twig, twigs, self) : follow_down(way, twig, twigs, self);
}
