/* What a careful colleague would say of a comparison. */
#include <math.h>

#include "analysis/diff_parts.h"
#include "analysis/diff_traits.h"
#include "analysis/statistics_several.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include "model/selection.h"

/* Adds a sentence, and empties it. */
static void flush(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    if (sentence->len > 0) {
        fst_notes_add(&diff->notes, fst_buf_str(sentence));
    }
    diff->notes.failed = diff->notes.failed || sentence->failed;
    fst_buf_clear(sentence);
}

static struct fst_str name_of(const struct fst_profile *p)
{
    return p->ninputs > 0 ? p->inputs[0].name : FST_STR("a recording");
}

/* --- what recordings differ in ---------------------------------------------------------------- */

static const struct {
    const char *of;
    const char *consequence;
} traits[FST_TRAITS] = {
    [FST_TRAIT_DIALECT] = {"the dialect", "frames may be named differently"},
    [FST_TRAIT_UNIT] = {"the unit", "only shares can be compared, and what they are of differs"},
    [FST_TRAIT_LINES] = {"line numbers", "--by function, the default, does not mind"},
    [FST_TRAIT_PATHS] =
        {"the names of files",
         "the same function has two names; record both alike, or make them one with "
         "--rewrite"},
    [FST_TRAIT_THREADS] = {"threads", "only rows by thread mind"},
    [FST_TRAIT_THREAD_FORM] = {"the form of threads' names",
                               "the profiler's versions, and what else they do, may differ"},
    [FST_TRAIT_PROCESSES] = {"processes", "only rows by process mind"},
    [FST_TRAIT_NATIVE] = {"native frames",
                          "they take the self counts of the frames that call them"},
    [FST_TRAIT_IDLE] = {"stacks that wait for work",
                        "shares are of different wholes; --idle exclude leaves those stacks out"},
    [FST_TRAIT_GENERATED] = {"generated names", "rows do not match; with --normalize they do"},
};

/* Says how a recording differs from the first one that has a word; false if none does. */
static bool compare_trait(struct fst_diff_work *diff, const struct fst_traits *all, int trait,
                          struct fst_buf *sentence)
{
    size_t first = 0;
    while (first < diff->nrecordings && all[first].words[trait] == NULL) {
        first++;
    }
    for (size_t i = first + 1; i < diff->nrecordings; i++) {
        const char *word = all[i].words[trait];
        if (word != NULL && strcmp(word, all[first].words[trait]) != 0) {
            fst_buf_add_fmt(sentence, "the recordings differ in %s: ", traits[trait].of);
            fst_escape_text(sentence, name_of(diff->recordings[first].profile));
            fst_buf_add_fmt(sentence, " (%s), ", all[first].words[trait]);
            fst_escape_text(sentence, name_of(diff->recordings[i].profile));
            fst_buf_add_fmt(sentence, " (%s); %s", word, traits[trait].consequence);
            flush(diff, sentence);
            return true;
        }
    }
    return false;
}

static enum fst_status compare_traits(struct fst_diff_work *diff, struct fst_buf *sentence,
                                      struct fst_error *err)
{
    struct fst_traits *all = fst_alloc_zeroed(diff->nrecordings, sizeof *all);
    struct fst_categories *categories = NULL;
    enum fst_status status =
        all == NULL ? fst_error_nomem(err) : fst_categories_new_builtin(&categories, err);
    for (size_t i = 0; status == FST_OK && i < diff->nrecordings; i++) {
        status = fst_traits_find(diff->recordings[i].profile, categories, &all[i], err);
    }
    for (int trait = 0; status == FST_OK && trait < FST_TRAITS; trait++) {
        if (compare_trait(diff, all, trait, sentence) && trait == FST_TRAIT_DIALECT) {
            break; /* the others follow from it */
        }
    }
    fst_categories_free(categories);
    fst_free(all);
    return status;
}

/* --- by what rules they were made -------------------------------------------------------------- */

/* The first of rules, which have a tab before each; false: there is none. */
static bool take_rule(struct fst_str *rules, struct fst_str *rule)
{
    if (rules->len == 0) {
        return false;
    }
    struct fst_str rest = fst_str_skip(*rules, 1);
    const char *tab = rest.len == 0 ? NULL : memchr(rest.data, '\t', rest.len);
    *rule = fst_str_of(rest.data, tab == NULL ? rest.len : (size_t)(tab - rest.data));
    *rules = fst_str_skip(rest, rule->len);
    return true;
}

static bool has_rule(struct fst_str rules, struct fst_str wanted)
{
    struct fst_str rule;
    while (take_rule(&rules, &rule)) {
        if (fst_str_eq(rule, wanted)) {
            return true;
        }
    }
    return false;
}

/* The filters and rules for names that a partial sum was made with. What this comparison does to both
 * sides makes no difference, and whether names are normalised shows in them. */
