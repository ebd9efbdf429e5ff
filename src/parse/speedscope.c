/* The text is collected, parsed into jansson's tree, and gone through three times: once to check
 * every type, index and weight (so that nothing can fail on the way but the sink), once to tell the
 * dialect, once to hand the stacks on.
 *
 *     shared.frames     [{name, file, line}, …]        --> names, made once
 *     profiles[0].name  Thread 4242 "MainThread"       --> what leads its stacks
 *     profiles[0].samples, weights                     --> stacks with counts
 */
#include "parse/speedscope.h"

#include <math.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include "parse/frame.h"

enum { LONGEST_TEXT = 512 * 1024 * 1024 };

#define DAMAGED "a damaged speedscope profile: "

/* A frame of the file, as it stands in a stack. */
struct shared_frame {
    struct fst_str text;
    enum fst_frame_kind kind;
};

/* What leads the stacks of a profile; data is NULL where nothing does. */
struct lead {
    struct fst_str process;
    struct fst_str thread;
    bool from_pyspy; /* the profile has a name of py-spy's form */
};

struct fst_speedscope {
    struct fst_parser_sink sink;
    enum fst_dialect asked;
    struct fst_input *stats;
    struct fst_buf text;
    json_t *root;
    const json_t *profiles; /* in root */
    size_t nprofiles;
    struct shared_frame *frames;
    size_t nframes;
    struct lead *leads;                    /* one a profile */
    bool as_samples;                       /* every sample counts as 1 */
    const struct fst_dialect_rules *rules; /* once told */
    struct fst_arena texts;
    size_t profile; /* the place of the walk */
    size_t sample;
    struct fst_str *stack; /* of the sample at hand */
    size_t stack_capacity;
    struct fst_buf scratch; /* the text at hand */
};

/* --- life and feeding ------------------------------------------------------------------------ */

enum fst_status fst_speedscope_new(struct fst_parser_sink sink,
                                   const struct fst_read_options *options, struct fst_input *stats,
                                   struct fst_speedscope **out, struct fst_error *err)
{
    struct fst_speedscope *reader = fst_alloc_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return fst_error_nomem(err);
    }
    reader->sink = sink;
    reader->asked = options->dialect;
    reader->stats = stats;
    *out = reader;
    return FST_OK;
}

void fst_speedscope_free(struct fst_speedscope *reader)
{
    if (reader == NULL) {
        return;
    }
    json_decref(reader->root);
    fst_buf_release(&reader->text);
    fst_buf_release(&reader->scratch);
    fst_arena_release(&reader->texts);
    fst_free(reader->frames);
    fst_free(reader->leads);
    fst_free(reader->stack);
    fst_free(reader);
}

enum fst_status fst_speedscope_feed(struct fst_speedscope *reader, struct fst_str bytes,
                                    struct fst_error *err)
{
    if (bytes.len > LONGEST_TEXT - reader->text.len) {
        return fst_error_set(err, FST_ERR_FORMAT,
                             "a speedscope profile of more than 512 MiB; record with "
                             "py-spy record -f raw, which sums equal stacks up");
    }
    if (!fst_buf_add_str(&reader->text, bytes)) {
        return fst_error_nomem(err);
    }
    reader->stats->bytes += bytes.len;
    for (size_t i = 0; i < bytes.len; i++) {
        reader->stats->lines += bytes.data[i] == '\n';
    }
    return FST_OK;
}

static enum fst_status json_error(const json_error_t *error, struct fst_error *err)
{
    if (json_error_code(error) == json_error_out_of_memory) {
        return fst_error_nomem(err);
    }
    struct fst_buf shown = {0};
    fst_escape_text(&shown, fst_str_cstr(error->text));
    enum fst_status status = fst_error_set(err, FST_ERR_FORMAT, "malformed JSON: %.*s",
                                           (int)shown.len, shown.data == NULL ? "" : shown.data);
    fst_buf_release(&shown);
    if (err != NULL && error->line > 0) {
        err->line = (uint64_t)error->line;
    }
    return status;
}

static bool cut_start(struct fst_str *text, struct fst_str start)
{
    if (!fst_str_starts(*text, start)) {
        return false;
    }
    *text = fst_str_skip(*text, start.len);
    return true;
}

