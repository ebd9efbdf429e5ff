/* What stands behind an option, into what was asked for. */
#include "cli/values.h"

#include <stdio.h>
#include <string.h>

#include "base/compat.h"
#include "cli/budget.h"
#include "cli/option_table.h"
#include "cli/report.h"
#include "cli/scan.h"
#include "cli/words.h"

/* --- options that need more than to be stored ------------------------------------------------- */

static int read_root(struct fst_cli *cli, const char *value)
{
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(FST_OPT_ROOT, cli->command, words);
    if (value[0] >= '0' && value[0] <= '9') {
        unsigned long index;
        int code = fst_scan_whole(cli->option, value, 0, UINT32_MAX, &index);
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
    return fst_scan_refuse(cli->option, value, "auto, thread, process or the number of a frame");
}

/* One of the kinds of rows. */
static int pick_by(const struct fst_cli *cli, const char *value, enum fst_by *out)
{
    int by = FST_BY_FRAME;
    int code = fst_scan_word(cli, FST_OPT_BY, value, &by);
    *out = (enum fst_by)by;
    return code;
}

/* The B of "A,B". */
static int read_inner(struct fst_cli *cli, const char *value, const char *inner)
{
    if (!fst_takes_two_words(FST_OPT_BY, cli->command)) {
        fst_report("%s: rows within rows are of foldstat top and gil alone", cli->command->name);
        return FST_EXIT_USAGE;
    }
    if (strchr(inner, ',') != NULL) {
        return fst_scan_refuse(cli->option, value, "at most two kinds of rows");
    }
    int code = pick_by(cli, inner, &cli->profile.inner);
    if (code == 0 && cli->profile.by == cli->profile.inner) {
        return fst_scan_refuse(cli->option, value, "two kinds of rows that differ");
    }
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
        return pick_by(cli, value, &cli->profile.by);
    }
    (void)snprintf(outer, sizeof outer, "%.*s", (int)len, value);
    int code = pick_by(cli, outer, &cli->profile.by);
    return code != 0 || comma == NULL ? code : read_inner(cli, value, comma + 1);
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
        return fst_scan_refuse(cli->option, value,
                               "key=value, with no semicolon and no newline, and no # in front");
    }
    if (cli->ntags == FST_TAGS_MOST) {
        fst_report("--tag: given more than %d times", FST_TAGS_MOST);
        return FST_EXIT_USAGE;
    }
    cli->tags[cli->ntags++] = fst_str_cstr(value);
    return 0;
}

static int set_normalize(struct fst_cli *cli, bool normalize)
{
    cli->selection.normalize = normalize;
    cli->normalize_given = true;
    return 0;
}

static int read_min_percent(struct fst_cli *cli, const char *value)
{
    double percent = 0;
    cli->least_given = true;
    int code = fst_scan_number(cli->option, value, 0, 100, &percent);
    cli->top.least_share = percent / 100;
    return code;
}

static int read_max_depth(struct fst_cli *cli, const char *value)
{
    unsigned long depth;
    int code = fst_scan_whole(cli->option, value, 1, UINT32_MAX, &depth);
    cli->tree.max_depth = (uint32_t)depth;
    return code;
}

/* Tables and lines have the same limit. */
static int read_memory(struct fst_cli *cli, const char *value)
{
    int code = fst_scan_size(cli->option, value, &cli->profile.max_memory);
    cli->read.line_most = cli->profile.max_memory;
    return code;
}

static int read_jobs(struct fst_cli *cli, const char *value)
{
    unsigned long jobs;
    int code = fst_scan_whole(cli->option, value, 1, 256, &jobs);
    cli->read.jobs = (unsigned)jobs;
    return code;
}

