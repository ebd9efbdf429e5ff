/* Whole stacks: their sums are exact, their text reads back, and their order is that of bytes. */
#include "unit/helpers.h"

#include "base/alloc.h"
#include "model/stacks.h"
#include "parse/record.h"

static fst_i128 count_of(const char *text)
{
    fst_i128 count = 0;
    assert_int_equal(fst_count_parse(fst_str_cstr(text), &count), FST_COUNT_OK);
    return count;
}

/* "stack count" for each, in order. */
static void require_stacks(const struct fst_stacks *stacks, const char *wanted)
{
    struct fst_buf got = {0};
    struct fst_symbol **sorted = fst_stacks_sorted(stacks);
    assert_non_null(sorted);
    for (size_t i = 0; i < stacks->texts.count; i++) {
        char digits[FST_COUNT_TEXT];
        size_t len = fst_count_format(fst_stacks_count(stacks, sorted[i]->id), digits);
        fst_buf_add_str(&got, fst_symbol_name(sorted[i]));
        fst_buf_add_fmt(&got, " %.*s\n", (int)len, digits);
    }
    require_text(0, fst_buf_str(&got), wanted);
    fst_free(sorted);
    fst_buf_release(&got);
}

static void counts_of_a_stack_are_summed(void **state)
{
    (void)state;
    static const struct {
        const char *stack;
        const char *count;
    } rows[] = {
        {"b;c", "1"},
        {"a", "2"},
        {"b;c", "0.25"},
        {"b", "-3"},
        {"", "4"},
        {"a", "18446744073709551615"}, /* 2^64 - 1, which overflows 64 bits */
        {"a", "36893488147419103232"}, /* 2^65 */
        {"b;c", "-0.000000000001"},
        {"b", "3"},
        {"a;b", "0"},
    };
    struct fst_stacks stacks;
    fst_stacks_init(&stacks, 1);
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        assert_true(fst_stacks_add(&stacks, fst_str_cstr(rows[i].stack), count_of(rows[i].count)));
    }
    require_stacks(&stacks, " 4\n"
                            "a 55340232221128654849\n"
                            "a;b 0\n"
                            "b 0\n"
                            "b;c 1.249999999999\n");
    struct fst_stacks other;
    fst_stacks_init(&other, 2);
    assert_true(fst_stacks_add(&other, FST_STR("a"), count_of("1")));
    assert_true(fst_stacks_add(&other, FST_STR("z"), count_of("0.5")));
    assert_true(fst_stacks_merge(&stacks, &other));
    require_stacks(&stacks, " 4\n"
                            "a 55340232221128654850\n"
                            "a;b 0\n"
                            "b 0\n"
                            "b;c 1.249999999999\n"
                            "z 0.5\n");
    fst_stacks_release(&other);
    fst_stacks_release(&stacks);
}

static void order_is_that_of_bytes(void **state)
{
    (void)state;
    static const char *const texts[] = {"b", "a;b", "a", "\xff", "a b", "a\x01", "", "A", "é"};
    struct fst_stacks stacks;
    fst_stacks_init(&stacks, 1);
    for (size_t i = 0; i < FST_COUNT_OF(texts); i++) {
        assert_true(fst_stacks_add(&stacks, fst_str_cstr(texts[i]), FST_COUNT_ONE));
    }
    require_stacks(&stacks, " 1\nA 1\na 1\na\x01 1\na b 1\na;b 1\nb 1\né 1\n\xff 1\n");
    fst_stacks_release(&stacks);
}

