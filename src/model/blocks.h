/* A text in blocks, each of which can be read on its own.
 *
 * Taking a block of a file is to read a little around the place where it should end, and to find
 * where it may; its bytes are read later, a piece at a time, which stays in the core's cache.
 * Taking a block of a stream is to read, or decompress, it, and to keep what stands behind the
 * last place where it may end for the next one. */
#ifndef FST_MODEL_BLOCKS_H
#define FST_MODEL_BLOCKS_H

#include "base/buf.h"
#include "io/source.h"

/* A piece of the text: len bytes of a file, or a buffer full of a stream. */
struct fst_block {
    uint32_t number; /* the owner's */
    uint64_t at;     /* of a file: where it begins */
    uint64_t len;
    struct fst_str bytes; /* of a stream: in the buffer that it was taken into */
};

struct fst_blocks {
    struct fst_source *source;
    const struct fst_read_options *options; /* progress is told while blocks are taken */
    bool file;                              /* else a stream */
    bool ended;                             /* there is no more to read from the source */
    uint64_t at;                            /* of a file: where the next block begins */
    struct fst_buf rest;                    /* of a stream: what stands behind the last cut */
    size_t size;                            /* of the next block, about */
};

/* At the start of source, which must outlive the blocks, as options must. */
void fst_blocks_init(struct fst_blocks *blocks, struct fst_source *source,
                     const struct fst_read_options *options);
void fst_blocks_release(struct fst_blocks *blocks);

/* Takes the next block, with a buffer to read into; its length is 0 where there is none. By one
 * caller at a time. */
enum fst_status fst_blocks_take(struct fst_blocks *blocks, struct fst_buf *buffer,
                                struct fst_block *block, struct fst_error *err);

/* Whether there may be another block. */
bool fst_blocks_left(const struct fst_blocks *blocks);

#endif
