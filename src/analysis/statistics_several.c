/* Several recordings a side.
 *
 * A row has a value in each recording, and s^2, the variance of these within the sides, on few degrees
 * of freedom. What is expected of it is
 *
 *     v = noise * mean weight + c * noise^2
 *
 * chance, and beyond it what changes from run to run, which is in proportion to the value itself: c is
 * the median over rows, by their samples, of what s^2 shows beyond chance. A row's variance is drawn
 * towards that,
 *
 *     moderated = (df * s^2 + d0 * v) / (df + d0)
 *
 * as if d0 more degrees of freedom had shown v. d0 is large where rows hardly differ from what is
 * expected but by chance, and small where they do. */
#include "analysis/statistics_several.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/statistics.h"
#include "analysis/statistics_two.h"
#include "base/alloc.h"
#include "base/error.h"

/* --- Student's t ------------------------------------------------------------------------------ */

double fst_student_p(double t, double df)
{
    return isnan(t) ? NAN : fst_beta_cdf(df / (df + t * t), df / 2, 0.5);
}

double fst_student_t95(double df)
{
    double x = fst_beta_quantile(0.05, df / 2, 0.5);
    return sqrt(df * (1 - x) / x);
}

/* --- what is expected ------------------------------------------------------------------------- */

/* What rows have in common. */
struct prior {
    double extra; /* c */
    double df;    /* d0 */
};

/* The second derivative of log gamma: an asymptotic series (M. Abramowitz, I. A. Stegun, Handbook of
 * Mathematical Functions, 1964, 6.4.12), reached by recurrence (6.4.6). */
enum { SERIES_FROM = 10 };

static double trigamma(double x)
{
    double sum = 0;
    while (x < SERIES_FROM) {
        sum += 1 / (x * x);
        x += 1;
    }
    double x2 = 1 / (x * x);
    return sum + 1 / x + x2 / 2 + x2 / x * (1.0 / 6 - x2 * (1.0 / 30 - x2 / 42));
}

/* The x > 0 at which trigamma, which falls, is y. */
static double trigamma_inverse(double y)
{
    enum { HALVINGS = 100 };
    double lo = 1e-3;
    double hi = 1e6;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = sqrt(lo * hi);
        *(trigamma(middle) > y ? &lo : &hi) = middle;
    }
    return sqrt(lo * hi);
}

/* --- sums of rows ----------------------------------------------------------------------------- */

static size_t recordings(const struct fst_several *s)
{
    return s->nbefore + s->nafter;
}

/* The mean of a row over some recordings. */
static double mean_of(const struct fst_several *s, size_t row, size_t from, size_t count)
{
    double sum = 0;
    for (size_t r = from; r < from + count; r++) {
        sum += s->values[r * s->nrows + row];
    }
    return sum / (double)count;
}

/* The sum of squares of a row around the mean of some recordings. */
static double squares_of(const struct fst_several *s, size_t row, size_t from, size_t count)
{
    double mean = mean_of(s, row, from, count);
    double sum = 0;
    for (size_t r = from; r < from + count; r++) {
        double off = s->values[r * s->nrows + row] - mean;
        sum += off * off;
    }
    return sum;
}

static double squares_within(const struct fst_several *s, size_t row)
{
    return squares_of(s, row, 0, s->nbefore) + squares_of(s, row, s->nbefore, s->nafter);
}

static double squares_in_all(const struct fst_several *s, size_t row)
{
    return squares_of(s, row, 0, recordings(s));
}

static double mean_weight(const struct fst_several *s)
{
    double sum = 0;
    for (size_t r = 0; r < recordings(s); r++) {
        sum += s->weights[r];
    }
    return sum / (double)recordings(s);
}

static double degrees(const struct fst_several *s)
{
    return (double)recordings(s) - 2;
}

static bool varies(const struct fst_several *s, size_t row)
{
    return s->family[row] && s->noise[row] > 0;
}

