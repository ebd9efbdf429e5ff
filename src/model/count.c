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
 * Totals of whole counts are kept in 64 bits beside the row's name, where looking it up brings
 * them into the cache, and moved into the row's 128 bits (settle) before they can overflow, and at
 * the end. One check a batch bounds them all. */
#include "model/count.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/names.h"
#include "parse/frame.h"
#include "parse/wait.h"

/* Divisors below this many samples mean nothing: the search for a larger one stops there. */
enum { SMALLEST_DIVISOR = 1000 };

/* A held frame. */
struct step {
    struct fst_symbol *row;
    uint64_t waiting; /* counts of the stacks that went no further along the path */
    bool again;       /* the path holds the row below already */
};

/* The start of a stack that decides about its root. */
struct entry {
    size_t len; /* 0: none */
    uint32_t root;
    char text[244];
};

enum { ENTRIES = 64, FEW = 4 };

/* The stamp of a row that the path holds; those of stacks lie between 0 and it. */
#define HELD UINT32_MAX

struct fst_tally {
    struct fst_symbol **frames; /* of the batch */
    size_t frames_capacity;
    struct fst_symbol **groups; /* their rows, where rows are no frames */
    size_t groups_capacity;
    struct fst_symbol *const *rows; /* frames or groups */
    struct fst_symbol **stack;      /* the frames of the stack at hand */
    size_t stack_capacity;
    struct step *path;
    size_t held; /* steps of path */
    size_t path_capacity;
    uint32_t stamp;     /* of the stack at hand; neither 0 nor HELD */
    uint64_t unsettled; /* bounds every sum in a symbol */
    uint32_t root;      /* of the stack before */
    size_t root_reach;  /* so many leading frames decided about it and about lead */
    struct fst_lead lead;
    struct fst_str *names; /* scratch for what wants text */
    size_t names_capacity;
    struct entry entries[ENTRIES];
};

void fst_tally_free(struct fst_tally *tally)
{
    if (tally != NULL) {
        fst_free(tally->frames);
        fst_free(tally->groups);
        fst_free(tally->stack);
        fst_free(tally->path);
        fst_free(tally->names);
        fst_free(tally);
    }
}

