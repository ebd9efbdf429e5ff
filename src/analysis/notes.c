#include "analysis/notes.h"

#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"

void fst_notes_release(struct fst_notes *notes)
{
    fst_free(notes->items);
    fst_arena_release(&notes->arena);
    *notes = (struct fst_notes){0};
}

void fst_notes_add(struct fst_notes *notes, struct fst_str sentence)
{
    void *items = notes->items;
    struct fst_str copy = fst_arena_copy(&notes->arena, sentence);
    if (copy.data == NULL ||
        fst_grow(&items, &notes->capacity, notes->count + 1, sizeof *notes->items) != 0) {
        notes->failed = true;
        return;
    }
    notes->items = items;
    notes->items[notes->count++] = copy;
}

/* "3 lines", "1 line". */
static void add_counted(struct fst_buf *out, uint64_t n, const char *one, const char *many)
{
    fst_number_grouped_u64(out, n);
    fst_buf_add_char(out, ' ');
    fst_buf_add_cstr(out, n == 1 ? one : many);
}

static void on_empty(struct fst_buf *out, const struct fst_input *input)
{
    if (input->stack_lines == 0) {
        fst_buf_add_cstr(out, "no samples: an idle process recorded without --idle, a --gil "
                              "recording in which no thread held the GIL, or a recording that "
                              "ended before it was written");
    }
}

static void on_shrinking(struct fst_buf *out, const struct fst_input *input)
{
    if (input->shrank) {
        fst_buf_add_cstr(out, "the file shrank while it was read, and what was cut off is missing; "
                              "read it again when nothing writes to it");
    }
}

static void on_last_line(struct fst_buf *out, const struct fst_input *input)
{
    if (input->unterminated) {
        fst_buf_add_cstr(out, "the last line has no newline: if the file was cut there, its "
                              "count is too low");
    }
}

static void on_rounding(struct fst_buf *out, const struct fst_input *input)
{
    if (input->rounded_lines > 0) {
        add_counted(out, input->rounded_lines, "count has", "counts have");
        fst_buf_add_cstr(out, " more than 12 decimals: rounded half to even");
    }
}

static void on_sum(struct fst_buf *out, const struct fst_input *input)
{
    fst_i128 total = fst_count_unpack(input->total);
    if (!isnan(input->samples_said) && fst_count_to_double(total) != input->samples_said) {
        fst_buf_add_cstr(out, "the counts sum to ");
        fst_number_grouped(out, total);
        fst_buf_add_cstr(out, ", but the profiler said ");
        fst_number_grouped_double(out, input->samples_said);
        fst_buf_add_cstr(out, " samples");
    }
}

static void on_errors(struct fst_buf *out, const struct fst_input *input)
{
    if (input->errors > 0 && input->errors_reported) {
        fst_number_grouped_double(out, input->errors);
        fst_buf_add_cstr(out, input->errors == 1 ? " attempt" : " attempts");
        fst_buf_add_cstr(out, " to sample failed during the recording: those ticks are missing");
    }
}

static void on_lag(struct fst_buf *out, const struct fst_input *input)
{
    if (input->fell_behind) {
        fst_buf_add_cstr(out, "the profiler fell behind its rate: ticks are missing; record "
                              "with a lower --rate");
    }
}

static void on_no_ticks(struct fst_buf *out, const struct fst_input *input)
{
    double ticks = input->rate * input->duration - 1;
    if (input->unit == FST_UNIT_SAMPLES && isnan(input->ticks) && !isnan(ticks)) {
        fst_buf_add_fmt(out, "a rate of %g Hz for %g s", input->rate, input->duration);
        if (input->errors > 0) {
            fst_buf_add_fmt(out, " with %g failed ticks", input->errors);
        }
        fst_buf_add_cstr(out, " leaves no tick, so that figures by ticks are absent; --ticks says "
                              "otherwise");
    }
}

static void on_interruption(struct fst_buf *out, const struct fst_input *input)
{
    if (input->stopped_early && isnan(input->ticks)) {
        fst_buf_add_cstr(out, "the recording was interrupted, so that its planned duration does "
                              "not tell the ticks; --duration or --ticks does");
    }
}

static void on_forced(struct fst_buf *out, const struct fst_input *input)
{
    if (input->looks_like != FST_DIALECT_AUTO) {
        fst_buf_add_fmt(out,
                        "read as %s, as --dialect says, but hardly any of the first stacks have "
                        "its marks: the text looks like %s",
                        fst_dialect_name(input->dialect), fst_dialect_name(input->looks_like));
    }
}

