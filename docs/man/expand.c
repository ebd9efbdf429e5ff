/* Makes the scdoc source of a man page: fills in what the program knows of itself.
 *
 *     expand COMMAND <foldstat-COMMAND.1.scd >page.scd
 *
 * A line @SYNOPSIS@, @EXAMPLES@ or @OPTIONS@ is replaced by what the command's help says, and @COMMANDS@
 * and @PAGES@ by the list of commands and of their man pages. Everything else is copied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "cli/command.h"

/* Text that scdoc shall take as it is. */
static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\*_[]~#|", *text) != NULL) {
            (void)putchar('\\');
        }
        (void)putchar(*text);
    }
}

/* Text of several lines, without the blanks that they begin with; scdoc breaks lines at "++". */
static void put_lines(const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char *line = strndup(text, len);
        put_text(line == NULL ? "" : line);
        free(line);
        text += len + (text[len] == '\n');
        text += strspn(text, " ");
        (void)puts(*text == '\0' ? "" : "++");
    }
}

static void put_synopsis(const struct fst_command *command)
{
    static const char label[] = "Usage: ";
    const char *usage = command->page.usage;
    put_lines(strncmp(usage, label, sizeof label - 1) == 0 ? usage + sizeof label - 1 : usage);
}

/* The examples of the help page, without their heading; a backslash escapes also between scdoc's fences. */
static void put_examples(const struct fst_command *command)
{
    const char *text = command->page.examples + strcspn(command->page.examples, "\n");
    (void)fputs("```", stdout);
    for (; *text != '\0'; text++) {
        (void)printf(*text == '\\' ? "\\%c" : "%c", *text);
    }
    (void)puts("```");
}

/* "*-r*, *--rate*=_HZ_" */
static void put_names(const struct fst_option *option)
{
    if (option->letter != 0) {
        (void)printf("*-%c*%s", option->letter, option->name == NULL ? "" : ", ");
    }
    if (option->name != NULL) {
        (void)printf("*--%s*", option->name);
    }
    if (option->argument != NULL) {
        (void)printf("%s_", option->name == NULL ? " " : "=");
        put_text(option->argument);
        (void)putchar('_');
    }
    (void)putchar('\n');
}

static void put_option(const struct fst_command *command, const struct fst_option *option)
{
    put_names(option);
    (void)putchar('\t');
    put_text(option->help);
    (void)puts(".");
    if ((option->commands & FST_SIDED) != 0 && command->sides[0] != NULL) {
        (void)fputs("\n\tOf one recording:", stdout);
        for (int side = 0; side < FST_SIDES_MOST && command->sides[side] != NULL; side++) {
            (void)printf("%s *--%s-%s*", side == 0 ? "" : ",", command->sides[side], option->name);
        }
        (void)puts(".");
    }
    (void)putchar('\n');
}

static void put_options(const struct fst_command *command)
{
    for (int group = 0; group < FST_GROUP_COUNT; group++) {
        bool headed = false;
        for (size_t i = 0; i < fst_option_count; i++) {
            const struct fst_option *option = &fst_options[i];
            if ((int)option->group == group && fst_command_takes(command, option)) {
                if (!headed) {
                    (void)printf("## %s\n\n", fst_option_groups[group]);
                }
                headed = true;
                put_option(command, option);
            }
        }
    }
}

static void put_commands(const struct fst_command *command)
{
    (void)command;
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)printf("*%s*\n\t", fst_commands[i]->name);
        put_text(fst_commands[i]->help);
        (void)printf(": *foldstat-%s*(1).\n\n", fst_commands[i]->name);
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        (void)printf("*%s*\n\t", fst_topics[i].name);
        put_text(fst_topics[i].help);
        (void)puts(".\n");
    }
}

/* The other pages. */
static void put_pages(const struct fst_command *command)
{
    (void)fputs("*foldstat*(1)", stdout);
    for (size_t i = 0; i < fst_command_count; i++) {
        if (fst_commands[i] != command) {
            (void)printf(", *foldstat-%s*(1)", fst_commands[i]->name);
        }
    }
    (void)putchar('\n');
}

static const struct {
    const char *line;
    void (*put)(const struct fst_command *command);
} parts[] = {
    {"@SYNOPSIS@\n", put_synopsis}, {"@EXAMPLES@\n", put_examples}, {"@OPTIONS@\n", put_options},
    {"@COMMANDS@\n", put_commands}, {"@PAGES@\n", put_pages},
};

static void put_line(const char *line, const struct fst_command *command)
{
    for (size_t i = 0; i < FST_COUNT_OF(parts); i++) {
        if (strcmp(line, parts[i].line) == 0) {
            parts[i].put(command);
            return;
        }
    }
    (void)fputs(line, stdout);
}

int main(int argc, char **argv)
{
    const struct fst_command *command = argc == 2 ? fst_command_find(argv[1]) : NULL;
    char *line = NULL;
    size_t room = 0;
    if (command == NULL) {
        (void)fprintf(stderr, "expand: no command %s\n", argc == 2 ? argv[1] : "is named");
        return 2;
    }
    while (getline(&line, &room, stdin) != -1) {
        put_line(line, command);
    }
    free(line);
    return fflush(stdout) == 0 ? 0 : 2;
}
