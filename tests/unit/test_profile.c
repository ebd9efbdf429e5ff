/* What a stack counts into: its leaf, each row it visits once, and one root. */
#include "unit/helpers.h"

#include "model/profile.h"

/* The rows of all frames as "name self/total|…" and the roots as "name total|…", largest total
 * first, ties by name. */
static void describe(const struct fst_profile *profile, struct fst_buf *rows, struct fst_buf *roots)
{
    struct fst_top *top = top_of(profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
    char self[FST_COUNT_TEXT];
    char total[FST_COUNT_TEXT];
    for (size_t i = 0; i < top->leaf.count; i++) {
        fst_count_text(top->leaf.rows[i].self, self);
        fst_count_text(top->leaf.rows[i].total, total);
        fst_buf_add_str(rows, top->leaf.rows[i].name);
        fst_buf_add_fmt(rows, " %s/%s|", self, total);
    }
    for (size_t i = 0; i < top->roots.count; i++) {
        fst_count_text(top->roots.rows[i].total, total);
        fst_buf_add_str(roots, top->roots.rows[i].name);
        fst_buf_add_fmt(roots, " %s|", total);
    }
    fst_top_free(top);
}

static void require_rows(size_t row, const char *text, struct fst_profile_options options,
                         const char *wanted_rows, const char *wanted_roots)
{
    struct fst_profile *profile = profile_of(text, options);
    struct fst_buf rows = {0};
    struct fst_buf roots = {0};
    describe(profile, &rows, &roots);
    if (wanted_rows != NULL) {
        require_text(row, fst_buf_str(&rows), wanted_rows);
    }
    if (wanted_roots != NULL) {
        require_text(row, fst_buf_str(&roots), wanted_roots);
    }
    fst_buf_release(&rows);
    fst_buf_release(&roots);
    fst_profile_free(profile);
}

static void a_stack_counts_once_in_each_row_it_visits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_by by;
        const char *rows;
    } rows[] = {
        {"a;b 3\n", FST_BY_FRAME, "a 0/3|b 3/3|"},
        {"a;b 3\na 2\na;b 1\n", FST_BY_FRAME, "a 2/6|b 4/4|"},
        {"a;b;a 3\n", FST_BY_FRAME, "a 3/3|b 0/3|"},
        {"a;a;a;a 3\na 1\n", FST_BY_FRAME, "a 4/4|"},
        {"a;b;a;b 3\nb;a 2\n", FST_BY_FRAME, "a 2/5|b 3/5|"},
        {"a;b 0.25\na;b -1\nb 1\n", FST_BY_FRAME, "b 0.25/0.25|a 0/-0.75|"},
        {"a;b 0\n", FST_BY_FRAME, "a 0/0|b 0/0|"},
        {" 12\n5\n", FST_BY_FRAME, "[no Python frames] 17/17|"},
        {"a;;b 2\n", FST_BY_FRAME, "[empty] 0/2|a 0/2|b 2/2|"},
        {"f (m.py:1);g (n.py:5);f (m.py:2) 4\n", FST_BY_FRAME,
         "f (m.py:1) 0/4|f (m.py:2) 4/4|g (n.py:5) 0/4|"},
        {"f (m.py:1);g (n.py:5);f (m.py:2) 4\n", FST_BY_FUNCTION, "f (m.py) 4/4|g (n.py) 0/4|"},
        {"f (m.py:1);g (m.py:5) 4\nf (m.py:2) 1\nf (m.py) 1\n", FST_BY_FUNCTION,
         "f (m.py) 2/6|g (m.py) 4/4|"},
        {"f (m.py:1);g (m.py:1);f (m.py:2) 4\n", FST_BY_LINE, "m.py:1 0/4|m.py:2 4/4|"},
        {"f (m.py:1);g (m.py:5);h (n.py:2) 4\nf (m.py:1) 1\n", FST_BY_FILE, "m.py 1/5|n.py 4/4|"},
        /* what cannot be told stays as it is */
        {"f (m.py:1);g (m.py);h 4\n", FST_BY_LINE, "h 4/4|m.py 0/4|m.py:1 0/4|"},
        {"f (m.py:1);g (m.py);h 4\n", FST_BY_FILE, "h 4/4|m.py 0/4|"},
        {"start;f (int) 3\nstart;f (long) 2\n", FST_BY_FUNCTION,
         "start 0/5|f (int) 3/3|f (long) 2/2|"},
        {"thread (7): T;f (m.py:1) 4\nf (m.py:1) 1\nthread (8);g (m.py:2) 5\n", FST_BY_THREAD,
         "thread (8) 5/5|thread (7): T 4/4|[no thread] 1/1|"},
        {"process 1:\"sh\";process 2:\"py\";f (m.py:1) 4\nprocess 1:\"sh\" 2\nf (m.py:1) 1\n",
         FST_BY_PROCESS, "process 2:\"py\" 4/4|process 1:\"sh\" 2/2|[no process] 1/1|"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_rows(i, rows[i].text, (struct fst_profile_options){.by = rows[i].by}, rows[i].rows,
                     NULL);
    }
}

