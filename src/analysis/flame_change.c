#include <math.h>

#include "analysis/flame_parts.h"
#include "analysis/recording.h"
#include "analysis/statistics_two.h"
#include "base/alloc.h"
#include "base/error.h"

/* One recording: what a share of it is a share of, in independent samples. */
struct side {
    const struct fst_tree *tree;
    double whole; /* the total, as a number of counts */
    double n;     /* independent samples; NaN: counts are no samples */
};

static struct side side_of(const struct fst_tree *tree, const struct fst_profile *p,
                           double design_effect)
{
    double samples = tree->scope.samples;
    double ticks = fst_recording_ticks(p);
    double n = isnan(ticks) ? samples / design_effect : fmin(samples, ticks);
    return (struct side){tree, fst_count_value(tree->scope.total), n};
}

static struct fst_proportion proportion(const struct side *side, uint32_t node)
{
    double total = node == FST_NO_NODE ? 0 : fst_count_value(side->tree->nodes[node].total);
    return (struct fst_proportion){total / side->whole, side->n};
}

static enum fst_status test(const struct fst_boxes *boxes, const struct side *after,
                            const struct side *before, double *q, struct fst_error *err)
{
    struct fst_ranked *ranked = fst_alloc(2 * boxes->count * sizeof *ranked);
    if (ranked == NULL) {
        return fst_error_nomem(err);
    }
    size_t count = 0;
    struct fst_exact exact = {0};
    for (size_t i = 1; i < boxes->count; i++) { /* the root's share is 1 on both sides */
        const struct fst_box *box = &boxes->items[i];
        double p = fst_two_proportions(proportion(before, box->before),
                                       proportion(after, box->after), &exact);
        if (!isnan(p)) {
            ranked[count++] = (struct fst_ranked){p, i};
        }
    }
    fst_benjamini_hochberg(ranked, count, q);
    fst_free(ranked);
    return FST_OK;
}

enum fst_status fst_flame_test(const struct fst_boxes *boxes, const struct fst_profile *after,
                               const struct fst_profile *before, double design_effect, double *q,
                               bool *tested, struct fst_error *err)
{
    struct side sides[] = {side_of(boxes->after, after, design_effect),
                           side_of(boxes->before, before, design_effect)};
    for (size_t i = 0; i < boxes->count; i++) {
        q[i] = NAN;
    }
    *tested = sides[0].n > 0 && sides[1].n > 0;
    return *tested ? test(boxes, &sides[0], &sides[1], q, err) : FST_OK;
}
