#include "model/stacks.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/order.h"
#include "parse/logline.h"
#include "parse/record.h"

void fst_stacks_init(struct fst_stacks *stacks, uint64_t seed)
{
    *stacks = (struct fst_stacks){.seed = seed};
    fst_symtab_init(&stacks->texts, seed);
}

void fst_stacks_release(struct fst_stacks *stacks)
{
    fst_symtab_release(&stacks->texts);
    fst_free(stacks->counts);
    fst_runs_release(&stacks->runs);
    fst_free(stacks->batch);
    fst_free(stacks->symbols);
}

/* --- adding --------------------------------------------------------------------------------- */

/* Adds what the symbol's own sum has no room for. */
static bool add_beside(struct fst_stacks *stacks, uint32_t id, fst_i128 count)
{
    if (id >= stacks->capacity) {
        void *counts = stacks->counts;
        if (fst_grow_zeroed(&counts, &stacks->capacity, stacks->texts.capacity,
                            sizeof *stacks->counts) != 0) {
            return false;
        }
        stacks->counts = counts;
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

/* The sum of a stack, wherever its symbol stands. */
static fst_i128 count_of(const struct fst_stacks *stacks, const struct fst_symbol *symbol)
{
    fst_i128 beside = symbol->id < stacks->capacity ? stacks->counts[symbol->id] : 0;
    return beside + (fst_i128)symbol->sum * FST_COUNT_ONE;
}

uint64_t fst_stacks_memory(const struct fst_stacks *stacks)
{
    return fst_symtab_memory(&stacks->texts) + stacks->capacity * sizeof *stacks->counts +
           stacks->batch_capacity * sizeof *stacks->batch +
           stacks->symbols_capacity * sizeof(struct fst_symbol *);
}

/* --- order ---------------------------------------------------------------------------------- */

static enum fst_status next_of_table(struct fst_stream *stream, bool *more, struct fst_error *err)
{
    (void)err;
    struct fst_table_stream *table = (struct fst_table_stream *)stream;
    *more = table->at < table->stacks->texts.count;
    if (*more) {
        const struct fst_symbol *symbol = table->sorted[table->at++];
        stream->text = fst_symbol_name(symbol);
        stream->count = count_of(table->stacks, symbol);
    }
    return FST_OK;
}

/* A stream of the stacks in memory, whose symbols are put in order where they are. */
static bool stream_table(struct fst_table_stream *table, const struct fst_stacks *stacks,
                         struct fst_symbol **symbols)
{
    *table = (struct fst_table_stream){
        .base = {.next = next_of_table}, .stacks = stacks, .sorted = symbols};
    return fst_symbols_sort(symbols, stacks->texts.count);
}

enum fst_status fst_walk_begin(struct fst_walk *walk, const struct fst_stacks *stacks,
                               struct fst_error *err)
{
    size_t count = stacks->texts.count;
    *walk = (struct fst_walk){.streams = NULL};
    struct fst_symbol **sorted = fst_alloc((count + 1) * sizeof(struct fst_symbol *));
    walk->table.sorted = sorted;
    walk->streams = fst_alloc((stacks->runs.count + 1) * sizeof(struct fst_stream *));
    if (sorted == NULL || walk->streams == NULL) {
        return fst_error_nomem(err);
    }
    memcpy(sorted, count == 0 ? sorted : stacks->texts.symbols,
           count * sizeof(struct fst_symbol *));
    if (!stream_table(&walk->table, stacks, sorted)) {
        return fst_error_nomem(err);
    }
    walk->streams[0] = &walk->table.base;
    fst_confluence_init(&walk->all, walk->streams, stacks->runs.count + 1);
    return fst_runs_open(&stacks->runs, walk->streams + 1, err);
}

void fst_walk_release(struct fst_walk *walk)
{
    fst_confluence_release(&walk->all);
    fst_free(walk->table.sorted);
    fst_free(walk->streams);
}

/* --- room ----------------------------------------------------------------------------------- */

static const char *folder_of(const struct fst_stacks *stacks)
{
    return stacks->folder == NULL ? "/tmp" : stacks->folder;
}

/* Forgets what is in memory. */
static void clear(struct fst_stacks *stacks)
{
    fst_symtab_release(&stacks->texts);
    fst_symtab_init(&stacks->texts, stacks->seed);
    fst_free(stacks->counts);
    stacks->counts = NULL;
    stacks->capacity = 0;
}

enum fst_status fst_stacks_make_room(struct fst_stacks *stacks, struct fst_error *err)
{
    if (stacks->most == 0 || fst_stacks_memory(stacks) <= stacks->most) {
        return FST_OK;
    }
    struct fst_table_stream table;
    if (!stream_table(&table, stacks, stacks->texts.symbols)) {
        return fst_error_nomem(err);
    }
    enum fst_status status = fst_runs_add(&stacks->runs, &table.base, folder_of(stacks), err);
    clear(stacks);
    return status;
}

static enum fst_status add_table(struct fst_stacks *into, const struct fst_stacks *from,
                                 struct fst_error *err)
{
    for (size_t i = 0; i < from->texts.count; i++) {
        const struct fst_symbol *symbol = from->texts.symbols[i];
        if (!fst_stacks_add(into, fst_symbol_name(symbol), count_of(from, symbol))) {
            return fst_error_nomem(err);
        }
    }
    return fst_stacks_make_room(into, err);
}

enum fst_status fst_stacks_merge(struct fst_stacks *into, const struct fst_stacks *from,
                                 struct fst_error *err)
{
    if (from->runs.count == 0) {
        return add_table(into, from, err);
    }
    struct fst_walk walk;
    bool more = true;
    enum fst_status status = fst_walk_begin(&walk, from, err);
    while (status == FST_OK && more) {
        status = fst_stream_next(&walk.all.base, &more, err);
        if (status == FST_OK && more) {
            status = fst_stacks_add(into, walk.all.base.text, walk.all.base.count)
                         ? fst_stacks_make_room(into, err)
                         : fst_error_nomem(err);
        }
    }
    fst_walk_release(&walk);
    return status;
}

enum fst_status fst_stacks_absorb(struct fst_stacks *into, struct fst_stacks *from,
                                  struct fst_error *err)
{
    enum fst_status status = fst_runs_take(&into->runs, &from->runs, folder_of(into), err);
    return status == FST_OK ? add_table(into, from, err) : status;
}

/* --- text ----------------------------------------------------------------------------------- */

/* Whether a frame is a process frame whose quotes protect what is between them. */
static bool is_quoted(struct fst_str frame)
{
    size_t opening = fst_quote_opening(frame);
    return opening > 0 && frame.len > opening && frame.data[frame.len - 1] == '"' &&
           fst_str_find(fst_str_skip(frame, opening), FST_STR("\";")) == NULL;
}

/* A quote that nothing closes is closed: it would reach for one on the lines below when it is
 * read, and what lines those are is another matter when they are sorted. */
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
    if (fst_quote_opening(frame) > 0 && !is_quoted(fst_str_skip(fst_buf_str(out), start))) {
        fst_buf_add_char(out, '"');
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

/* Whether a stack with its count behind it would be read as a message of py-spy. */
static bool is_message(struct fst_buf *out, size_t start)
{
    size_t len = out->len;
    bool added = fst_buf_add_cstr(out, " 1");
    bool message = added && fst_is_log_line(fst_str_skip(fst_buf_str(out), start));
    out->len = len;
    return message;
}

/* Changes a stack that would be a comment, as it begins with "# ", or a message when it is read. */
static void hide_aside(struct fst_buf *out, size_t start)
{
    struct fst_str text = fst_str_skip(fst_buf_str(out), start);
    if (fst_str_eq(text, FST_STR("#"))) {
        fst_buf_add_char(out, '_');
    } else if (fst_str_starts(text, FST_STR("# "))) {
        out->data[start + 1] = '_';
    } else if (is_message(out, start) && fst_buf_add_char(out, '_')) {
        memmove(out->data + start + 1, out->data + start, out->len - start - 1);
        out->data[start] = '_';
    }
}

/* Whether a stack may be kept as it is written: no quote may reach for other lines, and it is
 * neither a comment nor a message with one blank before its count. */
static bool is_plain(struct fst_str text)
{
    return memchr(text.data, '"', text.len) == NULL && !fst_str_starts(text, FST_STR("#"));
}

void fst_stack_write(struct fst_buf *out, const struct fst_str *frames, size_t nframes)
{
    size_t start = out->len;
    if (nframes > 1) {
        write_frames(out, frames, nframes);
    } else if (!fst_str_eq(frames[0], FST_FRAME_NONE)) {
        write_frame(out, frames[0]);
    }
    hide_aside(out, start);
}

struct fst_str fst_stack_text(struct fst_buf *out, const struct fst_sample *sample)
{
    if (sample->text.data != NULL && is_plain(sample->text)) {
        return sample->text;
    }
    fst_buf_clear(out);
    fst_stack_write(out, sample->frames, sample->nframes);
    return fst_buf_str(out);
}
