#include "model/partial.h"

#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"

void fst_partial_init(struct fst_partial *partial, uint64_t seed)
{
    *partial = (struct fst_partial){.inputs = 0};
    fst_symtab_init(&partial->names, seed);
    fst_symtab_init(&partial->frames, seed);
}

void fst_partial_release(struct fst_partial *partial)
{
    fst_buf_release(&partial->rules);
    fst_symtab_release(&partial->names);
    fst_symtab_release(&partial->frames);
    for (int i = 0; i < FST_MOMENTS_KINDS; i++) {
        fst_free(partial->moments[i]);
    }
}

uint64_t fst_partial_memory(const struct fst_partial *partial)
{
    uint64_t moments = partial->capacity[FST_MOMENTS_SELF] + partial->capacity[FST_MOMENTS_TOTAL];
    return fst_symtab_memory(&partial->names) + fst_symtab_memory(&partial->frames) +
           moments * sizeof(struct fst_moments);
}

/* --- what is known of recordings --------------------------------------------------------------- */

/* A figure as an exact count of millionths; false where it is not known. */
static bool to_count(double figure, fst_i128 *out)
{
    const double most = 1e20;
    if (!(figure >= 0 && figure <= most)) {
        return false;
    }
    double whole = floor(figure);
    *out = (fst_i128)whole * FST_COUNT_ONE +
           (fst_i128)floor((figure - whole) * 1e6 + 0.5) * (FST_COUNT_ONE / 1000000);
    return true;
}

static void told_merge(struct fst_told *into, const struct fst_told *from)
{
    fst_i128 sum;
    if (FST_ADD_OVERFLOWS(into->sum, from->sum, &sum)) {
        sum = FST_COUNT_MAX;
    }
    into->sum = sum;
    into->known += from->known;
}

static struct fst_told told_of(double figure)
{
    fst_i128 count = 0;
    bool known = to_count(figure, &count);
    return (struct fst_told){known, known ? count : 0};
}

static void merge_rates(struct fst_partial *into, const struct fst_told *rates, fst_i128 least,
                        fst_i128 most)
{
    if (rates->known == 0) {
        return;
    }
    bool first = into->rates.known == 0;
    into->least_rate = first || least < into->least_rate ? least : into->least_rate;
    into->most_rate = first || most > into->most_rate ? most : into->most_rate;
    told_merge(&into->rates, rates);
}

/* --- what must agree --------------------------------------------------------------------------- */

/* Rules as options, for a message: they may come from a text. */
static const char *shown_rules(struct fst_buf *out, struct fst_str rules)
{
    struct fst_buf text = {0};
    for (size_t i = 0; i < rules.len; i++) {
        fst_buf_add_str(&text,
                        rules.data[i] == '\t' ? FST_STR(" ") : fst_str_of(&rules.data[i], 1));
    }
    fst_escape_text(out, fst_buf_str(&text));
    fst_buf_release(&text);
    fst_buf_add_cstr(out, rules.len == 0 ? " none" : "");
    fst_buf_add_char(out, '\0');
    return out->failed ? "" : out->data + 1;
}

/* Whether inputs whose stacks were made by these rules can be added. */
static enum fst_status check(const struct fst_partial *into, struct fst_str rules, uint64_t inputs,
                             struct fst_error *err)
{
    struct fst_str own = fst_buf_str(&into->rules);
    if (into->inputs > 0 && !fst_str_eq(own, rules)) {
        struct fst_buf texts[2] = {{0}};
        enum fst_status status = fst_error_set(
            err, FST_ERR_USAGE,
            "stacks and names were made by other rules (%.150s) than those of the inputs before "
            "(%.150s): make the partial sums with the same options",
            shown_rules(&texts[0], rules), shown_rules(&texts[1], own));
        fst_buf_release(&texts[0]);
        fst_buf_release(&texts[1]);
        return status;
    }
    if (inputs > UINT32_MAX - into->inputs) {
        return fst_error_set(err, FST_ERR_RANGE, "more than 4,294,967,295 inputs");
    }
    return FST_OK;
}

static bool take_rules(struct fst_partial *into, struct fst_str rules)
{
    if (into->inputs > 0) {
        return true;
    }
    fst_buf_clear(&into->rules);
    return rules.len == 0 || fst_buf_add_str(&into->rules, rules);
}

/* --- shares of a frame ------------------------------------------------------------------------- */

/* Which of two extremes comes first: by share, then by name. */
static bool goes_first(const struct fst_symtab *names, const struct fst_extreme *a,
                       const struct fst_extreme *b, bool most)
{
    if (a->share != b->share) {
        return most ? a->share > b->share : a->share < b->share;
    }
    return fst_str_cmp(fst_symtab_name(names, a->input), fst_symtab_name(names, b->input)) < 0;
}

static size_t ends_of(uint64_t inputs)
{
    return inputs < FST_PARTIAL_ENDS ? (size_t)inputs : FST_PARTIAL_ENDS;
}

