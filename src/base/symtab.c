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

enum {
    BUCKET = 8, /* slots */
    FIRST_SLOTS = 256,
    GROUP = 128,
    WORDS = FST_SYMTAB_SEEDS,
    SHORT = 8 * WORDS,
    LINE = 64,
    BEFORE_NAME = offsetof(struct fst_symbol, name)
};

static bool has_vectors(void);

void fst_symtab_init(struct fst_symtab *table, uint64_t seed)
{
    *table = (struct fst_symtab){.vectors = has_vectors()};
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
    return table->arena.held + table->capacity * sizeof(struct fst_symbol *) +
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

/* Whether a symbol has the name; the symbol's bytes have slack always, by their arena. */
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

static inline uint64_t hash_words(const struct fst_symtab *table, struct fst_str name, bool slack)
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

/* --- with vectors ---------------------------------------------------------------------------- */

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* Names of up to 64 bytes fill two vectors; what lies behind their end is masked. The products of
 * 32-bit halves are those of XXH3's accumulator. */
struct vectors {
    __m256i low;
    __m256i high;
};

AVX2 static inline struct vectors read_masked(const char *at, size_t len)
{
    static const unsigned char ones[3 * 32] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    };
    size_t low = len < 32 ? len : 32;
    const __m256i *low_mask = (const __m256i *)(const void *)(ones + 32 - low);
    const __m256i *high_mask = (const __m256i *)(const void *)(ones + 32 - (len - low));
    return (struct vectors){
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)at),
                         _mm256_loadu_si256(low_mask)),
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(at + 32)),
                         _mm256_loadu_si256(high_mask)),
    };
}

AVX2 static inline __m256i products(__m256i bytes, const uint64_t *seed)
{
    __m256i key = _mm256_loadu_si256((const __m256i *)(const void *)seed);
    __m256i mixed = _mm256_xor_si256(bytes, key);
    __m256i product = _mm256_mul_epu32(mixed, _mm256_srli_epi64(mixed, 32));
    return _mm256_add_epi64(product, _mm256_shuffle_epi32(bytes, 0x4e));
}

AVX2 static inline uint64_t hash_vectors(const struct fst_symtab *table, struct fst_str name)
{
    const uint64_t *seed = table->seed;
    struct vectors bytes = read_masked(name.data, name.len);
    __m256i sum =
        _mm256_add_epi64(products(bytes.low, seed), products(bytes.high, seed + WORDS / 2));
    uint64_t lanes[4];
    _mm256_storeu_si256((__m256i *)(void *)lanes, sum);
    return fold(fold(lanes[0] ^ seed[1], lanes[1] ^ seed[2] ^ name.len) ^ lanes[2],
                lanes[3] ^ seed[4]);
}

AVX2 static inline bool is_named_vectors(const struct fst_symbol *symbol, struct fst_str name)
{
    struct vectors a = read_masked(name.data, name.len);
    struct vectors b = read_masked(symbol->name, name.len);
    __m256i differing =
        _mm256_or_si256(_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high));
    return symbol->len == name.len && _mm256_testz_si256(differing, differing);
}

/* The same for a name behind which nothing may be read. */
AVX2 static uint64_t hash_copied(const struct fst_symtab *table, struct fst_str name)
{
    char copy[SHORT] = {0};
    if (name.len > 0) {
        memcpy(copy, name.data, name.len);
    }
    return hash_vectors(table, fst_str_of(copy, name.len));
}
#endif

static bool has_vectors(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* The hash of a name, by the way that the table goes. */
static uint64_t hash(const struct fst_symtab *table, struct fst_str name)
{
#ifdef __x86_64__
    if (table->vectors && name.len <= SHORT) {
        return hash_copied(table, name);
    }
#endif
    return hash_words(table, name, false);
}

/* The same of a symbol, whose bytes have slack. */
static inline uint64_t hash_symbol(const struct fst_symtab *table, const struct fst_symbol *symbol)
{
    struct fst_str name = fst_symbol_name(symbol);
#ifdef __x86_64__
    if (table->vectors && name.len <= SHORT) {
        return hash_vectors(table, name);
    }
#endif
    return hash_words(table, name, true);
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
        if (*slot == 0 || (symbol != NULL && is_named(symbol, name, false))) {
            return slot;
        }
    }
}

