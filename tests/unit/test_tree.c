/* The call tree: which nodes there are, in which order, and what becomes of those that are cut. */
#include "unit/helpers.h"

#include <math.h>

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static struct fst_tree *tree_of(const struct fst_profile *profile, struct fst_tree_options options)
{
    struct fst_error err = {0};
    struct fst_tree *tree = NULL;
    enum fst_status status = fst_tree_new(profile, &options, &tree, &err);
    REQUIRE(status == FST_OK, "fst_tree_new: %s", err.message);
    return tree;
}

static void add_number(struct fst_buf *out, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add(out, text, fst_count_format(fst_count_unpack(count), text));
}

/* The tree as text: a node is its name, its self count and total, what was left out of it, and its
 * children in brackets. */
static void require_tree(size_t row, const struct fst_tree *tree, const char *wanted)
{
    struct fst_buf text = {0};
    uint32_t depth = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const struct fst_tree_node *node = &tree->nodes[i];
        for (; depth > node->depth; depth--) {
            fst_buf_add_char(&text, ')');
        }
        fst_buf_add_cstr(&text, i == 0 ? "" : tree->nodes[i - 1].depth < node->depth ? "(" : " ");
        depth = node->depth;
        fst_buf_add_str(&text, node->name);
        fst_buf_add_char(&text, ' ');
        add_number(&text, node->self);
        fst_buf_add_char(&text, '/');
        add_number(&text, node->total);
        if (node->left_out_nodes > 0) {
            fst_buf_add_char(&text, '-');
            add_number(&text, node->left_out);
        }
    }
    fst_buf_add_fill(&text, ')', depth);
    require_text(row, fst_buf_str(&text), wanted);
    fst_buf_release(&text);
}

static void nodes_are_ordered_by_total_then_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct fst_tree_options options;
        const char *wanted;
    } rows[] = {
        {"", {0}, "all 0/0"},
        {"a 3\n", {0}, "all 0/3(a 3/3)"},
        {"a;b 1\na;c 2\na 4\nb;c 7\n", {0}, "all 0/14(a 4/7(c 2/2 b 1/1) b 0/7(c 7/7))"},
        {"m;b 2\nm;a 2\nm;c 2\n", {0}, "all 0/6(m 0/6(a 2/2 b 2/2 c 2/2))"},
        {"a;a;a 1\na;a 1\na;b;a 1\n", {0}, "all 0/3(a 0/3(a 1/2(a 1/1) b 0/1(a 1/1)))"},
        {"a;b 0.5\na;b 0.25\na 1e3\n", {0}, "all 0/1000.75(a 1000/1000.75(b 0.75/0.75))"},
        {"a;b 5\na;c -2\na;b -5\n", {0}, "all 0/-2(a 0/-2(b 0/0 c -2/-2))"},
        {"a;;b 1\n;a 2\n", {0}, "all 0/3([empty] 0/2(a 2/2) a 0/1([empty] 0/1(b 1/1)))"},
        {"a;b;x 3\nc;b;x 2\nc;x 1\n",
         {.reverse = true},
         "all 0/6(x 0/6(b 0/5(a 3/3 c 2/2) c 1/1))"},
        {"a;b 1\nb 2\na;a;b 4\nc 8\n", {.reverse = true}, "all 0/15(c 8/8 b 2/7(a 1/5(a 4/4)))"},
        {"a;b 5\nb 1\na;b -5\n", {.reverse = true}, "all 0/1(b 1/1)"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile =
            profile_of(rows[i].text, (struct fst_profile_options){.tree = true});
        struct fst_tree *tree = tree_of(profile, rows[i].options);
        require_tree(i, tree, rows[i].wanted);
        assert_int_equal(tree->left_out_nodes, 0);
        fst_tree_free(tree);
        fst_profile_free(profile);
    }
}

