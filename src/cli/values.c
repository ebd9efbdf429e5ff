/* What stands behind an option, into what was asked for. */
#include "cli/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "base/number.h"
#include "cli/budget.h"
#include "cli/option_table.h"
#include "cli/report.h"
#include "cli/suggest.h"

enum { MOST_CHOICES = 16 };

/* A word that an option takes, and what it stands for. */
struct choice {
    const char *word;
    int value;
};

static int bad_value(const char *option, const char *value, const char *expected)
{
    char *shown = fst_escape(fst_str_cstr(value));
    fst_report("--%s: expected %s, found \"%s\"", option, expected, shown == NULL ? "" : shown);
    free(shown);
    return FST_EXIT_USAGE;
}

static int pick(const char *option, const char *value, const struct choice *choices, size_t count,
                int *out)
{
    struct fst_buf expected = {0};
    const char *words[MOST_CHOICES];
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, choices[i].word) == 0) {
            *out = choices[i].value;
            fst_buf_release(&expected);
            return 0;
        }
        words[i] = choices[i].word;
        fst_buf_add_fmt(&expected, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
    }
    const char *near = fst_suggest(value, words, count);
    if (near != NULL) {
        fst_buf_add_fmt(&expected, " (did you mean %s?)", near);
    }
    fst_buf_add_char(&expected, '\0');
    int code = bad_value(option, value, expected.failed ? "another word" : expected.data);
    fst_buf_release(&expected);
    return code;
}

/* A number within limits that are meant to catch slips of the finger. */
static int read_number(const char *option, const char *value, double least, double most,
                       double *out)
{
    if (!fst_number_parse(fst_str_cstr(value), out) || *out < least || *out > most) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
        return bad_value(option, value, expected);
    }
    return 0;
}

static int read_whole(const char *option, const char *value, unsigned long least,
                      unsigned long most, unsigned long *out)
{
    char *end;
    errno = 0;
    *out = strtoul(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || value[0] == '-' || *out < least ||
        *out > most) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a whole number from %lu to %lu", least, most);
        return bad_value(option, value, expected);
    }
    return 0;
}

static int read_root(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"auto", FST_ROOT_AUTO}, {"thread", FST_ROOT_THREAD}, {"process", FST_ROOT_PROCESS}};
    if (value[0] >= '0' && value[0] <= '9') {
        unsigned long index;
        int code = read_whole("root", value, 0, UINT32_MAX, &index);
        cli->profile.root = FST_ROOT_INDEX;
        cli->profile.root_index = (uint32_t)index;
        return code;
    }
    for (size_t i = 0; i < FST_COUNT_OF(choices); i++) {
        if (strcmp(value, choices[i].word) == 0) {
            cli->profile.root = (enum fst_root)choices[i].value;
            return 0;
        }
    }
    return bad_value("root", value, "auto, thread, process or the number of a frame");
}

/* One of the kinds of rows. */
static int pick_by(const char *value, enum fst_by *out)
{
    static const struct choice choices[] = {
        {"frame", FST_BY_FRAME},     {"function", FST_BY_FUNCTION}, {"line", FST_BY_LINE},
        {"file", FST_BY_FILE},       {"module", FST_BY_MODULE},     {"thread", FST_BY_THREAD},
        {"process", FST_BY_PROCESS}, {"category", FST_BY_CATEGORY}, {"stack", FST_BY_STACK},
    };
    int by = FST_BY_FRAME;
    int code = pick("by", value, choices, FST_COUNT_OF(choices), &by);
    *out = (enum fst_by)by;
    return code;
}

/* "A" or "A,B". */
static int read_by(struct fst_cli *cli, const char *value)
{
    char outer[32];
    const char *comma = strchr(value, ',');
    size_t len = comma == NULL ? strlen(value) : (size_t)(comma - value);
    cli->profile.nested = comma != NULL;
    cli->by_given = true;
    if (len >= sizeof outer) {
        return pick_by(value, &cli->profile.by);
    }
    (void)snprintf(outer, sizeof outer, "%.*s", (int)len, value);
    int code = pick_by(outer, &cli->profile.by);
    if (code != 0 || comma == NULL) {
        return code;
    }
    if (strchr(comma + 1, ',') != NULL) {
        return bad_value("by", value, "at most two kinds of rows");
    }
    code = pick_by(comma + 1, &cli->profile.inner);
    if (code == 0 && cli->profile.by == cli->profile.inner) {
        return bad_value("by", value, "two kinds of rows that differ");
    }
    return code;
}

