/* Sorted stacks, one after another: from a table, a file on disk, a text that is sorted, or several of
 * these as one. The order is that of bytes. */
#ifndef FST_MODEL_STREAM_H
#define FST_MODEL_STREAM_H

#include "base/buf.h"

/* What every kind of stream begins with. */
struct fst_stream {
    /* Goes to the next stack; *more is false behind the last one. */
    enum fst_status (*next)(struct fst_stream *stream, bool *more, struct fst_error *err);
    struct fst_str text; /* of the stack at hand; valid until the next call */
    fst_i128 count;
};

static inline enum fst_status fst_stream_next(struct fst_stream *stream, bool *more,
                                              struct fst_error *err)
{
    return stream->next(stream, more, err);
}

/* Several streams as one: a stack that stands in some of them comes once, with the sum. Memory for the
 * stack at hand, and nothing else. */
struct fst_confluence {
    struct fst_stream base;
    struct fst_stream **heap; /* the caller's; the least first; those that have ended are gone */
    size_t count;
    struct fst_buf text;
    bool started;
};

/* streams is the caller's and is reordered; the streams stay the caller's. That sums fit is theirs to
 * see to. */
void fst_confluence_init(struct fst_confluence *confluence, struct fst_stream **streams,
                         size_t count);
void fst_confluence_release(struct fst_confluence *confluence);

#endif
