#include "analysis/spread.h"

#include <math.h>

#include "analysis/statistics_several.h"
#include "base/alloc.h"
#include "base/count.h"
#include "model/selection.h"

/* What all rows have in common. */
struct inputs {
    const struct fst_partial *partial;
    fst_i128 count;
    double samples; /* of an input, on average; NaN where counts are no samples */
    double tests;   /* how many shares are looked at */
};

/* --- moments ----------------------------------------------------------------------------------- */

static double to_share(fst_i128 billionths)
{
    return (double)billionths / (double)FST_PARTIAL_WHOLE;
}

/* The standard deviation of n whole numbers, by their sums: exact up to the last step. */
static double deviation(fst_i128 n, fst_i128 sum, fst_i128 squares)
{
    if (n < 2) {
        return NAN;
    }
    double variance = (double)(n * squares - sum * sum) / (double)n / (double)(n - 1);
    return sqrt(variance) / (double)FST_PARTIAL_WHOLE;
}

/* How much a share would differ by chance alone between inputs of the average size. */
static double noise(const struct inputs *inputs, double share)
{
    return sqrt(share * (1 - share) / inputs->samples);
}

/* An input against all others (F. E. Grubbs, Annals of Mathematical Statistics 21, 1950, pp. 27-58, as
 * Student's t of the one that was left out), among all that were looked at (Bonferroni). */
static bool is_far(const struct inputs *inputs, const struct fst_spread_input *input, double mean)
{
    double n = (double)inputs->count;
    double least = noise(inputs, mean);
    double sd = isnan(least) ? input->sd : fmax(input->sd, least);
    double t = (input->share - input->mean) / (sd * sqrt(n / (n - 1)));
    return inputs->count > 2 && fst_student_p(t, n - 2) * inputs->tests < 0.05;
}

static struct fst_spread_input describe(const struct inputs *inputs,
                                        const struct fst_moments *moments,
                                        const struct fst_extreme *end, double mean)
{
    fst_i128 others = inputs->count - 1;
    fst_i128 sum = moments->sum - end->share;
    struct fst_spread_input input = {
        .name = fst_symtab_name(&inputs->partial->names, end->input),
        .share = to_share(end->share),
        .mean = others > 0 ? to_share(sum) / (double)others : NAN,
        .sd = deviation(others, sum, moments->squares - end->share * end->share),
    };
    input.stands_out = is_far(inputs, &input, mean);
    return input;
}

static struct fst_spread spread_of(const struct inputs *inputs, const struct fst_moments *moments)
{
    bool everywhere = (fst_i128)moments->inputs == inputs->count;
    struct fst_spread spread = {
        .inputs = moments->inputs,
        .mean = to_share(moments->sum) / (double)inputs->count,
        .sd = deviation(inputs->count, moments->sum, moments->squares),
        .least = everywhere ? to_share(moments->least[0].share) : 0,
        .most = to_share(moments->most[0].share),
    };
    for (size_t i = 0; i < FST_SPREAD_ENDS && i < moments->inputs; i++) {
        spread.high[i] = describe(inputs, moments, &moments->most[i], spread.mean);
        spread.low[i] = describe(inputs, moments, &moments->least[i], spread.mean);
    }
    return spread;
}

/* --- rows -------------------------------------------------------------------------------------- */

static bool all_are_partial(const struct fst_profile *p)
{
    bool all = true;
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        all = all &&
              (input->status != FST_OK || input->stack_lines == 0 || input->partial_inputs > 0);
    }
    return all;
}

/* Why there are no spreads; NULL: there are. */
static const char *reason_against(const struct fst_profile *p)
{
    const struct fst_selection *selection = p->options.selection;
    if (p->partial->compared == 0) {
        return "no input of the partial sum has shares, which are of a total above 0 without "
               "counts "
               "below 0";
    }
    if (!all_are_partial(p)) {
        return "some inputs are partial sums and some are not: foldstat merge --partial of all of "
               "them shows how they differ";
    }
    if (p->options.by != FST_BY_FRAME || p->options.nested ||
        (selection != NULL && selection->rules.len > 0)) {
        return "how the inputs of a partial sum differ is known of frames as they are written: "
               "without --by, filters and rules for names it is shown";
    }
    return NULL;
}

static const struct fst_spread *add_spread(const struct inputs *inputs, struct fst_str name,
                                           enum fst_moments_kind kind, struct fst_spread *place)
{
    const struct fst_moments *moments = fst_partial_find(inputs->partial, name, kind);
    if (moments == NULL) {
        return NULL;
    }
    *place = spread_of(inputs, moments);
    return place;
}

bool fst_spread_attach(struct fst_top *top, const struct fst_profile *profile,
                       struct fst_notes *notes, struct fst_spread **owned)
{
    const struct fst_partial *partial = profile->partial;
    if (partial == NULL || partial->inputs == 0) {
        return true;
    }
    const char *reason = reason_against(profile);
    if (reason != NULL) {
        fst_notes_add(notes, (struct fst_str){reason, strlen(reason)});
        return true;
    }
    struct fst_top_table *table = &top->leaf;
    *owned = fst_alloc_zeroed(2 * table->count + 1, sizeof **owned);
    if (*owned == NULL) {
        return false;
    }
    double count = (double)partial->compared;
    const struct inputs inputs = {partial, partial->compared, top->scope.samples / count,
                                  count * (double)table->of};
    for (size_t i = 0; i < table->count; i++) {
        struct fst_top_row *row = &table->rows[i];
        row->self_spread = add_spread(&inputs, row->name, FST_MOMENTS_SELF, *owned + 2 * i);
        row->total_spread = add_spread(&inputs, row->name, FST_MOMENTS_TOTAL, *owned + 2 * i + 1);
    }
    top->inputs = partial->inputs;
    top->compared = partial->compared;
    top->bad_lines = partial->bad_lines;
    return true;
}
