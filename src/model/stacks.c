#include "model/stacks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/count.h"
#include "parse/record.h"

void fst_stacks_init(struct fst_stacks *stacks, uint64_t seed)
{
    *stacks = (struct fst_stacks){.counts = NULL};
    fst_symtab_init(&stacks->texts, seed);
}

void fst_stacks_release(struct fst_stacks *stacks)
{
    fst_symtab_release(&stacks->texts);
    fst_free(stacks->counts);
    fst_free(stacks->batch);
    fst_free(stacks->symbols);
}

/* --- adding ------------------------------------------------------------------------------------ */

/* Adds what the symbol's own sum has no room for. */
static bool add_beside(struct fst_stacks *stacks, uint32_t id, fst_i128 count)
{
    size_t before = stacks->capacity;
    void *counts = stacks->counts;
    if (id >= before) {
        if (fst_grow(&counts, &stacks->capacity, stacks->texts.capacity, sizeof *stacks->counts) !=
            0) {
            return false;
        }
        stacks->counts = counts;
        memset(stacks->counts + before, 0, (stacks->capacity - before) * sizeof *stacks->counts);
    }
    stacks->counts[id] += count;
    return true;
}

static bool add_whole(struct fst_stacks *stacks, struct fst_symbol *symbol, uint64_t count)
{
    uint64_t sum;
    if (FST_UNLIKELY(FST_ADD_OVERFLOWS(symbol->sum, count, &sum))) {
        if (!add_beside(stacks, symbol->id, (fst_i128)symbol->sum * FST_COUNT_ONE)) {
            return false;
        }
        sum = count;
    }
    symbol->sum = sum;
    return true;
}

static bool add_to(struct fst_stacks *stacks, struct fst_symbol *symbol, fst_i128 count)
{
    if (count >= 0 && count <= (fst_i128)UINT64_MAX * FST_COUNT_ONE && fst_count_is_whole(count)) {
        return add_whole(stacks, symbol, (uint64_t)(count / FST_COUNT_ONE));
    }
    return add_beside(stacks, symbol->id, count);
}

bool fst_stacks_add(struct fst_stacks *stacks, struct fst_str text, fst_i128 count)
{
    uint32_t id = fst_symtab_intern(&stacks->texts, text);
    return id != FST_ID_NONE && add_to(stacks, stacks->texts.symbols[id], count);
}

static bool reserve_batch(struct fst_stacks *stacks, size_t count)
{
    void *batch = stacks->batch;
    void *symbols = stacks->symbols;
    if (fst_grow(&batch, &stacks->batch_capacity, count, sizeof *stacks->batch) != 0) {
        return false;
    }
    stacks->batch = batch;
    if (fst_grow(&symbols, &stacks->symbols_capacity, count, sizeof(struct fst_symbol *)) != 0) {
        return false;
    }
    stacks->symbols = symbols;
    return true;
}

bool fst_stacks_add_batch(struct fst_stacks *stacks, const struct fst_batch *batch)
{
    if (!reserve_batch(stacks, batch->nstacks)) {
        return false;
    }
    for (size_t i = 0; i < batch->nstacks; i++) {
        stacks->batch[i] = batch->stacks[i].text;
    }
    if (!fst_symtab_intern_all(&stacks->texts, stacks->batch, batch->nstacks, stacks->symbols)) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < batch->nstacks; i++) {
        good = add_whole(stacks, stacks->symbols[i], batch->stacks[i].count);
    }
    return good;
}

fst_i128 fst_stacks_count(const struct fst_stacks *stacks, uint32_t id)
{
    fst_i128 beside = id < stacks->capacity ? stacks->counts[id] : 0;
    return beside + (fst_i128)stacks->texts.symbols[id]->sum * FST_COUNT_ONE;
}

bool fst_stacks_merge(struct fst_stacks *into, const struct fst_stacks *from)
{
    bool good = true;
    for (size_t i = 0; good && i < from->texts.count; i++) {
        uint32_t id = (uint32_t)i;
        good = fst_stacks_add(into, fst_symtab_name(&from->texts, id), fst_stacks_count(from, id));
    }
    return good;
}

uint64_t fst_stacks_memory(const struct fst_stacks *stacks)
{
    return fst_symtab_memory(&stacks->texts) + stacks->capacity * sizeof *stacks->counts +
           stacks->batch_capacity * sizeof *stacks->batch +
           stacks->symbols_capacity * sizeof(struct fst_symbol *);
}

/* --- order ------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const struct fst_symbol *const *left = a;
    const struct fst_symbol *const *right = b;
    return fst_str_cmp(fst_symbol_name(*left), fst_symbol_name(*right));
}

struct fst_symbol **fst_stacks_sorted(const struct fst_stacks *stacks)
{
    size_t count = stacks->texts.count;
    struct fst_symbol **sorted = fst_alloc((count + 1) * sizeof(struct fst_symbol *));
    if (sorted != NULL && count > 0) {
        memcpy(sorted, stacks->texts.symbols, count * sizeof(struct fst_symbol *));
        qsort(sorted, count, sizeof(struct fst_symbol *), by_text);
    }
    return sorted;
}

/* --- text -------------------------------------------------------------------------------------- */

/* Whether a frame is a process frame whose quotes protect what is between them. */
static bool is_quoted(struct fst_str frame)
{
    size_t opening = fst_quote_opening(frame);
    return opening > 0 && frame.len > opening && frame.data[frame.len - 1] == '"' &&
           fst_str_find(fst_str_skip(frame, opening), FST_STR("\";")) == NULL;
}

static void write_frame(struct fst_buf *out, struct fst_str frame)
{
    size_t start = out->len;
    if (!fst_buf_add_str(out, frame) || frame.len == 0 || is_quoted(frame)) {
        return;
    }
    for (char *at = out->data + start; at < out->data + out->len; at++) {
        if (*at == ';') {
            *at = ':';
        } else if (*at == '\n') {
            *at = ' ';
        }
    }
}

/* A stack of several frames. Of semicolons at its end one is dropped when it is read. */
static void write_frames(struct fst_buf *out, const struct fst_str *frames, size_t nframes)
{
    bool empty = false;
    for (size_t i = 0; i < nframes; i++) {
        empty = fst_str_eq(frames[i], FST_FRAME_EMPTY);
        fst_buf_add_cstr(out, i == 0 ? "" : ";");
        write_frame(out, empty ? fst_str_of("", 0) : frames[i]);
    }
    fst_buf_add_cstr(out, empty ? ";" : "");
}

/* "# " at the start would make a comment of a stack. */
static void hide_comment(struct fst_buf *out, size_t start)
{
    struct fst_str text = fst_str_skip(fst_buf_str(out), start);
    if (fst_str_eq(text, FST_STR("#"))) {
        fst_buf_add_char(out, '_');
    } else if (fst_str_starts(text, FST_STR("# "))) {
        out->data[start + 1] = '_';
    }
}

void fst_stack_write(struct fst_buf *out, const struct fst_str *frames, size_t nframes)
{
    size_t start = out->len;
    if (nframes > 1) {
        write_frames(out, frames, nframes);
    } else if (!fst_str_eq(frames[0], FST_FRAME_NONE)) {
        write_frame(out, frames[0]);
    }
    hide_comment(out, start);
}
