/* Text measured in terminal cells. */
#ifndef FST_BASE_WIDTH_H
#define FST_BASE_WIDTH_H

#include "base/str.h"

/* The cells that text takes: wide characters two, combining and zero-width ones none. text is what
 * fst_escape_text wrote; a byte that is not UTF-8 counts as one. */
size_t fst_width(struct fst_str text);

#endif
