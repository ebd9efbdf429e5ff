/* The fast way through a text: ordinary lines, many at a time.
 *
 * A line is ordinary when it is a stack and one whole count of at most 14 digits, with nothing
 * around it that needs thought: no quotes but those of one process frame at its start, no comment,
 * no message of a profiler, no '\r'. Nearly all lines are. Any other line is left to the record
 * scanner (parse/record.h), and for an ordinary line both say the same. */
#ifndef FST_PARSE_LINES_H
#define FST_PARSE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"
#include "base/str.h"
#include "parse/marks.h"

/* One stack of a batch. */
struct fst_stack {
    struct fst_str text; /* all of it, without the count */
    uint64_t count;      /* whole samples */
    uint64_t line;       /* 1-based */
    uint32_t depth;      /* how many frames it has */
    uint32_t shared;     /* leading frames that it has in common with the stack before it */
    uint32_t first;      /* index of its first other frame in the batch's frames */
    uint32_t nframes;    /* how many others are there; at least 1 */
};

/* Stacks in the order of their lines; everything points into the text that was read, where at least
 * FST_LINES_SLACK bytes behind a frame may be read. The sum of the counts fits 63 bits. */
struct fst_batch {
    const struct fst_stack *stacks;
    size_t nstacks;
    const struct fst_str *frames; /* root first */
    size_t nframes;
    bool ends_only; /* shared is 0, and the leaf is the only frame */
};

/* A frame's end and this many bytes more are readable: its blank, its count, its newline, and what
 * follows. */
enum { FST_LINES_SLACK = 64 };

struct fst_lines {
    struct fst_marks marks;
    fst_marks_fn find_marks;
    bool ends_only;
    bool (*as_is)(struct fst_str stack); /* other stacks are not ordinary; NULL: all are */
    size_t room;                         /* how much text stacks and frames can be of */
    struct fst_stack *stacks;
    size_t nstacks;
    struct fst_str *frames;
    size_t nframes;
    struct fst_str before; /* the text of the stack before, while it is in the batch */
};

/* A cursor over the lines of a chunk of text. */
struct fst_lines_cursor {
    const char *base;
    size_t at;      /* offset of the line at hand */
    size_t line;    /* its number in marks.line_ends */
    size_t mark;    /* its first mark */
    uint32_t depth; /* semicolons before it, where they are counted */
    size_t quote;
};

/* ends_only: only leaves will be asked for; as_is: which stacks need no rewriting (NULL: none does).
 */
void fst_lines_init(struct fst_lines *lines, bool ends_only, bool (*as_is)(struct fst_str stack));
void fst_lines_release(struct fst_lines *lines);

/* Begins a chunk of at most FST_MARKS_TEXT bytes, with an empty batch; false without memory. */
bool fst_lines_begin(struct fst_lines *lines, struct fst_str chunk,
                     struct fst_lines_cursor *cursor);

/* Adds ordinary lines to the batch from the cursor on, numbered from *number + 1 on; stops at a
 * line that is none, or at the end of the whole lines of the chunk (false). readable is the end of
 * the bytes that may be read. */
bool fst_lines_take(struct fst_lines *lines, struct fst_lines_cursor *cursor, const char *readable,
                    uint64_t *number);

/* Moves the cursor behind a record that was read otherwise: to the line that begins at offset `at`,
 * which may lie behind the chunk. */
void fst_lines_skip(const struct fst_lines *lines, struct fst_lines_cursor *cursor, size_t at);

/* The batch so far. */
struct fst_batch fst_lines_batch(const struct fst_lines *lines);

/* Empties the batch. */
void fst_lines_clear(struct fst_lines *lines);

#endif
