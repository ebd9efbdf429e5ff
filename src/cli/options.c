#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "cli/option_table.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "parse/dialect.h"

enum { MOST_OPTIONS = 128, MOST_CHOICES = 16, MOST_NAME = 24, MOST_COMMANDS = 16 };

/* --- values --------------------------------------------------------------------------------- */

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
        {"table", FST_FORMAT_TABLE}, {"plain", FST_FORMAT_PLAIN}, {"json", FST_FORMAT_JSON},
        {"csv", FST_FORMAT_CSV},     {"tsv", FST_FORMAT_TSV},     {"md", FST_FORMAT_MARKDOWN},
    };
    int format = FST_FORMAT_TABLE;
    int code = pick("format", value, choices, FST_COUNT_OF(choices), &format);
    cli->format = (enum fst_format)format;
    return code;
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
    static const struct choice choices[] = {
        {"auto", FST_DIALECT_AUTO},           {"py-spy", FST_DIALECT_PYSPY},
        {"austin", FST_DIALECT_AUSTIN},       {"cpython", FST_DIALECT_CPYTHON},
        {"perf", FST_DIALECT_PERF},           {"async-profiler", FST_DIALECT_ASYNC},
        {"gprofiler", FST_DIALECT_GPROFILER}, {"rbspy", FST_DIALECT_RBSPY},
        {"torch", FST_DIALECT_TORCH},         {"two-count", FST_DIALECT_TWO_COUNT},
        {"generic", FST_DIALECT_GENERIC},
    };
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
                              char out[MOST_NAME])
{
    if (side == 0) {
        return name;
    }
    (void)snprintf(out, MOST_NAME, "%s-%s", cli->command->sides[side - 1], name);
    return out;
}

static int read_sampling(struct fst_cli *cli, int id, int side, const char *value)
{
    struct fst_sampling *own = side == 0 ? NULL : &cli->sides[side - 1];
    char name[MOST_NAME];
    switch (id) {
    case FST_OPT_RATE:
        return read_number(sided_name(cli, side, "rate", name), value, 1e-6, 1e9,
                           own == NULL ? &cli->read.rate : &own->rate);
    case FST_OPT_DURATION:
        return read_number(sided_name(cli, side, "duration", name), value, 1e-6, 1e9,
                           own == NULL ? &cli->read.duration : &own->duration);
    case FST_OPT_TICKS:
        return read_number(sided_name(cli, side, "ticks", name), value, 1, 1e15,
                           own == NULL ? &cli->top.ticks : &own->ticks);
    default:
        *(own == NULL ? &cli->read.errors_given : &own->errors_given) = true;
        return read_number(sided_name(cli, side, "errors", name), value, 0, 1e15,
                           own == NULL ? &cli->read.errors : &own->errors);
    }
}

static int apply(struct fst_cli *cli, int id, const char *value)
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

/* --- getopt --------------------------------------------------------------------------------- */

/* The table in the two forms that getopt_long wants. */
struct getopt_tables {
    struct option longs[MOST_OPTIONS + 1];
    size_t nlong;
    char names[MOST_OPTIONS][MOST_NAME]; /* of the options of sides */
    char shorts[MOST_OPTIONS * 2 + 3];
    char *letters; /* the end of shorts */
};

static void add_long(struct getopt_tables *tables, const char *name, int has_value, int id)
{
    for (size_t i = 0; i < tables->nlong; i++) {
        if (strcmp(tables->longs[i].name, name) == 0) {
            return; /* of another command that was added before */
        }
    }
    tables->longs[tables->nlong++] = (struct option){name, has_value, NULL, id};
}

static void add_sides(struct getopt_tables *tables, const struct fst_command *command,
                      const struct fst_option *option, int has_value)
{
    for (int side = 0; side < FST_SIDES_MOST && command->sides[side] != NULL; side++) {
        char *name = tables->names[tables->nlong];
        (void)snprintf(name, MOST_NAME, "%s-%s", command->sides[side], option->name);
        add_long(tables, name, has_value, (int)option->id + (side + 1) * FST_SIDE_STEP);
    }
}

static void add_options(struct getopt_tables *tables, const struct fst_command *command)
{
    for (size_t i = 0; i < fst_option_count; i++) {
        const struct fst_option *option = &fst_options[i];
        int has_value = option->argument == NULL ? no_argument : required_argument;
        if (!fst_command_takes(command, option)) {
            continue;
        }
        if (option->name != NULL) {
            add_long(tables, option->name, has_value, (int)option->id);
        }
        if ((option->commands & FST_SIDED) != 0) {
            add_sides(tables, command, option, has_value);
        }
        if (option->letter != 0 && strchr(tables->shorts, option->letter) == NULL) {
            *tables->letters++ = option->letter;
            if (has_value == required_argument) {
                *tables->letters++ = ':';
            }
        }
    }
}

