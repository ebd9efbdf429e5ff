/* Budgets held against a comparison.
 *
 *     over       value > budget, and q <= fdr
 *     undecided  not over, half the interval's width > budget, and value + that > budget: what was
 *                recorded could not have shown less than what is allowed; of a limit of a share also
 *                where value > limit and q > fdr: the interval of the share reaches to both sides
 *
 * An increase is what fst_diff_new compared, with its interval and q. A limit of a share afterwards
 * has a test of its own, against the limit itself. */
#include <math.h>
#include <stdlib.h>

#include "analysis/check_parts.h"
#include "analysis/statistics.h"
#include "analysis/statistics_several.h"
#include "base/alloc.h"
#include "base/error.h"

const char *fst_budget_name(enum fst_budget_kind kind)
{
    static const char *const names[] = {"max-increase", "max-self", "max-total"};
    return names[kind];
}

const char *fst_verdict_name(enum fst_verdict verdict)
{
    static const char *const names[] = {"within", "beyond", "cannot-judge"};
    return names[verdict];
}

/* --- patterns --------------------------------------------------------------------------------- */

static enum fst_status compile(struct fst_check_work *check, struct fst_selection_fault *fault,
                               struct fst_error *err)
{
    const struct fst_check_options *options = &check->options;
    check->patterns = fst_alloc_zeroed(options->nbudgets + 1, sizeof(struct fst_pattern *));
    check->met = fst_alloc_zeroed(options->nbudgets + 1, sizeof *check->met);
    if (check->patterns == NULL || check->met == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < options->nbudgets; i++) {
        const struct fst_budget *budget = &options->budgets[i];
        size_t offset = 0;
        if (budget->pattern.data == NULL) {
            continue;
        }
        enum fst_status status =
            fst_pattern_new(budget->pattern, &check->patterns[i], &offset, err);
        if (status != FST_OK) {
            if (fault != NULL) {
                *fault = (struct fst_selection_fault){.option = fst_budget_name(budget->kind),
                                                      .text = budget->pattern,
                                                      .mark = offset};
            }
            return status;
        }
    }
    return FST_OK;
}

static enum fst_status matches(struct fst_check_work *check, size_t budget, struct fst_str name,
                               bool *matched, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    *matched = check->patterns[budget] == NULL;
    if (!*matched) {
        status = fst_pattern_match(check->patterns[budget], &check->matcher, name, matched, err);
        check->met[budget] = check->met[budget] || *matched;
    }
    return status;
}

/* --- increases -------------------------------------------------------------------------------- */

static void set_state(const struct fst_check_work *check, struct fst_check_row *row)
{
    double half = fst_half_of(row->ci);
    bool above = row->value > row->budget;
    bool wide = half > row->budget && row->value + half > row->budget;
    bool unknown = check->base.diff->test == FST_TEST_NONE;
    row->over = above && fst_is_finding(row->q, check->base.diff->fdr);
    row->undecided =
        unknown || (!row->over && (wide || (above && row->kind != FST_BUDGET_INCREASE)));
    row->samples_needed = NAN;
    row->recordings_needed = NAN;
}

static bool needs_more(const struct fst_check_work *check, const struct fst_check_row *row)
{
    return row->undecided && check->base.diff->test != FST_TEST_NONE;
}

static bool add_row(struct fst_check_work *check, const struct fst_check_row *row)
{
    void *rows = check->base.rows;
    if (fst_grow(&rows, &check->capacity, check->base.of + 1, sizeof *row) != 0) {
        return false;
    }
    check->base.rows = rows;
    check->base.rows[check->base.of++] = *row;
    return true;
}

static bool add_increase(struct fst_check_work *check, const struct fst_diff_row *row,
                         const struct fst_budget *budget)
{
    const struct fst_diff *diff = check->base.diff;
    const struct fst_change *change = fst_diff_change(row, diff->on);
    struct fst_check_row out = {.row = row,
                                .kind = FST_BUDGET_INCREASE,
                                .on = diff->on,
                                .budget = budget->limit,
                                .value = change->delta,
                                .ci = change->delta_ci,
                                .q = change->q};
    set_state(check, &out);
    if (needs_more(check, &out)) {
        fst_need_for_increase(check, &out);
    }
    return add_row(check, &out);
}

static enum fst_status check_increase(struct fst_check_work *check, const struct fst_diff_row *row,
                                      struct fst_error *err)
{
    const struct fst_check_options *options = &check->options;
    const struct fst_budget *found = NULL;
    if (!fst_change_is_there(fst_diff_change(row, check->base.diff->on))) {
        return FST_OK;
    }
    for (size_t i = 0; i < options->nbudgets; i++) {
        const struct fst_budget *budget = &options->budgets[i];
        bool special = budget->pattern.data != NULL;
        bool matched = false;
        if (budget->kind != FST_BUDGET_INCREASE || (found != NULL && !special)) {
            continue;
        }
        enum fst_status status = matches(check, i, row->name, &matched, err);
        if (status != FST_OK) {
            return status;
        }
        found = matched ? budget : found;
        if (matched && special) {
            break;
        }
    }
    return found == NULL || add_increase(check, row, found) ? FST_OK : fst_error_nomem(err);
}

