/* Stacks that a reader hands on, written down as collapsed text, and the files to read. */
#ifndef FST_TESTS_STACKS_H
#define FST_TESTS_STACKS_H

#include "unit/helpers.h"

#include "base/error.h"
#include "base/escape.h"
#include "parse/parser.h"

struct stacks {
    struct fst_buf text;
    struct fst_grammar grammar;
    size_t grammars;   /* how often it was announced */
    size_t samples;    /* how many came */
    size_t stop_after; /* the sink refuses the sample of this number; 0: none */
    uint64_t last_line;
    struct fst_lead last_lead;
};

static inline enum fst_status take_grammar(void *ctx, const struct fst_grammar *grammar,
                                           struct fst_error *err)
{
    (void)err;
    struct stacks *stacks = ctx;
    assert_int_equal(stacks->samples, 0);
    stacks->grammar = *grammar;
    stacks->grammars++;
    return FST_OK;
}

static inline enum fst_status take_sample(void *ctx, const struct fst_sample *sample,
                                          struct fst_error *err)
{
    struct stacks *stacks = ctx;
    char count[FST_COUNT_TEXT];
    assert_int_equal(stacks->grammars, 1);
    assert_true(sample->nframes > 0);
    for (size_t i = 0; i < sample->nframes; i++) {
        fst_buf_add_cstr(&stacks->text, i == 0 ? "" : ";");
        fst_escape_text(&stacks->text, sample->frames[i]);
    }
    (void)fst_count_format(sample->count, count);
    fst_buf_add_fmt(&stacks->text, " %s\n", count);
    stacks->last_line = sample->line;
    stacks->last_lead = sample->lead;
    if (++stacks->samples == stacks->stop_after) {
        return fst_error_set(err, FST_ERR_RANGE, "stopped");
    }
    return FST_OK;
}

static inline struct fst_parser_sink sink_of(struct stacks *stacks)
{
    return (struct fst_parser_sink){.ctx = stacks, .grammar = take_grammar, .sample = take_sample};
}

/* Reads text in pieces of at most step bytes by the reader under test. */
typedef enum fst_status read_pieces(struct fst_str text, size_t step, struct stacks *stacks,
                                    struct fst_input *stats, struct fst_error *err);

static const size_t piece_steps[] = {SIZE_MAX, 1, 7, 4096};

/* Fails unless text has exactly these stacks, however it is cut, and the counters agree. */
static inline void require_stacks_by(read_pieces *read, size_t row, struct fst_str text,
                                     const char *wanted)
{
    for (size_t i = 0; i < FST_COUNT_OF(piece_steps); i++) {
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_error err = {0};
        enum fst_status status = read(text, piece_steps[i], &stacks, &stats, &err);
        REQUIRE(status == FST_OK, "row %zu: line %llu: %s", row, (unsigned long long)err.line,
                err.message);
        require_text(row, fst_buf_str(&stacks.text), wanted);
        assert_int_equal(stacks.grammars, 1);
        assert_int_equal(stats.stack_lines, stacks.samples);
        assert_int_equal(stats.bytes, text.len);
        assert_int_equal(stats.bad_lines, 0);
        assert_int_equal(stats.dialect, stacks.grammar.dialect);
        fst_buf_release(&stacks.text);
    }
}

/* Fails unless text is refused with this message and line, however it is cut, before any stack. */
static inline void require_refusal_by(read_pieces *read, size_t row, struct fst_str text,
                                      const char *message, uint64_t line)
{
    for (size_t i = 0; i < FST_COUNT_OF(piece_steps); i++) {
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_error err = {0};
        assert_int_equal(read(text, piece_steps[i], &stacks, &stats, &err), FST_ERR_FORMAT);
        require_text(row, fst_str_cstr(err.message), message);
        REQUIRE(err.line == line, "row %zu: line %llu", row, (unsigned long long)err.line);
        assert_int_equal(stacks.samples, 0);
        fst_buf_release(&stacks.text);
    }
}

/* The bytes of a file of fixtures. */
static inline void read_fixture(const char *folder, const char *name, struct fst_buf *out)
{
    char path[4096];
    char block[4096];
    (void)snprintf(path, sizeof path, "%s/%s/%s", FIXTURES, folder, name);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL, "%s cannot be opened", path);
    size_t n;
    while ((n = fread(block, 1, sizeof block, file)) > 0) {
        assert_true(fst_buf_add(out, block, n));
    }
    assert_int_equal(fclose(file), 0);
}

#endif
