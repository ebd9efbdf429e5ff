/* The registry of dialects, the sniffer and the decision. */
#include "parse/dialect.h"

#include "base/error.h"
#include "parse/tail.h"

/* Among equal bids the earlier row wins. */
static const struct fst_dialect_rules *const registry[] = {
    &fst_dialect_pyspy, &fst_dialect_austin,    &fst_dialect_cpython, &fst_dialect_two_count,
    &fst_dialect_async, &fst_dialect_gprofiler, &fst_dialect_rbspy,   &fst_dialect_torch,
    &fst_dialect_perf,  &fst_dialect_generic,
};

_Static_assert(FST_COUNT_OF(registry) <= FST_DIALECTS_MOST, "fst_sniff has a place for each");

const struct fst_dialect_rules *fst_dialect_rules_of(enum fst_dialect dialect)
{
    for (size_t i = 0; i < FST_COUNT_OF(registry); i++) {
        if (registry[i]->id == dialect) {
            return registry[i];
        }
    }
    return &fst_dialect_generic;
}

const char *fst_dialect_name(enum fst_dialect dialect)
{
    return dialect == FST_DIALECT_AUTO ? "auto" : fst_dialect_rules_of(dialect)->name;
}

/* The rules of the dialect of that name, or NULL. */
static const struct fst_dialect_rules *rules_named(struct fst_str name)
{
    for (size_t i = 0; i < FST_COUNT_OF(registry); i++) {
        if (fst_str_eq(name, fst_str_cstr(registry[i]->name))) {
            return registry[i];
        }
    }
    return NULL;
}

bool fst_dialect_find(const char *name, enum fst_dialect *out)
{
    const struct fst_dialect_rules *rules = rules_named(fst_str_cstr(name));
    *out = rules == NULL ? FST_DIALECT_AUTO : rules->id;
    return rules != NULL || strcmp(name, "auto") == 0;
}

static const char *const unit_names[] = {
    [FST_UNIT_SAMPLES] = "samples",
    [FST_UNIT_MICROSECONDS] = "µs",
    [FST_UNIT_BYTES] = "bytes",
    [FST_UNIT_COUNTS] = "counts",
};

const char *fst_unit_name(enum fst_unit unit)
{
    return unit_names[unit];
}

bool fst_unit_find(struct fst_str name, enum fst_unit *out)
{
    for (size_t i = 0; i < FST_COUNT_OF(unit_names); i++) {
        if (fst_str_eq(name, fst_str_cstr(unit_names[i]))) {
            *out = (enum fst_unit)i;
            return true;
        }
    }
    return false;
}

/* --- sniffing ------------------------------------------------------------------------------- */

static bool is_scaffolding(struct fst_str frame)
{
    struct fst_frame_parts parts = fst_frame_read(frame, true);
    return fst_frame_is_scaffolding(frame, &parts);
}

/* An opinion on the order of a stack: -1 leaf first, 1 root first, 0 none. A module's body is the
 * root side of Python stacks, unless scaffolding stands before it (python -m), and calls into C
 * ("<built-in method conv2d>") are leaves. */
static int order_of(struct fst_str first, struct fst_str last)
{
    static const struct fst_str module = {"<module>", 8};
    static const struct fst_str builtin = {"<built-in", 9};
    bool module_first = fst_str_starts(first, module);
    bool module_last = fst_str_starts(last, module);
    bool builtin_first = fst_str_starts(first, builtin);
    bool builtin_last = fst_str_starts(last, builtin);
    int root_first = module_first + builtin_last - module_last - builtin_first;
    if (root_first < 0 && is_scaffolding(first)) {
        root_first = 1;
    }
    return (root_first > 0) - (root_first < 0);
}

