/* The output of the script that people publish, byte for byte:
 *
 *     TOTAL_GIL 178
 *     TOP_GIL_LEAF
 *        54  30.3% __init__ (datasets/table.py:117)
 *     …
 *     TOP_GIL_ROOT
 *       100  56.2% _run (dflash/data/prefetch.py:88)
 */
#include <math.h>

#include "base/count.h"
#include "base/escape.h"
#include "render/render.h"

static void put_heading(struct fst_buf *out, const char *label, const char *what)
{
    fst_buf_add_cstr(out, "TOP_");
    if (label != NULL) {
        fst_buf_add_fmt(out, "%s_", label);
    }
    fst_buf_add_fmt(out, "%s\n", what);
}

static void put_row(struct fst_buf *out, const struct fst_top_row *row, struct fst_count value,
                    double share, bool escape)
{
    char text[FST_COUNT_TEXT];
    (void)fst_count_format(fst_count_unpack(value), text);
    fst_buf_add_fmt(out, "%5s ", text);
    if (isnan(share)) {
        fst_buf_add_cstr(out, "     - ");
    } else {
        fst_buf_add_fmt(out, "%5.1f%% ", share * 100);
    }
    fst_buf_add_cstr(out, row->within ? "  " : "");
    if (escape) {
        fst_escape_text(out, row->name);
    } else {
        fst_buf_add_str(out, row->name);
    }
    fst_buf_add_char(out, '\n');
}

void fst_top_as_plain(struct fst_sink *sink, const struct fst_view *view)
{
    const struct fst_top *top = view->top;
    const char *label = view->options->label;
    bool escape = view->options->terminal;
    char total[FST_COUNT_TEXT];
    (void)fst_count_format(fst_count_unpack(top->scope.total), total);
    fst_buf_add_fmt(&sink->buf, "TOTAL%s%s %s\n", label == NULL ? "" : "_",
                    label == NULL ? "" : label, total);
    put_heading(&sink->buf, label, "LEAF");
    for (size_t i = 0; i < top->leaf.count; i++) {
        const struct fst_top_row *row = &top->leaf.rows[i];
        put_row(&sink->buf, row, row->self, row->self_share, escape);
        fst_sink_spill(sink);
    }
    put_heading(&sink->buf, label, "ROOT");
    for (size_t i = 0; i < top->roots.count; i++) {
        const struct fst_top_row *row = &top->roots.rows[i];
        put_row(&sink->buf, row, row->total, row->total_share, escape);
        fst_sink_spill(sink);
    }
}
