/* Names of 9 to 64 bytes are read as four or eight words of eight bytes, of which the last ones
 * overlap or repeat, so that their length decides little about the way through the code:
 *
 *     _bootstrap_inner (threading.py:980)
 *     |------||------||------||------|
 *                                |------|  four times
 *
 * They are hashed by folded multiplication (the high half of a 128-bit product added to the low
 * one, as in wyhash by Wang Yi, https://github.com/wangyi-fudan/wyhash), longer ones by XXH3
 * (https://github.com/Cyan4973/xxHash).
 *
 * Looking up many names goes in rounds over a group: hash all and ask for their slots; look at all
 * slots and ask for their symbols; compare. The waits for memory overlap. */
#include "base/symtab.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/compat.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 256, GROUP = 128, WORDS = FST_SYMTAB_SEEDS, SHORT = 8 * WORDS, LINE = 64 };

void fst_symtab_init(struct fst_symtab *table, uint64_t seed)
{
    *table = (struct fst_symtab){0};
    for (size_t i = 0; i < FST_COUNT_OF(table->seed); i++) {
        table->seed[i] = XXH3_64bits_withSeed(&i, sizeof i, seed);
    }
}

void fst_symtab_release(struct fst_symtab *table)
{
    fst_free(table->slots);
    fst_free(table->symbols);
    fst_arena_release(&table->arena);
    *table = (struct fst_symtab){0};
}

size_t fst_symtab_memory(const struct fst_symtab *table)
{
    size_t slots = table->slots == NULL ? 0 : table->mask + 1;
    return table->arena.held + table->capacity * sizeof *table->symbols +
           slots * sizeof *table->slots;
}

/* --- bytes ---------------------------------------------------------------------------------- */

