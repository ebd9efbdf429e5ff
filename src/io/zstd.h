/* zstd (RFC 8878), also several frames one after another, through libzstd. Built only where
 * FST_HAVE_ZSTD is defined. */
#ifndef FST_IO_ZSTD_H
#define FST_IO_ZSTD_H

#include "io/source.h"

/* A source of the decompressed bytes of inner, which it owns on success. Reading fails with
 * FST_ERR_CORRUPT where the data ends early or is damaged. A frame that asks for a window of more
 * than 128 MiB is refused, so that memory stays bounded. */
enum fst_status fst_zstd_wrap(struct fst_source *inner, struct fst_source **out,
                              struct fst_error *err);

#endif
