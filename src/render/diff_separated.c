/* diff as CSV and TSV: one line a row, told apart by the first column.
 *
 *     row    both counts, shares, differences, intervals, tests
 *     path   a stack of the row that `within` names; before, after and delta are those of the counts
 *            that rows are sorted by
 *
 * Figures that are absent are empty fields. */
#include <math.h>

#include "base/buf.h"
#include "base/compat.h"
#include "render/render.h"
#include "render/separated.h"

static void put_change(struct fst_buf *out, const struct fst_separated *format,
                       const struct fst_change *change)
{
    fst_separated_count(out, format, change->before);
    fst_separated_count(out, format, change->after);
    const double fields[] = {
        change->before_share, change->after_share, change->delta, change->delta_ci.lo,
        change->delta_ci.hi,  change->ratio,       change->p,     change->q};
    for (size_t i = 0; i < FST_COUNT_OF(fields); i++) {
        fst_separated_double(out, format, fields[i]);
    }
}

static void put_row(struct fst_sink *sink, const struct fst_diff_view *view,
                    const struct fst_separated *format, const struct fst_diff_row *row)
{
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, "row");
    fst_buf_add_char(out, format->separator);
    fst_separated_name(out, format, row->name, view->options->terminal);
    fst_buf_add_char(out, format->separator);
    fst_buf_add_char(out, format->separator);
    fst_buf_add_cstr(out, fst_presence_name(row->presence));
    fst_buf_add_char(out, format->separator);
    fst_buf_add_cstr(out, row->significant ? "true" : "false");
    put_change(out, format, &row->self);
    put_change(out, format, &row->total);
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_path(struct fst_sink *sink, const struct fst_diff_view *view,
                     const struct fst_separated *format, const struct fst_diff_row *row,
                     const struct fst_diff_path *path)
{
    const struct fst_change empty = {.before_share = NAN,
                                     .after_share = NAN,
                                     .delta = path->delta,
                                     .delta_ci = {NAN, NAN},
                                     .ratio = NAN,
                                     .p = NAN,
                                     .q = NAN,
                                     .before = path->before,
                                     .after = path->after};
    enum { FIELDS = 10 };
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, "path");
    fst_buf_add_char(out, format->separator);
    fst_separated_name(out, format, path->stack, view->options->terminal);
    fst_buf_add_char(out, format->separator);
    fst_separated_name(out, format, row->name, view->options->terminal);
    fst_buf_add_fill(out, format->separator, 2);
    if (view->diff->on == FST_ON_SELF) {
        put_change(out, format, &empty);
        fst_buf_add_fill(out, format->separator, FIELDS);
    } else {
        fst_buf_add_fill(out, format->separator, FIELDS);
        put_change(out, format, &empty);
    }
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_all(struct fst_sink *sink, const struct fst_diff_view *view,
                    const struct fst_separated *format)
{
    static const char *const fields[] = {
        "table",
        "name",
        "within",
        "presence",
        "significant",
        "before_self",
        "after_self",
        "before_self_share",
        "after_self_share",
        "delta_self",
        "delta_self_lo",
        "delta_self_hi",
        "ratio_self",
        "p_self",
        "q_self",
        "before_total",
        "after_total",
        "before_total_share",
        "after_total_share",
        "delta_total",
        "delta_total_lo",
        "delta_total_hi",
        "ratio_total",
        "p_total",
        "q_total",
    };
    fst_separated_head(&sink->buf, format, fields, FST_COUNT_OF(fields));
    for (size_t i = 0; i < view->diff->count; i++) {
        const struct fst_diff_row *row = &view->diff->rows[i];
        put_row(sink, view, format, row);
        for (size_t k = 0; k < row->npaths; k++) {
            put_path(sink, view, format, row, &row->paths[k]);
        }
    }
}

void fst_diff_as_csv(struct fst_sink *sink, const struct fst_diff_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_diff_as_tsv(struct fst_sink *sink, const struct fst_diff_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
