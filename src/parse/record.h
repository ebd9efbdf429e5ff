/* One record of a collapsed profile: usually one line, "frame;frame;frame N".
 *
 * The scanner looks at bytes that are there and says where the next record ends. It keeps nothing
 * from call to call but scratch memory, so that any cut of the input gives the same records: where
 * it cannot decide without more bytes it says so and is called again from the same place. */
#ifndef FST_PARSE_RECORD_H
#define FST_PARSE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "parse/tail.h"

/* How far a record reaches behind the line that it begins on: where the closing quote of a process
 * frame is looked for. */
enum { FST_LOOKAHEAD_LINES = 64, FST_LOOKAHEAD_BYTES = 64 * 1024 };

/* Names for stacks and frames that are empty in the file. */
#define FST_FRAME_NONE  FST_STR("[no Python frames]")
#define FST_FRAME_BARE  FST_STR("[no frames]") /* the same where Python has no part in it */
#define FST_FRAME_EMPTY FST_STR("[empty]")

enum fst_record_kind {
    FST_RECORD_BLANK,
    FST_RECORD_COMMENT, /* text: the line from its '#' */
    FST_RECORD_LOG,     /* text: the line without terminal codes */
    FST_RECORD_STACK,
    FST_RECORD_BAD
};

enum fst_record_result {
    FST_RECORD_FOUND,
    FST_RECORD_MORE, /* the record may go on behind the bytes that are there */
    FST_RECORD_NOMEM
};

struct fst_record {
    enum fst_record_kind kind;
    size_t size;    /* bytes of the record, its newline included */
    uint64_t lines; /* physical lines of it; 1 unless a quoted command line holds newlines */
    bool newline;   /* it ends in a newline, not in the end of the input */
    struct fst_str text;
    struct fst_str stack;         /* of a stack: all of it, as it is written; empty: no frames */
    const struct fst_str *frames; /* of a stack: root first; they point into the input */
    size_t nframes;               /* at least 1 */
    fst_i128 count;
    bool rounded; /* the count had more than 12 decimals */
    enum fst_bad_reason reason;
    struct fst_str line; /* of a bad record: its last physical line, without the line end */
    size_t mark;         /* offset of the offending token in that line */
    size_t mark_len;
};

struct fst_scanner {
    struct fst_tail_rule tail; /* how the counts stand at the end of a line; zeroed: one */
    struct fst_str *frames;    /* scratch for the stack at hand */
    size_t capacity;
};

/* The offset behind `process 123:"` at the start of text, or 0: a quote opens there. */
size_t fst_quote_opening(struct fst_str text);

void fst_scanner_release(struct fst_scanner *scanner);

/* Finds the record that begins at bytes.data. ended: no bytes follow. bytes must not be empty. */
enum fst_record_result fst_record_next(struct fst_scanner *scanner, struct fst_str bytes,
                                       bool ended, struct fst_record *out);

/* Splits the text of a stack into frames, as a record of it would be: they point into scratch, or are
 * static, and stand in the scanner. Returns how many, or 0 without memory. */
size_t fst_stack_split(struct fst_scanner *scanner, struct fst_str stack, struct fst_buf *scratch);

#endif
