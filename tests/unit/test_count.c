/* Counts are read and written exactly, and nothing wraps. */
#include "unit/helpers.h"

#define BAD    FST_COUNT_NOT_A_NUMBER
#define RANGE  FST_COUNT_OUT_OF_RANGE
#define ROUND  FST_COUNT_ROUNDED
#define LENGTH 10000

struct row {
    const char *text;
    enum fst_count_parse result;
    const char *value; /* NULL: none */
};

static void require_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fst_i128 value = 0;
        enum fst_count_parse result = fst_count_parse(fst_str_cstr(rows[i].text), &value);
        REQUIRE(result == rows[i].result, "\"%s\": result %d", rows[i].text, (int)result);
        if (rows[i].value != NULL) {
            require_count(i, fst_count_pack(value), rows[i].value);
        }
    }
}

static void reads_every_form_of_a_count(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"0", FST_COUNT_OK, "0"},
        {"+7", FST_COUNT_OK, "7"},
        {"-7", FST_COUNT_OK, "-7"},
        {"-0", FST_COUNT_OK, "0"},
        {"+0.0", FST_COUNT_OK, "0"},
        {"007", FST_COUNT_OK, "7"},
        {"00000000000000000000000000000000000000000000000042", FST_COUNT_OK, "42"},
        {"1.", FST_COUNT_OK, "1"},
        {".5", FST_COUNT_OK, "0.5"},
        {"-.5", FST_COUNT_OK, "-0.5"},
        {"12.25", FST_COUNT_OK, "12.25"},
        {"1e5", FST_COUNT_OK, "100000"},
        {"1E+5", FST_COUNT_OK, "100000"},
        {"1.e5", FST_COUNT_OK, "100000"},
        {".5e1", FST_COUNT_OK, "5"},
        {"+12.5e-1", FST_COUNT_OK, "1.25"},
        {"1e-12", FST_COUNT_OK, "0.000000000001"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
    fst_i128 value;
    assert_int_equal(fst_count_parse(fst_str_of("123", 2), &value), FST_COUNT_OK);
    assert_true(value == 12 * FST_COUNT_ONE);
}

static void refuses_what_only_resembles_a_count(void **state)
{
    (void)state;
    /* each ends at a '|'; the last three are an Arabic-Indic three, a fullwidth one, and U+2212
     * before a one */
    static const char texts[] = "|+|-|.|+.|e|e5|.e5|1e|1e+|1e-|1e5.0|1e5e5|1e--5|1.2.3|--1|+-1|1+|"
                                "1 | 1|1\t|1\r|1 2|1_0|1,000|0x10|1f|12V|here|inf|-inf|nan|"
                                "\xd9\xa3|\xef\xbc\x91|\xe2\x88\x92\x31|";
    for (const char *at = texts; *at != '\0'; at += strcspn(at, "|") + 1) {
        struct fst_str text = fst_str_of(at, strcspn(at, "|"));
        fst_i128 value;
        REQUIRE(fst_count_parse(text, &value) == BAD, "\"%.*s\" is no count", (int)text.len, at);
    }
    fst_i128 value;
    assert_int_equal(fst_count_parse(fst_str_of("1\0", 2), &value), BAD);
    assert_int_equal(fst_count_parse(fst_str_of(NULL, 0), &value), BAD);
}

