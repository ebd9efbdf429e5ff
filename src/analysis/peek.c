/* What is around the rows that match: who calls them, whom they call, on which lines, on the way of
 * which stacks. */
#include <math.h>
#include <stdlib.h>

#include "analysis/kept.h"
#include "analysis/notes.h"
#include "analysis/peek_walk.h"
#include "analysis/scope.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/names.h"

/* The public result, and what it owns. */
struct peek {
    struct fst_peek base;
    struct fst_notes notes;
    struct fst_arena arena; /* the pattern, and frames of stacks */
};

/* What is asked for, under way. */
struct search {
    struct peek *peek;
    const struct fst_profile *profile;
    const struct fst_peek_options *options;
    struct fst_surroundings around;
    uint32_t *rows; /* that match */
    size_t nrows;
};

static double share(struct fst_count part, struct fst_count whole)
{
    double of = fst_count_value(whole);
    return of == 0 ? NAN : fst_count_value(part) / of;
}

static size_t at_most(size_t count, size_t most)
{
    return most > 0 && most < count ? most : count;
}

/* --- which rows -------------------------------------------------------------------------------- */

/* A row on its way into the order of matches. */
struct candidate {
    fst_i128 total;
    struct fst_str name;
    uint32_t row;
};

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->total != b->total) {
        return a->total > b->total ? -1 : 1;
    }
    return fst_str_cmp(a->name, b->name);
}

/* Gathers the rows that match, in their order. Other names are offered to nearest. */
static enum fst_status find_candidates(struct search *search, const struct fst_pattern *pattern,
                                       struct candidate *out, size_t *count,
                                       struct fst_nearest *nearest, struct fst_error *err)
{
    const struct fst_profile *p = search->profile;
    struct fst_matcher matcher = {0};
    enum fst_status status = FST_OK;
    *count = 0;
    for (uint32_t row = 0; row < p->nrows && status == FST_OK; row++) {
        struct fst_str name = fst_profile_row_name(p, row, NULL);
        bool matched = false;
        if (p->rows[row].order == FST_NEVER) {
            continue;
        }
        status = fst_pattern_match(pattern, &matcher, name, &matched, err);
        if (matched) {
            out[(*count)++] = (struct candidate){fst_row_total(p, row), name, row};
        } else {
            fst_nearest_offer(nearest, name);
        }
    }
    fst_matcher_release(&matcher);
    qsort(out, *count, sizeof *out, compare_candidates);
    return status;
}

static enum fst_status refuse(const struct search *search, const struct fst_nearest *nearest,
                              struct fst_error *err)
{
    static const char *const kinds[] = {[FST_BY_FRAME] = "frame",
                                        [FST_BY_FUNCTION] = "function",
                                        [FST_BY_LINE] = "line",
                                        [FST_BY_FILE] = "file",
                                        [FST_BY_MODULE] = "module"};
    struct fst_buf message = {0};
    fst_kept_describe(&message, kinds[search->profile->options.by], search->options->pattern,
                      nearest);
    enum fst_status status = fst_kept_refuse(&message, err);
    fst_buf_release(&message);
    return status;
}

static enum fst_status choose(struct search *search, const struct fst_pattern *pattern,
                              struct fst_error *err)
{
    struct fst_peek *out = &search->peek->base;
    struct candidate *found = fst_alloc_zeroed(search->profile->nrows + 1, sizeof *found);
    search->rows = fst_alloc_zeroed(search->profile->nrows + 1, sizeof *search->rows);
    struct fst_nearest nearest;
    fst_nearest_init(&nearest, search->options->pattern);
    enum fst_status status = found == NULL || search->rows == NULL
                                 ? fst_error_nomem(err)
                                 : find_candidates(search, pattern, found, &out->of, &nearest, err);
    if (status == FST_OK && out->of == 0 && search->profile->samples > 0) {
        status = refuse(search, &nearest, err);
    }
    search->nrows = at_most(out->of, search->options->matches);
    for (size_t i = 0; status == FST_OK && i < search->nrows; i++) {
        search->rows[i] = found[i].row;
    }
    fst_free(found);
    return status;
}

