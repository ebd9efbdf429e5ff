/* The leaf and root tables. */
#include <math.h>
#include <stdlib.h>

#include "analysis/notes.h"
#include "analysis/recording.h"
#include "analysis/statistics.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/number.h"

/* The public result, and what it owns. */
struct top {
    struct fst_top base;
    struct fst_notes notes;
    struct fst_symtab functions; /* the leader's name lives here */
};

/* A row on its way into a table. */
struct candidate {
    struct fst_str name;
    fst_i128 self;
    fst_i128 total;
    fst_i128 key;   /* sorted by, descending */
    uint64_t order; /* then by, ascending */
};

/* --- order ---------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    return fst_str_cmp(a->name, b->name);
}

static fst_i128 key_of(enum fst_sort sort, fst_i128 self, fst_i128 total)
{
    switch (sort) {
    case FST_SORT_TOTAL: return total;
    case FST_SORT_NAME: return 0;
    default: return self;
    }
}

/* Names never tie. */
static bool by_occurrence(const struct fst_top_options *options)
{
    return options->ties == FST_TIES_FIRST && options->sort != FST_SORT_NAME;
}

/* --- what counts are ------------------------------------------------------------------------ */

static enum fst_counting counting_of(const struct fst_profile *p)
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

static double samples_of(const struct fst_profile *p, enum fst_counting counting)
{
    if (counting == FST_COUNTING_NONE || p->total <= 0) {
        return NAN;
    }
    double total = fst_count_to_double(p->total);
    return counting == FST_COUNTING_PERIODS ? total / fst_count_to_double(p->divisor) : total;
}

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
static struct fst_top_row make_row(const struct top *top, const struct candidate *from,
                                   bool total_known)
{
    fst_i128 whole = fst_count_unpack(top->base.whole);
    struct fst_top_row row = {
        .name = from->name,
        .self = fst_count_pack(from->self),
        .total = fst_count_pack(total_known ? from->total : 0),
        .total_known = total_known,
        .self_share = share(from->self, whole),
        .total_share = total_known ? share(from->total, whole) : NAN,
        .busy = NAN,
    };
    if (total_known) {
        row.busy = fst_count_to_double(from->total) /
                   fst_count_to_double(fst_count_unpack(top->base.divisor)) / top->base.ticks;
    }
    row.self_ci = fst_wilson(row.self_share, top->base.precision.n);
    row.total_ci = fst_wilson(row.total_share, top->base.precision.n);
    return row;
}

/* Sorts the candidates and keeps at most so many rows (0: all). roots: covered sums totals. */
static enum fst_status fill_table(const struct top *top, struct candidate *candidates, size_t count,
                                  size_t most, bool roots, struct fst_top_table *out,
                                  struct fst_error *err)
{
    if (count > 0) {
        qsort(candidates, count, sizeof *candidates, compare);
    }
    out->of = count;
    out->count = most > 0 && most < count ? most : count;
    out->rows = fst_alloc_zeroed(out->count + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return fst_error_nomem(err);
    }
    fst_i128 covered = 0;
    for (size_t i = 0; i < out->count; i++) {
        out->rows[i] = make_row(top, &candidates[i], roots || !top->base.no_totals);
        covered += roots ? candidates[i].total : candidates[i].self;
    }
    out->covered = fst_count_pack(covered);
    bool parts = roots || top->base.sort != FST_SORT_TOTAL; /* totals overlap */
    out->covered_share = parts ? share(covered, fst_count_unpack(top->base.whole)) : NAN;
    return FST_OK;
}

static enum fst_status leaf_table(struct top *top, const struct fst_profile *p,
                                  const struct fst_top_options *options, struct fst_error *err)
{
    struct candidate *candidates = fst_alloc_zeroed(p->nrows + 1, sizeof *candidates);
    if (candidates == NULL) {
        return fst_error_nomem(err);
    }
    size_t count = 0;
    for (size_t i = 0; i < p->nrows; i++) {
        const struct fst_row *row = &p->rows[i];
        bool leaf = row->first_self != FST_NEVER;
        if (leaf || options->sort == FST_SORT_TOTAL) {
            uint64_t first = options->sort == FST_SORT_TOTAL ? row->order : row->first_self;
            candidates[count++] = (struct candidate){
                .name = fst_profile_row_name(p, (uint32_t)i),
                .self = row->self,
                .total = row->total,
                .key = key_of(options->sort, row->self, row->total),
                .order = by_occurrence(options) ? first : 0,
            };
        }
    }
    enum fst_status status =
        fill_table(top, candidates, count, options->leaf_rows, false, &top->base.leaf, err);
    fst_free(candidates);
    return status;
}

static enum fst_status root_table(struct top *top, const struct fst_profile *p,
                                  const struct fst_top_options *options, struct fst_error *err)
{
    struct candidate *candidates = fst_alloc_zeroed(p->nroots + 1, sizeof *candidates);
    if (candidates == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < p->nroots; i++) {
        candidates[i] = (struct candidate){
            .name = fst_symtab_name(&p->root_names, (uint32_t)i),
            .total = p->roots[i].total,
            .key = key_of(options->sort, p->roots[i].total, p->roots[i].total),
            .order = by_occurrence(options) ? p->roots[i].first : 0,
        };
    }
    enum fst_status status =
        fill_table(top, candidates, p->nroots, options->root_rows, true, &top->base.roots, err);
    fst_free(candidates);
    return status;
}

