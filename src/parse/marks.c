/* A block of 64 bytes becomes three words with a bit a byte:
 *
 *     text         main (a.py:3);f 42\nx;"y
 *     semicolons   ·············1·········1··
 *     newlines     ··················1·······
 *     quotes       ························1·
 *
 * whose bits are then written down as offsets. Most blocks have a bit or two, so that four offsets
 * are written without asking, and more only where there are; AVX-512 writes sixteen. */
#include "parse/marks.h"

#include <string.h>

#include "base/alloc.h"
#include "base/compat.h"
#include "base/vector.h"

enum {
    BLOCK = 64,
    GROUP = 4, /* blocks that are asked together whether they have a newline or a quote */
    FOUR = 4,
    SIXTEEN = 16,
    UNASKED = SIXTEEN /* room for offsets that are written without asking */
};

struct bits {
    uint64_t semicolons;
    uint64_t newlines;
    uint64_t quotes;
};

/* Writes the offsets of the bits, counted from base; may write a few more than there are. */
static inline uint32_t *write_fours(uint32_t *out, uint64_t bits, uint32_t base)
{
    uint32_t *end = out + __builtin_popcountll(bits);
    do {
        for (int i = 0; i < FOUR; i++) {
            out[i] = base + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
        out += FOUR;
    } while (FST_UNLIKELY(out < end));
    return end;
}

typedef uint32_t *(*write_offsets_fn)(uint32_t *out, uint64_t bits, uint32_t base);

/* The cursors of the arrays that are being written. */
struct writing {
    uint32_t *at;
    uint32_t *line_ends;
    uint32_t *quotes;
    uint32_t *depths;
    const uint32_t *first_depth;
    uint32_t semicolons; /* so far; of lines alone */
};

FST_INLINE void write_block(struct writing *w, const struct fst_marks *marks, struct bits bits,
                            uint32_t base, write_offsets_fn write_offsets)
{
    if (bits.newlines != 0) {
        uint32_t before = (uint32_t)(w->at - marks->at);
        uint64_t both = bits.semicolons | bits.newlines;
        for (uint64_t left = bits.newlines; left != 0; left &= left - 1) {
            uint64_t below = (left & -left) - 1;
            *w->line_ends++ = before + (uint32_t)__builtin_popcountll(both & below);
        }
    }
    w->at = write_offsets(w->at, bits.semicolons | bits.newlines, base);
    if (FST_UNLIKELY(bits.quotes != 0)) {
        w->quotes = write_offsets(w->quotes, bits.quotes, base);
    }
}

/* The same where only lines are wanted: semicolons are counted. Most blocks have a newline or none,
 * so that one is written without asking. */
FST_INLINE void write_lines(struct writing *w, struct bits bits, uint32_t base)
{
    uint32_t *lines_end = w->line_ends + __builtin_popcountll(bits.newlines);
    uint64_t left = bits.newlines | (uint64_t)(bits.newlines == 0) << (BLOCK - 1);
    do {
        uint64_t below = (left & -left) - 1;
        *w->line_ends++ = (uint32_t)(w->depths - w->first_depth);
        *w->depths++ = w->semicolons + (uint32_t)__builtin_popcountll(bits.semicolons & below);
        *w->at++ = base + (uint32_t)__builtin_ctzll(left);
        left &= left - 1;
    } while (FST_UNLIKELY(left != 0));
    ptrdiff_t unasked = w->line_ends - lines_end;
    w->line_ends -= unasked;
    w->depths -= unasked;
    w->at -= unasked;
    w->semicolons += (uint32_t)__builtin_popcountll(bits.semicolons);
    if (FST_UNLIKELY(bits.quotes != 0)) {
        w->quotes = write_fours(w->quotes, bits.quotes, base);
    }
}

static inline uint64_t asks_for_thought(struct bits bits)
{
    return bits.newlines | bits.quotes;
}

/* The same of a group of blocks, which are written out one by one: compilers unroll no loop here. */
FST_INLINE void write_group(struct writing *w, const struct bits bits[GROUP], uint32_t base)
{
    if ((asks_for_thought(bits[0]) | asks_for_thought(bits[1]) | asks_for_thought(bits[2]) |
         asks_for_thought(bits[3])) != 0) {
        write_lines(w, bits[0], base);
        write_lines(w, bits[1], base + BLOCK);
        write_lines(w, bits[2], base + 2 * BLOCK);
        write_lines(w, bits[3], base + 3 * BLOCK);
    } else {
        w->semicolons += (uint32_t)(__builtin_popcountll(bits[0].semicolons) +
                                    __builtin_popcountll(bits[1].semicolons) +
                                    __builtin_popcountll(bits[2].semicolons) +
                                    __builtin_popcountll(bits[3].semicolons));
    }
}

static inline void begin_writing(struct writing *w, const struct fst_marks *marks)
{
    *w = (struct writing){
        .at = marks->at,
        .line_ends = marks->line_ends,
        .quotes = marks->quotes,
        .depths = marks->depths,
        .first_depth = marks->depths,
    };
}

static inline void end_writing(const struct writing *w, struct fst_marks *marks)
{
    marks->count = (size_t)(w->at - marks->at);
    marks->lines = (size_t)(w->line_ends - marks->line_ends);
    marks->nquotes = (size_t)(w->quotes - marks->quotes);
}

// NOLINTBEGIN(bugprone-macro-parentheses): attributes cannot stand in parentheses
/* Defines the two finders of a way around a function that reads a block. Few blocks have a newline
 * or a quote. The last, short block is filled up with NULs. */
#define DEFINE_FINDERS(way, attributes, read_block, write_offsets)                                 \
    attributes static void find_all_##way(struct fst_marks *marks, const char *text, size_t len)   \
    {                                                                                              \
        struct writing w;                                                                          \
        char last[BLOCK] = {0};                                                                    \
        size_t whole = len / BLOCK * BLOCK;                                                        \
        begin_writing(&w, marks);                                                                  \
        for (size_t base = 0; base < whole; base += BLOCK) {                                       \
            write_block(&w, marks, read_block(text + base), (uint32_t)base, write_offsets);        \
        }                                                                                          \
        memcpy(last, text + whole, len - whole);                                                   \
        write_block(&w, marks, read_block(last), (uint32_t)whole, write_offsets);                  \
        end_writing(&w, marks);                                                                    \
    }                                                                                              \
    attributes static void find_lines_##way(struct fst_marks *marks, const char *text, size_t len) \
    {                                                                                              \
        struct writing w;                                                                          \
        char last[BLOCK] = {0};                                                                    \
        size_t whole = len / BLOCK * BLOCK;                                                        \
        begin_writing(&w, marks);                                                                  \
        size_t base = 0;                                                                           \
        for (; base + (size_t)GROUP * BLOCK <= whole; base += (size_t)GROUP * BLOCK) {             \
            const char *at = text + base;                                                          \
            struct bits bits[GROUP] = {read_block(at), read_block(at + BLOCK),                     \
                                       read_block(at + (size_t)2 * BLOCK),                         \
                                       read_block(at + (size_t)3 * BLOCK)};                        \
            write_group(&w, bits, (uint32_t)base);                                                 \
        }                                                                                          \
        for (; base < whole; base += BLOCK) {                                                      \
            write_lines(&w, read_block(text + base), (uint32_t)base);                              \
        }                                                                                          \
        memcpy(last, text + whole, len - whole);                                                   \
        write_lines(&w, read_block(last), (uint32_t)whole);                                        \
        end_writing(&w, marks);                                                                    \
    }

// NOLINTEND(bugprone-macro-parentheses)

/* --- with plain C ---------------------------------------------------------------------------- */

/* A byte of each equal to c becomes 0x80; exact, without carries between bytes. */
static uint64_t equal_bytes(uint64_t word, unsigned char c)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fU;
    uint64_t x = word ^ (0x0101010101010101U * c);
    return ~(((x & low) + low) | x | low);
}

