/* Where a text may be cut so that its parts can be read on their own. */
#ifndef FST_PARSE_CUT_H
#define FST_PARSE_CUT_H

#include <stdbool.h>

#include "base/str.h"

/* The last place in text, behind a newline, over which no record reaches; 0 if none is found near
 * the end. whole: text begins at such a place; else it begins anywhere. */
size_t fst_cut_before(struct fst_str text, bool whole);

#endif
