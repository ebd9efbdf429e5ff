/* Comparisons of two shares and two rates, against published and independent figures. */
#include "unit/helpers.h"

#include <math.h>

#include "analysis/statistics_two.h"

/* Newcombe's own examples: 56/70 against 48/80, 9/10 against 3/10, 10/10 against 0/10 (Statistics in
 * Medicine 17, 1998, table II, method 10). */
static void test_newcombe(void **state)
{
    (void)state;
    static const struct {
        double k1, n1, k2, n2, lo, hi;
    } rows[] = {
        {48, 80, 56, 70, 0.0524, 0.3339},
        {3, 10, 9, 10, 0.1705, 0.8090},
        {0, 10, 10, 10, 0.6075, 1.0},
        {0, 10, 0, 10, -0.2775, 0.2775},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_interval ci =
            fst_newcombe((struct fst_proportion){rows[i].k1 / rows[i].n1, rows[i].n1},
                         (struct fst_proportion){rows[i].k2 / rows[i].n2, rows[i].n2});
        REQUIRE(fabs(ci.lo - rows[i].lo) < 6e-5 && fabs(ci.hi - rows[i].hi) < 6e-5,
                "row %zu: %.5f to %.5f", i, ci.lo, ci.hi);
    }
}

/* The probability of one table of Fisher's, by factorials. */
static double table_probability(int k1, int n1, int k2, int n2)
{
    double log_p = lgamma(n1 + 1) - lgamma(k1 + 1) - lgamma(n1 - k1 + 1) + lgamma(n2 + 1) -
                   lgamma(k2 + 1) - lgamma(n2 - k2 + 1) - lgamma(n1 + n2 + 1) +
                   lgamma(k1 + k2 + 1) + lgamma(n1 + n2 - k1 - k2 + 1);
    return exp(log_p);
}

/* All that is no likelier, by its definition. */
static double fisher_by_definition(int k1, int n1, int k2, int n2)
{
    double observed = table_probability(k1, n1, k2, n2);
    double sum = 0;
    for (int x = 0; x <= n1; x++) {
        int rest = k1 + k2 - x;
        if (rest >= 0 && rest <= n2) {
            double p = table_probability(x, n1, rest, n2);
            sum += p <= observed * (1 + 1e-7) ? p : 0;
        }
    }
    return sum;
}

/* Remembering what the one before it found. */
static double two_shares_of(int k1, int n1, int k2, int n2, struct fst_exact *exact)
{
    return fst_two_proportions((struct fst_proportion){(double)k1 / n1, n1},
                               (struct fst_proportion){(double)k2 / n2, n2}, exact);
}

static double two_shares(int k1, int n1, int k2, int n2)
{
    struct fst_exact exact = {0};
    return two_shares_of(k1, n1, k2, n2, &exact);
}

