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
        REQUIRE(top->scope.counting == rows[i].counting, "row %zu: %d", i,
                (int)top->scope.counting);
        require_count(i, top->divisor, rows[i].divisor);
        REQUIRE(near(top->scope.samples, rows[i].n), "row %zu: %g samples", i, top->scope.samples);
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

/* Values by summing the binomial probabilities with 80 decimal digits; the last two in closed form. */
static void beta_cdf_is_the_incomplete_beta_function(void **state)
{
    (void)state;
    const struct {
        double x;
        double a;
        double b;
        double wanted;
    } rows[] = {
        {0.25, 1, 1, 0.25},
        {0.5, 2, 3, 0.6875},
        {0.9, 20, 5, 0.914925114121329153},
        {0.125, 3, 17, 0.430187945254871529},
        {0.5, 500, 500, 0.5},
        {0.0625, 1, 100, 0.998425554470985466},
        {0.1171875, 178, 1292, 0.329075006331239317},
        {0.3125, 5000, 11000, 0.500850555966013800},
        {0.99609375, 1000, 2, 0.0979410591406609937},
        {0.25, 0.5, 0.5, 1.0 / 3}, /* 2/pi asin(sqrt x) */
        {0.25, 0.5, 1, 0.5},       /* sqrt x */
        {0, 3, 4, 0},
        {1, 3, 4, 1},
        {-0.5, 3, 4, NAN},
        {1.5, 3, 4, NAN},
        {0.5, 0, 4, NAN},
        {0.5, 4, NAN, NAN},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_near(i, fst_beta_cdf(rows[i].x, rows[i].a, rows[i].b), rows[i].wanted);
    }
}

/* Values by bisection on sums of binomial probabilities with 80 decimal digits. */
static void clopper_pearson_is_exact(void **state)
{
    (void)state;
    const struct {
        double k;
        double n;
        double lo;
        double hi;
        double odds_lo;
        double odds_hi;
    } rows[] = {
        {0, 1, 0, 0.975, 0, 39},
        {0, 100, 0, 0.036216692645176421, 0, 0.037577630125775759},
        {1, 1, 0.025, 1, 0.02564102564102564, INFINITY},
        {1, 2, 0.01257911709342505, 0.98742088290657493, 0.012739367083666617, 78.496835316263002},
        {1, 1000000, 2.5317807663794178e-08, 5.5716306551722442e-06, 2.531780830478558e-08,
         5.5716616984133632e-06},
        {5, 10, 0.18708602844739852, 0.81291397155260148, 0.23014246893810791, 4.3451345795239966},
        {27, 1000, 0.017866905925249688, 0.039041746805970161, 0.018191939598656712,
         0.040627932250129839},
        {54, 56, 0.87686819254200421, 0.99564518725894735, 7.121378388286324, 228.63099895732373},
        {100, 100, 0.96378330735482354, 1, 26.611577064676741, INFINITY},
        {178, 18953, 0.0080677599908624484, 0.010869152910386376, 0.0081333781335589297,
         0.01098858957069979},
        {999, 1000, 0.99444107572017337, 0.99997468251250876, 178.89091947681288,
         39497.390207317032},
        {2000, 5000, 0.38638267508177077, 0.4137341905725509, 0.62968019218372007,
         0.70571093166187937},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_interval got = fst_clopper_pearson(rows[i].k, rows[i].n);
        struct fst_interval odds = fst_odds_interval(rows[i].k, rows[i].n - rows[i].k);
        REQUIRE(fabs(got.lo - rows[i].lo) <= 2e-13 * rows[i].lo, "row %zu: lo %.17g", i, got.lo);
        REQUIRE(fabs(got.hi - rows[i].hi) <= 2e-13 * rows[i].hi, "row %zu: hi %.17g", i, got.hi);
        REQUIRE(fabs(odds.lo - rows[i].odds_lo) <= 2e-13 * odds.lo, "row %zu: odds lo %.17g", i,
                odds.lo);
        REQUIRE(odds.hi == rows[i].odds_hi || fabs(odds.hi - rows[i].odds_hi) <= 2e-13 * odds.hi,
                "row %zu: odds hi %.17g", i, odds.hi);
    }
    REQUIRE(isnan(fst_clopper_pearson(3, 2).lo), "more than all");
    REQUIRE(isnan(fst_clopper_pearson(0, 0).hi), "nothing");
    REQUIRE(isnan(fst_clopper_pearson(-1, 2).lo), "less than nothing");
    REQUIRE(isnan(fst_odds_interval(0, 0).lo), "no odds of nothing");
}

