/* GitHub-flavoured Markdown (https://github.github.com/gfm/), for pull requests and reports.
 *
 * Names stand in code spans, in which nothing is markup but the backtick that ends them and the
 * '|' that ends a table cell. A name with one of those stands as text instead, with every mark of
 * punctuation that could mean something as a numeric reference. */
#include "render/markdown.h"
#include "base/escape.h"
#include "render/prose.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fst_is_digit(c) || c == ' ' ||
           c == '.' || c == '/' || (unsigned char)c >= 0x80;
}

void fst_markdown_text(struct fst_buf *out, struct fst_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (is_word(text.data[i])) {
            fst_buf_add_char(out, text.data[i]);
        } else {
            fst_buf_add_fmt(out, "&#%d;", text.data[i]);
        }
    }
}

/* A code span loses one blank at each end if both are blanks: give it others to lose. */
static void add_code(struct fst_buf *out, struct fst_str text)
{
    bool padded = text.len > 1 && text.data[0] == ' ' && text.data[text.len - 1] == ' ';
    fst_buf_add_cstr(out, padded ? "` " : "`");
    fst_buf_add_str(out, text);
    fst_buf_add_cstr(out, padded ? " `" : "`");
}

void fst_markdown_name(struct fst_buf *out, struct fst_str name)
{
    struct fst_buf escaped = {0};
    fst_escape_text(&escaped, name);
    struct fst_str text = fst_buf_str(&escaped);
    bool special = text.len == 0 || memchr(text.data, '|', text.len) != NULL ||
                   memchr(text.data, '`', text.len) != NULL;
    if (special) {
        fst_markdown_text(out, text);
    } else {
        add_code(out, text);
    }
    out->failed = out->failed || escaped.failed;
    fst_buf_release(&escaped);
}

/* A row that says how many rows within a row are not shown. */
static void put_rest(struct fst_buf *out, const struct fst_columns *columns, size_t left)
{
    if (left > 0) {
        for (size_t c = 0; c < columns->count; c++) {
            fst_buf_add_cstr(out, "| ");
        }
        fst_buf_add_fmt(out, "| … %zu more |\n", left);
    }
}

void fst_markdown_put(struct fst_sink *sink, const struct fst_grid *grid)
{
    struct fst_buf *out = &sink->buf;
    const struct fst_columns *columns = &grid->columns;
    for (size_t c = 0; c < columns->count; c++) {
        fst_buf_add_fmt(out, "| %s ", columns->items[c].heading);
    }
    fst_buf_add_fmt(out, "| %s |\n", columns->name_heading);
    for (size_t c = 0; c < columns->count; c++) {
        fst_buf_add_cstr(out, "|---:");
    }
    fst_buf_add_cstr(out, "|:---|\n");
    for (size_t i = 0; i < grid->count; i++) {
        for (size_t c = 0; c < columns->count; c++) {
            fst_buf_add_cstr(out, "| ");
            columns->items[c].cell(out, fst_grid_row(grid, i));
            fst_buf_add_char(out, ' ');
        }
        const void *row = fst_grid_row(grid, i);
        bool inner = grid->is_inner != NULL && grid->is_inner(row);
        fst_buf_add_cstr(out, inner ? "| └ " : "| ");
        fst_markdown_name(out, grid->name(row));
        if (grid->add_note != NULL) {
            grid->add_note(out, grid, row);
        }
        fst_buf_add_cstr(out, " |\n");
        put_rest(out, columns, fst_grid_left(grid, i));
        fst_sink_spill(sink);
    }
}

/* "<0.1%" in a cell is text: "<0" cannot begin a tag, so that cells need no escape. */
void fst_top_as_markdown(struct fst_sink *sink, const struct fst_view *view)
{
    const struct fst_top *top = view->top;
    struct fst_buf *out = &sink->buf;
    fst_prose_header(out, view, fst_markdown_name);
    fst_buf_add_cstr(out, "\n");
    if (top->scope.stack_lines == 0) {
        return;
    }
    struct fst_grid leaf = fst_grid_of_leaf(top);
    struct fst_grid roots = fst_grid_of_roots(top);
    fst_buf_add_cstr(out, "\n### Leaf\n\n");
    fst_markdown_put(sink, &leaf);
    fst_buf_add_char(out, '\n');
    fst_prose_leaf(out, top);
    fst_buf_add_cstr(out, top->leader.len > 0 ? " " : "");
    fst_prose_leader(out, top, fst_markdown_name);
    fst_buf_add_cstr(out, top->compared > 0 ? " " : "");
    fst_prose_spread(out, top);
    for (size_t i = 0; i < FST_PROSE_OUTLIERS; i++) {
        struct fst_buf line = {0};
        bool more = fst_prose_outlier(&line, top, i, fst_markdown_name);
        fst_buf_add_cstr(out, more ? "\n- " : "");
        fst_buf_add_str(out, fst_buf_str(&line));
        out->failed = out->failed || line.failed;
        fst_buf_release(&line);
    }
    fst_buf_add_cstr(out, top->scope.foldable > 0 ? " " : "");
    fst_prose_foldable(out, top->scope.foldable, top->scope.foldable_of);
    fst_buf_add_cstr(out, "\n\n### Root\n\n");
    fst_markdown_put(sink, &roots);
    if (top->roots.shown < top->roots.of) {
        fst_buf_add_char(out, '\n');
        fst_prose_roots(out, top);
        fst_buf_add_char(out, '\n');
    }
}
