/* What diff and check make of small profiles. */
#include "unit/comparison.h"

#include <math.h>

static bool has_note(const struct fst_diff *diff, const char *part)
{
    for (size_t i = 0; i < diff->nnotes; i++) {
        if (fst_str_find(diff->notes[i], fst_str_cstr(part)) != NULL) {
            return true;
        }
    }
    return false;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void test_counts(void **state)
{
    (void)state;
    const struct sides sides = {{"a;b 30\na;c;c 60\na 10\n"}, {"a;b 10\na;d 40\n"}};
    struct comparison c;
    assert_int_equal(
        compare(&c, &sides, (struct fst_profile_options){0}, (struct fst_diff_options){0}), FST_OK);
    static const struct {
        const char *name;
        const char *counts[4]; /* self before, after, total before, after */
        enum fst_presence presence;
    } rows[] = {
        {"a", {"10", "0", "100", "50"}, FST_PRESENCE_BOTH},
        {"b", {"30", "10", "30", "10"}, FST_PRESENCE_BOTH},
        {"c", {"60", "0", "60", "0"}, FST_PRESENCE_GONE}, /* recursion counts once */
        {"d", {"0", "40", "0", "40"}, FST_PRESENCE_NEW},
    };
    assert_int_equal(c.diff->count, FST_COUNT_OF(rows));
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const struct fst_diff_row *row = row_of(c.diff, rows[i].name);
        require_count(i, row->self.before, rows[i].counts[0]);
        require_count(i, row->self.after, rows[i].counts[1]);
        require_count(i, row->total.before, rows[i].counts[2]);
        require_count(i, row->total.after, rows[i].counts[3]);
        assert_int_equal(row->presence, rows[i].presence);
    }
    require_within(row_of(c.diff, "b")->self.delta, 10.0 / 50 - 30.0 / 100, 1e-15);
    require_within(row_of(c.diff, "b")->self.ratio, (10.0 / 50) / (30.0 / 100), 1e-15);
    assert_true(isnan(row_of(c.diff, "c")->self.ratio));
    release(&c);
}

/* A profile against itself changes nothing. */
static void test_itself(void **state)
{
    (void)state;
    const struct sides sides = {{"a;b 300\na;c 7\nd 1\n"}, {"a;b 300\na;c 7\nd 1\n"}};
    for (int basis = FST_BASIS_SHARE; basis <= FST_BASIS_COUNT; basis += FST_BASIS_COUNT) {
        struct comparison c;
        struct fst_diff_options options = {.basis = (enum fst_basis)basis};
        assert_int_equal(compare(&c, &sides, (struct fst_profile_options){0}, options), FST_OK);
        assert_int_equal(c.diff->significant, 0);
        for (size_t i = 0; i < c.diff->count; i++) {
            assert_true(c.diff->rows[i].self.delta == 0 && c.diff->rows[i].total.delta == 0);
            assert_true(c.diff->rows[i].total.p == 1);
        }
        release(&c);
    }
}

/* However unequal two recordings are, one sample is no finding. */
static void test_single_sample(void **state)
{
    (void)state;
    const struct sides sides = {{"a 9\nb 1\n"}, {"a 10000000\n"}};
    struct comparison c;
    assert_int_equal(
        compare(&c, &sides, (struct fst_profile_options){0}, (struct fst_diff_options){0}), FST_OK);
    assert_int_equal(c.diff->tested, 2);
    assert_true(row_of(c.diff, "b")->self.q == 1);
    assert_false(row_of(c.diff, "b")->significant);
    release(&c);
}

