/* The page of diff in Markdown. */
#include "render/diff_parts.h"
#include "render/markdown.h"

static void put_paths(struct fst_sink *sink, const struct fst_diff *diff)
{
    for (size_t i = 0; i < diff->count; i++) {
        const struct fst_diff_row *row = &diff->rows[i];
        if (row->npaths > 0) {
            fst_buf_add_cstr(&sink->buf, "\nStacks of ");
            fst_markdown_name(&sink->buf, row->name);
            fst_buf_add_cstr(&sink->buf, ":\n\n");
            struct fst_diff_table paths;
            fst_diff_table_of_paths(&paths, diff, row, &sink->buf);
            fst_markdown_put(sink, &paths.grid);
            fst_diff_table_release(&paths);
        }
    }
}

void fst_diff_as_markdown(struct fst_sink *sink, const struct fst_diff_view *view)
{
    const struct fst_diff *diff = view->diff;
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, "- before: ");
    fst_diff_prose_side(out, diff, &diff->before, fst_markdown_name);
    fst_buf_add_cstr(out, "\n- after: ");
    fst_diff_prose_side(out, diff, &diff->after, fst_markdown_name);
    fst_buf_add_cstr(out, "\n- ");
    fst_diff_prose_method(out, diff, fst_markdown_name);
    fst_buf_add_char(out, '\n');
    if (diff->of == 0) {
        return;
    }
    fst_buf_add_cstr(out, diff->on == FST_ON_SELF ? "\n### Self\n\n" : "\n### Total\n\n");
    struct fst_diff_table table;
    fst_diff_table_make(&table, diff, out);
    fst_markdown_put(sink, &table.grid);
    fst_diff_table_release(&table);
    fst_buf_add_char(out, '\n');
    fst_diff_prose_rows(out, diff);
    fst_buf_add_char(out, '\n');
    put_paths(sink, diff);
}
