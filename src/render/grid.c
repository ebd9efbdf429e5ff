/* Tables that people read in a terminal.
 *
 *        SELF   SELF%      95 % CI    TOTAL  TOTAL%  FRAME
 *          54   30.3%   24.1-37.4%       56   31.5%  __init__ (datasets/table.py:117)
 *
 * A column is as wide as its widest cell. The name comes last and is never padded. Where the width
 * is limited, columns give way until the names have room, and names that are still too long are
 * cut in the middle.
 */
#include "render/grid.h"

#include "base/escape.h"
#include "base/number.h"
#include "base/width.h"
#include "render/fit.h"

/* What a long name gets before a column gives way, and what parts two columns. */
enum { NAME_LEAST = 24, GAP = 2 };

/* --- layout --------------------------------------------------------------------------------- */

struct layout {
    struct fst_columns columns;
    size_t widths[FST_COLUMNS_MOST];
    size_t name_width; /* cells for the name; 0: as many as it takes */
    bool ascii;
};

/* A cell or a note as it is printed. */
static void finish_text(struct fst_buf *scratch, bool ascii)
{
    if (ascii && !fst_is_ascii(fst_buf_str(scratch))) {
        struct fst_buf plain = {0};
        fst_ascii_prose(&plain, fst_buf_str(scratch));
        fst_buf_clear(scratch);
        fst_buf_add_str(scratch, fst_buf_str(&plain));
        scratch->failed = scratch->failed || plain.failed;
        fst_buf_release(&plain);
    }
}

static void measure(struct layout *layout, const struct fst_grid *grid, struct fst_buf *scratch)
{
    for (size_t c = 0; c < layout->columns.count; c++) {
        size_t width = layout->columns.items[c].least;
        for (size_t i = 0; i < grid->count; i++) {
            fst_buf_clear(scratch);
            layout->columns.items[c].cell(scratch, fst_grid_row(grid, i));
            finish_text(scratch, layout->ascii);
            size_t cells = fst_width(fst_buf_str(scratch));
            width = cells > width ? cells : width;
        }
        layout->widths[c] = width;
    }
}

static size_t numbers_width(const struct layout *layout)
{
    size_t width = 0;
    for (size_t c = 0; c < layout->columns.count; c++) {
        width += layout->widths[c] + GAP;
    }
    return width;
}

/* Takes away the column that gives way first; false if all that are left stay. */
static bool drop_column(struct layout *layout)
{
    struct fst_columns *columns = &layout->columns;
    size_t victim = columns->count;
    for (size_t c = 0; c < columns->count; c++) {
        int rank = columns->items[c].gives_way;
        if (rank > 0 && (victim == columns->count || rank < columns->items[victim].gives_way)) {
            victim = c;
        }
    }
    if (victim == columns->count) {
        return false;
    }
    columns->count--;
    for (size_t c = victim; c < columns->count; c++) {
        columns->items[c] = columns->items[c + 1];
        layout->widths[c] = layout->widths[c + 1];
    }
    return true;
}

/* What the names need before columns give way: the widest or their heading, but no more than
 * NAME_LEAST. */
static size_t name_least(const struct fst_grid *grid, struct fst_buf *scratch)
{
    size_t least = fst_width(fst_str_cstr(grid->columns.name_heading));
    for (size_t i = 0; i < grid->count && least < NAME_LEAST; i++) {
        fst_buf_clear(scratch);
        fst_escape_text(scratch, grid->name(fst_grid_row(grid, i)));
        size_t width = fst_width(fst_buf_str(scratch));
        least = width > least ? width : least;
    }
    return least < NAME_LEAST ? least : NAME_LEAST;
}

static void fit(struct layout *layout, size_t width, size_t least)
{
    if (width == 0) {
        return;
    }
    while (numbers_width(layout) + least > width && drop_column(layout)) {
    }
    size_t numbers = numbers_width(layout);
    layout->name_width = width > numbers + 1 ? width - numbers : 1;
}

/* --- rows ----------------------------------------------------------------------------------- */

static void put_cell(struct fst_buf *out, struct fst_str cell, size_t width, bool first,
                     bool coloured)
{
    fst_buf_add_fill(out, ' ', (first ? 0 : GAP) + width - fst_width(cell));
    if (coloured) {
        fst_buf_add_cstr(out, "\x1b[1;31m");
    }
    fst_buf_add_str(out, cell);
    if (coloured) {
        fst_buf_add_cstr(out, "\x1b[0m");
    }
}

/* A name of blanks alone would be an empty place. */
static bool is_blank(struct fst_str name)
{
    size_t blanks = 0;
    while (blanks < name.len && name.data[blanks] == ' ') {
        blanks++;
    }
    return blanks == name.len && name.len > 0;
}

