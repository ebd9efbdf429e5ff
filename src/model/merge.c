/* Adding one profile to another: names are looked up in the receiver, counters are added, and
 * sample positions are moved behind the receiver's, so that "first" keeps its meaning. */
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/names.h"

static bool same_question(const struct fst_profile_options *a, const struct fst_profile_options *b)
{
    return a->by == b->by && a->root == b->root && a->root_index == b->root_index &&
           a->no_totals == b->no_totals && a->nested == b->nested && a->inner == b->inner &&
           a->selection == b->selection && a->threads == b->threads && a->tree == b->tree &&
           a->tree_of_frames == b->tree_of_frames && a->keep == b->keep && a->partial == b->partial;
}

/* The earlier of two sample positions, theirs counted from offset. */
static uint64_t earlier(uint64_t mine, uint64_t theirs, uint64_t offset)
{
    if (theirs == FST_NEVER) {
        return mine;
    }
    return mine < theirs + offset ? mine : theirs + offset;
}

/* How a frame of another profile was read. */
static struct fst_grammar grammar_of(const struct fst_frame *frame)
{
    enum fst_dialect dialect = (enum fst_dialect)frame->dialect;
    return (struct fst_grammar){.rules = fst_dialect_rules_of(dialect),
                                .dialect = dialect,
                                .split_files = frame->split_files};
}

/* Frames that are looked up at once. */
enum { RUN = 128 };

/* Whether two frames were read alike. */
static bool same_reading(const struct fst_frame *a, const struct fst_frame *b)
{
    return a->dialect == b->dialect && a->split_files == b->split_files;
}

/* Adds frames from `first` on, as many as are looked up at once; returns how many, 0 without
 * memory. */
static size_t merge_run(struct fst_profile *into, const struct fst_profile *from, size_t first,
                        uint32_t *numbers)
{
    struct fst_str names[RUN];
    struct fst_symbol *symbols[RUN];
    size_t n = 0;
    while (n < RUN && first + n < from->frame_names.count &&
           same_reading(&from->frames[first], &from->frames[first + n])) {
        names[n] = fst_symtab_name(&from->frame_names, (uint32_t)(first + n));
        fst_symtab_fetch(&from->frame_names, first + n + FST_SYMTAB_AHEAD);
        n++;
    }
    into->grammar = grammar_of(&from->frames[first]);
    if (!fst_names_frames(into, names, n, symbols)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        numbers[first + i] = symbols[i]->id;
    }
    return n;
}

/* Adds the frames of another profile; numbers gets what numbers they have in the receiver. */
static bool merge_frames(struct fst_profile *into, const struct fst_profile *from,
                         uint32_t *numbers)
{
    size_t n;
    for (size_t i = 0; i < from->frame_names.count; i += n) {
        n = merge_run(into, from, i, numbers);
        if (n == 0 || fst_profile_check_memory(into, &into->failure) != FST_OK) {
            return false;
        }
    }
    return true;
}

/* Where the positions and orders of another profile stand among the receiver's, and how many rows
 * the receiver had. */
struct place {
    uint64_t position;
    uint64_t order;
    size_t rows;
};

/* The numbers that the labels of another profile have in the receiver, at a level of its rows: to be
 * freed. NULL without memory. */
static uint32_t *merge_labels(struct fst_profile *into, const struct fst_profile *from, int level)
{
    const struct fst_symtab *theirs = &from->level_names[level];
    uint32_t *numbers = fst_alloc_zeroed(theirs->count + 1, sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < theirs->count; i++) {
        numbers[i] =
            fst_symtab_intern(&into->level_names[level], fst_symtab_name(theirs, (uint32_t)i));
        if (numbers[i] == FST_ID_NONE) {
            fst_free(numbers);
            numbers = NULL;
        }
    }
    return numbers;
}

/* The receiver's rows for those of another profile, where rows lie within rows. */
static bool find_pairs(struct fst_profile *into, const struct fst_profile *from, uint32_t *rows)
{
    uint32_t *outer = merge_labels(into, from, 0);
    uint32_t *inner = merge_labels(into, from, 1);
    bool good = outer != NULL && inner != NULL;
    for (size_t i = 0; good && i < from->nrows; i++) {
        struct fst_pair pair;
        memcpy(&pair, from->row_names.symbols[i]->name, sizeof pair);
        pair.outer = outer[pair.outer];
        pair.inner = pair.inner == FST_ID_NONE ? FST_ID_NONE : inner[pair.inner];
        rows[i] = fst_names_pair(into, pair);
        good = rows[i] != FST_ID_NONE;
    }
    fst_free(outer);
    fst_free(inner);
    return good;
}

