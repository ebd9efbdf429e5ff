/* A set of byte strings, each with a number: 0, 1, 2 … in the order in which they came.
 *
 * Open addressing over 8-byte slots, eight to a bucket, which is a cache line and is filled from its
 * start; what does not fit goes on in the next one. A slot is the address of a symbol, with 16 bits of
 * the hash in the upper bits that no address of a program has (Linux gives 47 bits on x86-64 and 48 on
 * arm64 unless a program asks for more). A symbol's counters stand right before its bytes and in the
 * same cache line, if all fits one: comparing a name and counting it touch one line. The hash is
 * seeded, so that crafted names do not pile up; the seed decides where a name stands, never its
 * number. */
#ifndef FST_BASE_SYMTAB_H
#define FST_BASE_SYMTAB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/compat.h"

#define FST_ID_NONE UINT32_MAX

/* How far behind a name fst_symtab_intern_all may look. */
enum { FST_SYMTAB_SLACK = FST_ARENA_SLACK, FST_SYMTAB_SEEDS = 8, FST_SYMTAB_WORD = 8 };

/* How many symbols ahead a walk through a table asks for memory. */
enum { FST_SYMTAB_AHEAD = 16 };

/* A name with room for what its table's owner counts; 0 at first, and nothing to the table. */
struct fst_symbol {
    uint64_t sum;
    uint32_t stamp;
    uint32_t id;
    uint32_t len;
    char name[]; /* len bytes */
};

struct fst_symtab {
    uint64_t *slots;  /* 0: empty; aligned within what was allocated */
    void *allocation; /* of slots */
    size_t mask;      /* number of slots - 1: a power of two less one; one of five is empty */
    struct fst_symbol **symbols; /* by number; they never move */
    size_t count;
    size_t capacity;
    unsigned
        width; /* so many bytes of short names are looked at at once: by vectors 64 or 32, where
                       the machine has them, else FST_SYMTAB_WORD */
    uint64_t seed[FST_SYMTAB_SEEDS]; /* of the hash, from the one given */
    struct fst_arena arena;
};

void fst_symtab_init(struct fst_symtab *table, uint64_t seed);
void fst_symtab_release(struct fst_symtab *table);

/* The number of name, added (copied) if it is new; FST_ID_NONE where memory or numbers ran out, or
 * the name is longer than 4 GiB. */
uint32_t fst_symtab_intern(struct fst_symtab *table, struct fst_str name);

/* The same for many names at once, whose symbols go into out: their memory is asked for ahead of
 * its use. New names are numbered in the order in which they stand. FST_SYMTAB_SLACK bytes behind
 * each name must be readable, whatever they are. False where fst_symtab_intern fails. */
bool fst_symtab_intern_all(struct fst_symtab *table, const struct fst_str *names, size_t count,
                           struct fst_symbol **out);

/* The number of name, or FST_ID_NONE. */
uint32_t fst_symtab_find(const struct fst_symtab *table, struct fst_str name);

/* The same for many names at once, whose waits for memory overlap. */
void fst_symtab_find_all(const struct fst_symtab *table, const struct fst_str *names, size_t count,
                         uint32_t *out);

/* The hash of any text, by the table's seed. */
uint64_t fst_symtab_hash(const struct fst_symtab *table, struct fst_str text);

/* Bytes of memory that the table holds. */
size_t fst_symtab_memory(const struct fst_symtab *table);

static inline struct fst_str fst_symbol_name(const struct fst_symbol *symbol)
{
    return (struct fst_str){symbol->name, symbol->len};
}

static inline struct fst_str fst_symtab_name(const struct fst_symtab *table, uint32_t id)
{
    return fst_symbol_name(table->symbols[id]);
}

/* Asks for the memory of a symbol that is looked at soon, if there is one with that number. */
FST_INLINE void fst_symtab_fetch(const struct fst_symtab *table, size_t id)
{
    if (id < table->count) {
        __builtin_prefetch(table->symbols[id]);
    }
}

#endif