static void what_is_cut_is_counted(void **state)
{
    (void)state;
    static const char text[] = "a;b;c 50\na;b;d 30\na;e;f 9\na;g 1\nh 10\n";
    static const struct {
        struct fst_tree_options options;
        const char *wanted;
        const char *left_out;
        unsigned nodes;
    } rows[] = {
        {{.least_share = 0.1}, "all 0/100(a 0/90-10(b 0/80(c 50/50 d 30/30)) h 10/10)", "10", 2},
        {{.least_share = 0.11}, "all 0/100-10(a 0/90-10(b 0/80(c 50/50 d 30/30)))", "20", 3},
        {{.least_share = 1.5}, "all 0/100-100", "100", 2},
        {{.max_depth = 1}, "all 0/100(a 0/90-90 h 10/10)", "90", 3},
        {{.max_depth = 2}, "all 0/100(a 0/90(b 0/80-80 e 0/9-9 g 1/1) h 10/10)", "89", 3},
        {{.max_depth = 2, .least_share = 0.05},
         "all 0/100(a 0/90-1(b 0/80-80 e 0/9-9) h 10/10)",
         "90",
         4},
        {{.reverse = true, .max_depth = 1, .least_share = 0.1},
         "all 0/100-10(c 0/50-50 d 0/30-30 h 10/10)",
         "90",
         4},
    };
    struct fst_profile *profile = profile_of(text, (struct fst_profile_options){.tree = true});
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_tree *tree = tree_of(profile, rows[i].options);
        require_tree(i, tree, rows[i].wanted);
        require_count(i, tree->left_out, rows[i].left_out);
        REQUIRE(tree->left_out_nodes == rows[i].nodes, "row %zu: %llu nodes left out", i,
                (unsigned long long)tree->left_out_nodes);
        fst_tree_free(tree);
    }
    fst_profile_free(profile);
}

/* A node that sums to nothing is shown where what it sums is large. */
static void magnitudes_decide_where_counts_are_negative(void **state)
{
    (void)state;
    struct fst_profile *profile = profile_of("a;b 50\na;c -50\nd 100\nd;e 1\nf -1\n",
                                             (struct fst_profile_options){.tree = true});
    for (int reverse = 0; reverse < 2; reverse++) {
        struct fst_tree *tree =
            tree_of(profile, (struct fst_tree_options){.least_share = 0.02, .reverse = reverse});
        require_tree((size_t)reverse, tree,
                     reverse == 0 ? "all 0/100--1(d 100/101-1 a 0/0(b 50/50 c -50/-50))"
                                  : "all 0/100-0(d 100/100 b 0/50(a 50/50) c 0/-50(a -50/-50))");
        fst_tree_free(tree);
    }
    fst_profile_free(profile);
}

