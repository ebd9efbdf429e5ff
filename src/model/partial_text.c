/* The lines of a partial sum, read back. Fields stand between tabs; what is in them may be escaped. */
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"
#include "model/partial.h"

/* What is being read. */
struct text {
    struct fst_partial sum; /* the one at hand: a text may have several */
    bool open;              /* there is one */
    uint64_t frames;        /* lines of it that must follow, and those that did */
    uint64_t seen;
    fst_i128 samples;          /* of all of them */
    struct fst_buf scratch[2]; /* fields without escapes: of frame and input */
};

static enum fst_status refuse(const char *why, struct fst_error *err)
{
    return fst_error_set(
        err, FST_ERR_FORMAT,
        "a partial sum that was changed or cut: %s; foldstat merge --partial makes it anew", why);
}

/* --- fields ------------------------------------------------------------------------------------ */

static struct fst_str next_field(struct fst_str *rest)
{
    const char *tab = rest->len == 0 ? NULL : memchr(rest->data, '\t', rest->len);
    size_t len = tab == NULL ? rest->len : (size_t)(tab - rest->data);
    struct fst_str field = fst_str_of(rest->data, len);
    *rest = fst_str_skip(*rest, tab == NULL ? len : len + 1);
    return field;
}

/* A whole number that is not negative, at most `most`. */
static bool read_whole(struct fst_str text, fst_i128 most, fst_i128 *out)
{
    fst_i128 value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!fst_is_digit(text.data[i]) || value > (most - (text.data[i] - '0')) / 10) {
            return false;
        }
        value = value * 10 + (text.data[i] - '0');
    }
    *out = value;
    return text.len > 0;
}

static bool read_u64(struct fst_str text, uint64_t most, uint64_t *out)
{
    fst_i128 value;
    bool good = read_whole(text, most, &value);
    *out = good ? (uint64_t)value : 0;
    return good;
}

/* Takes "key=" and what follows it, up to the end of the field. */
static bool take(struct fst_str *rest, struct fst_str key, struct fst_str *value)
{
    struct fst_str field = next_field(rest);
    *value = fst_str_skip(field, key.len < field.len ? key.len : field.len);
    return fst_str_starts(field, key);
}

static bool take_u64(struct fst_str *rest, struct fst_str key, uint64_t most, uint64_t *out)
{
    struct fst_str value;
    return take(rest, key, &value) && read_u64(value, most, out);
}

/* Takes counts with colons between them, the first of which is whole. */
static bool take_told(struct fst_str *rest, struct fst_str key, uint64_t most, uint64_t *known,
                      fst_i128 *counts, size_t count)
{
    struct fst_str value;
    bool good = take(rest, key, &value);
    for (size_t i = 0; good && i <= count; i++) {
        const char *colon = value.len == 0 ? NULL : memchr(value.data, ':', value.len);
        size_t len = colon == NULL ? value.len : (size_t)(colon - value.data);
        struct fst_str part = fst_str_of(value.data, len);
        good =
            (colon != NULL) == (i < count) &&
            (i == 0 ? read_u64(part, most, known)
                    : fst_count_parse(part, &counts[i - 1]) == FST_COUNT_OK && counts[i - 1] >= 0);
        value = fst_str_skip(value, colon == NULL ? len : len + 1);
    }
    return good;
}

/* --- the head ---------------------------------------------------------------------------------- */

static bool read_figures(struct text *text, struct fst_str *rest)
{
    struct fst_partial *sum = &text->sum;
    struct fst_str samples;
    fst_i128 rates[2] = {0};
    fst_i128 count = 0;
    bool good =
        take_u64(rest, FST_STR("inputs="), UINT32_MAX, &sum->inputs) &&
        take_u64(rest, FST_STR("compared="), sum->inputs, &sum->compared) &&
        take(rest, FST_STR("samples="), &samples) &&
        fst_count_parse(samples, &count) == FST_COUNT_OK &&
        take_u64(rest, FST_STR("bad-lines="), UINT64_MAX / 2, &sum->bad_lines) &&
        take_u64(rest, FST_STR("frames="), UINT64_MAX, &text->frames) &&
        take_told(rest, FST_STR("rates="), sum->inputs, &sum->rates.known, rates, 2) &&
        take_told(rest, FST_STR("durations="), sum->inputs, &sum->durations.known,
                  &sum->durations.sum, 1) &&
        take_told(rest, FST_STR("errors="), sum->inputs, &sum->errors.known, &sum->errors.sum, 1) &&
        take_told(rest, FST_STR("ticks="), sum->inputs, &sum->ticks.known, &sum->ticks.sum, 1);
    sum->least_rate = rates[0];
    sum->most_rate = rates[1];
    return good && !FST_ADD_OVERFLOWS(text->samples, count, &text->samples);
}

/* Takes the rules as they stand between "rules" and "end". */
static bool read_rules(struct fst_partial *sum, struct fst_str rest, bool *whole)
{
    struct fst_str end = FST_STR("\tend");
    struct fst_str start = FST_STR("rules");
    *whole =
        fst_str_starts(rest, start) && fst_str_ends(rest, end) && rest.len >= start.len + end.len;
    if (!*whole) {
        return true;
    }
    rest.len -= end.len;
    return fst_buf_add_str(&sum->rules, fst_str_skip(rest, start.len));
}

