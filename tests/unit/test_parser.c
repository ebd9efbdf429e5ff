/* The parser counts every line once and hands on whole stacks, however the text arrives. */
#include "unit/records.h"

#include "parse/parser.h"

/* What a sink was told. */
struct heard {
    struct fst_buf samples; /* "line:frame|frame| count\n" each */
    struct fst_grammar grammar;
    size_t grammars;
    size_t count;
    size_t refuse_at; /* the number of the sample that is refused; 0: none */
    struct fst_input input;
    enum fst_status status;
    struct fst_error err;
};

static enum fst_status hear_grammar(void *ctx, const struct fst_grammar *grammar,
                                    struct fst_error *err)
{
    (void)err;
    struct heard *heard = ctx;
    assert_int_equal(heard->count, 0);
    heard->grammars++;
    heard->grammar = *grammar;
    return FST_OK;
}

static enum fst_status hear_sample(void *ctx, const struct fst_sample *sample,
                                   struct fst_error *err)
{
    (void)err;
    struct heard *heard = ctx;
    char count[FST_COUNT_TEXT];
    (void)fst_count_format(sample->count, count);
    fst_buf_add_fmt(&heard->samples, "%llu:", (unsigned long long)sample->line);
    for (size_t i = 0; i < sample->nframes; i++) {
        fst_buf_add_str(&heard->samples, sample->frames[i]);
        fst_buf_add_char(&heard->samples, '|');
    }
    fst_buf_add_fmt(&heard->samples, " %s\n", count);
    return ++heard->count == heard->refuse_at ? FST_ERR_RANGE : FST_OK;
}

/* Parses text in pieces of step bytes into heard. The parser is the caller's to release. */
static void parse(struct fst_parser *parser, struct heard *heard, struct fst_str text, size_t step,
                  struct fst_read_options options)
{
    fst_parser_init(
        parser, &options,
        (struct fst_parser_sink){.ctx = heard, .grammar = hear_grammar, .sample = hear_sample},
        &heard->input);
    for (size_t at = 0; at < text.len && heard->status == FST_OK; at += step) {
        size_t len = text.len - at < step ? text.len - at : step;
        heard->status = fst_parser_feed(parser, fst_str_of(text.data + at, len), &heard->err);
    }
    if (heard->status == FST_OK) {
        heard->status = fst_parser_finish(parser, &heard->err);
    }
}

static void forget(struct fst_parser *parser, struct heard *heard)
{
    fst_buf_release(&heard->samples);
    fst_parser_release(parser);
}

/* Parses text in one piece and byte by byte, and wants these samples both times. */
static void require_samples(size_t row, const char *text, struct fst_read_options options,
                            const char *samples)
{
    struct fst_str bytes = fst_str_cstr(text);
    for (size_t k = 0; k < 2; k++) {
        struct heard heard = {0};
        struct fst_parser parser;
        parse(&parser, &heard, bytes, k == 0 ? bytes.len : 1, options);
        require_text(row, fst_buf_str(&heard.samples), samples);
        assert_int_equal(heard.grammars, 1);
        forget(&parser, &heard);
    }
}

