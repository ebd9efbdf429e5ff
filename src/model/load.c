/* Inputs into profiles: every input is read into a profile of its own, which the receiver absorbs
 * only when all of it was good. So an input that fails half-way leaves no trace but its record. */
#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/kind.h"
#include "io/source.h"
#include "model/crew.h"
#include "model/names.h"
#include "model/reader.h"

/* More than stacks are sampled, and less than the periods of hardware events. */
enum { LARGE_COUNT = 100 * 1000 };

static enum fst_status on_grammar(void *ctx, const struct fst_grammar *grammar,
                                  struct fst_error *err)
{
    (void)err;
    struct fst_reader *reader = ctx;
    reader->part->grammar = *grammar;
    reader->part->unit = grammar->unit;
    reader->input.unit_guessed = grammar->unit_guessed;
    reader->input.looks_like = grammar->looks_like;
    return FST_OK;
}

static enum fst_status on_sample(void *ctx, const struct fst_sample *sample, struct fst_error *err)
{
    struct fst_reader *reader = ctx;
    reader->input.large_lines += sample->count >= LARGE_COUNT * FST_COUNT_ONE;
    struct fst_sample led = *sample;
    if (reader->input.kind != FST_INPUT_TEXT) {
        /* Readers of pictures and documents know no dialects: what leads is found here. */
        led.text = (struct fst_str){NULL, 0};
        led.lead = reader->part->grammar.rules->lead(led.frames, led.nframes);
    }
    enum fst_status status = fst_profile_add(reader->part, &led, err);
    return status == FST_OK ? fst_profile_check_memory(reader->part, err) : status;
}

static enum fst_status on_batch(void *ctx, const struct fst_batch *batch, struct fst_error *err)
{
    struct fst_reader *reader = ctx;
    for (size_t i = 0; i < batch->nstacks; i++) {
        reader->input.large_lines += batch->stacks[i].count >= LARGE_COUNT;
    }
    enum fst_status status = fst_profile_add_batch(reader->part, batch, err);
    return status == FST_OK ? fst_profile_check_memory(reader->part, err) : status;
}

struct fst_parser_sink fst_reader_sink(struct fst_reader *reader)
{
    return (struct fst_parser_sink){
        .ctx = reader,
        .grammar = on_grammar,
        .sample = on_sample,
        .batch = on_batch,
        .ends_only = fst_ends_suffice(reader->part),
    };
}

/* Makes what a reader reads into. */
static enum fst_status begin(struct fst_reader *reader, struct fst_error *err)
{
    struct fst_profile_options options = reader->into->options;
    options.beside = reader->into;
    enum fst_status status = fst_profile_new(&options, &reader->part, err);
    if (status == FST_OK) {
        reader->part->before = reader->into->magnitude;
        fst_parser_init(&reader->parser, &reader->options, fst_reader_sink(reader), &reader->input);
    }
    return status;
}

enum fst_status fst_reader_new(struct fst_profile *profile, const char *name,
                               const struct fst_read_options *options, struct fst_reader **out,
                               struct fst_error *err)
{
    struct fst_reader *reader = fst_alloc_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return fst_error_nomem(err);
    }
    reader->into = profile;
    reader->options = *options;
    uint64_t memory = profile->options.max_memory;
    if (memory > 0 && (options->line_most == 0 || options->line_most > memory)) {
        reader->options.line_most = memory;
    }
    reader->input.name = fst_arena_copy(&reader->texts, fst_str_cstr(name));
    enum fst_status status =
        reader->input.name.data == NULL ? fst_error_nomem(err) : begin(reader, err);
    if (status != FST_OK) {
        fst_reader_free(reader);
        return status;
    }
    *out = reader;
    return FST_OK;
}

void fst_reader_free(struct fst_reader *reader)
{
    if (reader != NULL) {
        fst_parser_release(&reader->parser);
        fst_svg_free(reader->svg);
        fst_speedscope_free(reader->speedscope);
        fst_profile_free(reader->part);
        if (reader->is_partial) {
            fst_partial_release(&reader->told);
        }
        fst_arena_release(&reader->texts);
        fst_free(reader);
    }
}

