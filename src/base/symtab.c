/* Looking up many names goes in rounds over a group: hash all and ask for their slots; look at all
 * slots and ask for their symbols; compare. The waits for memory overlap. */
#include "base/symtab.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/short_name.h"

enum {
    BUCKET = 8, /* slots */
    FIRST_SLOTS = 256,
    GROUP = 128,
    LINE = 64,
    BEFORE_NAME = offsetof(struct fst_symbol, name)
};

/* How many bytes of a short name the machine looks at at once. */
static unsigned best_width(void)
{
#ifdef __x86_64__
    return fst_has_avx512() ? 64 : fst_has_avx2() ? 32 : FST_SYMTAB_WORD;
#else
    return FST_SYMTAB_WORD;
#endif
}

void fst_symtab_init(struct fst_symtab *table, uint64_t seed)
{
    *table = (struct fst_symtab){.width = best_width()};
    for (size_t i = 0; i < FST_COUNT_OF(table->seed); i++) {
        table->seed[i] = XXH3_64bits_withSeed(&i, sizeof i, seed);
    }
}

void fst_symtab_release(struct fst_symtab *table)
{
    fst_free(table->allocation);
    fst_free(table->symbols);
    fst_arena_release(&table->arena);
    *table = (struct fst_symtab){0};
}

size_t fst_symtab_memory(const struct fst_symtab *table)
{
    size_t slots = table->slots == NULL ? 0 : table->mask + 1;
    slots = slots / 5 * 4 == fst_capacity_soon(slots / 5 * 4, table->count) ? slots : 2 * slots;
    return table->arena.held +
           fst_capacity_soon(table->capacity, table->count) * sizeof(struct fst_symbol *) +
           slots * sizeof *table->slots;
}

/* --- hashing -------------------------------------------------------------------------------- */

/* The hash of a name; slack: FST_SYMTAB_SLACK bytes behind it may be read. */
static uint64_t hash(const struct fst_symtab *table, struct fst_str name, bool slack)
{
#ifdef __x86_64__
    if (table->width > FST_SYMTAB_WORD && name.len <= FST_NAME_SHORT) {
        char copy[FST_NAME_SHORT] = {0};
        if (!slack && name.len > 0) {
            memcpy(copy, name.data, name.len);
        }
        return fst_name_hash_avx2(table->seed, slack ? name : fst_str_of(copy, name.len));
    }
#endif
    return fst_name_hash(table->seed, name, slack);
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
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a symbol, as slot_of put it there
    return likely ? (struct fst_symbol *)(uintptr_t)address : NULL; /* NULL: it is empty */
}

/* The first slot of the bucket where a name with the hash h is looked for first. */
static inline size_t bucket_of(const struct fst_symtab *table, uint64_t h)
{
    return (size_t)h & table->mask & ~(size_t)(BUCKET - 1);
}

/* The slot that holds name, or the empty one where it belongs. */
static uint64_t *probe(const struct fst_symtab *table, struct fst_str name, uint64_t h)
{
    for (size_t i = bucket_of(table, h);; i = (i + 1) & table->mask) {
        uint64_t *slot = &table->slots[i];
        const struct fst_symbol *symbol = symbol_of(*slot, h);
        if (*slot == 0 || (symbol != NULL && fst_name_is(symbol, name, false))) {
            return slot;
        }
    }
}

/* Puts all symbols into their slots; there is room. */
static void fill_slots(struct fst_symtab *table)
{
    for (size_t id = 0; id < table->count; id++) {
        uint64_t h = hash(table, fst_symbol_name(table->symbols[id]), true);
        size_t i = bucket_of(table, h);
        while (table->slots[i] != 0) {
            i = (i + 1) & table->mask;
        }
        table->slots[i] = slot_of(table->symbols[id], h);
    }
}

static bool resize(struct fst_symtab *table, size_t slots)
{
    char *allocation = fst_alloc_zeroed(slots + BUCKET, sizeof *table->slots);
    if (allocation == NULL) {
        return false;
    }
    fst_free(table->allocation);
    table->allocation = allocation;
    table->slots = (uint64_t *)(void *)(allocation + (-(uintptr_t)allocation & (LINE - 1)));
    table->mask = slots - 1;
    fill_slots(table);
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
    if (table->count + 1 > (table->mask + 1) / 5 * 4 && !resize(table, (table->mask + 1) * 2)) {
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
        FST_ADD_OVERFLOWS(name.len, offsetof(struct fst_symbol, name), &size)) {
        return NULL;
    }
    struct fst_symbol *symbol = fst_arena_alloc(&table->arena, size);
    if (symbol == NULL || (uintptr_t)symbol >> ADDRESS_BITS != 0) {
        return NULL;
    }
    *symbol = (struct fst_symbol){.id = (uint32_t)table->count, .len = (uint32_t)name.len};
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

uint64_t fst_symtab_hash(const struct fst_symtab *table, struct fst_str text)
{
    return hash(table, text, false);
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

/* The symbol that a bucket holds for a name that is looked for: its own, most likely. NULL: none. */
static inline struct fst_symbol *guess_words(const uint64_t *bucket, uint64_t h)
{
    uint64_t found = 0;
    for (size_t i = BUCKET; i-- > 0;) {
        found = (bucket[i] ^ h) >> ADDRESS_BITS == 0 ? bucket[i] : found;
    }
    return symbol_of(found, h);
}

#ifdef __x86_64__
/* The symbol of the first lane of a bucket, or NULL if there is none. */
static inline struct fst_symbol *first_of(const uint64_t *bucket, unsigned lanes)
{
    uint64_t slot = FST_LIKELY(lanes != 0) ? bucket[__builtin_ctz(lanes)] : 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of a symbol, as slot_of put it there
    return (struct fst_symbol *)(uintptr_t)(slot << (64 - ADDRESS_BITS) >> (64 - ADDRESS_BITS));
}

FST_AVX2 static inline struct fst_symbol *guess_avx2(const uint64_t *bucket, uint64_t h)
{
    const __m256i *at = (const __m256i *)(const void *)bucket;
    __m256i wanted = _mm256_set1_epi64x((long long)(h >> ADDRESS_BITS));
    __m256i low = _mm256_srli_epi64(_mm256_load_si256(at), ADDRESS_BITS);
    __m256i high = _mm256_srli_epi64(_mm256_load_si256(at + 1), ADDRESS_BITS);
    int lanes = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, wanted))) |
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, wanted))) << 4;
    return first_of(bucket, (unsigned)lanes);
}

