#include "model/sorted.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/kind.h"
#include "io/source.h"
#include "parse/dialect.h"
#include "parse/parser.h"

/* How much is read at once, and how much of the start tells the dialect. */
enum { STEP = 16 * 1024, HEAD = 64 * 1024 };

struct text {
    struct fst_stream base;
    struct fst_sorted *owner;
    struct fst_source *source;
    char *name;
    struct fst_buf buf; /* bytes that were read */
    size_t used;        /* of them: records that were taken */
    bool ended;         /* there are no more */
    bool started;       /* a stack was taken */
    struct fst_scanner scanner;
    struct fst_buf stack; /* the text of the stack at hand */
    uint64_t line;        /* lines before the record at hand */
};

struct fst_sorted {
    struct fst_read_options options;
    struct text **texts;
    size_t count;
    size_t capacity;
    enum fst_unit unit; /* of the first one that has stacks */
    bool unit_known;
    fst_i128 magnitude; /* sum of |count| */
    const char *failed;
    struct fst_stream **streams;
    struct fst_confluence all;
};

enum fst_status fst_sorted_new(const struct fst_read_options *options, struct fst_sorted **out,
                               struct fst_error *err)
{
    struct fst_sorted *sorted = fst_alloc_zeroed(1, sizeof *sorted);
    if (sorted == NULL) {
        return fst_error_nomem(err);
    }
    sorted->options = *options;
    *out = sorted;
    return FST_OK;
}

static void free_text(struct text *text)
{
    fst_source_free(text->source);
    fst_scanner_release(&text->scanner);
    fst_buf_release(&text->buf);
    fst_buf_release(&text->stack);
    fst_free(text->name);
    fst_free(text);
}

void fst_sorted_free(struct fst_sorted *sorted)
{
    if (sorted == NULL) {
        return;
    }
    for (size_t i = 0; i < sorted->count; i++) {
        free_text(sorted->texts[i]);
    }
    fst_confluence_release(&sorted->all);
    fst_free(sorted->texts);
    fst_free(sorted->streams);
    fst_free(sorted);
}

const char *fst_sorted_failed(const struct fst_sorted *sorted)
{
    return sorted->failed;
}

/* --- bytes ------------------------------------------------------------------------------------- */

/* Reads some more bytes, unless there are none. */
static enum fst_status read_more(struct text *text, struct fst_error *err)
{
    size_t got = 0;
    fst_buf_consume(&text->buf, text->used);
    text->used = 0;
    size_t step =
        text->buf.len / 2 > STEP ? text->buf.len / 2 : STEP; /* a long line is read anew */
    if (!fst_buf_reserve(&text->buf, step)) {
        return fst_error_nomem(err);
    }
    enum fst_status status =
        fst_source_read(text->source, text->buf.data + text->buf.len, step, &got, err);
    text->buf.len += got;
    text->ended = status == FST_OK && got == 0;
    if (text->ended && text->source->shrank) {
        return fst_error_set(err, FST_ERR_FORMAT,
                             "the file shrank while it was read; merge it again when nothing "
                             "writes to it");
    }
    return status;
}

static struct fst_str rest_of(const struct text *text)
{
    return fst_str_skip(fst_buf_str(&text->buf), text->used);
}

/* Whether a line of so many bytes, or of more, is no longer than allowed. */
static enum fst_status check_line(const struct text *text, size_t len, struct fst_error *err)
{
    const struct fst_read_options *options = &text->owner->options;
    return len > fst_line_most(options) ? fst_line_too_long(options, text->line + 1, err) : FST_OK;
}

/* Finds the next record, of any kind; *found is false at the end. */
static enum fst_status next_record(struct text *text, struct fst_record *record, bool *found,
                                   struct fst_error *err)
{
    for (;;) {
        struct fst_str rest = rest_of(text);
        *found = rest.len > 0;
        if (*found) {
            switch (fst_record_next(&text->scanner, rest, text->ended, record)) {
            case FST_RECORD_FOUND: return check_line(text, record->size - record->newline, err);
            case FST_RECORD_NOMEM: return fst_error_nomem(err);
            case FST_RECORD_MORE: break;
            }
            enum fst_status allowed = check_line(text, rest.len, err);
            if (allowed != FST_OK) {
                return allowed;
            }
        } else if (text->ended) {
            return FST_OK;
        }
        enum fst_status status = read_more(text, err);
        if (status != FST_OK) {
            return status;
        }
    }
}

