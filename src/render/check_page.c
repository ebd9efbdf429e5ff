/* The verdict of check for people: as a table, and in Markdown for the comment on a change.
 *
 *     BEFORE base.raw · py-spy · 10,000 samples
 *     AFTER new.raw · py-spy · 10,000 samples
 *     VERDICT beyond the budget: 1 row
 *       STATE  BEFORE%  AFTER%   VALUE       95 % CI       BUDGET  FUNCTION
 *        over     5.0%    8.0%    +3.0  +2.3 to +3.7   +2.0 points  pack (loader.py)
 */
#include <math.h>

#include "base/escape.h"
#include "base/number.h"
#include "render/diff_parts.h"
#include "render/grid.h"
#include "render/markdown.h"
#include "render/render.h"

/* --- cells ------------------------------------------------------------------------------------ */

static const struct fst_check_row *row_of(const void *row)
{
    return row;
}

/* The counts that the budget is about: those that are compared, or those that it names. */
static const struct fst_change *change_of(const struct fst_check_row *row)
{
    return row->on == FST_ON_TOTAL ? &row->row->total : &row->row->self;
}

static void cell_state(struct fst_buf *out, const void *row)
{
    fst_buf_add_cstr(out, row_of(row)->over ? "over" : row_of(row)->undecided ? "unclear" : "ok");
}

static void cell_before(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, change_of(row)->before_share);
}

static void cell_after(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, change_of(row)->after_share);
}

static void cell_value(struct fst_buf *out, const void *row)
{
    if (row_of(row)->kind == FST_BUDGET_INCREASE) {
        fst_diff_cell_delta(out, FST_BASIS_SHARE, row_of(row)->value);
    } else {
        fst_cell_share(out, row_of(row)->value);
    }
}

static void cell_interval(struct fst_buf *out, const void *row)
{
    struct fst_interval ci = row_of(row)->ci;
    if (row_of(row)->kind == FST_BUDGET_INCREASE) {
        fst_diff_cell_interval(out, FST_BASIS_SHARE, ci);
    } else if (isnan(ci.lo)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.1f-%.1f%%", ci.lo * 100, ci.hi * 100);
    }
}

static void cell_budget(struct fst_buf *out, const void *row)
{
    double percent = row_of(row)->budget * 100;
    switch (row_of(row)->kind) {
    case FST_BUDGET_SELF: fst_buf_add_fmt(out, "self %.4g%%", percent); break;
    case FST_BUDGET_TOTAL: fst_buf_add_fmt(out, "total %.4g%%", percent); break;
    default: fst_buf_add_fmt(out, "%+.4g points", percent);
    }
}

static struct fst_str name_of(const void *row)
{
    return row_of(row)->row->name;
}

static bool is_over(const void *row)
{
    return row_of(row)->over;
}

static struct fst_grid grid_of(const struct fst_check *check)
{
    static const struct fst_column columns[] = {
        {"STATE", 5, 0, true, cell_state},        {"BEFORE%", 7, 2, false, cell_before},
        {"AFTER%", 6, 3, false, cell_after},      {"VALUE", 6, 0, true, cell_value},
        {"95 % CI", 14, 1, false, cell_interval}, {"BUDGET", 8, 4, false, cell_budget},
    };
    struct fst_grid grid = {.rows = check->rows,
                            .stride = sizeof *check->rows,
                            .count = check->count,
                            .name = name_of,
                            .stands_out = is_over};
    for (size_t i = 0; i < FST_COUNT_OF(columns); i++) {
        fst_columns_add(&grid.columns, &columns[i]);
    }
    fst_columns_name(&grid.columns, fst_columns_heading(check->diff->by));
    return grid;
}

/* --- sentences -------------------------------------------------------------------------------- */

static void add_rows(struct fst_buf *out, size_t count)
{
    fst_number_grouped_u64(out, count);
    fst_buf_add_cstr(out, count == 1 ? " row" : " rows");
}

static void add_verdict(struct fst_buf *out, const struct fst_check *check)
{
    switch (check->verdict) {
    case FST_VERDICT_BEYOND:
        fst_buf_add_cstr(out, "beyond the budget: ");
        add_rows(out, check->over);
        break;
    case FST_VERDICT_CANNOT_JUDGE:
        fst_buf_add_cstr(out, "cannot judge");
        if (check->diff->test != FST_TEST_NONE) {
            fst_buf_add_cstr(out, ": ");
            add_rows(out, check->undecided);
        }
        break;
    default: fst_buf_add_cstr(out, "within the budget");
    }
}

