/* A line is taken apart from both ends:
 *
 *     main (a.py:3);work (b.py:7) 42 \r\n
 *     |---------- stack -------| |^^|
 *                               |  `-- blanks and \r, dropped
 *                               `-- one blank, then the count
 *
 * and the stack is split at ';', but for frames that open a quote, which py-spy writes for
 * processes and which hold a command line with whatever is in it:
 *
 *     process 10:"python -c a; b";main (a.py:3) 42
 *                ^              ^ closes: '"' before ';' or before the count
 *
 * Where the quote does not close on its line, the record goes on behind the newline, up to the
 * line that closes it. If none of the next lines does, the quote is no quote: the line is judged
 * alone. A line that begins with a process frame of its own is the next record, never a part of a
 * command line, so that a damaged record cannot swallow its neighbours.
 */
#include "parse/record.h"

#include "base/alloc.h"
#include "base/count.h"
#include "parse/logline.h"

void fst_scanner_release(struct fst_scanner *scanner)
{
    fst_free(scanner->frames);
    *scanner = (struct fst_scanner){0};
}

/* --- a line, from its end -------------------------------------------------------------------- */

struct line {
    const char *start;
    const char *end;        /* its newline, or the end of the input */
    struct fst_tail tail;   /* the counts, and where a stack ends that ends on this line */
    const char *last_quote; /* the last byte before a count, if that is a quote; else NULL */
};

static bool is_filler(char c)
{
    return fst_is_blank(c) || c == '\r';
}

static struct line read_line(struct fst_tail_rule rule, const char *start, const char *end)
{
    struct line line = {.start = start, .end = end, .tail = fst_tail_read(rule, start, end)};
    const char *stack_end = line.tail.stack_end;
    while (stack_end > start && fst_is_blank(stack_end[-1])) {
        stack_end--;
    }
    if (line.tail.parse != FST_COUNT_NOT_A_NUMBER && stack_end > start && stack_end[-1] == '"') {
        line.last_quote = stack_end - 1;
    }
    return line;
}

/* --- quoted process frames ------------------------------------------------------------------ */

size_t fst_quote_opening(struct fst_str text)
{
    static const struct fst_str word = {"process ", 8};
    if (!fst_str_starts(text, word)) {
        return 0;
    }
    size_t at = word.len;
    while (at < text.len && fst_is_digit(text.data[at])) {
        at++;
    }
    bool opens =
        at > word.len && at + 1 < text.len && text.data[at] == ':' && text.data[at + 1] == '"';
    return opens ? at + 2 : 0;
}

/* The first closing quote of line in [at, limit); NULL if there is none. */
static const char *find_closer(const struct line *line, const char *at, const char *limit)
{
    while (at < limit && (at = memchr(at, '"', (size_t)(limit - at))) != NULL) {
        if (at == line->last_quote || (at + 1 < line->end && at[1] == ';')) {
            return at;
        }
        at++;
    }
    return NULL;
}

enum search { CLOSED, NEVER, UNDECIDED };

/* A cursor over the record being split. */
struct split {
    struct fst_scanner *scanner;
    const char *at;        /* the frame at hand */
    const char *first_end; /* of the line that the record begins on */
    struct line line;      /* the physical line that the record ends on, so far */
    const char *stack_end; /* on that line */
    const char *input_end;
    bool ended;
    uint64_t lines;
    size_t nframes;
    const char *unclosed; /* a process frame without a quote that closes it; NULL: none */
    const char *barren;   /* the end of a line on which no further quote closes; NULL: not known */
    const char *hopeless; /* the end of a line behind which no quote closes; NULL: not known */
};

/* Looks for the quote that closes on a later line; on CLOSED the record goes on up to there. How
 * far it looks is counted from the record's first line, so that a chain of quotes has an end. */