/* --- links ------------------------------------------------------------------------------------- */

static int compare_links(const void *left, const void *right)
{
    const struct fst_peek_link *a = left;
    const struct fst_peek_link *b = right;
    fst_i128 fall = fst_count_unpack(a->total) - fst_count_unpack(b->total);
    return fall != 0 ? (fall > 0 ? -1 : 1) : fst_str_cmp(a->name, b->name);
}

static struct fst_pair pair_at(const struct fst_surroundings *around, size_t i)
{
    struct fst_pair pair;
    memcpy(&pair, around->pairs.symbols[i]->name, sizeof pair);
    return pair;
}

/* Counts the links of every match, or files them where there is room. callers: who calls it. */
static void gather_links(struct search *search, bool callers, bool file)
{
    const struct fst_surroundings *around = &search->around;
    for (size_t i = 0; i < around->pairs.count; i++) {
        struct fst_pair pair = pair_at(around, i);
        uint32_t spot = around->spot_of[callers ? pair.inner : pair.outer];
        if (spot == FST_NO_NODE) {
            continue;
        }
        struct fst_peek_match *match = &search->peek->base.matches[spot];
        struct fst_peek_links *links = callers ? &match->callers : &match->callees;
        if (file) {
            struct fst_count total = fst_count_pack(around->links[i].total);
            links->rows[links->count++] = (struct fst_peek_link){
                fst_profile_row_name(search->profile, callers ? pair.outer : pair.inner, NULL),
                total, share(total, match->total)};
        } else {
            links->of++;
        }
    }
}