void fst_grid_name(struct fst_buf *out, struct fst_str name, size_t cells, bool ascii)
{
    enum { SHOWN = 4 };
    if (is_blank(name) && (cells == 0 || cells >= SHOWN)) {
        fst_buf_add_fmt(out, "\\x%02x", (unsigned char)name.data[0]);
    } else if (cells == 0) {
        fst_escape_text(out, name);
    } else {
        fst_fit_name(out, name, cells, ascii);
    }
}

/* The name, set in where it lies within another row's, and what stands behind it. */
static void put_row_name(struct fst_buf *out, const struct layout *layout,
                         const struct fst_grid *grid, const void *row, struct fst_buf *scratch)
{
    size_t indent = grid->is_inner != NULL && grid->is_inner(row) ? GAP : 0;
    fst_buf_clear(scratch);
    if (grid->add_note != NULL) {
        grid->add_note(scratch, grid, row);
        finish_text(scratch, layout->ascii);
    }
    size_t taken = indent + fst_width(fst_buf_str(scratch));
    size_t width = layout->name_width;
    if (width > 0) {
        width = width > taken + 1 ? width - taken : 1;
    }
    fst_buf_add_fill(out, ' ', GAP + indent);
    if (grid->add_name != NULL) {
        grid->add_name(out, grid, row, width, layout->ascii);
    } else {
        fst_grid_name(out, grid->name(row), width, layout->ascii);
    }
    fst_buf_add_str(out, fst_buf_str(scratch));
}

static void put_row(struct fst_buf *out, const struct layout *layout, const struct fst_grid *grid,
                    const void *row, bool colour, struct fst_buf *scratch)
{
    bool coloured = colour && grid->stands_out != NULL && grid->stands_out(row);
    for (size_t c = 0; c < layout->columns.count; c++) {
        const struct fst_column *column = &layout->columns.items[c];
        fst_buf_clear(scratch);
        column->cell(scratch, row);
        finish_text(scratch, layout->ascii);
        put_cell(out, fst_buf_str(scratch), layout->widths[c], c == 0, coloured && column->signal);
    }
    put_row_name(out, layout, grid, row, scratch);
    fst_buf_add_char(out, '\n');
}

/* A line that says how many rows within a row are not shown. */
size_t fst_grid_left(const struct fst_grid *grid, size_t i)
{
    if (grid->is_inner == NULL || !grid->is_inner(fst_grid_row(grid, i)) ||
        (i + 1 < grid->count && grid->is_inner(fst_grid_row(grid, i + 1)))) {
        return 0;
    }
    size_t shown = 1;
    while (grid->is_inner(fst_grid_row(grid, i - shown))) {
        shown++;
    }
    return grid->of(fst_grid_row(grid, i - shown)) - shown;
}

static void put_rest(struct fst_buf *out, const struct layout *layout, size_t left)
{
    if (left > 0) {
        fst_buf_add_fill(out, ' ', numbers_width(layout) + GAP);
        fst_buf_add_cstr(out, layout->ascii ? "... " : "… ");
        fst_number_grouped_u64(out, left);
        fst_buf_add_cstr(out, " more\n");
    }
}

void fst_grid_put(struct fst_sink *sink, const struct fst_grid *grid,
                  const struct fst_render_options *options)
{
    struct fst_buf scratch = {0};
    struct layout layout = {.columns = grid->columns, .ascii = options->ascii};
    measure(&layout, grid, &scratch);
    fit(&layout, options->width, name_least(grid, &scratch));
    for (size_t c = 0; c < layout.columns.count; c++) {
        put_cell(&sink->buf, fst_str_cstr(layout.columns.items[c].heading), layout.widths[c],
                 c == 0, false);
    }
    fst_buf_add_fill(&sink->buf, ' ', GAP);
    fst_grid_name(&sink->buf, fst_str_cstr(layout.columns.name_heading), layout.name_width,
                  options->ascii);
    fst_buf_add_char(&sink->buf, '\n');
    for (size_t i = 0; i < grid->count; i++) {
        put_row(&sink->buf, &layout, grid, fst_grid_row(grid, i), options->colour, &scratch);
        put_rest(&sink->buf, &layout, fst_grid_left(grid, i));
        fst_sink_spill(sink);
    }
    sink->buf.failed = sink->buf.failed || scratch.failed;
    fst_buf_release(&scratch);
}

void fst_grid_put_line(struct fst_sink *sink, const struct fst_render_options *options,
                       struct fst_buf *line)
{
    if (line->len > 0) {
        finish_text(line, options->ascii);
        fst_fit_prose(&sink->buf, fst_buf_str(line), options->width, options->ascii);
        fst_buf_add_char(&sink->buf, '\n');
    }
    sink->buf.failed = sink->buf.failed || line->failed;
    fst_buf_clear(line);
}
