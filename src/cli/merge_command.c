#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/one_profile.h"
#include "cli/out_file.h"
#include "cli/report.h"
#include "cli/selection.h"

static struct fst_collapsed_options collapsed_options(const struct fst_cli *cli)
{
    return (struct fst_collapsed_options){
        .tags = cli->tags,
        .ntags = cli->ntags,
        .header = cli->header,
        .partial = cli->profile.partial,
    };
}

/* Writes the stacks to where they are wanted. */
static int write_stacks(const struct fst_cli *cli, const struct fst_profile *profile)
{
    struct fst_out out;
    struct fst_error err = {0};
    const struct fst_collapsed_options options = collapsed_options(cli);
    int code = fst_out_open(&out, cli->output);
    if (code != 0) {
        return code;
    }
    return fst_render_collapsed(profile, &options, fst_out_write, &out, &err) == FST_OK
               ? fst_out_commit(&out)
               : fst_out_fail(&out, &err);
}

/* --- inputs that are sorted -------------------------------------------------------------------- */

/* All inputs are open at once. */
static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static enum fst_status add_sorted(void *ctx, const char *name, size_t of, struct fst_error *err)
{
    (void)of;
    bool standard = strcmp(name, "-") == 0;
    const char *shown = standard ? FST_STDIN_NAME : name;
    enum fst_status status = standard ? fst_sorted_add_fd(ctx, STDIN_FILENO, shown, err)
                                      : fst_sorted_add_path(ctx, name, err);
    if (status != FST_OK) {
        fst_report_error(shown, err);
    }
    return status;
}

static int write_sorted(const struct fst_cli *cli, struct fst_sorted *sorted)
{
    struct fst_out out;
    struct fst_error err = {0};
    const struct fst_collapsed_options options = collapsed_options(cli);
    int code = fst_out_open(&out, cli->output);
    if (code != 0) {
        return code;
    }
    if (fst_render_sorted(sorted, &options, fst_out_write, &out, &err) == FST_OK) {
        return fst_out_commit(&out);
    }
    const char *failed = fst_sorted_failed(sorted);
    if (failed == NULL) {
        return fst_out_fail(&out, &err);
    }
    fst_report_error(failed, &err);
    fst_out_discard(&out);
    return FST_EXIT_USAGE;
}

static int run_sorted(const struct fst_cli *cli, const struct fst_selection *selection)
{
    struct fst_error err = {0};
    struct fst_sorted *sorted = NULL;
    if (cli->header || cli->profile.partial) {
        fst_report("--sorted: what %s says is only known when all is read; leave one of them out",
                   cli->profile.partial ? "--partial" : "--header");
        return FST_EXIT_USAGE;
    }
    if (selection != NULL || cli->read.leaf_first) {
        fst_report(
            "--sorted: filters, names and --leaf-first change the order of the stacks; leave "
            "--sorted out");
        return FST_EXIT_USAGE;
    }
    raise_file_limit();
    if (fst_sorted_new(&cli->read, &sorted, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    int code = fst_inputs_each(cli, add_sorted, sorted);
    if (code == 0) {
        code = write_sorted(cli, sorted);
    }
    fst_sorted_free(sorted);
    return code;
}

static int command(const struct fst_cli *cli)
{
    if (!cli->sorted) {
        struct fst_cli own = *cli;
        own.unit_kept = cli->header || cli->profile.partial;
        return fst_cli_on_stacks(&own, write_stacks);
    }
    struct fst_selection *selection = NULL;
    int code = fst_cli_select(cli, &selection);
    if (code == 0) {
        code = run_sorted(cli, selection);
    }
    fst_selection_free(selection);
    return code;
}

const struct fst_command fst_merge_command = {
    .bit = FST_IN_MERGE,
    .name = "merge",
    .invocation = "foldstat merge",
    .help = "the sum of many profiles as one sorted collapsed file",
    .page =
        {
            .usage = "Usage: foldstat merge [OPTION]... [FILE]...\n",
            .brief = "Adds up collapsed profiles, and writes one: a line a distinct stack, sorted "
                     "by the\n"
                     "bytes of the stacks. - is standard input.\n",
            .hint = "foldstat merge --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  foldstat merge -o all.raw host*.raw.gz          the sum of many recordings\n"
                "  foldstat merge --tag host=web1 -o web1.raw all.raw     a root that says where "
                "from\n"
                "  foldstat merge --partial -o part.raw host*.raw.gz      also how the hosts "
                "differ: foldstat part.raw\n"
                "  foldstat merge --focus forward --normalize a.raw b.raw | foldstat flame\n"
                "  find . -name '*.raw' -print0 | foldstat merge --files0-from=- -o all.raw.zst\n",
            .about = "The sum does not depend on the order of the inputs, nor on how they are "
                     "grouped: a\n"
                     "sum of sums has the same bytes, so that merge is at once the map, the "
                     "combine and\n"
                     "the reduce of whatever runs it on many machines.\n",
            .reading = "Stacks are kept as they are written. Counts are exact, fractions too. "
                       "Inputs that\n"
                       "count different units are refused unless --force is given.\n",
        },
    .run = command,
};
