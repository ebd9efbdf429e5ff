/* Output through a caller's write function, buffered, with an error that sticks: write as much as
 * you like and look at the end. */
#ifndef FST_IO_SINK_H
#define FST_IO_SINK_H

#include "base/buf.h"

struct fst_sink {
    fst_write_fn write;
    void *ctx;
    struct fst_buf buf; /* append to it freely; fst_sink_spill keeps it small */
    int sys_errno;      /* of the write that failed; 0: none */
};

void fst_sink_init(struct fst_sink *sink, fst_write_fn write, void *ctx);

/* Hands the buffer on if it has grown large. Call it after each row. */
void fst_sink_spill(struct fst_sink *sink);

/* Writes all bytes to a descriptor, however many calls it takes; returns 0, or errno. */
int fst_fd_write(int fd, const char *bytes, size_t len);

/* Hands everything on, releases the buffer and tells how it went. */
enum fst_status fst_sink_finish(struct fst_sink *sink, struct fst_error *err);

#endif
