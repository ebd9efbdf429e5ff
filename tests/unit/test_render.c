/* Results become bytes: the same everywhere, complete, or an error. */
#include "unit/helpers.h"

#include <errno.h>
#include <locale.h>
#include <math.h>

static const enum fst_format formats[] = {
    FST_FORMAT_TABLE, FST_FORMAT_PLAIN, FST_FORMAT_JSON,
    FST_FORMAT_CSV,   FST_FORMAT_TSV,   FST_FORMAT_MARKDOWN,
};

/* What a format makes of a text, in ties' order of first occurrence. */
static void render_text(struct fst_buf *out, const char *text, enum fst_format format, double ticks)
{
    struct fst_profile *profile = profile_of(text, (struct fst_profile_options){0});
    struct fst_top_options options = {.ties = FST_TIES_FIRST, .ticks = ticks};
    struct fst_top *top = top_of(profile, options);
    render(out, top, profile, format);
    fst_top_free(top);
    fst_profile_free(profile);
}

static void formats_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fst_format format;
    } rows[] = {
        {"table", FST_FORMAT_TABLE}, {"plain", FST_FORMAT_PLAIN}, {"json", FST_FORMAT_JSON},
        {"csv", FST_FORMAT_CSV},     {"tsv", FST_FORMAT_TSV},     {"md", FST_FORMAT_MARKDOWN},
    };
    enum fst_format found;
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        found = FST_FORMAT_TABLE;
        assert_true(fst_format_find(rows[i].name, &found));
        assert_int_equal(found, rows[i].format);
    }
    assert_false(fst_format_find("xml", &found));
    assert_false(fst_format_find("", &found));
    assert_false(fst_format_find("JSON", &found));
}

/* Each row is what "%5d %5.1f%% %s" of Python gives. */
static void plain_is_the_published_output(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *plain;
    } rows[] = {
        {"m;a 54\nm;b 27\nm;c 97\n", "TOTAL 178\nTOP_LEAF\n   97  54.5% c\n   54  30.3% a\n"
                                     "   27  15.2% b\nTOP_ROOT\n  178 100.0% m\n"},
        {"z 1\na 1\n", "TOTAL 2\nTOP_LEAF\n    1  50.0% z\n    1  50.0% a\n"
                       "TOP_ROOT\n    1  50.0% z\n    1  50.0% a\n"},
        {"a 1234567\n", "TOTAL 1234567\nTOP_LEAF\n1234567 100.0% a\nTOP_ROOT\n1234567 100.0% a\n"},
        {"a 1\nb 9999\n", "TOTAL 10000\nTOP_LEAF\n 9999 100.0% b\n    1   0.0% a\n"
                          "TOP_ROOT\n 9999 100.0% b\n    1   0.0% a\n"},
        /* 0.125 and 0.375 of 100 are ties of the double's own, to even */
        {"a 125\nb 375\nc 99500\n",
         "TOTAL 100000\nTOP_LEAF\n99500  99.5% c\n  375   0.4% b\n  125   0.1% a\n"
         "TOP_ROOT\n99500  99.5% c\n  375   0.4% b\n  125   0.1% a\n"},
        {"", "TOTAL 0\nTOP_LEAF\nTOP_ROOT\n"},
        {"a 0\n", "TOTAL 0\nTOP_LEAF\n    0      - a\nTOP_ROOT\n    0      - a\n"},
        {"a\x1b[31m\xff 1\n",
         "TOTAL 1\nTOP_LEAF\n    1 100.0% a\x1b[31m\xff\nTOP_ROOT\n    1 100.0% a\x1b[31m\xff\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        render_text(&out, rows[i].text, FST_FORMAT_PLAIN, 0);
        require_text(i, fst_buf_str(&out), rows[i].plain);
        fst_buf_release(&out);
    }
}

static void plain_takes_a_label_and_spares_a_terminal(void **state)
{
    (void)state;
    struct fst_profile *profile = profile_of("a\x1b[31m\xff 1\n", (struct fst_profile_options){0});
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    struct fst_render_options options = {.label = "GIL", .terminal = true};
    struct fst_buf out = {0};
    assert_int_equal(fst_render_top(top, profile, FST_FORMAT_PLAIN, &options, collect, &out, NULL),
                     FST_OK);
    require_text(0, fst_buf_str(&out),
                 "TOTAL_GIL 1\nTOP_GIL_LEAF\n    1 100.0% a\\x1b[31m\\xff\nTOP_GIL_ROOT\n"
                 "    1 100.0% a\\x1b[31m\\xff\n");
    fst_buf_release(&out);
    fst_top_free(top);
    fst_profile_free(profile);
}

