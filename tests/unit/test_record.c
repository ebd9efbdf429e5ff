/* What a line is: one row for every rule and for what nearly falls under it. */
#include "unit/records.h"

static void the_count_is_the_last_token_behind_one_blank(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("main;a 3\nmain;b 4\n", "main|a| 3\nmain|b| 4\n"),
        ROW("main;a\t3\n", "main|a| 3\n"),
        ROW("f;b \t4\n", "f|b | 4\n"),
        ROW("f;std::function<float  18\n", "f|std::function<float | 18\n"),
        ROW("    main;    work 5\n", "    main|    work| 5\n"),
        ROW("a b;c  d 1\n", "a b|c  d| 1\n"),
        ROW("a 1 2\n", "a 1| 2\n"),
        ROW("a 007\n", "a| 7\n"),
        ROW("a +3\n", "a| 3\n"),
        ROW("a -2\n", "a| -2\n"),
        ROW("a .5\n", "a| 0.5\n"),
        ROW("a 5.\n", "a| 5\n"),
        ROW("a 2.5e3\n", "a| 2500\n"),
        ROW("a 1E-2\n", "a| 0.01\n"),
        ROW("a 0.0000000000015\n", "a| ~0.000000000002\n"),
        ROW("a 1e-400\n", "a| ~0\n"),
        ROW("a 170141183460469231731687303\n", "a| 170141183460469231731687303\n"),
        ROW("a 170141183460469231731687304\n", "bad range @2+27\n"),
        ROW("a -1e400\n", "bad range @2+6\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void line_ends_of_every_kind_are_taken(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("a 3\r\nb 4\r\n\r\n", "a| 3\nb| 4\nblank\n"),
        ROW("a 3 \t \r\n", "a| 3\n"),
        ROW("a 3\r\r\n", "a| 3\n"),
        ROW("a 3\nb 4", "a| 3\nb| 4\n"),
        ROW("a 3\r", "a| 3\n"),
        ROW("\n", "blank\n"),
        ROW(" \t \r\n\n\r\n", "blank\nblank\nblank\n"),
        ROW("a 1\n  ", "a| 1\nblank\n"),
        ROW("a\rb 1\n", "a\\x0db| 1\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void a_hash_and_a_blank_begin_a_comment(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("#\n", "comment\n"),
        ROW("#", "comment\n"),
        ROW("#\r\n", "comment\n"),
        ROW("# interval: 100\n", "comment\n"),
        ROW("# {\"a\": 1}\r\n", "comment\n"),
        ROW("# \n", "comment\n"),
        ROW("#1 worker;run 4\n", "#1 worker|run| 4\n"),
        ROW("## x 4\n", "## x| 4\n"),
        ROW("#\rx;a 4\n", "#\\x0dx|a| 4\n"),
        ROW(" # x 4\n", " # x| 4\n"),
        ROW("#a\n", "bad count @0+2\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void empty_stacks_and_frames_are_kept(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW(" 12\n", "[no Python frames]| 12\n"),
        ROW("\t12\r\n", "[no Python frames]| 12\n"),
        ROW("12\n", "[no Python frames]| 12\n"),
        ROW("12", "[no Python frames]| 12\n"),
        ROW("  12\n", " | 12\n"),
        ROW("; 1\n", "[no Python frames]| 1\n"),
        ROW(";; 1\n", "[empty]|[empty]| 1\n"),
        ROW("a; 2\n", "a| 2\n"),
        ROW("a;; 2\n", "a|[empty]| 2\n"),
        ROW(";a 3\n", "[empty]|a| 3\n"),
        ROW("a;;b 4\n", "a|[empty]|b| 4\n"),
        ROW("a;  5\n", "a| | 5\n"),
        ROW(";\n", "bad count @0+1\n"),
        ROW(";12\n", "bad count @0+3\n"),
        ROW("a;12\n", "bad count @0+4\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void names_may_hold_any_bytes(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("a\0b;\0 1\n", "a\\x00b|\\x00| 1\n"),
        ROW("caf\xe9;\xff\xc3 2\n", "caf\\xe9|\\xff\\xc3| 2\n"),
        ROW("\x1b[2J;bell\a\rcr 2\n", "\\x1b[2J|bell\\x07\\x0dcr| 2\n"),
        ROW("a 1\0\n", "bad count @2+2\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void messages_of_the_profiler_are_no_stacks(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("py-spy> Sampling process 10 times a second for 3\n", "log\n"),
        ROW("Wrote raw flamegraph data to 'x'. Samples: 5 Errors: 1\n", "log\n"),
        ROW("Sampling process;x 3\n", "Sampling process|x| 3\n"),
        ROW(" py-spy> x 3\n", " py-spy> x| 3\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void bad_lines_are_marked_where_a_count_should_stand(void **state)
{
    (void)state;
    static const struct row rows[] = {
        ROW("main (a.py:3);bad line here\n", "bad count @23+4\n"),
        ROW("here\n", "bad count @0+4\n"),
        ROW("a;b x \t\r\n", "bad count @4+1\n"),
        ROW("a 12V\n", "bad count @2+3\n"),
        ROW("a 0x10\n", "bad count @2+4\n"),
        ROW("a 1,000\n", "bad count @2+5\n"),
        ROW("a nan\n", "bad count @2+3\n"),
        ROW("a 1e\n", "bad count @2+2\n"),
        ROW("a --3\n", "bad count @2+3\n"),
        ROW("a 5 %\n", "bad count @4+1\n"),
        ROW("m (a.py:4);new\nline (a.py:6) 7\n", "bad count @2+12\nline (a.py:6)| 7\n"),
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_count_is_the_last_token_behind_one_blank),
        cmocka_unit_test(line_ends_of_every_kind_are_taken),
        cmocka_unit_test(a_hash_and_a_blank_begin_a_comment),
        cmocka_unit_test(empty_stacks_and_frames_are_kept),
        cmocka_unit_test(names_may_hold_any_bytes),
        cmocka_unit_test(messages_of_the_profiler_are_no_stacks),
        cmocka_unit_test(bad_lines_are_marked_where_a_count_should_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
