#include "analysis/statistics.h"

#include <math.h>

struct fst_interval fst_wilson(double p, double n)
{
    if (!(n > 0) || !(p >= 0) || !(p <= 1)) {
        return (struct fst_interval){NAN, NAN};
    }
    double z2 = FST_Z95 * FST_Z95;
    double scale = 1 + z2 / n;
    double centre = (p + z2 / (2 * n)) / scale;
    double half = FST_Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / scale;
    /* The ends are exactly 0 and 1 at p = 0 and p = 1; rounding must not move them. */
    double lo = p == 0 ? 0 : centre - half;
    double hi = p == 1 ? 1 : centre + half;
    return (struct fst_interval){lo < 0 ? 0 : lo, hi > 1 ? 1 : hi};
}

double fst_half_width(double n)
{
    double half = n > 0 ? FST_Z95 * sqrt(0.25 / n) : NAN;
    return half > 1 ? 1 : half;
}

double fst_samples_for(double half_width)
{
    double ratio = FST_Z95 / half_width;
    return 0.25 * ratio * ratio;
}
