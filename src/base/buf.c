#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"

void fst_buf_release(struct fst_buf *buf)
{
    fst_free(buf->data);
    *buf = (struct fst_buf){0};
}

bool fst_buf_reserve(struct fst_buf *buf, size_t extra)
{
    size_t need;
    void *data = buf->data;
    if (FST_ADD_OVERFLOWS(buf->len, extra, &need) ||
        fst_grow(&data, &buf->capacity, need, 1) != 0) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    return true;
}

bool fst_buf_add_slowly(struct fst_buf *buf, const char *data, size_t len)
{
    if (len == 0) {
        return !buf->failed;
    }
    if (buf->failed || !fst_buf_reserve(buf, len)) {
        return false;
    }
    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    return true;
}

bool fst_buf_add_fill(struct fst_buf *buf, char c, size_t count)
{
    if (buf->failed || !fst_buf_reserve(buf, count)) {
        return false;
    }
    if (count > 0) {
        memset(buf->data + buf->len, c, count);
        buf->len += count;
    }
    return true;
}

bool fst_buf_add_fmt(struct fst_buf *buf, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    char small[256];
    int len = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    bool ok = len >= 0;
    if (ok && (size_t)len < sizeof small) {
        ok = fst_buf_add(buf, small, (size_t)len);
    } else if (ok) {
        ok = !buf->failed && fst_buf_reserve(buf, (size_t)len + 1);
        if (ok) {
            (void)vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
            buf->len += (size_t)len;
        }
    }
    va_end(again);
    if (!ok) {
        buf->failed = true;
    }
    return ok;
}

void fst_buf_consume(struct fst_buf *buf, size_t n)
{
    if (n > 0 && n < buf->len) {
        memmove(buf->data, buf->data + n, buf->len - n);
    }
    buf->len -= n;
}

struct fst_str fst_buf_str(const struct fst_buf *buf)
{
    return (struct fst_str){buf->data == NULL ? "" : buf->data, buf->len};
}
