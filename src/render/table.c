/* The tables that people read.
 *
 *     gil.raw · py-spy · 178 samples on 64 lines · 58 leaf frames
 *     LEAF
 *        SELF   SELF%      95 % CI    TOTAL  TOTAL%  FRAME
 *          54   30.3%   24.1-37.5%       54   30.3%  __init__ (datasets/table.py:117)
 *     …
 *
 * A column is a heading, a smallest width and a function that writes a row's cell; it is as wide
 * as its widest cell. The frame comes last and is never padded.
 */
#include <math.h>
#include <stdio.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"
#include "render/render.h"

enum { MOST_COLUMNS = 6 };

struct column {
    const char *heading;
    size_t least; /* width */
    void (*cell)(struct fst_buf *out, const struct fst_top_row *row);
};

/* --- cells ---------------------------------------------------------------------------------- */

static void add_count(struct fst_buf *out, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add(out, text, fst_count_format(fst_count_unpack(count), text));
}

/* One decimal; "-" where there is no share, and "<0.1%" for what is more than nothing. */
static void add_share(struct fst_buf *out, double share)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.1f", share * 100);
    if (isnan(share)) {
        fst_buf_add_char(out, '-');
    } else if (share > 0 && strcmp(text, "0.0") == 0) {
        fst_buf_add_cstr(out, "<0.1%");
    } else if (share < 0 && strcmp(text, "-0.0") == 0) {
        fst_buf_add_cstr(out, ">-0.1%");
    } else {
        fst_buf_add_fmt(out, "%s%%", text);
    }
}

static void add_interval(struct fst_buf *out, struct fst_interval interval)
{
    if (isnan(interval.lo)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.1f-%.1f%%", interval.lo * 100, interval.hi * 100);
    }
}

static void cell_self(struct fst_buf *out, const struct fst_top_row *row)
{
    add_count(out, row->self);
}

static void cell_self_share(struct fst_buf *out, const struct fst_top_row *row)
{
    add_share(out, row->self_share);
}

static void cell_self_interval(struct fst_buf *out, const struct fst_top_row *row)
{
    add_interval(out, row->self_ci);
}

static void cell_total(struct fst_buf *out, const struct fst_top_row *row)
{
    add_count(out, row->total);
}

static void cell_total_share(struct fst_buf *out, const struct fst_top_row *row)
{
    add_share(out, row->total_share);
}

static void cell_total_interval(struct fst_buf *out, const struct fst_top_row *row)
{
    add_interval(out, row->total_ci);
}

static void cell_busy(struct fst_buf *out, const struct fst_top_row *row)
{
    fst_buf_add_fmt(out, "%.2f", row->busy);
}

/* --- a table -------------------------------------------------------------------------------- */

struct layout {
    struct column columns[MOST_COLUMNS];
    size_t widths[MOST_COLUMNS];
    size_t count;
};

static void add_column(struct layout *layout, struct column column)
{
    layout->columns[layout->count++] = column;
}

static void measure(struct layout *layout, const struct fst_top_table *table,
                    struct fst_buf *scratch)
{
    for (size_t c = 0; c < layout->count; c++) {
        size_t width = layout->columns[c].least;
        for (size_t i = 0; i < table->count; i++) {
            fst_buf_clear(scratch);
            layout->columns[c].cell(scratch, &table->rows[i]);
            width = scratch->len > width ? scratch->len : width;
        }
        layout->widths[c] = width;
    }
}

static void put_cell(struct fst_buf *out, struct fst_str cell, size_t width, bool first)
{
    fst_buf_add_fill(out, ' ', (first ? 0 : 2) + width - cell.len);
    fst_buf_add_str(out, cell);
}

