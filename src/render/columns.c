#include "render/columns.h"

#include <math.h>
#include <stdio.h>

#include "base/count.h"
#include "base/number.h"
#include "render/render.h"

/* --- cells ---------------------------------------------------------------------------------- */

void fst_cell_count(struct fst_buf *out, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add(out, text, fst_count_format(fst_count_unpack(count), text));
}

void fst_cell_share(struct fst_buf *out, double share)
{
    char text[32];
    /* Nothing of a negative total is nothing, without a sign. */
    (void)snprintf(text, sizeof text, "%.1f", share == 0 ? 0 : share * 100);
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
    } else if (interval.hi < 0.0005) {
        fst_buf_add_cstr(out, "<0.1%");
    } else {
        fst_buf_add_fmt(out, "%.1f-%.1f%%", interval.lo * 100, interval.hi * 100);
    }
}

static void cell_self(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, ((const struct fst_top_row *)row)->self);
}

static void cell_self_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, ((const struct fst_top_row *)row)->self_share);
}

static void cell_self_interval(struct fst_buf *out, const void *row)
{
    add_interval(out, ((const struct fst_top_row *)row)->self_ci);
}

static void cell_total(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, ((const struct fst_top_row *)row)->total);
}

static void cell_total_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, ((const struct fst_top_row *)row)->total_share);
}

static void cell_total_interval(struct fst_buf *out, const void *row)
{
    add_interval(out, ((const struct fst_top_row *)row)->total_ci);
}

static void cell_busy(struct fst_buf *out, const void *row)
{
    double busy = ((const struct fst_top_row *)row)->busy;
    if (busy > 0 && busy < 0.005) {
        fst_buf_add_cstr(out, "<0.01");
    } else {
        fst_buf_add_fmt(out, "%.2f", busy);
    }
}

/* The spread that the table is sorted by, where there is one. */
static const struct fst_spread *self_spread_of(const void *row)
{
    return ((const struct fst_top_row *)row)->self_spread;
}

static const struct fst_spread *total_spread_of(const void *row)
{
    return ((const struct fst_top_row *)row)->total_spread;
}

static void add_deviation(struct fst_buf *out, const struct fst_spread *spread)
{
    if (spread == NULL || isnan(spread->sd)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "±%.1f", spread->sd * 100);
    }
}

static void add_range(struct fst_buf *out, const struct fst_spread *spread)
{
    if (spread == NULL) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.1f-%.1f%%", spread->least * 100, spread->most * 100);
    }
}

static void cell_self_deviation(struct fst_buf *out, const void *row)
{
    add_deviation(out, self_spread_of(row));
}

static void cell_total_deviation(struct fst_buf *out, const void *row)
{
    add_deviation(out, total_spread_of(row));
}

static void cell_self_range(struct fst_buf *out, const void *row)
{
    add_range(out, self_spread_of(row));
}

static void cell_total_range(struct fst_buf *out, const void *row)
{
    add_range(out, total_spread_of(row));
}

void fst_cell_members(struct fst_buf *out, uint64_t members, enum fst_by by)
{
    if (members > 0) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_u64(out, members);
        fst_buf_add_cstr(out, by == FST_BY_PROCESS ? " processes" : " threads");
    }
}

/* --- columns -------------------------------------------------------------------------------- */

static const struct fst_column self = {"SELF", 7, 4, false, cell_self};
static const struct fst_column self_share = {"SELF%", 6, 0, true, cell_self_share};
static const struct fst_column self_interval = {"95 % CI", 11, 1, false, cell_self_interval};
static const struct fst_column total = {"TOTAL", 7, 2, false, cell_total};
static const struct fst_column total_share = {"TOTAL%", 6, 5, false, cell_total_share};
static const struct fst_column busy = {"BUSY", 5, 3, false, cell_busy};
/* Between inputs, of the share that rows are sorted by. */
static const struct fst_column self_deviation = {"SD", 5, 5, false, cell_self_deviation};
static const struct fst_column self_range = {"RANGE", 11, 3, false, cell_self_range};
static const struct fst_column total_deviation = {"SD", 5, 5, false, cell_total_deviation};
static const struct fst_column total_range = {"RANGE", 11, 3, false, cell_total_range};
/* In the root table the total is all there is. */
static const struct fst_column root_total = {"TOTAL", 7, 4, false, cell_total};
static const struct fst_column root_share = {"TOTAL%", 6, 0, false, cell_total_share};
static const struct fst_column root_interval = {"95 % CI", 11, 1, false, cell_total_interval};

