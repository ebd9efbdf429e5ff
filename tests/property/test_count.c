/* Counts keep their value through every spelling of it. */
#include "unit/helpers.h"

enum { ROUNDS = 100000, LONGEST = 2000 };

static fst_u128 chance128(uint64_t *seed)
{
    return ((fst_u128)chance(seed) << 64) | chance(seed);
}

/* A count of any size: as many bits as chance gives, either sign. */
static fst_i128 any_count(uint64_t *seed)
{
    fst_u128 magnitude = chance128(seed) >> (1 + chance_below(seed, 127));
    return chance(seed) % 2 == 0 ? (fst_i128)magnitude : -(fst_i128)magnitude;
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    uint64_t seed = take_seed("what_is_written_reads_back");
    for (size_t i = 0; i < ROUNDS; i++) {
        fst_i128 count = any_count(&seed);
        fst_i128 back = 0;
        char text[FST_COUNT_TEXT];
        size_t len = fst_count_format(count, text);
        REQUIRE(len < FST_COUNT_TEXT && strlen(text) == len, "round %zu: \"%s\"", i, text);
        REQUIRE(fst_count_parse(fst_str_of(text, len), &back) == FST_COUNT_OK && back == count,
                "round %zu: \"%s\"", i, text);
    }
}

static fst_u128 power_of_ten(size_t exponent)
{
    fst_u128 power = 1;
    for (; exponent > 0; exponent--) {
        power *= 10;
    }
    return power;
}

/* Appends the digits of value with zeros in front, `decimals` of them behind a point. */
static void add_digits(struct fst_buf *out, fst_u128 value, size_t zeros, size_t decimals)
{
    char digits[64];
    size_t n = 0;
    for (; value > 0 || n <= decimals; value /= 10) {
        digits[n++] = (char)('0' + (int)(value % 10));
    }
    fst_buf_add_fill(out, '0', zeros);
    while (n > 0) {
        if (n == decimals) {
            fst_buf_add_char(out, '.');
        }
        fst_buf_add_char(out, digits[--n]);
    }
}

/* Spells value * 10^-places with the point and the exponent wherever chance puts them. */
static void spell(struct fst_buf *out, uint64_t *seed, bool negative, fst_u128 value, int places)
{
    static const char *const plus[] = {"", "+"};
    size_t decimals = chance_below(seed, 40);
    int exponent = (int)decimals - places;
    fst_buf_clear(out);
    fst_buf_add_cstr(out, negative ? "-" : plus[chance_below(seed, 2)]);
    add_digits(out, value, chance_below(seed, 4) == 0 ? chance_below(seed, LONGEST) : 0, decimals);
    if (decimals == 0 && chance_below(seed, 2) == 0) {
        fst_buf_add_char(out, '.');
    }
    if (decimals > 0 && chance_below(seed, 4) == 0) { /* zeros at the end change nothing */
        fst_buf_add_fill(out, '0', chance_below(seed, LONGEST));
    }
    if (exponent != 0 || chance_below(seed, 2) == 0) {
        fst_buf_add_char(out, chance_below(seed, 2) == 0 ? 'e' : 'E');
        fst_buf_add_cstr(out, exponent < 0 ? "-" : plus[chance_below(seed, 2)]);
        fst_buf_add_fmt(out, "%0*d", (int)chance_below(seed, 6),
                        exponent < 0 ? -exponent : exponent);
    }
}

/* value / 10^drop, half to even; *exact says whether nothing was dropped. */
static fst_u128 shorten(fst_u128 value, size_t drop, bool *exact)
{
    fst_u128 unit = power_of_ten(drop);
    fst_u128 kept = value / unit;
    fst_u128 rest = value % unit;
    fst_u128 half = unit / 2;
    *exact = rest == 0;
    bool up = drop > 0 && (rest > half || (rest == half && kept % 2 == 1));
    return kept + up;
}

static void every_spelling_has_the_value_rounded_half_to_even(void **state)
{
    (void)state;
    uint64_t seed = take_seed("every_spelling_has_the_value_rounded_half_to_even");
    struct fst_buf text = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        int places = (int)chance_below(&seed, 31); /* decimals that value has */
        fst_u128 value = (chance128(&seed) >> 1) >> chance_below(&seed, 127);
        if (chance_below(&seed, 3) == 0) { /* often a tie, or nearly one */
            value = value / 100000 * 100000 + 50000 - 1 + chance_below(&seed, 3);
        }
        bool negative = chance(&seed) % 2 == 0;
        bool exact = true;
        fst_u128 wanted = value;
        if (places > 12) {
            wanted = shorten(value, (size_t)places - 12, &exact);
        } else if (value < power_of_ten(26)) {
            wanted = value * power_of_ten(12 - (size_t)places);
        } else {
            places = 12;
        }
        spell(&text, &seed, negative, value, places);
        fst_i128 got = 0;
        enum fst_count_parse result = fst_count_parse(fst_buf_str(&text), &got);
        REQUIRE(result == (exact ? FST_COUNT_OK : FST_COUNT_ROUNDED), "round %zu: %d for \"%.*s\"",
                i, (int)result, (int)text.len, text.data);
        REQUIRE(got == (negative ? -(fst_i128)wanted : (fst_i128)wanted), "round %zu: \"%.*s\"", i,
                (int)text.len, text.data);
    }
    fst_buf_release(&text);
}

static void no_other_bytes_are_a_count(void **state)
{
    (void)state;
    static const char bytes[] = "0123456789+-.eE x\t\0\xd9\xa3";
    uint64_t seed = take_seed("no_other_bytes_are_a_count");
    for (size_t i = 0; i < ROUNDS; i++) {
        char text[8];
        size_t len = chance_below(&seed, sizeof text);
        for (size_t k = 0; k < len; k++) {
            text[k] = bytes[chance_below(&seed, sizeof bytes - 1)];
        }
        /* the grammar, as an automaton: sign, whole, point, fraction, e, sign, exponent */
        enum { START, SIGNED, WHOLE, BARE_POINT, FRACTION, E, E_SIGNED, EXPONENT, NONE } at = START;
        for (size_t k = 0; k < len; k++) {
            char c = text[k];
            bool digit = c >= '0' && c <= '9';
            bool sign = c == '+' || c == '-';
            switch (at) {
            case START: at = sign ? SIGNED : digit ? WHOLE : c == '.' ? BARE_POINT : NONE; break;
            case SIGNED: at = digit ? WHOLE : c == '.' ? BARE_POINT : NONE; break;
            case WHOLE:
                at = digit ? WHOLE : c == '.' ? FRACTION : c == 'e' || c == 'E' ? E : NONE;
                break;
            case BARE_POINT: at = digit ? FRACTION : NONE; break;
            case FRACTION: at = digit ? FRACTION : c == 'e' || c == 'E' ? E : NONE; break;
            case E: at = sign ? E_SIGNED : digit ? EXPONENT : NONE; break;
            case E_SIGNED:
            case EXPONENT: at = digit ? EXPONENT : NONE; break;
            default: break;
            }
        }
        bool wanted = at == WHOLE || at == FRACTION || at == EXPONENT;
        fst_i128 value;
        bool got = fst_count_parse(fst_str_of(text, len), &value) != FST_COUNT_NOT_A_NUMBER;
        REQUIRE(got == wanted, "round %zu: \"%.*s\"", i, (int)len, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(every_spelling_has_the_value_rounded_half_to_even),
        cmocka_unit_test(no_other_bytes_are_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
