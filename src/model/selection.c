#include "model/selection.h"

#include "base/alloc.h"
#include "base/compat.h"
#include "base/error.h"
#include "base/escape.h"

/* --- filters ----------------------------------------------------------------------------------- */

/* An option that takes a pattern, and where that goes. */
static const struct pattern_option {
    const char *name;
    size_t given;    /* offset in struct fst_selection_options */
    size_t compiled; /* offset in struct fst_filter_options */
    bool wanted;     /* a stack without a match is dropped */
    bool of_labels;
} pattern_options[] = {
#define PATTERN(name, field, wanted, of_labels)                                                    \
    {                                                                                              \
        name, offsetof(struct fst_selection_options, field),                                       \
            offsetof(struct fst_filter_options, field), wanted, of_labels                          \
    }
    PATTERN("thread", thread, true, true),        PATTERN("process", process, true, true),
    PATTERN("focus", focus, true, false),         PATTERN("ignore", ignore, false, false),
    PATTERN("hide", hide, false, false),          PATTERN("show", show, true, false),
    PATTERN("show-from", show_from, true, false), PATTERN("prune-from", prune_from, false, false),
#undef PATTERN
};

static const struct fst_pattern **place_of(struct fst_filter_options *filter,
                                           const struct pattern_option *option)
{
    return (const struct fst_pattern **)(void *)((char *)filter + option->compiled);
}

static enum fst_status note_asked(struct fst_selection *s, const char *option, struct fst_str value,
                                  struct fst_error *err)
{
    struct fst_str copy = fst_arena_copy(&s->texts, value);
    if (copy.data == NULL) {
        return fst_error_nomem(err);
    }
    s->asked[s->nasked++] = (struct fst_asked){option, copy};
    return FST_OK;
}

static enum fst_status compile_pattern(struct fst_selection *s, const struct pattern_option *option,
                                       struct fst_str source, struct fst_selection_fault *fault,
                                       struct fst_error *err)
{
    *fault = (struct fst_selection_fault){.option = option->name, .text = source};
    struct fst_pattern *pattern = NULL;
    enum fst_status status = fst_pattern_new(source, &pattern, &fault->mark, err);
    if (status != FST_OK) {
        return status;
    }
    s->patterns[s->npatterns++] = pattern;
    *place_of(&s->filter, option) = pattern;
    return note_asked(s, option->name, source, err);
}

static enum fst_status compile_filters(struct fst_selection *s,
                                       const struct fst_selection_options *options,
                                       struct fst_selection_fault *fault, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < FST_COUNT_OF(pattern_options) && status == FST_OK; i++) {
        const struct fst_str *source =
            (const void *)((const char *)options + pattern_options[i].given);
        if (source->data != NULL) {
            status = compile_pattern(s, &pattern_options[i], *source, fault, err);
        }
    }
    s->filter.fold_recursion = options->fold_recursion;
    if (status == FST_OK && options->fold_recursion) {
        status = note_asked(s, "fold-recursion", FST_STR(""), err);
    }
    return status;
}

/* --- names and categories ---------------------------------------------------------------------- */

static enum fst_status compile_rewrites(struct fst_selection *s,
                                        const struct fst_selection_options *options,
                                        struct fst_selection_fault *fault, struct fst_error *err)
{
    if (options->nrewrites == 0) {
        return FST_OK;
    }
    s->rewrites = fst_alloc_zeroed(options->nrewrites, sizeof(struct fst_rewrite *));
    if (s->rewrites == NULL) {
        return fst_error_nomem(err);
    }
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < options->nrewrites && status == FST_OK; i++) {
        *fault = (struct fst_selection_fault){.option = "rewrite", .text = options->rewrites[i]};
        status = fst_rewrite_new(options->rewrites[i], &s->rewrites[i], &fault->mark, err);
        s->nrewrites += status == FST_OK;
    }
    return status;
}

static enum fst_status compile_categories(struct fst_selection *s,
                                          const struct fst_selection_options *options,
                                          struct fst_selection_fault *fault, struct fst_error *err)
{
    if (!options->categorize) {
        return FST_OK;
    }
    if (options->categories.data == NULL) {
        return fst_categories_new_builtin(&s->categories, err);
    }
    struct fst_category_fault place = {0};
    enum fst_status status = fst_categories_new(options->categories, &s->categories, &place, err);
    *fault = (struct fst_selection_fault){
        .option = "categories", .text = place.text, .mark = place.mark, .line = place.line};
    return status;
}

