#include "io/zstd.h"

#include <stdio.h>

#include <zstd.h>

#include "base/alloc.h"
#include "base/error.h"

enum { INPUT_SIZE = 128 * 1024, WINDOW_LOG_MOST = 27 };

struct zstd_source {
    struct fst_source base;
    struct fst_source *inner;
    ZSTD_DStream *stream;
    ZSTD_inBuffer in;
    bool inner_ended;
    bool between; /* no frame is open */
    uint64_t text_bytes;
    char input[INPUT_SIZE];
};

static enum fst_status corrupt(const struct zstd_source *z, const char *what, struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_CORRUPT,
                         "%s at byte %llu of the compressed data, after %llu bytes of text", what,
                         (unsigned long long)(z->inner->raw_bytes - (z->in.size - z->in.pos)),
                         (unsigned long long)z->text_bytes);
}

static enum fst_status refill(struct zstd_source *z, struct fst_error *err)
{
    if (z->in.pos < z->in.size || z->inner_ended) {
        return FST_OK;
    }
    size_t got = 0;
    enum fst_status status = fst_source_read(z->inner, z->input, sizeof z->input, &got, err);
    if (status == FST_OK) {
        z->inner_ended = got == 0;
        z->in = (ZSTD_inBuffer){z->input, got, 0};
        z->base.raw_bytes = z->inner->raw_bytes;
        z->base.shrank = z->inner->shrank;
    }
    return status;
}

/* Decompresses once; *done where the input has ended at the end of a frame. */
static enum fst_status step(struct zstd_source *z, ZSTD_outBuffer *out, bool *done,
                            struct fst_error *err)
{
    bool starved = z->inner_ended && z->in.pos == z->in.size;
    if (starved && z->between) {
        *done = true;
        return FST_OK;
    }
    size_t out_before = out->pos;
    size_t hint = ZSTD_decompressStream(z->stream, out, &z->in);
    if (ZSTD_isError(hint)) {
        char what[96];
        (void)snprintf(what, sizeof what, "zstd data: %s", ZSTD_getErrorName(hint));
        return corrupt(z, what, err);
    }
    z->between = hint == 0;
    if (starved && !z->between && out->pos == out_before) {
        return corrupt(z, "unexpected end of zstd data", err);
    }
    return FST_OK;
}

static enum fst_status zstd_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                 struct fst_error *err)
{
    struct zstd_source *z = (struct zstd_source *)source;
    ZSTD_outBuffer out = {into, room, 0};
    enum fst_status status = FST_OK;
    bool done = false;
    while (status == FST_OK && !done && out.pos == 0) {
        status = refill(z, err);
        if (status == FST_OK) {
            status = step(z, &out, &done, err);
        }
    }
    *got = out.pos;
    z->text_bytes += out.pos;
    return status;
}

static void zstd_free(struct fst_source *source)
{
    struct zstd_source *z = (struct zstd_source *)source;
    ZSTD_freeDStream(z->stream);
    fst_source_free(z->inner);
    fst_free(z);
}

static const struct fst_source_ops zstd_ops = {.read = zstd_read, .free = zstd_free};

enum fst_status fst_zstd_wrap(struct fst_source *inner, struct fst_source **out,
                              struct fst_error *err)
{
    struct zstd_source *z = fst_alloc_zeroed(1, sizeof *z);
    if (z == NULL) {
        return fst_error_nomem(err);
    }
    z->stream = ZSTD_createDStream();
    if (z->stream == NULL ||
        ZSTD_isError(ZSTD_DCtx_setParameter(z->stream, ZSTD_d_windowLogMax, WINDOW_LOG_MOST))) {
        ZSTD_freeDStream(z->stream);
        fst_free(z);
        return fst_error_nomem(err);
    }
    z->base.ops = &zstd_ops;
    z->base.decoder = true;
    z->base.raw_size = inner->raw_size;
    z->inner = inner;
    z->between = true;
    *out = &z->base;
    return FST_OK;
}
