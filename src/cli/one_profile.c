#include "cli/one_profile.h"

#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/selection.h"

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
