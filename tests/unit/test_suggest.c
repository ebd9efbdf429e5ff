/* A mistyped word gets the one that was meant, and nothing where none is near. */
#include "unit/helpers.h"

#include "cli/suggest.h"

static void distances_count_the_least_edits(void **state)
{
    (void)state;
    static const struct {
        const char *a;
        const char *b;
        size_t distance;
    } rows[] = {
        {"", "", 0},
        {"top", "top", 0},
        {"", "abc", 3},
        {"top", "to", 1},        /* deletion */
        {"top", "stop", 1},      /* insertion */
        {"top", "tip", 1},       /* replacement */
        {"top", "tpo", 1},       /* swap */
        {"abcdef", "badcfe", 3}, /* three swaps */
        {"ca", "abc", 3},        /* a swapped pair is not edited again */
        {"kitten", "sitting", 3},
        {"saturday", "sunday", 3},
        {"abc", "xyz", 3},
        {"format", "fromat", 1},
        {"aaaa", "aa", 2},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        size_t there = fst_edit_distance(rows[i].a, rows[i].b);
        size_t back = fst_edit_distance(rows[i].b, rows[i].a);
        REQUIRE(there == rows[i].distance && back == there, "%s, %s: %zu and %zu", rows[i].a,
                rows[i].b, there, back);
    }
}

static void long_words_are_far_from_everything(void **state)
{
    (void)state;
    char a[100];
    char b[100];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[63] = '\0';
    b[63] = '\0';
    b[62] = 'y';
    assert_int_equal(fst_edit_distance(a, b), 1);
    b[63] = 'x';
    b[64] = '\0';
    assert_int_equal(fst_edit_distance(a, b), 64);
    assert_int_equal(fst_edit_distance(b, ""), 64);
}

static const char *const words[] = {"frame", "function", "line", "file", "thread", "process"};

static void the_nearest_word_is_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *typed;
        const char *suggested; /* NULL: none */
    } rows[] = {
        {"frame", "frame"},
        {"fram", "frame"},
        {"farme", "frame"},
        {"functoin", "function"},
        {"fnction", "function"},
        {"lnie", "line"},
        {"fiel", "file"},
        {"fine", "line"}, /* as near to file: the earlier word */
        {"threads", "thread"},
        {"proces", "process"},
        {"", NULL},
        {"zzz", NULL},
        {"category", NULL},
        {"x", NULL},
        {"a-very-long-word-that-nobody-would-mean-as-one-of-these-few-short-ones", NULL},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const char *got = fst_suggest(rows[i].typed, words, FST_COUNT_OF(words));
        const char *wanted = rows[i].suggested;
        REQUIRE(wanted == NULL ? got == NULL : got != NULL && strcmp(got, wanted) == 0, "%s: %s",
                rows[i].typed, got == NULL ? "none" : got);
    }
    assert_null(fst_suggest("frame", words, 0));
}

static void a_short_word_is_not_replaced_letter_by_letter(void **state)
{
    (void)state;
    static const char *const short_words[] = {"a", "bc"};
    assert_null(fst_suggest("x", short_words, 2));
    assert_string_equal(fst_suggest("bx", short_words, 2), "bc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_the_least_edits),
        cmocka_unit_test(long_words_are_far_from_everything),
        cmocka_unit_test(the_nearest_word_is_suggested),
        cmocka_unit_test(a_short_word_is_not_replaced_letter_by_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
