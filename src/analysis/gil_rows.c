/* Rows of two recordings, side by side, and the tables that they make.
 *
 *     GIL        upload_* 239         MainThread 12
 *     ALL        upload_* 880         MainThread 260     [no thread] 7
 *     rows       upload_* 239 880     MainThread 12 260  [no thread] 0 7
 *
 * Rows are matched by their names, and rows within rows by both names. */
#include <math.h>
#include <stdlib.h>

#include "analysis/gil_parts.h"
#include "analysis/statistics.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"

/* Those that are compared row by row. */
enum { COMPARED = 2 };

/* --- one row --------------------------------------------------------------------------------- */

static enum fst_gil_label label_of(struct fst_interval ratio)
{
    if (isnan(ratio.lo)) {
        return FST_GIL_NO_LABEL;
    }
    return ratio.lo > 0.5 ? FST_GIL_HOLDS : ratio.hi < 0.5 ? FST_GIL_RELEASES : FST_GIL_UNCLEAR;
}

/* What both recordings have of a row. */
struct both {
    const struct fst_candidate *row; /* in one of them */
    fst_i128 held;
    fst_i128 active;
    uint64_t members;
};

static void add_held(struct both *both, const struct fst_candidate *row)
{
    both->row = row;
    both->held = row->self;
    both->members = row->members;
}

static void add_active(struct both *both, const struct fst_candidate *row)
{
    both->row = row;
    both->active = row->self;
    both->members = row->members > both->members ? row->members : both->members;
}

static struct fst_gil_row make_row(const struct fst_gil_work *gil, const struct both *both)
{
    fst_i128 g = both->held;
    fst_i128 t = both->active;
    double held_ticks = gil->base.gil.ticks;
    double active_ticks = gil->base.all.ticks;
    struct fst_gil_row row = {
        .name = both->row->name,
        .outer = both->row->outer,
        .within = both->row->within,
        .members = both->members > 1 ? both->members : 0,
        .gil = fst_count_pack(g),
        .all = fst_count_pack(t),
        .gil_share = fst_gil_share_of(gil, FST_SIDE_GIL, g),
        .all_share = fst_gil_share_of(gil, FST_SIDE_ALL, t),
        .held = fst_count_to_double(g) / held_ticks,
        .active = fst_count_to_double(t) / active_ticks,
    };
    row.without = row.active - row.held;
    row.ratio = t == 0 ? NAN : row.held / row.active;
    struct fst_interval odds = {NAN, NAN};
    if (!isnan(held_ticks) && !isnan(active_ticks)) {
        odds = fst_odds_interval(fst_count_to_double(g), fst_count_to_double(t));
    }
    double scale = active_ticks / held_ticks;
    row.ratio_ci = (struct fst_interval){odds.lo * scale, odds.hi * scale};
    row.label = label_of(row.ratio_ci);
    return row;
}

/* Goes through the rows of both in the order of names; rows has room for all of them. */
static size_t join_rows(struct fst_gil_work *gil, struct fst_gil_row *rows)
{
    const struct fst_candidates *held = &gil->rows[FST_SIDE_GIL];
    const struct fst_candidates *active = &gil->rows[FST_SIDE_ALL];
    size_t count = 0;
    size_t g = 0;
    size_t t = 0;
    while (g < held->count || t < active->count) {
        int order = g == held->count ? 1
                    : t == active->count
                        ? -1
                        : fst_candidates_compare(&held->items[g], &active->items[t]);
        struct both both = {0};
        if (order <= 0) {
            add_held(&both, &held->items[g]);
        }
        if (order >= 0) {
            add_active(&both, &active->items[t]);
        }
        rows[count++] = make_row(gil, &both);
        gil->rows_meet = gil->rows_meet || order == 0;
        g += order <= 0;
        t += order >= 0;
    }
    return count;
}

/* --- order ----------------------------------------------------------------------------------- */

static int compare_places(const struct fst_gil_row *a, const struct fst_gil_row *b)
{
    if (a->within != b->within) {
        return a->within ? 1 : -1;
    }
    return a->within ? fst_str_cmp(a->outer, b->outer) : 0;
}

