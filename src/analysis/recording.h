/* What the inputs of a profile say of the recording as a whole. */
#ifndef FST_ANALYSIS_RECORDING_H
#define FST_ANALYSIS_RECORDING_H

#include "model/profile.h"

/* The effective sampling ticks of all inputs together; NaN unless each that was read knows its own. */
double fst_recording_ticks(const struct fst_profile *profile);

#endif
