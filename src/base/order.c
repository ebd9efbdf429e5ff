/* Texts that begin alike for long, as stacks do, are costly to compare from their start. So a group of
 * texts is sorted by the eight bytes behind what all of them have in common, which stand beside the
 * pointer while that is done, and then each part of the group in which these are equal, by what
 * follows:
 *
 *     main;fit;step;matmul            main;fit;step;|matmul
 *     main;fit;load;read       -->    main;fit;|load;read
 *     main;fit;step;add               main;fit;step;|add
 */
#include "base/order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/compat.h"

enum { WORD = sizeof(uint64_t) };

struct key {
    uint64_t word; /* the bytes at hand, the first one uppermost; 0 behind the end */
    struct fst_symbol *symbol;
};

static uint64_t word_at(const struct fst_symbol *symbol, size_t depth)
{
    unsigned char bytes[WORD] = {0};
    size_t left = symbol->len > depth ? symbol->len - depth : 0;
    uint64_t word;
    memcpy(bytes, symbol->name + depth, left < WORD ? left : WORD);
    memcpy(&word, bytes, WORD);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* How many bytes all names of a group have in common; so many are known to be. */
static size_t shared_length(const struct key *keys, size_t count, size_t known)
{
    const struct fst_symbol *first = keys[0].symbol;
    size_t shared = first->len;
    for (size_t i = 1; i < count && shared > known; i++) {
        const struct fst_symbol *other = keys[i].symbol;
        size_t most = other->len < shared ? other->len : shared;
        size_t at = known;
        while (at + WORD <= most && memcmp(first->name + at, other->name + at, WORD) == 0) {
            at += WORD;
        }
        while (at < most && first->name[at] == other->name[at]) {
            at++;
        }
        shared = at;
    }
    return shared;
}

/* By the bytes at hand; of those that are equal the ones that end with them, the shorter first. */
static int by_word(const void *a, const void *b)
{
    const struct key *left = a;
    const struct key *right = b;
    if (left->word != right->word) {
        return left->word < right->word ? -1 : 1;
    }
    return (left->symbol->len > right->symbol->len) - (left->symbol->len < right->symbol->len);
}

/* The end of the part of a group that begins at `at` and is in order up to `depth`, but not behind. */
static size_t part_end(const struct key *keys, size_t count, size_t at, size_t depth)
{
    size_t end = at + 1;
    while (keys[at].symbol->len > depth && end < count && keys[end].word == keys[at].word) {
        end++;
    }
    return end;
}

/* Sorts a group whose names have `depth` bytes in common. Its largest part is sorted in the same
 * call, so that calls are not nested deeper than the logarithm of the number of names. */
static void sort_group(struct key *keys, size_t count, size_t depth)
{
    while (count > 1) {
        size_t largest = 0;
        size_t largest_count = 0;
        depth = shared_length(keys, count, depth);
        for (size_t i = 0; i < count; i++) {
            keys[i].word = word_at(keys[i].symbol, depth);
        }
        qsort(keys, count, sizeof *keys, by_word);
        depth += WORD;
        for (size_t at = 0, end; at < count; at = end) {
            end = part_end(keys, count, at, depth);
            if (end - at > largest_count) {
                largest = at;
                largest_count = end - at;
            }
        }
        for (size_t at = 0, end; at < count; at = end) {
            end = part_end(keys, count, at, depth);
            if (end - at > 1 && at != largest) {
                sort_group(keys + at, end - at, depth);
            }
        }
        keys += largest;
        count = largest_count;
    }
}

bool fst_symbols_sort(struct fst_symbol **symbols, size_t count)
{
    struct key *keys = fst_alloc((count + 1) * sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i].symbol = symbols[i];
    }
    sort_group(keys, count, 0);
    for (size_t i = 0; i < count; i++) {
        symbols[i] = keys[i].symbol;
    }
    fst_free(keys);
    return true;
}