/* Rows that have enough samples to show more than chance. */
static bool is_telling(const struct fst_several *s, size_t row)
{
    enum { ENOUGH = 20 };
    return varies(s, row) && s->events[row] >= ENOUGH;
}

/* What is expected of a row's variance. */
static double expected(const struct fst_several *s, size_t row, double weight, double extra)
{
    return s->noise[row] * weight + extra * s->noise[row] * s->noise[row];
}

/* A variance beyond chance, in proportion to the value, and how many samples say so. */
struct excess {
    double extra;
    double samples;
};

static int by_extra(const void *left, const void *right)
{
    const struct excess *a = left;
    const struct excess *b = right;
    return (a->extra > b->extra) - (a->extra < b->extra);
}

/* The weighted median; 0 of none. */
static double median_of(struct excess *items, size_t count)
{
    double all = 0;
    double sum = 0;
    size_t i = 0;
    if (count == 0) {
        return 0;
    }
    qsort(items, count, sizeof *items, by_extra);
    for (size_t k = 0; k < count; k++) {
        all += items[k].samples;
    }
    while (i + 1 < count && (sum += items[i].samples) < all / 2) {
        i++;
    }
    return items[i].extra;
}

/* The median of a variance on df degrees of freedom whose mean is 1 (E. B. Wilson, M. M. Hilferty,
 * Proceedings of the National Academy of Sciences 17, 1931, pp. 684-688). */
static double median_of_variance(double df)
{
    double root = 1 - 2 / (9 * df);
    return root * root * root;
}

/* Sums of squares of a row, of df degrees of freedom. */
typedef double squares_fn(const struct fst_several *s, size_t row);

static bool find_extra(const struct fst_several *s, squares_fn *squares, double df, double *out)
{
    double weight = mean_weight(s);
    struct excess *items = fst_alloc_zeroed(s->nrows + 1, sizeof *items);
    size_t count = 0;
    if (items == NULL) {
        return false;
    }
    for (size_t row = 0; row < s->nrows; row++) {
        if (is_telling(s, row)) {
            double variance = squares(s, row) / df / median_of_variance(df);
            double noise = s->noise[row];
            items[count++] =
                (struct excess){(variance - noise * weight) / (noise * noise), s->events[row]};
        }
    }
    *out = fmax(0, median_of(items, count));
    fst_free(items);
    return true;
}

/* Degrees of freedom of the prior, from how much the logarithms of variances scatter around what is
 * expected beyond what df degrees of freedom make them scatter (Smyth, section 6.2). */
static double prior_df(const struct fst_several *s, squares_fn *squares, double df, double extra)
{
    enum { FEW = 10 };
    const double usual = 4;
    const double least = 1;
    const double most = 20;
    double weight = mean_weight(s);
    double sum = 0;
    double sum2 = 0;
    double n = 0;
    for (size_t row = 0; row < s->nrows; row++) {
        double variance = is_telling(s, row) ? squares(s, row) / df : 0;
        if (variance > 0) {
            double e = log(variance / expected(s, row, weight, extra));
            sum += e;
            sum2 += e * e;
            n++;
        }
    }
    if (n < FEW) {
        return usual;
    }
    double beyond = (sum2 - sum * sum / n) / (n - 1) - trigamma(df / 2);
    return beyond <= 0 ? most : fmin(most, fmax(least, 2 * trigamma_inverse(beyond)));
}

/* False without memory. */
static bool find_prior(const struct fst_several *s, squares_fn *squares, double df,
                       struct prior *out)
{
    if (!find_extra(s, squares, df, &out->extra)) {
        return false;
    }
    out->df = prior_df(s, squares, df, out->extra);
    return true;
}

static double difference_of_means(const struct fst_several *s, size_t row)
{
    return mean_of(s, row, s->nbefore, s->nafter) - mean_of(s, row, 0, s->nbefore);
}

static void set_unknown(const struct fst_several *s, struct fst_difference *out)
{
    for (size_t row = 0; row < s->nrows; row++) {
        out[row] = (struct fst_difference){NAN, NAN, NAN, NAN};
    }
}

