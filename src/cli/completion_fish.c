#include <string.h>

#include "cli/completion.h"

static const char head[] =
    "# Completion of foldstat for fish; made by: foldstat completion fish\n"
    "\n"
    "# Prints the operands before the cursor, each on a line: no options, no values of theirs.\n"
    "function __foldstat_operands\n"
    "    set -l words (commandline -opc)\n"
    "    set -l skip no\n"
    "    for word in $words[2..-1]\n"
    "        if test $skip = yes\n"
    "            set skip no\n"
    "            continue\n"
    "        end\n"
    "        switch $word\n"
    "            case ";

static const char after_valued[] =
    "\n"
    "                set skip yes\n"
    "            case --\n"
    "                echo operands\n" /* files alone follow */
    "                return\n"
    "            case '-?*'\n"
    "            case '*'\n"
    "                echo $word\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "function __foldstat_no_operand\n"
    "    test (count (__foldstat_operands)) = 0\n"
    "end\n"
    "\n"
    "# Whether the command is one of those named; top where none is.\n"
    "function __foldstat_in\n"
    "    set -l operands (__foldstat_operands)\n"
    "    set -l command top\n"
    "    if set -q operands[1]; and contains -- $operands[1] ";

static const char after_names[] =
    "\n"
    "        set command $operands[1]\n"
    "    end\n"
    "    contains -- $command $argv\n"
    "end\n"
    "\n"
    "# Prints words; behind one of them and a comma, the others as seconds to it.\n"
    "function __foldstat_two\n"
    "    set -l typed (string replace -r '^--[^=]*=' '' -- (commandline -ct))\n"
    "    set -l parts (string split , -- $typed)\n"
    "    if test (count $parts) = 2\n"
    "        string match -v -- $parts[1] $argv | string replace -r '^' $parts[1],\n"
    "    else\n"
    "        printf '%s\\n' $argv\n"
    "    end\n"
    "end\n"
    "\n"
    "# Whether it is the one named, with nothing behind it yet.\n"
    "function __foldstat_just\n"
    "    __foldstat_in $argv; and test (count (__foldstat_operands)) = 1\n"
    "end\n"
    "\n"
    "complete -c foldstat -n '__foldstat_in help completion' -f\n";

static void put_quoted(FILE *to, const char *text)
{
    (void)fputc('\'', to);
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\') {
            (void)fputc('\\', to);
        }
        (void)fputc(*text, to);
    }
    (void)fputc('\'', to);
}

static void put_operand(FILE *to, const char *name, const char *help)
{
    (void)fprintf(to, "complete -c foldstat -n __foldstat_no_operand -a %s -d ", name);
    put_quoted(to, help);
    (void)fputc('\n', to);
}

/* What follows an option: words, a file (-F), anything (-x), or nothing. */
static void put_value(FILE *to, const struct fst_command *command, const struct fst_option *option)
{
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(option->id, command, words);
    if (option->argument == NULL) {
        return;
    }
    (void)fputs(fst_option_takes_file(option) ? " -r -F" : " -x", to);
    if (count > 0) {
        bool two = fst_takes_two_words(option->id, command);
        (void)fprintf(to, " -a '%s", two ? "(__foldstat_two " : "");
        fst_put_words(to, words, count);
        (void)fputs(two ? ")'" : "'", to);
    }
}

/* The same option with the same words in both commands. */
static bool alike(const struct fst_flag *flag, const struct fst_command *a,
                  const struct fst_command *b)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    struct fst_word words[2][FST_WORDS_MOST];
    size_t count = fst_flags_of(b, flags);
    size_t nwords = fst_words_of(flag->option->id, a, words[0]);
    if (nwords != fst_words_of(flag->option->id, b, words[1]) ||
        fst_takes_two_words(flag->option->id, a) != fst_takes_two_words(flag->option->id, b)) {
        return false;
    }
    for (size_t i = 0; i < nwords; i++) {
        if (strcmp(words[0][i].text, words[1][i].text) != 0) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (flags[i].option == flag->option && strcmp(flags[i].name, flag->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a command before this one had the option, with the same words: then it was written. */
static bool was_written(const struct fst_flag *flag, size_t command)
{
    for (size_t i = 0; i < command; i++) {
        if (alike(flag, fst_commands[command], fst_commands[i]) &&
            fst_command_takes(fst_commands[i], flag->option)) {
            return true;
        }
    }
    return false;
}

static void put_flag(FILE *to, const struct fst_flag *flag, size_t command)
{
    (void)fprintf(to, "complete -c foldstat -n '__foldstat_in %s", fst_commands[command]->name);
    for (size_t i = command + 1; i < fst_command_count; i++) {
        if (alike(flag, fst_commands[command], fst_commands[i])) {
            (void)fprintf(to, " %s", fst_commands[i]->name);
        }
    }
    (void)fputc('\'', to);
    if (flag->letter != 0) {
        (void)fprintf(to, " -s %c", flag->letter);
    }
    if (flag->name[0] != '\0') {
        (void)fprintf(to, " -l %s", flag->name);
    }
    put_value(to, fst_commands[command], flag->option);
    (void)fputs(" -d ", to);
    put_quoted(to, flag->option->help);
    (void)fputc('\n', to);
}

static void put_flags(FILE *to, size_t command)
{
    struct fst_flag flags[FST_FLAGS_MOST];
    size_t count = fst_flags_of(fst_commands[command], flags);
    for (size_t i = 0; i < count; i++) {
        if (!was_written(&flags[i], command)) {
            put_flag(to, &flags[i], command);
        }
    }
}

void fst_completion_fish(FILE *to)
{
    (void)fputs(head, to);
    fst_put_valued(to, "", " ");
    (void)fputs(after_valued, to);
    fst_put_commands(to);
    (void)fputs(after_names, to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_operand(to, fst_commands[i]->name, fst_commands[i]->help);
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        put_operand(to, fst_topics[i].name, fst_topics[i].help);
    }
    (void)fputs("complete -c foldstat -n '__foldstat_just help' -a '", to);
    fst_put_help_topics(to);
    (void)fputs("'\ncomplete -c foldstat -n '__foldstat_just completion' -a '", to);
    fst_put_shells(to);
    (void)fputs("'\n", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        put_flags(to, i);
    }
}
