#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/selection.h"
#include "cli/sides.h"
#include "cli/terminal.h"

enum { SIDES = 3, FRAME_ROWS = 20, INNER_ROWS = 5, OTHER_ROWS = 12 };

/* --- which recordings ------------------------------------------------------------------------ */

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
    paths[0] = cli->files[0];
    paths[1] = cli->nfiles > 1 ? cli->files[1] : NULL;
    paths[2] = cli->idle;
    return fst_sides_check(paths, SIDES);
}

/* --- reading --------------------------------------------------------------------------------- */

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
        options.beside = profiles[0];
        if (fst_profile_new(&options, &profiles[side], &err) != FST_OK) {
            fst_report_error(NULL, &err);
            return FST_EXIT_USAGE;
        }
        if (fst_inputs_read_one(profiles[side], paths[side], fst_side_options(cli, side), &progress,
                                &err) != FST_OK) {
            return FST_EXIT_USAGE;
        }
    }
    fst_progress_clear(&progress);
    return 0;
}

/* --- showing --------------------------------------------------------------------------------- */

static int show(const struct fst_cli *cli, struct fst_profile *const *profiles)
{
    struct fst_error err = {0};
    struct fst_gil *gil = NULL;
    struct fst_gil_options options = {
        .processes = cli->processes,
        .percent_of = cli->top.percent_of,
        .least_share = cli->top.least_share,
        .inner_rows = fst_output_rows(cli, INNER_ROWS),
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
        fst_sides_report_skipped(profiles, SIDES);
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
            .brief =
                "Compares a recording of the samples that held the Python GIL (py-spy record\n"
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
                "  foldstat gil gil.raw all.raw -r 99 -d 30 --thread MainThread    that thread "
                "alone\n"
                "  foldstat gil gil.raw all.raw -r 99 -d 30 --by thread,category   who does what\n"
                "  foldstat gil gil.raw all.raw -r 99 -d 30 --format json | jq .verdict\n",
            .about =
                "The two counts have different clocks: GIL has at most one sample a tick, ALL one\n"
                "for every active thread. Without the ticks, which rate and duration give, "
                "nothing\n"
                "but the ratio of counts is known, and that says little.\n",
            .reading =
                "GIL and ALL are self counts. HELD is the share of time in which a row held the\n"
                "lock, ACTIVE the mean number of threads in it, WITHOUT their difference, RATIO\n"
                "their quotient with its exact interval: above one half as a whole, the row holds\n"
                "the GIL; below, it releases it. BLOCKED is the mean number of threads that "
                "waited,\n"
                "on the GIL or anything else. docs/STATISTICS.md has every formula.\n",
        },
    .run = command,
};
