/* The words that options take, and what the table of options says of them. */
#include "cli/words.h"

#include <string.h>

#include "base/compat.h"
#include "helpers.h"

/* Names of arguments that are neither words nor files. */
static const char *const free_arguments[] = {"N",    "SIZE",    "P",         "RE",       "RULE",
                                             "HZ",   "SECONDS", "D",         "TEXT",     "CELLS",
                                             "RATE", "PIXELS",  "KEY=VALUE", "[RE=]Npp", "[RE=]N%"};

static bool is_free(const char *argument)
{
    for (size_t i = 0; i < FST_COUNT_OF(free_arguments); i++) {
        if (strcmp(free_arguments[i], argument) == 0) {
            return true;
        }
    }
    return false;
}

static void check_argument(const struct fst_option *option, const struct fst_command *command)
{
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(option->id, command, words);
    assert_true(count <= FST_WORDS_MOST);
    if (option->argument == NULL) {
        assert_int_equal(count, 0);
    } else if (count == 0 && !fst_option_takes_file(option) && !is_free(option->argument)) {
        fail_msg("--%s=%s of %s: neither words (src/cli/words.c), nor a file, nor a name of an "
                 "argument that this test knows",
                 option->name, option->argument, command->name);
    }
}

static void every_argument_is_of_a_kind_that_shells_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < fst_command_count; i++) {
        for (size_t k = 0; k < fst_option_count; k++) {
            if (fst_command_takes(fst_commands[i], &fst_options[k])) {
                check_argument(&fst_options[k], fst_commands[i]);
            }
        }
    }
}

/* "auto" of --dialect is what "told from the first ones" means. */
static bool is_told(const struct fst_option *option, const char *word)
{
    return strstr(option->help, word) != NULL || strstr(option->argument, word) != NULL ||
           (option->id == FST_OPT_DIALECT && strcmp(word, "auto") == 0);
}

static void help_tells_every_word(void **state)
{
    (void)state;
    struct fst_word words[FST_WORDS_MOST];
    for (size_t i = 0; i < fst_command_count; i++) {
        for (size_t k = 0; k < fst_option_count; k++) {
            const struct fst_option *option = &fst_options[k];
            size_t count = fst_command_takes(fst_commands[i], option)
                               ? fst_words_of(option->id, fst_commands[i], words)
                               : 0;
            for (size_t w = 0; w < count; w++) {
                if (!is_told(option, words[w].text)) {
                    fail_msg("--%s of %s: its help does not tell %s", option->name,
                             fst_commands[i]->name, words[w].text);
                }
            }
        }
    }
}

static void commands_differ_in_their_words(void **state)
{
    (void)state;
    struct fst_word words[FST_WORDS_MOST];
    size_t top = fst_words_of(FST_OPT_FORMAT, &fst_top_command, words);
    assert_string_equal(words[top - 1].text, "plain");
    assert_int_equal(words[top - 1].value, FST_FORMAT_PLAIN);
    assert_int_equal(fst_words_of(FST_OPT_FORMAT, &fst_gil_command, words), top - 1);
    assert_int_equal(fst_words_of(FST_OPT_RATE, &fst_top_command, words), 0);
    assert_int_equal(fst_words_of(FST_OPT_STRICT, &fst_top_command, words), 0);
}

static void dialects_have_the_names_of_the_library(void **state)
{
    (void)state;
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(FST_OPT_DIALECT, &fst_gil_command, words);
    assert_int_equal(count, FST_DIALECT_GENERIC + 1);
    assert_string_equal(words[FST_DIALECT_ASYNC].text, "async-profiler");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_argument_is_of_a_kind_that_shells_complete),
        cmocka_unit_test(help_tells_every_word),
        cmocka_unit_test(commands_differ_in_their_words),
        cmocka_unit_test(dialects_have_the_names_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
