/* A set of byte strings, each with a number: 0, 1, 2 … in the order in which they came.
 *
 * Open addressing with linear probing over 8-byte slots that keep 32 bits of the hash beside the
 * number, so that a probe touches one cache line and compares bytes only on a likely hit. The hash
 * is seeded (XXH3, https://github.com/Cyan4973/xxHash), so that crafted names do not pile up; the
 * seed decides where a name stands, never its number. */
#ifndef FST_BASE_SYMTAB_H
#define FST_BASE_SYMTAB_H

#include <stdint.h>

#include "base/arena.h"

#define FST_ID_NONE UINT32_MAX

struct fst_symtab_slot {
    uint32_t tag; /* upper half of the hash */
    uint32_t id;  /* FST_ID_NONE: empty */
};

struct fst_symtab {
    struct fst_symtab_slot *slots;
    size_t mask; /* number of slots - 1; a power of two less one, at least half of them empty */
    struct fst_str *names;
    size_t count;
    size_t capacity;
    uint64_t seed;
    struct fst_arena arena;
};

void fst_symtab_init(struct fst_symtab *table, uint64_t seed);
void fst_symtab_release(struct fst_symtab *table);

/* The number of name, added (copied) if it is new; FST_ID_NONE where memory or numbers ran out. */
uint32_t fst_symtab_intern(struct fst_symtab *table, struct fst_str name);

/* The number of name, or FST_ID_NONE. */
uint32_t fst_symtab_find(const struct fst_symtab *table, struct fst_str name);

static inline struct fst_str fst_symtab_name(const struct fst_symtab *table, uint32_t id)
{
    return table->names[id];
}

#endif
