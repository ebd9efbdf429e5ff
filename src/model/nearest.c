/* Edits are counted for all places of a name at once, a column of the table of distances in two
 * words of bits: G. Myers, "A fast bit-vector algorithm for approximate string matching based on
 * dynamic programming", J. ACM 46 (1999), in the form in which a match may begin anywhere, with H.
 * Hyyrö's term for two neighbours that changed places ("A bit-vector algorithm for computing Levenshtein
 * and Damerau edit distances", Nordic Journal of Computing 10, 2003). */
#include "model/nearest.h"

/* Fewer characters are like everything. */
enum { SHORTEST = 3 };

/* --- the word ---------------------------------------------------------------------------------- */

static unsigned char fold_case(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte - 'A' + 'a') : byte;
}

static bool is_plain_escaped(char c)
{
    return !fst_is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

/* One step through a pattern: the plain character at *at, or -1 where something else stands. *at
 * moves behind it. */
static int next_plain(struct fst_str pattern, size_t *at)
{
    char c = pattern.data[(*at)++];
    if (c == '\\' && *at < pattern.len) {
        char escaped = pattern.data[(*at)++];
        return is_plain_escaped(escaped) ? (unsigned char)escaped : -1;
    }
    if (c == '[' || (c == '(' && *at < pattern.len && pattern.data[*at] == '?')) {
        int end = c == '[' ? ']' : ')';
        while (*at < pattern.len && pattern.data[*at] != end && pattern.data[*at] != ':') {
            (*at)++;
        }
        *at += *at < pattern.len;
        return -1;
    }
    return c == '\0' || strchr(".^$*+?(){}|\\", c) == NULL ? (unsigned char)c : -1;
}

/* Whether what stands before `at` may be missing. */
static bool is_optional(struct fst_str pattern, size_t at)
{
    return at < pattern.len &&
           (pattern.data[at] == '?' || pattern.data[at] == '*' || pattern.data[at] == '{');
}

static size_t longest_word(struct fst_str pattern, unsigned char *word)
{
    unsigned char run[FST_NEAREST_WORD];
    size_t len = 0;
    size_t longest = 0;
    for (size_t at = 0; at < pattern.len;) {
        int plain = next_plain(pattern, &at);
        if (plain < 0 || is_optional(pattern, at)) {
            len = 0;
        } else if (len < sizeof run) {
            run[len++] = fold_case((char)plain);
        }
        if (len > longest) {
            longest = len;
            memcpy(word, run, len);
        }
    }
    return longest;
}

void fst_nearest_init(struct fst_nearest *nearest, struct fst_str pattern)
{
    unsigned char word[FST_NEAREST_WORD];
    *nearest = (struct fst_nearest){0};
    nearest->len = longest_word(pattern, word);
    if (nearest->len < SHORTEST) {
        nearest->len = 0;
    }
    nearest->most = nearest->len / 3;
    for (size_t i = 0; i < nearest->len; i++) {
        nearest->places[word[i]] |= (uint64_t)1 << i;
    }
}

/* --- distances --------------------------------------------------------------------------------- */

/* The fewest edits between the word and any part of name. */
static size_t least_edits(const struct fst_nearest *nearest, struct fst_str name)
{
    uint64_t last = (uint64_t)1 << (nearest->len - 1);
    uint64_t more = UINT64_MAX; /* rows whose distance is one more than that of the row above */
    uint64_t less = 0;          /* one less */
    uint64_t diagonal = 0;      /* rows that cost no more than the row above in the column before */
    uint64_t equal = 0;         /* rows whose character is that of the column */
    size_t edits = nearest->len;
    size_t least = edits;
    for (size_t i = 0; i < name.len && least > 0; i++) {
        uint64_t equal_before = equal;
        equal = nearest->places[fold_case(name.data[i])];
        uint64_t transposed = ((~diagonal & equal) << 1) & equal_before;
        diagonal = (((equal & more) + more) ^ more) | equal | less | transposed;
        uint64_t up = less | ~(diagonal | more);
        uint64_t down = more & diagonal;
        edits += (up & last) != 0;
        edits -= (down & last) != 0;
        least = edits < least ? edits : least;
        up <<= 1;
        down <<= 1;
        more = down | ~(diagonal | up);
        less = up & diagonal;
    }
    return least;
}

/* Whether a name with so many edits comes before the one at that place. */
static bool is_nearer(const struct fst_nearest *nearest, size_t place, struct fst_str name,
                      size_t edits)
{
    struct fst_str other = nearest->names[place];
    if (edits != nearest->edits[place]) {
        return edits < nearest->edits[place];
    }
    return name.len != other.len ? name.len < other.len : fst_str_cmp(name, other) < 0;
}

void fst_nearest_offer(struct fst_nearest *nearest, struct fst_str name)
{
    if (nearest->len == 0) {
        return;
    }
    size_t edits = least_edits(nearest, name);
    if (edits > nearest->most) {
        return;
    }
    size_t place = nearest->count;
    while (place > 0 && is_nearer(nearest, place - 1, name, edits)) {
        place--;
    }
    if (place == FST_NEAREST_MOST) {
        return;
    }
    nearest->count += nearest->count < FST_NEAREST_MOST;
    for (size_t i = nearest->count - 1; i > place; i--) {
        nearest->names[i] = nearest->names[i - 1];
        nearest->edits[i] = nearest->edits[i - 1];
    }
    nearest->names[place] = name;
    nearest->edits[place] = edits;
}