/* Rows of the table that hold a name, without the blanks that pad them. */
static void tables_say_what_a_share_is_worth(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double ticks;
        const char *row; /* cells, joined by one blank */
    } rows[] = {
        {"a 54\nb 124\n", 0, "\n54 30.3% 24.1-37.4% 54 30.3% a\n"},
        {"a 1\nb 9999\n", 0, "\n1 <0.1% 0.0-0.1% 1 <0.1% a\n"},
        {"a 5\nb 9995\n", 0, "\n5 0.1% 0.0-0.1% 5 0.1% a\n"},
        {"a 0\nb 5\n", 0, "\n0 0.0% 0.0-43.4% 0 0.0% a\n"},
        {"a 0\n", 0, "\n0 - 0 - a\n"},
        {"a 3\nb -3\n", 0, "\n3 - 3 - a\n"},
        {"a 0.5\nb 0.5\n", 0, "\n0.5 50.0% 0.5 50.0% a\n"},
        {"a -1\nb 9999\n", 0, "\n-1 >-0.1% -1 >-0.1% a\n"},
        {"a 0\nb -5\n", 0, "\n0 0.0% 0 0.0% a\n"}, /* no minus before nothing */
        {"a 10\nb 10\n", 40, "\n10 50.0% 29.9-70.1% 10 50.0% 0.25 a\n"},
        {"x\x1b[2J\xe2\x80\xaey 1\n", 0, " x\\x1b[2J\\u202ey\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        struct fst_buf squeezed = {0};
        render_text(&out, rows[i].text, FST_FORMAT_TABLE, rows[i].ticks);
        for (size_t k = 0; k < out.len; k++) {
            char before = squeezed.len > 0 ? squeezed.data[squeezed.len - 1] : '\n';
            if (out.data[k] != ' ' || (before != ' ' && before != '\n')) {
                fst_buf_add_char(&squeezed, out.data[k]);
            }
        }
        fst_buf_add_char(&squeezed, '\0');
        REQUIRE(strstr(squeezed.data, rows[i].row) != NULL, "row %zu:\n%s", i, squeezed.data);
        fst_buf_release(&out);
        fst_buf_release(&squeezed);
    }
}

static void no_figure_is_ever_nan(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",       "a 0\n",   "a 3\nb -3\n", "f (a.py:1) 5\nf (a.py:2) 5\ng (b.py:1) -10\n",
        "a -1\n", "a 0.5\n", "a;b 1e26\n",
    };
    for (size_t i = 0; i < FST_COUNT_OF(texts); i++) {
        for (size_t k = 0; k < FST_COUNT_OF(formats) * 2; k++) {
            struct fst_buf out = {0};
            render_text(&out, texts[i], formats[k / 2], k % 2 == 0 ? 0 : 100);
            REQUIRE(strstr(out.data, "nan") == NULL && strstr(out.data, "inf") == NULL,
                    "row %zu: %s", i, out.data);
            fst_buf_release(&out);
        }
    }
}

static void the_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",     "fr_FR.UTF-8",
                                          "fr_FR.utf8",  "es_ES.utf8", "ru_RU.utf8"};
    static const char text[] = "# rate: 9.5\n# duration: 10\na 1\na;b 2\nb 0.5\n";
    struct fst_buf before[FST_COUNT_OF(formats)] = {{0}};
    for (size_t i = 0; i < FST_COUNT_OF(formats); i++) {
        render_text(&before[i], text, formats[i], 0);
    }
    const char *found = NULL;
    for (size_t i = 0; i < FST_COUNT_OF(locales) && found == NULL; i++) {
        found = setlocale(LC_ALL, locales[i]);
    }
    bool comma = found != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
    for (size_t i = 0; i < FST_COUNT_OF(formats); i++) {
        struct fst_buf after = {0};
        render_text(&after, text, formats[i], 0);
        assert_true(fst_str_eq(fst_buf_str(&after), fst_buf_str(&before[i])));
        fst_buf_release(&after);
        fst_buf_release(&before[i]);
    }
    assert_true(!comma || strcmp(localeconv()->decimal_point, ",") == 0); /* left as it was */
    (void)setlocale(LC_ALL, "C");
    if (!comma) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
}

/* A writer that takes so many bytes and fails at the next. */
struct limited {
    size_t room;
    int number;
    bool failed;
};

static int write_limited(void *ctx, const char *bytes, size_t len)
{
    (void)bytes;
    struct limited *limited = ctx;
    assert_false(limited->failed); /* nothing is written after an error */
    if (len > limited->room) {
        limited->failed = true;
        return limited->number;
    }
    limited->room -= len;
    return 0;
}

static void a_writer_that_fails_at_any_byte_is_an_error(void **state)
{
    (void)state;
    struct fst_profile *profile = profile_of("main (a.py:1);f (b.py:2) 3\nmain (a.py:1) 2\n",
                                             (struct fst_profile_options){0});
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    for (size_t i = 0; i < FST_COUNT_OF(formats); i++) {
        struct fst_buf out = {0};
        struct fst_render_options options = {0};
        render(&out, top, profile, formats[i]);
        for (size_t k = 0; k <= out.len; k++) {
            struct limited limited = {.room = k, .number = k % 2 == 0 ? ENOSPC : EPIPE};
            struct fst_error err = {0};
            enum fst_status status =
                fst_render_top(top, profile, formats[i], &options, write_limited, &limited, &err);
            if (k == out.len) {
                assert_int_equal(status, FST_OK);
            } else {
                REQUIRE(status == FST_ERR_IO && err.sys_errno == limited.number,
                        "format %zu, byte %zu: %d", i, k, (int)status);
            }
        }
        fst_buf_release(&out);
    }
    fst_top_free(top);
    fst_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_names),
        cmocka_unit_test(plain_is_the_published_output),
        cmocka_unit_test(plain_takes_a_label_and_spares_a_terminal),
        cmocka_unit_test(tables_say_what_a_share_is_worth),
        cmocka_unit_test(no_figure_is_ever_nan),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(a_writer_that_fails_at_any_byte_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