/* Two significant digits, rounded up, are enough for a plan. */
static void add_plan(struct fst_buf *out, double samples)
{
    double unit = fmax(1, pow(10, floor(log10(samples)) - 1));
    fst_number_grouped_double(out, ceil(samples / unit) * unit);
}

/* What would tell more; nothing where all is told. */
static void add_advice(struct fst_buf *out, const struct fst_check *check)
{
    bool several = !isnan(check->recordings_needed);
    double needed = several ? check->recordings_needed : check->samples_needed;
    const char *what = several ? "recordings" : "samples";
    if (check->diff->test == FST_TEST_NONE) {
        fst_buf_add_cstr(out, "Without samples on both sides nothing tells a change from noise.");
    } else if (check->undecided > 0) {
        add_rows(out, check->undecided);
        fst_buf_add_fmt(out, " may be beyond the budget or within: so few %s cannot tell.", what);
        if (!isnan(needed)) {
            fst_buf_add_cstr(out, " About ");
            add_plan(out, needed);
            fst_buf_add_fmt(out, " %s a side would.", what);
        }
    }
}

static void add_shown(struct fst_buf *out, const struct fst_check *check)
{
    if (check->count < check->of) {
        fst_number_grouped_u64(out, check->count);
        fst_buf_add_cstr(out, " of ");
        add_rows(out, check->of);
        fst_buf_add_char(out, '.');
    }
}

/* --- pages ------------------------------------------------------------------------------------ */

void fst_check_as_table(struct fst_sink *sink, const struct fst_check_view *view)
{
    const struct fst_check *check = view->check;
    struct fst_buf line = {0};
    fst_buf_add_cstr(&line, "BEFORE ");
    fst_diff_prose_side(&line, check->diff, &check->diff->before, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_add_cstr(&line, "AFTER ");
    fst_diff_prose_side(&line, check->diff, &check->diff->after, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    fst_diff_prose_method(&line, check->diff, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_add_cstr(&sink->buf, view->options->colour ? "VERDICT \x1b[1m" : "VERDICT ");
    add_verdict(&sink->buf, check);
    fst_buf_add_cstr(&sink->buf, view->options->colour ? "\x1b[0m\n" : "\n");
    add_advice(&line, check);
    fst_grid_put_line(sink, view->options, &line);
    if (check->count > 0) {
        struct fst_grid grid = grid_of(check);
        fst_grid_put(sink, &grid, view->options);
    }
    add_shown(&line, check);
    fst_grid_put_line(sink, view->options, &line);
    for (size_t i = 0; i < check->nnotes; i++) {
        fst_buf_add_cstr(&line, "note: ");
        fst_buf_add_str(&line, check->notes[i]);
        fst_grid_put_line(sink, view->options, &line);
    }
    fst_buf_release(&line);
}

void fst_check_as_markdown(struct fst_sink *sink, const struct fst_check_view *view)
{
    const struct fst_check *check = view->check;
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, "### Profile check: ");
    add_verdict(out, check);
    fst_buf_add_cstr(out, "\n\n");
    struct fst_buf line = {0};
    add_advice(&line, check);
    if (line.len > 0) {
        fst_buf_add_str(out, fst_buf_str(&line));
        fst_buf_add_cstr(out, "\n\n");
    }
    out->failed = out->failed || line.failed;
    fst_buf_release(&line);
    if (check->count > 0) {
        struct fst_grid grid = grid_of(check);
        fst_markdown_put(sink, &grid);
        fst_buf_add_char(out, '\n');
    }
    if (check->count < check->of) {
        add_shown(out, check);
        fst_buf_add_cstr(out, "\n\n");
    }
    fst_buf_add_cstr(out, "- before: ");
    fst_diff_prose_side(out, check->diff, &check->diff->before, fst_markdown_name);
    fst_buf_add_cstr(out, "\n- after: ");
    fst_diff_prose_side(out, check->diff, &check->diff->after, fst_markdown_name);
    fst_buf_add_cstr(out, "\n- ");
    fst_diff_prose_method(out, check->diff, fst_markdown_name);
    fst_buf_add_char(out, '\n');
    for (size_t i = 0; i < check->nnotes; i++) {
        fst_buf_add_cstr(out, "- note: ");
        fst_markdown_text(out, check->notes[i]);
        fst_buf_add_char(out, '\n');
    }
}
