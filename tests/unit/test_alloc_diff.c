/* Whichever allocation fails on the way from recordings to what diff and check say of them, the library
 * says so and loses nothing. */
#include "unit/helpers.h"

#include "base/error.h"
#include "unit/refusal.h"

enum { RECORDINGS_MOST = 8 };

/* One way, and what it takes. */
struct way {
    size_t recordings; /* a side */
    struct fst_selection_options selection;
    struct fst_profile_options profile;
    struct fst_diff_options diff;
    enum fst_format format;
};

static const char before[] = "thread (7): pool-1;main (a.py:1);f (pkg/a.py:2);g (b.py:3) 30\n"
                             "thread (7): pool-1;main (a.py:1);old (c.py:4) 9\n";
static const char after[] = "thread (8): pool-2;main (a.py:1);f (pkg/a.py:9);g (b.py:3) 70\n"
                            "thread (8): pool-2;main (a.py:1);f.cold (d.c:1);new 4\nx 1\n";

static int forget(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    (void)bytes;
    (void)len;
    return 0;
}

static enum fst_status read_all(const struct way *way, const struct fst_selection *selection,
                                struct fst_profile **profiles, struct fst_error *err)
{
    struct fst_profile_options options = way->profile;
    enum fst_status status = FST_OK;
    options.selection = selection;
    options.seed = 1;
    for (size_t i = 0; status == FST_OK && i < 2 * way->recordings; i++) {
        status = fst_profile_new(&options, &profiles[i], err);
        if (status == FST_OK) {
            const char *text = i < way->recordings ? before : after;
            status = fst_profile_read_memory(profiles[i], fst_str_cstr(text), "test",
                                             &(struct fst_read_options){0}, err);
        }
    }
    return status;
}

static enum fst_status judge(const struct way *way, const struct fst_diff *diff,
                             struct fst_error *err)
{
    static const struct fst_budget budgets[] = {
        {.kind = FST_BUDGET_INCREASE, .limit = 0.02},
        {.kind = FST_BUDGET_TOTAL, .pattern = {"^f", 2}, .limit = 0.5},
        {.kind = FST_BUDGET_SELF, .pattern = {"nothing", 7}, .limit = 0.5, .file = "b", .line = 3},
    };
    struct fst_check_options options = {.budgets = budgets, .nbudgets = FST_COUNT_OF(budgets)};
    struct fst_check *check = NULL;
    enum fst_status status = fst_check_new(diff, &options, &check, NULL, err);
    if (status == FST_OK) {
        status = fst_render_check(check, way->format, &(struct fst_render_options){0}, forget, NULL,
                                  err);
    }
    fst_check_free(check);
    return status;
}

static enum fst_status compare(const struct way *way, struct fst_profile **profiles,
                               struct fst_error *err)
{
    struct fst_diff *diff = NULL;
    const struct fst_profile *const *all = (const struct fst_profile *const *)profiles;
    enum fst_status status = fst_diff_new(all, way->recordings, all + way->recordings,
                                          way->recordings, &way->diff, &diff, err);
    if (status == FST_OK) {
        status =
            fst_render_diff(diff, way->format, &(struct fst_render_options){0}, forget, NULL, err);
    }
    if (status == FST_OK && way->diff.paths == 0 && way->diff.basis == FST_BASIS_SHARE) {
        status = judge(way, diff, err);
    }
    fst_diff_free(diff);
    return status;
}

/* The whole way. */
static enum fst_status go(const struct way *way)
{
    struct fst_profile *profiles[2 * RECORDINGS_MOST] = {NULL};
    struct fst_selection *selection = NULL;
    struct fst_error err = {0};
    enum fst_status status = fst_selection_new(&way->selection, &selection, NULL, &err);
    if (status == FST_OK) {
        status = read_all(way, selection, profiles, &err);
    }
    if (status == FST_OK) {
        status = compare(way, profiles, &err);
    }
    REQUIRE(status == FST_OK || status == FST_ERR_NOMEM, "%s", err.message);
    assert_int_equal(err.code, status);
    for (size_t i = 0; i < 2 * way->recordings; i++) {
        fst_profile_free(profiles[i]);
    }
    fst_selection_free(selection);
    return status;
}

static void refuse_each(const struct way *way, bool for_good)
{
    size_t n = 0;
    enum fst_status status;
    do {
        trap.for_good = for_good;
        trap.refused_at = n++;
        trap.seen = 0;
        trap.armed = true;
        status = go(way);
        trap.armed = false;
        /* Where it arrives although one was refused, that one was not needed: go on to the last. */
    } while (status != FST_OK || trap.seen >= n);
    assert_true(n > 50);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const struct way ways[] = {
        {.recordings = 1,
         .selection = {.normalize = true},
         .profile = {.by = FST_BY_FUNCTION},
         .format = FST_FORMAT_TABLE},
        {.recordings = 1,
         .selection = {.normalize = true, .focus = {"main", 4}},
         .profile = {.by = FST_BY_FUNCTION, .nested = true, .inner = FST_BY_STACK},
         .diff = {.paths = 2, .rows = 5},
         .format = FST_FORMAT_JSON},
        {.recordings = 1,
         .selection = {.normalize = true},
         .profile = {.by = FST_BY_THREAD},
         .diff = {.basis = FST_BASIS_COUNT},
         .format = FST_FORMAT_MARKDOWN},
        {.recordings = 2, .profile = {.by = FST_BY_FUNCTION}, .format = FST_FORMAT_CSV},
        {.recordings = 4, .profile = {.by = FST_BY_FRAME}, .format = FST_FORMAT_TSV},
    };
    for (size_t i = 0; i < FST_COUNT_OF(ways); i++) {
        refuse_each(&ways[i], false);
        refuse_each(&ways[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
