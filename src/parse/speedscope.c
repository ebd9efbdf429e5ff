/* The text is collected, parsed into jansson's tree, and gone through three times: once to check
 * every type, index and weight (so that nothing can fail on the way but the sink), once to tell the
 * dialect, once to hand the stacks on.
 *
 *     shared.frames     [{name, file, line}, …]        --> names, made once
 *     profiles[0].name  Thread 4242 "MainThread"       --> what leads its stacks
 *     profiles[0].samples, weights                     --> stacks with counts
 */
#include "parse/speedscope.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/escape.h"
#include "parse/speedscope_file.h"

enum { LONGEST_TEXT = 512 * 1024 * 1024 };

struct fst_speedscope {
    struct fst_parser_sink sink;
    enum fst_dialect asked;
    bool leaf_first; /* stacks are turned */
    struct fst_input *stats;
    struct fst_buf text;
    struct fst_speedscope_file file;
    const struct fst_dialect_rules *rules; /* once told */
    size_t profile;                        /* the place of the walk */
    size_t sample;
    struct fst_str *stack; /* of the sample at hand */
    size_t stack_capacity;
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
    reader->leaf_first = options->leaf_first;
    reader->stats = stats;
    *out = reader;
    return FST_OK;
}

void fst_speedscope_free(struct fst_speedscope *reader)
{
    if (reader == NULL) {
        return;
    }
    fst_speedscope_file_release(&reader->file);
    fst_buf_release(&reader->text);
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

/* Text to tree, for whose numbers the text stays. */
static enum fst_status parse(struct fst_speedscope *reader, struct fst_error *err)
{
    json_error_t error;
    struct fst_str text = reader->text.len == 0 ? FST_STR("") : fst_buf_str(&reader->text);
    if (fst_str_starts(text, FST_STR("\xef\xbb\xbf"))) {
        text = fst_str_skip(text, 3);
    }
    reader->file.text = text;
    reader->file.root = fst_speedscope_parse(text, &error);
    return reader->file.root == NULL ? json_error(&error, err) : FST_OK;
}

/* --- the stacks ------------------------------------------------------------------------------ */

/* The number of a sample's frame, counted from the root. */
static size_t frame_at(const struct fst_speedscope *reader, const json_t *sample, size_t index)
{
    size_t at = reader->leaf_first ? json_array_size(sample) - 1 - index : index;
    return (size_t)json_integer_value(json_array_get(sample, at));
}

/* The number of process and thread frames that lead a sample, and whether it has either. */
static size_t count_leading(const struct fst_speedscope *reader, const json_t *sample,
                            bool *process, bool *thread)
{
    size_t count = 0;
    *process = *thread = false;
    for (; count < json_array_size(sample); count++) {
        enum fst_frame_kind kind = reader->file.frames[frame_at(reader, sample, count)].kind;
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
                         const struct fst_speedscope_lead *lead)
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
            reader->stack[n++] = reader->file.frames[frame_at(reader, sample, i)].text;
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
    while (reader->profile < reader->file.nprofiles) {
        const json_t *profile = fst_speedscope_profile(&reader->file, reader->profile);
        if (reader->sample < json_array_size(fst_speedscope_member(profile, "samples"))) {
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
static enum fst_status stack_here(struct fst_speedscope *reader,
                                  const struct fst_speedscope_lead *lead, struct fst_sample *out,
                                  struct fst_error *err)
{
    const json_t *samples =
        fst_speedscope_member(fst_speedscope_profile(&reader->file, reader->profile), "samples");
    size_t n = make_stack(reader, json_array_get(samples, reader->sample), lead);
    *out = (struct fst_sample){.frames = reader->stack, .nframes = n};
    return n == 0 ? fst_error_nomem(err) : FST_OK;
}

/* Tells the dialect from as many stacks as the reader of collapsed text looks at. Thread frames that
 * only stand for the number of a profile say nothing of it. */
static enum fst_status tell(struct fst_speedscope *reader, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    for (bool more = begin(reader); more && sniff.stacks < FST_SNIFF_LINES;
         more = advance(reader)) {
        static const struct fst_speedscope_lead none = {.from_pyspy = false};
        const struct fst_speedscope_lead *lead = &reader->file.leads[reader->profile];
        struct fst_sample sample;
        enum fst_status status = stack_here(reader, lead->from_pyspy ? lead : &none, &sample, err);
        if (status != FST_OK) {
            return status;
        }
        fst_sniff_take_stack(&sniff, sample.frames, sample.nframes);
    }
    struct fst_grammar grammar = fst_dialect_tell_known(
        &sniff, reader->asked, fst_speedscope_told(&reader->file, "dialect"));
    grammar.unit = fst_speedscope_unit(&reader->file, grammar.unit);
    grammar.unit_guessed = false;
    reader->rules = grammar.rules;
    reader->stats->dialect = grammar.dialect;
    reader->stats->unit = grammar.unit;
    reader->stats->split_files = grammar.split_files;
    reader->stats->looks_leaf_first = grammar.looks_leaf_first && !reader->leaf_first;
    return reader->sink.grammar(reader->sink.ctx, &grammar, err);
}

static enum fst_status count_here(struct fst_speedscope *reader, fst_i128 *out,
                                  struct fst_error *err)
{
    const json_t *profile = fst_speedscope_profile(&reader->file, reader->profile);
    const json_t *weights = fst_speedscope_member(profile, "weights");
    enum fst_count_parse form =
        fst_speedscope_count(&reader->file, json_array_get(weights, reader->sample), out);
    if (form == FST_COUNT_OUT_OF_RANGE) {
        return fst_error_set(err, FST_ERR_RANGE, "a weight is out of range");
    }
    reader->stats->rounded_lines += form == FST_COUNT_ROUNDED;
    reader->stats->negative_lines += *out < 0;
    return FST_OK;
}

static enum fst_status hand_on_stack(struct fst_speedscope *reader, struct fst_sample *sample,
                                     struct fst_error *err)
{
    if (reader->rules->reshape != NULL) {
        fst_buf_clear(&reader->file.scratch);
        sample->nframes =
            reader->rules->reshape(reader->stack, sample->nframes, &reader->file.scratch);
        if (reader->file.scratch.failed) {
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
        status = stack_here(reader, &reader->file.leads[reader->profile], &sample, err);
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
        status = fst_speedscope_file_read(&reader->file, err);
    }
    if (status == FST_OK) {
        status = tell(reader, err);
    }
    return status == FST_OK ? hand_on(reader, err) : status;
}
