/* Weights of a speedscope profile to counts, in the unit that they have. */
#include "base/count.h"
#include "parse/dialect.h"
#include "parse/speedscope_file.h"

enum fst_count_parse fst_speedscope_weigh(const struct fst_speedscope_file *file,
                                          const json_t *weight, fst_i128 *out)
{
    if (json_is_real(weight)) {
        return fst_count_parse(fst_speedscope_digits(file, weight), out);
    }
    *out = (fst_i128)json_integer_value(weight) * FST_COUNT_ONE;
    return FST_COUNT_OK;
}

/* Whether all weights of a profile are the same. */
static bool is_even(const struct fst_speedscope_file *file, const json_t *profile)
{
    const json_t *weights = fst_speedscope_member(profile, "weights");
    fst_i128 first = 0;
    for (size_t i = 0; i < json_array_size(weights); i++) {
        fst_i128 weight;
        (void)fst_speedscope_weigh(file, json_array_get(weights, i), &weight);
        first = i == 0 ? weight : first;
        if (weight != first) {
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

bool fst_speedscope_is_own(const struct fst_speedscope_file *file)
{
    return fst_str_starts(fst_speedscope_text(fst_speedscope_member(file->root, "exporter")),
                          FST_STR("foldstat "));
}

struct fst_str fst_speedscope_told(const struct fst_speedscope_file *file, const char *key)
{
    const json_t *told = fst_speedscope_member(file->root, "foldstat");
    return fst_speedscope_is_own(file) ? fst_speedscope_text(fst_speedscope_member(told, key))
                                       : (struct fst_str){"", 0};
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
    if (file->nprofiles == 0 || file->as_samples) {
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
    if (file->nprofiles == 0 || fst_speedscope_is_own(file) ||
        !fst_str_ends(fst_speedscope_unit_name(fst_speedscope_profile(file, 0)),
                      FST_STR("seconds"))) {
        return false;
    }
    for (size_t i = 0; i < file->nprofiles; i++) {
        if (!is_even(file, fst_speedscope_profile(file, i))) {
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
    if (time_unit_of(file) != NULL) {
        return FST_UNIT_MICROSECONDS;
    }
    enum fst_unit told = otherwise;
    (void)fst_unit_find(fst_speedscope_told(file, "unit"), &told);
    return told;
}

/* A count of one unit in another; times and over of a unit of time. */
static enum fst_count_parse convert(fst_i128 *count, const struct time_unit *unit)
{
    if (FST_MUL_OVERFLOWS(*count, (fst_i128)unit->times, count)) {
        return FST_COUNT_OUT_OF_RANGE;
    }
    fst_i128 rest = *count % unit->over;
    fst_i128 twice = (rest < 0 ? -rest : rest) * 2;
    int sign = *count < 0 ? -1 : 1;
    *count /= unit->over;
    bool odd = *count % 2 != 0;
    *count += twice > unit->over || (twice == unit->over && odd) ? sign : 0;
    return rest != 0 ? FST_COUNT_ROUNDED : FST_COUNT_OK;
}

enum fst_count_parse fst_speedscope_count(const struct fst_speedscope_file *file,
                                          const json_t *weight, fst_i128 *out)
{
    if (file->as_samples) {
        *out = FST_COUNT_ONE;
        return FST_COUNT_OK;
    }
    enum fst_count_parse form = fst_speedscope_weigh(file, weight, out);
    const struct time_unit *unit = time_unit_of(file);
    if (unit == NULL || form == FST_COUNT_OUT_OF_RANGE) {
        return form;
    }
    enum fst_count_parse converted = convert(out, unit);
    return converted == FST_COUNT_OK ? form : converted;
}
