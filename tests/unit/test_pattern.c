/* Patterns match names of any bytes, say where they are wrong, and are stopped where they would
 * run for ever; rewrites are sed's, over Perl's expressions. */
#include "unit/helpers.h"

#include <time.h>

#include "base/pattern.h"

static struct fst_pattern *new_pattern(struct fst_str source)
{
    struct fst_pattern *pattern = NULL;
    struct fst_error err = {0};
    enum fst_status status = fst_pattern_new(source, &pattern, NULL, &err);
    REQUIRE(status == FST_OK, "%.*s: %s", (int)source.len, source.data, err.message);
    assert_true(fst_str_eq(fst_pattern_source(pattern), source));
    return pattern;
}

struct match_row {
    struct fst_str pattern;
    struct fst_str name;
    bool matches;
};

#define ROW(pattern, name, matches)                                                                \
    {                                                                                              \
        {(pattern), sizeof(pattern) - 1}, {(name), sizeof(name) - 1}, (matches)                    \
    }

static void names_of_any_bytes_are_matched(void **state)
{
    (void)state;
    static const struct match_row rows[] = {
        ROW("", "", true),
        ROW("", "x", true),
        ROW("forward", "forward (model.py:3)", true),
        ROW("^forward$", "forward (model.py:3)", false),
        ROW("linear\\.py", "forward (torch/nn/modules/linear.py:114)", true),
        ROW("Forward", "forward", false),
        ROW("(?i)Forward", "forward", true),
        ROW("a.b", "a\nb", true), /* a name is no line */
        ROW("^a$", "a\n", false),
        ROW("a.b", "a\0b", true),
        ROW("a\0b", "a\0b", true),
        ROW("a\0b", "a", false),
        /* characters, not bytes */
        ROW("^h.t$", "h\xc3\xb6t", true),
        ROW("^h..t$", "h\xc3\xb6t", false),
        ROW("(?i)\xc3\x96", "\xc3\xb6", true),
        ROW("^\\w+$", "caf\xc3\xa9", true),
        ROW("h[\xc3\xb6\xc3\xbc]t", "h\xc3\xbct", true),
        /* bytes that are not UTF-8 match nothing; the rest does */
        ROW("caf", "caf\xe9", true),
        ROW("^caf$", "caf\xe9", false),
        ROW("caf.", "caf\xe9", false),
        ROW("x$", "\xff\xfex", true),
        ROW("[^a]", "\xe9", false),
        /* a pattern that is not UTF-8 is compared by bytes */
        ROW("caf\xe9", "caf\xe9 (a.py)", true),
        ROW("caf\xe9", "caf\xc3\xa9 (a.py)", false),
        ROW("\xc3.x", "\xc3\xa9x", true),
        ROW("\xe9..", "\xe9\xff\x00", true),
    };
    struct fst_matcher matcher = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_pattern *pattern = new_pattern(rows[i].pattern);
        bool matched = !rows[i].matches;
        assert_int_equal(fst_pattern_match(pattern, &matcher, rows[i].name, &matched, NULL),
                         FST_OK);
        REQUIRE(matched == rows[i].matches, "row %zu", i);
        fst_pattern_free(pattern);
    }
    fst_matcher_release(&matcher);
}

static void a_name_without_bytes_may_be_null(void **state)
{
    (void)state;
    struct fst_pattern *pattern = new_pattern(FST_STR("^$"));
    struct fst_matcher matcher = {0};
    bool matched = false;
    struct fst_str none = {NULL, 0};
    assert_int_equal(fst_pattern_match(pattern, &matcher, none, &matched, NULL), FST_OK);
    assert_true(matched);
    fst_pattern_free(pattern);
    fst_matcher_release(&matcher);
    fst_pattern_free(NULL);
}