static void on_foreign(struct fst_buf *out, const struct fst_input *input)
{
    if (input->foreign_lines > 0 && input->looks_like == FST_DIALECT_AUTO) {
        add_counted(out, input->foreign_lines, "stack has", "stacks have");
        fst_buf_add_fmt(out, " no frame of the %s dialect", fst_dialect_name(input->dialect));
        if (input->first_foreign > 0) { /* documents have no lines */
            fst_buf_add_cstr(out, ", the first at line ");
            fst_number_grouped_u64(out, input->first_foreign);
        }
    }
}

static void on_order(struct fst_buf *out, const struct fst_input *input)
{
    if (input->looks_leaf_first) {
        fst_buf_add_cstr(out, "the stacks look as if they were written leaf first; --leaf-first "
                              "reads them so");
    }
}

static void on_picture(struct fst_buf *out, const struct fst_input *input)
{
    bool narrow = input->kind == FST_INPUT_SVG && !input->complete;
    if (narrow && input->reversed) {
        fst_buf_add_cstr(out, "read back from a flame graph of the leaves (flame --reverse), and "
                              "turned: callers too narrow to be drawn are missing, so that their "
                              "totals are too low and their stacks begin with what they called; "
                              "leaves too narrow are in [no Python frames]");
    } else if (narrow) {
        fst_buf_add_cstr(out,
                         "read back from a flame graph: anything too narrow to be drawn stands "
                         "in its parent's self count");
    }
}

static void on_differential(struct fst_buf *out, const struct fst_input *input)
{
    if (input->differential) {
        fst_buf_add_cstr(out, "a differential flame graph: the counts are those of the second "
                              "profile that it was made from; the first is not in the picture");
    }
}

static void on_counted(struct fst_buf *out, const struct fst_input *input)
{
    if (input->counted[0] != '\0') {
        fst_buf_add_cstr(out, "the picture counts \"");
        fst_escape_text(out, fst_str_cstr(input->counted));
        fst_buf_add_cstr(out, "\", not samples");
    }
}

static void on_guessed_unit(struct fst_buf *out, const struct fst_input *input)
{
    if (input->unit_guessed && input->stack_lines > 0 && input->looks_like == FST_DIALECT_AUTO) {
        fst_buf_add_cstr(out, "µs are a guess: nothing says what Austin counted, and a memory "
                              "profile's counts are bytes");
        fst_buf_add_cstr(out, input->looks_like_bytes ? ", as these seem to be (below zero, or all "
                                                        "multiples of 1,024)"
                                                      : "");
        fst_buf_add_cstr(out, "; a line \"# unit: bytes\" tells it, as merge --header writes it");
    }
}

static void on_columns(struct fst_buf *out, const struct fst_input *input)
{
    if (input->two_counts) {
        fst_buf_add_cstr(out,
                         "two counts a line, as differential profiles have them: the second is "
                         "taken; --column 1 takes the first, --dialect generic one only");
    }
}

static void add_percent(struct fst_buf *out, double share)
{
    fst_buf_add_fmt(out, "%.0f %%", share * 100);
}

static void on_unknown(struct fst_buf *out, const struct fst_input *input)
{
    if (input->unknown_share >= 0.5) {
        add_percent(out, input->unknown_share);
        fst_buf_add_cstr(out, " of the total ends in [unknown]: the profiler could not unwind or "
                              "name them; debug symbols, frame pointers or perf record "
                              "--call-graph dwarf help");
    }
}

/* Recorders stop at a number of frames (perf at 127, py-spy --native and others elsewhere): many
 * stacks of exactly the greatest depth, and a deep one, mean that roots are missing. */
static void on_depth(struct fst_buf *out, const struct fst_input *input)
{
    enum { DEEP = 32, STACKS_AT_LEAST = 10, ONE_IN = 10 };
    if (input->deepest >= DEEP && input->at_deepest >= STACKS_AT_LEAST &&
        input->at_deepest * ONE_IN >= input->stack_lines) {
        add_percent(out, (double)input->at_deepest / (double)input->stack_lines);
        fst_buf_add_cstr(out, " of the stacks have exactly ");
        fst_number_grouped_u64(out, input->deepest);
        fst_buf_add_cstr(out, " frames, and none has more: the recorder cut them, so that their "
                              "roots are not the real ones");
    }
}

/* Appends a sentence about an input, or nothing. */
typedef void (*input_note)(struct fst_buf *out, const struct fst_input *input);