/* --- stacks ------------------------------------------------------------------------------------ */

static enum fst_status refuse(const struct text *text, const char *what, struct fst_error *err)
{
    return fst_error_at_line(fst_error_set(err, FST_ERR_FORMAT, "%s", what), text->line + 1, err);
}

static enum fst_status take_stack(struct text *text, const struct fst_record *record,
                                  struct fst_error *err)
{
    struct fst_str before = fst_buf_str(&text->stack);
    if (text->started && fst_str_cmp(record->stack, before) < 0) {
        return refuse(text,
                      "this stack belongs before the one above it: the text is not sorted as "
                      "foldstat merge sorts; without --sorted it can be read",
                      err);
    }
    fst_i128 count = record->count;
    fst_i128 *magnitude = &text->owner->magnitude;
    if (FST_ADD_OVERFLOWS(*magnitude, count < 0 ? -count : count, magnitude)) {
        return fst_error_at_line(
            fst_error_set(err, FST_ERR_RANGE,
                          "the sum of the counts' magnitudes is out of range (beyond 1.7e26)"),
            text->line + 1, err);
    }
    fst_buf_clear(&text->stack);
    if (!fst_buf_add_str(&text->stack, record->stack)) {
        return fst_error_nomem(err);
    }
    text->started = true;
    text->base.text = fst_buf_str(&text->stack);
    text->base.count = count;
    return FST_OK;
}

static enum fst_status next_stack(struct text *text, bool *more, struct fst_error *err)
{
    struct fst_record record;
    enum fst_status status = next_record(text, &record, more, err);
    while (status == FST_OK && *more && record.kind != FST_RECORD_STACK) {
        if (record.kind == FST_RECORD_BAD) {
            return refuse(text,
                          "this line is no stack with a count; without --sorted it can be "
                          "passed over",
                          err);
        }
        text->used += record.size;
        text->line += record.lines;
        status = next_record(text, &record, more, err);
    }
    if (status == FST_OK && *more) {
        status = take_stack(text, &record, err);
        text->used += record.size;
        text->line += record.lines;
    }
    return status;
}

static enum fst_status next(struct fst_stream *stream, bool *more, struct fst_error *err)
{
    struct text *text = (struct text *)stream;
    enum fst_status status = next_stack(text, more, err);
    if (status != FST_OK) {
        text->owner->failed = text->name;
    }
    return status;
}

/* --- beginning --------------------------------------------------------------------------------- */

/* Shows the sniffer the whole records of the start. */
static enum fst_status sniff(struct text *text, struct fst_sniff *seen,
                             struct fst_recording *recording, struct fst_error *err)
{
    struct fst_str rest = rest_of(text);
    struct fst_record record;
    while (rest.len > 0) {
        enum fst_record_result result = fst_record_next(&text->scanner, rest, text->ended, &record);
        if (result != FST_RECORD_FOUND) {
            return result == FST_RECORD_NOMEM ? fst_error_nomem(err) : FST_OK;
        }
        if (record.kind == FST_RECORD_COMMENT) {
            fst_recording_take_comment(recording, record.text);
        } else if (record.kind == FST_RECORD_STACK || record.kind == FST_RECORD_BAD) {
            fst_sniff_take(seen, &record);
        }
        rest = fst_str_skip(rest, record.size);
    }
    return FST_OK;
}

static enum fst_status check_unit(struct fst_sorted *sorted, enum fst_unit unit,
                                  struct fst_error *err)
{
    if (sorted->unit_known && sorted->unit != unit && !sorted->options.force) {
        return fst_error_set(
            err, FST_ERR_USAGE,
            "counts are %s, and those of the inputs before are %s; --force adds them",
            fst_unit_name(unit), fst_unit_name(sorted->unit));
    }
    sorted->unit = sorted->unit_known ? sorted->unit : unit;
    sorted->unit_known = true;
    return FST_OK;
}

