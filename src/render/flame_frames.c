/* A frame is a group that the readers of flame graphs know (src/parse/svg.h), with its place in
 * percent of the picture, so that it follows the window, and in counts, which are exact:
 *
 *     <g class="k0"><title>f (a.py:3) (12 samples, 3.45%)</title>
 *     <rect x="0%" y="18" width="3.45%" height="17" fg:x="0" fg:w="12"/><text …>f</text></g>
 */
#include <math.h>
#include <stdlib.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/width.h"
#include "render/flame_parts.h"

/* Below this width in pixels a frame has no outline, which would cover it. */
#define THIN 3

/* --- labels ------------------------------------------------------------------------------------ */

/* Parts of "function (folders/file:line)". */
struct label {
    struct fst_str function;
    struct fst_str place; /* empty: there is none */
};

static struct label split(struct fst_str name)
{
    struct label whole = {name, {"", 0}};
    if (name.len < 4 || name.data[name.len - 1] != ')') {
        return whole;
    }
    size_t at = name.len - 1;
    while (at > 0 && name.data[at - 1] != '(' && name.data[at - 1] != ')') {
        at--;
    }
    bool found =
        at > 2 && name.data[at - 1] == '(' && name.data[at - 2] == ' ' && name.data[at - 3] != ' ';
    struct fst_str place = {name.data + at, name.len - 1 - at};
    return found ? (struct label){{name.data, at - 2}, place} : whole;
}

static struct fst_str base_name(struct fst_str place)
{
    size_t at = place.len;
    while (at > 0 && place.data[at - 1] != '/' && place.data[at - 1] != '\\') {
        at--;
    }
    return fst_str_skip(place, at);
}

void fst_flame_label(struct fst_buf *out, struct fst_str name, size_t cells)
{
    enum { LEAST = 3 };
    struct fst_buf escaped = {0};
    if (cells < LEAST) {
        return;
    }
    fst_escape_text(&escaped, name);
    struct fst_str text = fst_buf_str(&escaped);
    struct label parts = split(text);
    struct fst_str file = base_name(parts.place);
    if (fst_width(text) <= cells) {
        fst_escape_xml(out, text);
    } else if (file.len > 0 && fst_width(parts.function) + fst_width(file) + 3 <= cells) {
        fst_escape_xml(out, parts.function);
        fst_buf_add_cstr(out, " (");
        fst_escape_xml(out, file);
        fst_buf_add_char(out, ')');
    } else if (fst_width(parts.function) <= cells) {
        fst_escape_xml(out, parts.function);
    } else {
        size_t len = fst_width_prefix(parts.function, cells - 1);
        fst_escape_xml(out, fst_str_of(parts.function.data, len));
        fst_buf_add_cstr(out, "…");
    }
    out->failed = out->failed || escaped.failed;
    fst_buf_release(&escaped);
}

/* --- numbers ------------------------------------------------------------------------------------- */

static void add_u64(struct fst_buf *out, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    fst_buf_add(out, digits + at, sizeof digits - at);
}

/* A share as percent with up to six decimals: a tenth of a pixel of a picture that is enlarged ten
 * thousand times. */
static void add_percent(struct fst_buf *out, double share)
{
    enum { DECIMALS = 6, ONE = 1000000 };
    uint64_t millionths = (uint64_t)(share * 100 * ONE + 0.5);
    char digits[DECIMALS];
    size_t len = DECIMALS;
    uint64_t rest = millionths % ONE;
    for (size_t i = DECIMALS; i-- > 0; rest /= 10) {
        digits[i] = (char)('0' + rest % 10);
    }
    while (len > 0 && digits[len - 1] == '0') {
        len--;
    }
    add_u64(out, millionths / ONE);
    if (len > 0) {
        fst_buf_add_char(out, '.');
        fst_buf_add(out, digits, len);
    }
    fst_buf_add_char(out, '%');
}

/* --- frames ---------------------------------------------------------------------------------------- */

static void add_class(struct fst_buf *out, const struct fst_flame *flame,
                      const struct fst_flame_frame *frame)
{
    const char *blank = "";
    fst_buf_add_cstr(out, "<g class=\"");
    if (frame->change == FST_FLAME_GONE) {
        fst_buf_add_cstr(out, frame->step == 0 ? "gone s" : "gone");
        blank = " ";
    } else if (frame->step != 0) {
        fst_buf_add_char(out, frame->step > 0 ? 'u' : 'd');
        add_u64(out, (uint64_t)abs(frame->step));
        blank = " ";
    } else if (frame->colour != FST_FLAME_NO_COLOUR) {
        fst_buf_add_char(out, 'k');
        add_u64(out, frame->colour);
        blank = " ";
    } else if (frame->depth > 0 && !flame->differential) {
        fst_buf_add_cstr(out, "kx");
        blank = " ";
    }
    if (frame->tint > 0 && !flame->differential) {
        fst_buf_add_cstr(out, blank);
        fst_buf_add_char(out, 't');
        blank = " ";
    }
    if (frame->width * (flame->pixels - 2 * FST_FLAME_MARGIN) < THIN) {
        fst_buf_add_cstr(out, blank);
        fst_buf_add_cstr(out, "thin");
    }
    fst_buf_add_char(out, '"');
}