/* slack: so many bytes behind them may be read. */
static enum fst_status take_bytes(struct fst_reader *reader, struct fst_str bytes, size_t slack)
{
    if (reader->svg != NULL) {
        return fst_svg_feed(reader->svg, bytes, &reader->failure);
    }
    if (reader->speedscope != NULL) {
        return fst_speedscope_feed(reader->speedscope, bytes, &reader->failure);
    }
    return fst_parser_feed_slack(&reader->parser, bytes, slack, &reader->failure);
}

static enum fst_status end_bytes(struct fst_reader *reader, struct fst_error *err)
{
    if (reader->svg != NULL) {
        return fst_svg_finish(reader->svg, err);
    }
    if (reader->speedscope != NULL) {
        return fst_speedscope_finish(reader->speedscope, err);
    }
    return fst_parser_finish(&reader->parser, err);
}

static enum fst_status feed(struct fst_reader *reader, struct fst_str bytes, size_t slack,
                            struct fst_error *err)
{
    enum fst_status status = take_bytes(reader, bytes, slack);
    if (status != FST_OK && err != NULL) {
        *err = reader->failure;
    }
    return status;
}

enum fst_status fst_reader_feed(struct fst_reader *reader, const char *bytes, size_t len,
                                struct fst_error *err)
{
    return feed(reader, fst_str_of(bytes, len), 0, err);
}

bool fst_reader_reserve(struct fst_buf *buffer, size_t *room)
{
    size_t half = FST_PIECE / 2;
    *room = buffer->len < half ? FST_PIECE - buffer->len : half;
    return fst_buf_reserve(buffer, *room + FST_LINES_SLACK);
}

enum fst_status fst_reader_feed_lines(struct fst_reader *reader, struct fst_buf *buffer,
                                      struct fst_error *err)
{
    struct fst_str bytes = fst_buf_str(buffer);
    const char *newline = bytes.len == 0 ? NULL : memrchr(bytes.data, '\n', bytes.len);
    if (newline != NULL) {
        bytes.len = (size_t)(newline + 1 - bytes.data);
    }
    enum fst_status status = feed(reader, bytes, buffer->capacity - bytes.len, err);
    fst_buf_consume(buffer, bytes.len);
    return status;
}

/* --- what the input says of its recording ---------------------------------------------------- */

/* An option, where 0 is "not given". */
static double given(double option)
{
    return option > 0 ? option : NAN;
}

/* The first of three that is known: an option, a comment, a message of the profiler. */
static double first_known(double option, double comment, double message)
{
    double told = isnan(comment) ? message : comment;
    return isnan(option) ? told : option;
}

/* R Hz for D seconds are R * D - 1 - errors ticks (py-spy's rule: it stops at the end of the time
 * without taking the last sample; samples that failed are no ticks). */
static double effective_ticks(const struct fst_read_options *options,
                              const struct fst_recording *told, const struct fst_input *input)
{
    if (options->ticks > 0) {
        return options->ticks;
    }
    if (!isnan(told->ticks) && options->rate <= 0 && options->duration <= 0) {
        return told->ticks > 0 ? told->ticks : NAN;
    }
    double ticks = input->rate * input->duration - 1 - (isnan(input->errors) ? 0 : input->errors);
    return ticks > 0 ? ticks : NAN;
}

/* Memory is freed too, and allocators hand it out in powers of two; time is neither. */
static bool looks_like_bytes(const struct fst_profile *p)
{
    enum { COUNTS_AT_LEAST = 3, KIBIBYTE = 1024 };
    bool multiples = p->divisor != 0 && p->divisor % (KIBIBYTE * FST_COUNT_ONE) == 0;
    return p->negatives > 0 || (p->counted >= COUNTS_AT_LEAST && multiples);
}

