/* Inputs into profiles: what is kept of each, what they say of their recording, and that an input
 * that fails leaves no sample behind. */
#include "unit/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

static const struct fst_profile_options seeded = {.seed = 1};

/* The last input that was read. */
static const struct fst_input *last_input(const struct fst_profile *profile)
{
    size_t count = 0;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    assert_in_range(count, 1, 100);
    return &inputs[count - 1];
}

static enum fst_status read_with(struct fst_profile *profile, struct fst_str text,
                                 struct fst_read_options options, struct fst_error *err)
{
    return fst_profile_read_memory(profile, text, "test", &options, err);
}

/* --- rate, duration and ticks ----------------------------------------------------------------- */

#define SAMPLING                                                                                   \
    "py-spy> Sampling process 100 times a second for 2 seconds. Press Control-C to exit.\n"
#define WROTE   "py-spy> Wrote raw flamegraph data to 'x.raw'. Samples: 46 Errors: 3\n"
#define STOPPED "py-spy> Stopped sampling because Control-C pressed\n"

static void add_known(struct fst_buf *out, const char *name, double value)
{
    if (!isnan(value)) {
        fst_buf_add_fmt(out, "%s%s %.10g", out->len > 0 ? " " : "", name, value);
    }
}

static void ticks_come_from_options_then_comments_then_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct fst_read_options options;
        const char *known;
    } rows[] = {
        {"a 1\n", {0}, ""},
        {"a 1\n", {.rate = 99, .duration = 45}, "rate 99 duration 45 ticks 4454"},
        {"# rate: 49\n# duration: 30\na 1\n", {0}, "rate 49 duration 30 ticks 1469"},
        {"a 1\n# duration: 30\n", {.rate = 50}, "rate 50 duration 30 ticks 1499"},
        {SAMPLING "a 1\n", {0}, "rate 100 duration 2 ticks 199"},
        {SAMPLING "a 1\n" WROTE, {0}, "rate 100 duration 2 errors 3 ticks 196 said 46"},
        {SAMPLING WROTE, {.errors_given = true}, "rate 100 duration 2 errors 0 ticks 199 said 46"},
        {SAMPLING WROTE, {.errors = 5}, "rate 100 duration 2 errors 5 ticks 194 said 46"},
        {SAMPLING "# rate: 49\n", {0}, "rate 49 duration 2 ticks 97"},
        {"# rate: 49\n" SAMPLING, {0}, "rate 49 duration 2 ticks 97"},
        {"# errors: 1\n# samples: 9\n" WROTE, {0}, "errors 1 said 9"},
        {"# rate: 49\n" SAMPLING, {.rate = 10, .duration = 3}, "rate 10 duration 3 ticks 29"},
        {SAMPLING STOPPED, {0}, "rate 100"},
        {SAMPLING STOPPED, {.duration = 1.5}, "rate 100 duration 1.5 ticks 149"},
        {SAMPLING "# duration: 1.5\n" STOPPED, {0}, "rate 100 duration 1.5 ticks 149"},
        {SAMPLING STOPPED, {.ticks = 120}, "rate 100 ticks 120"},
        {"# ticks: 150\n" SAMPLING, {0}, "rate 100 duration 2 ticks 150"},
        {"# ticks: 150\n" SAMPLING, {.rate = 10}, "rate 10 duration 2 ticks 19"},
        {"# ticks: 150\n", {.ticks = 140, .rate = 10}, "rate 10 ticks 140"},
        {"# rate: 0.5\n# duration: 2\n", {0}, "rate 0.5 duration 2"},
        {"# rate: 49\n", {0}, "rate 49"},
        {"# austin: 3.7.0\n# interval: 10000\na 1\n# duration: 4000000\n",
         {.ticks = 7},
         "rate 100 duration 4"}, /* µs have no ticks */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = new_profile(seeded);
        struct fst_buf got = {0};
        assert_int_equal(read_with(profile, fst_str_cstr(rows[i].text), rows[i].options, NULL),
                         FST_OK);
        const struct fst_input *input = last_input(profile);
        add_known(&got, "rate", input->rate);
        add_known(&got, "duration", input->duration);
        add_known(&got, "errors", input->errors);
        add_known(&got, "ticks", input->ticks);
        add_known(&got, "said", input->samples_said);
        require_text(i, fst_buf_str(&got), rows[i].known);
        assert_int_equal(input->stopped_early, strstr(rows[i].text, "Stopped") != NULL);
        fst_buf_release(&got);
        fst_profile_free(profile);
    }
}

/* --- what is kept of an input ----------------------------------------------------------------- */

