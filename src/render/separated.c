/* One line a row, for scripts: CSV (RFC 4180, lines end in CR LF) and TSV.
 *
 * Both tables stand in one, told apart by the first column; rows within a row follow it, and name it
 * in the last. Names keep their bytes, unless they
 * go to a terminal; figures that are absent are empty fields. */
#include <math.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"
#include "render/render.h"
#include "render/separated.h"

static void name_csv(struct fst_buf *out, struct fst_str name)
{
    bool quoted = name.len == 0;
    for (size_t i = 0; i < name.len && !quoted; i++) {
        char c = name.data[i];
        quoted = c == ',' || c == '"' || c == '\r' || c == '\n';
    }
    if (!quoted) {
        fst_buf_add_str(out, name);
        return;
    }
    fst_buf_add_char(out, '"');
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] == '"') {
            fst_buf_add_char(out, '"');
        }
        fst_buf_add_char(out, name.data[i]);
    }
    fst_buf_add_char(out, '"');
}

void fst_separated_count(struct fst_buf *out, const struct fst_separated *format,
                         struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add_char(out, format->separator);
    fst_buf_add(out, text, fst_count_format(fst_count_unpack(count), text));
}

void fst_separated_double(struct fst_buf *out, const struct fst_separated *format, double value)
{
    fst_buf_add_char(out, format->separator);
    if (!isnan(value)) {
        fst_number_json(out, value);
    }
}

void fst_separated_name(struct fst_buf *out, const struct fst_separated *format,
                        struct fst_str name, bool terminal)
{
    if (!terminal) {
        format->name(out, name);
        return;
    }
    struct fst_buf escaped = {0};
    fst_escape_text(&escaped, name);
    format->name(out, fst_buf_str(&escaped));
    out->failed = out->failed || escaped.failed;
    fst_buf_release(&escaped);
}

void fst_separated_head(struct fst_buf *out, const struct fst_separated *format,
                        const char *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            fst_buf_add_char(out, format->separator);
        }
        fst_buf_add_cstr(out, fields[i]);
    }
    fst_buf_add_cstr(out, format->line_end);
}

/* Rows may stand for several threads or processes. */
static bool has_members(const struct fst_top *top)
{
    bool labels = top->by == FST_BY_THREAD || top->by == FST_BY_PROCESS ||
                  top->root == FST_ROOT_THREAD || top->root == FST_ROOT_PROCESS ||
                  (top->nested && (top->inner == FST_BY_THREAD || top->inner == FST_BY_PROCESS));
    return top->scope.normalized && labels;
}

/* Fields of a spread, empty ones where there is none. */
static void put_spread(struct fst_buf *out, const struct fst_view *view,
                       const struct fst_separated *d, const struct fst_spread *spread)
{
    static const struct fst_spread none = {
        .mean = NAN, .sd = NAN, .least = NAN, .most = NAN, .high = {{.name = {"", 0}}}};
    const struct fst_spread *shown = spread == NULL ? &none : spread;
    fst_separated_double(out, d, shown->mean);
    fst_separated_double(out, d, shown->sd);
    fst_separated_double(out, d, shown->least);
    fst_separated_double(out, d, shown->most);
    fst_buf_add_char(out, d->separator);
    if (spread != NULL) {
        fst_separated_name(out, d, shown->high[0].name, view->options->terminal);
    }
}

/* The fields that only some tables have. above: the row that this one lies within; or NULL. */
static void put_extra(struct fst_buf *out, const struct fst_view *view,
                      const struct fst_separated *d, const struct fst_top_row *row,
                      const struct fst_top_row *above)
{
    if (has_members(view->top)) {
        fst_buf_add_char(out, d->separator);
        if (row->members > 0) {
            fst_buf_add_fmt(out, "%llu", (unsigned long long)row->members);
        }
    }
    if (view->top->compared > 0) {
        put_spread(out, view, d, row->self_spread);
        put_spread(out, view, d, row->total_spread);
    }
    if (view->top->nested) {
        fst_buf_add_char(out, d->separator);
        if (above != NULL) {
            fst_separated_name(out, d, above->name, view->options->terminal);
        }
    }
}

static void put_row(struct fst_sink *sink, const struct fst_view *view,
                    const struct fst_separated *d, const struct fst_top_row *row,
                    const struct fst_top_row *above, bool root)
{
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, root ? "root" : above != NULL ? "within" : "leaf");
    fst_buf_add_char(out, d->separator);
    fst_separated_name(out, d, row->name, view->options->terminal);
    if (root) {
        for (int i = 0; i < 4; i++) {
            fst_buf_add_char(out, d->separator);
        }
    } else {
        fst_separated_count(out, d, row->self);
        fst_separated_double(out, d, row->self_share);
        fst_separated_double(out, d, row->self_ci.lo);
        fst_separated_double(out, d, row->self_ci.hi);
    }
    if (row->total_known) {
        fst_separated_count(out, d, row->total);
    } else {
        fst_buf_add_char(out, d->separator);
    }
    fst_separated_double(out, d, row->total_share);
    fst_separated_double(out, d, row->total_ci.lo);
    fst_separated_double(out, d, row->total_ci.hi);
    fst_separated_double(out, d, row->busy);
    put_extra(out, view, d, row, above);
    fst_buf_add_cstr(out, d->line_end);
    fst_sink_spill(sink);
}

static void put_all(struct fst_sink *sink, const struct fst_view *view,
                    const struct fst_separated *d)
{
    static const char *const fields[] = {
        "table", "name",        "self",     "self_share", "self_lo", "self_hi",
        "total", "total_share", "total_lo", "total_hi",   "busy",
    };
    static const char *const spreads[] = {
        "self_mean",  "self_sd",  "self_least",  "self_most",  "self_most_input",
        "total_mean", "total_sd", "total_least", "total_most", "total_most_input",
    };
    const char *all[FST_COUNT_OF(fields) + FST_COUNT_OF(spreads) + 2];
    size_t count = FST_COUNT_OF(fields);
    memcpy(all, fields, sizeof fields);
    if (has_members(view->top)) {
        all[count++] = "members";
    }
    if (view->top->compared > 0) {
        memcpy(all + count, spreads, sizeof spreads);
        count += FST_COUNT_OF(spreads);
    }
    if (view->top->nested) {
        all[count++] = "within";
    }
    fst_separated_head(&sink->buf, d, all, count);
    const struct fst_top_row *above = NULL;
    for (size_t i = 0; i < view->top->leaf.count; i++) {
        const struct fst_top_row *row = &view->top->leaf.rows[i];
        above = row->within ? above : row;
        put_row(sink, view, d, row, row->within ? above : NULL, false);
    }
    for (size_t i = 0; i < view->top->roots.count; i++) {
        put_row(sink, view, d, &view->top->roots.rows[i], NULL, true);
    }
}

const struct fst_separated fst_separated_csv = {',', "\r\n", name_csv};
const struct fst_separated fst_separated_tsv = {'\t', "\n", fst_escape_field};

void fst_top_as_csv(struct fst_sink *sink, const struct fst_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_top_as_tsv(struct fst_sink *sink, const struct fst_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