/* Text to tree; the text is not needed any more. */
static enum fst_status parse(struct fst_speedscope *reader, struct fst_error *err)
{
    json_error_t error;
    struct fst_str text = reader->text.len == 0 ? FST_STR("") : fst_buf_str(&reader->text);
    (void)cut_start(&text, FST_STR("\xef\xbb\xbf"));
    reader->root = json_loadb(text.data, text.len, JSON_ALLOW_NUL, &error);
    fst_buf_release(&reader->text);
    return reader->root == NULL ? json_error(&error, err) : FST_OK;
}

static enum fst_status damaged(const char *array, size_t index, const char *what,
                               struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_FORMAT, DAMAGED "%s[%zu]%s", array, index, what);
}

/* --- values ---------------------------------------------------------------------------------- */

static struct fst_str text_of(const json_t *value)
{
    return json_is_string(value) ? fst_str_of(json_string_value(value), json_string_length(value))
                                 : (struct fst_str){"", 0};
}

/* A member that may be absent: NULL also where it is null. */
static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

static const json_t *profile_at(const struct fst_speedscope *reader, size_t index)
{
    return json_array_get(reader->profiles, index);
}

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

/* The exact count of a weight. */
static enum fst_count_parse weigh(const json_t *weight, fst_i128 *out, struct fst_buf *scratch)
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

/* --- frames ---------------------------------------------------------------------------------- */

/* Reads a line number, which JavaScript may have written as 12.0; 0 where it is absent. */
static bool read_line(const json_t *value, long long *out)
{
    *out = 0;
    if (json_is_real(value)) {
        double number = json_real_value(value);
        if (number != trunc(number) || fabs(number) > 1e15) {
            return false;
        }
        *out = (long long)number;
    } else if (json_is_integer(value)) {
        *out = json_integer_value(value);
    } else if (value != NULL) {
        return false;
    }
    return true;
}

static void write_frame(struct fst_buf *out, struct fst_str name, struct fst_str file,
                        long long line)
{
    fst_buf_clear(out);
    fst_buf_add_str(out, name);
    if (file.len > 0) {
        fst_buf_add_cstr(out, " (");
        fst_buf_add_str(out, file);
        if (line != 0) {
            fst_buf_add_fmt(out, ":%lld", line);
        }
        fst_buf_add_char(out, ')');
    } else if (name.len == 0) {
        fst_buf_add_str(out, FST_FRAME_EMPTY);
    }
}

/* Keeps the text at hand as long as the reader lives; false without memory. */
static bool keep_scratch(struct fst_speedscope *reader, struct fst_str *out)
{
    if (reader->scratch.failed) {
        return false;
    }
    *out = fst_arena_copy(&reader->texts, fst_buf_str(&reader->scratch));
    return out->data != NULL;
}

static enum fst_status read_frame(struct fst_speedscope *reader, size_t index, const json_t *value,
                                  struct fst_error *err)
{
    const json_t *name = member(value, "name");
    const json_t *file = member(value, "file");
    long long line;
    if (!json_is_object(value)) {
        return damaged("shared.frames", index, " is no object", err);
    }
    if (!json_is_string(name)) {
        return damaged("shared.frames", index, ".name is no text", err);
    }
    if (file != NULL && !json_is_string(file)) {
        return damaged("shared.frames", index, ".file is no text", err);
    }
    if (!read_line(member(value, "line"), &line)) {
        return damaged("shared.frames", index, ".line is no whole number", err);
    }
    struct shared_frame *frame = &reader->frames[index];
    write_frame(&reader->scratch, text_of(name), text_of(file), line);
    if (!keep_scratch(reader, &frame->text)) {
        return fst_error_nomem(err);
    }
    frame->kind = fst_frame_read(frame->text, false).kind;
    return FST_OK;
}

static enum fst_status read_frames(struct fst_speedscope *reader, const json_t *frames,
                                   struct fst_error *err)
{
    reader->nframes = json_array_size(frames);
    reader->frames = fst_alloc_zeroed(reader->nframes + 1, sizeof *reader->frames);
    if (reader->frames == NULL) {
        return fst_error_nomem(err);
    }
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < reader->nframes && status == FST_OK; i++) {
        status = read_frame(reader, i, json_array_get(frames, i), err);
    }
    return status;
}

/* --- threads --------------------------------------------------------------------------------- */

