#include "cli/sides.h"

#include <string.h>

#include "cli/report.h"

struct fst_read_options fst_side_options(const struct fst_cli *cli, int side)
{
    struct fst_read_options options = cli->read;
    const struct fst_sampling *own = &cli->sides[side];
    options.rate = own->rate > 0 ? own->rate : options.rate;
    options.duration = own->duration > 0 ? own->duration : options.duration;
    options.ticks = own->ticks > 0 ? own->ticks : cli->top.ticks;
    if (own->errors_given) {
        options.errors = own->errors;
        options.errors_given = true;
    }
    return options;
}

int fst_sides_check(const char *const *paths, size_t count)
{
    size_t on_stdin = 0;
    for (size_t i = 0; i < count; i++) {
        if (paths[i] != NULL && paths[i][0] == '\0') {
            fst_report("the name of a recording is empty");
            return FST_EXIT_USAGE;
        }
        on_stdin += paths[i] != NULL && strcmp(paths[i], "-") == 0;
    }
    if (on_stdin > 1) {
        fst_report("standard input cannot be read twice");
        return FST_EXIT_USAGE;
    }
    return 0;
}

void fst_sides_report_skipped(struct fst_profile *const *profiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (profiles[i] != NULL) {
            size_t ninputs;
            const struct fst_input *inputs = fst_profile_inputs(profiles[i], &ninputs);
            fst_report_skipped(inputs, ninputs);
        }
    }
}
