/* Whichever allocation fails, patterns, filters and rules over names say so: each journey is gone
 * again and again with the first, the second, … allocation refused. It must then say that memory is
 * short, or arrive where it arrives undisturbed. */
#include "unit/helpers.h"

#include "base/pattern.h"
#include "base/symtab.h"
#include "model/category.h"
#include "model/filter.h"
#include "model/module.h"
#include "model/normalize.h"
#include "model/pools.h"
#include "unit/journeys.h"

static void digest_text(uint64_t *digest, struct fst_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        *digest = (*digest ^ (unsigned char)text.data[i]) * 0x100000001b3U;
    }
    *digest = (*digest ^ 0x100) * 0x100000001b3U;
}

static void require_safe(journey_fn *go)
{
    assert_in_range(refuse_each(go, false), 1, 100000);
    assert_in_range(refuse_each(go, true), 1, 100000);
}

static enum fst_status status_of(bool good, struct fst_error *err)
{
    if (!good && err != NULL) {
        err->code = FST_ERR_NOMEM;
    }
    return good ? FST_OK : FST_ERR_NOMEM;
}

/* --- patterns ---------------------------------------------------------------------------------- */

static enum fst_status match_all(const char *source, uint64_t *digest, struct fst_error *err)
{
    static const struct fst_str names[] = {
        {"forward (model.py:3)", 20}, {"caf\xc3\xa9", 5}, {"caf\xe9", 4}, {"", 0}};
    struct fst_pattern *pattern = NULL;
    enum fst_status status = fst_pattern_new(fst_str_cstr(source), &pattern, NULL, err);
    struct fst_matcher matcher = {0};
    for (size_t i = 0; status == FST_OK && i < FST_COUNT_OF(names); i++) {
        bool matched = false;
        status = fst_pattern_match(pattern, &matcher, names[i], &matched, err);
        digest_text(digest, matched ? FST_STR("y") : FST_STR("n"));
    }
    fst_matcher_release(&matcher);
    fst_pattern_free(pattern);
    return status;
}

static enum fst_status go_matching(uint64_t *digest, struct fst_error *err)
{
    return match_all("(f)(o)r(?=w)|\\w+\xc3\xa9$", digest, err);
}

static enum fst_status go_interpreting(uint64_t *digest, struct fst_error *err)
{
    return match_all("(*NO_JIT)^(\\w|[(. :)])*?$", digest, err);
}

static enum fst_status go_wrong(uint64_t *digest, struct fst_error *err)
{
    return match_all("a(b[c", digest, err);
}

static enum fst_status go_too_far(uint64_t *digest, struct fst_error *err)
{
    struct fst_pattern *pattern = NULL;
    enum fst_status status = fst_pattern_new(FST_STR("(*NO_JIT)(a+)+$"), &pattern, NULL, err);
    struct fst_matcher matcher = {0};
    if (status == FST_OK) {
        bool matched;
        status = fst_pattern_match(pattern, &matcher,
                                   FST_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                                   &matched, err);
        digest_text(digest, FST_STR("matched"));
    }
    fst_matcher_release(&matcher);
    fst_pattern_free(pattern);
    return status;
}

static enum fst_status go_rewriting(uint64_t *digest, struct fst_error *err)
{
    struct fst_rewrite *rule = NULL;
    enum fst_status status = fst_rewrite_new(FST_STR("s/(a)|b/<\\1&>/g"), &rule, NULL, err);
    struct fst_matcher matcher = {0};
    struct fst_buf scratch = {0};
    static const struct fst_str names[] = {{"abracadabra abracadabra", 23}, {"xyz", 3}};
    for (size_t i = 0; status == FST_OK && i < FST_COUNT_OF(names); i++) {
        struct fst_str out;
        status = fst_rewrite_apply(rule, &matcher, names[i], &scratch, &out, err);
        if (status == FST_OK) {
            digest_text(digest, out);
        }
    }
    fst_buf_release(&scratch);
    fst_matcher_release(&matcher);
    fst_rewrite_free(rule);
    return status;
}

static void patterns_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(go_matching);
    require_safe(go_interpreting);
    require_safe(go_wrong);
    require_safe(go_too_far);
    require_safe(go_rewriting);
}

/* --- names ------------------------------------------------------------------------------------- */

static const struct fst_str frames[] = {
    {"thread (7): ThreadPoolExecutor-0_1", 34},
    {"call (/tmp/we/cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t.py:1015)", 75},
    {"a.cold::hf83bdf43d2f1e17b", 25},
    {"Foo$$Lambda$14/0x0000000800c03000.run", 37},
    {"forward (torch/nn/modules/linear.py:114)", 40},
    {"java/lang/Thread.run_[j]", 24},
    {"wait (threading.py:3)", 21},
    {"read (libc.so.6)", 16},
};

static enum fst_status go_normalising(uint64_t *digest, struct fst_error *err)
{
    struct fst_buf out = {0};
    for (size_t i = 0; i < FST_COUNT_OF(frames); i++) {
        enum fst_name_role role = i == 0 ? FST_NAME_THREAD : FST_NAME_FRAME;
        struct fst_str name = fst_normalize(frames[i], role, &out);
        if (!out.failed) {
            digest_text(digest, name);
        }
    }
    bool good = !out.failed;
    fst_buf_release(&out);
    return status_of(good, err);
}

static enum fst_status go_naming_modules(uint64_t *digest, struct fst_error *err)
{
    struct fst_buf out = {0};
    for (size_t i = 0; i < FST_COUNT_OF(frames); i++) {
        struct fst_frame_parts parts = fst_frame_read(frames[i], true);
        struct fst_str module = fst_module_of(frames[i], &parts, FST_DIALECT_PYSPY, &out);
        if (!out.failed) {
            digest_text(digest, module);
        }
    }
    bool good = !out.failed;
    fst_buf_release(&out);
    return status_of(good, err);
}