static const input_note on_input[] = {
    on_shrinking, on_empty,    on_last_line, on_rounding,     on_sum,
    on_errors,    on_no_ticks, on_picture,   on_differential, on_counted,
    on_columns,   on_unknown,  on_depth,     on_lag,          on_interruption,
    on_forced,    on_foreign,  on_order,     on_guessed_unit,
};

/* Those that matter where stacks are handed on, and no shares are shown. */
static const input_note on_kept_input[] = {
    on_shrinking,    on_last_line, on_rounding, on_sum,    on_picture,
    on_differential, on_counted,   on_columns,  on_forced, on_order,
};

static void on_zero(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->samples > 0 && p->total == 0) {
        fst_buf_add_cstr(out, p->counted == 0 ? "all counts are zero, so that there are no shares"
                                              : "the counts sum to zero, so that there are no "
                                                "shares");
    }
}

static void on_negative(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->negatives > 0) {
        add_counted(out, p->negatives, "count is", "counts are");
        fst_buf_add_cstr(out, " negative: shares are of the net total, without intervals");
    }
}

/* The same of a picture. */
static void on_negative_widths(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->negatives > 0) {
        add_counted(out, p->negatives, "count is", "counts are");
        fst_buf_add_cstr(out, " negative: what is below zero has no width, and the picture and its "
                              "shares are of the other counts alone");
    }
}

static void on_fractions(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->fractions > 0 && p->negatives == 0) {
        add_counted(out, p->fractions, "count has", "counts have");
        fst_buf_add_cstr(out, " a fraction: these are no samples, and shares have no intervals");
    }
}

/* Of dialects that say nothing of what is counted. */
static bool has_large_counts(const struct fst_input *input)
{
    enum { LINES_AT_LEAST = 3 };
    bool unsaid = input->dialect == FST_DIALECT_PERF || input->dialect == FST_DIALECT_GENERIC;
    return input->status == FST_OK && unsaid && input->unit == FST_UNIT_SAMPLES &&
           input->stack_lines >= LINES_AT_LEAST && input->large_lines * 2 > input->stack_lines;
}

/* perf samples hardware events at an even rate by varying their period, which the folding
 * scripts sum up: most counts are then huge, and have no period in common. So are nanoseconds,
 * cycles and bytes. */
static void on_periods(struct fst_buf *out, const struct fst_profile *p)
{
    enum { DIVISOR_AT_LEAST = 1000 };
    bool sampled =
        p->negatives == 0 && p->fractions == 0 && p->divisor < DIVISOR_AT_LEAST * FST_COUNT_ONE;
    const struct fst_input *large = NULL;
    for (size_t i = 0; i < p->ninputs && large == NULL; i++) {
        large = has_large_counts(&p->inputs[i]) ? &p->inputs[i] : NULL;
    }
    if (sampled && large != NULL) {
        fst_buf_add_cstr(out, large->dialect == FST_DIALECT_PERF ? "most of perf's counts"
                                                                 : "most counts");
        fst_buf_add_cstr(out,
                         " are 100,000 or more and have no period in common: they look like "
                         "events, not samples; the intervals take them for samples and are far "
                         "too narrow (they would need the number of samples)");
    }
}

static void on_dialects(struct fst_buf *out, const struct fst_profile *p)
{
    const struct fst_input *first = NULL;
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        if (input->status != FST_OK || input->stack_lines == 0) {
            continue;
        }
        if (first != NULL && input->dialect != first->dialect) {
            fst_buf_add_fmt(out,
                            "the inputs are of different dialects (%s, %s): their frames may "
                            "be named differently",
                            fst_dialect_name(first->dialect), fst_dialect_name(input->dialect));
            return;
        }
        first = first == NULL ? input : first;
    }
}

/* What a dialect says of its counts is written down nowhere. */
static void on_lost_unit(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->unit == FST_UNIT_BYTES && !p->mixed_units) {
        fst_buf_add_cstr(out,
                         "the counts are bytes, which stacks alone do not say when they are read "
                         "again; merge --header writes it down");
    }
}

static void on_guessed_units(struct fst_buf *out, const struct fst_profile *p, bool unit_kept)
{
    bool guessed = false;
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        guessed =
            guessed || (input->status == FST_OK && input->stack_lines > 0 && input->unit_guessed);
    }
    if (guessed && p->unit == FST_UNIT_MICROSECONDS) {
        fst_buf_add_cstr(out,
                         "µs are a guess: nothing says whether Austin counted time or memory; ");
        fst_buf_add_cstr(out, unit_kept ? "they are written down as µs"
                                        : "merge --header would write µs down");
    }
}

