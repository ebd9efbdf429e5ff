/*                      told?
 *     feed --> no:  append to carry; enough lines or bytes? --> sniff carry, announce, drain carry
 *         `--> yes: finish the record that carry holds with a line of the new bytes at a time,
 *                   then read records straight from the new bytes, and carry the rest
 */
#include "parse/parser.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/number.h"
#include "parse/asides.h"

/* How much of a bad line is kept for the message: before its token, of it and behind it. */
enum { EXCERPT_BEFORE = 48, EXCERPT_MARK = 24, EXCERPT_AFTER = 24, EXCERPT_WHOLE = 100 };

void fst_parser_init(struct fst_parser *parser, const struct fst_read_options *options,
                     struct fst_parser_sink sink, struct fst_input *stats)
{
    *parser = (struct fst_parser){
        .sink = sink,
        .options = *options,
        .stats = stats,
    };
    fst_recording_init(&parser->recording);
}

void fst_parser_release(struct fst_parser *parser)
{
    fst_buf_release(&parser->carry);
    fst_scanner_release(&parser->scanner);
    fst_lines_release(&parser->lines);
    fst_free(parser->unrolled);
    fst_buf_release(&parser->reshaped);
    fst_buf_release(&parser->recording.partial);
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
    struct fst_str line = record->line;
    line.len -= fst_str_ends(line, FST_STR("\r"));
    size_t from = 0;
    size_t to = line.len;
    if (to > EXCERPT_WHOLE) {
        from = record->mark > EXCERPT_BEFORE ? record->mark - EXCERPT_BEFORE : 0;
        size_t mark = record->mark_len < EXCERPT_MARK ? record->mark_len : EXCERPT_MARK;
        size_t end = record->mark + mark + EXCERPT_AFTER;
        to = end < to ? end : to;
    }
    while (from > 0 && from < record->mark && continues_character(line.data[from])) {
        from++;
    }
    while (to < line.len && to > record->mark && continues_character(line.data[to])) {
        to--;
    }
    struct fst_buf *excerpt = &parser->excerpts[parser->stats->nbad];
    if (!fst_buf_add(excerpt, line.data + from, to - from)) {
        return false;
    }
    bad->text = fst_buf_str(excerpt);
    bad->mark = record->mark - from;
    size_t room = to - record->mark;
    bad->mark_len = record->mark_len < room ? record->mark_len : room;
    bad->cut_before = from > 0;
    bad->cut_after = to < line.len;
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
    if (parser->options.strict) {
        return fst_error_at_line(
            fst_error_set(err, FST_ERR_STRICT, "%s", fst_bad_reason_text(record->reason)),
            stats->lines, err);
    }
    return FST_OK;
}

const char *fst_bad_reason_text(enum fst_bad_reason reason)
{
    switch (reason) {
    case FST_BAD_COUNT_RANGE: return "the sample count is out of range";
    case FST_BAD_COLUMNS: return "expected another sample count";
    case FST_BAD_QUOTE:
        return "expected a semicolon or a count behind a quote that closes this process frame";
    default: return "expected a sample count";
    }
}

/* --- records -------------------------------------------------------------------------------- */

static void reverse(struct fst_str *frames, size_t nframes)
{
    for (size_t i = 0; i < nframes / 2; i++) {
        struct fst_str frame = frames[i];
        frames[i] = frames[nframes - 1 - i];
        frames[nframes - 1 - i] = frame;
    }
}

static enum fst_status take_stack(struct fst_parser *parser, const struct fst_record *record,
                                  struct fst_error *err)
{
    struct fst_input *stats = parser->stats;
    const struct fst_dialect_rules *rules = parser->grammar.rules;
    struct fst_str *frames = parser->scanner.frames;
    size_t nframes = record->nframes;
    stats->stack_lines++;
    stats->rounded_lines += record->rounded;
    stats->negative_lines += record->count < 0;
    if (parser->options.leaf_first) {
        reverse(frames, nframes);
    }
    if (rules->reshape != NULL) {
        fst_buf_clear(&parser->reshaped);
        nframes = rules->reshape(frames, nframes, &parser->reshaped);
        if (parser->reshaped.failed) {
            return fst_error_nomem(err);
        }
    }
    struct fst_sample sample = {
        .text = parser->options.leaf_first ? (struct fst_str){NULL, 0} : record->stack,
        .frames = frames,
        .nframes = nframes,
        .count = record->count,
        .line = stats->lines - record->lines + 1,
        .lead = rules->lead(frames, nframes),
    };
    return parser->sink.sample(parser->sink.ctx, &sample, err);
}

