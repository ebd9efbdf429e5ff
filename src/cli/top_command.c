#include "cli/command.h"
#include "cli/one_profile.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

enum { LEAF_ROWS = 20, INNER_ROWS = 5, ROOT_ROWS = 12 };

static struct fst_top_options top_options(const struct fst_cli *cli)
{
    struct fst_top_options options = cli->top;
    options.leaf_rows = fst_output_rows(cli, LEAF_ROWS);
    options.inner_rows = fst_output_rows(cli, INNER_ROWS);
    options.root_rows = fst_output_rows(cli, ROOT_ROWS);
    if (cli->format == FST_FORMAT_PLAIN && !cli->ties_given) {
        options.ties = FST_TIES_FIRST;
    }
    return options;
}

static int show(const struct fst_cli *cli, const struct fst_profile *profile)
{
    struct fst_error err = {0};
    struct fst_top *top = NULL;
    struct fst_top_options options = top_options(cli);
    if (fst_top_new(profile, &options, &top, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(top->notes, top->nnotes);
    }
    struct fst_render_options render = fst_terminal_options(cli);
    int code = 0;
    if (fst_render_top(top, profile, cli->format, &render, fst_output_write, NULL, &err) !=
        FST_OK) {
        code = fst_output_report(&err);
    }
    fst_top_free(top);
    return code;
}

/* What is not shown is not counted. */
static struct fst_profile_options profile_options(const struct fst_cli *cli)
{
    struct fst_profile_options options = cli->profile;
    options.no_totals = options.no_totals || cli->format == FST_FORMAT_PLAIN;
    return options;
}

/* What would have no effect, or show rows without a figure; returns 0, or the exit code after a
 * message. */
static int refuse_options(const struct fst_cli *cli)
{
    if (cli->render.label != NULL && cli->format != FST_FORMAT_PLAIN) {
        fst_report("--label: only the headings of --format plain have one");
        return FST_EXIT_USAGE;
    }
    if (cli->top.sort == FST_SORT_TOTAL &&
        (cli->format == FST_FORMAT_PLAIN || cli->profile.no_totals)) {
        fst_report("--sort total: %s shows no totals; leave one of them out",
                   cli->format == FST_FORMAT_PLAIN ? "--format plain" : "--no-total");
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int command(const struct fst_cli *cli)
{
    int code = refuse_options(cli);
    if (code != 0) {
        return code;
    }
    struct fst_profile_options options = profile_options(cli);
    return fst_cli_on_profile(cli, &options, show);
}

const struct fst_command fst_top_command = {
    .bit = FST_IN_TOP,
    .name = "top",
    .invocation = "foldstat",
    .help = "leaf and root tables (the default)",
    .page =
        {
            .usage = "Usage: foldstat [top] [OPTION]... [FILE]...\n",
            .brief =
                "Reads collapsed stack profiles (\"frame;frame;frame N\" a line), flame graphs\n"
                "(SVG) and speedscope JSON, plain, gzip or zstd, and prints which frames are\n"
                "hot and under which roots. - is standard input.\n",
            .hint = "foldstat --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  py-spy record -f raw -r 99 -d 45 -o all.raw --pid 4242\n"
                "  foldstat all.raw                         what is hot, and under which root\n"
                "  foldstat all.raw -r 99 -d 45             also how many threads are busy in it\n"
                "  foldstat --by function -n 5 all.raw      the five hottest functions\n"
                "  foldstat --by thread,category --normalize threads.raw   what each pool does\n"
                "  foldstat --focus 'forward' --hide '^_' all.raw      stacks through forward\n"
                "  ssh box 'cat /tmp/all.raw' | foldstat    from a pipe\n"
                "  foldstat host*.raw.gz                    the sum of many recordings\n"
                "  foldstat --format json all.raw | jq '.leaf.rows[0]'\n",
            .about =
                "foldstat reads collapsed (\"folded\") stack profiles, one \"frame;frame;frame N\" "
                "a\n"
                "line, as py-spy record -f raw writes them, and prints which frames are hot and\n"
                "under which roots.\n",
            .reading =
                "SELF counts the samples in which a frame was the leaf (running), TOTAL those in\n"
                "which it was anywhere on the stack, each stack once. Shares are of all samples;\n"
                "the interval says where a share would lie if the same load were recorded again,\n"
                "assuming independent samples.\n",
        },
    .run = command,
};
