/* What changed between recordings.
 *
 *     before  v1 of T1 samples    p1 = v1 / T1        after  v2 of T2        p2 = v2 / T2
 *
 *     delta = p2 - p1, its interval, the chance of it if nothing changed, and what that is worth
 *     among so many rows
 *
 * With several recordings a side each has shares of its own, and means are compared by the spread
 * between them. */
#include "analysis/diff_parts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/kept.h"
#include "analysis/recording.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/numeric.h"
#include "model/selection.h"

const char *fst_basis_name(enum fst_basis basis)
{
    static const char *const names[] = {"share", "rate", "count"};
    return names[basis];
}

const char *fst_on_name(enum fst_on on)
{
    return on == FST_ON_SELF ? "self" : "total";
}

const char *fst_presence_name(enum fst_presence presence)
{
    static const char *const names[] = {"both", "new", "gone"};
    return names[presence];
}

const char *fst_diff_test_name(enum fst_diff_test test)
{
    static const char *const names[] = {"none", "proportions", "rates", "dispersion",
                                        "permutation"};
    return names[test];
}

/* --- recordings ------------------------------------------------------------------------------- */

/* As many independent samples as there are ticks at most; where they are not known, as the design
 * effect says. */
static double independent(const struct fst_diff_recording *r, double design_effect)
{
    return isnan(r->ticks) ? r->samples / design_effect : fmin(r->samples, r->ticks);
}

static void scale(struct fst_diff_recording *r, enum fst_basis basis)
{
    double of_all = r->n / r->samples; /* independent samples of a sample */
    switch (basis) {
    case FST_BASIS_RATE:
        r->value = r->per_count / r->ticks;
        r->exposure = r->ticks * of_all;
        break;
    case FST_BASIS_COUNT:
        r->value = 1;
        r->exposure = r->per_count * of_all;
        break;
    default: r->value = r->whole == 0 ? NAN : 1 / fst_count_to_double(r->whole); r->exposure = NAN;
    }
}

static struct fst_diff_recording make_recording(const struct fst_diff_work *diff,
                                                const struct fst_profile *p, bool after)
{
    struct fst_diff_recording r = {.profile = p, .after = after};
    r.counting = fst_recording_counting(p);
    r.whole = diff->options.percent_of == FST_OF_ALL ? p->offered : p->total;
    r.samples = fst_recording_samples(p, r.counting, r.whole);
    bool ticking = p->unit == FST_UNIT_SAMPLES && r.counting != FST_COUNTING_NONE;
    r.ticks = ticking ? fst_recording_ticks(p) : NAN;
    r.n = independent(&r, diff->base.design_effect);
    r.per_count = r.counting == FST_COUNTING_PERIODS ? 1 / fst_count_to_double(p->divisor) : 1;
    scale(&r, diff->base.basis);
    return r;
}

static void add_to_side(struct fst_diff_side *side, const struct fst_diff_recording *r)
{
    side->total = fst_count_pack(fst_count_unpack(side->total) + r->profile->total);
    side->offered = fst_count_pack(fst_count_unpack(side->offered) + r->profile->offered);
    side->counting = r->counting > side->counting ? r->counting : side->counting;
    side->samples += r->samples;
    side->ticks += r->ticks;
    side->n += r->n;
}

static enum fst_status check_ticks(const struct fst_diff_recording *r, struct fst_error *err)
{
    if (r->profile->unit != FST_UNIT_SAMPLES || r->counting == FST_COUNTING_NONE) {
        return fst_error_set(err, FST_ERR_NO_DATA,
                             "--basis rate compares samples by tick, and these counts are no "
                             "samples; --basis share or count takes them");
    }
    const char *side = r->after ? "after" : "before";
    return fst_error_set(err, FST_ERR_NO_DATA,
                         "--basis rate needs the ticks of every recording: --%s-rate HZ with "
                         "--%s-duration SECONDS, or --%s-ticks N",
                         side, side, side);
}

