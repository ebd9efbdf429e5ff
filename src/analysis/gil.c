/* Who holds the GIL: from counts with different clocks to figures by sampling ticks.
 *
 *     GIL   G samples in N_g ticks    h = G / N_g   held: 0 or 1 thread a tick (and process)
 *     ALL   T samples in N_t ticks    a = T / N_t   active: any number of threads a tick
 *     IDLE  I samples in N_i ticks    I / N_i       alive
 *
 *     q = h / a is the share of active thread time that held the lock; a - h threads ran without it.
 *
 * G / T has none of these meanings unless N_g = N_t. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gil_parts.h"
#include "analysis/kept.h"
#include "analysis/recording.h"
#include "analysis/statistics.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/names.h"

static double ratio_of(fst_i128 part, fst_i128 whole)
{
    return whole == 0 ? NAN : fst_count_to_double(part) / fst_count_to_double(whole);
}

/* --- rows ----------------------------------------------------------------------------------- */

/* The row of that name in another profile that counts by the same; NULL: none, or never a leaf. */
static const struct fst_row *find_row(const struct fst_profile *p, struct fst_str name)
{
    if (p == NULL) {
        return NULL;
    }
    uint32_t id = fst_symtab_find(fst_rows_are_frames(p) ? &p->frame_names : &p->row_names, name);
    return id == FST_ID_NONE || p->rows[id].first_self == FST_NEVER ? NULL : &p->rows[id];
}

static enum fst_gil_label label_of(struct fst_interval ratio)
{
    if (isnan(ratio.lo)) {
        return FST_GIL_NO_LABEL;
    }
    return ratio.lo > 0.5 ? FST_GIL_HOLDS : ratio.hi < 0.5 ? FST_GIL_RELEASES : FST_GIL_UNCLEAR;
}

static struct fst_gil_row make_row(const struct fst_gil_work *gil, struct fst_str name,
                                   fst_i128 held, fst_i128 active)
{
    double held_ticks = gil->base.gil.ticks;
    double active_ticks = gil->base.all.ticks;
    struct fst_gil_row row = {
        .name = name,
        .gil = fst_count_pack(held),
        .all = fst_count_pack(active),
        .gil_share = ratio_of(held, gil->sides[FST_SIDE_GIL]->total),
        .all_share = gil->sides[FST_SIDE_ALL] == NULL
                         ? NAN
                         : ratio_of(active, gil->sides[FST_SIDE_ALL]->total),
        .held = fst_count_to_double(held) / held_ticks,
        .active = fst_count_to_double(active) / active_ticks,
    };
    row.without = row.active - row.held;
    row.ratio = active == 0 ? NAN : row.held / row.active;
    struct fst_interval odds = {NAN, NAN};
    if (!isnan(held_ticks) && !isnan(active_ticks)) {
        odds = fst_odds_interval(fst_count_to_double(held), fst_count_to_double(active));
    }
    double scale = active_ticks / held_ticks;
    row.ratio_ci = (struct fst_interval){odds.lo * scale, odds.hi * scale};
    row.label = label_of(row.ratio_ci);
    return row;
}

/* Every row that is a leaf in GIL or ALL; rows has room for those of both. */
static size_t collect_rows(const struct fst_gil_work *gil, struct fst_gil_row *rows)
{
    const struct fst_profile *held = gil->sides[FST_SIDE_GIL];
    const struct fst_profile *active = gil->sides[FST_SIDE_ALL];
    size_t count = 0;
    for (size_t i = 0; i < held->nrows; i++) {
        if (held->rows[i].first_self != FST_NEVER) {
            struct fst_str name = fst_profile_row_name(held, (uint32_t)i, NULL);
            const struct fst_row *other = find_row(active, name);
            rows[count++] =
                make_row(gil, name, held->rows[i].self, other == NULL ? 0 : other->self);
        }
    }
    for (size_t i = 0; active != NULL && i < active->nrows; i++) {
        struct fst_str name = fst_profile_row_name(active, (uint32_t)i, NULL);
        if (active->rows[i].first_self != FST_NEVER && find_row(held, name) == NULL) {
            rows[count++] = make_row(gil, name, 0, active->rows[i].self);
        }
    }
    return count;
}

