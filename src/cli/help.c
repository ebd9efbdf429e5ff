#include "base/buf.h"
#include "cli/option_table.h"
#include "cli/options.h"
#include "render/fit.h"

/* Help is made for 80 columns; descriptions begin at this one. */
enum { COLUMNS = 80, INDENT = 26 };

static const char usage[] = "Usage: foldstat [top] [OPTION]... [FILE]...\n";

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
    if (option->argument != NULL) {
        fst_buf_add_fmt(&head, option->name == NULL ? " %s" : "=%s", option->argument);
    }
    fst_buf_add_fill(&head, ' ', head.len < INDENT - 2 ? INDENT - head.len : 2);
    (void)fwrite(head.data, 1, head.len, to);
    put_description(to, option->help);
    fst_buf_release(&head);
}

static void put_options(FILE *to)
{
    for (int group = 0; group < FST_GROUP_COUNT; group++) {
        (void)fprintf(to, "\n%s:\n", fst_option_groups[group]);
        for (size_t i = 0; i < fst_option_count; i++) {
            if ((int)fst_options[i].group == group) {
                put_option(to, &fst_options[i]);
            }
        }
    }
}

void fst_help_short(FILE *to)
{
    (void)fputs(usage, to);
    (void)fputs("Reads collapsed stack profiles (\"frame;frame;frame N\" a line; plain or gzip) "
                "and\nprints which frames are hot and under which roots. - is standard input.\n",
                to);
    put_options(to);
    (void)fputs("\nfoldstat --help shows examples.\n", to);
}

static const char examples[] =
    "Examples:\n"
    "  py-spy record -f raw -r 99 -d 45 -o all.raw --pid 4242\n"
    "  foldstat all.raw                         what is hot, and under which root\n"
    "  foldstat all.raw -r 99 -d 45             also how many threads are busy in it\n"
    "  foldstat --by function -n 5 all.raw      the five hottest functions\n"
    "  foldstat --by thread,category --normalize all.raw   what each pool of threads does\n"
    "  foldstat --focus 'forward' --hide '^_' all.raw      stacks through forward\n"
    "  ssh box 'cat /tmp/all.raw' | foldstat    from a pipe\n"
    "  foldstat host*.raw.gz                    the sum of many recordings\n"
    "  foldstat --format json all.raw | jq '.leaf.rows[0]'\n";

static const char reading[] =
    "\nSELF counts the samples in which a frame was the leaf (running), TOTAL those in\n"
    "which it was anywhere on the stack, each stack once. Shares are of all samples;\n"
    "the interval says where a share would lie if the same load were recorded again,\n"
    "assuming independent samples.\n";

static const char codes[] = "\nExit codes:\n"
                            "  0  done\n"
                            "  2  wrong usage, an input or output that fails, or no usable data\n";

void fst_help_long(FILE *to)
{
    (void)fputs(usage, to);
    (void)fputs("\n", to);
    (void)fputs(examples, to);
    (void)fputs("\nfoldstat reads collapsed (\"folded\") stack profiles, one \"frame;frame;frame "
                "N\" a\nline, as py-spy record -f raw writes them, and prints which frames are hot "
                "and\nunder which roots.\n",
                to);
    (void)fputs("\nCommands:\n", to);
    for (size_t i = 0; i < fst_command_count; i++) {
        (void)fprintf(to, "  %-10s%s\n", fst_commands[i].name, fst_commands[i].help);
    }
    put_options(to);
    (void)fputs(reading, to);
    (void)fputs(codes, to);
}
