/* The pages of peek:
 *
 *     all.raw · py-spy · 18,775 samples on 400 lines · 1 function matches ^fit
 *     fit (loop.py)
 *     12000 (63.9%) of 18,775 samples go through it, 9 (<0.1%) end there.
 *     CALLED BY
 *       TOTAL   SHARE  FUNCTION
 *       12000  100.0%  main (train.py)
 *     …
 */
#include "base/escape.h"
#include "render/grid.h"
#include "render/markdown.h"
#include "render/peek_parts.h"

static void put_section(struct fst_sink *sink, const struct fst_peek_view *view,
                        const struct fst_peek_section *section, struct fst_buf *line)
{
    if (section->grid.count > 0) {
        fst_buf_add_fmt(&sink->buf, "%s\n", section->title);
        fst_grid_put(sink, &section->grid, view->page.options);
        fst_peek_prose_rows(line, section);
        fst_grid_put_line(sink, view->page.options, line);
    }
}

static void put_match(struct fst_sink *sink, const struct fst_peek_view *view,
                      const struct fst_peek_match *match)
{
    const struct fst_render_options *options = view->page.options;
    struct fst_buf line = {0};
    fst_buf_add_cstr(&sink->buf, options->colour ? "\n\x1b[1m" : "\n");
    fst_grid_name(&sink->buf, match->name, options->width, options->ascii);
    fst_buf_add_cstr(&sink->buf, options->colour ? "\x1b[0m\n" : "\n");
    fst_peek_prose_match(&line, view->peek, match);
    fst_grid_put_line(sink, options, &line);
    for (int i = 0; i < FST_PEEK_SECTIONS; i++) {
        struct fst_peek_section section;
        if (fst_peek_section_init(&section, view->peek, match, i)) {
            put_section(sink, view, &section, &line);
        } else {
            sink->buf.failed = true;
        }
        fst_peek_section_release(&section);
    }
    fst_buf_release(&line);
}

void fst_peek_as_table(struct fst_sink *sink, const struct fst_peek_view *view)
{
    struct fst_buf line = {0};
    fst_peek_prose_header(&line, view, fst_escape_text);
    fst_grid_put_line(sink, view->page.options, &line);
    for (size_t i = 0; i < view->peek->count; i++) {
        put_match(sink, view, &view->peek->matches[i]);
        fst_sink_spill(sink);
    }
    fst_peek_prose_matches(&line, view->peek);
    if (line.len > 0) {
        fst_buf_add_char(&sink->buf, '\n');
    }
    fst_grid_put_line(sink, view->page.options, &line);
    fst_buf_release(&line);
}

/* --- Markdown ---------------------------------------------------------------------------------- */

static void put_markdown_section(struct fst_sink *sink, const struct fst_peek_section *section)
{
    if (section->grid.count > 0) {
        fst_buf_add_fmt(&sink->buf, "\n%s:\n\n", section->heading);
        fst_markdown_put(sink, &section->grid);
        if (section->shown < section->of) {
            fst_buf_add_char(&sink->buf, '\n');
            fst_peek_prose_rows(&sink->buf, section);
            fst_buf_add_char(&sink->buf, '\n');
        }
    }
}

void fst_peek_as_markdown(struct fst_sink *sink, const struct fst_peek_view *view)
{
    struct fst_buf *out = &sink->buf;
    const struct fst_peek *peek = view->peek;
    fst_peek_prose_header(out, view, fst_markdown_name);
    fst_buf_add_char(out, '\n');
    for (size_t k = 0; k < peek->count; k++) {
        fst_buf_add_cstr(out, "\n### ");
        fst_markdown_name(out, peek->matches[k].name);
        fst_buf_add_cstr(out, "\n\n");
        fst_peek_prose_match(out, peek, &peek->matches[k]);
        fst_buf_add_char(out, '\n');
        for (int i = 0; i < FST_PEEK_SECTIONS; i++) {
            struct fst_peek_section section;
            if (fst_peek_section_init(&section, peek, &peek->matches[k], i)) {
                put_markdown_section(sink, &section);
            } else {
                sink->buf.failed = true;
            }
            fst_peek_section_release(&section);
        }
    }
    if (peek->count < peek->of) {
        fst_buf_add_char(out, '\n');
        fst_peek_prose_matches(out, peek);
        fst_buf_add_char(out, '\n');
    }
}
