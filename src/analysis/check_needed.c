/* How much must be recorded for a row that could not be judged. Each is the least number at which the
 * interval or test that decides the row would decide it, if the shares stayed what they are. */
#include <math.h>

#include "analysis/check_parts.h"
#include "analysis/statistics.h"
#include "analysis/statistics_several.h"

/* Whether so many are enough; if so, more are too. */
typedef bool (*enough_fn)(const void *ctx, double n);

/* The least whole number above `from` that is enough; NaN: beyond what can be recorded. */
static double least(enough_fn enough, const void *ctx, double from, double most)
{
    double low = floor(from);
    double high = low + 1;
    while (!enough(ctx, high)) {
        low = high;
        high *= 2;
        if (high > most) {
            return NAN;
        }
    }
    while (high - low > 1) {
        double middle = floor(low + (high - low) / 2);
        if (enough(ctx, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

enum { RECORDINGS_MOST = 1000000 };
#define SAMPLES_MOST 1e12

/* As many samples as there are of that many independent ones. */
static double samples_of(const struct fst_diff_side *side, double n)
{
    return ceil(n * (side->samples / side->n));
}

static bool by_several(const struct fst_check_work *check)
{
    enum fst_diff_test test = check->base.diff->test;
    return test == FST_TEST_DISPERSION || test == FST_TEST_PERMUTATION;
}

/* Recordings at which an interval is so many times narrower: by the square root of their number. */
static double recordings_for(size_t recordings, double times)
{
    return ceil((double)recordings * times * times);
}

/* --- increases -------------------------------------------------------------------------------- */

struct increase {
    double before;
    double after;
    double half;
};

static bool shows_increase(const void *ctx, double n)
{
    const struct increase *i = ctx;
    struct fst_interval ci =
        fst_newcombe((struct fst_proportion){i->before, n}, (struct fst_proportion){i->after, n});
    return fst_half_of(ci) <= i->half;
}

void fst_need_for_increase(const struct fst_check_work *check, struct fst_check_row *row)
{
    const struct fst_diff_side *before = &check->base.diff->before;
    const struct fst_diff_side *after = &check->base.diff->after;
    if (by_several(check)) {
        size_t fewer =
            before->nrecordings < after->nrecordings ? before->nrecordings : after->nrecordings;
        row->recordings_needed = recordings_for(fewer, fst_half_of(row->ci) / row->budget);
        return;
    }
    const struct fst_change *change = fst_diff_change(row->row, row->on);
    const struct increase increase = {change->before_share, change->after_share, row->budget};
    const struct fst_diff_side *shorter = before->n < after->n ? before : after;
    double n = least(shows_increase, &increase, shorter->n, SAMPLES_MOST);
    row->samples_needed = samples_of(shorter, n);
}

/* --- limits of shares ------------------------------------------------------------------------- */

static double binomial_p(struct fst_proportion share, double limit)
{
    double k = share.p * share.n;
    return k > 0 ? fst_beta_cdf(limit, k, share.n - k + 1) : 1;
}

double fst_limit_p(const struct fst_limit *limit)
{
    double pooled = binomial_p(limit->pooled, limit->limit);
    double off = limit->share - limit->limit;
    if (isnan(limit->error) || limit->error == 0) {
        return pooled;
    }
    double p = fst_student_p(off / limit->error, limit->recordings - 1) / 2;
    return fmax(pooled, off > 0 ? p : 1 - p);
}

/* What a share beyond its limit must come down to. */
struct beyond {
    struct fst_limit limit;
    double level;
};

static bool shows_beyond(const void *ctx, double n)
{
    const struct beyond *beyond = ctx;
    struct fst_limit limit = beyond->limit;
    limit.pooled.n = n;
    return fst_limit_p(&limit) <= beyond->level;
}

static bool shows_beyond_by_several(const void *ctx, double recordings)
{
    const struct beyond *beyond = ctx;
    struct fst_limit limit = beyond->limit;
    limit.pooled.n *= recordings / limit.recordings;
    limit.error *= sqrt(limit.recordings / recordings);
    limit.recordings = recordings;
    return fst_limit_p(&limit) <= beyond->level;
}

static bool shows_within(const void *ctx, double n)
{
    const struct fst_limit *limit = ctx;
    return fst_half_of(fst_wilson(limit->share, n)) <= limit->limit;
}

void fst_need_for_limit(const struct fst_check_work *check, struct fst_check_row *row,
                        const struct fst_limit *limit, double level)
{
    const struct fst_diff_side *side = &check->base.diff->after;
    const struct beyond beyond = {*limit, level};
    bool is_beyond = row->value > row->budget;
    if (side->nrecordings > 1) {
        row->recordings_needed =
            is_beyond ? least(shows_beyond_by_several, &beyond, limit->recordings, RECORDINGS_MOST)
                      : recordings_for(side->nrecordings, fst_half_of(row->ci) / row->budget);
        return;
    }
    double n = is_beyond ? least(shows_beyond, &beyond, side->n, SAMPLES_MOST)
                         : least(shows_within, limit, side->n, SAMPLES_MOST);
    row->samples_needed = samples_of(side, n);
}