static void a_bad_pattern_says_what_and_where(void **state)
{
    (void)state;
    const struct {
        struct fst_str source;
        size_t offset;
        const char *message;
    } rows[] = {
        {FST_STR("(a"), 2, "bad pattern: missing closing parenthesis"},
        {FST_STR("a)b"), 1, "bad pattern: unmatched closing parenthesis"},
        {FST_STR("*a"), 0, "bad pattern: quantifier does not follow a repeatable item"},
        {FST_STR("ab[c"), 4, "bad pattern: missing terminating ] for character class"},
        {FST_STR("a\\"), 2, "bad pattern: \\ at end of pattern"},
        {FST_STR("(?<n>a)(?<n>b)"), 12,
         "bad pattern: two named subpatterns have the same name (PCRE2_DUPNAMES not set)"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_pattern *pattern = NULL;
        struct fst_error err = {0};
        size_t offset = SIZE_MAX;
        assert_int_equal(fst_pattern_new(rows[i].source, &pattern, &offset, &err), FST_ERR_USAGE);
        assert_null(pattern);
        assert_int_equal(err.code, FST_ERR_USAGE);
        REQUIRE(offset == rows[i].offset, "row %zu: offset %zu", i, offset);
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(fst_pattern_new(rows[i].source, &pattern, NULL, NULL), FST_ERR_USAGE);
    }
}

static void what_could_break_characters_is_refused(void **state)
{
    (void)state;
    const struct fst_str sources[] = {FST_STR("a\\C"), FST_STR("\xff\\C"), FST_STR("(*UTF)\xff"),
                                      FST_STR("(*UCP)\xff")};
    for (size_t i = 0; i < FST_COUNT_OF(sources); i++) {
        struct fst_pattern *pattern = NULL;
        REQUIRE(fst_pattern_new(sources[i], &pattern, NULL, NULL) == FST_ERR_USAGE, "row %zu", i);
    }
}

/* --- patterns that would run for ever ---------------------------------------------------------- */

static void a_pathological_pattern_is_stopped(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "(a+)+$",          "(a|a)*$",           "^(a*)*b?$", "(?:a?){60}a{60}c?$",
        "(*NO_JIT)(a+)+$", "(*NO_JIT)(a|aa)+$",
    };
    char name[61];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '!';
    struct fst_matcher matcher = {0};
    for (size_t i = 0; i < FST_COUNT_OF(sources); i++) {
        struct fst_pattern *pattern = new_pattern(fst_str_cstr(sources[i]));
        struct fst_error err = {0};
        bool matched;
        clock_t start = clock();
        enum fst_status status =
            fst_pattern_match(pattern, &matcher, fst_str_of(name, sizeof name), &matched, &err);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        REQUIRE(status == FST_ERR_USAGE, "%s: status %d", sources[i], (int)status);
        assert_non_null(strstr(err.message, "took too long and was stopped"));
        assert_non_null(strstr(err.message, sources[i]));
        REQUIRE(seconds < 10, "%s: %f s", sources[i], seconds);
        fst_pattern_free(pattern);
    }
    fst_matcher_release(&matcher);
}

static void the_error_shows_a_pattern_that_is_safe_to_print(void **state)
{
    (void)state;
    struct fst_pattern *pattern = new_pattern(FST_STR("(a+)+$|\x1b"));
    struct fst_matcher matcher = {0};
    struct fst_error err = {0};
    bool matched;
    assert_int_equal(fst_pattern_match(pattern, &matcher,
                                       FST_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                                       &matched, &err),
                     FST_ERR_USAGE);
    assert_string_equal(err.message, "the pattern \"(a+)+$|\\x1b\" took too long and was stopped");
    fst_pattern_free(pattern);
    fst_matcher_release(&matcher);
}

static void long_names_are_matched(void **state)
{
    (void)state;
    static char name[1 << 20];
    memset(name, 'a', sizeof name);
    memcpy(name + sizeof name - 6, "needle", 6);
    static const char *const sources[] = {"needle$", "a+needle", "^(a|b)+needle", "^.*needle"};
    struct fst_matcher matcher = {0};
    for (size_t i = 0; i < FST_COUNT_OF(sources); i++) {
        size_t len = i < 2 ? sizeof name : 10000;
        struct fst_pattern *pattern = new_pattern(fst_str_cstr(sources[i]));
        bool matched = false;
        struct fst_error err = {0};
        enum fst_status status = fst_pattern_match(
            pattern, &matcher, fst_str_of(name + sizeof name - len, len), &matched, &err);
        REQUIRE(status == FST_OK && matched, "%s: %s", sources[i], err.message);
        fst_pattern_free(pattern);
    }
    fst_matcher_release(&matcher);
}

/* --- rewriting --------------------------------------------------------------------------------- */

