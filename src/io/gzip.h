/* gzip (RFC 1952), also several members one after another. */
#ifndef FST_IO_GZIP_H
#define FST_IO_GZIP_H

#include "io/source.h"

/* A source of the decompressed bytes of inner, which it owns on success. Reading fails with
 * FST_ERR_CORRUPT where the data ends early, is damaged, or is followed by bytes that are neither
 * another member nor zero padding. */
enum fst_status fst_gzip_wrap(struct fst_source *inner, struct fst_source **out,
                              struct fst_error *err);

#endif