static int compare_counts(struct fst_count left, struct fst_count right)
{
    fst_i128 a = fst_count_unpack(left);
    fst_i128 b = fst_count_unpack(right);
    return (a < b) - (a > b);
}

static int by_held(const void *left, const void *right)
{
    const struct fst_gil_row *a = left;
    const struct fst_gil_row *b = right;
    int order = compare_counts(a->gil, b->gil);
    order = order != 0 ? order : compare_counts(a->all, b->all);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static int by_without(const void *left, const void *right)
{
    const struct fst_gil_row *a = left;
    const struct fst_gil_row *b = right;
    int order = (a->without < b->without) - (a->without > b->without);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static bool holds_some(const struct fst_gil_row *row)
{
    return fst_count_unpack(row->gil) > 0;
}

static bool runs_without(const struct fst_gil_row *row)
{
    return row->without > 0 && row->label != FST_GIL_HOLDS;
}

/* A table of the rows that belong into it; at most so many. */
static bool pick(struct fst_gil_table *out, const struct fst_gil_row *rows, size_t count,
                 bool (*wanted)(const struct fst_gil_row *row),
                 int (*compare)(const void *, const void *), size_t most)
{
    out->rows = fst_alloc_zeroed(count + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (wanted == NULL || wanted(&rows[i])) {
            out->rows[out->of++] = rows[i];
        }
    }
    if (out->of > 0) {
        qsort(out->rows, out->of, sizeof *out->rows, compare);
    }
    out->count = most > 0 && most < out->of ? most : out->of;
    return true;
}

static enum fst_status find_rows(struct fst_gil_work *gil, const struct fst_gil_options *options,
                                 struct fst_error *err)
{
    size_t room = gil->sides[FST_SIDE_GIL]->nrows + 1;
    room += gil->sides[FST_SIDE_ALL] == NULL ? 0 : gil->sides[FST_SIDE_ALL]->nrows;
    struct fst_gil_row *rows = fst_alloc_zeroed(room, sizeof *rows);
    if (rows == NULL) {
        return fst_error_nomem(err);
    }
    size_t count = collect_rows(gil, rows);
    struct fst_gil *out = &gil->base;
    bool ok = pick(&out->frames, rows, count, NULL, by_held, options->frame_rows) &&
              pick(&out->holding, rows, count, holds_some, by_held, options->frame_rows) &&
              pick(&out->without_it, rows, count, runs_without, by_without, options->without_rows);
    fst_free(rows);
    return ok ? FST_OK : fst_error_nomem(err);
}

/* --- waits ---------------------------------------------------------------------------------- */

static int by_waiting(const void *left, const void *right)
{
    const struct fst_gil_wait *a = left;
    const struct fst_gil_wait *b = right;
    int order = compare_counts(a->all, b->all);
    order = order != 0 ? order : compare_counts(a->idle, b->idle);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static struct fst_gil_wait make_wait(const struct fst_gil_work *gil, struct fst_str name)
{
    fst_i128 sums[FST_SIDES] = {0};
    for (int side = 0; side < FST_SIDES; side++) {
        sums[side] = gil->sides[side] == NULL ? 0 : fst_sums_of(&gil->sides[side]->waits, name);
    }
    bool idle = gil->sides[FST_SIDE_IDLE] != NULL;
    double ticks = idle ? gil->base.idle.ticks : gil->base.all.ticks;
    return (struct fst_gil_wait){
        .name = name,
        .all = fst_count_pack(sums[FST_SIDE_ALL]),
        .idle = fst_count_pack(sums[FST_SIDE_IDLE]),
        .waiting = fst_count_to_double(sums[idle ? FST_SIDE_IDLE : FST_SIDE_ALL]) / ticks,
    };
}

static enum fst_status find_waits(struct fst_gil_work *gil, size_t most, struct fst_error *err)
{
    struct fst_gil_waits *out = &gil->base.waits;
    const struct fst_profile *all = gil->sides[FST_SIDE_ALL];
    const struct fst_profile *idle = gil->sides[FST_SIDE_IDLE];
    size_t room = 1 + (all == NULL ? 0 : all->waits.names.count) +
                  (idle == NULL ? 0 : idle->waits.names.count);
    out->rows = fst_alloc_zeroed(room, sizeof *out->rows);
    if (out->rows == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; all != NULL && i < all->waits.names.count; i++) {
        out->rows[out->of++] = make_wait(gil, fst_symtab_name(&all->waits.names, (uint32_t)i));
    }
    for (size_t i = 0; idle != NULL && i < idle->waits.names.count; i++) {
        struct fst_str name = fst_symtab_name(&idle->waits.names, (uint32_t)i);
        if (all == NULL || fst_symtab_find(&all->waits.names, name) == FST_ID_NONE) {
            out->rows[out->of++] = make_wait(gil, name);
        }
    }
    if (out->of > 0) {
        qsort(out->rows, out->of, sizeof *out->rows, by_waiting);
    }
    out->count = most > 0 && most < out->of ? most : out->of;
    return FST_OK;
}

/* --- figures -------------------------------------------------------------------------------- */

static bool is_sampled(const struct fst_profile *p)
{
    return p == NULL || (p->negatives == 0 && p->fractions == 0 && !p->mixed_units &&
                         (p->samples == 0 || p->unit == FST_UNIT_SAMPLES));
}

static struct fst_gil_side make_side(const struct fst_profile *p, double ticks, bool sampled)
{
    if (p == NULL) {
        return (struct fst_gil_side){.ticks = NAN};
    }
    ticks = ticks > 0 ? ticks : fst_recording_ticks(p);
    return (struct fst_gil_side){.inputs = p->inputs,
                                 .ninputs = p->ninputs,
                                 .samples = fst_count_pack(p->total),
                                 .ticks = sampled ? ticks : NAN};
}

/* How many processes the stacks name. */
static double named_processes(const struct fst_profile *p)
{
    size_t count = 0;
    for (size_t i = 0; p != NULL && i < p->frame_names.count; i++) {
        count += p->frames[i].kind == FST_FRAME_PROCESS;
    }
    return (double)count;
}

static void find_processes(struct fst_gil_work *gil, double given)
{
    double named =
        fmax(named_processes(gil->sides[FST_SIDE_GIL]), named_processes(gil->sides[FST_SIDE_ALL]));
    gil->processes_named = given <= 0 && named > 1;
    gil->base.processes = given > 0 ? given : fmax(named, 1);
}

/* The variance of log a. Threads that are active independently of each other make no more than
 * 1/T; m threads that are all active at the same ticks make (m - a) / (a N), which is the most. */
static double variance_of_active(double samples, double active, double ticks, double threads)
{
    double independent = 1 / samples;
    double in_step = threads > 0 ? (threads - active) / (active * ticks) : 0;
    return fmax(independent, in_step);
}

static void find_share(struct fst_gil_work *gil)
{
    struct fst_gil *out = &gil->base;
    double held = fst_gil_samples(gil, FST_SIDE_GIL);
    double active = fst_gil_samples(gil, FST_SIDE_ALL);
    out->gil_share = out->held / out->active_threads;
    out->gil_share_ci = (struct fst_interval){NAN, NAN};
    if (!(out->active_threads > 0)) {
        out->gil_share = NAN;
        return;
    }
    double v =
        variance_of_active(active, out->active_threads, out->all.ticks, (double)out->threads_seen);
    if (held > 0 && out->occupancy <= 1) {
        out->gil_share_ci = fst_log_normal(out->gil_share, sqrt((1 - out->occupancy) / held + v));
    } else if (held == 0) {
        /* The most that h, over the least that a may be. */
        struct fst_interval one = fst_log_normal(out->active_threads, sqrt(v));
        out->gil_share_ci =
            (struct fst_interval){0, out->occupancy_ci.hi * out->processes / one.lo};
    }
}

static void find_figures(struct fst_gil_work *gil)
{
    struct fst_gil *out = &gil->base;
    double held = fst_gil_samples(gil, FST_SIDE_GIL);
    out->count_ratio = gil->sides[FST_SIDE_ALL] == NULL ? NAN
                                                        : ratio_of(gil->sides[FST_SIDE_GIL]->total,
                                                                   gil->sides[FST_SIDE_ALL]->total);
    out->held = held / out->gil.ticks;
    out->occupancy = out->held / out->processes;
    out->occupancy_ci = fst_occupancy_interval(held, out->gil.ticks * out->processes);
    out->active_threads = fst_gil_samples(gil, FST_SIDE_ALL) / out->all.ticks;
    out->without = out->active_threads - out->held;
    out->alive_threads = fst_gil_samples(gil, FST_SIDE_IDLE) / out->idle.ticks;
    out->blocked_threads = out->alive_threads - out->active_threads;
    find_share(gil);
}

/* Without threads in GIL's stacks the roots tell who shares the lock. */
static void find_sharing_roots(struct fst_gil_work *gil)
{
    const struct fst_profile *held = gil->sides[FST_SIDE_GIL];
    if (gil->sharers_are_threads) {
        return;
    }
    for (size_t i = 0; i < held->nroots; i++) {
        gil->sharers += ratio_of(held->roots[i].total, held->total) >= FST_GIL_SHARER;
    }
}

static enum fst_status fill(struct fst_gil_work *gil, const struct fst_gil_options *options,
                            struct fst_error *err)
{
    struct fst_gil *out = &gil->base;
    const struct fst_profile *const *sides = gil->sides;
    gil->sampled = is_sampled(sides[FST_SIDE_GIL]) && is_sampled(sides[FST_SIDE_ALL]) &&
                   is_sampled(sides[FST_SIDE_IDLE]);
    out->by = sides[FST_SIDE_GIL]->options.by;
    out->gil = make_side(sides[FST_SIDE_GIL], options->gil_ticks, gil->sampled);
    out->all = make_side(sides[FST_SIDE_ALL], options->all_ticks, gil->sampled);
    out->idle = make_side(sides[FST_SIDE_IDLE], options->idle_ticks, gil->sampled);
    find_processes(gil, options->processes);
    enum fst_status status = fst_gil_find_threads(gil, options->thread_rows, err);
    if (status != FST_OK) {
        return status;
    }
    find_figures(gil);
    find_sharing_roots(gil);
    status = find_rows(gil, options, err);
    if (status == FST_OK) {
        status = find_waits(gil, options->without_rows, err);
    }
    return status == FST_OK ? fst_gil_say(gil, err) : status;
}

static enum fst_status check_sides(const struct fst_profile *const *sides, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (int side = 0; side < FST_SIDES && status == FST_OK; side++) {
        status = sides[side] == NULL ? FST_OK : fst_check_kept(sides[side], err);
    }
    return status;
}

static bool same_question(const struct fst_profile *a, const struct fst_profile *b)
{
    return b == NULL ||
           (a->options.by == b->options.by && a->options.threads == b->options.threads);
}

enum fst_status fst_gil_new(const struct fst_profile *gil, const struct fst_profile *all,
                            const struct fst_profile *idle, const struct fst_gil_options *options,
                            struct fst_gil **out, struct fst_error *err)
{
    if (!same_question(gil, all) || !same_question(gil, idle)) {
        return fst_error_set(err, FST_ERR_USAGE, "profiles with different rows cannot be compared");
    }
    const struct fst_profile *const sides[FST_SIDES] = {gil, all, idle};
    enum fst_status status = check_sides(sides, err);
    if (status != FST_OK) {
        return status;
    }
    struct fst_gil_work *work = fst_alloc_zeroed(1, sizeof *work);
    /* Figures in sentences have a decimal point whatever the locale of the program. */
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (work == NULL || c_locale == (locale_t)0) {
        if (c_locale != (locale_t)0) {
            freelocale(c_locale);
        }
        fst_free(work);
        return fst_error_nomem(err);
    }
    locale_t before = uselocale(c_locale);
    memcpy(work->sides, sides, sizeof sides);
    fst_symtab_init(&work->names, gil->options.seed);
    status = fill(work, options, err);
    (void)uselocale(before);
    freelocale(c_locale);
    if (status != FST_OK) {
        fst_gil_free(&work->base);
        return status;
    }
    *out = &work->base;
    return FST_OK;
}

void fst_gil_free(struct fst_gil *gil)
{
    if (gil != NULL) {
        struct fst_gil_work *work = (struct fst_gil_work *)gil;
        fst_notes_release(&work->notes);
        fst_notes_release(&work->missing);
        fst_arena_release(&work->texts);
        fst_symtab_release(&work->names);
        fst_free(gil->frames.rows);
        fst_free(gil->holding.rows);
        fst_free(gil->without_it.rows);
        fst_free(gil->threads.rows);
        fst_free(gil->waits.rows);
        fst_free(work);
    }
}