/* A pattern; two of a kind would leave open what is meant. */
static int read_pattern(const char *option, const char *value, struct fst_str *out)
{
    if (out->data != NULL) {
        fst_report("--%s: given twice; A|B in one pattern matches either", option);
        return FST_EXIT_USAGE;
    }
    *out = fst_str_cstr(value);
    return 0;
}

static int read_rewrite(struct fst_cli *cli, const char *value)
{
    if (cli->selection.nrewrites == FST_REWRITES_MOST) {
        fst_report("--rewrite: given more than %d times", FST_REWRITES_MOST);
        return FST_EXIT_USAGE;
    }
    cli->rewrites[cli->selection.nrewrites++] = fst_str_cstr(value);
    return 0;
}

/* "key=value", which becomes a frame. */
static int read_tag(struct fst_cli *cli, const char *value)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || strpbrk(value, ";\n") != NULL || value[0] == '#') {
        return bad_value("tag", value,
                         "key=value, without semicolons, newlines or a # at the start");
    }
    if (cli->ntags == FST_TAGS_MOST) {
        fst_report("--tag: given more than %d times", FST_TAGS_MOST);
        return FST_EXIT_USAGE;
    }
    cli->tags[cli->ntags++] = fst_str_cstr(value);
    return 0;
}

static int read_target(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"collapsed", FST_TARGET_COLLAPSED},
                                            {"pprof", FST_TARGET_PPROF},
                                            {"speedscope", FST_TARGET_SPEEDSCOPE},
                                            {"json", FST_TARGET_JSON}};
    int target = FST_TARGET_COLLAPSED;
    int code = pick("to", value, choices, FST_COUNT_OF(choices), &target);
    cli->to = (enum fst_target)target;
    cli->to_given = true;
    return code;
}

static int read_max_samples(struct fst_cli *cli, const char *value)
{
    unsigned long most;
    int code = read_whole("max-samples", value, 1, UINT32_MAX, &most);
    cli->list.most = most;
    return code;
}

static int read_threads(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"labels", 0}, {"frames", 1}};
    int frames = 0;
    int code = pick("threads", value, choices, FST_COUNT_OF(choices), &frames);
    cli->threads_are_frames = frames == 1;
    return code;
}

static int set_normalize(struct fst_cli *cli, bool normalize)
{
    cli->selection.normalize = normalize;
    cli->normalize_given = true;
    return 0;
}

static int read_idle(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"include", 0}, {"exclude", 1}};
    int exclude = 0;
    int code = pick("idle", value, choices, FST_COUNT_OF(choices), &exclude);
    cli->selection.no_idle = exclude == 1;
    return code;
}

static int read_min_percent(struct fst_cli *cli, const char *value)
{
    double percent = 0;
    int code = read_number("min-percent", value, 0, 100, &percent);
    cli->top.least_share = percent / 100;
    cli->least_given = true;
    return code;
}

static int read_max_depth(struct fst_cli *cli, const char *value)
{
    unsigned long depth;
    int code = read_whole("max-depth", value, 1, UINT32_MAX, &depth);
    cli->tree.max_depth = (uint32_t)depth;
    return code;
}

static int read_sort(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"self", FST_SORT_SELF}, {"total", FST_SORT_TOTAL}, {"name", FST_SORT_NAME}};
    int sort = FST_SORT_SELF;
    int code = pick("sort", value, choices, FST_COUNT_OF(choices), &sort);
    cli->top.sort = (enum fst_sort)sort;
    return code;
}

static int read_ties(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"name", FST_TIES_NAME}, {"first", FST_TIES_FIRST}};
    int ties = FST_TIES_NAME;
    int code = pick("ties", value, choices, FST_COUNT_OF(choices), &ties);
    cli->top.ties = (enum fst_ties)ties;
    cli->ties_given = true;
    return code;
}

static int read_format(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"table", FST_FORMAT_TABLE}, {"plain", FST_FORMAT_PLAIN},
        {"json", FST_FORMAT_JSON},   {"csv", FST_FORMAT_CSV},
        {"tsv", FST_FORMAT_TSV},     {"collapsed2", FST_FORMAT_COLLAPSED2},
        {"md", FST_FORMAT_MARKDOWN},
    };
    int format = FST_FORMAT_TABLE;
    int code = pick("format", value, choices, FST_COUNT_OF(choices), &format);
    cli->format = (enum fst_format)format;
    if (code == 0 && format == FST_FORMAT_COLLAPSED2 && cli->command->bit != FST_IN_DIFF) {
        fst_report("%s: collapsed2 is a format of foldstat diff alone", cli->command->name);
        return FST_EXIT_USAGE;
    }
    return code;
}