static int by_held(const void *left, const void *right)
{
    const struct fst_gil_row *a = left;
    const struct fst_gil_row *b = right;
    int order = compare_places(a, b);
    order = order != 0 ? order : fst_gil_compare_counts(a->gil, b->gil);
    order = order != 0 ? order : fst_gil_compare_counts(a->all, b->all);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static int by_without(const void *left, const void *right)
{
    const struct fst_gil_row *a = left;
    const struct fst_gil_row *b = right;
    int order = compare_places(a, b);
    order = order != 0 ? order : (a->without < b->without) - (a->without > b->without);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

/* --- tables ---------------------------------------------------------------------------------- */

/* A table: which rows belong into it, by which share they are small, and their order. */
struct choice {
    bool (*wanted)(const struct fst_gil_row *row);
    double (*share)(const struct fst_gil_row *row);
    int (*compare)(const void *, const void *);
    size_t most; /* rows; 0: all */
};

static bool is_any(const struct fst_gil_row *row)
{
    (void)row;
    return true;
}

static bool holds_some(const struct fst_gil_row *row)
{
    return fst_count_unpack(row->gil) > 0;
}

static bool runs_without(const struct fst_gil_row *row)
{
    return row->without > 0 && row->label != FST_GIL_HOLDS;
}

static double held_share(const struct fst_gil_row *row)
{
    return row->gil_share;
}

static double active_share(const struct fst_gil_row *row)
{
    return row->all_share;
}

static double larger_share(const struct fst_gil_row *row)
{
    return fmax(row->gil_share, row->all_share);
}

/* Appends the first of some sorted rows, at most so many (0: all), but none that is too small. */
static size_t take_rows(const struct fst_gil_work *gil, const struct choice *choice,
                        const struct fst_gil_row *from, size_t count, size_t most,
                        struct fst_gil_table *out)
{
    size_t taken = 0;
    for (size_t i = 0; i < count && (most == 0 || taken < most); i++) {
        if (!(choice->share(&from[i]) < gil->base.least_share)) {
            out->rows[out->count++] = from[i];
            taken++;
        }
    }
    return taken;
}

/* Where the rows within a row begin among those that lie within any; *count gets their number. */
static size_t find_within(const struct fst_gil_row *rows, size_t nrows, struct fst_str outer,
                          size_t *count)
{
    size_t low = 0;
    size_t high = nrows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fst_str_cmp(rows[middle].outer, outer) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < nrows && fst_str_eq(rows[end].outer, outer)) {
        end++;
    }
    *count = end - low;
    return low;
}

/* Takes rows, and behind each the rows within it. sorted: first out->of rows that lie within none. */
static void take_nested(const struct fst_gil_work *gil, const struct choice *choice,
                        const struct fst_gil_row *sorted, size_t count, size_t inner_rows,
                        struct fst_gil_table *out)
{
    const struct fst_gil_row *inner = sorted + out->of;
    for (size_t i = 0; i < out->of && (choice->most == 0 || out->shown < choice->most); i++) {
        size_t place = out->count;
        if (take_rows(gil, choice, &sorted[i], 1, 1, out) == 0) {
            continue;
        }
        size_t within;
        size_t first = find_within(inner, count - out->of, sorted[i].name, &within);
        out->rows[place].of = within;
        out->shown++;
        (void)take_rows(gil, choice, inner + first, within, inner_rows, out);
    }
}

/* Makes a table of some rows; scratch has room for all of them. */
static bool fill_table(const struct fst_gil_work *gil, const struct choice *choice,
                       const struct fst_gil_row *rows, size_t count, size_t inner_rows,
                       struct fst_gil_row *scratch, struct fst_gil_table *out)
{
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        if (choice->wanted(&rows[i])) {
            scratch[wanted++] = rows[i];
            out->of += !rows[i].within;
        }
    }
    out->rows = fst_alloc_zeroed(wanted + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return false;
    }
    if (wanted > 0) {
        qsort(scratch, wanted, sizeof *scratch, choice->compare);
    }
    take_nested(gil, choice, scratch, wanted, inner_rows, out);
    return true;
}

static bool fill_tables(struct fst_gil_work *gil, const struct fst_gil_options *options,
                        struct fst_gil_row *rows, size_t count, struct fst_gil_row *scratch)
{
    const struct choice frames = {is_any, larger_share, by_held, options->frame_rows};
    const struct choice holding = {holds_some, held_share, by_held, options->frame_rows};
    const struct choice without = {runs_without, active_share, by_without, options->without_rows};
    struct fst_gil *out = &gil->base;
    size_t inner = options->inner_rows;
    return fill_table(gil, &frames, rows, count, inner, scratch, &out->frames) &&
           fill_table(gil, &holding, rows, count, inner, scratch, &out->holding) &&
           fill_table(gil, &without, rows, count, inner, scratch, &out->without_it);
}

enum fst_status fst_gil_find_rows(struct fst_gil_work *gil, const struct fst_gil_options *options,
                                  struct fst_error *err)
{
    const struct fst_compared compared = {gil->sides, FST_SIDES};
    const struct fst_top_options leaves = {.sort = FST_SORT_SELF};
    size_t room = 1;
    for (int side = 0; side < COMPARED; side++) {
        if (gil->sides[side] == NULL) {
            continue;
        }
        enum fst_status status =
            fst_candidates_of_leaves(&gil->rows[side], gil->sides[side], &compared, &leaves, err);
        if (status != FST_OK) {
            return status;
        }
        fst_candidates_sort_names(&gil->rows[side]);
        room += gil->rows[side].count;
    }
    struct fst_gil_row *rows = fst_alloc_zeroed(room, sizeof *rows);
    struct fst_gil_row *scratch = fst_alloc_zeroed(room, sizeof *scratch);
    bool good = rows != NULL && scratch != NULL &&
                fill_tables(gil, options, rows, join_rows(gil, rows), scratch);
    fst_free(rows);
    fst_free(scratch);
    return good ? FST_OK : fst_error_nomem(err);
}