/* --- by dispersion ---------------------------------------------------------------------------- */

/* The sampling variance of the difference of means, by unit of noise. */
static double weight_of_difference(const struct fst_several *s)
{
    double sum = 0;
    for (size_t r = 0; r < recordings(s); r++) {
        double count = (double)(r < s->nbefore ? s->nbefore : s->nafter);
        sum += s->weights[r] / (count * count);
    }
    return sum;
}

static double moderated(const struct fst_several *s, size_t row, struct prior prior)
{
    double v = expected(s, row, mean_weight(s), prior.extra);
    return (squares_within(s, row) + prior.df * v) / (degrees(s) + prior.df);
}

/* The standard error of the difference of means, by a variance of single values. */
static double error_of(const struct fst_several *s, double variance)
{
    return sqrt(variance * (1 / (double)s->nbefore + 1 / (double)s->nafter));
}

static struct fst_difference judge_dispersion(const struct fst_several *s, size_t row,
                                              struct prior prior)
{
    struct fst_difference d = {.df = degrees(s) + prior.df, .q = NAN};
    double least = sqrt(s->noise[row] * weight_of_difference(s));
    d.error = fmax(least, error_of(s, moderated(s, row, prior)));
    d.p = fst_student_p(difference_of_means(s, row) / d.error, d.df);
    return d;
}

enum fst_status fst_several_by_dispersion(const struct fst_several *s, struct fst_difference *out,
                                          struct fst_error *err)
{
    struct prior prior;
    set_unknown(s, out);
    if (!find_prior(s, squares_within, degrees(s), &prior)) {
        return fst_error_nomem(err);
    }
    for (size_t row = 0; row < s->nrows; row++) {
        if (varies(s, row)) {
            out[row] = judge_dispersion(s, row, prior);
        } else if (s->family[row]) {
            out[row].p = 1;
        }
    }
    return FST_OK;
}

/* --- arrangements ----------------------------------------------------------------------------- */

enum { ARRANGEMENTS_MOST = 5000 };

/* C(n, k) as a double; exact as long as it matters. */
static double choose(size_t n, size_t k)
{
    double c = 1;
    for (size_t i = 1; i <= k; i++) {
        c = c * (double)(n - k + i) / (double)i;
    }
    return round(c);
}

double fst_permutation_least(size_t nbefore, size_t nafter)
{
    double most = choose(nbefore + nafter, nbefore);
    double least = (nbefore == nafter ? 2 : 1) / most;
    return fmax(least, 1.0 / ARRANGEMENTS_MOST);
}

size_t fst_permutation_needed(double alpha)
{
    enum { MOST = 100 };
    size_t n = 2;
    while (n < MOST && fst_permutation_least(n, n) > alpha) {
        n++;
    }
    return n;
}

/* Which recordings stand before. Where both sides have as many, those with the first recording before
 * are half of all, and the others give the same |t|. */
struct arrangement {
    size_t *chosen; /* ascending */
    size_t count;
    size_t of;
    bool fixed; /* the first one stays */
    bool drawn; /* by chance, not one after the other */
    uint64_t state;
};

