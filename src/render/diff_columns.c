/* The tables of diff. */
#include <math.h>

#include "analysis/statistics_two.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/number.h"
#include "render/diff_parts.h"
#include "render/render.h"

/* A row or a stack, and the result that it is of, by which cells know their unit. */
struct fst_diff_line {
    const struct fst_diff *diff;
    const struct fst_diff_row *row;
    const struct fst_diff_path *path;
};

/* --- pieces ----------------------------------------------------------------------------------- */

void fst_diff_cell_value(struct fst_buf *out, enum fst_basis basis, double value)
{
    if (basis == FST_BASIS_SHARE) {
        fst_cell_share(out, value);
    } else if (basis == FST_BASIS_RATE) {
        fst_buf_add_fmt(out, "%.3f", value);
    } else {
        fst_number_grouped_double(out, value);
    }
}

void fst_diff_cell_delta(struct fst_buf *out, enum fst_basis basis, double delta)
{
    if (isnan(delta)) {
        fst_buf_add_char(out, '-');
    } else if (basis == FST_BASIS_SHARE) {
        fst_buf_add_fmt(out, "%+.1f", delta * 100);
    } else if (basis == FST_BASIS_RATE) {
        fst_buf_add_fmt(out, "%+.3f", delta);
    } else {
        fst_buf_add_cstr(out, delta > 0 ? "+" : "");
        fst_number_grouped_double(out, delta);
    }
}

void fst_diff_cell_interval(struct fst_buf *out, enum fst_basis basis, struct fst_interval ci)
{
    if (isnan(ci.lo) || isnan(ci.hi)) {
        fst_buf_add_char(out, '-');
        return;
    }
    bool counts = basis == FST_BASIS_COUNT;
    fst_diff_cell_delta(out, basis, counts ? round(ci.lo) : ci.lo);
    fst_buf_add_cstr(out, " to ");
    fst_diff_cell_delta(out, basis, counts ? round(ci.hi) : ci.hi);
}

static const struct fst_change *change_of(const struct fst_diff_row *row, enum fst_on on)
{
    return on == FST_ON_SELF ? &row->self : &row->total;
}

void fst_diff_cell_ratio(struct fst_buf *out, const struct fst_diff_row *row, enum fst_on on)
{
    const struct fst_change *change = change_of(row, on);
    bool before = fst_count_unpack(change->before) != 0;
    bool after = fst_count_unpack(change->after) != 0;
    if (row->presence != FST_PRESENCE_BOTH) {
        fst_buf_add_cstr(out, fst_presence_name(row->presence));
    } else if (before != after) {
        fst_buf_add_cstr(out, after ? "from 0" : "to 0");
    } else if (isnan(change->ratio)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, fabs(change->ratio) < 99.995 ? "%.2f" : "%.0f", change->ratio);
    }
}

/* "*" for what changed, "~" for what is within noise, nothing where nobody can tell. */
static void add_mark(struct fst_buf *out, const struct fst_change *change, double fdr)
{
    fst_buf_add_cstr(out, isnan(change->q) ? "" : fst_is_finding(change->q, fdr) ? "*" : "~");
}

/* --- cells of rows ---------------------------------------------------------------------------- */

static const struct fst_diff_line *line_of(const void *row)
{
    return row;
}

static const struct fst_change *sorted_on(const struct fst_diff_line *line)
{
    return change_of(line->row, line->diff->on);
}

static void cell_before(struct fst_buf *out, const void *row)
{
    fst_diff_cell_value(out, line_of(row)->diff->basis, sorted_on(row)->before_value);
}

static void cell_after(struct fst_buf *out, const void *row)
{
    fst_diff_cell_value(out, line_of(row)->diff->basis, sorted_on(row)->after_value);
}

static void cell_delta(struct fst_buf *out, const void *row)
{
    fst_diff_cell_delta(out, line_of(row)->diff->basis, sorted_on(row)->delta);
}

static void cell_interval(struct fst_buf *out, const void *row)
{
    fst_diff_cell_interval(out, line_of(row)->diff->basis, sorted_on(row)->delta_ci);
}

static void cell_ratio(struct fst_buf *out, const void *row)
{
    fst_diff_cell_ratio(out, line_of(row)->row, line_of(row)->diff->on);
}

static void cell_mark(struct fst_buf *out, const void *row)
{
    add_mark(out, sorted_on(row), line_of(row)->diff->fdr);
}

/* The difference of the counts that rows are not sorted by, with its mark. */
static void cell_other(struct fst_buf *out, const void *row)
{
    const struct fst_diff *diff = line_of(row)->diff;
    enum fst_on other = diff->on == FST_ON_SELF ? FST_ON_TOTAL : FST_ON_SELF;
    const struct fst_change *change = change_of(line_of(row)->row, other);
    fst_diff_cell_delta(out, diff->basis, change->delta);
    add_mark(out, change, diff->fdr);
}

