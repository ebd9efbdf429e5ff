/* Names as their table (base/symtab.c) reads them: hashed, and compared with a symbol's.
 *
 * Names of 9 to 64 bytes are read as four or eight words of eight bytes, of which the last ones
 * overlap or repeat, so that their length decides little about the way through the code:
 *
 *     _bootstrap_inner (threading.py:980)
 *     |------||------||------||------|
 *                                |------|  four times
 *
 * They are hashed by folded multiplication (the high half of a 128-bit product added to the low
 * one, as in wyhash by Wang Yi, https://github.com/wangyi-fudan/wyhash), longer ones by XXH3
 * (https://github.com/Cyan4973/xxHash). Where the machine has vectors, names of up to 64 bytes fill
 * one of 64 bytes or two of 32, and what lies behind their end is masked. Both give the same hash,
 * which is another one than that of words. */
#ifndef FST_BASE_SHORT_NAME_H
#define FST_BASE_SHORT_NAME_H

#include "base/compat.h"
#include "base/symtab.h"
#include "base/vector.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FST_NAME_WORDS = FST_SYMTAB_SEEDS, FST_NAME_SHORT = 8 * FST_NAME_WORDS };

/* --- bytes ---------------------------------------------------------------------------------- */

static inline uint64_t fst_name_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The bytes of a name of at most 8 bytes in a word; slack: 8 may be read. */
static inline uint64_t fst_name_small(struct fst_str name, bool slack)
{
    uint64_t word = 0;
    if (!slack) {
        memcpy(&word, name.len == 0 ? "" : name.data, name.len);
        return word;
    }
    word = fst_name_word(name.data);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return name.len == 0 ? 0 : word << (64 - 8 * name.len) >> (64 - 8 * name.len);
#else
    return name.len == 0 ? 0 : word >> (64 - 8 * name.len) << (64 - 8 * name.len);
#endif
}

/* The offset of the i-th word of a name of 8 bytes or more: the last ones stand on one another. */
static inline size_t fst_name_offset(size_t i, size_t len)
{
    return 8 * i < len - 8 ? 8 * i : len - 8;
}

/* Whether a symbol has the name; the symbol's bytes have slack always, by their arena. */
static inline bool fst_name_is(const struct fst_symbol *symbol, struct fst_str name, bool slack)
{
    if (symbol->len != name.len) {
        return false;
    }
    if (name.len <= 8) {
        return fst_name_small(fst_symbol_name(symbol), true) == fst_name_small(name, slack);
    }
    if (FST_UNLIKELY(name.len > FST_NAME_SHORT)) {
        return memcmp(symbol->name, name.data, name.len) == 0;
    }
    uint64_t differing = 0;
    size_t words = name.len <= FST_NAME_SHORT / 2 ? FST_NAME_WORDS / 2 : FST_NAME_WORDS;
    for (size_t i = 0; i < words; i++) {
        size_t at = fst_name_offset(i, name.len);
        differing |= fst_name_word(symbol->name + at) ^ fst_name_word(name.data + at);
    }
    return differing == 0;
}

/* --- hashing -------------------------------------------------------------------------------- */

static inline uint64_t fst_name_fold(uint64_t a, uint64_t b)
{
    fst_u128 product = (fst_u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t fst_name_hash(const uint64_t *seed, struct fst_str name, bool slack)
{
    if (FST_UNLIKELY(name.len > FST_NAME_SHORT)) {
        return XXH3_64bits_withSeed(name.data, name.len, seed[0]);
    }
    uint64_t h = seed[0] ^ name.len;
    if (name.len <= 8) {
        return fst_name_fold(fst_name_fold(fst_name_small(name, slack) ^ seed[1], h), seed[2]);
    }
    size_t words = name.len <= FST_NAME_SHORT / 2 ? FST_NAME_WORDS / 2 : FST_NAME_WORDS;
    for (size_t i = 0; i < words; i += 2) {
        h ^= fst_name_fold(fst_name_word(name.data + fst_name_offset(i, name.len)) ^ seed[i],
                           fst_name_word(name.data + fst_name_offset(i + 1, name.len)) ^
                               seed[i + 1]);
    }
    return fst_name_fold(h, seed[FST_NAME_WORDS - 1]);
}

/* --- with vectors ---------------------------------------------------------------------------- */

#ifdef __x86_64__

struct fst_name_vectors {
    __m256i low;
    __m256i high;
};

FST_AVX2 static inline struct fst_name_vectors fst_name_read_avx2(const char *at, size_t len)
{
    static const unsigned char ones[3 * 32] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    };
    size_t low = len < 32 ? len : 32;
    const __m256i *low_mask = (const __m256i *)(const void *)(ones + 32 - low);
    const __m256i *high_mask = (const __m256i *)(const void *)(ones + 32 - (len - low));
    return (struct fst_name_vectors){
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)at),
                         _mm256_loadu_si256(low_mask)),
        _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(at + 32)),
                         _mm256_loadu_si256(high_mask)),
    };
}