static void test_fisher(void **state)
{
    (void)state;
    /* R. A. Fisher's twins of convicts: 2 of 17 against 10 of 13, p = 0.0005367 */
    require_within(two_shares(2, 17, 10, 13), 0.0005367, 1e-7);
    static const int rows[][4] = {
        {0, 10, 1, 10},  {0, 10, 5, 10},    {3, 20, 9, 31},       {10, 10, 10, 10},
        {0, 5, 0, 9},    {5, 5, 0, 9},      {1, 1000, 9, 900},    {7, 12, 6, 11},
        {60, 90, 3, 40}, {99, 100, 90, 95}, {250, 600, 300, 610},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        double got = two_shares(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
        double wanted = fisher_by_definition(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
        REQUIRE(fabs(got - wanted) <= 1e-9 * wanted + 1e-13, "row %zu: %.12g, not %.12g", i, got,
                wanted);
    }
}

/* Far out nothing overflows, and both sides are alike. */
static void test_extremes(void **state)
{
    (void)state;
    assert_true(two_shares(0, 1000000000, 900, 1000000) >= 0);
    assert_true(two_shares(0, 1000000000, 900, 1000000) < 1e-300);
    assert_true(two_shares(3, 1000000000, 0, 1000000000) <= 1);
    for (int k = 1; k < 900; k += 137) {
        double forwards = two_shares(k, 5000, k / 2, 7000);
        double backwards = two_shares(k / 2, 7000, k, 5000);
        require_within(forwards, backwards, 1e-9 * forwards);
    }
    /* The rest of a row that has nearly all of 10^26 is some 10^10, which no walk can go through. */
    struct fst_proportion nearly = {1 - 0x1p-53, 1e26};
    struct fst_exact exact = {0};
    assert_true(fst_two_proportions(nearly, (struct fst_proportion){1 - 0x1p-52, 1e26}, &exact) <
                1e-300);
    assert_true(isnan(fst_two_proportions((struct fst_proportion){0.5, 0},
                                          (struct fst_proportion){0.5, 3}, &exact)));
}

/* What is remembered of a distribution changes no p-value, in whatever order they are asked for. */
static void test_remembered(void **state)
{
    (void)state;
    struct fst_exact exact = {0};
    for (int i = 0; i < 3000; i++) {
        int k = 1 + i % 7 * 142; /* up to 853; the same again later, or at once */
        int k1 = i * 37 % (k + 1);
        int n1 = i % 11 < 9 ? 4000 : 4001;
        double alone = two_shares(k1, n1, k - k1, 5000);
        assert_true(two_shares_of(k1, n1, k - k1, 5000, &exact) == alone);
        assert_true(two_shares_of(k1, n1, k - k1, 5000, &exact) == alone);
        struct fst_events before = {k1, n1};
        struct fst_events after = {k - k1, 5000};
        struct fst_exact fresh = {0};
        assert_true(fst_two_rates(before, after, &exact) == fst_two_rates(before, after, &fresh));
    }
}

/* Where the exact test ends the other one goes on. */
static void test_large(void **state)
{
    (void)state;
    double exact = two_shares(480, 10000, 519, 10000);
    double approximate = two_shares(481, 10000, 520, 10000);
    assert_true(fabs(exact - approximate) < 0.03);
    double z = 0.03 / sqrt(0.065 * 0.935 * 2 / 10000);
    double wanted = erfc(z / sqrt(2));
    require_within(two_shares(500, 10000, 800, 10000), wanted, 1e-9 * wanted);
}

static void test_rates(void **state)
{
    (void)state;
    static const struct {
        double k1, t1, k2, t2, p;
    } rows[] = {
        {5, 1, 5, 1, 1},
        {0, 1, 5, 1, 0.0625},     /* 2 / 2^5 */
        {10, 1, 10, 2, 0.152342}, /* binomial of 20 with 1/3: 10 and more, 3 and less */
        {0, 3, 1, 1, 0.25},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_exact exact = {0};
        double p = fst_two_rates((struct fst_events){rows[i].k1, rows[i].t1},
                                 (struct fst_events){rows[i].k2, rows[i].t2}, &exact);
        REQUIRE(fabs(p - rows[i].p) < 5e-5, "row %zu: %.6f", i, p);
    }
    struct fst_interval ci =
        fst_rate_difference((struct fst_events){100, 10}, (struct fst_events){100, 10});
    require_within(ci.lo, -ci.hi, 1e-12);
    assert_true(ci.hi > 1.96 * sqrt(20) / sqrt(10) * 0.9 / sqrt(2) && ci.hi < 4);
}

/* The example of Benjamini and Hochberg: of fifteen p-values four are findings at 0.05. */
static void test_benjamini_hochberg(void **state)
{
    (void)state;
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    enum { COUNT = FST_COUNT_OF(p) };
    struct fst_ranked ranked[2 * COUNT];
    double q[COUNT];
    size_t findings = 0;
    for (size_t i = 0; i < COUNT; i++) {
        ranked[COUNT - 1 - i] = (struct fst_ranked){p[i], i};
    }
    fst_benjamini_hochberg(ranked, COUNT, q);
    for (size_t i = 0; i < COUNT; i++) {
        findings += q[i] <= 0.05;
        assert_true(i == 0 || q[i] >= q[i - 1]);
    }
    assert_int_equal(findings, 4);
    require_within(q[3], 0.0095 * 15 / 4, 1e-12);
    require_within(q[14], 1, 0);
}

/* By the definition: of n p-values q is the least of p n / rank of those that are not smaller. */
static void test_many_q(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    struct fst_ranked ranked[2 * COUNT];
    double p[COUNT];
    double q[COUNT];
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        double scale = i % 3 == 0 ? 1e-300 : i % 3 == 1 ? 1e-6 : 1;
        p[i] = i % 50 == 0 ? 0 : (double)(random >> 60) / 16 * scale; /* many are equal */
        ranked[i] = (struct fst_ranked){p[i], i};
    }
    fst_benjamini_hochberg(ranked, COUNT, q);
    for (size_t i = 0; i < COUNT; i++) {
        double wanted = 1;
        for (size_t k = 0; k < COUNT; k++) {
            size_t rank = 0;
            for (size_t j = 0; j < COUNT; j++) {
                rank += p[j] <= p[k];
            }
            wanted = p[k] >= p[i] ? fmin(wanted, p[k] * COUNT / (double)rank) : wanted;
        }
        require_within(q[i], wanted, 1e-12 * wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newcombe),   cmocka_unit_test(test_fisher),
        cmocka_unit_test(test_extremes),   cmocka_unit_test(test_large),
        cmocka_unit_test(test_rates),      cmocka_unit_test(test_benjamini_hochberg),
        cmocka_unit_test(test_remembered), cmocka_unit_test(test_many_q),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
