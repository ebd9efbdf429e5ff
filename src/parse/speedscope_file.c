/* Goes through a document once and checks every type, index and weight, so that nothing can fail
 * behind it but the sink; makes the names of frames and threads. */
#include "parse/speedscope_file.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "parse/record.h"

#define DAMAGED "a damaged speedscope profile: "

/* --- values ---------------------------------------------------------------------------------- */

struct fst_str fst_speedscope_text(const json_t *value)
{
    return json_is_string(value) ? fst_str_of(json_string_value(value), json_string_length(value))
                                 : (struct fst_str){"", 0};
}

const json_t *fst_speedscope_member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

const json_t *fst_speedscope_profile(const struct fst_speedscope_file *file, size_t index)
{
    return json_array_get(file->profiles, index);
}

static enum fst_status damaged(const char *array, size_t index, const char *what,
                               struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_FORMAT, DAMAGED "%s[%zu]%s", array, index, what);
}

static bool cut_start(struct fst_str *text, struct fst_str start)
{
    if (!fst_str_starts(*text, start)) {
        return false;
    }
    *text = fst_str_skip(*text, start.len);
    return true;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* Reads a line number, which JavaScript may have written as 12.0; 0 where it is absent. */
static bool read_line(const struct fst_speedscope_file *file, const json_t *value, long long *out)
{
    enum { DIGITS_MOST = 15 };
    *out = json_integer_value(value);
    if (json_is_real(value)) {
        fst_i128 number;
        fst_i128 most = FST_COUNT_ONE;
        for (int i = 0; i < DIGITS_MOST; i++) {
            most *= 10;
        }
        if (fst_count_parse(fst_speedscope_digits(file, value), &number) != FST_COUNT_OK ||
            !fst_count_is_whole(number) || number > most || number < -most) {
            return false;
        }
        *out = (long long)(number / FST_COUNT_ONE);
    }
    return value == NULL || json_is_number(value);
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

/* Keeps the text at hand as long as the file lives; false without memory. */
static bool keep_scratch(struct fst_speedscope_file *file, struct fst_str *out)
{
    if (file->scratch.failed) {
        return false;
    }
    *out = fst_arena_copy(&file->texts, fst_buf_str(&file->scratch));
    return out->data != NULL;
}

static enum fst_status read_frame(struct fst_speedscope_file *file, size_t index,
                                  const json_t *value, struct fst_error *err)
{
    const json_t *name = fst_speedscope_member(value, "name");
    const json_t *path = fst_speedscope_member(value, "file");
    long long line;
    if (!json_is_object(value)) {
        return damaged("shared.frames", index, " is no object", err);
    }
    if (!json_is_string(name)) {
        return damaged("shared.frames", index, ".name is no text", err);
    }
    if (path != NULL && !json_is_string(path)) {
        return damaged("shared.frames", index, ".file is no text", err);
    }
    if (!read_line(file, fst_speedscope_member(value, "line"), &line)) {
        return damaged("shared.frames", index, ".line is no whole number", err);
    }
    struct fst_speedscope_frame *frame = &file->frames[index];
    struct fst_str own = fst_speedscope_text(fst_speedscope_member(value, "text"));
    write_frame(&file->scratch, fst_speedscope_text(name), fst_speedscope_text(path), line);
    if (own.len > 0 && fst_speedscope_is_own(file)) {
        fst_buf_clear(&file->scratch);
        fst_buf_add_str(&file->scratch, own);
    }
    if (!keep_scratch(file, &frame->text)) {
        return fst_error_nomem(err);
    }
    frame->kind = fst_frame_read(frame->text, false).kind;
    return FST_OK;
}

static enum fst_status read_frames(struct fst_speedscope_file *file, const json_t *frames,
                                   struct fst_error *err)
{
    file->nframes = json_array_size(frames);
    file->frames = fst_alloc_zeroed(file->nframes + 1, sizeof *file->frames);
    if (file->frames == NULL) {
        return fst_error_nomem(err);
    }
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < file->nframes && status == FST_OK; i++) {
        status = read_frame(file, i, json_array_get(frames, i), err);
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

static bool read_lead(struct fst_speedscope_file *file, size_t index)
{
    struct fst_speedscope_lead *lead = &file->leads[index];
    struct fst_str name =
        fst_speedscope_text(fst_speedscope_member(fst_speedscope_profile(file, index), "name"));
    struct fst_str pid;
    lead->from_pyspy = read_thread_name(name, &pid, &file->scratch);
    if (!lead->from_pyspy) {
        char number[32];
        (void)snprintf(number, sizeof number, "%zu", index + 1);
        write_thread(&file->scratch, fst_str_cstr(number), name);
        pid.len = 0;
    }
    if (!keep_scratch(file, &lead->thread)) {
        return false;
    }
    if (pid.len == 0) {
        return true;
    }
    fst_buf_clear(&file->scratch);
    fst_buf_add_fmt(&file->scratch, "process %.*s:\"\"", (int)pid.len, pid.data);
    return keep_scratch(file, &lead->process);
}

static enum fst_status read_leads(struct fst_speedscope_file *file, struct fst_error *err)
{
    file->leads = fst_alloc_zeroed(file->nprofiles + 1, sizeof *file->leads);
    bool read = file->leads != NULL;
    for (size_t i = 0; i < file->nprofiles && read && file->nprofiles > 1; i++) {
        read = read_lead(file, i);
    }
    return read ? FST_OK : fst_error_nomem(err);
}

/* --- checking -------------------------------------------------------------------------------- */

static enum fst_status check_sample(const struct fst_speedscope_file *file, size_t profile,
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
        if (number < 0 || (uint64_t)number >= file->nframes) {
            return fst_error_set(err, FST_ERR_FORMAT,
                                 DAMAGED "profiles[%zu].samples[%zu] names frame %lld of %zu",
                                 profile, index, (long long)number, file->nframes);
        }
    }
    return FST_OK;
}

static enum fst_status check_weight(const struct fst_speedscope_file *file, size_t profile,
                                    size_t index, const json_t *weight, struct fst_error *err)
{
    fst_i128 count;
    const char *what = NULL;
    if (!json_is_number(weight)) {
        what = "is no number";
    } else if (fst_speedscope_weigh(file, weight, &count) == FST_COUNT_OUT_OF_RANGE) {
        what = "is out of range";
    }
    return what == NULL
               ? FST_OK
               : fst_error_set(err, FST_ERR_FORMAT, DAMAGED "profiles[%zu].weights[%zu] %s",
                               profile, index, what);
}

static enum fst_status check_samples(const struct fst_speedscope_file *file, size_t index,
                                     const json_t *samples, const json_t *weights,
                                     struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < json_array_size(samples) && status == FST_OK; i++) {
        status = check_sample(file, index, i, json_array_get(samples, i), err);
        if (status == FST_OK) {
            status = check_weight(file, index, i, json_array_get(weights, i), err);
        }
    }
    return status;
}

static enum fst_status check_profile(const struct fst_speedscope_file *file, size_t index,
                                     struct fst_error *err)
{
    const json_t *profile = fst_speedscope_profile(file, index);
    const json_t *samples = fst_speedscope_member(profile, "samples");
    const json_t *weights = fst_speedscope_member(profile, "weights");
    const json_t *unit = fst_speedscope_member(profile, "unit");
    const json_t *name = fst_speedscope_member(profile, "name");
    struct fst_str type = fst_speedscope_text(fst_speedscope_member(profile, "type"));
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
    return check_samples(file, index, samples, weights, err);
}

static enum fst_status check_profiles(struct fst_speedscope_file *file, struct fst_error *err)
{
    for (size_t i = 0; i < file->nprofiles; i++) {
        enum fst_status status = check_profile(file, i, err);
        if (status != FST_OK) {
            return status;
        }
        if (!fst_str_eq(fst_speedscope_unit_name(fst_speedscope_profile(file, i)),
                        fst_speedscope_unit_name(fst_speedscope_profile(file, 0)))) {
            return fst_error_set(err, FST_ERR_FORMAT,
                                 "a speedscope file whose profiles have different units, which "
                                 "cannot be added; export them one by one");
        }
    }
    file->as_samples = fst_speedscope_are_intervals(file);
    return FST_OK;
}

enum fst_status fst_speedscope_file_read(struct fst_speedscope_file *file, struct fst_error *err)
{
    const json_t *frames =
        fst_speedscope_member(fst_speedscope_member(file->root, "shared"), "frames");
    file->profiles = fst_speedscope_member(file->root, "profiles");
    if (!json_is_array(frames) || !json_is_array(file->profiles)) {
        return fst_error_set(
            err, FST_ERR_FORMAT,
            "JSON, but no speedscope profile; record collapsed stacks instead, as py-spy "
            "record -f raw and asprof -o collapsed do");
    }
    file->nprofiles = json_array_size(file->profiles);
    enum fst_status status = read_frames(file, frames, err);
    if (status == FST_OK) {
        status = check_profiles(file, err);
    }
    return status == FST_OK ? read_leads(file, err) : status;
}

void fst_speedscope_file_release(struct fst_speedscope_file *file)
{
    json_decref(file->root);
    fst_buf_release(&file->scratch);
    fst_arena_release(&file->texts);
    fst_free(file->frames);
    fst_free(file->leads);
}