static void every_line_is_counted_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *counters;
    } rows[] = {
        {"", "0 lines: 0 stacks 0 blank 0 comments 0 logs 0 bad (0 0 0) of 0, 0 bytes"},
        {"a 1", "1 lines: 1 stacks 0 blank 0 comments 0 logs 0 bad (0 0 0) of 0, 3 bytes"},
        {"a 1\n\r\n# x\npy-spy> y\nb 2\nbad\n 3\n",
         "7 lines: 3 stacks 1 blank 1 comments 1 logs 1 bad (1 0 0) of 4, 31 bytes"},
        {"a 1\na 2\na 3\na 1e99\nprocess 1:\"x\nz\n",
         "6 lines: 3 stacks 0 blank 0 comments 0 logs 3 bad (1 1 1) of 22, 34 bytes"},
        {"process 1:\"x\n\n# y\n\" 5\n\n",
         "5 lines: 1 stacks 1 blank 0 comments 0 logs 0 bad (0 0 0) of 0, 23 bytes"},
        {"a 1\na 1\nprocess 1:\"x\ny\";z",
         "4 lines: 2 stacks 0 blank 0 comments 0 logs 2 bad (1 0 1) of 17, 25 bytes"},
        {"\xef\xbb\xbf"
         "a 1\n",
         "1 lines: 1 stacks 0 blank 0 comments 0 logs 0 bad (0 0 0) of 0, 7 bytes"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct heard heard = {0};
        struct fst_parser parser;
        struct fst_buf got = {0};
        parse(&parser, &heard, fst_str_cstr(rows[i].text), 3, (struct fst_read_options){0});
        const struct fst_input *in = &heard.input;
        fst_buf_add_fmt(&got,
                        "%d lines: %d stacks %d blank %d comments %d logs %d bad (%d %d %d) of %d, "
                        "%d bytes",
                        (int)in->lines, (int)in->stack_lines, (int)in->blank_lines,
                        (int)in->comment_lines, (int)in->log_lines, (int)in->bad_lines,
                        (int)in->bad_by_reason[FST_BAD_NO_COUNT],
                        (int)in->bad_by_reason[FST_BAD_COUNT_RANGE],
                        (int)in->bad_by_reason[FST_BAD_QUOTE], (int)in->bad_bytes, (int)in->bytes);
        require_text(i, fst_buf_str(&got), rows[i].counters);
        fst_buf_release(&got);
        forget(&parser, &heard);
    }
}

static void samples_carry_the_line_on_which_they_begin(void **state)
{
    (void)state;
    static const struct fst_read_options none = {0};
    require_samples(0, "# x\n\na;b 1\nbad\nprocess 1:\"x\ny\" 2\n 3\n", none,
                    "3:a|b| 1\n5:process 1:\"x\ny\"| 2\n7:[no Python frames]| 3\n");
    require_samples(1, "\xef\xbb\xbfmain;a 3\n\xef\xbb\xbfmain 4", none,
                    "1:main|a| 3\n2:\xef\xbb\xbfmain| 4\n");
    require_samples(2, "\xef\xbb\xbf", none, "");
    require_samples(3, "\xef\xbb\xbf 7", none, "1:[no Python frames]| 7\n");
    require_samples(4, "\xef\xbb", none, "");
    require_samples(5, "\xef\xbb 1", none, "1:\xef\xbb| 1\n");
    require_samples(6, "", none, "");
    require_samples(7, "c;b;a 1\nx 2\n", (struct fst_read_options){.leaf_first = true},
                    "1:a|b|c| 1\n2:x| 2\n");
}

static void more_than_half_of_bad_lines_is_no_profile(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_status status;
    } rows[] = {
        {"a 1\nbad\n", FST_OK},
        {"a 1\nbad\nbad\n", FST_ERR_FORMAT},
        {"a 1\nbad\nb 1\nbad\n", FST_OK},
        {"a 1\nbad\nb 1\nbad\nbad", FST_ERR_FORMAT},
        {"bad\n", FST_ERR_FORMAT},
        {"a 1\nbad\nbad\n\n\n\n# x\n# y\n", FST_ERR_FORMAT},
        {"# x\n\n\n", FST_OK},
        {"", FST_OK},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct heard heard = {0};
        struct fst_parser parser;
        parse(&parser, &heard, fst_str_cstr(rows[i].text), 1, (struct fst_read_options){0});
        REQUIRE(heard.status == rows[i].status, "row %zu: status %d", i, (int)heard.status);
        forget(&parser, &heard);
    }
}

