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

enum {
    FIRST_SLOTS = 256,
    AHEAD = 16 /* nodes whose slots are asked for before their turn */
};

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

static inline size_t home_of(const struct fst_calltree *tree, size_t id)
{
    return hash(tree, tree->calls[id].parent, tree->calls[id].name) & tree->mask;
}

/* Makes nodes that are not in the table yet known to it, those from first on. They are in no order
 * that the table knows, so that the waits for its memory are made to overlap. */
static void file_calls(struct fst_calltree *tree, size_t first)
{
    for (size_t at = first; at < tree->count && at < first + AHEAD; at++) {
        __builtin_prefetch(&tree->slots[home_of(tree, at)], 1);
    }
    for (size_t id = first; id < tree->count; id++) {
        if (id + AHEAD < tree->count) {
            __builtin_prefetch(&tree->slots[home_of(tree, id + AHEAD)], 1);
        }
        size_t i = home_of(tree, id);
        while (tree->slots[i] != 0) {
            i = (i + 1) & tree->mask;
        }
        tree->slots[i] = (uint32_t)id;
    }
}

static bool resize(struct fst_calltree *tree, size_t slots)
{
    uint32_t *fresh = fst_alloc_zeroed(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    fst_free(tree->slots);
    tree->slots = fresh;
    tree->mask = slots - 1;
    file_calls(tree, 1);
    return true;
}

static bool reserve_calls(struct fst_calltree *tree, size_t count)
{
    void *calls = tree->calls;
    if (count > FST_NO_NODE || fst_grow(&calls, &tree->capacity, count, sizeof *tree->calls) != 0) {
        return false;
    }
    tree->calls = calls;
    return true;
}

/* Makes the root, and room for so many more nodes. */
static bool make_room(struct fst_calltree *tree, size_t more)
{
    if (!reserve_calls(tree, tree->count + more + (tree->count == 0))) {
        return false;
    }
    if (tree->count == 0) {
        tree->calls[tree->count++] = (struct fst_call){FST_NO_NODE, FST_NO_NODE, {0, 0}};
    }
    size_t slots = tree->slots == NULL ? 0 : tree->mask + 1;
    size_t wanted = slots == 0 ? FIRST_SLOTS : slots;
    while (tree->count + more > wanted / 5 * 3) {
        wanted *= 2;
    }
    return wanted == slots || resize(tree, wanted);
}

/* The child of that name; FST_NO_NODE if there is none. The table is there. */
static uint32_t find(const struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    size_t i = hash(tree, parent, name) & tree->mask;
    for (; tree->slots[i] != 0; i = (i + 1) & tree->mask) {
        const struct fst_call *call = &tree->calls[tree->slots[i]];
        if (call->name == name && call->parent == parent) {
            return tree->slots[i];
        }
    }
    return FST_NO_NODE;
}

uint32_t fst_calltree_child(struct fst_calltree *tree, uint32_t parent, uint32_t name)
{
    if (!make_room(tree, 1)) {
        return FST_NO_NODE;
    }
    uint32_t known = find(tree, parent, name);
    if (known != FST_NO_NODE) {
        return known;
    }
    uint32_t id = (uint32_t)tree->count++;
    tree->calls[id] = (struct fst_call){parent, name, {0, 0}};
    file_calls(tree, id);
    return id;
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

/* Whether the next step stays where it is. */
static inline bool stays(const struct fst_calltree *tree, uint32_t node, uint32_t name)
{
    return tree->joins && tree->calls[node].name == name;
}

/* Adds a stack's steps from `at` on, none of which is there: below a new node all are new. */
static bool add_steps(struct fst_calltree *tree, size_t at, size_t depth, uint32_t node,
                      const uint32_t *names)
{
    if (!make_room(tree, depth - at)) {
        return false;
    }
    size_t first = tree->count;
    for (; at < depth; at++, names++) {
        if (!stays(tree, node, *names)) {
            tree->calls[tree->count] = (struct fst_call){node, *names, {0, 0}};
            node = (uint32_t)tree->count++;
        }
        tree->path[at] = node;
    }
    file_calls(tree, first);
    return true;
}

/* Follows a stack as far as its nodes are there; returns how many steps that are. */
static size_t follow(struct fst_calltree *tree, size_t known, size_t depth, const uint32_t *names)
{
    size_t at = known;
    while (at < depth && at < tree->depth &&
           tree->calls[tree->path[at]].name == names[at - known]) {
        at++;
    }
    uint32_t node = at == 0 ? 0 : tree->path[at - 1];
    for (; at < depth; at++) {
        uint32_t name = names[at - known];
        node = stays(tree, node, name) ? node : find(tree, node, name);
        if (node == FST_NO_NODE) {
            break;
        }
        tree->path[at] = node;
    }
    return at;
}

bool fst_calltree_add(struct fst_calltree *tree, size_t known, const uint32_t *names, size_t n,
                      fst_i128 count)
{
    size_t depth = known + n;
    if ((depth > tree->path_capacity && !reserve_path(tree, depth)) ||
        (tree->count == 0 && !make_room(tree, 1))) {
        return false;
    }
    size_t at = follow(tree, known, depth, names);
    uint32_t node = at == 0 ? 0 : tree->path[at - 1];
    tree->depth = 0;
    if (at < depth && !add_steps(tree, at, depth, node, names + (at - known))) {
        return false;
    }
    tree->depth = depth;
    count_self(&tree->calls[depth == 0 ? 0 : tree->path[depth - 1]], count);
    return true;
}

/* --- whole trees ------------------------------------------------------------------------------- */

/* Gives the nodes of another tree their numbers here. No two of them are one here, so that those
 * that are new need not be found again, and are filed together; what stands below one that is new
 * is new too. */
static bool merge_calls(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names, uint32_t *numbers)
{
    size_t known = into->count;
    size_t filed = known;
    for (size_t id = 1; id < from->count; id++) {
        size_t mask = into->mask;
        if (!make_room(into, 1)) {
            return false;
        }
        filed = into->mask == mask ? filed : into->count;
        uint32_t parent = numbers[from->calls[id].parent];
        uint32_t name = names[from->calls[id].name];
        numbers[id] = parent < known ? find(into, parent, name) : FST_NO_NODE;
        if (numbers[id] == FST_NO_NODE) {
            numbers[id] = (uint32_t)into->count++;
            into->calls[numbers[id]] = (struct fst_call){parent, name, {0, 0}};
        }
    }
    file_calls(into, filed);
    return true;
}

bool fst_calltree_merge(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names)
{
    if (from->count == 0) {
        return true;
    }
    uint32_t *numbers = fst_alloc_zeroed(from->count, sizeof *numbers);
    bool good = numbers != NULL && make_room(into, 1) && merge_calls(into, from, names, numbers);
    for (size_t id = 0; good && id < from->count; id++) {
        count_self(&into->calls[numbers[id]], fst_count_unpack(from->calls[id].self));
    }
    fst_free(numbers);
    return good;
}

bool fst_calltree_regroup(struct fst_calltree *into, const struct fst_calltree *from,
                          const uint32_t *names)
{
    if (from->count == 0) {
        return true;
    }
    uint32_t *numbers = fst_alloc_zeroed(from->count, sizeof *numbers);
    bool good = numbers != NULL && make_room(into, 1);
    for (size_t id = 0; good && id < from->count; id++) {
        const struct fst_call *call = &from->calls[id];
        if (id > 0) {
            uint32_t parent = numbers[call->parent];
            uint32_t name = names[call->name];
            numbers[id] =
                stays(into, parent, name) ? parent : fst_calltree_child(into, parent, name);
            good = numbers[id] != FST_NO_NODE;
        }
        if (good) {
            count_self(&into->calls[numbers[id]], fst_count_unpack(call->self));
        }
    }
    fst_free(numbers);
    return good;
}
