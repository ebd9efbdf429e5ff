/* What the inputs of a profile say of the recording as a whole. */
#ifndef FST_ANALYSIS_RECORDING_H
#define FST_ANALYSIS_RECORDING_H

#include "model/profile.h"

/* The effective sampling ticks of all inputs together; NaN unless each that was read knows its own. */
double fst_recording_ticks(const struct fst_profile *profile);

/* NO_DATA where rows or roots are threads or processes and no stack names one; the message says how
 * to record them. */
enum fst_status fst_recording_check(const struct fst_profile *profile, struct fst_error *err);

#endif