FST_AVX512 static inline struct fst_symbol *guess_avx512(const uint64_t *bucket, uint64_t h)
{
    __m512i tags = _mm512_srli_epi64(_mm512_load_si512(bucket), ADDRESS_BITS);
    __m512i wanted = _mm512_set1_epi64((long long)(h >> ADDRESS_BITS));
    return first_of(bucket, _mm512_cmpeq_epi64_mask(tags, wanted));
}
#endif

/* Defines how many names are looked up: hash_short and is_short work on one short name with slack. */
#define DEFINE_INTERN_ALL(way, attributes, hash_short, is_short)                                   \
    attributes static bool intern_group_##way(struct fst_symtab *table,                            \
                                              const struct fst_str *names, size_t count,           \
                                              struct fst_symbol **out)                             \
    {                                                                                              \
        uint64_t hashes[GROUP];                                                                    \
        for (size_t i = 0; i < count; i++) {                                                       \
            hashes[i] = FST_LIKELY(names[i].len <= FST_NAME_SHORT)                                 \
                            ? hash_short(table->seed, names[i])                                    \
                            : fst_name_hash(table->seed, names[i], true);                          \
            __builtin_prefetch(&table->slots[bucket_of(table, hashes[i])]);                        \
        }                                                                                          \
        for (size_t i = 0; i < count; i++) {                                                       \
            size_t at = bucket_of(table, hashes[i]);                                               \
            out[i] = guess_##way(table->slots + at, hashes[i]);                                    \
            if (FST_UNLIKELY(out[i] == NULL)) { /* it may have found its bucket full */            \
                at = (at + BUCKET) & table->mask;                                                  \
                out[i] = guess_##way(table->slots + at, hashes[i]);                                \
            }                                                                                      \
            if (FST_LIKELY(out[i] != NULL)) {                                                      \
                __builtin_prefetch(out[i]);                                                        \
                __builtin_prefetch((const char *)out[i] + BEFORE_NAME - 1 + names[i].len);         \
            }                                                                                      \
        }                                                                                          \
        for (size_t i = 0; i < count; i++) {                                                       \
            bool known = out[i] != NULL && (FST_LIKELY(names[i].len <= FST_NAME_SHORT)             \
                                                ? is_short(out[i], names[i])                       \
                                                : fst_name_is(out[i], names[i], true));            \
            if (FST_UNLIKELY(!known)) {                                                            \
                out[i] = intern(table, names[i], hashes[i]);                                       \
                if (out[i] == NULL) {                                                              \
                    return false;                                                                  \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

static inline uint64_t hash_words(const uint64_t *seed, struct fst_str name)
{
    return fst_name_hash(seed, name, true);
}

static inline bool is_words(const struct fst_symbol *symbol, struct fst_str name)
{
    return fst_name_is(symbol, name, true);
}

DEFINE_INTERN_ALL(words, , hash_words, is_words)

#ifdef __x86_64__
DEFINE_INTERN_ALL(avx2, FST_AVX2, fst_name_hash_avx2, fst_name_is_avx2)
DEFINE_INTERN_ALL(avx512, FST_AVX512, fst_name_hash_avx512, fst_name_is_avx512)
#endif

static bool intern_group(struct fst_symtab *table, const struct fst_str *names, size_t count,
                         struct fst_symbol **out)
{
#ifdef __x86_64__
    if (table->width == 64) {
        return intern_group_avx512(table, names, count, out);
    }
    if (table->width == 32) {
        return intern_group_avx2(table, names, count, out);
    }
#endif
    return intern_group_words(table, names, count, out);
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

/* Asks for the symbols that the slots of names lead to, of which there are a group at most; they have
 * been hashed, and their slots asked for. */
static void fetch_symbols(const struct fst_symtab *table, const uint64_t *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fst_symbol *symbol =
            guess_words(table->slots + bucket_of(table, hashes[i]), hashes[i]);
        if (symbol != NULL) {
            __builtin_prefetch(symbol);
        }
    }
}

void fst_symtab_find_all(const struct fst_symtab *table, const struct fst_str *names, size_t count,
                         uint32_t *out)
{
    uint64_t hashes[GROUP];
    for (size_t at = 0; at < count; at += GROUP) {
        size_t n = count - at < GROUP ? count - at : GROUP;
        for (size_t i = 0; i < n && table->slots != NULL; i++) {
            hashes[i] = hash(table, names[at + i], false);
            __builtin_prefetch(&table->slots[bucket_of(table, hashes[i])]);
        }
        if (table->slots != NULL) {
            fetch_symbols(table, hashes, n);
        }
        for (size_t i = 0; i < n; i++) {
            const struct fst_symbol *symbol =
                table->slots == NULL
                    ? NULL
                    : symbol_of(*probe(table, names[at + i], hashes[i]), hashes[i]);
            out[at + i] = symbol == NULL ? FST_ID_NONE : symbol->id;
        }
    }
}
