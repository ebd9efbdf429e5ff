/* What a picture says: labels that fit, and the same bytes whatever the locale or the way in. */
#include "unit/flames.h"

#include <locale.h>

#include "base/escape.h"
#include "render/flame_parts.h"

static void labels_are_cut_to_what_tells_most(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t cells;
        const char *label;
    } rows[] = {
        {"forward (torch/nn/linear.py:125)", 40, "forward (torch/nn/linear.py:125)"},
        {"forward (torch/nn/linear.py:125)", 32, "forward (torch/nn/linear.py:125)"},
        {"forward (torch/nn/linear.py:125)", 31, "forward (linear.py:125)"},
        {"forward (torch/nn/linear.py:125)", 23, "forward (linear.py:125)"},
        {"forward (torch/nn/linear.py:125)", 22, "forward"},
        {"forward (torch/nn/linear.py:125)", 7, "forward"},
        {"forward (torch/nn/linear.py:125)", 6, "forwa…"},
        {"forward (torch/nn/linear.py:125)", 3, "fo…"},
        {"forward (torch/nn/linear.py:125)", 2, ""},
        {"f (C:\\x\\y.py:3)", 12, "f (y.py:3)"},
        {"ns::f(int) const", 8, "ns::f(i…"},
        {"a (b) (c/d.py:1)", 14, "a (b) (d.py:1)"},
        {"漢字かな", 8, "漢字かな"},
        {"漢字かな", 7, "漢字か…"},
        {"漢字かな", 6, "漢字…"},
        {"<&>\"'", 5, "&lt;&amp;&gt;&quot;&#39;"},
        {"<&>\"'", 4, "&lt;&amp;&gt;…"},
        {"\x1b[2J", 20, "\\x1b[2J"},
        {"(x)", 3, "(x)"},
        {"", 9, ""},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        fst_flame_label(&out, fst_str_cstr(rows[i].name), rows[i].cells);
        require_text(i, fst_buf_str(&out), rows[i].label);
        fst_buf_release(&out);
    }
}

static void markup_is_escaped(void **state)
{
    (void)state;
    static const struct {
        struct fst_str text;
        const char *xml;
    } rows[] = {
        {{"plain", 5}, "plain"},
        {{"<b a=\"1\" c='2'>&amp;", 20}, "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"},
        {{"]]>", 3}, "]]&gt;"},
        {{"a\0b\x1f\x7f", 5}, "a\\x00b\\x1f\\x7f"},
        {{"\xc2\x85\xff", 3}, "\\xc2\\x85\\xff"},
        {{"\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", 9}, "\\ufffe\\uffff\xef\xbf\xbd"},
        {{"\xed\xa0\x80", 3}, "\\xed\\xa0\\x80"},
        {{"é漢", 5}, "é漢"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        fst_escape_xml(&out, rows[i].text);
        require_text(i, fst_buf_str(&out), rows[i].xml);
        fst_buf_release(&out);
    }
}

static void numbers_do_not_follow_the_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    struct fst_profile *profile = tree_profile("a;b 1\na;c 2\n");
    struct fst_flame *flame = flame_of(profile, NULL, (struct fst_flame_options){0});
    struct fst_buf wanted = {0};
    draw(&wanted, flame, (struct fst_picture_options){0});
    for (size_t i = 0; i < FST_COUNT_OF(locales); i++) {
        struct fst_buf got = {0};
        (void)setlocale(LC_ALL, locales[i]);
        draw(&got, flame, (struct fst_picture_options){0});
        (void)setlocale(LC_ALL, "C");
        require_text(i, fst_buf_str(&got), wanted.data);
        fst_buf_release(&got);
    }
    assert_non_null(strstr(wanted.data, "width=\"66.666667%\""));
    fst_buf_release(&wanted);
    fst_flame_free(flame);
    fst_profile_free(profile);
}

static int refuse(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    (void)bytes;
    (void)len;
    return 28; /* ENOSPC */
}

static void a_refused_write_is_told(void **state)
{
    (void)state;
    struct fst_profile *profile = tree_profile("a 1\n");
    struct fst_flame *flame = flame_of(profile, NULL, (struct fst_flame_options){0});
    struct fst_error err = {0};
    assert_int_equal(fst_render_flame(flame, &(struct fst_picture_options){0}, refuse, NULL, &err),
                     FST_ERR_IO);
    assert_int_equal(err.sys_errno, 28);
    fst_flame_free(flame);
    fst_profile_free(profile);
}

static void decimals_that_are_damaged_are_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"13", "-13", "x", "1.5", "99999999999999999999"};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf svg = {0};
        struct fst_error err = {0};
        fst_buf_add_fmt(&svg,
                        "<svg><svg data-decimals=\"%s\"><g><title>all (1 samples, 100%%)</title>"
                        "<rect x=\"0\" y=\"0\" width=\"1\" fg:x=\"0\" fg:w=\"1\"/></g></svg></svg>",
                        rows[i]);
        struct fst_profile *profile = new_profile((struct fst_profile_options){0});
        assert_int_equal(fst_profile_read_memory(profile, fst_buf_str(&svg), "svg",
                                                 &(struct fst_read_options){0}, &err),
                         FST_ERR_FORMAT);
        assert_string_equal(err.message, "a damaged flame graph: data-decimals is no number from "
                                         "-12 to 12");
        fst_profile_free(profile);
        fst_buf_release(&svg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_cut_to_what_tells_most),
        cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(numbers_do_not_follow_the_locale),
        cmocka_unit_test(a_refused_write_is_told),
        cmocka_unit_test(decimals_that_are_damaged_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
