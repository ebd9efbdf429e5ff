/* The working memory of counting, and the small steps that every way of counting takes. */
#ifndef FST_MODEL_TALLY_H
#define FST_MODEL_TALLY_H

#include "base/count.h"
#include "model/chosen.h"
#include "model/count.h"
#include "model/names.h"

/* A held frame: see count.c. */
struct fst_step {
    struct fst_symbol *row;
    uint64_t waiting; /* counts of the stacks that went no further along the path */
    bool again;       /* the path holds the row below already */
};

/* The beginning of a stack, and the root that it tells; see ends.c. */
struct fst_entry {
    size_t len;    /* 0: none */
    uint32_t root; /* FST_ID_NONE: it is too short to tell it */
    char text[244];
};

enum { FST_ENTRIES = 256 };

/* The stamp of a row that the path holds; those of stacks lie between 0 and FST_LINKED. */
#define FST_HELD UINT32_MAX

struct fst_tally {
    struct fst_symbol **frames; /* of the batch */
    size_t frames_capacity;
    struct fst_symbol **groups; /* their rows, where rows are no frames */
    size_t groups_capacity;
    struct fst_symbol *const *rows; /* frames or groups */
    struct fst_symbol **stack;      /* the frames of the stack at hand */
    size_t stack_capacity;
    struct fst_step *path;
    size_t held; /* steps of path */
    size_t path_capacity;
    uint32_t stamp;     /* of the stack at hand: above 0 and below FST_LINKED */
    uint64_t unsettled; /* bounds every sum in a symbol */
    uint32_t root;      /* of the stack before */
    size_t root_reach;  /* so many leading frames decided about it and about lead */
    struct fst_lead lead;
    struct fst_str *names; /* scratch for what wants text */
    size_t names_capacity;
    uint32_t *
        steps; /* what stands in a call tree for the frames of the batch, or of the stack at hand */
    size_t steps_capacity;
    struct fst_outset outsets[FST_OUTSETS]; /* of stacks of the batch */
    struct fst_entry entries[FST_ENTRIES];
    struct fst_chooser chooser; /* of filters, and of rows that are no frames */
};

/* --- by entry.c: how a stack begins ---------------------------------------------------------- */

/* Finds what leads the stack at hand, which has nframes frames. False without memory. */
bool fst_entry_lead(struct fst_profile *profile, size_t nframes);

/* The root of the stack at hand, whose lead is known; FST_ID_NONE where that failed. */
uint32_t fst_entry_root(struct fst_profile *profile, size_t nframes);

/* Finds both. */
bool fst_entry_new(struct fst_profile *profile, size_t nframes);

/* So many leading frames decide about a stack's root, where they find one: those before the frame
 * that makes it. */
size_t fst_entry_reach(const struct fst_profile *profile, size_t nframes);

/* Writes the names of the first frames of the stack at hand into the scratch. */
bool fst_entry_name_stack(struct fst_tally *tally, size_t nframes);

/* The stack's thread and process, or what stands for none. */
struct fst_str fst_entry_thread(const struct fst_tally *tally);
struct fst_str fst_entry_process(const struct fst_tally *tally);

/* --- by ends.c: stacks of which only both ends are looked at ----------------------------------- */

bool fst_ends_add_sample(struct fst_profile *profile, const struct fst_sample *sample);
bool fst_ends_add_stack(struct fst_profile *profile, const struct fst_stack *stack);

/* --- by calls.c: the call tree ------------------------------------------------------------------ */

/* Counts the stack at hand, which has nframes frames, where the options ask for a tree. */
bool fst_count_calls(struct fst_profile *profile, size_t nframes, fst_i128 count);

/* Takes the frames of a batch, which have been looked up. */
bool fst_calls_take(struct fst_profile *profile, const struct fst_batch *batch);

/* Counts stack i of the batch that was taken, in which all before it were counted. */
bool fst_calls_add(struct fst_profile *profile, const struct fst_batch *batch, size_t i);

/* --- by count.c ------------------------------------------------------------------------------- */

bool fst_symbols_grow(struct fst_symbol ***items, size_t *capacity, size_t need);

/* The stack at hand becomes that of these frames. */
bool fst_tally_take(struct fst_profile *profile, const struct fst_str *frames, size_t nframes);

/* Counts into every row of the stack at hand, each once, and its leaf. */
void fst_count_frames(struct fst_profile *profile, size_t nframes, fst_i128 count);

/* Sums by thread, and by native frame in which a thread waits, of the stack at hand: where the
 * options ask for them. */
bool fst_count_thread(struct fst_profile *profile, size_t nframes, fst_i128 count);

/* Numbers the next stack; when the numbers begin anew, old stamps are wiped. */
void fst_tally_stamp(struct fst_profile *profile);

/* The table that rows are named by. */
static inline struct fst_symtab *fst_row_table(struct fst_profile *p)
{
    return fst_rows_are_frames(p) ? &p->frame_names : &p->row_names;
}

/* Finds lead and root of the stack at hand, which has so many leading frames in common with the stack
 * before it. */
static inline bool fst_entry_find(struct fst_profile *p, size_t shared, size_t nframes)
{
    size_t reach = p->tally->root_reach;
    return (shared >= reach && reach > 0) || fst_entry_new(p, nframes);
}

/* Rows of chosen stacks get their place in the order when they are first counted into. */
static inline void fst_count_order(struct fst_profile *p, struct fst_row *row)
{
    if (row->order == FST_NEVER) {
        row->order = p->orders > p->origin ? p->orders : p->origin;
        p->orders = row->order + 1;
    }
}

/* Counts the stack at hand into a row, unless it has been. */
static inline void fst_count_once(struct fst_profile *p, struct fst_symbol *symbol, fst_i128 count)
{
    if (symbol->stamp == p->tally->stamp) {
        return;
    }
    symbol->stamp = p->tally->stamp;
    p->totals[symbol->id] += count;
    fst_count_order(p, &p->rows[symbol->id]);
}

/* The same of a stack of a batch, whose sums are bounded, without a look at the row. */
static inline void fst_count_units_once(struct fst_profile *p, struct fst_symbol *symbol,
                                        uint64_t units)
{
    if (symbol->stamp == p->tally->stamp) {
        return;
    }
    if (symbol->stamp == 0) {
        fst_count_order(p, &p->rows[symbol->id]);
    }
    symbol->stamp = p->tally->stamp;
    symbol->sum += units;
}

static inline void fst_count_leaf(struct fst_profile *p, uint32_t row, fst_i128 count)
{
    p->rows[row].self += count;
    if (p->rows[row].first_self == FST_NEVER) {
        p->rows[row].first_self = p->position;
    }
}

static inline void fst_count_root(struct fst_profile *p, fst_i128 count)
{
    struct fst_root_row *root = &p->roots[p->tally->root];
    root->total += count;
    if (root->first == FST_NEVER) {
        root->first = p->position;
    }
}

static inline void fst_count_depth(struct fst_profile *p, uint64_t depth)
{
    if (depth > p->deepest) {
        p->deepest = depth;
        p->at_deepest = 0;
    }
    p->at_deepest += depth == p->deepest;
}

/* Keeps what notes are about. */
static inline void fst_count_shape(struct fst_profile *p, uint64_t depth, uint32_t leaf,
                                   fst_i128 count)
{
    p->unknown += p->frames[leaf].unknown ? count : 0;
    fst_count_depth(p, depth);
}

static inline void fst_count_foreign(struct fst_profile *p, uint64_t line)
{
    if (p->foreign++ == 0) {
        p->first_foreign = line;
    }
}

#endif
