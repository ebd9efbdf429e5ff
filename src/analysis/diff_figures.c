/* Figures of rows: values in the unit of the basis, differences, intervals, tests. */
#include <math.h>

#include "analysis/diff_parts.h"
#include "analysis/statistics.h"
#include "analysis/statistics_several.h"
#include "analysis/statistics_two.h"
#include "base/alloc.h"
#include "base/error.h"

/* --- sums and values -------------------------------------------------------------------------- */

/* A row's counts in one recording. */
static fst_i128 count_of(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                         size_t row)
{
    const struct fst_joined *joined = &diff->joined;
    const fst_i128 *counts = on == FST_ON_SELF ? joined->self : joined->total;
    return counts[recording * joined->nrows + row];
}

static double value_of(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                       size_t row)
{
    return fst_count_to_double(count_of(diff, on, recording, row)) *
           diff->recordings[recording].value;
}

static double share_of(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                       size_t row)
{
    fst_i128 whole = diff->recordings[recording].whole;
    double count = fst_count_to_double(count_of(diff, on, recording, row));
    return whole == 0 ? NAN : count / fst_count_to_double(whole);
}

static size_t side_size(const struct fst_diff_work *diff, bool after)
{
    return after ? diff->base.after.nrecordings : diff->base.before.nrecordings;
}

/* What one side has of a row. */
struct part {
    fst_i128 count;
    double share;
    double value;
};

static struct part part_of(const struct fst_diff_work *diff, enum fst_on on, size_t row, bool after)
{
    struct part part = {0};
    size_t first = after ? diff->base.before.nrecordings : 0;
    size_t size = side_size(diff, after);
    for (size_t r = first; r < first + size; r++) {
        part.count += count_of(diff, on, r, row);
        part.share += share_of(diff, on, r, row) / (double)size;
        part.value += value_of(diff, on, r, row) / (double)size;
    }
    return part;
}

static struct fst_change make_change(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    struct part before = part_of(diff, on, row, false);
    struct part after = part_of(diff, on, row, true);
    bool both = before.count != 0 && after.count != 0;
    return (struct fst_change){
        .before = fst_count_pack(before.count),
        .after = fst_count_pack(after.count),
        .before_share = before.share,
        .after_share = after.share,
        .before_value = before.value,
        .after_value = after.value,
        .delta = after.value - before.value,
        .delta_ci = {NAN, NAN},
        .ratio = both ? after.value / before.value : NAN,
        .p = NAN,
        .q = NAN,
    };
}

/* Samples of a row in all recordings. */
static double samples_of(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    double sum = 0;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        sum += fst_count_to_double(count_of(diff, on, r, row)) * diff->recordings[r].per_count;
    }
    return sum;
}

static struct fst_change *change_of(struct fst_diff_row *row, enum fst_on on)
{
    return on == FST_ON_SELF ? &row->self : &row->total;
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
            events.count += value_of(diff, on, r, row) * recording->exposure;
            events.exposure += recording->exposure;
        }
    }
    return events;
}

/* As if each side were one recording. */
static double pooled_p(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                       const struct fst_change *change)
{
    if (diff->base.basis == FST_BASIS_SHARE) {
        return fst_two_proportions(
            (struct fst_proportion){change->before_value, samples_assumed(diff, false)},
            (struct fst_proportion){change->after_value, samples_assumed(diff, true)});
    }
    return fst_two_rates(events_of(diff, on, row, false), events_of(diff, on, row, true));
}

static struct fst_interval pooled_interval(const struct fst_diff_work *diff, enum fst_on on,
                                           size_t row, const struct fst_change *change)
{
    if (diff->base.basis == FST_BASIS_SHARE) {
        return fst_newcombe(
            (struct fst_proportion){change->before_value, samples_assumed(diff, false)},
            (struct fst_proportion){change->after_value, samples_assumed(diff, true)});
    }
    return fst_rate_difference(events_of(diff, on, row, false), events_of(diff, on, row, true));
}

/* Most rows have few samples, so that few pairs of counts are most rows: their p-values are kept. */
enum { SMALL = 64 };

struct memo {
    double p[SMALL][SMALL]; /* by counts before and after; below 0: not known yet */
};

/* A small whole count; SMALL for others. */
static size_t small_count(struct fst_count count)
{
    fst_i128 scaled = fst_count_unpack(count);
    bool small = scaled >= 0 && scaled < SMALL * FST_COUNT_ONE && fst_count_is_whole(scaled);
    return small ? (size_t)(scaled / FST_COUNT_ONE) : SMALL;
}

static double remembered_p(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                           const struct fst_change *change, struct memo *memo)
{
    size_t before = small_count(change->before);
    size_t after = small_count(change->after);
    if (before == SMALL || after == SMALL) {
        return pooled_p(diff, on, row, change);
    }
    double *p = &memo->p[before][after];
    *p = *p < 0 ? pooled_p(diff, on, row, change) : *p;
    return *p;
}

