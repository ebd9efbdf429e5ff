/* The stacks that carry a row's change: rows of stacks within the row, where profiles have them. */
#include <math.h>
#include <stdlib.h>

#include "analysis/diff_parts.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/names.h"

/* A stack within a row, on its way. */
struct carrier {
    uint32_t row;
    uint32_t stack;
    fst_i128 before;
    fst_i128 after;
    double delta;
};

struct carriers {
    struct carrier *items;
    size_t count;
};

/* Rows that are shown and changed; where nothing tells, those that are shown. By row: its place among
 * the shown ones, or FST_ID_NONE. NULL without memory. */
static uint32_t *find_wanted(const struct fst_diff_work *diff)
{
    uint32_t *places = fst_alloc_zeroed(diff->joined.nrows + 1, sizeof *places);
    if (places == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        places[i] = FST_ID_NONE;
    }
    for (size_t i = 0; i < diff->base.count; i++) {
        const struct fst_diff_row *row = &diff->base.rows[i];
        if (row->significant || diff->base.test == FST_TEST_NONE) {
            places[diff->shown[i]] = (uint32_t)i;
        }
    }
    return places;
}

/* A stack without the lines of its frames, where rows are functions: lines that moved would tear stacks
 * apart. "f (a.py:3);g (b.py:7)" is "f (a.py);g (b.py)". */
static struct fst_str without_lines(struct fst_str stack, struct fst_buf *scratch)
{
    fst_buf_clear(scratch);
    for (size_t i = 0; i < stack.len; i++) {
        size_t end = i + 1;
        while (end < stack.len && (fst_is_digit(stack.data[end]) || stack.data[end] == '-')) {
            end++;
        }
        bool closes = stack.data[i] == ':' && end > i + 1 && end < stack.len &&
                      stack.data[end] == ')' &&
                      (end + 1 == stack.len || stack.data[end + 1] == ';');
        i = closes ? end : i;
        fst_buf_add_char(scratch, stack.data[i]);
    }
    return fst_buf_str(scratch);
}

/* Whether every recording has a value: without samples it has none, and nothing differs from it. */
static bool is_comparable(const struct fst_diff_work *diff)
{
    for (size_t r = 0; r < diff->nrecordings; r++) {
        if (isnan(diff->recordings[r].value)) {
            return false;
        }
    }
    return true;
}

/* A row's stack in one recording. False without memory. */
static bool add_stack(struct fst_diff_work *diff, const struct fst_diff_recording *r, uint32_t i,
                      const uint32_t *wanted, struct carriers *out, struct fst_buf *scratch)
{
    const struct fst_profile *p = r->profile;
    struct fst_str outer;
    struct fst_str stack = fst_profile_row_name(p, i, &outer);
    uint32_t row = fst_diff_row_number(diff, outer);
    fst_i128 count = diff->base.on == FST_ON_SELF ? p->rows[i].self : fst_row_total(p, i);
    if (wanted[row] == FST_ID_NONE || count == 0) {
        return true;
    }
    if (diff->base.by == FST_BY_FUNCTION) {
        stack = without_lines(stack, scratch);
    }
    size_t size = r->after ? diff->base.after.nrecordings : diff->base.before.nrecordings;
    double value = fst_count_to_double(count) * r->value / (double)size;
    struct carrier *carrier = &out->items[out->count++];
    *carrier = (struct carrier){.row = wanted[row],
                                .stack = fst_symtab_intern(&diff->stacks, stack),
                                .before = r->after ? 0 : count,
                                .after = r->after ? count : 0,
                                .delta = r->after ? value : -value};
    return carrier->stack != FST_ID_NONE && !scratch->failed;
}

static bool add_stacks(struct fst_diff_work *diff, const uint32_t *wanted, struct carriers *out)
{
    size_t room = 1;
    for (size_t r = 0; r < diff->nrecordings; r++) {
        room += diff->recordings[r].profile->nrows;
    }
    out->items = fst_alloc_zeroed(room, sizeof *out->items);
    bool comparable = is_comparable(diff);
    struct fst_buf scratch = {0};
    bool good = out->items != NULL;
    for (size_t r = 0; good && r < diff->nrecordings; r++) {
        const struct fst_profile *p = diff->recordings[r].profile;
        for (uint32_t i = 0; good && i < p->nrows; i++) {
            if (fst_row_is_inner(p, i) && p->rows[i].order != FST_NEVER) {
                good = add_stack(diff, &diff->recordings[r], i, wanted, out, &scratch);
            }
        }
    }
    for (size_t i = 0; !comparable && i < out->count; i++) {
        out->items[i].delta = NAN;
    }
    fst_buf_release(&scratch);
    return good;
}

static int by_place(const void *left, const void *right)
{
    const struct carrier *a = left;
    const struct carrier *b = right;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    return (a->stack > b->stack) - (a->stack < b->stack);
}

/* Adds up what is of the same stack of the same row. */
static void unite(struct carriers *c)
{
    if (c->count == 0) {
        return;
    }
    qsort(c->items, c->count, sizeof *c->items, by_place);
    size_t last = 0;
    for (size_t i = 1; i < c->count; i++) {
        struct carrier *to = &c->items[last];
        if (by_place(to, &c->items[i]) != 0) {
            c->items[++last] = c->items[i];
            continue;
        }
        to->before += c->items[i].before;
        to->after += c->items[i].after;
        to->delta += c->items[i].delta;
    }
    c->count = last + 1;
}

static double size_of(const struct fst_diff_path *path)
{
    return isnan(path->delta) ? 0 : fabs(path->delta);
}

static int by_delta(const void *left, const void *right)
{
    const struct fst_diff_path *a = left;
    const struct fst_diff_path *b = right;
    if (size_of(a) != size_of(b)) {
        return size_of(a) > size_of(b) ? -1 : 1;
    }
    return fst_str_cmp(a->stack, b->stack);
}

/* Hands each row its stacks, those that carry most first. */
static void hand_out(struct fst_diff_work *diff, const struct carriers *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct carrier *from = &c->items[i];
        diff->paths[i] =
            (struct fst_diff_path){.stack = fst_symtab_name(&diff->stacks, from->stack),
                                   .before = fst_count_pack(from->before),
                                   .after = fst_count_pack(from->after),
                                   .delta = from->delta};
    }
    for (size_t i = 0; i < c->count;) {
        size_t end = i;
        while (end < c->count && c->items[end].row == c->items[i].row) {
            end++;
        }
        qsort(diff->paths + i, end - i, sizeof *diff->paths, by_delta);
        struct fst_diff_row *row = &diff->base.rows[c->items[i].row];
        row->paths = diff->paths + i;
        row->npaths = end - i < diff->options.paths ? end - i : diff->options.paths;
        i = end;
    }
}

enum fst_status fst_diff_find_paths(struct fst_diff_work *diff, struct fst_error *err)
{
    struct carriers carriers = {0};
    uint32_t *wanted = find_wanted(diff);
    bool good = wanted != NULL && add_stacks(diff, wanted, &carriers);
    if (good) {
        unite(&carriers);
        diff->paths = fst_alloc_zeroed(carriers.count + 1, sizeof *diff->paths);
        good = diff->paths != NULL;
    }
    if (good) {
        hand_out(diff, &carriers);
    }
    fst_free(carriers.items);
    fst_free(wanted);
    return good ? FST_OK : fst_error_nomem(err);
}
