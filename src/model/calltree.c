/* A child is found by its parent's number and its own name's, in a table with open addressing and
 * linear probing. Stacks come in the order of a file, in which neighbours have much in common, so
 * that the nodes of the last stack are kept: of the next one only the frames behind the first
 * difference are looked up.
 *
 *     main;a;b 3        path  main a b                    three nodes
 *     main;a;c 2              main a c                    one look-up: c below a
 *     main;a 4                main a                      none */
#include "model/calltree.h"

#include "base/alloc.h"
#include "base/count.h"

enum { FIRST_SLOTS = 256 };

void fst_calltree_init(struct fst_calltree *tree, uint64_t seed, bool joins)
{
    *tree = (struct fst_calltree){.seed = seed, .joins = joins};
}

void fst_calltree_release(struct fst_calltree *tree)
{
    fst_free(tree->calls);
    fst_free(tree->slots);
    fst_free(tree->path);
    *tree = (struct fst_calltree){0};
}

void fst_calltree_settle(struct fst_calltree *tree)
{
    fst_free(tree->path);
    tree->path = NULL;
    tree->path_capacity = 0;
    tree->depth = 0;
}

size_t fst_calltree_memory(const struct fst_calltree *tree)
{
    size_t slots = tree->slots == NULL ? 0 : tree->mask + 1;
    return tree->capacity * sizeof *tree->calls + slots * sizeof *tree->slots +
           tree->path_capacity * sizeof *tree->path;
}

/* --- nodes ------------------------------------------------------------------------------------- */

/* Folded multiplication, as in base/symtab.c. */
static inline size_t hash(const struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    uint64_t key = ((uint64_t)parent << 32 | name) ^ tree->seed;
    fst_u128 product = (fst_u128)key * 0x9e3779b97f4a7c15U;
    return (size_t)((uint64_t)product ^ (uint64_t)(product >> 64));
}

static bool resize(struct fst_calltree *tree, size_t slots)
{
    uint32_t *fresh = fst_alloc_zeroed(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    size_t mask = slots - 1;
    for (size_t id = 1; id < tree->count; id++) {
        size_t i = hash(tree, tree->calls[id].parent, tree->calls[id].name) & mask;
        while (fresh[i] != 0) {
            i = (i + 1) & mask;
        }
        fresh[i] = (uint32_t)id;
    }
    fst_free(tree->slots);
    tree->slots = fresh;
    tree->mask = mask;
    return true;
}

static bool add_call(struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    void *calls = tree->calls;
    if (tree->count >= FST_NO_NODE ||
        fst_grow(&calls, &tree->capacity, tree->count + 1, sizeof *tree->calls) != 0) {
        return false;
    }
    tree->calls = calls;
    tree->calls[tree->count++] = (struct fst_call){.parent = parent, .name = name};
    return true;
}

/* Makes the root, and room for one more node. */
static bool make_room(struct fst_calltree *tree)
{
    if (tree->count == 0 && !add_call(tree, FST_NO_NODE, FST_NO_NODE)) {
        return false;
    }
    if (tree->slots == NULL) {
        return resize(tree, FIRST_SLOTS);
    }
    return tree->count + 1 <= (tree->mask + 1) / 5 * 3 || resize(tree, (tree->mask + 1) * 2);
}

uint32_t fst_calltree_child(struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    if (FST_UNLIKELY(!make_room(tree))) {
        return FST_NO_NODE;
    }
    size_t i = hash(tree, parent, name) & tree->mask;
    for (; tree->slots[i] != 0; i = (i + 1) & tree->mask) {
        const struct fst_call *call = &tree->calls[tree->slots[i]];
        if (call->name == name && call->parent == parent) {
            return tree->slots[i];
        }
    }
    if (!add_call(tree, parent, name)) {
        return FST_NO_NODE;
    }
    tree->slots[i] = (uint32_t)(tree->count - 1);
    return tree->slots[i];
}

static void count_self(struct fst_call *call, fst_i128 count)
{
    call->self = fst_count_pack(fst_count_unpack(call->self) + count);
}

/* --- stacks ------------------------------------------------------------------------------------ */

static bool reserve_path(struct fst_calltree *tree, size_t depth)
{
    void *path = tree->path;
    if (fst_grow(&path, &tree->path_capacity, depth, sizeof *tree->path) != 0) {
        return false;
    }
    tree->path = path;
    return true;
}

/* The node of a step behind another one. */
static uint32_t step(struct fst_calltree *tree, uint32_t from, uint32_t name)
{
    bool joined = tree->joins && tree->calls[from].name == name;
    return joined ? from : fst_calltree_child(tree, from, name);
}

bool fst_calltree_add(struct fst_calltree *tree, size_t known, const uint32_t *names, size_t n,
                      fst_i128 count)
{
    size_t depth = known + n;
    if ((depth > tree->path_capacity && !reserve_path(tree, depth)) ||
        (tree->count == 0 && !make_room(tree))) {
        return false;
    }
    size_t at = known;
    while (at < depth && at < tree->depth &&
           tree->calls[tree->path[at]].name == names[at - known]) {
        at++;
    }
    uint32_t node = at == 0 ? 0 : tree->path[at - 1];
    for (; at < depth; at++) {
        node = step(tree, node, names[at - known]);
        if (node == FST_NO_NODE) {
            tree->depth = 0;
            return false;
        }
        tree->path[at] = node;
    }
    tree->depth = depth;
    count_self(&tree->calls[node], count);
    return true;
}

/* --- whole trees ------------------------------------------------------------------------------- */

bool fst_calltree_merge(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names)
{
    if (from->count == 0) {
        return true;
    }
    uint32_t *numbers = fst_alloc_zeroed(from->count, sizeof *numbers);
    bool good = numbers != NULL && make_room(into);
    for (size_t id = 1; good && id < from->count; id++) {
        const struct fst_call *call = &from->calls[id];
        numbers[id] = fst_calltree_child(into, numbers[call->parent], names[call->name]);
        good = numbers[id] != FST_NO_NODE;
    }
    for (size_t id = 0; good && id < from->count; id++) {
        count_self(&into->calls[numbers[id]], fst_count_unpack(from->calls[id].self));
    }
    fst_free(numbers);
    return good;
}