static enum fst_status tell(struct fst_sorted *sorted, struct text *text, struct fst_error *err)
{
    struct fst_sniff seen = {0};
    struct fst_recording recording;
    struct fst_grammar grammar;
    fst_recording_init(&recording);
    enum fst_status status = FST_OK;
    while (status == FST_OK && !text->ended && text->buf.len < HEAD) {
        status = read_more(text, err);
    }
    text->used = fst_str_starts(fst_buf_str(&text->buf), FST_STR("\xef\xbb\xbf")) ? 3 : 0;
    if (status == FST_OK) {
        status = sniff(text, &seen, &recording, err);
    }
    if (status == FST_OK) {
        status = fst_dialect_tell(&seen, &recording, &sorted->options, &grammar, err);
    }
    if (status == FST_OK && seen.records > 0) {
        status = check_unit(sorted, grammar.unit, err);
        text->scanner.tail = grammar.tail;
    }
    return status;
}

/* Sees to it that the text is one, and not a picture or whatever else. */
static enum fst_status open_text(struct text *text, struct fst_error *err)
{
    struct fst_str head;
    enum fst_status status = fst_source_decode(&text->source, err);
    if (status == FST_OK) {
        status = fst_source_peek(text->source, &head, err);
    }
    if (status != FST_OK) {
        return status;
    }
    const char *refusal = fst_kind_refusal(head);
    enum fst_kind kind = fst_kind_of(head);
    if (refusal == NULL && (kind == FST_KIND_SVG || kind == FST_KIND_JSON)) {
        refusal =
            "this is no collapsed text, and cannot be sorted; without --sorted it can be read";
    }
    return refusal == NULL ? FST_OK : fst_error_set(err, FST_ERR_FORMAT, "%s", refusal);
}

static bool keep(struct fst_sorted *sorted, struct text *text)
{
    void *texts = sorted->texts;
    if (fst_grow(&texts, &sorted->capacity, sorted->count + 1, sizeof(struct text *)) != 0) {
        return false;
    }
    sorted->texts = texts;
    sorted->texts[sorted->count++] = text;
    return true;
}

/* Adds a text, whose source is taken. */
static enum fst_status add(struct fst_sorted *sorted, struct fst_source *source, const char *name,
                           struct fst_error *err)
{
    struct text *text = fst_alloc_zeroed(1, sizeof *text);
    if (text == NULL) {
        fst_source_free(source);
        return fst_error_nomem(err);
    }
    size_t size = strlen(name) + 1;
    *text = (struct text){.base = {.next = next}, .owner = sorted, .source = source};
    text->name = fst_alloc(size);
    enum fst_status status = FST_OK;
    if (text->name == NULL) {
        status = fst_error_nomem(err);
    } else {
        memcpy(text->name, name, size);
        status = open_text(text, err);
    }
    if (status == FST_OK) {
        status = tell(sorted, text, err);
    }
    if (status == FST_OK && !keep(sorted, text)) {
        status = fst_error_nomem(err);
    }
    if (status != FST_OK) {
        free_text(text);
    }
    return status;
}

enum fst_status fst_sorted_add_path(struct fst_sorted *sorted, const char *path,
                                    struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status status = fst_source_open(path, &source, err);
    return status == FST_OK ? add(sorted, source, path, err) : status;
}

enum fst_status fst_sorted_add_fd(struct fst_sorted *sorted, int fd, const char *name,
                                  struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status status = fst_source_fd(fd, &source, err);
    return status == FST_OK ? add(sorted, source, name, err) : status;
}

enum fst_status fst_sorted_begin(struct fst_sorted *sorted, struct fst_stream **out,
                                 struct fst_error *err)
{
    sorted->streams = fst_alloc((sorted->count + 1) * sizeof(struct fst_stream *));
    if (sorted->streams == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < sorted->count; i++) {
        sorted->streams[i] = &sorted->texts[i]->base;
    }
    fst_confluence_init(&sorted->all, sorted->streams, sorted->count);
    *out = &sorted->all.base;
    return FST_OK;
}
