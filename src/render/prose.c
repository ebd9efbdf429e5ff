#include "render/prose.h"

#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "render/columns.h"

/* --- the header ----------------------------------------------------------------------------- */

void fst_prose_counted(struct fst_buf *out, uint64_t n, const char *one, const char *many)
{
    fst_number_grouped_u64(out, n);
    fst_buf_add_fmt(out, " %s", n == 1 ? one : many);
}

static void add_dialects(struct fst_buf *out, const struct fst_view *view)
{
    for (size_t i = 0; i < view->ninputs; i++) {
        bool empty = view->inputs[i].stack_lines == 0 && view->ninputs > 1;
        bool seen = view->inputs[i].status != FST_OK || empty;
        for (size_t k = 0; k < i; k++) {
            seen = seen || view->inputs[k].dialect == view->inputs[i].dialect;
        }
        if (!seen) {
            fst_buf_add_fmt(out, " · %s", fst_dialect_name(view->inputs[i].dialect));
        }
    }
}

static void add_names(struct fst_buf *out, const struct fst_view *view, fst_name_fn name)
{
    enum { NAMES_AT_MOST = 3 };
    size_t read = 0;
    for (size_t i = 0; i < view->ninputs; i++) {
        read += view->inputs[i].status == FST_OK;
    }
    if (read > NAMES_AT_MOST) {
        fst_prose_counted(out, read, "file", "files");
        return;
    }
    const char *comma = "";
    for (size_t i = 0; i < view->ninputs; i++) {
        if (view->inputs[i].status == FST_OK) {
            fst_buf_add_cstr(out, comma);
            name(out, view->inputs[i].name);
            comma = ", ";
        }
    }
}

void fst_prose_inputs(struct fst_buf *out, const struct fst_view *view, fst_name_fn name)
{
    add_names(out, view, name);
    add_dialects(out, view);
}

/* "12 samples": of the total, or of as many periods. */
static void add_samples(struct fst_buf *out, const struct fst_scope *scope)
{
    fst_number_grouped_double(out, scope->samples);
    fst_buf_add_cstr(out, scope->samples == 1 ? " sample" : " samples");
}

/* What counts count, behind one that is that large. */
static void add_unit(struct fst_buf *out, const struct fst_scope *scope, fst_i128 total)
{
    if (scope->unit != FST_UNIT_SAMPLES) {
        fst_buf_add_fmt(out, " %s", fst_unit_name(scope->unit));
    } else if (scope->counting == FST_COUNTING_SAMPLES) {
        fst_buf_add_cstr(out, total == FST_COUNT_ONE ? " sample" : " samples");
    } else if (scope->counting == FST_COUNTING_PERIODS) {
        fst_buf_add_cstr(out, total == fst_count_unpack(scope->total) ? " (" : " units");
        if (total == fst_count_unpack(scope->total)) {
            add_samples(out, scope);
            fst_buf_add_char(out, ')');
        }
    } else {
        fst_buf_add_cstr(out, " units");
    }
}

void fst_prose_count(struct fst_buf *out, const struct fst_scope *scope, struct fst_count count)
{
    fst_number_grouped(out, fst_count_unpack(count));
    add_unit(out, scope, fst_count_unpack(count));
}

void fst_prose_share(struct fst_buf *out, double share)
{
    fst_cell_share(out, share);
    if (!out->failed && out->data[out->len - 1] == '%') {
        out->len--;
        fst_buf_add_cstr(out, " %");
    }
}

/* "54 of 178 samples (30.3 %) kept on 10 of 64 lines", "178 samples on 64 lines". */
static void add_kept(struct fst_buf *out, const struct fst_scope *scope)
{
    if (scope->nasked == 0) {
        fst_prose_count(out, scope, scope->total);
        fst_buf_add_cstr(out, " on ");
        fst_prose_counted(out, scope->stack_lines, "line", "lines");
        return;
    }
    double offered = fst_count_value(scope->offered);
    fst_number_grouped(out, fst_count_unpack(scope->total));
    fst_buf_add_cstr(out, " of ");
    fst_prose_count(out, scope, scope->offered);
    if (offered > 0) {
        fst_buf_add_fmt(out, " (%.1f %%)", fst_count_value(scope->total) / offered * 100);
    }
    fst_buf_add_cstr(out, " on ");
    fst_number_grouped_u64(out, scope->stack_lines);
    fst_buf_add_cstr(out, " of ");
    fst_prose_counted(out, scope->offered_lines, "line", "lines");
}