/* The high bits of eight bytes, in the order of memory, as the low bits of a word. */
static uint64_t gather_bits(uint64_t high)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    high = __builtin_bswap64(high);
#endif
    return ((high >> 7) * 0x0102040810204080U) >> 56;
}

static inline struct bits read_words(const char *text)
{
    struct bits bits = {0};
    for (unsigned i = 0; i < BLOCK; i += 8) {
        uint64_t word;
        memcpy(&word, text + i, sizeof word);
        bits.semicolons |= gather_bits(equal_bytes(word, ';')) << i;
        bits.newlines |= gather_bits(equal_bytes(word, '\n')) << i;
        bits.quotes |= gather_bits(equal_bytes(word, '"')) << i;
    }
    return bits;
}

DEFINE_FINDERS(words, , read_words, write_fours)

/* --- x86-64 ---------------------------------------------------------------------------------- */

#ifdef __x86_64__
static inline uint64_t equal_sse2(const __m128i *block, char c)
{
    __m128i wanted = _mm_set1_epi8(c);
    uint64_t bits = 0;
    for (unsigned i = 0; i < 4; i++) {
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block[i], wanted)) << (16 * i);
    }
    return bits;
}

static inline struct bits read_sse2(const char *text)
{
    __m128i block[4];
    for (size_t i = 0; i < 4; i++) {
        block[i] = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
    }
    return (struct bits){equal_sse2(block, ';'), equal_sse2(block, '\n'), equal_sse2(block, '"')};
}

DEFINE_FINDERS(sse2, , read_sse2, write_fours)