#define THREAD "thread (7): Thread-1 (worker);"
#define BOOT                                                                                       \
    "_bootstrap (threading.py:973);_bootstrap_inner (threading.py:1016);run (threading.py:953);"

static void a_stack_has_one_root(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_root root;
        uint32_t index;
        const char *roots;
    } rows[] = {
        /* auto: the first frame that tells something, by function */
        {"main (a.py:1);f (a.py:2) 3\nmain (a.py:9) 2\nf (a.py:2) 1\n", FST_ROOT_AUTO, 0,
         "main (a.py) 5|f (a.py) 1|"},
        {THREAD BOOT "work (w.py:9);leaf (w.py:1) 5\n", FST_ROOT_AUTO, 0, "work (w.py) 5|"},
        {"process 1:\"x; y\";" THREAD BOOT "work (w.py:9) 5\n", FST_ROOT_AUTO, 0, "work (w.py) 5|"},
        {THREAD "_bootstrap (threading.py:973);run (threading.py:9) 2\nf (a.py:1) 1\n",
         FST_ROOT_AUTO, 0, "run (threading.py) 2|f (a.py) 1|"}, /* all skipped: the last */
        {"process 1:\"x\";" THREAD " 3\nf (a.py:1) 1\n", FST_ROOT_AUTO, 0,
         "[no Python frames] 3|f (a.py) 1|"},
        {" 12\nf (a.py:1) 1\n", FST_ROOT_AUTO, 0, "[no Python frames] 12|f (a.py) 1|"},
        {"0x7f12ab (libc.so);start_thread;-;f;g 2\n", FST_ROOT_AUTO, 0, "f 2|"},
        {"-;-- 2\n", FST_ROOT_AUTO, 0, "-- 2|"},
        /* an index counts every frame; where there are not that many it is the first */
        {"a;b;c 3\na;d 2\ne 1\n", FST_ROOT_INDEX, 0, "a 5|e 1|"},
        {"a;b;c 3\na;d 2\ne 1\n", FST_ROOT_INDEX, 1, "b 3|d 2|e 1|"},
        {"a;b;c 3\na;d 2\ne 1\n", FST_ROOT_INDEX, 2, "c 3|a 2|e 1|"},
        {"a;b;c 3\na;d 2\ne 1\n", FST_ROOT_INDEX, 3, "a 5|e 1|"},
        {"a;b;c 3\n", FST_ROOT_INDEX, UINT32_MAX, "a 3|"},
        {THREAD "f (a.py:1) 3\n", FST_ROOT_INDEX, 0, "thread (7): Thread-1 (worker) 3|"},
        {THREAD "f (a.py:1) 3\n", FST_ROOT_INDEX, 1, "f (a.py:1) 3|"},
        {"thread (7): T;f (a.py:1) 4\nf (a.py:1) 1\n", FST_ROOT_THREAD, 0,
         "thread (7): T 4|[no thread] 1|"},
        {"process 1:\"a\";thread (7);f 2\nprocess 1:\"a\";thread (8);f 1\n", FST_ROOT_THREAD, 0,
         "thread (7) 2|thread (8) 1|"},
        {"process 1:\"sh\";process 2:\"py\";f (m.py:1) 4\nprocess 1:\"sh\";g 2\n", FST_ROOT_PROCESS,
         0, "process 2:\"py\" 4|process 1:\"sh\" 2|"},
        /* only leading frames name the thread */
        {"thread (7);f 2\nf;thread (8) 1\n", FST_ROOT_THREAD, 0, "thread (7) 2|[no thread] 1|"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile_options options = {.root = rows[i].root, .root_index = rows[i].index};
        require_rows(i, rows[i].text, options, NULL, rows[i].roots);
    }
}

