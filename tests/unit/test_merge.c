/* Merging is addition: what comes out is what one reading of all texts would give. */
#include "unit/helpers.h"

#define FIRST                                                                                      \
    "process 1:\"x\";thread (7): T;main (a.py:1);f (a.py:9);f (a.py:8) 3\n"                        \
    "thread (7): T;main (a.py:1) 2\nmain (a.py:2);g (b.py:3) 7\n"
#define SECOND                                                                                     \
    "thread (8): U;main (a.py:1);g (b.py:3) 4\nthread (7): T;new (c.py:1);f (a.py:9) 5\n"          \
    "process 2:\"y\";thread (7): T;main (a.py:2) 1\n"

/* The report of a profile from its counting on, which does not name the inputs. */
static void report(struct fst_buf *out, const struct fst_profile *profile, enum fst_ties ties)
{
    struct fst_buf json = {0};
    struct fst_top_options options = {.sort = FST_SORT_TOTAL, .ties = ties};
    struct fst_top *top = top_of(profile, options);
    render(&json, top, profile, FST_FORMAT_JSON);
    const char *unit = strstr(json.data, "\"counting\"");
    assert_non_null(unit);
    fst_buf_clear(out);
    fst_buf_add_cstr(out, unit);
    fst_buf_release(&json);
    fst_top_free(top);
}

static void require_same(const struct fst_profile *a, const struct fst_profile *b)
{
    struct fst_buf left = {0};
    struct fst_buf right = {0};
    for (int ties = FST_TIES_NAME; ties <= FST_TIES_FIRST; ties++) {
        report(&left, a, (enum fst_ties)ties);
        report(&right, b, (enum fst_ties)ties);
        fst_buf_add_char(&right, '\0');
        require_text((size_t)ties, fst_buf_str(&left), right.data);
    }
    fst_buf_release(&left);
    fst_buf_release(&right);
}

static void the_sum_is_that_of_one_reading(void **state)
{
    (void)state;
    for (int by = FST_BY_FRAME; by <= FST_BY_PROCESS; by++) {
        for (int root = FST_ROOT_AUTO; root <= FST_ROOT_PROCESS; root++) {
            struct fst_profile_options options = {
                .by = (enum fst_by)by, .root = (enum fst_root)root, .root_index = 1};
            struct fst_profile *whole = profile_of(FIRST SECOND, options);
            struct fst_profile *sum = profile_of(FIRST, options);
            struct fst_profile *second = profile_of(SECOND, options);
            assert_int_equal(fst_profile_merge(sum, second, NULL), FST_OK);
            fst_profile_free(second); /* nothing of it is borrowed */
            require_same(sum, whole);
            fst_profile_free(sum);
            fst_profile_free(whole);
        }
    }
}

static void the_other_profile_is_left_as_it_was(void **state)
{
    (void)state;
    struct fst_profile_options options = {.by = FST_BY_FUNCTION};
    struct fst_profile *sum = profile_of(FIRST, options);
    struct fst_profile *second = profile_of(SECOND, options);
    struct fst_profile *again = profile_of(SECOND, options);
    assert_int_equal(fst_profile_merge(sum, second, NULL), FST_OK);
    require_same(second, again);
    assert_int_equal(fst_profile_merge(sum, second, NULL), FST_OK); /* and may be used again */
    require_count(0, fst_profile_total(sum), "32");                 /* 12 + 10 + 10 */
    fst_profile_free(sum);
    fst_profile_free(second);
    fst_profile_free(again);
}

static void an_empty_profile_changes_nothing(void **state)
{
    (void)state;
    struct fst_profile_options options = {0};
    struct fst_profile *full = profile_of(FIRST, options);
    struct fst_profile *left = new_profile(options);
    struct fst_profile *right = profile_of(FIRST, options);
    struct fst_profile *empty = new_profile(options);
    assert_int_equal(fst_profile_merge(left, full, NULL), FST_OK);
    assert_int_equal(fst_profile_merge(right, empty, NULL), FST_OK);
    require_same(left, full);
    require_same(right, full);
    fst_profile_free(full);
    fst_profile_free(left);
    fst_profile_free(right);
    fst_profile_free(empty);
}

static void profiles_of_different_questions_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct fst_profile_options into;
        struct fst_profile_options from;
        enum fst_status status;
    } rows[] = {
        {{.by = FST_BY_FRAME}, {.by = FST_BY_FUNCTION}, FST_ERR_USAGE},
        {{.root = FST_ROOT_AUTO}, {.root = FST_ROOT_INDEX}, FST_ERR_USAGE},
        {{.root = FST_ROOT_INDEX, .root_index = 1},
         {.root = FST_ROOT_INDEX, .root_index = 2},
         FST_ERR_USAGE},
        {{.seed = 1}, {.seed = 2}, FST_OK},
        {{.by = FST_BY_FILE, .root = FST_ROOT_INDEX, .root_index = 1},
         {.by = FST_BY_FILE, .root = FST_ROOT_INDEX, .root_index = 1},
         FST_OK},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *into = profile_of(FIRST, rows[i].into);
        struct fst_profile *from = profile_of(SECOND, rows[i].from);
        struct fst_error err = {0};
        enum fst_status status = fst_profile_merge(into, from, &err);
        REQUIRE(status == rows[i].status && err.code == status, "row %zu: %d", i, (int)status);
        require_count(i, fst_profile_total(into), status == FST_OK ? "22" : "12");
        fst_profile_free(into);
        fst_profile_free(from);
    }
}

