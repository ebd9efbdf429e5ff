/* Stacks of which leaf and root alone are asked for: the frames between them are not looked up.
 *
 * The start of a stack decides about its root. Stacks that begin alike are many, so that some
 * beginnings are remembered: with their root, or as being too short to tell it. */
#include "base/alloc.h"
#include "model/tally.h"

/* Finds the root by the first frames, where they are enough or all: else it stays FST_ID_NONE. False
 * without memory. */
static bool try_entry(struct fst_profile *p, const struct fst_str *frames, size_t nframes, bool all)
{
    struct fst_tally *t = p->tally;
    if (!fst_tally_take(p, frames, nframes)) {
        return false;
    }
    t->lead = p->grammar.rules->lead(frames, nframes);
    t->root = FST_ID_NONE;
    if (!all && fst_entry_reach(p, nframes) >= nframes) {
        return true;
    }
    t->root = fst_entry_root(p, nframes);
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
bool fst_ends_add_sample(struct fst_profile *p, const struct fst_sample *sample)
{
    if (!find_entry_of_frames(p, sample->frames, sample->nframes)) {
        return false;
    }
    uint32_t leaf = fst_names_frame(p, sample->frames[sample->nframes - 1]);
    if (leaf == FST_ID_NONE) {
        return false;
    }
    fst_count_leaf(p, p->frames[leaf].row, sample->count);
    fst_count_root(p, sample->count);
    fst_count_shape(p, sample->nframes, leaf, sample->count);
    if (leaf_may_be_foreign(p, leaf) && reads_foreign(p, sample->frames, sample->nframes)) {
        fst_count_foreign(p, sample->line);
    }
    return true;
}

/* --- in batches ---------------------------------------------------------------------------- */

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

/* One of the two places where a beginning is remembered: by its ends and its length. */
static struct fst_entry *place_of(struct fst_tally *t, struct fst_str start)
{
    uint64_t first = 0;
    uint64_t last = 0;
    size_t word = start.len < sizeof first ? start.len : sizeof first;
    memcpy(&first, start.data, word);
    memcpy(&last, start.data + start.len - word, word);
    uint64_t h = (first ^ (last + start.len) * 0x9e3779b97f4a7c15U) * 0xd6e8feb86659fd93U;
    return &t->entries[(h >> 32) % FST_ENTRIES];
}

static struct fst_entry *neighbour_of(struct fst_tally *t, const struct fst_entry *place)
{
    return &t->entries[(size_t)(place - t->entries) ^ 1U];
}

static bool is_entry(const struct fst_entry *entry, struct fst_str start)
{
    return entry->len == start.len && memcmp(entry->text, start.data, start.len) == 0;
}

/* What is remembered of a beginning, or NULL. */
static const struct fst_entry *recall(struct fst_tally *t, struct fst_str start)
{
    const struct fst_entry *place = place_of(t, start);
    if (FST_LIKELY(is_entry(place, start))) {
        return place;
    }
    place = neighbour_of(t, place);
    return is_entry(place, start) ? place : NULL;
}

/* Remembers the root that a beginning tells; FST_ID_NONE: it is too short for that. What stood in
 * its place moves to the other one. */
static void remember(struct fst_tally *t, struct fst_str start)
{
    struct fst_entry *place = place_of(t, start);
    if (start.len <= sizeof place->text) {
        *neighbour_of(t, place) = *place;
        memcpy(place->text, start.data, start.len);
        place->len = start.len;
        place->root = t->root;
    }
}

/* The offset behind so many more frames of a text, their semicolons included; 0 where there are not
 * so many. */
static size_t skip_frames(struct fst_str text, size_t at, size_t frames)
{
    for (; frames > 0; frames--) {
        const char *semicolon = at < text.len ? memchr(text.data + at, ';', text.len - at) : NULL;
        if (semicolon == NULL) {
            return 0;
        }
        at = (size_t)(semicolon - text.data) + 1;
    }
    return at;
}

/* The root of a stack of which only the ends are known: by its first frame, two, four … until they
 * are enough. */
static bool find_entry_of_text(struct fst_profile *p, struct fst_str text)
{
    struct fst_tally *t = p->tally;
    t->root = FST_ID_NONE;
    size_t end = 0;
    for (size_t look = 1; t->root == FST_ID_NONE; look *= 2) {
        struct fst_str start = {text.data, skip_frames(text, end, look - look / 2)};
        const struct fst_entry *known = start.len > 0 ? recall(t, start) : NULL;
        if (FST_LIKELY(known != NULL)) {
            t->root = known->root;
            end = start.len;
            continue;
        }
        size_t nframes = split_start(t, text, look, &end);
        if (nframes == 0 || !try_entry(p, t->names, nframes, start.len == 0)) {
            return false;
        }
        if (start.len > 0) {
            remember(t, start);
        }
    }
    return true;
}

/* Stamps of rows that were the row of a leaf. */
enum { LEAF = 1, ODD_LEAF = 2 };

/* Keeps what notes are about, of a stack whose leaf is odd. */
static bool count_odd_leaf(struct fst_profile *p, const struct fst_stack *stack, uint32_t leaf)
{
    struct fst_tally *t = p->tally;
    p->unknown += p->frames[leaf].unknown ? (fst_i128)stack->count * FST_COUNT_ONE : 0;
    if (leaf_may_be_foreign(p, leaf)) {
        size_t end;
        size_t nframes = split_start(t, stack->text, stack->depth, &end);
        if (nframes == 0) {
            return false;
        }
        if (reads_foreign(p, t->names, nframes)) {
            fst_count_foreign(p, stack->line);
        }
    }
    return true;
}

/* A row is the row of a leaf for the first time: its stamp tells from then on whether its leaves need
 * a second look. Those of a row of several frames may. */
static void stamp_leaf(struct fst_profile *p, struct fst_symbol *row, uint32_t leaf)
{
    bool odd = !fst_rows_are_frames(p) || p->frames[leaf].unknown || leaf_may_be_foreign(p, leaf);
    row->stamp = odd ? ODD_LEAF : LEAF;
    if (p->rows[row->id].first_self == FST_NEVER) {
        p->rows[row->id].first_self = p->position;
    }
}

/* Counts one stack; its leaf's row is in the cache, and mostly nothing else of the leaf is needed. */
bool fst_ends_add_stack(struct fst_profile *p, const struct fst_stack *stack)
{
    struct fst_tally *t = p->tally;
    struct fst_symbol *row = t->rows[stack->first];
    if (!find_entry_of_text(p, stack->text)) {
        return false;
    }
    row->sum += stack->count;
    if (FST_UNLIKELY(row->stamp == 0)) {
        stamp_leaf(p, row, t->frames[stack->first]->id);
    }
    fst_count_root(p, (fst_i128)stack->count * FST_COUNT_ONE);
    fst_count_depth(p, stack->depth);
    return row->stamp == LEAF || count_odd_leaf(p, stack, t->frames[stack->first]->id);
}
