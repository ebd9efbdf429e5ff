/* A flame graph as one SVG: what it is of at the top, a key to the colours, the frames, and what is
 * to be known of them at the bottom. It is complete without the script, which lays it out anew for
 * the window and makes it answer. */
#include "analysis/recording.h"
#include "base/escape.h"
#include "base/width.h"
#include "render/fit.h"
#include "render/flame_parts.h"

enum { LINE = 17, KEY_LINE = 24, TOP = 46, BELOW = 20, MODULE_CELLS = 40 };

/* A line of prose has about so many pixels a cell. */
#define PROSE_CELL 6.4

/* Text broken into lines. */
struct prose {
    struct fst_buf text; /* with newlines */
    unsigned lines;
};

static struct prose make_prose(const struct fst_flame_view *view,
                               void (*write)(struct fst_buf *, const struct fst_flame_view *))
{
    struct prose prose = {.lines = 1};
    struct fst_buf text = {0};
    write(&text, view);
    double room = view->flame->pixels - 2 * FST_FLAME_MARGIN;
    fst_fit_prose(&prose.text, fst_buf_str(&text), room > 200 ? (size_t)(room / PROSE_CELL) : 31,
                  false);
    prose.text.failed = prose.text.failed || text.failed;
    fst_buf_release(&text);
    for (size_t i = 0; i < prose.text.len; i++) {
        prose.lines += prose.text.data[i] == '\n';
    }
    return prose;
}

static void put_prose(struct fst_buf *out, const char *name, const struct prose *prose, unsigned y)
{
    struct fst_str rest = fst_buf_str(&prose->text);
    fst_buf_add_fmt(out, "<g class=\"%s\">", name);
    for (unsigned i = 0; i < prose->lines; i++) {
        const char *end = memchr(rest.data, '\n', rest.len);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.data);
        fst_buf_add_fmt(out, "<text x=\"%d\" y=\"%u\">", FST_FLAME_MARGIN, y + i * LINE);
        fst_escape_xml(out, fst_str_of(rest.data, len));
        fst_buf_add_cstr(out, "</text>");
        rest = fst_str_skip(rest, end == NULL ? len : len + 1);
    }
    fst_buf_add_cstr(out, "</g>\n");
    out->failed = out->failed || prose->text.failed;
}

/* --- the key to the colours ------------------------------------------------------------------------ */

/* One colour and its word, at x; returns where the next one goes. */
static unsigned put_key(struct fst_buf *out, const char *name, struct fst_str word, unsigned x,
                        unsigned y)
{
    enum { SWATCH = 18, GAP = 18 };
    struct fst_buf label = {0};
    fst_fit_name(&label, word, MODULE_CELLS, false);
    double cells = (double)fst_width(fst_buf_str(&label));
    unsigned size = SWATCH + GAP + (unsigned)(cells * FST_FLAME_CELL);
    fst_buf_add_fmt(out, "<g class=\"key %s\" transform=\"translate(%u %u)\" data-size=\"%u\"",
                    name, x, y, size);
    fst_buf_add_cstr(out, " data-name=\"");
    fst_escape_xml(out, word);
    fst_buf_add_fmt(out, "\"><rect width=\"12\" height=\"12\" rx=\"2\"/><text x=\"%d\" y=\"10\">",
                    SWATCH);
    fst_escape_xml(out, fst_buf_str(&label));
    fst_buf_add_cstr(out, "</text></g>\n");
    out->failed = out->failed || label.failed;
    fst_buf_release(&label);
    return x + size;
}

static void put_modules(struct fst_buf *out, const struct fst_flame *flame, unsigned y)
{
    unsigned x = FST_FLAME_MARGIN;
    for (size_t i = 0; i < flame->nmodules; i++) {
        char name[] = {'k', (char)('0' + i), '\0'};
        x = put_key(out, name, flame->modules[i], x, y);
    }
    (void)put_key(out, "kx", FST_STR("other"), x, y);
}