/* What the text says of its recording: kept for later, or taken. */
static enum fst_status take_aside(struct fst_parser *parser, const struct fst_record *record,
                                  struct fst_error *err)
{
    bool comment = record->kind == FST_RECORD_COMMENT;
    if (parser->asides != NULL) {
        return fst_aside_keep(parser->asides, parser->stats->lines, comment, record->text)
                   ? FST_OK
                   : fst_error_nomem(err);
    }
    fst_aside_take(&parser->recording, comment, record->text);
    return FST_OK;
}

static enum fst_status take_record(struct fst_parser *parser, const struct fst_record *record,
                                   struct fst_error *err)
{
    struct fst_input *stats = parser->stats;
    stats->lines += record->lines;
    stats->unterminated = !record->newline && record->kind == FST_RECORD_STACK;
    switch (record->kind) {
    case FST_RECORD_BLANK: stats->blank_lines++; return FST_OK;
    case FST_RECORD_COMMENT: stats->comment_lines++; return take_aside(parser, record, err);
    case FST_RECORD_LOG: stats->log_lines++; return take_aside(parser, record, err);
    case FST_RECORD_BAD: return take_bad(parser, record, err);
    case FST_RECORD_STACK: break;
    }
    return take_stack(parser, record, err);
}

/* --- batches -------------------------------------------------------------------------------- */

/* Hands the stacks of a batch on one by one. */
static enum fst_status unroll(struct fst_parser *parser, const struct fst_batch *batch,
                              struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < batch->nstacks && status == FST_OK; i++) {
        const struct fst_stack *stack = &batch->stacks[i];
        size_t nframes = (size_t)stack->shared + stack->nframes;
        void *items = parser->unrolled;
        if (fst_grow(&items, &parser->unrolled_capacity, nframes, sizeof(struct fst_str)) != 0) {
            return fst_error_nomem(err);
        }
        struct fst_str *frames = parser->unrolled = items;
        memcpy(frames + stack->shared, batch->frames + stack->first,
               stack->nframes * sizeof *frames);
        struct fst_sample sample = {
            .text = stack->text,
            .frames = frames,
            .nframes = nframes,
            .count = (fst_i128)stack->count * FST_COUNT_ONE,
            .line = stack->line,
            .lead = parser->grammar.rules->lead(frames, nframes),
        };
        status = parser->sink.sample(parser->sink.ctx, &sample, err);
    }
    return status;
}

/* Hands on the ordinary stacks so far. */
static enum fst_status deliver(struct fst_parser *parser, struct fst_error *err)
{
    struct fst_batch batch = fst_lines_batch(&parser->lines);
    if (batch.nstacks == 0) {
        return FST_OK;
    }
    parser->stats->stack_lines += batch.nstacks;
    enum fst_status status = parser->sink.batch != NULL
                                 ? parser->sink.batch(parser->sink.ctx, &batch, err)
                                 : unroll(parser, &batch, err);
    fst_lines_clear(&parser->lines);
    return status;
}

size_t fst_line_most(const struct fst_read_options *options)
{
    uint64_t most = options->line_most;
    return most > 0 && most < FST_LINE_MOST ? (size_t)most : FST_LINE_MOST;
}

bool fst_line_is_too_long(const struct fst_read_options *options, struct fst_str text)
{
    size_t most = fst_line_most(options);
    return text.len > most && memchr(text.data, '\n', most + 1) == NULL;
}