static int read_diff_sort(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"delta", FST_DIFF_BY_DELTA},
                                            {"before", FST_DIFF_BY_BEFORE},
                                            {"after", FST_DIFF_BY_AFTER},
                                            {"name", FST_DIFF_BY_NAME}};
    int sort = FST_DIFF_BY_DELTA;
    int code = pick("sort", value, choices, FST_COUNT_OF(choices), &sort);
    cli->diff.sort = (enum fst_diff_sort)sort;
    return code;
}

static int read_sort_on(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"self", FST_ON_SELF}, {"total", FST_ON_TOTAL}};
    int on = FST_ON_SELF;
    int code = pick("sort-on", value, choices, FST_COUNT_OF(choices), &on);
    cli->diff.on = (enum fst_on)on;
    return code;
}

static int read_basis(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"share", FST_BASIS_SHARE}, {"rate", FST_BASIS_RATE}, {"count", FST_BASIS_COUNT}};
    int basis = FST_BASIS_SHARE;
    int code = pick("basis", value, choices, FST_COUNT_OF(choices), &basis);
    cli->diff.basis = (enum fst_basis)basis;
    return code;
}

static int read_paths(struct fst_cli *cli, const char *value)
{
    unsigned long paths;
    int code = read_whole("paths", value, 1, UINT32_MAX, &paths);
    cli->diff.paths = paths;
    return code;
}

static int take_vs(struct fst_cli *cli)
{
    if (cli->vs_given) {
        fst_report("--vs: given twice; there are two sides");
        return FST_EXIT_USAGE;
    }
    cli->vs_given = true;
    cli->vs = cli->nfiles;
    return 0;
}

static int read_percent_of(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"kept", FST_OF_KEPT}, {"all", FST_OF_ALL}};
    int of = FST_OF_KEPT;
    int code = pick("percent-of", value, choices, FST_COUNT_OF(choices), &of);
    cli->top.percent_of = (enum fst_percent_of)of;
    return code;
}

static int read_colour(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"auto", FST_COLOUR_AUTO}, {"always", FST_COLOUR_ALWAYS}, {"never", FST_COLOUR_NEVER}};
    int colour = FST_COLOUR_AUTO;
    int code = pick("color", value, choices, FST_COUNT_OF(choices), &colour);
    cli->colour = (enum fst_colour)colour;
    return code;
}

static int read_width(struct fst_cli *cli, const char *value)
{
    unsigned long width;
    int code = read_whole("width", value, 0, 1000000, &width);
    cli->width = width;
    cli->width_given = true;
    return code;
}

static int read_pixels(struct fst_cli *cli, const char *value)
{
    cli->picture.fixed = true;
    return read_number("width", value, 100, 100000, &cli->flame.width);
}

static int read_min_width(struct fst_cli *cli, const char *value)
{
    int code = read_number("min-width", value, 0, 1000, &cli->flame.min_width);
    cli->flame.every_frame = cli->flame.min_width == 0;
    return code;
}

static int read_layout(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {{"icicle", FST_FLAME_ICICLE},
                                            {"flame", FST_FLAME_FLAME}};
    int layout = FST_FLAME_ICICLE;
    int code = pick("layout", value, choices, FST_COUNT_OF(choices), &layout);
    cli->picture.layout = (enum fst_flame_layout)layout;
    return code;
}

static int read_metric(struct fst_cli *cli, const char *value)
{
    static const struct choice choices[] = {
        {"time", FST_METRIC_TIME}, {"cpu", FST_METRIC_CPU}, {"memory", FST_METRIC_MEMORY}};
    int metric = FST_METRIC_ANY;
    int code = pick("metric", value, choices, FST_COUNT_OF(choices), &metric);
    cli->read.metric = (enum fst_metric)metric;
    return code;
}

static int read_column(struct fst_cli *cli, const char *value)
{
    unsigned long column;
    int code = read_whole("column", value, 1, 2, &column);
    cli->read.column = (int)column;
    return code;
}

static int read_dialect(struct fst_cli *cli, const char *value)
{
    struct choice choices[FST_DIALECT_GENERIC + 1];
    for (int i = 0; i <= FST_DIALECT_GENERIC; i++) {
        choices[i] = (struct choice){fst_dialect_name((enum fst_dialect)i), i};
    }
    int dialect = FST_DIALECT_AUTO;
    int code = pick("dialect", value, choices, FST_COUNT_OF(choices), &dialect);
    cli->read.dialect = (enum fst_dialect)dialect;
    return code;
}

