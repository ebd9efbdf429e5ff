/* The page of gil in Markdown. */
#include "render/gil_parts.h"
#include "render/markdown.h"

static void put_figures(struct fst_buf *out, const struct fst_gil *gil)
{
    struct fst_gil_figure figure = {0};
    fst_buf_add_cstr(out, "| figure | value | 95 % CI | meaning |\n|:---|---:|---:|:---|\n");
    for (int i = 0; i < FST_GIL_FIGURES; i++) {
        fst_gil_figure_clear(&figure);
        if (!fst_gil_figure_make(&figure, gil, i)) {
            continue;
        }
        const struct fst_buf *const cells[] = {&figure.label, &figure.value, &figure.interval,
                                               &figure.meaning};
        for (size_t k = 0; k < FST_COUNT_OF(cells); k++) {
            fst_buf_add_cstr(out, "| ");
            fst_buf_add_str(out, fst_buf_str(cells[k]));
            fst_buf_add_char(out, ' ');
        }
        fst_buf_add_cstr(out, "|\n");
    }
    fst_gil_figure_release(&figure, out);
}

static void put_verdict(struct fst_buf *out, const struct fst_gil *gil)
{
    if (gil->verdict_text.len == 0) {
        return;
    }
    fst_buf_add_cstr(out, gil->verdict == FST_GIL_NO_VERDICT ? "\n**No verdict" : "\n**Verdict: ");
    if (gil->verdict != FST_GIL_NO_VERDICT) {
        fst_gil_prose_verdict(out, gil);
    }
    fst_buf_add_cstr(out, ".** ");
    fst_buf_add_str(out, gil->verdict_text);
    fst_buf_add_char(out, '\n');
}

static void put_section(struct fst_sink *sink, const struct fst_gil_section *section)
{
    if (section->of == 0) {
        return;
    }
    fst_buf_add_fmt(&sink->buf, "\n### %s\n\n", section->heading);
    fst_markdown_put(sink, &section->grid);
    if (section->shown < section->of) {
        fst_buf_add_char(&sink->buf, '\n');
        fst_gil_prose_rows(&sink->buf, section->shown, section->of);
        fst_buf_add_char(&sink->buf, '\n');
    }
}

void fst_gil_as_markdown(struct fst_sink *sink, const struct fst_gil_view *view)
{
    struct fst_buf *out = &sink->buf;
    const struct fst_gil *gil = view->gil;
    const struct fst_gil_side *side;
    const char *title;
    for (int i = 0; (side = fst_gil_side_at(gil, i, &title)) != NULL; i++) {
        fst_buf_add_fmt(out, "- %s: ", title);
        fst_gil_prose_side(out, side, gil->nasked > 0, fst_markdown_name);
        fst_buf_add_char(out, '\n');
    }
    if (gil->nasked > 0) {
        fst_buf_add_cstr(out, "- ");
        fst_prose_asked(out, gil->asked, gil->nasked, gil->percent_of, fst_markdown_name);
        fst_buf_add_char(out, '\n');
    }
    fst_buf_add_char(out, '\n');
    put_figures(out, gil);
    for (size_t i = 0; i < gil->nmissing; i++) {
        fst_buf_add_char(out, '\n');
        fst_markdown_text(out, gil->missing[i]);
        fst_buf_add_char(out, '\n');
    }
    put_verdict(out, gil);
    for (int i = 0; i < FST_GIL_SECTIONS; i++) {
        struct fst_gil_section section = fst_gil_section_at(gil, i);
        put_section(sink, &section);
    }
}
