/* What is around the rows that match. */
#include "unit/helpers.h"

#include <math.h>

static struct fst_profile *frames_of(const char *text, enum fst_by by)
{
    return profile_of(text,
                      (struct fst_profile_options){.by = by, .tree = true, .tree_of_frames = true});
}

static struct fst_peek *peek_of(const struct fst_profile *profile, struct fst_peek_options options)
{
    struct fst_error err = {0};
    struct fst_peek *peek = NULL;
    enum fst_status status = fst_peek_new(profile, &options, &peek, &err);
    REQUIRE(status == FST_OK, "fst_peek_new: %s", err.message);
    return peek;
}

static void add_number(struct fst_buf *out, struct fst_str name, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add_cstr(out, " ");
    fst_buf_add_str(out, name);
    fst_buf_add_char(out, '=');
    fst_buf_add(out, text, fst_count_format(fst_count_unpack(count), text));
}

/* "NAME self= total= begins= < callers > callees # lines | stacks" of each match. */
static void require_peek(size_t row, const struct fst_peek *peek, const char *wanted)
{
    struct fst_buf out = {0};
    for (size_t i = 0; i < peek->count; i++) {
        const struct fst_peek_match *match = &peek->matches[i];
        fst_buf_add_cstr(&out, i == 0 ? "" : "\n");
        fst_buf_add_str(&out, match->name);
        add_number(&out, FST_STR("self"), match->self);
        add_number(&out, FST_STR("total"), match->total);
        add_number(&out, FST_STR("begins"), match->begins);
        fst_buf_add_cstr(&out, " <");
        for (size_t k = 0; k < match->callers.count; k++) {
            add_number(&out, match->callers.rows[k].name, match->callers.rows[k].total);
        }
        fst_buf_add_cstr(&out, " >");
        for (size_t k = 0; k < match->callees.count; k++) {
            add_number(&out, match->callees.rows[k].name, match->callees.rows[k].total);
        }
        fst_buf_add_cstr(&out, " #");
        for (size_t k = 0; k < match->lines.count; k++) {
            add_number(&out, match->lines.rows[k].line, match->lines.rows[k].self);
            add_number(&out, FST_STR(""), match->lines.rows[k].total);
        }
        fst_buf_add_cstr(&out, " |");
        for (size_t k = 0; k < match->stacks.count; k++) {
            add_number(&out, match->stacks.rows[k].frames[0], match->stacks.rows[k].count);
        }
    }
    require_text(row, fst_buf_str(&out), wanted);
    fst_buf_release(&out);
}

static void callers_and_callees_count_a_stack_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_by by;
        struct fst_peek_options options;
        const char *wanted;
    } rows[] = {
        {"a;f;x 1\nb;f;x 2\nb;f 4\nf 8\nc 16\n",
         FST_BY_FRAME,
         {.pattern = {"^f$", 3}},
         "f self=12 total=15 begins=8 < b=6 a=1 > x=3 # | f=8 b=4 b=2 a=1"},
        /* Recursion, direct and by way of another. */
        {"a;f;f;f 1\na;f;g;f;g 2\nf;f 4\n",
         FST_BY_FRAME,
         {.pattern = {"^f$", 3}},
         "f self=5 total=7 begins=4 < f=5 a=3 g=2 > f=5 g=2 # | f=4 a=2 a=1"},
        {"a;f;f;f 1\na;f;g;f;g 2\n",
         FST_BY_FRAME,
         {.pattern = {"[fg]", 4}, .stacks = 1, .links = 1},
         "f self=1 total=3 begins=0 < a=3 > g=2 # | a=2\n"
         "g self=2 total=2 begins=0 < f=2 > f=2 # | a=2"},
        /* Lines of a function, the heaviest two in the order of the file. */
        {"m (a.py:1);f (b.py:9);x 4\nm (a.py:2);f (b.py:10) 3\nm (a.py:1);f (b.py:2) 1\n"
         "m (a.py:1);f (b.py:9);f (b.py:10) 2\n",
         FST_BY_FUNCTION,
         {.pattern = {"^f", 2}, .lines = 2, .stacks = 2},
         "f (b.py) self=6 total=10 begins=0 < m (a.py)=10 f (b.py)=2 > x=4 f (b.py)=2 "
         "# 9=0 =6 10=5 =5 | m (a.py)=4 m (a.py)=4"},
        {"a;f 5\na;f -2\nb;f -3\n",
         FST_BY_FRAME,
         {.pattern = {"f", 1}},
         "f self=0 total=0 begins=0 < a=3 b=-3 > # | a=3 b=-3"},
        {"a (x.py:1);b (x.py:2);c (y.py:3);d (x.py:2) 1\n",
         FST_BY_FILE,
         {.pattern = {"^x", 2}},
         "x.py self=1 total=1 begins=1 < y.py=1 > y.py=1 # 1=0 =1 2=0 =1 2=1 =1 | x.py=1"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = frames_of(rows[i].text, rows[i].by);
        struct fst_peek *peek = peek_of(profile, rows[i].options);
        require_peek(i, peek, rows[i].wanted);
        fst_peek_free(peek);
        fst_profile_free(profile);
    }
}

