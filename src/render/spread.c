/* What is said of the inputs of partial sums. */
#include <math.h>

#include "base/number.h"
#include "render/prose.h"

void fst_prose_spread(struct fst_buf *out, const struct fst_top *top)
{
    if (top->compared == 0) {
        return;
    }
    fst_buf_add_cstr(out, "Of ");
    fst_prose_counted(out, top->inputs, "input", "inputs");
    if (top->bad_lines > 0) {
        fst_buf_add_cstr(out, ", which had ");
        fst_prose_counted(out, top->bad_lines, "bad line", "bad lines");
    }
    if (top->compared < top->inputs) {
        fst_buf_add_cstr(out, "; of ");
        fst_number_grouped_u64(out, top->compared);
        fst_buf_add_cstr(out, " of them, which have no counts below 0,");
    } else {
        fst_buf_add_char(out, ':');
    }
    fst_buf_add_cstr(out, " SD and RANGE are of the inputs' own ");
    fst_buf_add_cstr(out, top->sort == FST_SORT_TOTAL ? "TOTAL%" : "SELF%");
    fst_buf_add_cstr(out, ", each input counting the same; SD is in points.");
}

static void say(struct fst_buf *out, const struct fst_top *top,
                const struct fst_spread_input *input, const struct fst_top_row *row,
                fst_name_fn name)
{
    name(out, input->name);
    fst_buf_add_fmt(out, " stands out: %.1f %% in ", input->share * 100);
    name(out, row->name);
    fst_buf_add_cstr(out, ", and ");
    fst_number_grouped_u64(out, top->compared - 1);
    fst_buf_add_fmt(out, " others %.1f ± %.1f %%.", input->mean * 100, input->sd * 100);
}

bool fst_prose_outlier(struct fst_buf *out, const struct fst_top *top, size_t n, fst_name_fn name)
{
    for (size_t i = 0; i < top->leaf.count; i++) {
        const struct fst_top_row *row = &top->leaf.rows[i];
        const struct fst_spread *spread =
            top->sort == FST_SORT_TOTAL ? row->total_spread : row->self_spread;
        for (size_t k = 0; spread != NULL && k < (size_t)2 * FST_SPREAD_ENDS; k++) {
            const struct fst_spread_input *input =
                k < FST_SPREAD_ENDS ? &spread->high[k] : &spread->low[k - FST_SPREAD_ENDS];
            bool below = k >= FST_SPREAD_ENDS;
            bool right_side = below ? input->share < input->mean : input->share > input->mean;
            if (input->stands_out && right_side && n-- == 0) {
                say(out, top, input, row, name);
                return true;
            }
        }
    }
    return false;
}