static void rewrites_replace(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        const char *name;
        const char *wanted; /* NULL: the name itself comes back */
    } rows[] = {
        {"s/a/b/", "banana", "bbnana"},
        {"s/a/b/g", "banana", "bbnbnb"},
        {"s/x/b/g", "banana", NULL},
        {"s/A/b/ig", "banana", "bbnbnb"},
        {"s/a//g", "banana", "bnn"},
        {"s/a$//", "banana", "banan"},
        {"s/ \\(.*//", "f (a.py:3)", "f"},
        {"s|/tmp/[^/]*/||", "call (/tmp/x1/a.py:3)", "call (a.py:3)"},
        {"s/\\/tmp\\/x1\\///", "call (/tmp/x1/a.py:3)", "call (a.py:3)"},
        {"s|a\\|b|X|g", "a|b ab", "X ab"}, /* escaped, the delimiter is that character */
        {"s,(\\w+)_(\\d+),\\2-\\1,", "worker_12", "12-worker"},
        {"s/n/<&>/g", "banana", "ba<n>a<n>a"},
        {"s/n/<\\0>/g", "banana", "ba<n>a<n>a"},
        {"s/n/\\&\\\\/g", "banana", "ba&\\a&\\a"},
        {"s/\\$\\$Lambda.*/$$Lambda$1/", "Foo$$Lambda$12/0x8", "Foo$$Lambda$1"},
        {"s/(a)|(b)/[\\1\\2]/g", "abc", "[a][b]c"},
        {"s/a/\\t\\n/", "a", "\t\n"},
        {"s/a/b\\/c/", "a", "b/c"},
        /* empty matches, as sed has them */
        {"s/x*/-/g", "abc", "-a-b-c-"},
        {"s/a*/x/g", "baaac", "xbxcx"},
        {"s/^/p./", "f", "p.f"},
        {"s/$/!/", "f", "f!"},
        {"s/x*/-/g", "", "-"},
        {"s/x*/-/g", "\xc3\xa9z", "-\xc3\xa9-z-"},
        {"s/(?=a)/^/g", "banana", "b^an^an^a"},
        {"s/^a/x/g", "aaa", "xaa"},
        {"s/(?<=a)a/x/g", "aaaa", "axxx"},
        {"s/a\\Kb/x/g", "abab", "axax"},
        {"s//x/", "abc", "xabc"},
        {"s#\\##x#", "a#b", "axb"},
    };
    struct fst_matcher matcher = {0};
    struct fst_buf scratch = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_rewrite *rule = NULL;
        struct fst_error err = {0};
        enum fst_status status = fst_rewrite_new(fst_str_cstr(rows[i].rule), &rule, NULL, &err);
        REQUIRE(status == FST_OK, "%s: %s", rows[i].rule, err.message);
        struct fst_str name = fst_str_cstr(rows[i].name);
        struct fst_str got = {0};
        status = fst_rewrite_apply(rule, &matcher, name, &scratch, &got, &err);
        REQUIRE(status == FST_OK, "%s: %s", rows[i].rule, err.message);
        if (rows[i].wanted == NULL) {
            assert_ptr_equal(got.data, name.data);
            assert_int_equal(got.len, name.len);
        } else {
            require_text(i, got, rows[i].wanted);
        }
        fst_rewrite_free(rule);
    }
    fst_buf_release(&scratch);
    fst_matcher_release(&matcher);
    fst_rewrite_free(NULL);
}

static void a_bad_rewrite_says_what_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        size_t offset;
        const char *message;
    } rows[] = {
        {"", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"s", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"a/b", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"sxaxbx", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"s\\a\\b\\", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"s a b ", 0, "bad rewrite: expected s/PATTERN/TEXT/"},
        {"s/a", 3, "bad rewrite: expected another /, as in s/PATTERN/TEXT/"},
        {"s/a/b", 5, "bad rewrite: expected another /, as in s/PATTERN/TEXT/"},
        {"s|a|b\\|", 7, "bad rewrite: expected another |, as in s|PATTERN|TEXT|"},
        {"s/a/b\\", 6, "bad rewrite: expected another /, as in s/PATTERN/TEXT/"},
        {"s/a/b/gx", 7, "bad rewrite: expected one of the flags g and i"},
        {"s/(a)/\\2/", 7, "bad rewrite: the pattern has no such group"},
        {"s/ab(/x/", 5, "bad pattern: missing closing parenthesis"},
        {"s/*/x/", 2, "bad pattern: quantifier does not follow a repeatable item"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_rewrite *rule = NULL;
        struct fst_error err = {0};
        size_t offset = SIZE_MAX;
        REQUIRE(fst_rewrite_new(fst_str_cstr(rows[i].rule), &rule, &offset, &err) == FST_ERR_USAGE,
                "%s", rows[i].rule);
        assert_null(rule);
        assert_string_equal(err.message, rows[i].message);
        REQUIRE(offset == rows[i].offset, "%s: offset %zu", rows[i].rule, offset);
        assert_int_equal(fst_rewrite_new(fst_str_cstr(rows[i].rule), &rule, NULL, NULL),
                         FST_ERR_USAGE);
    }
}

static void a_rewrite_that_runs_for_ever_is_stopped(void **state)
{
    (void)state;
    struct fst_rewrite *rule = NULL;
    assert_int_equal(fst_rewrite_new(FST_STR("s/b|(a+)+$/x/g"), &rule, NULL, NULL), FST_OK);
    struct fst_matcher matcher = {0};
    struct fst_buf scratch = {0};
    struct fst_str got;
    struct fst_error err = {0};
    assert_int_equal(fst_rewrite_apply(rule, &matcher,
                                       FST_STR("baaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
                                       &scratch, &got, &err),
                     FST_ERR_USAGE);
    assert_non_null(strstr(err.message, "took too long"));
    fst_rewrite_free(rule);
    fst_buf_release(&scratch);
    fst_matcher_release(&matcher);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_any_bytes_are_matched),
        cmocka_unit_test(a_name_without_bytes_may_be_null),
        cmocka_unit_test(a_bad_pattern_says_what_and_where),
        cmocka_unit_test(what_could_break_characters_is_refused),
        cmocka_unit_test(a_pathological_pattern_is_stopped),
        cmocka_unit_test(the_error_shows_a_pattern_that_is_safe_to_print),
        cmocka_unit_test(long_names_are_matched),
        cmocka_unit_test(rewrites_replace),
        cmocka_unit_test(a_bad_rewrite_says_what_and_where),
        cmocka_unit_test(a_rewrite_that_runs_for_ever_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