static enum fst_status take_recordings(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_diff *out = &diff->base;
    diff->nrecordings = out->before.nrecordings + out->after.nrecordings;
    diff->recordings = fst_alloc_zeroed(diff->nrecordings, sizeof *diff->recordings);
    if (diff->recordings == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < diff->nrecordings; i++) {
        bool after = i >= out->before.nrecordings;
        struct fst_diff_side *side = after ? &out->after : &out->before;
        const struct fst_profile *p = side->recordings[after ? i - out->before.nrecordings : i];
        diff->recordings[i] = make_recording(diff, p, after);
        add_to_side(side, &diff->recordings[i]);
        if (out->basis == FST_BASIS_RATE && isnan(diff->recordings[i].ticks)) {
            return check_ticks(&diff->recordings[i], err);
        }
    }
    return FST_OK;
}

static enum fst_diff_test test_of(const struct fst_diff_work *diff)
{
    enum { PERMUTED_FROM = 4 };
    size_t before = diff->base.before.nrecordings;
    size_t after = diff->base.after.nrecordings;
    for (size_t i = 0; i < diff->nrecordings; i++) {
        if (!(diff->recordings[i].n > 0)) {
            return FST_TEST_NONE;
        }
    }
    if (before == 1 && after == 1) {
        return diff->base.basis == FST_BASIS_SHARE ? FST_TEST_PROPORTIONS : FST_TEST_RATES;
    }
    return before >= PERMUTED_FROM && after >= PERMUTED_FROM ? FST_TEST_PERMUTATION
                                                             : FST_TEST_DISPERSION;
}

/* --- order ------------------------------------------------------------------------------------ */

/* What a row is sorted by, largest first; then by name. */
struct key {
    const struct fst_diff_row *row;
    int group;
    double value;
};

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left;
    const struct key *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    if (a->value != b->value) {
        return a->value > b->value ? -1 : 1;
    }
    return fst_str_cmp(a->row->name, b->row->name);
}

/* Rows that have nothing of what is sorted by come last. */
static struct key key_of(const struct fst_diff_work *diff, const struct fst_diff_row *row)
{
    enum { SIGNIFICANT, OTHER, ELSEWHERE };
    const struct fst_change *change = fst_diff_change(row, diff->base.on);
    struct key key = {.row = row, .group = OTHER};
    if (!fst_change_is_there(change)) {
        key.group = ELSEWHERE;
    }
    switch (diff->options.sort) {
    case FST_DIFF_BY_BEFORE: key.value = change->before_value; break;
    case FST_DIFF_BY_AFTER: key.value = change->after_value; break;
    case FST_DIFF_BY_NAME: key.group = OTHER; break;
    default:
        key.group = row->significant ? SIGNIFICANT : key.group;
        key.value = fabs(change->delta);
    }
    key.value = isnan(key.value) ? 0 : key.value;
    return key;
}

static bool is_wanted(const struct fst_diff_work *diff, const struct fst_diff_row *row)
{
    bool measured = fst_change_is_there(fst_diff_change(row, diff->base.on));
    bool there = fst_change_is_there(&row->self) || fst_change_is_there(&row->total);
    return measured || (there && !diff->options.measured);
}

static void judge(struct fst_diff_work *diff)
{
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        struct fst_diff_row *row = &diff->rows[i];
        double q = fst_diff_change(row, diff->base.on)->q;
        row->significant = q <= diff->base.fdr;
        diff->base.significant += row->significant;
        diff->base.tested += isnan(q) ? 0 : 1;
    }
}

