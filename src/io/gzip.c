/* Members follow one another until the input ends:
 *
 *     in member --end of stream--> between --1f 8b--> in member
 *                                     |----zeros----> padding  --end--> done
 *                                     |----end------> done
 *                                     `----else-----> error
 */
#include "io/gzip.h"

#include "base/alloc.h"
#include "base/error.h"
#include "io/inflate.h"

enum { INPUT_SIZE = 64 * 1024 };

enum gzip_state { IN_MEMBER, BETWEEN, PADDING, DONE };

struct gzip_source {
    struct fst_source base;
    struct fst_source *inner;
    struct fst_inflater *inflater;
    struct fst_inflate_io io;
    enum gzip_state state;
    bool inner_ended;
    uint64_t text_bytes; /* given out so far */
    unsigned char input[INPUT_SIZE];
};

static enum fst_status corrupt(struct gzip_source *gz, const char *what, struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_CORRUPT,
                         "%s at byte %llu of the compressed data, after %llu bytes of text", what,
                         (unsigned long long)(gz->inner->raw_bytes - gz->io.in_len),
                         (unsigned long long)gz->text_bytes);
}

static enum fst_status refill(struct gzip_source *gz, struct fst_error *err)
{
    if (gz->io.in_len > 0 || gz->inner_ended) {
        return FST_OK;
    }
    size_t got = 0;
    enum fst_status status =
        fst_source_read(gz->inner, (char *)gz->input, sizeof gz->input, &got, err);
    if (status != FST_OK) {
        return status;
    }
    gz->inner_ended = got == 0;
    gz->io.in = gz->input;
    gz->io.in_len = got;
    gz->base.raw_bytes = gz->inner->raw_bytes;
    gz->base.shrank = gz->inner->shrank;
    return FST_OK;
}

/* Decompresses into the caller's buffer until something came out or the member ended. */
static enum fst_status inflate_some(struct gzip_source *gz, struct fst_error *err)
{
    switch (fst_inflate_run(gz->inflater, &gz->io)) {
    case FST_INFLATE_MORE: return FST_OK;
    case FST_INFLATE_END: gz->state = BETWEEN; return FST_OK;
    case FST_INFLATE_NOMEM: return fst_error_nomem(err);
    case FST_INFLATE_STUCK:
        return gz->inner_ended ? corrupt(gz, "unexpected end of gzip data", err) : FST_OK;
    default: return corrupt(gz, "corrupt gzip data", err);
    }
}

/* Decides what follows a member. */
static enum fst_status between(struct gzip_source *gz, struct fst_error *err)
{
    if (gz->io.in_len == 0) {
        gz->state = DONE;
        return FST_OK;
    }
    if (gz->io.in[0] == 0) {
        gz->state = PADDING;
        return FST_OK;
    }
    if (gz->io.in[0] != 0x1f) {
        return corrupt(gz, "garbage behind the gzip data", err);
    }
    fst_inflate_restart(gz->inflater);
    gz->state = IN_MEMBER;
    return FST_OK;
}

static enum fst_status skip_padding(struct gzip_source *gz, struct fst_error *err)
{
    for (; gz->io.in_len > 0; gz->io.in_len--, gz->io.in++) {
        if (gz->io.in[0] != 0) {
            return corrupt(gz, "garbage behind the gzip data", err);
        }
    }
    if (gz->inner_ended) {
        gz->state = DONE;
    }
    return FST_OK;
}

static enum fst_status gzip_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                 struct fst_error *err)
{
    struct gzip_source *gz = (struct gzip_source *)source;
    gz->io.out = (unsigned char *)into;
    gz->io.room = room;
    enum fst_status status = FST_OK;
    while (status == FST_OK && gz->state != DONE && gz->io.room == room) {
        status = refill(gz, err);
        if (status == FST_OK) {
            switch (gz->state) {
            case IN_MEMBER: status = inflate_some(gz, err); break;
            case BETWEEN: status = between(gz, err); break;
            case PADDING: status = skip_padding(gz, err); break;
            case DONE: break;
            }
        }
    }
    *got = room - gz->io.room;
    gz->text_bytes += *got;
    return *got > 0 && status == FST_ERR_CORRUPT ? FST_OK : status;
}

static void gzip_free(struct fst_source *source)
{
    struct gzip_source *gz = (struct gzip_source *)source;
    fst_inflate_free(gz->inflater);
    fst_source_free(gz->inner);
    fst_free(gz);
}

static const struct fst_source_ops gzip_ops = {.read = gzip_read, .free = gzip_free};

enum fst_status fst_gzip_wrap(struct fst_source *inner, struct fst_source **out,
                              struct fst_error *err)
{
    struct gzip_source *gz = fst_alloc_zeroed(1, sizeof *gz);
    if (gz == NULL) {
        return fst_error_nomem(err);
    }
    gz->inflater = fst_inflate_new();
    if (gz->inflater == NULL) {
        fst_free(gz);
        return fst_error_nomem(err);
    }
    gz->base.ops = &gzip_ops;
    gz->base.decoder = true;
    gz->base.raw_size = inner->raw_size;
    gz->inner = inner;
    *out = &gz->base;
    return FST_OK;
}
