/* Selections say what of them is wrong, and profiles do with them what they say. */
#include "unit/helpers.h"

static void tells_what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct fst_str rules[] = {{"s/a/b/", 6}, {"s/(/b/", 6}};
    static const struct {
        struct fst_selection_options options;
        const char *option;
        const char *text;
        size_t mark;
        uint64_t line;
    } rows[] = {
        {{.focus = {"a(b", 3}}, "focus", "a(b", 3, 0},
        {{.focus = {"fine", 4}, .show_from = {"[z-a]", 5}}, "show-from", "[z-a]", 3, 0},
        {{.rewrites = rules, .nrewrites = 2}, "rewrite", "s/(/b/", 3, 0},
        {{.categorize = true, .categories = {"a: b\nc\n", 7}}, "categories", "c", 1, 2},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_selection *selection = NULL;
        struct fst_selection_fault fault = {0};
        struct fst_error err = {0};
        assert_int_equal(fst_selection_new(&rows[i].options, &selection, &fault, &err),
                         FST_ERR_USAGE);
        assert_null(selection);
        assert_int_equal(err.code, FST_ERR_USAGE);
        assert_string_equal(fault.option, rows[i].option);
        require_text(i, fault.text, rows[i].text);
        REQUIRE(fault.mark == rows[i].mark && fault.line == rows[i].line, "row %zu: %zu, line %llu",
                i, fault.mark, (unsigned long long)fault.line);
        assert_int_equal(fst_selection_new(&rows[i].options, &selection, NULL, NULL),
                         FST_ERR_USAGE);
    }
    fst_selection_free(NULL);
}

static void refuses_rows_that_cannot_be(void **state)
{
    (void)state;
    static const struct fst_profile_options rows[] = {
        {.by = FST_BY_CATEGORY},
        {.by = FST_BY_THREAD, .nested = true, .inner = FST_BY_CATEGORY},
        {.by = FST_BY_LINE, .nested = true, .inner = FST_BY_LINE},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = NULL;
        assert_int_equal(fst_profile_new(&rows[i], &profile, NULL), FST_ERR_USAGE);
        assert_null(profile);
    }
}

static struct fst_selection *selection_of(struct fst_selection_options options)
{
    struct fst_selection *selection = NULL;
    assert_int_equal(fst_selection_new(&options, &selection, NULL, NULL), FST_OK);
    return selection;
}

static void profiles_of_different_selections_are_not_merged(void **state)
{
    (void)state;
    struct fst_selection *selection =
        selection_of((struct fst_selection_options){.focus = {"a", 1}});
    struct fst_profile *one = profile_of("a 1\n", (struct fst_profile_options){0});
    struct fst_profile *two =
        profile_of("a 1\n", (struct fst_profile_options){.selection = selection});
    assert_int_equal(fst_profile_merge(one, two, NULL), FST_ERR_USAGE);
    fst_profile_free(one);
    fst_profile_free(two);
    fst_selection_free(selection);
}

static void top_tells_what_was_kept(void **state)
{
    (void)state;
    struct fst_selection *selection =
        selection_of((struct fst_selection_options){.ignore = {"b", 1}, .fold_recursion = true});
    struct fst_profile *profile = profile_of("m;a 3\nm;b 4\nm;a 1\nx;y 2\n",
                                             (struct fst_profile_options){.selection = selection});
    struct fst_top *top =
        top_of(profile, (struct fst_top_options){.percent_of = FST_OF_ALL, .sort = FST_SORT_TOTAL});
    require_count(0, top->scope.total, "6");
    require_count(1, top->scope.offered, "10");
    assert_int_equal(top->scope.stack_lines, 3);
    assert_int_equal(top->scope.offered_lines, 4);
    assert_int_equal(top->scope.nasked, 2);
    assert_string_equal(top->scope.asked[0].option, "ignore");
    require_text(0, top->scope.asked[0].value, "b");
    assert_string_equal(top->scope.asked[1].option, "fold-recursion");
    assert_int_equal(top->leaf.of, 4); /* b is of dropped stacks alone */
    assert_true(find_row(&top->leaf, "a")->self_share == 0.4);
    fst_top_free(top);
    fst_profile_free(profile);
    fst_selection_free(selection);
}

static void members_are_counted_where_labels_become_one(void **state)
{
    (void)state;
    struct fst_selection *selection =
        selection_of((struct fst_selection_options){.normalize = true});
    struct fst_buf text = {0};
    for (int i = 0; i < 9; i++) {
        fst_buf_add_fmt(&text, "thread (%d): reader-%d;f (a.py:%d) 2\n", i, i, i % 2);
    }
    fst_buf_add_cstr(&text, "thread (77): writer-1;g (a.py:1) 5\n");
    struct fst_profile_options options = {.by = FST_BY_THREAD, .selection = selection};
    for (int nested = 0; nested < 2; nested++) {
        options.nested = nested == 1;
        options.inner = FST_BY_LINE;
        struct fst_profile *profile = new_profile(options);
        read_text(profile, fst_buf_str(&text), "pool");
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        const struct fst_top_row *pool = find_row(&top->leaf, "thread (*): reader-*");
        assert_int_equal(top->leaf.of, 2);
        assert_int_equal(pool->members, 9);
        require_count(0, pool->self, "18");
        assert_int_equal(pool->of, nested == 1 ? 2 : 0);
        assert_int_equal(find_row(&top->leaf, "thread (*): writer-1")->members, 0);
        fst_top_free(top);
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
    fst_selection_free(selection);
}

static void nothing_kept_is_no_data(void **state)
{
    (void)state;
    static const struct {
        struct fst_selection_options options;
        const char *message;
    } rows[] = {
        {{.focus = {"frward", 6}}, "--focus: no frame matches \"frward\"; the nearest is forward"},
        {{.ignore = {".", 1}}, "--ignore . keeps none of the 2 stacks"},
        {{.focus = {"main", 4}, .ignore = {"main", 4}},
         "the filters together keep none of the 2 stacks"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_selection *selection = selection_of(rows[i].options);
        struct fst_profile *profile = profile_of(
            "main;forward 1\nmain;x 1\n", (struct fst_profile_options){.selection = selection});
        struct fst_top *top = NULL;
        struct fst_error err = {0};
        assert_int_equal(fst_top_new(profile, &(struct fst_top_options){0}, &top, &err),
                         FST_ERR_NO_DATA);
        assert_string_equal(err.message, rows[i].message);
        fst_profile_free(profile);
        fst_selection_free(selection);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_is_wrong_and_where),
        cmocka_unit_test(refuses_rows_that_cannot_be),
        cmocka_unit_test(profiles_of_different_selections_are_not_merged),
        cmocka_unit_test(top_tells_what_was_kept),
        cmocka_unit_test(members_are_counted_where_labels_become_one),
        cmocka_unit_test(nothing_kept_is_no_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
