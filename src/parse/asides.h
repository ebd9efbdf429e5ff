/* Comments and messages that are kept until the parts of a text are put together. */
#ifndef FST_PARSE_ASIDES_H
#define FST_PARSE_ASIDES_H

#include "base/buf.h"
#include "parse/logline.h"

/* Lets a recording take a comment or a message. Memory may be short for lines of partial sums, which
 * recording->partial remembers. */
void fst_aside_take(struct fst_recording *recording, bool comment, struct fst_str text);

/* Appends one of the line of that number to asides; false without memory. */
bool fst_aside_keep(struct fst_buf *asides, uint64_t line, bool comment, struct fst_str text);

/* Lets recording take all of asides in the order of their lines; false without memory. */
bool fst_asides_take(const struct fst_buf *asides, struct fst_recording *recording);

#endif
