/* What decompresses gzip members: zlib or, where the build asked for it, ISA-L, which is about three
 * times as fast on x86-64. Both check what a member says of its text. */
#ifndef FST_IO_INFLATE_H
#define FST_IO_INFLATE_H

#include <stddef.h>

struct fst_inflater;

/* Where bytes come from and go to; both move on as they are used. */
struct fst_inflate_io {
    const unsigned char *in;
    size_t in_len;
    unsigned char *out;
    size_t room;
};

enum fst_inflate_step {
    FST_INFLATE_MORE,
    FST_INFLATE_END,   /* the member ended, and its text is what it should be */
    FST_INFLATE_STUCK, /* nothing can be done without more input */
    FST_INFLATE_CORRUPT,
    FST_INFLATE_NOMEM
};

/* At the start of a member; NULL without memory. */
struct fst_inflater *fst_inflate_new(void);
void fst_inflate_free(struct fst_inflater *inflater);

/* Begins another member. */
void fst_inflate_restart(struct fst_inflater *inflater);

/* Decompresses some of a member. io->room is not 0. */
enum fst_inflate_step fst_inflate_run(struct fst_inflater *inflater, struct fst_inflate_io *io);

#endif