static void put_table(struct fst_sink *sink, struct layout *layout,
                      const struct fst_top_table *table, const char *name_heading)
{
    struct fst_buf scratch = {0};
    measure(layout, table, &scratch);
    for (size_t c = 0; c < layout->count; c++) {
        put_cell(&sink->buf, fst_str_cstr(layout->columns[c].heading), layout->widths[c], c == 0);
    }
    fst_buf_add_fmt(&sink->buf, "  %s\n", name_heading);
    for (size_t i = 0; i < table->count; i++) {
        for (size_t c = 0; c < layout->count; c++) {
            fst_buf_clear(&scratch);
            layout->columns[c].cell(&scratch, &table->rows[i]);
            put_cell(&sink->buf, fst_buf_str(&scratch), layout->widths[c], c == 0);
        }
        fst_buf_add_cstr(&sink->buf, "  ");
        fst_escape_text(&sink->buf, table->rows[i].name);
        fst_buf_add_char(&sink->buf, '\n');
        fst_sink_spill(sink);
    }
    sink->buf.failed = sink->buf.failed || scratch.failed;
    fst_buf_release(&scratch);
}

static void put_leaf_table(struct fst_sink *sink, const struct fst_top *top)
{
    static const char *const headings[] = {
        [FST_BY_FRAME] = "FRAME", [FST_BY_FUNCTION] = "FUNCTION", [FST_BY_LINE] = "LINE",
        [FST_BY_FILE] = "FILE",   [FST_BY_THREAD] = "THREAD",     [FST_BY_PROCESS] = "PROCESS",
    };
    struct layout layout = {.count = 0};
    add_column(&layout, (struct column){"SELF", 7, cell_self});
    add_column(&layout, (struct column){"SELF%", 6, cell_self_share});
    if (!isnan(top->precision.n)) {
        add_column(&layout, (struct column){"95 % CI", 11, cell_self_interval});
    }
    add_column(&layout, (struct column){"TOTAL", 7, cell_total});
    add_column(&layout, (struct column){"TOTAL%", 6, cell_total_share});
    if (!isnan(top->ticks)) {
        add_column(&layout, (struct column){"BUSY", 5, cell_busy});
    }
    fst_buf_add_cstr(&sink->buf, "LEAF\n");
    put_table(sink, &layout, &top->leaf, headings[top->by]);
}

static void put_root_table(struct fst_sink *sink, const struct fst_top *top)
{
    struct layout layout = {.count = 0};
    add_column(&layout, (struct column){"TOTAL", 7, cell_total});
    add_column(&layout, (struct column){"TOTAL%", 6, cell_total_share});
    if (!isnan(top->precision.n)) {
        add_column(&layout, (struct column){"95 % CI", 11, cell_total_interval});
    }
    if (!isnan(top->ticks)) {
        add_column(&layout, (struct column){"BUSY", 5, cell_busy});
    }
    fst_buf_add_cstr(&sink->buf, "ROOT\n");
    put_table(sink, &layout, &top->roots, "ROOT");
}

/* --- the header ----------------------------------------------------------------------------- */

/* "1 line", "64 lines". */
static void add_counted(struct fst_buf *out, uint64_t n, const char *one, const char *many)
{
    fst_number_grouped_u64(out, n);
    fst_buf_add_fmt(out, " %s", n == 1 ? one : many);
}

static void add_names(struct fst_buf *out, const struct fst_view *view)
{
    enum { NAMES_AT_MOST = 3 };
    if (view->ninputs > NAMES_AT_MOST) {
        add_counted(out, view->ninputs, "file", "files");
        return;
    }
    for (size_t i = 0; i < view->ninputs; i++) {
        fst_buf_add_cstr(out, i == 0 ? "" : ", ");
        fst_escape_text(out, view->inputs[i].name);
    }
}

static void add_dialects(struct fst_buf *out, const struct fst_view *view)
{
    for (size_t i = 0; i < view->ninputs; i++) {
        bool seen = view->inputs[i].status != FST_OK;
        for (size_t k = 0; k < i; k++) {
            seen = seen || view->inputs[k].dialect == view->inputs[i].dialect;
        }
        if (!seen) {
            fst_buf_add_fmt(out, " · %s", fst_dialect_name(view->inputs[i].dialect));
        }
    }
}