/* Counts the frames of a stack in py-spy's terms. */
static void take_frames(struct fst_sniff *sniff, const struct fst_str *frames, size_t nframes)
{
    bool leading = true;
    const struct fst_str *first = NULL;
    for (size_t i = 0; i < nframes; i++) {
        struct fst_frame_parts parts = fst_frame_read(frames[i], true);
        bool lead = parts.kind == FST_FRAME_PROCESS || parts.kind == FST_FRAME_THREAD;
        sniff->led_stacks += i == 0 && lead;
        leading = leading && lead;
        if (parts.kind == FST_FRAME_STANDIN) {
            sniff->empty_stacks += nframes == 1;
        } else if (!lead) {
            sniff->frames++;
            sniff->file_frames += fst_frame_names_file(&parts);
            sniff->python_frames += fst_frame_names_python(&parts);
        }
        if (first == NULL && !leading) {
            first = &frames[i];
        }
    }
    if (first != NULL && first < &frames[nframes - 1]) {
        int order = order_of(*first, frames[nframes - 1]);
        sniff->leaf_first += order < 0;
        sniff->root_first += order > 0;
    }
}

/* Shows a record to every dialect. */
static void take_fits(struct fst_sniff *sniff, const struct fst_record *record)
{
    for (size_t i = 0; i < FST_COUNT_OF(registry); i++) {
        sniff->fits[i] += registry[i]->fits != NULL && registry[i]->fits(record);
    }
}

void fst_sniff_take(struct fst_sniff *sniff, const struct fst_record *record)
{
    bool negative;
    bool joined;
    struct fst_str line = record->kind == FST_RECORD_BAD ? record->line : record->text;
    int numbers = record->lines == 1 ? fst_tail_numbers(line, &negative, &joined) : 1;
    sniff->records++;
    sniff->countless += numbers == 0;
    if (record->lines == 1) {
        sniff->joined += joined;
        sniff->threes += numbers == 3 && !joined;
        numbers = negative || joined ? 0 : numbers;
    }
    sniff->tails[numbers]++;
    take_fits(sniff, record);
    if (record->kind == FST_RECORD_STACK) {
        sniff->stacks++;
        take_frames(sniff, record->frames, record->nframes);
    }
}

void fst_sniff_take_stack(struct fst_sniff *sniff, const struct fst_str *frames, size_t nframes)
{
    struct fst_record record = {.kind = FST_RECORD_STACK,
                                .lines = 1,
                                .text = frames[0],
                                .frames = frames,
                                .nframes = nframes};
    sniff->records++;
    sniff->stacks++;
    sniff->tails[1]++;
    take_fits(sniff, &record);
    take_frames(sniff, frames, nframes);
}

/* --- deciding ------------------------------------------------------------------------------- */

/* The share of the records that have a mark of a dialect. */
static double fits_of(const struct fst_sniff *sniff, size_t index)
{
    return sniff->records == 0 ? 0 : (double)sniff->fits[index] / (double)sniff->records;
}

static const struct fst_dialect_rules *best_bid(const struct fst_sniff *sniff)
{
    const struct fst_dialect_rules *best = &fst_dialect_generic;
    int highest = 0;
    for (size_t i = 0; i < FST_COUNT_OF(registry); i++) {
        int bid = registry[i]->bid(sniff, fits_of(sniff, i));
        if (bid > highest) {
            best = registry[i];
            highest = bid;
        }
    }
    return best;
}

/* What a text looks like that hardly has a mark of the dialect asked for. */
static enum fst_dialect misfit(const struct fst_sniff *sniff, enum fst_dialect asked)
{
    const double hardly_any = 0.05;
    const struct fst_dialect_rules *best = best_bid(sniff);
    for (size_t i = 0; i < FST_COUNT_OF(registry); i++) {
        if (registry[i]->id == asked && registry[i]->fits != NULL &&
            fits_of(sniff, i) < hardly_any && best != registry[i] && best != &fst_dialect_generic) {
            return best->id;
        }
    }
    return FST_DIALECT_AUTO;
}

static enum fst_status no_choice(const char *option, const struct fst_dialect_rules *rules,
                                 const char *why, struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_USAGE, "--%s does not apply: %s %s", option, rules->name,
                         why);
}

