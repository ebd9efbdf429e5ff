/* Formulas. Each is documented with its source and assumptions in docs/STATISTICS.md. */
#ifndef FST_ANALYSIS_STATISTICS_H
#define FST_ANALYSIS_STATISTICS_H

#include "foldstat.h"

/* The normal quantile of a two-sided 95 % interval. */
#define FST_Z95 1.959963984540054

/* Wilson's score interval for a share that was p among n independent samples (E. B. Wilson, JASA
 * 22, 1927, pp. 209-212). n need not be whole. Both ends NaN unless n > 0 and 0 <= p <= 1. */
struct fst_interval fst_wilson(double p, double n);

/* Half the width of the normal interval of a share of one half among n samples; at most 1. */
double fst_half_width(double n);

/* The samples at which fst_half_width is half_width. */
double fst_samples_for(double half_width);

#endif
