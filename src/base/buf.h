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

/* Makes room for extra more bytes; false (and failed) without memory. */
bool fst_buf_reserve(struct fst_buf *buf, size_t extra);
bool fst_buf_add(struct fst_buf *buf, const char *data, size_t len);
bool fst_buf_add_str(struct fst_buf *buf, struct fst_str text);
bool fst_buf_add_cstr(struct fst_buf *buf, const char *text);
bool fst_buf_add_char(struct fst_buf *buf, char c);
/* count times the same character. */
bool fst_buf_add_fill(struct fst_buf *buf, char c, size_t count);
bool fst_buf_add_fmt(struct fst_buf *buf, const char *fmt, ...) FST_PRINTF(2, 3);
/* Drops the first n bytes. */
void fst_buf_consume(struct fst_buf *buf, size_t n);

/* The bytes so far, valid until the buffer changes. Never a null pointer. */
struct fst_str fst_buf_str(const struct fst_buf *buf);

#endif
