/* The words that options take, shared by parsing and completion. */
#ifndef FST_CLI_WORDS_H
#define FST_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/command.h"

enum { FST_WORDS_MOST = 16 };

/* A word, and what it stands for: a value of the enum that the option sets. */
struct fst_word {
    const char *text;
    int value;
};

/* The words that an option takes in a command, in the order in which they are listed. Returns how many;
 * 0 where its value is no word, or none of the command's options has that id. Texts are static. */
size_t fst_words_of(enum fst_option_id id, const struct fst_command *command,
                    struct fst_word out[FST_WORDS_MOST]);

/* Whether two of them may be given, with a comma between them. */
bool fst_takes_two_words(enum fst_option_id id, const struct fst_command *command);

/* Whether the option's value names a file. */
bool fst_option_takes_file(const struct fst_option *option);

#endif
