/* The geometry of flame graphs: where frames lie, how wide they are, what is left out, and what
 * changed. */
#include "unit/flames.h"

#include <math.h>

/* The frames as text: depth times a dot, name, first and samples; of a differential picture also
 * what became of it, and how strongly. */
static void require_frames(size_t row, const struct fst_flame *flame, const char *wanted)
{
    static const char marks[] = {[FST_FLAME_SAME] = '=',
                                 [FST_FLAME_CHANGED] = '*',
                                 [FST_FLAME_NEW] = 'n',
                                 [FST_FLAME_GONE] = 'g'};
    struct fst_buf text = {0};
    for (size_t i = 0; i < flame->count; i++) {
        const struct fst_flame_frame *frame = &flame->frames[i];
        fst_buf_add_cstr(&text, i == 0 ? "" : " ");
        fst_buf_add_fill(&text, '.', frame->depth);
        fst_buf_add_str(&text, frame->name);
        fst_buf_add_fmt(&text, " %llu+%llu", (unsigned long long)frame->first,
                        (unsigned long long)frame->samples);
        if (flame->differential) {
            fst_buf_add_fmt(&text, " %c%d", marks[frame->change], frame->step);
        }
    }
    require_text(row, fst_buf_str(&text), wanted);
    fst_buf_release(&text);
}

static void frames_lie_on_what_called_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct fst_flame_options options;
        const char *wanted;
    } rows[] = {
        {"a 3\n", {0}, "all 0+3 .a 0+3"},
        {"a;b 1\na;c 2\na 4\nb;c 7\n", {0}, "all 0+14 .a 0+7 ..c 0+2 ..b 2+1 .b 7+7 ..c 7+7"},
        {"m;b 2\nm;a 2\nm;c 2\n", {0}, "all 0+6 .m 0+6 ..a 0+2 ..b 2+2 ..c 4+2"},
        {"a;b;x 3\nc;b;x 2\nc;x 1\n",
         {.reverse = true},
         "all 0+6 .x 0+6 ..b 0+5 ...a 0+3 ...c 3+2 ..c 5+1"},
        /* counts in hundredths, as these need them */
        {"a;b 0.25\na 1.5\n", {0}, "all 0+175 .a 0+175 ..b 0+25"},
        /* stacks below zero have no width; what is left is not less than nothing */
        {"a;b 5\na;c -2\nd -1\n", {0}, "all 0+5 .a 0+5 ..b 0+5"},
        {"a;b 5\na;b;c -7\na;d 1\n", {0}, "all 0+6 .a 0+6 ..d 0+1 ..b 1+5"},
        /* 12 pixels of width: below a twelfth of 0.1 pixels */
        {"a 999\nb 1\n", {.width = 12}, "all 0+1000 .a 0+999"},
        {"a 999\nb 1\n", {.width = 12, .every_frame = true}, "all 0+1000 .a 0+999 .b 999+1"},
        {"a 999\nb 1\n", {.width = 12, .min_width = 0.01}, "all 0+1000 .a 0+999 .b 999+1"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = tree_profile(rows[i].text);
        struct fst_flame *flame = flame_of(profile, NULL, rows[i].options);
        require_frames(i, flame, rows[i].wanted);
        require_nested(flame);
        assert_true(flame->frames[0].x == 0 && flame->frames[0].width == 1);
        fst_flame_free(flame);
        fst_profile_free(profile);
    }
}

static void what_is_left_out_is_told(void **state)
{
    (void)state;
    struct fst_profile *profile = tree_profile("a;x;y 1\na;z 1\na 9996\nb 2\nc -3\nc;d -1\n");
    struct fst_flame *flame = flame_of(profile, NULL, (struct fst_flame_options){.width = 500});
    require_frames(0, flame, "all 0+10000 .a 0+9998 .b 9998+2");
    assert_int_equal(flame->narrow.frames, 2); /* x, and z */
    require_count(0, flame->narrow.total, "2");
    assert_true(fabs(flame->narrow.share - 2e-4) < 1e-12);
    assert_true(flame->frames[1].drops && !flame->frames[2].drops && !flame->frames[0].drops);
    require_count(0, flame->frames[1].self, "9996");
    assert_int_equal(flame->below_zero.frames, 2);
    require_count(0, flame->below_zero.total, "-4");
    assert_int_equal(flame->nnotes, 1);
    assert_non_null(fst_str_find(flame->notes[0], FST_STR("2 counts are negative: what is below")));
    fst_flame_free(flame);
    fst_profile_free(profile);
}

