/* Which samples a result is of, and what their counts are. */
#ifndef FST_ANALYSIS_SCOPE_H
#define FST_ANALYSIS_SCOPE_H

#include "model/profile.h"

/* All but what normalising would do. */
void fst_scope_describe(struct fst_scope *scope, const struct fst_profile *profile,
                        enum fst_percent_of percent_of);

/* All of it; false without memory. */
bool fst_scope_fill(struct fst_scope *scope, const struct fst_profile *profile,
                    enum fst_percent_of percent_of);

#endif