static void describe_recording(struct fst_reader *reader)
{
    const struct fst_read_options *options = &reader->options;
    const struct fst_recording *told = &reader->parser.recording;
    const struct fst_claims *comments = &told->comments;
    const struct fst_claims *messages = &told->messages;
    struct fst_input *input = &reader->input;
    /* A recording that was interrupted is shorter than its plan. */
    double planned = told->stopped_early ? NAN : messages->duration;
    double errors = options->errors_given ? options->errors : given(options->errors);
    input->rate = first_known(given(options->rate), comments->rate, messages->rate);
    input->duration = first_known(given(options->duration), comments->duration, planned);
    input->errors = first_known(errors, comments->errors, messages->errors);
    input->errors_reported = isnan(errors) && !isnan(input->errors);
    input->samples_said = first_known(NAN, comments->samples, messages->samples);
    input->stopped_early = told->stopped_early;
    input->fell_behind = told->fell_behind;
    input->ticks = input->unit == FST_UNIT_SAMPLES ? effective_ticks(options, told, input) : NAN;
    input->foreign_lines = reader->part->foreign;
    input->first_foreign = reader->part->first_foreign;
    input->unknown_share = reader->part->offered > 0
                               ? fst_count_to_double(reader->part->unknown) /
                                     fst_count_to_double(reader->part->offered)
                               : NAN;
    input->deepest = reader->part->deepest;
    input->at_deepest = reader->part->at_deepest;
    input->total = fst_count_pack(reader->part->offered);
    input->looks_like_bytes = input->unit_guessed && looks_like_bytes(reader->part);
}

/* --- the end --------------------------------------------------------------------------------- */

static const char *kind_of_counts(enum fst_unit unit)
{
    return unit == FST_UNIT_COUNTS ? "of another kind" : fst_unit_name(unit);
}

/* Adding up samples and bytes makes nothing; only --force does it. */
static enum fst_status check_unit(struct fst_reader *reader, struct fst_error *err)
{
    struct fst_profile *into = reader->into;
    if (into->offered_samples == 0 || reader->part->offered_samples == 0 ||
        into->unit == reader->part->unit) {
        return FST_OK;
    }
    if (reader->options.force) {
        into->mixed_units = true;
        return FST_OK;
    }
    return fst_error_set(err, FST_ERR_USAGE,
                         "counts are %s, and those of the inputs before are %s; --force adds them",
                         kind_of_counts(reader->part->unit), kind_of_counts(into->unit));
}

/* Files the input's record, and then its samples if status is FST_OK. */
static enum fst_status conclude(struct fst_reader *reader, enum fst_status status,
                                struct fst_error *err)
{
    fst_profile_settle(reader->part);
    if (status == FST_OK) {
        status = fst_reader_tell_partial(reader, err);
    }
    describe_recording(reader);
    struct fst_error *unfiled = status == FST_OK ? err : NULL;
    struct fst_input *filed = fst_profile_add_input(reader->into, &reader->input, unfiled);
    if (filed == NULL) {
        return status == FST_OK ? FST_ERR_NOMEM : status;
    }
    if (status == FST_OK) {
        status = check_unit(reader, err);
    }
    if (status == FST_OK) {
        status = fst_reader_take_partial(reader, err);
    }
    if (status == FST_OK) {
        status = fst_profile_absorb(reader->into, reader->part, err);
    }
    filed->status = status;
    return status;
}

enum fst_status fst_reader_finish(struct fst_reader *reader, struct fst_error *err)
{
    enum fst_status status = reader->failure.code;
    if (status == FST_OK) {
        status = end_bytes(reader, err);
    } else if (err != NULL) {
        *err = reader->failure;
    }
    return conclude(reader, status, err);
}

/* Looks at the first bytes: refuses what cannot be read, and chooses who reads the rest. */
static enum fst_status choose_reader(struct fst_reader *reader, struct fst_source *source,
                                     struct fst_error *err)
{
    struct fst_str head;
    enum fst_status status = fst_source_peek(source, &head, err);
    if (status != FST_OK) {
        return status;
    }
    const char *refusal = fst_kind_compressed_twice(head, source->decoder);
    if (refusal == NULL) {
        refusal = fst_kind_refusal(head);
    }
    if (refusal != NULL) {
        return fst_error_set(err, FST_ERR_FORMAT, "%s", refusal);
    }
    struct fst_parser_sink sink = fst_reader_sink(reader);
    struct fst_input *input = &reader->input;
    switch (fst_kind_of(head)) {
    case FST_KIND_SVG:
        input->kind = FST_INPUT_SVG;
        return fst_svg_new(sink, &reader->options, input, &reader->svg, err);
    case FST_KIND_JSON:
        input->kind = FST_INPUT_SPEEDSCOPE;
        return fst_speedscope_new(sink, &reader->options, input, &reader->speedscope, err);
    default: return FST_OK;
    }
}