static void keeps_twelve_decimals_and_rounds_the_rest_half_to_even(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"0.123456789012", FST_COUNT_OK, "0.123456789012"},
        {"0.1234567890120000000000", FST_COUNT_OK, "0.123456789012"},
        {"1.0000000000000", FST_COUNT_OK, "1"},
        {"0.1234567890124", ROUND, "0.123456789012"},
        {"0.1234567890125", ROUND, "0.123456789012"}, /* tie, down to even */
        {"0.1234567890135", ROUND, "0.123456789014"}, /* tie, up to even */
        {"-0.1234567890135", ROUND, "-0.123456789014"},
        {"0.12345678901250", ROUND, "0.123456789012"},               /* still a tie */
        {"0.1234567890125000000000000001", ROUND, "0.123456789013"}, /* sticky */
        {"0.1234567890124999999999999999", ROUND, "0.123456789012"},
        {"0.9999999999995", ROUND, "1"},
        {"9.9999999999999", ROUND, "10"},
        {"999999999999999.9999999999996", ROUND, "1000000000000000"},
        {"5e-13", ROUND, "0"}, /* tie, 0 is even */
        {"5.0000000001e-13", ROUND, "0.000000000001"},
        {"15e-13", ROUND, "0.000000000002"},
        {"25e-13", ROUND, "0.000000000002"},
        {"-5e-13", ROUND, "0"},
        {"99e-14", ROUND, "0.000000000001"},
        {"1e-400", ROUND, "0"},
        {"-1e-99999999999999999999999", ROUND, "0"},
        {"0e999999999999999999999", FST_COUNT_OK, "0"},
        {"-0.000e-999999999999999999999", FST_COUNT_OK, "0"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void refuses_what_does_not_fit_and_keeps_all_that_does(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"999999999999999999", FST_COUNT_OK, "999999999999999999"}, /* 18 digits */
        {"1000000000000000000", FST_COUNT_OK, "1000000000000000000"},
        {"9223372036854775807", FST_COUNT_OK, "9223372036854775807"}, /* 2^63 - 1 */
        {"9223372036854775808", FST_COUNT_OK, "9223372036854775808"},
        {"-9223372036854775809", FST_COUNT_OK, "-9223372036854775809"},
        {"18446744073709551616", FST_COUNT_OK, "18446744073709551616"}, /* 2^64 */
        {"1e26", FST_COUNT_OK, "100000000000000000000000000"},
        /* 2^127 - 1, in units of 10^-12, and its neighbours */
        {"170141183460469231731687303.715884105727", FST_COUNT_OK,
         "170141183460469231731687303.715884105727"},
        {"-170141183460469231731687303.715884105727", FST_COUNT_OK,
         "-170141183460469231731687303.715884105727"},
        {"170141183460469231731687303.7158841057274", ROUND,
         "170141183460469231731687303.715884105727"},
        {"170141183460469231731687303.7158841057275", RANGE, NULL},
        {"170141183460469231731687303.715884105728", RANGE, NULL},
        {"-170141183460469231731687303.715884105728", RANGE, NULL},
        {"-170141183460469231731687303.7158841057275", RANGE, NULL},
        {"1e27", RANGE, NULL},
        /* 2^128 - 1 and 2^128, scaled, where an unsigned sum would wrap */
        {"340282366920938463463374607.431768211455", RANGE, NULL},
        {"340282366920938463463374607.4317682114555", RANGE, NULL},
        {"-340282366920938463463374607.4317682114555", RANGE, NULL},
        {"340282366920938463463374607.431768211456", RANGE, NULL},
        {"1e400", RANGE, NULL},
        {"-1e400", RANGE, NULL},
        {"0.001e99999999999999999999999999", RANGE, NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

/* head, then LENGTH times fill, then tail. */
static void reads_mantissas_of_ten_thousand_digits(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        char fill;
        const char *tail;
        enum fst_count_parse result;
        const char *value;
    } rows[] = {
        {"", '0', "7", FST_COUNT_OK, "7"},
        {"-", '0', ".25", FST_COUNT_OK, "-0.25"},
        {"1", '0', "e-10000", FST_COUNT_OK, "1"},
        {"12", '0', "e-10001", FST_COUNT_OK, "1.2"},
        {"0.", '0', "3e10001", FST_COUNT_OK, "3"},
        {"1.", '0', "", FST_COUNT_OK, "1"},
        {"1.", '0', "1", ROUND, "1"},
        {"0.0000000000005", '0', "1", ROUND, "0.000000000001"},
        {"0.0000000000005", '0', "0", ROUND, "0"},
        {"", '9', "", RANGE, NULL},
        {"", '9', "e-10000", ROUND, "1"},
        {"", '1', "e-9999", ROUND, "1.111111111111"},
        {"0.", '0', "1", ROUND, "0"},
        {"", '0', "x", BAD, NULL},
        {"1e", '0', "2", FST_COUNT_OK, "100"},
        {"1e", '9', "", RANGE, NULL},
        {"1e-", '9', "", ROUND, "0"},
    };
    struct fst_buf text = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        fst_buf_clear(&text);
        fst_buf_add_cstr(&text, rows[i].head);
        fst_buf_add_fill(&text, rows[i].fill, LENGTH);
        fst_buf_add_cstr(&text, rows[i].tail);
        fst_i128 value = 0;
        enum fst_count_parse result = fst_count_parse(fst_buf_str(&text), &value);
        REQUIRE(result == rows[i].result, "row %zu: result %d", i, (int)result);
        if (rows[i].value != NULL) {
            require_count(i, fst_count_pack(value), rows[i].value);
        }
    }
    fst_buf_release(&text);
}

static void writes_the_shortest_exact_text(void **state)
{
    (void)state;
    const struct {
        fst_i128 scaled;
        const char *text;
        bool whole;
    } rows[] = {
        {0, "0", true},
        {FST_COUNT_ONE, "1", true},
        {-FST_COUNT_ONE, "-1", true},
        {1, "0.000000000001", false},
        {-1, "-0.000000000001", false},
        {FST_COUNT_ONE / 4, "0.25", false},
        {-FST_COUNT_ONE * 18775 - FST_COUNT_ONE / 2, "-18775.5", false},
        {FST_COUNT_MAX, "170141183460469231731687303.715884105727", false},
        {-FST_COUNT_MAX, "-170141183460469231731687303.715884105727", false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        char text[FST_COUNT_TEXT];
        size_t len = fst_count_format(rows[i].scaled, text);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(len, strlen(rows[i].text));
        assert_int_equal(fst_count_is_whole(rows[i].scaled), rows[i].whole);
        assert_true(fst_count_unpack(fst_count_pack(rows[i].scaled)) == rows[i].scaled);
        assert_int_equal(fst_count_text(fst_count_pack(rows[i].scaled), text), len);
        assert_string_equal(text, rows[i].text);
    }
}

static void whole_counts_become_the_nearest_double(void **state)
{
    (void)state;
    static const struct {
        const char *count;
        double value;
    } rows[] = {
        {"0", 0},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1: tie, to even */
        {"9007199254740995", 9007199254740996.0},
        {"18446744073709551616", 18446744073709551616.0},
        {"100000000000000000000000000", 1e26},
        {"0.5", 0.5},
        {"-2.75", -2.75},
        {"4294967296.0625", 4294967296.0625},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        fst_i128 scaled;
        assert_int_equal(fst_count_parse(fst_str_cstr(rows[i].count), &scaled), FST_COUNT_OK);
        REQUIRE(fst_count_to_double(scaled) == rows[i].value, "%s", rows[i].count);
        REQUIRE(fst_count_value(fst_count_pack(scaled)) == rows[i].value, "%s", rows[i].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_form_of_a_count),
        cmocka_unit_test(refuses_what_only_resembles_a_count),
        cmocka_unit_test(keeps_twelve_decimals_and_rounds_the_rest_half_to_even),
        cmocka_unit_test(refuses_what_does_not_fit_and_keeps_all_that_does),
        cmocka_unit_test(reads_mantissas_of_ten_thousand_digits),
        cmocka_unit_test(writes_the_shortest_exact_text),
        cmocka_unit_test(whole_counts_become_the_nearest_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