/* --- the leading function ------------------------------------------------------------------- */

/* Sums the frames' self counts by function into sums, one element a function. */
static bool sum_by_function(struct top *top, const struct fst_profile *p, fst_i128 *sums,
                            struct fst_buf *scratch)
{
    for (size_t i = 0; i < p->nrows; i++) {
        if (p->rows[i].first_self == FST_NEVER) {
            continue;
        }
        fst_buf_clear(scratch);
        uint32_t id =
            fst_symtab_intern(&top->functions, fst_profile_function_label(p, (uint32_t)i, scratch));
        if (scratch->failed || id == FST_ID_NONE) {
            return false;
        }
        sums[id] += p->rows[i].self;
    }
    return true;
}

/* Finds the function that leads, where it is not simply the first row. */
static bool find_leader(struct top *top, const struct fst_profile *p)
{
    fst_i128 *sums = fst_alloc_zeroed(p->nrows + 1, sizeof *sums);
    if (sums == NULL) {
        return false;
    }
    struct fst_buf scratch = {0};
    bool ok = sum_by_function(top, p, sums, &scratch);
    fst_buf_release(&scratch);
    fst_i128 most_of_a_row = 0;
    for (size_t i = 0; i < p->nrows; i++) {
        most_of_a_row = p->rows[i].self > most_of_a_row ? p->rows[i].self : most_of_a_row;
    }
    fst_i128 best = most_of_a_row;
    for (size_t id = 0; ok && id < top->functions.count; id++) {
        struct fst_str name = fst_symtab_name(&top->functions, (uint32_t)id);
        if (sums[id] > best ||
            (sums[id] == best && best > most_of_a_row && fst_str_cmp(name, top->base.leader) < 0)) {
            best = sums[id];
            top->base.leader = name;
            top->base.leader_share = share(best, fst_count_unpack(top->base.whole));
        }
    }
    fst_free(sums);
    return ok;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void add_periods_note(struct top *top, const struct fst_profile *p)
{
    if (top->base.counting != FST_COUNTING_PERIODS) {
        return;
    }
    struct fst_buf note = {0};
    fst_buf_add_cstr(&note, "all counts are multiples of ");
    fst_number_grouped(&note, p->divisor);
    fst_buf_add_cstr(&note, ": taken as ");
    fst_number_grouped_double(&note, top->base.samples);
    fst_buf_add_cstr(&note, " samples of that period for the intervals");
    fst_notes_add(&top->notes, fst_buf_str(&note));
    top->notes.failed = top->notes.failed || note.failed;
    fst_buf_release(&note);
}

static enum fst_status fill(struct top *top, const struct fst_profile *p,
                            const struct fst_top_options *options, struct fst_error *err)
{
    struct fst_top *out = &top->base;
    out->total = fst_count_pack(p->total);
    out->percent_of = options->percent_of;
    out->whole = fst_count_pack(options->percent_of == FST_OF_ALL ? p->offered : p->total);
    out->stack_lines = p->samples;
    out->unit = p->unit;
    out->counting = counting_of(p);
    out->divisor =
        fst_count_pack(out->counting == FST_COUNTING_PERIODS ? p->divisor : FST_COUNT_ONE);
    out->by = p->options.by;
    out->root = p->options.root;
    out->root_index = p->options.root_index;
    out->no_totals = p->options.no_totals;
    out->sort = options->sort;
    double ticks = options->ticks > 0 ? options->ticks : fst_recording_ticks(p);
    /* What are no samples makes no threads. */
    out->ticks = p->unit == FST_UNIT_SAMPLES && out->counting != FST_COUNTING_NONE ? ticks : NAN;
    out->design_effect = options->design_effect > 0 ? options->design_effect : 1;
    out->samples = samples_of(p, out->counting);
    out->precision = precision_of(out->samples, out->ticks, out->design_effect);
    out->leader = (struct fst_str){"", 0};
    out->leader_share = NAN;
    enum fst_status status = leaf_table(top, p, options, err);
    if (status == FST_OK) {
        status = root_table(top, p, options, err);
    }
    bool shares = fst_count_unpack(out->whole) != 0;
    if (status == FST_OK && shares && p->options.by == FST_BY_FRAME && !find_leader(top, p)) {
        status = fst_error_nomem(err);
    }
    fst_notes_on_profile(&top->notes, p);
    if (options->design_effect > 0 && !isnan(out->ticks)) {
        fst_notes_add(&top->notes, FST_STR("the ticks are known, so that --design-effect is not "
                                           "used"));
    }
    add_periods_note(top, p);
    out->notes = top->notes.items;
    out->nnotes = top->notes.count;
    return status == FST_OK && top->notes.failed ? fst_error_nomem(err) : status;
}

enum fst_status fst_top_new(const struct fst_profile *profile,
                            const struct fst_top_options *options, struct fst_top **out,
                            struct fst_error *err)
{
    enum fst_status status = fst_recording_check(profile, err);
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
    fst_symtab_init(&top->functions, profile->options.seed);
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
        fst_symtab_release(&whole->functions);
        fst_free(top->leaf.rows);
        fst_free(top->roots.rows);
        fst_free(whole);
    }
}
