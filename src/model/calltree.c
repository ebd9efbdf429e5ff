/* A radix tree over the numbers of names. A chain is found by its parent and the name of its first
 * frame, in a table with open addressing and linear probing; all its other frames are compared one
 * behind the other. Where a stack leaves a chain midway, the chain is cut: what lies before the cut
 * becomes a new chain, and the rest keeps its number, so that what stands on its end stays there.
 *
 *     main;a;b;c 3      1: main a b c (3)
 *     main;a;b;d 2      2: main a b   1: c (3)   3: d (2)
 *     main;a 4          4: main a (4) 2: b       1: c (3)   3: d (2)
 *
 * Stacks come in the order of a file, in which neighbours have much in common, so that the chains of
 * the last stack are kept: of the next one only the frames behind the first difference are looked at. */
#include "model/calltree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/count.h"

enum {
    FIRST_SLOTS = 256,
    AHEAD = 16 /* chains whose memory is asked for before they are merged */
};

void fst_calltree_init(struct fst_calltree *tree, uint64_t seed, bool joins)
{
    *tree = (struct fst_calltree){.seed = seed, .joins = joins};
}

void fst_calltree_release(struct fst_calltree *tree)
{
    fst_free(tree->chains);
    for (size_t i = 0; i < tree->blocks_capacity; i++) {
        fst_free(tree->blocks[i]);
    }
    fst_free(tree->blocks);
    fst_free(tree->slots);
    fst_free(tree->path);
    fst_free(tree->joined);
    *tree = (struct fst_calltree){0};
}

void fst_calltree_settle(struct fst_calltree *tree)
{
    fst_free(tree->path);
    fst_free(tree->joined);
    tree->path = NULL;
    tree->npath = 0;
    tree->path_capacity = 0;
    tree->joined = NULL;
    tree->joined_capacity = 0;
}

size_t fst_calltree_memory(const struct fst_calltree *tree)
{
    size_t slots = tree->slots == NULL ? 0 : tree->mask + 1;
    return fst_capacity_soon(tree->capacity, tree->count) * sizeof *tree->chains +
           tree->names_capacity * sizeof **tree->blocks +
           tree->blocks_capacity * sizeof *tree->blocks + slots * sizeof *tree->slots +
           tree->path_capacity * sizeof *tree->path + tree->joined_capacity * sizeof *tree->joined;
}

/* --- the table --------------------------------------------------------------------------------- */

/* Folded multiplication, as in base/symtab.c. */
static inline uint32_t hash_of(const struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    uint64_t key = ((uint64_t)parent << 32 | name) ^ tree->seed;
    fst_u128 product = (fst_u128)key * 0x9e3779b97f4a7c15U;
    return (uint32_t)((uint64_t)product ^ (uint64_t)(product >> 64));
}

/* The slot of the chain that begins with that name at the end of another one, or the empty one where
 * it belongs. Chains of other names are hardly ever looked at: that would be to wait for memory. */
static inline struct fst_chain_slot *find(const struct fst_calltree *tree, uint32_t parent,
                                          uint32_t name)
{
    uint32_t hash = hash_of(tree, parent, name);
    size_t i = hash & tree->mask;
    for (; tree->slots[i].chain != 0; i = (i + 1) & tree->mask) {
        const struct fst_chain *chain = &tree->chains[tree->slots[i].chain];
        if (tree->slots[i].hash == hash && chain->name == name && chain->parent == parent) {
            break;
        }
    }
    return &tree->slots[i];
}

static void fill_slot(struct fst_calltree *tree, struct fst_chain_slot slot)
{
    size_t i = slot.hash & tree->mask;
    while (tree->slots[i].chain != 0) {
        i = (i + 1) & tree->mask;
    }
    tree->slots[i] = slot;
}

/* Makes a chain known to the table. */
static void file_chain(struct fst_calltree *tree, uint32_t id)
{
    const struct fst_chain *chain = &tree->chains[id];
    fill_slot(tree, (struct fst_chain_slot){id, hash_of(tree, chain->parent, chain->name)});
}