static enum fst_status no_metric(enum fst_metric metric, const char *why, struct fst_error *err)
{
    static const char *const names[] = {
        [FST_METRIC_TIME] = "time", [FST_METRIC_CPU] = "cpu", [FST_METRIC_MEMORY] = "memory"};
    return fst_error_set(err, FST_ERR_USAGE, "--metric %s does not apply: %s", names[metric], why);
}

/* Austin's lines of one count: the mode of the recording says what it is. */
static enum fst_status check_one_count(enum fst_mode mode, enum fst_metric metric,
                                       struct fst_error *err)
{
    switch (mode) {
    case FST_MODE_MEMORY:
        return metric == FST_METRIC_MEMORY
                   ? FST_OK
                   : no_metric(metric,
                               "the one count a line is bytes of memory, which --metric "
                               "memory takes",
                               err);
    case FST_MODE_CPU:
        return metric != FST_METRIC_MEMORY
                   ? FST_OK
                   : no_metric(metric,
                               "the one count a line is µs of CPU time, which --metric cpu "
                               "takes",
                               err);
    default:
        return metric == FST_METRIC_TIME
                   ? FST_OK
                   : no_metric(metric,
                               "the one count a line is µs of time, which --metric time "
                               "takes",
                               err);
    }
}

/* Austin writes one count a line, or three in its full mode; which three depends on its version. */
static enum fst_status choose_metric(const struct fst_sniff *sniff,
                                     const struct fst_recording *recording, enum fst_metric metric,
                                     struct fst_grammar *out, struct fst_error *err)
{
    uint64_t counted = sniff->records - sniff->countless;
    bool joined = sniff->joined * 2 > counted;
    bool threes = !joined && sniff->threes * 2 > counted;
    bool memory = recording->mode == FST_MODE_MEMORY;
    out->unit = memory ? FST_UNIT_BYTES : FST_UNIT_MICROSECONDS;
    out->unit_guessed = recording->mode == FST_MODE_UNKNOWN && !joined && !threes;
    if (!joined && !threes) {
        return metric == FST_METRIC_ANY || sniff->records == 0
                   ? FST_OK
                   : check_one_count(recording->mode, metric, err);
    }
    out->tail = (struct fst_tail_rule){joined ? FST_TAIL_JOINED : FST_TAIL_THREE, FST_PICK_FIRST};
    out->unit = FST_UNIT_MICROSECONDS;
    if (metric == FST_METRIC_MEMORY) {
        out->tail.pick = joined ? FST_PICK_THIRD : FST_PICK_LAST_TWO;
        out->unit = FST_UNIT_BYTES;
    } else if (metric == FST_METRIC_CPU) {
        if (!joined) {
            return no_metric(metric,
                             "these lines do not say whether they were idle; --metric time and "
                             "--metric memory take theirs",
                             err);
        }
        out->tail.pick = FST_PICK_FIRST_IF_BUSY;
    }
    return FST_OK;
}

static enum fst_status choose_count(const struct fst_sniff *sniff,
                                    const struct fst_recording *recording,
                                    const struct fst_read_options *options, struct fst_grammar *out,
                                    struct fst_error *err)
{
    if (out->dialect == FST_DIALECT_AUSTIN) {
        if (options->column != 0) {
            return no_choice("column", out->rules, "counts are chosen by --metric", err);
        }
        return choose_metric(sniff, recording, options->metric, out, err);
    }
    if (options->metric != FST_METRIC_ANY) {
        bool two = out->dialect == FST_DIALECT_TWO_COUNT;
        return no_choice("metric", out->rules,
                         two ? "has two counts a line, of which --column takes one"
                             : "has one count a line; only Austin's are chosen by --metric",
                         err);
    }
    if (out->dialect == FST_DIALECT_TWO_COUNT) {
        out->tail.form = FST_TAIL_TWO;
        out->tail.pick = options->column == 1 ? FST_PICK_FIRST : FST_PICK_SECOND;
    } else if (options->column != 0) {
        return no_choice("column", out->rules, "has one count a line", err);
    }
    return FST_OK;
}