/* Stacks that are alike for long, and much longer ones. */
static void long_stacks_are_told_apart(void **state)
{
    (void)state;
    struct fst_stacks stacks;
    struct fst_buf text = {0};
    uint64_t seed = 7;
    enum { STACKS = 3000 };
    fst_stacks_init(&stacks, 1);
    for (size_t i = 0; i < STACKS; i++) {
        fst_buf_clear(&text);
        fst_buf_add_fill(&text, 'x', chance_below(&seed, 40));
        fst_buf_add_fill(&text, 'y', chance_below(&seed, 5));
        fst_buf_add_fmt(&text, "%zu", chance_below(&seed, 3));
        assert_true(fst_stacks_add(&stacks, fst_buf_str(&text), FST_COUNT_ONE));
    }
    struct fst_symbol **sorted = fst_stacks_sorted(&stacks);
    fst_i128 sum = fst_stacks_count(&stacks, sorted[0]->id);
    for (size_t i = 1; i < stacks.texts.count; i++) {
        REQUIRE(fst_str_cmp(fst_symbol_name(sorted[i - 1]), fst_symbol_name(sorted[i])) < 0,
                "stack %zu is not behind the one before", i);
        sum += fst_stacks_count(&stacks, sorted[i]->id);
    }
    assert_true(sum == STACKS * FST_COUNT_ONE);
    fst_free(sorted);
    fst_buf_release(&text);
    fst_stacks_release(&stacks);
}

static void frames_are_written_so_that_they_read_back(void **state)
{
    (void)state;
    static const struct {
        const char *frames[4];
        const char *text;
    } rows[] = {
        {{"a"}, "a"},
        {{"a", "b", "c (x.py:1)"}, "a;b;c (x.py:1)"},
        {{"[no Python frames]"}, ""},
        {{"[empty]"}, "[empty]"},
        {{"[empty]", "a"}, ";a"},
        {{"a", "[empty]"}, "a;;"},
        {{"a", "[empty]", "b"}, "a;;b"},
        {{"[empty]", "[empty]"}, ";;"},
        {{"a;b", "c\nd"}, "a:b;c d"},
        {{"process 3:\"x; y\nz\"", "a"}, "process 3:\"x; y\nz\";a"},
        {{"process 3:\"x\"; y\"", "a"}, "process 3:\"x\": y\";a"},
        {{"process 3:\"x; y", "a"}, "process 3:\"x: y;a"},
        {{"#"}, "#_"},
        {{"# note", "a"}, "#_note;a"},
        {{"#1 worker", "a"}, "#1 worker;a"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_str frames[4];
        size_t nframes = 0;
        for (; nframes < 4 && rows[i].frames[nframes] != NULL; nframes++) {
            frames[nframes] = fst_str_cstr(rows[i].frames[nframes]);
        }
        struct fst_buf text = {0};
        fst_stack_write(&text, frames, nframes);
        require_text(i, fst_buf_str(&text), rows[i].text);
        fst_buf_release(&text);
    }
}

static void records_tell_the_text_of_their_stack(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *stack;
    } rows[] = {
        {"a;b 5", "a;b"},
        {"a;b\t5", "a;b"},
        {"a;b  5\r", "a;b "},
        {" 12", ""},
        {"12", ""},
        {"; 3", ""},
        {"a; 3", "a"},
        {"a;; 3", "a;;"},
        {";; 3", ";;"},
        {";a 3", ";a"},
        {"process 1:\"a;\nb\";c 4", "process 1:\"a;\nb\";c"},
        {"process 1:\"a;\nb\" 4", "process 1:\"a;\nb\""},
    };
    struct fst_scanner scanner = {.capacity = 0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_record record;
        assert_int_equal(fst_record_next(&scanner, fst_str_cstr(rows[i].line), true, &record),
                         FST_RECORD_FOUND);
        assert_int_equal(record.kind, FST_RECORD_STACK);
        require_text(i, record.stack, rows[i].stack);
    }
    fst_scanner_release(&scanner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_a_stack_are_summed),
        cmocka_unit_test(order_is_that_of_bytes),
        cmocka_unit_test(long_stacks_are_told_apart),
        cmocka_unit_test(frames_are_written_so_that_they_read_back),
        cmocka_unit_test(records_tell_the_text_of_their_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
