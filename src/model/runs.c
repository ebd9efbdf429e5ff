/* A file is a sequence of stacks, each
 *
 *     bytes in common with the one before   variable-length integer
 *     how many others follow                variable-length integer
 *     the count, twice                      variable-length integer; or 1, and 16 bytes of it
 *     the others
 *
 * The last stack has no mark: the file's length is known. */
#include "model/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/sink.h"

enum { ROOM = 64 * 1024, VARINT_MOST = 10, HEAD_MOST = 3 * VARINT_MOST + 16 };

struct fst_run {
    struct fst_stream base;
    int fd;
    unsigned level; /* 0: of a table; else of runs a level below */
    uint64_t size;
    uint64_t at;        /* of the file: where the bytes in the buffer end */
    struct fst_buf buf; /* bytes that were read; room while it is */
    size_t used;        /* of them */
    struct fst_buf text;
};

static void free_run(struct fst_run *run)
{
    if (run != NULL) {
        if (run->fd >= 0) {
            (void)close(run->fd);
        }
        fst_buf_release(&run->buf);
        fst_buf_release(&run->text);
        fst_free(run);
    }
}

void fst_runs_release(struct fst_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        free_run(runs->items[i]);
    }
    fst_free(runs->items);
    *runs = (struct fst_runs){.items = NULL};
}

/* A file that fails is want of room, like want of memory: no other input would do better. */
static enum fst_status no_file(const char *folder, int sys_errno, struct fst_error *err)
{
    struct fst_error why = {0};
    (void)fst_error_sys(&why, sys_errno, "");
    return fst_error_set(err, FST_ERR_NOMEM,
                         "a temporary file in %.200s: %.200s; TMPDIR names another folder", folder,
                         why.message);
}

/* --- writing ----------------------------------------------------------------------------------- */

/* Opens a file without a name; -1 with errno where that fails. */
static int open_nameless(const char *folder)
{
    enum { PRIVATE = 0600 };
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, PRIVATE);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) {
        return fd;
    }
    struct fst_buf path = {0};
    fst_buf_add_cstr(&path, folder);
    fst_buf_add(&path, "/foldstat-XXXXXX", sizeof "/foldstat-XXXXXX");
    fd = path.failed ? -1 : mkostemp(path.data, O_CLOEXEC);
    if (fd >= 0) {
        (void)unlink(path.data);
    }
    fst_buf_release(&path);
    return fd;
}

static int write_run(void *ctx, const char *bytes, size_t len)
{
    struct fst_run *run = ctx;
    run->size += len;
    return fst_fd_write(run->fd, bytes, len);
}

static void put_varint(struct fst_buf *out, uint64_t value)
{
    enum { BITS = 7, MORE = 0x80 };
    for (; value >= MORE; value >>= BITS) {
        fst_buf_add_char(out, (char)(unsigned char)(value | MORE));
    }
    fst_buf_add_char(out, (char)value);
}

static void put_count(struct fst_buf *out, fst_i128 count)
{
    if (count >= 0 && count <= (fst_i128)(UINT64_MAX / 2) * FST_COUNT_ONE &&
        fst_count_is_whole(count)) {
        put_varint(out, (uint64_t)(count / FST_COUNT_ONE) * 2);
    } else {
        put_varint(out, 1);
        fst_buf_add(out, (const char *)&count, sizeof count);
    }
}

static size_t common_start(struct fst_str a, struct fst_str b)
{
    size_t most = a.len < b.len ? a.len : b.len;
    size_t at = 0;
    while (at < most && a.data[at] == b.data[at]) {
        at++;
    }
    return at;
}

/* Writes a stack; run->text is the one before, and becomes this one. */
static bool put_stack(struct fst_run *run, struct fst_sink *sink, const struct fst_stream *stream)
{
    size_t common = common_start(fst_buf_str(&run->text), stream->text);
    struct fst_str rest = fst_str_skip(stream->text, common);
    put_varint(&sink->buf, common);
    put_varint(&sink->buf, rest.len);
    put_count(&sink->buf, stream->count);
    fst_buf_add_str(&sink->buf, rest);
    fst_sink_spill(sink);
    run->text.len = common;
    return fst_buf_add_str(&run->text, rest);
}

