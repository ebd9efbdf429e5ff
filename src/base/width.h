/* Text measured in terminal cells. Text is what fst_escape_text wrote; wide characters take two
 * cells, combining and zero-width ones none, and a byte that is not UTF-8 counts as one. */
#ifndef FST_BASE_WIDTH_H
#define FST_BASE_WIDTH_H

#include "base/str.h"

/* The cells that text takes. */
size_t fst_width(struct fst_str text);

/* The length in bytes of the longest start of text that takes at most so many cells and does not
 * end inside a user-perceived character. */
size_t fst_width_prefix(struct fst_str text, size_t cells);

/* The offset at which the longest end of text begins that takes at most so many cells. */
size_t fst_width_suffix(struct fst_str text, size_t cells);

#endif
