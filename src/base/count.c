/* Decimal text to scaled integer.
 *
 * The mantissa's digits without leading zeros are d1 d2 … dn, and the number is
 * 0.d1d2…dn * 10^point. Scaled by 10^12 the first point + 12 digits stand before the decimal point
 * and are kept; the others decide the rounding:
 *
 *      12.3456789012345e1          point = 3, keep = 15
 *      d = 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
 *          |------------ kept ---------|   rest: none
 */
#include "base/count.h"

#include <stdio.h>

enum { DECIMALS = 12, MOST_DIGITS = 39 };

/* Exponents beyond this give zero or out of range whatever the mantissa (lengths are < 2^62). */
static const int64_t EXPONENT_CAP = INT64_MAX / 4;

/* A mantissa as it stands in the text: digits and perhaps a point, from first to end. */
struct mantissa {
    const char *at;
    const char *end;
    int64_t point; /* 10^point scales 0.d1d2…; counts from the first digit that is not zero */
    bool zero;     /* no digit but 0 */
};

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && fst_is_digit(*at)) {
        at++;
    }
    return at;
}

/* Reads "e+12" to the end of the text; false if it is anything else. */
static bool read_exponent(const char *at, const char *end, int64_t *out)
{
    at++;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    if (at == end) {
        return false;
    }
    int64_t value = 0;
    for (; at < end; at++) {
        if (!fst_is_digit(*at)) {
            return false;
        }
        value = value > EXPONENT_CAP / 16 ? EXPONENT_CAP / 16 : value * 10 + (*at - '0');
    }
    *out = negative ? -value : value;
    return true;
}

/* Finds the mantissa of an unsigned number and adds its exponent; false if it has another form. */
static bool read_shape(const char *at, const char *end, struct mantissa *m)
{
    const char *whole = at;
    const char *whole_end = skip_digits(at, end);
    const char *fraction_end = whole_end;
    if (whole_end < end && *whole_end == '.') {
        fraction_end = skip_digits(whole_end + 1, end);
        if (whole_end == whole && fraction_end == whole_end + 1) {
            return false;
        }
    } else if (whole_end == whole) {
        return false;
    }
    int64_t exponent = 0;
    if (fraction_end < end && (*fraction_end == 'e' || *fraction_end == 'E')) {
        if (!read_exponent(fraction_end, end, &exponent)) {
            return false;
        }
    } else if (fraction_end != end) {
        return false;
    }
    m->at = whole;
    m->end = fraction_end;
    m->point = (whole_end - whole) + exponent;
    for (; m->at < m->end && (*m->at == '0' || *m->at == '.'); m->at++) {
        m->point -= *m->at == '0';
    }
    m->zero = m->at == m->end;
    return true;
}

static int next_digit(struct mantissa *m)
{
    if (m->at < m->end && *m->at == '.') {
        m->at++;
    }
    return m->at < m->end ? *m->at++ - '0' : -1;
}

/* Half to even, by the digits that were not kept. *inexact says whether any was not zero. */
static bool rounds_up(struct mantissa *m, bool odd, bool starts_below, bool *inexact)
{
    int first = starts_below ? 0 : next_digit(m);
    bool rest = starts_below;
    int digit;
    while (!rest && (digit = next_digit(m)) >= 0) {
        rest = digit != 0;
    }
    *inexact = first > 0 || rest;
    return first > 5 || (first == 5 && (rest || odd));
}

static enum fst_count_parse scale(struct mantissa *m, fst_u128 *out)
{
    *out = 0;
    if (m->zero) {
        return FST_COUNT_OK;
    }
    int64_t keep = m->point + DECIMALS;
    if (keep > MOST_DIGITS) {
        return FST_COUNT_OUT_OF_RANGE;
    }
    fst_u128 value = 0;
    for (int64_t i = 0; i < keep; i++) {
        int digit = next_digit(m);
        if (FST_MUL_OVERFLOWS(value, (fst_u128)10, &value) ||
            FST_ADD_OVERFLOWS(value, (fst_u128)(digit > 0 ? digit : 0), &value)) {
            return FST_COUNT_OUT_OF_RANGE;
        }
    }
    bool inexact;
    bool up = rounds_up(m, value % 2 == 1, keep < 0, &inexact);
    if (value > (fst_u128)FST_COUNT_MAX - up) {
        return FST_COUNT_OUT_OF_RANGE;
    }
    *out = value + up;
    return inexact ? FST_COUNT_ROUNDED : FST_COUNT_OK;
}

enum fst_count_parse fst_count_parse(struct fst_str text, fst_i128 *out)
{
    const char *at = text.data;
    const char *end = text.data + text.len;
    if (text.len > 0 && text.len <= 18 && skip_digits(at, end) == end) {
        uint64_t value = 0;
        for (; at < end; at++) {
            value = value * 10 + (uint64_t)(*at - '0');
        }
        *out = (fst_i128)value * FST_COUNT_ONE;
        return FST_COUNT_OK;
    }
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    struct mantissa m;
    if (!read_shape(at, end, &m)) {
        return FST_COUNT_NOT_A_NUMBER;
    }
    fst_u128 magnitude;
    enum fst_count_parse result = scale(&m, &magnitude);
    *out = negative ? -(fst_i128)magnitude : (fst_i128)magnitude;
    return result;
}

size_t fst_count_format(fst_i128 scaled, char out[FST_COUNT_TEXT])
{
    fst_u128 magnitude = scaled < 0 ? -(fst_u128)scaled : (fst_u128)scaled;
    fst_u128 whole = magnitude / (fst_u128)FST_COUNT_ONE;
    uint64_t fraction = (uint64_t)(magnitude % (fst_u128)FST_COUNT_ONE);
    char digits[MOST_DIGITS + 1];
    size_t n = 0;
    for (; whole > UINT64_MAX; whole /= 10) {
        digits[n++] = (char)('0' + (int)(whole % 10));
    }
    uint64_t rest = (uint64_t)whole; /* is divided faster */
    do {
        digits[n++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    size_t len = 0;
    if (scaled < 0) {
        out[len++] = '-';
    }
    while (n > 0) {
        out[len++] = digits[--n];
    }
    if (fraction > 0) {
        len += (size_t)snprintf(out + len, FST_COUNT_TEXT - len, ".%012llu",
                                (unsigned long long)fraction);
        while (out[len - 1] == '0') {
            len--;
        }
    }
    out[len] = '\0';
    return len;
}

double fst_count_to_double(fst_i128 scaled)
{
    int64_t small = (int64_t)scaled;
    if (scaled == small && small % (int64_t)FST_COUNT_ONE == 0) { /* most are such; it is quicker */
        small /= (int64_t)FST_COUNT_ONE;
        return (double)small;
    }
    fst_i128 whole = scaled / FST_COUNT_ONE;
    int64_t fraction = (int64_t)(scaled % FST_COUNT_ONE);
    return fraction == 0 ? (double)whole : (double)whole + (double)fraction / 1e12;
}