static struct fst_str row_name(const void *row)
{
    return line_of(row)->row->name;
}

static bool row_stands_out(const void *row)
{
    return line_of(row)->row->significant;
}

static void add_members(struct fst_buf *out, const struct fst_grid *grid, const void *row)
{
    const struct fst_diff *diff = grid->ctx;
    uint64_t members = line_of(row)->row->members;
    if (members > 0) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_u64(out, members);
        fst_buf_add_cstr(out, diff->by == FST_BY_PROCESS ? " processes" : " threads");
    }
}

/* --- cells of stacks -------------------------------------------------------------------------- */

static void path_before(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, line_of(row)->path->before);
}

static void path_after(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, line_of(row)->path->after);
}

static void path_delta(struct fst_buf *out, const void *row)
{
    fst_diff_cell_delta(out, line_of(row)->diff->basis, line_of(row)->path->delta);
}

static struct fst_str path_name(const void *row)
{
    return line_of(row)->path->stack;
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct fst_column before_share = {"BEFORE%", 7, 5, false, cell_before};
static const struct fst_column after_share = {"AFTER%", 6, 6, false, cell_after};
static const struct fst_column before_value = {"BEFORE", 7, 5, false, cell_before};
static const struct fst_column after_value = {"AFTER", 7, 6, false, cell_after};
static const struct fst_column delta = {"DELTA", 6, 0, true, cell_delta};
static const struct fst_column interval = {"95 % CI", 14, 1, false, cell_interval};
static const struct fst_column ratio = {"RATIO", 6, 3, false, cell_ratio};
static const struct fst_column mark = {"", 1, 0, true, cell_mark};
static const struct fst_column other_self = {"SELF", 6, 2, false, cell_other};
static const struct fst_column other_total = {"TOTAL", 6, 2, false, cell_other};

static void add_columns(struct fst_columns *columns, const struct fst_diff *diff)
{
    bool shares = diff->basis == FST_BASIS_SHARE;
    bool whole_stacks = diff->by == FST_BY_STACK || diff->by == FST_BY_THREAD ||
                        diff->by == FST_BY_PROCESS || diff->by == FST_BY_CATEGORY;
    fst_columns_add(columns, shares ? &before_share : &before_value);
    fst_columns_add(columns, shares ? &after_share : &after_value);
    fst_columns_add(columns, &delta);
    if (diff->test != FST_TEST_NONE) {
        fst_columns_add(columns, &interval);
    }
    fst_columns_add(columns, &ratio);
    if (diff->test != FST_TEST_NONE) {
        fst_columns_add(columns, &mark);
    }
    if (!whole_stacks) { /* where self and total differ */
        fst_columns_add(columns, diff->on == FST_ON_SELF ? &other_total : &other_self);
    }
    fst_columns_name(columns, fst_columns_heading(diff->by));
}

static bool make_lines(struct fst_diff_table *table, size_t count, struct fst_buf *out)
{
    *table = (struct fst_diff_table){0};
    table->lines = fst_alloc_zeroed(count + 1, sizeof *table->lines);
    table->grid.rows = table->lines;
    table->grid.stride = sizeof *table->lines;
    table->grid.count = table->lines == NULL ? 0 : count;
    out->failed = out->failed || table->lines == NULL;
    return table->lines != NULL;
}

void fst_diff_table_make(struct fst_diff_table *table, const struct fst_diff *diff,
                         struct fst_buf *out)
{
    if (make_lines(table, diff->count, out)) {
        for (size_t i = 0; i < diff->count; i++) {
            table->lines[i] = (struct fst_diff_line){.diff = diff, .row = &diff->rows[i]};
        }
    }
    table->grid.name = row_name;
    table->grid.stands_out = row_stands_out;
    table->grid.ctx = diff;
    table->grid.add_note = add_members;
    add_columns(&table->grid.columns, diff);
}

void fst_diff_table_of_paths(struct fst_diff_table *table, const struct fst_diff *diff,
                             const struct fst_diff_row *row, struct fst_buf *out)
{
    static const struct fst_column columns[] = {
        {"BEFORE", 7, 1, false, path_before},
        {"AFTER", 7, 2, false, path_after},
        {"DELTA", 6, 0, false, path_delta},
    };
    if (make_lines(table, row->npaths, out)) {
        for (size_t i = 0; i < row->npaths; i++) {
            table->lines[i] = (struct fst_diff_line){diff, row, &row->paths[i]};
        }
    }
    table->grid.name = path_name;
    for (size_t i = 0; i < FST_COUNT_OF(columns); i++) {
        fst_columns_add(&table->grid.columns, &columns[i]);
    }
    fst_columns_name(&table->grid.columns, fst_columns_heading(FST_BY_STACK));
}

void fst_diff_table_release(struct fst_diff_table *table)
{
    fst_free(table->lines);
}
