/* What stands behind an option, into what was asked for. */
#include "cli/values.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "base/number.h"
#include "cli/option_table.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/words.h"

static int bad_value(const char *option, const char *value, const char *expected)
{
    char *shown = fst_escape(fst_str_cstr(value));
    fst_report("--%s: expected %s, found \"%s\"", option, expected, shown == NULL ? "" : shown);
    free(shown);
    return FST_EXIT_USAGE;
}

static const char *name_of(enum fst_option_id id)
{
    size_t i = 0;
    while (fst_options[i].id != id) {
        i++;
    }
    return fst_options[i].name;
}

/* One of the words that the option takes. */
static int pick(const struct fst_cli *cli, enum fst_option_id id, const char *value, int *out)
{
    struct fst_buf expected = {0};
    struct fst_word words[FST_WORDS_MOST];
    const char *texts[FST_WORDS_MOST];
    size_t count = fst_words_of(id, cli->command, words);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i].text) == 0) {
            *out = words[i].value;
            fst_buf_release(&expected);
            return 0;
        }
        texts[i] = words[i].text;
        fst_buf_add_fmt(&expected, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", texts[i]);
    }
    const char *near = fst_suggest(value, texts, count);
    if (near != NULL) {
        fst_buf_add_fmt(&expected, " (did you mean %s?)", near);
    }
    fst_buf_add_char(&expected, '\0');
    int code = bad_value(name_of(id), value, expected.failed ? "another word" : expected.data);
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
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(FST_OPT_ROOT, cli->command, words);
    if (value[0] >= '0' && value[0] <= '9') {
        unsigned long index;
        int code = read_whole("root", value, 0, UINT32_MAX, &index);
        cli->profile.root = FST_ROOT_INDEX;
        cli->profile.root_index = (uint32_t)index;
        return code;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i].text, value) == 0) {
            cli->profile.root = (enum fst_root)words[i].value;
            return 0;
        }
    }
    return bad_value("root", value, "auto, thread, process or the number of a frame");
}

/* One of the kinds of rows. */
static int pick_by(const struct fst_cli *cli, const char *value, enum fst_by *out)
{
    int by = FST_BY_FRAME;
    int code = pick(cli, FST_OPT_BY, value, &by);
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
    if (len >= sizeof outer) {
        return pick_by(cli, value, &cli->profile.by);
    }
    (void)snprintf(outer, sizeof outer, "%.*s", (int)len, value);
    int code = pick_by(cli, outer, &cli->profile.by);
    if (code != 0 || comma == NULL) {
        return code;
    }
    if (strchr(comma + 1, ',') != NULL) {
        return bad_value("by", value, "at most two kinds of rows");
    }
    code = pick_by(cli, comma + 1, &cli->profile.inner);
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

static int set_normalize(struct fst_cli *cli, bool normalize)
{
    cli->selection.normalize = normalize;
    cli->normalize_given = true;
    return 0;
}

static int read_idle(struct fst_cli *cli, const char *value)
{
    int exclude = 0;
    int code = pick(cli, FST_OPT_WITH_IDLE, value, &exclude);
    cli->selection.no_idle = exclude == 1;
    return code;
}

static int read_min_percent(struct fst_cli *cli, const char *value)
{
    double percent = 0;
    int code = read_number("min-percent", value, 0, 100, &percent);
    cli->top.least_share = percent / 100;
    return code;
}

static int read_sort(struct fst_cli *cli, const char *value)
{
    int sort = FST_SORT_SELF;
    int code = pick(cli, FST_OPT_SORT, value, &sort);
    cli->top.sort = (enum fst_sort)sort;
    return code;
}

static int read_ties(struct fst_cli *cli, const char *value)
{
    int ties = FST_TIES_NAME;
    int code = pick(cli, FST_OPT_TIES, value, &ties);
    cli->top.ties = (enum fst_ties)ties;
    cli->ties_given = true;
    return code;
}

static int read_format(struct fst_cli *cli, const char *value)
{
    int format = FST_FORMAT_TABLE;
    int code = pick(cli, FST_OPT_FORMAT, value, &format);
    cli->format = (enum fst_format)format;
    return code;
}

static int read_percent_of(struct fst_cli *cli, const char *value)
{
    int of = FST_OF_KEPT;
    int code = pick(cli, FST_OPT_PERCENT_OF, value, &of);
    cli->top.percent_of = (enum fst_percent_of)of;
    return code;
}

static int read_colour(struct fst_cli *cli, const char *value)
{
    int colour = FST_COLOUR_AUTO;
    int code = pick(cli, FST_OPT_COLOR, value, &colour);
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

static int read_metric(struct fst_cli *cli, const char *value)
{
    int metric = FST_METRIC_ANY;
    int code = pick(cli, FST_OPT_METRIC, value, &metric);
    cli->read.metric = (enum fst_metric)metric;
    return code;
}

static int read_column(struct fst_cli *cli, const char *value)
{
    return pick(cli, FST_OPT_COLUMN, value, &cli->read.column);
}

static int read_dialect(struct fst_cli *cli, const char *value)
{
    int dialect = FST_DIALECT_AUTO;
    int code = pick(cli, FST_OPT_DIALECT, value, &dialect);
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
    case FST_OPT_EXPLAIN: cli->action = FST_SHOW_EXPLANATION; return 0;
    case FST_OPT_DESIGN_EFFECT:
        return read_number("design-effect", value, 0.01, 1e6, &cli->top.design_effect);
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
