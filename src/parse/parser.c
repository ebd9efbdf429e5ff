/*                      told?
 *     feed --> no:  append to carry; enough lines or bytes? --> sniff carry, announce, drain carry
 *         `--> yes: finish the record that carry holds with a line of the new bytes at a time,
 *                   then read records straight from the new bytes, and carry the rest
 */
#include "parse/parser.h"

#include "base/alloc.h"
#include "base/error.h"

/* How much of a bad line is kept for the message: before its token, of it and behind it. */
enum { EXCERPT_BEFORE = 48, EXCERPT_MARK = 24, EXCERPT_AFTER = 24, EXCERPT_WHOLE = 100 };

void fst_parser_init(struct fst_parser *parser, const struct fst_read_options *options,
                     struct fst_parser_sink sink, struct fst_input *stats)
{
    *parser = (struct fst_parser){
        .sink = sink,
        .asked = options->dialect,
        .leaf_first = options->leaf_first,
        .strict = options->strict,
        .stats = stats,
    };
    fst_recording_init(&parser->recording);
}

void fst_parser_release(struct fst_parser *parser)
{
    fst_buf_release(&parser->carry);
    fst_scanner_release(&parser->scanner);
    fst_free(parser->reversed);
    for (size_t i = 0; i < FST_BAD_LINES_KEPT; i++) {
        fst_buf_release(&parser->excerpts[i]);
    }
    *parser = (struct fst_parser){0};
}

/* --- bad lines ------------------------------------------------------------------------------ */

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Keeps the part of a bad line that its message shows. */
static bool keep_excerpt(struct fst_parser *parser, const struct fst_record *record,
                         struct fst_bad_line *bad)
{
    size_t from = 0;
    size_t to = record->line.len;
    if (to > EXCERPT_WHOLE) {
        from = record->mark > EXCERPT_BEFORE ? record->mark - EXCERPT_BEFORE : 0;
        size_t mark = record->mark_len < EXCERPT_MARK ? record->mark_len : EXCERPT_MARK;
        size_t end = record->mark + mark + EXCERPT_AFTER;
        to = end < to ? end : to;
    }
    while (from > 0 && from < record->mark && continues_character(record->line.data[from])) {
        from++;
    }
    while (to < record->line.len && to > record->mark &&
           continues_character(record->line.data[to])) {
        to--;
    }
    while (to > from && to == record->line.len && record->line.data[to - 1] == '\r') {
        to--;
    }
    struct fst_buf *excerpt = &parser->excerpts[parser->stats->nbad];
    if (!fst_buf_add(excerpt, record->line.data + from, to - from)) {
        return false;
    }
    bad->text = fst_buf_str(excerpt);
    bad->mark = record->mark - from;
    size_t room = to - record->mark;
    bad->mark_len = record->mark_len < room ? record->mark_len : room;
    bad->cut_before = from > 0;
    bad->cut_after = to + 1 < record->line.len;
    return true;
}

static enum fst_status take_bad(struct fst_parser *parser, const struct fst_record *record,
                                struct fst_error *err)
{
    struct fst_input *stats = parser->stats;
    stats->bad_lines += record->lines;
    stats->bad_bytes += record->size;
    stats->bad_by_reason[record->reason] += record->lines;
    if (stats->nbad < FST_BAD_LINES_KEPT) {
        struct fst_bad_line *bad = &stats->bad[stats->nbad];
        *bad = (struct fst_bad_line){
            .reason = record->reason,
            .line = stats->lines,
            .column = record->mark + 1,
        };
        if (!keep_excerpt(parser, record, bad)) {
            return fst_error_nomem(err);
        }
        stats->nbad++;
    }
    if (parser->strict) {
        enum fst_status status =
            fst_error_set(err, FST_ERR_STRICT, "%s", fst_bad_reason_text(record->reason));
        if (err != NULL) {
            err->line = stats->lines;
        }
        return status;
    }
    return FST_OK;
}

const char *fst_bad_reason_text(enum fst_bad_reason reason)
{
    switch (reason) {
    case FST_BAD_COUNT_RANGE: return "the sample count is out of range";
    case FST_BAD_QUOTE: return "the quote of this process frame never closes, and no count follows";
    default: return "expected a sample count";
    }
}

/* --- records -------------------------------------------------------------------------------- */

