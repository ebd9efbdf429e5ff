/* GitHub-flavoured Markdown (https://github.github.com/gfm/), for pull requests and reports.
 *
 * Names stand in code spans, in which nothing is markup but the backtick that ends them and the
 * '|' that ends a table cell. A name with one of those stands as text instead, with every mark of
 * punctuation that could mean something as a numeric reference. */
#include "base/escape.h"
#include "render/columns.h"
#include "render/prose.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fst_is_digit(c) || c == ' ' ||
           c == '.' || c == '/' || (unsigned char)c >= 0x80;
}

static void add_text(struct fst_buf *out, struct fst_str text)
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

static void add_name(struct fst_buf *out, struct fst_str name)
{
    struct fst_buf escaped = {0};
    fst_escape_text(&escaped, name);
    struct fst_str text = fst_buf_str(&escaped);
    bool special = text.len == 0 || memchr(text.data, '|', text.len) != NULL ||
                   memchr(text.data, '`', text.len) != NULL;
    if (special) {
        add_text(out, text);
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

static void put_table(struct fst_sink *sink, const struct fst_top *top,
                      const struct fst_columns *columns, const struct fst_top_table *table)
{
    struct fst_buf *out = &sink->buf;
    for (size_t c = 0; c < columns->count; c++) {
        fst_buf_add_fmt(out, "| %s ", columns->items[c].heading);
    }
    fst_buf_add_fmt(out, "| %s |\n", columns->name_heading);
    for (size_t c = 0; c < columns->count; c++) {
        fst_buf_add_cstr(out, "|---:");
    }
    fst_buf_add_cstr(out, "|:---|\n");
    for (size_t i = 0; i < table->count; i++) {
        for (size_t c = 0; c < columns->count; c++) {
            fst_buf_add_cstr(out, "| ");
            columns->items[c].cell(out, &table->rows[i]);
            fst_buf_add_char(out, ' ');
        }
        fst_buf_add_cstr(out, table->rows[i].within ? "| └ " : "| ");
        add_name(out, table->rows[i].name);
        fst_members_add(out, top, &table->rows[i], table == &top->roots);
        fst_buf_add_cstr(out, " |\n");
        put_rest(out, columns, fst_rows_left(table, i));
        fst_sink_spill(sink);
    }
}

/* "<0.1%" in a cell is text: "<0" cannot begin a tag, so that cells need no escape. */
void fst_top_as_markdown(struct fst_sink *sink, const struct fst_view *view)
{
    const struct fst_top *top = view->top;
    struct fst_buf *out = &sink->buf;
    fst_prose_header(out, view, add_name);
    fst_buf_add_cstr(out, "\n");
    if (top->stack_lines == 0) {
        return;
    }
    struct fst_columns leaf = fst_columns_of_leaf(top);
    struct fst_columns roots = fst_columns_of_roots(top);
    fst_buf_add_cstr(out, "\n### Leaf\n\n");
    put_table(sink, top, &leaf, &top->leaf);
    fst_buf_add_char(out, '\n');
    fst_prose_leaf(out, top);
    fst_buf_add_cstr(out, top->leader.len > 0 ? " " : "");
    fst_prose_leader(out, top, add_name);
    fst_buf_add_cstr(out, top->foldable > 0 ? " " : "");
    fst_prose_foldable(out, top);
    fst_buf_add_cstr(out, "\n\n### Root\n\n");
    put_table(sink, top, &roots, &top->roots);
    if (top->roots.shown < top->roots.of) {
        fst_buf_add_char(out, '\n');
        fst_prose_roots(out, top);
        fst_buf_add_char(out, '\n');
    }
}
