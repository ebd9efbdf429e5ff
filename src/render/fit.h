/* Text made to fit a number of terminal cells. */
#ifndef FST_RENDER_FIT_H
#define FST_RENDER_FIT_H

#include "base/buf.h"

/* Appends a frame name, escaped, in at most `cells` cells (1 or more). What is too long is cut in
 * the middle, marked by "…" or, ascii, by "...": "function (file:line)" first loses folders, then the middle of the
 * file's name, then the middle of the function, so that both ends of each stay to be read. */
void fst_fit_name(struct fst_buf *out, struct fst_str name, size_t cells, bool ascii);

/* Appends a sentence, broken into lines of at most `cells` cells at blanks; 0: not broken. A word
 * that is longer stands on a line of its own, cut as names are. text is escaped already. */
void fst_fit_prose(struct fst_buf *out, struct fst_str text, size_t cells, bool ascii);

#endif
