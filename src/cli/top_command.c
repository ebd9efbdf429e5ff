#include "cli/top_command.h"

#include <errno.h>
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/selection.h"
#include "cli/terminal.h"

enum { LEAF_ROWS = 20, INNER_ROWS = 5, ROOT_ROWS = 12 };

static int write_stdout(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, bytes, len);
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        }
    }
    return 0;
}

/* Says why writing failed; a reader that went away is no failure. */
static int report_write(const struct fst_error *err)
{
    if (err->sys_errno == EPIPE) {
        return 0;
    }
    fst_report_error("standard output", err);
    return FST_EXIT_USAGE;
}

static struct fst_top_options top_options(const struct fst_cli *cli)
{
    struct fst_top_options options = cli->top;
    bool for_scripts = cli->format == FST_FORMAT_JSON || cli->format == FST_FORMAT_CSV ||
                       cli->format == FST_FORMAT_TSV;
    bool everything = cli->all_rows || (cli->rows == 0 && for_scripts);
    options.leaf_rows = everything ? 0 : cli->rows > 0 ? cli->rows : LEAF_ROWS;
    options.inner_rows = everything ? 0 : cli->rows > 0 ? cli->rows : INNER_ROWS;
    options.root_rows = everything ? 0 : cli->rows > 0 ? cli->rows : ROOT_ROWS;
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
    if (fst_render_top(top, profile, cli->format, &render, write_stdout, NULL, &err) != FST_OK) {
        code = report_write(&err);
    }
    fst_top_free(top);
    return code;
}

/* What is not shown is not counted. */
static struct fst_profile_options profile_options(const struct fst_cli *cli)
{
    struct fst_profile_options options = cli->profile;
    options.no_totals = cli->format == FST_FORMAT_PLAIN && cli->top.sort != FST_SORT_TOTAL;
    return options;
}

/* Reads the inputs through a selection and shows what they hold. */
static int run(const struct fst_cli *cli, const struct fst_selection *selection)
{
    struct fst_error err = {0};
    struct fst_profile *profile = NULL;
    struct fst_profile_options options = profile_options(cli);
    options.selection = selection;
    if (fst_profile_new(&options, &profile, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    int code = fst_inputs_read(cli, profile);
    if (code == 0) {
        size_t count;
        const struct fst_input *inputs = fst_profile_inputs(profile, &count);
        fst_report_skipped(inputs, count);
        code = show(cli, profile);
    }
    fst_profile_free(profile);
    return code;
}

int fst_top_command(const struct fst_cli *cli)
{
    struct fst_selection *selection = NULL;
    int code = fst_cli_select(cli, &selection);
    if (code == 0) {
        code = run(cli, selection);
    }
    fst_selection_free(selection);
    return code;
}