static void add_total(struct fst_buf *out, const struct fst_top *top)
{
    fst_i128 total = fst_count_unpack(top->total);
    fst_number_grouped(out, total);
    fst_buf_add_cstr(out, total == FST_COUNT_ONE ? " sample" : " samples");
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

static void put_header(struct fst_sink *sink, const struct fst_view *view)
{
    static const char *const one[] = {"leaf frame", "function", "line", "file", "thread", "process"};
    static const char *const many[] = {"leaf frames", "functions", "lines",
                                       "files",       "threads",   "processes"};
    const struct fst_top *top = view->top;
    struct fst_buf *out = &sink->buf;
    add_names(out, view);
    add_dialects(out, view);
    fst_buf_add_cstr(out, " · ");
    add_total(out, top);
    fst_buf_add_cstr(out, " on ");
    add_counted(out, top->stack_lines, "line", "lines");
    fst_buf_add_cstr(out, " · ");
    add_counted(out, top->leaf.of, one[top->by], many[top->by]);
    if (!isnan(top->ticks)) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_u64(out, (uint64_t)(top->ticks + 0.5));
        fst_buf_add_cstr(out, " ticks");
    }
    add_assumption(out, top);
    fst_buf_add_char(out, '\n');
}

/* --- the footers ---------------------------------------------------------------------------- */

/* Points for people: whole ones where they are many, else one decimal unless that is 0. */
static void add_points(struct fst_buf *out, double share)
{
    double tenths = floor(share * 1000 + 0.5);
    bool whole = tenths >= 40 || fmod(tenths, 10) == 0;
    fst_buf_add_fmt(out, whole ? "±%.0f points" : "±%.1f points", share * 100);
}

/* Two significant digits are enough for a plan. */
static void add_rounded(struct fst_buf *out, double value)
{
    double unit = pow(10, floor(log10(value)) - 1);
    double rounded = unit > 1 ? floor(value / unit + 0.5) * unit : floor(value + 0.5);
    fst_number_grouped_u64(out, (uint64_t)rounded);
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
        add_total(out, top);
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
        fst_buf_add_fmt(out, precision->factor >= 9.95 ? ": %.0f × this recording"
                                                       : ": %.1f × this recording",
                        floor(precision->factor * 10) / 10);
    }
    fst_buf_add_char(out, '.');
}

static void put_footer(struct fst_sink *sink, const struct fst_top *top)
{
    struct fst_buf *out = &sink->buf;
    fst_number_grouped_u64(out, top->leaf.count);
    fst_buf_add_cstr(out, " of ");
    add_counted(out, top->leaf.of, "row", "rows");
    fst_buf_add_cstr(out, ", ");
    if (isnan(top->leaf.covered_share)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.1f %%", top->leaf.covered_share * 100);
    }
    fst_buf_add_cstr(out, " of ");
    add_total(out, top);
    fst_buf_add_char(out, '.');
    add_precision(out, top);
    fst_buf_add_char(out, '\n');
    if (top->leader.len > 0) {
        fst_buf_add_cstr(out, "By function, ");
        fst_escape_text(out, top->leader);
        fst_buf_add_fmt(out, " has %.1f %%.\n", top->leader_share * 100);
    }
}

static void put_last_lines(struct fst_sink *sink, const struct fst_top *top)
{
    struct fst_buf *out = &sink->buf;
    if (top->roots.count < top->roots.of) {
        fst_number_grouped_u64(out, top->roots.count);
        fst_buf_add_cstr(out, " of ");
        add_counted(out, top->roots.of, "row", "rows");
        fst_buf_add_fmt(out, ", %.1f %% of ", top->roots.covered_share * 100);
        add_total(out, top);
        fst_buf_add_cstr(out, ".\n");
    }
    if (isnan(top->ticks) && top->stack_lines > 0) {
        fst_buf_add_cstr(out, "Rate and duration are not known: -r HZ -d SECONDS (or --ticks N) "
                              "adds BUSY, the mean number of threads in a frame.\n");
    }
}

void fst_top_as_table(struct fst_sink *sink, const struct fst_view *view)
{
    put_header(sink, view);
    if (view->top->stack_lines == 0) {
        return;
    }
    put_leaf_table(sink, view->top);
    put_footer(sink, view->top);
    put_root_table(sink, view->top);
    put_last_lines(sink, view->top);
}