static void changes_are_told_from_noise(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *after;
        const char *wanted;
    } rows[] = {
        {"a;b 500\na;c 500\n", "a;b 501\na;c 499\n",
         "all 0+1000 =0 .a 0+1000 =0 ..b 0+501 =0 ..c 501+499 =0"},
        {"a;b 500\na;c 500\n", "a;b 800\na;c 200\n",
         "all 0+1000 =0 .a 0+1000 =0 ..b 0+800 *4 ..c 800+200 *-4"},
        /* totals differ: shares decide */
        {"a 500\nb 500\n", "a 50\nb 50\n", "all 0+100 =0 .a 0+50 =0 .b 50+50 =0"},
        /* what is gone comes last, with all that stood on it; what is new is where it belongs */
        {"a;b;c 400\na;d 600\n", "a;d 600\na;e 400\n",
         "all 0+1000 =0 .a 0+1000 =0 ..d 0+600 =0 ..e 600+400 n4 ..b 1000+0 g-4 ...c 1000+0 g-4"},
        /* gone, but it may be chance */
        {"a 999\nb 1\n", "a 1000\n", "all 0+1000 =0 .a 0+1000 =0 .b 1000+0 g0"},
        {"a 999\n", "a 999\nb 1\n", "all 0+1000 =0 .a 0+999 =0 .b 999+1 =0"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *before = tree_profile(rows[i].before);
        struct fst_profile *after = tree_profile(rows[i].after);
        struct fst_flame *flame = flame_of(after, before, (struct fst_flame_options){0});
        require_frames(i, flame, rows[i].wanted);
        require_nested(flame);
        assert_true(flame->tested);
        fst_flame_free(flame);
        fst_profile_free(after);
        fst_profile_free(before);
    }
}

static void frames_that_are_gone_widen_what_they_stand_on(void **state)
{
    (void)state;
    struct fst_profile *before = tree_profile("m;a 50\nm;b 50\nn 100\n");
    struct fst_profile *after = tree_profile("m;a 100\nn 100\n");
    struct fst_flame *flame = flame_of(after, before, (struct fst_flame_options){0});
    /* m: a half after, and a quarter that is gone, of one and a quarter */
    static const struct {
        const char *name;
        double x;
        double width;
        double share;
        double before_share;
    } rows[] = {
        {"all", 0, 1, 1, 1},      {"m", 0, 0.6, 0.5, 0.5},   {"a", 0, 0.4, 0.5, 0.25},
        {"b", 0.4, 0.2, 0, 0.25}, {"n", 0.6, 0.4, 0.5, 0.5},
    };
    assert_int_equal(flame->count, FST_COUNT_OF(rows));
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const struct fst_flame_frame *frame = &flame->frames[i];
        require_text(i, frame->name, rows[i].name);
        assert_true(fabs(frame->x - rows[i].x) < 1e-12);
        assert_true(fabs(frame->width - rows[i].width) < 1e-12);
        assert_true(frame->share == rows[i].share && frame->before_share == rows[i].before_share);
        assert_true(frame->points == rows[i].share - rows[i].before_share);
    }
    fst_flame_free(flame);
    fst_profile_free(after);
    fst_profile_free(before);
}

