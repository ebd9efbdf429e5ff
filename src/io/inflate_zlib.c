#include <limits.h>
#define ZLIB_CONST
#include <zlib.h>

#include "base/alloc.h"
#include "io/inflate.h"

enum { GZIP_WINDOW = 15 + 16 };

struct fst_inflater {
    z_stream z;
};

struct fst_inflater *fst_inflate_new(void)
{
    struct fst_inflater *inflater = fst_alloc_zeroed(1, sizeof *inflater);
    if (inflater != NULL && inflateInit2(&inflater->z, GZIP_WINDOW) != Z_OK) {
        fst_free(inflater);
        return NULL;
    }
    return inflater;
}

void fst_inflate_free(struct fst_inflater *inflater)
{
    if (inflater != NULL) {
        inflateEnd(&inflater->z);
        fst_free(inflater);
    }
}

void fst_inflate_restart(struct fst_inflater *inflater)
{
    (void)inflateReset(&inflater->z);
}

static uInt bounded(size_t size)
{
    return size > UINT_MAX / 2 ? UINT_MAX / 2 : (uInt)size;
}

enum fst_inflate_step fst_inflate_run(struct fst_inflater *inflater, struct fst_inflate_io *io)
{
    z_stream *z = &inflater->z;
    z->next_in = io->in;
    z->avail_in = bounded(io->in_len);
    z->next_out = io->out;
    z->avail_out = bounded(io->room);
    int code = inflate(z, Z_NO_FLUSH);
    io->in_len -= (size_t)(z->next_in - io->in);
    io->in = z->next_in;
    io->room -= (size_t)(z->next_out - io->out);
    io->out = z->next_out;
    switch (code) {
    case Z_OK: return FST_INFLATE_MORE;
    case Z_STREAM_END: return FST_INFLATE_END;
    case Z_BUF_ERROR: return FST_INFLATE_STUCK;
    case Z_MEM_ERROR: return FST_INFLATE_NOMEM;
    default: return FST_INFLATE_CORRUPT;
    }
}
