/* Output on its way through a compressor: what is written to a packer reaches another write function
 * as gzip or zstd. The same bytes are packed alike, wherever they are cut; no time or name is kept. */
#ifndef FST_IO_PACKER_H
#define FST_IO_PACKER_H

#include "base/str.h"

enum fst_packing { FST_PACK_NOTHING = 0, FST_PACK_GZIP, FST_PACK_ZSTD };

/* What the end of a file's name asks for: ".gz", ".zst". */
enum fst_packing fst_packing_of(const char *path);

struct fst_packer;

/* A packer that hands on to write. Errors: FORMAT where this build has no zstd, NOMEM. */
enum fst_status fst_packer_new(enum fst_packing packing, fst_write_fn write, void *ctx,
                               struct fst_packer **out, struct fst_error *err);

/* Takes bytes; an fst_write_fn whose ctx is the packer. Returns 0, the errno of the write function
 * behind it, or ENOMEM. */
int fst_packer_write(void *ctx, const char *bytes, size_t len);

/* Hands on what is left, with the end mark. Returns as fst_packer_write does. */
int fst_packer_finish(struct fst_packer *packer);

/* NULL is fine. */
void fst_packer_free(struct fst_packer *packer);

#endif
