#include "cli/one_profile.h"

#include <stdlib.h>

#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/selection.h"

/* Says what a careful reader should see of whole stacks; returns 0, or the exit code after a message. */
static int say_notes(const struct fst_cli *cli, const struct fst_profile *profile)
{
    struct fst_error err = {0};
    struct fst_sum *sum = NULL;
    const struct fst_sum_options options = {.unit_kept = cli->unit_kept};
    if (fst_sum_new(profile, &options, &sum, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(sum->notes, sum->nnotes);
    }
    fst_sum_free(sum);
    return 0;
}

static int read_and_show(const struct fst_cli *cli, const struct fst_profile_options *options,
                         fst_show_fn show)
{
    struct fst_error err = {0};
    struct fst_profile *profile = NULL;
    if (fst_profile_new(options, &profile, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    int code = fst_inputs_read(cli, profile);
    if (code == 0) {
        size_t count;
        const struct fst_input *inputs = fst_profile_inputs(profile, &count);
        fst_report_skipped(inputs, count);
        code = options->keep == FST_KEEP_STACKS ? say_notes(cli, profile) : 0;
    }
    if (code == 0) {
        code = show(cli, profile);
    }
    fst_profile_free(profile);
    return code;
}

int fst_cli_on_profile(const struct fst_cli *cli, const struct fst_profile_options *options,
                       fst_show_fn show)
{
    struct fst_selection *selection = NULL;
    int code = fst_cli_select(cli, &selection);
    if (code == 0) {
        struct fst_profile_options selected = *options;
        selected.selection = selection;
        code = read_and_show(cli, &selected, show);
    }
    fst_selection_free(selection);
    return code;
}

int fst_cli_on_stacks(const struct fst_cli *cli, fst_show_fn show)
{
    struct fst_profile_options options = cli->profile;
    options.keep = FST_KEEP_STACKS;
    options.folder = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): no thread changes it
    return fst_cli_on_profile(cli, &options, show);
}
