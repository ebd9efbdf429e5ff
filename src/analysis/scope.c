#include "analysis/scope.h"

#include <math.h>

#include "analysis/fold.h"
#include "analysis/recording.h"
#include "base/count.h"
#include "model/selection.h"

double fst_scope_share(const struct fst_scope *scope, struct fst_count count)
{
    fst_i128 whole = fst_count_unpack(scope->whole);
    return whole == 0 ? NAN
                      : fst_count_to_double(fst_count_unpack(count)) / fst_count_to_double(whole);
}

void fst_scope_describe(struct fst_scope *scope, const struct fst_profile *p,
                        enum fst_percent_of percent_of)
{
    const struct fst_selection *selection = p->options.selection;
    *scope = (struct fst_scope){
        .total = fst_count_pack(p->total),
        .stack_lines = p->samples,
        .offered = fst_count_pack(p->offered),
        .offered_lines = p->offered_samples,
        .unit = p->mixed_units ? FST_UNIT_COUNTS : p->unit,
        .counting = fst_recording_counting(p),
        .percent_of = percent_of,
        .whole = fst_count_pack(percent_of == FST_OF_ALL ? p->offered : p->total),
    };
    scope->samples = fst_recording_samples(p, scope->counting, p->total);
    if (selection != NULL) {
        scope->asked = selection->asked;
        scope->nasked = selection->nasked;
        scope->normalized = selection->normalize;
    }
}

bool fst_scope_fill(struct fst_scope *scope, const struct fst_profile *p,
                    enum fst_percent_of percent_of)
{
    fst_scope_describe(scope, p, percent_of);
    return fst_fold_count(p, &scope->foldable, &scope->foldable_of);
}
