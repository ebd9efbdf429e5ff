/* Dialects that differ from the generic one in a word.
 *
 *     rbspy      sleep [c function] - (unknown);run - lib/x.rb:3 4
 *     torch      train.py(31):_main;linear.py(93):_forward 1234
 *     two-count  main;a 50 20
 *
 * Sources: https://github.com/rbspy/rbspy (src/ui/flamegraph.rs), PyTorch's
 * torch/autograd/profiler.py (export_stacks), difffolded.pl of
 * https://github.com/brendangregg/FlameGraph. */
#include "parse/dialect.h"

static struct fst_lead lead_none(const struct fst_str *frames, size_t nframes)
{
    (void)frames;
    (void)nframes;
    return FST_NO_LEAD;
}

/* --- rbspy ------------------------------------------------------------------------------------ */

/* The last " - " of a frame; NULL if there is none. */
static const char *find_dash(struct fst_str frame)
{
    const char *dash = frame.data + frame.len;
    while ((dash = memrchr(frame.data, '-', (size_t)(dash - frame.data))) != NULL) {
        bool inside = dash > frame.data && dash + 1 < frame.data + frame.len;
        if (inside && dash[-1] == ' ' && dash[1] == ' ') {
            return dash - 1;
        }
    }
    return NULL;
}

static struct fst_frame_parts read_rbspy(struct fst_str frame, bool split_files)
{
    const char *dash = find_dash(frame);
    if (dash == NULL) {
        return fst_frame_read(frame, split_files);
    }
    struct fst_frame_parts parts = {.kind = FST_FRAME_SPLIT, .line = {"", 0}};
    parts.function = fst_str_of(frame.data, (size_t)(dash - frame.data));
    parts.file = fst_str_skip(frame, parts.function.len + 3);
    size_t at = parts.file.len;
    while (at > 0 && fst_is_digit(parts.file.data[at - 1])) {
        at--;
    }
    if (at > 1 && at < parts.file.len && parts.file.data[at - 1] == ':') {
        parts.line = fst_str_skip(parts.file, at);
        parts.file.len = at - 1;
    }
    if (parts.function.len == 0 || parts.file.len == 0) {
        return fst_frame_read(frame, split_files);
    }
    return parts;
}

static bool fits_rbspy(const struct fst_record *record)
{
    for (size_t i = 0; record->kind == FST_RECORD_STACK && i < record->nframes; i++) {
        struct fst_frame_parts parts = read_rbspy(record->frames[i], false);
        if (parts.kind == FST_FRAME_SPLIT && (fst_str_ends(parts.file, FST_STR(".rb")) ||
                                              fst_str_eq(parts.file, FST_STR("(unknown)")))) {
            return true;
        }
    }
    return false;
}

static int bid_rbspy(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.5 ? 75 : 0;
}

const struct fst_dialect_rules fst_dialect_rbspy = {
    .id = FST_DIALECT_RBSPY,
    .name = "rbspy",
    .fits = fits_rbspy,
    .bid = bid_rbspy,
    .read = read_rbspy,
    .lead = lead_none,
    .always_split = true,
};

/* --- torch ------------------------------------------------------------------------------------ */

/* "FILE(LINE):_FUNCTION": blanks were made underscores when it was written. */
static struct fst_frame_parts read_torch(struct fst_str frame, bool split_files)
{
    const char *mark = fst_str_find(frame, FST_STR("):"));
    size_t close = mark == NULL ? 0 : (size_t)(mark - frame.data);
    size_t open = close;
    while (open > 0 && fst_is_digit(frame.data[open - 1])) {
        open--;
    }
    if (open < 2 || open == close || frame.data[open - 1] != '(' || close + 2 >= frame.len) {
        return fst_frame_read(frame, split_files);
    }
    struct fst_frame_parts parts = {.kind = FST_FRAME_SPLIT};
    parts.file = fst_str_of(frame.data, open - 1);
    parts.line = fst_str_of(frame.data + open, close - open);
    parts.function = fst_str_skip(frame, close + 2);
    if (parts.function.len > 1 &&
        (parts.function.data[0] == '_' || parts.function.data[0] == ' ')) {
        parts.function = fst_str_skip(parts.function, 1);
    }
    return parts;
}

static bool fits_torch(const struct fst_record *record)
{
    for (size_t i = 0; record->kind == FST_RECORD_STACK && i < record->nframes; i++) {
        struct fst_frame_parts parts = read_torch(record->frames[i], false);
        if (parts.kind == FST_FRAME_SPLIT && fst_str_ends(parts.file, FST_STR(".py"))) {
            return true;
        }
    }
    return false;
}

static int bid_torch(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.5 ? 75 : 0;
}

const struct fst_dialect_rules fst_dialect_torch = {
    .id = FST_DIALECT_TORCH,
    .name = "torch",
    .fits = fits_torch,
    .bid = bid_torch,
    .read = read_torch,
    .lead = lead_none,
    .unit = FST_UNIT_MICROSECONDS,
};

/* --- two counts ------------------------------------------------------------------------------- */

static int bid_two_count(const struct fst_sniff *sniff, double fits)
{
    (void)fits;
    uint64_t twos = sniff->tails[2] + sniff->tails[3];
    return sniff->records >= 2 && twos == sniff->records ? 95 : 0;
}

const struct fst_dialect_rules fst_dialect_two_count = {
    .id = FST_DIALECT_TWO_COUNT,
    .name = "two-count",
    .bid = bid_two_count,
    .read = fst_frame_read,
    .lead = lead_none,
};
