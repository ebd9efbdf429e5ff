/* The page of tree:
 *
 *     all.raw · py-spy · 18,775 samples on 400 lines
 *       TOTAL  TOTAL%     SELF   SELF%  FUNCTION
 *       18775  100.0%                   all
 *       12000   63.9%                   ├ main (train.py) › fit (loop.py)
 *        9000   47.9%     9000   47.9%  │ ├ forward (model.py)
 *     …
 *
 * In Markdown the same stands in a fence, in which nothing is markup: no line of it begins with a
 * backtick. */
#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"
#include "render/grid.h"
#include "render/markdown.h"
#include "render/prose.h"
#include "render/tree_branches.h"

/* --- cells ------------------------------------------------------------------------------------- */

static const struct fst_tree_node *node_of(const struct fst_branch *branch)
{
    return &branch->tree->nodes[branch->last];
}

static bool has_self(const struct fst_branch *branch)
{
    return !branch->rest && fst_count_unpack(node_of(branch)->self) != 0;
}

static void cell_total(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, fst_branch_total(row));
}

static void cell_total_share(struct fst_buf *out, const void *row)
{
    const struct fst_branch *branch = row;
    fst_cell_share(out, fst_scope_share(&branch->tree->scope, fst_branch_total(branch)));
}

/* Most nodes have no self count: an empty cell lets those stand out that have one. */
static void cell_self(struct fst_buf *out, const void *row)
{
    if (has_self(row)) {
        fst_cell_count(out, node_of(row)->self);
    }
}

static void cell_self_share(struct fst_buf *out, const void *row)
{
    const struct fst_branch *branch = row;
    if (has_self(branch)) {
        fst_cell_share(out, fst_scope_share(&branch->tree->scope, node_of(branch)->self));
    }
}

static struct fst_str name_of(const void *row)
{
    return node_of(row)->name;
}

/* The limit of top's tables, for want of an interval. */
static bool stands_out(const void *row)
{
    const struct fst_branch *branch = row;
    return has_self(branch) && fst_scope_share(&branch->tree->scope, node_of(branch)->self) >= 0.05;
}

static void add_name(struct fst_buf *out, const struct fst_grid *grid, const void *row,
                     size_t cells, bool ascii)
{
    (void)ascii; /* the drawing knows */
    fst_branch_draw(out, grid->ctx, row, cells);
}

/* --- the grid ---------------------------------------------------------------------------------- */

static const struct fst_column total = {"TOTAL", 7, 2, false, cell_total};
static const struct fst_column total_share = {"TOTAL%", 6, 0, false, cell_total_share};
static const struct fst_column self = {"SELF", 7, 1, false, cell_self};
static const struct fst_column self_share = {"SELF%", 6, 3, true, cell_self_share};

static struct fst_grid grid_of(const struct fst_tree *tree, const struct fst_drawing *drawing)
{
    struct fst_grid grid = {
        .rows = drawing->branches->items,
        .stride = sizeof *drawing->branches->items,
        .count = drawing->branches->count,
        .name = name_of,
        .stands_out = stands_out,
        .ctx = drawing,
        .add_name = add_name,
    };
    fst_columns_name(&grid.columns, fst_columns_heading(tree->by));
    fst_columns_add(&grid.columns, &total);
    fst_columns_add(&grid.columns, &total_share);
    if (!tree->reverse) {
        fst_columns_add(&grid.columns, &self);
        fst_columns_add(&grid.columns, &self_share);
    }
    return grid;
}

/* --- sentences --------------------------------------------------------------------------------- */

/* "Left out: 312 branches, each below 0.5 %, with 4.2 % of 18,775 samples." */
static void add_left_out(struct fst_buf *out, const struct fst_tree *tree)
{
    if (tree->left_out_nodes == 0) {
        return;
    }
    fst_buf_add_cstr(out, "Left out: ");
    fst_prose_counted(out, tree->left_out_nodes, "branch", "branches");
    if (tree->least_share > 0) {
        fst_buf_add_fmt(out, " below %g %% (--min-percent)", tree->least_share * 100);
    }
    if (tree->max_depth > 0) {
        fst_buf_add_cstr(out, tree->least_share > 0 ? " or" : "");
        fst_buf_add_fmt(out, " beyond depth %u (--max-depth)", tree->max_depth);
    }
    fst_buf_add_cstr(out, ", with ");
    fst_prose_share(out, fst_scope_share(&tree->scope, tree->left_out));
    fst_buf_add_cstr(out, " of ");
    fst_prose_count(out, &tree->scope, tree->scope.whole);
    fst_buf_add_char(out, '.');
}

static void add_header(struct fst_buf *out, const struct fst_tree_view *view, fst_name_fn name)
{
    fst_prose_scope(out, &view->page, &view->tree->scope, name);
    fst_buf_add_cstr(out, view->tree->reverse ? " · from the leaves" : "");
}

/* --- pages ------------------------------------------------------------------------------------- */

static void put_tree(struct fst_sink *sink, const struct fst_tree_view *view,
                     const struct fst_render_options *options)
{
    struct fst_branches branches;
    if (fst_branches_init(&branches, view->tree)) {
        struct fst_drawing drawing = {&branches, options->ascii, options->colour};
        struct fst_grid grid = grid_of(view->tree, &drawing);
        fst_grid_put(sink, &grid, options);
    } else {
        sink->buf.failed = true;
    }
    fst_branches_release(&branches);
}

void fst_tree_as_table(struct fst_sink *sink, const struct fst_tree_view *view)
{
    const struct fst_tree *tree = view->tree;
    struct fst_buf line = {0};
    add_header(&line, view, fst_escape_text);
    fst_grid_put_line(sink, view->page.options, &line);
    if (tree->scope.stack_lines > 0) {
        put_tree(sink, view, view->page.options);
        add_left_out(&line, tree);
        fst_grid_put_line(sink, view->page.options, &line);
        fst_prose_foldable(&line, tree->scope.foldable, tree->scope.foldable_of);
        fst_grid_put_line(sink, view->page.options, &line);
    }
    fst_buf_release(&line);
}

void fst_tree_as_markdown(struct fst_sink *sink, const struct fst_tree_view *view)
{
    const struct fst_tree *tree = view->tree;
    struct fst_render_options plain = {.ascii = view->page.options->ascii};
    add_header(&sink->buf, view, fst_markdown_name);
    fst_buf_add_char(&sink->buf, '\n');
    if (tree->scope.stack_lines == 0) {
        return;
    }
    fst_buf_add_cstr(&sink->buf, "\n```text\n");
    put_tree(sink, view, &plain);
    fst_buf_add_cstr(&sink->buf, "```\n");
    if (tree->left_out_nodes > 0) {
        fst_buf_add_char(&sink->buf, '\n');
        add_left_out(&sink->buf, tree);
        fst_buf_add_char(&sink->buf, '\n');
    }
    if (tree->scope.foldable > 0) {
        fst_buf_add_char(&sink->buf, '\n');
        fst_prose_foldable(&sink->buf, tree->scope.foldable, tree->scope.foldable_of);
        fst_buf_add_char(&sink->buf, '\n');
    }
}
