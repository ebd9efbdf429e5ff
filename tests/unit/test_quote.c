/* Process frames hold a command line in quotes, with whatever is in it: where they end, how far
 * they reach over line ends, and that crafted ones cost no more than others. */
#include "unit/records.h"

static void a_quote_closes_before_a_semicolon_or_the_count(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("process 10:\"python -c a; b\";main (a.py:3) 42\n",
            "process 10:\"python -c a; b\"|main (a.py:3)| 42\n"),
        ROW("process 10:\"a\";process 12:\"b; c(d=6, e=15) --f\";m;w 9\n",
            "process 10:\"a\"|process 12:\"b; c(d=6, e=15) --f\"|m|w| 9\n"),
        ROW("process 5:\"\"C:\\x y\\py.exe\" m.py\";m 2\n",
            "process 5:\"\"C:\\x y\\py.exe\" m.py\"|m| 2\n"),
        ROW("process 5:\"print(\";\")\";m 2\n", "process 5:\"print(\"|\")\"|m| 2\n"),
        ROW("process 22885:\"\";m 1\n", "process 22885:\"\"|m| 1\n"),
        ROW("process 1:\"\" 5\n", "process 1:\"\"| 5\n"),
        ROW("process 1:\"a;b\" 5\r\n", "process 1:\"a;b\"| 5\n"),
        ROW("process 1:\"a;b\"; 5\n", "process 1:\"a;b\"| 5\n"),
        ROW("process 1:\"a;b\";; 5\n", "process 1:\"a;b\"|[empty]| 5\n"),
        ROW("process 1:\"a;b\"\t5\n", "process 1:\"a;b\"| 5\n"),
        ROW("process 1:\"a;b\"  5\n", "process 1:\"a;b\" | 5\n"),
        ROW("process 1:\"a;\"b\" 5;c\";m 6\n", "process 1:\"a;\"b\" 5;c\"|m| 6\n"),
        ROW("process 1:\"a\";process 2:\"b;c\" 7\n", "process 1:\"a\"|process 2:\"b;c\"| 7\n"),
        ROW("m;process 3:\"x;y\";w 8\n", "m|process 3:\"x;y\"|w| 8\n"),
        ROW("process 1:\"a;b\" 1e400\n", "bad range @16+5\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void only_process_frames_open_a_quote(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("thread (1): q\"d;semi;m\" 1\n", "thread (1): q\"d|semi|m\"| 1\n"),
        ROW("process :\"a;b\" 5\n", "process :\"a|b\"| 5\n"),
        ROW("process x1:\"a;b\" 5\n", "process x1:\"a|b\"| 5\n"),
        ROW("process 1;\"a;b\" 5\n", "process 1|\"a|b\"| 5\n"),
        ROW("process 1:a;b\" 5\n", "process 1:a|b\"| 5\n"),
        ROW("process  1:\"a;b\" 5\n", "process  1:\"a|b\"| 5\n"),
        ROW("Process 1:\"a;b\" 5\n", "Process 1:\"a|b\"| 5\n"),
        ROW("a process 1:\"a;b\" 5\n", "a process 1:\"a|b\"| 5\n"),
        ROW("process (twisted/web/server.py:235);\"a 5\n",
            "process (twisted/web/server.py:235)|\"a| 5\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void a_command_line_may_hold_newlines(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("process 7:\"p m.py\";process 9:\"p -c \nimport t\nfrom c import d\nd.L(\"/t/c.so\")\n"
            "\";<module> (<string>:2);g 5\nprocess 7:\"p m.py\";<module> (m.py:3) 7\n",
            "5 lines: process 7:\"p m.py\"|process 9:\"p -c \\x0aimport t\\x0afrom c import d"
            "\\x0ad.L(\"/t/c.so\")\\x0a\"|<module> (<string>:2)|g| 5\n"
            "process 7:\"p m.py\"|<module> (m.py:3)| 7\n"),
        ROW("process 7:\"a\nb\" 5\n", "2 lines: process 7:\"a\\x0ab\"| 5\n"),
        ROW("process 7:\"a\r\n\" 5\r\n", "2 lines: process 7:\"a\\x0d\\x0a\"| 5\n"),
        ROW("process 7:\"a\n\n# b\n\" 5", "4 lines: process 7:\"a\\x0a\\x0a# b\\x0a\"| 5\n"),
        ROW("process 7:\"a 3\nb;c 4\n\";m 5\n", "3 lines: process 7:\"a 3\\x0ab;c 4\\x0a\"|m| 5\n"),
        ROW("process 1:\"a\nb\";process 2:\"c\nd\";m 6\n",
            "3 lines: process 1:\"a\\x0ab\"|process 2:\"c\\x0ad\"|m| 6\n"),
        ROW("process 1:\"a\nb\";process 2:\"c;d 6\n",
            "2 lines: process 1:\"a\\x0ab\"|process 2:\"c|d| 6\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void a_quote_that_never_closes_is_none(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("process 8:\"open\nx 1\n", "bad quote @0+11\nx| 1\n"),
        ROW("process 8:\"open", "bad quote @0+11\n"),
        ROW("m;process 12:\"a;b c\r\nx 1\n", "bad quote @2+12\nx| 1\n"),
        ROW("process 8:\"a; b 5\nx 1\n", "process 8:\"a| b| 5\nx| 1\n"),
        ROW("process 8:\" 5\n", "process 8:\"| 5\n"),
        ROW("process 8:\"a\" b\nx 1\n", "bad quote @0+11\nx| 1\n"),
        ROW("process 8:\"a\n\"\nx 1\n", "bad quote @0+11\nbad count @0+1\nx| 1\n"),
        ROW("process 8:\"a 1e99\n", "bad range @13+4\n"),
        ROW("process 1:\"a\nb\";m\n", "bad quote @0+11\nbad count @0+4\n"),
        ROW("process 1:\"a\nx 5\nb c\";m x\n", "bad quote @0+11\nx| 5\nbad count @7+1\n"),
        ROW("process 1:\"a 3\nb;c 4\n\";m 1e99\n", "process 1:\"a| 3\nb|c| 4\nbad range @4+4\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void a_line_with_a_process_frame_of_its_own_is_not_swallowed(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("process 1:\"open\nprocess 2:\"x\";m 3\n", "bad quote @0+11\nprocess 2:\"x\"|m| 3\n"),
        ROW("process 1:\"open\ny\nprocess 2:\"x\" 3\n",
            "bad quote @0+11\nbad count @0+1\nprocess 2:\"x\"| 3\n"),
        ROW("process 1:\"a\n process 2:\"x\";m 3\n",
            "2 lines: process 1:\"a\\x0a process 2:\"x\"|m| 3\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

/* Whether the quote of `process 1:"a`, with that filler and line below it, closes on the last. */
static void require_reach(const char *filler, size_t times, const char *last, bool reached)
{
    struct fst_buf text = {0};
    add_times(&text, "process 1:\"a\n", 1);
    add_times(&text, filler, times);
    add_times(&text, last, 1);
    struct fst_scanner scanner = {0};
    struct fst_record record;
    struct fst_str all = fst_buf_str(&text);
    assert_int_equal(fst_record_next(&scanner, all, true, &record), FST_RECORD_FOUND);
    assert_int_equal(record.kind, reached ? FST_RECORD_STACK : FST_RECORD_BAD);
    assert_int_equal(record.size, reached ? all.len : sizeof "process 1:\"a");
    require_prefixes(times, all);
    fst_scanner_release(&scanner);
    fst_buf_release(&text);
}

static void the_closing_quote_is_sought_on_64_lines_and_in_65536_bytes(void **state)
{
    (void)state;
    require_reach("x\n", 63, "\";m 5\n", true);
    require_reach("x\n", 64, "\";m 5\n", false);
    require_reach("x\n", 63, "b\" 5\n", true);
    require_reach("x", 65535, "\";m 5\n", true);
    require_reach("x", 65536, "\";m 5\n", false);
    require_reach("x", 65535, "\" 5\n", true);
    require_reach("x", 65536, "\" 5\n", false);
    require_reach("x\n", 32, "\";m 5", true);
    /* A chain of quotes reaches no further than one. */
    require_reach("\";process 1:\"\n", 63, "\";m 5\n", true);
    require_reach("\";process 1:\"\n", 64, "\";m 5\n", false);
    for (size_t more = 0; more <= 1; more++) {
        struct fst_buf last = {0};
        add_times(&last, "\";process 2:\"b\n", 1);
        add_times(&last, "x", 65535 - 40000 - last.len + more);
        add_times(&last, "\";m 5\n", 1);
        assert_true(fst_buf_add_char(&last, '\0'));
        require_reach("x", 40000, last.data, more == 0);
        fst_buf_release(&last);
    }
}

static void a_quote_on_its_own_line_has_any_length(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    add_times(&text, "process 1:\"", 1);
    add_times(&text, "a; \"b\" ", 300000);
    add_times(&text, "\";m 5\n", 1);
    struct fst_scanner scanner = {0};
    struct fst_record record;
    assert_int_equal(fst_record_next(&scanner, fst_buf_str(&text), false, &record),
                     FST_RECORD_FOUND);
    assert_int_equal(record.kind, FST_RECORD_STACK);
    assert_int_equal(record.nframes, 2);
    assert_int_equal(record.frames[0].len, 11 + 7 * 300000 + 1);
    assert_true(fst_str_eq(record.frames[1], FST_STR("m")));
    fst_scanner_release(&scanner);
    fst_buf_release(&text);
}

struct crafted {
    const char *piece;
    size_t pieces;
    const char *tail;
    size_t tails;
    const char *last;
    size_t frames;
};

/* The seconds that it takes to read a text with `shorter` times fewer pieces and tails than the row
 * says; `frames` is set to the number of frames in it. */
static double read_crafted(const struct crafted *row, size_t shorter, size_t *frames)
{
    struct fst_buf text = {0};
    add_times(&text, row->piece, (row->pieces + shorter - 1) / shorter);
    add_times(&text, row->tail, (row->tails + shorter - 1) / shorter);
    add_times(&text, row->last, 1);
    struct fst_scanner scanner = {0};
    struct fst_str rest = fst_buf_str(&text);
    clock_t start = clock();
    *frames = 0;
    while (rest.len > 0) {
        struct fst_record record;
        assert_int_equal(fst_record_next(&scanner, rest, true, &record), FST_RECORD_FOUND);
        *frames += record.kind == FST_RECORD_STACK ? record.nframes : 0;
        rest = fst_str_skip(rest, record.size);
    }
    double seconds = seconds_since(start);
    fst_scanner_release(&scanner);
    fst_buf_release(&text);
    return seconds;
}

static void crafted_quotes_cost_no_more_than_their_length(void **state)
{
    (void)state;
    static const struct crafted rows[] = {
        {"process 1:\";", 100000, "", 0, "m 1\n", 50001},
        {"process 1:\"x;", 100000, "", 0, "m 1\n", 100001},
        {"process 1:\"x\";", 100000, "", 0, "m 1\n", 100001},
        {"process 1:\"x\";", 100000, "9", 2000000, " 1\n", 100001},
        {"process 1:\"x\";", 100000, "y", 2000000, "\n", 0},
        {"process 1:\"x\";", 100000, " ", 2000000, "m 1\n", 100001},
        {"process 1:\"x\";m 1 ", 1, " ", 2000000, "\n", 2},
        {"process 1:\"x\" 1 ", 100000, "", 0, "\n", 1},
        {"process 1:\"\n\";", 100000, "", 0, "m\n", 0},
        {"process 1:\"open 5\n", 200000, "", 0, "", 200000},
        {"x;process 1:\"open 5\n", 200000, "", 0, "", 400000},
        {"process 1:\"", 1, "\"", 20000000, " 5\n", 1},
        {"process 1:\"", 1, "\" ", 10000000, "x\n", 0},
        {"f;", 100000, "", 0, "g 1\n", 100001},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        size_t frames;
        double brief = read_crafted(&rows[i], LONGER, &frames);
        double full = read_crafted(&rows[i], 1, &frames);
        REQUIRE(frames == rows[i].frames, "row %zu: %zu frames, wanted %zu", i, frames,
                rows[i].frames);
        REQUIRE_LINEAR(brief, full, i);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quote_closes_before_a_semicolon_or_the_count),
        cmocka_unit_test(only_process_frames_open_a_quote),
        cmocka_unit_test(a_command_line_may_hold_newlines),
        cmocka_unit_test(a_quote_that_never_closes_is_none),
        cmocka_unit_test(a_line_with_a_process_frame_of_its_own_is_not_swallowed),
        cmocka_unit_test(the_closing_quote_is_sought_on_64_lines_and_in_65536_bytes),
        cmocka_unit_test(a_quote_on_its_own_line_has_any_length),
        cmocka_unit_test(crafted_quotes_cost_no_more_than_their_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
