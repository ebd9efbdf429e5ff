#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/values.h"

enum { MOST_OPTIONS = 128, MOST_COMMANDS = 16 };

/* --- getopt --------------------------------------------------------------------------------- */

/* The table in the two forms that getopt_long wants. */
struct getopt_tables {
    struct option longs[MOST_OPTIONS + 1];
    size_t nlong;
    char names[MOST_OPTIONS][FST_OPTION_NAME_MOST]; /* of the options of sides */
    char shorts[MOST_OPTIONS * 2 + 3];
    char *letters; /* the end of shorts */
};

static void add_long(struct getopt_tables *tables, const char *name, int has_value, int id)
{
    for (size_t i = 0; i < tables->nlong; i++) {
        if (strcmp(tables->longs[i].name, name) == 0) {
            return; /* of another command that was added before */
        }
    }
    tables->longs[tables->nlong++] = (struct option){name, has_value, NULL, id};
}

static void add_sides(struct getopt_tables *tables, const struct fst_command *command,
                      const struct fst_option *option, int has_value)
{
    for (int side = 0; side < FST_SIDES_MOST && command->sides[side] != NULL; side++) {
        char *name = tables->names[tables->nlong];
        (void)snprintf(name, FST_OPTION_NAME_MOST, "%s-%s", command->sides[side], option->name);
        add_long(tables, name, has_value, (int)option->id + (side + 1) * FST_SIDE_STEP);
    }
}

static void add_options(struct getopt_tables *tables, const struct fst_command *command)
{
    for (size_t i = 0; i < fst_option_count; i++) {
        const struct fst_option *option = &fst_options[i];
        int has_value = option->argument == NULL ? no_argument : required_argument;
        if (!fst_command_takes(command, option)) {
            continue;
        }
        if (option->name != NULL) {
            add_long(tables, option->name, has_value, (int)option->id);
        }
        if ((option->commands & FST_SIDED) != 0) {
            add_sides(tables, command, option, has_value);
        }
        if (option->letter != 0 && strchr(tables->shorts, option->letter) == NULL) {
            *tables->letters++ = option->letter;
            if (has_value == required_argument) {
                *tables->letters++ = ':';
            }
        }
    }
}

/* The options of a command; NULL: of all. */
static void make_tables(struct getopt_tables *tables, const struct fst_command *command)
{
    *tables = (struct getopt_tables){0};
    tables->letters = tables->shorts;
    *tables->letters++ = '-'; /* operands come in their order, as values of option 1 */
    *tables->letters++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < fst_command_count; i++) {
        if (command == NULL || command == fst_commands[i]) {
            add_options(tables, fst_commands[i]);
        }
    }
}

static int id_of_letter(int letter)
{
    for (size_t i = 0; i < fst_option_count; i++) {
        if (fst_options[i].letter != 0 && fst_options[i].letter == letter) {
            return (int)fst_options[i].id;
        }
    }
    return letter;
}

/* Length of the part of "--name=value" that is "--name". */
static size_t option_length(const char *argument)
{
    return strcspn(argument, "=");
}

/* The command that has an option of that name; NULL: none. */
static const struct fst_command *owner_of(const char *name)
{
    struct getopt_tables tables;
    for (size_t i = 0; i < fst_command_count; i++) {
        make_tables(&tables, fst_commands[i]);
        for (size_t k = 0; k < tables.nlong; k++) {
            if (strcmp(tables.longs[k].name, name) == 0) {
                return fst_commands[i];
            }
        }
    }
    return NULL;
}

/* The nearest name of an option, copied to out; false: none is near. */
static bool suggest_option(const char *typed, const struct fst_command *command,
                           char out[FST_OPTION_NAME_MOST])
{
    struct getopt_tables tables;
    const char *names[MOST_OPTIONS];
    make_tables(&tables, command);
    for (size_t i = 0; i < tables.nlong; i++) {
        names[i] = tables.longs[i].name;
    }
    const char *near = fst_suggest(typed, names, tables.nlong);
    if (near != NULL) {
        (void)snprintf(out, FST_OPTION_NAME_MOST, "%s", near);
    }
    return near != NULL;
}

/* How many long options of the command begin like that. */
static size_t count_beginning(const char *typed, const struct fst_command *command)
{
    struct getopt_tables tables;
    size_t matches = 0;
    make_tables(&tables, command);
    for (size_t i = 0; i < tables.nlong; i++) {
        matches += strncmp(tables.longs[i].name, typed, strlen(typed)) == 0;
    }
    return matches;
}

