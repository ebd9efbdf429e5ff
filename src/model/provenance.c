/* Partial sums among the inputs of a profile, and what other inputs are to one. */
#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/reader.h"
#include "model/selection.h"

/* The figure of all inputs together, if all of them told it; else NaN. */
static double told_by_all(const struct fst_partial *partial, const struct fst_told *told)
{
    return told->known == partial->inputs ? fst_count_to_double(told->sum) : NAN;
}

/* What the partial sum says goes where comments would have said it. */
static void claim(struct fst_recording *recording, const struct fst_partial *told)
{
    bool one_rate = told->rates.known == told->inputs && told->least_rate == told->most_rate;
    recording->comments.rate = one_rate ? fst_count_to_double(told->least_rate) : NAN;
    recording->comments.duration = told_by_all(told, &told->durations);
    recording->comments.errors = told_by_all(told, &told->errors);
    recording->ticks = told_by_all(told, &told->ticks);
}

enum fst_status fst_reader_tell_partial(struct fst_reader *reader, struct fst_error *err)
{
    struct fst_recording *recording = &reader->parser.recording;
    if (recording->partial.failed) {
        return fst_error_nomem(err);
    }
    if (recording->partial.len == 0) {
        return FST_OK;
    }
    const struct fst_profile_options *options = &reader->into->options;
    if (options->partial && options->selection != NULL && options->selection->rules.len > 0) {
        return fst_error_set(err, FST_ERR_USAGE,
                             "a partial sum's shares are of the stacks and names that it was made "
                             "with: give filters and rules for names when it is made");
    }
    fst_partial_init(&reader->told, reader->into->options.seed);
    reader->is_partial = true;
    enum fst_status status = fst_partial_read(&reader->told, fst_buf_str(&recording->partial),
                                              reader->part->offered, err);
    if (status == FST_OK && reader->told.inputs > 0) {
        claim(recording, &reader->told);
        reader->input.partial_inputs = reader->told.inputs;
    }
    return status;
}

/* --- the receiver ------------------------------------------------------------------------------ */

static bool make_partial(struct fst_profile *profile)
{
    if (profile->partial == NULL) {
        profile->partial = fst_alloc_zeroed(1, sizeof *profile->partial);
        if (profile->partial != NULL) {
            fst_partial_init(profile->partial, profile->options.seed);
        }
    }
    return profile->partial != NULL;
}

static enum fst_status check_memory(const struct fst_profile *profile, struct fst_error *err)
{
    uint64_t most = profile->options.max_memory;
    if (most == 0 || fst_partial_memory(profile->partial) <= most) {
        return FST_OK;
    }
    return fst_error_set(err, FST_ERR_NOMEM,
                         "the frames of the partial sum take more than the %llu bytes of "
                         "--max-memory, with %zu of them so far",
                         (unsigned long long)most, profile->partial->frames.count);
}

enum fst_status fst_profile_merge_partial(struct fst_profile *profile,
                                          const struct fst_partial *from, struct fst_error *err)
{
    enum fst_status status = make_partial(profile) ? fst_partial_merge(profile->partial, from, err)
                                                   : fst_error_nomem(err);
    return status == FST_OK ? check_memory(profile, err) : status;
}

/* Adds an input that is no partial sum. */
static enum fst_status add_input(const struct fst_reader *reader, struct fst_error *err)
{
    struct fst_profile *into = reader->into;
    const struct fst_profile *part = reader->part;
    const struct fst_selection *selection = into->options.selection;
    const struct fst_input *input = &reader->input;
    struct fst_partial_input added = {
        .name = input->name,
        .rules = selection == NULL ? FST_STR("") : selection->rules,
        .total = part->total,
        .negative = part->negatives > 0,
        .bad_lines = input->bad_lines,
        .rate = input->rate,
        .duration = input->duration,
        .errors = input->errors,
        .ticks = input->ticks,
        .grammar = &part->grammar,
        .stacks = &part->stacks,
    };
    enum fst_status status =
        make_partial(into) ? fst_partial_add(into->partial, &added, err) : fst_error_nomem(err);
    return status == FST_OK ? check_memory(into, err) : status;
}

enum fst_status fst_reader_take_partial(struct fst_reader *reader, struct fst_error *err)
{
    if (reader->is_partial) {
        return fst_profile_merge_partial(reader->into, &reader->told, err);
    }
    bool wanted = reader->into->options.partial && reader->part->offered_samples > 0;
    return wanted ? add_input(reader, err) : FST_OK;
}
