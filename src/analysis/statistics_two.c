#include "analysis/statistics_two.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/statistics.h"

/* Above so many events the normal distribution is as good as the exact one. */
enum { EXACT_BELOW = 1000 };

static struct fst_interval hybrid(double before, struct fst_interval around_before, double after,
                                  struct fst_interval around_after)
{
    double delta = after - before;
    return (struct fst_interval){
        delta - hypot(after - around_after.lo, around_before.hi - before),
        delta + hypot(around_after.hi - after, before - around_before.lo),
    };
}

struct fst_interval fst_newcombe(struct fst_proportion before, struct fst_proportion after)
{
    return hybrid(before.p, fst_wilson(before.p, before.n), after.p, fst_wilson(after.p, after.n));
}

/* --- exact tests ------------------------------------------------------------------------------ */

/* A distribution over whole numbers: the hypergeometric one of Fisher's test, or the binomial one. */
struct lattice {
    double least;
    double most;
    double mode;
    double n1; /* of Fisher's: samples before, and after */
    double n2;
    double k;    /* both counts together */
    double odds; /* of the binomial: of an event to be one before; 0: it is Fisher's */
};

/* P(x) / P(x - 1) */
static inline double step(const struct lattice *l, double x)
{
    return l->odds > 0 ? (l->k - x + 1) / x * l->odds
                       : (l->n1 - x + 1) * (l->k - x + 1) / (x * (l->n2 - l->k + x));
}

/* P(x) by that of the mode, so that no factorial is needed and none overflows; what is so far out
 * that it vanishes beside the mode is 0. */
static double weight_of(const struct lattice *l, double x)
{
    double weight = 1;
    double at = l->mode;
    while (at < x) {
        at += 1;
        weight *= step(l, at);
    }
    while (at > x) {
        weight /= step(l, at);
        at -= 1;
    }
    return weight;
}

struct sums {
    double all;
    double extreme; /* of what is no likelier than the limit */
};

/* Adds a weight of a walk away from the mode. Weights fall ever faster, so that the walk is over where
 * one is nothing to either sum: returns whether it goes on. */
static inline bool add(struct sums *sums, double weight, double limit)
{
    const double nothing = 1e-18;
    bool extreme = weight <= limit;
    sums->all += weight;
    sums->extreme += extreme ? weight : 0;
    return !extreme || weight > nothing * sums->extreme;
}

static void add_above(const struct lattice *l, double limit, struct sums *sums)
{
    double weight = 1;
    double x = l->mode;
    while (x + 1 <= l->most) {
        x += 1;
        weight *= step(l, x);
        if (!add(sums, weight, limit)) {
            return;
        }
    }
}

static void add_below(const struct lattice *l, double limit, struct sums *sums)
{
    double weight = 1;
    double x = l->mode;
    while (x > l->least) {
        weight /= step(l, x);
        x -= 1;
        if (!add(sums, weight, limit)) {
            return;
        }
    }
}

/* The probability of all that is no likelier than what was observed. */
static double exact_p(const struct lattice *l, double observed)
{
    /* Equal probabilities must not differ by rounding. */
    double limit = weight_of(l, observed) * (1 + 1e-7);
    struct sums sums = {0};
    (void)add(&sums, 1, limit);
    add_above(l, limit, &sums);
    add_below(l, limit, &sums);
    return sums.extreme / sums.all;
}

static double clamp(double x, double least, double most)
{
    return fmin(most, fmax(least, x));
}

static double fisher(double k1, double n1, double k2, double n2)
{
    struct lattice l = {.n1 = n1, .n2 = n2, .k = k1 + k2};
    l.least = fmax(0, l.k - n2);
    l.most = fmin(l.k, n1);
    l.mode = clamp(floor((l.k + 1) * (n1 + 1) / (n1 + n2 + 2)), l.least, l.most);
    return exact_p(&l, k1);
}

static double two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

double fst_two_proportions(struct fst_proportion before, struct fst_proportion after)
{
    bool known = before.n > 0 && after.n > 0 && before.p >= 0 && before.p <= 1 && after.p >= 0 &&
                 after.p <= 1;
    if (!known) {
        return NAN;
    }
    double n = before.n + after.n;
    double k = before.p * before.n + after.p * after.n;
    if (k > n - k) { /* the rarer outcome is not to be in the row */
        before.p = 1 - before.p;
        after.p = 1 - after.p;
        k = before.p * before.n + after.p * after.n;
    }
    if (k < EXACT_BELOW) {
        return fisher(round(before.p * before.n), round(before.n), round(after.p * after.n),
                      round(after.n));
    }
    double pooled = k / n;
    double variance = pooled * (1 - pooled) * (1 / before.n + 1 / after.n);
    return two_sided((after.p - before.p) / sqrt(variance));
}

/* --- rates ------------------------------------------------------------------------------------ */

/* The score interval of a Poisson mean of which count events were seen, by exposure. */
static struct fst_interval rate_interval(struct fst_events events)
{
    double z2 = FST_Z95 * FST_Z95;
    double centre = events.count + z2 / 2;
    double half = FST_Z95 * sqrt(events.count + z2 / 4);
    double lo = events.count == 0 ? 0 : centre - half;
    return (struct fst_interval){lo / events.exposure, (centre + half) / events.exposure};
}

static bool is_rate(struct fst_events events)
{
    return events.count >= 0 && events.exposure > 0;
}

struct fst_interval fst_rate_difference(struct fst_events before, struct fst_events after)
{
    if (!is_rate(before) || !is_rate(after)) {
        return (struct fst_interval){NAN, NAN};
    }
    return hybrid(before.count / before.exposure, rate_interval(before),
                  after.count / after.exposure, rate_interval(after));
}

double fst_two_rates(struct fst_events before, struct fst_events after)
{
    if (!is_rate(before) || !is_rate(after)) {
        return NAN;
    }
    double k = before.count + after.count;
    if (k < EXACT_BELOW) {
        double k1 = round(before.count);
        struct lattice l = {.odds = before.exposure / after.exposure};
        l.k = k1 + round(after.count);
        l.most = l.k;
        l.mode = clamp(floor((l.k + 1) * l.odds / (1 + l.odds)), 0, l.most);
        return exact_p(&l, k1);
    }
    double pooled = k / (before.exposure + after.exposure);
    double variance = pooled * (1 / before.exposure + 1 / after.exposure);
    double delta = after.count / after.exposure - before.count / before.exposure;
    return two_sided(delta / sqrt(variance));
}

/* --- many rows -------------------------------------------------------------------------------- */

static int by_p(const void *left, const void *right)
{
    const struct fst_ranked *a = left;
    const struct fst_ranked *b = right;
    if (a->p != b->p) {
        return a->p < b->p ? -1 : 1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

void fst_benjamini_hochberg(struct fst_ranked *ranked, size_t count, double *q)
{
    if (count == 0) {
        return;
    }
    qsort(ranked, count, sizeof *ranked, by_p);
    double least = 1;
    for (size_t i = count; i-- > 0;) {
        double value = ranked[i].p * (double)count / (double)(i + 1);
        least = value < least ? value : least;
        q[ranked[i].row] = least;
    }
}