void fst_columns_name(struct fst_columns *columns, const char *heading)
{
    (void)snprintf(columns->name_heading, sizeof columns->name_heading, "%s", heading);
}

const char *fst_columns_heading(enum fst_by by)
{
    static const char *const headings[] = {
        [FST_BY_FRAME] = "FRAME",   [FST_BY_FUNCTION] = "FUNCTION", [FST_BY_LINE] = "LINE",
        [FST_BY_FILE] = "FILE",     [FST_BY_THREAD] = "THREAD",     [FST_BY_PROCESS] = "PROCESS",
        [FST_BY_MODULE] = "MODULE", [FST_BY_CATEGORY] = "CATEGORY", [FST_BY_STACK] = "STACK",
    };
    return headings[by];
}

void fst_columns_name_rows(struct fst_columns *columns, enum fst_by by, bool nested,
                           enum fst_by inner)
{
    (void)snprintf(columns->name_heading, sizeof columns->name_heading, "%s%s%s",
                   fst_columns_heading(by), nested ? ", " : "",
                   nested ? fst_columns_heading(inner) : "");
}

/* --- grids ---------------------------------------------------------------------------------- */

static struct fst_str name_of(const void *row)
{
    return ((const struct fst_top_row *)row)->name;
}

/* A share that is surely worth a look: the whole interval (or the share itself, where there is
 * none) lies at 5 % or above, the limit at which perf report turns red. */
static bool stands_out(const void *row)
{
    const struct fst_top_row *top = row;
    double least = isnan(top->self_ci.lo) ? top->self_share : top->self_ci.lo;
    return least >= 0.05;
}

static bool is_roots(const struct fst_grid *grid)
{
    const struct fst_top *top = grid->ctx;
    return grid->rows == top->roots.rows;
}

static void add_members(struct fst_buf *out, const struct fst_grid *grid, const void *row)
{
    const struct fst_top_row *top_row = row;
    fst_cell_members(out, top_row->members, fst_by_of_row(grid->ctx, top_row, is_roots(grid)));
}

static size_t rows_within(const void *row)
{
    return ((const struct fst_top_row *)row)->of;
}

static bool is_within(const void *row)
{
    return ((const struct fst_top_row *)row)->within;
}

static struct fst_grid grid_of(const struct fst_top *top, const struct fst_top_table *table,
                               struct fst_columns columns)
{
    return (struct fst_grid){.columns = columns,
                             .rows = table->rows,
                             .stride = sizeof *table->rows,
                             .count = table->count,
                             .name = name_of,
                             .stands_out = stands_out,
                             .ctx = top,
                             .add_note = add_members,
                             .is_inner = is_within,
                             .of = rows_within};
}

struct fst_grid fst_grid_of_leaf(const struct fst_top *top)
{
    struct fst_columns columns = {0};
    fst_columns_name_rows(&columns, top->by, top->nested, top->inner);
    fst_columns_add(&columns, &self);
    fst_columns_add(&columns, &self_share);
    if (!isnan(top->precision.n)) {
        fst_columns_add(&columns, &self_interval);
    }
    if (!top->no_totals) {
        fst_columns_add(&columns, &total);
        fst_columns_add(&columns, &total_share);
    }
    if (!top->no_totals && !isnan(top->ticks)) {
        fst_columns_add(&columns, &busy);
    }
    if (top->compared > 0) {
        bool totals = top->sort == FST_SORT_TOTAL;
        fst_columns_add(&columns, totals ? &total_deviation : &self_deviation);
        fst_columns_add(&columns, totals ? &total_range : &self_range);
    }
    return grid_of(top, &top->leaf, columns);
}

struct fst_grid fst_grid_of_roots(const struct fst_top *top)
{
    struct fst_columns columns = {.name_heading = "ROOT"};
    fst_columns_add(&columns, &root_total);
    fst_columns_add(&columns, &root_share);
    if (!isnan(top->precision.n)) {
        fst_columns_add(&columns, &root_interval);
    }
    if (!isnan(top->ticks)) {
        fst_columns_add(&columns, &busy);
    }
    return grid_of(top, &top->roots, columns);
}
