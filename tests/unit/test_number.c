/* Numbers as people and as JSON parsers read them. */
#include "unit/helpers.h"

#include <math.h>

#include "base/number.h"

static void counts_are_grouped_by_thousands(void **state)
{
    (void)state;
    static const struct {
        const char *count;
        const char *grouped;
    } rows[] = {
        {"0", "0"},
        {"7", "7"},
        {"999", "999"},
        {"1000", "1,000"},
        {"-1", "-1"},
        {"-999", "-999"},
        {"-1000", "-1,000"},
        {"18775", "18,775"},
        {"100000", "100,000"},
        {"1234567", "1,234,567"},
        {"1234567.000001", "1,234,567.000001"},
        {"999.123456", "999.123456"},
        {"-1234.5", "-1,234.5"},
        {"0.25", "0.25"},
        {"170141183460469231731687303.715884105727",
         "170,141,183,460,469,231,731,687,303.715884105727"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        fst_i128 scaled;
        struct fst_buf out = {0};
        assert_int_equal(fst_count_parse(fst_str_cstr(rows[i].count), &scaled), FST_COUNT_OK);
        fst_number_grouped(&out, scaled);
        require_text(i, fst_buf_str(&out), rows[i].grouped);
        fst_buf_release(&out);
    }
}

static void whole_numbers_are_grouped_up_to_the_largest(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *grouped;
    } rows[] = {
        {0, "n=0"},
        {12, "n=12"},
        {123456, "n=123,456"},
        {UINT64_MAX, "n=18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        assert_true(fst_buf_add_cstr(&out, "n="));
        fst_number_grouped_u64(&out, rows[i].value);
        require_text(i, fst_buf_str(&out), rows[i].grouped);
        fst_buf_release(&out);
    }
}

static void json_numbers_are_short_and_read_back(void **state)
{
    (void)state;
    const struct {
        double value;
        const char *json;
    } rows[] = {
        {0, "0"},
        {1, "1"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {54.0 / 178, "0.30337078651685395"},
        {123456789, "123456789"},
        {1e26, "1e+26"},
        {1e-9, "1e-09"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
        {NAN, "null"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        fst_number_json(&out, rows[i].value);
        require_text(i, fst_buf_str(&out), rows[i].json);
        fst_buf_release(&out);
    }
}

static void any_double_reads_back_from_its_json(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = chance(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        struct fst_buf out = {0};
        fst_number_json(&out, value);
        assert_true(fst_buf_add_char(&out, '\0'));
        REQUIRE(isfinite(value) ? strtod(out.data, NULL) == value : strcmp(out.data, "null") == 0,
                "%a became %s", value, out.data);
        fst_buf_release(&out);
    }
}

static void decimal_texts_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        double value;
    } rows[] = {
        {"49", true, 49},
        {"99.5", true, 99.5},
        {"+1e3", true, 1000},
        {"-4", true, -4},
        {"0", true, 0},
        {"1e-400", true, 0},
        {"0.00000000000012", true, 0}, /* decimals beyond the twelfth are dropped */
        {"", false, 0},
        {"nan", false, 0},
        {"inf", false, 0},
        {"0x10", false, 0},
        {"49Hz", false, 0},
        {"49 ", false, 0},
        {"1,5", false, 0},
        {"1e400", false, 0},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        double value = -1;
        bool good = fst_number_parse(fst_str_cstr(rows[i].text), &value);
        REQUIRE(good == rows[i].good, "\"%s\"", rows[i].text);
        REQUIRE(!good || value == rows[i].value, "\"%s\" is %g", rows[i].text, value);
    }
}

/* Halves are the hard ones: 0.125 is exact, and 1.005 is a little less than it looks. */
static void hundredths_are_as_printf_writes_them(void **state)
{
    (void)state;
    static const double halves[] = {0.125, 0.375, 1.005, 2.675, 0.995, 99.995, 999999.995};
    static const double odd[] = {0, -0.0, -0.004, -1.5, 1e6, 1e15, 1e300, NAN, INFINITY};
    double values[20000];
    size_t n = 0;
    for (size_t i = 0; i < FST_COUNT_OF(halves); i++) {
        values[n++] = halves[i];
        values[n++] = nextafter(halves[i], 0);
        values[n++] = nextafter(halves[i], INFINITY);
    }
    for (size_t i = 0; i < FST_COUNT_OF(odd); i++) {
        values[n++] = odd[i];
    }
    for (unsigned i = 1; n < FST_COUNT_OF(values); i++) {
        values[n++] = i % 2 == 0 ? i * 0.005 : 100.0 / i;
    }
    for (size_t i = 0; i < n; i++) {
        struct fst_buf out = {0};
        char text[400];
        (void)snprintf(text, sizeof text, "%.2f", values[i]);
        fst_number_hundredths(&out, values[i]);
        require_text(i, fst_buf_str(&out), text);
        fst_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_grouped_by_thousands),
        cmocka_unit_test(whole_numbers_are_grouped_up_to_the_largest),
        cmocka_unit_test(hundredths_are_as_printf_writes_them),
        cmocka_unit_test(json_numbers_are_short_and_read_back),
        cmocka_unit_test(any_double_reads_back_from_its_json),
        cmocka_unit_test(decimal_texts_are_read_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