static uint64_t draw(uint64_t *state)
{
    /* splitmix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014, pp. 453-472 */
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* Draws each recording with the chance that there is of it among those that are left (D. E. Knuth,
 * The Art of Computer Programming 2, algorithm 3.4.2 S). */
static void draw_arrangement(struct arrangement *a)
{
    size_t taken = 0;
    for (size_t r = 0; r < a->of && taken < a->count; r++) {
        if (draw(&a->state) % (a->of - r) < a->count - taken) {
            a->chosen[taken++] = r;
        }
    }
}

/* The next in lexicographic order; false behind the last. */
static bool next_arrangement(struct arrangement *a)
{
    size_t first = a->fixed ? 1 : 0;
    size_t i = a->count;
    while (i > first && a->chosen[i - 1] == a->of - a->count + i - 1) {
        i--;
    }
    if (i == first) {
        return false;
    }
    a->chosen[i - 1]++;
    for (; i < a->count; i++) {
        a->chosen[i] = a->chosen[i - 1] + 1;
    }
    return true;
}

/* --- by permutation --------------------------------------------------------------------------- */

/* Columns of one number a row, in the order of the rows' observed |t|, descending. */
struct columns {
    size_t count;
    size_t *rows;
    double *values;  /* by recording: differences from the row's mean */
    double *squares; /* around the row's mean */
    double *prior;   /* d0 * v */
    double *sums;    /* of those before, by the arrangement at hand */
    double *t2;      /* its squared t, but for a factor that all have */
    double *observed;
    uint64_t *alone;    /* arrangements in which the row differs as much */
    uint64_t *together; /* in which it, or one that differs less, does */
};

static void columns_release(struct columns *c)
{
    fst_free(c->rows);
    fst_free(c->values);
    fst_free(c->squares);
    fst_free(c->prior);
    fst_free(c->sums);
    fst_free(c->t2);
    fst_free(c->observed);
    fst_free(c->alone);
    fst_free(c->together);
}

static bool columns_init(struct columns *c, const struct fst_several *s)
{
    size_t room = s->nrows + 1;
    *c = (struct columns){0};
    c->rows = fst_alloc_zeroed(room, sizeof *c->rows);
    c->values = fst_alloc_zeroed(room * recordings(s), sizeof *c->values);
    c->squares = fst_alloc_zeroed(room, sizeof *c->squares);
    c->prior = fst_alloc_zeroed(room, sizeof *c->prior);
    c->sums = fst_alloc_zeroed(room, sizeof *c->sums);
    c->t2 = fst_alloc_zeroed(room, sizeof *c->t2);
    c->observed = fst_alloc_zeroed(room, sizeof *c->observed);
    c->alone = fst_alloc_zeroed(room, sizeof *c->alone);
    c->together = fst_alloc_zeroed(room, sizeof *c->together);
    return c->rows != NULL && c->values != NULL && c->squares != NULL && c->prior != NULL &&
           c->sums != NULL && c->t2 != NULL && c->observed != NULL && c->alone != NULL &&
           c->together != NULL;
}

/* t^2 of every row for the arrangement at hand:
 *
 *     d^2 / (within + d0 v), where within = squares - (d^2) n1 n2 / (n1 + n2)
 *
 * and d = (mean after) - (mean before), with sums over both sides that add up to 0. */
static void find_t2(struct columns *c, const struct fst_several *s, const struct arrangement *a)
{
    double n1 = (double)s->nbefore;
    double n2 = (double)s->nafter;
    for (size_t i = 0; i < c->count; i++) {
        c->sums[i] = 0;
    }
    for (size_t k = 0; k < a->count; k++) {
        const double *values = c->values + a->chosen[k] * c->count;
        for (size_t i = 0; i < c->count; i++) {
            c->sums[i] += values[i];
        }
    }
    for (size_t i = 0; i < c->count; i++) {
        double d = c->sums[i] * (1 / n1 + 1 / n2);
        double between = d * d * n1 * n2 / (n1 + n2);
        double within = fmax(0, c->squares[i] - between) + c->prior[i];
        c->t2[i] = d == 0 ? 0 : d * d / within;
    }
}

static void count_arrangement(struct columns *c)
{
    const double slack = 1 - 1e-9; /* the same arrangement must count as itself */
    double most = 0;
    for (size_t i = c->count; i-- > 0;) {
        most = c->t2[i] > most ? c->t2[i] : most;
        c->alone[i] += c->t2[i] >= c->observed[i] * slack;
        c->together[i] += most >= c->observed[i] * slack;
    }
}

static void fill_columns(struct columns *c, const struct fst_several *s, struct prior prior)
{
    double weight = mean_weight(s);
    for (size_t i = 0; i < c->count; i++) {
        size_t row = c->rows[i];
        double mean = mean_of(s, row, 0, recordings(s));
        for (size_t r = 0; r < recordings(s); r++) {
            c->values[r * c->count + i] = s->values[r * s->nrows + row] - mean;
        }
        c->squares[i] = squares_in_all(s, row);
        c->prior[i] = prior.df * expected(s, row, weight, prior.extra);
    }
}

/* A row and its observed t^2. */
struct placed {
    double t2;
    size_t row;
};

static int by_t2(const void *left, const void *right)
{
    const struct placed *a = left;
    const struct placed *b = right;
    if (a->t2 != b->t2) {
        return a->t2 > b->t2 ? -1 : 1;
    }
    return (a->row > b->row) - (a->row < b->row);
}

/* Puts the rows into the order of their observed |t|. */
static bool order_columns(struct columns *c, const struct fst_several *s, struct prior prior,
                          const struct arrangement *observed)
{
    struct placed *placed = fst_alloc_zeroed(c->count + 1, sizeof *placed);
    if (placed == NULL) {
        return false;
    }
    fill_columns(c, s, prior);
    find_t2(c, s, observed);
    for (size_t i = 0; i < c->count; i++) {
        placed[i] = (struct placed){c->t2[i], c->rows[i]};
    }
    if (c->count > 0) {
        qsort(placed, c->count, sizeof *placed, by_t2);
    }
    for (size_t i = 0; i < c->count; i++) {
        c->rows[i] = placed[i].row;
        c->observed[i] = placed[i].t2;
    }
    fst_free(placed);
    fill_columns(c, s, prior);
    return true;
}

/* Goes through the arrangements, of which the observed one is the first; returns how many. */
static uint64_t try_all(struct columns *c, const struct fst_several *s, struct arrangement *a)
{
    uint64_t count = 0;
    do {
        find_t2(c, s, a);
        count_arrangement(c);
        count++;
        if (a->drawn) {
            draw_arrangement(a);
        }
    } while (a->drawn ? count < ARRANGEMENTS_MOST : next_arrangement(a));
    return count;
}

static void judge_permutations(const struct columns *c, const struct fst_several *s,
                               struct prior prior, uint64_t count, struct fst_difference *out)
{
    double least = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t row = c->rows[i];
        double q = (double)c->together[i] / (double)count;
        least = fmax(least, q); /* a row that differs less is no surer */
        out[row] = (struct fst_difference){
            .error = error_of(s, moderated(s, row, prior)),
            .df = degrees(s) + prior.df,
            .p = (double)c->alone[i] / (double)count,
            .q = least,
        };
    }
}

