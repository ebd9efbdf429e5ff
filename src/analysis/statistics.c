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

/* --- the beta distribution ------------------------------------------------------------------- */

/* Everything here takes x as (x, y) with y = 1 - x, so that neither end of [0, 1] loses digits, and
 * is solved for u = log(x / y): a quantile near 0 or 1 is as good as one in the middle. */
struct beta {
    double a;
    double b;
};

/* The error of Stirling's formula: log(n!) - log(sqrt(2 pi n) (n/e)^n). */
static double stirling_error(double n)
{
    if (n < 16) {
        return log(tgamma(n + 1)) - (n + 0.5) * log(n) + n - 0.9189385332046727;
    }
    double n2 = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / n2) / n2) / n2) / n2) /
           n;
}

/* The deviance k log(k/m) + m - k, without cancellation where k is near m. */
static double deviance(double k, double m)
{
    double v = (k - m) / (k + m);
    if (fabs(v) >= 0.1) {
        return k * log(k / m) + m - k;
    }
    double sum = (k - m) * v;
    double term = 2 * k * v;
    for (int j = 1; j < 1000; j++) {
        term *= v * v;
        double next = sum + term / (2 * j + 1);
        if (next == sum) {
            break;
        }
        sum = next;
    }
    return sum;
}

/* x^a y^b / B(a, b), by Loader's saddle-point form of the binomial probability of a in a + b (C.
 * Loader, "Fast and accurate computation of binomial probabilities", 2000): it stays good where the
 * gamma functions of the definition have lost every digit. It is also dI/du. */
static double beta_slope(struct beta beta, double x, double y)
{
    double n = beta.a + beta.b;
    double correction = stirling_error(n) - stirling_error(beta.a) - stirling_error(beta.b);
    double distance = deviance(beta.a, n * x) + deviance(beta.b, n * y);
    return exp(correction - distance) * sqrt(beta.a * (beta.b / n) / 6.283185307179586);
}

/* I_x(a, b) over its slope, by the continued fraction of A. R. DiDonato and A. H. Morris ("Algorithm
 * 708", ACM Trans. Math. Softw. 18, 1992, pp. 360-373), in which nothing cancels for x
 * below the mean, however lopsided a and b are:
 *
 *     1 / (q(0) + p(1) / (q(1) + p(2) / (q(2) + ...
 *
 * evaluated forwards by Lentz's method in Thompson's and Barnett's form (J. Comput. Phys. 64, 1986,
 * pp. 490-509). Near the mean it takes about sqrt(min(a, b)) terms. */
static double beta_fraction(struct beta beta, double x, double y)
{
    enum { TERMS_MOST = 1000000 };
    const double tiny = 1e-300;
    double a = beta.a;
    double b = beta.b;
    double value = a * (a * y - b * x + 1) / (a + 1);
    value = fabs(value) < tiny ? tiny : value;
    double c = value;
    double d = 0;
    for (int m = 1; m < TERMS_MOST; m++) {
        double odd = a + 2.0 * m - 1;
        double p = (a + m - 1) / odd * ((a + b + m - 1) / odd) * (m * (b - m) * x * x);
        double q =
            m + m * (b - m) * x / odd + (a + m) / (odd + 2) * (a * y - b * x + 1 + m * (1 + y));
        d = q + p * d;
        c = q + p / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1) <= 2e-16) {
            break;
        }
    }
    return 1 / value;
}

/* I_x(a, b). */
static double beta_below(struct beta beta, double x, double y)
{
    if (x <= 0 || y <= 0) {
        return x <= 0 ? 0 : 1;
    }
    double slope = beta_slope(beta, x, y);
    if (beta.a * y >= beta.b * x) {
        return slope * beta_fraction(beta, x, y);
    }
    struct beta mirrored = {beta.b, beta.a};
    return 1 - slope * beta_fraction(mirrored, y, x);
}

double fst_beta_cdf(double x, double a, double b)
{
    if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1)) {
        return NAN;
    }
    return beta_below((struct beta){a, b}, x, 1 - x);
}

/* x and 1 - x of u = log(x / (1 - x)). */
static double from_logit(double u)
{
    return u < 0 ? exp(u) / (1 + exp(u)) : 1 / (1 + exp(-u));
}

/* I at u, less p. */
static double excess(struct beta beta, double u, double p)
{
    return beta_below(beta, from_logit(u), from_logit(-u)) - p;
}

/* log(x / (1 - x)) of the quantile: Newton's steps inside a bracket that halves where they leave
 * it. */
static double beta_logit(double p, struct beta beta)
{
    enum { STEPS_MOST = 200 };
    double u = log(beta.a / beta.b);
    double width = 4 * sqrt(1 / beta.a + 1 / beta.b);
    double lo = u - width;
    double hi = u + width;
    while (excess(beta, lo, p) > 0) {
        lo -= hi - lo;
    }
    while (excess(beta, hi, p) < 0) {
        hi += hi - lo;
    }
    for (int i = 0; i < STEPS_MOST; i++) {
        double off = excess(beta, u, p);
        *(off > 0 ? &hi : &lo) = u;
        double next = u - off / beta_slope(beta, from_logit(u), from_logit(-u));
        if (!(next > lo && next < hi)) {
            next = lo + (hi - lo) / 2;
        }
        if (fabs(next - u) <= 1e-15 * fmax(1, fabs(u))) {
            return next;
        }
        u = next;
    }
    return u;
}

double fst_beta_quantile(double p, double a, double b)
{
    if (!(a > 0) || !(b > 0) || !(p > 0) || !(p < 1) || isinf(a) || isinf(b)) {
        return NAN;
    }
    return from_logit(beta_logit(p, (struct beta){a, b}));
}

/* The two ends as logarithms of odds: quantiles of Beta(a, b + 1) and Beta(a + 1, b). */
static struct fst_interval exact_logits(double a, double b)
{
    enum { NORMAL_FROM = 100000000 };
    if (a >= NORMAL_FROM && b >= NORMAL_FROM) {
        /* Terms beyond the normal ones are below 10^-4 of the width. */
        double half = FST_Z95 * sqrt(1 / a + 1 / b);
        return (struct fst_interval){log(a / b) - half, log(a / b) + half};
    }
    return (struct fst_interval){a > 0 ? beta_logit(0.025, (struct beta){a, b + 1}) : -INFINITY,
                                 b > 0 ? beta_logit(0.975, (struct beta){a + 1, b}) : INFINITY};
}

struct fst_interval fst_clopper_pearson(double k, double n)
{
    if (!(n > 0) || !(k >= 0) || !(k <= n) || isinf(n)) {
        return (struct fst_interval){NAN, NAN};
    }
    struct fst_interval logits = exact_logits(k, n - k);
    return (struct fst_interval){from_logit(logits.lo), from_logit(logits.hi)};
}

struct fst_interval fst_odds_interval(double a, double b)
{
    if (!(a >= 0) || !(b >= 0) || !(a + b > 0) || isinf(a + b)) {
        return (struct fst_interval){NAN, NAN};
    }
    struct fst_interval logits = exact_logits(a, b);
    return (struct fst_interval){exp(logits.lo), exp(logits.hi)};
}

/* --- the lock ------------------------------------------------------------------------------- */

struct fst_interval fst_occupancy_interval(double held, double n)
{
    if (held == 0 && n > 0) {
        return (struct fst_interval){0, -expm1(log(0.05) / n)};
    }
    return fst_wilson(held / n, n);
}

struct fst_interval fst_log_normal(double estimate, double s)
{
    return (struct fst_interval){estimate * exp(-FST_Z95 * s), estimate * exp(FST_Z95 * s)};
}