/* Puts an extreme into its place among those that there are, of which the last may go. */
static void insert(const struct fst_symtab *names, struct fst_extreme *ends, size_t count,
                   const struct fst_extreme *added, bool most)
{
    size_t at = count;
    while (at > 0 && goes_first(names, added, &ends[at - 1], most)) {
        if (at < FST_PARTIAL_ENDS) {
            ends[at] = ends[at - 1];
        }
        at--;
    }
    if (at < FST_PARTIAL_ENDS) {
        ends[at] = *added;
    }
}

static struct fst_moments *place_of(struct fst_partial *into, struct fst_str frame,
                                    enum fst_moments_kind kind)
{
    uint32_t id = fst_symtab_intern(&into->frames, frame);
    void *moments = into->moments[kind];
    if (id == FST_ID_NONE || fst_grow_zeroed(&moments, &into->capacity[kind], (size_t)id + 1,
                                             sizeof(struct fst_moments)) != 0) {
        return NULL;
    }
    into->moments[kind] = moments;
    return &into->moments[kind][id];
}

bool fst_partial_add_moments(struct fst_partial *into, struct fst_str frame,
                             enum fst_moments_kind kind, const struct fst_moments *moments,
                             const struct fst_symtab *names)
{
    struct fst_moments *place = place_of(into, frame, kind);
    if (place == NULL) {
        return false;
    }
    for (size_t i = 0; i < 2 * ends_of(moments->inputs); i++) {
        bool most = i % 2 == 0;
        struct fst_extreme end = most ? moments->most[i / 2] : moments->least[i / 2];
        end.input = fst_symtab_intern(&into->names, fst_symtab_name(names, end.input));
        if (end.input == FST_ID_NONE) {
            return false;
        }
        insert(&into->names, most ? place->most : place->least, ends_of(place->inputs + i / 2),
               &end, most);
    }
    place->inputs += moments->inputs;
    place->sum += moments->sum;
    place->squares += moments->squares;
    return true;
}

const struct fst_moments *fst_partial_find(const struct fst_partial *partial, struct fst_str frame,
                                           enum fst_moments_kind kind)
{
    uint32_t id = fst_symtab_find(&partial->frames, frame);
    bool known = id != FST_ID_NONE && id < partial->capacity[kind];
    return known && partial->moments[kind][id].inputs > 0 ? &partial->moments[kind][id] : NULL;
}

/* --- an input ---------------------------------------------------------------------------------- */

/* What an input has of each frame. */
struct tally {
    struct fst_symtab frames; /* a symbol's stamp: the last stack that has it */
    fst_i128 *counts[FST_MOMENTS_KINDS];
    size_t capacity[FST_MOMENTS_KINDS];
    struct fst_scanner scanner;
    struct fst_buf text;
    struct fst_buf reshaped;
    uint32_t stack; /* the number of the one at hand */
};

static void release(struct tally *tally)
{
    fst_symtab_release(&tally->frames);
    fst_scanner_release(&tally->scanner);
    fst_buf_release(&tally->text);
    fst_buf_release(&tally->reshaped);
    for (int i = 0; i < FST_MOMENTS_KINDS; i++) {
        fst_free(tally->counts[i]);
    }
}

static bool make_room(struct tally *tally, uint32_t id)
{
    for (int i = 0; i < FST_MOMENTS_KINDS; i++) {
        void *counts = tally->counts[i];
        if (fst_grow_zeroed(&counts, &tally->capacity[i], (size_t)id + 1, sizeof(fst_i128)) != 0) {
            return false;
        }
        tally->counts[i] = counts;
    }
    return true;
}

/* Numbers of stacks may come again after 2^32 of them; then a frame that is in every stack between has
 * been stamped anew, and all others are forgotten. */
static void next_stack(struct tally *tally)
{
    if (++tally->stack == 0) {
        for (size_t i = 0; i < tally->frames.count; i++) {
            tally->frames.symbols[i]->stamp = 0;
        }
        tally->stack = 1;
    }
}

static bool count_stack(struct tally *tally, const struct fst_dialect_rules *rules,
                        const struct fst_stream *stack)
{
    size_t nframes = fst_stack_split(&tally->scanner, stack->text, &tally->text);
    if (nframes > 0 && rules->reshape != NULL) {
        fst_buf_clear(&tally->reshaped);
        nframes = rules->reshape(tally->scanner.frames, nframes, &tally->reshaped);
    }
    bool good = nframes > 0 && !tally->reshaped.failed;
    next_stack(tally);
    for (size_t i = 0; good && i < nframes; i++) {
        uint32_t id = fst_symtab_intern(&tally->frames, tally->scanner.frames[i]);
        good = id != FST_ID_NONE && make_room(tally, id);
        if (good) {
            struct fst_symbol *symbol = tally->frames.symbols[id];
            bool first = symbol->stamp != tally->stack;
            symbol->stamp = tally->stack;
            tally->counts[FST_MOMENTS_TOTAL][id] += first ? stack->count : 0;
            tally->counts[FST_MOMENTS_SELF][id] += i + 1 == nframes ? stack->count : 0;
        }
    }
    return good;
}

