#include "cli/command.h"

#include <string.h>

#include "base/compat.h"

const struct fst_command *const fst_commands[] = {
    &fst_top_command,   &fst_gil_command,   &fst_diff_command,
    &fst_check_command, &fst_tree_command,  &fst_peek_command,
    &fst_flame_command, &fst_merge_command, &fst_convert_command,
};
const size_t fst_command_count = FST_COUNT_OF(fst_commands);

const struct fst_topic fst_topics[] = {
    {"help", "this page; foldstat help COMMAND"},
    {"completion", "commands and options on Tab, in bash, zsh and fish"},
};
const size_t fst_topic_count = FST_COUNT_OF(fst_topics);

const struct fst_command *fst_command_find(const char *name)
{
    for (size_t i = 0; i < fst_command_count; i++) {
        if (strcmp(fst_commands[i]->name, name) == 0) {
            return fst_commands[i];
        }
    }
    return NULL;
}

bool fst_command_takes(const struct fst_command *command, const struct fst_option *option)
{
    unsigned commands = option->commands & ~(unsigned)FST_SIDED;
    return commands == FST_IN_EVERY || (commands & command->bit) != 0;
}