enum fst_status fst_line_too_long(const struct fst_read_options *options, uint64_t line,
                                  struct fst_error *err)
{
    size_t most = fst_line_most(options);
    enum fst_status status =
        most == FST_LINE_MOST
            ? fst_error_set(err, FST_ERR_FORMAT,
                            "a line of more than 512 MiB: this is no collapsed profile")
            : fst_error_set(err, FST_ERR_FORMAT,
                            "a line of more than the %zu bytes that --max-memory leaves for one",
                            most);
    return fst_error_at_line(status, line, err);
}

static enum fst_status too_long(const struct fst_parser *parser, struct fst_error *err)
{
    return fst_line_too_long(&parser->options, parser->stats->lines + 1, err);
}

/* --- text ----------------------------------------------------------------------------------- */

/* Reads the record at the start of bytes; *size gets its size, 0 where it is not whole. */
static enum fst_status read_record(struct fst_parser *parser, struct fst_str bytes, bool ended,
                                   size_t *size, struct fst_error *err)
{
    struct fst_record record;
    *size = 0;
    switch (fst_record_next(&parser->scanner, bytes, ended, &record)) {
    case FST_RECORD_MORE: return FST_OK;
    case FST_RECORD_NOMEM: return fst_error_nomem(err);
    case FST_RECORD_FOUND: break;
    }
    *size = record.size;
    if (record.size - record.newline > fst_line_most(&parser->options)) {
        return too_long(parser, err);
    }
    bool judged = record.kind == FST_RECORD_STACK || record.kind == FST_RECORD_BAD;
    enum fst_status status = judged ? deliver(parser, err) : FST_OK;
    return status == FST_OK ? take_record(parser, &record, err) : status;
}

/* Reads a chunk at the start of bytes: ordinary lines fast, the others one by one. *used gets the
 * size of what was read, 0 where the first line does not end in the chunk. */
static enum fst_status read_chunk(struct fst_parser *parser, struct fst_str bytes, size_t slack,
                                  bool ended, size_t *used, struct fst_error *err)
{
    struct fst_lines_cursor cursor;
    const char *readable = bytes.data + bytes.len + slack;
    struct fst_str chunk = bytes;
    chunk.len = chunk.len < FST_MARKS_TEXT ? chunk.len : FST_MARKS_TEXT;
    *used = 0;
    if (!fst_lines_begin(&parser->lines, chunk, &cursor)) {
        return fst_error_nomem(err);
    }
    enum fst_status status = FST_OK;
    while (status == FST_OK &&
           fst_lines_take(&parser->lines, &cursor, readable, &parser->stats->lines)) {
        size_t size;
        status = read_record(parser, fst_str_skip(bytes, cursor.at), ended, &size, err);
        if (size == 0) {
            break;
        }
        fst_lines_skip(&parser->lines, &cursor, cursor.at + size);
    }
    *used = cursor.at;
    return status == FST_OK ? deliver(parser, err) : status;
}

/* Reads the whole records at the start of bytes, behind which slack bytes may be read; *used gets
 * their size. */
static enum fst_status read_records(struct fst_parser *parser, struct fst_str bytes, size_t slack,
                                    bool ended, size_t *used, struct fst_error *err)
{
    *used = 0;
    while (*used < bytes.len) {
        struct fst_str rest = fst_str_skip(bytes, *used);
        size_t size = 0;
        enum fst_status status =
            parser->fast ? read_chunk(parser, rest, slack, ended, &size, err) : FST_OK;
        if (status == FST_OK && size == 0) {
            status = read_record(parser, rest, ended, &size, err);
        }
        if (status != FST_OK || size == 0) {
            return status;
        }
        *used += size;
    }
    return FST_OK;
}

/* --- the dialect ---------------------------------------------------------------------------- */

/* Whether a line may be a stack, which is what tells a dialect: no number of blank lines,
 * comments or messages stands for one. */
static bool may_be_stack(struct fst_str line)
{
    return line.len > 0 && line.data[0] != '\r' && line.data[0] != '#' && !fst_is_log_line(line);
}

