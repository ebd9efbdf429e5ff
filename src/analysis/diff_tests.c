/* Tests of all rows: what is a difference, and what is chance. Self values and totals are tested beside
 * each other. */
#include <math.h>
#include <pthread.h>

#include "analysis/diff_parts.h"
#include "analysis/statistics.h"
#include "analysis/statistics_several.h"
#include "analysis/statistics_two.h"
#include "base/alloc.h"
#include "base/error.h"
#include "io/cores.h"

/* One sample alone is never a finding, however unequal the recordings are. */
#define LEAST_SAMPLES 1.5

/* Fewer rows are not worth a thread. */
enum { WORTH_THREAD = 4096 };

void fst_diff_tests_release(struct fst_diff_tests *tests)
{
    fst_free(tests->p);
    fst_free(tests->q);
    fst_free(tests->half);
}

/* Samples of a row in all recordings. */
static double samples_of(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    double sum = 0;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        sum +=
            fst_count_to_double(fst_diff_count(diff, on, r, row)) * diff->recordings[r].per_count;
    }
    return sum;
}

/* --- one recording a side --------------------------------------------------------------------- */

/* Independent samples of a side, all recordings together. */
static double samples_assumed(const struct fst_diff_work *diff, bool after)
{
    double n = 0;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        n += diff->recordings[r].after == after ? diff->recordings[r].n : 0;
    }
    return n;
}

static struct fst_events events_of(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                                   bool after)
{
    struct fst_events events = {0};
    for (size_t r = 0; r < diff->nrecordings; r++) {
        const struct fst_diff_recording *recording = &diff->recordings[r];
        if (recording->after == after) {
            events.count += fst_diff_value(diff, on, r, row) * recording->exposure;
            events.exposure += recording->exposure;
        }
    }
    return events;
}

/* What two sides are said to have of a row, one way or the other. */
struct pair {
    struct fst_proportion shares[2];
    struct fst_events events[2];
};

static double test_pair(const struct fst_diff_work *diff, const struct pair *pair,
                        struct fst_exact *exact)
{
    return diff->base.basis == FST_BASIS_SHARE
               ? fst_two_proportions(pair->shares[0], pair->shares[1], exact)
               : fst_two_rates(pair->events[0], pair->events[1], exact);
}

/* A row as if each side were one recording. */
static struct pair pool(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    struct pair pair;
    for (int after = 0; after < 2; after++) {
        pair.shares[after] = (struct fst_proportion){fst_diff_part_of(diff, on, row, after).value,
                                                     samples_assumed(diff, after)};
        pair.events[after] = events_of(diff, on, row, after);
    }
    return pair;
}

struct fst_interval fst_diff_pooled_interval(const struct fst_diff_work *diff, enum fst_on on,
                                             size_t row)
{
    struct pair pair = pool(diff, on, row);
    return diff->base.basis == FST_BASIS_SHARE
               ? fst_newcombe(pair.shares[0], pair.shares[1])
               : fst_rate_difference(pair.events[0], pair.events[1]);
}

/* Rows by how many samples they have, so that those come together which share a distribution. */
struct queue {
    uint32_t starts[FST_EXACT_BELOW + 3]; /* by key; behind them the end */
    uint32_t *rows;
    uint16_t *keys; /* by row */
};

/* Keys: 0 of a single sample, ABSENT of a row that neither side has, MANY where nothing is exact. */
enum { MANY = FST_EXACT_BELOW, ABSENT };

static uint16_t key_of(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    double samples = samples_of(diff, on, row);
    if (!fst_diff_is_there(diff, on, row)) {
        return ABSENT;
    }
    return samples < LEAST_SAMPLES ? 0 : samples < MANY ? (uint16_t)samples : MANY;
}

/* The values of both recordings go where p and q will be: rows of profiles are far apart, and looked at
 * once. */
static bool fill_queue(struct queue *queue, struct fst_diff_work *diff, enum fst_on on)
{
    size_t nrows = diff->joined.nrows;
    queue->rows = fst_alloc((nrows + 1) * sizeof *queue->rows);
    queue->keys = fst_alloc((nrows + 1) * sizeof *queue->keys);
    if (queue->rows == NULL || queue->keys == NULL) {
        return false;
    }
    uint32_t *ends = queue->starts + 1; /* where those of a key end the next ones start */
    for (size_t i = 0; i < nrows; i++) {
        queue->keys[i] = key_of(diff, on, i);
        ends[queue->keys[i]]++;
        diff->tests[on].p[i] = fst_diff_value(diff, on, 0, i);
        diff->tests[on].q[i] = fst_diff_value(diff, on, 1, i);
    }
    for (size_t key = 0; key < ABSENT; key++) {
        ends[key + 1] += ends[key];
    }
    for (size_t i = nrows; i-- > 0;) {
        queue->rows[--ends[queue->keys[i]]] = (uint32_t)i;
    }
    memmove(queue->starts, ends, (ABSENT + 1) * sizeof *ends); /* they have become starts */
    queue->starts[ABSENT + 1] = (uint32_t)nrows;
    return true;
}