static void a_strict_parser_stops_at_the_first_bad_line(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct fst_parser parser;
    parse(&parser, &heard, FST_STR("a 1\n\nb 2\nbad here\nc 3\n"), 4,
          (struct fst_read_options){.strict = true});
    assert_true(heard.status == FST_ERR_STRICT && heard.err.code == FST_ERR_STRICT);
    assert_int_equal(heard.err.line, 4);
    assert_int_equal(heard.input.bad_lines, 1);
    require_text(0, fst_buf_str(&heard.samples), "1:a| 1\n3:b| 2\n");
    forget(&parser, &heard);
}

static void a_sink_that_refuses_stops_the_parser(void **state)
{
    (void)state;
    struct heard heard = {.refuse_at = 2};
    struct fst_parser parser;
    parse(&parser, &heard, FST_STR("a 1\nb 2\nc 3\n"), 100, (struct fst_read_options){0});
    assert_int_equal(heard.status, FST_ERR_RANGE);
    require_text(0, fst_buf_str(&heard.samples), "1:a| 1\n2:b| 2\n");
    forget(&parser, &heard);
}

static void a_last_line_without_newline_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool unterminated;
    } rows[] = {{"a 1\nb 2", true},
                {"a 1\nb 2\n", false},
                {"a 1\n  ", false},
                {"", false},
                {"a 1\n# x", false}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct heard heard = {0};
        struct fst_parser parser;
        parse(&parser, &heard, fst_str_cstr(rows[i].text), 100, (struct fst_read_options){0});
        REQUIRE(heard.input.unterminated == rows[i].unterminated, "row %zu", i);
        forget(&parser, &heard);
    }
}

/* --- the first 1,000 lines -------------------------------------------------------------------- */

static void the_dialect_is_told_from_the_first_thousand_lines(void **state)
{
    (void)state;
    static const struct {
        size_t files; /* lines "f (a.py:1) 1" */
        size_t names; /* lines "f 1" behind them */
        size_t blank; /* lines behind these */
        size_t later; /* lines "f (a.py:1) 1" at the end */
        enum fst_dialect dialect;
    } rows[] = {
        {599, 400, 0, 1, FST_DIALECT_PYSPY},  {599, 401, 0, 5000, FST_DIALECT_GENERIC},
        {600, 400, 0, 0, FST_DIALECT_PYSPY},  {5, 5, 1000, 3, FST_DIALECT_PYSPY},
        {5, 5, 9000, 2, FST_DIALECT_GENERIC}, /* blank lines do not count */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows) * 3; i++) {
        static const size_t steps[] = {1, 13, SIZE_MAX};
        size_t row = i / 3;
        struct fst_buf text = {0};
        struct heard heard = {0};
        struct fst_parser parser;
        add_times(&text, "f (a.py:1) 1\n", rows[row].files);
        add_times(&text, "f 1\n", rows[row].names);
        add_times(&text, "\n", rows[row].blank);
        add_times(&text, "f (a.py:1) 1\n", rows[row].later);
        parse(&parser, &heard, fst_buf_str(&text),
              steps[i % 3] < text.len ? steps[i % 3] : text.len, (struct fst_read_options){0});
        REQUIRE(heard.input.dialect == rows[row].dialect, "row %zu: %s", row,
                fst_dialect_name(heard.input.dialect));
        assert_int_equal(heard.grammar.dialect, rows[row].dialect);
        assert_int_equal(heard.grammars, 1);
        assert_int_equal(heard.count, rows[row].files + rows[row].names + rows[row].later);
        forget(&parser, &heard);
        fst_buf_release(&text);
    }
}

/* --- hostile texts ---------------------------------------------------------------------------- */
#define LINES "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"

struct crafted {
    const char *head;
    const char *piece;
    size_t pieces;
    const char *tail;
    size_t step; /* bytes fed at a time */
    size_t samples;
};

/* The seconds that it takes to read a text with `shorter` times fewer pieces than the row says;
 * `samples` is set to the number of samples in it. */