/* --- limits of shares ------------------------------------------------------------------------- */

/* How far the shares of several recordings scatter around their mean: the variance of the mean. */
static double variance_of(const struct fst_diff_work *diff, const struct fst_check_row *row,
                          size_t number)
{
    size_t first = diff->base.before.nrecordings;
    double m = (double)diff->base.after.nrecordings;
    double squares = 0;
    for (size_t r = first; r < diff->nrecordings; r++) {
        double off = fst_diff_value(diff, row->on, r, number) - row->value;
        squares += off * off;
    }
    return squares / (m - 1) / m;
}

static struct fst_limit make_limit(const struct fst_diff_work *diff,
                                   const struct fst_check_row *row, size_t number)
{
    const struct fst_diff_side *after = &diff->base.after;
    bool several = after->nrecordings > 1;
    return (struct fst_limit){
        .share = row->value,
        .limit = row->budget,
        .pooled = {row->value, after->n},
        .recordings = (double)after->nrecordings,
        .error = several ? sqrt(variance_of(diff, row, number)) : NAN,
    };
}

/* Wilson's interval of all samples together, and where several recordings scatter wider, Student's. */
static struct fst_interval interval_of(const struct fst_limit *limit)
{
    struct fst_interval ci = fst_wilson(limit->pooled.p, limit->pooled.n);
    if (!isnan(limit->error)) {
        double half = fst_student_t95(limit->recordings - 1) * limit->error;
        ci.lo = fmax(0, fmin(ci.lo, limit->share - half));
        ci.hi = fmin(1, fmax(ci.hi, limit->share + half));
    }
    return ci;
}

static bool add_limit(struct fst_check_work *check, size_t number, const struct fst_budget *budget)
{
    const struct fst_diff_work *diff = check->diff;
    const struct fst_diff_row *row = &check->compared[number];
    bool self = budget->kind == FST_BUDGET_SELF;
    const struct fst_change *change = self ? &row->self : &row->total;
    struct fst_check_row out = {.row = row,
                                .kind = budget->kind,
                                .on = self ? FST_ON_SELF : FST_ON_TOTAL,
                                .budget = budget->limit,
                                .value = change->after_share,
                                .ci = {NAN, NAN},
                                .q = NAN};
    if (diff->base.test != FST_TEST_NONE) {
        const struct fst_limit limit = make_limit(diff, &out, number);
        out.ci = interval_of(&limit);
        out.q = fst_limit_p(&limit); /* until all are known */
    }
    return add_row(check, &out);
}

static enum fst_status check_limits(struct fst_check_work *check, size_t number,
                                    struct fst_error *err)
{
    const struct fst_check_options *options = &check->options;
    const struct fst_diff_row *row = &check->compared[number];
    for (size_t i = 0; i < options->nbudgets; i++) {
        const struct fst_budget *budget = &options->budgets[i];
        bool self = budget->kind == FST_BUDGET_SELF;
        bool matched = false;
        if (budget->kind == FST_BUDGET_INCREASE ||
            !fst_change_is_there(self ? &row->self : &row->total)) {
            continue;
        }
        enum fst_status status = matches(check, i, row->name, &matched, err);
        if (status != FST_OK) {
            return status;
        }
        if (matched && !add_limit(check, number, budget)) {
            return fst_error_nomem(err);
        }
    }
    return FST_OK;
}

/* A limit whose p-value among all of them amounts to that q. */
static void judge_limit(const struct fst_check_work *check, struct fst_check_row *row, double q)
{
    double p = row->q;
    row->q = isnan(p) ? NAN : q;
    set_state(check, row);
    if (needs_more(check, row)) {
        size_t number = (size_t)(row->row - check->compared);
        const struct fst_limit limit = make_limit(check->diff, row, number);
        fst_need_for_limit(check, row, &limit, p / q * check->base.diff->fdr);
    }
}