static bool fill_links(struct search *search, bool callers)
{
    struct fst_peek *peek = &search->peek->base;
    gather_links(search, callers, false);
    for (size_t i = 0; i < peek->count; i++) {
        struct fst_peek_links *links =
            callers ? &peek->matches[i].callers : &peek->matches[i].callees;
        links->rows = fst_alloc_zeroed(links->of + 1, sizeof *links->rows);
        if (links->rows == NULL) {
            return false;
        }
    }
    gather_links(search, callers, true);
    for (size_t i = 0; i < peek->count; i++) {
        struct fst_peek_links *links =
            callers ? &peek->matches[i].callers : &peek->matches[i].callees;
        qsort(links->rows, links->count, sizeof *links->rows, compare_links);
        links->count = at_most(links->count, search->options->links);
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------- */

static int compare_lines_by_total(const void *left, const void *right)
{
    const struct fst_peek_line *a = left;
    const struct fst_peek_line *b = right;
    fst_i128 fall = fst_count_unpack(a->total) - fst_count_unpack(b->total);
    return fall != 0 ? (fall > 0 ? -1 : 1) : fst_str_cmp(a->name, b->name);
}

static long long number_of(struct fst_str line)
{
    char text[24] = {0};
    memcpy(text, line.data, line.len < sizeof text - 1 ? line.len : sizeof text - 1);
    return strtoll(text, NULL, 10);
}

static int compare_lines_by_number(const void *left, const void *right)
{
    const struct fst_peek_line *a = left;
    const struct fst_peek_line *b = right;
    long long x = number_of(a->line);
    long long y = number_of(b->line);
    return x != y ? (x < y ? -1 : 1) : fst_str_cmp(a->name, b->name);
}

/* Files the line of a frame, once. */
static bool file_line(struct search *search, uint32_t frame)
{
    const struct fst_profile *p = search->profile;
    struct fst_once *once = &search->around.lines[fst_line_of_frame(p, frame)];
    uint32_t spot = search->around.spot_of[p->frames[frame].row];
    if (!once->seen || spot == FST_NO_NODE) {
        return true;
    }
    once->seen = false;
    struct fst_peek_match *match = &search->peek->base.matches[spot];
    struct fst_peek_lines *lines = &match->lines;
    void *rows = lines->rows;
    if (fst_grow(&rows, &lines->of, lines->count + 1, sizeof *lines->rows) != 0) {
        return false;
    }
    struct fst_str name = fst_profile_spoken(p, frame);
    struct fst_frame_parts parts = fst_names_read(p, frame, name);
    bool split = parts.kind == FST_FRAME_SPLIT && parts.line.len > 0;
    lines->rows = rows;
    lines->rows[lines->count++] = (struct fst_peek_line){
        .name = name,
        .line = split ? parts.line : FST_STR(""),
        .self = fst_count_pack(once->self),
        .total = fst_count_pack(once->total),
        .self_share = share(fst_count_pack(once->self), match->total),
        .total_share = share(fst_count_pack(once->total), match->total),
    };
    return true;
}

/* Sorts and cuts the lines of a match; there are none where no frame has one. */
static void order_lines(struct fst_peek_lines *lines, size_t most)
{
    bool any = false;
    for (size_t i = 0; i < lines->count; i++) {
        any = any || lines->rows[i].line.len > 0;
    }
    lines->of = any ? lines->count : 0;
    lines->count = at_most(lines->of, most);
    if (any) {
        qsort(lines->rows, lines->of, sizeof *lines->rows, compare_lines_by_total);
        qsort(lines->rows, lines->count, sizeof *lines->rows, compare_lines_by_number);
    }
}

static bool fill_lines(struct search *search)
{
    const struct fst_profile *p = search->profile;
    if (p->options.by != FST_BY_FUNCTION && p->options.by != FST_BY_FILE) {
        return true;
    }
    if (!fst_surroundings_gather_lines(&search->around)) {
        return false;
    }
    for (uint32_t frame = 0; frame < p->frame_names.count; frame++) {
        if (!file_line(search, frame)) {
            return false;
        }
    }
    struct fst_peek *peek = &search->peek->base;
    for (size_t i = 0; i < peek->count; i++) {
        order_lines(&peek->matches[i].lines, search->options->lines);
    }
    return true;
}

/* --- stacks ------------------------------------------------------------------------------------ */

static int compare_stacks(const void *left, const void *right)
{
    const struct fst_heavy *a = left;
    const struct fst_heavy *b = right;
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

/* The names on the way to the end of a chain. */
static bool name_stack(struct search *search, uint32_t chain, struct fst_peek_stack *out)
{
    const struct fst_calltree *tree = &search->around.calls;
    for (uint32_t id = chain; id != 0; id = tree->chains[id].parent) {
        out->nframes += tree->chains[id].length;
    }
    size_t size = out->nframes * sizeof(struct fst_str);
    struct fst_str *names = fst_arena_alloc(&search->peek->arena, size);
    if (names == NULL) {
        return false;
    }
    size_t left = out->nframes;
    for (uint32_t id = chain; id != 0; id = tree->chains[id].parent) {
        for (size_t i = tree->chains[id].length; i-- > 0;) {
            uint32_t row = fst_calltree_names(tree, tree->chains[id].first)[i];
            names[--left] = fst_profile_row_name(search->profile, row, NULL);
        }
    }
    out->frames = names;
    return true;
}

static bool fill_stacks(struct search *search, struct fst_peek_match *match, struct fst_spot *spot)
{
    struct fst_peek_stacks *stacks = &match->stacks;
    stacks->of = spot->stacks_of;
    stacks->rows = fst_alloc_zeroed(spot->nstacks + 1, sizeof *stacks->rows);
    if (stacks->rows == NULL) {
        return false;
    }
    if (spot->nstacks > 1) {
        qsort(spot->stacks, spot->nstacks, sizeof *spot->stacks, compare_stacks);
    }
    for (; stacks->count < spot->nstacks; stacks->count++) {
        const struct fst_heavy *heavy = &spot->stacks[stacks->count];
        struct fst_peek_stack *row = &stacks->rows[stacks->count];
        row->count = fst_count_pack(heavy->count);
        row->share = share(row->count, match->total);
        if (!name_stack(search, heavy->chain, row)) {
            return false;
        }
    }
    return true;
}

/* --- the whole --------------------------------------------------------------------------------- */

static void fill_match(const struct search *search, size_t i)
{
    const struct fst_profile *p = search->profile;
    uint32_t row = search->rows[i];
    struct fst_peek *peek = &search->peek->base;
    struct fst_peek_match *match = &peek->matches[i];
    match->name = fst_profile_row_name(p, row, NULL);
    match->self = fst_count_pack(p->rows[row].self);
    match->total = fst_count_pack(fst_row_total(p, row));
    match->self_share = fst_scope_share(&peek->scope, match->self);
    match->total_share = fst_scope_share(&peek->scope, match->total);
    match->begins = fst_count_pack(search->around.spots[i].begins);
    match->begins_share = share(match->begins, match->total);
    match->ends_share = share(match->self, match->total);
}

static bool fill_matches(struct search *search)
{
    struct fst_peek *peek = &search->peek->base;
    search->around.stacks_most = search->options->stacks;
    peek->matches = fst_alloc_zeroed(search->nrows + 1, sizeof *peek->matches);
    if (peek->matches == NULL || !fst_surroundings_gather(&search->around)) {
        return false;
    }
    for (; peek->count < search->nrows; peek->count++) {
        fill_match(search, peek->count);
    }
    bool good = fill_links(search, true) && fill_links(search, false) && fill_lines(search);
    for (size_t i = 0; good && i < peek->count; i++) {
        good = fill_stacks(search, &peek->matches[i], &search->around.spots[i]);
    }
    return good;
}

static bool describe(struct search *search)
{
    struct peek *peek = search->peek;
    peek->base.by = search->profile->options.by;
    peek->base.pattern = fst_arena_copy(&peek->arena, search->options->pattern);
    fst_notes_on_profile(&peek->notes, search->profile);
    peek->base.notes = peek->notes.items;
    peek->base.nnotes = peek->notes.count;
    return peek->base.pattern.data != NULL && !peek->notes.failed &&
           fst_scope_fill(&peek->base.scope, search->profile, search->options->percent_of);
}

static enum fst_status fill(struct search *search, struct fst_error *err)
{
    struct fst_pattern *pattern = NULL;
    enum fst_status status = fst_pattern_new(search->options->pattern, &pattern, NULL, err);
    if (status == FST_OK && !describe(search)) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK) {
        status = choose(search, pattern, err);
    }
    fst_pattern_free(pattern);
    if (status != FST_OK) {
        return status;
    }
    bool good =
        fst_surroundings_init(&search->around, search->profile, search->rows, search->nrows) &&
        fill_matches(search);
    fst_surroundings_release(&search->around);
    return good ? FST_OK : fst_error_nomem(err);
}

enum fst_status fst_peek_new(const struct fst_profile *profile,
                             const struct fst_peek_options *options, struct fst_peek **out,
                             struct fst_error *err)
{
    enum fst_status status = fst_check_kept(&profile, 1, err);
    if (status != FST_OK) {
        return status;
    }
    if (!profile->options.tree || !profile->options.tree_of_frames) {
        return fst_error_set(err, FST_ERR_USAGE, "no call tree of frames was kept");
    }
    if (profile->options.no_totals) {
        return fst_error_set(err, FST_ERR_USAGE, "totals were not counted");
    }
    struct peek *peek = fst_alloc_zeroed(1, sizeof *peek);
    if (peek == NULL) {
        return fst_error_nomem(err);
    }
    struct search search = {.peek = peek, .profile = profile, .options = options};
    status = fill(&search, err);
    fst_free(search.rows);
    if (status != FST_OK) {
        fst_peek_free(&peek->base);
        return status;
    }
    *out = &peek->base;
    return FST_OK;
}

void fst_peek_free(struct fst_peek *peek)
{
    if (peek == NULL) {
        return;
    }
    struct peek *whole = (struct peek *)peek;
    for (size_t i = 0; i < peek->count; i++) {
        fst_free(peek->matches[i].callers.rows);
        fst_free(peek->matches[i].callees.rows);
        fst_free(peek->matches[i].lines.rows);
        fst_free(peek->matches[i].stacks.rows);
    }
    fst_free(peek->matches);
    fst_notes_release(&whole->notes);
    fst_arena_release(&whole->arena);
    fst_free(whole);
}
