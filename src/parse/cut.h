/* Where a text may be cut so that its parts can be read on their own. */
#ifndef FST_PARSE_CUT_H
#define FST_PARSE_CUT_H

#include "base/str.h"

/* The last place within the first `most` bytes of text, behind a newline, over which no record
 * reaches: 0 if none is found near their end. text must begin at such a place. */
size_t fst_cut_before(struct fst_str text, size_t most);

#endif