static enum fst_status fill_run(struct fst_run *run, struct fst_stream *stream, const char *folder,
                                struct fst_error *err)
{
    struct fst_sink sink;
    bool more = true;
    fst_sink_init(&sink, write_run, run);
    enum fst_status status = fst_stream_next(stream, &more, err);
    while (status == FST_OK && more && sink.sys_errno == 0) {
        status = put_stack(run, &sink, stream) ? fst_stream_next(stream, &more, err)
                                               : fst_error_nomem(err);
    }
    struct fst_error unwritten = {0};
    enum fst_status finished = fst_sink_finish(&sink, &unwritten);
    if (status != FST_OK || finished == FST_OK) {
        return status;
    }
    return finished == FST_ERR_IO ? no_file(folder, unwritten.sys_errno, err)
                                  : fst_error_nomem(err);
}

static enum fst_status keep(struct fst_runs *runs, struct fst_run *run, struct fst_error *err)
{
    void *items = runs->items;
    if (fst_grow(&items, &runs->capacity, runs->count + 1, sizeof(struct fst_run *)) != 0) {
        return fst_error_nomem(err);
    }
    runs->items = items;
    runs->items[runs->count++] = run;
    runs->bytes += run->size;
    return FST_OK;
}

static enum fst_status add_run(struct fst_runs *runs, struct fst_stream *stream, unsigned level,
                               const char *folder, struct fst_error *err)
{
    struct fst_run *run = fst_alloc_zeroed(1, sizeof *run);
    if (run == NULL) {
        return fst_error_nomem(err);
    }
    run->level = level;
    run->fd = open_nameless(folder);
    enum fst_status status =
        run->fd < 0 ? no_file(folder, errno, err) : fill_run(run, stream, folder, err);
    if (status == FST_OK) {
        status = keep(runs, run, err);
    }
    if (status != FST_OK) {
        free_run(run);
    }
    return status;
}

/* Moves the runs of a level behind all others; returns how many they are. */
static size_t gather_level(struct fst_runs *runs, unsigned level)
{
    size_t others = 0;
    for (size_t i = 0; i < runs->count; i++) {
        struct fst_run *run = runs->items[i];
        if (run->level != level) {
            runs->items[i] = runs->items[others];
            runs->items[others++] = run;
        }
    }
    return runs->count - others;
}

/* Makes one run of the last ones. */
static enum fst_status unite(struct fst_runs *runs, size_t count, const char *folder,
                             struct fst_error *err)
{
    struct fst_runs last = {.items = runs->items + (runs->count - count), .count = count};
    struct fst_stream **streams = fst_alloc((count + 1) * sizeof(struct fst_stream *));
    struct fst_confluence all = {.count = 0};
    enum fst_status status =
        streams == NULL ? fst_error_nomem(err) : fst_runs_open(&last, streams, err);
    if (status == FST_OK) {
        fst_confluence_init(&all, streams, count);
        status = add_run(runs, &all.base, last.items[0]->level + 1, folder, err);
    }
    fst_confluence_release(&all);
    fst_free(streams);
    if (status != FST_OK) {
        return status;
    }
    struct fst_run *one = runs->items[--runs->count];
    for (size_t i = 0; i < count; i++) {
        struct fst_run *run = runs->items[--runs->count];
        runs->bytes -= run->size;
        free_run(run);
    }
    runs->items[runs->count++] = one;
    return FST_OK;
}

/* Unites levels that are full, from the lowest one on. */
static enum fst_status unite_levels(struct fst_runs *runs, const char *folder,
                                    struct fst_error *err)
{
    enum fst_status status = FST_OK;
    unsigned highest = 0;
    for (size_t i = 0; i < runs->count; i++) {
        highest = runs->items[i]->level > highest ? runs->items[i]->level : highest;
    }
    for (unsigned level = 0; status == FST_OK && level <= highest; level++) {
        size_t count = gather_level(runs, level);
        if (count >= FST_RUNS_MOST) {
            status = unite(runs, count, folder, err);
            highest += level == highest;
        }
    }
    return status;
}