static enum fst_status count_all(struct tally *tally, const struct fst_partial_input *input,
                                 struct fst_error *err)
{
    struct fst_walk walk;
    bool more = true;
    enum fst_status status = fst_walk_begin(&walk, input->stacks, err);
    while (status == FST_OK && more) {
        status = fst_stream_next(&walk.all.base, &more, err);
        if (status == FST_OK && more &&
            !count_stack(tally, input->grammar->rules, &walk.all.base)) {
            status = fst_error_nomem(err);
        }
    }
    fst_walk_release(&walk);
    return status;
}

/* A share in billionths, half to even. */
static fst_i128 share_of(fst_i128 part, fst_i128 whole)
{
    enum { ROOM = 96 }; /* bits, so that there is room for billionths of it */
    while (whole >> ROOM > 0) {
        whole /= 2;
        part /= 2;
    }
    fst_i128 scaled = part * FST_PARTIAL_WHOLE;
    fst_i128 share = scaled / whole;
    fst_i128 twice = scaled % whole * 2;
    share += twice > whole || (twice == whole && share % 2 != 0);
    return share < FST_PARTIAL_WHOLE ? share : FST_PARTIAL_WHOLE;
}

static bool add_shares(struct fst_partial *partial, const struct tally *tally,
                       const struct fst_partial_input *input)
{
    uint32_t name = fst_symtab_intern(&partial->names, input->name);
    bool good = name != FST_ID_NONE;
    for (uint32_t id = 0; good && id < tally->frames.count; id++) {
        for (int kind = 0; good && kind < FST_MOMENTS_KINDS; kind++) {
            fst_i128 count = tally->counts[kind][id];
            fst_i128 share = share_of(count, input->total);
            struct fst_extreme end = {share, name};
            struct fst_moments one = {1, share, share * share, {end}, {end}};
            good = count == 0 ||
                   fst_partial_add_moments(partial, fst_symtab_name(&tally->frames, id),
                                           (enum fst_moments_kind)kind, &one, &partial->names);
        }
    }
    return good;
}

static enum fst_status compare(struct fst_partial *partial, const struct fst_partial_input *input,
                               struct fst_error *err)
{
    if (input->negative || input->total <= 0) {
        return FST_OK;
    }
    struct tally tally = {.stack = 0};
    fst_symtab_init(&tally.frames, partial->frames.seed[0]);
    enum fst_status status = count_all(&tally, input, err);
    if (status == FST_OK && !add_shares(partial, &tally, input)) {
        status = fst_error_nomem(err);
    }
    release(&tally);
    partial->compared += status == FST_OK;
    return status;
}

enum fst_status fst_partial_add(struct fst_partial *partial, const struct fst_partial_input *input,
                                struct fst_error *err)
{
    enum fst_status status = check(partial, input->rules, 1, err);
    if (status == FST_OK && !take_rules(partial, input->rules)) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK) {
        status = compare(partial, input, err);
    }
    if (status != FST_OK) {
        return status;
    }
    struct fst_told rate = told_of(input->rate);
    struct fst_told duration = told_of(input->duration);
    struct fst_told errors = told_of(input->errors);
    struct fst_told ticks = told_of(input->ticks);
    merge_rates(partial, &rate, rate.sum, rate.sum);
    told_merge(&partial->durations, &duration);
    told_merge(&partial->errors, &errors);
    told_merge(&partial->ticks, &ticks);
    partial->bad_lines += input->bad_lines;
    partial->inputs++;
    return FST_OK;
}

/* --- another one ------------------------------------------------------------------------------- */

enum fst_status fst_partial_merge(struct fst_partial *into, const struct fst_partial *from,
                                  struct fst_error *err)
{
    if (from->inputs == 0) {
        return FST_OK;
    }
    enum fst_status status = check(into, fst_buf_str(&from->rules), from->inputs, err);
    if (status != FST_OK) {
        return status;
    }
    bool good = take_rules(into, fst_buf_str(&from->rules));
    for (uint32_t id = 0; good && id < from->frames.count; id++) {
        for (int kind = 0; good && kind < FST_MOMENTS_KINDS; kind++) {
            struct fst_str frame = fst_symtab_name(&from->frames, id);
            const struct fst_moments *moments =
                fst_partial_find(from, frame, (enum fst_moments_kind)kind);
            good =
                moments == NULL || fst_partial_add_moments(into, frame, (enum fst_moments_kind)kind,
                                                           moments, &from->names);
        }
    }
    if (!good) {
        return fst_error_nomem(err);
    }
    merge_rates(into, &from->rates, from->least_rate, from->most_rate);
    told_merge(&into->durations, &from->durations);
    told_merge(&into->errors, &from->errors);
    told_merge(&into->ticks, &from->ticks);
    into->bad_lines += from->bad_lines;
    into->inputs += from->inputs;
    into->compared += from->compared;
    return FST_OK;
}
