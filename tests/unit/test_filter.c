/* Which stacks a filter keeps and what it leaves of them. Stacks are written as in a file; "-" stands
 * for one that is dropped. */
#include "unit/helpers.h"

#include "base/symtab.h"
#include "model/filter.h"

/* The patterns of a filter, in the order of struct fst_filter_options; NULL: not asked for. */
struct asked {
    const char *thread, *process, *focus, *ignore, *hide, *show, *show_from, *prune_from;
    bool fold;
};

static struct fst_str name_of(void *ctx, uint32_t id)
{
    return fst_symtab_name(ctx, id);
}

static const struct fst_pattern *compile(const char *source)
{
    struct fst_pattern *pattern = NULL;
    if (source != NULL) {
        assert_int_equal(fst_pattern_new(fst_str_cstr(source), &pattern, NULL, NULL), FST_OK);
    }
    return pattern;
}

static struct fst_filter_options compile_all(const struct asked *asked)
{
    return (struct fst_filter_options){
        .thread = compile(asked->thread),
        .process = compile(asked->process),
        .focus = compile(asked->focus),
        .ignore = compile(asked->ignore),
        .hide = compile(asked->hide),
        .show = compile(asked->show),
        .show_from = compile(asked->show_from),
        .prune_from = compile(asked->prune_from),
        .fold_recursion = asked->fold,
    };
}

static void free_all(const struct fst_filter_options *o)
{
    const struct fst_pattern *const patterns[] = {
        o->thread, o->process, o->focus, o->ignore, o->hide, o->show, o->show_from, o->prune_from};
    for (size_t i = 0; i < FST_COUNT_OF(patterns); i++) {
        fst_pattern_free((struct fst_pattern *)patterns[i]);
    }
}

/* A filter, and the names of its frames. */
struct bench {
    struct fst_symtab names;
    struct fst_filter_options options;
    struct fst_filter filter;
};

static void set_up(struct bench *bench, const struct asked *asked)
{
    fst_symtab_init(&bench->names, 1);
    bench->options = compile_all(asked);
    fst_filter_init(&bench->filter, &bench->options,
                    (struct fst_filter_names){name_of, &bench->names});
}

static void tear_down(struct bench *bench)
{
    fst_filter_release(&bench->filter);
    free_all(&bench->options);
    fst_symtab_release(&bench->names);
}

enum { DEEPEST = 32 };

static size_t split(const char *stack, struct fst_str *frames)
{
    size_t count = 0;
    for (const char *at = stack; *at != '\0';) {
        size_t len = strcspn(at, ";");
        frames[count++] = fst_str_of(at, len);
        at += len + (at[len] == ';');
    }
    return count;
}

/* Takes a stack through the bench's filter and writes what is left. */
static void run(struct bench *bench, const char *stack, struct fst_buf *out)
{
    struct fst_str frames[DEEPEST];
    uint32_t ids[DEEPEST];
    size_t count = split(stack, frames);
    for (size_t i = 0; i < count; i++) {
        ids[i] = fst_symtab_intern(&bench->names, frames[i]);
    }
    struct fst_lead lead = FST_NO_LEAD;
    if (count > 0) {
        lead = fst_dialect_pyspy.lead(frames, count);
    }
    bool kept = false;
    assert_int_equal(fst_filter_stack(&bench->filter, &lead, ids, &count, &kept, NULL), FST_OK);
    fst_buf_clear(out);
    for (size_t i = 0; kept && i < count; i++) {
        fst_buf_add_cstr(out, i > 0 ? ";" : "");
        fst_buf_add_str(out, fst_symtab_name(&bench->names, ids[i]));
    }
    if (!kept) {
        fst_buf_add_char(out, '-');
    }
}

struct row {
    struct asked asked;
    const char *stack;
    const char *left;
};

static void require_rows(const struct row *rows, size_t count)
{
    struct fst_buf out = {0};
    for (size_t i = 0; i < count; i++) {
        struct bench bench;
        set_up(&bench, &rows[i].asked);
        assert_true(fst_filter_wanted(&bench.options));
        run(&bench, rows[i].stack, &out);
        require_text(i, fst_buf_str(&out), rows[i].left);
        run(&bench, rows[i].stack, &out); /* now all verdicts are known */
        require_text(i, fst_buf_str(&out), rows[i].left);
        tear_down(&bench);
    }
    fst_buf_release(&out);
}