/* The receiver's row for one of another profile, whose frames have these numbers. */
static uint32_t find_row(struct fst_profile *into, const struct fst_profile *from, uint32_t row,
                         const uint32_t *numbers)
{
    return fst_rows_are_frames(into) ? numbers[row]
                                     : fst_names_row(into, fst_profile_row_name(from, row, NULL));
}

static void merge_row(struct fst_profile *into, uint32_t id, const struct fst_profile *from,
                      size_t i, struct place place)
{
    struct fst_row *row = &into->rows[id];
    const struct fst_row *theirs = &from->rows[i];
    bool is_new = id >= place.rows;
    uint64_t mine = is_new ? FST_NEVER : row->order;
    row->order = earlier(mine, theirs->order, place.order);
    row->self += theirs->self;
    if (from->totals != NULL) {
        into->totals[id] += from->totals[i];
    }
    row->first_self = earlier(row->first_self, theirs->first_self, place.position);
}

static bool merge_rows(struct fst_profile *into, const struct fst_profile *from,
                       const uint32_t *numbers, struct place place)
{
    uint32_t *pairs = NULL;
    if (from->options.nested) {
        pairs = fst_alloc_zeroed(from->nrows + 1, sizeof *pairs);
        if (pairs == NULL || !find_pairs(into, from, pairs)) {
            fst_free(pairs);
            return false;
        }
    }
    bool good = true;
    for (size_t i = 0; good && i < from->nrows; i++) {
        uint32_t id = pairs != NULL ? pairs[i] : find_row(into, from, (uint32_t)i, numbers);
        good = id != FST_ID_NONE &&
               (i % RUN > 0 || fst_profile_check_memory(into, &into->failure) == FST_OK);
        if (good) {
            merge_row(into, id, from, i, place);
        }
    }
    fst_free(pairs);
    return good;
}

static bool merge_roots(struct fst_profile *into, const struct fst_profile *from,
                        struct place place)
{
    for (size_t i = 0; i < from->nroots; i++) {
        uint32_t id = fst_names_root(into, fst_symtab_name(&from->root_names, (uint32_t)i));
        if (id == FST_ID_NONE) {
            return false;
        }
        struct fst_root_row *root = &into->roots[id];
        root->total += from->roots[i].total;
        root->first = earlier(root->first, from->roots[i].first, place.position);
    }
    return true;
}

static bool merge_whole(struct fst_whole *into, const struct fst_whole *from)
{
    into->total += from->total;
    into->waiting += from->waiting;
    return fst_sums_merge(&into->threads, &from->threads) &&
           fst_sums_merge(&into->roots, &from->roots);
}

static bool merge_calls(struct fst_profile *into, const struct fst_profile *from,
                        const uint32_t *numbers)
{
    if (from->calls.count == 0) {
        return true;
    }
    if (from->options.tree_of_frames) {
        return fst_calltree_merge(&into->calls, &from->calls, numbers);
    }
    uint32_t *names = fst_alloc_zeroed(from->nrows + 1, sizeof *names);
    bool good = names != NULL;
    for (uint32_t i = 0; good && i < from->nrows; i++) {
        names[i] = find_row(into, from, i, numbers);
        good = names[i] != FST_ID_NONE;
    }
    good = good && fst_calltree_merge(&into->calls, &from->calls, names);
    fst_free(names);
    return good;
}

static void merge_shape(struct fst_profile *into, const struct fst_profile *from)
{
    into->unknown += from->unknown;
    into->mixed_units =
        into->mixed_units || from->mixed_units ||
        (into->offered_samples > 0 && from->offered_samples > 0 && into->unit != from->unit);
    if (into->offered_samples == 0) {
        into->unit = from->unit;
    }
    if (from->deepest > into->deepest) {
        into->deepest = from->deepest;
        into->at_deepest = 0;
    }
    into->at_deepest += from->deepest == into->deepest ? from->at_deepest : 0;
}

static void merge_sums(struct fst_profile *into, const struct fst_profile *from)
{
    into->named_threads += from->named_threads;
    into->named_processes += from->named_processes;
    into->total += from->total;
    into->offered += from->offered;
    into->counted += from->counted;
    into->negatives += from->negatives;
    into->fractions += from->fractions;
    merge_shape(into, from);
    into->divisor = fst_divisor_of(into->divisor, from->divisor);
    into->samples += from->samples;
    into->offered_samples += from->offered_samples;
}

