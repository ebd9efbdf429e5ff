/* How a name is cut, from wide to narrow:
 *
 *     extract_row (datasets/formatting/formatting.py:144)
 *     extract_row (…matting/formatting.py:144)
 *     extract_row (…/formatting.py:144)
 *     extract_row (format…g.py:144)
 *     extra…row (forma…:144)
 */
#include "render/fit.h"

#include "base/escape.h"
#include "base/width.h"
#include "parse/frame.h"

/* In fewer cells than this, a function and a file side by side tell nothing. */
enum { BOTH_LEAST = 20 };

/* text cut in the middle to at most cells, with at most `tail` of the cells behind the mark. */
static void cut_middle(struct fst_buf *out, struct fst_str text, size_t cells, size_t tail,
                       struct fst_str mark)
{
    size_t taken = fst_width(mark);
    if (fst_width(text) <= cells) {
        fst_buf_add_str(out, text);
        return;
    }
    if (cells <= taken) {
        fst_buf_add(out, mark.data, fst_width_prefix(mark, cells));
        return;
    }
    tail = tail < cells - taken ? tail : cells - taken;
    fst_buf_add(out, text.data, fst_width_prefix(text, cells - taken - tail));
    fst_buf_add_str(out, mark);
    fst_buf_add_str(out, fst_str_skip(text, fst_width_suffix(text, tail)));
}

/* Half of the cells behind the mark. */
static void cut_evenly(struct fst_buf *out, struct fst_str text, size_t cells, struct fst_str mark)
{
    size_t taken = fst_width(mark);
    cut_middle(out, text, cells, cells > taken ? (cells - taken) / 2 : 0, mark);
}

/* The file's own name in "folders/name:line". */
static struct fst_str base_name(struct fst_str place)
{
    size_t at = place.len;
    while (at > 0 && place.data[at - 1] != '/' && place.data[at - 1] != '\\') {
        at--;
    }
    return fst_str_skip(place, at);
}

/* "file:line" in at most cells: folders go first, then the middle of the name. */
static void cut_place(struct fst_buf *out, struct fst_str place, size_t cells, struct fst_str mark)
{
    struct fst_str base = base_name(place);
    if (fst_width(place) <= cells) {
        fst_buf_add_str(out, place);
    } else if (fst_width(base) + fst_width(mark) <= cells && base.len < place.len) {
        cut_middle(out, place, cells, cells, mark);
    } else {
        cut_middle(out, base, cells, cells * 3 / 5, mark);
    }
}

/* Shares the cells among a function and a place: the function gives up to half of them, unless the
 * place needs less. */
static void cut_both(struct fst_buf *out, struct fst_str function, struct fst_str place,
                     size_t cells, struct fst_str mark)
{
    size_t brackets = 3;
    size_t room = cells - brackets;
    size_t function_cells = fst_width(function);
    size_t base_cells = fst_width(base_name(place)) + fst_width(mark);
    size_t place_least = base_cells < room / 2 ? base_cells : room / 2;
    if (function_cells + place_least > room) {
        function_cells = room - place_least;
    }
    cut_evenly(out, function, function_cells, mark);
    fst_buf_add_cstr(out, " (");
    cut_place(out, place, room - function_cells, mark);
    fst_buf_add_char(out, ')');
}

/* Cuts what is escaped already. */
static void cut_name(struct fst_buf *out, struct fst_str text, size_t cells, struct fst_str mark)
{
    struct fst_frame_parts parts = fst_frame_read(text, true);
    if (fst_width(text) <= cells) {
        fst_buf_add_str(out, text);
    } else if (parts.kind == FST_FRAME_SPLIT && cells >= BOTH_LEAST) {
        const char *place = parts.file.data;
        cut_both(out, parts.function, fst_str_of(place, (size_t)(text.data + text.len - 1 - place)),
                 cells, mark);
    } else {
        cut_evenly(out, text, cells, mark);
    }
}

static struct fst_str mark_of(bool ascii)
{
    return ascii ? FST_STR("...") : FST_STR("…");
}

void fst_fit_name(struct fst_buf *out, struct fst_str name, size_t cells, bool ascii)
{
    struct fst_buf escaped = {0};
    fst_escape_text(&escaped, name);
    cut_name(out, fst_buf_str(&escaped), cells, mark_of(ascii));
    out->failed = out->failed || escaped.failed;
    fst_buf_release(&escaped);
}

void fst_fit_prose(struct fst_buf *out, struct fst_str text, size_t cells, bool ascii)
{
    const char *start = text.data;
    size_t used = 0;
    while (text.len > 0) {
        const char *blank = memchr(text.data, ' ', text.len);
        size_t len = blank == NULL ? text.len : (size_t)(blank - text.data);
        size_t word = fst_width(fst_str_of(text.data, len));
        if (text.data > start) {
            bool breaks = cells > 0 && used + 1 + word > cells;
            fst_buf_add_char(out, breaks ? '\n' : ' ');
            used = breaks ? 0 : used + 1;
        }
        if (cells > 0) {
            cut_evenly(out, fst_str_of(text.data, len), cells, mark_of(ascii));
            used += word < cells ? word : cells;
        } else {
            fst_buf_add(out, text.data, len);
        }
        text = fst_str_skip(text, blank == NULL ? len : len + 1);
    }
}
