/* The leaf and root tables. */
#include <math.h>

#include "analysis/kept.h"
#include "analysis/leader.h"
#include "analysis/notes.h"
#include "analysis/recording.h"
#include "analysis/rows.h"
#include "analysis/scope.h"
#include "analysis/spread.h"
#include "analysis/statistics.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/number.h"
#include "model/selection.h"

/* The public result, and what it owns. */
struct top {
    struct fst_top base;
    struct fst_notes notes;
    struct fst_leader leader;     /* its name lives here */
    struct fst_candidates leaves; /* names of folded rows live here */
    struct fst_candidates roots;
    struct fst_spread *spreads; /* of rows */
};

/* --- precision ------------------------------------------------------------------------------- */

static struct fst_precision precision_of(double samples, double ticks, double design_effect)
{
    double n = samples / design_effect;
    if (!isnan(samples) && !isnan(ticks)) {
        n = samples < ticks ? samples : ticks;
    }
    struct fst_precision precision = {
        .n = n, .half_width = fst_half_width(n), .wanted = 0.02, .wanted_n = NAN, .factor = NAN};
    if (!isnan(n)) {
        precision.factor = fst_samples_for(precision.wanted) / n;
        precision.wanted_n = precision.factor * samples;
    }
    return precision;
}

/* --- tables --------------------------------------------------------------------------------- */

static double share(fst_i128 part, fst_i128 whole)
{
    return whole == 0 ? NAN : fst_count_to_double(part) / fst_count_to_double(whole);
}

/* total_known: else the row is known by its self count alone. */
static struct fst_top_row make_row(const struct top *top, const struct fst_candidate *from,
                                   bool total_known)
{
    fst_i128 whole = fst_count_unpack(top->base.scope.whole);
    struct fst_top_row row = {
        .name = from->name,
        .self = fst_count_pack(from->self),
        .total = fst_count_pack(total_known ? from->total : 0),
        .total_known = total_known,
        .self_share = share(from->self, whole),
        .total_share = total_known ? share(from->total, whole) : NAN,
        .busy = NAN,
        .members = from->members > 1 ? from->members : 0,
        .within = from->within,
    };
    if (total_known) {
        row.busy = fst_count_to_double(from->total) /
                   fst_count_to_double(fst_count_unpack(top->base.divisor)) / top->base.ticks;
    }
    row.self_ci = fst_wilson(row.self_share, top->base.precision.n);
    row.total_ci = fst_wilson(row.total_share, top->base.precision.n);
    return row;
}

/* The share by which a row may be too small to be shown. */
static double sorted_share(const struct top *top, const struct fst_top_row *row, bool roots)
{
    return roots || top->base.sort == FST_SORT_TOTAL ? row->total_share : row->self_share;
}

/* Appends the first of some sorted candidates, at most so many (0: all), but none that is too
 * small. */
static size_t take_rows(const struct top *top, const struct fst_candidate *from, size_t count,
                        size_t most, bool roots, struct fst_top_table *out)
{
    size_t taken = 0;
    for (size_t i = 0; i < count && (most == 0 || taken < most); i++) {
        struct fst_top_row row = make_row(top, &from[i], roots || !top->base.no_totals);
        if (!(fabs(sorted_share(top, &row, roots)) < top->base.least_share)) {
            out->rows[out->count++] = row;
            taken++;
        }
    }
    return taken;
}

/* Where the rows within a row begin among the candidates; *count gets their number. */
static size_t find_within(const struct fst_candidates *candidates, size_t outers,
                          struct fst_str outer, size_t *count)
{
    size_t low = outers;
    size_t high = candidates->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fst_str_cmp(candidates->items[middle].outer, outer) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < candidates->count && fst_str_eq(candidates->items[end].outer, outer)) {
        end++;
    }
    *count = end - low;
    return low;
}

/* Takes rows, and behind each the rows within it. */
static void take_nested(const struct top *top, const struct fst_candidates *candidates,
                        size_t outers, const struct fst_top_options *options,
                        struct fst_top_table *out)
{
    for (size_t i = 0; i < outers && (options->leaf_rows == 0 || out->shown < options->leaf_rows);
         i++) {
        size_t place = out->count;
        if (take_rows(top, &candidates->items[i], 1, 1, false, out) == 0) {
            continue;
        }
        size_t count;
        size_t first = find_within(candidates, outers, candidates->items[i].name, &count);
        out->rows[place].of = count;
        out->shown++;
        (void)take_rows(top, candidates->items + first, count, options->inner_rows, false, out);
    }
}

/* Sorts the candidates and keeps as many rows as are asked for. */
static enum fst_status fill_table(const struct top *top, struct fst_candidates *candidates,
                                  const struct fst_top_options *options, bool roots,
                                  struct fst_top_table *out, struct fst_error *err)
{
    size_t outers = fst_candidates_sort(candidates);
    out->of = candidates->selective ? candidates->of : outers;
    out->rows = fst_alloc_zeroed(candidates->count + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return fst_error_nomem(err);
    }
    if (!roots && top->base.nested) {
        take_nested(top, candidates, outers, options, out);
    } else {
        size_t most = roots ? options->root_rows : options->leaf_rows;
        out->shown = take_rows(top, candidates->items, outers, most, roots, out);
    }
    fst_i128 covered = 0;
    for (size_t i = 0; i < out->count; i++) {
        const struct fst_top_row *row = &out->rows[i];
        covered += row->within ? 0 : fst_count_unpack(roots ? row->total : row->self);
    }
    out->covered = fst_count_pack(covered);
    bool parts = roots || top->base.sort != FST_SORT_TOTAL; /* totals overlap */
    out->covered_share = parts ? share(covered, fst_count_unpack(top->base.scope.whole)) : NAN;
    return FST_OK;
}