static enum search search_below(struct split *s, const char **closer)
{
    const char *at = s->line.end;
    const char *window = s->input_end;
    if ((size_t)(s->input_end - s->first_end) > FST_LOOKAHEAD_BYTES + 1) {
        window = s->first_end + 1 + FST_LOOKAHEAD_BYTES;
    }
    for (uint64_t lines = s->lines + 1; lines <= FST_LOOKAHEAD_LINES + 1; lines++) {
        if (at == s->input_end) {
            return s->ended ? NEVER : UNDECIDED;
        }
        const char *start = at + 1;
        if (start >= window) {
            return window == s->input_end && !s->ended ? UNDECIDED : NEVER;
        }
        const char *newline = memchr(start, '\n', (size_t)(s->input_end - start));
        if (newline == NULL && !s->ended) {
            return UNDECIDED;
        }
        const char *end = newline == NULL ? s->input_end : newline;
        if (fst_quote_opening(fst_str_of(start, (size_t)(end - start))) > 0) {
            return NEVER;
        }
        struct line below = read_line(s->scanner->tail, start, end);
        const char *hit = find_closer(&below, start, end < window ? end : window);
        if (hit != NULL) {
            *closer = hit;
            s->line = below;
            s->lines = lines;
            return CLOSED;
        }
        at = end;
    }
    return NEVER;
}

/* --- frames --------------------------------------------------------------------------------- */

static bool add_frame(struct split *s, const char *from, const char *to)
{
    void *frames = s->scanner->frames;
    if (fst_grow(&frames, &s->scanner->capacity, s->nframes + 1, sizeof(struct fst_str)) != 0) {
        return false;
    }
    s->scanner->frames = frames;
    s->scanner->frames[s->nframes++] =
        from == to ? FST_FRAME_EMPTY : fst_str_of(from, (size_t)(to - from));
    return true;
}

/* The end of the process frame at hand, whose quote opens `opening` bytes in. */
static enum search quoted_end(struct split *s, size_t opening, const char **end)
{
    const char *closer =
        s->barren == s->line.end ? NULL : find_closer(&s->line, s->at + opening, s->line.end);
    if (closer == NULL) {
        s->barren = s->line.end;
        if (s->hopeless == s->line.end) {
            return NEVER;
        }
        enum search found = search_below(s, &closer);
        if (found != CLOSED) {
            s->hopeless = s->line.end;
            return found;
        }
    }
    const char *stack_end = s->line.tail.stack_end;
    s->stack_end = stack_end > closer ? stack_end : closer;
    *end = closer == s->line.last_quote ? s->stack_end : closer + 1;
    return CLOSED;
}

/* The end of the frame at hand; false asks for more input. */
static bool frame_end(struct split *s, const char **end)
{
    size_t opening =
        *s->at == 'p' ? fst_quote_opening(fst_str_of(s->at, (size_t)(s->line.end - s->at))) : 0;
    if (opening > 0) {
        enum search found = quoted_end(s, opening, end);
        if (found != NEVER) {
            return found == CLOSED;
        }
        s->unclosed = s->at;
    }
    const char *semicolon = memchr(s->at, ';', (size_t)(s->stack_end - s->at));
    *end = semicolon == NULL ? s->stack_end : semicolon;
    return true;
}

/* Splits [at, stack_end) at ';' into the scanner's frames; the record may grow by lines. */
static enum fst_record_result split_stack(struct split *s)
{
    while (s->at < s->stack_end) {
        const char *end;
        if (!frame_end(s, &end)) {
            return FST_RECORD_MORE;
        }
        if (!add_frame(s, s->at, end)) {
            return FST_RECORD_NOMEM;
        }
        s->at = end + 1;
    }
    if (s->nframes == 0) {
        if (!add_frame(s, s->at, s->at)) {
            return FST_RECORD_NOMEM;
        }
        s->scanner->frames[0] = FST_FRAME_NONE;
    }
    return FST_RECORD_FOUND;
}

/* --- records -------------------------------------------------------------------------------- */

/* The text of a stack, without the one semicolon at its end that parts nothing. */
static struct fst_str text_of(const struct split *s, const char *start)
{
    struct fst_str text = fst_str_of(start, (size_t)(s->stack_end - start));
    text.len -= fst_str_ends(text, FST_STR(";")) && !fst_str_ends(text, FST_STR(";;"));
    return text;
}

