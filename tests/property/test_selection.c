/* Whatever is asked of a profile, no sample is lost or counted twice: rows of every kind sum to what
 * was kept, what one filter drops another keeps, filters that do not depend on each other commute,
 * names that become one keep their sum, and parts of a text add up to the whole. */
#include "unit/helpers.h"

enum { ROUNDS = 60, STACKS_MOST = 40, DEPTH_MOST = 8 };

static const char *const frames[] = {
    "main (app/run.py:3)",
    "step (app/run.py:9)",
    "step (app/run.py:11)",
    "forward (/tmp/torchinductor_u/we/cwe35nuoghrd6t4rhkzkm4w53mn7hi74v4tsmyijfb7ojrh4yega.py:10)",
    "forward (/tmp/torchinductor_u/xa/cxaoxnawn2arzdutn3iu7nbrix4lgdvezqf6urdwmssime5j74me.py:10)",
    "forward (<eval_with_key>.5 from /x/y.py:284 in forward:178)",
    "wait (threading.py:320)",
    "send (ssl.py:12)",
    "0x7f12 (libc.so.6)",
    "caf\xe9 (x.py:1)",
};

/* A text of chance: threads, processes, stacks of any depth, some of them again. */
static void make_text(struct fst_buf *out, uint64_t *seed)
{
    fst_buf_clear(out);
    size_t stacks = 1 + chance_below(seed, STACKS_MOST);
    for (size_t i = 0; i < stacks; i++) {
        if (chance_below(seed, 3) == 0) {
            fst_buf_add_fmt(out, "process %zu:\"app\";", chance_below(seed, 3));
        }
        if (chance_below(seed, 4) > 0) {
            size_t thread = chance_below(seed, 12);
            fst_buf_add_fmt(out, "thread (%zu): crew-%zu;", thread, thread);
        }
        size_t depth = 1 + chance_below(seed, DEPTH_MOST);
        for (size_t k = 0; k < depth; k++) {
            fst_buf_add_fmt(out, "%s%s", k == 0 ? "" : ";",
                            frames[chance_below(seed, FST_COUNT_OF(frames))]);
        }
        fst_buf_add_fmt(out, " %zu\n", 1 + chance_below(seed, 9));
    }
    assert_false(out->failed);
}

static struct fst_selection *select_by(struct fst_selection_options options)
{
    struct fst_selection *selection = NULL;
    struct fst_error err = {0};
    options.categorize = true;
    REQUIRE(fst_selection_new(&options, &selection, NULL, &err) == FST_OK, "%s", err.message);
    return selection;
}

static struct fst_profile *read_as(struct fst_str text, struct fst_profile_options options)
{
    struct fst_profile *profile = new_profile(options);
    read_text(profile, text, "chance");
    return profile;
}

static fst_i128 total_of(struct fst_str text, struct fst_selection_options options)
{
    struct fst_selection *selection = select_by(options);
    struct fst_profile *profile =
        read_as(text, (struct fst_profile_options){.selection = selection, .seed = 1});
    fst_i128 total = fst_count_unpack(fst_profile_total(profile));
    fst_profile_free(profile);
    fst_selection_free(selection);
    return total;
}

/* What a table of the profile looks like in CSV; false where it holds nothing that was asked for. */
static bool show(const struct fst_profile *profile, struct fst_buf *out)
{
    struct fst_top *top = NULL;
    enum fst_status status =
        fst_top_new(profile, &(struct fst_top_options){.sort = FST_SORT_TOTAL}, &top, NULL);
    fst_buf_clear(out);
    if (status != FST_OK) {
        assert_int_equal(status, FST_ERR_NO_DATA);
        return false;
    }
    render(out, top, profile, FST_FORMAT_CSV);
    fst_top_free(top);
    return true;
}

