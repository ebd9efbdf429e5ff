/* Counting stacks into rows and roots.
 *
 * A stack adds its count to the self value of its leaf's row and to the total of every row that it
 * passes through, once a row. In the order of a file neighbours have much in common, so that totals
 * are counted as in a walk over a tree. A frame that the next stack has too is held: it stays on a
 * path, its count waiting in a step of the path, and what waits is handed down to the frame below
 * it when it leaves the path:
 *
 *     main;a;b 3        path  main 0 > a 3                b is counted at once
 *     main;a;c 2              main 0 > a 5                c is counted at once
 *     main;d 4                main 4+5                    a is left: total 5
 *     x 1                                                 main is left: total 9
 *
 * So frames in common cost nothing a line. Those that are not held are counted one by one; a stamp
 * in the row, the number of the last stack counted into it or the word that the path holds it, tells
 * whether the stack has counted into it before.
 *
 * Totals of whole counts (self values, where leaves alone are looked at) are kept in 64 bits beside
 * the row's name, where looking it up brings them into the cache, and moved into the row's 128 bits
 * (settle) before they can overflow, and at the end. One check a batch bounds them all. */
#include "model/count.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/tally.h"
#include "parse/wait.h"

/* Divisors below this many samples mean nothing: the search for a larger one stops there. */
enum { SMALLEST_DIVISOR = 1000 };

void fst_tally_free(struct fst_tally *tally)
{
    if (tally != NULL) {
        fst_free(tally->frames);
        fst_free(tally->groups);
        fst_free(tally->stack);
        fst_free(tally->path);
        fst_free(tally->names);
        fst_free(tally->steps);
        fst_chooser_release(&tally->chooser);
        fst_free(tally);
    }
}

bool fst_symbols_grow(struct fst_symbol ***items, size_t *capacity, size_t need)
{
    void *grown = *items;
    if (fst_grow(&grown, capacity, need, sizeof(struct fst_symbol *)) != 0) {
        return false;
    }
    *items = grown;
    return true;
}

static struct fst_tally *tally_of(struct fst_profile *p)
{
    if (p->tally == NULL) {
        p->tally = fst_alloc_zeroed(1, sizeof *p->tally);
    }
    return p->tally;
}

/* --- settling ------------------------------------------------------------------------------- */

/* Where frames count for their rows. */
static void settle_linked(struct fst_profile *p)
{
    for (size_t i = 0; i < p->frame_names.count; i++) {
        struct fst_symbol *symbol = p->frame_names.symbols[i];
        fst_symtab_fetch(&p->frame_names, i + FST_SYMTAB_AHEAD);
        if (symbol->stamp != FST_LINKED && symbol->sum > 0) {
            p->totals[p->frames[i].row] += (fst_i128)symbol->sum * FST_COUNT_ONE;
            symbol->sum = 0;
        }
    }
    p->tally->unsettled = 0;
}

static void settle_rows(struct fst_profile *p)
{
    if (fst_rows_are_linked(p)) {
        settle_linked(p);
        return;
    }
    struct fst_symtab *table = fst_row_table(p);
    bool leaves = fst_ends_suffice(p);
    for (size_t i = 0; i < p->nrows; i++) {
        struct fst_symbol *symbol = table->symbols[i];
        fst_symtab_fetch(table, i + FST_SYMTAB_AHEAD);
        fst_i128 sum = (fst_i128)symbol->sum * FST_COUNT_ONE;
        *(leaves ? &p->rows[i].self : &p->totals[i]) += sum;
        symbol->sum = 0;
    }
    p->tally->unsettled = 0;
}

void fst_profile_settle(struct fst_profile *p)
{
    if (p->tally != NULL) {
        settle_rows(p);
        fst_tally_free(p->tally);
        p->tally = NULL;
    }
    fst_calltree_settle(&p->calls);
}

void fst_profile_begin_block(struct fst_profile *p, uint64_t origin)
{
    p->position = origin;
    p->origin = origin;
}

static void wipe_stamps(struct fst_symtab *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct fst_symbol *symbol = table->symbols[i];
        symbol->stamp = symbol->stamp >= FST_LINKED ? symbol->stamp : 0;
    }
}

