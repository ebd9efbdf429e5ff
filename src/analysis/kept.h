/* Whether a profile holds what was asked for, and if not, what may have been meant. */
#ifndef FST_ANALYSIS_KEPT_H
#define FST_ANALYSIS_KEPT_H

#include "model/nearest.h"
#include "model/profile.h"

/* NO_DATA where rows or roots are threads or processes and no stack names one, or where filters kept
 * nothing of stacks that were there. Other errors: NOMEM, USAGE. */
enum fst_status fst_check_kept(const struct fst_profile *profile, struct fst_error *err);

/* Appends "no KIND matches "PATTERN"", and what may have been meant. */
void fst_kept_describe(struct fst_buf *out, const char *kind, struct fst_str pattern,
                       const struct fst_nearest *nearest);

/* NO_DATA with that message. */
enum fst_status fst_kept_refuse(const struct fst_buf *message, struct fst_error *err);

#endif