static void inputs_follow_one_another_with_their_records(void **state)
{
    (void)state;
    struct fst_read_options reading = {0};
    struct fst_profile *into = profile_of("a 1\n", (struct fst_profile_options){0});
    struct fst_profile *from = new_profile((struct fst_profile_options){0});
    read_text(from, FST_STR("# rate: 10\nb 2\nbad line\nc 3\nc 3\n"), "second");
    assert_int_equal(fst_profile_read_path(from, "/nonexistent", &reading, NULL), FST_ERR_IO);
    assert_int_equal(fst_profile_merge(into, from, NULL), FST_OK);
    fst_profile_free(from);
    size_t count;
    const struct fst_input *inputs = fst_profile_inputs(into, &count);
    assert_int_equal(count, 3);
    require_text(0, inputs[0].name, "test");
    require_text(1, inputs[1].name, "second");
    require_text(2, inputs[2].name, "/nonexistent");
    assert_int_equal(inputs[1].status, FST_OK);
    assert_int_equal(inputs[1].stack_lines, 3);
    assert_true(inputs[1].rate == 10);
    require_count(1, inputs[1].total, "8");
    assert_int_equal(inputs[1].nbad, 1);
    require_text(1, inputs[1].bad[0].text, "bad line");
    assert_int_equal(inputs[2].status, FST_ERR_IO);
    fst_profile_free(into);
}

static void what_counts_are_is_told_of_the_sum(void **state)
{
    (void)state;
    static const struct {
        const char *first;
        const char *second;
        enum fst_counting counting;
        const char *divisor;
    } rows[] = {
        {"a 2000\nb 4000\n", "c 6000\n", FST_COUNTING_PERIODS, "2000"},
        {"a 2000\nb 4000\n", "c 9000\n", FST_COUNTING_PERIODS, "1000"},
        {"a 2000\nb 4000\n", "c 5\n", FST_COUNTING_SAMPLES, "1"},
        {"a 2000\nb 4000\nc 8000\n", "c 3000000001\n", FST_COUNTING_SAMPLES, "1"},
        {"a 2000\nb 4000\nc 8000\n", "", FST_COUNTING_PERIODS, "2000"},
        {"a 2000\nb 4000\nc 8000\n", "c 0\n", FST_COUNTING_PERIODS, "2000"},
        {"a 2\n", "b 0.5\n", FST_COUNTING_NONE, "1"},
        {"a -2\n", "b 5\n", FST_COUNTING_NONE, "1"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows) * 2; i++) {
        bool swapped = i >= FST_COUNT_OF(rows);
        size_t k = i % FST_COUNT_OF(rows);
        struct fst_profile_options options = {0};
        struct fst_profile *into = profile_of(swapped ? rows[k].second : rows[k].first, options);
        struct fst_profile *from = profile_of(swapped ? rows[k].first : rows[k].second, options);
        assert_int_equal(fst_profile_merge(into, from, NULL), FST_OK);
        struct fst_top *top = top_of(into, (struct fst_top_options){0});
        REQUIRE(top->scope.counting == rows[k].counting, "row %zu: %d", i,
                (int)top->scope.counting);
        require_count(i, top->divisor, rows[k].divisor);
        fst_top_free(top);
        fst_profile_free(into);
        fst_profile_free(from);
    }
}

static void a_sum_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct fst_profile *into = profile_of("a 1e26\n", (struct fst_profile_options){0});
    struct fst_profile *from = profile_of("b 1e26\n", (struct fst_profile_options){0});
    struct fst_error err = {0};
    assert_int_equal(fst_profile_merge(into, from, &err), FST_ERR_RANGE);
    assert_int_equal(err.code, FST_ERR_RANGE);
    require_count(0, fst_profile_total(from), "100000000000000000000000000");
    fst_profile_free(into);
    fst_profile_free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_is_that_of_one_reading),
        cmocka_unit_test(the_other_profile_is_left_as_it_was),
        cmocka_unit_test(an_empty_profile_changes_nothing),
        cmocka_unit_test(profiles_of_different_questions_are_refused),
        cmocka_unit_test(inputs_follow_one_another_with_their_records),
        cmocka_unit_test(what_counts_are_is_told_of_the_sum),
        cmocka_unit_test(a_sum_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