/* Numbers the next stack; when the numbers begin anew, old stamps are wiped. */
void fst_tally_stamp(struct fst_profile *p)
{
    if (FST_UNLIKELY(++p->tally->stamp == FST_LINKED)) {
        wipe_stamps(fst_row_table(p));
        if (fst_rows_are_linked(p)) {
            wipe_stamps(&p->frame_names);
        }
        p->tally->stamp = 1;
    }
}

/* --- what notes and statistics need --------------------------------------------------------- */

static fst_i128 gcd(fst_i128 a, fst_i128 b)
{
    while (b != 0) {
        fst_i128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

fst_i128 fst_divisor_of(fst_i128 a, fst_i128 b)
{
    fst_i128 smallest = SMALLEST_DIVISOR * FST_COUNT_ONE;
    return (a != 0 && a < smallest) || (b != 0 && b < smallest) ? FST_COUNT_ONE : gcd(a, b);
}

/* Keeps what decides whether counts are samples, periods or something else. */
static void count_unit(struct fst_profile *p, fst_i128 count)
{
    p->negatives += count < 0;
    p->counted += count != 0;
    p->fractions += !fst_count_is_whole(count);
    p->divisor = fst_divisor_of(p->divisor, count < 0 ? -count : count);
}

/* No frame of the stack at hand is of the dialect. */
static bool is_foreign(const struct fst_profile *p, size_t nframes)
{
    if (!p->grammar.rules->always_split) {
        return false;
    }
    for (size_t i = nframes; i-- > 0;) {
        if (p->frames[p->tally->stack[i]->id].kind != FST_FRAME_PLAIN) {
            return false;
        }
    }
    return true;
}

bool fst_count_thread(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_tally *t = p->tally;
    if (!p->options.threads) {
        return true;
    }
    if (!fst_entry_name_stack(t, nframes)) {
        return false;
    }
    size_t wait = fst_wait_find(t->names, nframes);
    return fst_sums_add(&p->threads, fst_entry_thread(t), count) &&
           (wait == nframes || fst_sums_add(&p->waits, t->names[wait], count));
}

/* Keeps what notes are about, of the stack at hand, all of whose frames are known. */
static void count_whole_shape(struct fst_profile *p, size_t nframes, fst_i128 count, uint64_t line)
{
    const struct fst_tally *t = p->tally;
    p->named_threads += t->lead.thread < t->lead.count;
    p->named_processes += t->lead.process < t->lead.count;
    fst_count_shape(p, nframes, t->stack[nframes - 1]->id, count);
    if (FST_UNLIKELY(is_foreign(p, nframes))) {
        fst_count_foreign(p, line);
    }
}

enum fst_status fst_profile_out_of_range(uint64_t line, struct fst_error *err)
{
    return fst_error_at_line(
        fst_error_set(err, FST_ERR_RANGE,
                      "the sum of the counts' magnitudes is out of range (beyond 1.7e26)"),
        line, err);
}

/* --- counting ------------------------------------------------------------------------------- */

/* Counts the stack at hand where it is a row as a whole. */
static bool count_whole(struct fst_profile *p, fst_i128 count)
{
    const struct fst_tally *t = p->tally;
    uint32_t row = fst_names_row(p, p->options.by == FST_BY_THREAD ? fst_entry_thread(t)
                                                                   : fst_entry_process(t));
    if (row == FST_ID_NONE) {
        return false;
    }
    p->totals[row] += count;
    fst_count_leaf(p, row, count);
    return true;
}

void fst_count_frames(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    const struct fst_tally *t = p->tally;
    struct fst_symbol **symbols = fst_row_table(p)->symbols;
    for (size_t i = 0; i < nframes; i++) {
        fst_count_once(p, symbols[p->frames[t->stack[i]->id].row], count);
    }
    fst_count_leaf(p, p->frames[t->stack[nframes - 1]->id].row, count);
}

bool fst_tally_take(struct fst_profile *p, const struct fst_str *frames, size_t nframes)
{
    struct fst_tally *t = p->tally;
    if (!fst_symbols_grow(&t->stack, &t->stack_capacity, nframes)) {
        return false;
    }
    for (size_t i = 0; i < nframes; i++) {
        uint32_t id = fst_names_frame(p, frames[i]);
        if (id == FST_ID_NONE) {
            return false;
        }
        t->stack[i] = p->frame_names.symbols[id];
    }
    return true;
}

/* Counts a sample, all of whose frames are looked at. */
static bool count_sample(struct fst_profile *p, const struct fst_sample *sample)
{
    struct fst_tally *t = p->tally;
    if (!fst_tally_take(p, sample->frames, sample->nframes)) {
        return false;
    }
    t->lead = sample->lead;
    if (p->chooses) {
        t->chooser.units = 0;
        count_whole_shape(p, sample->nframes, sample->count, sample->line);
        return fst_chosen_count(p, sample->nframes, sample->count);
    }
    t->root = fst_entry_root(p, sample->nframes);
    if (t->root == FST_ID_NONE || (fst_rows_are_stacks(p) && !count_whole(p, sample->count))) {
        return false;
    }
    if (!fst_rows_are_stacks(p) && !p->options.no_totals) {
        fst_tally_stamp(p);
        fst_count_frames(p, sample->nframes, sample->count);
    } else if (!fst_rows_are_stacks(p)) {
        fst_count_leaf(p, p->frames[t->stack[sample->nframes - 1]->id].row, sample->count);
    }
    fst_count_root(p, sample->count);
    count_whole_shape(p, sample->nframes, sample->count, sample->line);
    return fst_count_calls(p, sample->nframes, sample->count) &&
           fst_count_thread(p, sample->nframes, sample->count);
}

/* Counts stacks that were read; all of them are kept unless they are chosen one by one. */
static void count_offered(struct fst_profile *p, fst_i128 sum, uint64_t stacks)
{
    p->offered += sum;
    p->offered_samples += stacks;
    if (!p->chooses) {
        p->total += sum;
        p->samples += stacks;
    }
}

/* Adds a sample to the stacks as it is written, or as its frames are. */
static bool keep_sample(struct fst_profile *p, const struct fst_sample *sample)
{
    struct fst_buf *made = &p->tally->chooser.label;
    struct fst_str text = fst_stack_text(made, sample);
    return !made->failed && fst_stacks_add(&p->stacks, text, sample->count);
}

static bool add_sample(struct fst_profile *p, const struct fst_sample *sample)
{
    if (tally_of(p) == NULL) {
        return false;
    }
    if (fst_keeps_written(p)) {
        return keep_sample(p, sample);
    }
    return fst_ends_suffice(p) ? fst_ends_add_sample(p, sample) : count_sample(p, sample);
}

enum fst_status fst_profile_add(struct fst_profile *p, const struct fst_sample *sample,
                                struct fst_error *err)
{
    fst_i128 count = sample->count;
    fst_i128 magnitude;
    fst_i128 together;
    if (FST_ADD_OVERFLOWS(p->magnitude, count < 0 ? -count : count, &magnitude) ||
        FST_ADD_OVERFLOWS(p->before, magnitude, &together)) {
        return fst_profile_out_of_range(sample->line, err);
    }
    if (!add_sample(p, sample)) {
        return fst_profile_failed(p, err);
    }
    count_unit(p, count);
    count_offered(p, count, 1);
    p->magnitude = magnitude;
    p->position++;
    return FST_OK;
}

/* --- batches -------------------------------------------------------------------------------- */

/* Looks up the frames of a batch and their rows. */
static bool find_symbols(struct fst_profile *p, const struct fst_batch *batch)
{
    struct fst_tally *t = p->tally;
    if (!fst_symbols_grow(&t->frames, &t->frames_capacity, batch->nframes) ||
        !fst_names_frames(p, batch->frames, batch->nframes, t->frames)) {
        return false;
    }
    t->rows = t->frames;
    if (p->options.tree && !p->chooses && !fst_calls_take(p, batch)) {
        return false;
    }
    bool unasked = p->options.no_totals && !batch->ends_only;
    if (fst_rows_are_frames(p) || fst_rows_are_stacks(p) || p->chooses || unasked) {
        return true;
    }
    if (!fst_symbols_grow(&t->groups, &t->groups_capacity, batch->nframes)) {
        return false;
    }
    t->rows = t->groups;
    if (fst_rows_are_linked(p)) {
        for (size_t i = 0; i < batch->nframes; i++) {
            t->groups[i] = fst_linked_symbol(t->frames[i]);
            __builtin_prefetch(t->groups[i], 1);
        }
        return true;
    }
    for (size_t i = 0; i < batch->nframes; i++) {
        t->groups[i] = p->row_names.symbols[p->frames[t->frames[i]->id].row];
        __builtin_prefetch(t->groups[i], 1);
    }
    return true;
}

/* Counts into rows that are not held. */
static void count_singly(struct fst_symbol *const *rows, size_t nrows, uint64_t count,
                         uint32_t stamp)
{
    for (size_t i = 0; i < nrows; i++) {
        struct fst_symbol *row = rows[i];
        bool held = row->stamp == FST_HELD;
        row->sum += held || row->stamp == stamp ? 0 : count;
        row->stamp = held ? FST_HELD : stamp;
    }
}

static void hold(struct fst_tally *t, struct fst_symbol *row)
{
    t->path[t->held++] = (struct fst_step){row, 0, row->stamp == FST_HELD};
    row->stamp = FST_HELD;
}

/* Leaves the end of the path, down to so many steps. */
static void leave(struct fst_tally *t, size_t held)
{
    while (t->held > held) {
        struct fst_step *step = &t->path[--t->held];
        if (!step->again) {
            step->row->sum += step->waiting;
            step->row->stamp = 0;
        }
        if (t->held > 0) {
            t->path[t->held - 1].waiting += step->waiting;
        }
    }
}

static bool reserve_path(struct fst_tally *t, size_t steps)
{
    void *path = t->path;
    if (fst_grow(&path, &t->path_capacity, steps, sizeof *t->path) != 0) {
        return false;
    }
    t->path = path;
    return true;
}

/* Counts the totals of a stack, of which the next one has `next` leading frames in common. False
 * without memory. */
static bool count_totals(struct fst_profile *p, const struct fst_stack *stack, size_t next)
{
    struct fst_tally *t = p->tally;
    if (next > t->path_capacity && !reserve_path(t, next)) {
        return false;
    }
    struct fst_symbol *const *rows = t->rows + stack->first;
    size_t fresh = 0;
    for (; t->held < next && fresh < stack->nframes; fresh++) {
        hold(t, rows[fresh]);
    }
    fst_tally_stamp(p);
    count_singly(rows + fresh, stack->nframes - fresh, stack->count, t->stamp);
    if (t->held > 0) {
        t->path[t->held - 1].waiting += stack->count;
    }
    leave(t, next);
    return true;
}

/* How many leading frames of a stack of the batch the next one has too. */
static size_t shared_with_next(const struct fst_batch *batch, size_t i)
{
    return i + 1 < batch->nstacks ? batch->stacks[i + 1].shared : 0;
}

/* The stack at hand becomes stack i of the batch; returns the number of its frames, or 0 without
 * memory. */
static size_t take_stack(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    struct fst_tally *t = p->tally;
    const struct fst_stack *stack = &batch->stacks[i];
    size_t nframes = (size_t)stack->shared + stack->nframes;
    if (nframes > t->stack_capacity && !fst_symbols_grow(&t->stack, &t->stack_capacity, nframes)) {
        return 0;
    }
    memcpy(t->stack + stack->shared, t->frames + stack->first,
           stack->nframes * sizeof(struct fst_symbol *));
    return nframes;
}

static bool count_stack(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    struct fst_tally *t = p->tally;
    const struct fst_stack *stack = &batch->stacks[i];
    fst_i128 count = (fst_i128)stack->count * FST_COUNT_ONE;
    size_t nframes = take_stack(p, batch, i);
    if (nframes == 0 || !fst_entry_find(p, stack->shared, nframes)) {
        return false;
    }
    if (fst_rows_are_stacks(p)) {
        if (!count_whole(p, count)) {
            return false;
        }
    } else {
        if (!p->options.no_totals && !count_totals(p, stack, shared_with_next(batch, i))) {
            return false;
        }
        fst_count_leaf(p, p->frames[t->stack[nframes - 1]->id].row, count);
    }
    fst_count_root(p, count);
    count_whole_shape(p, nframes, count, stack->line);
    return (!p->options.tree || fst_calls_add(p, batch, i)) && fst_count_thread(p, nframes, count);
}

static bool choose_stack(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    struct fst_tally *t = p->tally;
    const struct fst_stack *stack = &batch->stacks[i];
    fst_i128 count = (fst_i128)stack->count * FST_COUNT_ONE;
    size_t nframes = take_stack(p, batch, i);
    bool same_lead = t->root_reach > 0 && stack->shared > t->lead.count;
    if (nframes == 0 || (!same_lead && !fst_entry_lead(p, nframes))) {
        return false;
    }
    t->root_reach = 1;
    t->chooser.units = stack->count;
    count_whole_shape(p, nframes, count, stack->line);
    return fst_chosen_count(p, nframes, count);
}

/* --- the whole batch ------------------------------------------------------------------------ */

/* The line whose count goes out of range. */
static enum fst_status find_range_error(const struct fst_profile *p, const struct fst_batch *batch,
                                        struct fst_error *err)
{
    fst_i128 sum = p->before + p->magnitude;
    size_t i = 0;
    while (i + 1 < batch->nstacks &&
           !FST_ADD_OVERFLOWS(sum, (fst_i128)batch->stacks[i].count * FST_COUNT_ONE, &sum)) {
        i++;
    }
    return fst_profile_out_of_range(batch->stacks[i].line, err);
}

static uint64_t sum_of(const struct fst_batch *batch)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < batch->nstacks; i++) {
        sum += batch->stacks[i].count;
    }
    return sum;
}

