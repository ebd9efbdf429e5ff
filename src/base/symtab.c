#include "base/symtab.h"

#include "base/alloc.h"
#include "base/compat.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 256 };

void fst_symtab_init(struct fst_symtab *table, uint64_t seed)
{
    *table = (struct fst_symtab){.seed = seed};
}

void fst_symtab_release(struct fst_symtab *table)
{
    fst_free(table->slots);
    fst_free(table->names);
    fst_arena_release(&table->arena);
    *table = (struct fst_symtab){0};
}

static uint64_t hash(const struct fst_symtab *table, struct fst_str name)
{
    return XXH3_64bits_withSeed(name.data, name.len, table->seed);
}

/* The slot that holds name, or the empty one where it belongs. */
static struct fst_symtab_slot *probe(const struct fst_symtab *table, struct fst_str name,
                                     uint64_t h)
{
    uint32_t tag = (uint32_t)(h >> 32);
    for (size_t i = (size_t)h & table->mask;; i = (i + 1) & table->mask) {
        struct fst_symtab_slot *slot = &table->slots[i];
        if (slot->id == FST_ID_NONE ||
            (slot->tag == tag && fst_str_eq(table->names[slot->id], name))) {
            return slot;
        }
    }
}

static bool resize(struct fst_symtab *table, size_t slots)
{
    size_t bytes;
    if (FST_MUL_OVERFLOWS(slots, sizeof *table->slots, &bytes)) {
        return false;
    }
    struct fst_symtab_slot *fresh = fst_alloc(bytes);
    if (fresh == NULL) {
        return false;
    }
    memset(fresh, 0xff, bytes);
    size_t mask = slots - 1;
    for (size_t id = 0; id < table->count; id++) {
        uint64_t h = hash(table, table->names[id]);
        size_t i = (size_t)h & mask;
        while (fresh[i].id != FST_ID_NONE) {
            i = (i + 1) & mask;
        }
        fresh[i] = (struct fst_symtab_slot){(uint32_t)(h >> 32), (uint32_t)id};
    }
    fst_free(table->slots);
    table->slots = fresh;
    table->mask = mask;
    return true;
}

static bool make_room(struct fst_symtab *table)
{
    if (table->count + 1 >= FST_ID_NONE) {
        return false;
    }
    if (table->slots == NULL && !resize(table, FIRST_SLOTS)) {
        return false;
    }
    if (table->count + 1 > (table->mask + 1) / 2 && !resize(table, (table->mask + 1) * 2)) {
        return false;
    }
    void *names = table->names;
    if (fst_grow(&names, &table->capacity, table->count + 1, sizeof *table->names) != 0) {
        return false;
    }
    table->names = names;
    return true;
}

uint32_t fst_symtab_intern(struct fst_symtab *table, struct fst_str name)
{
    uint64_t h = hash(table, name);
    if (table->slots != NULL) {
        uint32_t id = probe(table, name, h)->id;
        if (FST_LIKELY(id != FST_ID_NONE)) {
            return id;
        }
    }
    if (!make_room(table)) {
        return FST_ID_NONE;
    }
    struct fst_str copy = fst_arena_copy(&table->arena, name);
    if (copy.data == NULL) {
        return FST_ID_NONE;
    }
    uint32_t id = (uint32_t)table->count;
    table->names[table->count++] = copy;
    *probe(table, name, h) = (struct fst_symtab_slot){(uint32_t)(h >> 32), id};
    return id;
}

uint32_t fst_symtab_find(const struct fst_symtab *table, struct fst_str name)
{
    return table->slots == NULL ? FST_ID_NONE : probe(table, name, hash(table, name))->id;
}
