#include "model/blocks.h"

#include "base/error.h"
#include "parse/cut.h"
#include "parse/parser.h"

/* The first blocks are small, so that a short text too is shared out. */
enum {
    FIRST_BLOCK = 16 * 1024,
    FILE_BLOCK = 4 * 1024 * 1024,
    STREAM_BLOCK = 256 * 1024,
    BORDER = 128 * 1024 /* of a block of a file, looked at for its end */
};

void fst_blocks_init(struct fst_blocks *blocks, struct fst_source *source,
                     const struct fst_read_options *options)
{
    *blocks = (struct fst_blocks){.source = source,
                                  .options = options,
                                  .file = fst_source_seeks(source),
                                  .size = FIRST_BLOCK};
}

void fst_blocks_release(struct fst_blocks *blocks)
{
    fst_buf_release(&blocks->rest);
}

bool fst_blocks_left(const struct fst_blocks *blocks)
{
    return !blocks->ended || blocks->rest.len > 0;
}

static void tell_progress(const struct fst_blocks *blocks)
{
    const struct fst_read_options *options = blocks->options;
    if (options->progress != NULL) {
        options->progress(options->progress_ctx, blocks->source->raw_bytes,
                          blocks->source->raw_size);
    }
}

/* Takes a block of a file: looks for its end before the place where it should be, in a border that
 * is as large as it takes, and else further on. */
static enum fst_status take_file(struct fst_blocks *blocks, struct fst_buf *buffer,
                                 struct fst_block *block, struct fst_error *err)
{
    uint64_t size = blocks->size;
    size_t cut = 0;
    for (size_t border = BORDER; cut == 0 && !blocks->ended; border *= 2, size *= 2) {
        size_t wanted = size < border ? (size_t)size : border;
        size_t got = 0;
        fst_buf_clear(buffer);
        if (!fst_buf_reserve(buffer, wanted)) {
            return fst_error_nomem(err);
        }
        block->len = size - wanted;
        enum fst_status status = fst_source_read_at(blocks->source, blocks->at + block->len,
                                                    buffer->data, wanted, &got, err);
        if (status != FST_OK) {
            return status;
        }
        blocks->ended = got < wanted;
        struct fst_str text = fst_str_of(buffer->data, got);
        cut = blocks->ended ? got : fst_cut_before(text, block->len == 0);
        block->len += cut;
    }
    block->at = blocks->at;
    blocks->at += block->len;
    blocks->source->raw_bytes = blocks->at;
    return FST_OK;
}

/* Reads until buffer holds so many bytes or the stream ends. */
static enum fst_status fill(struct fst_blocks *blocks, struct fst_buf *buffer, size_t wanted,
                            struct fst_error *err)
{
    while (!blocks->ended && buffer->len < wanted) {
        size_t got = 0;
        size_t room = wanted - buffer->len;
        if (!fst_buf_reserve(buffer, room)) {
            return fst_error_nomem(err);
        }
        enum fst_status status =
            fst_source_read(blocks->source, buffer->data + buffer->len, room, &got, err);
        if (status != FST_OK) {
            return status;
        }
        blocks->ended = got == 0;
        buffer->len += got;
        tell_progress(blocks);
    }
    return FST_OK;
}

/* How much to read of a stream to find a cut: no more than it takes to see that a line is too long, which
 * the buffer has room for before it is half as large, so that it need not double for one byte. */
static size_t enough(const struct fst_blocks *blocks, const struct fst_buf *buffer, size_t wanted)
{
    size_t most = fst_line_most(blocks->options);
    return buffer->len <= most && wanted > most / 2 ? most + 1 : wanted;
}

/* Takes a block of a stream: what the last one left over, and more. Behind a line that is too long,
 * as the parser will find, nothing is read. */
static enum fst_status take_stream(struct fst_blocks *blocks, struct fst_buf *buffer,
                                   struct fst_block *block, struct fst_error *err)
{
    fst_buf_swap(buffer, &blocks->rest);
    fst_buf_clear(&blocks->rest);
    size_t cut = 0;
    for (size_t wanted = blocks->size; cut == 0; wanted *= 2) {
        enum fst_status status = fill(blocks, buffer, enough(blocks, buffer, wanted), err);
        if (status != FST_OK) {
            return status;
        }
        blocks->ended = blocks->ended || fst_line_is_too_long(blocks->options, fst_buf_str(buffer));
        if (blocks->ended || buffer->len > FST_LINE_MOST) {
            cut = buffer->len;
            break;
        }
        cut = fst_cut_before(fst_buf_str(buffer), true);
    }
    block->bytes = fst_str_of(fst_buf_str(buffer).data, cut);
    block->len = cut;
    struct fst_str rest = fst_str_skip(fst_buf_str(buffer), cut);
    return fst_buf_add_str(&blocks->rest, rest) ? FST_OK : fst_error_nomem(err);
}

enum fst_status fst_blocks_take(struct fst_blocks *blocks, struct fst_buf *buffer,
                                struct fst_block *block, struct fst_error *err)
{
    size_t largest = blocks->file ? FILE_BLOCK : STREAM_BLOCK;
    enum fst_status status = blocks->file ? take_file(blocks, buffer, block, err)
                                          : take_stream(blocks, buffer, block, err);
    if (status == FST_OK) {
        blocks->size = blocks->size < largest / 2 ? blocks->size * 2 : largest;
        tell_progress(blocks);
    }
    return status;
}
