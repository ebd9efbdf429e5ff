#include "io/packer.h"

#include <errno.h>

#define ZLIB_CONST
#include <zlib.h>
#ifdef FST_HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/alloc.h"
#include "base/error.h"

enum {
    ROOM = 64 * 1024,
    GZIP_WINDOW = 15 + 16,
    GZIP_MEMORY = 8,
    PIECE_MOST = 1 << 30 /* zlib counts in 32 bits */
};

struct fst_packer {
    enum fst_packing packing;
    fst_write_fn write;
    void *ctx;
    z_stream z;
#ifdef FST_HAVE_ZSTD
    ZSTD_CStream *zstd;
#endif
    char room[ROOM];
};

enum fst_packing fst_packing_of(const char *path)
{
    struct fst_str name = fst_str_cstr(path);
    if (fst_str_ends(name, FST_STR(".gz"))) {
        return FST_PACK_GZIP;
    }
    return fst_str_ends(name, FST_STR(".zst")) ? FST_PACK_ZSTD : FST_PACK_NOTHING;
}

/* --- gzip -------------------------------------------------------------------------------------- */

static int deflate_all(struct fst_packer *packer, int flush)
{
    z_stream *z = &packer->z;
    do {
        z->next_out = (unsigned char *)packer->room;
        z->avail_out = ROOM;
        if (deflate(z, flush) == Z_STREAM_ERROR) {
            return EINVAL;
        }
        size_t made = ROOM - z->avail_out;
        int failure = made > 0 ? packer->write(packer->ctx, packer->room, made) : 0;
        if (failure != 0) {
            return failure;
        }
    } while (z->avail_out == 0);
    return 0;
}

static int gzip_write(struct fst_packer *packer, const char *bytes, size_t len)
{
    int failure = 0;
    while (failure == 0 && len > 0) {
        size_t piece = len < PIECE_MOST ? len : PIECE_MOST;
        packer->z.next_in = (const unsigned char *)bytes;
        packer->z.avail_in = (uInt)piece;
        failure = deflate_all(packer, Z_NO_FLUSH);
        bytes += piece;
        len -= piece;
    }
    return failure;
}

/* --- zstd -------------------------------------------------------------------------------------- */

#ifdef FST_HAVE_ZSTD

static bool zstd_begin(struct fst_packer *packer)
{
    packer->zstd = ZSTD_createCStream();
    return packer->zstd != NULL;
}

static int zstd_pack(struct fst_packer *packer, ZSTD_inBuffer in, ZSTD_EndDirective end)
{
    bool done = false;
    while (!done) {
        ZSTD_outBuffer out = {packer->room, ROOM, 0};
        size_t left = ZSTD_compressStream2(packer->zstd, &out, &in, end);
        if (ZSTD_isError(left)) {
            return ENOMEM;
        }
        int failure = out.pos > 0 ? packer->write(packer->ctx, packer->room, out.pos) : 0;
        if (failure != 0) {
            return failure;
        }
        done = end == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
    return 0;
}

static int zstd_write(struct fst_packer *packer, const char *bytes, size_t len)
{
    return zstd_pack(packer, (ZSTD_inBuffer){bytes, len, 0}, ZSTD_e_continue);
}

static int zstd_finish(struct fst_packer *packer)
{
    return zstd_pack(packer, (ZSTD_inBuffer){NULL, 0, 0}, ZSTD_e_end);
}

static void zstd_free(struct fst_packer *packer)
{
    (void)ZSTD_freeCStream(packer->zstd);
}

#else

static bool zstd_begin(struct fst_packer *packer)
{
    (void)packer;
    return false;
}

static int zstd_write(struct fst_packer *packer, const char *bytes, size_t len)
{
    (void)packer;
    (void)bytes;
    (void)len;
    return EINVAL;
}

static int zstd_finish(struct fst_packer *packer)
{
    (void)packer;
    return EINVAL;
}

static void zstd_free(struct fst_packer *packer)
{
    (void)packer;
}

#endif

/* --- both -------------------------------------------------------------------------------------- */

static bool can_pack(enum fst_packing packing)
{
#ifdef FST_HAVE_ZSTD
    (void)packing;
    return true;
#else
    return packing != FST_PACK_ZSTD;
#endif
}

static bool begin(struct fst_packer *packer)
{
    switch (packer->packing) {
    case FST_PACK_GZIP:
        return deflateInit2(&packer->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    case FST_PACK_ZSTD: return zstd_begin(packer);
    default: return true;
    }
}

enum fst_status fst_packer_new(enum fst_packing packing, fst_write_fn write, void *ctx,
                               struct fst_packer **out, struct fst_error *err)
{
    if (!can_pack(packing)) {
        return fst_error_set(err, FST_ERR_FORMAT,
                             "this build writes no zstd; a name that ends in .gz makes gzip");
    }
    struct fst_packer *packer = fst_alloc_zeroed(1, sizeof *packer);
    if (packer == NULL) {
        return fst_error_nomem(err);
    }
    packer->packing = packing;
    packer->write = write;
    packer->ctx = ctx;
    if (!begin(packer)) {
        fst_free(packer);
        return fst_error_nomem(err);
    }
    *out = packer;
    return FST_OK;
}

int fst_packer_write(void *ctx, const char *bytes, size_t len)
{
    struct fst_packer *packer = ctx;
    switch (packer->packing) {
    case FST_PACK_GZIP: return gzip_write(packer, bytes, len);
    case FST_PACK_ZSTD: return zstd_write(packer, bytes, len);
    default: return packer->write(packer->ctx, bytes, len);
    }
}

int fst_packer_finish(struct fst_packer *packer)
{
    switch (packer->packing) {
    case FST_PACK_GZIP: packer->z.avail_in = 0; return deflate_all(packer, Z_FINISH);
    case FST_PACK_ZSTD: return zstd_finish(packer);
    default: return 0;
    }
}

void fst_packer_free(struct fst_packer *packer)
{
    if (packer == NULL) {
        return;
    }
    if (packer->packing == FST_PACK_GZIP) {
        (void)deflateEnd(&packer->z);
    } else if (packer->packing == FST_PACK_ZSTD) {
        zstd_free(packer);
    }
    fst_free(packer);
}