static enum fst_status make_tables(struct top *top, const struct fst_profile *p,
                                   const struct fst_top_options *options, struct fst_error *err)
{
    enum fst_status status = fst_candidates_of_leaves(&top->leaves, p, NULL, options, err);
    if (status == FST_OK) {
        status = fill_table(top, &top->leaves, options, false, &top->base.leaf, err);
    }
    if (status == FST_OK) {
        status = fst_candidates_of_roots(&top->roots, p, options, err);
    }
    return status == FST_OK ? fill_table(top, &top->roots, options, true, &top->base.roots, err)
                            : status;
}

/* --- the leading function ------------------------------------------------------------------- */

/* Finds the function that leads, where it is not simply the first row. */
static bool find_leader(struct top *top, const struct fst_profile *p)
{
    if (!fst_leader_find(p, &top->leader)) {
        return false;
    }
    if (top->leader.name.len > 0) {
        top->base.leader = fst_buf_str(&top->leader.name);
        top->base.leader_share = share(top->leader.self, fst_count_unpack(top->base.scope.whole));
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------------------ */

static enum fst_status fill(struct top *top, const struct fst_profile *p,
                            const struct fst_top_options *options, struct fst_error *err)
{
    struct fst_top *out = &top->base;
    if (!fst_scope_fill(&out->scope, p, options->percent_of)) {
        return fst_error_nomem(err);
    }
    out->divisor =
        fst_count_pack(out->scope.counting == FST_COUNTING_PERIODS ? p->divisor : FST_COUNT_ONE);
    out->by = p->options.by;
    out->nested = p->options.nested;
    out->inner = p->options.inner;
    out->least_share = options->least_share;
    out->root = p->options.root;
    out->root_index = p->options.root_index;
    out->no_totals = p->options.no_totals;
    out->sort = options->sort;
    double ticks = options->ticks > 0 ? options->ticks : fst_recording_ticks(p);
    /* What are no samples makes no threads. */
    out->ticks =
        p->unit == FST_UNIT_SAMPLES && out->scope.counting != FST_COUNTING_NONE ? ticks : NAN;
    out->design_effect = options->design_effect > 0 ? options->design_effect : 1;
    out->scope.samples = fst_recording_samples(p, out->scope.counting, p->total);
    out->precision = precision_of(
        fst_recording_samples(p, out->scope.counting, fst_count_unpack(out->scope.whole)),
        out->ticks, out->design_effect);
    out->leader = (struct fst_str){"", 0};
    out->leader_share = NAN;
    enum fst_status status = make_tables(top, p, options, err);
    bool leads = fst_count_unpack(out->scope.whole) != 0 && out->by == FST_BY_FRAME && !out->nested;
    if (status == FST_OK && leads && !find_leader(top, p)) {
        status = fst_error_nomem(err);
    }
    fst_notes_on_profile(&top->notes, p);
    if (options->design_effect > 0 && !isnan(out->ticks)) {
        fst_notes_add(&top->notes, FST_STR("the ticks are known, so that --design-effect is not "
                                           "used"));
    }
    if (out->scope.counting == FST_COUNTING_PERIODS) {
        fst_notes_on_periods(&top->notes, FST_STR(""), p->divisor, out->scope.samples);
    }
    if (status == FST_OK && !fst_spread_attach(out, p, &top->notes, &top->spreads)) {
        status = fst_error_nomem(err);
    }
    out->notes = top->notes.items;
    out->nnotes = top->notes.count;
    return status == FST_OK && top->notes.failed ? fst_error_nomem(err) : status;
}

enum fst_status fst_top_new(const struct fst_profile *profile,
                            const struct fst_top_options *options, struct fst_top **out,
                            struct fst_error *err)
{
    enum fst_status status = fst_check_kept(&profile, 1, err);
    if (status != FST_OK) {
        return status;
    }
    if (profile->options.no_totals && options->sort == FST_SORT_TOTAL) {
        return fst_error_set(err, FST_ERR_USAGE, "totals were not counted: nothing to sort by");
    }
    struct top *top = fst_alloc_zeroed(1, sizeof *top);
    if (top == NULL) {
        return fst_error_nomem(err);
    }
    status = fill(top, profile, options, err);
    if (status != FST_OK) {
        fst_top_free(&top->base);
        return status;
    }
    *out = &top->base;
    return FST_OK;
}

void fst_top_free(struct fst_top *top)
{
    if (top != NULL) {
        struct top *whole = (struct top *)top;
        fst_notes_release(&whole->notes);
        fst_leader_release(&whole->leader);
        fst_candidates_release(&whole->leaves);
        fst_candidates_release(&whole->roots);
        fst_free(whole->spreads);
        fst_free(top->leaf.rows);
        fst_free(top->roots.rows);
        fst_free(whole);
    }
}
