#include "cli/compared.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/selection.h"
#include "cli/sides.h"
#include "io/cores.h"

/* --- which recordings ------------------------------------------------------------------------- */

static int count_sides(struct fst_compared *c)
{
    const struct fst_cli *cli = &c->cli;
    const char *name = cli->command->name;
    const char *const *called = cli->command->compared;
    if (cli->nfiles == 0) {
        fst_report("%s: which recordings? %s %s %s", name, cli->command->invocation, called[0],
                   called[1]);
        return FST_EXIT_USAGE;
    }
    if (cli->vs_given && (cli->vs == 0 || cli->vs == cli->nfiles)) {
        fst_report("%s: no recording %s --vs", name, cli->vs == 0 ? "before" : "behind");
        return FST_EXIT_USAGE;
    }
    if (!cli->vs_given && cli->nfiles > 2) {
        fst_report("%s: two recordings, or several a side with --vs between the sides: %s "
                   "%s... --vs %s...",
                   name, cli->command->invocation, called[0], called[1]);
        return FST_EXIT_USAGE;
    }
    c->nbefore = cli->vs_given ? cli->vs : 1;
    c->nafter = cli->vs_given ? cli->nfiles - cli->vs : 1;
    return fst_sides_check((const char *const *)cli->files, cli->nfiles);
}

/* --- reading ---------------------------------------------------------------------------------- */

static int fail(const struct fst_error *err)
{
    fst_report_error(NULL, err);
    return FST_EXIT_USAGE;
}

static int make_profiles(struct fst_compared *c)
{
    struct fst_error err = {0};
    size_t count = c->nbefore + c->nafter;
    struct fst_profile_options options = c->cli.profile;
    options.selection = c->selection;
    c->profiles = fst_alloc_zeroed(count, sizeof(struct fst_profile *));
    if (c->profiles == NULL) {
        (void)fst_error_nomem(&err);
        return fail(&err);
    }
    for (size_t i = 0; i < count; i++) {
        options.beside = c->profiles[0];
        if (fst_profile_new(&options, &c->profiles[i], &err) != FST_OK) {
            return fail(&err);
        }
    }
    return 0;
}

/* Recordings are read beside each other, each by a share of the cores: that is quicker than all cores
 * for each in turn, whose tables would have to be joined. */
struct reading {
    struct fst_compared *compared;
    struct fst_progress progress; /* the first reader's */
    atomic_size_t next;           /* recording that nobody reads yet */
    unsigned jobs;                /* threads for each; 0: as many as there are cores */
    enum fst_status *statuses;    /* by recording */
    struct fst_error *errors;
};

static void read_recording(struct reading *reading, size_t i, bool shown)
{
    struct fst_compared *c = reading->compared;
    struct fst_read_options options = fst_side_options(&c->cli, i >= c->nbefore);
    options.jobs = reading->jobs;
    if (shown && reading->progress.shown) {
        reading->progress.file = i + 1;
        options.progress = fst_progress_update;
        options.progress_ctx = &reading->progress;
    }
    reading->statuses[i] =
        fst_inputs_try(c->profiles[i], c->cli.files[i], &options, &reading->errors[i]);
}

static void read_some(struct reading *reading, bool shown)
{
    size_t count = reading->compared->nbefore + reading->compared->nafter;
    for (size_t i; (i = atomic_fetch_add(&reading->next, 1)) < count;) {
        read_recording(reading, i, shown);
    }
}

static void *run_reader(void *ctx)
{
    read_some(ctx, false);
    return NULL;
}

