/* What a command is. Each says all of it in its own file, and cli/commands lists them. */
#ifndef FST_CLI_COMMAND_H
#define FST_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/option_table.h"

struct fst_cli;

/* What is said of a command besides its options. */
struct fst_page {
    const char *usage;
    const char *brief;    /* under the usage, in the short help */
    const char *hint;     /* at the end of it */
    const char *examples; /* of the long help, and so on */
    const char *about;
    const char *reading;
    const char *codes; /* exit codes; NULL: those that every command has */
};

struct fst_command {
    enum fst_command_bit bit;
    const char *name;
    const char *invocation;            /* what to type for it */
    const char *help;                  /* one line */
    const char *sides[FST_SIDES_MOST]; /* names of its recordings; NULL behind the last */
    const char *compared[2];           /* of two that it compares, what usage calls them */
    struct fst_page page;
    int (*run)(const struct fst_cli *cli); /* returns the exit code */
};

extern const struct fst_command fst_top_command;
extern const struct fst_command fst_gil_command;
extern const struct fst_command fst_diff_command;
extern const struct fst_command fst_check_command;
extern const struct fst_command fst_tree_command;
extern const struct fst_command fst_peek_command;
extern const struct fst_command fst_merge_command;
extern const struct fst_command fst_convert_command;
extern const struct fst_command fst_flame_command;

/* All of them, in the order in which help lists them; the first runs where none is named. */
extern const struct fst_command *const fst_commands[];
extern const size_t fst_command_count;

/* What can be named like a command besides them. */
struct fst_topic {
    const char *name;
    const char *help; /* one line */
};

extern const struct fst_topic fst_topics[];
extern const size_t fst_topic_count;

/* The command that a name means; NULL: none. */
const struct fst_command *fst_command_find(const char *name);

/* Whether the command takes the option. */
bool fst_command_takes(const struct fst_command *command, const struct fst_option *option);

#endif