static bool resize(struct fst_calltree *tree, size_t slots)
{
    struct fst_chain_slot *old = tree->slots;
    size_t count = old == NULL ? 0 : tree->mask + 1;
    void *fresh = NULL;
    size_t room = 0;
    if (fst_grow_zeroed(&fresh, &room, slots, sizeof *old) != 0) {
        return false;
    }
    tree->slots = fresh;
    tree->mask = slots - 1;
    for (size_t i = 0; i < count; i++) {
        if (old[i].chain != 0) {
            fill_slot(tree, old[i]);
        }
    }
    fst_free(old);
    return true;
}

/* --- chains ------------------------------------------------------------------------------------ */

/* Makes the root. */
static bool plant(struct fst_calltree *tree)
{
    void *chains = tree->chains;
    if (tree->count > 0) {
        return true;
    }
    if (fst_grow(&chains, &tree->capacity, 1, sizeof *tree->chains) != 0) {
        return false;
    }
    tree->chains = chains;
    tree->chains[tree->count++] = (struct fst_chain){.parent = FST_NO_NODE, .name = FST_NO_NODE};
    return true;
}

/* Makes room for two more chains. */
static bool make_room(struct fst_calltree *tree)
{
    void *items = tree->chains;
    size_t chains = tree->count + 2;
    if (chains > FST_NO_NODE ||
        fst_grow(&items, &tree->capacity, chains, sizeof *tree->chains) != 0) {
        return false;
    }
    tree->chains = items;
    size_t slots = tree->slots == NULL ? 0 : tree->mask + 1;
    size_t wanted = slots == 0 ? FIRST_SLOTS : slots;
    while (chains > wanted / 5 * 3) {
        wanted *= 2;
    }
    return wanted == slots || resize(tree, wanted);
}

/* Makes a block hold so many names at least. */
static bool grow_block(struct fst_calltree *tree, size_t block, size_t names)
{
    void *blocks = tree->blocks;
    if (fst_grow_zeroed(&blocks, &tree->blocks_capacity, block + 1, sizeof *tree->blocks) != 0) {
        return false;
    }
    tree->blocks = blocks;
    void *items = tree->blocks[block];
    size_t capacity = block == 0 ? tree->names_capacity : 0;
    names = block == 0 ? names : FST_CALLTREE_BLOCK;
    if (fst_grow(&items, &capacity, names, sizeof **tree->blocks) != 0) {
        return false;
    }
    tree->blocks[block] = items;
    tree->names_capacity = block * FST_CALLTREE_BLOCK + capacity;
    return true;
}

/* Adds names, of which a block has room for so many, behind the others. */
static bool add_names(struct fst_calltree *tree, const uint32_t *names, size_t n)
{
    size_t used = tree->nnames % FST_CALLTREE_BLOCK;
    size_t first = tree->nnames + (used + n > FST_CALLTREE_BLOCK ? FST_CALLTREE_BLOCK - used : 0);
    size_t block = first / FST_CALLTREE_BLOCK;
    if (n > UINT32_MAX - first || (first + n > tree->names_capacity &&
                                   !grow_block(tree, block, first % FST_CALLTREE_BLOCK + n))) {
        return false;
    }
    memcpy(fst_calltree_names(tree, first), names, n * sizeof *names);
    tree->nnames = first + n;
    return true;
}

/* Cuts a chain behind so many of its frames; returns the number of those before the cut. */
static uint32_t cut(struct fst_calltree *tree, uint32_t id, uint32_t length)
{
    struct fst_chain *chain = &tree->chains[id];
    uint32_t upper = (uint32_t)tree->count++;
    tree->chains[upper] = *chain;
    tree->chains[upper].length = length;
    tree->chains[upper].self = fst_count_pack(0);
    find(tree, chain->parent, chain->name)->chain = upper;
    chain->parent = upper;
    chain->first += length;
    chain->length -= length;
    chain->name = *fst_calltree_names(tree, chain->first);
    file_chain(tree, id);
    return upper;
}

/* Adds a chain at the end of another one, where there is room for it. FST_NO_NODE without memory. */
static uint32_t append(struct fst_calltree *tree, uint32_t parent, const uint32_t *names, size_t n)
{
    if (!add_names(tree, names, n)) {
        return FST_NO_NODE;
    }
    uint32_t first = (uint32_t)(tree->nnames - n);
    uint32_t id = (uint32_t)tree->count++;
    tree->chains[id] = (struct fst_chain){
        .parent = parent, .name = names[0], .first = first, .length = (uint32_t)n};
    file_chain(tree, id);
    return id;
}