static enum fst_status compile_idle(struct fst_selection *s,
                                    const struct fst_selection_options *options,
                                    struct fst_error *err)
{
    if (!options->no_idle) {
        return FST_OK;
    }
    enum fst_status status = fst_categories_new_builtin(&s->waiting, err);
    if (status != FST_OK) {
        return status;
    }
    s->idle = fst_categories_find(s->waiting, FST_STR("idle"));
    return note_asked(s, "idle", FST_STR("exclude"), err);
}

/* --- as text ----------------------------------------------------------------------------------- */

static void add_rule(struct fst_buf *out, const char *option, struct fst_str value)
{
    fst_buf_add_fmt(out, "\t--%s%s", option, value.len > 0 ? "=" : "");
    fst_escape_field(out, value);
}

static enum fst_status write_rules(struct fst_selection *s,
                                   const struct fst_selection_options *options,
                                   struct fst_error *err)
{
    struct fst_buf text = {0};
    for (size_t i = 0; i < s->nasked; i++) {
        add_rule(&text, s->asked[i].option, s->asked[i].value);
    }
    if (s->strip_annotations) {
        add_rule(&text, "strip-annotations", FST_STR(""));
    }
    for (size_t i = 0; i < options->nrewrites; i++) {
        add_rule(&text, "rewrite", options->rewrites[i]);
    }
    if (s->normalize) {
        add_rule(&text, "normalize", FST_STR(""));
    }
    s->rules = fst_arena_copy(&s->texts, fst_buf_str(&text));
    bool good = !text.failed && s->rules.data != NULL;
    fst_buf_release(&text);
    return good ? FST_OK : fst_error_nomem(err);
}

/* --- the whole --------------------------------------------------------------------------------- */

static enum fst_status compile(struct fst_selection *s, const struct fst_selection_options *options,
                               struct fst_selection_fault *fault, struct fst_error *err)
{
    s->strip_annotations = options->strip_annotations;
    s->normalize = options->normalize;
    enum fst_status status = compile_filters(s, options, fault, err);
    if (status == FST_OK) {
        status = compile_rewrites(s, options, fault, err);
    }
    if (status == FST_OK) {
        status = compile_categories(s, options, fault, err);
    }
    if (status == FST_OK) {
        status = compile_idle(s, options, err);
    }
    return status == FST_OK ? write_rules(s, options, err) : status;
}

enum fst_status fst_selection_new(const struct fst_selection_options *options,
                                  struct fst_selection **out, struct fst_selection_fault *fault,
                                  struct fst_error *err)
{
    struct fst_selection_fault unseen;
    struct fst_selection *selection = fst_alloc_zeroed(1, sizeof *selection);
    if (selection == NULL) {
        return fst_error_nomem(err);
    }
    enum fst_status status = compile(selection, options, fault == NULL ? &unseen : fault, err);
    if (status != FST_OK) {
        fst_selection_free(selection);
        return status;
    }
    *out = selection;
    return FST_OK;
}

void fst_selection_free(struct fst_selection *selection)
{
    if (selection == NULL) {
        return;
    }
    for (size_t i = 0; i < selection->npatterns; i++) {
        fst_pattern_free(selection->patterns[i]);
    }
    for (size_t i = 0; i < selection->nrewrites; i++) {
        fst_rewrite_free(selection->rewrites[i]);
    }
    fst_free(selection->rewrites);
    fst_categories_free(selection->categories);
    fst_categories_free(selection->waiting);
    fst_arena_release(&selection->texts);
    fst_free(selection);
}

bool fst_selection_filters(const struct fst_selection *selection)
{
    return selection != NULL &&
           (fst_filter_wanted(&selection->filter) || selection->waiting != NULL);
}

bool fst_selection_alters(const struct fst_selection *selection)
{
    return selection != NULL &&
           (selection->strip_annotations || selection->normalize || selection->nrewrites > 0);
}

size_t fst_selection_wishes(const struct fst_selection *selection,
                            struct fst_wish out[FST_ASKED_MOST])
{
    struct fst_filter_options filter = selection->filter;
    size_t count = 0;
    for (size_t i = 0; i < FST_COUNT_OF(pattern_options); i++) {
        const struct fst_pattern *pattern = *place_of(&filter, &pattern_options[i]);
        if (pattern != NULL && pattern_options[i].wanted) {
            out[count++] =
                (struct fst_wish){pattern_options[i].name, pattern, pattern_options[i].of_labels};
        }
    }
    return count;
}

enum fst_status fst_pattern_check(struct fst_str pattern, struct fst_selection_fault *fault,
                                  struct fst_error *err)
{
    struct fst_pattern *compiled = NULL;
    struct fst_selection_fault found = {.text = pattern};
    enum fst_status status = fst_pattern_new(pattern, &compiled, &found.mark, err);
    fst_pattern_free(compiled);
    if (status != FST_OK && fault != NULL) {
        *fault = found;
    }
    return status;
}
