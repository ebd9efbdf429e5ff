#include "analysis/recording.h"

#include <math.h>

double fst_recording_ticks(const struct fst_profile *profile)
{
    double sum = 0;
    size_t read = 0;
    for (size_t i = 0; i < profile->ninputs; i++) {
        if (profile->inputs[i].status == FST_OK) {
            sum += profile->inputs[i].ticks;
            read++;
        }
    }
    return read > 0 ? sum : NAN;
}