static inline uint64_t word_at(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The bytes of a name of at most 8 bytes in a word; slack: 8 may be read. */
static inline uint64_t small_name(struct fst_str name, bool slack)
{
    uint64_t word = 0;
    if (!slack) {
        memcpy(&word, name.len == 0 ? "" : name.data, name.len);
        return word;
    }
    word = word_at(name.data);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return name.len == 0 ? 0 : word << (64 - 8 * name.len) >> (64 - 8 * name.len);
#else
    return name.len == 0 ? 0 : word >> (64 - 8 * name.len) << (64 - 8 * name.len);
#endif
}

/* The offset of the i-th word of a name of 8 bytes or more: the last ones stand on one another. */
static inline size_t offset_of(size_t i, size_t len)
{
    return 8 * i < len - 8 ? 8 * i : len - 8;
}

/* Whether a symbol has the name; the symbol's bytes have slack always. */
static inline bool is_named(const struct fst_symbol *symbol, struct fst_str name, bool slack)
{
    if (symbol->len != name.len) {
        return false;
    }
    if (name.len <= 8) {
        return small_name(fst_symbol_name(symbol), true) == small_name(name, slack);
    }
    if (FST_UNLIKELY(name.len > SHORT)) {
        return memcmp(symbol->name, name.data, name.len) == 0;
    }
    uint64_t differing = 0;
    size_t words = name.len <= SHORT / 2 ? WORDS / 2 : WORDS;
    for (size_t i = 0; i < words; i++) {
        size_t at = offset_of(i, name.len);
        differing |= word_at(symbol->name + at) ^ word_at(name.data + at);
    }
    return differing == 0;
}

/* --- hashing -------------------------------------------------------------------------------- */

static inline uint64_t fold(uint64_t a, uint64_t b)
{
    fst_u128 product = (fst_u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash(const struct fst_symtab *table, struct fst_str name, bool slack)
{
    const uint64_t *seed = table->seed;
    if (FST_UNLIKELY(name.len > SHORT)) {
        return XXH3_64bits_withSeed(name.data, name.len, seed[0]);
    }
    uint64_t h = seed[0] ^ name.len;
    if (name.len <= 8) {
        return fold(fold(small_name(name, slack) ^ seed[1], h), seed[2]);
    }
    size_t words = name.len <= SHORT / 2 ? WORDS / 2 : WORDS;
    for (size_t i = 0; i < words; i += 2) {
        h ^= fold(word_at(name.data + offset_of(i, name.len)) ^ seed[i],
                  word_at(name.data + offset_of(i + 1, name.len)) ^ seed[i + 1]);
    }
    return fold(h, seed[WORDS - 1]);
}

/* --- looking up ----------------------------------------------------------------------------- */

enum { ADDRESS_BITS = 48 };

/* What a symbol's slot holds: its address, below some bits of its hash. */
static inline uint64_t slot_of(const struct fst_symbol *symbol, uint64_t h)
{
    return (uint64_t)(uintptr_t)symbol | h >> ADDRESS_BITS << ADDRESS_BITS;
}

/* The symbol of a slot whose hash may be h, else NULL. */
static inline struct fst_symbol *symbol_of(uint64_t slot, uint64_t h)
{
    uint64_t address = slot & (((uint64_t)1 << ADDRESS_BITS) - 1);
    bool likely = (slot ^ h) >> ADDRESS_BITS == 0;
    return likely ? (struct fst_symbol *)(uintptr_t)address : NULL; /* NULL: it is empty */
}

/* The slot that holds name, or the empty one where it belongs. */
static uint64_t *probe(const struct fst_symtab *table, struct fst_str name, uint64_t h)
{
    for (size_t i = (size_t)h & table->mask;; i = (i + 1) & table->mask) {
        uint64_t *slot = &table->slots[i];
        const struct fst_symbol *symbol = symbol_of(*slot, h);
        if (*slot == 0 || (symbol != NULL && is_named(symbol, name, false))) {
            return slot;
        }
    }
}

static bool resize(struct fst_symtab *table, size_t slots)
{
    uint64_t *fresh = fst_alloc_zeroed(slots, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    size_t mask = slots - 1;
    for (size_t id = 0; id < table->count; id++) {
        uint64_t h = hash(table, fst_symtab_name(table, (uint32_t)id), true);
        size_t i = (size_t)h & mask;
        while (fresh[i] != 0) {
            i = (i + 1) & mask;
        }
        fresh[i] = slot_of(table->symbols[id], h);
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
    void *symbols = table->symbols;
    if (fst_grow(&symbols, &table->capacity, table->count + 1, sizeof(struct fst_symbol *)) != 0) {
        return false;
    }
    table->symbols = symbols;
    return true;
}

static struct fst_symbol *make_symbol(struct fst_symtab *table, struct fst_str name)
{
    size_t size;
    if (name.len > UINT32_MAX ||
        FST_ADD_OVERFLOWS(name.len, offsetof(struct fst_symbol, name) + FST_SYMTAB_SLACK, &size)) {
        return NULL;
    }
    struct fst_symbol *symbol = fst_arena_alloc(&table->arena, size, LINE);
    if (symbol == NULL || (uintptr_t)symbol >> ADDRESS_BITS != 0) {
        return NULL;
    }
    *symbol = (struct fst_symbol){.id = (uint32_t)table->count, .len = (uint32_t)name.len};
    memset(symbol->name + name.len, 0, FST_SYMTAB_SLACK);
    if (name.len > 0) {
        memcpy(symbol->name, name.data, name.len);
    }
    return symbol;
}

/* The symbol of name, added if it is new; NULL without memory. */
static struct fst_symbol *intern(struct fst_symtab *table, struct fst_str name, uint64_t h)
{
    if (table->slots != NULL) {
        struct fst_symbol *symbol = symbol_of(*probe(table, name, h), h);
        if (symbol != NULL) {
            return symbol;
        }
    }
    struct fst_symbol *symbol = make_room(table) ? make_symbol(table, name) : NULL;
    if (symbol != NULL) {
        table->symbols[table->count++] = symbol;
        *probe(table, name, h) = slot_of(symbol, h);
    }
    return symbol;
}

uint32_t fst_symtab_intern(struct fst_symtab *table, struct fst_str name)
{
    const struct fst_symbol *symbol = intern(table, name, hash(table, name, false));
    return symbol == NULL ? FST_ID_NONE : symbol->id;
}

uint32_t fst_symtab_find(const struct fst_symtab *table, struct fst_str name)
{
    if (table->slots == NULL) {
        return FST_ID_NONE;
    }
    uint64_t h = hash(table, name, false);
    const struct fst_symbol *symbol = symbol_of(*probe(table, name, h), h);
    return symbol == NULL ? FST_ID_NONE : symbol->id;
}

/* --- many at once --------------------------------------------------------------------------- */

/* The symbol that the first two slots hold where a name is looked for: its own, most likely. */
static inline struct fst_symbol *guess(const struct fst_symtab *table, uint64_t h)
{
    size_t i = (size_t)h & table->mask;
    uint64_t first = table->slots[i];
    uint64_t second = table->slots[(i + 1) & table->mask];
    return symbol_of((first ^ h) >> ADDRESS_BITS == 0 ? first : second, h);
}

static bool intern_group(struct fst_symtab *table, const struct fst_str *names, size_t count,
                         struct fst_symbol **out)
{
    enum { WITHIN = LINE - offsetof(struct fst_symbol, name) };
    uint64_t hashes[GROUP];
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash(table, names[i], true);
        __builtin_prefetch(&table->slots[(size_t)hashes[i] & table->mask]);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = guess(table, hashes[i]);
        __builtin_prefetch(out[i], 1);
        __builtin_prefetch((const char *)out[i] + (names[i].len > WITHIN ? LINE : 0));
    }
    for (size_t i = 0; i < count; i++) {
        if (FST_UNLIKELY(out[i] == NULL || !is_named(out[i], names[i], true))) {
            out[i] = intern(table, names[i], hashes[i]);
            if (out[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

bool fst_symtab_intern_all(struct fst_symtab *table, const struct fst_str *names, size_t count,
                           struct fst_symbol **out)
{
    if (count > 0 && table->count == 0 && fst_symtab_intern(table, names[0]) == FST_ID_NONE) {
        return false; /* from here on there are slots */
    }
    for (size_t at = 0; at < count; at += GROUP) {
        size_t n = count - at < GROUP ? count - at : GROUP;
        if (!intern_group(table, names + at, n, out + at)) {
            return false;
        }
    }
    return true;
}