static void report_unknown(const char *shown, const char *typed, const struct fst_command *command)
{
    char near[FST_OPTION_NAME_MOST];
    const struct fst_command *owner = owner_of(typed);
    const char *known = fst_suggest_option(typed, command);
    if (known != NULL) {
        fst_report("%s: unknown option; did you mean %s?", shown, known);
    } else if (owner != NULL) {
        fst_report("%s: no option of %s; foldstat %s has it", shown, command->name, owner->name);
    } else if (suggest_option(typed, command, near)) {
        fst_report("%s: unknown option; did you mean --%s?", shown, near);
    } else if (suggest_option(typed, NULL, near) && (owner = owner_of(near)) != NULL) {
        fst_report("%s: unknown option; did you mean --%s of foldstat %s?", shown, near,
                   owner->name);
    } else {
        fst_report("%s: unknown option; %s -h lists them", shown, command->invocation);
    }
}

static int unknown_long(const char *argument, const struct fst_command *command)
{
    char typed[64];
    size_t len = option_length(argument);
    (void)snprintf(typed, sizeof typed, "%.*s", (int)(len < 63 ? len : 63) - 2, argument + 2);
    size_t matches = count_beginning(typed, command);
    char *shown = fst_escape(fst_str_of(argument, len));
    if (matches > 1) {
        fst_report("%s: ambiguous option; %s --help lists them", shown, command->invocation);
    } else if (matches == 1) {
        fst_report("%s: this option takes no value", shown);
    } else {
        report_unknown(shown, typed, command);
    }
    free(shown);
    return FST_EXIT_USAGE;
}

/* Whether getopt stumbled over a long option: then optopt is 0 or the option's id, not a letter. The
 * argument cannot tell, for within "-abc" it is still the one before. */
static bool is_long(void)
{
    return optopt == 0 || optopt >= FST_OPT_FIRST;
}

static int refuse(int code, const char *argument, const struct fst_command *command)
{
    if (code == ':') {
        if (is_long()) {
            fst_report("%s: this option needs a value", argument);
        } else {
            fst_report("-%c: this option needs a value", optopt);
        }
        return FST_EXIT_USAGE;
    }
    if (is_long()) {
        return unknown_long(argument, command);
    }
    int id = id_of_letter(optopt);
    if (id != optopt) {
        const char shown[] = {'-', (char)optopt, '\0'};
        report_unknown(shown, fst_option_name((enum fst_option_id)id), command);
    } else if (optopt >= 0x20 && optopt < 0x7f) {
        fst_report("-%c: unknown option; %s -h lists them", optopt, command->invocation);
    } else {
        fst_report("-\\x%02x: unknown option; foldstat %s -h lists them", (unsigned)optopt & 0xff,
                   command->invocation);
    }
    return FST_EXIT_USAGE;
}

/* --- commands ------------------------------------------------------------------------------- */

/* The names of the commands, and of what can stand in their place; returns how many. */
static size_t names_of_commands(const char *names[MOST_COMMANDS])
{
    for (size_t i = 0; i < fst_command_count; i++) {
        names[i] = fst_commands[i]->name;
    }
    for (size_t i = 0; i < fst_topic_count; i++) {
        names[fst_command_count + i] = fst_topics[i].name;
    }
    return fst_command_count + fst_topic_count;
}

/* What cannot be looked at (a loop of links, a folder that is closed) may exist: who reads it says
 * what is wrong with it. */
static bool may_exist(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 || errno != ENOENT;
}

/* A first operand that is no file but nearly a command is a mistyped command. */
static int check_mistyped(const struct fst_cli *cli)
{
    const char *names[MOST_COMMANDS];
    size_t count = names_of_commands(names);
    if (cli->nfiles == 0 || strcmp(cli->files[0], "-") == 0 || may_exist(cli->files[0])) {
        return 0;
    }
    const char *near = fst_suggest_known(cli->files[0]);
    near = near != NULL ? near : fst_suggest(cli->files[0], names, count);
    if (near == NULL || strpbrk(cli->files[0], "./") != NULL) {
        return 0;
    }
    char *shown = fst_escape(fst_str_cstr(cli->files[0]));
    fst_report("%s: neither a file nor a command; did you mean foldstat %s?", shown, near);
    free(shown);
    return FST_EXIT_USAGE;
}

