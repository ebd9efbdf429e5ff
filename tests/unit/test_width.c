/* Text takes the cells that a terminal gives it. */
#include "unit/helpers.h"

#include "base/escape.h"
#include "base/width.h"

static void cells_are_those_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t cells;
    } rows[] = {
        {"", 0},
        {"fit (a.py:3)", 12},
        {"caf\xc3\xa9", 4},              /* é in one code point */
        {"cafe\xcc\x81", 4},             /* é as e and a combining mark */
        {"\xcc\x81\xcc\x80", 0},         /* marks alone */
        {"\xce\xb1\xd0\x96", 2},         /* α, Ж */
        {"\xe6\xbc\xa2\xe5\xad\x97", 4}, /* Han */
        {"\xe3\x81\x8b\xed\x95\x9c", 4}, /* kana, Hangul */
        {"\xef\xbc\xa1", 2},             /* fullwidth A */
        {"\xef\xbd\xb1", 1},             /* halfwidth kana */
        {"\xf0\x9f\x94\xa5", 2},         /* emoji */
        {"a\xe2\x80\x8bz", 2},           /* zero-width space */
        {"\xe2\x80\xa6", 1},             /* … */
        {"\xff\xfe", 2},                 /* bytes that are not UTF-8 */
        {"\xe6\xbc", 2},                 /* a sequence that is cut */
        {"x\xe6\xbc\xa2\xff", 4},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        size_t cells = fst_width(fst_str_cstr(rows[i].text));
        REQUIRE(cells == rows[i].cells, "row %zu: %zu cells", i, cells);
    }
    assert_int_equal(fst_width(fst_str_of(NULL, 0)), 0);
}

static void escaped_text_is_as_wide_as_it_looks(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t cells;
    } rows[] = {
        {"\x1b[31m", 8},       /* \x1b[31m */
        {"a\x9b", 5},          /* a\x9b */
        {"\xe2\x80\xaex", 7},  /* \u202ex */
        {"\xe6\xbc\xa2\t", 6}, /* a wide character and \x09 */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf shown = {0};
        fst_escape_text(&shown, fst_str_cstr(rows[i].bytes));
        size_t cells = fst_width(fst_buf_str(&shown));
        REQUIRE(cells == rows[i].cells, "row %zu: %zu cells", i, cells);
        fst_buf_release(&shown);
    }
}

/* The longest start and end of text that fit, in bytes: prefix is a length, suffix an offset. */
static void cuts_fit_and_keep_characters_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t cells;
        size_t prefix;
        size_t suffix;
    } rows[] = {
        {"", 3, 0, 0},
        {"abc", 0, 0, 3},
        {"abc", 1, 1, 2},
        {"abc", 3, 3, 0},
        {"abc", 99, 3, 0},
        {"cafe\xcc\x81", 4, 6, 0},
        {"cafe\xcc\x81", 3, 3, 1},
        {"e\xcc\x81x", 1, 3, 3}, /* the mark goes with its e */
        {"\xe6\xbc\xa2\xe5\xad\x97", 2, 3, 3},
        {"\xe6\xbc\xa2\xe5\xad\x97", 3, 3, 3}, /* half a character is none */
        {"\xe6\xbc\xa2\xe5\xad\x97", 1, 0, 6},
        {"a\xe6\xbc\xa2", 2, 1, 1},
        {"\xff\xfe\xfd", 2, 2, 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_str text = fst_str_cstr(rows[i].text);
        size_t prefix = fst_width_prefix(text, rows[i].cells);
        size_t suffix = fst_width_suffix(text, rows[i].cells);
        REQUIRE(prefix == rows[i].prefix, "row %zu: prefix %zu", i, prefix);
        REQUIRE(suffix == rows[i].suffix, "row %zu: suffix %zu", i, suffix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_of_a_terminal),
        cmocka_unit_test(escaped_text_is_as_wide_as_it_looks),
        cmocka_unit_test(cuts_fit_and_keep_characters_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
