/* Whatever bytes a frame has: JSON stays JSON, and nothing reaches a terminal that steers it. */
#include "unit/helpers.h"

#include "base/escape.h"

enum { ROUNDS = 4000, LONGEST = 40, DEEPEST = 8 };

/* Pieces that bytes at random rarely make. */
static const char *const pieces[] = {
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\xc2\x9b",
    "\x9b",
    "\xe2\x80\xae",
    "\xe2\x80\xa8",
    "\xe2\x81\xa6",
    "\xef\xbb\xbf",
    "\xe6\xbc\xa2",
    "\xf0\x9f\x94\xa5",
    "cafe\xcc\x81",
    "\xed\xa0\x80",
    "\xc0\xaf",
    "\xf4\x90\x80\x80",
    "\xf0\x9f",
    "\"",
    "\\",
    "\\x1b",
    "\\u202e",
    "|",
    "`",
    "<b>",
    "f (a.py:1)",
    "\t",
    "\r",
    "\x7f",
    " ",
    ",",
    "&amp;",
};

static void add_bytes(struct fst_buf *out, uint64_t *seed)
{
    for (size_t n = chance_below(seed, LONGEST); n > 0; n--) {
        if (chance_below(seed, 3) == 0) {
            fst_buf_add_cstr(out, pieces[chance_below(seed, FST_COUNT_OF(pieces))]);
        } else {
            fst_buf_add_char(out, (char)chance_below(seed, 256));
        }
    }
}

/* The length of the well-formed sequence at the start of text, by the table of RFC 3629 (section
 * 4), or 0. */
static size_t sequence_length(struct fst_str text)
{
    static const struct {
        unsigned char first[2]; /* from, to */
        unsigned char second[2];
        size_t len;
    } rows[] = {
        {{0x00, 0x7f}, {0, 0}, 1},       {{0xc2, 0xdf}, {0x80, 0xbf}, 2},
        {{0xe0, 0xe0}, {0xa0, 0xbf}, 3}, {{0xe1, 0xec}, {0x80, 0xbf}, 3},
        {{0xed, 0xed}, {0x80, 0x9f}, 3}, {{0xee, 0xef}, {0x80, 0xbf}, 3},
        {{0xf0, 0xf0}, {0x90, 0xbf}, 4}, {{0xf1, 0xf3}, {0x80, 0xbf}, 4},
        {{0xf4, 0xf4}, {0x80, 0x8f}, 4},
    };
    const unsigned char *bytes = (const unsigned char *)text.data;
    for (size_t i = 0; i < FST_COUNT_OF(rows) && text.len > 0; i++) {
        if (bytes[0] < rows[i].first[0] || bytes[0] > rows[i].first[1] || text.len < rows[i].len) {
            continue;
        }
        bool good =
            rows[i].len == 1 || (bytes[1] >= rows[i].second[0] && bytes[1] <= rows[i].second[1]);
        for (size_t k = 2; k < rows[i].len; k++) {
            good = good && bytes[k] >= 0x80 && bytes[k] <= 0xbf;
        }
        if (good) {
            return rows[i].len;
        }
    }
    return 0;
}

/* Whether all of text is UTF-8 without controls, but for newlines where they are allowed. */
static bool is_harmless(struct fst_str text, bool newlines)
{
    while (text.len > 0) {
        size_t len = sequence_length(text);
        unsigned char first = (unsigned char)text.data[0];
        bool c1 = first == 0xc2 && (unsigned char)text.data[1] < 0xa0;
        bool newline = first == '\n' && newlines;
        if (len == 0 || (first < 0x20 && !newline) || first == 0x7f || c1) {
            return false;
        }
        text = fst_str_skip(text, len);
    }
    return true;
}

static void escaped_text_is_utf8_without_controls(void **state)
{
    (void)state;
    uint64_t seed = take_seed("escaped_text_is_utf8_without_controls");
    struct fst_buf bytes = {0};
    struct fst_buf once = {0};
    struct fst_buf twice = {0};
    for (size_t i = 0; i < ROUNDS * 10; i++) {
        fst_buf_clear(&bytes);
        fst_buf_clear(&once);
        fst_buf_clear(&twice);
        add_bytes(&bytes, &seed);
        fst_escape_text(&once, fst_buf_str(&bytes));
        fst_escape_text(&twice, fst_buf_str(&once));
        REQUIRE(is_harmless(fst_buf_str(&once), false), "round %zu: \"%.*s\"", i, (int)once.len,
                once.data);
        REQUIRE(fst_str_eq(fst_buf_str(&twice), fst_buf_str(&once)), "round %zu: again", i);
        struct fst_str left = fst_buf_str(&bytes);
        while (left.len > 0 && sequence_length(left) > 0) {
            left = fst_str_skip(left, sequence_length(left));
        }
        REQUIRE(fst_is_utf8(fst_buf_str(&bytes)) == (left.len == 0), "round %zu: UTF-8", i);
    }
    fst_buf_release(&bytes);
    fst_buf_release(&once);
    fst_buf_release(&twice);
}