/* Any filters: each by itself may be absent. */
static struct fst_selection_options any_filters(uint64_t *seed)
{
    static const struct fst_str patterns[] = {{"step", 4},     {"forward", 7}, {"ssl|wait", 8},
                                              {"run\\.py", 7}, {".", 1},       {"crew-1", 6},
                                              {"^main", 5},    {"1", 1}};
    struct fst_selection_options options = {0};
    struct fst_str *places[] = {&options.focus, &options.ignore,    &options.hide,
                                &options.show,  &options.show_from, &options.prune_from,
                                &options.thread};
    for (size_t i = 0; i < FST_COUNT_OF(places); i++) {
        if (chance_below(seed, 5) == 0) {
            *places[i] = patterns[chance_below(seed, FST_COUNT_OF(patterns))];
        }
    }
    options.fold_recursion = chance_below(seed, 4) == 0;
    options.normalize = chance_below(seed, 2) == 0;
    options.strip_annotations = chance_below(seed, 4) == 0;
    options.no_idle = chance_below(seed, 5) == 0;
    return options;
}

/* --- sums -------------------------------------------------------------------------------------- */

static void require_sums(const struct fst_top *top, size_t round)
{
    fst_i128 total = fst_count_unpack(top->scope.total);
    fst_i128 outer = 0;
    fst_i128 inner = 0;
    fst_i128 roots = 0;
    for (size_t i = 0; i < top->leaf.count; i++) {
        const struct fst_top_row *row = &top->leaf.rows[i];
        fst_i128 self = fst_count_unpack(row->self);
        *(row->within ? &inner : &outer) += self;
        REQUIRE(fst_count_unpack(row->total) >= self && fst_count_unpack(row->total) <= total,
                "round %zu: a total out of place", round);
    }
    for (size_t i = 0; i < top->roots.count; i++) {
        roots += fst_count_unpack(top->roots.rows[i].total);
    }
    REQUIRE(outer == total, "round %zu: by %d, rows do not sum to the total", round, (int)top->by);
    REQUIRE(!top->nested || inner == total, "round %zu: by %d,%d, inner rows do not sum", round,
            (int)top->by, (int)top->inner);
    REQUIRE(roots == total, "round %zu: roots do not sum to the total", round);
}

static void rows_of_every_kind_sum_to_what_was_kept(void **state)
{
    (void)state;
    uint64_t seed = take_seed("rows_of_every_kind_sum_to_what_was_kept");
    struct fst_buf text = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        struct fst_selection_options filters = any_filters(&seed);
        struct fst_selection *selection = select_by(filters);
        for (int by = FST_BY_FRAME; by <= FST_BY_STACK; by++) {
            struct fst_profile_options options = {.by = (enum fst_by)by, .seed = 1};
            options.nested = round % 2 == 1;
            options.inner = (enum fst_by)((size_t)(by + 1) % (FST_BY_STACK + 1));
            options.root = (enum fst_root)(round % 4);
            options.selection = selection;
            struct fst_profile *profile = read_as(fst_buf_str(&text), options);
            struct fst_top *top = NULL;
            if (fst_top_new(profile, &(struct fst_top_options){0}, &top, NULL) == FST_OK) {
                require_sums(top, round);
            }
            fst_top_free(top);
            fst_profile_free(profile);
        }
        fst_selection_free(selection);
    }
    fst_buf_release(&text);
}

static void names_that_become_one_keep_their_sum(void **state)
{
    (void)state;
    uint64_t seed = take_seed("names_that_become_one_keep_their_sum");
    struct fst_buf text = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        struct fst_selection_options filters = any_filters(&seed);
        filters.normalize = false;
        fst_i128 plain = total_of(fst_buf_str(&text), filters);
        filters.normalize = true;
        REQUIRE(total_of(fst_buf_str(&text), filters) == plain, "round %zu", round);
        static const struct fst_str rules[] = {{"s/[0-9]+//g", 11}, {"s/^.*$//", 8}};
        filters.rewrites = rules;
        filters.nrewrites = 2;
        REQUIRE(total_of(fst_buf_str(&text), filters) == plain, "round %zu, rewritten", round);
    }
    fst_buf_release(&text);
}

/* --- filters among each other ------------------------------------------------------------------ */