/* Adds names, and what is counted by name. */
static bool merge_tables(struct fst_profile *into, const struct fst_profile *from,
                         struct place place)
{
    uint32_t *numbers = fst_alloc_zeroed(from->frame_names.count + 1, sizeof *numbers);
    bool good = numbers != NULL && merge_frames(into, from, numbers) &&
                merge_rows(into, from, numbers, place) && merge_roots(into, from, place) &&
                fst_sums_merge(&into->threads, &from->threads) &&
                fst_sums_merge(&into->waits, &from->waits) &&
                merge_whole(&into->whole, &from->whole) && merge_calls(into, from, numbers);
    fst_free(numbers);
    return good;
}

static enum fst_status merge_at(struct fst_profile *into, const struct fst_profile *from,
                                struct place place, struct fst_error *err)
{
    fst_i128 magnitude;
    if (FST_ADD_OVERFLOWS(into->magnitude, from->magnitude, &magnitude)) {
        return fst_profile_out_of_range(0, err);
    }
    uint64_t position = place.position + from->position;
    uint64_t orders = place.order + from->orders;
    position = position > into->position ? position : into->position;
    orders = orders > into->orders ? orders : into->orders;
    if (!merge_tables(into, from, place)) {
        return fst_profile_failed(into, err);
    }
    merge_sums(into, from);
    into->magnitude = magnitude;
    into->position = position;
    into->orders = orders;
    return FST_OK;
}

/* Adds what stands behind all that the receiver has. */
static enum fst_status merge_counters(struct fst_profile *into, const struct fst_profile *from,
                                      struct fst_error *err)
{
    return merge_at(into, from, (struct place){into->position, into->orders, into->nrows}, err);
}

enum fst_status fst_profile_merge(struct fst_profile *into, const struct fst_profile *from,
                                  struct fst_error *err)
{
    if (!same_question(&into->options, &from->options)) {
        return fst_error_set(err, FST_ERR_USAGE,
                             "profiles with different rows or roots cannot be merged");
    }
    if (into->offered_samples > 0 && from->offered_samples > 0 && into->unit != from->unit) {
        return fst_error_set(err, FST_ERR_USAGE, "%s cannot be added to %s",
                             fst_unit_name(from->unit), fst_unit_name(into->unit));
    }
    enum fst_status status = fst_stacks_merge(&into->stacks, &from->stacks, err);
    if (status == FST_OK) {
        status = merge_counters(into, from, err);
    }
    if (status == FST_OK && from->partial != NULL) {
        status = fst_profile_merge_partial(into, from->partial, err);
    }
    for (size_t i = 0; status == FST_OK && i < from->ninputs; i++) {
        if (fst_profile_add_input(into, &from->inputs[i], err) == NULL) {
            status = FST_ERR_NOMEM;
        }
    }
    return status;
}

/* Exchanges everything but the inputs. */
static void swap_counters(struct fst_profile *a, struct fst_profile *b)
{
    struct fst_profile a_before = *a;
    struct fst_profile b_before = *b;
    *a = b_before;
    *b = a_before;
    a->inputs = a_before.inputs;
    a->ninputs = a_before.ninputs;
    a->inputs_capacity = a_before.inputs_capacity;
    a->texts = a_before.texts;
    a->partial = a_before.partial;
    b->inputs = b_before.inputs;
    b->ninputs = b_before.ninputs;
    b->inputs_capacity = b_before.inputs_capacity;
    b->texts = b_before.texts;
    b->partial = b_before.partial;
}

enum fst_status fst_profile_join(struct fst_profile *into, struct fst_profile *from,
                                 struct fst_error *err)
{
    struct fst_grammar grammar = into->grammar;
    fst_profile_settle(into);
    fst_profile_settle(from);
    if (from->frame_names.count > into->frame_names.count) {
        swap_counters(into, from); /* fewer names are looked up */
    }
    enum fst_status status = fst_stacks_absorb(&into->stacks, &from->stacks, err);
    if (status != FST_OK) {
        return status;
    }
    if (from->foreign > 0 && (into->foreign == 0 || from->first_foreign < into->first_foreign)) {
        into->first_foreign = from->first_foreign;
    }
    into->foreign += from->foreign;
    status = merge_at(into, from, (struct place){0, 0, into->nrows}, err);
    into->grammar = grammar;
    return status;
}

enum fst_status fst_profile_absorb(struct fst_profile *into, struct fst_profile *from,
                                   struct fst_error *err)
{
    if (into->offered_samples == 0) {
        swap_counters(into, from);
        return FST_OK;
    }
    enum fst_status status = fst_stacks_absorb(&into->stacks, &from->stacks, err);
    return status == FST_OK ? merge_counters(into, from, err) : status;
}
