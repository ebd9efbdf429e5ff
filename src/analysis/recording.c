#include "analysis/recording.h"

#include <math.h>

#include "base/count.h"

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

enum fst_dialect fst_recording_dialect(const struct fst_input *inputs, size_t count)
{
    enum fst_dialect dialect = FST_DIALECT_AUTO;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].status != FST_OK || inputs[i].stack_lines == 0) {
            continue;
        }
        if (dialect != FST_DIALECT_AUTO && dialect != inputs[i].dialect) {
            return FST_DIALECT_AUTO;
        }
        dialect = inputs[i].dialect;
    }
    return dialect;
}

static bool may_be_bytes(const struct fst_profile *p)
{
    for (size_t i = 0; i < p->ninputs; i++) {
        if (p->inputs[i].status == FST_OK && p->inputs[i].looks_like_bytes) {
            return true;
        }
    }
    return p->unit == FST_UNIT_BYTES;
}

enum fst_counting fst_recording_counting(const struct fst_profile *p)
{
    enum { LINES_AT_LEAST = 3, DIVISOR_AT_LEAST = 1000 };
    if (p->negatives > 0 || p->fractions > 0 || may_be_bytes(p) || p->mixed_units) {
        return FST_COUNTING_NONE;
    }
    bool periods = p->counted >= LINES_AT_LEAST && p->divisor >= DIVISOR_AT_LEAST * FST_COUNT_ONE;
    if (periods) {
        return FST_COUNTING_PERIODS;
    }
    return p->unit == FST_UNIT_SAMPLES ? FST_COUNTING_SAMPLES : FST_COUNTING_NONE;
}

double fst_recording_samples(const struct fst_profile *p, enum fst_counting counting, fst_i128 sum)
{
    if (counting == FST_COUNTING_NONE || sum <= 0) {
        return NAN;
    }
    double total = fst_count_to_double(sum);
    return counting == FST_COUNTING_PERIODS ? total / fst_count_to_double(p->divisor) : total;
}
