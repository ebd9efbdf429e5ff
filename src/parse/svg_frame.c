#include "parse/svg_frame.h"

#include "base/count.h"

/* Places that are not in samples are kept in millionths of a pixel (or of a percent). */
#define PLACE_DECIMALS 1000000

/* --- titles ---------------------------------------------------------------------------------- */

static bool cut_end(struct fst_str *text, struct fst_str end)
{
    if (!fst_str_ends(*text, end)) {
        return false;
    }
    text->len -= end.len;
    return true;
}

/* Cuts "12.34%", "+1.2%" or "100%" off the end. */
static bool cut_percentage(struct fst_str *text)
{
    if (!cut_end(text, FST_STR("%"))) {
        return false;
    }
    size_t len = text->len;
    while (text->len > 0 &&
           (fst_is_digit(text->data[text->len - 1]) || text->data[text->len - 1] == '.')) {
        text->len--;
    }
    bool found = text->len < len;
    if (text->len > 0 && (text->data[text->len - 1] == '+' || text->data[text->len - 1] == '-')) {
        text->len--;
    }
    return found;
}

/* Cuts "1,234" off the start of text if a blank follows; false if it begins otherwise. Too large a
 * number is one beyond FST_SVG_MOST. */
static bool cut_grouped(struct fst_str *text, uint64_t *out)
{
    uint64_t value = 0;
    size_t at = 0;
    for (; at < text->len; at++) {
        char c = text->data[at];
        if (!fst_is_digit(c) && (at == 0 || c != ',')) {
            break;
        }
        if (c != ',' && value <= (uint64_t)FST_SVG_MOST) {
            value = value * 10 + (uint64_t)(c - '0');
        }
    }
    if (at == 0 || at == text->len || text->data[at] != ' ') {
        return false;
    }
    *text = fst_str_skip(*text, at);
    *out = value;
    return true;
}

/* Read from the right, as a name may hold brackets and commas. */
bool fst_svg_title_cut(struct fst_str *title, struct fst_svg_title *out)
{
    struct fst_str rest = *title;
    *out = (struct fst_svg_title){0, {"", 0}, false};
    if (!cut_end(&rest, FST_STR(")")) || !cut_percentage(&rest)) {
        return false;
    }
    out->change = cut_end(&rest, FST_STR("; "));
    if ((out->change && !cut_percentage(&rest)) || !cut_end(&rest, FST_STR(", "))) {
        return false;
    }
    for (size_t at = rest.len; at-- > 1;) {
        struct fst_str inner = fst_str_skip(rest, at + 1);
        if (rest.data[at] == '(' && rest.data[at - 1] == ' ' && cut_grouped(&inner, &out->count)) {
            out->unit = fst_str_skip(inner, 1); /* the blank */
            title->len = at - 1;
            return true;
        }
    }
    return false;
}

bool fst_svg_unit_find(struct fst_str word, enum fst_unit otherwise, enum fst_unit *unit, int *over)
{
    static const struct {
        struct fst_str word;
        enum fst_unit unit;
        int over;
    } units[] = {
        {{"bytes", 5}, FST_UNIT_BYTES, 1},
        {{"us", 2}, FST_UNIT_MICROSECONDS, 1},
        {{"µs", 3}, FST_UNIT_MICROSECONDS, 1},
        {{"microseconds", 12}, FST_UNIT_MICROSECONDS, 1},
        {{"ns", 2}, FST_UNIT_MICROSECONDS, 1000},
        {{"nanoseconds", 11}, FST_UNIT_MICROSECONDS, 1000},
    };
    *unit = otherwise;
    *over = 1;
    for (size_t i = 0; i < FST_COUNT_OF(units); i++) {
        if (fst_str_eq(word, units[i].word)) {
            *unit = units[i].unit;
            *over = units[i].over;
            return true;
        }
    }
    return fst_str_eq(word, FST_STR("samples")) || fst_str_eq(word, FST_STR("sample"));
}

/* --- places ---------------------------------------------------------------------------------- */

/* A decimal number, perhaps with a "%" behind it, as a multiple of 1 / decimals, which divides
 * 10^12, cut where it has more; false if it is none, or out of range. */
static bool read_place(const char *text, int64_t decimals, int64_t *out)
{
    fst_i128 scaled;
    struct fst_str number = fst_str_cstr(text);
    (void)cut_end(&number, FST_STR("%"));
    enum fst_count_parse form = fst_count_parse(number, &scaled);
    if (form != FST_COUNT_OK && form != FST_COUNT_ROUNDED) {
        return false;
    }
    fst_i128 place = scaled / (FST_COUNT_ONE / decimals);
    if (place > FST_SVG_MOST || place < -FST_SVG_MOST) {
        return false;
    }
    *out = (int64_t)place;
    return true;
}

/* A number of samples: whole, not negative. */
static bool read_samples(const char *text, int64_t *out)
{
    struct fst_str digits = fst_str_cstr(text);
    for (size_t i = 0; i < digits.len; i++) {
        if (!fst_is_digit(digits.data[i])) {
            return false;
        }
    }
    return read_place(text, 1, out);
}

struct fst_svg_rectangle fst_svg_rectangle_of(const char **attributes)
{
    struct fst_svg_rectangle r = {0};
    for (; attributes[0] != NULL; attributes += 2) {
        const char *name = attributes[0];
        if (strcmp(name, "x") == 0) {
            r.x = attributes[1];
        } else if (strcmp(name, "y") == 0) {
            r.y = attributes[1];
        } else if (strcmp(name, "width") == 0) {
            r.width = attributes[1];
        } else if (strcmp(name, "fg:x") == 0) {
            r.first_sample = attributes[1];
        } else if (strcmp(name, "fg:w") == 0) {
            r.samples = attributes[1];
        }
    }
    return r;
}

bool fst_svg_extent_read(const struct fst_svg_rectangle *r, bool in_samples,
                         struct fst_svg_frame *frame)
{
    int64_t left;
    int64_t width;
    bool read = r->y != NULL && read_place(r->y, PLACE_DECIMALS, &frame->y);
    if (in_samples) {
        read = read && read_samples(r->first_sample, &left) && read_samples(r->samples, &width);
    } else {
        read = read && r->x != NULL && read_place(r->x, PLACE_DECIMALS, &left) &&
               r->width != NULL && read_place(r->width, PLACE_DECIMALS, &width);
    }
    if (!read || width < 0 || left + width > FST_SVG_MOST) {
        return false;
    }
    frame->left = left;
    frame->right = left + width;
    frame->own = in_samples ? (uint64_t)width : frame->own;
    return true;
}
