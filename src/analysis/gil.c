/* Who holds the GIL: from counts with different clocks to figures by sampling ticks.
 *
 *     GIL   G samples in N_g ticks    h = G / N_g   held: 0 or 1 thread a tick (and process)
 *     ALL   T samples in N_t ticks    a = T / N_t   active: any number of threads a tick
 *     IDLE  I samples in N_i ticks    I / N_i       alive
 *
 *     q = h / a is the share of active thread time that held the lock; a - h threads ran without it.
 *
 * G / T has none of these meanings unless N_g = N_t. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fold.h"
#include "analysis/gil_parts.h"
#include "analysis/kept.h"
#include "analysis/recording.h"
#include "analysis/statistics.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/numeric.h"
#include "model/selection.h"

double fst_gil_share_of(const struct fst_gil_work *gil, enum fst_gil_which side, fst_i128 sum)
{
    const struct fst_profile *p = gil->sides[side];
    if (p == NULL) {
        return NAN;
    }
    fst_i128 whole = gil->base.percent_of == FST_OF_ALL ? p->offered : p->total;
    return whole == 0 ? NAN : fst_count_to_double(sum) / fst_count_to_double(whole);
}

/* --- waits ---------------------------------------------------------------------------------- */

static int by_waiting(const void *left, const void *right)
{
    const struct fst_gil_wait *a = left;
    const struct fst_gil_wait *b = right;
    int order = fst_gil_compare_counts(a->all, b->all);
    order = order != 0 ? order : fst_gil_compare_counts(a->idle, b->idle);
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

static struct fst_gil_side make_side(const struct fst_gil_work *gil, enum fst_gil_which side,
                                     double ticks)
{
    const struct fst_profile *p = gil->sides[side];
    if (p == NULL) {
        return (struct fst_gil_side){.ticks = NAN};
    }
    ticks = ticks > 0 ? ticks : fst_recording_ticks(p);
    return (struct fst_gil_side){.inputs = p->inputs,
                                 .ninputs = p->ninputs,
                                 .samples = fst_count_pack(p->total),
                                 .offered = fst_count_pack(p->offered),
                                 .whole = fst_count_pack(fst_gil_whole(gil, side)),
                                 .ticks = gil->sampled ? ticks : NAN};
}

/* How many processes the stacks name: of those that are asked for, where a filter picks some. */
static enum fst_status count_processes(const struct fst_profile *p, double *most,
                                       struct fst_error *err)
{
    struct fst_matcher matcher = {0};
    enum fst_status status = FST_OK;
    size_t count = 0;
    for (uint32_t i = 0; p != NULL && i < p->frame_names.count && status == FST_OK; i++) {
        const struct fst_selection *s = p->options.selection;
        bool wanted = p->frames[i].kind == FST_FRAME_PROCESS;
        if (wanted && s != NULL && s->filter.process != NULL) {
            status = fst_pattern_match(s->filter.process, &matcher,
                                       fst_symtab_name(&p->frame_names, i), &wanted, err);
        }
        count += wanted;
    }
    fst_matcher_release(&matcher);
    *most = fmax(*most, (double)count);
    return status;
}

static enum fst_status find_processes(struct fst_gil_work *gil, double given, struct fst_error *err)
{
    double named = 0;
    enum fst_status status = count_processes(gil->sides[FST_SIDE_GIL], &named, err);
    if (status == FST_OK) {
        status = count_processes(gil->sides[FST_SIDE_ALL], &named, err);
    }
    gil->processes_named = given <= 0 && named > 1;
    gil->base.processes = given > 0 ? given : fmax(named, 1);
    return status;
}

/* The variance of log a. Threads that are active independently of each other make no more than
 * 1/T; m threads that are all active at the same ticks make (m - a) / (a N), which is the most. */
static double variance_of_active(double samples, double active, double ticks, double threads)
{
    double independent = 1 / samples;
    double in_step = threads > 0 ? (threads - active) / (active * ticks) : 0;
    return fmax(independent, in_step);
}

/* Of so many samples held and active, and so many threads that were seen active. */
static void find_share(const struct fst_gil *gil, double held, double active, uint64_t threads,
                       struct fst_gil_figures *out)
{
    out->gil_share = out->held / out->active_threads;
    out->gil_share_ci = (struct fst_interval){NAN, NAN};
    if (!(out->active_threads > 0)) {
        out->gil_share = NAN;
        return;
    }
    double v = variance_of_active(active, out->active_threads, gil->all.ticks, (double)threads);
    if (held > 0 && out->occupancy <= 1) {
        out->gil_share_ci = fst_log_normal(out->gil_share, sqrt((1 - out->occupancy) / held + v));
    } else if (held == 0) {
        /* The most that h, over the least that a may be. */
        struct fst_interval one = fst_log_normal(out->active_threads, sqrt(v));
        out->gil_share_ci =
            (struct fst_interval){0, out->occupancy_ci.hi * gil->processes / one.lo};
    }
}

static struct fst_gil_figures figures_of(const struct fst_gil *gil, fst_i128 held_sum,
                                         fst_i128 active_sum, uint64_t threads)
{
    struct fst_gil_figures out;
    double held = fst_count_to_double(held_sum);
    double active = fst_count_to_double(active_sum);
    out.held = held / gil->gil.ticks;
    out.occupancy = out.held / gil->processes;
    out.occupancy_ci = fst_occupancy_interval(held, gil->gil.ticks * gil->processes);
    out.active_threads = active / gil->all.ticks;
    out.without = out.active_threads - out.held;
    find_share(gil, held, active, threads, &out);
    return out;
}

/* The sum of ALL's stacks that wait for a lock in native frames, whatever filters keep. */
static fst_i128 waiting_of(const struct fst_profile *all)
{
    fst_i128 sum = 0;
    if (all == NULL || all->keeps_whole) {
        return all == NULL ? 0 : all->whole.waiting;
    }
    for (size_t i = 0; i < all->waits.names.count; i++) {
        sum += all->waits.totals[i];
    }
    return sum;
}

static void find_figures(struct fst_gil_work *gil)
{
    struct fst_gil *out = &gil->base;
    fst_i128 held = fst_gil_kept(gil, FST_SIDE_GIL);
    fst_i128 active = fst_gil_kept(gil, FST_SIDE_ALL);
    fst_i128 all_held = fst_gil_whole(gil, FST_SIDE_GIL);
    fst_i128 all_active = fst_gil_whole(gil, FST_SIDE_ALL);
    bool ratio = gil->sides[FST_SIDE_ALL] != NULL && active != 0;
    out->count_ratio = ratio ? fst_count_to_double(held) / fst_count_to_double(active) : NAN;
    out->kept = figures_of(out, held, active, out->threads_seen);
    out->whole = figures_of(out, all_held, all_active, gil->whole_threads_seen);
    out->alive_threads = fst_count_to_double(fst_gil_kept(gil, FST_SIDE_IDLE)) / out->idle.ticks;
    out->blocked_threads = out->alive_threads - out->kept.active_threads;
    gil->whole_waiting = fst_count_to_double(waiting_of(gil->sides[FST_SIDE_ALL])) / out->all.ticks;
    for (int side = 0; side < FST_SIDES; side++) {
        out->filtered = out->filtered || fst_gil_kept(gil, (enum fst_gil_which)side) !=
                                             fst_gil_whole(gil, (enum fst_gil_which)side);
    }
}

/* Without threads in GIL's stacks the roots tell who shares the lock. */
static void find_sharing_roots(struct fst_gil_work *gil)
{
    const struct fst_profile *held = gil->sides[FST_SIDE_GIL];
    double least = fst_count_to_double(fst_gil_whole(gil, FST_SIDE_GIL)) * FST_GIL_SHARER;
    if (gil->sharers_are_threads || !(least > 0)) {
        return;
    }
    size_t count = held->keeps_whole ? held->whole.roots.names.count : held->nroots;
    for (size_t i = 0; i < count; i++) {
        fst_i128 total = held->keeps_whole ? held->whole.roots.totals[i] : held->roots[i].total;
        gil->sharers += fst_count_to_double(total) >= least;
    }
}

/* What was asked for, as far as words need it. */
static void note_question(struct fst_gil *out, const struct fst_profile *p,
                          const struct fst_gil_options *options)
{
    out->by = p->options.by;
    out->nested = p->options.nested;
    out->inner = p->options.inner;
    out->percent_of = options->percent_of;
    out->least_share = options->least_share;
    if (p->options.selection != NULL) {
        out->asked = p->options.selection->asked;
        out->nasked = p->options.selection->nasked;
    }
}

/* Of the recordings that are compared row by row: of IDLE no row is shown, and threads are always
 * folded. */
static enum fst_status count_foldable(struct fst_gil_work *gil, struct fst_error *err)
{
    struct fst_gil_side *const sides[] = {&gil->base.gil, &gil->base.all};
    bool good = true;
    for (int i = 0; i < (int)FST_COUNT_OF(sides) && good; i++) {
        good = gil->sides[i] == NULL ||
               fst_fold_count(gil->sides[i], &sides[i]->foldable, &sides[i]->foldable_of);
    }
    return good ? FST_OK : fst_error_nomem(err);
}

static enum fst_status fill(struct fst_gil_work *gil, const struct fst_gil_options *options,
                            struct fst_error *err)
{
    struct fst_gil *out = &gil->base;
    const struct fst_profile *const *sides = gil->sides;
    gil->sampled = is_sampled(sides[FST_SIDE_GIL]) && is_sampled(sides[FST_SIDE_ALL]) &&
                   is_sampled(sides[FST_SIDE_IDLE]);
    note_question(out, sides[FST_SIDE_GIL], options);
    out->gil = make_side(gil, FST_SIDE_GIL, options->gil_ticks);
    out->all = make_side(gil, FST_SIDE_ALL, options->all_ticks);
    out->idle = make_side(gil, FST_SIDE_IDLE, options->idle_ticks);
    enum fst_status status = find_processes(gil, options->processes, err);
    if (status == FST_OK) {
        status = fst_gil_find_threads(gil, options->thread_rows, err);
    }
    if (status != FST_OK) {
        return status;
    }
    find_figures(gil);
    find_sharing_roots(gil);
    status = count_foldable(gil, err);
    if (status == FST_OK) {
        status = fst_gil_find_rows(gil, options, err);
    }
    if (status == FST_OK) {
        status = find_waits(gil, options->without_rows, err);
    }
    return status == FST_OK ? fst_gil_say(gil, err) : status;
}

static bool same_question(const struct fst_profile *a, const struct fst_profile *b)
{
    return b == NULL ||
           (a->options.by == b->options.by && a->options.nested == b->options.nested &&
            a->options.inner == b->options.inner && a->options.threads == b->options.threads &&
            a->options.selection == b->options.selection);
}

enum fst_status fst_gil_new(const struct fst_profile *gil, const struct fst_profile *all,
                            const struct fst_profile *idle, const struct fst_gil_options *options,
                            struct fst_gil **out, struct fst_error *err)
{
    if (!same_question(gil, all) || !same_question(gil, idle)) {
        return fst_error_set(err, FST_ERR_USAGE, "profiles with different rows cannot be compared");
    }
    const struct fst_profile *const sides[FST_SIDES] = {gil, all, idle};
    enum fst_status status = fst_check_kept(sides, FST_SIDES, err);
    if (status != FST_OK) {
        return status;
    }
    struct fst_gil_work *work = fst_alloc_zeroed(1, sizeof *work);
    struct fst_numeric locale; /* figures in sentences have a decimal point */
    if (work == NULL || !fst_numeric_enter(&locale)) {
        fst_free(work);
        return fst_error_nomem(err);
    }
    memcpy(work->sides, sides, sizeof sides);
    fst_symtab_init(&work->names, gil->options.seed);
    status = fill(work, options, err);
    fst_numeric_leave(&locale);
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
        fst_candidates_release(&work->rows[FST_SIDE_GIL]);
        fst_candidates_release(&work->rows[FST_SIDE_ALL]);
        fst_free(gil->frames.rows);
        fst_free(gil->holding.rows);
        fst_free(gil->without_it.rows);
        fst_free(gil->threads.rows);
        fst_free(gil->waits.rows);
        fst_free(work);
    }
}
