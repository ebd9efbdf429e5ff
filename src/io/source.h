/* Bytes from somewhere: a file, a pipe, memory, or the text inside a compressed source.
 *
 * A source is pulled: read fills the caller's buffer. Sources stack: fst_source_decode looks at the
 * first bytes of a source and, where they are those of a compression, returns a source of the
 * decompressed bytes, which owns the first one. */
#ifndef FST_IO_SOURCE_H
#define FST_IO_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Enough bytes for every magic number. */
enum { FST_PEEK_MAX = 272 };

struct fst_source;

struct fst_source_ops {
    /* Reads at least one byte unless the end is reached: *got is 0 only there. */
    enum fst_status (*read)(struct fst_source *source, char *into, size_t room, size_t *got,
                            struct fst_error *err);
    void (*free)(struct fst_source *source);
    /* Reads up to room bytes that stand `offset` bytes behind the first one, from any thread and
     * without moving; *got is less than room only at the end. NULL: it cannot. */
    enum fst_status (*read_at)(struct fst_source *source, uint64_t offset, char *into, size_t room,
                               size_t *got, struct fst_error *err);
};

/* What every kind of source begins with. */
struct fst_source {
    const struct fst_source_ops *ops;
    uint64_t raw_bytes;        /* read so far from the file, pipe or memory at the bottom */
    uint64_t raw_size;         /* size of that file; 0: unknown */
    atomic_bool shrank;        /* it ended before that size, which it had when it was opened */
    char peeked[FST_PEEK_MAX]; /* bytes that were looked at and not yet read */
    size_t peek_len;
    bool decoder; /* gives out what another source has compressed */
};

/* Opens a file for reading. */
enum fst_status fst_source_open(const char *path, struct fst_source **out, struct fst_error *err);

/* Reads from a descriptor, which stays the caller's. */
enum fst_status fst_source_fd(int fd, struct fst_source **out, struct fst_error *err);

/* Reads from memory, which must outlive the source. */
enum fst_status fst_source_memory(struct fst_str bytes, struct fst_source **out,
                                  struct fst_error *err);

/* Wraps *source in a decoder if its first bytes ask for one. On failure *source is still the
 * caller's to free. */
enum fst_status fst_source_decode(struct fst_source **source, struct fst_error *err);

/* The next bytes (at most FST_PEEK_MAX, fewer only at the end), which a later read returns again.
 * They are valid until the next call on the source. */
enum fst_status fst_source_peek(struct fst_source *source, struct fst_str *out,
                                struct fst_error *err);

/* Reads up to room bytes; *got is 0 only at the end. */
enum fst_status fst_source_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                struct fst_error *err);

/* Whether fst_source_read_at can be used: on a file of which nothing was read yet. */
bool fst_source_seeks(const struct fst_source *source);

/* Reads up to room bytes from `offset` on, counted from where the source began; *got is less than
 * room only at the end. Does not change what fst_source_read reads. May be called by several
 * threads at once. */
enum fst_status fst_source_read_at(struct fst_source *source, uint64_t offset, char *into,
                                   size_t room, size_t *got, struct fst_error *err);

/* NULL is fine. */
void fst_source_free(struct fst_source *source);

#endif
