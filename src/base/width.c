#include "base/width.h"

#include <utf8proc.h>

#include "base/escape.h"

/* Steps through text by grapheme clusters (Unicode UAX #29). */
struct steps {
    struct fst_str left;
    size_t at;    /* offset of the cluster at hand */
    size_t len;   /* its bytes */
    size_t cells; /* its cells */
};

static size_t cells_of(int32_t c)
{
    int width = utf8proc_charwidth(c);
    return width > 0 ? (size_t)width : 0;
}

static bool step(struct steps *s)
{
    s->at += s->len;
    s->len = 0;
    s->cells = 0;
    int32_t before = -1;
    utf8proc_int32_t state = 0;
    while (s->left.len > 0) {
        int32_t c = 0;
        size_t n = fst_utf8_next(s->left, &c);
        bool valid = n > 0;
        if (before >= 0 && (!valid || utf8proc_grapheme_break_stateful(before, c, &state))) {
            break;
        }
        n = valid ? n : 1;
        s->left = fst_str_skip(s->left, n);
        s->len += n;
        s->cells += valid ? cells_of(c) : 1;
        if (!valid) {
            break;
        }
        before = c;
    }
    return s->len > 0;
}

size_t fst_width(struct fst_str text)
{
    struct steps s = {.left = text};
    size_t cells = 0;
    while (step(&s)) {
        cells += s.cells;
    }
    return cells;
}

size_t fst_width_prefix(struct fst_str text, size_t cells)
{
    struct steps s = {.left = text};
    size_t used = 0;
    while (step(&s)) {
        used += s.cells;
        if (used > cells) {
            return s.at;
        }
    }
    return text.len;
}

size_t fst_width_suffix(struct fst_str text, size_t cells)
{
    size_t width = fst_width(text);
    struct steps s = {.left = text};
    while (width > cells && step(&s)) {
        width -= s.cells;
    }
    return s.at + s.len;
}