static int read_rows(struct fst_cli *cli, const char *value)
{
    unsigned long rows;
    int code = read_whole("rows", value, 1, UINT32_MAX, &rows);
    cli->rows = rows;
    return code;
}

/* "512M", "2g", "1000000" */
static int read_size(const char *option, const char *value, uint64_t *out)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    const char *unit = *end == '\0' ? NULL : strchr(units, toupper((unsigned char)*end));
    unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    bool whole = fst_is_digit(value[0]) && (*end == '\0' || (unit != NULL && end[1] == '\0'));
    if (errno != 0 || !whole || number == 0 || number > UINT64_MAX >> shift) {
        return bad_value(option, value, "a size such as 512M or 2G");
    }
    *out = (uint64_t)number << shift;
    return 0;
}

static int read_jobs(struct fst_cli *cli, const char *value)
{
    unsigned long jobs;
    int code = read_whole("jobs", value, 1, 256, &jobs);
    cli->read.jobs = (unsigned)jobs;
    return code;
}

/* The name of an option of a side (0: of none), for messages. */
static const char *sided_name(const struct fst_cli *cli, int side, const char *name,
                              char out[FST_OPTION_NAME_MOST])
{
    if (side == 0) {
        return name;
    }
    (void)snprintf(out, FST_OPTION_NAME_MOST, "%s-%s", cli->command->sides[side - 1], name);
    return out;
}

static int read_sampling(struct fst_cli *cli, int id, int side, const char *value)
{
    struct fst_sampling *own = side == 0 ? NULL : &cli->sides[side - 1];
    char name[FST_OPTION_NAME_MOST];
    switch (id) {
    case FST_OPT_RATE:
        return read_number(sided_name(cli, side, "rate", name), value, 1e-6, 1e9,
                           side == 0 ? &cli->read.rate : &own->rate);
    case FST_OPT_DURATION:
        return read_number(sided_name(cli, side, "duration", name), value, 1e-6, 1e9,
                           side == 0 ? &cli->read.duration : &own->duration);
    case FST_OPT_TICKS:
        return read_number(sided_name(cli, side, "ticks", name), value, 1, 1e15,
                           side == 0 ? &cli->top.ticks : &own->ticks);
    default:
        *(side == 0 ? &cli->read.errors_given : &own->errors_given) = true;
        return read_number(sided_name(cli, side, "errors", name), value, 0, 1e15,
                           side == 0 ? &cli->read.errors : &own->errors);
    }
}

