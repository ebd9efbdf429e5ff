/* What shells load to complete the program's arguments on Tab, made from the table of options and the
 * list of commands. */
#ifndef FST_CLI_COMPLETION_H
#define FST_CLI_COMPLETION_H

#include <stdio.h>

#include "cli/words.h"

struct fst_shell {
    const char *name;
    void (*write)(FILE *to); /* the whole script */
};

extern const struct fst_shell fst_shells[];
extern const size_t fst_shell_count;

/* The shell of that name; NULL: none. */
const struct fst_shell *fst_shell_find(const char *name);

void fst_completion_bash(FILE *to);
void fst_completion_zsh(FILE *to);
void fst_completion_fish(FILE *to);

/* How to load the scripts. */
void fst_help_completion(FILE *to);

/* An option as it is typed: those of one side have names of their own. */
struct fst_flag {
    const struct fst_option *option;
    char letter;                     /* 0: none */
    char name[FST_OPTION_NAME_MOST]; /* "" where there is only a letter */
};

enum { FST_FLAGS_MOST = 128 };

/* The options of a command, in the table's order; returns how many. */
size_t fst_flags_of(const struct fst_command *command, struct fst_flag out[FST_FLAGS_MOST]);

/* Writes every option of any command that has a value, each once, letters too: prefix stands before
 * each, between between them. */
void fst_put_valued(FILE *to, const char *prefix, const char *between);

/* Writes the words, each behind a blank but the first. */
void fst_put_words(FILE *to, const struct fst_word *words, size_t count);

/* The same for the names of shells, of commands with the topics, and of what help knows. */
void fst_put_shells(FILE *to);
void fst_put_commands(FILE *to);
void fst_put_help_topics(FILE *to);

#endif
