/* Borrowed text: a pointer and a length, never NUL-terminated by promise. The bytes belong to
 * somebody else and must outlive the view. Any byte may occur, NUL included. */
#ifndef FST_BASE_STR_H
#define FST_BASE_STR_H

#include <stdbool.h>
#include <string.h>

#include "foldstat.h"

/* A view of a string literal. */
#define FST_STR(literal) ((struct fst_str){(literal), sizeof(literal) - 1})

static inline struct fst_str fst_str_of(const char *data, size_t len)
{
    return (struct fst_str){data, len};
}

static inline struct fst_str fst_str_cstr(const char *text)
{
    return (struct fst_str){text, strlen(text)};
}

static inline bool fst_str_eq(struct fst_str a, struct fst_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Byte order: <0, 0 or >0; a proper prefix sorts first. */
static inline int fst_str_cmp(struct fst_str a, struct fst_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n == 0 ? 0 : memcmp(a.data, b.data, n);
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static inline bool fst_str_starts(struct fst_str s, struct fst_str prefix)
{
    return s.len >= prefix.len && memcmp(s.data, prefix.data, prefix.len) == 0;
}

static inline bool fst_str_ends(struct fst_str s, struct fst_str suffix)
{
    return s.len >= suffix.len && memcmp(s.data + s.len - suffix.len, suffix.data, suffix.len) == 0;
}

/* s without its first n bytes; n must not exceed its length. */
static inline struct fst_str fst_str_skip(struct fst_str s, size_t n)
{
    return (struct fst_str){s.data + n, s.len - n};
}

/* The first place of needle in s, or NULL. */
static inline const char *fst_str_find(struct fst_str s, struct fst_str needle)
{
    for (size_t i = 0; i + needle.len <= s.len; i++) {
        const char *hit = memchr(s.data + i, needle.data[0], s.len - i - needle.len + 1);
        if (hit == NULL) {
            return NULL;
        }
        if (memcmp(hit, needle.data, needle.len) == 0) {
            return hit;
        }
        i = (size_t)(hit - s.data);
    }
    return NULL;
}

static inline bool fst_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool fst_is_hex(char c)
{
    return fst_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What parts a count from its stack: a space or a tab. */
static inline bool fst_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

#endif
