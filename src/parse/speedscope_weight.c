/* Weights of a speedscope profile to counts, in the unit that they have. */
#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "parse/speedscope_file.h"

/* Writes a double as digits, point and exponent whatever the locale's point. */
static struct fst_str decimal_of(double value, struct fst_buf *scratch)
{
    fst_buf_clear(scratch);
    fst_number_json(scratch, value);
    size_t len = 0;
    for (size_t i = 0; i < scratch->len; i++) {
        char c = scratch->data[i];
        bool kept = fst_is_digit(c) || c == '-' || c == '+' || c == 'e';
        if (kept) {
            scratch->data[len++] = c;
        } else if (len == 0 || scratch->data[len - 1] != '.') {
            scratch->data[len++] = '.';
        }
    }
    scratch->len = len;
    return fst_buf_str(scratch);
}

enum fst_count_parse fst_speedscope_weigh(const json_t *weight, fst_i128 *out,
                                          struct fst_buf *scratch)
{
    if (json_is_integer(weight)) {
        *out = (fst_i128)json_integer_value(weight) * FST_COUNT_ONE;
        return FST_COUNT_OK;
    }
    double value = json_real_value(weight);
    if (value != trunc(value)) {
        return fst_count_parse(decimal_of(value, scratch), out);
    }
    fst_buf_clear(scratch);
    fst_buf_add_fmt(scratch, "%.0f", value);
    return fst_count_parse(fst_buf_str(scratch), out);
}

/* Whether all weights of a profile are the same. */
static bool is_even(const json_t *profile)
{
    const json_t *weights = fst_speedscope_member(profile, "weights");
    double first = json_number_value(json_array_get(weights, 0));
    for (size_t i = 1; i < json_array_size(weights); i++) {
        if (json_number_value(json_array_get(weights, i)) != first) {
            return false;
        }
    }
    return true;
}

struct fst_str fst_speedscope_unit_name(const json_t *profile)
{
    struct fst_str unit = fst_speedscope_text(fst_speedscope_member(profile, "unit"));
    return unit.len == 0 ? FST_STR("none") : unit;
}

/* foldstat writes counts as weights, whatever their unit. */
static bool is_our_own(const struct fst_speedscope_file *file)
{
    return fst_str_starts(fst_speedscope_text(fst_speedscope_member(file->root, "exporter")),
                          FST_STR("foldstat"));
}

/* Units of time, and what makes µs of them. */
static const struct time_unit {
    struct fst_str name;
    int times;
    int over;
} time_units[] = {
    {{"nanoseconds", 11}, 1, 1000},
    {{"microseconds", 12}, 1, 1},
    {{"milliseconds", 12}, 1000, 1},
    {{"seconds", 7}, 1000000, 1},
};

/* The unit of time in which weights are counts; NULL where they are something else. */
static const struct time_unit *time_unit_of(const struct fst_speedscope_file *file)
{
    if (file->nprofiles == 0 || file->as_samples || is_our_own(file)) {
        return NULL;
    }
    for (size_t i = 0; i < FST_COUNT_OF(time_units); i++) {
        if (fst_str_eq(fst_speedscope_unit_name(fst_speedscope_profile(file, 0)),
                       time_units[i].name)) {
            return &time_units[i];
        }
    }
    return NULL;
}

bool fst_speedscope_are_intervals(const struct fst_speedscope_file *file)
{
    if (file->nprofiles == 0 || is_our_own(file) ||
        !fst_str_ends(fst_speedscope_unit_name(fst_speedscope_profile(file, 0)),
                      FST_STR("seconds"))) {
        return false;
    }
    for (size_t i = 0; i < file->nprofiles; i++) {
        if (!is_even(fst_speedscope_profile(file, i))) {
            return false;
        }
    }
    return true;
}

enum fst_unit fst_speedscope_unit(const struct fst_speedscope_file *file, enum fst_unit otherwise)
{
    if (file->as_samples || file->nprofiles == 0) {
        return file->as_samples ? FST_UNIT_SAMPLES : otherwise;
    }
    if (fst_str_eq(fst_speedscope_unit_name(fst_speedscope_profile(file, 0)), FST_STR("bytes"))) {
        return FST_UNIT_BYTES;
    }
    return time_unit_of(file) != NULL ? FST_UNIT_MICROSECONDS : otherwise;
}

enum fst_count_parse fst_speedscope_count(struct fst_speedscope_file *file, const json_t *weight,
                                          fst_i128 *out)
{
    if (file->as_samples) {
        *out = FST_COUNT_ONE;
        return FST_COUNT_OK;
    }
    enum fst_count_parse form = fst_speedscope_weigh(weight, out, &file->scratch);
    const struct time_unit *unit = time_unit_of(file);
    if (unit != NULL) {
        if (FST_MUL_OVERFLOWS(*out, (fst_i128)unit->times, out)) {
            return FST_COUNT_OUT_OF_RANGE;
        }
        *out /= unit->over;
    }
    return form;
}