static void the_heaviest_matches_come_first(void **state)
{
    (void)state;
    struct fst_profile *profile = frames_of("a;b 3\na;c 3\nd 1\n", FST_BY_FRAME);
    struct fst_peek *peek =
        peek_of(profile, (struct fst_peek_options){.pattern = FST_STR("."), .matches = 3});
    assert_int_equal(peek->of, 4);
    assert_int_equal(peek->count, 3);
    require_text(0, peek->matches[0].name, "a");
    require_text(1, peek->matches[1].name, "b");
    require_text(2, peek->matches[2].name, "c");
    assert_true(fabs(peek->matches[0].total_share - 6.0 / 7) < 1e-12);
    assert_true(fabs(peek->matches[0].callees.rows[0].share - 0.5) < 1e-12);
    fst_peek_free(peek);
    fst_profile_free(profile);
}

static void what_does_not_match_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        enum fst_status status;
        const char *message;
    } rows[] = {
        {"forwrad", FST_ERR_NO_DATA, "no frame matches \"forwrad\"; the nearest is forward"},
        {"zzzzz", FST_ERR_NO_DATA, "no frame matches \"zzzzz\""},
        {"(", FST_ERR_USAGE, "bad pattern: missing closing parenthesis"},
    };
    struct fst_profile *profile = frames_of("main;forward 3\n", FST_BY_FRAME);
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_error err = {0};
        struct fst_peek *peek = NULL;
        struct fst_peek_options options = {.pattern = fst_str_cstr(rows[i].pattern)};
        assert_int_equal(fst_peek_new(profile, &options, &peek, &err), rows[i].status);
        require_text(i, fst_str_cstr(err.message), rows[i].message);
        assert_null(peek);
    }
    fst_profile_free(profile);
    struct fst_tree *tree = NULL;
    struct fst_peek *peek = NULL;
    struct fst_peek_options options = {.pattern = FST_STR("a")};
    profile = frames_of("a 1\n", FST_BY_FRAME);
    assert_int_equal(fst_tree_new(profile, &(struct fst_tree_options){0}, &tree, NULL),
                     FST_ERR_USAGE);
    fst_profile_free(profile);
    profile = profile_of("a 1\n", (struct fst_profile_options){.tree = true});
    assert_int_equal(fst_peek_new(profile, &options, &peek, NULL), FST_ERR_USAGE);
    fst_profile_free(profile);
    fst_peek_free(NULL);
}

static void an_empty_profile_has_no_matches(void **state)
{
    (void)state;
    struct fst_profile *profile = frames_of("", FST_BY_FUNCTION);
    struct fst_peek *peek = peek_of(profile, (struct fst_peek_options){.pattern = FST_STR("x")});
    assert_int_equal(peek->count, 0);
    fst_peek_free(peek);
    fst_profile_free(profile);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_and_callees_count_a_stack_once),
        cmocka_unit_test(the_heaviest_matches_come_first),
        cmocka_unit_test(what_does_not_match_is_told),
        cmocka_unit_test(an_empty_profile_has_no_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
