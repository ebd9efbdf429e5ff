#include "io/sink.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

enum { SPILL_AT = 64 * 1024 };

void fst_sink_init(struct fst_sink *sink, fst_write_fn write, void *ctx)
{
    *sink = (struct fst_sink){.write = write, .ctx = ctx};
}

static void hand_on(struct fst_sink *sink)
{
    if (sink->sys_errno == 0 && sink->buf.len > 0) {
        sink->sys_errno = sink->write(sink->ctx, sink->buf.data, sink->buf.len);
    }
    fst_buf_clear(&sink->buf);
}

void fst_sink_spill(struct fst_sink *sink)
{
    if (sink->buf.len >= SPILL_AT) {
        hand_on(sink);
    }
}

enum fst_status fst_sink_finish(struct fst_sink *sink, struct fst_error *err)
{
    bool failed = sink->buf.failed;
    if (!failed) {
        hand_on(sink);
    }
    fst_buf_release(&sink->buf);
    if (failed) {
        return fst_error_nomem(err);
    }
    return sink->sys_errno == 0 ? FST_OK : fst_error_sys(err, sink->sys_errno, "");
}

int fst_fd_write(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return 0;
}
