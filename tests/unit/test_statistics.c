/* Formulas against values that were computed with 60 decimal digits from their definitions, and
 * how many samples they may assume. */
#include "unit/helpers.h"

#include <math.h>

#include "analysis/statistics.h"

static bool near(double got, double wanted)
{
    return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-13 * (fabs(wanted) + 1);
}

static void require_near(size_t row, double got, double wanted)
{
    REQUIRE(near(got, wanted), "row %zu: got %.17g, wanted %.17g", row, got, wanted);
}

static void wilson_is_the_score_interval(void **state)
{
    (void)state;
    const struct {
        double p;
        double n;
        double lo;
        double hi;
    } rows[] = {
        {54.0 / 178, 178, 0.24057828193987349, 0.37447100080359635},
        {1.0 / 178, 178, 0.00099240032227524517, 0.031131510575591732},
        {0.5, 2, 0.094531205734230725, 0.90546879426576932},
        {0.5, 18000, 0.49269642479760167, 0.50730357520239833},
        {1.0 / 18775, 18775, 9.4021686611541287e-06, 0.00030166381661294315},
        {0, 10, 0, 0.2775327998628892},
        {1, 10, 0.72246720013711074, 1},
        {0, 1, 0, 0.79345068562276255},
        {1, 1, 0.20654931437723742, 1},
        /* n need not be whole */
        {0.25, 12.5, 0.090754381147228766, 0.5267828247670151},
        {0.3, 0.5, 0.010992404680052968, 0.9429401308431048},
        {0.5, 1469, 0.47446475112013015, 0.52553524887986991},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_interval ci = fst_wilson(rows[i].p, rows[i].n);
        require_near(i, ci.lo, rows[i].lo);
        require_near(i, ci.hi, rows[i].hi);
    }
}

static void wilson_stays_within_a_share_and_around_it(void **state)
{
    (void)state;
    static const double ns[] = {1e-3, 0.5, 1, 3, 178, 18775, 1e9, 1e15, 1e300};
    for (size_t i = 0; i < FST_COUNT_OF(ns); i++) {
        for (int k = 0; k <= 1000; k++) {
            double p = k / 1000.0;
            struct fst_interval ci = fst_wilson(p, ns[i]);
            REQUIRE(ci.lo >= 0 && ci.lo <= p + 1e-15 && ci.hi >= p - 1e-15 && ci.hi <= 1,
                    "p %g, n %g: %.17g to %.17g", p, ns[i], ci.lo, ci.hi);
            REQUIRE((ci.lo == 0) == (k == 0) && (ci.hi == 1) == (k == 1000),
                    "p %g, n %g: an end is exactly 0 or 1", p, ns[i]);
        }
    }
}

static void wilson_mirrors(void **state)
{
    (void)state;
    for (int k = 0; k <= 100; k++) {
        struct fst_interval ci = fst_wilson(k / 100.0, 77);
        struct fst_interval mirrored = fst_wilson((100 - k) / 100.0, 77);
        require_near((size_t)k, ci.lo, 1 - mirrored.hi);
        require_near((size_t)k, ci.hi, 1 - mirrored.lo);
    }
}

static void wilson_is_absent_where_it_means_nothing(void **state)
{
    (void)state;
    const struct {
        double p;
        double n;
    } rows[] = {
        {0.5, 0},   {0.5, -1}, {0.5, NAN},    {NAN, 10},      {NAN, NAN},
        {-0.1, 10}, {1.1, 10}, {-1e-300, 10}, {INFINITY, 10}, {0.5, -INFINITY},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_interval ci = fst_wilson(rows[i].p, rows[i].n);
        REQUIRE(isnan(ci.lo) && isnan(ci.hi), "row %zu: %g to %g", i, ci.lo, ci.hi);
    }
}

static void half_width_is_that_of_a_share_of_one_half(void **state)
{
    (void)state;
    static const struct {
        double n;
        double half_width;
    } rows[] = {
        {0.25, 1},
        {1, 0.97998199227002702},
        {178, 0.073452755785168258},
        {2401, 0.019999632495306674},
        {10000, 0.0097998199227002699},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_near(i, fst_half_width(rows[i].n), rows[i].half_width);
    }
    assert_true(isnan(fst_half_width(0)));
    assert_true(isnan(fst_half_width(-3)));
    assert_true(isnan(fst_half_width(NAN)));
}

static void samples_for_a_half_width_give_it(void **state)
{
    (void)state;
    static const struct {
        double half_width;
        double n;
    } rows[] = {{0.02, 2400.911762933828}, {0.01, 9603.6470517353118}, {0.5, 3.8414588206941249}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_near(i, fst_samples_for(rows[i].half_width), rows[i].n);
        require_near(i, fst_half_width(rows[i].n), rows[i].half_width);
    }
}

