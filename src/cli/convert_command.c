#include <string.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/one_profile.h"
#include "cli/out_file.h"
#include "cli/report.h"

/* --- which form -------------------------------------------------------------------------------- */

/* The first end that a name has tells the form. */
static const struct {
    struct fst_str end;
    enum fst_target target;
} ends[] = {
    {{".pb.gz", 6}, FST_TARGET_PPROF},      {{".pb", 3}, FST_TARGET_PPROF},
    {{".pprof", 6}, FST_TARGET_PPROF},      {{".speedscope.json", 16}, FST_TARGET_SPEEDSCOPE},
    {{".json", 5}, FST_TARGET_JSON},        {{".raw", 4}, FST_TARGET_COLLAPSED},
    {{".folded", 7}, FST_TARGET_COLLAPSED}, {{".collapsed", 10}, FST_TARGET_COLLAPSED},
};

/* A name without what says how it is compressed. */
static struct fst_str bare_name(const char *path)
{
    struct fst_str name = fst_str_cstr(path);
    bool pprof = fst_str_ends(name, FST_STR(".pb.gz"));
    name.len -= !pprof && fst_str_ends(name, FST_STR(".gz")) ? 3 : 0;
    name.len -= fst_str_ends(name, FST_STR(".zst")) ? 4 : 0;
    return name;
}

static int find_target(const struct fst_cli *cli, enum fst_target *out)
{
    *out = cli->to;
    for (size_t i = 0; !cli->to_given && cli->output != NULL && i < FST_COUNT_OF(ends); i++) {
        if (fst_str_ends(bare_name(cli->output), ends[i].end)) {
            *out = ends[i].target;
            return 0;
        }
    }
    if (!cli->to_given) {
        fst_report("convert: to which form? --to collapsed, pprof, speedscope or json");
        return FST_EXIT_USAGE;
    }
    if (*out == FST_TARGET_PPROF && cli->output == NULL && isatty(STDOUT_FILENO)) {
        fst_report("convert: pprof's form is not for a terminal; -o FILE writes it to a file");
        return FST_EXIT_USAGE;
    }
    if (*out == FST_TARGET_COLLAPSED && cli->list.most > 0) {
        fst_report("--max-samples: collapsed text has all stacks");
        return FST_EXIT_USAGE;
    }
    return 0;
}

/* --- writing ----------------------------------------------------------------------------------- */

static void note_fractions(const struct fst_cli *cli, const struct fst_list *list)
{
    if (!cli->quiet && cli->to == FST_TARGET_PPROF && list->fractions > 0) {
        fst_report("note: %llu %s, which pprof does not know: %s rounded",
                   (unsigned long long)list->fractions,
                   list->fractions == 1 ? "count has a fraction" : "counts have fractions",
                   list->fractions == 1 ? "it is" : "each is");
    }
}

static enum fst_status render(const struct fst_cli *cli, const struct fst_profile *profile,
                              const struct fst_list *list, struct fst_out *out,
                              struct fst_error *err)
{
    if (list == NULL) {
        const struct fst_collapsed_options options = {.ntags = 0};
        return fst_render_collapsed(profile, &options, fst_out_write, out, err);
    }
    note_fractions(cli, list);
    return fst_render_list(list, profile, cli->to, fst_out_write, out, err);
}

/* Writes a list, or without one the stacks of the profile. */
static int write_form(const struct fst_cli *cli, const struct fst_profile *profile,
                      const struct fst_list *list)
{
    struct fst_out out;
    struct fst_error err = {0};
    int code = cli->to == FST_TARGET_PPROF ? fst_out_open_as_is(&out, cli->output)
                                           : fst_out_open(&out, cli->output);
    if (code != 0) {
        return code;
    }
    return render(cli, profile, list, &out, &err) == FST_OK ? fst_out_commit(&out)
                                                            : fst_out_fail(&out, &err);
}

static int write_out(const struct fst_cli *cli, const struct fst_profile *profile)
{
    struct fst_error err = {0};
    struct fst_list *list = NULL;
    struct fst_list_options options = cli->list;
    options.labels = cli->to == FST_TARGET_PPROF && !cli->threads_are_frames;
    if (cli->to != FST_TARGET_COLLAPSED && fst_list_new(profile, &options, &list, &err) != FST_OK) {
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    int code = write_form(cli, profile, list);
    fst_list_free(list);
    return code;
}

static int command(const struct fst_cli *cli)
{
    struct fst_cli own = *cli;
    int code = find_target(cli, &own.to);
    own.unit_kept = own.to != FST_TARGET_COLLAPSED;
    return code != 0 ? code : fst_cli_on_stacks(&own, write_out);
}

const struct fst_command fst_convert_command = {
    .bit = FST_IN_CONVERT,
    .name = "convert",
    .invocation = "foldstat convert",
    .help = "the sum of profiles in the form of pprof, speedscope, or JSON",
    .page =
        {
            .usage = "Usage: foldstat convert --to FORM [OPTION]... [FILE]...\n",
            .brief = "Writes profiles, added up, in a form that other programs read: pprof,\n"
                     "speedscope, JSON, or collapsed text. - is standard input.\n",
            .hint = "foldstat convert --help shows examples.\n",
            .examples =
                "Examples:\n"
                "  foldstat convert -o all.pb.gz -r 99 -d 45 all.raw     go tool pprof -http=: "
                "all.pb.gz\n"
                "  foldstat convert -o all.speedscope.json all.raw       to open in speedscope\n"
                "  foldstat convert --to json all.raw | jq '.stacks | length'\n"
                "  foldstat convert --to collapsed flame.svg >all.raw    stacks of a flame graph\n",
            .about =
                "pprof's form is read by go tool pprof, speedscope, Pyroscope, Parca and others.\n",
            .reading = "In pprof's form threads and processes are labels (pprof -tagfocus "
                       "thread=...), counts\n"
                       "are samples, and where the rate is known also nanoseconds. speedscope's "
                       "form has a\n"
                       "frame for every line of a function.\n",
        },
    .run = command,
};