/* The products of 32-bit halves are those of XXH3's accumulator. */
FST_AVX2 static inline __m256i fst_name_products(__m256i bytes, const uint64_t *seed)
{
    __m256i key = _mm256_loadu_si256((const __m256i *)(const void *)seed);
    __m256i mixed = _mm256_xor_si256(bytes, key);
    __m256i product = _mm256_mul_epu32(mixed, _mm256_srli_epi64(mixed, 32));
    return _mm256_add_epi64(product, _mm256_shuffle_epi32(bytes, 0x4e));
}

/* The hash that the products of both halves, added up, make of a name of that length. */
FST_AVX2 static inline uint64_t fst_name_fold_lanes(__m256i sum, size_t len, const uint64_t *seed)
{
    __m128i lanes = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return fst_name_fold((uint64_t)_mm_cvtsi128_si64(lanes) ^ seed[1] ^ len,
                         (uint64_t)_mm_extract_epi64(lanes, 1) ^ seed[2]);
}

/* The hash of a short name with slack. */
FST_AVX2 static inline uint64_t fst_name_hash_avx2(const uint64_t *seed, struct fst_str name)
{
    struct fst_name_vectors bytes = fst_name_read_avx2(name.data, name.len);
    __m256i sum = _mm256_add_epi64(fst_name_products(bytes.low, seed),
                                   fst_name_products(bytes.high, seed + FST_NAME_WORDS / 2));
    return fst_name_fold_lanes(sum, name.len, seed);
}

/* Whether a symbol has a short name with slack. */
FST_AVX2 static inline bool fst_name_is_avx2(const struct fst_symbol *symbol, struct fst_str name)
{
    struct fst_name_vectors a = fst_name_read_avx2(name.data, name.len);
    struct fst_name_vectors b = fst_name_read_avx2(symbol->name, name.len);
    __m256i differing =
        _mm256_or_si256(_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high));
    return symbol->len == name.len && _mm256_testz_si256(differing, differing);
}

FST_AVX512 static inline __m512i fst_name_read_avx512(const char *at, size_t len)
{
    return _mm512_maskz_loadu_epi8(_bzhi_u64(UINT64_MAX, (unsigned)len), at);
}

FST_AVX512 static inline uint64_t fst_name_hash_avx512(const uint64_t *seed, struct fst_str name)
{
    __m512i bytes = fst_name_read_avx512(name.data, name.len);
    __m512i mixed = _mm512_xor_si512(bytes, _mm512_loadu_si512(seed));
    __m512i product = _mm512_mul_epu32(mixed, _mm512_srli_epi64(mixed, 32));
    __m512i sum = _mm512_add_epi64(product, _mm512_shuffle_epi32(bytes, 0x4e));
    return fst_name_fold_lanes(
        _mm256_add_epi64(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1)), name.len,
        seed);
}

FST_AVX512 static inline bool fst_name_is_avx512(const struct fst_symbol *symbol,
                                                 struct fst_str name)
{
    __m512i a = fst_name_read_avx512(name.data, name.len);
    __m512i b = fst_name_read_avx512(symbol->name, name.len);
    return (_mm512_cmpneq_epi64_mask(a, b) | (symbol->len ^ name.len)) == 0;
}
#endif

#endif
