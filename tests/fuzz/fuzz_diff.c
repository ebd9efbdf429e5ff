/* Any two texts, parted by a NUL byte, must be compared in every format, and a text compared with itself
 * must have changed nowhere. */
#include "fuzz/text.h"

/* What the first byte decides. */
struct choices {
    struct fst_profile_options keep;
    struct fst_diff_options compare;
    size_t width;
    bool several;
};

static struct choices choose(uint8_t byte)
{
    static const enum fst_by bys[] = {FST_BY_FRAME, FST_BY_FUNCTION, FST_BY_STACK, FST_BY_THREAD};
    struct choices choices = {.width = 10U + (byte >> 2), .several = (byte & 0x80) != 0};
    choices.keep = (struct fst_profile_options){.by = bys[byte & 3], .seed = 1};
    choices.compare.on = (byte & 4) != 0 ? FST_ON_TOTAL : FST_ON_SELF;
    choices.compare.basis = (byte & 8) != 0 ? FST_BASIS_COUNT : FST_BASIS_SHARE;
    choices.compare.paths = 2;
    if (choices.keep.by == FST_BY_FUNCTION) {
        choices.keep.nested = true;
        choices.keep.inner = FST_BY_STACK;
    }
    return choices;
}

static void render(const struct fst_diff *diff, const struct fst_check *check, size_t width,
                   enum fst_format format)
{
    struct text text = {NULL, 0};
    struct fst_error err;
    struct fst_render_options look = looks(width);
    enum fst_status status = check == NULL
                                 ? fst_render_diff(diff, format, &look, collect, &text, &err)
                                 : fst_render_check(check, format, &look, collect, &text, &err);
    require(status == FST_OK);
    if (format == FST_FORMAT_JSON) {
        require_json(&text);
    }
    empty(&text);
}

static void render_all(const struct fst_diff *diff, const struct fst_check *check, size_t width)
{
    bool collapsed = check == NULL && diff->by == FST_BY_STACK;
    for (int format = FST_FORMAT_TABLE; format <= FST_FORMAT_COLLAPSED2; format++) {
        if (format != FST_FORMAT_PLAIN && (format != FST_FORMAT_COLLAPSED2 || collapsed)) {
            render(diff, check, 0, (enum fst_format)format);
            render(diff, check, width, (enum fst_format)format);
        }
    }
}

static void judge(const struct fst_diff *diff, size_t width)
{
    static const struct fst_budget budgets[] = {
        {.kind = FST_BUDGET_INCREASE, .limit = 0.02},
        {.kind = FST_BUDGET_SELF, .pattern = {"a", 1}, .limit = 0.1},
        {.kind = FST_BUDGET_TOTAL, .limit = 0.5}};
    struct fst_check *check = NULL;
    struct fst_error err;
    struct fst_check_options options = {.budgets = budgets, .nbudgets = 3};
    if (fst_check_new(diff, &options, &check, NULL, &err) == FST_OK) {
        render_all(diff, check, width);
    }
    fst_check_free(check);
}

static void compare(const struct fst_profile *before, const struct fst_profile *after,
                    const struct choices *choices)
{
    const struct fst_profile *befores[] = {before, before, before, before};
    const struct fst_profile *afters[] = {after, after, after, after};
    size_t n = choices->several ? 4 : 1;
    struct fst_diff *diff = NULL;
    struct fst_error err;
    if (fst_diff_new(befores, n, afters, n, &choices->compare, &diff, &err) != FST_OK) {
        return;
    }
    require(before != after || diff->significant == 0);
    render_all(diff, NULL, choices->width);
    judge(diff, choices->width);
    fst_diff_free(diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct choices choices = choose(data[0]);
    const char *bytes = (const char *)data + 1;
    const char *cut = memchr(bytes, '\0', size - 1);
    size_t first = cut == NULL ? size - 1 : (size_t)(cut - bytes);
    size_t second = cut == NULL ? 0 : size - 1 - first - 1;
    struct fst_profile *before = read_text(bytes, first, &choices.keep, FST_DIALECT_AUTO);
    struct fst_profile *after =
        read_text(bytes + size - 1 - second, second, &choices.keep, FST_DIALECT_AUTO);
    if (before != NULL) {
        compare(before, before, &choices);
    }
    if (before != NULL && after != NULL) {
        compare(before, after, &choices);
    }
    fst_profile_free(before);
    fst_profile_free(after);
    return 0;
}
