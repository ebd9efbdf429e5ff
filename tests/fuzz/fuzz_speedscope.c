/* Any text, taken as a speedscope profile in pieces whose size its first byte gives, must be
 * read without a fault, and must give the same stacks or the same error as when it comes in one
 * piece. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parse/speedscope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came of a text; hash is FNV-1a over every byte of every frame, and the counts. */
struct outcome {
    enum fst_status status;
    struct fst_error err;
    struct fst_input stats;
    uint64_t hash;
    size_t grammars;
    size_t samples;
};

static void mix(struct outcome *outcome, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        outcome->hash = (outcome->hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3U;
    }
}

static enum fst_status take_grammar(void *ctx, const struct fst_grammar *grammar,
                                    struct fst_error *err)
{
    (void)err;
    struct outcome *outcome = ctx;
    outcome->grammars++;
    mix(outcome, &grammar->dialect, sizeof grammar->dialect);
    return FST_OK;
}

static enum fst_status take_sample(void *ctx, const struct fst_sample *sample,
                                   struct fst_error *err)
{
    (void)err;
    struct outcome *outcome = ctx;
    if (sample->nframes == 0 || outcome->grammars != 1) {
        abort();
    }
    for (size_t i = 0; i < sample->nframes; i++) {
        mix(outcome, sample->frames[i].data, sample->frames[i].len);
        mix(outcome, ";", 1);
    }
    mix(outcome, &sample->count, sizeof sample->count);
    mix(outcome, &sample->line, sizeof sample->line);
    outcome->samples++;
    return FST_OK;
}

static void read_in_pieces(struct outcome *outcome, const char *bytes, size_t len, size_t step)
{
    struct fst_speedscope *reader = NULL;
    struct fst_read_options options = {0};
    struct fst_parser_sink sink = {.ctx = outcome, .grammar = take_grammar, .sample = take_sample};
    *outcome = (struct outcome){.hash = 0xcbf29ce484222325U};
    if (fst_speedscope_new(sink, &options, &outcome->stats, &reader, &outcome->err) != FST_OK) {
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
    if (size == 0) {
        return 0;
    }
    struct outcome whole;
    struct outcome pieces;
    read_in_pieces(&whole, (const char *)data + 1, size - 1, size);
    read_in_pieces(&pieces, (const char *)data + 1, size - 1, data[0] + (size_t)1);
    if (whole.status != pieces.status || whole.hash != pieces.hash ||
        whole.samples != pieces.samples || whole.samples != whole.stats.stack_lines ||
        whole.err.line != pieces.err.line || strcmp(whole.err.message, pieces.err.message) != 0 ||
        (whole.status != FST_OK && whole.err.code != whole.status)) {
        abort();
    }
    return 0;
}
