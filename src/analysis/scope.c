#include "analysis/scope.h"

#include <math.h>

#include "analysis/fold.h"
#include "base/count.h"
#include "model/selection.h"

enum fst_counting fst_counting_of(const struct fst_profile *p)
{
    enum { LINES_AT_LEAST = 3, DIVISOR_AT_LEAST = 1000 };
    if (p->negatives > 0 || p->fractions > 0 || p->unit == FST_UNIT_BYTES || p->mixed_units) {
        return FST_COUNTING_NONE;
    }
    bool periods = p->counted >= LINES_AT_LEAST && p->divisor >= DIVISOR_AT_LEAST * FST_COUNT_ONE;
    if (periods) {
        return FST_COUNTING_PERIODS;
    }
    return p->unit == FST_UNIT_SAMPLES ? FST_COUNTING_SAMPLES : FST_COUNTING_NONE;
}

double fst_samples_of(const struct fst_profile *p, enum fst_counting counting, fst_i128 sum)
{
    if (counting == FST_COUNTING_NONE || sum <= 0) {
        return NAN;
    }
    double total = fst_count_to_double(sum);
    return counting == FST_COUNTING_PERIODS ? total / fst_count_to_double(p->divisor) : total;
}

double fst_scope_share(const struct fst_scope *scope, struct fst_count count)
{
    fst_i128 whole = fst_count_unpack(scope->whole);
    return whole == 0 ? NAN
                      : fst_count_to_double(fst_count_unpack(count)) / fst_count_to_double(whole);
}

bool fst_scope_fill(struct fst_scope *scope, const struct fst_profile *p,
                    enum fst_percent_of percent_of)
{
    const struct fst_selection *selection = p->options.selection;
    *scope = (struct fst_scope){
        .total = fst_count_pack(p->total),
        .stack_lines = p->samples,
        .offered = fst_count_pack(p->offered),
        .offered_lines = p->offered_samples,
        .unit = p->mixed_units ? FST_UNIT_COUNTS : p->unit,
        .counting = fst_counting_of(p),
        .percent_of = percent_of,
        .whole = fst_count_pack(percent_of == FST_OF_ALL ? p->offered : p->total),
    };
    scope->samples = fst_samples_of(p, scope->counting, p->total);
    if (selection != NULL) {
        scope->asked = selection->asked;
        scope->nasked = selection->nasked;
        scope->normalized = selection->normalize;
    }
    return fst_fold_count(p, &scope->foldable, &scope->foldable_of);
}
