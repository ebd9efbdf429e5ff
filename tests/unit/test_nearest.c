/* A pattern that finds nothing gets the names that it may have meant. */
#include "unit/helpers.h"

#include "model/nearest.h"

static const char *const names[] = {
    "forward (model.py:12)",
    "get_hidden_states_packed (model.py:40)",
    "get_hidden_states (model.py:30)",
    "get_hidden_size (model.py:20)",
    "<module> (train.py:3)",
    "at::native::addmm",
    "h\xc3\xb6he (a.py:1)",
};

static void the_nearest_names_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *found; /* the nearest, parted by " | " */
    } rows[] = {
        {"get_hiden_states", "get_hidden_states (model.py:30) | get_hidden_states_packed "
                             "(model.py:40) | get_hidden_size (model.py:20)"},
        {"^get_hiden_states_paked", "get_hidden_states_packed (model.py:40) | get_hidden_states "
                                    "(model.py:30)"},
        {"Forward", "forward (model.py:12)"},
        {"^model\\.py$",
         "forward (model.py:12) | get_hidden_size (model.py:20) | get_hidden_states "
         "(model.py:30)"},
        {"(?i)adm+m", "at::native::addmm"},
        {"a[db]m", NULL},
        {"at::native::admm", "at::native::addmm"},
        {"f.*|tarin\\.py", "<module> (train.py:3)"},
        {"trian", "<module> (train.py:3)"},
        {"dadmm", "at::native::addmm"},
        {"[xyz]forwrd", "forward (model.py:12)"},
        {"x?forwrd", "forward (model.py:12)"},
        {"(?:forwrd)", "forward (model.py:12)"},
        {"\\bforwrd\\b", "forward (model.py:12)"},
        {"h\xc3\xb6he", "h\xc3\xb6he (a.py:1)"},
        {"backpropagation", NULL},
        {".*", NULL},
        {"", NULL},
        {"[", NULL},
        {"(?", NULL},
        {"\\", NULL},
        {"zz", NULL},
    };
    struct fst_buf got = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        for (size_t turn = 0; turn < 2; turn++) { /* the order of the names decides nothing */
            struct fst_nearest nearest;
            fst_nearest_init(&nearest, fst_str_cstr(rows[i].pattern));
            for (size_t k = 0; k < FST_COUNT_OF(names); k++) {
                fst_nearest_offer(&nearest,
                                  fst_str_cstr(names[turn == 0 ? k : FST_COUNT_OF(names) - 1 - k]));
            }
            fst_buf_clear(&got);
            for (size_t k = 0; k < nearest.count; k++) {
                fst_buf_add_cstr(&got, k > 0 ? " | " : "");
                fst_buf_add_str(&got, nearest.names[k]);
            }
            require_text(i, fst_buf_str(&got), rows[i].found == NULL ? "" : rows[i].found);
        }
    }
    fst_buf_release(&got);
}

/* --- the same by the plain table --------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t by_table(const char *word, const char *name)
{
    size_t rows = strlen(word);
    size_t table[80][80]; /* by places in name and word */
    size_t best = rows;
    for (size_t i = 0; i <= rows; i++) {
        table[0][i] = i;
    }
    for (size_t j = 1; name[j - 1] != '\0'; j++) {
        table[j][0] = 0;
        for (size_t i = 1; i <= rows; i++) {
            size_t changed = table[j - 1][i - 1] + (word[i - 1] != name[j - 1]);
            size_t here = least(least(table[j - 1][i], table[j][i - 1]) + 1, changed);
            bool turned =
                i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1];
            table[j][i] = turned ? least(here, table[j - 2][i - 2] + 1) : here;
        }
        best = least(best, table[j][rows]);
    }
    return best;
}

static void edits_are_those_of_the_plain_table(void **state)
{
    (void)state;
    uint64_t chances = take_seed("nearest names");
    for (size_t i = 0; i < 20000; i++) {
        char word[65] = "";
        char name[80] = "";
        size_t letters = 2 + chance_below(&chances, 4);
        size_t word_len = 3 + chance_below(&chances, i % 10 == 0 ? 62 : 12);
        size_t name_len = chance_below(&chances, 79);
        for (size_t k = 0; k < word_len; k++) {
            word[k] = (char)('a' + (int)chance_below(&chances, letters));
        }
        for (size_t k = 0; k < name_len; k++) {
            name[k] = (char)('a' + (int)chance_below(&chances, letters));
        }
        struct fst_nearest nearest;
        fst_nearest_init(&nearest, fst_str_cstr(word));
        assert_int_equal(nearest.len, word_len);
        nearest.most = SIZE_MAX;
        fst_nearest_offer(&nearest, fst_str_cstr(name));
        size_t wanted = by_table(word, name);
        REQUIRE(nearest.count == 1 && nearest.edits[0] == wanted, "%s in %s: %zu, not %zu", word,
                name, nearest.edits[0], wanted);
    }
}

static void a_long_word_is_cut(void **state)
{
    (void)state;
    char word[100];
    memset(word, 'x', sizeof word);
    struct fst_nearest nearest;
    fst_nearest_init(&nearest, fst_str_of(word, sizeof word));
    assert_int_equal(nearest.len, 64);
    fst_nearest_offer(&nearest, fst_str_of(word, 64));
    assert_int_equal(nearest.count, 1);
    assert_int_equal(nearest.edits[0], 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_names_are_told),
        cmocka_unit_test(edits_are_those_of_the_plain_table),
        cmocka_unit_test(a_long_word_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
