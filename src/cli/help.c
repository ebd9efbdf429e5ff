#include "base/buf.h"
#include "cli/command.h"
#include "cli/options.h"
#include "render/fit.h"

/* Help is made for 80 columns; descriptions begin at this one. */
enum { COLUMNS = 80, INDENT = 26 };

/* A description, broken into lines that begin at INDENT. */
static void put_description(FILE *to, const char *text)
{
    struct fst_buf lines = {0};
    fst_fit_prose(&lines, fst_str_cstr(text), COLUMNS - INDENT, false);
    for (size_t i = 0; i < lines.len; i++) {
        (void)fputc(lines.data[i], to);
        if (lines.data[i] == '\n') {
            (void)fprintf(to, "%*s", INDENT, "");
        }
    }
    (void)fputc('\n', to);
    fst_buf_release(&lines);
}

static void put_entry(FILE *to, const struct fst_buf *head, const char *text)
{
    (void)fwrite(head->data, 1, head->len, to);
    (void)fprintf(to, "%*s", (int)(head->len < INDENT - 1 ? INDENT - head->len : 2), "");
    put_description(to, text);
}

static void add_argument(struct fst_buf *head, const struct fst_option *option)
{
    if (option->argument != NULL) {
        fst_buf_add_fmt(head, option->name == NULL ? " %s" : "=%s", option->argument);
    }
}

static void put_option(FILE *to, const struct fst_option *option)
{
    struct fst_buf head = {0};
    fst_buf_add_cstr(&head, "  ");
    if (option->letter != 0) {
        fst_buf_add_fmt(&head, "-%c%s", option->letter, option->name == NULL ? "" : ", ");
    } else {
        fst_buf_add_cstr(&head, "    ");
    }
    if (option->name != NULL) {
        fst_buf_add_fmt(&head, "--%s", option->name);
    }
    add_argument(&head, option);
    put_entry(to, &head, option->help);
    fst_buf_release(&head);
}

/* "--gil-rate, --all-rate, --idle-rate" */
static void put_sides(FILE *to, const struct fst_command *command, const struct fst_option *option)
{
    struct fst_buf line = {0};
    fst_buf_add_cstr(&line, "of one recording: ");
    for (int side = 0; side < FST_SIDES_MOST && command->sides[side] != NULL; side++) {
        fst_buf_add_fmt(&line, "%s--%s-%s", side == 0 ? "" : ", ", command->sides[side],
                        option->name);
    }
    fst_buf_add_char(&line, '\0');
    (void)fprintf(to, "%*s", INDENT, "");
    put_description(to, line.failed ? "" : line.data);
    fst_buf_release(&line);
}

/* The options of a group that a command takes, under its heading; nothing if it takes none. */
static void put_group(FILE *to, const struct fst_command *command, int group)
{
    bool headed = false;
    for (size_t i = 0; i < fst_option_count; i++) {
        const struct fst_option *option = &fst_options[i];
        if ((int)option->group != group || !fst_command_takes(command, option)) {
            continue;
        }
        if (!headed) {
            (void)fprintf(to, "\n%s:\n", fst_option_groups[group]);
            headed = true;
        }
        put_option(to, option);
        if ((option->commands & FST_SIDED) != 0 && command->sides[0] != NULL) {
            put_sides(to, command, option);
        }
    }
}

static void put_options(FILE *to, const struct fst_command *command)
{
    for (int group = 0; group < FST_GROUP_COUNT; group++) {
        put_group(to, command, group);
    }
}

/* --- pages ----------------------------------------------------------------------------------- */

void fst_help_short(FILE *to, const struct fst_command *command)
{
    const struct fst_page *page = &command->page;
    (void)fputs(page->usage, to);
    (void)fputs(page->brief, to);
    put_options(to, command);
    (void)fprintf(to, "\n%s", page->hint);
}

static const char codes[] = "  0  done\n"
                            "  2  wrong usage, an input or output that fails, or no usable data\n";

void fst_help_long(FILE *to, const struct fst_command *command)
{
    const struct fst_page *page = &command->page;
    (void)fprintf(to, "%s\n%s\n%s", page->usage, page->examples, page->about);
    (void)fputs("\nCommands:\n", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)fprintf(to, "  %-12s%s\n", fst_commands[i]->name, fst_commands[i]->help);
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        (void)fprintf(to, "  %-12s%s\n", fst_topics[i].name, fst_topics[i].help);
    }
    put_options(to, command);
    (void)fprintf(to, "\n%s", page->reading);
    (void)fprintf(to, "\nExit codes:\n%s", page->codes == NULL ? codes : page->codes);
}
