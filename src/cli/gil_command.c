#include <string.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/selection.h"
#include "cli/terminal.h"

enum { SIDES = 3, FRAME_ROWS = 20, OTHER_ROWS = 12 };

/* --- which recordings ------------------------------------------------------------------------ */

static int check_paths(const char *const *paths)
{
    size_t on_stdin = 0;
    for (int side = 0; side < SIDES; side++) {
        if (paths[side] != NULL && paths[side][0] == '\0') {
            fst_report("the name of a recording is empty");
            return FST_EXIT_USAGE;
        }
        on_stdin += paths[side] != NULL && strcmp(paths[side], "-") == 0;
    }
    if (on_stdin > 1) {
        fst_report("standard input cannot be read twice");
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int find_paths(const struct fst_cli *cli, const char **paths)
{
    if (cli->nfiles == 0) {
        fst_report("gil: which recordings? foldstat gil GIL [ALL]; foldstat gil --explain says how "
                   "to make them");
        return FST_EXIT_USAGE;
    }
    if (cli->nfiles > 2) {
        fst_report("gil: at most two recordings, GIL and ALL; one with idle threads goes to --idle "
                   "FILE");
        return FST_EXIT_USAGE;
    }
    if (cli->profile.nested) {
        fst_report("gil: rows within rows are of foldstat top alone");
        return FST_EXIT_USAGE;
    }
    paths[0] = cli->files[0];
    paths[1] = cli->nfiles > 1 ? cli->files[1] : NULL;
    paths[2] = cli->idle;
    return check_paths(paths);
}

/* --- reading --------------------------------------------------------------------------------- */

/* What the options say of a side: its own, or those of all sides. */
static struct fst_read_options options_of(const struct fst_cli *cli, int side)
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

/* Reads what paths name into profiles; NULL stays NULL. */
static int read_sides(const struct fst_cli *cli, const struct fst_selection *selection,
                      const char *const *paths, struct fst_profile **profiles)
{
    struct fst_progress progress;
    struct fst_profile_options options = cli->profile;
    options.threads = true;
    options.selection = selection;
    fst_progress_init(&progress, 1U + (paths[1] != NULL) + (paths[2] != NULL), !cli->quiet);
    for (int side = 0; side < SIDES; side++) {
        struct fst_error err = {0};
        if (paths[side] == NULL) {
            continue;
        }
        if (fst_profile_new(&options, &profiles[side], &err) != FST_OK) {
            fst_report_error(NULL, &err);
            return FST_EXIT_USAGE;
        }
        if (fst_inputs_read_one(profiles[side], paths[side], options_of(cli, side), &progress,
                                &err) != FST_OK) {
            return FST_EXIT_USAGE;
        }
    }
    fst_progress_clear(&progress);
    return 0;
}

static void report_skipped(struct fst_profile *const *profiles)
{
    for (int side = 0; side < SIDES; side++) {
        if (profiles[side] != NULL) {
            size_t count;
            const struct fst_input *inputs = fst_profile_inputs(profiles[side], &count);
            fst_report_skipped(inputs, count);
        }
    }
}

/* --- showing --------------------------------------------------------------------------------- */

static int show(const struct fst_cli *cli, struct fst_profile *const *profiles)
{
    struct fst_error err = {0};
    struct fst_gil *gil = NULL;
    struct fst_gil_options options = {
        .processes = cli->processes,
        .frame_rows = fst_output_rows(cli, FRAME_ROWS),
        .without_rows = fst_output_rows(cli, OTHER_ROWS),
        .thread_rows = fst_output_rows(cli, OTHER_ROWS),
    };
    if (fst_gil_new(profiles[0], profiles[1], profiles[2], &options, &gil, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(gil->notes, gil->nnotes);
    }
    if (!cli->quiet && fst_output_is_for_scripts(cli)) {
        fst_report_notes(gil->missing, gil->nmissing); /* the pages have them */
    }
    struct fst_render_options render = fst_terminal_options(cli);
    int code = 0;
    if (fst_render_gil(gil, cli->format, &render, fst_output_write, NULL, &err) != FST_OK) {
        code = fst_output_report(&err);
    }
    fst_gil_free(gil);
    return code;
}

static int command(const struct fst_cli *cli)
{
    const char *paths[SIDES] = {NULL};
    struct fst_profile *profiles[SIDES] = {NULL};
    struct fst_selection *selection = NULL;
    int code = find_paths(cli, paths);
    if (code == 0) {
        code = fst_cli_select(cli, &selection);
    }
    if (code == 0) {
        code = read_sides(cli, selection, paths, profiles);
    }
    if (code == 0) {
        report_skipped(profiles);
        code = show(cli, profiles);
    }
    for (int side = 0; side < SIDES; side++) {
        fst_profile_free(profiles[side]);
    }
    fst_selection_free(selection);
    return code;
}

const struct fst_command fst_gil_command = {
    .bit = FST_IN_GIL,
    .name = "gil",
    .invocation = "foldstat gil",
    .help = "who holds the Python GIL, how much of the time",
    .sides = {"gil", "all", "idle"},
    .page =
        {
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
    .run = command,
};