static void fractions_are_compared_without_a_test(void **state)
{
    (void)state;
    struct fst_profile *before = tree_profile("a 1.5\nb 1.5\n");
    struct fst_profile *after = tree_profile("a 1.5\nb 1.25\n");
    struct fst_flame *flame = flame_of(after, before, (struct fst_flame_options){0});
    assert_false(flame->tested);
    assert_true(isnan(flame->frames[1].q));
    assert_int_equal(flame->frames[1].step, 3);
    assert_int_equal(flame->frames[2].step, -3);
    bool told = false;
    for (size_t i = 0; i < flame->nnotes; i++) {
        told = told || fst_str_starts(flame->notes[i], FST_STR("counts are no samples"));
    }
    assert_true(told);
    fst_flame_free(flame);
    fst_profile_free(after);
    fst_profile_free(before);
}

static void packages_that_cover_most_have_colours(void **state)
{
    (void)state;
    struct fst_profile *profile =
        tree_profile("<module> (app/a.py:1);f (torch/nn/x.py:2);g (torch/y.py:3) 90\n"
                     "<module> (app/a.py:1);h (numpy/core/z.py:2) 10\n"
                     "thread (7): T 1\n");
    struct fst_flame *flame = flame_of(profile, NULL, (struct fst_flame_options){0});
    assert_int_equal(flame->nmodules, 3);
    require_text(0, flame->modules[0], "torch"); /* twice 90, against 100 of app */
    require_text(0, flame->modules[1], "app");
    require_text(0, flame->modules[2], "numpy");
    static const unsigned colours[] = {FST_FLAME_NO_COLOUR, 1, 0, 0, 2, FST_FLAME_NO_COLOUR};
    assert_int_equal(flame->count, FST_COUNT_OF(colours));
    for (size_t i = 0; i < FST_COUNT_OF(colours); i++) {
        assert_int_equal(flame->frames[i].colour, colours[i]);
    }
    fst_flame_free(flame);
    fst_profile_free(profile);
}

static void modules_by_domain_and_by_file_stay_apart(void **state)
{
    (void)state;
    struct fst_profile *profile = new_profile((struct fst_profile_options){.tree = true});
    read_text(profile,
              FST_STR("org.apache.spark.A.run_[j];org.apache.hadoop.B.read_[j];"
                      "java.util.concurrent.C.get_[j] 5\n"),
              "java");
    struct fst_flame *flame = flame_of(profile, NULL, (struct fst_flame_options){0});
    bool found = false;
    for (size_t i = 0; i < flame->nmodules; i++) {
        found = found || fst_str_eq(flame->modules[i], FST_STR("org.apache"));
        assert_false(fst_str_eq(flame->modules[i], FST_STR("org")));
    }
    assert_true(found);
    fst_flame_free(flame);
    fst_profile_free(profile);
}

static void nothing_above_zero_is_nothing_to_draw(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "a 0\n", "a -3\n"};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = tree_profile(rows[i]);
        struct fst_flame *flame = NULL;
        struct fst_error err = {0};
        assert_int_equal(fst_flame_new(profile, NULL, &(struct fst_flame_options){0}, &flame, &err),
                         FST_ERR_NO_DATA);
        assert_null(flame);
        assert_string_equal(err.message, "no count is above 0: there is nothing to draw");
        fst_profile_free(profile);
    }
}

static void a_profile_without_a_tree_is_refused(void **state)
{
    (void)state;
    struct fst_profile *profile = profile_of("a 1\n", (struct fst_profile_options){0});
    struct fst_flame *flame = NULL;
    assert_int_equal(fst_flame_new(profile, NULL, &(struct fst_flame_options){0}, &flame, NULL),
                     FST_ERR_USAGE);
    fst_profile_free(profile);
    fst_flame_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_lie_on_what_called_them),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(changes_are_told_from_noise),
        cmocka_unit_test(frames_that_are_gone_widen_what_they_stand_on),
        cmocka_unit_test(fractions_are_compared_without_a_test),
        cmocka_unit_test(packages_that_cover_most_have_colours),
        cmocka_unit_test(modules_by_domain_and_by_file_stay_apart),
        cmocka_unit_test(nothing_above_zero_is_nothing_to_draw),
        cmocka_unit_test(a_profile_without_a_tree_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