/* Counts the lines that may be stacks and have ended, up to those that tell a dialect. */
static void count_head_lines(struct fst_parser *parser)
{
    const char *data = parser->carry.data;
    size_t at = parser->head_seen;
    while (parser->head_lines < FST_SNIFF_LINES && at < parser->carry.len) {
        const char *newline = memchr(data + at, '\n', parser->carry.len - at);
        if (newline == NULL) {
            at = parser->carry.len;
            break;
        }
        at = (size_t)(newline + 1 - data);
        struct fst_str line = fst_str_of(data + parser->head_line, at - 1 - parser->head_line);
        parser->head_lines += may_be_stack(line);
        parser->head_line = at;
    }
    parser->head_seen = at;
}

/* The text that the sniffer sees: as many lines as tell a dialect, or what there is, as far as they
 * fit. */
static struct fst_str head_of(const struct fst_parser *parser)
{
    bool whole = parser->head_lines < FST_SNIFF_LINES;
    size_t len = whole ? parser->carry.len : parser->head_line;
    return fst_str_of(parser->carry.data, len < FST_SNIFF_BYTES ? len : FST_SNIFF_BYTES);
}

/* Shows the sniffer every record of the head. */
static bool sniff_head(struct fst_parser *parser, struct fst_str head, struct fst_sniff *sniff,
                       struct fst_recording *recording)
{
    bool commented = false;
    while (head.len > 0) {
        struct fst_record record;
        if (fst_record_next(&parser->scanner, head, true, &record) == FST_RECORD_NOMEM) {
            return false;
        }
        if (record.kind == FST_RECORD_STACK || record.kind == FST_RECORD_BAD) {
            fst_sniff_take(sniff, &record);
        } else if (record.kind == FST_RECORD_COMMENT && sniff->records == 0) {
            /* A header stands before the stacks. */
            fst_recording_take_comment(recording, record.text);
            sniff->json_comment =
                sniff->json_comment || (!commented && fst_str_starts(record.text, FST_STR("# {")));
            commented = true;
        }
        head = fst_str_skip(head, record.size);
    }
    return true;
}

/* Whether lines may be read without the scanner, unless they stand out. */
static bool has_ordinary_lines(const struct fst_grammar *grammar,
                               const struct fst_read_options *options)
{
    return grammar->tail.form == FST_TAIL_ONE && !options->leaf_first &&
           (grammar->rules->reshape == NULL || grammar->rules->as_is != NULL);
}

/* From here on records are read by the parser's grammar. */
static void follow_grammar(struct fst_parser *parser)
{
    const struct fst_grammar *grammar = &parser->grammar;
    parser->told = true;
    parser->scanner.tail = grammar->tail;
    parser->fast = has_ordinary_lines(grammar, &parser->options);
    if (parser->fast) {
        fst_lines_init(&parser->lines, parser->sink.ends_only, grammar->rules->as_is);
    }
}

static enum fst_status tell(struct fst_parser *parser, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    struct fst_recording recording;
    fst_recording_init(&recording);
    if (!sniff_head(parser, head_of(parser), &sniff, &recording)) {
        return fst_error_nomem(err);
    }
    struct fst_grammar *grammar = &parser->grammar;
    enum fst_status status = fst_dialect_tell(&sniff, &recording, &parser->options, grammar, err);
    if (status != FST_OK) {
        return status;
    }
    follow_grammar(parser);
    parser->stats->dialect = grammar->dialect;
    parser->stats->unit = grammar->unit;
    parser->stats->split_files = grammar->split_files;
    parser->stats->two_counts = grammar->tail.form == FST_TAIL_TWO && parser->options.column == 0;
    parser->stats->looks_leaf_first = grammar->looks_leaf_first && !parser->options.leaf_first;
    return parser->sink.grammar(parser->sink.ctx, grammar, err);
}

/* --- feeding -------------------------------------------------------------------------------- */