/* The length of the JSON string at the start of text, with its quotes; 0 if it is none (RFC 8259,
 * section 7). */
static size_t json_string_length(const char *text)
{
    size_t at = 1;
    for (; text[at] != '"'; at++) {
        unsigned char c = (unsigned char)text[at];
        char next = text[at + 1];
        if (c < 0x20 || (c == '\\' && (next == '\0' || strchr("\"\\/bfnrtu", next) == NULL))) {
            return 0;
        }
        if (c == '\\' && text[++at] == 'u' && strspn(text + at + 1, "0123456789abcdef") < 4) {
            return 0;
        }
    }
    return at + 1;
}

/* Whether text has the form of JSON: strings, numbers and words between brackets that close. */
static bool looks_like_json(const char *text)
{
    char closers[DEEPEST + 1];
    size_t depth = 0;
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            size_t len = json_string_length(text);
            if (len == 0) {
                return false;
            }
            text += len - 1;
        } else if (*text == '{' || *text == '[') {
            if (depth == DEEPEST) {
                return false;
            }
            closers[depth++] = *text == '{' ? '}' : ']';
        } else if (*text == '}' || *text == ']') {
            if (depth == 0 || closers[--depth] != *text) {
                return false;
            }
        } else if (strncmp(text, "null", 4) == 0) {
            text += 3;
        } else if (depth == 0 ? *text != '\n' : strchr(" \n,:0123456789+-.e", *text) == NULL) {
            return false;
        }
    }
    return depth == 0;
}

static void reports_of_any_bytes_are_sound(void **state)
{
    (void)state;
    uint64_t seed = take_seed("reports_of_any_bytes_are_sound");
    struct fst_buf text = {0};
    struct fst_buf out = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        struct fst_profile_options options = {.by = (enum fst_by)chance_below(&seed, 4)};
        struct fst_profile *profile = new_profile(options);
        struct fst_read_options reading = {0};
        fst_buf_clear(&text);
        fst_buf_add_cstr(&text, "main (a.py:1);good (b.py:2) 3\n");
        for (size_t lines = chance_below(&seed, 4); lines > 0; lines--) {
            add_bytes(&text, &seed);
            fst_buf_add_fmt(&text, " %zu\n", chance_below(&seed, 50));
        }
        if (fst_profile_read_memory(profile, fst_buf_str(&text), "x\x1b.raw", &reading, NULL) ==
            FST_OK) {
            struct fst_top *top = top_of(profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
            render(&out, top, profile, FST_FORMAT_JSON);
            REQUIRE(looks_like_json(out.data), "round %zu: no JSON: %s", i, out.data);
            REQUIRE(is_harmless(fst_buf_str(&out), true), "round %zu: %s", i, out.data);
            render(&out, top, profile, FST_FORMAT_TABLE);
            REQUIRE(is_harmless(fst_buf_str(&out), true), "round %zu: %s", i, out.data);
            render(&out, top, profile, FST_FORMAT_MARKDOWN);
            REQUIRE(is_harmless(fst_buf_str(&out), true), "round %zu: %s", i, out.data);
            fst_top_free(top);
        }
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
    fst_buf_release(&out);
}

static void what_is_no_json_is_told(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{\"a\": [1, -2.5e-9, null, \"x\\n\\u00e9\\\\\"], \"b\": {}}\n", "[]"};
    static const char *const bad[] = {"[",           "]",           "[}",       "[nan]", "x",
                                      "[\"\\x1b\"]", "[\"\\u12\"]", "[\"\t\"]", "{a: 1}"};
    for (size_t i = 0; i < FST_COUNT_OF(good); i++) {
        REQUIRE(looks_like_json(good[i]), "%s", good[i]);
    }
    for (size_t i = 0; i < FST_COUNT_OF(bad); i++) {
        REQUIRE(!looks_like_json(bad[i]), "%s", bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escaped_text_is_utf8_without_controls),
        cmocka_unit_test(what_is_no_json_is_told),
        cmocka_unit_test(reports_of_any_bytes_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
