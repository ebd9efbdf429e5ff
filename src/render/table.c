/* The page of top:
 *
 *     gil.raw · py-spy · 178 samples on 64 lines · 58 leaf frames
 *     LEAF
 *        SELF   SELF%      95 % CI    TOTAL  TOTAL%  FRAME
 *          54   30.3%   24.1-37.4%       56   31.5%  __init__ (datasets/table.py:117)
 *     …
 */
#include "base/escape.h"
#include "render/grid.h"
#include "render/prose.h"

void fst_top_as_table(struct fst_sink *sink, const struct fst_view *view)
{
    const struct fst_top *top = view->top;
    struct fst_buf line = {0};
    fst_prose_header(&line, view, fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    if (top->scope.stack_lines > 0) {
        fst_buf_add_cstr(&sink->buf, "LEAF\n");
        struct fst_grid leaf = fst_grid_of_leaf(top);
        fst_grid_put(sink, &leaf, view->options);
        fst_prose_leaf(&line, top);
        fst_grid_put_line(sink, view->options, &line);
        fst_prose_leader(&line, top, fst_escape_text);
        fst_grid_put_line(sink, view->options, &line);
        fst_prose_spread(&line, top);
        fst_grid_put_line(sink, view->options, &line);
        for (size_t i = 0;
             i < FST_PROSE_OUTLIERS && fst_prose_outlier(&line, top, i, fst_escape_text); i++) {
            fst_grid_put_line(sink, view->options, &line);
        }
        fst_prose_foldable(&line, top->scope.foldable, top->scope.foldable_of);
        fst_grid_put_line(sink, view->options, &line);
        fst_buf_add_cstr(&sink->buf, "ROOT\n");
        struct fst_grid roots = fst_grid_of_roots(top);
        fst_grid_put(sink, &roots, view->options);
        fst_prose_roots(&line, top);
        fst_grid_put_line(sink, view->options, &line);
        fst_prose_missing(&line, view);
        fst_grid_put_line(sink, view->options, &line);
    }
    fst_buf_release(&line);
}
