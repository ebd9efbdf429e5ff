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

/* Longer lines, without what ends them, are refused: nothing that ends in memory has them, and a bomb of
 * compressed zeros does. */
#define FST_LINE_MOST ((size_t)512 * 1024 * 1024)

/* How long a line may be: so many bytes, or as the options say. */
size_t fst_line_most(const struct fst_read_options *options);

/* Whether the line at the start of text is longer, as far as it is there. */
bool fst_line_is_too_long(const struct fst_read_options *options, struct fst_str text);

/* The error that a line, which is counted from 1 (0: it is not known), is longer. */
enum fst_status fst_line_too_long(const struct fst_read_options *options, uint64_t line,
                                  struct fst_error *err);

/* One stack with its count; valid during the call only. */
struct fst_sample {
    struct fst_str text;          /* all of it as it is written; without data: it has to be made of
                                     the frames */
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
    size_t head_lines;          /* lines in carry that may be stacks, while no dialect is told */
    size_t head_line;           /* where the line in carry begins that has not ended yet */
    size_t head_seen;           /* bytes of carry that were looked at for line ends */
    struct fst_buf carry;       /* bytes of records that are not whole yet */
    size_t retry_at;            /* length of carry below which it is not looked at again */
    struct fst_scanner scanner;
    struct fst_lines lines;
    bool fast; /* the grammar has ordinary lines; else every record goes through the scanner */
    struct fst_str *unrolled; /* scratch: the frames of a stack of a batch, for a sink of samples */
    size_t unrolled_capacity;
    struct fst_buf reshaped; /* new text of the stack at hand */
    struct fst_recording recording;
    struct fst_buf *asides; /* where comments and messages are kept instead; NULL: they are taken */
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

/* The same where slack bytes behind them may be read, whatever they are: FST_LINES_SLACK let the last
 * line too go the fast way. */
enum fst_status fst_parser_feed_slack(struct fst_parser *parser, struct fst_str bytes, size_t slack,
                                      struct fst_error *err);

/* The text goes on at a place over which no record reaches: reads what was held back. */
enum fst_status fst_parser_cut(struct fst_parser *parser, struct fst_error *err);

/* --- a text that several parsers read, a block each at a time ------------------------------------
 *
 * One parser, the first, has been fed the start of the text and told its dialect, and then was cut.
 * The others are made like it. Each of them reads blocks, cut as fst_cut_before says, of which each
 * has a number, from 1 on in the order of the text; the start has number 0. Lines, and whatever is
 * ordered by them, are numbered from fst_block_origin on in each block until the first parser is
 * joined with the others. */

static inline uint64_t fst_block_origin(uint32_t block)
{
    return (uint64_t)block << 40;
}

/* Prepares a parser that reads blocks of the text that first has begun. asides is the caller's, as
 * stats is. */
void fst_parser_fork(struct fst_parser *parser, const struct fst_parser *first,
                     struct fst_parser_sink sink, struct fst_input *stats, struct fst_buf *asides);

/* Begins a block, which is then fed and ends with fst_parser_cut. */
void fst_parser_begin_block(struct fst_parser *parser, uint32_t block);

/* How blocks become one text: the lines of each. */
struct fst_block_lines {
    uint64_t *items; /* by number */
    size_t count;
    size_t capacity;
};

/* The 1-based number in the whole text of a line that is numbered from its block's origin on. */
uint64_t fst_block_line(const struct fst_block_lines *lines, uint64_t line);

/* Adds what another parser has read to the first one's stats, and its asides to those of the first.
 */
enum fst_status fst_parser_join(struct fst_parser *first, const struct fst_parser *other,
                                struct fst_error *err);

/* Numbers all lines of the first parser's stats anew and takes its asides, when all are joined. */
enum fst_status fst_parser_joined(struct fst_parser *first, const struct fst_block_lines *lines,
                                  struct fst_error *err);

/* Ends the text: the last record, and the judgement whether it was a profile at all. */
enum fst_status fst_parser_finish(struct fst_parser *parser, struct fst_error *err);

#endif
