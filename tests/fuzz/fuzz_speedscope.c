/* Any text, taken as a speedscope profile: see fuzz/document.h. */
#include "fuzz/document.h"

#include "parse/speedscope.h"

static void read_in_pieces(struct outcome *outcome, const char *bytes, size_t len, size_t step)
{
    struct fst_speedscope *reader = NULL;
    struct fst_read_options options = {0};
    if (fst_speedscope_new(sink_of(outcome), &options, &outcome->stats, &reader, &outcome->err) !=
        FST_OK) {
        abort();
    }
    for (size_t at = 0; at < len && outcome->status == FST_OK; at += step) {
        size_t n = len - at < step ? len - at : step;
        outcome->status = fst_speedscope_feed(reader, fst_str_of(bytes + at, n), &outcome->err);
    }
    if (outcome->status == FST_OK) {
        outcome->status = fst_speedscope_finish(reader, &outcome->err);
    }
    fst_speedscope_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return require_same(data, size, read_in_pieces);
}
