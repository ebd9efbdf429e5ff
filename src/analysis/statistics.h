/* Formulas. Each is documented with its source and assumptions in docs/STATISTICS.md. */
#ifndef FST_ANALYSIS_STATISTICS_H
#define FST_ANALYSIS_STATISTICS_H

#include "foldstat.h"

/* The normal quantile of a two-sided 95 % interval. */
#define FST_Z95 1.959963984540054

/* Wilson's score interval for a share that was p among n independent samples (E. B. Wilson, JASA
 * 22, 1927, pp. 209-212). n need not be whole. Both ends NaN unless n > 0 and 0 <= p <= 1. */
struct fst_interval fst_wilson(double p, double n);

/* The regularised incomplete beta function I_x(a, b) for a, b > 0 and 0 <= x <= 1: the chance that
 * a variable of the beta distribution is at most x. NaN for other arguments. */
double fst_beta_cdf(double x, double a, double b);

/* The x at which fst_beta_cdf(x, a, b) is p, for a, b > 0 and 0 < p < 1; NaN for others. */
double fst_beta_quantile(double p, double a, double b);

/* Clopper's and Pearson's exact interval of a share, k of n (Biometrika 26, 1934, pp. 404-413). Both
 * ends NaN unless 0 <= k <= n and n > 0. */
struct fst_interval fst_clopper_pearson(double k, double n);

/* The same interval as odds, p / (1 - p): what is known of the ratio of two Poisson means of which a
 * and b events were counted. hi is infinite where b is 0. */
struct fst_interval fst_odds_interval(double a, double b);

/* The interval of the share of n moments in which something held, seen held times: Wilson's, or for
 * held = 0 from 0 to 1 - 0.05^(1/n), above which no sample in n would have a chance below 5 %. Both
 * ends NaN unless 0 <= held <= n and n > 0. */
struct fst_interval fst_occupancy_interval(double held, double n);

/* The log-normal interval of a positive estimate whose logarithm has the standard error s. */
struct fst_interval fst_log_normal(double estimate, double s);

/* Half the width of the normal interval of a share of one half among n samples; at most 1. */
double fst_half_width(double n);

/* The samples at which fst_half_width is half_width. */
double fst_samples_for(double half_width);

#endif