/* Tests the rows in the order of the queue. */
static void test_queue(const struct queue *queue, struct fst_diff_work *diff, enum fst_on on)
{
    struct fst_diff_tests *tests = &diff->tests[on];
    struct fst_exact exact = {0};
    const struct fst_diff_recording *sides = diff->recordings;
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        uint32_t row = queue->rows[i];
        double before = tests->p[row];
        double after = tests->q[row];
        struct pair pair = {
            .shares = {{before, sides[0].n}, {after, sides[1].n}},
            .events = {{before * sides[0].exposure, sides[0].exposure},
                       {after * sides[1].exposure, sides[1].exposure}},
        };
        double p = i < queue->starts[ABSENT] ? test_pair(diff, &pair, &exact) : NAN;
        tests->p[row] = i < queue->starts[1] && !isnan(p) ? 1 : p;
    }
}

static enum fst_status compare_two(struct fst_diff_work *diff, enum fst_on on,
                                   struct fst_error *err)
{
    struct queue queue = {{0}, NULL, NULL};
    bool good = fill_queue(&queue, diff, on);
    if (good) {
        test_queue(&queue, diff, on);
    }
    fst_free(queue.rows);
    fst_free(queue.keys);
    return good ? FST_OK : fst_error_nomem(err);
}

/* --- several recordings a side ---------------------------------------------------------------- */

/* What struct fst_several borrows. */
struct several {
    struct fst_several base;
    double *values;
    double *noise;
    double *weights;
    double *events;
    bool *family;
    struct fst_difference *differences;
};

static void release(struct several *s)
{
    fst_free(s->values);
    fst_free(s->noise);
    fst_free(s->weights);
    fst_free(s->events);
    fst_free(s->family);
    fst_free(s->differences);
}

static bool reserve(struct several *s, size_t nrows, size_t nrecordings)
{
    *s = (struct several){0};
    s->values = fst_alloc_zeroed(nrows * nrecordings + 1, sizeof *s->values);
    s->noise = fst_alloc_zeroed(nrows + 1, sizeof *s->noise);
    s->weights = fst_alloc_zeroed(nrecordings, sizeof *s->weights);
    s->events = fst_alloc_zeroed(nrows + 1, sizeof *s->events);
    s->family = fst_alloc_zeroed(nrows + 1, sizeof *s->family);
    s->differences = fst_alloc_zeroed(nrows + 1, sizeof *s->differences);
    return s->values != NULL && s->noise != NULL && s->weights != NULL && s->events != NULL &&
           s->family != NULL && s->differences != NULL;
}

static void fill_row(struct several *s, const struct fst_diff_work *diff, enum fst_on on,
                     size_t row, double weight)
{
    double sum = 0;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        double value = fst_diff_value(diff, on, r, row);
        s->values[r * diff->joined.nrows + row] = value;
        sum += value;
    }
    double mean = sum / (double)diff->nrecordings;
    s->noise[row] = diff->base.basis == FST_BASIS_SHARE ? mean * (1 - mean) : mean;
    s->events[row] = mean / weight;
    s->family[row] = fst_diff_is_there(diff, on, row);
}

static void fill(struct several *s, const struct fst_diff_work *diff, enum fst_on on)
{
    double weight = 0;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        const struct fst_diff_recording *recording = &diff->recordings[r];
        bool share = diff->base.basis == FST_BASIS_SHARE;
        s->weights[r] = 1 / (share ? recording->n : recording->exposure);
        weight += s->weights[r] / (double)diff->nrecordings;
    }
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        fill_row(s, diff, on, i, weight);
    }
    s->base = (struct fst_several){
        .nrows = diff->joined.nrows,
        .nbefore = diff->base.before.nrecordings,
        .nafter = diff->base.after.nrecordings,
        .values = s->values,
        .noise = s->noise,
        .weights = s->weights,
        .events = s->events,
        .family = s->family,
    };
}

/* The quantile of the rows' degrees of freedom, which nearly all of them have in common. */
struct quantile {
    double df; /* 0: none yet */
    double t95;
};

static double half_width(const struct fst_difference *d, struct quantile *quantile)
{
    if (d->df != quantile->df) {
        *quantile = (struct quantile){d->df, fst_student_t95(d->df)};
    }
    return quantile->t95 * d->error;
}

/* Takes what was found of a row. */
static void take_difference(struct fst_diff_tests *tests, size_t row,
                            const struct fst_difference *d, struct quantile *quantile)
{
    tests->half[row] = half_width(d, quantile);
    tests->p[row] = d->p;
    tests->q[row] = d->q;
}