/* Cuts a word off the start of text, and the blank behind it. */
static struct fst_str cut_word(struct fst_str *text)
{
    size_t len = 0;
    while (len < text->len && text->data[len] != ' ') {
        len++;
    }
    struct fst_str word = fst_str_of(text->data, len);
    *text = fst_str_skip(*text, len < text->len ? len + 1 : len);
    return word;
}

static bool is_number(struct fst_str word)
{
    size_t digits = 0;
    while (digits < word.len && fst_is_digit(word.data[digits])) {
        digits++;
    }
    return digits > 0 && digits == word.len;
}

static void write_thread(struct fst_buf *out, struct fst_str id, struct fst_str name)
{
    fst_buf_clear(out);
    fst_buf_add_cstr(out, "thread (");
    fst_buf_add_str(out, id);
    fst_buf_add_char(out, ')');
    if (name.len > 0) {
        fst_buf_add_cstr(out, ": ");
        fst_buf_add_str(out, name);
    }
}

/* Takes `Process 10 Thread 4242 "name"`, py-spy's name of a profile, apart; the process may be
 * absent (and *pid empty). Writes the thread's frame; false if the name has another form. */
static bool read_thread_name(struct fst_str name, struct fst_str *pid, struct fst_buf *thread)
{
    *pid = (struct fst_str){"", 0};
    if (cut_start(&name, FST_STR("Process "))) {
        *pid = cut_word(&name);
        if (!is_number(*pid)) {
            return false;
        }
    }
    if (!cut_start(&name, FST_STR("Thread "))) {
        return false;
    }
    struct fst_str id = cut_word(&name);
    bool quoted = name.len >= 2 && name.data[0] == '"' && name.data[name.len - 1] == '"';
    if (!quoted && name.len > 0) {
        return false;
    }
    write_thread(thread, id, (struct fst_str){"", 0});
    bool valid = fst_frame_read(fst_buf_str(thread), false).kind == FST_FRAME_THREAD;
    if (quoted) {
        write_thread(thread, id, fst_str_of(name.data + 1, name.len - 2));
    }
    return valid;
}

static bool read_lead(struct fst_speedscope *reader, size_t index)
{
    struct lead *lead = &reader->leads[index];
    struct fst_str name = text_of(member(profile_at(reader, index), "name"));
    struct fst_str pid;
    lead->from_pyspy = read_thread_name(name, &pid, &reader->scratch);
    if (!lead->from_pyspy) {
        char number[32];
        (void)snprintf(number, sizeof number, "%zu", index + 1);
        write_thread(&reader->scratch, fst_str_cstr(number), name);
        pid.len = 0;
    }
    if (!keep_scratch(reader, &lead->thread)) {
        return false;
    }
    if (pid.len == 0) {
        return true;
    }
    fst_buf_clear(&reader->scratch);
    fst_buf_add_fmt(&reader->scratch, "process %.*s:\"\"", (int)pid.len, pid.data);
    return keep_scratch(reader, &lead->process);
}

static enum fst_status read_leads(struct fst_speedscope *reader, struct fst_error *err)
{
    reader->leads = fst_alloc_zeroed(reader->nprofiles + 1, sizeof *reader->leads);
    bool read = reader->leads != NULL;
    for (size_t i = 0; i < reader->nprofiles && read && reader->nprofiles > 1; i++) {
        read = read_lead(reader, i);
    }
    return read ? FST_OK : fst_error_nomem(err);
}

/* --- checking -------------------------------------------------------------------------------- */

static enum fst_status check_sample(const struct fst_speedscope *reader, size_t profile,
                                    size_t index, const json_t *sample, struct fst_error *err)
{
    if (!json_is_array(sample)) {
        return fst_error_set(err, FST_ERR_FORMAT, DAMAGED "profiles[%zu].samples[%zu] is no array",
                             profile, index);
    }
    for (size_t i = 0; i < json_array_size(sample); i++) {
        const json_t *frame = json_array_get(sample, i);
        json_int_t number = json_integer_value(frame);
        if (!json_is_integer(frame)) {
            return fst_error_set(err, FST_ERR_FORMAT,
                                 DAMAGED "profiles[%zu].samples[%zu][%zu] is no whole number",
                                 profile, index, i);
        }
        if (number < 0 || (uint64_t)number >= reader->nframes) {
            return fst_error_set(err, FST_ERR_FORMAT,
                                 DAMAGED "profiles[%zu].samples[%zu] names frame %lld of %zu",
                                 profile, index, (long long)number, reader->nframes);
        }
    }
    return FST_OK;
}

