/* The page of diff:
 *
 *     BEFORE before.raw · py-spy · 10,000 samples
 *     AFTER after.raw · py-spy · 10,240 samples
 *     shares of each side's samples, differences in points · two-proportion tests, …
 *     SELF
 *     BEFORE%  AFTER%   DELTA       95 % CI   RATIO      TOTAL  FUNCTION
 *        5.0%    8.0%    +3.0  +2.3 to +3.7    1.60  *    +3.0*  pack (loader.py)
 *     …
 */
#include "base/count.h"
#include "base/escape.h"
#include "render/diff_parts.h"
#include "render/grid.h"

static void put_paths(struct fst_sink *sink, const struct fst_diff_view *view)
{
    struct fst_buf line = {0};
    for (size_t i = 0; i < view->diff->count; i++) {
        const struct fst_diff_row *row = &view->diff->rows[i];
        if (row->npaths == 0) {
            continue;
        }
        fst_buf_add_cstr(&line, "STACKS OF ");
        fst_escape_text(&line, row->name);
        fst_grid_put_line(sink, view->options, &line);
        struct fst_diff_table paths;
        fst_diff_table_of_paths(&paths, view->diff, row, &sink->buf);
        fst_grid_put(sink, &paths.grid, view->options);
        fst_diff_table_release(&paths);
    }
    fst_buf_release(&line);
}

static void put_side(struct fst_sink *sink, const struct fst_diff_view *view, const char *title,
                     const struct fst_diff_side *side)
{
    struct fst_buf line = {0};
    fst_buf_add_fmt(&line, "%s ", title);
    fst_diff_prose_side(&line, view->diff, side, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_release(&line);
}

void fst_diff_as_table(struct fst_sink *sink, const struct fst_diff_view *view)
{
    const struct fst_diff *diff = view->diff;
    struct fst_buf line = {0};
    put_side(sink, view, "BEFORE", &diff->before);
    put_side(sink, view, "AFTER", &diff->after);
    fst_diff_prose_method(&line, diff, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    if (diff->of > 0) {
        struct fst_diff_table table;
        fst_buf_add_cstr(&sink->buf, diff->on == FST_ON_SELF ? "SELF\n" : "TOTAL\n");
        fst_diff_table_make(&table, diff, &sink->buf);
        fst_grid_put(sink, &table.grid, view->options);
        fst_diff_table_release(&table);
        fst_diff_prose_rows(&line, diff);
        fst_grid_put_line(sink, view->options, &line);
        put_paths(sink, view);
    }
    fst_buf_release(&line);
}

/* Two counts a line, as difffolded.pl writes them; nothing is rounded. */
void fst_diff_as_collapsed(struct fst_sink *sink, const struct fst_diff_view *view)
{
    const struct fst_diff *diff = view->diff;
    struct fst_buf *out = &sink->buf;
    for (size_t i = 0; i < diff->count; i++) {
        const struct fst_diff_row *row = &diff->rows[i];
        if (view->options->terminal) {
            fst_escape_text(out, row->name);
        } else {
            fst_buf_add_str(out, row->name);
        }
        fst_buf_add_char(out, ' ');
        fst_cell_count(out, row->total.before);
        fst_buf_add_char(out, ' ');
        fst_cell_count(out, row->total.after);
        fst_buf_add_char(out, '\n');
        fst_sink_spill(sink);
    }
}