/* The options of a command; NULL: of all. */
static void make_tables(struct getopt_tables *tables, const struct fst_command *command)
{
    *tables = (struct getopt_tables){0};
    tables->letters = tables->shorts;
    *tables->letters++ = '-'; /* operands come in their order, as values of option 1 */
    *tables->letters++ = ':'; /* tell a missing value from an unknown option */
    for (size_t i = 0; i < fst_command_count; i++) {
        if (fst_commands[i].bit != FST_IN_EVERY &&
            (command == NULL || command == &fst_commands[i])) {
            add_options(tables, &fst_commands[i]);
        }
    }
}

static int id_of_letter(int letter)
{
    for (size_t i = 0; i < fst_option_count; i++) {
        if (fst_options[i].letter != 0 && fst_options[i].letter == letter) {
            return (int)fst_options[i].id;
        }
    }
    return letter;
}

/* Length of the part of "--name=value" that is "--name". */
static size_t option_length(const char *argument)
{
    return strcspn(argument, "=");
}

/* The command that has an option of that name; NULL: none. */
static const struct fst_command *owner_of(const char *name)
{
    struct getopt_tables tables;
    for (size_t i = 0; i < fst_command_count; i++) {
        if (fst_commands[i].bit == FST_IN_EVERY) {
            continue;
        }
        make_tables(&tables, &fst_commands[i]);
        for (size_t k = 0; k < tables.nlong; k++) {
            if (strcmp(tables.longs[k].name, name) == 0) {
                return &fst_commands[i];
            }
        }
    }
    return NULL;
}

/* The nearest name of an option, copied to out; false: none is near. */
static bool suggest_option(const char *typed, const struct fst_command *command,
                           char out[MOST_NAME])
{
    struct getopt_tables tables;
    const char *names[MOST_OPTIONS];
    make_tables(&tables, command);
    for (size_t i = 0; i < tables.nlong; i++) {
        names[i] = tables.longs[i].name;
    }
    const char *near = fst_suggest(typed, names, tables.nlong);
    if (near != NULL) {
        (void)snprintf(out, MOST_NAME, "%s", near);
    }
    return near != NULL;
}

/* How many long options of the command begin like that. */
static size_t count_beginning(const char *typed, const struct fst_command *command)
{
    struct getopt_tables tables;
    size_t matches = 0;
    make_tables(&tables, command);
    for (size_t i = 0; i < tables.nlong; i++) {
        matches += strncmp(tables.longs[i].name, typed, strlen(typed)) == 0;
    }
    return matches;
}

static void report_unknown(const char *shown, const char *typed, const struct fst_command *command)
{
    char near[MOST_NAME];
    const struct fst_command *owner = owner_of(typed);
    if (owner != NULL) {
        fst_report("%s: no option of %s; foldstat %s has it", shown, command->name, owner->name);
    } else if (suggest_option(typed, command, near)) {
        fst_report("%s: unknown option; did you mean --%s?", shown, near);
    } else if (suggest_option(typed, NULL, near) && (owner = owner_of(near)) != NULL) {
        fst_report("%s: unknown option; did you mean --%s of foldstat %s?", shown, near,
                   owner->name);
    } else {
        fst_report("%s: unknown option; %s -h lists them", shown, command->invocation);
    }
}

static int unknown_long(const char *argument, const struct fst_command *command)
{
    char typed[64];
    size_t len = option_length(argument);
    (void)snprintf(typed, sizeof typed, "%.*s", (int)(len < 63 ? len : 63) - 2, argument + 2);
    size_t matches = count_beginning(typed, command);
    char *shown = fst_escape(fst_str_of(argument, len));
    if (matches > 1) {
        fst_report("%s: ambiguous option; %s --help lists them", shown, command->invocation);
    } else if (matches == 1) {
        fst_report("%s: this option takes no value", shown);
    } else {
        report_unknown(shown, typed, command);
    }
    free(shown);
    return FST_EXIT_USAGE;
}

/* Whether getopt stumbled over a long option: then optopt is 0 or the option's id, not a letter. The
 * argument cannot tell, for within "-abc" it is still the one before. */
static bool is_long(void)
{
    return optopt == 0 || optopt >= FST_OPT_FIRST;
}