static enum fst_status check_weight(struct fst_speedscope *reader, size_t profile, size_t index,
                                    const json_t *weight, struct fst_error *err)
{
    fst_i128 count;
    const char *what = NULL;
    if (!json_is_number(weight)) {
        what = "is no number";
    } else if (weigh(weight, &count, &reader->scratch) == FST_COUNT_OUT_OF_RANGE) {
        what = "is out of range";
    } else if (reader->scratch.failed) {
        return fst_error_nomem(err);
    }
    return what == NULL
               ? FST_OK
               : fst_error_set(err, FST_ERR_FORMAT, DAMAGED "profiles[%zu].weights[%zu] %s",
                               profile, index, what);
}

static enum fst_status check_samples(struct fst_speedscope *reader, size_t index,
                                     const json_t *samples, const json_t *weights,
                                     struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < json_array_size(samples) && status == FST_OK; i++) {
        status = check_sample(reader, index, i, json_array_get(samples, i), err);
        if (status == FST_OK) {
            status = check_weight(reader, index, i, json_array_get(weights, i), err);
        }
    }
    return status;
}

static enum fst_status check_profile(struct fst_speedscope *reader, size_t index,
                                     struct fst_error *err)
{
    const json_t *profile = profile_at(reader, index);
    const json_t *samples = member(profile, "samples");
    const json_t *weights = member(profile, "weights");
    const json_t *unit = member(profile, "unit");
    const json_t *name = member(profile, "name");
    struct fst_str type = text_of(member(profile, "type"));
    if (!json_is_object(profile)) {
        return damaged("profiles", index, " is no object", err);
    }
    if (fst_str_eq(type, FST_STR("evented"))) {
        return fst_error_set(err, FST_ERR_FORMAT,
                             "an evented speedscope profile; only sampled ones are read");
    }
    if (!fst_str_eq(type, FST_STR("sampled"))) {
        return damaged("profiles", index, ".type is not \"sampled\"", err);
    }
    if ((unit != NULL && !json_is_string(unit)) || (name != NULL && !json_is_string(name))) {
        return damaged("profiles", index, " has a name or unit that is no text", err);
    }
    if (!json_is_array(samples) || !json_is_array(weights)) {
        return damaged("profiles", index, " has no arrays of samples and weights", err);
    }
    if (json_array_size(samples) != json_array_size(weights)) {
        return fst_error_set(err, FST_ERR_FORMAT,
                             DAMAGED "profiles[%zu] has %zu samples, %zu weights", index,
                             json_array_size(samples), json_array_size(weights));
    }
    return check_samples(reader, index, samples, weights, err);
}

/* Whether all weights of a profile are the same. */
static bool is_even(const json_t *profile)
{
    const json_t *weights = member(profile, "weights");
    double first = json_number_value(json_array_get(weights, 0));
    for (size_t i = 1; i < json_array_size(weights); i++) {
        if (json_number_value(json_array_get(weights, i)) != first) {
            return false;
        }
    }
    return true;
}

static struct fst_str unit_of(const json_t *profile)
{
    struct fst_str unit = text_of(member(profile, "unit"));
    return unit.len == 0 ? FST_STR("none") : unit;
}

