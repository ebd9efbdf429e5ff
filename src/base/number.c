#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/count.h"

void fst_number_grouped(struct fst_buf *out, fst_i128 scaled)
{
    char text[FST_COUNT_TEXT];
    size_t len = fst_count_format(scaled, text);
    size_t at = 0;
    if (text[0] == '-') {
        fst_buf_add_char(out, text[at++]);
    }
    const char *point = memchr(text, '.', len);
    size_t whole = point == NULL ? len : (size_t)(point - text);
    for (; at < whole; at++) {
        fst_buf_add_char(out, text[at]);
        size_t left = whole - at - 1;
        if (left > 0 && left % 3 == 0) {
            fst_buf_add_char(out, ',');
        }
    }
    fst_buf_add(out, text + whole, len - whole);
}

void fst_number_grouped_u64(struct fst_buf *out, uint64_t value)
{
    enum { GROUP = 3, MOST = 20 + 6 };
    char text[MOST];
    size_t at = sizeof text;
    for (int digits = 0; digits == 0 || value > 0; digits++) {
        if (digits > 0 && digits % GROUP == 0) {
            text[--at] = ',';
        }
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    }
    fst_buf_add(out, text + at, sizeof text - at);
}

void fst_number_grouped_double(struct fst_buf *out, double value)
{
    if (value >= 0 && value < 1e15 && value == floor(value)) {
        fst_number_grouped_u64(out, (uint64_t)value);
    } else {
        fst_buf_add_fmt(out, "%g", value);
    }
}

/* printf is asked only where the product may be off by so much that it would be rounded otherwise. */
void fst_number_hundredths(struct fst_buf *out, double value)
{
    double scaled = value * 100;
    double below = floor(scaled);
    double rest = scaled - below;
    if (signbit(value) || !(value < 1e6) || fabs(rest - 0.5) < 1e-6) {
        fst_buf_add_fmt(out, "%.2f", value);
        return;
    }
    char text[24];
    size_t at = sizeof text;
    uint64_t left = (uint64_t)below + (rest > 0.5);
    for (int digits = 0; digits < 3 || left > 0; digits++) {
        if (digits == 2) {
            text[--at] = '.';
        }
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    }
    fst_buf_add(out, text + at, sizeof text - at);
}

void fst_number_json(struct fst_buf *out, double value)
{
    if (!isfinite(value)) {
        fst_buf_add_cstr(out, "null");
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    fst_buf_add_cstr(out, text);
}

bool fst_number_parse(struct fst_str text, double *out)
{
    fst_i128 scaled;
    enum fst_count_parse form = fst_count_parse(text, &scaled);
    if (form != FST_COUNT_OK && form != FST_COUNT_ROUNDED) {
        return false;
    }
    *out = fst_count_to_double(scaled);
    return true;
}
