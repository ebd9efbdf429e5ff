/* Untrusted bytes can neither move a cursor, nor reorder a line, nor break JSON. */
#include "unit/helpers.h"

#include "base/escape.h"

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static void text_for_people_shows_what_is_not_plain(void **state)
{
    (void)state;
    static const struct {
        struct fst_str bytes;
        const char *shown;
    } rows[] = {
        {TEXT(""), ""},
        {TEXT("fit (a b.py:3)"), "fit (a b.py:3)"},
        {TEXT("<a href=\"x\">&'`|\\"), "<a href=\"x\">&'`|\\"},
        {TEXT("a\0b"), "a\\x00b"},
        {TEXT("\t\n\r"), "\\x09\\x0a\\x0d"},
        {TEXT("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m"},
        {TEXT("\x1b]0;title\x07"), "\\x1b]0;title\\x07"},
        {TEXT("\x1f \x7f~"), "\\x1f \\x7f~"},
        {TEXT("\x9bm"), "\\x9bm"},          /* C1 as a raw byte */
        {TEXT("\xc2\x9bm"), "\\xc2\\x9bm"}, /* C1 as UTF-8 */
        {TEXT("\xc2\x80\xc2\x9f\xc2\xa0"), "\\xc2\\x80\\xc2\\x9f\xc2\xa0"},
        {TEXT("caf\xc3\xa9"), "caf\xc3\xa9"},
        {TEXT("caf\xe9"), "caf\\xe9"}, /* Latin-1 */
        {TEXT("\xe6\xbc\xa2\xe5\xad\x97"), "\xe6\xbc\xa2\xe5\xad\x97"},
        {TEXT("\xf0\x9f\x94\xa5"), "\xf0\x9f\x94\xa5"},
        {TEXT("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf"},     /* U+10FFFF */
        {TEXT("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"}, /* beyond it */
        {TEXT("\xc0\xaf"), "\\xc0\\xaf"},                   /* overlong */
        {TEXT("\xe0\x80\xaf"), "\\xe0\\x80\\xaf"},
        {TEXT("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf"},
        {TEXT("\xed\xa0\x80"), "\\xed\\xa0\\x80"}, /* surrogates */
        {TEXT("\xed\xbf\xbf"), "\\xed\\xbf\\xbf"},
        {TEXT("\xed\x9f\xbf\xee\x80\x80"), "\xed\x9f\xbf\xee\x80\x80"}, /* their neighbours */
        {TEXT("\xe6\xbc"), "\\xe6\\xbc"},                               /* cut */
        {TEXT("\xf0\x9f\x94"), "\\xf0\\x9f\\x94"},
        {TEXT("\xe6\xbcx"), "\\xe6\\xbcx"},
        {TEXT("\x80\xbf"), "\\x80\\xbf"}, /* without a start */
        {TEXT("\xfe\xff"), "\\xfe\\xff"},
        {TEXT("a\xe2\x80\xaez"), "a\\u202ez"},                /* override */
        {TEXT("\xe2\x80\xa8\xe2\x80\xa9"), "\\u2028\\u2029"}, /* separators */
        {TEXT("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f"), "\\u061c\\u200e\\u200f"},
        {TEXT("\xe2\x81\xa6\xe2\x81\xa9"), "\\u2066\\u2069"},
        {TEXT("\xe2\x80\xa7\xe2\x80\xaf"), "\xe2\x80\xa7\xe2\x80\xaf"}, /* their neighbours */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        fst_escape_text(&out, rows[i].bytes);
        require_text(i, fst_buf_str(&out), rows[i].shown);
        char *escaped = fst_escape(rows[i].bytes);
        assert_non_null(escaped);
        assert_string_equal(escaped, rows[i].shown);
        free(escaped);
        fst_buf_release(&out);
    }
}

static void json_strings_are_quoted_and_escaped(void **state)
{
    (void)state;
    static const struct {
        struct fst_str bytes;
        const char *json;
    } rows[] = {
        {TEXT(""), "\"\""},
        {TEXT("fit (a.py:3)"), "\"fit (a.py:3)\""},
        {TEXT("say \"hi\" C:\\x /"), "\"say \\\"hi\\\" C:\\\\x /\""},
        {TEXT("\n\r\t"), "\"\\n\\r\\t\""},
        {TEXT("\0\b\f\x1b\x1f"), "\"\\u0000\\u0008\\u000c\\u001b\\u001f\""},
        {TEXT("\x7f"), "\"\\u007f\""},
        {TEXT("\xc2\x9b"), "\"\\u009b\""},
        {TEXT("\xe2\x80\xa8\xe2\x80\xae"), "\"\\u2028\\u202e\""},
        {TEXT("\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x94\xa5"), "\"\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x94\xa5\""},
        {TEXT("a\xffz\xe9"), "\"a\\\\xffz\\\\xe9\""},
        {TEXT("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\""},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf out = {0};
        fst_escape_json(&out, rows[i].bytes);
        require_text(i, fst_buf_str(&out), rows[i].json);
        fst_buf_release(&out);
    }
}

static void escapes_are_appended(void **state)
{
    (void)state;
    struct fst_buf out = {0};
    assert_true(fst_buf_add_cstr(&out, "name: "));
    fst_escape_text(&out, FST_STR("a\tb"));
    fst_buf_add_char(&out, ' ');
    fst_escape_json(&out, FST_STR("c"));
    require_text(0, fst_buf_str(&out), "name: a\\x09b \"c\"");
    fst_buf_release(&out);
}

/* The code point and its bytes by the definition of UTF-8 (RFC 3629, section 3). */
static size_t encode(uint32_t c, char out[4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    out[0] = (char)(lead[len] | c);
    return len;
}

static void every_code_point_but_surrogates_is_utf8(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x110000; c++) {
        char bytes[4];
        struct fst_str text = fst_str_of(bytes, encode(c, bytes));
        bool valid = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
        int32_t read = -1;
        size_t len = fst_utf8_next(text, &read);
        REQUIRE(len == (valid ? text.len : 0), "U+%04X: length %zu", (unsigned)c, len);
        REQUIRE(!valid || read == (int32_t)c, "U+%04X: read as %d", (unsigned)c, (int)read);
        REQUIRE(fst_is_utf8(text) == valid, "U+%04X", (unsigned)c);
        REQUIRE(text.len == 1 || !fst_is_utf8(fst_str_of(bytes, text.len - 1)), "U+%04X cut",
                (unsigned)c);
    }
    int32_t unused;
    assert_int_equal(fst_utf8_next(fst_str_of(NULL, 0), &unused), 0);
    assert_true(fst_is_utf8(fst_str_of(NULL, 0)));
    assert_false(fst_is_utf8(FST_STR("plain, then \xff")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_for_people_shows_what_is_not_plain),
        cmocka_unit_test(json_strings_are_quoted_and_escaped),
        cmocka_unit_test(escapes_are_appended),
        cmocka_unit_test(every_code_point_but_surrogates_is_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