static void count_self(struct fst_chain *chain, fst_i128 count)
{
    chain->self = fst_count_pack(fst_count_unpack(chain->self) + count);
}

/* The name of the last of so many frames of a chain; FST_NO_NODE of the root. */
static uint32_t last_name(const struct fst_calltree *tree, uint32_t id, size_t length)
{
    return id == 0 ? FST_NO_NODE : fst_calltree_names(tree, tree->chains[id].first)[length - 1];
}

/* --- ways -------------------------------------------------------------------------------------- */

/* How far a way has come: behind so many frames of a chain, and so many steps in all. */
struct place {
    uint32_t chain;
    uint32_t length;
    size_t depth;
};

static bool push(struct fst_calltree *tree, uint32_t chain, size_t start)
{
    void *path = tree->path;
    if (fst_grow(&path, &tree->path_capacity, tree->npath + 1, sizeof *tree->path) != 0) {
        return false;
    }
    tree->path = path;
    tree->path[tree->npath++] = (struct fst_stretch){chain, (uint32_t)start};
    return true;
}

/* Follows names from a place as far as they are there. Returns how many that are; FST_NO_NODE without
 * memory. */
static size_t follow(struct fst_calltree *tree, struct place *at, const uint32_t *names, size_t n)
{
    size_t done = 0;
    for (;;) {
        const struct fst_chain *chain = &tree->chains[at->chain];
        size_t left = chain->length - at->length;
        const uint32_t *own =
            left == 0 ? names : fst_calltree_names(tree, chain->first) + at->length;
        size_t most = left < n - done ? left : n - done;
        size_t same = 0;
        while (same < most && own[same] == names[done + same]) {
            same++;
        }
        done += same;
        at->length += (uint32_t)same;
        if (same < left || done == n) {
            return done;
        }
        uint32_t child = find(tree, at->chain, names[done])->chain;
        if (child == 0) {
            return done;
        }
        if (!push(tree, child, at->depth + done)) {
            return FST_NO_NODE;
        }
        at->chain = child;
        at->length = 1;
        done++;
    }
}

/* The chain that ends n names behind a place, which is on the path unless it is the end of a chain;
 * it is made if need be. FST_NO_NODE without memory or numbers. */
static uint32_t reach(struct fst_calltree *tree, struct place at, const uint32_t *names, size_t n)
{
    if (!make_room(tree)) {
        return FST_NO_NODE;
    }
    size_t done = follow(tree, &at, names, n);
    if (done == FST_NO_NODE) {
        return FST_NO_NODE;
    }
    uint32_t chain = at.chain;
    if (at.length < tree->chains[chain].length) {
        chain = cut(tree, chain, at.length);
        tree->path[tree->npath - 1].chain = chain;
    }
    while (done < n) {
        size_t rest = n - done < FST_CALLTREE_BLOCK ? n - done : FST_CALLTREE_BLOCK;
        chain = make_room(tree) ? append(tree, chain, names + done, rest) : FST_NO_NODE;
        if (chain == FST_NO_NODE || !push(tree, chain, at.depth + done)) {
            return FST_NO_NODE;
        }
        done += rest;
    }
    return chain;
}

/* --- stacks ------------------------------------------------------------------------------------ */

/* Goes back on the path to its first so many steps. */
static struct place go_back(struct fst_calltree *tree, size_t depth)
{
    while (tree->npath > 0 && tree->path[tree->npath - 1].start >= depth) {
        tree->npath--;
    }
    if (tree->npath == 0) {
        return (struct place){0, 0, 0};
    }
    struct fst_stretch last = tree->path[tree->npath - 1];
    return (struct place){last.chain, (uint32_t)(depth - last.start), depth};
}

/* Makes neighbours of one name one step. Returns how many steps are left. */
static size_t join(uint32_t before, uint32_t *names, size_t n, size_t depth, uint32_t *joined)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
        if (names[i] != before) {
            before = names[i];
            names[left++] = before;
        }
        if (joined != NULL) {
            joined[i] = (uint32_t)(depth + left);
        }
    }
    return left;
}

