#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/out_file.h"
#include "cli/report.h"
#include "cli/selection.h"

/* What is compared. */
enum { BEFORE, AFTER, SIDES };

/* --- what can be drawn ------------------------------------------------------------------------- */

static int check_output(const struct fst_cli *cli)
{
    bool to_stdout = cli->output == NULL || strcmp(cli->output, "-") == 0;
    if (to_stdout && isatty(STDOUT_FILENO)) {
        fst_report("flame: a picture is not for a terminal; -o flame.svg writes a file that any "
                   "browser opens");
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int check_base(const struct fst_cli *cli)
{
    if (cli->base == NULL) {
        return 0;
    }
    if (cli->base[0] == '\0') {
        fst_report("--diff: the name of the profile is empty");
        return FST_EXIT_USAGE;
    }
    bool stdin_taken = cli->nfiles == 0 && cli->files0_from == NULL;
    for (size_t i = 0; i < cli->nfiles; i++) {
        stdin_taken = stdin_taken || strcmp(cli->files[i], "-") == 0;
    }
    if (strcmp(cli->base, "-") == 0 && stdin_taken) {
        fst_report("standard input cannot be read twice");
        return FST_EXIT_USAGE;
    }
    return 0;
}

/* --- reading ----------------------------------------------------------------------------------- */

/* The command line as if its options were those of one side. */
static struct fst_cli cli_of(const struct fst_cli *cli, int side)
{
    struct fst_cli copy = *cli;
    const struct fst_sampling *own = &cli->sides[side];
    copy.read.rate = own->rate > 0 ? own->rate : cli->read.rate;
    copy.read.duration = own->duration > 0 ? own->duration : cli->read.duration;
    copy.top.ticks = own->ticks > 0 ? own->ticks : cli->top.ticks;
    if (own->errors_given) {
        copy.read.errors = own->errors;
        copy.read.errors_given = true;
    }
    if (side == BEFORE) {
        copy.read.ticks = copy.top.ticks;
    }
    return copy;
}

static int read_base(const struct fst_cli *cli, struct fst_profile *profile)
{
    struct fst_error err = {0};
    struct fst_progress progress;
    fst_progress_init(&progress, 1, !cli->quiet);
    enum fst_status status = fst_inputs_read_one(profile, cli->base, cli->read, &progress, &err);
    fst_progress_clear(&progress);
    return status == FST_OK ? 0 : FST_EXIT_USAGE;
}

/* Reads one side into a new profile, beside that of the other side if it is there. */
static int read_side(const struct fst_cli *cli, const struct fst_selection *selection, int side,
                     struct fst_profile **profiles)
{
    struct fst_error err = {0};
    struct fst_cli own = cli_of(cli, side);
    struct fst_profile_options options = cli->profile;
    options.selection = selection;
    options.beside = profiles[BEFORE];
    options.tree = true;
    options.no_totals = true; /* the tree has its own */
    if (fst_profile_new(&options, &profiles[side], &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    int code =
        side == BEFORE ? read_base(&own, profiles[side]) : fst_inputs_read(&own, profiles[side]);
    if (code == 0) {
        size_t count;
        const struct fst_input *inputs = fst_profile_inputs(profiles[side], &count);
        fst_report_skipped(inputs, count);
    }
    return code;
}

/* --- showing ----------------------------------------------------------------------------------- */

static int write_picture(const struct fst_cli *cli, const struct fst_flame *flame)
{
    struct fst_out out;
    struct fst_error err = {0};
    int code = fst_out_open(&out, cli->output);
    if (code != 0) {
        return code;
    }
    return fst_render_flame(flame, &cli->picture, fst_out_write, &out, &err) == FST_OK
               ? fst_out_commit(&out)
               : fst_out_fail(&out, &err);
}

static int show(const struct fst_cli *cli, struct fst_profile *const *profiles)
{
    struct fst_error err = {0};
    struct fst_flame *flame = NULL;
    struct fst_flame_options options = cli->flame;
    options.fdr = cli->fdr;
    options.reverse = cli->tree.reverse;
    options.design_effect = cli->top.design_effect;
    if (fst_flame_new(profiles[AFTER], profiles[BEFORE], &options, &flame, &err) != FST_OK) {
        fst_report_error(cli->nfiles == 0 ? FST_STDIN_NAME : NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(flame->notes, flame->nnotes);
    }
    int code = write_picture(cli, flame);
    fst_flame_free(flame);
    return code;
}

static int run(const struct fst_cli *cli, const struct fst_selection *selection)
{
    struct fst_profile *profiles[SIDES] = {NULL};
    int code = cli->base == NULL ? 0 : read_side(cli, selection, BEFORE, profiles);
    if (code == 0) {
        code = read_side(cli, selection, AFTER, profiles);
    }
    if (code == 0) {
        code = show(cli, profiles);
    }
    for (int side = 0; side < SIDES; side++) {
        fst_profile_free(profiles[side]);
    }
    return code;
}

static int command(const struct fst_cli *cli)
{
    struct fst_selection *selection = NULL;
    struct fst_cli own = *cli;
    /* What was renamed by a generator is no change. */
    own.selection.normalize =
        cli->selection.normalize || (cli->base != NULL && !cli->normalize_given);
    int code = check_base(cli);
    if (code == 0) {
        code = check_output(cli);
    }
    if (code == 0) {
        code = fst_cli_select(&own, &selection);
    }
    if (code == 0) {
        code = run(&own, selection);
    }
    fst_selection_free(selection);
    return code;
}

const struct fst_command fst_flame_command = {
    .bit = FST_IN_FLAME,
    .name = "flame",
    .invocation = "foldstat flame",
    .help = "a flame graph as one interactive SVG, also of what changed",
    .sides = {"before", "after"},
    .page =
        {
            .usage = "Usage: foldstat flame [OPTION]... [-o FILE.svg] [FILE]...\n",
            .brief = "Draws collapsed stack profiles as a flame graph: one SVG that opens in any "
                     "browser\n"
                     "and needs nothing else. - is standard input.\n",
            .hint = "foldstat flame --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  foldstat flame all.raw -o all.svg\n"
                "  foldstat flame --by function --normalize all.raw -o all.svg   lines as one "
                "frame\n"
                "  foldstat flame --reverse all.raw -o leaves.svg    hot functions, then their "
                "callers\n"
                "  foldstat flame --diff before.raw after.raw -o change.svg      what changed\n"
                "  foldstat flame --focus forward --layout flame all.raw -o forward.svg\n"
                "  ssh box 'foldstat flame /tmp/all.raw' > all.svg\n",
            .about =
                "Click a frame to zoom into it; / searches, Esc shows all again, ? lists the "
                "keys.\n"
                "The address of the page is a link to what it shows. foldstat reads the picture\n"
                "back: foldstat all.svg.\n",
            .reading =
                "A frame is as wide as its share of all samples; what it called stands below it "
                "(with\n"
                "--layout flame above), the largest first, and what is left at the right is its "
                "own.\n"
                "Colours are modules. With --diff, widths are shares after, colours what changed\n"
                "beyond noise, grey what did not, and a broken outline what is gone; both sides "
                "are\n"
                "normalised unless --no-normalize is given.\n",
        },
    .run = command,
};