enum fst_status fst_several_by_permutation(const struct fst_several *s, struct fst_difference *out,
                                           struct fst_error *err)
{
    struct columns columns;
    struct arrangement a = {.count = s->nbefore, .of = recordings(s)};
    struct prior prior;
    bool good = columns_init(&columns, s);
    a.chosen = fst_alloc_zeroed(a.of, sizeof *a.chosen);
    a.fixed = s->nbefore == s->nafter;
    a.drawn = choose(a.of, a.count) / (a.fixed ? 2 : 1) > ARRANGEMENTS_MOST;
    a.state = 1;
    set_unknown(s, out);
    /* The prior must not depend on which recording stands where. */
    good = good && a.chosen != NULL &&
           find_prior(s, squares_in_all, (double)recordings(s) - 1, &prior);
    for (size_t row = 0; good && row < s->nrows; row++) {
        if (varies(s, row)) {
            columns.rows[columns.count++] = row;
        } else if (s->family[row]) {
            out[row].p = 1;
            out[row].q = 1;
        }
    }
    for (size_t k = 0; good && k < a.count; k++) {
        a.chosen[k] = k;
    }
    good = good && order_columns(&columns, s, prior, &a);
    if (good) {
        judge_permutations(&columns, s, prior, try_all(&columns, s, &a), out);
    }
    fst_free(a.chosen);
    columns_release(&columns);
    return good ? FST_OK : fst_error_nomem(err);
}
