/* Whole stacks: their sums are exact, their text reads back, and their order is that of bytes. */
#include "unit/helpers.h"

#include "model/stacks.h"
#include "parse/record.h"

static fst_i128 count_of(const char *text)
{
    fst_i128 count = 0;
    assert_int_equal(fst_count_parse(fst_str_cstr(text), &count), FST_COUNT_OK);
    return count;
}

/* Appends "stack count" for each, in order. */
static void add_walk(struct fst_buf *out, const struct fst_stacks *stacks)
{
    struct fst_walk walk;
    bool more = true;
    assert_int_equal(fst_walk_begin(&walk, stacks, NULL), FST_OK);
    for (;;) {
        char digits[FST_COUNT_TEXT];
        assert_int_equal(fst_stream_next(&walk.all.base, &more, NULL), FST_OK);
        if (!more) {
            break;
        }
        size_t len = fst_count_format(walk.all.base.count, digits);
        fst_buf_add_str(out, walk.all.base.text);
        fst_buf_add_fmt(out, " %.*s\n", (int)len, digits);
    }
    fst_walk_release(&walk);
}

static void require_stacks(const struct fst_stacks *stacks, const char *wanted)
{
    struct fst_buf got = {0};
    add_walk(&got, stacks);
    require_text(0, fst_buf_str(&got), wanted);
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
    assert_true(fst_stacks_merge(&stacks, &other, NULL) == FST_OK);
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

/* Adds stacks of which many are alike for long, one begins with another, and some come again. */
static void add_many(struct fst_stacks *stacks, uint64_t seed, size_t count)
{
    static const char *const counts[] = {"1", "3", "0.5", "-2", "99999999999999999999", "7"};
    struct fst_buf text = {0};
    for (size_t i = 0; i < count; i++) {
        fst_buf_clear(&text);
        fst_buf_add_fill(&text, 'x', chance_below(&seed, 40));
        fst_buf_add_fill(&text, '\0', chance_below(&seed, 3));
        fst_buf_add_fill(&text, 'y', chance_below(&seed, 20));
        fst_buf_add_fmt(&text, "%zu", chance_below(&seed, 5));
        fst_i128 sum = count_of(counts[chance_below(&seed, FST_COUNT_OF(counts))]);
        assert_true(fst_stacks_add(stacks, fst_buf_str(&text), sum));
        assert_int_equal(fst_stacks_make_room(stacks, NULL), FST_OK);
    }
    fst_buf_release(&text);
}

static void a_walk_is_in_order(void **state)
{
    (void)state;
    struct fst_stacks stacks;
    struct fst_buf before = {0};
    struct fst_walk walk;
    size_t seen = 0;
    bool more = true;
    fst_stacks_init(&stacks, 1);
    add_many(&stacks, 7, 3000);
    assert_int_equal(fst_walk_begin(&walk, &stacks, NULL), FST_OK);
    while (fst_stream_next(&walk.all.base, &more, NULL) == FST_OK && more) {
        REQUIRE(seen == 0 || fst_str_cmp(fst_buf_str(&before), walk.all.base.text) < 0,
                "stack %zu is not behind the one before", seen);
        fst_buf_clear(&before);
        fst_buf_add_str(&before, walk.all.base.text);
        seen++;
    }
    assert_int_equal(seen, stacks.texts.count);
    fst_walk_release(&walk);
    fst_buf_release(&before);
    fst_stacks_release(&stacks);
}

/* What went to files in between is what would have stayed in memory, however often it went. */
static void runs_make_no_difference(void **state)
{
    (void)state;
    enum { STACKS = 4000 };
    static const uint64_t limits[] = {1, 2000, 20000, 100000};
    struct fst_buf wanted = {0};
    struct fst_stacks whole;
    fst_stacks_init(&whole, 1);
    add_many(&whole, 11, STACKS);
    add_many(&whole, 12, STACKS);
    add_walk(&wanted, &whole);
    for (size_t i = 0; i < FST_COUNT_OF(limits); i++) {
        struct fst_buf got = {0};
        struct fst_stacks parts[2];
        for (size_t k = 0; k < 2; k++) {
            fst_stacks_init(&parts[k], k);
            parts[k].most = limits[i];
            add_many(&parts[k], 11 + k, STACKS);
            REQUIRE(parts[k].runs.count > 0, "limit %zu: no run was written", i);
            REQUIRE(parts[k].runs.count < (size_t)3 * FST_RUNS_MOST, "limit %zu: too many runs", i);
        }
        assert_int_equal(i % 2 == 0 ? fst_stacks_merge(&parts[0], &parts[1], NULL)
                                    : fst_stacks_absorb(&parts[0], &parts[1], NULL),
                         FST_OK);
        for (size_t walks = 0; walks < 2; walks++) {
            fst_buf_clear(&got);
            add_walk(&got, &parts[0]);
            REQUIRE(fst_str_eq(fst_buf_str(&got), fst_buf_str(&wanted)), "limit %zu", i);
        }
        fst_buf_release(&got);
        fst_stacks_release(&parts[0]);
        fst_stacks_release(&parts[1]);
    }
    fst_buf_release(&wanted);
    fst_stacks_release(&whole);
}

static void a_folder_that_is_not_there_is_told(void **state)
{
    (void)state;
    struct fst_stacks stacks;
    struct fst_error err = {0};
    fst_stacks_init(&stacks, 1);
    stacks.most = 1;
    stacks.folder = "/nowhere at all";
    assert_true(fst_stacks_add(&stacks, FST_STR("a"), FST_COUNT_ONE));
    assert_int_equal(fst_stacks_make_room(&stacks, &err), FST_ERR_NOMEM);
    REQUIRE(strstr(err.message, "/nowhere at all") != NULL, "%s", err.message);
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
        {{"process 3:\"x; y", "a"}, "process 3:\"x: y\";a"},
        {{"a", "process 3:\""}, "a;process 3:\"\""},
        {{"a", "process 3:\"\""}, "a;process 3:\"\""},
        {{"py-spy> Wrote"}, "_py-spy> Wrote"},
        {{"py-spy> Wrote", "a"}, "_py-spy> Wrote;a"},
        {{"Stopped sampling because"}, "_Stopped sampling because"},
        {{"Stopped sampling because", "a"}, "Stopped sampling because;a"},
        {{"#"}, "#_"},
        {{"#", "a"}, "#;a"},
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
        cmocka_unit_test(a_walk_is_in_order),
        cmocka_unit_test(runs_make_no_difference),
        cmocka_unit_test(a_folder_that_is_not_there_is_told),
        cmocka_unit_test(frames_are_written_so_that_they_read_back),
        cmocka_unit_test(records_tell_the_text_of_their_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
