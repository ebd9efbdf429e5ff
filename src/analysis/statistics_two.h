/* Two recordings, one a side: is a difference more than chance? Each formula is documented with its
 * assumptions in docs/STATISTICS.md. */
#ifndef FST_ANALYSIS_STATISTICS_TWO_H
#define FST_ANALYSIS_STATISTICS_TWO_H

#include "foldstat.h"

/* A share p, 0 to 1, among n independent samples; n need not be whole. */
struct fst_proportion {
    double p;
    double n;
};

/* Events that were counted while so much went by: ticks, or 1 for a recording as a whole. */
struct fst_events {
    double count;
    double exposure;
};

/* The 95 % interval of after.p - before.p: Newcombe's hybrid of two of Wilson's (R. G. Newcombe,
 * Statistics in Medicine 17, 1998, pp. 873-890, method 10). Both ends NaN unless Wilson's are
 * there. */
struct fst_interval fst_newcombe(struct fst_proportion before, struct fst_proportion after);

/* Exact tests are made below so many events; above the normal distribution is as good. */
enum { FST_EXACT_BELOW = 1000 };

/* A distribution over whole numbers: the hypergeometric one of Fisher's test, or the binomial one. */
struct fst_lattice {
    double least;
    double most;
    double mode;
    double n1; /* of Fisher's: samples before, and after */
    double n2;
    double k;    /* both counts together */
    double odds; /* of the binomial: of an event to be one before; 0: it is Fisher's */
};

/* What exact tests know of the last distribution, which rows with as many samples have in common; all
 * zero at first. It changes no result. */
struct fst_exact {
    struct fst_lattice lattice;
    size_t size;                         /* of p; 0: there was none */
    size_t low;                          /* weights are known from here */
    size_t high;                         /* to here */
    double weights[FST_EXACT_BELOW + 2]; /* probabilities by that of the mode */
    double p[FST_EXACT_BELOW + 2];       /* by count before; below 0: not known yet */
};

/* The two-sided p-value of "both shares are one": Fisher's exact test (R. A. Fisher, Journal of the
 * Royal Statistical Society 98, 1935, pp. 39-82; two-sided by the probability of tables), on counts
 * rounded to whole ones, where the rarer outcome was counted under 1,000 times on both sides
 * together; else the pooled z-test of two proportions. NaN where a share is none. */
double fst_two_proportions(struct fst_proportion before, struct fst_proportion after,
                           struct fst_exact *exact);

/* The 95 % interval of the difference of two rates, count / exposure: the hybrid of two score
 * intervals of Poisson means (G. Y. Zou, A. Donner, Statistics in Medicine 27, 2008, pp.
 * 1693-1702). */
struct fst_interval fst_rate_difference(struct fst_events before, struct fst_events after);

/* The two-sided p-value of "both rates are one": given the sum, the counts of two Poisson variables
 * are binomial (J. Przyborowski, H. Wilenski, Biometrika 31, 1940, pp. 313-323); exact where the sum
 * is under 1,000, else the score test. */
double fst_two_rates(struct fst_events before, struct fst_events after, struct fst_exact *exact);

/* A p-value, and the row that it belongs to. */
struct fst_ranked {
    double p;
    size_t row;
};

/* The q-values of all rows: the least rate of false findings at which each is one (Y. Benjamini, Y.
 * Hochberg, Journal of the Royal Statistical Society B 57, 1995, pp. 289-300). q has a place for each
 * row number; ranked has room for twice as many, and means nothing afterwards. */
void fst_benjamini_hochberg(struct fst_ranked *ranked, size_t count, double *q);

/* Whether a q-value is a finding at a rate of false ones. No difference at all has a q of 1, which is
 * none even where every finding may be false. */
static inline bool fst_is_finding(double q, double rate)
{
    return q < 1 && q <= rate;
}

#endif