static const struct fst_str *reverse(struct fst_parser *parser, const struct fst_record *record)
{
    void *items = parser->reversed;
    if (fst_grow(&items, &parser->reversed_capacity, record->nframes, sizeof(struct fst_str)) !=
        0) {
        return NULL;
    }
    parser->reversed = items;
    for (size_t i = 0; i < record->nframes; i++) {
        parser->reversed[i] = record->frames[record->nframes - 1 - i];
    }
    return parser->reversed;
}

static enum fst_status take_stack(struct fst_parser *parser, const struct fst_record *record,
                                  struct fst_error *err)
{
    struct fst_input *stats = parser->stats;
    stats->stack_lines++;
    stats->rounded_lines += record->rounded;
    stats->negative_lines += record->count < 0;
    struct fst_sample sample = {
        .frames = record->frames,
        .nframes = record->nframes,
        .count = record->count,
        .line = stats->lines - record->lines + 1,
    };
    if (parser->leaf_first) {
        sample.frames = reverse(parser, record);
        if (sample.frames == NULL) {
            return fst_error_nomem(err);
        }
    }
    return parser->sink.sample(parser->sink.ctx, &sample, err);
}

static enum fst_status take_record(struct fst_parser *parser, const struct fst_record *record,
                                   struct fst_error *err)
{
    struct fst_input *stats = parser->stats;
    stats->lines += record->lines;
    stats->unterminated = !record->newline && record->kind == FST_RECORD_STACK;
    switch (record->kind) {
    case FST_RECORD_BLANK: stats->blank_lines++; return FST_OK;
    case FST_RECORD_COMMENT:
        stats->comment_lines++;
        fst_recording_take_comment(&parser->recording, record->text);
        return FST_OK;
    case FST_RECORD_LOG:
        stats->log_lines++;
        fst_recording_take_log(&parser->recording, record->text);
        return FST_OK;
    case FST_RECORD_BAD: return take_bad(parser, record, err);
    case FST_RECORD_STACK: break;
    }
    return take_stack(parser, record, err);
}

/* Reads the whole records at the start of bytes; *used gets their size. */
static enum fst_status read_records(struct fst_parser *parser, struct fst_str bytes, bool ended,
                                    size_t *used, struct fst_error *err)
{
    *used = 0;
    while (*used < bytes.len) {
        struct fst_record record;
        switch (fst_record_next(&parser->scanner, fst_str_skip(bytes, *used), ended, &record)) {
        case FST_RECORD_MORE: return FST_OK;
        case FST_RECORD_NOMEM: return fst_error_nomem(err);
        case FST_RECORD_FOUND: break;
        }
        *used += record.size;
        enum fst_status status = take_record(parser, &record, err);
        if (status != FST_OK) {
            return status;
        }
    }
    return FST_OK;
}

/* --- the dialect ---------------------------------------------------------------------------- */

/* The text that the sniffer sees: the first lines, as far as they fit. */
static struct fst_str head_of(struct fst_str text)
{
    const char *end = text.data + text.len;
    const char *at = text.data;
    for (int lines = 0; lines < FST_SNIFF_LINES && at < end; lines++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline == NULL ? end : newline + 1;
    }
    size_t len = (size_t)(at - text.data);
    return fst_str_of(text.data, len < FST_SNIFF_BYTES ? len : FST_SNIFF_BYTES);
}

static enum fst_status tell(struct fst_parser *parser, struct fst_str text, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    struct fst_str head = head_of(text);
    while (head.len > 0) {
        struct fst_record record;
        enum fst_record_result found = fst_record_next(&parser->scanner, head, true, &record);
        if (found == FST_RECORD_NOMEM) {
            return fst_error_nomem(err);
        }
        if (record.kind == FST_RECORD_STACK) {
            fst_sniff_take(&sniff, record.frames, record.nframes);
        }
        head = fst_str_skip(head, record.size);
    }
    struct fst_grammar grammar = fst_dialect_tell(&sniff, parser->asked);
    parser->told = true;
    parser->stats->dialect = grammar.dialect;
    parser->stats->split_files = grammar.split_files;
    parser->stats->looks_leaf_first = grammar.looks_leaf_first && !parser->leaf_first;
    return parser->sink.grammar(parser->sink.ctx, &grammar, err);
}

/* --- feeding -------------------------------------------------------------------------------- */

static enum fst_status drain_carry(struct fst_parser *parser, bool ended, struct fst_error *err)
{
    size_t used;
    enum fst_status status = read_records(parser, fst_buf_str(&parser->carry), ended, &used, err);
    fst_buf_consume(&parser->carry, used);
    return status;
}

