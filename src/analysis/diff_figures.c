/* Figures of rows: values in the unit of the basis, differences, intervals. They are made of the rows
 * that are shown alone, and of none that is only sorted by. */
#include <math.h>

#include "analysis/diff_parts.h"
#include "analysis/statistics_two.h"

double fst_diff_value(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                      size_t row)
{
    return fst_count_to_double(fst_diff_count(diff, on, recording, row)) *
           diff->recordings[recording].value;
}

static double share_of(const struct fst_diff_work *diff, enum fst_on on, size_t recording,
                       size_t row)
{
    fst_i128 whole = diff->recordings[recording].whole;
    double count = fst_count_to_double(fst_diff_count(diff, on, recording, row));
    return whole == 0 ? NAN : count / fst_count_to_double(whole);
}

/* The recordings of a side are those from first up to end. */
struct side {
    size_t first;
    size_t end;
};

static struct side side_of(const struct fst_diff_work *diff, bool after)
{
    size_t before = diff->base.before.nrecordings;
    return after ? (struct side){before, diff->nrecordings} : (struct side){0, before};
}

bool fst_diff_has(const struct fst_diff_work *diff, enum fst_on on, size_t row, bool after)
{
    struct side side = side_of(diff, after);
    fst_i128 count = 0;
    for (size_t r = side.first; r < side.end; r++) {
        count += fst_diff_count(diff, on, r, row);
    }
    return count != 0;
}

struct fst_diff_part fst_diff_part_of(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                                      bool after)
{
    struct fst_diff_part part = {0};
    struct side side = side_of(diff, after);
    double size = (double)(side.end - side.first);
    for (size_t r = side.first; r < side.end; r++) {
        part.count += fst_diff_count(diff, on, r, row);
        part.share += share_of(diff, on, r, row) / size;
        part.value += fst_diff_value(diff, on, r, row) / size;
    }
    return part;
}

/* What is known of the interval around a difference. */
static struct fst_interval interval_of(const struct fst_diff_work *diff, enum fst_on on, size_t row,
                                       double delta)
{
    const struct fst_diff_tests *tests = &diff->tests[on];
    if (tests->half != NULL) {
        double half = tests->half[row];
        return (struct fst_interval){delta - half, delta + half};
    }
    return tests->p == NULL || isnan(tests->p[row]) ? (struct fst_interval){NAN, NAN}
                                                    : fst_diff_pooled_interval(diff, on, row);
}

static struct fst_change make_change(const struct fst_diff_work *diff, enum fst_on on, size_t row)
{
    const struct fst_diff_tests *tests = &diff->tests[on];
    struct fst_diff_part before = fst_diff_part_of(diff, on, row, false);
    struct fst_diff_part after = fst_diff_part_of(diff, on, row, true);
    bool both = before.count != 0 && after.count != 0;
    double delta = after.value - before.value;
    return (struct fst_change){
        .before = fst_count_pack(before.count),
        .after = fst_count_pack(after.count),
        .before_share = before.share,
        .after_share = after.share,
        .before_value = before.value,
        .after_value = after.value,
        .delta = delta,
        .delta_ci = interval_of(diff, on, row, delta),
        .ratio = both ? after.value / before.value : NAN,
        .p = tests->p == NULL ? NAN : tests->p[row],
        .q = tests->q == NULL ? NAN : tests->q[row],
    };
}

enum fst_presence fst_diff_presence(const struct fst_diff_work *diff, size_t row)
{
    bool before = fst_diff_has(diff, FST_ON_TOTAL, row, false);
    bool after = fst_diff_has(diff, FST_ON_TOTAL, row, true);
    return before == after ? FST_PRESENCE_BOTH : after ? FST_PRESENCE_NEW : FST_PRESENCE_GONE;
}

struct fst_diff_row fst_diff_row_of(const struct fst_diff_work *diff, size_t row)
{
    const struct fst_joined *joined = &diff->joined;
    uint64_t members = joined->members == NULL ? 0 : joined->members[row];
    struct fst_diff_row out = {
        .name = fst_diff_name(diff, row),
        .members = members > 1 ? members : 0,
        .presence = fst_diff_presence(diff, row),
        .self = make_change(diff, FST_ON_SELF, row),
        .total = make_change(diff, FST_ON_TOTAL, row),
    };
    out.significant = fst_is_finding(fst_diff_change(&out, diff->base.on)->q, diff->base.fdr);
    return out;
}