/* Asks for the memory of the leaves' rows and frames. */
static void fetch_leaves(const struct fst_profile *p, const struct fst_batch *batch)
{
    for (size_t i = 0; i < batch->nstacks; i++) {
        const struct fst_stack *stack = &batch->stacks[i];
        uint32_t leaf = p->tally->frames[stack->first + stack->nframes - 1]->id;
        __builtin_prefetch(&p->frames[leaf]);
        if (leaf < p->nrows) {
            __builtin_prefetch(&p->rows[leaf], 1);
        }
    }
}

static void count_batch_units(struct fst_profile *p, const struct fst_batch *batch)
{
    for (size_t i = 0; i < batch->nstacks; i++) {
        uint64_t count = batch->stacks[i].count;
        p->counted += count != 0;
        if (p->divisor != FST_COUNT_ONE) {
            p->divisor = fst_divisor_of(p->divisor, (fst_i128)count * FST_COUNT_ONE);
        }
    }
}

/* Counts every stack of a batch, in the one way that the profile and the batch ask for. */
static bool count_all(struct fst_profile *p, const struct fst_batch *batch)
{
    bool good = true;
    if (p->chooses) {
        for (size_t i = 0; good && i < batch->nstacks; i++, p->position++) {
            good = choose_stack(p, batch, i);
        }
    } else if (batch->ends_only) {
        for (size_t i = 0; good && i < batch->nstacks; i++, p->position++) {
            good = fst_ends_add_stack(p, &batch->stacks[i]);
        }
    } else {
        for (size_t i = 0; good && i < batch->nstacks; i++, p->position++) {
            good = count_stack(p, batch, i);
        }
    }
    return good;
}