static bool reserve_joined(struct fst_calltree *tree, size_t frames)
{
    void *joined = tree->joined;
    if (fst_grow(&joined, &tree->joined_capacity, frames, sizeof *tree->joined) != 0) {
        return false;
    }
    tree->joined = joined;
    return true;
}

bool fst_calltree_add(struct fst_calltree *tree, size_t known, uint32_t *names, size_t n,
                      fst_i128 count)
{
    if (known + n >= FST_NO_NODE || !plant(tree) ||
        (tree->joins && !reserve_joined(tree, known + n))) {
        return false;
    }
    size_t steps = tree->joins && known > 0 ? tree->joined[known - 1] : known;
    struct place at = go_back(tree, steps);
    if (tree->joins) {
        uint32_t before = last_name(tree, at.chain, at.length);
        n = join(before, names, n, steps, tree->joined + known);
    }
    uint32_t chain = reach(tree, at, names, n);
    if (chain == FST_NO_NODE) {
        tree->npath = 0;
        return false;
    }
    count_self(&tree->chains[chain], count);
    return true;
}

/* --- looking ahead ----------------------------------------------------------------------------- */

/* A stack whose way is looked at, up to the end of a chain; done: so many of its names. */
struct scout {
    const struct fst_outset *outset;
    uint32_t chain;
    uint32_t done;
    uint32_t hash; /* of the next chain */
};

/* The chain of that hash, most likely the one that is looked for; 0: there is none. */
static uint32_t guess(const struct fst_calltree *tree, uint32_t hash)
{
    size_t slot = hash & tree->mask;
    while (tree->slots[slot].chain != 0 && tree->slots[slot].hash != hash) {
        slot = (slot + 1) & tree->mask;
    }
    return tree->slots[slot].chain;
}

/* Takes every scout one chain further, to its end: whether the stack leaves it before is not looked at,
 * as that would be to wait. Returns how many go on. */
static size_t advance(const struct fst_calltree *tree, struct scout *scouts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct scout *scout = &scouts[i];
        scout->hash = hash_of(tree, scout->chain, scout->outset->names[scout->done]);
        __builtin_prefetch(&tree->slots[scout->hash & tree->mask]);
    }
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct scout scout = scouts[i];
        scout.chain = guess(tree, scout.hash);
        if (scout.chain != 0) {
            __builtin_prefetch(&tree->chains[scout.chain]);
            scouts[left++] = scout;
        }
    }
    count = left;
    left = 0;
    for (size_t i = 0; i < count; i++) {
        struct scout scout = scouts[i];
        const struct fst_chain *chain = &tree->chains[scout.chain];
        __builtin_prefetch(fst_calltree_names(tree, chain->first));
        if (chain->length < scout.outset->length - scout.done) {
            scout.done += chain->length;
            scouts[left++] = scout;
        }
    }
    return left;
}

void fst_calltree_fetch(const struct fst_calltree *tree, const struct fst_outset *outsets,
                        size_t count)
{
    struct scout scouts[FST_OUTSETS];
    size_t left = 0;
    for (size_t i = 0; tree->slots != NULL && i < count; i++) {
        if (outsets[i].length > 0) {
            scouts[left++] = (struct scout){.outset = &outsets[i]};
        }
    }
    while (left > 0) {
        left = advance(tree, scouts, left);
    }
}

/* --- whole trees ------------------------------------------------------------------------------- */

/* What merging needs. */
struct merging {
    struct fst_offspring offspring;
    uint32_t *numbers; /* by chain: the one that ends there in the other tree */
    uint32_t *steps;   /* as many as the longest chain has */
};

static bool begin_merging(struct merging *m, const struct fst_calltree *from)
{
    size_t longest = 1;
    for (size_t id = 0; id < from->count; id++) {
        longest = from->chains[id].length > longest ? from->chains[id].length : longest;
    }
    *m = (struct merging){
        .numbers = fst_alloc_zeroed(from->count, sizeof *m->numbers),
        .steps = fst_alloc_zeroed(longest, sizeof *m->steps),
    };
    return m->numbers != NULL && m->steps != NULL && fst_offspring_init(&m->offspring, from);
}