int fst_cli_apply(struct fst_cli *cli, int id, const char *value)
{
    int side = id / FST_SIDE_STEP;
    id %= FST_SIDE_STEP;
    switch (id) {
    case FST_OPT_FILES0_FROM: cli->files0_from = value; return 0;
    case FST_OPT_DIALECT: return read_dialect(cli, value);
    case FST_OPT_METRIC: return read_metric(cli, value);
    case FST_OPT_COLUMN: return read_column(cli, value);
    case FST_OPT_FORCE: cli->read.force = true; return 0;
    case FST_OPT_LEAF_FIRST: cli->read.leaf_first = true; return 0;
    case FST_OPT_STRICT: cli->read.strict = true; return 0;
    case FST_OPT_KEEP_GOING: cli->keep_going = true; return 0;
    case FST_OPT_VS: return take_vs(cli);
    case FST_OPT_DIFF_SORT: return read_diff_sort(cli, value);
    case FST_OPT_SORT_ON: return read_sort_on(cli, value);
    case FST_OPT_BASIS: return read_basis(cli, value);
    case FST_OPT_FDR: return read_number("fdr", value, 1e-9, 1, &cli->fdr);
    case FST_OPT_PATHS: return read_paths(cli, value);
    case FST_OPT_MAX_INCREASE:
        return fst_budget_take(cli, FST_BUDGET_INCREASE, value, "--max-increase");
    case FST_OPT_MAX_SELF: return fst_budget_take(cli, FST_BUDGET_SELF, value, "--max-self");
    case FST_OPT_MAX_TOTAL: return fst_budget_take(cli, FST_BUDGET_TOTAL, value, "--max-total");
    case FST_OPT_BUDGET: cli->budget_file = value; return 0;
    case FST_OPT_EXIT_CODE: cli->exit_code = true; return 0;
    case FST_OPT_JOBS: return read_jobs(cli, value);
    case FST_OPT_MAX_MEMORY: return read_size("max-memory", value, &cli->profile.max_memory);
    case FST_OPT_NO_TOTAL: cli->profile.no_totals = true; return 0;
    case FST_OPT_ROWS: return read_rows(cli, value);
    case FST_OPT_ALL: cli->all_rows = true; return 0;
    case FST_OPT_SORT: return read_sort(cli, value);
    case FST_OPT_TIES: return read_ties(cli, value);
    case FST_OPT_BY: return read_by(cli, value);
    case FST_OPT_ROOT: return read_root(cli, value);
    case FST_OPT_PERCENT_OF: return read_percent_of(cli, value);
    case FST_OPT_MIN_PERCENT: return read_min_percent(cli, value);
    case FST_OPT_MAX_DEPTH: return read_max_depth(cli, value);
    case FST_OPT_REVERSE: cli->tree.reverse = true; return 0;
    case FST_OPT_FOCUS: return read_pattern("focus", value, &cli->selection.focus);
    case FST_OPT_IGNORE: return read_pattern("ignore", value, &cli->selection.ignore);
    case FST_OPT_HIDE: return read_pattern("hide", value, &cli->selection.hide);
    case FST_OPT_SHOW: return read_pattern("show", value, &cli->selection.show);
    case FST_OPT_SHOW_FROM: return read_pattern("show-from", value, &cli->selection.show_from);
    case FST_OPT_PRUNE_FROM: return read_pattern("prune-from", value, &cli->selection.prune_from);
    case FST_OPT_THREAD: return read_pattern("thread", value, &cli->selection.thread);
    case FST_OPT_PROCESS: return read_pattern("process", value, &cli->selection.process);
    case FST_OPT_WITH_IDLE: return read_idle(cli, value);
    case FST_OPT_FOLD_RECURSION: cli->selection.fold_recursion = true; return 0;
    case FST_OPT_NORMALIZE: return set_normalize(cli, true);
    case FST_OPT_NO_NORMALIZE: return set_normalize(cli, false);
    case FST_OPT_REWRITE: return read_rewrite(cli, value);
    case FST_OPT_STRIP_ANNOTATIONS: cli->selection.strip_annotations = true; return 0;
    case FST_OPT_CATEGORIES: cli->categories = value; return 0;
    case FST_OPT_RATE:
    case FST_OPT_DURATION:
    case FST_OPT_TICKS:
    case FST_OPT_ERRORS: return read_sampling(cli, id, side, value);
    case FST_OPT_IDLE: cli->idle = value; return 0;
    case FST_OPT_PROCESSES: return read_number("processes", value, 1, 1e6, &cli->processes);
    case FST_OPT_TAG: return read_tag(cli, value);
    case FST_OPT_TO: return read_target(cli, value);
    case FST_OPT_MAX_SAMPLES: return read_max_samples(cli, value);
    case FST_OPT_LABELS: return read_threads(cli, value);
    case FST_OPT_HEADER: cli->header = true; return 0;
    case FST_OPT_PARTIAL: cli->profile.partial = true; return 0;
    case FST_OPT_SORTED: cli->sorted = true; return 0;
    case FST_OPT_OUTPUT: cli->output = value; return 0;
    case FST_OPT_EXPLAIN: cli->action = FST_SHOW_EXPLANATION; return 0;
    case FST_OPT_DESIGN_EFFECT:
        return read_number("design-effect", value, 0.01, 1e6, &cli->top.design_effect);
    case FST_OPT_BASE: cli->base = value; return 0;
    case FST_OPT_LAYOUT: return read_layout(cli, value);
    case FST_OPT_MIN_WIDTH: return read_min_width(cli, value);
    case FST_OPT_PIXELS: return read_pixels(cli, value);
    case FST_OPT_TITLE: cli->picture.title = value; return 0;
    case FST_OPT_FORMAT: return read_format(cli, value);
    case FST_OPT_WIDTH: return read_width(cli, value);
    case FST_OPT_COLOR: return read_colour(cli, value);
    case FST_OPT_LABEL: cli->render.label = value; return 0;
    case FST_OPT_QUIET: cli->quiet = true; return 0;
    case FST_OPT_HELP_SHORT: cli->action = FST_SHOW_SHORT_HELP; return 0;
    case FST_OPT_HELP: cli->action = FST_SHOW_LONG_HELP; return 0;
    default: cli->action = FST_SHOW_VERSION; return 0;
    }
}