/* Huge and lopsided counts, where the definition's gamma functions have no digits left. */
static void exact_intervals_hold_out(void **state)
{
    (void)state;
    /* One of very many: Poisson's interval, 0.0253178… to 5.5716434… */
    struct fst_interval one = fst_odds_interval(1, 1e18);
    REQUIRE(fabs(one.lo * 1e18 - 0.025317807984289876) < 1e-12, "lo %.17g", one.lo * 1e18);
    REQUIRE(fabs(one.hi * 1e18 - 5.5716433909388989) < 1e-11, "hi %.17g", one.hi * 1e18);
    struct fst_interval most = fst_odds_interval(1e18, 1);
    REQUIRE(fabs(most.hi * one.lo - 1) < 1e-12, "mirrored: %.17g", most.hi * one.lo);
    /* Where the normal form takes over there is no step worth seeing. */
    struct fst_interval below = fst_odds_interval(99999999, 99999999);
    struct fst_interval above = fst_odds_interval(100000000, 100000000);
    REQUIRE(fabs(below.hi - above.hi) < 1e-3 * (above.hi - 1), "step of %g", below.hi - above.hi);
    for (double a = 1; a < 1e12; a *= 7) {
        for (double b = 1; b < 1e12; b *= 7) {
            struct fst_interval odds = fst_odds_interval(a, b);
            REQUIRE(odds.lo < a / b && a / b < odds.hi, "%g of %g: %g to %g", a, b, odds.lo,
                    odds.hi);
        }
    }
}

static void beta_quantile_inverts_the_cdf(void **state)
{
    (void)state;
    const double sizes[] = {0.5, 1, 2.5, 30, 1000, 123456};
    const double chances[] = {1e-12, 0.025, 0.3, 0.5, 0.975, 0.999999};
    for (size_t i = 0; i < FST_COUNT_OF(sizes); i++) {
        for (size_t j = 0; j < FST_COUNT_OF(sizes); j++) {
            for (size_t k = 0; k < FST_COUNT_OF(chances); k++) {
                double x = fst_beta_quantile(chances[k], sizes[i], sizes[j]);
                double back = fst_beta_cdf(x, sizes[i], sizes[j]);
                /* Where x is within a rounding of 1 it cannot say more. */
                double room = 1e-10 * chances[k] + (x > 0.999999 ? 1e-6 : 0);
                REQUIRE(fabs(back - chances[k]) <= room, "p %g, Beta(%g, %g): x %.17g gives %.17g",
                        chances[k], sizes[i], sizes[j], x, back);
            }
        }
    }
    REQUIRE(isnan(fst_beta_quantile(0, 1, 1)), "p = 0");
    REQUIRE(isnan(fst_beta_quantile(0.5, 0, 1)), "a = 0");
    REQUIRE(isnan(fst_beta_quantile(0.5, 1, INFINITY)), "b infinite");
}

static void occupancy_is_a_share_of_ticks(void **state)
{
    (void)state;
    const struct {
        double held;
        double n;
        double lo;
        double hi;
    } rows[] = {
        {178, 1469, 0.10546404323187816, 0.13885380691121843},
        {0, 299, 0, 0.0099691467928992705},
        {0, 1469, 0, 0.0020372224301655798},
        {299, 299, 0.98731528095375942, 1},
        {300, 299, NAN, NAN},
        {0, 0, NAN, NAN},
        {1, NAN, NAN, NAN},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_interval got = fst_occupancy_interval(rows[i].held, rows[i].n);
        require_near(i, got.lo, rows[i].lo);
        require_near(i, got.hi, rows[i].hi);
    }
}

static void log_normal_is_symmetrical_in_ratio(void **state)
{
    (void)state;
    struct fst_interval got = fst_log_normal(0.02874, 0.0706);
    require_near(0, sqrt(got.lo * got.hi), 0.02874);
    require_near(1, log(got.hi / got.lo), 2 * 1.959963984540054 * 0.0706);
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
        cmocka_unit_test(beta_cdf_is_the_incomplete_beta_function),
        cmocka_unit_test(clopper_pearson_is_exact),
        cmocka_unit_test(exact_intervals_hold_out),
        cmocka_unit_test(beta_quantile_inverts_the_cdf),
        cmocka_unit_test(occupancy_is_a_share_of_ticks),
        cmocka_unit_test(log_normal_is_symmetrical_in_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