static struct fst_grammar grammar_of(const struct fst_sniff *sniff,
                                     const struct fst_dialect_rules *rules)
{
    enum { FILES_AT_LEAST = 60 };
    bool files = sniff->frames > 0 && sniff->file_frames * 100 >= sniff->frames * FILES_AT_LEAST;
    return (struct fst_grammar){
        .rules = rules,
        .dialect = rules->id,
        .split_files = rules->always_split || files,
        .looks_leaf_first =
            sniff->leaf_first > sniff->root_first && sniff->leaf_first * 2 >= sniff->stacks,
        .unit = rules->unit,
        .unit_guessed = rules == &fst_dialect_austin,
    };
}

struct fst_grammar fst_dialect_tell_stacks(const struct fst_sniff *sniff, enum fst_dialect asked)
{
    struct fst_grammar grammar = grammar_of(
        sniff, asked == FST_DIALECT_AUTO ? best_bid(sniff) : fst_dialect_rules_of(asked));
    grammar.looks_like = misfit(sniff, asked);
    return grammar;
}

struct fst_grammar fst_dialect_tell_known(const struct fst_sniff *sniff, enum fst_dialect asked,
                                          struct fst_str name)
{
    const struct fst_dialect_rules *known = rules_named(name);
    return asked == FST_DIALECT_AUTO && known != NULL ? grammar_of(sniff, known)
                                                      : fst_dialect_tell_stacks(sniff, asked);
}

enum fst_status fst_dialect_tell(const struct fst_sniff *sniff,
                                 const struct fst_recording *recording,
                                 const struct fst_read_options *options, struct fst_grammar *out,
                                 struct fst_error *err)
{
    bool header = recording->microseconds; /* Austin's, which says more than stacks can */
    bool austin = options->dialect == FST_DIALECT_AUTO && header;
    *out = fst_dialect_tell_stacks(sniff, austin ? FST_DIALECT_AUSTIN : options->dialect);
    if (header && out->dialect == FST_DIALECT_AUSTIN) {
        out->looks_like = FST_DIALECT_AUTO;
    }
    enum fst_status status = choose_count(sniff, recording, options, out, err);
    out->unit = recording->unit_told ? recording->unit : out->unit;
    out->unit_guessed = out->unit_guessed && !recording->unit_told;
    return status;
}

/* --- for the dialects ------------------------------------------------------------------------ */

struct fst_lead fst_lead_by_kind(const struct fst_dialect_rules *rules,
                                 const struct fst_str *frames, size_t nframes)
{
    struct fst_lead lead = FST_NO_LEAD;
    size_t tags = fst_tags_count(frames, nframes);
    for (lead.count = tags; lead.count < nframes; lead.count++) {
        enum fst_frame_kind kind = rules->read(frames[lead.count], false).kind;
        if (kind == FST_FRAME_PROCESS) {
            lead.process = lead.count;
        } else if (kind == FST_FRAME_THREAD) {
            lead.thread = lead.count;
        } else {
            break;
        }
    }
    if (lead.count == tags) {
        return FST_NO_LEAD;
    }
    lead.tags = tags;
    lead.skip = tags > 0 ? 0 : lead.count; /* a tag is a good root */
    return lead;
}

bool fst_frame_read_colons(struct fst_str frame, struct fst_frame_parts *parts)
{
    size_t at = frame.len;
    while (at > 0 && fst_is_digit(frame.data[at - 1])) {
        at--;
    }
    size_t line = at > 1 && frame.data[at - 1] == '-' ? at - 1 : at;
    if (at == frame.len || line < 2 || frame.data[line - 1] != ':') {
        return false;
    }
    size_t function = line - 1;
    while (function > 0 && frame.data[function - 1] != ':') {
        function--;
    }
    if (function < 2 || function == line - 1) {
        return false;
    }
    parts->kind = FST_FRAME_SPLIT;
    parts->file = fst_str_of(frame.data, function - 1);
    parts->function = fst_str_of(frame.data + function, line - 1 - function);
    parts->line = fst_str_skip(frame, line);
    return true;
}