static enum fst_status read_head(struct text *text, struct fst_str rest, struct fst_error *err)
{
    if (!fst_str_eq(next_field(&rest), FST_STR(FST_PARTIAL_VERSION))) {
        return fst_error_set(
            err, FST_ERR_FORMAT,
            "a partial sum of another version of foldstat; this one reads " FST_PARTIAL_VERSION);
    }
    bool whole;
    text->open = true;
    text->seen = 0;
    if (!read_figures(text, &rest)) {
        return refuse("its first line does not read", err);
    }
    if (!read_rules(&text->sum, rest, &whole)) {
        return fst_error_nomem(err);
    }
    return whole ? FST_OK : refuse("its first line does not read", err);
}

/* --- frames ------------------------------------------------------------------------------------ */

static bool unescape(struct fst_buf *out, struct fst_str field)
{
    fst_buf_clear(out);
    return fst_unescape_field(out, field);
}

/* Takes shares and inputs, as many as there are of them. */
static bool read_ends(struct text *text, struct fst_str *rest, const struct fst_moments *moments,
                      struct fst_extreme *ends, bool *memory)
{
    bool good = true;
    for (size_t i = 0; good && i < FST_PARTIAL_ENDS && i < moments->inputs; i++) {
        good = read_whole(next_field(rest), FST_PARTIAL_WHOLE, &ends[i].share) &&
               unescape(&text->scratch[1], next_field(rest));
        ends[i].input = fst_symtab_intern(&text->sum.names, fst_buf_str(&text->scratch[1]));
        *memory = *memory && ends[i].input != FST_ID_NONE;
        good = good && *memory;
    }
    return good;
}

static bool read_moments(struct text *text, struct fst_str *rest, struct fst_moments *moments,
                         bool *memory)
{
    return read_u64(next_field(rest), text->sum.compared, &moments->inputs) &&
           moments->inputs > 0 &&
           read_whole(next_field(rest), FST_PARTIAL_WHOLE * moments->inputs, &moments->sum) &&
           read_whole(next_field(rest), FST_PARTIAL_WHOLE * moments->sum, &moments->squares) &&
           read_ends(text, rest, moments, moments->most, memory) &&
           read_ends(text, rest, moments, moments->least, memory);
}

static enum fst_status read_frame(struct text *text, struct fst_str rest, struct fst_error *err)
{
    struct fst_moments moments = {0};
    bool memory = true;
    bool good = text->open && unescape(&text->scratch[0], next_field(&rest)) &&
                read_moments(text, &rest, &moments, &memory);
    bool self = fst_str_eq(rest, FST_STR("self"));
    memory = memory && !text->scratch[0].failed && !text->scratch[1].failed;
    if (memory && (!good || (!self && !fst_str_eq(rest, FST_STR("total"))))) {
        return refuse("a line of a frame does not read", err);
    }
    struct fst_str frame = fst_buf_str(&text->scratch[0]);
    enum fst_moments_kind kind = self ? FST_MOMENTS_SELF : FST_MOMENTS_TOTAL;
    if (!memory || !fst_partial_add_moments(&text->sum, frame, kind, &moments, &text->sum.names)) {
        return fst_error_nomem(err);
    }
    text->seen++;
    return fst_partial_find(&text->sum, frame, kind)->inputs <= text->sum.compared
               ? FST_OK
               : refuse("a frame has several lines", err);
}

/* --- the whole --------------------------------------------------------------------------------- */

/* Adds the one at hand to the result. */
static enum fst_status close_sum(struct text *text, struct fst_partial *into, struct fst_error *err)
{
    if (!text->open) {
        return FST_OK;
    }
    if (text->seen != text->frames) {
        return refuse("lines of frames are missing", err);
    }
    text->open = false;
    enum fst_status status = fst_partial_merge(into, &text->sum, err);
    fst_partial_release(&text->sum);
    fst_partial_init(&text->sum, into->frames.seed[0]);
    return status;
}

static enum fst_status read_line(struct text *text, struct fst_partial *into, struct fst_str line,
                                 struct fst_error *err)
{
    if (!fst_str_starts(line, FST_PARTIAL_HEAD)) {
        return read_frame(text, fst_str_skip(line, FST_PARTIAL_FRAME.len), err);
    }
    enum fst_status status = close_sum(text, into, err);
    return status == FST_OK ? read_head(text, fst_str_skip(line, FST_PARTIAL_HEAD.len), err)
                            : status;
}

enum fst_status fst_partial_read(struct fst_partial *partial, struct fst_str lines, fst_i128 total,
                                 struct fst_error *err)
{
    struct text text = {.open = false};
    enum fst_status status = FST_OK;
    fst_partial_init(&text.sum, partial->frames.seed[0]);
    while (status == FST_OK && lines.len > 0) {
        const char *newline = memchr(lines.data, '\n', lines.len);
        struct fst_str line = fst_str_of(lines.data, (size_t)(newline - lines.data));
        lines = fst_str_skip(lines, line.len + 1);
        line.len -= fst_str_ends(line, FST_STR("\r"));
        status = read_line(&text, partial, line, err);
    }
    if (status == FST_OK) {
        status = close_sum(&text, partial, err);
    }
    if (status == FST_OK && text.samples != total) {
        status = refuse("its counts do not make the sum that it gives", err);
    }
    fst_partial_release(&text.sum);
    fst_buf_release(&text.scratch[0]);
    fst_buf_release(&text.scratch[1]);
    return status;
}
