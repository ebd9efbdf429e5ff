/* check for programs: JSON, CSV and TSV. */
#include "base/buf.h"
#include "base/compat.h"
#include "render/diff_json.h"
#include "render/json.h"
#include "render/render.h"
#include "render/separated.h"

static void put_row(struct fst_jsonw *w, const struct fst_check_row *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    fst_diff_json_row(w, row->row);
    fst_jsonw_text(w, "kind", fst_str_cstr(fst_budget_name(row->kind)));
    fst_jsonw_double(w, "budget", row->budget);
    fst_jsonw_double(w, "value", row->value);
    fst_jsonw_interval(w, "value_ci", row->ci);
    fst_jsonw_double(w, "q", row->q);
    fst_jsonw_bool(w, "over", row->over);
    fst_jsonw_bool(w, "undecided", row->undecided);
    fst_jsonw_double(w, "samples_needed", row->samples_needed);
    fst_jsonw_double(w, "recordings_needed", row->recordings_needed);
    fst_jsonw_close(w);
}

void fst_check_as_json(struct fst_sink *sink, const struct fst_check_view *view)
{
    const struct fst_check *check = view->check;
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "check");
    fst_diff_json_head(&w, check->diff, check->notes, check->nnotes);
    fst_jsonw_text(&w, "verdict", fst_str_cstr(fst_verdict_name(check->verdict)));
    fst_jsonw_double(&w, "samples_needed", check->samples_needed);
    fst_jsonw_double(&w, "recordings_needed", check->recordings_needed);
    fst_jsonw_u64(&w, "of", check->of);
    fst_jsonw_open(&w, "rows", '[');
    for (size_t i = 0; i < check->count; i++) {
        put_row(&w, &check->rows[i]);
    }
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}

static void put_line(struct fst_sink *sink, const struct fst_check_view *view,
                     const struct fst_separated *format, const struct fst_check_row *row)
{
    struct fst_buf *out = &sink->buf;
    const struct fst_change *change = row->on == FST_ON_TOTAL ? &row->row->total : &row->row->self;
    fst_buf_add_cstr(out, fst_budget_name(row->kind));
    fst_buf_add_char(out, format->separator);
    fst_separated_name(out, format, row->row->name, view->options->terminal);
    fst_separated_count(out, format, change->before);
    fst_separated_count(out, format, change->after);
    const double fields[] = {change->before_share, change->after_share, row->value,
                             row->ci.lo,           row->ci.hi,          row->q,
                             row->budget};
    for (size_t i = 0; i < FST_COUNT_OF(fields); i++) {
        fst_separated_double(out, format, fields[i]);
    }
    fst_buf_add_fmt(out, "%c%s%c%s", format->separator, row->over ? "true" : "false",
                    format->separator, row->undecided ? "true" : "false");
    fst_separated_double(out, format, row->samples_needed);
    fst_separated_double(out, format, row->recordings_needed);
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_all(struct fst_sink *sink, const struct fst_check_view *view,
                    const struct fst_separated *format)
{
    static const char *const fields[] = {
        "kind",        "name",  "before",    "after",          "before_share",
        "after_share", "value", "value_lo",  "value_hi",       "q",
        "budget",      "over",  "undecided", "samples_needed", "recordings_needed",
    };
    fst_separated_head(&sink->buf, format, fields, FST_COUNT_OF(fields));
    for (size_t i = 0; i < view->check->count; i++) {
        put_line(sink, view, format, &view->check->rows[i]);
    }
}

void fst_check_as_csv(struct fst_sink *sink, const struct fst_check_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_check_as_tsv(struct fst_sink *sink, const struct fst_check_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
