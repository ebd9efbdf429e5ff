#include <string.h>

#include "cli/completion.h"

static const char head[] = "#compdef foldstat\n"
                           "# Completion of foldstat for zsh; made by: foldstat completion zsh\n"
                           "\n"
                           "_foldstat_commands() {\n"
                           "  local -a commands=(\n";

static const char after_commands[] =
    "  )\n"
    "  _describe -t commands command commands\n"
    "}\n"
    "\n"
    "_foldstat_first() {\n"
    "  local -i dashes=$words[(I)--]\n"
    "  if ((dashes && dashes < CURRENT)); then _files; return; fi\n"
    "  _alternative 'commands:command:_foldstat_commands' 'files:profile:_files'\n"
    "}\n"
    "\n"
    "# Sets command to the one that the first operand names.\n"
    "_foldstat_command() {\n"
    "  local -i i\n"
    "  for ((i = 2; i < CURRENT; i++)); do\n"
    "    case $words[i] in\n"
    "    (--) return ;;\n"
    "    (";

static const char after_valued[] = ") ((i++)) ;;\n"
                                   "    (-?*) ;;\n"
                                   "    (*)\n";

static const char functions[] = "      return\n"
                                "      ;;\n"
                                "    esac\n"
                                "  done\n"
                                "}\n"
                                "\n"
                                "_foldstat() {\n"
                                "  local command=top\n"
                                "  _foldstat_command\n"
                                "  case $command in\n"
                                "  (help) _arguments '1: :' '2:topic:(";

static const char after_help[] = ")' ;;\n"
                                 "  (completion) _arguments '1: :' '2:shell:(";

static const char tail[] = "  esac\n"
                           "}\n"
                           "\n"
                           "if [[ $funcstack[1] == _foldstat ]]; then\n"
                           "  _foldstat \"$@\"\n"
                           "else\n"
                           "  compdef _foldstat foldstat\n"
                           "fi\n";

/* Within single quotes; brackets and colons have a meaning to _arguments, colons also to _describe. */
static void put_quoted(FILE *to, const char *text, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            (void)fputs("'\\'", to); /* closes, and opens again behind the quote's escape */
        } else if (strchr(escaped, *text) != NULL) {
            (void)fputc('\\', to);
        }
        (void)fputc(*text, to);
    }
}

static void put_described(FILE *to, const char *name, const char *help)
{
    (void)fprintf(to, "    '%s:", name);
    put_quoted(to, help, "\\");
    (void)fputs("'\n", to);
}

/* ":NAME:(frame function)", ":WHAT:_sequence -n 2 compadd - frame function" for two of them, ":FILE:_files",
 * ":HZ: "; nothing without an argument. */
static void put_value(FILE *to, const struct fst_command *command, const struct fst_option *option)
{
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(option->id, command, words);
    if (option->argument == NULL) {
        return;
    }
    (void)fputc(':', to);
    put_quoted(to, option->argument, "\\:");
    if (fst_takes_two_words(option->id, command)) {
        (void)fputs(":_sequence -n 2 compadd - ", to);
        fst_put_words(to, words, count);
    } else if (count > 0) {
        (void)fputs(":(", to);
        fst_put_words(to, words, count);
        (void)fputc(')', to);
    } else {
        (void)fputs(fst_option_takes_file(option) ? ":_files" : ": ", to);
    }
}

/* "'*--by=[what a row is]:WHAT:(frame)' \": dashes and name as they are typed. */
static void put_spec(FILE *to, const struct fst_command *command, const struct fst_option *option,
                     const char *dashes, const char *name)
{
    const char *joint = option->argument == NULL ? "" : dashes[1] == '\0' ? "+" : "=";
    (void)fprintf(to, "      '*%s%s%s[", dashes, name, joint);
    put_quoted(to, option->help, "\\[]:");
    (void)fputc(']', to);
    put_value(to, command, option);
    (void)fputs("' \\\n", to);
}

static void put_specs(FILE *to, const struct fst_command *command)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    size_t count = fst_flags_of(command, flags);
    (void)fprintf(to, "  (%s)\n    _arguments -s -S \\\n", command->name);
    for (size_t i = 0; i < count; i++) {
        const char letter[2] = {flags[i].letter, '\0'};
        if (flags[i].letter != 0) {
            put_spec(to, command, flags[i].option, "-", letter);
        }
        if (flags[i].name[0] != '\0') {
            put_spec(to, command, flags[i].option, "--", flags[i].name);
        }
    }
    (void)fputs("      '1: :_foldstat_first' \\\n      '*:profile:_files'\n    ;;\n", to);
}

void fst_completion_zsh(FILE *to)
{
    (void)fputs(head, to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_described(to, fst_commands[i]->name, fst_commands[i]->help);
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        put_described(to, fst_topics[i].name, fst_topics[i].help);
    }
    (void)fputs(after_commands, to);
    fst_put_valued(to, "", "|");
    (void)fputs(after_valued, to);
    (void)fputs("      [[ ' ", to);
    fst_put_commands(to);
    (void)fputs(" ' == *\" $words[i] \"* ]] && command=$words[i]\n", to);
    (void)fputs(functions, to);
    fst_put_help_topics(to);
    (void)fputs(after_help, to);
    fst_put_shells(to);
    (void)fputs(")' ;;\n", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_specs(to, fst_commands[i]);
    }
    (void)fputs(tail, to);
}
