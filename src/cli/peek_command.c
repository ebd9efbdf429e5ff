#include <stdlib.h>
#include <sys/stat.h>

#include "base/str.h"
#include "cli/command.h"
#include "cli/one_profile.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

/* Rows where -n does not say otherwise; of stacks in every format, as there may be very many. */
enum { MATCHES = 5, LINKS = 10, LINES = 20, STACKS = 3 };

static struct fst_peek_options peek_options(const struct fst_cli *cli)
{
    return (struct fst_peek_options){
        .pattern = fst_str_cstr(cli->pattern),
        .percent_of = cli->top.percent_of,
        .matches = fst_output_rows(cli, MATCHES),
        .links = fst_output_rows(cli, LINKS),
        .lines = fst_output_rows(cli, LINES),
        .stacks = cli->all_rows   ? 0
                  : cli->rows > 0 ? cli->rows
                                  : STACKS,
    };
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Whether the pattern was forgotten: what stands in its place is a file, no other was named, and
 * standard input, which is read then, has nothing. */
static bool forgot_pattern(const struct fst_cli *cli, const struct fst_profile *profile)
{
    size_t count;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    return cli->nfiles == 0 && cli->files0_from == NULL && count == 1 && inputs[0].bytes == 0 &&
           is_file(cli->pattern);
}

static int refuse_file(const struct fst_cli *cli)
{
    char *shown = fst_escape(fst_str_cstr(cli->pattern));
    fst_report("peek: %s is a file, and standard input is empty; which frames? foldstat peek RE %s",
               shown, shown);
    free(shown);
    return FST_EXIT_USAGE;
}

static int show(const struct fst_cli *cli, const struct fst_profile *profile)
{
    if (forgot_pattern(cli, profile)) {
        return refuse_file(cli);
    }
    struct fst_error err = {0};
    struct fst_peek *peek = NULL;
    struct fst_peek_options options = peek_options(cli);
    if (fst_peek_new(profile, &options, &peek, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(peek->notes, peek->nnotes);
    }
    struct fst_render_options render = fst_terminal_options(cli);
    int code = 0;
    if (fst_render_peek(peek, profile, cli->format, &render, fst_output_write, NULL, &err) !=
        FST_OK) {
        code = fst_output_report(&err);
    }
    fst_peek_free(peek);
    return code;
}

/* The first operand is the pattern; what is wrong with it is said before anything is read. */
static int take_pattern(struct fst_cli *cli)
{
    if (cli->nfiles == 0) {
        fst_report("peek: which frames? foldstat peek RE [FILE]...");
        return FST_EXIT_USAGE;
    }
    struct fst_error err = {0};
    struct fst_selection_fault fault = {0};
    cli->pattern = *cli->files++;
    cli->nfiles--;
    if (fst_pattern_check(fst_str_cstr(cli->pattern), &fault, &err) != FST_OK) {
        fst_report_fault(&fault, NULL, &err);
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int command(const struct fst_cli *cli)
{
    struct fst_cli own = *cli;
    int code = take_pattern(&own);
    if (code != 0) {
        return code;
    }
    struct fst_profile_options options = cli->profile;
    options.by = cli->by_given ? options.by : FST_BY_FUNCTION;
    options.tree = true;
    options.tree_of_frames = true;
    return fst_cli_on_profile(&own, &options, show);
}

const struct fst_command fst_peek_command = {
    .bit = FST_IN_PEEK,
    .name = "peek",
    .invocation = "foldstat peek",
    .help = "callers, callees, lines and stacks of what matches",
    .page =
        {
            .usage = "Usage: foldstat peek [OPTION]... RE [FILE]...\n",
            .brief =
                "Shows what is around the functions whose names match RE: who calls them, whom\n"
                "they call, on which lines they are, and the heaviest stacks through them. - is\n"
                "standard input.\n",
            .hint = "foldstat peek --help shows examples.\n",
            .examples = "Examples:\n"
                        "  foldstat peek forward all.raw                what matches, and what is "
                        "around it\n"
                        "  foldstat peek '^_serve \\(' -n 20 all.raw     one function, more rows\n"
                        "  foldstat peek --by module '^torch\\.nn' all.raw   who uses a package\n"
                        "  foldstat peek --by line 'loop.py:176$' all.raw    around one line\n"
                        "  foldstat peek -n 1 --format json fit all.raw | jq '.matches[0].lines'\n",
            .about = "RE is Perl-compatible and matches anywhere in a name as foldstat top --by "
                     "function\n"
                     "shows it: \"name (file)\". To keep nothing but stacks through a frame, in "
                     "whatever\n"
                     "command, use --focus.\n",
            .reading =
                "TOTAL counts the samples of stacks in which one calls the other, SHARE is of the\n"
                "match's total. A stack counts once, however often a function recurs in it, so "
                "that\n"
                "shares of recursive functions may add up to more than all. LINES tells on which\n"
                "lines the function was, the heaviest ones in the order of the file: SELF while "
                "it\n"
                "ran itself. -n sets the rows of every table.\n",
        },
    .run = command,
};