#define LEAD "process 5:\"python b.py\";thread (7): Worker-b;"

static void focus_keeps_stacks_with_a_match(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.focus = "b"}, "a;b;c", "a;b;c"},
        {{.focus = "^c$"}, "a;b;c", "a;b;c"},
        {{.focus = "x"}, "a;b;c", "-"},
        {{.focus = "b"}, LEAD "a;c", "-"}, /* labels are no frames */
        {{.focus = "b"}, LEAD "a;b", LEAD "a;b"},
        {{.focus = "b"}, "process 5:\"python b.py\"", "-"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void ignore_drops_stacks_with_a_match(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.ignore = "b"}, "a;b;c", "-"},
        {{.ignore = "x"}, "a;b;c", "a;b;c"},
        {{.ignore = "b"}, LEAD "a;c", LEAD "a;c"},
        {{.ignore = "b"}, "process 5:\"python b.py\"", "process 5:\"python b.py\""},
        {{.focus = "a", .ignore = "c"}, "a;b;c", "-"},
        {{.focus = "a", .ignore = "c"}, "a;b", "a;b"},
        {{.focus = "a", .ignore = "a"}, "a;b", "-"}, /* ignored is not focused */
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void hide_and_show_choose_frames(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.hide = "b"}, "a;b;c", "a;c"},
        {{.hide = "b"}, "b;b;b", "-"}, /* nothing is left */
        {{.hide = "x"}, "a;b;c", "a;b;c"},
        {{.hide = "."}, LEAD "a", "-"},
        {{.hide = "b"}, LEAD "a;b", LEAD "a"},
        {{.hide = "."}, "process 5:\"python b.py\"", "process 5:\"python b.py\""},
        {{.show = "b|c"}, "a;b;c", "b;c"},
        {{.show = "x"}, "a;b;c", "-"},
        {{.show = "b"}, LEAD "a;b", LEAD "b"},
        {{.show = "b"}, "process 5:\"python b.py\"", "-"},
        {{.show = "b|c", .hide = "c"}, "a;b;c;b", "b;b"},
        {{.focus = "b", .hide = "b"}, "a;b;c", "a;c"}, /* focus sees what is hidden */
        {{.ignore = "b", .hide = "b"}, "a;b;c", "-"},
        {{.focus = "b", .hide = "b"}, "b", "-"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void the_root_side_and_the_leaf_side_are_cut(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* the examples in pprof's sources */
        {{.show_from = "A"}, "A;B;C;B", "A;B;C;B"},
        {{.show_from = "B"}, "A;B;C;B", "B;C;B"},
        {{.show_from = "C"}, "A;B;C;B", "C;B"},
        {{.show_from = "D"}, "A;B;C;B", "-"},
        {{.prune_from = "A"}, "D;B;C;B;A", "D;B;C;B;A"},
        {{.prune_from = "B"}, "D;B;C;B;A", "D;B;C;B"},
        {{.prune_from = "C"}, "D;B;C;B;A", "D;B;C"},
        {{.prune_from = "X"}, "D;B;C;B;A", "D;B;C;B;A"},
        /* */
        {{.show_from = "B"}, LEAD "A;B;C", LEAD "B;C"},
        {{.show_from = "b"}, LEAD "A;C", "-"},
        {{.show_from = "B", .prune_from = "C"}, "A;B;C;D", "B;C"},
        {{.show_from = "C", .prune_from = "B"}, "A;B;C;D", "C;D"},
        {{.show_from = "B", .hide = "B"}, "A;B;C;D", "-"}, /* it is hidden before */
        {{.show_from = "B", .hide = "C"}, "A;B;C;D", "B;D"},
        {{.show_from = "B"}, "process 5:\"python B.py\"", "-"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void threads_and_processes_are_told_by_their_labels(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.thread = "Worker"}, LEAD "a", LEAD "a"},
        {{.thread = "python"}, LEAD "a", "-"},
        {{.thread = "Worker"}, "Worker;a", "-"},
        {{.thread = "Worker"}, "process 5:\"Worker\";a", "-"},
        {{.process = "b\\.py"}, LEAD "a", LEAD "a"},
        {{.process = "Worker"}, LEAD "a", "-"},
        {{.process = "p"}, "p;a", "-"},
        {{.process = "^process 6:"},
         "process 5:\"p\";process 6:\"q\";a",
         "process 5:\"p\";process 6:\"q\";a"},
        {{.process = "^process 5:"}, "process 5:\"p\";process 6:\"q\";a", "-"}, /* the innermost */
        {{.thread = "Worker", .process = "py"}, LEAD "a", LEAD "a"},
        {{.thread = "Worker", .process = "x"}, LEAD "a", "-"},
        {{.thread = "Worker", .focus = "x"}, LEAD "a", "-"},
        {{.thread = "7"}, "thread (7): x", "thread (7): x"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void recursion_is_folded_where_it_is_direct(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.fold = true}, "a;b;b;b;c", "a;b;c"},
        {{.fold = true}, "a;b;a;b", "a;b;a;b"},
        {{.fold = true}, "a;a", "a"},
        {{.fold = true}, "a", "a"},
        {{.fold = true}, LEAD "a;a", LEAD "a"},
        {{.fold = true, .hide = "x"}, "a;x;a;b", "a;b"}, /* neighbours by what is hidden */
        {{.fold = true, .show_from = "b"}, "a;b;b;c;c", "b;c"},
        {{.fold = true}, "process 5:\"p\";process 5:\"p\";a", "process 5:\"p\";process 5:\"p\";a"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
    uint32_t ids[] = {1, 1, 1, 2, 2, 1};
    assert_int_equal(fst_fold_recursion(ids, 6, 1), 4);
    assert_int_equal(ids[0], 1);
    assert_int_equal(ids[1], 1); /* it stands behind a fixed one */
    assert_int_equal(ids[2], 2);
    assert_int_equal(ids[3], 1);
    assert_int_equal(fst_fold_recursion(ids, 0, 0), 0);
    assert_int_equal(fst_fold_recursion(ids, 1, 3), 1);
}

static void a_name_may_be_a_label_and_a_frame(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {{.thread = "7", .hide = "thread"}, "thread (7): x;a;thread (7): x", "thread (7): x;a"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

/* --- chance ------------------------------------------------------------------------------------ */

static void make_stack(char *out, size_t size, uint64_t *chances)
{
    static const char *const leads[] = {"", "", "thread (7): t;", "process 5:\"p\";thread (8): u;"};
    size_t depth = chance_below(chances, 9);
    size_t len = (size_t)snprintf(out, size, "%s", leads[chance_below(chances, 4)]);
    for (size_t i = 0; i < depth; i++) {
        out[len++] = (char)('a' + (int)chance_below(chances, 5));
        out[len++] = ';';
    }
    out[len] = '\0';
}

static const char *take(uint64_t *chances)
{
    static const char *const patterns[] = {NULL, NULL, "a", "b|c", "[^d]", "e"};
    return patterns[chance_below(chances, FST_COUNT_OF(patterns))];
}

/* What one filter after the other leaves; "-" stays "-". */
static void run_in_turn(const struct asked *steps, size_t count, const char *stack,
                        struct fst_buf *out)
{
    char text[128];
    (void)snprintf(text, sizeof text, "%s", stack);
    for (size_t i = 0; i < count; i++) {
        struct bench bench;
        set_up(&bench, &steps[i]);
        run(&bench, text, out);
        tear_down(&bench);
        if (fst_str_eq(fst_buf_str(out), FST_STR("-"))) {
            return;
        }
        (void)snprintf(text, sizeof text, "%.*s", (int)out->len,
                       out->data == NULL ? "" : out->data);
    }
}

static void one_filter_is_its_parts_in_turn(void **state)
{
    (void)state;
    uint64_t chances = take_seed("filters in turn");
    struct fst_buf whole = {0};
    struct fst_buf parts = {0};
    for (size_t i = 0; i < 3000; i++) {
        char stack[128];
        make_stack(stack, sizeof stack, &chances);
        struct asked all = {
            .thread = chance_below(&chances, 8) == 0 ? "t" : NULL,
            .focus = take(&chances),
            .ignore = take(&chances),
            .hide = take(&chances),
            .show = take(&chances),
            .show_from = take(&chances),
            .prune_from = take(&chances),
            .fold = chance_below(&chances, 2) == 0,
        };
        struct asked steps[] = {
            {.thread = all.thread},       {.ignore = all.ignore},
            {.focus = all.focus},         {.hide = all.hide, .show = all.show},
            {.show_from = all.show_from}, {.prune_from = all.prune_from},
            {.fold = all.fold},
        };
        run_in_turn(&all, 1, stack, &whole);
        run_in_turn(steps, FST_COUNT_OF(steps), stack, &parts);
        REQUIRE(fst_str_eq(fst_buf_str(&whole), fst_buf_str(&parts)), "%zu: %s: %.*s and %.*s", i,
                stack, (int)whole.len, whole.data, (int)parts.len, parts.data);
    }
    fst_buf_release(&whole);
    fst_buf_release(&parts);
}

static void filters_that_choose_stacks_commute_and_so_do_those_that_choose_frames(void **state)
{
    (void)state;
    uint64_t chances = take_seed("filters that commute");
    struct fst_buf one = {0};
    struct fst_buf other = {0};
    for (size_t i = 0; i < 3000; i++) {
        char stack[128];
        make_stack(stack, sizeof stack, &chances);
        struct asked ab[] = {{.focus = take(&chances)}, {.ignore = take(&chances)}};
        if (i % 3 == 1) {
            ab[0] = (struct asked){.thread = "t"};
        } else if (i % 3 == 2) {
            ab[0] = (struct asked){.hide = take(&chances)};
            ab[1] = (struct asked){.show = take(&chances)};
        }
        struct asked ba[] = {ab[1], ab[0]};
        run_in_turn(ab, 2, stack, &one);
        run_in_turn(ba, 2, stack, &other);
        REQUIRE(fst_str_eq(fst_buf_str(&one), fst_buf_str(&other)), "%zu: %s: %.*s and %.*s", i,
                stack, (int)one.len, one.data, (int)other.len, other.data);
    }
    fst_buf_release(&one);
    fst_buf_release(&other);
}

static void many_names_are_judged_once_each(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, &(struct asked){.focus = "7$", .hide = "3$"});
    char text[32];
    struct fst_buf out = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 2000; i++) {
            (void)snprintf(text, sizeof text, "f%d;g%d", i, i);
            run(&bench, text, &out);
            require_text((size_t)i, fst_buf_str(&out), i % 10 == 7 ? text : "-");
        }
    }
    assert_in_range(bench.filter.known, 4000, 8192);
    fst_buf_release(&out);
    tear_down(&bench);
}

static void a_pattern_that_runs_for_ever_stops_the_filter(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, &(struct asked){.hide = "(a+)+$"});
    static const char name[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
    uint32_t id = fst_symtab_intern(&bench.names, fst_str_cstr(name));
    struct fst_lead lead = FST_NO_LEAD;
    for (int i = 0; i < 2; i++) { /* the failure is no verdict */
        size_t count = 1;
        bool kept;
        struct fst_error err = {0};
        assert_int_equal(fst_filter_stack(&bench.filter, &lead, &id, &count, &kept, &err),
                         FST_ERR_USAGE);
        assert_non_null(strstr(err.message, "took too long"));
    }
    tear_down(&bench);
}

static void nothing_may_be_asked_for(void **state)
{
    (void)state;
    struct bench bench;
    set_up(&bench, &(struct asked){0});
    assert_false(fst_filter_wanted(&bench.options));
    struct fst_buf out = {0};
    run(&bench, LEAD "a;a", &out);
    require_text(0, fst_buf_str(&out), LEAD "a;a");
    fst_buf_release(&out);
    tear_down(&bench);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(focus_keeps_stacks_with_a_match),
        cmocka_unit_test(ignore_drops_stacks_with_a_match),
        cmocka_unit_test(hide_and_show_choose_frames),
        cmocka_unit_test(the_root_side_and_the_leaf_side_are_cut),
        cmocka_unit_test(threads_and_processes_are_told_by_their_labels),
        cmocka_unit_test(recursion_is_folded_where_it_is_direct),
        cmocka_unit_test(a_name_may_be_a_label_and_a_frame),
        cmocka_unit_test(one_filter_is_its_parts_in_turn),
        cmocka_unit_test(filters_that_choose_stacks_commute_and_so_do_those_that_choose_frames),
        cmocka_unit_test(many_names_are_judged_once_each),
        cmocka_unit_test(a_pattern_that_runs_for_ever_stops_the_filter),
        cmocka_unit_test(nothing_may_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