static void an_input_is_described(void **state)
{
    (void)state;
    struct fst_profile *profile =
        profile_of("main (a.py:1);f (b.py:2) 3\nmain (a.py:1) -1\nINFO loss 2\nx 0.0000000000001\n"
                   "1.01s behind in sampling, results may be inaccurate. Try\n",
                   (struct fst_profile_options){.seed = 1});
    const struct fst_input *input = last_input(profile);
    require_text(0, input->name, "test");
    assert_int_equal(input->status, FST_OK);
    assert_int_equal(input->dialect, FST_DIALECT_PYSPY);
    assert_true(input->split_files);
    assert_true(input->fell_behind);
    assert_int_equal(input->lines, 5);
    assert_int_equal(input->stack_lines, 4);
    assert_int_equal(input->rounded_lines, 1);
    assert_int_equal(input->negative_lines, 1);
    assert_int_equal(input->foreign_lines, 2);
    assert_int_equal(input->first_foreign, 3);
    require_count(1, input->total, "4");
    require_count(2, fst_profile_total(profile), "4");
    fst_profile_free(profile);
}

static void stacks_written_leaf_first_are_turned_round(void **state)
{
    (void)state;
    struct fst_str text = FST_STR("f (a.py:3);g (a.py:2);<module> (a.py:1) 5\n");
    struct fst_profile *profile = new_profile(seeded);
    assert_int_equal(read_with(profile, text, (struct fst_read_options){0}, NULL), FST_OK);
    assert_true(last_input(profile)->looks_leaf_first);
    fst_profile_free(profile);
    profile = new_profile(seeded);
    assert_int_equal(read_with(profile, text, (struct fst_read_options){.leaf_first = true}, NULL),
                     FST_OK);
    assert_false(last_input(profile)->looks_leaf_first);
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    require_count(0, find_row(&top->leaf, "f (a.py:3)")->self, "5");
    assert_non_null(find_row(&top->roots, "<module> (a.py)"));
    fst_top_free(top);
    fst_profile_free(profile);
}

/* --- inputs that fail ------------------------------------------------------------------------- */

#define BEFORE "a;b 5\nc 2\n"

/* A profile that holds BEFORE stays as it was, and lists the failed input too. */
static void require_untouched(struct fst_profile *profile, enum fst_status status)
{
    size_t count = 0;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    assert_int_equal(count, 2);
    assert_int_equal(inputs[0].status, FST_OK);
    assert_int_equal(inputs[1].status, status);
    require_count(0, fst_profile_total(profile), "7");
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    assert_int_equal(top->scope.stack_lines, 2);
    assert_int_equal(top->leaf.of, 2);
    assert_int_equal(top->roots.of, 2);
    fst_top_free(top);
    fst_profile_free(profile);
}

#define TEXT(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static const struct failing {
    struct fst_str text;
    struct fst_read_options options;
    enum fst_status status;
    uint64_t line;
    const char *message; /* a part of it */
} failing[] = {
    {TEXT("x 1\nbad\ny 1\n"), {.strict = true}, FST_ERR_STRICT, 2, "expected a sample count"},
    {TEXT("x 1\nbad\nbad\n"), {0}, FST_ERR_FORMAT, 0, "2 of 3 lines"},
    {TEXT("x 1e26\ny 1\nz 1e26\n"), {0}, FST_ERR_RANGE, 3, "out of range"},
    {TEXT("x 1e26\n\ny -1e26\n"), {0}, FST_ERR_RANGE, 3, "out of range"},
    {TEXT("\xff\xfe\141\0 \0001\0\n\0"), {0}, FST_ERR_FORMAT, 0, "iconv -f UTF-16"},
    {TEXT("\xfe\xff\0a\0 \0001\0\n"), {0}, FST_ERR_FORMAT, 0, "iconv -f UTF-16"},
    {TEXT("a\0 \0001\0\n\0"), {0}, FST_ERR_FORMAT, 0, "iconv -f UTF-16LE"},
    {TEXT("\0a\0 \0001\0\n"), {0}, FST_ERR_FORMAT, 0, "iconv -f UTF-16BE"},
    {TEXT("\xfd\067zXZ\0\0\4"), {0}, FST_ERR_FORMAT, 0, "xz -dc"},
    {TEXT("BZh91AY&SY\x01\x02"), {0}, FST_ERR_FORMAT, 0, "bzip2 -dc"},
    {TEXT("\x1f\x8b\x08\0\0\0\0\0\2\3K"), {0}, FST_ERR_CORRUPT, 0, "unexpected end of gzip"},
};

static void an_input_that_fails_leaves_no_sample_behind(void **state)
{
    (void)state;
    for (size_t i = 0; i < FST_COUNT_OF(failing); i++) {
        struct fst_error err = {0};
        struct fst_profile *profile = profile_of(BEFORE, seeded);
        enum fst_status status = read_with(profile, failing[i].text, failing[i].options, &err);
        REQUIRE(status == failing[i].status && err.code == status, "row %zu: status %d", i,
                (int)status);
        REQUIRE(err.line == failing[i].line, "row %zu: line %llu", i, (unsigned long long)err.line);
        REQUIRE(strstr(err.message, failing[i].message) != NULL, "row %zu: \"%s\"", i, err.message);
        require_untouched(profile, status);
    }
}