/* Puts all symbols into their slots; there is room. */
static void fill_slots(struct fst_symtab *table)
{
    for (size_t id = 0; id < table->count; id++) {
        uint64_t h = hash_symbol(table, table->symbols[id]);
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
    const struct fst_symbol *symbol = intern(table, name, hash(table, name));
    return symbol == NULL ? FST_ID_NONE : symbol->id;
}

uint64_t fst_symtab_hash(const struct fst_symtab *table, struct fst_str text)
{
    return hash(table, text);
}

uint32_t fst_symtab_find(const struct fst_symtab *table, struct fst_str name)
{
    if (table->slots == NULL) {
        return FST_ID_NONE;
    }
    uint64_t h = hash(table, name);
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
AVX2 static inline struct fst_symbol *guess_avx2(const uint64_t *bucket, uint64_t h)
{
    const __m256i *at = (const __m256i *)(const void *)bucket;
    __m256i wanted = _mm256_set1_epi64x((long long)(h >> ADDRESS_BITS));
    __m256i low = _mm256_srli_epi64(_mm256_load_si256(at), ADDRESS_BITS);
    __m256i high = _mm256_srli_epi64(_mm256_load_si256(at + 1), ADDRESS_BITS);
    int lanes = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, wanted))) |
                _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, wanted))) << 4;
    /* Where none is equal the last one is not either. */
    return symbol_of(bucket[__builtin_ctz((unsigned)lanes | 1U << (BUCKET - 1))], h);
}
#endif

/* Defines how many names are looked up: hash and is_named work on one name that has slack. */
#define DEFINE_INTERN_ALL(way, attributes, hash_one, is_named_one)                                 \
    attributes static bool intern_group_##way(struct fst_symtab *table,                            \
                                              const struct fst_str *names, size_t count,           \
                                              struct fst_symbol **out)                             \
    {                                                                                              \
        uint64_t hashes[GROUP];                                                                    \
        for (size_t i = 0; i < count; i++) {                                                       \
            hashes[i] = hash_one(table, names[i]);                                                 \
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
            if (FST_UNLIKELY(out[i] == NULL || !is_named_one(out[i], names[i]))) {                 \
                out[i] = intern(table, names[i], hashes[i]);                                       \
                if (out[i] == NULL) {                                                              \
                    return false;                                                                  \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

static inline uint64_t hash_slack(const struct fst_symtab *table, struct fst_str name)
{
    return hash_words(table, name, true);
}

static inline bool is_named_slack(const struct fst_symbol *symbol, struct fst_str name)
{
    return is_named(symbol, name, true);
}

DEFINE_INTERN_ALL(words, , hash_slack, is_named_slack)

#ifdef __x86_64__
AVX2 static inline uint64_t hash_avx2(const struct fst_symtab *table, struct fst_str name)
{
    return FST_LIKELY(name.len <= SHORT) ? hash_vectors(table, name)
                                         : hash_words(table, name, true);
}

AVX2 static inline bool is_named_avx2(const struct fst_symbol *symbol, struct fst_str name)
{
    return FST_LIKELY(name.len <= SHORT) ? is_named_vectors(symbol, name)
                                         : is_named(symbol, name, true);
}

DEFINE_INTERN_ALL(avx2, AVX2, hash_avx2, is_named_avx2)
#endif

static bool intern_group(struct fst_symtab *table, const struct fst_str *names, size_t count,
                         struct fst_symbol **out)
{
#ifdef __x86_64__
    if (table->vectors) {
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
            hashes[i] = hash(table, names[at + i]);
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
