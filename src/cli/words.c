#include "cli/words.h"

#include <string.h>

#include "base/compat.h"
#include "cli/options.h"

/* Rows that call each other come first: others cannot stand on one another. */
static const struct fst_word by[] = {
    {"frame", FST_BY_FRAME},     {"function", FST_BY_FUNCTION}, {"line", FST_BY_LINE},
    {"file", FST_BY_FILE},       {"module", FST_BY_MODULE},     {"thread", FST_BY_THREAD},
    {"process", FST_BY_PROCESS}, {"category", FST_BY_CATEGORY}, {"stack", FST_BY_STACK},
};
enum { BY_OF_CALLS = 5 };

static const struct fst_word formats[] = {
    {"table", FST_FORMAT_TABLE}, {"json", FST_FORMAT_JSON},   {"csv", FST_FORMAT_CSV},
    {"tsv", FST_FORMAT_TSV},     {"md", FST_FORMAT_MARKDOWN}, {"plain", FST_FORMAT_PLAIN},
};
enum { FORMATS_OF_ALL = FST_COUNT_OF(formats) - 1 };

static const struct fst_word diff_formats[] = {
    {"table", FST_FORMAT_TABLE}, {"json", FST_FORMAT_JSON},   {"csv", FST_FORMAT_CSV},
    {"tsv", FST_FORMAT_TSV},     {"md", FST_FORMAT_MARKDOWN}, {"collapsed2", FST_FORMAT_COLLAPSED2},
};

static const struct fst_word targets[] = {
    {"collapsed", FST_TARGET_COLLAPSED},
    {"pprof", FST_TARGET_PPROF},
    {"speedscope", FST_TARGET_SPEEDSCOPE},
    {"json", FST_TARGET_JSON},
};

static const struct fst_word labels[] = {{"labels", false}, {"frames", true}};

static const struct fst_word diff_sorts[] = {{"delta", FST_DIFF_BY_DELTA},
                                             {"before", FST_DIFF_BY_BEFORE},
                                             {"after", FST_DIFF_BY_AFTER},
                                             {"name", FST_DIFF_BY_NAME}};

static const struct fst_word sorted_on[] = {{"self", FST_ON_SELF}, {"total", FST_ON_TOTAL}};

static const struct fst_word bases[] = {
    {"share", FST_BASIS_SHARE}, {"rate", FST_BASIS_RATE}, {"count", FST_BASIS_COUNT}};

static const struct fst_word layouts[] = {{"icicle", FST_FLAME_ICICLE}, {"flame", FST_FLAME_FLAME}};

static const struct fst_word roots[] = {
    {"auto", FST_ROOT_AUTO}, {"thread", FST_ROOT_THREAD}, {"process", FST_ROOT_PROCESS}};

static const struct fst_word metrics[] = {
    {"time", FST_METRIC_TIME}, {"cpu", FST_METRIC_CPU}, {"memory", FST_METRIC_MEMORY}};

static const struct fst_word columns[] = {{"1", 1}, {"2", 2}};

static const struct fst_word sorts[] = {
    {"self", FST_SORT_SELF}, {"total", FST_SORT_TOTAL}, {"name", FST_SORT_NAME}};

static const struct fst_word ties[] = {{"name", FST_TIES_NAME}, {"first", FST_TIES_FIRST}};

static const struct fst_word portions[] = {{"kept", FST_OF_KEPT}, {"all", FST_OF_ALL}};

static const struct fst_word idle[] = {{"include", false}, {"exclude", true}};

static const struct fst_word colours[] = {
    {"auto", FST_COLOUR_AUTO}, {"always", FST_COLOUR_ALWAYS}, {"never", FST_COLOUR_NEVER}};

/* Which words an option takes in which commands: the first row that fits holds. */
static const struct row {
    enum fst_option_id id;
    unsigned commands; /* bits, or FST_IN_EVERY */
    const struct fst_word *words;
    size_t count;
} rows[] = {
    {FST_OPT_BY, FST_IN_CALLS, by, BY_OF_CALLS},
    {FST_OPT_BY, FST_IN_EVERY, by, FST_COUNT_OF(by)},
    {FST_OPT_FORMAT, FST_IN_TOP, formats, FST_COUNT_OF(formats)},
    {FST_OPT_FORMAT, FST_IN_DIFF, diff_formats, FST_COUNT_OF(diff_formats)},
    {FST_OPT_FORMAT, FST_IN_EVERY, formats, FORMATS_OF_ALL},
    {FST_OPT_ROOT, FST_IN_EVERY, roots, FST_COUNT_OF(roots)},
    {FST_OPT_METRIC, FST_IN_EVERY, metrics, FST_COUNT_OF(metrics)},
    {FST_OPT_COLUMN, FST_IN_EVERY, columns, FST_COUNT_OF(columns)},
    {FST_OPT_SORT, FST_IN_EVERY, sorts, FST_COUNT_OF(sorts)},
    {FST_OPT_TIES, FST_IN_EVERY, ties, FST_COUNT_OF(ties)},
    {FST_OPT_PERCENT_OF, FST_IN_EVERY, portions, FST_COUNT_OF(portions)},
    {FST_OPT_WITH_IDLE, FST_IN_EVERY, idle, FST_COUNT_OF(idle)},
    {FST_OPT_TO, FST_IN_EVERY, targets, FST_COUNT_OF(targets)},
    {FST_OPT_LABELS, FST_IN_EVERY, labels, FST_COUNT_OF(labels)},
    {FST_OPT_DIFF_SORT, FST_IN_EVERY, diff_sorts, FST_COUNT_OF(diff_sorts)},
    {FST_OPT_SORT_ON, FST_IN_EVERY, sorted_on, FST_COUNT_OF(sorted_on)},
    {FST_OPT_BASIS, FST_IN_EVERY, bases, FST_COUNT_OF(bases)},
    {FST_OPT_LAYOUT, FST_IN_EVERY, layouts, FST_COUNT_OF(layouts)},
    {FST_OPT_COLOR, FST_IN_EVERY, colours, FST_COUNT_OF(colours)},
};

/* The names of the dialects are the library's. */
static size_t dialects(struct fst_word out[FST_WORDS_MOST])
{
    for (int i = 0; i <= FST_DIALECT_GENERIC; i++) {
        out[i] = (struct fst_word){fst_dialect_name((enum fst_dialect)i), i};
    }
    return FST_DIALECT_GENERIC + 1;
}

size_t fst_words_of(enum fst_option_id id, const struct fst_command *command,
                    struct fst_word out[FST_WORDS_MOST])
{
    if (id == FST_OPT_DIALECT) {
        return dialects(out);
    }
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        if (row->id == id && (row->commands == FST_IN_EVERY || (row->commands & command->bit))) {
            memcpy(out, row->words, row->count * sizeof *out);
            return row->count;
        }
    }
    return 0;
}

bool fst_takes_two_words(enum fst_option_id id, const struct fst_command *command)
{
    return id == FST_OPT_BY && (command->bit & (FST_IN_TOP | FST_IN_GIL)) != 0;
}

bool fst_option_takes_file(const struct fst_option *option)
{
    return option->argument != NULL &&
           (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "F") == 0 ||
            strcmp(option->argument, "BASE") == 0);
}