static enum fst_status drain_carry(struct fst_parser *parser, bool ended, struct fst_error *err)
{
    size_t used;
    struct fst_str carry = fst_buf_str(&parser->carry);
    size_t slack = parser->carry.capacity - parser->carry.len;
    enum fst_status status = read_records(parser, carry, slack, ended, &used, err);
    fst_buf_consume(&parser->carry, used);
    parser->retry_at = parser->carry.len * 2;
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

/* Holds bytes back until the dialect can be told. */
static enum fst_status feed_head(struct fst_parser *parser, struct fst_str bytes,
                                 struct fst_error *err)
{
    if (!fst_buf_add_str(&parser->carry, bytes)) {
        return fst_error_nomem(err);
    }
    skip_byte_order_mark(parser, false);
    if (!parser->started) {
        return FST_OK;
    }
    count_head_lines(parser);
    if (parser->head_lines < FST_SNIFF_LINES && parser->carry.len < FST_SNIFF_BYTES) {
        return FST_OK;
    }
    enum fst_status status = tell(parser, err);
    status = status == FST_OK ? drain_carry(parser, false, err) : status;
    if (status == FST_OK && parser->carry.len == 0) {
        fst_buf_release(&parser->carry); /* from here on it holds a line at most */
    }
    return status;
}

/* Completes the record that carry holds. It is looked at again at a line end, and only once it has
 * doubled, so that a record of many lines is not read anew for each of them. */
static enum fst_status complete_carry(struct fst_parser *parser, struct fst_str *bytes,
                                      struct fst_error *err)
{
    while (parser->carry.len > 0 && bytes->len > 0) {
        size_t held = parser->carry.len;
        size_t skip = parser->retry_at > held ? parser->retry_at - held : 0;
        const char *newline =
            skip < bytes->len ? memchr(bytes->data + skip, '\n', bytes->len - skip) : NULL;
        size_t n = newline == NULL ? bytes->len : (size_t)(newline + 1 - bytes->data);
        if (held + n - (newline != NULL) > fst_line_most(&parser->options) &&
            memchr(parser->carry.data, '\n', held) == NULL) {
            return too_long(parser, err);
        }
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
    return fst_parser_feed_slack(parser, bytes, 0, err);
}

enum fst_status fst_parser_feed_slack(struct fst_parser *parser, struct fst_str bytes, size_t slack,
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
    status = read_records(parser, bytes, slack, false, &used, err);
    struct fst_str rest = fst_str_skip(bytes, used);
    if (status == FST_OK && fst_line_is_too_long(&parser->options, rest)) {
        return too_long(parser, err);
    }
    if (status == FST_OK && !fst_buf_add_str(&parser->carry, rest)) {
        return fst_error_nomem(err);
    }
    return status;
}

enum fst_status fst_parser_cut(struct fst_parser *parser, struct fst_error *err)
{
    return parser->told ? drain_carry(parser, true, err) : FST_OK;
}

void fst_parser_fork(struct fst_parser *parser, const struct fst_parser *first,
                     struct fst_parser_sink sink, struct fst_input *stats, struct fst_buf *asides)
{
    fst_parser_init(parser, &first->options, sink, stats);
    parser->started = true;
    parser->grammar = first->grammar;
    parser->asides = asides;
    follow_grammar(parser);
}

void fst_parser_begin_block(struct fst_parser *parser, uint32_t block)
{
    parser->stats->lines = fst_block_origin(block);
}

/* A text most of whose lines are bad is no profile. */
static enum fst_status judge(const struct fst_parser *parser, struct fst_error *err)
{
    const struct fst_input *stats = parser->stats;
    uint64_t relevant = stats->lines - stats->blank_lines - stats->comment_lines;
    if (stats->bad_lines * 2 <= relevant) {
        return FST_OK;
    }
    struct fst_buf counts = {0};
    fst_number_grouped_u64(&counts, stats->bad_lines);
    fst_buf_add_cstr(&counts, " of ");
    fst_number_grouped_u64(&counts, relevant);
    fst_buf_add_char(&counts, '\0');
    enum fst_status status =
        fst_error_set(err, FST_ERR_FORMAT,
                      "%s lines are no stacks with a count (\"frame;frame;frame N\"): this is no "
                      "collapsed profile",
                      counts.failed ? "most" : counts.data);
    fst_buf_release(&counts);
    return status;
}

enum fst_status fst_parser_finish(struct fst_parser *parser, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    skip_byte_order_mark(parser, true);
    if (!parser->told) {
        status = tell(parser, err);
    }
    if (status == FST_OK) {
        status = drain_carry(parser, true, err);
    }
    return status == FST_OK ? judge(parser, err) : status;
}