static void on_units(struct fst_buf *out, const struct fst_profile *p)
{
    if (p->mixed_units) {
        fst_buf_add_cstr(out, "counts of different units were added up (--force): the sums mean "
                              "nothing by themselves");
    }
}

typedef void profile_note(struct fst_buf *out, const struct fst_profile *p);

enum { ON_PROFILE = 6 };

static profile_note *const on_profile[ON_PROFILE] = {
    on_dialects, on_units, on_zero, on_negative, on_fractions, on_periods,
};

static profile_note *const on_widths[ON_PROFILE] = {
    on_dialects, on_units, on_zero, on_negative_widths, on_fractions, on_periods,
};

static void flush(struct fst_notes *notes, struct fst_buf *sentence)
{
    if (sentence->len > 0) {
        fst_notes_add(notes, fst_buf_str(sentence));
    }
    notes->failed = notes->failed || sentence->failed;
    fst_buf_clear(sentence);
}

static void on_one_input(struct fst_notes *notes, const input_note *about, size_t count,
                         const struct fst_input *input, struct fst_buf *sentence)
{
    for (size_t k = 0; k < count; k++) {
        fst_escape_text(sentence, input->name);
        fst_buf_add_cstr(sentence, ": ");
        size_t prefix = sentence->len;
        about[k](sentence, input);
        if (sentence->len == prefix) {
            fst_buf_clear(sentence);
        }
        flush(notes, sentence);
    }
}

static void say(struct fst_notes *notes, const struct fst_profile *profile,
                profile_note *const about[ON_PROFILE])
{
    struct fst_buf sentence = {0};
    for (size_t i = 0; i < profile->ninputs; i++) {
        if (profile->inputs[i].status == FST_OK) {
            on_one_input(notes, on_input, FST_COUNT_OF(on_input), &profile->inputs[i], &sentence);
        }
    }
    for (size_t k = 0; k < ON_PROFILE; k++) {
        about[k](&sentence, profile);
        flush(notes, &sentence);
    }
    fst_buf_release(&sentence);
}

void fst_notes_on_profile(struct fst_notes *notes, const struct fst_profile *profile)
{
    say(notes, profile, on_profile);
}

void fst_notes_on_picture(struct fst_notes *notes, const struct fst_profile *profile)
{
    say(notes, profile, on_widths);
}

void fst_notes_on_periods(struct fst_notes *notes, struct fst_str name, fst_i128 divisor,
                          double samples)
{
    struct fst_buf sentence = {0};
    fst_escape_text(&sentence, name);
    fst_buf_add_cstr(&sentence, name.len > 0 ? ": " : "");
    fst_buf_add_cstr(&sentence, "all counts are multiples of ");
    fst_number_grouped(&sentence, divisor);
    fst_buf_add_cstr(&sentence, ": taken as ");
    fst_number_grouped_double(&sentence, samples);
    fst_buf_add_cstr(&sentence, " samples of that period for the intervals");
    flush(notes, &sentence);
    fst_buf_release(&sentence);
}

/* Notes on the inputs, of which there may be thousands. */
static void on_kept_inputs(struct fst_notes *notes, const struct fst_profile *profile,
                           struct fst_buf *sentence)
{
    enum { MOST = 8 };
    size_t left = 0;
    for (size_t i = 0; i < profile->ninputs; i++) {
        struct fst_notes own = {0};
        bool room = notes->count < MOST;
        if (profile->inputs[i].status == FST_OK) {
            on_one_input(room ? notes : &own, on_kept_input, FST_COUNT_OF(on_kept_input),
                         &profile->inputs[i], sentence);
        }
        left += own.count > 0;
        notes->failed = notes->failed || own.failed;
        fst_notes_release(&own);
    }
    if (left > 0) {
        fst_buf_add_cstr(sentence, "there is more of the kind to say of ");
        add_counted(sentence, left, "other input", "other inputs");
        flush(notes, sentence);
    }
}

void fst_notes_on_stacks(struct fst_notes *notes, const struct fst_profile *profile, bool unit_kept)
{
    struct fst_buf sentence = {0};
    on_kept_inputs(notes, profile, &sentence);
    on_dialects(&sentence, profile);
    flush(notes, &sentence);
    on_units(&sentence, profile);
    flush(notes, &sentence);
    if (!unit_kept) {
        on_lost_unit(&sentence, profile);
        flush(notes, &sentence);
    }
    on_guessed_units(&sentence, profile, unit_kept);
    flush(notes, &sentence);
    fst_buf_release(&sentence);
}