/* foldstat writes counts as weights, whatever their unit. */
static bool is_our_own(const struct fst_speedscope *reader)
{
    return fst_str_starts(text_of(member(reader->root, "exporter")), FST_STR("foldstat"));
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
static const struct time_unit *time_unit_of(const struct fst_speedscope *reader)
{
    if (reader->nprofiles == 0 || reader->as_samples || is_our_own(reader)) {
        return NULL;
    }
    for (size_t i = 0; i < FST_COUNT_OF(time_units); i++) {
        if (fst_str_eq(unit_of(profile_at(reader, 0)), time_units[i].name)) {
            return &time_units[i];
        }
    }
    return NULL;
}

/* Whether weights are the sampling interval and not counts; all profiles have the same unit. */
static bool are_intervals(const struct fst_speedscope *reader)
{
    if (reader->nprofiles == 0 || is_our_own(reader) ||
        !fst_str_ends(unit_of(profile_at(reader, 0)), FST_STR("seconds"))) {
        return false;
    }
    for (size_t i = 0; i < reader->nprofiles; i++) {
        if (!is_even(profile_at(reader, i))) {
            return false;
        }
    }
    return true;
}

static enum fst_status check_profiles(struct fst_speedscope *reader, struct fst_error *err)
{
    for (size_t i = 0; i < reader->nprofiles; i++) {
        enum fst_status status = check_profile(reader, i, err);
        if (status != FST_OK) {
            return status;
        }
        if (!fst_str_eq(unit_of(profile_at(reader, i)), unit_of(profile_at(reader, 0)))) {
            return fst_error_set(err, FST_ERR_FORMAT,
                                 "a speedscope file whose profiles have different units, which "
                                 "cannot be added; export them one by one");
        }
    }
    reader->as_samples = are_intervals(reader);
    return FST_OK;
}

static enum fst_status read_file(struct fst_speedscope *reader, struct fst_error *err)
{
    const json_t *frames = member(member(reader->root, "shared"), "frames");
    reader->profiles = member(reader->root, "profiles");
    if (!json_is_array(frames) || !json_is_array(reader->profiles)) {
        return fst_error_set(err, FST_ERR_FORMAT, "JSON, but no speedscope profile");
    }
    reader->nprofiles = json_array_size(reader->profiles);
    enum fst_status status = read_frames(reader, frames, err);
    if (status == FST_OK) {
        status = check_profiles(reader, err);
    }
    return status == FST_OK ? read_leads(reader, err) : status;
}

/* --- the stacks ------------------------------------------------------------------------------ */

/* The number of process and thread frames that lead a sample, and whether it has either. */
static size_t count_leading(const struct fst_speedscope *reader, const json_t *sample,
                            bool *process, bool *thread)
{
    size_t count = 0;
    *process = *thread = false;
    for (; count < json_array_size(sample); count++) {
        size_t frame = (size_t)json_integer_value(json_array_get(sample, count));
        enum fst_frame_kind kind = reader->frames[frame].kind;
        if (kind != FST_FRAME_PROCESS && kind != FST_FRAME_THREAD) {
            break;
        }
        *process = *process || kind == FST_FRAME_PROCESS;
        *thread = *thread || kind == FST_FRAME_THREAD;
    }
    return count;
}

/* Makes the stack of a sample; its length, or 0 without memory. */
static size_t make_stack(struct fst_speedscope *reader, const json_t *sample,
                         const struct lead *lead)
{
    bool process;
    bool thread;
    size_t leading = count_leading(reader, sample, &process, &thread);
    size_t size = json_array_size(sample);
    void *stack = reader->stack;
    if (fst_grow(&stack, &reader->stack_capacity, size + 3, sizeof *reader->stack) != 0) {
        return 0;
    }
    reader->stack = stack;
    size_t n = 0;
    if (lead->process.data != NULL && !process && !thread) {
        reader->stack[n++] = lead->process;
    }
    for (size_t i = 0; i <= size; i++) {
        if (i == leading && lead->thread.data != NULL && !thread) {
            reader->stack[n++] = lead->thread;
        }
        if (i < size) {
            size_t frame = (size_t)json_integer_value(json_array_get(sample, i));
            reader->stack[n++] = reader->frames[frame].text;
        }
    }
    if (n == 0) {
        reader->stack[n++] = FST_FRAME_NONE;
    }
    return n;
}

/* Stands on the next sample, or on the first one of the next profile that has any; false behind
 * the last. */
static bool settle(struct fst_speedscope *reader)
{
    while (reader->profile < reader->nprofiles) {
        const json_t *profile = profile_at(reader, reader->profile);
        if (reader->sample < json_array_size(member(profile, "samples"))) {
            return true;
        }
        reader->profile++;
        reader->sample = 0;
    }
    return false;
}

static bool begin(struct fst_speedscope *reader)
{
    reader->profile = 0;
    reader->sample = 0;
    return settle(reader);
}

static bool advance(struct fst_speedscope *reader)
{
    reader->sample++;
    return settle(reader);
}

/* The stack at hand, without its count. */
static enum fst_status stack_here(struct fst_speedscope *reader, const struct lead *lead,
                                  struct fst_sample *out, struct fst_error *err)
{
    const json_t *samples = member(profile_at(reader, reader->profile), "samples");
    size_t n = make_stack(reader, json_array_get(samples, reader->sample), lead);
    *out = (struct fst_sample){.frames = reader->stack, .nframes = n};
    return n == 0 ? fst_error_nomem(err) : FST_OK;
}

/* What is counted, as far as there is a word for it. */
static enum fst_unit unit_here(const struct fst_speedscope *reader, enum fst_unit otherwise)
{
    if (reader->as_samples || reader->nprofiles == 0) {
        return reader->as_samples ? FST_UNIT_SAMPLES : otherwise;
    }
    if (fst_str_eq(unit_of(profile_at(reader, 0)), FST_STR("bytes"))) {
        return FST_UNIT_BYTES;
    }
    return time_unit_of(reader) != NULL ? FST_UNIT_MICROSECONDS : otherwise;
}

/* Tells the dialect from as many stacks as the reader of collapsed text looks at. Thread frames that
 * only stand for the number of a profile say nothing of it. */
static enum fst_status tell(struct fst_speedscope *reader, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    for (bool more = begin(reader); more && sniff.stacks < FST_SNIFF_LINES;
         more = advance(reader)) {
        static const struct lead none = {.from_pyspy = false};
        const struct lead *lead = &reader->leads[reader->profile];
        struct fst_sample sample;
        enum fst_status status = stack_here(reader, lead->from_pyspy ? lead : &none, &sample, err);
        if (status != FST_OK) {
            return status;
        }
        fst_sniff_take_stack(&sniff, sample.frames, sample.nframes);
    }
    struct fst_grammar grammar = fst_dialect_tell_stacks(&sniff, reader->asked);
    grammar.unit = unit_here(reader, grammar.unit);
    reader->rules = grammar.rules;
    reader->stats->dialect = grammar.dialect;
    reader->stats->unit = grammar.unit;
    reader->stats->split_files = grammar.split_files;
    return reader->sink.grammar(reader->sink.ctx, &grammar, err);
}

static enum fst_status count_here(struct fst_speedscope *reader, fst_i128 *out,
                                  struct fst_error *err)
{
    if (reader->as_samples) {
        *out = FST_COUNT_ONE;
        return FST_OK;
    }
    const json_t *weights = member(profile_at(reader, reader->profile), "weights");
    const json_t *weight = json_array_get(weights, reader->sample);
    reader->stats->rounded_lines += weigh(weight, out, &reader->scratch) == FST_COUNT_ROUNDED;
    const struct time_unit *unit = time_unit_of(reader);
    if (unit != NULL) {
        if (FST_MUL_OVERFLOWS(*out, (fst_i128)unit->times, out)) {
            return fst_error_set(err, FST_ERR_RANGE, "a weight is out of range");
        }
        *out /= unit->over;
    }
    reader->stats->negative_lines += *out < 0;
    return reader->scratch.failed ? fst_error_nomem(err) : FST_OK;
}

static enum fst_status hand_on_stack(struct fst_speedscope *reader, struct fst_sample *sample,
                                     struct fst_error *err)
{
    if (reader->rules->reshape != NULL) {
        fst_buf_clear(&reader->scratch);
        sample->nframes = reader->rules->reshape(reader->stack, sample->nframes, &reader->scratch);
        if (reader->scratch.failed) {
            return fst_error_nomem(err);
        }
    }
    sample->lead = reader->rules->lead(sample->frames, sample->nframes);
    reader->stats->stack_lines++;
    return reader->sink.sample(reader->sink.ctx, sample, err);
}

static enum fst_status hand_on(struct fst_speedscope *reader, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (bool more = begin(reader); more && status == FST_OK; more = advance(reader)) {
        struct fst_sample sample;
        status = stack_here(reader, &reader->leads[reader->profile], &sample, err);
        if (status == FST_OK) {
            status = count_here(reader, &sample.count, err);
        }
        if (status == FST_OK) {
            status = hand_on_stack(reader, &sample, err);
        }
    }
    return status;
}

enum fst_status fst_speedscope_finish(struct fst_speedscope *reader, struct fst_error *err)
{
    enum fst_status status = parse(reader, err);
    if (status == FST_OK) {
        status = read_file(reader, err);
    }
    if (status == FST_OK) {
        status = tell(reader, err);
    }
    return status == FST_OK ? hand_on(reader, err) : status;
}
