#include "analysis/statistics_two.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/statistics.h"

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

/* P(x) / P(x - 1) */
static inline double step(const struct fst_lattice *l, double x)
{
    return l->odds > 0 ? (l->k - x + 1) / x * l->odds
                       : (l->n1 - x + 1) * (l->k - x + 1) / (x * (l->n2 - l->k + x));
}

static bool same_lattice(const struct fst_lattice *a, const struct fst_lattice *b)
{
    return a->k == b->k && a->n1 == b->n1 && a->n2 == b->n2 && a->odds == b->odds;
}

/* Begins with a distribution, unless it is the one at hand. */
static void take_up(struct fst_exact *exact, const struct fst_lattice *lattice)
{
    if (exact->size > 0 && same_lattice(&exact->lattice, lattice)) {
        return;
    }
    exact->lattice = *lattice;
    exact->size = (size_t)lattice->k + 1;
    exact->low = (size_t)lattice->mode;
    exact->high = exact->low;
    exact->weights[exact->low] = 1;
    for (size_t x = 0; x < exact->size; x++) {
        exact->p[x] = -1;
    }
}

/* P(x) by that of the mode, so that no factorial is needed and none overflows; what is so far out
 * that it vanishes beside the mode is 0. */
static inline double weight_of(struct fst_exact *exact, size_t x)
{
    double *weights = exact->weights;
    for (; exact->high < x; exact->high++) {
        weights[exact->high + 1] =
            weights[exact->high] * step(&exact->lattice, (double)(exact->high + 1));
    }
    for (; exact->low > x; exact->low--) {
        weights[exact->low - 1] = weights[exact->low] / step(&exact->lattice, (double)exact->low);
    }
    return weights[x];
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

/* The probability of all that is no likelier than what was observed. */
static double sum_up(struct fst_exact *exact, size_t observed)
{
    const struct fst_lattice *l = &exact->lattice;
    /* Equal probabilities must not differ by rounding. */
    double limit = weight_of(exact, observed) * (1 + 1e-7);
    struct sums sums = {0};
    (void)add(&sums, 1, limit);
    for (size_t x = (size_t)l->mode; x < (size_t)l->most; x++) {
        if (!add(&sums, weight_of(exact, x + 1), limit)) {
            break;
        }
    }
    for (size_t x = (size_t)l->mode; x > (size_t)l->least; x--) {
        if (!add(&sums, weight_of(exact, x - 1), limit)) {
            break;
        }
    }
    return sums.extreme / sums.all;
}

static double exact_p(struct fst_exact *exact, const struct fst_lattice *lattice, double observed)
{
    take_up(exact, lattice);
    double *p = &exact->p[(size_t)observed];
    *p = *p < 0 ? sum_up(exact, (size_t)observed) : *p;
    return *p;
}

static double clamp(double x, double least, double most)
{
    return fmin(most, fmax(least, x));
}

static double fisher(double k1, double n1, double k2, double n2, struct fst_exact *exact)
{
    struct fst_lattice l = {.n1 = n1, .n2 = n2, .k = k1 + k2};
    l.least = fmax(0, l.k - n2);
    l.most = fmin(l.k, n1);
    l.mode = clamp(floor((l.k + 1) * (n1 + 1) / (n1 + n2 + 2)), l.least, l.most);
    return exact_p(exact, &l, k1);
}

static double two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2));
}

double fst_two_proportions(struct fst_proportion before, struct fst_proportion after,
                           struct fst_exact *exact)
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
    if (k < FST_EXACT_BELOW) {
        return fisher(round(before.p * before.n), round(before.n), round(after.p * after.n),
                      round(after.n), exact);
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

double fst_two_rates(struct fst_events before, struct fst_events after, struct fst_exact *exact)
{
    if (!is_rate(before) || !is_rate(after)) {
        return NAN;
    }
    double k = before.count + after.count;
    if (k < FST_EXACT_BELOW) {
        double k1 = round(before.count);
        struct fst_lattice l = {.odds = before.exposure / after.exposure};
        l.k = k1 + round(after.count);
        l.most = l.k;
        l.mode = clamp(floor((l.k + 1) * l.odds / (1 + l.odds)), 0, l.most);
        return exact_p(exact, &l, k1);
    }
    double pooled = k / (before.exposure + after.exposure);
    double variance = pooled * (1 / before.exposure + 1 / after.exposure);
    double delta = after.count / after.exposure - before.count / before.exposure;
    return two_sided(delta / sqrt(variance));
}

/* --- many rows -------------------------------------------------------------------------------- */

/* The bits of a p-value, which is not below 0, in the order of the values. */
static inline uint64_t bits_of(double p)
{
    uint64_t bits;
    p = fabs(p); /* -0 is 0 */
    memcpy(&bits, &p, sizeof bits);
    return bits;
}

enum { DIGIT = 8, DIGITS = 64 / DIGIT, VALUES = 1 << DIGIT };

static inline size_t digit_of(const struct fst_ranked *ranked, int digit)
{
    return bits_of(ranked->p) >> digit * DIGIT & (VALUES - 1);
}

/* Moves all to another place in the order of a digit. */
static void sort_digit(const struct fst_ranked *from, struct fst_ranked *to, size_t count,
                       const uint32_t *of_digit, int digit)
{
    size_t starts[VALUES];
    size_t sum = 0;
    for (size_t value = 0; value < VALUES; value++) {
        starts[value] = sum;
        sum += of_digit[value];
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[digit_of(&from[i], digit)]++] = from[i];
    }
}

/* Sorts by p, digit by digit; digits that all have in common cost nothing. Returns where the sorted
 * ones are: in ranked, or in the room behind. */
static const struct fst_ranked *sort_by_p(struct fst_ranked *ranked, size_t count)
{
    uint32_t numbers[DIGITS][VALUES] = {{0}};
    struct fst_ranked *from = ranked;
    struct fst_ranked *to = ranked + count;
    for (size_t i = 0; i < count; i++) {
        for (int digit = 0; digit < DIGITS; digit++) {
            numbers[digit][digit_of(&ranked[i], digit)]++;
        }
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        if (numbers[digit][digit_of(from, digit)] < count) {
            sort_digit(from, to, count, numbers[digit], digit);
            struct fst_ranked *swap = from;
            from = to;
            to = swap;
        }
    }
    return from;
}

void fst_benjamini_hochberg(struct fst_ranked *ranked, size_t count, double *q)
{
    if (count == 0) {
        return;
    }
    const struct fst_ranked *sorted = sort_by_p(ranked, count);
    double least = 1;
    for (size_t i = count; i-- > 0;) {
        double value = sorted[i].p * (double)count / (double)(i + 1);
        least = value < least ? value : least;
        q[sorted[i].row] = least;
    }
}