void fst_prose_asked(struct fst_buf *out, const struct fst_asked *asked, size_t nasked,
                     enum fst_percent_of percent_of, fst_name_fn name)
{
    for (size_t i = 0; i < nasked; i++) {
        fst_buf_add_fmt(out, "%s--%s", i == 0 ? "kept by " : ", ", asked[i].option);
        if (asked[i].value.len > 0) {
            fst_buf_add_char(out, ' ');
            name(out, asked[i].value);
        }
    }
    if (nasked > 0) {
        fst_buf_add_cstr(out,
                         percent_of == FST_OF_ALL ? " · shares of all" : " · shares of the kept");
    }
}

void fst_prose_scope(struct fst_buf *out, const struct fst_view *view,
                     const struct fst_scope *scope, fst_name_fn name)
{
    fst_prose_inputs(out, view, name);
    fst_buf_add_cstr(out, " · ");
    add_kept(out, scope);
    if (scope->nasked > 0) {
        fst_buf_add_cstr(out, " · ");
        fst_prose_asked(out, scope->asked, scope->nasked, scope->percent_of, name);
    }
}

/* What the intervals rest on, where it is not the ticks. */
static void add_assumption(struct fst_buf *out, const struct fst_top *top)
{
    if (isnan(top->precision.n) || !isnan(top->ticks)) {
        return;
    }
    if (top->design_effect == 1) {
        fst_buf_add_cstr(out, " · assumes independent samples");
    } else {
        fst_buf_add_fmt(out, " · design effect %g", top->design_effect);
    }
}

void fst_prose_header(struct fst_buf *out, const struct fst_view *view, fst_name_fn name)
{
    static const char *const many[] = {"frames",    "functions", "lines",      "files", "threads",
                                       "processes", "modules",   "categories", "stacks"};
    const struct fst_top *top = view->top;
    fst_prose_scope(out, view, &top->scope, name);
    fst_buf_add_cstr(out, " · ");
    fst_number_grouped_u64(out, top->leaf.of);
    bool leaves = top->by == FST_BY_FRAME && top->sort != FST_SORT_TOTAL;
    fst_buf_add_fmt(out, " %s%s", leaves ? "leaf " : "",
                    top->leaf.of == 1 ? fst_by_name(top->by) : many[top->by]);
    if (!isnan(top->ticks)) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_double(out, floor(top->ticks + 0.5));
        fst_buf_add_cstr(out, " ticks");
    }
    add_assumption(out, top);
}

/* --- the footers ---------------------------------------------------------------------------- */

/* Points for people: whole ones where they are many, else one decimal unless that is 0. */
static void add_points(struct fst_buf *out, double share)
{
    double tenths = floor(share * 1000 + 0.5);
    if (tenths < 1) {
        fst_buf_add_cstr(out, "±0.1 points or better");
        return;
    }
    bool whole = tenths >= 40 || fmod(tenths, 10) == 0;
    fst_buf_add_fmt(out, whole ? "±%.0f points" : "±%.1f points", share * 100);
}

/* Two significant digits are enough for a plan. */
static void add_rounded(struct fst_buf *out, double value)
{
    double unit = pow(10, floor(log10(value)) - 1);
    double rounded = unit > 1 ? floor(value / unit + 0.5) * unit : floor(value + 0.5);
    fst_number_grouped_double(out, rounded);
}

/* ", 85.4 % of 178 samples.", or only the full stop where there is no share. */
static void add_covered(struct fst_buf *out, const struct fst_top *top,
                        const struct fst_top_table *table)
{
    if (!isnan(table->covered_share)) {
        fst_buf_add_cstr(out, ", ");
        fst_prose_share(out, table->covered_share);
        fst_buf_add_cstr(out, " of ");
        fst_prose_count(out, &top->scope, top->scope.whole);
    }
    fst_buf_add_char(out, '.');
}