static void what_is_counted_is_told_from_all_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_counting counting;
        const char *divisor;
        double n;
    } rows[] = {
        {"a 5\nb 3\n", FST_COUNTING_SAMPLES, "1", 8},
        {"a 1000\nb 2000\n", FST_COUNTING_SAMPLES, "1", 3000}, /* two lines may do so by chance */
        {"a 1000\nb 2000\nc 3000\n", FST_COUNTING_PERIODS, "1000", 6},
        {"a 1000\na 1000\na 1000\n", FST_COUNTING_PERIODS, "1000", 3},
        {"a 999\nb 1998\nc 2997\n", FST_COUNTING_SAMPLES, "1", 5994},
        {"a 1500\nb 2500\nc 3500\n", FST_COUNTING_SAMPLES, "1", 7500},
        {"a 1000\nb 2000\nc 3001\n", FST_COUNTING_SAMPLES, "1", 6001},
        {"a 6000\nb 9000\nc 15000\n", FST_COUNTING_PERIODS, "3000", 10},
        {"a 0\nb 1000\nc 2000\n", FST_COUNTING_SAMPLES, "1", 3000}, /* zero says nothing */
        {"a 0\nb 1000\nc 2000\nd 3000\ne 0\n", FST_COUNTING_PERIODS, "1000", 6},
        {"a 1e9\nb 3e18\nc 2e9\n", FST_COUNTING_PERIODS, "1000000000", 3000000003.0},
        {"a 1000003\nb 2000006\nc 1000003\n", FST_COUNTING_PERIODS, "1000003", 4},
        {"a -5\nb 8\n", FST_COUNTING_NONE, "1", NAN},
        {"a 0.5\nb 8\n", FST_COUNTING_NONE, "1", NAN},
        {"a 1000.5\nb 2001\nc 3001.5\n", FST_COUNTING_NONE, "1", NAN},
        {"a -1000\nb 2000\nc 3000\n", FST_COUNTING_NONE, "1", NAN},
        {"a 0\n", FST_COUNTING_SAMPLES, "1", NAN},
        {"", FST_COUNTING_SAMPLES, "1", NAN},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        REQUIRE(top->counting == rows[i].counting, "row %zu: %d", i, (int)top->counting);
        require_count(i, top->divisor, rows[i].divisor);
        REQUIRE(near(top->samples, rows[i].n), "row %zu: %g samples", i, top->samples);
        REQUIRE(near(top->precision.n, rows[i].n), "row %zu: n %g", i, top->precision.n);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

static void precision_rests_on_ticks_or_on_the_design_effect(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double ticks;
        double design_effect;
        double n;
        double half_width;
        double factor;
        double wanted_n;
    } rows[] = {
        {"a 100\nb 78\n", 0, 0, 178, 0.073452755785168258, 13.488268331088921, 2400.911762933828},
        {"a 100\nb 78\n", 0, 4, 44.5, 0.14690551157033652, 53.953073324355685, 9603.6470517353118},
        {"a 100\nb 78\n", 100, 0, 100, 0.097998199227002702, 24.009117629338281,
         4273.6229380222139},
        {"a 100\nb 78\n", 1469, 0, 178, 0.073452755785168258, 13.488268331088921,
         2400.911762933828},
        {"a 100\nb 78\n", 100, 4, 100, 0.097998199227002702, 24.009117629338281,
         4273.6229380222139},
        {"a 1e6\nb 2e6\nc 3e6\n", 0, 0, 6, 0.40007597302960912, 400.15196048897138,
         2400.911762933828},
        /* no samples, whatever the ticks */
        {"a 0.5\n", 100, 0, NAN, NAN, NAN, NAN},
        {"a 5\nb -1\n", 100, 4, NAN, NAN, NAN, NAN},
        {"a 0\n", 100, 0, NAN, NAN, NAN, NAN},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top_options options = {.ticks = rows[i].ticks,
                                          .design_effect = rows[i].design_effect};
        struct fst_top *top = top_of(profile, options);
        const struct fst_precision *p = &top->precision;
        REQUIRE(near(p->n, rows[i].n), "row %zu: n %g", i, p->n);
        REQUIRE(near(p->half_width, rows[i].half_width), "row %zu: %.17g", i, p->half_width);
        REQUIRE(near(p->factor, rows[i].factor), "row %zu: factor %.17g", i, p->factor);
        REQUIRE(near(p->wanted_n, rows[i].wanted_n), "row %zu: %.17g", i, p->wanted_n);
        assert_true(p->wanted == 0.02);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

static void intervals_use_the_independent_samples(void **state)
{
    (void)state;
    static const struct {
        double ticks;
        double design_effect;
        double lo;
        double hi;
    } rows[] = {
        {0, 0, 0.48836488717539467, 0.63261962396237192},
        {0, 4, 0.41693372392922373, 0.69684025257405768},
        {100, 0, 0.46405314362646244, 0.65497013187604491},
        {5000, 0, 0.48836488717539467, 0.63261962396237192},
    };
    struct fst_profile *profile = profile_of("m;a 100\nm;b 78\n", (struct fst_profile_options){0});
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_top_options options = {.ticks = rows[i].ticks,
                                          .design_effect = rows[i].design_effect};
        struct fst_top *top = top_of(profile, options);
        struct fst_interval ci = top->leaf.rows[0].self_ci;
        REQUIRE(near(ci.lo, rows[i].lo) && near(ci.hi, rows[i].hi), "row %zu: %.17g to %.17g", i,
                ci.lo, ci.hi);
        assert_true(top->roots.rows[0].total_ci.hi == 1);
        fst_top_free(top);
    }
    fst_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_is_the_score_interval),
        cmocka_unit_test(wilson_stays_within_a_share_and_around_it),
        cmocka_unit_test(wilson_mirrors),
        cmocka_unit_test(wilson_is_absent_where_it_means_nothing),
        cmocka_unit_test(half_width_is_that_of_a_share_of_one_half),
        cmocka_unit_test(samples_for_a_half_width_give_it),
        cmocka_unit_test(what_is_counted_is_told_from_all_counts),
        cmocka_unit_test(precision_rests_on_ticks_or_on_the_design_effect),
        cmocka_unit_test(intervals_use_the_independent_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
