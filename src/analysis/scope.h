/* Which samples a result is of, and what their counts are. */
#ifndef FST_ANALYSIS_SCOPE_H
#define FST_ANALYSIS_SCOPE_H

#include "model/profile.h"

enum fst_counting fst_counting_of(const struct fst_profile *profile);

/* How many samples a sum of counts is; NaN where counts are none. */
double fst_samples_of(const struct fst_profile *profile, enum fst_counting counting, fst_i128 sum);

/* All of it; false without memory. */
bool fst_scope_fill(struct fst_scope *scope, const struct fst_profile *profile,
                    enum fst_percent_of percent_of);

#endif