static void a_reader_that_failed_stays_failed(void **state)
{
    (void)state;
    /* The bad line is found at the end of a short text, and in a feed of a long one. */
    for (size_t more = 0; more <= 2000; more += 1000) {
        struct fst_profile *profile = profile_of(BEFORE, seeded);
        struct fst_reader *reader = NULL;
        struct fst_read_options options = {.strict = true};
        struct fst_error err = {0};
        assert_int_equal(fst_reader_new(profile, "pieces", &options, &reader, &err), FST_OK);
        enum fst_status fed = fst_reader_feed(reader, "x 1\nbad\n", 8, NULL);
        for (size_t i = 0; i < more && fed == FST_OK; i++) {
            fed = fst_reader_feed(reader, "y 1\n", 4, NULL);
        }
        assert_int_equal(fed, more == 0 ? FST_OK : FST_ERR_STRICT);
        assert_int_equal(fst_reader_finish(reader, &err), FST_ERR_STRICT);
        assert_int_equal(err.code, FST_ERR_STRICT);
        assert_int_equal(err.line, 2);
        fst_reader_free(reader);
        require_untouched(profile, FST_ERR_STRICT);
    }
}

static void a_reader_adds_its_samples_when_it_is_finished(void **state)
{
    (void)state;
    struct fst_profile *profile = new_profile(seeded);
    struct fst_reader *reader = NULL;
    assert_int_equal(fst_reader_new(profile, "x", &(struct fst_read_options){0}, &reader, NULL),
                     FST_OK);
    assert_int_equal(fst_reader_feed(reader, "a 1\n", 4, NULL), FST_OK);
    assert_int_equal(fst_reader_feed(reader, "", 0, NULL), FST_OK);
    fst_reader_free(reader);
    size_t count = 1;
    (void)fst_profile_inputs(profile, &count);
    assert_int_equal(count, 0);
    require_count(0, fst_profile_total(profile), "0");
    char name[] = "y";
    assert_int_equal(fst_reader_new(profile, name, &(struct fst_read_options){0}, &reader, NULL),
                     FST_OK);
    name[0] = 'z'; /* it was copied */
    assert_int_equal(fst_reader_feed(reader, "a 2", 3, NULL), FST_OK);
    require_count(0, fst_profile_total(profile), "0");
    assert_int_equal(fst_reader_finish(reader, NULL), FST_OK);
    fst_reader_free(reader);
    require_count(0, fst_profile_total(profile), "2");
    require_text(0, last_input(profile)->name, "y");
    assert_true(last_input(profile)->unterminated);
    fst_profile_free(profile);
}

/* --- files ------------------------------------------------------------------------------------ */

static void files_that_cannot_be_read_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int sys_errno;
    } rows[] = {{"/nonexistent/x", ENOENT}, {"/", EISDIR}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_error err = {0};
        struct fst_profile *profile = profile_of(BEFORE, seeded);
        struct fst_read_options options = {0};
        assert_int_equal(fst_profile_read_path(profile, rows[i].path, &options, &err), FST_ERR_IO);
        assert_int_equal(err.code, FST_ERR_IO);
        assert_int_equal(err.sys_errno, rows[i].sys_errno);
        require_text(i, last_input(profile)->name, rows[i].path);
        require_untouched(profile, FST_ERR_IO);
    }
}

/* Cuts the file off, of which something was read. */
static void cut_off(void *ctx, uint64_t done, uint64_t size)
{
    (void)size;
    if (done > 0) {
        assert_int_equal(ftruncate(*(int *)ctx, 12), 0);
    }
}

/* Checks that a note tells it, once. */
static void require_shrinking_noted(const struct fst_profile *profile)
{
    struct fst_top *top = NULL;
    size_t told = 0;
    assert_int_equal(fst_top_new(profile, &(struct fst_top_options){0}, &top, NULL), FST_OK);
    for (size_t i = 0; i < top->nnotes; i++) {
        told += fst_str_find(top->notes[i], FST_STR(": the file shrank while it was read")) != NULL;
    }
    assert_int_equal(told, 1);
    fst_top_free(top);
}