enum fst_status fst_runs_add(struct fst_runs *runs, struct fst_stream *stream, const char *folder,
                             struct fst_error *err)
{
    enum fst_status status = add_run(runs, stream, 0, folder, err);
    return status == FST_OK ? unite_levels(runs, folder, err) : status;
}

enum fst_status fst_runs_take(struct fst_runs *into, struct fst_runs *from, const char *folder,
                              struct fst_error *err)
{
    enum fst_status status = FST_OK;
    while (from->count > 0 && status == FST_OK) {
        status = keep(into, from->items[from->count - 1], err);
        from->count -= status == FST_OK;
    }
    if (status == FST_OK) {
        status = unite_levels(into, folder, err);
    }
    fst_runs_release(from);
    return status;
}

/* --- reading ----------------------------------------------------------------------------------- */

/* Has at least `need` bytes in the buffer, or all that are left of the file. */
static enum fst_status fetch(struct fst_run *run, size_t need, struct fst_error *err)
{
    if (run->buf.len - run->used >= need) {
        return FST_OK;
    }
    fst_buf_consume(&run->buf, run->used);
    run->used = 0;
    size_t wanted = need < ROOM ? ROOM : need;
    while (run->buf.len < need && run->at < run->size) {
        if (!fst_buf_reserve(&run->buf, wanted - run->buf.len)) {
            return fst_error_nomem(err);
        }
        ssize_t n =
            pread(run->fd, run->buf.data + run->buf.len, wanted - run->buf.len, (off_t)run->at);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return fst_error_sys(err, n == 0 ? EIO : errno, "reading a temporary file");
        }
        if (n > 0) {
            run->buf.len += (size_t)n;
            run->at += (uint64_t)n;
        }
    }
    return FST_OK;
}

static uint64_t take_varint(struct fst_run *run)
{
    enum { BITS = 7, MORE = 0x80 };
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += BITS) {
        unsigned char byte = (unsigned char)run->buf.data[run->used++];
        value |= (uint64_t)(byte & (MORE - 1)) << shift;
        if (byte < MORE) {
            return value;
        }
    }
}

static fst_i128 take_count(struct fst_run *run)
{
    uint64_t twice = take_varint(run);
    fst_i128 count = (fst_i128)(twice / 2) * FST_COUNT_ONE;
    if (twice == 1) {
        memcpy(&count, run->buf.data + run->used, sizeof count);
        run->used += sizeof count;
    }
    return count;
}

static enum fst_status next_of_run(struct fst_stream *stream, bool *more, struct fst_error *err)
{
    struct fst_run *run = (struct fst_run *)stream;
    enum fst_status status = fetch(run, HEAD_MOST, err);
    *more = run->used < run->buf.len;
    if (status != FST_OK || !*more) {
        return status;
    }
    run->text.len = (size_t)take_varint(run);
    size_t rest = (size_t)take_varint(run);
    stream->count = take_count(run);
    status = fetch(run, rest, err);
    if (status == FST_OK && !fst_buf_add(&run->text, run->buf.data + run->used, rest)) {
        status = fst_error_nomem(err);
    }
    run->used += rest;
    stream->text = fst_buf_str(&run->text);
    return status;
}

enum fst_status fst_runs_open(const struct fst_runs *runs, struct fst_stream **out,
                              struct fst_error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct fst_run *run = runs->items[i];
        run->base.next = next_of_run;
        run->at = 0;
        run->used = 0;
        fst_buf_clear(&run->buf);
        fst_buf_clear(&run->text);
        if (!fst_buf_reserve(&run->buf, ROOM)) {
            return fst_error_nomem(err);
        }
        out[i] = &run->base;
    }
    return FST_OK;
}