static void add_exact(struct fst_buf *out, const char *key, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    size_t len = fst_count_text(count, text);
    fst_buf_add_cstr(out, " data-");
    fst_buf_add_cstr(out, key);
    fst_buf_add_cstr(out, "=\"");
    fst_buf_add(out, text, len);
    fst_buf_add_char(out, '"');
}

/* What the script cannot tell from what is drawn. */
static void add_data(struct fst_buf *out, const struct fst_flame *flame,
                     const struct fst_flame_frame *frame)
{
    static const char verdicts[] = {[FST_FLAME_SAME] = 's',
                                    [FST_FLAME_CHANGED] = 'c',
                                    [FST_FLAME_NEW] = 'n',
                                    [FST_FLAME_GONE] = 'g'};
    if (frame->drops) {
        add_exact(out, "self", frame->self);
    }
    if (flame->differential) {
        add_exact(out, "before", frame->before);
        fst_buf_add_fmt(out, " data-verdict=\"%c\"", verdicts[frame->change]);
    }
}

/* The title, in the form that readers of flame graphs know. */
static void add_title(struct fst_buf *out, const struct fst_flame *flame,
                      const struct fst_flame_frame *frame)
{
    fst_i128 total = fst_count_unpack(frame->total);
    fst_buf_add_cstr(out, "><title>");
    fst_escape_xml(out, frame->name);
    fst_buf_add_cstr(out, " (");
    fst_number_grouped_u64(out, (uint64_t)((total + FST_COUNT_ONE / 2) / FST_COUNT_ONE));
    fst_buf_add_char(out, ' ');
    fst_escape_xml(out, fst_flame_unit(flame));
    fst_buf_add_cstr(out, ", ");
    fst_number_hundredths(out, frame->share * 100);
    fst_buf_add_char(out, '%');
    if (flame->differential) {
        fst_buf_add_fmt(out, "; %+.2f%%", frame->points * 100);
    }
    fst_buf_add_cstr(out, ")</title>");
}

static void add_rectangle(struct fst_buf *out, const struct fst_flame_frame *frame, unsigned y)
{
    fst_buf_add_cstr(out, "<rect x=\"");
    add_percent(out, frame->x);
    fst_buf_add_cstr(out, "\" y=\"");
    add_u64(out, y);
    fst_buf_add_cstr(out, "\" width=\"");
    add_percent(out, frame->width);
    fst_buf_add_cstr(out, "\" height=\"");
    add_u64(out, FST_FLAME_ROW - 1);
    fst_buf_add_cstr(out, "\" rx=\"2\" fg:x=\"");
    add_u64(out, frame->first);
    fst_buf_add_cstr(out, "\" fg:w=\"");
    add_u64(out, frame->samples);
    fst_buf_add_cstr(out, "\"/>");
}

static void add_label(struct fst_buf *out, const struct fst_flame *flame,
                      const struct fst_flame_frame *frame, unsigned y)
{
    enum { BASELINE = 13, PADDING = 6, LEAST = 3 };
    double room = frame->width * (flame->pixels - 2 * FST_FLAME_MARGIN) - PADDING;
    if (room < LEAST * FST_FLAME_CELL) {
        return;
    }
    fst_buf_add_cstr(out, "<text x=\"");
    add_percent(out, frame->x);
    fst_buf_add_fmt(out, "\" dx=\"4\" y=\"%u\">", y + BASELINE);
    fst_flame_label(out, frame->name, (size_t)(room / FST_FLAME_CELL));
    fst_buf_add_cstr(out, "</text>");
}

static void add_frame(struct fst_buf *out, const struct fst_flame_view *view,
                      const struct fst_flame_frame *frame)
{
    const struct fst_flame *flame = view->flame;
    bool flipped = view->options->layout == FST_FLAME_FLAME;
    unsigned row = flipped ? flame->levels - 1 - frame->depth : frame->depth;
    unsigned y = row * FST_FLAME_ROW;
    add_class(out, flame, frame);
    add_data(out, flame, frame);
    add_title(out, flame, frame);
    add_rectangle(out, frame, y);
    add_label(out, flame, frame, y);
    fst_buf_add_cstr(out, "</g>\n");
}

void fst_flame_put_frames(struct fst_sink *sink, const struct fst_flame_view *view, unsigned y)
{
    const struct fst_flame *flame = view->flame;
    struct fst_buf *out = &sink->buf;
    fst_buf_add_fmt(out,
                    "<svg class=\"frames\" x=\"%d\" y=\"%u\" width=\"%.0f\" height=\"%u\" "
                    "data-row=\"%d\" data-levels=\"%u\" data-decimals=\"%d\" data-layout=\"%s\"",
                    FST_FLAME_MARGIN, y, flame->pixels - 2 * FST_FLAME_MARGIN,
                    flame->levels * FST_FLAME_ROW, FST_FLAME_ROW, flame->levels, flame->decimals,
                    view->options->layout == FST_FLAME_FLAME ? "flame" : "icicle");
    fst_buf_add_cstr(out, " data-unit=\"");
    fst_escape_xml(out, fst_flame_unit(flame));
    fst_buf_add_char(out, '"');
    if (flame->differential) {
        add_exact(out, "before", flame->frames[0].before);
    }
    fst_buf_add_cstr(out, flame->reverse ? " data-reverse=\"\">\n" : ">\n");
    for (size_t i = 0; i < flame->count; i++) {
        add_frame(out, view, &flame->frames[i]);
        fst_sink_spill(sink);
    }
    fst_buf_add_cstr(out, "</svg>\n");
}