static enum fst_status compare_two(struct fst_diff_work *diff, enum fst_on on,
                                   struct fst_error *err)
{
    struct memo *memo = fst_alloc(sizeof *memo);
    if (memo == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < SMALL; i++) {
        for (size_t k = 0; k < SMALL; k++) {
            memo->p[i][k] = -1;
        }
    }
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        struct fst_change *change = change_of(&diff->rows[i], on);
        if (fst_change_is_there(change)) {
            change->p = remembered_p(diff, on, i, change, memo);
            change->delta_ci = pooled_interval(diff, on, i, change);
        }
    }
    fst_free(memo);
    return FST_OK;
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
        double value = value_of(diff, on, r, row);
        s->values[r * diff->joined.nrows + row] = value;
        sum += value;
    }
    double mean = sum / (double)diff->nrecordings;
    s->noise[row] = diff->base.basis == FST_BASIS_SHARE ? mean * (1 - mean) : mean;
    s->events[row] = mean / weight;
    s->family[row] = fst_change_is_there(change_of(&diff->rows[row], on));
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

static void take_difference(struct fst_change *change, const struct fst_difference *d,
                            struct quantile *quantile)
{
    if (d->df != quantile->df) {
        *quantile = (struct quantile){d->df, fst_student_t95(d->df)};
    }
    double half = quantile->t95 * d->error;
    change->delta_ci = (struct fst_interval){change->delta - half, change->delta + half};
    change->p = d->p;
    change->q = d->q;
}

static enum fst_status compare_several(struct fst_diff_work *diff, enum fst_on on,
                                       struct fst_error *err)
{
    struct several s;
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
        struct fst_change *change = change_of(&diff->rows[i], on);
        take_difference(change, &s.differences[i], &quantile);
        if (!permuted && s.family[i]) {
            /* Spread between recordings cannot make a difference surer than their counts do. */
            change->p = fmax(change->p, pooled_p(diff, on, i, change));
        }
    }
    release(&s);
    return status;
}

/* --- all rows --------------------------------------------------------------------------------- */

/* One sample alone is never a finding, however unequal the recordings are. */
static void spare_single_samples(struct fst_diff_work *diff, enum fst_on on)
{
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        struct fst_change *change = change_of(&diff->rows[i], on);
        if (!isnan(change->p) && samples_of(diff, on, i) < 1.5) {
            change->p = 1;
            change->q = isnan(change->q) ? NAN : 1;
        }
    }
}

static enum fst_status adjust(struct fst_diff_work *diff, enum fst_on on, struct fst_error *err)
{
    size_t nrows = diff->joined.nrows;
    struct fst_ranked *ranked = fst_alloc_zeroed(nrows + 1, sizeof *ranked);
    double *q = fst_alloc_zeroed(nrows + 1, sizeof *q);
    if (ranked == NULL || q == NULL) {
        fst_free(ranked);
        fst_free(q);
        return fst_error_nomem(err);
    }
    size_t count = 0;
    for (size_t i = 0; i < nrows; i++) {
        double p = change_of(&diff->rows[i], on)->p;
        if (!isnan(p)) {
            ranked[count++] = (struct fst_ranked){p, i};
        }
    }
    fst_benjamini_hochberg(ranked, count, q);
    for (size_t i = 0; i < nrows; i++) {
        struct fst_change *change = change_of(&diff->rows[i], on);
        change->q = isnan(change->p) ? NAN : q[i];
    }
    fst_free(ranked);
    fst_free(q);
    return FST_OK;
}

static enum fst_status compare(struct fst_diff_work *diff, enum fst_on on, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    switch (diff->base.test) {
    case FST_TEST_NONE: return FST_OK;
    case FST_TEST_PROPORTIONS:
    case FST_TEST_RATES: status = compare_two(diff, on, err); break;
    default: status = compare_several(diff, on, err);
    }
    spare_single_samples(diff, on);
    bool adjusted = diff->base.test == FST_TEST_PERMUTATION;
    return status == FST_OK && !adjusted ? adjust(diff, on, err) : status;
}

static enum fst_presence presence_of(const struct fst_diff_row *row)
{
    bool before = fst_count_unpack(row->total.before) != 0;
    bool after = fst_count_unpack(row->total.after) != 0;
    return before == after ? FST_PRESENCE_BOTH : after ? FST_PRESENCE_NEW : FST_PRESENCE_GONE;
}

enum fst_status fst_diff_figure(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_joined *joined = &diff->joined;
    diff->rows = fst_alloc_zeroed(joined->nrows + 1, sizeof *diff->rows);
    if (diff->rows == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < joined->nrows; i++) {
        struct fst_diff_row *row = &diff->rows[i];
        uint64_t members = joined->members == NULL ? 0 : joined->members[i];
        row->name = fst_joined_name(joined, i);
        row->members = members > 1 ? members : 0;
        row->self = make_change(diff, FST_ON_SELF, i);
        row->total = make_change(diff, FST_ON_TOTAL, i);
        row->presence = presence_of(row);
    }
    enum fst_status status = compare(diff, FST_ON_SELF, err);
    return status == FST_OK ? compare(diff, FST_ON_TOTAL, err) : status;
}
