/* What the fuzz targets of documents share: a text in pieces whose size its first byte gives must be
 * read without a fault, and must give the same stacks or the same error as when it comes in one
 * piece. */
#ifndef FST_TESTS_FUZZ_DOCUMENT_H
#define FST_TESTS_FUZZ_DOCUMENT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parse/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came of a text; hash is FNV-1a over every byte of every frame, and the counts. */
struct outcome {
    bool positive; /* every count must be above zero: set by who reads */
    enum fst_status status;
    struct fst_error err;
    struct fst_input stats;
    uint64_t hash;
    size_t grammars;
    size_t samples;
};

static inline void mix(struct outcome *outcome, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        outcome->hash = (outcome->hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3U;
    }
}

static inline enum fst_status take_grammar(void *ctx, const struct fst_grammar *grammar,
                                           struct fst_error *err)
{
    (void)err;
    struct outcome *outcome = ctx;
    outcome->grammars++;
    mix(outcome, &grammar->dialect, sizeof grammar->dialect);
    return FST_OK;
}

static inline enum fst_status take_sample(void *ctx, const struct fst_sample *sample,
                                          struct fst_error *err)
{
    (void)err;
    struct outcome *outcome = ctx;
    if (sample->nframes == 0 || (outcome->positive && sample->count <= 0) ||
        outcome->grammars != 1) {
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

/* The sink of a reader's samples. */
static inline struct fst_parser_sink sink_of(struct outcome *outcome)
{
    return (struct fst_parser_sink){.ctx = outcome, .grammar = take_grammar, .sample = take_sample};
}

/* Reads bytes in pieces of step bytes and fills the outcome, which is empty but for its hash. */
typedef void (*read_fn)(struct outcome *outcome, const char *bytes, size_t len, size_t step);

static inline int require_same(const uint8_t *data, size_t size, read_fn read)
{
    if (size == 0) {
        return 0;
    }
    struct outcome whole = {.hash = 0xcbf29ce484222325U};
    struct outcome pieces = whole;
    read(&whole, (const char *)data + 1, size - 1, size);
    read(&pieces, (const char *)data + 1, size - 1, data[0] + (size_t)1);
    if (whole.status != pieces.status || whole.hash != pieces.hash ||
        whole.samples != pieces.samples || whole.samples != whole.stats.stack_lines ||
        whole.err.line != pieces.err.line || strcmp(whole.err.message, pieces.err.message) != 0 ||
        (whole.status != FST_OK && whole.err.code != whole.status)) {
        abort();
    }
    return 0;
}

#endif
