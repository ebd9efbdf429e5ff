#include "base/buf.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "render/fit.h"

/* Help is made for 80 columns; descriptions begin at this one. */
enum { COLUMNS = 80, INDENT = 26 };

/* A description, broken into lines that begin at INDENT. */
static void put_description(FILE *to, const char *text)
{
    struct fst_buf lines = {0};
    fst_fit_prose(&lines, fst_str_cstr(text), COLUMNS - INDENT);
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

/* What is said of a command besides its options. */
struct page {
    enum fst_command_bit command;
    const char *usage;
    const char *brief;    /* under the usage, in the short help */
    const char *hint;     /* at the end of it */
    const char *examples; /* of the long help, and so on */
    const char *about;
    const char *reading;
};

static const struct page pages[] = {
    {
        .command = FST_IN_TOP,
        .usage = "Usage: foldstat [top] [OPTION]... [FILE]...\n",
        .brief =
            "Reads collapsed stack profiles (\"frame;frame;frame N\" a line; plain or gzip) and\n"
            "prints which frames are hot and under which roots. - is standard input.\n",
        .hint = "foldstat --help shows examples.\n",
        .examples =
            "Examples:\n"
            "  py-spy record -f raw -r 99 -d 45 -o all.raw --pid 4242\n"
            "  foldstat all.raw                         what is hot, and under which root\n"
            "  foldstat all.raw -r 99 -d 45             also how many threads are busy in it\n"
            "  foldstat --by function -n 5 all.raw      the five hottest functions\n"
            "  foldstat --by thread,category --normalize all.raw   what each pool of threads does\n"
            "  foldstat --focus 'forward' --hide '^_' all.raw      stacks through forward\n"
            "  ssh box 'cat /tmp/all.raw' | foldstat    from a pipe\n"
            "  foldstat host*.raw.gz                    the sum of many recordings\n"
            "  foldstat --format json all.raw | jq '.leaf.rows[0]'\n",
        .about =
            "foldstat reads collapsed (\"folded\") stack profiles, one \"frame;frame;frame N\" a\n"
            "line, as py-spy record -f raw writes them, and prints which frames are hot and\n"
            "under which roots.\n",
        .reading =
            "SELF counts the samples in which a frame was the leaf (running), TOTAL those in\n"
            "which it was anywhere on the stack, each stack once. Shares are of all samples;\n"
            "the interval says where a share would lie if the same load were recorded again,\n"
            "assuming independent samples.\n",
    },
    {
        .command = FST_IN_GIL,
        .usage = "Usage: foldstat gil [OPTION]... GIL [ALL]\n",
        .brief = "Compares a recording of the samples that held the Python GIL (py-spy record\n"
                 "--gil) with one of all active threads, by sampling ticks: how much of the time\n"
                 "the GIL was held, by whom, and what ran without it. - is standard input.\n",
        .hint = "foldstat gil --explain says how to record both, foldstat gil --help more.\n",
        .examples =
            "Examples:\n"
            "  py-spy record -f raw -r 99 -d 30 --threads --gil -o gil.raw --pid 4242\n"
            "  py-spy record -f raw -r 99 -d 30 --threads       -o all.raw --pid 4242\n"
            "  foldstat gil gil.raw all.raw -r 99 -d 30      both had this rate and duration\n"
            "  foldstat gil gil.raw all.raw --gil-rate 49 --gil-duration 30 --all-ticks 4454\n"
            "  foldstat gil gil.raw -r 99 -d 30              occupancy alone\n"
            "  foldstat gil gil.raw all.raw --idle idle.raw -r 99 -d 30\n"
            "  foldstat gil gil.raw all.raw -r 99 -d 30 --format json | jq .verdict\n",
        .about =
            "The two counts have different clocks: GIL has at most one sample a tick, ALL one\n"
            "for every active thread. Without the ticks, which rate and duration give, nothing\n"
            "but the ratio of counts is known, and that says little.\n",
        .reading =
            "GIL and ALL are self counts. HELD is the share of time in which a row held the\n"
            "lock, ACTIVE the mean number of threads in it, WITHOUT their difference, RATIO\n"
            "their quotient with its exact interval: above one half as a whole, the row holds\n"
            "the GIL; below, it releases it. BLOCKED is the mean number of threads that waited,\n"
            "on the GIL or anything else. docs/STATISTICS.md has every formula.\n",
    },
};

static const struct page *page_of(const struct fst_command *command)
{
    size_t i = 0;
    while (i + 1 < FST_COUNT_OF(pages) && pages[i].command != command->bit) {
        i++;
    }
    return &pages[i];
}

void fst_help_short(FILE *to, const struct fst_command *command)
{
    const struct page *page = page_of(command);
    (void)fputs(page->usage, to);
    (void)fputs(page->brief, to);
    put_options(to, command);
    (void)fprintf(to, "\n%s", page->hint);
}

static const char codes[] = "\nExit codes:\n"
                            "  0  done\n"
                            "  2  wrong usage, an input or output that fails, or no usable data\n";

void fst_help_long(FILE *to, const struct fst_command *command)
{
    const struct page *page = page_of(command);
    (void)fprintf(to, "%s\n%s\n%s", page->usage, page->examples, page->about);
    (void)fputs("\nCommands:\n", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)fprintf(to, "  %-10s%s\n", fst_commands[i].name, fst_commands[i].help);
    }
    put_options(to, command);
    (void)fprintf(to, "\n%s", page->reading);
    (void)fputs(codes, to);
}