static void put_steps(struct fst_buf *out, const struct fst_flame *flame, unsigned y)
{
    static const struct {
        const char *name;
        const char *word;
    } keys[] = {
        {"d4", "≤ −5 points"},  {"d3", "≤ −2"},   {"d2", "≤ −0.5"}, {"d1", "< 0"},
        {"kx", "within noise"}, {"u1", "> 0"},    {"u2", "≥ +0.5"}, {"u3", "≥ +2"},
        {"u4", "≥ +5 points"},  {"gone", "gone"},
    };
    unsigned x = FST_FLAME_MARGIN;
    for (size_t i = 0; i < FST_COUNT_OF(keys); i++) {
        bool noise = strcmp(keys[i].name, "kx") == 0;
        const char *word = noise && !flame->tested ? "as before" : keys[i].word;
        x = put_key(out, keys[i].name, fst_str_cstr(word), x, y);
    }
}

static bool has_key(const struct fst_flame *flame)
{
    return flame->differential || flame->nmodules > 0;
}

static void put_keys(struct fst_buf *out, const struct fst_flame *flame, unsigned y)
{
    if (flame->differential) {
        put_steps(out, flame, y);
    } else if (has_key(flame)) {
        put_modules(out, flame, y);
    }
}

/* --- the whole -------------------------------------------------------------------------------------- */

static void put_embedded(struct fst_buf *out, const char *element, const unsigned char *bytes,
                         unsigned long len)
{
    fst_buf_add_fmt(out, "<%s><![CDATA[\n", element);
    fst_buf_add(out, (const char *)bytes, len);
    fst_buf_add_fmt(out, "]]></%s>\n", element);
}

/* What makes a picture that is read back the profile that it was (src/parse/svg.c). Rows that are
 * neither frames nor functions are of no dialect. */
static void put_own(struct fst_buf *out, const struct fst_flame *flame)
{
    enum fst_dialect dialect = fst_recording_dialect(flame->after.inputs, flame->after.ninputs);
    bool written = flame->by == FST_BY_FRAME || flame->by == FST_BY_FUNCTION;
    if (written && dialect != FST_DIALECT_AUTO) {
        fst_buf_add_fmt(out, " data-dialect=\"%s\"", fst_dialect_name(dialect));
    }
    fst_buf_add_fmt(out, " data-left-out=\"%llu\"", (unsigned long long)flame->narrow.frames);
}

static void put_start(struct fst_buf *out, const struct fst_flame_view *view, unsigned height)
{
    double width = view->flame->pixels;
    fst_buf_add_fmt(out,
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                    "xmlns:fg=\"http://github.com/jonhoo/inferno\" version=\"1.1\" "
                    "class=\"foldstat\" width=\"%.0f\" height=\"%u\" viewBox=\"0 0 %.0f %u\" "
                    "data-width=\"%s\"",
                    width, height, width, height, view->options->fixed ? "fixed" : "window");
    put_own(out, view->flame);
    fst_buf_add_cstr(out, ">\n");
}

static void put_title(struct fst_buf *out, const struct fst_flame_view *view)
{
    struct fst_buf title = {0};
    fst_flame_title(&title, view);
    fst_buf_add_cstr(out, "<title>");
    fst_escape_xml(out, fst_buf_str(&title));
    fst_buf_add_cstr(out, "</title>\n");
    put_embedded(out, "style", fst_flame_style, fst_flame_style_len);
    fst_buf_add_cstr(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
    fst_buf_add_fmt(out, "<text class=\"title\" x=\"%d\" y=\"26\">", FST_FLAME_MARGIN);
    fst_escape_xml(out, fst_buf_str(&title));
    fst_buf_add_cstr(out, "</text>\n");
    out->failed = out->failed || title.failed;
    fst_buf_release(&title);
}

void fst_flame_as_svg(struct fst_sink *sink, const struct fst_flame_view *view)
{
    const struct fst_flame *flame = view->flame;
    struct fst_buf *out = &sink->buf;
    struct prose about = make_prose(view, fst_flame_about);
    struct prose foot = make_prose(view, fst_flame_foot);
    unsigned key = TOP + about.lines * LINE - 6;
    unsigned frames = key + 2 + (has_key(flame) ? KEY_LINE : 0);
    unsigned below = frames + flame->levels * FST_FLAME_ROW + BELOW;
    put_start(out, view, below + foot.lines * LINE + 4);
    put_title(out, view);
    put_prose(out, "about", &about, TOP);
    put_keys(out, flame, key);
    fst_flame_put_frames(sink, view, frames);
    put_prose(out, "foot", &foot, below);
    put_embedded(out, "script", fst_flame_script, fst_flame_script_len);
    fst_buf_add_cstr(out, "</svg>\n");
    fst_buf_release(&about.text);
    fst_buf_release(&foot.text);
}