static void add_precision(struct fst_buf *out, const struct fst_top *top)
{
    enum { FEW = 30 };
    const struct fst_precision *precision = &top->precision;
    if (isnan(precision->n)) {
        return;
    }
    fst_buf_add_cstr(out, precision->n < FEW ? " Only " : " ");
    if (precision->n < FEW) {
        add_samples(out, &top->scope);
        fst_buf_add_cstr(out, ": a share is good to about ");
    } else {
        fst_buf_add_cstr(out, precision->factor > 1 ? "So few samples place a share to about "
                                                    : "A share is good to about ");
    }
    add_points(out, precision->half_width);
    if (precision->factor > 1) {
        fst_buf_add_cstr(out, "; ");
        add_points(out, precision->wanted);
        fst_buf_add_cstr(out, " needs about ");
        add_rounded(out, precision->wanted_n);
        fst_buf_add_cstr(out, ": ");
        if (precision->factor >= 9.95) {
            fst_number_grouped_double(out, rint(floor(precision->factor * 10) / 10));
        } else {
            fst_buf_add_fmt(out, "%.1f", floor(precision->factor * 10) / 10);
        }
        fst_buf_add_cstr(out, " × this recording");
    }
    fst_buf_add_char(out, '.');
}

/* "20 of 58 rows, 85.4 % of 178 samples." */
static void add_rows(struct fst_buf *out, const struct fst_top *top,
                     const struct fst_top_table *table)
{
    fst_number_grouped_u64(out, table->shown);
    fst_buf_add_cstr(out, " of ");
    fst_prose_counted(out, table->of, "row", "rows");
    add_covered(out, top, table);
}

void fst_prose_leaf(struct fst_buf *out, const struct fst_top *top)
{
    add_rows(out, top, &top->leaf);
    add_precision(out, top);
}

void fst_prose_leader(struct fst_buf *out, const struct fst_top *top, fst_name_fn name)
{
    if (top->leader.len > 0) {
        fst_buf_add_cstr(out, "By function, ");
        name(out, top->leader);
        fst_buf_add_cstr(out, " has ");
        fst_prose_share(out, top->leader_share);
        fst_buf_add_char(out, '.');
    }
}

void fst_prose_foldable(struct fst_buf *out, uint64_t foldable, uint64_t of)
{
    if (foldable > 0) {
        fst_buf_add_cstr(out, "--normalize would fold ");
        fst_prose_counted(out, of, "row", "rows");
        fst_buf_add_cstr(out, " into ");
        fst_number_grouped_u64(out, of - foldable);
        fst_buf_add_char(out, '.');
    }
}

void fst_prose_roots(struct fst_buf *out, const struct fst_top *top)
{
    if (top->roots.shown < top->roots.of) {
        add_rows(out, top, &top->roots);
    }
}

void fst_prose_missing(struct fst_buf *out, const struct fst_view *view)
{
    bool rate = true;
    bool duration = true;
    for (size_t i = 0; i < view->ninputs; i++) {
        if (view->inputs[i].status == FST_OK) {
            rate = rate && !isnan(view->inputs[i].rate);
            duration = duration && !isnan(view->inputs[i].duration);
        }
    }
    bool sampled = view->top->scope.unit == FST_UNIT_SAMPLES && view->top->scope.stack_lines > 0;
    if (!isnan(view->top->ticks) || !sampled || (rate && duration)) {
        return;
    }
    if (!rate && !duration) {
        fst_buf_add_cstr(out,
                         "Rate and duration are not known: -r HZ -d SECONDS (or --ticks N) adds");
    } else {
        fst_buf_add_fmt(out, "The %s is not known: %s (or --ticks N) adds",
                        rate ? "duration" : "rate", rate ? "-d SECONDS" : "-r HZ");
    }
    fst_buf_add_cstr(out, " BUSY, the mean number of threads in a frame.");
}