static void what_focus_keeps_ignore_drops(void **state)
{
    (void)state;
    uint64_t seed = take_seed("what_focus_keeps_ignore_drops");
    struct fst_buf text = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        struct fst_selection_options filters = any_filters(&seed);
        filters =
            (struct fst_selection_options){.thread = filters.thread, .no_idle = filters.no_idle};
        fst_i128 all = total_of(fst_buf_str(&text), filters);
        filters.focus = FST_STR("step|ssl");
        fst_i128 with = total_of(fst_buf_str(&text), filters);
        filters.focus = (struct fst_str){0};
        filters.ignore = FST_STR("step|ssl");
        REQUIRE(with + total_of(fst_buf_str(&text), filters) == all, "round %zu", round);
    }
    fst_buf_release(&text);
}

/* Hiding what matches is showing what does not; hiding two is hiding one after the other. */
static void hide_and_show_are_each_other_s_opposite(void **state)
{
    (void)state;
    uint64_t seed = take_seed("hide_and_show_are_each_other_s_opposite");
    struct fst_buf text = {0};
    struct fst_buf shown[2] = {{0}, {0}};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        const struct fst_selection_options pair[2] = {
            {.hide = FST_STR("step|ssl|0x")},
            {.show = FST_STR("^(?!.*(step|ssl|0x))"), .hide = FST_STR("ssl")}};
        for (int i = 0; i < 2; i++) {
            struct fst_selection *selection = select_by(pair[i]);
            struct fst_profile *profile =
                read_as(fst_buf_str(&text),
                        (struct fst_profile_options){.by = FST_BY_STACK, .selection = selection});
            (void)show(profile, &shown[i]);
            fst_profile_free(profile);
            fst_selection_free(selection);
        }
        /* bytes that are not UTF-8 are matched by neither pattern */
        REQUIRE(fst_str_eq(fst_buf_str(&shown[0]), fst_buf_str(&shown[1])), "round %zu:\n%s\n%s",
                round, shown[0].data, shown[1].data);
    }
    fst_buf_release(&shown[0]);
    fst_buf_release(&shown[1]);
    fst_buf_release(&text);
}

/* --- parts and the whole ----------------------------------------------------------------------- */

static void parts_add_up_to_the_whole(void **state)
{
    (void)state;
    uint64_t seed = take_seed("parts_add_up_to_the_whole");
    struct fst_buf text = {0};
    struct fst_buf whole = {0};
    struct fst_buf sum = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        struct fst_selection_options filters = any_filters(&seed);
        struct fst_selection *selection = select_by(filters);
        struct fst_profile_options options = {
            .by = (enum fst_by)chance_below(&seed, FST_BY_STACK + 1), .selection = selection};
        options.nested = chance_below(&seed, 2) == 0;
        options.inner = (enum fst_by)((size_t)(options.by + 3) % (FST_BY_STACK + 1));
        struct fst_profile *one = new_profile(options);
        struct fst_profile *two = new_profile(options);
        struct fst_profile *third = new_profile(options);
        read_text(one, fst_buf_str(&text), "a");
        read_text(one, FST_STR("x;step (app/run.py:9) 5\n"), "b");
        read_text(two, fst_buf_str(&text), "a");
        read_text(third, FST_STR("x;step (app/run.py:9) 5\n"), "b");
        assert_int_equal(fst_profile_merge(two, third, NULL), FST_OK);
        bool shown = show(one, &whole);
        assert_int_equal(show(two, &sum), shown);
        REQUIRE(fst_str_eq(fst_buf_str(&whole), fst_buf_str(&sum)), "round %zu", round);
        fst_profile_free(one);
        fst_profile_free(two);
        fst_profile_free(third);
        fst_selection_free(selection);
    }
    fst_buf_release(&text);
    fst_buf_release(&whole);
    fst_buf_release(&sum);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_every_kind_sum_to_what_was_kept),
        cmocka_unit_test(names_that_become_one_keep_their_sum),
        cmocka_unit_test(what_focus_keeps_ignore_drops),
        cmocka_unit_test(hide_and_show_are_each_other_s_opposite),
        cmocka_unit_test(parts_add_up_to_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
