/* Whether a profile holds what was asked for, and if not, what may have been meant. */
#ifndef FST_ANALYSIS_KEPT_H
#define FST_ANALYSIS_KEPT_H

#include "model/nearest.h"
#include "model/profile.h"

/* Checks profiles that are shown together, made with the same selection; NULL among them is fine.
 * NO_DATA where rows, roots or filters are of threads or processes and no stack of one of them names
 * any, or where filters kept nothing at all of stacks that were there. Other errors: NOMEM, USAGE. */
enum fst_status fst_check_kept(const struct fst_profile *const *profiles, size_t count,
                               struct fst_error *err);

/* Appends "no KIND matches "PATTERN"", and what may have been meant. */
void fst_kept_describe(struct fst_buf *out, const char *kind, struct fst_str pattern,
                       const struct fst_nearest *nearest);

/* NO_DATA with that message. */
enum fst_status fst_kept_refuse(const struct fst_buf *message, struct fst_error *err);

#endif