static bool is_command(const struct fst_cli *cli, const char *name)
{
    return cli->nfiles > 0 && strcmp(cli->files[0], name) == 0;
}

static int take_help_topic(struct fst_cli *cli)
{
    cli->action = FST_SHOW_LONG_HELP;
    if (cli->nfiles < 2) {
        return 0;
    }
    if (cli->nfiles > 2) {
        fst_report("help: of one command at a time");
        return FST_EXIT_USAGE;
    }
    if (strcmp(cli->files[1], "categories") == 0) {
        cli->action = FST_SHOW_CATEGORIES;
        return 0;
    }
    if (strcmp(cli->files[1], "completion") == 0) {
        cli->action = FST_SHOW_COMPLETION_HELP;
        return 0;
    }
    const char *names[MOST_COMMANDS];
    size_t count = names_of_commands(names);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(cli->files[1], names[i]) == 0) {
            return 0;
        }
    }
    char *shown = fst_escape(fst_str_cstr(cli->files[1]));
    const char *near = fst_suggest(cli->files[1], names, count);
    fst_report("help: no command %s%s%s%s", shown, near == NULL ? "" : "; did you mean ",
               near == NULL ? "" : near, near == NULL ? "" : "?");
    free(shown);
    return FST_EXIT_USAGE;
}

static int take_shell(struct fst_cli *cli)
{
    cli->action = FST_SHOW_COMPLETION;
    if (cli->nfiles == 2 && (cli->shell = fst_shell_find(cli->files[1])) != NULL) {
        return 0;
    }
    fst_report("completion: for which shell? foldstat completion bash, zsh or fish");
    return FST_EXIT_USAGE;
}

static int take_command(struct fst_cli *cli)
{
    if (is_command(cli, "completion")) {
        return take_shell(cli);
    }
    if (is_command(cli, "help")) {
        return take_help_topic(cli);
    }
    if (is_command(cli, cli->command->name)) {
        cli->files++;
        cli->nfiles--;
        cli->vs -= cli->vs > 0; /* the name of the command is no file */
        return 0;
    }
    return check_mistyped(cli);
}

/* What getopt_long returns for an operand. */
enum { OPERAND = 1 };

/* The command that the first operand names, or the second behind "help". Options may stand before
 * it, so that those of every command must be known to find it. */
static const struct fst_command *find_command(int argc, char **argv)
{
    struct getopt_tables tables;
    const struct fst_command *found = NULL;
    bool help = false;
    int code;
    make_tables(&tables, NULL);
    optind = 0; /* getopt begins anew */
    while ((code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (code != OPERAND) {
            continue;
        }
        found = fst_command_find(optarg);
        if (found != NULL || help || strcmp(optarg, "help") != 0) {
            break;
        }
        help = true;
    }
    return found != NULL ? found : &fst_top_command;
}

static int read_options(struct fst_cli *cli, int argc, char **argv)
{
    struct getopt_tables tables;
    int code;
    make_tables(&tables, cli->command);
    optind = 0;
    while ((code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        const char *argument = argv[optind - 1];
        if (code == OPERAND) {
            cli->files[cli->nfiles++] = optarg;
            continue;
        }
        int letter = code < FST_OPT_FIRST ? code : 0;
        int result = code == '?' || code == ':'
                         ? refuse(code, argument, cli->command)
                         : fst_cli_apply(cli, id_of_letter(code), letter, optarg);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

int fst_cli_parse(struct fst_cli *cli, int argc, char **argv)
{
    *cli = (struct fst_cli){0};
    opterr = 0;
    cli->command = find_command(argc, argv);
    cli->files = argv + 1;
    int result = read_options(cli, argc, argv);
    if (result != 0) {
        return result;
    }
    if (is_command(cli, "completion") &&
        (cli->action == FST_SHOW_SHORT_HELP || cli->action == FST_SHOW_LONG_HELP)) {
        cli->action = FST_SHOW_COMPLETION_HELP;
    }
    /* Behind "--" there are only files, whatever they are called. */
    result = cli->action == FST_RUN && cli->nfiles > 0 ? take_command(cli) : 0;
    for (; optind < argc; optind++) {
        cli->files[cli->nfiles++] = argv[optind];
    }
    return result;
}