static void test_no_samples(void **state)
{
    (void)state;
    static const struct {
        struct sides sides;
        const char *note;
    } rows[] = {
        {{{"a 1.5\n"}, {"a 2\n"}}, "its counts are no samples"},
        {{{"a 3\nb -1\n"}, {"a 2\n"}}, "its counts are no samples"},
        {{{"a 3\n"}, {""}}, "no samples"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct comparison c;
        assert_int_equal(compare(&c, &rows[i].sides, (struct fst_profile_options){0},
                                 (struct fst_diff_options){0}),
                         FST_OK);
        assert_int_equal(c.diff->test, FST_TEST_NONE);
        assert_true(isnan(c.diff->rows[0].self.q) && isnan(c.diff->rows[0].self.delta_ci.lo));
        REQUIRE(has_note(c.diff, rows[i].note), "row %zu: no note %s", i, rows[i].note);
        release(&c);
    }
}

/* A partial sum of one input, without shares, made by rules. */
#define SUM_BY(rules)                                                                              \
    "# foldstat partial 1\tinputs=1\tcompared=0\tsamples=5\tbad-lines=0\tframes=0\trates=0:0:0"    \
    "\tdurations=0:0\terrors=0:0\tticks=0:0\trules" rules "\tend\nf (a.py:3) 5\n"

static void test_what_differs(void **state)
{
    (void)state;
    static const struct {
        struct sides sides;
        const char *note;
    } rows[] = {
        {{{"f (a.py:3) 5\n"}, {"java/lang/Thread.run_[j];foo_[k] 21\n"}}, "the dialect"},
        {{{"f (a.py:3) 5\n"}, {"f (/srv/app/a.py:3) 5\n"}}, "the names of files"},
        {{{"f (a.py:3) 5\n"}, {"f (a.py) 5\n"}}, "line numbers"},
        {{{"f (a.py:3) 5\n"}, {"thread (12): main;f (a.py:3) 5\n"}}, "differ in threads"},
        {{{"thread (0x7F12): main;f (a.py:3) 5\n"}, {"thread (12): main;f (a.py:3) 5\n"}},
         "the form of threads' names"},
        {{{"f (a.py:3) 5\n"}, {"process 1:\"x\";f (a.py:3) 5\n"}}, "processes"},
        {{{"f (a.py:3) 5\n"}, {"f (a.py:3);g (lib.so.6) 5\n"}}, "native frames"},
        {{{"f (a.py:3) 5\n"}, {"f (a.py:3) 5\nwait (threading.py:9) 5\n"}},
         "stacks that wait for work"},
        {{{"f (<eval_with_key>.12) 5\n"}, {"f (<eval_with_key>.*) 5\n"}},
         "(as they are written), test (made one); rows do not match"},
        {{{"f (a.py:3) 5\n"}, {SUM_BY("\t--ignore=x\t--normalize")}},
         "test (tells none), test (--ignore=x); the same options"},
        {{{SUM_BY("\t--ignore=x\t--focus=y")}, {SUM_BY("")}},
         "test (--ignore=x --focus=y), test (none); the same options"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct comparison c;
        assert_int_equal(compare(&c, &rows[i].sides, (struct fst_profile_options){0},
                                 (struct fst_diff_options){0}),
                         FST_OK);
        REQUIRE(has_note(c.diff, rows[i].note), "row %zu: no note on %s", i, rows[i].note);
        release(&c);
    }
}

static void test_what_does_not_differ(void **state)
{
    (void)state;
    static const struct sides rows[] = {
        {{"f (<eval_with_key>.12) 5\n"}, {"f (<eval_with_key>.12) 5\ng (<eval_with_key>.*) 5\n"}},
        {{SUM_BY("\t--ignore=x")}, {SUM_BY("\t--ignore=x")}},
        {{SUM_BY("\t--normalize")}, {"f (a.py:3) 5\n"}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct comparison c;
        assert_int_equal(
            compare(&c, &rows[i], (struct fst_profile_options){0}, (struct fst_diff_options){0}),
            FST_OK);
        REQUIRE(!has_note(c.diff, "differ in"), "row %zu", i);
        release(&c);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    const struct sides sides = {{"a 3\n"}, {"a 2\n"}};
    struct comparison c;
    assert_int_equal(compare(&c, &sides, (struct fst_profile_options){0},
                             (struct fst_diff_options){.basis = FST_BASIS_RATE}),
                     FST_ERR_NO_DATA);
    assert_non_null(strstr(c.err.message, "--before-ticks"));
    release(&c);
    const struct sides none = {{NULL}, {"a 2\n"}};
    assert_int_equal(
        compare(&c, &none, (struct fst_profile_options){0}, (struct fst_diff_options){0}),
        FST_ERR_USAGE);
    release(&c);
    assert_int_equal(compare(&c, &sides, (struct fst_profile_options){.by = FST_BY_THREAD},
                             (struct fst_diff_options){0}),
                     FST_ERR_NO_DATA);
    release(&c);
}

/* --- paths ------------------------------------------------------------------------------------ */

static void test_paths(void **state)
{
    (void)state;
    const struct sides sides = {{"m;a;x 100\nm;b;x 100\nm 800\n"},
                                {"m;a;x 500\nm;b;x 90\nm 410\n"}};
    struct comparison c;
    assert_int_equal(compare(&c, &sides,
                             (struct fst_profile_options){.nested = true, .inner = FST_BY_STACK},
                             (struct fst_diff_options){.paths = 1}),
                     FST_OK);
    const struct fst_diff_row *x = row_of(c.diff, "x");
    assert_true(x->significant);
    assert_int_equal(x->npaths, 1);
    require_text(0, x->paths[0].stack, "m;a;x");
    require_count(0, x->paths[0].before, "100");
    require_count(0, x->paths[0].after, "500");
    require_within(x->paths[0].delta, 0.4, 1e-12);
    release(&c);
}

/* --- several recordings a side ---------------------------------------------------------------- */

static void test_several(void **state)
{
    (void)state;
    /* f grows in every recording, g varies as it did before */
    const struct sides four = {{"f 500\ng 300\nh 9200\n", "f 520\ng 420\nh 9060\n",
                                "f 480\ng 350\nh 9170\n", "f 510\ng 280\nh 9210\n"},
                               {"f 800\ng 290\nh 8910\n", "f 820\ng 410\nh 8770\n",
                                "f 790\ng 360\nh 8850\n", "f 805\ng 300\nh 8895\n"}};
    struct comparison c;
    assert_int_equal(
        compare(&c, &four, (struct fst_profile_options){0}, (struct fst_diff_options){0}), FST_OK);
    assert_int_equal(c.diff->test, FST_TEST_PERMUTATION);
    require_within(row_of(c.diff, "f")->self.q, 2.0 / 70, 1e-12);
    assert_true(row_of(c.diff, "f")->significant);
    assert_false(row_of(c.diff, "g")->significant);
    require_within(row_of(c.diff, "f")->self.delta, (800 + 820 + 790 + 805 - 2010) / 40000.0,
                   1e-12);
    assert_true(row_of(c.diff, "f")->self.delta_ci.lo > 0.01);
    release(&c);
    assert_int_equal(
        compare(&c, &four, (struct fst_profile_options){0}, (struct fst_diff_options){.fdr = 0.01}),
        FST_OK);
    assert_int_equal(c.diff->significant, 0);
    assert_true(has_note(c.diff, "5 a side are needed"));
    release(&c);
    const struct sides two = {{"f 500\ng 300\nh 9200\n", "f 520\ng 420\nh 9060\n"},
                              {"f 900\ng 290\nh 8810\n", "f 920\ng 410\nh 8670\n"}};
    assert_int_equal(
        compare(&c, &two, (struct fst_profile_options){0}, (struct fst_diff_options){0}), FST_OK);
    assert_int_equal(c.diff->test, FST_TEST_DISPERSION);
    assert_true(has_note(c.diff, "approximate"));
    assert_false(row_of(c.diff, "g")->significant);
    release(&c);
}

/* Enough rows for a thread of their own, some of them on one side alone; whatever the threads, and however
 * few rows are shown, their figures are the same. */
static void test_many_rows(void **state)
{
    (void)state;
    enum { ROWS = 6000, SHOWN = 50 };
    struct fst_buf texts[2] = {{0}, {0}};
    for (unsigned i = 0; i < ROWS; i++) {
        for (unsigned side = 0; side < 2; side++) {
            if (i % 7 != side) {
                fst_buf_add_fmt(&texts[side], "main;g%u;f%u %u\n", i % 40, i,
                                1 + (i * 31 + side * i % 13) % 900);
            }
        }
    }
    fst_buf_add_char(&texts[0], '\0');
    fst_buf_add_char(&texts[1], '\0');
    const struct sides sides = {{texts[0].data}, {texts[1].data}};
    struct comparison all;
    struct comparison few;
    assert_int_equal(compare(&all, &sides, (struct fst_profile_options){0},
                             (struct fst_diff_options){.jobs = 1}),
                     FST_OK);
    assert_int_equal(compare(&few, &sides, (struct fst_profile_options){0},
                             (struct fst_diff_options){.jobs = 2, .rows = SHOWN}),
                     FST_OK);
    assert_int_equal(all.diff->count, ROWS + 41);
    assert_int_equal(few.diff->count, SHOWN);
    assert_int_equal(few.diff->of, ROWS + 41);
    assert_int_equal(few.diff->significant, all.diff->significant);
    for (size_t i = 0; i < SHOWN; i++) {
        const struct fst_diff_row *a = &all.diff->rows[i];
        const struct fst_diff_row *b = &few.diff->rows[i];
        REQUIRE(fst_str_eq(a->name, b->name), "row %zu", i);
        assert_true(a->presence == b->presence && a->significant == b->significant);
        assert_true(a->self.p == b->self.p && a->self.q == b->self.q);
        assert_true(a->self.delta_ci.lo == b->self.delta_ci.lo);
        assert_true(a->total.p == b->total.p && a->total.q == b->total.q);
    }
    release(&all);
    release(&few);
    fst_buf_release(&texts[0]);
    fst_buf_release(&texts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),        cmocka_unit_test(test_itself),
        cmocka_unit_test(test_single_sample), cmocka_unit_test(test_no_samples),
        cmocka_unit_test(test_what_differs),  cmocka_unit_test(test_what_does_not_differ),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_paths),
        cmocka_unit_test(test_several),       cmocka_unit_test(test_many_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