static void spare_single_samples(struct fst_diff_work *diff, enum fst_on on)
{
    struct fst_diff_tests *tests = &diff->tests[on];
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        if (!isnan(tests->p[i]) && samples_of(diff, on, i) < LEAST_SAMPLES) {
            tests->p[i] = 1;
            tests->q[i] = isnan(tests->q[i]) ? NAN : 1;
        }
    }
}

static enum fst_status compare_several(struct fst_diff_work *diff, enum fst_on on,
                                       struct fst_error *err)
{
    struct several s;
    struct fst_diff_tests *tests = &diff->tests[on];
    struct fst_exact exact = {0};
    bool permuted = diff->base.test == FST_TEST_PERMUTATION;
    if (!reserve(&s, diff->joined.nrows, diff->nrecordings)) {
        release(&s);
        return fst_error_nomem(err);
    }
    fill(&s, diff, on);
    struct quantile quantile = {0};
    enum fst_status status = permuted ? fst_several_by_permutation(&s.base, s.differences, err)
                                      : fst_several_by_dispersion(&s.base, s.differences, err);
    for (size_t i = 0; status == FST_OK && i < diff->joined.nrows; i++) {
        take_difference(tests, i, &s.differences[i], &quantile);
        if (!permuted && s.family[i]) {
            /* Spread between recordings cannot make a difference surer than their counts do. */
            struct pair pair = pool(diff, on, i);
            tests->p[i] = fmax(tests->p[i], test_pair(diff, &pair, &exact));
        }
    }
    if (status == FST_OK) {
        spare_single_samples(diff, on);
    }
    release(&s);
    return status;
}

/* --- all rows --------------------------------------------------------------------------------- */

static enum fst_status adjust(struct fst_diff_work *diff, enum fst_on on, struct fst_error *err)
{
    struct fst_diff_tests *tests = &diff->tests[on];
    size_t nrows = diff->joined.nrows;
    struct fst_ranked *ranked = fst_alloc_zeroed(2 * nrows + 1, sizeof *ranked);
    if (ranked == NULL) {
        return fst_error_nomem(err);
    }
    size_t count = 0;
    for (size_t i = 0; i < nrows; i++) {
        tests->q[i] = NAN;
        if (!isnan(tests->p[i])) {
            ranked[count++] = (struct fst_ranked){tests->p[i], i};
        }
    }
    fst_benjamini_hochberg(ranked, count, tests->q);
    fst_free(ranked);
    return FST_OK;
}

static bool reserve_tests(struct fst_diff_tests *tests, size_t nrows, bool several)
{
    tests->p = fst_alloc(nrows * sizeof *tests->p + 1);
    tests->q = fst_alloc(nrows * sizeof *tests->q + 1);
    tests->half = several ? fst_alloc(nrows * sizeof *tests->half + 1) : NULL;
    for (size_t i = 0; tests->q != NULL && i < nrows; i++) {
        tests->q[i] = NAN;
    }
    return tests->p != NULL && tests->q != NULL && (tests->half != NULL || !several);
}

static enum fst_status compare(struct fst_diff_work *diff, enum fst_on on, struct fst_error *err)
{
    enum fst_diff_test test = diff->base.test;
    bool several = test != FST_TEST_PROPORTIONS && test != FST_TEST_RATES;
    if (test == FST_TEST_NONE) {
        return FST_OK;
    }
    if (!reserve_tests(&diff->tests[on], diff->joined.nrows, several)) {
        return fst_error_nomem(err);
    }
    enum fst_status status = several ? compare_several(diff, on, err) : compare_two(diff, on, err);
    bool adjusted = test == FST_TEST_PERMUTATION;
    return status == FST_OK && !adjusted ? adjust(diff, on, err) : status;
}

/* What a thread of its own tests. */
struct errand {
    struct fst_diff_work *diff;
    enum fst_status status;
    struct fst_error err;
};

static void *compare_totals(void *ctx)
{
    struct errand *errand = ctx;
    errand->status = compare(errand->diff, FST_ON_TOTAL, &errand->err);
    return NULL;
}

static bool is_worth_thread(const struct fst_diff_work *diff)
{
    unsigned jobs = diff->options.jobs > 0 ? diff->options.jobs : fst_cores_by_default();
    return jobs > 1 && diff->joined.nrows >= WORTH_THREAD;
}

enum fst_status fst_diff_test(struct fst_diff_work *diff, struct fst_error *err)
{
    struct errand errand = {.diff = diff};
    pthread_t thread;
    bool beside =
        is_worth_thread(diff) && pthread_create(&thread, NULL, compare_totals, &errand) == 0;
    enum fst_status status = compare(diff, FST_ON_SELF, err);
    if (beside) {
        (void)pthread_join(thread, NULL);
    } else if (status == FST_OK) {
        (void)compare_totals(&errand);
    }
    if (status == FST_OK && errand.status != FST_OK && err != NULL) {
        *err = errand.err;
    }
    return status == FST_OK ? errand.status : status;
}
