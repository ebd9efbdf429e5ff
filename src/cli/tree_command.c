#include "cli/command.h"
#include "cli/one_profile.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/terminal.h"

/* What is smaller is left out of pages for people, unless asked for. */
static const double usual_share = 0.005;

static struct fst_tree_options tree_options(const struct fst_cli *cli)
{
    struct fst_tree_options options = cli->tree;
    bool everything = cli->all_rows || fst_output_is_for_scripts(cli);
    options.percent_of = cli->top.percent_of;
    options.least_share = cli->least_given ? cli->top.least_share : everything ? 0 : usual_share;
    return options;
}

static int show(const struct fst_cli *cli, const struct fst_profile *profile)
{
    struct fst_error err = {0};
    struct fst_tree *tree = NULL;
    struct fst_tree_options options = tree_options(cli);
    if (fst_tree_new(profile, &options, &tree, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    if (!cli->quiet) {
        fst_report_notes(tree->notes, tree->nnotes);
    }
    struct fst_render_options render = fst_terminal_options(cli);
    int code = 0;
    if (fst_render_tree(tree, profile, cli->format, &render, fst_output_write, NULL, &err) !=
        FST_OK) {
        code = fst_output_report(&err);
    }
    fst_tree_free(tree);
    return code;
}

static int command(const struct fst_cli *cli)
{
    struct fst_profile_options options = cli->profile;
    options.by = cli->by_given ? options.by : FST_BY_FUNCTION;
    options.tree = true;
    options.no_totals = true; /* the tree has its own */
    return fst_cli_on_profile(cli, &options, show);
}

const struct fst_command fst_tree_command = {
    .bit = FST_IN_TREE,
    .name = "tree",
    .invocation = "foldstat tree",
    .help = "the call tree, from the roots or from the leaves",
    .page =
        {
            .usage = "Usage: foldstat tree [OPTION]... [FILE]...\n",
            .brief = "Shows what called what, and how much of the samples each way holds. - is\n"
                     "standard input.\n",
            .hint = "foldstat tree --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  foldstat tree all.raw                        functions, from the roots\n"
                "  foldstat tree --reverse all.raw              hot functions, and who calls them\n"
                "  foldstat tree --max-depth 4 all.raw          the four outermost levels\n"
                "  foldstat tree --min-percent 5 --show-from '^train' all.raw\n"
                "  foldstat tree --by module all.raw            which package calls which\n"
                "  foldstat tree --by frame all.raw             lines too\n"
                "  foldstat tree --format json all.raw | jq '.nodes[] | select(.self > 100)'\n",
            .about = "Every distinct way from a root to a frame is a node. Its total is what "
                     "stacks hold\n"
                     "that begin with that way, its self count what those hold that end there.\n",
            .reading =
                "Children stand under what called them, the largest total first. A chain of nodes\n"
                "of which each is all that there is to the one before is one line, \"a › b › c\",\n"
                "with the figures of its last. With --reverse the first level are leaves, and "
                "what\n"
                "stands under a frame called it. Branches below 0.5 % are left out unless\n"
                "--min-percent or --all says otherwise, or the format is json, csv or tsv; what "
                "was\n"
                "left out is counted in the last line, and as \"… 3 more\" where it is large.\n"
                "\"+12\" in front of a line stands for twelve levels that there is no room to "
                "draw.\n",
        },
    .run = command,
};
