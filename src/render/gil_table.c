/* The page of gil:
 *
 *     GIL gil.raw · py-spy · 178 samples · 1,469 ticks
 *     ALL all.raw · py-spy · 18,775 samples · 4,454 ticks
 *     GIL occupancy   12.1%   10.5-13.9%  of the time a thread held the lock: 178 samples in …
 *     …
 *     VERDICT native work without the GIL
 *     The GIL was held …
 *     HOLDING THE GIL
 *        GIL    GIL%    HELD  …  FRAME
 *     …
 */
#include "base/escape.h"
#include "base/width.h"
#include "render/fit.h"
#include "render/gil_parts.h"
#include "render/grid.h"

/* Where the values, the intervals and the meanings of figures begin or end. */
enum { LABEL = 14, VALUE = 8, INTERVAL = 11, GAP = 2, LEAST = 20, NARROW = 2 };
enum { INDENT = LABEL + VALUE + GAP + INTERVAL + GAP };

static void put_padded(struct fst_buf *out, const struct fst_buf *text, size_t width, bool right)
{
    size_t pad = text->len < width ? width - text->len : 0;
    fst_buf_add_fill(out, ' ', right ? pad : 0);
    fst_buf_add_str(out, fst_buf_str(text));
    fst_buf_add_fill(out, ' ', right ? 0 : pad);
}

/* A meaning, broken into lines that begin where the first does; below the figure where there is no room
 * beside it. */
static void put_meaning(struct fst_buf *out, struct fst_str meaning,
                        const struct fst_render_options *options)
{
    size_t width = options->width;
    struct fst_buf lines = {0};
    bool beside = width == 0 || width > INDENT + LEAST;
    size_t indent = beside ? INDENT : NARROW;
    fst_fit_prose(&lines, meaning, width > indent ? width - indent : width, options->ascii);
    if (!beside) {
        while (out->len > 0 && out->data[out->len - 1] == ' ') {
            out->len--;
        }
        fst_buf_add_char(out, '\n');
        fst_buf_add_fill(out, ' ', indent);
    }
    for (size_t i = 0; i < lines.len; i++) {
        fst_buf_add_char(out, lines.data[i]);
        fst_buf_add_fill(out, ' ', lines.data[i] == '\n' ? indent : 0);
    }
    out->failed = out->failed || lines.failed;
    fst_buf_release(&lines);
}

static void put_figures(struct fst_sink *sink, const struct fst_gil_view *view)
{
    struct fst_gil_figure figure = {0};
    struct fst_buf *out = &sink->buf;
    for (int i = 0; i < FST_GIL_FIGURES; i++) {
        fst_gil_figure_clear(&figure);
        if (!fst_gil_figure_make(&figure, view->gil, i)) {
            continue;
        }
        put_padded(out, &figure.label, LABEL, false);
        put_padded(out, &figure.value, VALUE, true);
        fst_buf_add_fill(out, ' ', GAP);
        put_padded(out, &figure.interval, INTERVAL, true);
        fst_buf_add_fill(out, ' ', GAP);
        put_meaning(out, fst_buf_str(&figure.meaning), view->options);
        fst_buf_add_char(out, '\n');
    }
    fst_gil_figure_release(&figure, out);
}

static void put_sentence(struct fst_sink *sink, const struct fst_gil_view *view,
                         struct fst_str sentence)
{
    struct fst_buf line = {0};
    fst_buf_add_str(&line, sentence);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_release(&line);
}

static void put_verdict(struct fst_sink *sink, const struct fst_gil_view *view)
{
    const struct fst_gil *gil = view->gil;
    if (gil->verdict_text.len == 0) {
        return;
    }
    struct fst_buf name = {0};
    fst_gil_prose_verdict(&name, gil);
    bool given = gil->verdict != FST_GIL_NO_VERDICT;
    fst_buf_add_cstr(&sink->buf, given ? "VERDICT " : "NO VERDICT");
    fst_buf_add_cstr(&sink->buf, given && view->options->colour ? "\x1b[1m" : "");
    fst_buf_add_str(&sink->buf, given ? fst_buf_str(&name) : FST_STR(""));
    fst_buf_add_cstr(&sink->buf, given && view->options->colour ? "\x1b[0m\n" : "\n");
    sink->buf.failed = sink->buf.failed || name.failed;
    fst_buf_release(&name);
    put_sentence(sink, view, gil->verdict_text);
}

static void put_section(struct fst_sink *sink, const struct fst_gil_view *view,
                        const struct fst_gil_section *section)
{
    if (section->of == 0) {
        return;
    }
    fst_buf_add_fmt(&sink->buf, "%s\n", section->title);
    fst_grid_put(sink, &section->grid, view->options);
    struct fst_buf line = {0};
    fst_gil_prose_rows(&line, section->shown, section->of);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_release(&line);
}

void fst_gil_as_table(struct fst_sink *sink, const struct fst_gil_view *view)
{
    struct fst_buf line = {0};
    const struct fst_gil_side *side;
    const char *title;
    for (int i = 0; (side = fst_gil_side_at(view->gil, i, &title)) != NULL; i++) {
        fst_buf_add_fmt(&line, "%s ", title);
        fst_gil_prose_side(&line, side, view->gil->nasked > 0, fst_escape_text);
        fst_grid_put_line(sink, view->options, &line);
    }
    fst_prose_asked(&line, view->gil->asked, view->gil->nasked, view->gil->percent_of,
                    fst_escape_text);
    fst_grid_put_line(sink, view->options, &line);
    put_figures(sink, view);
    for (size_t i = 0; i < view->gil->nmissing; i++) {
        put_sentence(sink, view, view->gil->missing[i]);
    }
    put_verdict(sink, view);
    for (int i = 0; i < FST_GIL_SECTIONS; i++) {
        struct fst_gil_section section = fst_gil_section_at(view->gil, i);
        put_section(sink, view, &section);
    }
    fst_gil_prose_foldable(&line, view->gil);
    fst_grid_put_line(sink, view->options, &line);
    fst_buf_release(&line);
}
