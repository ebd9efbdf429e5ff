/* The comments of a partial sum, as model/partial.h reads them. No line ends in a blank and a number, so
 * that programs that know no comments do not take one for a stack. */
#ifndef FST_RENDER_PARTIAL_H
#define FST_RENDER_PARTIAL_H

#include "io/sink.h"
#include "model/profile.h"

/* What stands before the stacks: the unit, and what the sum is of. */
void fst_partial_put_head(struct fst_buf *out, const struct fst_profile *profile);

/* What stands behind them: a line for the shares of every frame, in the order of the frames' bytes; tags
 * (with semicolons between them, or empty) go before the names of inputs. False without memory. */
bool fst_partial_put_frames(struct fst_sink *sink, const struct fst_profile *profile,
                            struct fst_str tags);

#endif
