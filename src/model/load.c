/* Inputs into profiles: every input is read into a profile of its own, which the receiver absorbs
 * only when all of it was good. So an input that fails half-way leaves no trace but its record. */
#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/kind.h"
#include "io/source.h"
#include "model/profile.h"

enum { BLOCK_SIZE = 256 * 1024 };

struct fst_reader {
    struct fst_profile *into;
    struct fst_profile *part;
    struct fst_parser parser;
    struct fst_input input;
    struct fst_read_options options;
};

static enum fst_status on_grammar(void *ctx, const struct fst_grammar *grammar,
                                  struct fst_error *err)
{
    (void)err;
    struct fst_reader *reader = ctx;
    reader->part->grammar = *grammar;
    return FST_OK;
}

static enum fst_status on_sample(void *ctx, const struct fst_sample *sample, struct fst_error *err)
{
    struct fst_reader *reader = ctx;
    return fst_profile_add(reader->part, sample, err);
}

enum fst_status fst_reader_new(struct fst_profile *profile, const char *name,
                               const struct fst_read_options *options, struct fst_reader **out,
                               struct fst_error *err)
{
    struct fst_reader *reader = fst_alloc_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return fst_error_nomem(err);
    }
    enum fst_status status = fst_profile_new(&profile->options, &reader->part, err);
    if (status != FST_OK) {
        fst_free(reader);
        return status;
    }
    reader->into = profile;
    reader->options = *options;
    reader->input.name = fst_str_cstr(name);
    struct fst_parser_sink sink = {reader, on_grammar, on_sample};
    fst_parser_init(&reader->parser, options, sink, &reader->input);
    *out = reader;
    return FST_OK;
}

void fst_reader_free(struct fst_reader *reader)
{
    if (reader != NULL) {
        fst_parser_release(&reader->parser);
        fst_profile_free(reader->part);
        fst_free(reader);
    }
}

enum fst_status fst_reader_feed(struct fst_reader *reader, const char *bytes, size_t len,
                                struct fst_error *err)
{
    return fst_parser_feed(&reader->parser, fst_str_of(bytes, len), err);
}

/* --- what the input says of its recording ---------------------------------------------------- */

static double first_known(double given, double told)
{
    return given > 0 ? given : told;
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

static void describe_recording(struct fst_reader *reader)
{
    const struct fst_recording *told = &reader->parser.recording;
    struct fst_input *input = &reader->input;
    input->rate = first_known(reader->options.rate, told->rate);
    /* A recording that was interrupted is shorter than its plan. */
    double planned = told->stopped_early ? NAN : told->duration;
    input->duration = first_known(reader->options.duration, planned);
    input->errors = reader->options.errors_given ? reader->options.errors : told->errors;
    input->samples_said = told->samples_said;
    input->stopped_early = told->stopped_early;
    input->fell_behind = told->fell_behind;
    input->ticks = effective_ticks(&reader->options, told, input);
    input->foreign_lines = reader->part->foreign;
    input->first_foreign = reader->part->first_foreign;
    input->total = fst_count_pack(reader->part->total);
}

/* --- the end --------------------------------------------------------------------------------- */

/* Files the input's record, and its samples if status is FST_OK. */
static enum fst_status conclude(struct fst_reader *reader, enum fst_status status,
                                struct fst_error *err)
{
    describe_recording(reader);
    if (status == FST_OK) {
        status = fst_profile_absorb(reader->into, reader->part, err);
    }
    reader->input.status = status;
    struct fst_error second = {0};
    if (fst_profile_add_input(reader->into, &reader->input, &second) == NULL && status == FST_OK) {
        return fst_error_nomem(err);
    }
    return status;
}

enum fst_status fst_reader_finish(struct fst_reader *reader, struct fst_error *err)
{
    return conclude(reader, fst_parser_finish(&reader->parser, err), err);
}

static enum fst_status refuse_other_kinds(struct fst_source *source, struct fst_error *err)
{
    struct fst_str head;
    enum fst_status status = fst_source_peek(source, &head, err);
    if (status != FST_OK) {
        return status;
    }
    const char *refusal = fst_kind_refusal(head);
    return refusal == NULL ? FST_OK : fst_error_set(err, FST_ERR_FORMAT, "%s", refusal);
}

static enum fst_status pump(struct fst_source **source, struct fst_reader *reader, char *block,
                            struct fst_error *err)
{
    enum fst_status status = fst_source_decode(source, err);
    if (status == FST_OK) {
        status = refuse_other_kinds(*source, err);
    }
    while (status == FST_OK) {
        size_t got = 0;
        status = fst_source_read(*source, block, BLOCK_SIZE, &got, err);
        if (status == FST_OK && got == 0) {
            return fst_parser_finish(&reader->parser, err);
        }
        if (status == FST_OK) {
            status = fst_reader_feed(reader, block, got, err);
        }
        if (reader->options.progress != NULL) {
            reader->options.progress(reader->options.progress_ctx, (*source)->raw_bytes,
                                     (*source)->raw_size);
        }
    }
    return status;
}

/* Reads all of source, which is freed, whatever opened says of it. */
static enum fst_status read_source(struct fst_profile *profile, struct fst_source *source,
                                   enum fst_status opened, const char *name,
                                   const struct fst_read_options *options, struct fst_error *err)
{
    struct fst_reader *reader = NULL;
    char *block = fst_alloc(BLOCK_SIZE);
    struct fst_error unused;
    enum fst_status status = block == NULL ? fst_error_nomem(err)
                                           : fst_reader_new(profile, name, options, &reader,
                                                            opened == FST_OK ? err : &unused);
    if (status == FST_OK) {
        status = opened == FST_OK ? pump(&source, reader, block, err) : opened;
        status = conclude(reader, status, err);
    }
    fst_reader_free(reader);
    fst_source_free(source);
    fst_free(block);
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
