/* What the inputs of a profile say of the recording as a whole. */
#ifndef FST_ANALYSIS_RECORDING_H
#define FST_ANALYSIS_RECORDING_H

#include "model/profile.h"

/* The effective sampling ticks of all inputs together; NaN unless each that was read knows its own. */
double fst_recording_ticks(const struct fst_profile *profile);

/* The dialect of all inputs that have stacks; FST_DIALECT_AUTO where they differ or there are none. */
enum fst_dialect fst_recording_dialect(const struct fst_input *inputs, size_t count);

/* What its counts are for statistics. */
enum fst_counting fst_recording_counting(const struct fst_profile *profile);

/* How many samples a sum of its counts is; NaN for FST_COUNTING_NONE, and for a sum that is not
 * above 0. */
double fst_recording_samples(const struct fst_profile *profile, enum fst_counting counting,
                             fst_i128 sum);

#endif
