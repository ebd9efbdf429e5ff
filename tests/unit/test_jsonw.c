/* The JSON writer puts commas, colons and line ends where they belong. */
#include "unit/helpers.h"

#include <math.h>

#include "render/jsonw.h"
#include "render/render.h"

/* A writer whose output is collected. */
struct fixture {
    struct fst_sink sink;
    struct fst_buf out;
    struct fst_jsonw w;
};

static void start(struct fixture *f)
{
    *f = (struct fixture){.w = {.sink = &f->sink}};
    fst_sink_init(&f->sink, collect, &f->out);
}

static void require_output(struct fixture *f, const char *wanted)
{
    assert_int_equal(fst_sink_finish(&f->sink, NULL), FST_OK);
    require_text(0, fst_buf_str(&f->out), wanted);
    fst_buf_release(&f->out);
}

static void levels_are_indented_and_end_in_one_newline(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    fst_jsonw_open(&f.w, NULL, '{');
    fst_jsonw_u64(&f.w, "schema", 1);
    fst_jsonw_open(&f.w, "leaf", '{');
    fst_jsonw_open(&f.w, "rows", '[');
    fst_jsonw_u64(&f.w, NULL, 7);
    fst_jsonw_u64(&f.w, NULL, 8);
    fst_jsonw_close(&f.w);
    fst_jsonw_u64(&f.w, "of", 2);
    fst_jsonw_close(&f.w);
    fst_jsonw_text(&f.w, "last", FST_STR("x"));
    fst_jsonw_close(&f.w);
    require_output(&f, "{\n"
                       "  \"schema\": 1,\n"
                       "  \"leaf\": {\n"
                       "    \"rows\": [\n"
                       "      7,\n"
                       "      8\n"
                       "    ],\n"
                       "    \"of\": 2\n"
                       "  },\n"
                       "  \"last\": \"x\"\n"
                       "}\n");
}

static void empty_levels_stay_closed(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    fst_jsonw_open(&f.w, NULL, '{');
    fst_jsonw_open(&f.w, "notes", '[');
    fst_jsonw_close(&f.w);
    fst_jsonw_open(&f.w, "none", '{');
    fst_jsonw_close(&f.w);
    fst_jsonw_close(&f.w);
    require_output(&f, "{\n  \"notes\": [],\n  \"none\": {}\n}\n");
    start(&f);
    fst_jsonw_open(&f.w, NULL, '[');
    fst_jsonw_close(&f.w);
    require_output(&f, "[]\n");
}

static void inline_levels_stand_on_one_line(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    fst_jsonw_open(&f.w, NULL, '[');
    for (uint64_t i = 0; i < 2; i++) {
        fst_jsonw_open_inline(&f.w, NULL, '{');
        fst_jsonw_text(&f.w, "name", FST_STR("f"));
        fst_jsonw_u64(&f.w, "self", i);
        fst_jsonw_interval(&f.w, "ci", (struct fst_interval){0.25, 0.5});
        fst_jsonw_close(&f.w);
    }
    fst_jsonw_close(&f.w);
    require_output(&f, "[\n"
                       "  {\"name\":\"f\",\"self\":0,\"ci\":[0.25,0.5]},\n"
                       "  {\"name\":\"f\",\"self\":1,\"ci\":[0.25,0.5]}\n"
                       "]\n");
}

static void counts_are_exact_and_absent_figures_null(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    fst_jsonw_open_inline(&f.w, NULL, '[');
    fst_jsonw_count(&f.w, NULL, fst_count_pack(FST_COUNT_MAX));
    fst_jsonw_count(&f.w, NULL, fst_count_pack(-FST_COUNT_ONE / 4));
    fst_jsonw_count(&f.w, NULL, fst_count_pack(FST_COUNT_ONE * 1000000 * 1000000 * 1000000));
    fst_jsonw_u64(&f.w, NULL, UINT64_MAX);
    fst_jsonw_double(&f.w, NULL, 0.1);
    fst_jsonw_double(&f.w, NULL, NAN);
    fst_jsonw_double(&f.w, NULL, INFINITY);
    fst_jsonw_interval(&f.w, NULL, (struct fst_interval){NAN, NAN});
    fst_jsonw_interval(&f.w, NULL, (struct fst_interval){0, 1});
    fst_jsonw_close(&f.w);
    require_output(&f, "[170141183460469231731687303.715884105727,-0.25,1000000000000000000,"
                       "18446744073709551615,0.1,null,null,null,[0,1]]\n");
}

static void names_that_are_no_utf8_come_in_hex_too(void **state)
{
    (void)state;
    static const struct {
        struct fst_str name;
        const char *json;
    } rows[] = {
        {{"fit (a.py:3)", 12}, "{\"name\":\"fit (a.py:3)\"}\n"},
        {{"", 0}, "{\"name\":\"\"}\n"},
        {{"caf\xc3\xa9", 5}, "{\"name\":\"caf\xc3\xa9\"}\n"},
        {{"caf\xe9", 4}, "{\"name\":\"caf\\\\xe9\",\"name_hex\":\"636166e9\"}\n"},
        {{"\0\xff", 2}, "{\"name\":\"\\u0000\\\\xff\",\"name_hex\":\"00ff\"}\n"},
        {{"\\xff", 4}, "{\"name\":\"\\\\xff\"}\n"}, /* the text, not the byte */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fixture f;
        start(&f);
        fst_jsonw_open_inline(&f.w, NULL, '{');
        fst_jsonw_name(&f.w, rows[i].name);
        fst_jsonw_close(&f.w);
        require_output(&f, rows[i].json);
    }
}

static void levels_nest_as_deep_as_promised(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    for (int i = 0; i < FST_JSONW_DEPTH; i++) {
        fst_jsonw_open_inline(&f.w, NULL, '[');
    }
    for (int i = 0; i < FST_JSONW_DEPTH; i++) {
        fst_jsonw_close(&f.w);
    }
    require_output(&f, "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]\n");
}

static void what_was_asked_is_spelled_as_on_the_command_line(void **state)
{
    (void)state;
    static const char *const by[] = {"frame", "function", "line", "file", "thread", "process"};
    static const struct {
        enum fst_root root;
        uint32_t index;
        const char *text;
    } roots[] = {
        {FST_ROOT_AUTO, 7, "auto"},
        {FST_ROOT_INDEX, 0, "0"},
        {FST_ROOT_INDEX, UINT32_MAX, "4294967295"},
        {FST_ROOT_THREAD, 7, "thread"},
        {FST_ROOT_PROCESS, 7, "process"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(by); i++) {
        assert_string_equal(fst_by_name((enum fst_by)i), by[i]);
    }
    for (size_t i = 0; i < FST_COUNT_OF(roots); i++) {
        struct fst_buf out = {0};
        fst_root_add(&out, roots[i].root, roots[i].index);
        require_text(i, fst_buf_str(&out), roots[i].text);
        fst_buf_release(&out);
    }
    assert_string_equal(fst_counting_name(FST_COUNTING_SAMPLES), "samples");
    assert_string_equal(fst_counting_name(FST_COUNTING_PERIODS), "periods");
    assert_string_equal(fst_counting_name(FST_COUNTING_NONE), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_indented_and_end_in_one_newline),
        cmocka_unit_test(empty_levels_stay_closed),
        cmocka_unit_test(inline_levels_stand_on_one_line),
        cmocka_unit_test(counts_are_exact_and_absent_figures_null),
        cmocka_unit_test(names_that_are_no_utf8_come_in_hex_too),
        cmocka_unit_test(levels_nest_as_deep_as_promised),
        cmocka_unit_test(what_was_asked_is_spelled_as_on_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