static double read_crafted(const struct crafted *row, size_t shorter, size_t *samples)
{
    struct fst_buf text = {0};
    struct heard heard = {0};
    struct fst_parser parser;
    add_times(&text, row->head, 1);
    add_times(&text, row->piece, row->pieces / shorter);
    add_times(&text, row->tail, 1);
    clock_t start = clock();
    parse(&parser, &heard, fst_buf_str(&text), row->step, (struct fst_read_options){0});
    double seconds = seconds_since(start);
    *samples = heard.count;
    forget(&parser, &heard);
    fst_buf_release(&text);
    return seconds;
}

static void crafted_texts_cost_no_more_than_their_length(void **state)
{
    (void)state;
    static const struct crafted rows[] = {
        {"", "process 1:\"open\n", 200000, "", 4096, 0},
        {"", "x;process 1:\"open 5\n", 200000, "", 4096, 200000},
        {"process 1:\"\n", "\";process 1:\"\n", 200000, "\";m 1\n", 4096, 1},
        {"", "a;", 5000000, "process 1:\"" LINES LINES "\" 1\n", 4096, 1},
        {"process 1:\"", "\"", 20000000, " 1\n", 65536, 1},
        {"", "f;", 100000, "g 1\n", 1, 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        size_t samples;
        double brief = read_crafted(&rows[i], LONGER, &samples);
        double full = read_crafted(&rows[i], 1, &samples);
        REQUIRE(samples == rows[i].samples, "row %zu: %zu samples", i, samples);
        REQUIRE_LINEAR(brief, full, i);
    }
}

/* Whether a line of so many bytes, behind some that tell the dialect, is read where that many may be. */
static void require_line(size_t len, size_t most, size_t step, bool newline)
{
    enum { HEAD = FST_SNIFF_LINES };
    struct fst_buf text = {0};
    struct heard heard = {0};
    struct fst_parser parser;
    for (int i = 0; i < HEAD; i++) {
        fst_buf_add_cstr(&text, "a 1\n");
    }
    fst_buf_add_fill(&text, 'x', len - 2);
    fst_buf_add_cstr(&text, newline ? " 2\nb 3\n" : " 2");
    parse(&parser, &heard, fst_buf_str(&text), step, (struct fst_read_options){.line_most = most});
    if (len <= most) {
        assert_int_equal(heard.status, FST_OK);
        assert_int_equal(heard.count, HEAD + 1 + newline);
    } else {
        assert_int_equal(heard.status, FST_ERR_FORMAT);
        assert_int_equal(heard.err.line, HEAD + 1);
    }
    fst_buf_release(&text);
    forget(&parser, &heard);
}

static void a_line_may_be_as_long_as_it_says(void **state)
{
    (void)state;
    enum { MOST = 40000 }; /* more than is read in one chunk */
    static const size_t steps[] = {1, 7, 4096, SIZE_MAX / 2};
    for (size_t i = 0; i < FST_COUNT_OF(steps); i++) {
        for (size_t len = MOST - 2; len <= MOST + 2; len++) {
            require_line(len, MOST, steps[i], true);
            require_line(len, MOST, steps[i], false);
        }
    }
    assert_int_equal(fst_line_most(&(struct fst_read_options){0}), FST_LINE_MOST);
    assert_int_equal(fst_line_most(&(struct fst_read_options){.line_most = UINT64_MAX}),
                     FST_LINE_MOST);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_counted_once),
        cmocka_unit_test(samples_carry_the_line_on_which_they_begin),
        cmocka_unit_test(more_than_half_of_bad_lines_is_no_profile),
        cmocka_unit_test(a_strict_parser_stops_at_the_first_bad_line),
        cmocka_unit_test(a_sink_that_refuses_stops_the_parser),
        cmocka_unit_test(a_last_line_without_newline_is_told),
        cmocka_unit_test(the_dialect_is_told_from_the_first_thousand_lines),
        cmocka_unit_test(a_line_may_be_as_long_as_it_says),
        cmocka_unit_test(crafted_texts_cost_no_more_than_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
