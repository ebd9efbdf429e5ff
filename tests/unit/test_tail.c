/* The counts at the end of a line: one, two, three, or three joined by commas. */
#include "unit/helpers.h"

#include "parse/tail.h"

struct row {
    struct fst_tail_rule rule;
    const char *line;
    enum fst_count_parse parse;
    const char *count; /* where the parse is good */
    const char *stack; /* what stands before the counts */
    const char *token; /* where the parse is bad */
    bool too_few;
};

static void require_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        struct fst_tail tail = fst_tail_read(row->rule, row->line, row->line + strlen(row->line));
        REQUIRE(tail.parse == row->parse, "row %zu (%s): parse %d, wanted %d", i, row->line,
                (int)tail.parse, (int)row->parse);
        REQUIRE(tail.too_few == row->too_few, "row %zu (%s): too few: %d", i, row->line,
                (int)tail.too_few);
        if (row->count != NULL) {
            require_count(i, fst_count_pack(tail.count), row->count);
            require_text(i, fst_str_of(row->line, (size_t)(tail.stack_end - row->line)),
                         row->stack);
        }
        if (row->token != NULL) {
            require_text(i, tail.token, row->token);
        }
    }
}

static void one_count_is_the_last_token(void **state)
{
    (void)state;
    static const struct fst_tail_rule one = {FST_TAIL_ONE, FST_PICK_FIRST};
    const struct row rows[] = {
        {one, "main;a 57", FST_COUNT_OK, "57", "main;a", NULL, false},
        {one, "main;a 57 \t\r", FST_COUNT_OK, "57", "main;a", NULL, false},
        {one, "main;a  57", FST_COUNT_OK, "57", "main;a ", NULL, false},
        {one, "main;a\t57", FST_COUNT_OK, "57", "main;a", NULL, false},
        {one, "main;a b 57", FST_COUNT_OK, "57", "main;a b", NULL, false},
        {one, " 12", FST_COUNT_OK, "12", "", NULL, false},
        {one, "12", FST_COUNT_OK, "12", "", NULL, false},
        {one, "a -3.5", FST_COUNT_OK, "-3.5", "a", NULL, false},
        {one, "a 1e3", FST_COUNT_OK, "1000", "a", NULL, false},
        {one, "a 50 20", FST_COUNT_OK, "20", "a 50", NULL, false},
        {one, "a 0.0000000000001", FST_COUNT_ROUNDED, "0", "a", NULL, false},
        {one, "main;a", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "main;a", false},
        {one, "main;a here", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "here", false},
        {one, "a 5,0,0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "5,0,0", false},
        {one, "a 1e99", FST_COUNT_OUT_OF_RANGE, NULL, NULL, "1e99", false},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void two_counts_are_both_needed(void **state)
{
    (void)state;
    static const struct fst_tail_rule before = {FST_TAIL_TWO, FST_PICK_FIRST};
    static const struct fst_tail_rule after = {FST_TAIL_TWO, FST_PICK_SECOND};
    const struct row rows[] = {
        {before, "main;a 50 20", FST_COUNT_OK, "50", "main;a", NULL, false},
        {after, "main;a 50 20", FST_COUNT_OK, "20", "main;a", NULL, false},
        {after, "main;a 50 20 \r", FST_COUNT_OK, "20", "main;a", NULL, false},
        {after, "main;a 50\t20", FST_COUNT_OK, "20", "main;a", NULL, false},
        {after, "main;f (int) 0 2.5", FST_COUNT_OK, "2.5", "main;f (int)", NULL, false},
        {before, " 50 20", FST_COUNT_OK, "50", "", NULL, false},
        {after, "50 20", FST_COUNT_OK, "20", "", NULL, false},
        {after, "a 1 2 3", FST_COUNT_OK, "3", "a 1", NULL, false},
        {after, "main;a 20", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "main;a", true},
        {before, "main;a 20", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "main;a", true},
        {after, "main;a x 20", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", true},
        {after, "main;a 20 x", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", false},
        {before, "main;a 20 x", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", false},
        {after, "main;a 1e99 3", FST_COUNT_OUT_OF_RANGE, NULL, NULL, "1e99", true},
        {after, "main;a 3 1e99", FST_COUNT_OUT_OF_RANGE, NULL, NULL, "1e99", false},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void three_counts_behind_blanks_are_time_and_memory(void **state)
{
    (void)state;
    static const struct fst_tail_rule time = {FST_TAIL_THREE, FST_PICK_FIRST};
    static const struct fst_tail_rule memory = {FST_TAIL_THREE, FST_PICK_LAST_TWO};
    static const char most[] = "170141183460469231731687303"; /* nearly the largest count */
    const struct row rows[] = {
        {time, "Thread 1;f (m);L3 9 8 -1", FST_COUNT_OK, "9", "Thread 1;f (m);L3", NULL, false},
        {memory, "Thread 1;f (m);L3 9 8 -1", FST_COUNT_OK, "7", "Thread 1;f (m);L3", NULL, false},
        {memory, "Thread 1 9 0 -4096", FST_COUNT_OK, "-4096", "Thread 1", NULL, false},
        {memory, "a 9 0.25 0.5 ", FST_COUNT_OK, "0.75", "a", NULL, false},
        {time, "a 9 8", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "a", true},
        {time, "a 9", FST_COUNT_NOT_A_NUMBER, NULL, NULL, NULL, true},
        {time, "a x 8 7", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", true},
        {time, "a 9 8 x", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", false},
        {time, "a 9,8,7", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "9,8,7", false},
    };
    require_rows(rows, FST_COUNT_OF(rows));
    char line[128];
    (void)snprintf(line, sizeof line, "a 1 %s %s", most, most);
    struct fst_tail tail = fst_tail_read(memory, line, line + strlen(line));
    assert_int_equal(tail.parse, FST_COUNT_OUT_OF_RANGE);
    tail = fst_tail_read(time, line, line + strlen(line));
    assert_int_equal(tail.parse, FST_COUNT_OK);
}

static void three_joined_counts_are_time_idleness_and_memory(void **state)
{
    (void)state;
    static const struct fst_tail_rule time = {FST_TAIL_JOINED, FST_PICK_FIRST};
    static const struct fst_tail_rule memory = {FST_TAIL_JOINED, FST_PICK_THIRD};
    static const struct fst_tail_rule cpu = {FST_TAIL_JOINED, FST_PICK_FIRST_IF_BUSY};
    const struct row rows[] = {
        {time, "P1;T0:1;m:f:1 9,0,-4", FST_COUNT_OK, "9", "P1;T0:1;m:f:1", NULL, false},
        {memory, "P1;T0:1;m:f:1 9,0,-4", FST_COUNT_OK, "-4", "P1;T0:1;m:f:1", NULL, false},
        {cpu, "P1;T0:1;m:f:1 9,0,-4", FST_COUNT_OK, "9", "P1;T0:1;m:f:1", NULL, false},
        {cpu, "P1;T0:1;m:f:1 9,1,-4", FST_COUNT_OK, "0", "P1;T0:1;m:f:1", NULL, false},
        {time, "a b,c 9,0,0 \r", FST_COUNT_OK, "9", "a b,c", NULL, false},
        {time, " 9,0,0", FST_COUNT_OK, "9", "", NULL, false},
        {time, "9,0,0", FST_COUNT_OK, "9", "", NULL, false},
        {time, "a 9", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "9", false},
        {time, "a 9,0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "9,0", false},
        {time, "a 9,0,0,0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "9,0,0,0", false},
        {time, "a 9 0 0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "0", false},
        {time, "a 9,0,x", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", false},
        {time, "a 9,x,0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "x", true},
        {time, "a ,0,0", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "", true},
        {time, "a 9,0,", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "", false},
        {time, "a ,,", FST_COUNT_NOT_A_NUMBER, NULL, NULL, "", false},
        {memory, "a 9,0,1e99", FST_COUNT_OUT_OF_RANGE, NULL, NULL, "1e99", false},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void numbers_at_the_end_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int numbers;
        bool negative;
        bool joined;
    } rows[] = {
        {"", 0, false, false},
        {"main", 0, false, false},
        {"main;a 3", 1, false, false},
        {"main;a -3", 1, true, false},
        {"main;a 3 4", 2, false, false},
        {"main;a 3 -4", 2, true, false},
        {"main;a 3 4 5", 3, false, false},
        {"main;a 1 3 4 5", 3, false, false},
        {"main;a 3 x 5", 1, false, false},
        {"main;a 3\t4 \r", 2, false, false},
        {"main;a 3.5 1e2", 2, false, false},
        {"main;a 1e99", 0, false, false},
        {"12", 1, false, false},
        {" 12", 1, false, false},
        {"1 2", 2, false, false},
        {"a 9,0,-4", 3, false, true},
        {"9,0,0", 3, false, true},
        {"a 1 9,0,0", 3, false, true},
        {"a 9,0", 0, false, false},
        {"a 9,x,0", 0, false, false},
        {"a 9,0,0 7", 1, false, false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        bool negative = true;
        bool joined = true;
        int numbers = fst_tail_numbers(fst_str_cstr(rows[i].line), &negative, &joined);
        REQUIRE(numbers == rows[i].numbers, "row %zu (%s): %d numbers", i, rows[i].line, numbers);
        REQUIRE(negative == rows[i].negative && joined == rows[i].joined,
                "row %zu (%s): negative %d, joined %d", i, rows[i].line, (int)negative,
                (int)joined);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_count_is_the_last_token),
        cmocka_unit_test(two_counts_are_both_needed),
        cmocka_unit_test(three_counts_behind_blanks_are_time_and_memory),
        cmocka_unit_test(three_joined_counts_are_time_idleness_and_memory),
        cmocka_unit_test(numbers_at_the_end_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