static void a_file_that_shrinks_is_told(void **state)
{
    (void)state;
    enum { LINES = 1000 * 1000 };
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        char path[] = "/tmp/foldstat-test-XXXXXX";
        struct fst_profile *profile = NULL;
        int fd = mkstemp(path);
        FILE *file = fdopen(fd, "w");
        assert_non_null(file);
        for (size_t i = 0; i < LINES; i++) {
            assert_true(fputs("main;work 1\n", file) >= 0);
        }
        assert_int_equal(fflush(file), 0);
        struct fst_read_options options = {.jobs = jobs};
        assert_int_equal(fst_profile_new(&seeded, &profile, NULL), FST_OK);
        assert_int_equal(fst_profile_read_path(profile, path, &options, NULL), FST_OK);
        assert_false(last_input(profile)->shrank);
        assert_int_equal(last_input(profile)->stack_lines, LINES);
        options.progress = cut_off;
        options.progress_ctx = &fd;
        assert_int_equal(fst_profile_read_path(profile, path, &options, NULL), FST_OK);
        assert_true(last_input(profile)->shrank);
        assert_in_range(last_input(profile)->stack_lines, 1, LINES - 1);
        require_shrinking_noted(profile);
        fst_profile_free(profile);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(unlink(path), 0);
    }
}

/* Many threads of which most sleep, as one of them reads what others wait for, and then fails. */
static void nobody_waits_for_a_thread_that_failed(void **state)
{
    (void)state;
    enum { LINES = 400 * 1000, FAILING = 300 * 1000, ROUNDS = 10, SECONDS = 120 };
    struct fst_buf text = {0};
    for (size_t i = 0; i < LINES; i++) {
        fst_buf_add_fmt(&text, "main;step_%zu;leaf_%zu 1\n", i % 50, i % 97);
        fst_buf_add_cstr(&text, i == FAILING ? "a 160000000000000000000000000\n"
                                               "a 160000000000000000000000000\n"
                                             : "");
    }
    struct fst_profile_options options = seeded;
    options.no_totals = true;
    (void)alarm(SECONDS);
    for (size_t i = 0; i < ROUNDS; i++) {
        struct fst_profile *profile = new_profile(options);
        struct fst_read_options reading = {.jobs = 8};
        struct fst_error err = {0};
        enum fst_status status =
            fst_profile_read_memory(profile, fst_buf_str(&text), "text", &reading, &err);
        assert_int_equal(status, FST_ERR_RANGE);
        assert_in_range(err.line, 1, FAILING + 2);
        fst_profile_free(profile);
    }
    (void)alarm(0);
    fst_buf_release(&text);
}

static void a_descriptor_is_read_from_where_it_stands(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "xa;b 1\na 2\n", 11), 11);
    assert_int_equal(close(ends[1]), 0);
    char first;
    assert_int_equal(read(ends[0], &first, 1), 1);
    struct fst_profile *profile = new_profile(seeded);
    assert_int_equal(
        fst_profile_read_fd(profile, ends[0], "-", &(struct fst_read_options){0}, NULL), FST_OK);
    require_count(0, fst_profile_total(profile), "3");
    require_text(1, last_input(profile)->name, "-");
    assert_int_equal(close(ends[0]), 0);
    fst_profile_free(profile);
}

/* Profiles that are made beside each other have one limit; what is freed does not count. */
static void tables_of_several_profiles_count_together(void **state)
{
    (void)state;
    enum { LINES = 5000, MOST = 8000000 };
    struct fst_buf text = {0};
    for (unsigned i = 0; i < LINES; i++) {
        fst_buf_add_fmt(&text, "frame number %u of a text 1\n", i);
    }
    struct fst_read_options none = {0};
    struct fst_profile_options options = {.max_memory = MOST};
    struct fst_profile *first = new_profile(options);
    options.beside = first;
    struct fst_profile *second = new_profile(options);
    assert_int_equal(fst_profile_read_memory(first, fst_buf_str(&text), "text", &none, NULL),
                     FST_OK);
    assert_int_equal(fst_profile_read_memory(second, fst_buf_str(&text), "text", &none, NULL),
                     FST_ERR_NOMEM);
    options.beside = second;
    struct fst_profile *third = new_profile(options);
    fst_profile_free(first);
    fst_profile_free(second);
    assert_int_equal(fst_profile_read_memory(third, fst_buf_str(&text), "text", &none, NULL),
                     FST_OK);
    fst_profile_free(third);
    fst_buf_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_come_from_options_then_comments_then_messages),
        cmocka_unit_test(an_input_is_described),
        cmocka_unit_test(stacks_written_leaf_first_are_turned_round),
        cmocka_unit_test(an_input_that_fails_leaves_no_sample_behind),
        cmocka_unit_test(a_reader_that_failed_stays_failed),
        cmocka_unit_test(a_reader_adds_its_samples_when_it_is_finished),
        cmocka_unit_test(files_that_cannot_be_read_are_listed),
        cmocka_unit_test(a_file_that_shrinks_is_told),
        cmocka_unit_test(nobody_waits_for_a_thread_that_failed),
        cmocka_unit_test(tables_of_several_profiles_count_together),
        cmocka_unit_test(a_descriptor_is_read_from_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
