#include "cli/budget.h"
#include "cli/command.h"
#include "cli/compared.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

enum { ROWS = 20, WITHIN_ROWS = 5 };

static int exit_code_of(enum fst_verdict verdict)
{
    static const int codes[] = {
        [FST_VERDICT_WITHIN] = 0,
        [FST_VERDICT_BEYOND] = FST_EXIT_FOUND,
        [FST_VERDICT_CANNOT_JUDGE] = FST_EXIT_UNJUDGED,
    };
    return codes[verdict];
}

static int show(const struct fst_compared *compared, const struct fst_diff *diff)
{
    const struct fst_cli *cli = &compared->cli;
    struct fst_check_options options = {
        .budgets = cli->budgets, .nbudgets = cli->nbudgets, .rows = fst_output_rows(cli, ROWS)};
    options.within_rows = cli->rows > 0 ? 0 : fst_output_rows(cli, WITHIN_ROWS);
    struct fst_error err = {0};
    struct fst_check *check = NULL;
    if (fst_check_new(diff, &options, &check, NULL, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (fst_output_is_for_scripts(cli) && !cli->quiet) {
        fst_report_notes(check->notes, check->nnotes); /* pages have them */
    }
    struct fst_render_options render = fst_terminal_options(cli);
    int code = exit_code_of(check->verdict);
    if (fst_render_check(check, cli->format, &render, fst_output_write, NULL, &err) != FST_OK) {
        int failed = fst_output_report(&err);
        code = failed != 0 ? failed : code;
    }
    fst_check_free(check);
    return code;
}

static int run(const struct fst_cli *cli)
{
    struct fst_compared compared;
    struct fst_diff *diff = NULL;
    int code = fst_compared_read(cli, false, &compared);
    if (code == 0) {
        struct fst_diff_options options = cli->diff;
        options.jobs = cli->read.jobs;
        options.fdr = cli->fdr;
        options.percent_of = cli->top.percent_of;
        options.design_effect = cli->top.design_effect;
        code = fst_compared_diff(&compared, &options, &diff);
    }
    if (code == 0) {
        code = show(&compared, diff);
    }
    fst_diff_free(diff);
    fst_compared_release(&compared);
    return code;
}

static int command(const struct fst_cli *cli)
{
    struct fst_cli own = *cli;
    struct fst_buf text = {0};
    int code = cli->budget_file == NULL ? 0 : fst_budget_read(&own, cli->budget_file, &text);
    if (code == 0 && own.nbudgets == 0) {
        fst_report("check: no budget; --max-increase 2pp is one, --budget FILE has several");
        code = FST_EXIT_USAGE;
    }
    if (code == 0) {
        code = run(&own);
    }
    fst_buf_release(&text);
    return code;
}

const struct fst_command fst_check_command = {
    .bit = FST_IN_CHECK,
    .name = "check",
    .invocation = "foldstat check",
    .help = "a gate for builds: whether a change is within its budget",
    .sides = {"before", "after"},
    .compared = {"BASE", "NEW"},
    .page =
        {
            .usage = "Usage: foldstat check [OPTION]... BASE NEW\n"
                     "       foldstat check [OPTION]... BASE... --vs NEW...\n"
                     "       foldstat check [OPTION]... FILE-WITH-TWO-COUNTS\n",
            .brief =
                "Fails where a function takes more of the samples than it may: only for what is\n"
                "beyond noise, and it says so where too little was recorded to tell. Several\n"
                "recordings a side show what noise is.\n",
            .hint = "foldstat check --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  foldstat check --max-increase 2pp b?.raw --vs n?.raw\n"
                "  foldstat check --max-increase 2pp --max-increase '^parse=0.5pp' b?.raw --vs "
                "n?.raw\n"
                "  foldstat check --max-self 'json=5%' --max-total '^main=60%' b?.raw --vs "
                "n?.raw\n"
                "  foldstat check --budget budget.txt b?.raw --vs n?.raw\n"
                "  foldstat check --max-increase 2pp --format md b?.raw --vs n?.raw >> "
                "comment.md\n",
            .about =
                "Rows are those of foldstat diff. A file of budgets has an option without its "
                "dashes\n"
                "a line, as in \"max-self json=5%\"; lines that begin with # are comments.\n"
                "One recording a side does not show what changes from run to run by itself, and\n"
                "that fails the check where it is more than a budget: record four a side, in "
                "turns.\n",
            .reading =
                "A row is over its budget where VALUE is above it and that is beyond noise; it is\n"
                "unclear where half the width of its interval is above the budget and the upper "
                "end\n"
                "too, or where a share is above its limit but not surely. About how many samples "
                "or\n"
                "recordings would tell is said. Other rows are ok: not known to be over, though\n"
                "their intervals may reach beyond. docs/STATISTICS.md has every formula.\n",
            .codes = "  0  within the budget\n"
                     "  1  beyond the budget\n"
                     "  2  wrong usage, an input or output that fails, or no usable data\n"
                     "  3  cannot judge: too little was recorded, or counts are no samples\n",
        },
    .run = command,
};
