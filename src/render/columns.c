#include "render/columns.h"

#include <math.h>
#include <stdio.h>

#include "base/count.h"

/* --- cells ---------------------------------------------------------------------------------- */

static void add_count(struct fst_buf *out, struct fst_count count)
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

static void cell_self(struct fst_buf *out, const struct fst_top_row *row)
{
    add_count(out, row->self);
}

static void cell_self_share(struct fst_buf *out, const struct fst_top_row *row)
{
    fst_cell_share(out, row->self_share);
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
    fst_cell_share(out, row->total_share);
}

static void cell_total_interval(struct fst_buf *out, const struct fst_top_row *row)
{
    add_interval(out, row->total_ci);
}

static void cell_busy(struct fst_buf *out, const struct fst_top_row *row)
{
    fst_buf_add_fmt(out, "%.2f", row->busy);
}

/* --- columns -------------------------------------------------------------------------------- */

static const struct fst_column self = {"SELF", 7, 4, false, cell_self};
static const struct fst_column self_share = {"SELF%", 6, 0, true, cell_self_share};
static const struct fst_column self_interval = {"95 % CI", 11, 1, false, cell_self_interval};
static const struct fst_column total = {"TOTAL", 7, 2, false, cell_total};
static const struct fst_column total_share = {"TOTAL%", 6, 5, false, cell_total_share};
static const struct fst_column busy = {"BUSY", 5, 3, false, cell_busy};
/* In the root table the total is all there is. */
static const struct fst_column root_total = {"TOTAL", 7, 4, false, cell_total};
static const struct fst_column root_share = {"TOTAL%", 6, 0, false, cell_total_share};
static const struct fst_column root_interval = {"95 % CI", 11, 1, false, cell_total_interval};

static void add(struct fst_columns *columns, const struct fst_column *column)
{
    columns->items[columns->count++] = *column;
}

struct fst_columns fst_columns_of_leaf(const struct fst_top *top)
{
    static const char *const headings[] = {
        [FST_BY_FRAME] = "FRAME",   [FST_BY_FUNCTION] = "FUNCTION", [FST_BY_LINE] = "LINE",
        [FST_BY_FILE] = "FILE",     [FST_BY_THREAD] = "THREAD",     [FST_BY_PROCESS] = "PROCESS",
        [FST_BY_MODULE] = "MODULE", [FST_BY_CATEGORY] = "CATEGORY", [FST_BY_STACK] = "STACK",
    };
    struct fst_columns columns = {0};
    (void)snprintf(columns.name_heading, sizeof columns.name_heading, "%s%s%s", headings[top->by],
                   top->nested ? ", " : "", top->nested ? headings[top->inner] : "");
    add(&columns, &self);
    add(&columns, &self_share);
    if (!isnan(top->precision.n)) {
        add(&columns, &self_interval);
    }
    add(&columns, &total);
    add(&columns, &total_share);
    if (!isnan(top->ticks)) {
        add(&columns, &busy);
    }
    return columns;
}

struct fst_columns fst_columns_of_roots(const struct fst_top *top)
{
    struct fst_columns columns = {.name_heading = "ROOT"};
    add(&columns, &root_total);
    add(&columns, &root_share);
    if (!isnan(top->precision.n)) {
        add(&columns, &root_interval);
    }
    if (!isnan(top->ticks)) {
        add(&columns, &busy);
    }
    return columns;
}
