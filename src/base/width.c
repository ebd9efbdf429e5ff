#include "base/width.h"

#include <utf8proc.h>

#include "base/escape.h"

size_t fst_width(struct fst_str text)
{
    size_t cells = 0;
    while (text.len > 0) {
        int32_t c = 0;
        size_t n = fst_utf8_next(text, &c);
        int width = n == 0 ? 1 : utf8proc_charwidth(c);
        cells += width > 0 ? (size_t)width : 0;
        text = fst_str_skip(text, n == 0 ? 1 : n);
    }
    return cells;
}