static bool grow_symbols(struct fst_symbol ***items, size_t *capacity, size_t need)
{
    void *grown = *items;
    if (fst_grow(&grown, capacity, need, sizeof **items) != 0) {
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

static struct fst_symtab *row_table(struct fst_profile *p)
{
    return fst_rows_are_frames(p) ? &p->frame_names : &p->row_names;
}

static void settle_rows(struct fst_profile *p)
{
    struct fst_symtab *table = row_table(p);
    for (size_t i = 0; i < p->nrows; i++) {
        struct fst_symbol *symbol = table->symbols[i];
        p->rows[i].total += (fst_i128)symbol->sum * FST_COUNT_ONE;
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
}

void fst_profile_begin_block(struct fst_profile *p, uint64_t origin)
{
    p->position = origin;
    p->origin = origin;
}

/* Numbers the next stack; when the numbers begin anew, old stamps are wiped. */
static void next_stamp(struct fst_profile *p)
{
    if (FST_UNLIKELY(++p->tally->stamp == HELD)) {
        struct fst_symtab *table = row_table(p);
        for (size_t i = 0; i < table->count; i++) {
            struct fst_symbol *symbol = table->symbols[i];
            symbol->stamp = symbol->stamp == HELD ? HELD : 0;
        }
        p->tally->stamp = 1;
    }
}

/* --- roots, threads and processes ----------------------------------------------------------- */

/* The root that a frame makes by its function; found once a frame. */
static uint32_t function_root(struct fst_profile *p, uint32_t id)
{
    if (p->frames[id].root == FST_ID_NONE) {
        struct fst_buf scratch = {0};
        struct fst_str label = fst_profile_function_label(p, id, &scratch);
        p->frames[id].root = scratch.failed ? FST_ID_NONE : fst_names_root(p, label);
        fst_buf_release(&scratch);
    }
    return p->frames[id].root;
}

/* Which of the first nframes frames of the stack at hand makes its root; nframes if none does. */
static size_t root_frame(const struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    if (p->options.root == FST_ROOT_INDEX) {
        return p->options.root_index < nframes ? p->options.root_index : nframes;
    }
    size_t at = t->lead.skip;
    while (at < nframes && p->frames[t->stack[at]->id].scaffolding) {
        at++;
    }
    return at;
}

/* The root of the stack at hand by its first frame that tells something. */
static uint32_t auto_root(struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    size_t at = root_frame(p, nframes);
    if (t->lead.skip == nframes) {
        return fst_names_root(p, FST_FRAME_NONE);
    }
    return function_root(p, t->stack[at < nframes ? at : nframes - 1]->id);
}

/* A frame that leads the stack at hand, or what stands for none. */
static struct fst_str lead_label(const struct fst_tally *t, size_t at, struct fst_str none)
{
    return at < t->lead.count ? fst_symbol_name(t->stack[at]) : none;
}

static struct fst_str thread_label(const struct fst_tally *t)
{
    return lead_label(t, t->lead.thread, FST_STR("[no thread]"));
}

static struct fst_str process_label(const struct fst_tally *t)
{
    return t->lead.process_name.len > 0 ? t->lead.process_name
                                        : lead_label(t, t->lead.process, FST_STR("[no process]"));
}

static uint32_t find_root(struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    switch (p->options.root) {
    case FST_ROOT_THREAD: return fst_names_root(p, thread_label(t));
    case FST_ROOT_PROCESS: return fst_names_root(p, process_label(t));
    case FST_ROOT_INDEX: {
        size_t at = root_frame(p, nframes);
        return fst_names_root(p, fst_symbol_name(t->stack[at < nframes ? at : 0]));
    }
    default: return auto_root(p, nframes);
    }
}

/* Writes the names of the first frames of the stack at hand into the scratch. */
static bool name_stack(struct fst_tally *t, size_t nframes)
{
    void *names = t->names;
    if (fst_grow(&names, &t->names_capacity, nframes, sizeof *t->names) != 0) {
        return false;
    }
    t->names = names;
    for (size_t i = 0; i < nframes; i++) {
        t->names[i] = fst_symbol_name(t->stack[i]);
    }
    return true;
}

/* What leads the stack at hand: by its first frames, or where all of them lead by all. */
static bool find_lead(struct fst_profile *p, size_t nframes)
{
    struct fst_tally *t = p->tally;
    for (size_t look = nframes < FEW ? nframes : FEW;; look = nframes) {
        if (!name_stack(t, look)) {
            return false;
        }
        t->lead = p->grammar.rules->lead(t->names, look);
        if (t->lead.count < look || look == nframes) {
            return true;
        }
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Roots are frames that lead. */
static bool by_lead(const struct fst_profile *p)
{
    return p->options.root == FST_ROOT_THREAD || p->options.root == FST_ROOT_PROCESS;
}

/* Finds lead and root of the stack at hand, which has so many leading frames in common with the
 * stack before it. */
static bool find_entry(struct fst_profile *p, size_t shared, size_t nframes)
{
    struct fst_tally *t = p->tally;
    if (shared >= t->root_reach && t->root_reach > 0) {
        return true;
    }
    if (!find_lead(p, nframes)) {
        return false;
    }
    t->root = find_root(p, nframes);
    t->root_reach =
        1 + (by_lead(p) ? t->lead.count : larger(root_frame(p, nframes), t->lead.count));
    return t->root != FST_ID_NONE;
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

static void count_foreign(struct fst_profile *p, uint64_t line)
{
    if (p->foreign++ == 0) {
        p->first_foreign = line;
    }
}

/* Keeps what notes are about. */
static void count_shape(struct fst_profile *p, uint64_t depth, uint32_t leaf, fst_i128 count)
{
    p->unknown += p->frames[leaf].unknown ? count : 0;
    if (depth > p->deepest) {
        p->deepest = depth;
        p->at_deepest = 0;
    }
    p->at_deepest += depth == p->deepest;
}

/* Sums by thread, and by native frame in which a thread waits, of the stack at hand. */
static bool count_thread(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_tally *t = p->tally;
    if (!name_stack(t, nframes)) {
        return false;
    }
    size_t wait = fst_wait_find(t->names, nframes);
    return fst_sums_add(&p->threads, thread_label(t), count) &&
           (wait == nframes || fst_sums_add(&p->waits, t->names[wait], count));
}

/* The same of the stack at hand, all of whose frames are known. */
static void count_whole_shape(struct fst_profile *p, size_t nframes, fst_i128 count, uint64_t line)
{
    const struct fst_tally *t = p->tally;
    p->named_threads += t->lead.thread < t->lead.count;
    p->named_processes += t->lead.process < t->lead.count;
    count_shape(p, nframes, t->stack[nframes - 1]->id, count);
    if (FST_UNLIKELY(is_foreign(p, nframes))) {
        count_foreign(p, line);
    }
}

static enum fst_status range_error(uint64_t line, struct fst_error *err)
{
    enum fst_status status = fst_error_set(
        err, FST_ERR_RANGE, "the sum of the counts' magnitudes is out of range (beyond 1.7e26)");
    if (err != NULL) {
        err->line = line;
    }
    return status;
}

/* --- counting ------------------------------------------------------------------------------- */

static void count_leaf(struct fst_profile *p, uint32_t row, fst_i128 count)
{
    p->rows[row].self += count;
    if (p->rows[row].first_self == FST_NEVER) {
        p->rows[row].first_self = p->position;
    }
}

static void count_root(struct fst_profile *p, fst_i128 count)
{
    struct fst_root_row *root = &p->roots[p->tally->root];
    root->total += count;
    if (root->first == FST_NEVER) {
        root->first = p->position;
    }
}

/* Counts the stack at hand where it is a row as a whole. */
static bool count_whole(struct fst_profile *p, fst_i128 count)
{
    const struct fst_tally *t = p->tally;
    uint32_t row =
        fst_names_row(p, p->options.by == FST_BY_THREAD ? thread_label(t) : process_label(t));
    if (row == FST_ID_NONE) {
        return false;
    }
    p->rows[row].total += count;
    count_leaf(p, row, count);
    return true;
}

/* Counts into every row of the stack at hand, each once. */
static void count_frames(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    const struct fst_tally *t = p->tally;
    struct fst_symbol **symbols = row_table(p)->symbols;
    for (size_t i = 0; i < nframes; i++) {
        struct fst_symbol *row = symbols[p->frames[t->stack[i]->id].row];
        p->rows[row->id].total += row->stamp == t->stamp ? 0 : count;
        row->stamp = t->stamp;
    }
    count_leaf(p, p->frames[t->stack[nframes - 1]->id].row, count);
}

/* The stack at hand becomes that of these frames. */
static bool find_frames(struct fst_profile *p, const struct fst_str *frames, size_t nframes)
{
    struct fst_tally *t = p->tally;
    if (!grow_symbols(&t->stack, &t->stack_capacity, nframes)) {
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
    if (!find_frames(p, sample->frames, sample->nframes)) {
        return false;
    }
    t->lead = sample->lead;
    t->root = find_root(p, sample->nframes);
    if (t->root == FST_ID_NONE || (fst_rows_are_stacks(p) && !count_whole(p, sample->count))) {
        return false;
    }
    if (!fst_rows_are_stacks(p)) {
        next_stamp(p);
        count_frames(p, sample->nframes, sample->count);
    }
    count_root(p, sample->count);
    count_whole_shape(p, sample->nframes, sample->count, sample->line);
    return !p->options.threads || count_thread(p, sample->nframes, sample->count);
}

/* --- leaves and roots alone ----------------------------------------------------------------- */

/* Finds the root by the first frames, where they are enough or all: else it stays FST_ID_NONE. False
 * without memory. */
static bool try_entry(struct fst_profile *p, const struct fst_str *frames, size_t nframes, bool all)
{
    struct fst_tally *t = p->tally;
    if (!find_frames(p, frames, nframes)) {
        return false;
    }
    t->lead = p->grammar.rules->lead(frames, nframes);
    t->root = FST_ID_NONE;
    if (!all && larger(root_frame(p, nframes), t->lead.count) >= nframes) {
        return true;
    }
    t->root = find_root(p, nframes);
    return t->root != FST_ID_NONE;
}

static bool find_entry_of_frames(struct fst_profile *p, const struct fst_str *frames,
                                 size_t nframes)
{
    struct fst_tally *t = p->tally;
    t->root = FST_ID_NONE;
    for (size_t look = 1; t->root == FST_ID_NONE; look *= 2) {
        size_t n = look < nframes ? look : nframes;
        if (!try_entry(p, frames, n, n == nframes)) {
            return false;
        }
    }
    return true;
}

/* Counts what its leaf and its root tell of a stack. */
static void count_leaf_end(struct fst_profile *p, uint32_t leaf, size_t depth, fst_i128 count)
{
    count_leaf(p, p->frames[leaf].row, count);
    count_root(p, count);
    count_shape(p, depth, leaf, count);
}

/* Whether a stack is foreign, if its leaf leaves that open. */
static bool reads_foreign(const struct fst_profile *p, const struct fst_str *frames, size_t nframes)
{
    const struct fst_dialect_rules *rules = p->grammar.rules;
    for (size_t i = 0; i < nframes; i++) {
        if (rules->read(frames[i], p->grammar.split_files).kind != FST_FRAME_PLAIN) {
            return false;
        }
    }
    return true;
}

static bool leaf_may_be_foreign(const struct fst_profile *p, uint32_t leaf)
{
    return p->grammar.rules->always_split && p->frames[leaf].kind == FST_FRAME_PLAIN;
}

/* Counts the ends of a sample. */
static bool count_sample_ends(struct fst_profile *p, const struct fst_sample *sample)
{
    if (!find_entry_of_frames(p, sample->frames, sample->nframes)) {
        return false;
    }
    uint32_t leaf = fst_names_frame(p, sample->frames[sample->nframes - 1]);
    if (leaf == FST_ID_NONE) {
        return false;
    }
    count_leaf_end(p, leaf, sample->nframes, sample->count);
    if (leaf_may_be_foreign(p, leaf) && reads_foreign(p, sample->frames, sample->nframes)) {
        count_foreign(p, sample->line);
    }
    return true;
}

enum fst_status fst_profile_add(struct fst_profile *p, const struct fst_sample *sample,
                                struct fst_error *err)
{
    fst_i128 count = sample->count;
    fst_i128 magnitude;
    fst_i128 together;
    if (FST_ADD_OVERFLOWS(p->magnitude, count < 0 ? -count : count, &magnitude) ||
        FST_ADD_OVERFLOWS(p->before, magnitude, &together)) {
        return range_error(sample->line, err);
    }
    if (tally_of(p) == NULL ||
        !(fst_ends_suffice(p) ? count_sample_ends(p, sample) : count_sample(p, sample))) {
        return fst_error_nomem(err);
    }
    count_unit(p, count);
    p->magnitude = magnitude;
    p->total += count;
    p->offered += count;
    p->samples++;
    p->position++;
    return FST_OK;
}

/* --- batches -------------------------------------------------------------------------------- */

/* Looks up the frames of a batch and their rows. */
static bool find_symbols(struct fst_profile *p, const struct fst_batch *batch)
{
    struct fst_tally *t = p->tally;
    if (!grow_symbols(&t->frames, &t->frames_capacity, batch->nframes) ||
        !fst_names_frames(p, batch->frames, batch->nframes, t->frames)) {
        return false;
    }
    t->rows = t->frames;
    if (fst_rows_are_frames(p) || fst_rows_are_stacks(p)) {
        return true;
    }
    if (!grow_symbols(&t->groups, &t->groups_capacity, batch->nframes)) {
        return false;
    }
    t->rows = t->groups;
    for (size_t i = 0; i < batch->nframes; i++) {
        t->groups[i] = p->row_names.symbols[p->frames[t->frames[i]->id].row];
    }
    return true;
}

/* Counts into rows that are not held. */
static void count_singly(struct fst_symbol *const *rows, size_t nrows, uint64_t count,
                         uint32_t stamp)
{
    for (size_t i = 0; i < nrows; i++) {
        struct fst_symbol *row = rows[i];
        bool held = row->stamp == HELD;
        row->sum += held || row->stamp == stamp ? 0 : count;
        row->stamp = held ? HELD : stamp;
    }
}

static void hold(struct fst_tally *t, struct fst_symbol *row)
{
    t->path[t->held++] = (struct step){row, 0, row->stamp == HELD};
    row->stamp = HELD;
}

/* Leaves the end of the path, down to so many steps. */
static void leave(struct fst_tally *t, size_t held)
{
    while (t->held > held) {
        struct step *step = &t->path[--t->held];
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

/* Counts the totals of a stack, of which the next one has `next` leading frames in common; the path
 * has room for them. */
static void count_totals(struct fst_profile *p, const struct fst_stack *stack, size_t next)
{
    struct fst_tally *t = p->tally;
    struct fst_symbol *const *rows = t->rows + stack->first;
    size_t fresh = 0;
    for (; t->held < next && fresh < stack->nframes; fresh++) {
        hold(t, rows[fresh]);
    }
    next_stamp(p);
    count_singly(rows + fresh, stack->nframes - fresh, stack->count, t->stamp);
    if (t->held > 0) {
        t->path[t->held - 1].waiting += stack->count;
    }
    leave(t, next);
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
    if (nframes > t->stack_capacity && !grow_symbols(&t->stack, &t->stack_capacity, nframes)) {
        return 0;
    }
    memcpy(t->stack + stack->shared, t->frames + stack->first, stack->nframes * sizeof *t->frames);
    return nframes;
}

static bool count_stack(struct fst_profile *p, const struct fst_batch *batch, size_t i)
{
    struct fst_tally *t = p->tally;
    const struct fst_stack *stack = &batch->stacks[i];
    fst_i128 count = (fst_i128)stack->count * FST_COUNT_ONE;
    size_t nframes = take_stack(p, batch, i);
    if (nframes == 0 || !find_entry(p, stack->shared, nframes)) {
        return false;
    }
    if (fst_rows_are_stacks(p)) {
        if (!count_whole(p, count)) {
            return false;
        }
    } else {
        size_t next = shared_with_next(batch, i);
        if (next > t->path_capacity && !reserve_path(t, next)) {
            return false;
        }
        count_totals(p, stack, next);
        count_leaf(p, t->rows[stack->first + stack->nframes - 1]->id, count);
    }
    count_root(p, count);
    count_whole_shape(p, nframes, count, stack->line);
    return !p->options.threads || count_thread(p, nframes, count);
}

/* --- batches of ends ------------------------------------------------------------------------ */

static struct entry *entry_of(struct fst_tally *t, struct fst_str text)
{
    uint64_t words[2] = {0};
    memcpy(words, text.data, text.len < sizeof words ? text.len : sizeof words);
    uint64_t h = (words[0] ^ (words[1] * 0x9e3779b97f4a7c15U)) * 0xd6e8feb86659fd93U;
    return &t->entries[h >> 58];
}

/* Splits the first frames of a stack into the scratch, at most so many; *end is set behind the last
 * of them. Returns how many, 0 without memory. */
static size_t split_start(struct fst_tally *t, struct fst_str text, size_t most, size_t *end)
{
    void *names = t->names;
    if (fst_grow(&names, &t->names_capacity, most, sizeof *t->names) != 0) {
        return 0;
    }
    t->names = names;
    size_t nframes = 0;
    size_t at = 0;
    while (nframes < most && at <= text.len) {
        const char *from = text.data + at;
        const char *semicolon = memchr(from, ';', text.len - at);
        size_t len = semicolon == NULL ? text.len - at : (size_t)(semicolon - from);
        t->names[nframes++] = len == 0 ? FST_FRAME_EMPTY : fst_str_of(from, len);
        at += len + 1;
    }
    *end = at;
    return nframes;
}

/* The root of a stack of which only the ends are known. */
static bool find_entry_of_text(struct fst_profile *p, struct fst_str text)
{
    struct fst_tally *t = p->tally;
    struct entry *entry = entry_of(t, text);
    if (entry->len > 0 && fst_str_starts(text, fst_str_of(entry->text, entry->len))) {
        t->root = entry->root;
        return true;
    }
    size_t size = 0;
    t->root = FST_ID_NONE;
    for (size_t look = 1; t->root == FST_ID_NONE; look *= 2) {
        size_t nframes = split_start(t, text, look, &size);
        if (nframes == 0 || !try_entry(p, t->names, nframes, size > text.len)) {
            return false;
        }
    }
    entry->len = 0;
    if (size <= text.len && size <= sizeof entry->text) {
        memcpy(entry->text, text.data, size);
        entry->len = size;
        entry->root = t->root;
    }
    return true;
}

static bool count_ends(struct fst_profile *p, const struct fst_stack *stack)
{
    struct fst_tally *t = p->tally;
    uint32_t leaf = t->frames[stack->first]->id;
    if (!find_entry_of_text(p, stack->text)) {
        return false;
    }
    count_leaf_end(p, leaf, stack->depth, (fst_i128)stack->count * FST_COUNT_ONE);
    if (FST_UNLIKELY(leaf_may_be_foreign(p, leaf))) {
        size_t end;
        size_t nframes = split_start(t, stack->text, stack->depth, &end);
        if (nframes == 0) {
            return false;
        }
        if (reads_foreign(p, t->names, nframes)) {
            count_foreign(p, stack->line);
        }
    }
    return true;
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
    return range_error(batch->stacks[i].line, err);
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
    struct fst_tally *t = tally_of(p);
    if (t == NULL || !find_symbols(p, batch)) {
        return fst_error_nomem(err);
    }
    if (FST_ADD_OVERFLOWS(t->unsettled, sum, &t->unsettled) || t->unsettled > INT64_MAX) {
        settle_rows(p);
        t->unsettled = sum;
    }
    fetch_leaves(p, batch);
    t->root_reach = 0;
    for (size_t i = 0; i < batch->nstacks; i++) {
        if (!(batch->ends_only ? count_ends(p, &batch->stacks[i]) : count_stack(p, batch, i))) {
            return fst_error_nomem(err);
        }
        p->position++;
    }
    count_batch_units(p, batch);
    p->magnitude = magnitude;
    p->total += (fst_i128)sum * FST_COUNT_ONE;
    p->offered += (fst_i128)sum * FST_COUNT_ONE;
    p->samples += batch->nstacks;
    return FST_OK;
}
