#include "parse/dialect.h"

#include "parse/frame.h"

/* Shares in percent: how many frames must fit for a text to be one of files. */
enum { FILES_AT_LEAST = 60, LED_AT_LEAST = 50 };

static bool at_least(uint64_t part, uint64_t whole, unsigned percent)
{
    return whole > 0 && part * 100 >= whole * percent;
}

/* py-spy writes process and thread frames first, and Python files in brackets; a recording of idle
 * interpreters may hold empty stacks alone. */
static int bid_pyspy(const struct fst_sniff *sniff)
{
    if (at_least(sniff->led_stacks, sniff->stacks, LED_AT_LEAST)) {
        return 90;
    }
    if (sniff->python_frames > 0 && at_least(sniff->file_frames, sniff->frames, FILES_AT_LEAST)) {
        return 80;
    }
    return sniff->frames == 0 && sniff->empty_stacks > 0 ? 50 : 0;
}

static int bid_generic(const struct fst_sniff *sniff)
{
    (void)sniff;
    return 1;
}

static const struct dialect {
    enum fst_dialect id;
    const char *name;
    int (*bid)(const struct fst_sniff *sniff);
    bool always_split; /* frames carry files by definition; else only where enough of them do */
} dialects[] = {
    {FST_DIALECT_PYSPY, "py-spy", bid_pyspy, true},
    {FST_DIALECT_GENERIC, "generic", bid_generic, false},
};

static bool is_scaffolding(struct fst_str frame)
{
    struct fst_frame_parts parts = fst_frame_read(frame, true);
    return fst_frame_is_scaffolding(frame, &parts);
}

/* An opinion on the order of a stack: -1 leaf first, 1 root first, 0 none. A module's body is the
 * root side of Python stacks, unless scaffolding stands before it (python -m), and calls into C
 * ("<built-in method conv2d>") are leaves. */
static int order_of(struct fst_str first, struct fst_str last)
{
    static const struct fst_str module = {"<module>", 8};
    static const struct fst_str builtin = {"<built-in", 9};
    bool module_first = fst_str_starts(first, module);
    bool module_last = fst_str_starts(last, module);
    bool builtin_first = fst_str_starts(first, builtin);
    bool builtin_last = fst_str_starts(last, builtin);
    int root_first = module_first + builtin_last - module_last - builtin_first;
    if (root_first < 0 && is_scaffolding(first)) {
        root_first = 1;
    }
    return (root_first > 0) - (root_first < 0);
}

void fst_sniff_take(struct fst_sniff *sniff, const struct fst_str *frames, size_t nframes)
{
    sniff->stacks++;
    bool leading = true;
    const struct fst_str *first = NULL;
    for (size_t i = 0; i < nframes; i++) {
        struct fst_frame_parts parts = fst_frame_read(frames[i], true);
        bool lead = parts.kind == FST_FRAME_PROCESS || parts.kind == FST_FRAME_THREAD;
        sniff->led_stacks += i == 0 && lead;
        leading = leading && lead;
        if (parts.kind == FST_FRAME_STANDIN) {
            sniff->empty_stacks += nframes == 1;
        } else if (!lead) {
            sniff->frames++;
            sniff->file_frames += fst_frame_names_file(&parts);
            sniff->python_frames += fst_frame_names_python(&parts);
        }
        if (first == NULL && !leading) {
            first = &frames[i];
        }
    }
    if (first != NULL && first < &frames[nframes - 1]) {
        int order = order_of(*first, frames[nframes - 1]);
        sniff->leaf_first += order < 0;
        sniff->root_first += order > 0;
    }
}

struct fst_grammar fst_dialect_tell(const struct fst_sniff *sniff, enum fst_dialect asked)
{
    const struct dialect *best = &dialects[FST_COUNT_OF(dialects) - 1];
    int best_bid = 0;
    for (size_t i = 0; i < FST_COUNT_OF(dialects); i++) {
        int bid = asked == FST_DIALECT_AUTO ? dialects[i].bid(sniff) : dialects[i].id == asked;
        if (bid > best_bid) {
            best = &dialects[i];
            best_bid = bid;
        }
    }
    return (struct fst_grammar){
        .dialect = best->id,
        .split_files =
            best->always_split || at_least(sniff->file_frames, sniff->frames, FILES_AT_LEAST),
        .looks_leaf_first = sniff->leaf_first > sniff->root_first,
    };
}

const char *fst_dialect_name(enum fst_dialect dialect)
{
    for (size_t i = 0; i < FST_COUNT_OF(dialects); i++) {
        if (dialects[i].id == dialect) {
            return dialects[i].name;
        }
    }
    return "auto";
}

bool fst_dialect_find(const char *name, enum fst_dialect *out)
{
    *out = FST_DIALECT_AUTO;
    for (size_t i = 0; i < FST_COUNT_OF(dialects); i++) {
        if (strcmp(name, dialects[i].name) == 0) {
            *out = dialects[i].id;
            return true;
        }
    }
    return strcmp(name, "auto") == 0;
}