/* With as many readers as there are recordings, or cores. */
static void read_beside(struct reading *reading, size_t count)
{
    enum { READERS_MOST = 64 };
    pthread_t threads[READERS_MOST];
    size_t cores = reading->compared->cli.read.jobs > 0 ? reading->compared->cli.read.jobs
                                                        : fst_cores_by_default();
    size_t readers = cores < count ? cores : count;
    readers = readers > READERS_MOST ? READERS_MOST : readers < 1 ? 1 : readers;
    reading->jobs = (unsigned)(cores / readers);
    size_t started = 1; /* this one */
    while (started < readers && pthread_create(&threads[started], NULL, run_reader, reading) == 0) {
        started++;
    }
    read_some(reading, true);
    for (size_t i = 1; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

static int report_readings(const struct reading *reading, size_t count)
{
    const struct fst_compared *c = reading->compared;
    for (size_t i = 0; i < count; i++) {
        if (reading->statuses[i] != FST_OK) {
            fst_inputs_report(c->profiles[i], c->cli.files[i], &reading->errors[i]);
            return FST_EXIT_USAGE;
        }
    }
    return 0;
}

static int read_each(struct fst_compared *c)
{
    struct reading reading = {.compared = c};
    size_t count = c->nbefore + c->nafter;
    int code = FST_EXIT_USAGE;
    fst_progress_init(&reading.progress, count, !c->cli.quiet);
    reading.statuses = fst_alloc_zeroed(count, sizeof *reading.statuses);
    reading.errors = fst_alloc_zeroed(count, sizeof *reading.errors);
    if (reading.statuses == NULL || reading.errors == NULL) {
        struct fst_error err;
        (void)fst_error_nomem(&err);
        code = fail(&err);
    } else {
        read_beside(&reading, count);
        fst_progress_clear(&reading.progress);
        code = report_readings(&reading, count);
    }
    fst_free(reading.statuses);
    fst_free(reading.errors);
    return code;
}

/* The bytes of the one file, which is read twice. */
static enum fst_status read_column(struct fst_compared *c, struct fst_str bytes, int side,
                                   struct fst_error *err)
{
    struct fst_read_options options = fst_side_options(&c->cli, side);
    const char *name = c->cli.files[0];
    options.column = side + 1;
    return fst_profile_read_memory(c->profiles[side], bytes, fst_input_label(name), &options, err);
}

/* One file: the first of its two counts is before, the second after. */
static int read_columns(struct fst_compared *c)
{
    struct fst_error err = {0};
    struct fst_buf bytes = {0};
    const char *name = c->cli.files[0];
    if (c->cli.read.column != 0) {
        fst_report("--column: of one file, the first column is before and the second after");
        return FST_EXIT_USAGE;
    }
    enum fst_status status = fst_file_read(name, &bytes, &err);
    for (int side = 0; status == FST_OK && side < 2; side++) {
        status = read_column(c, fst_buf_str(&bytes), side, &err);
    }
    size_t count;
    const struct fst_input *inputs = fst_profile_inputs(c->profiles[0], &count);
    if (status == FST_ERR_USAGE && (count == 0 || inputs[0].dialect != FST_DIALECT_TWO_COUNT)) {
        fst_report("%s: one file must have two counts a line, before and after; else two files are "
                   "compared: %s %s %s",
                   c->cli.command->name, c->cli.command->invocation, c->cli.command->compared[0],
                   c->cli.command->compared[1]);
    } else if (status != FST_OK) {
        fst_inputs_report(c->profiles[0], name, &err);
    }
    fst_buf_release(&bytes);
    return status == FST_OK ? 0 : FST_EXIT_USAGE;
}

int fst_compared_read(const struct fst_cli *cli, bool stacks, struct fst_compared *compared)
{
    struct fst_compared *c = compared;
    *c = (struct fst_compared){.cli = *cli};
    c->cli.selection.normalize = !cli->normalize_given || cli->selection.normalize;
    c->cli.profile.by = cli->by_given ? cli->profile.by : FST_BY_FUNCTION;
    int code = count_sides(c);
    code = code == 0 ? fst_cli_select(&c->cli, &c->selection) : code;
    if (stacks) {
        c->cli.profile.nested = true;
        c->cli.profile.inner = FST_BY_STACK;
    }
    code = code == 0 ? make_profiles(c) : code;
    if (code == 0) {
        code = cli->nfiles == 1 ? read_columns(c) : read_each(c);
    }
    if (code == 0) {
        /* of one file with two columns, bad lines are told once */
        fst_sides_report_skipped(c->profiles, cli->nfiles);
    }
    return code;
}

void fst_compared_release(struct fst_compared *compared)
{
    const struct fst_compared *c = compared;
    for (size_t i = 0; c->profiles != NULL && i < c->nbefore + c->nafter; i++) {
        fst_profile_free(c->profiles[i]);
    }
    fst_free(c->profiles);
    fst_selection_free(c->selection);
}

int fst_compared_diff(const struct fst_compared *compared, const struct fst_diff_options *options,
                      struct fst_diff **out)
{
    const struct fst_compared *c = compared;
    struct fst_error err = {0};
    const struct fst_profile *const *profiles = (const struct fst_profile *const *)c->profiles;
    if (fst_diff_new(profiles, c->nbefore, profiles + c->nbefore, c->nafter, options, out, &err) !=
        FST_OK) {
        return fail(&err);
    }
    if (!c->cli.quiet) {
        fst_report_notes((*out)->notes, (*out)->nnotes);
    }
    return 0;
}
