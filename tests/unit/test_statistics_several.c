/* Comparisons of several recordings a side. */
#include "unit/helpers.h"

#include <math.h>

#include "analysis/statistics_several.h"

static void test_student(void **state)
{
    (void)state;
    static const struct {
        double df, t; /* of a two-sided p of 0.05, from tables */
    } rows[] = {{1, 12.7062}, {2, 4.30265}, {6, 2.44691}, {30, 2.04227}, {1000, 1.96234}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        REQUIRE(fabs(fst_student_t95(rows[i].df) - rows[i].t) < 6e-5, "row %zu: %.6f", i,
                fst_student_t95(rows[i].df));
        require_within(fst_student_p(fst_student_t95(rows[i].df), rows[i].df), 0.05, 1e-10);
        require_within(fst_student_p(-fst_student_t95(rows[i].df), rows[i].df), 0.05, 1e-10);
    }
    require_within(fst_student_p(0, 5), 1, 1e-12);
}

static void test_numbers(void **state)
{
    (void)state;
    require_within(fst_permutation_least(4, 4), 2.0 / 70, 1e-15);
    require_within(fst_permutation_least(4, 5), 1.0 / 126, 1e-15);
    require_within(fst_permutation_least(30, 30), 1.0 / 5000, 1e-15);
    assert_int_equal(fst_permutation_needed(0.05), 4);
    assert_int_equal(fst_permutation_needed(0.01), 5);
    assert_int_equal(fst_permutation_needed(0.1), 3);
}

enum { ROWS = 3, RECORDINGS = 8 };

/* One row that is larger after, one that is not, one that is the same everywhere. */
struct example {
    double values[RECORDINGS * ROWS];
    double noise[ROWS];
    double weights[RECORDINGS];
    double events[ROWS];
    bool family[ROWS];
};

static struct fst_several make_example(struct example *e)
{
    static const double one[] = {10, 11, 9, 12, 20, 21, 19, 22};
    static const double other[] = {10, 11, 9, 12, 11, 9, 12, 10};
    for (size_t r = 0; r < RECORDINGS; r++) {
        e->values[r * ROWS] = one[r];
        e->values[r * ROWS + 1] = other[r];
        e->values[r * ROWS + 2] = 5;
        e->weights[r] = 0.1;
    }
    for (size_t i = 0; i < ROWS; i++) {
        e->noise[i] = i == 2 ? 0 : 10;
        e->events[i] = 100;
        e->family[i] = true;
    }
    return (struct fst_several){.nrows = ROWS,
                                .nbefore = RECORDINGS / 2,
                                .nafter = RECORDINGS / 2,
                                .values = e->values,
                                .noise = e->noise,
                                .weights = e->weights,
                                .events = e->events,
                                .family = e->family};
}

static void test_permutation(void **state)
{
    (void)state;
    struct example e;
    struct fst_several several = make_example(&e);
    struct fst_difference out[ROWS];
    assert_int_equal(fst_several_by_permutation(&several, out, NULL), FST_OK);
    /* no other arrangement parts the first row as well */
    require_within(out[0].p, 1.0 / 35, 1e-12);
    require_within(out[0].q, 1.0 / 35, 1e-12);
    require_within(out[1].q, 1, 1e-12); /* its means are equal */
    require_within(out[2].q, 1, 0);     /* it never varies */
    /* the sides may change places */
    for (size_t r = 0; r < RECORDINGS / 2; r++) {
        for (size_t i = 0; i < ROWS; i++) {
            double *a = &e.values[r * ROWS + i];
            double *b = &e.values[(r + RECORDINGS / 2) * ROWS + i];
            double t = *a;
            *a = *b;
            *b = t;
        }
    }
    struct fst_difference back[ROWS];
    assert_int_equal(fst_several_by_permutation(&several, back, NULL), FST_OK);
    for (size_t i = 0; i < ROWS; i++) {
        require_within(back[i].q, out[i].q, 0);
    }
    /* sides of different size */
    several.nbefore = 3;
    several.nafter = 5;
    assert_int_equal(fst_several_by_permutation(&several, out, NULL), FST_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(out[i].p >= 1.0 / 56 && out[i].p <= out[i].q && out[i].q <= 1);
    }
}

/* So many arrangements that they are drawn: the same every time. */
static void test_drawn(void **state)
{
    (void)state;
    enum { MANY = 20 };
    double values[MANY];
    double weights[MANY];
    double noise = 1;
    double events = 100;
    bool family = true;
    for (size_t r = 0; r < MANY; r++) {
        values[r] = (double)(r * 7 % 5) + (r >= MANY / 2 ? 3 : 0);
        weights[r] = 1;
    }
    const struct fst_several several = {1,      MANY / 2, MANY / 2, values,
                                        &noise, weights,  &events,  &family};
    struct fst_difference once;
    struct fst_difference again;
    assert_int_equal(fst_several_by_permutation(&several, &once, NULL), FST_OK);
    assert_int_equal(fst_several_by_permutation(&several, &again, NULL), FST_OK);
    require_within(once.p, again.p, 0);
    assert_true(once.p >= 1.0 / 5000 && once.p < 0.01);
}

static void test_dispersion(void **state)
{
    (void)state;
    struct example e;
    struct fst_several several = make_example(&e);
    struct fst_difference out[ROWS];
    several.nbefore = 2;
    several.nafter = 2; /* of the first four: nothing differs */
    assert_int_equal(fst_several_by_dispersion(&several, out, NULL), FST_OK);
    assert_true(out[0].p > 0.5 && out[1].p > 0.5 && out[2].p == 1);
    /* never surer than chance: error^2 >= noise * (0.1 / 2 + 0.1 / 2) */
    assert_true(out[0].error >= sqrt(10 * 0.1) * (1 - 1e-12));
    several.nbefore = 4;
    several.nafter = 4;
    assert_int_equal(fst_several_by_dispersion(&several, out, NULL), FST_OK);
    assert_true(out[0].p < 1e-4 && out[1].p > 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_permutation), cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_dispersion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
