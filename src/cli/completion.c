#include "cli/completion.h"

#include <string.h>

#include "base/compat.h"

const struct fst_shell fst_shells[] = {
    {"bash", fst_completion_bash},
    {"zsh", fst_completion_zsh},
    {"fish", fst_completion_fish},
};
const size_t fst_shell_count = FST_COUNT_OF(fst_shells);

const struct fst_shell *fst_shell_find(const char *name)
{
    for (size_t i = 0; i < fst_shell_count; i++) {
        if (strcmp(fst_shells[i].name, name) == 0) {
            return &fst_shells[i];
        }
    }
    return NULL;
}

static const char text[] =
    "Usage: foldstat completion bash|zsh|fish\n"
    "\n"
    "Examples:\n"
    "  source <(foldstat completion bash)            in ~/.bashrc\n"
    "  foldstat completion zsh >~/.zfunc/_foldstat   in a folder of fpath, before compinit\n"
    "  foldstat completion fish >~/.config/fish/completions/foldstat.fish\n"
    "\n"
    "Prints what makes the shell complete commands, options and their words on Tab.\n";

void fst_help_completion(FILE *to)
{
    (void)fputs(text, to);
}

/* --- what there is to complete ---------------------------------------------------------------- */

size_t fst_flags_of(const struct fst_command *command, struct fst_flag out[FST_FLAGS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < fst_option_count; i++) {
        const struct fst_option *option = &fst_options[i];
        if (!fst_command_takes(command, option)) {
            continue;
        }
        out[count] = (struct fst_flag){option, option->letter, ""};
        (void)snprintf(out[count++].name, FST_OPTION_NAME_MOST, "%s",
                       option->name == NULL ? "" : option->name);
        bool sided = (option->commands & FST_SIDED) != 0;
        for (int side = 0; sided && side < FST_SIDES_MOST && command->sides[side] != NULL; side++) {
            out[count] = (struct fst_flag){option, 0, ""};
            (void)snprintf(out[count++].name, FST_OPTION_NAME_MOST, "%s-%s", command->sides[side],
                           option->name);
        }
    }
    return count;
}

/* Whether a command before this one has an option that is typed alike. */
static bool was_seen(const struct fst_flag *flag, size_t command)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    for (size_t i = 0; i < command; i++) {
        size_t count = fst_flags_of(fst_commands[i], flags);
        for (size_t k = 0; k < count; k++) {
            if (strcmp(flags[k].name, flag->name) == 0) {
                return true;
            }
        }
    }
    return false;
}

void fst_put_valued(FILE *to, const char *prefix, const char *between)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    const char *before = "";
    for (size_t i = 0; i < fst_command_count; i++) {
        size_t count = fst_flags_of(fst_commands[i], flags);
        for (size_t k = 0; k < count; k++) {
            if (flags[k].option->argument == NULL || was_seen(&flags[k], i)) {
                continue;
            }
            if (flags[k].letter != 0) {
                (void)fprintf(to, "%s%s-%c", before, prefix, flags[k].letter);
                before = between;
            }
            if (flags[k].name[0] != '\0') {
                (void)fprintf(to, "%s%s--%s", before, prefix, flags[k].name);
                before = between;
            }
        }
    }
}

void fst_put_words(FILE *to, const struct fst_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(to, "%s%s", i == 0 ? "" : " ", words[i].text);
    }
}

void fst_put_shells(FILE *to)
{
    for (size_t i = 0; i < fst_shell_count; i++) {
        (void)fprintf(to, "%s%s", i == 0 ? "" : " ", fst_shells[i].name);
    }
}

void fst_put_commands(FILE *to)
{
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)fprintf(to, "%s ", fst_commands[i]->name);
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        (void)fprintf(to, "%s%s", i == 0 ? "" : " ", fst_topics[i].name);
    }
}

void fst_put_help_topics(FILE *to)
{
    fst_put_commands(to);
    (void)fputs(" categories", to);
}