static enum fst_status go_pooling(uint64_t *digest, struct fst_error *err)
{
    struct fst_pools pools;
    struct fst_buf out = {0};
    char label[16];
    bool good = true;
    fst_pools_init(&pools, 1);
    for (int i = 0; good && i < 20; i++) {
        (void)snprintf(label, sizeof label, "%s-%d", i % 2 == 0 ? "even" : "odd", i);
        good = fst_pools_add(&pools, fst_str_cstr(label));
    }
    if (good) {
        struct fst_str name = fst_pools_fold(&pools, FST_STR("even-2"), &out);
        good = !out.failed;
        digest_text(digest, good ? name : FST_STR(""));
    }
    fst_buf_release(&out);
    fst_pools_release(&pools);
    return status_of(good, err);
}

static void names_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(go_normalising);
    require_safe(go_naming_modules);
    require_safe(go_pooling);
}

/* --- rules and filters ------------------------------------------------------------------------- */

static enum fst_status judge_all(struct fst_categories *set, uint64_t *digest,
                                 struct fst_error *err)
{
    struct fst_matcher matcher = {0};
    enum fst_status status = FST_OK;
    for (size_t i = 0; status == FST_OK && i < FST_COUNT_OF(frames); i++) {
        struct fst_frame_parts parts = fst_frame_read(frames[i], true);
        struct fst_category_verdict verdict = {0};
        status = fst_categories_judge(set, &matcher, frames[i], &parts, &verdict, err);
        digest_text(digest, fst_str_of((const char *)&verdict, sizeof verdict));
    }
    fst_matcher_release(&matcher);
    return status;
}

static enum fst_status go_categorising(uint64_t *digest, struct fst_error *err)
{
    struct fst_categories *set = NULL;
    enum fst_status status = fst_categories_new(
        FST_STR("a: b c d in e f\nb: /x(y)/i\n[leaf] c: \"d e\"\n"), &set, NULL, err);
    if (status == FST_OK) {
        status = judge_all(set, digest, err);
    }
    fst_categories_free(set);
    return status;
}

static enum fst_status go_by_the_built_in_rules(uint64_t *digest, struct fst_error *err)
{
    struct fst_categories *set = NULL;
    enum fst_status status = fst_categories_new_builtin(&set, err);
    if (status == FST_OK) {
        status = judge_all(set, digest, err);
    }
    fst_categories_free(set);
    return status;
}

static enum fst_status go_by_bad_rules(uint64_t *digest, struct fst_error *err)
{
    struct fst_categories *set = NULL;
    struct fst_category_fault fault = {0};
    enum fst_status status =
        fst_categories_new(FST_STR("a: b\nc: /d/\ne: /f(/\n"), &set, &fault, err);
    assert_null(set);
    assert_int_equal(fault.line, status == FST_ERR_USAGE ? 3 : 0);
    digest_text(digest, fault.line == 3 ? fault.text : FST_STR(""));
    return status;
}

static struct fst_str frame_name(void *ctx, uint32_t id)
{
    (void)ctx;
    return frames[id];
}

static enum fst_status go_filtering(uint64_t *digest, struct fst_error *err)
{
    struct fst_pattern *py = NULL;
    enum fst_status status = fst_pattern_new(FST_STR("\\.py"), &py, NULL, err);
    struct fst_filter_options options = {.thread = NULL, .hide = py, .fold_recursion = true};
    struct fst_filter filter;
    fst_filter_init(&filter, &options, (struct fst_filter_names){frame_name, NULL});
    for (uint32_t start = 0; status == FST_OK && start < 4; start++) {
        uint32_t ids[FST_COUNT_OF(frames)];
        size_t count = 0;
        for (uint32_t id = start; id < FST_COUNT_OF(frames); id++) {
            ids[count++] = id;
        }
        bool kept = false;
        struct fst_lead lead = FST_NO_LEAD;
        status = fst_filter_stack(&filter, &lead, ids, &count, &kept, err);
        if (status == FST_OK) {
            digest_text(digest, fst_str_of((const char *)ids, count * sizeof ids[0]));
        }
    }
    fst_filter_release(&filter);
    fst_pattern_free(py);
    return status;
}

static void rules_and_filters_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(go_categorising);
    require_safe(go_by_the_built_in_rules);
    require_safe(go_by_bad_rules);
    require_safe(go_filtering);
}

/* --- selections -------------------------------------------------------------------------------- */

static enum fst_status go_selecting(uint64_t *digest, struct fst_error *err)
{
    static const struct fst_str rules[] = {{"s/a/b/", 6}, {"s/c/d/", 6}};
    const struct fst_selection_options options = {.focus = FST_STR("f+"),
                                                  .prune_from = FST_STR("x"),
                                                  .categorize = true,
                                                  .categories = FST_STR("a: b\nc: /d/\n"),
                                                  .fold_recursion = true,
                                                  .rewrites = rules,
                                                  .nrewrites = 2};
    struct fst_selection *selection = NULL;
    enum fst_status status = fst_selection_new(&options, &selection, NULL, err);
    digest_text(digest, FST_STR("selected"));
    fst_selection_free(selection);
    return status;
}

static void selections_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(go_selecting);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_survive_every_refusal),
        cmocka_unit_test(patterns_survive_every_refusal),
        cmocka_unit_test(names_survive_every_refusal),
        cmocka_unit_test(rules_and_filters_survive_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