static int read_min_width(struct fst_cli *cli, const char *value)
{
    int code = fst_scan_number(cli->option, value, 0, 1000, &cli->flame.min_width);
    cli->flame.every_frame = cli->flame.min_width == 0;
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

static int show(struct fst_cli *cli, enum fst_action action)
{
    cli->action = action;
    return 0;
}

/* --- options of one recording ----------------------------------------------------------------- */

/* They are counted. */
static int read_errors(const struct fst_cli *cli, const char *value, double *out)
{
    unsigned long errors = 0;
    int code = fst_scan_whole(cli->option, value, 0, 1000000000000000, &errors);
    *out = (double)errors;
    return code;
}

static int read_sampling(struct fst_cli *cli, int id, int side, const char *value)
{
    struct fst_sampling *own = side == 0 ? NULL : &cli->sides[side - 1];
    switch (id) {
    case FST_OPT_RATE:
        return fst_scan_number(cli->option, value, 1e-6, 1e9,
                               side == 0 ? &cli->read.rate : &own->rate);
    case FST_OPT_DURATION:
        return fst_scan_number(cli->option, value, 1e-6, 1e9,
                               side == 0 ? &cli->read.duration : &own->duration);
    case FST_OPT_TICKS:
        return fst_scan_number(cli->option, value, 1, 1e15,
                               side == 0 ? &cli->top.ticks : &own->ticks);
    default:
        *(side == 0 ? &cli->read.errors_given : &own->errors_given) = true;
        return read_errors(cli, value, side == 0 ? &cli->read.errors : &own->errors);
    }
}

/* --- options that are stored ------------------------------------------------------------------ */

enum kind {
    TRUTH,   /* bool: it was given */
    TEXT,    /* const char * */
    PATTERN, /* struct fst_str; twice would leave open what is meant */
    WORD,    /* an enum: one of the option's words */
    CHOICE,  /* bool: the same of two words */
    NUMBER,  /* double, from least to most */
    WHOLE    /* size_t, from least to most */
};

/* Where a field stands in struct fst_cli. */
#define AT(field) offsetof(struct fst_cli, field)

static const struct target {
    enum fst_option_id id;
    enum kind kind;
    size_t field; /* AT(…) */
    size_t given; /* a bool that is set beside it; 0: none */
    double least;
    double most;
} targets[] = {
    {FST_OPT_FILES0_FROM, TEXT, AT(files0_from), 0, 0, 0},
    {FST_OPT_DIALECT, WORD, AT(read.dialect), 0, 0, 0},
    {FST_OPT_METRIC, WORD, AT(read.metric), 0, 0, 0},
    {FST_OPT_COLUMN, WORD, AT(read.column), 0, 0, 0},
    {FST_OPT_FORCE, TRUTH, AT(read.force), 0, 0, 0},
    {FST_OPT_LEAF_FIRST, TRUTH, AT(read.leaf_first), 0, 0, 0},
    {FST_OPT_STRICT, TRUTH, AT(read.strict), 0, 0, 0},
    {FST_OPT_KEEP_GOING, TRUTH, AT(keep_going), 0, 0, 0},
    {FST_OPT_DIFF_SORT, WORD, AT(diff.sort), 0, 0, 0},
    {FST_OPT_SORT_ON, WORD, AT(diff.on), 0, 0, 0},
    {FST_OPT_BASIS, WORD, AT(diff.basis), 0, 0, 0},
    {FST_OPT_FDR, NUMBER, AT(fdr), 0, 1e-9, 1},
    {FST_OPT_PATHS, WHOLE, AT(diff.paths), 0, 1, UINT32_MAX},
    {FST_OPT_BUDGET, TEXT, AT(budget_file), 0, 0, 0},
    {FST_OPT_EXIT_CODE, TRUTH, AT(exit_code), 0, 0, 0},
    {FST_OPT_NO_TOTAL, TRUTH, AT(profile.no_totals), 0, 0, 0},
    {FST_OPT_SORT, WORD, AT(top.sort), 0, 0, 0},
    {FST_OPT_TIES, WORD, AT(top.ties), AT(ties_given), 0, 0},
    {FST_OPT_PERCENT_OF, WORD, AT(top.percent_of), 0, 0, 0},
    {FST_OPT_REVERSE, TRUTH, AT(tree.reverse), 0, 0, 0},
    {FST_OPT_FOCUS, PATTERN, AT(selection.focus), 0, 0, 0},
    {FST_OPT_IGNORE, PATTERN, AT(selection.ignore), 0, 0, 0},
    {FST_OPT_HIDE, PATTERN, AT(selection.hide), 0, 0, 0},
    {FST_OPT_SHOW, PATTERN, AT(selection.show), 0, 0, 0},
    {FST_OPT_SHOW_FROM, PATTERN, AT(selection.show_from), 0, 0, 0},
    {FST_OPT_PRUNE_FROM, PATTERN, AT(selection.prune_from), 0, 0, 0},
    {FST_OPT_THREAD, PATTERN, AT(selection.thread), 0, 0, 0},
    {FST_OPT_PROCESS, PATTERN, AT(selection.process), 0, 0, 0},
    {FST_OPT_WITH_IDLE, CHOICE, AT(selection.no_idle), 0, 0, 0},
    {FST_OPT_FOLD_RECURSION, TRUTH, AT(selection.fold_recursion), 0, 0, 0},
    {FST_OPT_STRIP_ANNOTATIONS, TRUTH, AT(selection.strip_annotations), 0, 0, 0},
    {FST_OPT_CATEGORIES, TEXT, AT(categories), 0, 0, 0},
    {FST_OPT_IDLE, TEXT, AT(idle), 0, 0, 0},
    {FST_OPT_PROCESSES, NUMBER, AT(processes), 0, 1, 1e6},
    {FST_OPT_DESIGN_EFFECT, NUMBER, AT(top.design_effect), 0, 0.01, 1e6},
    {FST_OPT_TO, WORD, AT(to), AT(to_given), 0, 0},
    {FST_OPT_MAX_SAMPLES, WHOLE, AT(list.most), 0, 1, UINT32_MAX},
    {FST_OPT_LABELS, CHOICE, AT(threads_are_frames), 0, 0, 0},
    {FST_OPT_HEADER, TRUTH, AT(header), 0, 0, 0},
    {FST_OPT_PARTIAL, TRUTH, AT(profile.partial), 0, 0, 0},
    {FST_OPT_SORTED, TRUTH, AT(sorted), 0, 0, 0},
    {FST_OPT_OUTPUT, TEXT, AT(output), 0, 0, 0},
    {FST_OPT_BASE, TEXT, AT(base), 0, 0, 0},
    {FST_OPT_LAYOUT, WORD, AT(picture.layout), 0, 0, 0},
    {FST_OPT_PIXELS, NUMBER, AT(flame.width), AT(picture.fixed), 100, 100000},
    {FST_OPT_TITLE, TEXT, AT(picture.title), 0, 0, 0},
    {FST_OPT_FORMAT, WORD, AT(format), 0, 0, 0},
    {FST_OPT_WIDTH, WHOLE, AT(width), AT(width_given), 0, 1000000},
    {FST_OPT_COLOR, WORD, AT(colour), 0, 0, 0},
    {FST_OPT_LABEL, TEXT, AT(render.label), 0, 0, 0},
    {FST_OPT_QUIET, TRUTH, AT(quiet), 0, 0, 0},
};

/* NULL: the option is not merely stored. */
static const struct target *target_of(int id)
{
    for (size_t i = 0; i < FST_COUNT_OF(targets); i++) {
        if ((int)targets[i].id == id) {
            return &targets[i];
        }
    }
    return NULL;
}

static int store_pattern(const char *option, const char *value, struct fst_str *out)
{
    if (out->data != NULL) {
        fst_report("%s: given twice; A|B in one pattern matches either", option);
        return FST_EXIT_USAGE;
    }
    *out = fst_str_cstr(value);
    return 0;
}

static int store_word(const struct fst_cli *cli, const struct target *target, const char *value,
                      void *field)
{
    int word = 0;
    int code = fst_scan_word(cli, target->id, value, &word);
    if (target->kind == CHOICE) {
        *(bool *)field = word != 0;
    } else {
        memcpy(field, &word, sizeof word);
    }
    return code;
}

static int store(struct fst_cli *cli, const struct target *target, const char *value)
{
    char *base = (char *)cli;
    void *field = base + target->field;
    if (target->given != 0) {
        *(bool *)(base + target->given) = true;
    }
    switch (target->kind) {
    case TRUTH: *(bool *)field = true; return 0;
    case TEXT: *(const char **)field = value; return 0;
    case PATTERN: return store_pattern(cli->option, value, field);
    case WORD:
    case CHOICE: return store_word(cli, target, value, field);
    case NUMBER: return fst_scan_number(cli->option, value, target->least, target->most, field);
    default:
        return fst_scan_whole(cli->option, value, (unsigned long)target->least,
                              (unsigned long)target->most, field);
    }
}

/* The last of --rows and --all counts. */
static int read_rows(struct fst_cli *cli, const char *value)
{
    cli->all_rows = value == NULL;
    return value == NULL ? 0 : fst_scan_whole(cli->option, value, 1, UINT32_MAX, &cli->rows);
}

/* Notes how messages call the option: as it was written, but never cut short. */
static void name_option(struct fst_cli *cli, int id, int side, int letter)
{
    if (letter != 0) {
        (void)snprintf(cli->option, sizeof cli->option, "-%c", letter);
        return;
    }
    (void)snprintf(cli->option, sizeof cli->option, "--%s%s%s",
                   side == 0 ? "" : cli->command->sides[side - 1], side == 0 ? "" : "-",
                   fst_option_name((enum fst_option_id)id));
}

int fst_cli_apply(struct fst_cli *cli, int id, int letter, const char *value)
{
    int side = id / FST_SIDE_STEP;
    id %= FST_SIDE_STEP;
    name_option(cli, id, side, letter);
    const struct target *target = target_of(id);
    if (target != NULL) {
        return store(cli, target, value);
    }
    switch (id) {
    case FST_OPT_RATE:
    case FST_OPT_DURATION:
    case FST_OPT_TICKS:
    case FST_OPT_ERRORS: return read_sampling(cli, id, side, value);
    case FST_OPT_ROWS: return read_rows(cli, value);
    case FST_OPT_ALL: return read_rows(cli, NULL);
    case FST_OPT_VS: return take_vs(cli);
    case FST_OPT_JOBS: return read_jobs(cli, value);
    case FST_OPT_MAX_MEMORY: return read_memory(cli, value);
    case FST_OPT_MAX_INCREASE: return fst_budget_take(cli, FST_BUDGET_INCREASE, value);
    case FST_OPT_MAX_SELF: return fst_budget_take(cli, FST_BUDGET_SELF, value);
    case FST_OPT_MAX_TOTAL: return fst_budget_take(cli, FST_BUDGET_TOTAL, value);
    case FST_OPT_BY: return read_by(cli, value);
    case FST_OPT_ROOT: return read_root(cli, value);
    case FST_OPT_MIN_PERCENT: return read_min_percent(cli, value);
    case FST_OPT_MAX_DEPTH: return read_max_depth(cli, value);
    case FST_OPT_NORMALIZE: return set_normalize(cli, true);
    case FST_OPT_NO_NORMALIZE: return set_normalize(cli, false);
    case FST_OPT_REWRITE: return read_rewrite(cli, value);
    case FST_OPT_TAG: return read_tag(cli, value);
    case FST_OPT_MIN_WIDTH: return read_min_width(cli, value);
    case FST_OPT_EXPLAIN: return show(cli, FST_SHOW_EXPLANATION);
    case FST_OPT_HELP_SHORT: return show(cli, FST_SHOW_SHORT_HELP);
    case FST_OPT_HELP: return show(cli, FST_SHOW_LONG_HELP);
    default: return show(cli, FST_SHOW_VERSION);
    }
}