static bool add_batch(struct fst_profile *p, const struct fst_batch *batch, uint64_t sum)
{
    struct fst_tally *t = tally_of(p);
    if (t != NULL && fst_keeps_written(p)) {
        p->position += batch->nstacks;
        return fst_stacks_add_batch(&p->stacks, batch);
    }
    if (t == NULL || !find_symbols(p, batch)) {
        return false;
    }
    if (FST_ADD_OVERFLOWS(t->unsettled, sum, &t->unsettled) || t->unsettled > INT64_MAX) {
        settle_rows(p);
        t->unsettled = sum;
    }
    if (!batch->ends_only) {
        fetch_leaves(p, batch);
    }
    t->root_reach = 0;
    return count_all(p, batch);
}

enum fst_status fst_profile_add_batch(struct fst_profile *p, const struct fst_batch *batch,
                                      struct fst_error *err)
{
    uint64_t sum = sum_of(batch);
    fst_i128 magnitude;
    fst_i128 together;
    if (FST_ADD_OVERFLOWS(p->magnitude, (fst_i128)sum * FST_COUNT_ONE, &magnitude) ||
        FST_ADD_OVERFLOWS(p->before, magnitude, &together)) {
        return find_range_error(p, batch, err);
    }
    if (!add_batch(p, batch, sum)) {
        return fst_profile_failed(p, err);
    }
    count_batch_units(p, batch);
    count_offered(p, (fst_i128)sum * FST_COUNT_ONE, batch->nstacks);
    p->magnitude = magnitude;
    return FST_OK;
}