static void tell_progress(const struct fst_reader *reader, const struct fst_source *source)
{
    if (reader->options.progress != NULL) {
        reader->options.progress(reader->options.progress_ctx, source->raw_bytes, source->raw_size);
    }
}

/* Reads a text on one thread. */
static enum fst_status pump(struct fst_source *source, struct fst_reader *reader,
                            struct fst_error *err)
{
    struct fst_buf buffer = {0};
    enum fst_status status = FST_OK;
    size_t got = 1;
    while (status == FST_OK && got > 0 && !fst_reader_is_unwanted(reader)) {
        size_t room;
        if (!fst_reader_reserve(&buffer, &room)) {
            status = fst_error_nomem(err);
            break;
        }
        status = fst_source_read(source, buffer.data + buffer.len, room, &got, err);
        if (status == FST_OK) {
            buffer.len += got;
            status = got > 0 ? fst_reader_feed_lines(reader, &buffer, err)
                             : fst_reader_feed(reader, buffer.data, buffer.len, err);
        }
        tell_progress(reader, source);
    }
    fst_buf_release(&buffer);
    return status == FST_OK ? end_bytes(reader, err) : status;
}

/* Forgets what was read. */
static enum fst_status restart(struct fst_reader *reader, struct fst_error *err)
{
    fst_parser_release(&reader->parser);
    fst_profile_free(reader->part);
    reader->part = NULL;
    reader->input = (struct fst_input){.name = reader->input.name, .kind = reader->input.kind};
    return begin(reader, err);
}

enum fst_status fst_reader_prepare(struct fst_reader *reader, struct fst_source **source,
                                   struct fst_error *err)
{
    enum fst_status status = fst_source_decode(source, err);
    return status == FST_OK ? choose_reader(reader, *source, err) : status;
}

enum fst_status fst_reader_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                                struct fst_error *err)
{
    if (jobs == 1) {
        return pump(source, reader, err);
    }
    bool again = fst_source_seeks(source);
    enum fst_status status = fst_crew_read(reader, source, jobs, err);
    if (status == FST_ERR_RANGE && again) {
        /* Which line it is that goes too far, only one thread can tell. */
        status = restart(reader, err);
        source->raw_bytes = source->peek_len;
        return status == FST_OK ? pump(source, reader, err) : status;
    }
    return status == FST_OK ? end_bytes(reader, err) : status;
}

enum fst_status fst_reader_file(struct fst_reader *reader, const struct fst_source *source,
                                enum fst_status status, struct fst_error *err)
{
    reader->input.shrank = source != NULL && source->shrank;
    return conclude(reader, status, err);
}

/* Reads all of source, which is freed, whatever opened says of it. */
static enum fst_status read_source(struct fst_profile *profile, struct fst_source *source,
                                   enum fst_status opened, const char *name,
                                   const struct fst_read_options *options, struct fst_error *err)
{
    struct fst_reader *reader = NULL;
    enum fst_status status = fst_reader_new(profile, name, options, &reader, err);
    if (status == FST_OK) {
        status = opened == FST_OK ? fst_reader_prepare(reader, &source, err) : opened;
        if (status == FST_OK) {
            status = fst_reader_read(reader, source, fst_crew_size(reader, source), err);
        }
        status = fst_reader_file(reader, source, status, err);
    }
    fst_reader_free(reader);
    fst_source_free(source);
    return status;
}

enum fst_status fst_profile_read_path(struct fst_profile *profile, const char *path,
                                      const struct fst_read_options *options, struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status opened = fst_source_open(path, &source, err);
    return read_source(profile, source, opened, path, options, err);
}

enum fst_status fst_profile_read_fd(struct fst_profile *profile, int fd, const char *name,
                                    const struct fst_read_options *options, struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status opened = fst_source_fd(fd, &source, err);
    return read_source(profile, source, opened, name, options, err);
}

enum fst_status fst_profile_read_memory(struct fst_profile *profile, struct fst_str bytes,
                                        const char *name, const struct fst_read_options *options,
                                        struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status opened = fst_source_memory(bytes, &source, err);
    return read_source(profile, source, opened, name, options, err);
}