FST_AVX2 static inline uint64_t equal_avx2(__m256i low, __m256i high, char c)
{
    __m256i wanted = _mm256_set1_epi8(c);
    uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return (uint64_t)second << 32 | first;
}

FST_AVX2 static inline struct bits read_avx2(const char *text)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)text);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(text + 32));
    return (struct bits){equal_avx2(low, high, ';'), equal_avx2(low, high, '\n'),
                         equal_avx2(low, high, '"')};
}

DEFINE_FINDERS(avx2, FST_AVX2, read_avx2, write_fours)

FST_AVX512 static inline struct bits read_avx512(const char *text)
{
    __m512i block = _mm512_loadu_si512(text);
    return (struct bits){_mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(';')),
                         _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('\n')),
                         _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8('"'))};
}

/* Sixteen offsets, of the first bytes of a vector that tells them. */
FST_AVX512 static inline void store_sixteen(uint32_t *out, __m512i offsets, uint32_t base)
{
    __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(offsets));
    _mm512_storeu_si512(out, _mm512_add_epi32(wide, _mm512_set1_epi32((int)base)));
}

/* The same as write_fours. */
FST_AVX512 static inline uint32_t *write_sixteens(uint32_t *out, uint64_t bits, uint32_t base)
{
    static const unsigned char all[BLOCK] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    uint32_t *end = out + __builtin_popcountll(bits);
    __m512i offsets = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(all));
    store_sixteen(out, offsets, base);
    for (out += SIXTEEN; FST_UNLIKELY(out < end); out += SIXTEEN) {
        offsets = _mm512_maskz_compress_epi8(UINT64_MAX << SIXTEEN, offsets);
        store_sixteen(out, offsets, base);
    }
    return end;
}

DEFINE_FINDERS(avx512, FST_AVX512, read_avx512, write_sixteens)
#endif

/* --- arm64 ----------------------------------------------------------------------------------- */

#ifdef __ARM_NEON
static inline uint64_t equal_neon(const uint8x16_t *block, char c)
{
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t weight = vld1q_u8(weights);
    uint8x16_t wanted = vdupq_n_u8((uint8_t)c);
    uint8x16_t a = vpaddq_u8(vandq_u8(vceqq_u8(block[0], wanted), weight),
                             vandq_u8(vceqq_u8(block[1], wanted), weight));
    uint8x16_t b = vpaddq_u8(vandq_u8(vceqq_u8(block[2], wanted), weight),
                             vandq_u8(vceqq_u8(block[3], wanted), weight));
    a = vpaddq_u8(a, b);
    a = vpaddq_u8(a, a);
    return vgetq_lane_u64(vreinterpretq_u64_u8(a), 0);
}

static inline struct bits read_neon(const char *text)
{
    uint8x16_t block[4];
    for (size_t i = 0; i < 4; i++) {
        block[i] = vld1q_u8((const uint8_t *)text + 16 * i);
    }
    return (struct bits){equal_neon(block, ';'), equal_neon(block, '\n'), equal_neon(block, '"')};
}

DEFINE_FINDERS(neon, , read_neon, write_fours)
#endif

/* --- the choice ------------------------------------------------------------------------------ */

size_t fst_marks_ways(const struct fst_marks_way **ways)
{
    static const struct fst_marks_way all[] = {
#ifdef __x86_64__
        {"avx512", find_all_avx512, find_lines_avx512}, {"avx2", find_all_avx2, find_lines_avx2},
        {"sse2", find_all_sse2, find_lines_sse2},
#endif
#ifdef __ARM_NEON
        {"neon", find_all_neon, find_lines_neon},
#endif
        {"words", find_all_words, find_lines_words},
    };
    size_t skip = 0;
#ifdef __x86_64__
    skip = fst_has_avx512() ? 0 : fst_has_avx2() ? 1 : 2;
#endif
    *ways = all + skip;
    return FST_COUNT_OF(all) - skip;
}

bool fst_marks_reserve(struct fst_marks *marks, size_t text)
{
    if (text <= marks->room) {
        return true;
    }
    fst_marks_release(marks);
    size_t room = text + UNASKED;
    *marks = (struct fst_marks){
        .at = fst_alloc(room * sizeof *marks->at),
        .line_ends = fst_alloc(room * sizeof *marks->line_ends),
        .depths = fst_alloc(room * sizeof *marks->depths),
        .quotes = fst_alloc(room * sizeof *marks->quotes),
        .room = text,
    };
    if (marks->at == NULL || marks->line_ends == NULL || marks->depths == NULL ||
        marks->quotes == NULL) {
        fst_marks_release(marks);
        return false;
    }
    return true;
}

void fst_marks_release(struct fst_marks *marks)
{
    fst_free(marks->at);
    fst_free(marks->line_ends);
    fst_free(marks->depths);
    fst_free(marks->quotes);
    *marks = (struct fst_marks){0};
}