static void add_rules(struct fst_buf *out, const struct fst_profile *p)
{
    enum { ENOUGH = 160 };
    const struct fst_selection *selection = p->options.selection;
    struct fst_str done = selection == NULL ? FST_STR("") : selection->rules;
    struct fst_str rules = p->partial == NULL ? FST_STR("") : fst_buf_str(&p->partial->rules);
    struct fst_str rule;
    struct fst_buf option = {0};
    while (out->len < ENOUGH && take_rule(&rules, &rule)) {
        if (!has_rule(done, rule) && !fst_str_eq(rule, FST_STR("--normalize"))) {
            fst_buf_clear(&option);
            fst_buf_add_cstr(out, out->len > 0 ? " " : "");
            fst_escape_text(out, fst_unescape_field(&option, rule) ? fst_buf_str(&option) : rule);
        }
    }
    out->failed |= option.failed;
    fst_buf_release(&option);
    fst_buf_add_cstr(out, rules.len > 0 ? " …" : "");
}

static void add_made_by(struct fst_buf *sentence, const struct fst_profile *p, struct fst_str rules)
{
    const char *none = p->partial == NULL ? "tells none" : "none";
    fst_escape_text(sentence, name_of(p));
    fst_buf_add_cstr(sentence, " (");
    fst_buf_add_str(sentence, rules.len > 0 ? rules : fst_str_cstr(none));
    fst_buf_add_char(sentence, ')');
}

/* Says how a recording's rules differ from those of the first one. */
static void on_rules(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    struct fst_buf first = {0};
    struct fst_buf other = {0};
    bool differ = false;
    add_rules(&first, diff->recordings[0].profile);
    for (size_t i = 1; !differ && i < diff->nrecordings; i++) {
        fst_buf_clear(&other);
        add_rules(&other, diff->recordings[i].profile);
        differ = !fst_str_eq(fst_buf_str(&first), fst_buf_str(&other));
        if (differ) {
            fst_buf_add_cstr(sentence, "the recordings differ in the filters and rules for names "
                                       "that they were made with: ");
            add_made_by(sentence, diff->recordings[0].profile, fst_buf_str(&first));
            fst_buf_add_cstr(sentence, ", ");
            add_made_by(sentence, diff->recordings[i].profile, fst_buf_str(&other));
            fst_buf_add_cstr(sentence, "; the same options given here hold for all of them");
        }
    }
    sentence->failed |= first.failed || other.failed;
    fst_buf_release(&first);
    fst_buf_release(&other);
    flush(diff, sentence);
}

/* --- what stands in the way of a comparison --------------------------------------------------- */

static void on_kept(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    for (size_t i = 0; i < diff->nrecordings; i++) {
        const struct fst_profile *p = diff->recordings[i].profile;
        if (p->samples == 0 && p->offered_samples > 0) {
            fst_escape_text(sentence, name_of(p));
            fst_buf_add_cstr(sentence, ": the filters keep none of its stacks, so that it has no "
                                       "shares; --percent-of all takes shares of all samples");
            flush(diff, sentence);
        }
    }
}

/* Why there is no test, unless a side has no samples at all. */
static void on_counting(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    for (size_t i = 0; i < diff->nrecordings; i++) {
        const struct fst_diff_recording *r = &diff->recordings[i];
        if (r->counting == FST_COUNTING_NONE && r->profile->samples > 0) {
            fst_escape_text(sentence, name_of(r->profile));
            fst_buf_add_cstr(sentence, ": its counts are no samples");
            if (r->profile->unit != FST_UNIT_SAMPLES) {
                fst_buf_add_fmt(sentence, " but %s", fst_unit_name(r->profile->unit));
            }
            fst_buf_add_cstr(sentence, ", so that nothing tells a change from noise");
            flush(diff, sentence);
            return;
        }
    }
}

static bool is_known(double value)
{
    return !isnan(value);
}

/* Counts say what changed only where both sides are equally long. */
static void on_basis(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    const struct fst_diff_side *before = &diff->base.before;
    const struct fst_diff_side *after = &diff->base.after;
    if (diff->base.basis != FST_BASIS_COUNT) {
        return;
    }
    bool ticks = is_known(before->ticks) && is_known(after->ticks);
    double one = ticks ? before->ticks : fst_count_value(before->total);
    double other = ticks ? after->ticks : fst_count_value(after->total);
    if (one != other) {
        fst_buf_add_fmt(sentence, "%s differ, ", ticks ? "ticks" : "totals");
        fst_number_grouped_double(sentence, one);
        fst_buf_add_cstr(sentence, " against ");
        fst_number_grouped_double(sentence, other);
        fst_buf_add_cstr(sentence, ": counts show how long was recorded before they show what "
                                   "changed; --basis share or rate does not");
        flush(diff, sentence);
    }
}

static void on_design_effect(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    if (diff->options.design_effect > 0 &&
        (is_known(diff->base.before.ticks) || is_known(diff->base.after.ticks))) {
        fst_buf_add_cstr(sentence, "--design-effect is not used where the ticks are known");
        flush(diff, sentence);
    }
}