/* Sorts the rows and keeps as many as are asked for. */
static enum fst_status pick(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_diff *out = &diff->base;
    size_t room = diff->joined.nrows + 1;
    struct key *keys = fst_alloc_zeroed(room, sizeof *keys);
    if (keys == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        if (is_wanted(diff, &diff->rows[i])) {
            keys[out->of++] = key_of(diff, &diff->rows[i]);
        }
    }
    if (out->of > 0) {
        qsort(keys, out->of, sizeof *keys, compare_keys);
    }
    size_t most = diff->options.rows;
    size_t count = most > 0 && most < out->of ? most : out->of;
    out->rows = fst_alloc_zeroed(count + 1, sizeof *out->rows);
    for (size_t i = 0; out->rows != NULL && i < count; i++) {
        out->rows[i] = *keys[i].row;
    }
    out->count = count;
    fst_free(keys);
    return out->rows == NULL ? fst_error_nomem(err) : FST_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

static enum fst_status fill(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_diff *out = &diff->base;
    const struct fst_diff_options *options = &diff->options;
    const struct fst_profile *first = out->before.recordings[0];
    out->basis = options->basis;
    out->on = options->on;
    out->by = first->options.by;
    out->percent_of = options->percent_of;
    if (first->options.selection != NULL) {
        out->asked = first->options.selection->asked;
        out->nasked = first->options.selection->nasked;
    }
    out->fdr = options->fdr > 0 ? options->fdr : 0.05;
    out->design_effect = options->design_effect > 0 ? options->design_effect : 1;
    enum fst_status status = take_recordings(diff, err);
    if (status == FST_OK) {
        out->test = test_of(diff);
        status = fst_diff_join(diff, err);
    }
    if (status == FST_OK) {
        status = fst_diff_figure(diff, err);
    }
    if (status == FST_OK) {
        judge(diff);
        status = pick(diff, err);
    }
    if (status == FST_OK && options->paths > 0) {
        status = fst_diff_find_paths(diff, err);
    }
    return status == FST_OK ? fst_diff_say(diff, err) : status;
}

static bool same_question(const struct fst_profile *a, const struct fst_profile *b)
{
    return a->options.by == b->options.by && a->options.nested == b->options.nested &&
           a->options.inner == b->options.inner && a->options.selection == b->options.selection;
}

static enum fst_status check_side(const struct fst_profile *const *profiles, size_t count,
                                  const struct fst_profile *first, bool others_kept,
                                  struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < count && status == FST_OK; i++) {
        if (!same_question(first, profiles[i])) {
            return fst_error_set(err, FST_ERR_USAGE,
                                 "profiles with different rows cannot be compared");
        }
        /* What is there on one side alone may be what changed; filters must not keep nothing. */
        if (profiles[i]->samples > 0 || !others_kept) {
            status = fst_check_kept(&profiles[i], 1, err);
        }
    }
    return status;
}

static bool any_kept(const struct fst_profile *const *profiles, size_t count)
{
    bool kept = false;
    for (size_t i = 0; i < count; i++) {
        kept = kept || profiles[i]->samples > 0;
    }
    return kept;
}

/* Figures in sentences have a decimal point whatever the locale of the program. */
static enum fst_status fill_in_c(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_numeric locale;
    if (!fst_numeric_enter(&locale)) {
        return fst_error_nomem(err);
    }
    enum fst_status status = fill(diff, err);
    fst_numeric_leave(&locale);
    return status;
}

enum fst_status fst_diff_new(const struct fst_profile *const *before, size_t nbefore,
                             const struct fst_profile *const *after, size_t nafter,
                             const struct fst_diff_options *options, struct fst_diff **out,
                             struct fst_error *err)
{
    if (nbefore == 0 || nafter == 0) {
        return fst_error_set(err, FST_ERR_USAGE, "a side has no recording");
    }
    bool kept = any_kept(before, nbefore) || any_kept(after, nafter);
    enum fst_status status = check_side(before, nbefore, before[0], kept, err);
    if (status == FST_OK) {
        status = check_side(after, nafter, before[0], kept, err);
    }
    if (status != FST_OK) {
        return status;
    }
    struct fst_diff_work *work = fst_alloc_zeroed(1, sizeof *work);
    if (work == NULL) {
        return fst_error_nomem(err);
    }
    work->options = *options;
    work->base.before = (struct fst_diff_side){.recordings = before, .nrecordings = nbefore};
    work->base.after = (struct fst_diff_side){.recordings = after, .nrecordings = nafter};
    fst_symtab_init(&work->joined.labels, before[0]->options.seed);
    fst_symtab_init(&work->stacks, before[0]->options.seed);
    status = fill_in_c(work, err);
    if (status != FST_OK) {
        fst_diff_free(&work->base);
        return status;
    }
    *out = &work->base;
    return FST_OK;
}

void fst_diff_free(struct fst_diff *diff)
{
    if (diff != NULL) {
        struct fst_diff_work *work = (struct fst_diff_work *)diff;
        fst_notes_release(&work->notes);
        fst_joined_release(&work->joined);
        fst_symtab_release(&work->stacks);
        fst_free(work->recordings);
        fst_free(work->rows);
        fst_free(work->paths);
        fst_free(diff->rows);
        fst_free(work);
    }
}