/* The limits of shares are tests of their own, from the row `first` on. */
static bool adjust_limits(struct fst_check_work *check, size_t first)
{
    size_t count = check->base.of - first;
    struct fst_ranked *ranked = fst_alloc_zeroed(2 * count + 1, sizeof *ranked);
    double *q = fst_alloc_zeroed(count + 1, sizeof *q);
    size_t tested = 0;
    for (size_t i = 0; ranked != NULL && i < count; i++) {
        double p = check->base.rows[first + i].q;
        if (!isnan(p)) {
            ranked[tested++] = (struct fst_ranked){p, i};
        }
    }
    bool good = ranked != NULL && q != NULL;
    if (good) {
        fst_benjamini_hochberg(ranked, tested, q);
    }
    for (size_t i = 0; good && i < count; i++) {
        judge_limit(check, &check->base.rows[first + i], q[i]);
    }
    fst_free(ranked);
    fst_free(q);
    return good;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int state_of(const struct fst_check_row *row)
{
    return row->over ? 0 : row->undecided ? 1 : 2;
}

static int compare(const void *left, const void *right)
{
    const struct fst_check_row *a = left;
    const struct fst_check_row *b = right;
    double one = isnan(a->value) ? 0 : a->value;
    double other = isnan(b->value) ? 0 : b->value;
    if (state_of(a) != state_of(b)) {
        return state_of(a) - state_of(b);
    }
    if (one != other) {
        return one > other ? -1 : 1;
    }
    int order = fst_str_cmp(a->row->name, b->row->name);
    return order != 0 ? order : (int)a->kind - (int)b->kind;
}

static void conclude(struct fst_check_work *check)
{
    struct fst_check *out = &check->base;
    out->samples_needed = NAN;
    out->recordings_needed = NAN;
    for (size_t i = 0; i < out->of; i++) {
        const struct fst_check_row *row = &out->rows[i];
        out->over += row->over ? 1 : 0;
        out->undecided += row->undecided ? 1 : 0;
        out->samples_needed = fmax(out->samples_needed, row->samples_needed);
        out->recordings_needed = fmax(out->recordings_needed, row->recordings_needed);
    }
    if (out->of > 0) {
        qsort(out->rows, out->of, sizeof *out->rows, compare);
    }
    size_t within = out->of - out->over - out->undecided;
    size_t least = check->options.within_rows;
    size_t count = out->of - within + (least > 0 && least < within ? least : within);
    size_t most = check->options.rows;
    out->count = most > 0 && most < count ? most : count;
    bool blind = out->undecided > 0 || out->diff->test == FST_TEST_NONE;
    out->verdict = out->over > 0 ? FST_VERDICT_BEYOND
                   : blind       ? FST_VERDICT_CANNOT_JUDGE
                                 : FST_VERDICT_WITHIN;
}

/* Makes the figures of all rows. */
static bool take_rows(struct fst_check_work *check)
{
    size_t count = check->diff->joined.nrows;
    check->compared = fst_alloc_zeroed(count + 1, sizeof *check->compared);
    for (size_t i = 0; check->compared != NULL && i < count; i++) {
        check->compared[i] = fst_diff_row_of(check->diff, i);
    }
    return check->compared != NULL;
}

static enum fst_status fill(struct fst_check_work *check, struct fst_error *err)
{
    enum fst_status status = take_rows(check) ? FST_OK : fst_error_nomem(err);
    for (size_t i = 0; status == FST_OK && i < check->diff->joined.nrows; i++) {
        status = check_increase(check, &check->compared[i], err);
    }
    size_t first = check->base.of;
    for (size_t i = 0; status == FST_OK && i < check->diff->joined.nrows; i++) {
        status = check_limits(check, i, err);
    }
    if (status == FST_OK && !adjust_limits(check, first)) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK) {
        conclude(check);
        status = fst_check_say(check, err);
    }
    return status;
}

enum fst_status fst_check_new(const struct fst_diff *diff, const struct fst_check_options *options,
                              struct fst_check **out, struct fst_selection_fault *fault,
                              struct fst_error *err)
{
    if (diff->basis != FST_BASIS_SHARE) {
        return fst_error_set(err, FST_ERR_USAGE, "budgets are of shares, which were not compared");
    }
    struct fst_check_work *check = fst_alloc_zeroed(1, sizeof *check);
    if (check == NULL) {
        return fst_error_nomem(err);
    }
    check->base.diff = diff;
    check->diff = (const struct fst_diff_work *)diff;
    check->options = *options;
    enum fst_status status = compile(check, fault, err);
    if (status == FST_OK) {
        status = fill(check, err);
    }
    if (status != FST_OK) {
        fst_check_free(&check->base);
        return status;
    }
    *out = &check->base;
    return FST_OK;
}

void fst_check_free(struct fst_check *check)
{
    if (check == NULL) {
        return;
    }
    struct fst_check_work *whole = (struct fst_check_work *)check;
    for (size_t i = 0; whole->patterns != NULL && i < whole->options.nbudgets; i++) {
        fst_pattern_free(whole->patterns[i]);
    }
    fst_free(whole->patterns);
    fst_free(whole->met);
    fst_notes_release(&whole->notes);
    fst_matcher_release(&whole->matcher);
    fst_free(whole->compared);
    fst_free(check->rows);
    fst_free(whole);
}
