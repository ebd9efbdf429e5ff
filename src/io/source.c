#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "io/gzip.h"
#ifdef FST_HAVE_ZSTD
#include "io/zstd.h"
#endif

/* A pipe of the usual 64 KiB makes reader and writer wait for each other. */
enum { PIPE_SIZE = 1 << 20 };

struct file_source {
    struct fst_source base;
    int fd;
    bool owned;
    off_t start; /* where reading began */
};

/* Notes that a file ended `done` bytes behind where reading began. */
static void note_end(struct file_source *file, uint64_t done)
{
    if (file->start >= 0 && (uint64_t)file->start + done < file->base.raw_size) {
        file->base.shrank = true;
    }
}

static enum fst_status file_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                 struct fst_error *err)
{
    struct file_source *file = (struct file_source *)source;
    ssize_t n;
    do {
        n = read(file->fd, into, room);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return fst_error_sys(err, errno, "");
    }
    *got = (size_t)n;
    source->raw_bytes += (uint64_t)n;
    if (n == 0 && room > 0) {
        note_end(file, source->raw_bytes);
    }
    return FST_OK;
}

static enum fst_status file_read_at(struct fst_source *source, uint64_t offset, char *into,
                                    size_t room, size_t *got, struct fst_error *err)
{
    struct file_source *file = (struct file_source *)source;
    *got = 0;
    while (*got < room) {
        off_t at = file->start + (off_t)(offset + *got);
        ssize_t n = pread(file->fd, into + *got, room - *got, at);
        if (n < 0 && errno != EINTR) {
            return fst_error_sys(err, errno, "");
        }
        if (n == 0) {
            note_end(file, offset + *got);
            break;
        }
        *got += n > 0 ? (size_t)n : 0;
    }
    return FST_OK;
}

static void file_free(struct fst_source *source)
{
    struct file_source *file = (struct file_source *)source;
    if (file->owned) {
        close(file->fd);
    }
    fst_free(file);
}

static const struct fst_source_ops file_ops = {.read = file_read, .free = file_free};
static const struct fst_source_ops seeking_file_ops = {
    .read = file_read, .free = file_free, .read_at = file_read_at};

static enum fst_status make_file(int fd, bool owned, struct fst_source **out, struct fst_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return fst_error_sys(err, errno, "");
    }
    if (S_ISDIR(info.st_mode)) {
        return fst_error_sys(err, EISDIR, "");
    }
    struct file_source *file = fst_alloc_zeroed(1, sizeof *file);
    if (file == NULL) {
        return fst_error_nomem(err);
    }
    if (S_ISFIFO(info.st_mode)) {
        (void)fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE); /* where it may not be, it works as well */
    }
    file->start = S_ISREG(info.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    file->base.ops = file->start >= 0 ? &seeking_file_ops : &file_ops;
    file->base.raw_size = S_ISREG(info.st_mode) && info.st_size > 0 ? (uint64_t)info.st_size : 0;
    file->fd = fd;
    file->owned = owned;
    *out = &file->base;
    return FST_OK;
}

enum fst_status fst_source_open(const char *path, struct fst_source **out, struct fst_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fst_error_sys(err, errno, "");
    }
    enum fst_status status = make_file(fd, true, out, err);
    if (status != FST_OK) {
        close(fd);
    }
    return status;
}

enum fst_status fst_source_fd(int fd, struct fst_source **out, struct fst_error *err)
{
    return make_file(fd, false, out, err);
}

struct memory_source {
    struct fst_source base;
    struct fst_str left;
};

static enum fst_status memory_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                   struct fst_error *err)
{
    (void)err;
    struct memory_source *memory = (struct memory_source *)source;
    size_t n = memory->left.len < room ? memory->left.len : room;
    if (n > 0) {
        memcpy(into, memory->left.data, n);
        memory->left = fst_str_skip(memory->left, n);
    }
    *got = n;
    source->raw_bytes += n;
    return FST_OK;
}

static void memory_free(struct fst_source *source)
{
    fst_free(source);
}

static const struct fst_source_ops memory_ops = {.read = memory_read, .free = memory_free};

enum fst_status fst_source_memory(struct fst_str bytes, struct fst_source **out,
                                  struct fst_error *err)
{
    struct memory_source *memory = fst_alloc_zeroed(1, sizeof *memory);
    if (memory == NULL) {
        return fst_error_nomem(err);
    }
    memory->base.ops = &memory_ops;
    memory->base.raw_size = bytes.len;
    memory->left = bytes;
    *out = &memory->base;
    return FST_OK;
}

enum fst_status fst_source_peek(struct fst_source *source, struct fst_str *out,
                                struct fst_error *err)
{
    while (source->peek_len < FST_PEEK_MAX) {
        size_t got = 0;
        enum fst_status status = source->ops->read(source, source->peeked + source->peek_len,
                                                   FST_PEEK_MAX - source->peek_len, &got, err);
        if (status != FST_OK) {
            return status;
        }
        if (got == 0) {
            break;
        }
        source->peek_len += got;
    }
    *out = fst_str_of(source->peeked, source->peek_len);
    return FST_OK;
}

enum fst_status fst_source_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                struct fst_error *err)
{
    if (source->peek_len == 0) {
        return source->ops->read(source, into, room, got, err);
    }
    size_t n = source->peek_len < room ? source->peek_len : room;
    memcpy(into, source->peeked, n);
    source->peek_len -= n;
    memmove(source->peeked, source->peeked + n, source->peek_len);
    *got = n;
    return FST_OK;
}

bool fst_source_seeks(const struct fst_source *source)
{
    /* Nothing but what was peeked at may have been read: offsets are counted from the start. */
    return source->ops->read_at != NULL && source->raw_bytes == source->peek_len;
}

enum fst_status fst_source_read_at(struct fst_source *source, uint64_t offset, char *into,
                                   size_t room, size_t *got, struct fst_error *err)
{
    return source->ops->read_at(source, offset, into, room, got, err);
}

static bool is_gzip(struct fst_str head)
{
    return fst_str_starts(head, FST_STR("\x1f\x8b"));
}

#ifdef FST_HAVE_ZSTD
/* A frame, or one of the sixteen skippable ones, which parallel compressors put first. */
static bool is_zstd(struct fst_str head)
{
    bool skippable = head.len >= 4 && ((unsigned char)head.data[0] & 0xf0) == 0x50 &&
                     memcmp(head.data + 1, "\x2a\x4d\x18", 3) == 0;
    return skippable || fst_str_starts(head, FST_STR("\x28\xb5\x2f\xfd"));
}
#endif

/* The decoders, by the first bytes that ask for them. */
static const struct decoder {
    bool (*fits)(struct fst_str head);
    enum fst_status (*wrap)(struct fst_source *inner, struct fst_source **out,
                            struct fst_error *err);
} decoders[] = {
    {is_gzip, fst_gzip_wrap},
#ifdef FST_HAVE_ZSTD
    {is_zstd, fst_zstd_wrap},
#endif
};

enum fst_status fst_source_decode(struct fst_source **source, struct fst_error *err)
{
    struct fst_str head;
    enum fst_status status = fst_source_peek(*source, &head, err);
    if (status != FST_OK) {
        return status;
    }
    for (size_t i = 0; i < FST_COUNT_OF(decoders); i++) {
        if (decoders[i].fits(head)) {
            return decoders[i].wrap(*source, source, err);
        }
    }
    return FST_OK;
}

void fst_source_free(struct fst_source *source)
{
    if (source != NULL) {
        source->ops->free(source);
    }
}