/* --- what the tests can tell ------------------------------------------------------------------ */

static void on_permutation(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    size_t before = diff->base.before.nrecordings;
    size_t after = diff->base.after.nrecordings;
    double fdr = diff->base.fdr;
    if (diff->base.test == FST_TEST_PERMUTATION && fst_permutation_least(before, after) > fdr) {
        fst_buf_add_fmt(sentence,
                        "%zu and %zu recordings can never be told apart at a rate of %g: the least "
                        "p-value they can give is %.2g; %zu a side are needed",
                        before, after, fdr, fst_permutation_least(before, after),
                        fst_permutation_needed(fdr));
        flush(diff, sentence);
    }
}

static void on_few(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    if (diff->base.test == FST_TEST_DISPERSION) {
        fst_buf_add_cstr(sentence,
                         "with fewer than four recordings a side the test is approximate; "
                         "four a side make it exact");
        flush(diff, sentence);
    }
}

/* Whether two recordings have the same counts in every row. */
static bool are_alike(const struct fst_diff_work *diff, size_t one, size_t other)
{
    const struct fst_profile *p = diff->recordings[one].profile;
    bool alike = p->samples > 0 && p->total == diff->recordings[other].profile->total;
    for (size_t i = 0; alike && i < diff->joined.nrows; i++) {
        alike = fst_diff_count(diff, FST_ON_SELF, one, i) ==
                    fst_diff_count(diff, FST_ON_SELF, other, i) &&
                fst_diff_count(diff, FST_ON_TOTAL, one, i) ==
                    fst_diff_count(diff, FST_ON_TOTAL, other, i);
    }
    return alike;
}

static void add_copies(struct fst_buf *out, struct fst_str one, struct fst_str other)
{
    fst_escape_text(out, one);
    if (fst_str_eq(one, other)) {
        fst_buf_add_cstr(out, " is given twice");
    } else {
        fst_buf_add_cstr(out, " and ");
        fst_escape_text(out, other);
        fst_buf_add_cstr(out, " have the same counts in every row");
    }
}

/* Copies of one recording would pass for runs that do not vary. */
static void on_copies(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    size_t copies = 0;
    for (size_t i = 1; diff->nrecordings > 2 && i < diff->nrecordings; i++) {
        size_t k = 0;
        while (k < i && !are_alike(diff, k, i)) {
            k++;
        }
        if (k < i && copies++ == 0) {
            add_copies(sentence, name_of(diff->recordings[k].profile),
                       name_of(diff->recordings[i].profile));
        }
    }
    if (copies > 1) {
        fst_buf_add_fmt(sentence, " (and %zu more)", copies - 1);
    }
    if (copies > 0) {
        fst_buf_add_cstr(sentence, ": copies of one recording are not independent, and do not show "
                                   "what changes from run to run");
        flush(diff, sentence);
    }
}

/* Self counts of a side in rows that the other side has nothing of. */
static double lonely_share(const struct fst_diff_work *diff, enum fst_presence presence)
{
    double share = 0;
    for (size_t i = 0; i < diff->joined.nrows; i++) {
        if (fst_diff_presence(diff, i) == presence) {
            share += fst_diff_part_of(diff, FST_ON_SELF, i, presence == FST_PRESENCE_NEW).share;
        }
    }
    return share;
}

static void on_matching(struct fst_diff_work *diff, struct fst_buf *sentence)
{
    const double most = 0.5;
    double gone = lonely_share(diff, FST_PRESENCE_GONE);
    double added = lonely_share(diff, FST_PRESENCE_NEW);
    if (gone > most && added > most) {
        fst_buf_add_fmt(sentence,
                        "%.0f %% of the samples before and %.0f %% of those after are in rows that "
                        "the other side does not have: are these two recordings of one program?",
                        gone * 100, added * 100);
        flush(diff, sentence);
    }
}

static void (*const on_diff[])(struct fst_diff_work *diff, struct fst_buf *sentence) = {
    on_rules,       on_kept, on_counting, on_basis,    on_design_effect,
    on_permutation, on_few,  on_copies,   on_matching,
};

enum fst_status fst_diff_say(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_buf sentence = {0};
    for (size_t i = 0; i < diff->nrecordings; i++) {
        const struct fst_diff_recording *r = &diff->recordings[i];
        fst_notes_on_profile(&diff->notes, r->profile);
        if (r->counting == FST_COUNTING_PERIODS) {
            fst_notes_on_periods(&diff->notes, name_of(r->profile), r->profile->divisor,
                                 r->samples);
        }
    }
    enum fst_status status = compare_traits(diff, &sentence, err);
    for (size_t i = 0; status == FST_OK && i < FST_COUNT_OF(on_diff); i++) {
        on_diff[i](diff, &sentence);
    }
    fst_buf_release(&sentence);
    diff->base.notes = diff->notes.items;
    diff->base.nnotes = diff->notes.count;
    return status == FST_OK && diff->notes.failed ? fst_error_nomem(err) : status;
}