static int refuse(int code, const char *argument, const struct fst_command *command)
{
    if (code == ':') {
        if (is_long()) {
            fst_report("%s: this option needs a value", argument);
        } else {
            fst_report("-%c: this option needs a value", optopt);
        }
        return FST_EXIT_USAGE;
    }
    if (is_long()) {
        return unknown_long(argument, command);
    }
    if (optopt >= 0x20 && optopt < 0x7f) {
        fst_report("-%c: unknown option; %s -h lists them", optopt, command->invocation);
    } else {
        fst_report("-\\x%02x: unknown option; foldstat %s -h lists them", (unsigned)optopt & 0xff,
                   command->invocation);
    }
    return FST_EXIT_USAGE;
}

/* --- commands ------------------------------------------------------------------------------- */

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* A first operand that is no file but nearly a command is a mistyped command. */
static int check_mistyped(const struct fst_cli *cli)
{
    const char *names[MOST_COMMANDS];
    if (cli->nfiles == 0 || strcmp(cli->files[0], "-") == 0 || exists(cli->files[0])) {
        return 0;
    }
    for (size_t i = 0; i < fst_command_count; i++) {
        names[i] = fst_commands[i].name;
    }
    const char *near = fst_suggest(cli->files[0], names, fst_command_count);
    if (near == NULL || strpbrk(cli->files[0], "./") != NULL) {
        return 0;
    }
    char *shown = fst_escape(fst_str_cstr(cli->files[0]));
    fst_report("%s: neither a file nor a command; did you mean foldstat %s?", shown, near);
    free(shown);
    return FST_EXIT_USAGE;
}

static bool is_command(const struct fst_cli *cli, const char *name)
{
    return cli->nfiles > 0 && strcmp(cli->files[0], name) == 0;
}

static int take_help_topic(struct fst_cli *cli)
{
    cli->action = FST_SHOW_LONG_HELP;
    if (cli->nfiles < 2) {
        return 0;
    }
    if (strcmp(cli->files[1], "categories") == 0) {
        cli->action = FST_SHOW_CATEGORIES;
        return 0;
    }
    const char *names[MOST_COMMANDS];
    for (size_t i = 0; i < fst_command_count; i++) {
        names[i] = fst_commands[i].name;
        if (strcmp(cli->files[1], names[i]) == 0) {
            return 0;
        }
    }
    char *shown = fst_escape(fst_str_cstr(cli->files[1]));
    const char *near = fst_suggest(cli->files[1], names, fst_command_count);
    fst_report("help: no command %s%s%s%s", shown, near == NULL ? "" : "; did you mean ",
               near == NULL ? "" : near, near == NULL ? "" : "?");
    free(shown);
    return FST_EXIT_USAGE;
}

static int take_command(struct fst_cli *cli)
{
    if (is_command(cli, "help")) {
        return take_help_topic(cli);
    }
    if (is_command(cli, cli->command->name)) {
        cli->files++;
        cli->nfiles--;
        return 0;
    }
    return check_mistyped(cli);
}

/* What getopt_long returns for an operand. */
enum { OPERAND = 1 };

/* The command that the first operand names, or the second behind "help". Options may stand before
 * it, so that those of every command must be known to find it. */
static const struct fst_command *find_command(int argc, char **argv)
{
    struct getopt_tables tables;
    const struct fst_command *found = NULL;
    bool help = false;
    int code;
    make_tables(&tables, NULL);
    optind = 0; /* getopt begins anew */
    while ((code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (code != OPERAND) {
            continue;
        }
        found = fst_command_find(optarg);
        if (found != NULL || help || strcmp(optarg, "help") != 0) {
            break;
        }
        help = true;
    }
    return found != NULL ? found : fst_command_default();
}

static int read_options(struct fst_cli *cli, int argc, char **argv)
{
    struct getopt_tables tables;
    int code;
    make_tables(&tables, cli->command);
    optind = 0;
    while ((code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        const char *argument = argv[optind - 1];
        if (code == OPERAND) {
            cli->files[cli->nfiles++] = optarg;
            continue;
        }
        int result = code == '?' || code == ':' ? refuse(code, argument, cli->command)
                                                : apply(cli, id_of_letter(code), optarg);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

int fst_cli_parse(struct fst_cli *cli, int argc, char **argv)
{
    *cli = (struct fst_cli){0};
    opterr = 0;
    cli->command = find_command(argc, argv);
    cli->files = argv + 1;
    int result = read_options(cli, argc, argv);
    if (result != 0) {
        return result;
    }
    /* Behind "--" there are only files, whatever they are called. */
    result = cli->action == FST_RUN && cli->nfiles > 0 ? take_command(cli) : 0;
    for (; optind < argc; optind++) {
        cli->files[cli->nfiles++] = argv[optind];
    }
    return result;
}