static void a_sum_that_does_not_fit_names_its_line_and_counts_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *before; /* an input that was read already */
        const char *text;
        uint64_t line;
    } rows[] = {
        {"", "a 1e26\nb 7e25\nc 1e24\n", 3},
        {"", "a -1e26\nb -1e26\n", 2},
        {"", "# comment\n\na 170141183460469231731687303.715884105727\nb 0\nb 1e-12\nc 1\n", 5},
        {"", "a 5e25\na 5e25\na 5e25\na 5e25\n", 4},
        {"a 1e26\n", "a 1\na 1e26\n", 2},
        {"a -1e26\n", "a 1\nb 2\na -1e26\n", 3},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].before, (struct fst_profile_options){0});
        struct fst_count total = fst_profile_total(profile);
        struct fst_error err = {0};
        struct fst_read_options options = {0};
        enum fst_status status =
            fst_profile_read_memory(profile, fst_str_cstr(rows[i].text), "big", &options, &err);
        REQUIRE(status == FST_ERR_RANGE, "row %zu: %d", i, (int)status);
        REQUIRE(err.line == rows[i].line, "row %zu: line %llu", i, (unsigned long long)err.line);
        assert_true(fst_count_unpack(fst_profile_total(profile)) == fst_count_unpack(total));
        fst_profile_free(profile);
    }
}

static void sums_are_exact_up_to_the_limit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *total;
    } rows[] = {
        {"a 170141183460469231731687303.715884105726\nb 1e-12\n",
         "170141183460469231731687303.715884105727"},
        {"a 9223372036854775807\nb 9223372036854775807\nc 2\n", "18446744073709551616"},
        {"a 0.1\nb 0.2\nc -0.3\n", "0"},
        {"a 1e20\nb 0.000000000001\nc -1e20\n", "0.000000000001"},
        {"", "0"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        require_count(i, fst_profile_total(profile), rows[i].total);
        fst_profile_free(profile);
    }
}

static void results_do_not_depend_on_the_seed(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {0, 1, 2, UINT64_MAX};
    struct fst_buf first = {0};
    for (size_t i = 0; i < FST_COUNT_OF(seeds); i++) {
        struct fst_profile_options options = {.by = FST_BY_FUNCTION, .seed = seeds[i]};
        struct fst_profile *profile = new_profile(options);
        struct fst_error err = {0};
        REQUIRE(fst_profile_read_path(profile, FIXTURES "/dflash/all.raw",
                                      &(struct fst_read_options){0}, &err) == FST_OK,
                "%s", err.message);
        struct fst_top *top = top_of(profile, (struct fst_top_options){.ties = FST_TIES_FIRST});
        struct fst_buf json = {0};
        render(i == 0 ? &first : &json, top, profile, FST_FORMAT_JSON);
        assert_true(i == 0 || fst_str_eq(fst_buf_str(&json), fst_buf_str(&first)));
        fst_buf_release(&json);
        fst_top_free(top);
        fst_profile_free(profile);
    }
    assert_non_null(strstr(first.data, "\"total\": 18775,"));
    fst_buf_release(&first);
    fst_profile_free(NULL);
}

static void rows_of_threads_and_processes_need_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct fst_profile_options options;
        enum fst_status status;
        const char *remedy;
    } rows[] = {
        {"a 1\n", {.by = FST_BY_THREAD}, FST_ERR_NO_DATA, "--threads"},
        {"a 1\n", {.root = FST_ROOT_THREAD}, FST_ERR_NO_DATA, "--threads"},
        {"a 1\n", {.by = FST_BY_PROCESS}, FST_ERR_NO_DATA, "--subprocesses"},
        {"a 1\n", {.root = FST_ROOT_PROCESS}, FST_ERR_NO_DATA, "--subprocesses"},
        {"thread (7);a 1\n", {.by = FST_BY_PROCESS}, FST_ERR_NO_DATA, "--subprocesses"},
        {"thread (7);a 1\na 1\n", {.by = FST_BY_THREAD, .root = FST_ROOT_THREAD}, FST_OK, NULL},
        {"process 1:\"x\";a 1\n", {.root = FST_ROOT_PROCESS}, FST_OK, NULL},
        {"", {.by = FST_BY_THREAD}, FST_OK, NULL}, /* nothing that could name one */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, rows[i].options);
        struct fst_top *top = NULL;
        struct fst_error err = {0};
        struct fst_top_options options = {0};
        enum fst_status status = fst_top_new(profile, &options, &top, &err);
        REQUIRE(status == rows[i].status, "row %zu: %d", i, (int)status);
        REQUIRE(rows[i].remedy == NULL || strstr(err.message, rows[i].remedy) != NULL,
                "row %zu: %s", i, err.message);
        REQUIRE((top != NULL) == (status == FST_OK), "row %zu: result", i);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_counts_once_in_each_row_it_visits),
        cmocka_unit_test(a_stack_has_one_root),
        cmocka_unit_test(a_sum_that_does_not_fit_names_its_line_and_counts_nothing),
        cmocka_unit_test(sums_are_exact_up_to_the_limit),
        cmocka_unit_test(results_do_not_depend_on_the_seed),
        cmocka_unit_test(rows_of_threads_and_processes_need_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