static void end_merging(struct merging *m)
{
    fst_free(m->numbers);
    fst_free(m->steps);
    fst_offspring_release(&m->offspring);
}

/* The chain here that ends where a chain of the other tree does, whose parent has been merged. */
static uint32_t merge_chain(struct fst_calltree *into, struct merging *m,
                            const struct fst_calltree *from, const struct fst_chain *chain,
                            const uint32_t *names)
{
    uint32_t parent = m->numbers[chain->parent];
    uint32_t length = into->chains[parent].length;
    size_t n = chain->length;
    for (size_t i = 0; i < n; i++) {
        m->steps[i] = names[fst_calltree_names(from, chain->first)[i]];
    }
    if (into->joins) {
        n = join(last_name(into, parent, length), m->steps, n, 0, NULL);
    }
    into->npath = 0;
    return n == 0 ? parent : reach(into, (struct place){parent, length, 0}, m->steps, n);
}

/* Asks for what a chain of the other tree will need, unless its parent is yet to be merged. Part of its
 * caller: gcc drops calls of what only fetches, which has no effect that it knows. */
FST_INLINE void fetch_chain(const struct fst_calltree *into, const struct merging *m,
                            const struct fst_calltree *from, uint32_t id, const uint32_t *names)
{
    const struct fst_chain *chain = &from->chains[id];
    if (into->slots != NULL && m->numbers[chain->parent] != 0) {
        uint32_t hash = hash_of(into, m->numbers[chain->parent], names[chain->name]);
        __builtin_prefetch(&into->slots[hash & into->mask]);
    }
    __builtin_prefetch(fst_calltree_names(from, chain->first));
}

bool fst_calltree_merge(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names)
{
    struct merging m;
    if (from->count == 0) {
        return true;
    }
    bool good = begin_merging(&m, from) && plant(into);
    for (size_t i = 0; good && i < from->count; i++) {
        uint32_t id = m.offspring.order[i];
        const struct fst_chain *chain = &from->chains[id];
        if (i + AHEAD < from->count) {
            fetch_chain(into, &m, from, m.offspring.order[i + AHEAD], names);
        }
        m.numbers[id] = id == 0 ? 0 : merge_chain(into, &m, from, chain, names);
        good = m.numbers[id] != FST_NO_NODE;
        if (good) {
            count_self(&into->chains[m.numbers[id]], fst_count_unpack(chain->self));
        }
    }
    into->npath = 0;
    end_merging(&m);
    return good;
}

/* --- offspring --------------------------------------------------------------------------------- */

/* Lists the children of every chain, by counting them first. */
static void list_children(struct fst_offspring *o, const struct fst_calltree *tree)
{
    uint32_t *ends = o->starts + 1; /* a chain's end is where the next one starts */
    for (size_t id = 1; id < tree->count; id++) {
        ends[tree->chains[id].parent + (size_t)1]++;
    }
    for (size_t id = 0; id < tree->count; id++) {
        ends[id + 1] += ends[id];
    }
    for (size_t id = 1; id < tree->count; id++) {
        o->children[ends[tree->chains[id].parent]++] = (uint32_t)id;
    }
}

bool fst_offspring_init(struct fst_offspring *o, const struct fst_calltree *tree)
{
    void *items = NULL; /* all in one block: it is in huge pages sooner */
    size_t room = 0;
    size_t starts = tree->count + 2;
    *o = (struct fst_offspring){0};
    if (fst_grow(&items, &room, starts + 2 * tree->count, sizeof *o->starts) != 0) {
        return false;
    }
    o->starts = items;
    o->children = o->starts + starts;
    o->order = o->children + tree->count;
    memset(o->starts, 0, starts * sizeof *o->starts);
    o->order[0] = 0;
    list_children(o, tree);
    size_t listed = 1; /* the root */
    for (size_t i = 0; i < listed; i++) {
        uint32_t id = o->order[i];
        size_t n = o->starts[id + 1] - o->starts[id];
        memcpy(o->order + listed, o->children + o->starts[id], n * sizeof *o->order);
        listed += n;
    }
    return true;
}

void fst_offspring_release(struct fst_offspring *o)
{
    fst_free(o->starts);
}
