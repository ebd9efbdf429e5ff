/* Owned bytes that grow.
 *
 * Invariants: data is NULL exactly when capacity is 0; len <= capacity. A failed append leaves the
 * bytes as they were and sets failed, which stays set until fst_buf_release: a writer may append
 * many pieces and look once at the end. */
#ifndef FST_BASE_BUF_H
#define FST_BASE_BUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"
#include "base/str.h"

struct fst_buf {
    char *data;
    size_t len;
    size_t capacity;
    bool failed; /* an append did not find memory */
};

void fst_buf_release(struct fst_buf *buf);

static inline void fst_buf_clear(struct fst_buf *buf)
{
    buf->len = 0;
}

static inline void fst_buf_swap(struct fst_buf *a, struct fst_buf *b)
{
    struct fst_buf before = *a;
    *a = *b;
    *b = before;
}

/* Makes room for extra more bytes; false (and failed) without memory. */
bool fst_buf_reserve(struct fst_buf *buf, size_t extra);
bool fst_buf_add_slowly(struct fst_buf *buf, const char *data, size_t len); /* what add cannot */

/* Inline, as texts are written in small pieces, most of which are literals. */
static inline bool fst_buf_add(struct fst_buf *buf, const char *data, size_t len)
{
    if (buf->failed || data == NULL || len == 0 || len > buf->capacity - buf->len) {
        return fst_buf_add_slowly(buf, data, len);
    }
    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    return true;
}

static inline bool fst_buf_add_str(struct fst_buf *buf, struct fst_str text)
{
    return fst_buf_add(buf, text.data, text.len);
}

static inline bool fst_buf_add_cstr(struct fst_buf *buf, const char *text)
{
    return fst_buf_add(buf, text, strlen(text));
}

static inline bool fst_buf_add_char(struct fst_buf *buf, char c)
{
    return fst_buf_add(buf, &c, 1);
}

/* count times the same character. */
bool fst_buf_add_fill(struct fst_buf *buf, char c, size_t count);
bool fst_buf_add_fmt(struct fst_buf *buf, const char *fmt, ...) FST_PRINTF(2, 3);
/* Drops the first n bytes. */
void fst_buf_consume(struct fst_buf *buf, size_t n);

/* The bytes so far, valid until the buffer changes. Never a null pointer. */
struct fst_str fst_buf_str(const struct fst_buf *buf);

#endif