static void nodes_are_rows(void **state)
{
    (void)state;
    static const char text[] = "main (a.py:1);f (a.py:2);f (a.py:3);g (b.py:4) 2\n"
                               "main (a.py:9);f (a.py:2) 1\n";
    static const struct {
        enum fst_by by;
        const char *wanted;
    } rows[] = {
        {FST_BY_FUNCTION, "all 0/3(main (a.py) 0/3(f (a.py) 1/3(f (a.py) 0/2(g (b.py) 2/2))))"},
        {FST_BY_LINE, "all 0/3(a.py:1 0/2(a.py:2 0/2(a.py:3 0/2(b.py:4 2/2))) "
                      "a.py:9 0/1(a.py:2 1/1))"},
        {FST_BY_FILE, "all 0/3(a.py 1/3(b.py 2/2))"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile =
            profile_of(text, (struct fst_profile_options){.tree = true, .by = rows[i].by});
        struct fst_tree *tree = tree_of(profile, (struct fst_tree_options){0});
        require_tree(i, tree, rows[i].wanted);
        fst_tree_free(tree);
        fst_profile_free(profile);
    }
}

static void filters_and_names_hold_for_the_tree(void **state)
{
    (void)state;
    /* As perf's, whose first frame is the process and stays. */
    static const char text[] = "m;a_[k];x 1\nm;b;x 2\nm;b;y 4\n";
    static const struct {
        struct fst_selection_options options;
        enum fst_percent_of percent_of;
        const char *wanted;
        double share;
    } rows[] = {
        {{.focus = TEXT("^x$")}, FST_OF_KEPT, "all 0/3(m 0/3(b 0/2(x 2/2) a_[k] 0/1(x 1/1)))", 1},
        {{.focus = TEXT("^x$")},
         FST_OF_ALL,
         "all 0/3(m 0/3(b 0/2(x 2/2) a_[k] 0/1(x 1/1)))",
         3.0 / 7},
        {{.hide = TEXT("^[ab]")}, FST_OF_KEPT, "all 0/7(m 0/7(y 4/4 x 3/3))", 1},
        {{.show_from = TEXT("^b$")}, FST_OF_KEPT, "all 0/6(m 0/6(b 0/6(y 4/4 x 2/2)))", 1},
        {{.strip_annotations = true},
         FST_OF_KEPT,
         "all 0/7(m 0/7(b 0/6(y 4/4 x 2/2) a 0/1(x 1/1)))",
         1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_selection *selection = NULL;
        assert_int_equal(fst_selection_new(&rows[i].options, &selection, NULL, NULL), FST_OK);
        struct fst_profile *profile =
            profile_of(text, (struct fst_profile_options){.tree = true, .selection = selection});
        struct fst_tree *tree =
            tree_of(profile, (struct fst_tree_options){.percent_of = rows[i].percent_of});
        require_tree(i, tree, rows[i].wanted);
        REQUIRE(fabs(fst_scope_share(&tree->scope, tree->scope.total) - rows[i].share) < 1e-12,
                "row %zu", i);
        fst_tree_free(tree);
        fst_profile_free(profile);
        fst_selection_free(selection);
    }
}

static void deep_stacks_are_no_matter(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    struct fst_buf text = {0};
    for (size_t i = 0; i < DEPTH; i++) {
        fst_buf_add_fmt(&text, "%sf%zu", i == 0 ? "" : ";", i % 7);
    }
    fst_buf_add_cstr(&text, " 3\n");
    struct fst_profile *profile = new_profile((struct fst_profile_options){.tree = true});
    read_text(profile, fst_buf_str(&text), "deep");
    read_text(profile, FST_STR("f0;f1 2\n"), "flat");
    for (int reverse = 0; reverse < 2; reverse++) {
        struct fst_tree *tree = tree_of(profile, (struct fst_tree_options){.reverse = reverse});
        assert_int_equal(tree->count, DEPTH + 1 + (reverse == 0 ? 0 : 2));
        const struct fst_tree_node *last = &tree->nodes[DEPTH];
        assert_int_equal(last->depth, DEPTH);
        require_count(0, last->self, "3");
        assert_int_equal(tree->nodes[0].end, tree->count);
        fst_tree_free(tree);
    }
    fst_profile_free(profile);
    fst_buf_release(&text);
}

static void what_has_no_tree_is_refused(void **state)
{
    (void)state;
    static const struct fst_profile_options none[] = {
        {.tree = true, .by = FST_BY_STACK},
        {.tree = true, .by = FST_BY_THREAD},
        {.tree = true, .by = FST_BY_FILE, .nested = true, .inner = FST_BY_LINE},
    };
    struct fst_profile *profile = NULL;
    for (size_t i = 0; i < FST_COUNT_OF(none); i++) {
        assert_int_equal(fst_profile_new(&none[i], &profile, NULL), FST_ERR_USAGE);
        assert_null(profile);
    }
    struct fst_tree *tree = NULL;
    profile = profile_of("a 1\n", (struct fst_profile_options){0});
    assert_int_equal(fst_tree_new(profile, &(struct fst_tree_options){0}, &tree, NULL),
                     FST_ERR_USAGE);
    assert_null(tree);
    fst_profile_free(profile);
    fst_tree_free(NULL);
}

static void memory_counts_the_tree(void **state)
{
    (void)state;
    enum { LINES = 20000, MOST = 600000 };
    struct fst_buf text = {0};
    for (unsigned i = 0; i < LINES; i++) {
        fst_buf_add_fmt(&text, "f%u;f%u;f%u;f%u;f%u 1\n", i % 10, i / 10 % 10, i / 100 % 10,
                        i / 1000 % 10, i / 10000);
    }
    for (int with = 0; with < 2; with++) {
        struct fst_profile *profile =
            new_profile((struct fst_profile_options){.tree = with, .max_memory = MOST});
        struct fst_error err = {0};
        enum fst_status status = fst_profile_read_memory(profile, fst_buf_str(&text), "text",
                                                         &(struct fst_read_options){0}, &err);
        assert_int_equal(status, with ? FST_ERR_NOMEM : FST_OK);
        REQUIRE(!with || strstr(err.message, "ways to them") != NULL, "%s", err.message);
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_ordered_by_total_then_name),
        cmocka_unit_test(what_is_cut_is_counted),
        cmocka_unit_test(magnitudes_decide_where_counts_are_negative),
        cmocka_unit_test(nodes_are_rows),
        cmocka_unit_test(filters_and_names_hold_for_the_tree),
        cmocka_unit_test(deep_stacks_are_no_matter),
        cmocka_unit_test(what_has_no_tree_is_refused),
        cmocka_unit_test(memory_counts_the_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
