/* Several recordings a side: the spread between recordings decides. Each formula is documented with
 * its assumptions in docs/STATISTICS.md. */
#ifndef FST_ANALYSIS_STATISTICS_SEVERAL_H
#define FST_ANALYSIS_STATISTICS_SEVERAL_H

#include "foldstat.h"

/* A value of every row in every recording, those before first. The sampling variance of a value,
 * if nothing but chance moved it, is noise[row] * weights[recording]. */
struct fst_several {
    size_t nrows;
    size_t nbefore;
    size_t nafter;
    const double *values;  /* values[recording * nrows + row] */
    const double *noise;   /* p (1 - p) of a share, the mean of a rate; 0: the row never varies */
    const double *weights; /* 1 / n of a share, 1 / exposure of a rate */
    const double *events;  /* mean number of samples a recording in the row */
    const bool *family;    /* rows that are compared */
};

/* What is known of one row. All NaN for rows that are not compared. */
struct fst_difference {
    double error; /* standard error of the difference of means, moderated */
    double df;    /* its degrees of freedom */
    double p;     /* of the row alone, two-sided */
    double q;     /* for all rows together: see below */
};

/* The two-sided p-value of Student's t, and the t whose p-value is 0.05. */
double fst_student_p(double t, double df);
double fst_student_t95(double df);

/* Student's t with a quasi-binomial variance (R. W. M. Wedderburn, Biometrika 61, 1974, pp. 439-447; the
 * part beyond chance as in D. A. Williams, Applied Statistics 31, 1982, pp. 144-148, model II), shrunk
 * to the median over rows as G. K. Smyth does (Statistical Applications in Genetics and Molecular
 * Biology 3(1), 2004, article 3) and never below that of chance. q is left to the caller.
 * Approximate. out has a place for each row. */
enum fst_status fst_several_by_dispersion(const struct fst_several *several,
                                          struct fst_difference *out, struct fst_error *err);

/* Permutation of the recordings: how often would a row, or any row, differ as much if it were by
 * chance which recordings stand on which side? p is of the row alone; q is Westfall's and Young's
 * step-down max-|t| (P. H. Westfall, S. S. Young, Resampling-Based Multiple Testing, 1993, algorithm
 * 4.1), the chance of any false finding. t has moderated variances. Every arrangement is tried where
 * there are at most 5,000, else 4,999 drawn by a fixed seed and the observed one. */
enum fst_status fst_several_by_permutation(const struct fst_several *several,
                                           struct fst_difference *out, struct fst_error *err);

/* The least p-value that permutation of so many recordings can give. */
double fst_permutation_least(size_t nbefore, size_t nafter);

/* The least number of recordings a side by which permutation can give a p-value of at most alpha, 0
 * to 1. */
size_t fst_permutation_needed(double alpha);

#endif
