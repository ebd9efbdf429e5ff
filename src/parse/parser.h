/* Text in pieces to samples.
 *
 * The parser takes bytes as they come (feed) and hands each stack on once it is whole. It first
 * holds the text back until it can tell the dialect (FST_SNIFF_LINES lines, FST_SNIFF_BYTES bytes
 * or the end), announces it, and then needs memory for one record only. The same text gives the
 * same calls however it is cut. */
#ifndef FST_PARSE_PARSER_H
#define FST_PARSE_PARSER_H

#include "base/buf.h"
#include "parse/dialect.h"
#include "parse/lines.h"
#include "parse/logline.h"
#include "parse/record.h"

/* Longer lines are refused: nothing that ends in memory has them, and a bomb of compressed zeros
 * does. */
#define FST_LINE_MOST ((size_t)512 * 1024 * 1024)

/* One stack with its count; valid during the call only. */
struct fst_sample {
    const struct fst_str *frames; /* root first */
    size_t nframes;               /* at least 1 */
    fst_i128 count;               /* scaled, see base/count.h */
    uint64_t line;                /* where its record begins, 1-based */
    struct fst_lead lead;         /* the frames at the start that name process and thread */
};

/* Where samples go. A status other than FST_OK stops the parser, which returns it. */
struct fst_parser_sink {
    void *ctx;
    enum fst_status (*grammar)(void *ctx, const struct fst_grammar *grammar,
                               struct fst_error *err); /* once, before the first sample */
    enum fst_status (*sample)(void *ctx, const struct fst_sample *sample, struct fst_error *err);
    /* Ordinary stacks, many at a time, in their order among the samples; NULL: they too are handed
     * on as samples. */
    enum fst_status (*batch)(void *ctx, const struct fst_batch *batch, struct fst_error *err);
    bool ends_only; /* batches need leaves alone */
};

struct fst_parser {
    struct fst_parser_sink sink;
    struct fst_read_options options;
    struct fst_grammar grammar; /* once told */
    bool started;               /* the byte order mark has been looked for */
    bool told;                  /* the dialect is known and announced */
    size_t head_lines;          /* newlines in carry while the dialect is not told */
    struct fst_buf carry;       /* bytes of records that are not whole yet */
    size_t retry_at;            /* length of carry below which it is not looked at again */
    struct fst_scanner scanner;
    struct fst_lines lines;
    bool fast; /* the grammar has ordinary lines; else every record goes through the scanner */
    struct fst_str *unrolled; /* scratch: the frames of a stack of a batch, for a sink of samples */
    size_t unrolled_capacity;
    struct fst_buf reshaped; /* new text of the stack at hand */
    struct fst_recording recording;
    struct fst_input *stats;                     /* the caller's; counted into */
    struct fst_buf excerpts[FST_BAD_LINES_KEPT]; /* bytes behind stats->bad */
};

/* Prepares a parser that counts lines into stats, which must be zeroed and outlive it. */
void fst_parser_init(struct fst_parser *parser, const struct fst_read_options *options,
                     struct fst_parser_sink sink, struct fst_input *stats);

/* stats->bad[].text points into the parser until then. */
void fst_parser_release(struct fst_parser *parser);

enum fst_status fst_parser_feed(struct fst_parser *parser, struct fst_str bytes,
                                struct fst_error *err);

/* Ends the text: the last record, and the judgement whether it was a profile at all. */
enum fst_status fst_parser_finish(struct fst_parser *parser, struct fst_error *err);

#endif