/* Drops a byte order mark once the first three bytes of the text are there or it has ended. */
static void skip_byte_order_mark(struct fst_parser *parser, bool ended)
{
    if (parser->started || (parser->carry.len < 3 && !ended)) {
        return;
    }
    parser->started = true;
    if (fst_str_starts(fst_buf_str(&parser->carry), FST_STR("\xef\xbb\xbf"))) {
        fst_buf_consume(&parser->carry, 3);
    }
}

static size_t count_newlines(struct fst_str bytes)
{
    size_t lines = 0;
    while (bytes.len > 0) {
        const char *newline = memchr(bytes.data, '\n', bytes.len);
        if (newline == NULL) {
            break;
        }
        lines++;
        bytes = fst_str_skip(bytes, (size_t)(newline + 1 - bytes.data));
    }
    return lines;
}

/* Holds bytes back until the dialect can be told. */
static enum fst_status feed_head(struct fst_parser *parser, struct fst_str bytes,
                                 struct fst_error *err)
{
    if (!fst_buf_add_str(&parser->carry, bytes)) {
        return fst_error_nomem(err);
    }
    skip_byte_order_mark(parser, false);
    parser->head_lines += count_newlines(bytes);
    if (!parser->started ||
        (parser->head_lines < FST_SNIFF_LINES && parser->carry.len < FST_SNIFF_BYTES)) {
        return FST_OK;
    }
    enum fst_status status = tell(parser, fst_buf_str(&parser->carry), err);
    return status == FST_OK ? drain_carry(parser, false, err) : status;
}

/* Completes the record that carry holds, taking as few of the new bytes as it needs. */
static enum fst_status complete_carry(struct fst_parser *parser, struct fst_str *bytes,
                                      struct fst_error *err)
{
    while (parser->carry.len > 0 && bytes->len > 0) {
        const char *newline = memchr(bytes->data, '\n', bytes->len);
        size_t n = newline == NULL ? bytes->len : (size_t)(newline + 1 - bytes->data);
        if (!fst_buf_add(&parser->carry, bytes->data, n)) {
            return fst_error_nomem(err);
        }
        *bytes = fst_str_skip(*bytes, n);
        if (newline != NULL) {
            enum fst_status status = drain_carry(parser, false, err);
            if (status != FST_OK) {
                return status;
            }
        }
    }
    return FST_OK;
}

enum fst_status fst_parser_feed(struct fst_parser *parser, struct fst_str bytes,
                                struct fst_error *err)
{
    if (bytes.len == 0) {
        return FST_OK;
    }
    parser->stats->bytes += bytes.len;
    enum fst_status status = FST_OK;
    while (!parser->told && bytes.len > 0 && status == FST_OK) {
        size_t n = bytes.len < FST_SNIFF_BYTES ? bytes.len : FST_SNIFF_BYTES;
        status = feed_head(parser, fst_str_of(bytes.data, n), err);
        bytes = fst_str_skip(bytes, n);
    }
    if (status == FST_OK) {
        status = complete_carry(parser, &bytes, err);
    }
    if (status != FST_OK || bytes.len == 0) {
        return status;
    }
    size_t used;
    status = read_records(parser, bytes, false, &used, err);
    if (status == FST_OK && !fst_buf_add_str(&parser->carry, fst_str_skip(bytes, used))) {
        return fst_error_nomem(err);
    }
    return status;
}

/* A text most of whose lines are bad is no profile. */
static enum fst_status judge(const struct fst_parser *parser, struct fst_error *err)
{
    const struct fst_input *stats = parser->stats;
    uint64_t relevant = stats->lines - stats->blank_lines - stats->comment_lines;
    if (stats->bad_lines * 2 <= relevant) {
        return FST_OK;
    }
    return fst_error_set(err, FST_ERR_FORMAT,
                         "%llu of %llu lines do not end in a sample count: this is no collapsed "
                         "profile (\"frame;frame;frame N\" a line)",
                         (unsigned long long)stats->bad_lines, (unsigned long long)relevant);
}

enum fst_status fst_parser_finish(struct fst_parser *parser, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    skip_byte_order_mark(parser, true);
    if (!parser->told) {
        status = tell(parser, fst_buf_str(&parser->carry), err);
    }
    if (status == FST_OK) {
        status = drain_carry(parser, true, err);
    }
    return status == FST_OK ? judge(parser, err) : status;
}
