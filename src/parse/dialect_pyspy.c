/* py-spy's raw format, and text of no known profiler.
 *
 *     process 10:"cmd";thread (4242): MainThread;<module> (train.py:42);fit (pkg/loop.py:118) 57
 *
 * Source: py-spy's src/stack_trace.rs and src/flamegraph.rs (https://github.com/benfred/py-spy). */
#include "parse/dialect.h"

static bool at_least(uint64_t part, uint64_t whole, unsigned percent)
{
    return whole > 0 && part * 100 >= whole * percent;
}

/* A process or thread frame, a file, or an empty stack. */
static bool fits_pyspy(const struct fst_record *record)
{
    for (size_t i = 0; record->kind == FST_RECORD_STACK && i < record->nframes; i++) {
        struct fst_frame_parts parts = fst_frame_read(record->frames[i], true);
        if (parts.kind == FST_FRAME_PROCESS || parts.kind == FST_FRAME_THREAD ||
            fst_frame_names_file(&parts) || fst_str_eq(record->frames[i], FST_FRAME_NONE)) {
            return true;
        }
    }
    return false;
}

/* Process and thread frames first, or Python files in brackets; a recording of idle interpreters
 * may hold empty stacks alone. */
static int bid_pyspy(const struct fst_sniff *sniff, double fits)
{
    (void)fits;
    if (at_least(sniff->led_stacks, sniff->stacks, 50)) {
        return 90;
    }
    if (sniff->python_frames > 0 && at_least(sniff->file_frames, sniff->frames, 60)) {
        return 80;
    }
    return sniff->frames == 0 && sniff->empty_stacks > 0 ? 50 : 0;
}

static int bid_generic(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    (void)fits;
    return 1;
}

static struct fst_lead lead_pyspy(const struct fst_str *frames, size_t nframes)
{
    /* Both kinds begin with "process " and "thread ": look no further for others, but behind tags. */
    size_t tags = fst_tags_count(frames, nframes);
    if (tags == nframes || frames[tags].len == 0 ||
        (frames[tags].data[0] != 'p' && frames[tags].data[0] != 't')) {
        return FST_NO_LEAD;
    }
    return fst_lead_by_kind(&fst_dialect_pyspy, frames, nframes);
}

const struct fst_dialect_rules fst_dialect_pyspy = {
    .id = FST_DIALECT_PYSPY,
    .name = "py-spy",
    .fits = fits_pyspy,
    .bid = bid_pyspy,
    .read = fst_frame_read,
    .lead = lead_pyspy,
    .always_split = true,
};

const struct fst_dialect_rules fst_dialect_generic = {
    .id = FST_DIALECT_GENERIC,
    .name = "generic",
    .bid = bid_generic,
    .read = fst_frame_read,
    .lead = lead_pyspy,
};
