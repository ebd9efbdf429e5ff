#include "model/stream.h"

#include "base/error.h"

static bool comes_before(const struct fst_stream *a, const struct fst_stream *b)
{
    return fst_str_cmp(a->text, b->text) < 0;
}

/* Moves the stream at a place of the heap down to where it belongs. */
static void sink_down(struct fst_confluence *c, size_t at)
{
    struct fst_stream *moved = c->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= c->count) {
            break;
        }
        child += child + 1 < c->count && comes_before(c->heap[child + 1], c->heap[child]);
        if (!comes_before(c->heap[child], moved)) {
            break;
        }
        c->heap[at] = c->heap[child];
        at = child;
    }
    c->heap[at] = moved;
}

/* Lets the least stream go on, or drops it at its end. */
static enum fst_status advance_least(struct fst_confluence *c, struct fst_error *err)
{
    bool more = false;
    enum fst_status status = fst_stream_next(c->heap[0], &more, err);
    if (status != FST_OK) {
        return status;
    }
    if (!more) {
        c->heap[0] = c->heap[--c->count];
    }
    if (c->count > 0) {
        sink_down(c, 0);
    }
    return FST_OK;
}

/* Goes to the first stack of every stream, and makes the heap of those that have one. */
static enum fst_status start(struct fst_confluence *c, struct fst_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        bool more = false;
        enum fst_status status = fst_stream_next(c->heap[i], &more, err);
        if (status != FST_OK) {
            return status;
        }
        if (more) {
            c->heap[kept++] = c->heap[i];
        }
    }
    c->count = kept;
    c->started = true;
    for (size_t i = kept / 2; i-- > 0;) {
        sink_down(c, i);
    }
    return FST_OK;
}

/* Sums up the stack that is the least, over all streams that have it. */
static enum fst_status gather(struct fst_confluence *c, struct fst_error *err)
{
    fst_buf_clear(&c->text);
    if (!fst_buf_add_str(&c->text, c->heap[0]->text)) {
        return fst_error_nomem(err);
    }
    c->base.text = fst_buf_str(&c->text);
    c->base.count = 0;
    enum fst_status status = FST_OK;
    while (status == FST_OK && c->count > 0 && fst_str_eq(c->heap[0]->text, c->base.text)) {
        c->base.count += c->heap[0]->count;
        status = advance_least(c, err);
    }
    return status;
}

static enum fst_status next(struct fst_stream *stream, bool *more, struct fst_error *err)
{
    struct fst_confluence *c = (struct fst_confluence *)stream;
    enum fst_status status = c->started ? FST_OK : start(c, err);
    *more = c->count > 0;
    return status == FST_OK && *more ? gather(c, err) : status;
}

void fst_confluence_init(struct fst_confluence *confluence, struct fst_stream **streams,
                         size_t count)
{
    *confluence = (struct fst_confluence){.base = {.next = next}, .heap = streams, .count = count};
}

void fst_confluence_release(struct fst_confluence *confluence)
{
    fst_buf_release(&confluence->text);
}