static void judge(const struct split *s, const char *start, struct fst_record *out)
{
    const struct line *line = &s->line;
    struct fst_str mark = line->tail.token;
    enum fst_count_parse parse = line->tail.parse;
    out->kind = FST_RECORD_STACK;
    out->count = line->tail.count;
    out->rounded = parse == FST_COUNT_ROUNDED;
    out->frames = s->scanner->frames;
    out->nframes = s->nframes;
    out->stack = text_of(s, start);
    if (parse == FST_COUNT_OK || parse == FST_COUNT_ROUNDED) {
        return;
    }
    out->kind = FST_RECORD_BAD;
    out->reason = parse == FST_COUNT_OUT_OF_RANGE ? FST_BAD_COUNT_RANGE
                  : line->tail.too_few            ? FST_BAD_COLUMNS
                                                  : FST_BAD_NO_COUNT;
    if (out->reason == FST_BAD_NO_COUNT && s->unclosed != NULL && s->unclosed >= line->start) {
        struct fst_str rest = fst_str_of(s->unclosed, (size_t)(line->end - s->unclosed));
        out->reason = FST_BAD_QUOTE;
        mark = fst_str_of(s->unclosed, fst_quote_opening(rest));
    }
    out->line = fst_str_of(line->start, (size_t)(line->end - line->start));
    out->mark = (size_t)(mark.data - line->start);
    out->mark_len = mark.len;
}

static bool is_filled(struct fst_str text)
{
    size_t fill = 0;
    while (fill < text.len && is_filler(text.data[fill])) {
        fill++;
    }
    return fill == text.len;
}

/* "# …", or "#" alone. */
static bool is_comment(struct fst_str line)
{
    return line.data[0] == '#' &&
           (fst_str_starts(line, FST_STR("# ")) || is_filled(fst_str_skip(line, 1)));
}

/* Lines that are no records of samples; false if this one is. */
static bool is_aside(struct fst_str line, struct fst_record *out)
{
    if (is_filled(line)) {
        out->kind = FST_RECORD_BLANK;
    } else if (is_comment(line)) {
        out->kind = FST_RECORD_COMMENT;
    } else if (fst_is_log_line(line)) {
        out->kind = FST_RECORD_LOG;
    } else {
        return false;
    }
    return true;
}

/* Reads the line at `start` as a record, over the lines below it where a quote goes on there. */
static enum fst_record_result read_stack(struct split *s, const char *start, const char *line_end,
                                         bool alone, struct fst_record *out)
{
    s->at = start;
    s->first_end = line_end;
    s->lines = 1;
    s->nframes = 0;
    s->unclosed = NULL;
    s->barren = NULL;
    s->line = read_line(s->scanner->tail, start, line_end);
    s->stack_end = s->line.tail.stack_end;
    s->hopeless = alone ? line_end : NULL;
    if (s->stack_end == start + 1 && *start == ';') {
        s->at++; /* nothing but the one trailing ';' that is dropped */
    }
    enum fst_record_result result = split_stack(s);
    if (result == FST_RECORD_FOUND) {
        judge(s, start, out);
    }
    return result;
}

enum fst_record_result fst_record_next(struct fst_scanner *scanner, struct fst_str bytes,
                                       bool ended, struct fst_record *out)
{
    const char *input_end = bytes.data + bytes.len;
    const char *newline = memchr(bytes.data, '\n', bytes.len);
    if (newline == NULL && !ended) {
        return FST_RECORD_MORE;
    }
    const char *line_end = newline == NULL ? input_end : newline;
    *out = (struct fst_record){.text = {bytes.data, (size_t)(line_end - bytes.data)}, .lines = 1};
    struct split split = {
        .scanner = scanner,
        .line = {.end = line_end},
        .input_end = input_end,
        .ended = ended,
        .lines = 1,
    };
    if (!is_aside(out->text, out)) {
        enum fst_record_result result = read_stack(&split, bytes.data, line_end, false, out);
        if (result == FST_RECORD_FOUND && out->kind == FST_RECORD_BAD && split.lines > 1) {
            /* Several lines and still no count: the quote was none. */
            result = read_stack(&split, bytes.data, line_end, true, out);
        }
        if (result != FST_RECORD_FOUND) {
            return result;
        }
    }
    out->lines = split.lines;
    out->newline = split.line.end < input_end;
    out->size = (size_t)(split.line.end - bytes.data) + out->newline;
    return FST_RECORD_FOUND;
}

size_t fst_stack_split(struct fst_scanner *scanner, struct fst_str stack, struct fst_buf *scratch)
{
    struct fst_record record;
    fst_buf_clear(scratch);
    fst_buf_add_str(scratch, stack);
    if (!fst_buf_add_cstr(scratch, " 1\n") ||
        fst_record_next(scanner, fst_buf_str(scratch), true, &record) != FST_RECORD_FOUND) {
        return 0;
    }
    return record.nframes;
}
