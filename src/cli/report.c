#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/number.h"
#include "base/width.h"

/* Writes a whole message at once, so that lines of several processes do not mix. */
static void emit(struct fst_buf *message)
{
    if (!message->failed) {
        (void)fwrite(message->data, 1, message->len, stderr);
    }
    fst_buf_release(message);
}

void fst_report(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)fputs("foldstat: ", stderr);
    (void)vfprintf(stderr, fmt, args);
    (void)fputc('\n', stderr);
    va_end(args);
}

void fst_report_error(const char *name, const struct fst_error *err)
{
    struct fst_buf out = {0};
    fst_buf_add_cstr(&out, "foldstat: ");
    if (name != NULL) {
        fst_escape_text(&out, fst_str_cstr(name));
        if (err->line > 0) {
            fst_buf_add_fmt(&out, ":%llu", (unsigned long long)err->line);
        }
        fst_buf_add_cstr(&out, ": ");
    }
    fst_buf_add_cstr(&out, err->message);
    fst_buf_add_char(&out, '\n');
    emit(&out);
}

/* What stands where a count should be, in quotes and cut if it is long. */
static void add_found(struct fst_buf *out, const struct fst_bad_line *bad)
{
    enum { LONGEST = 24 };
    size_t len = bad->mark_len < LONGEST ? bad->mark_len : LONGEST;
    fst_buf_add_cstr(out, ", found \"");
    fst_escape_text(out, fst_str_of(bad->text.data + bad->mark, len));
    fst_buf_add_cstr(out, len < bad->mark_len ? "…\"" : "\"");
}

/* The line, and a caret under the token. */
static void add_picture(struct fst_buf *out, const struct fst_bad_line *bad)
{
    struct fst_buf before = {0};
    struct fst_buf mark = {0};
    fst_buf_add_cstr(&before, bad->cut_before ? "  …" : "  ");
    fst_escape_text(&before, fst_str_of(bad->text.data, bad->mark));
    fst_escape_text(&mark, fst_str_of(bad->text.data + bad->mark, bad->mark_len));
    fst_buf_add_str(out, fst_buf_str(&before));
    fst_buf_add_str(out, fst_buf_str(&mark));
    fst_escape_text(out, fst_str_skip(bad->text, bad->mark + bad->mark_len));
    fst_buf_add_cstr(out, bad->cut_after ? "…\n" : "\n");
    fst_buf_add_fill(out, ' ', fst_width(fst_buf_str(&before)));
    fst_buf_add_char(out, '^');
    size_t tail = fst_width(fst_buf_str(&mark));
    fst_buf_add_fill(out, '~', tail > 0 ? tail - 1 : 0);
    fst_buf_add_char(out, '\n');
    fst_buf_release(&before);
    fst_buf_release(&mark);
}

void fst_report_fault(const struct fst_selection_fault *fault, const char *path,
                      const struct fst_error *err)
{
    struct fst_buf out = {0};
    fst_buf_add_cstr(&out, "foldstat: ");
    if (path != NULL) {
        fst_escape_text(&out, fst_str_cstr(path));
        fst_buf_add_fmt(&out, ":%llu:%zu: ", (unsigned long long)fault->line, fault->mark + 1);
    } else if (fault->option != NULL) {
        fst_buf_add_fmt(&out, "--%s: ", fault->option);
    }
    fst_buf_add_fmt(&out, "%s\n", err->message);
    const struct fst_bad_line picture = {.text = fault->text, .mark = fault->mark};
    add_picture(&out, &picture);
    emit(&out);
}

size_t fst_report_bad_lines(const struct fst_input *input, size_t most)
{
    size_t count = input->nbad < most ? input->nbad : most;
    for (size_t i = 0; i < count; i++) {
        const struct fst_bad_line *bad = &input->bad[i];
        struct fst_buf out = {0};
        fst_buf_add_cstr(&out, "foldstat: ");
        fst_escape_text(&out, input->name);
        fst_buf_add_fmt(&out, ":%llu:%llu: %s", (unsigned long long)bad->line,
                        (unsigned long long)bad->column, fst_bad_reason_text(bad->reason));
        if (bad->reason != FST_BAD_QUOTE) {
            add_found(&out, bad);
        }
        fst_buf_add_char(&out, '\n');
        add_picture(&out, bad);
        emit(&out);
    }
    return count;
}

static void add_percent(struct fst_buf *out, uint64_t part, uint64_t whole)
{
    double percent = whole == 0 ? 0 : (double)part / (double)whole * 100;
    if (part > 0 && percent < 0.05) {
        fst_buf_add_cstr(out, "<0.1 %");
    } else {
        fst_buf_add_fmt(out, "%.1f %%", percent);
    }
}

void fst_report_skipped(const struct fst_input *inputs, size_t count)
{
    struct fst_input sum = {0};
    size_t shown = 0;
    size_t files = 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].status != FST_OK) {
            continue;
        }
        shown += fst_report_bad_lines(&inputs[i], FST_BAD_LINES_KEPT - shown);
        sum.bad_lines += inputs[i].bad_lines;
        sum.bad_bytes += inputs[i].bad_bytes;
        sum.lines += inputs[i].lines;
        sum.bytes += inputs[i].bytes;
        files += inputs[i].bad_lines > 0;
    }
    if (sum.bad_lines == 0) {
        return;
    }
    struct fst_buf out = {0};
    fst_buf_add_cstr(&out, "foldstat: skipped ");
    fst_number_grouped_u64(&out, sum.bad_lines);
    fst_buf_add_cstr(&out, " of ");
    fst_number_grouped_u64(&out, sum.lines);
    fst_buf_add_cstr(&out, sum.lines == 1 ? " line" : " lines");
    if (count > 1) {
        fst_buf_add_fmt(&out, " in %zu of %zu files", files, count);
    }
    fst_buf_add_cstr(&out, " (");
    add_percent(&out, sum.bad_bytes, sum.bytes);
    fst_buf_add_cstr(&out, " of bytes); --strict makes this an error\n");
    emit(&out);
}

void fst_report_notes(const struct fst_str *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fst_buf out = {0};
        fst_buf_add_cstr(&out, "foldstat: note: ");
        fst_buf_add_str(&out, notes[i]);
        fst_buf_add_char(&out, '\n');
        emit(&out);
    }
}
