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
#include "analysis/statistics_two.h"
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
    struct fst_str name;
    uint32_t row;
    int group;
    double value;
};

static int compare_values(const struct key *a, const struct key *b)
{
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    return a->value != b->value ? (a->value > b->value ? -1 : 1) : 0;
}

static int compare_keys(const void *left, const void *right)
{
    const struct key *a = left;
    const struct key *b = right;
    int order = compare_values(a, b);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static bool is_significant(const struct fst_diff_work *diff, size_t row)
{
    const double *q = diff->tests[diff->base.on].q;
    return q != NULL && fst_is_finding(q[row], diff->base.fdr);
}

/* Rows that have nothing of what is sorted by come last. */
static struct key key_of(const struct fst_diff_work *diff, size_t row)
{
    enum { SIGNIFICANT, OTHER, ELSEWHERE };
    enum fst_on on = diff->base.on;
    struct key key = {.row = (uint32_t)row, .group = OTHER};
    if (!fst_diff_is_there(diff, on, row)) {
        key.group = ELSEWHERE;
    }
    switch (diff->options.sort) {
    case FST_DIFF_BY_BEFORE: key.value = fst_diff_part_of(diff, on, row, false).value; break;
    case FST_DIFF_BY_AFTER: key.value = fst_diff_part_of(diff, on, row, true).value; break;
    case FST_DIFF_BY_NAME: key.group = OTHER; break;
    default:
        key.group = is_significant(diff, row) ? SIGNIFICANT : key.group;
        key.value = fabs(fst_diff_part_of(diff, on, row, true).value -
                         fst_diff_part_of(diff, on, row, false).value);
    }
    key.value = isnan(key.value) ? 0 : key.value;
    return key;
}

static bool is_wanted(const struct fst_diff_work *diff, size_t row)
{
    enum fst_on on = diff->base.on;
    enum fst_on other = on == FST_ON_SELF ? FST_ON_TOTAL : FST_ON_SELF;
    return fst_diff_is_there(diff, on, row) ||
           (!diff->options.measured && fst_diff_is_there(diff, other, row));
}

static void judge(struct fst_diff_work *diff)
{
    const double *q = diff->tests[diff->base.on].q;
    for (size_t i = 0; q != NULL && i < diff->joined.nrows; i++) {
        diff->base.significant += is_significant(diff, i);
        diff->base.tested += isnan(q[i]) ? 0 : 1;
    }
}

/* The first rows of those that were looked at: now and then what cannot be among them is dropped. */
struct picks {
    struct key *keys;
    size_t count;
    size_t room;
    size_t most;
    const struct key *last; /* the least of `most` rows that were looked at; NULL: none yet */
};

static void sort_picks(struct picks *picks)
{
    if (picks->count > 0) {
        qsort(picks->keys, picks->count, sizeof *picks->keys, compare_keys);
    }
    if (picks->most > 0 && picks->count >= picks->most) {
        picks->count = picks->most;
        picks->last = &picks->keys[picks->most - 1];
    }
}

static void add_pick(struct picks *picks, const struct fst_diff_work *diff, struct key key)
{
    if (picks->last != NULL && compare_values(&key, picks->last) > 0) {
        return;
    }
    if (picks->count == picks->room) {
        sort_picks(picks);
    }
    key.name = fst_diff_name(diff, key.row);
    picks->keys[picks->count++] = key;
}

/* Makes the figures of the rows that were picked. */
static bool show_picks(struct fst_diff_work *diff, const struct picks *picks)
{
    struct fst_diff *out = &diff->base;
    out->rows = fst_alloc_zeroed(picks->count + 1, sizeof *out->rows);
    diff->shown = fst_alloc_zeroed(picks->count + 1, sizeof *diff->shown);
    if (out->rows == NULL || diff->shown == NULL) {
        return false;
    }
    for (size_t i = 0; i < picks->count; i++) {
        diff->shown[i] = picks->keys[i].row;
        out->rows[i] = fst_diff_row_of(diff, picks->keys[i].row);
    }
    out->count = picks->count;
    return true;
}

/* Sorts the rows that are wanted, and keeps as many as are asked for. */
static enum fst_status pick(struct fst_diff_work *diff, struct fst_error *err)
{
    enum { SPARE = 1000 };
    struct fst_diff *out = &diff->base;
    size_t nrows = diff->joined.nrows;
    size_t most = diff->options.rows > 0 && diff->options.rows < nrows ? diff->options.rows : nrows;
    struct picks picks = {.room = nrows - most < SPARE ? nrows : most + SPARE, .most = most};
    picks.keys = fst_alloc_zeroed(picks.room + 1, sizeof *picks.keys);
    for (size_t i = 0; picks.keys != NULL && i < nrows; i++) {
        if (is_wanted(diff, i)) {
            out->of++;
            add_pick(&picks, diff, key_of(diff, i));
        }
    }
    if (picks.keys != NULL) {
        sort_picks(&picks);
    }
    bool good = picks.keys != NULL && show_picks(diff, &picks);
    fst_free(picks.keys);
    return good ? FST_OK : fst_error_nomem(err);
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
        status = fst_diff_test(diff, err);
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
        fst_diff_tests_release(&work->tests[FST_ON_SELF]);
        fst_diff_tests_release(&work->tests[FST_ON_TOTAL]);
        fst_free(work->paths);
        fst_free(work->shown);
        fst_free(diff->rows);
        fst_free(work);
    }
}
