#include "cli/command.h"
#include "cli/compared.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

enum { ROWS = 20 };

static bool is_collapsed(const struct fst_cli *cli)
{
    return cli->format == FST_FORMAT_COLLAPSED2;
}

static struct fst_diff_options diff_options(const struct fst_cli *cli)
{
    struct fst_diff_options options = cli->diff;
    options.fdr = cli->fdr;
    options.jobs = cli->read.jobs;
    options.percent_of = cli->top.percent_of;
    options.design_effect = cli->top.design_effect;
    options.rows = is_collapsed(cli) ? 0 : fst_output_rows(cli, ROWS);
    options.measured = !fst_output_is_for_scripts(cli) && !is_collapsed(cli);
    if (is_collapsed(cli)) {
        options.sort = FST_DIFF_BY_NAME;
    }
    return options;
}

static int show(const struct fst_compared *compared)
{
    const struct fst_cli *cli = &compared->cli;
    struct fst_diff_options options = diff_options(cli);
    struct fst_diff *diff = NULL;
    int code = fst_compared_diff(compared, &options, &diff);
    if (code != 0) {
        return code;
    }
    struct fst_error err = {0};
    struct fst_render_options render = fst_terminal_options(cli);
    if (fst_render_diff(diff, cli->format, &render, fst_output_write, NULL, &err) != FST_OK) {
        code = fst_output_report(&err);
    }
    if (code == 0 && cli->exit_code && diff->significant > 0) {
        code = FST_EXIT_FOUND;
    }
    fst_diff_free(diff);
    return code;
}

/* Stacks are rows of their own, or lie within others, but not both. */
static int check_stacks(const struct fst_cli *cli)
{
    if (is_collapsed(cli) && (cli->by_given || cli->diff.paths > 0)) {
        fst_report("diff: collapsed2 has every stack; --%s has no use there",
                   cli->by_given ? "by" : "paths");
        return FST_EXIT_USAGE;
    }
    if (cli->diff.paths > 0 && cli->profile.by == FST_BY_STACK) {
        fst_report("diff: --paths has no use where rows are stacks");
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int command(const struct fst_cli *cli)
{
    struct fst_cli own = *cli;
    struct fst_compared compared;
    int code = check_stacks(cli);
    if (code != 0) {
        return code;
    }
    if (is_collapsed(cli)) {
        own.profile.by = FST_BY_STACK;
        own.by_given = true;
    }
    code = fst_compared_read(&own, cli->diff.paths > 0, &compared);
    if (code == 0) {
        code = show(&compared);
    }
    fst_compared_release(&compared);
    return code;
}

const struct fst_command fst_diff_command = {
    .bit = FST_IN_DIFF,
    .name = "diff",
    .invocation = "foldstat diff",
    .help = "what changed between recordings, and what is only noise",
    .sides = {"before", "after"},
    .compared = {"BEFORE", "AFTER"},
    .page =
        {
            .usage = "Usage: foldstat diff [OPTION]... BEFORE AFTER\n"
                     "       foldstat diff [OPTION]... BEFORE... --vs AFTER...\n"
                     "       foldstat diff [OPTION]... FILE-WITH-TWO-COUNTS\n",
            .brief =
                "Compares recordings: by how many points each function's share changed, with an\n"
                "interval, and whether that is more than noise. - is standard input.\n",
            .hint = "foldstat diff --help shows examples, and how to record.\n",
            .examples =
                "Examples:\n"
                "  foldstat diff before.raw after.raw\n"
                "  foldstat diff b1.raw b2.raw b3.raw b4.raw --vs a1.raw a2.raw a3.raw a4.raw\n"
                "  foldstat diff --sort-on total --paths 3 before.raw after.raw\n"
                "  foldstat diff --basis rate -r 99 -d 30 before.raw after.raw    threads in each\n"
                "  foldstat diff --exit-code -q before.raw after.raw >/dev/null || echo changed\n"
                "  foldstat diff --format collapsed2 before.raw after.raw | flamegraph.pl > "
                "diff.svg\n",
            .about =
                "Two recordings of the same program differ, whatever was changed in it. One a "
                "side\n"
                "tells what is more than the chance of sampling, but not what changes from run to\n"
                "run by itself. Several a side do, and that is the sound way: record before and\n"
                "after in turns, with the same options, four times each, and put --vs between "
                "them.\n"
                "Then the spread between recordings decides. With two or three a side the test is\n"
                "approximate.\n",
            .reading =
                "BEFORE and AFTER are shares of the side's samples (--basis share), DELTA their\n"
                "difference in points with its interval, RATIO their quotient; new and gone rows\n"
                "say so. * is a change beyond noise, ~ none: among the rows marked * at most 5 %\n"
                "(--fdr) are expected to be noise. The interval is of a row alone and the mark of\n"
                "all rows that were tested, so that ~ may stand beside one without 0. The last\n"
                "column is the difference of the other count, total or self. Rows are functions,\n"
                "and generated names one name, so that moved lines and new numbers are no "
                "changes.\n"
                "docs/STATISTICS.md has every formula.\n",
            .codes = "  0  done\n"
                     "  1  with --exit-code: something changed beyond noise\n"
                     "  2  wrong usage, an input or output that fails, or no usable data\n",
        },
    .run = command,
};
