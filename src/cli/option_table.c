#include "cli/option_table.h"

#include <string.h>

#include "base/compat.h"

const char *const fst_option_groups[FST_GROUP_COUNT] = {
    [FST_GROUP_INPUT] = "Input",
    [FST_GROUP_TABLES] = "Tables",
    [FST_GROUP_RATE] = "Rate and duration",
    [FST_GROUP_OUTPUT] = "Output",
};

const struct fst_option fst_options[] = {
    {FST_OPT_FILES0_FROM, 0, "files0-from", "F", FST_GROUP_INPUT,
     "read the names of the inputs from F (- for stdin), each ended by a NUL byte", FST_IN_TOP,
     false},
    {FST_OPT_DIALECT, 0, "dialect", "NAME", FST_GROUP_INPUT,
     "how lines are read (default: told from the first ones): py-spy, austin, cpython, perf, "
     "async-profiler, gprofiler, rbspy, torch, two-count, generic",
     FST_IN_EVERY, false},
    {FST_OPT_METRIC, 0, "metric", "NAME", FST_GROUP_INPUT,
     "which of Austin's counts: time (default), cpu or memory", FST_IN_EVERY, false},
    {FST_OPT_COLUMN, 0, "column", "1|2", FST_GROUP_INPUT,
     "which of two counts a line (default: the second)", FST_IN_EVERY, false},
    {FST_OPT_FORCE, 0, "force", NULL, FST_GROUP_INPUT, "add up counts of different units",
     FST_IN_TOP, false},
    {FST_OPT_LEAF_FIRST, 0, "leaf-first", NULL, FST_GROUP_INPUT,
     "stacks are written leaf first, root last", FST_IN_EVERY, false},
    {FST_OPT_STRICT, 0, "strict", NULL, FST_GROUP_INPUT, "a line that is no stack is an error",
     FST_IN_EVERY, false},
    {FST_OPT_KEEP_GOING, 0, "keep-going", NULL, FST_GROUP_INPUT,
     "leave out inputs that cannot be read, and say so", FST_IN_TOP, false},
    {FST_OPT_ROWS, 'n', "rows", "N", FST_GROUP_TABLES,
     "rows of each table (default: 20 of the first, 12 of others; all in json, csv, tsv)",
     FST_IN_EVERY, false},
    {FST_OPT_ALL, 0, "all", NULL, FST_GROUP_TABLES, "all rows", FST_IN_EVERY, false},
    {FST_OPT_SORT, 0, "sort", "KEY", FST_GROUP_TABLES,
     "self (default), total (lists every frame) or name", FST_IN_TOP, false},
    {FST_OPT_TIES, 0, "ties", "ORDER", FST_GROUP_TABLES,
     "rows of equal value by name (default) or by first occurrence: name, first", FST_IN_TOP,
     false},
    {FST_OPT_BY, 0, "by", "WHAT", FST_GROUP_TABLES,
     "what a leaf row is: frame (default), function, line, file, thread or process", FST_IN_EVERY,
     false},
    {FST_OPT_ROOT, 0, "root", "WHICH", FST_GROUP_TABLES,
     "what a root is: auto (default), N (frame N from the outermost, 0), thread or process",
     FST_IN_TOP, false},
    {FST_OPT_PERCENT_OF, 0, "percent-of", "WHAT", FST_GROUP_TABLES,
     "what shares are of: kept (default) or all samples", FST_IN_TOP, false},
    {FST_OPT_NO_NORMALIZE, 0, "no-normalize", NULL, FST_GROUP_TABLES,
     "keep names as they are written (the default here)", FST_IN_EVERY, false},
    {FST_OPT_RATE, 'r', "rate", "HZ", FST_GROUP_RATE, "sampling rate of each input", FST_IN_EVERY,
     true},
    {FST_OPT_DURATION, 'd', "duration", "SECONDS", FST_GROUP_RATE, "length of each recording",
     FST_IN_EVERY, true},
    {FST_OPT_ERRORS, 0, "errors", "N", FST_GROUP_RATE, "ticks of each recording that failed",
     FST_IN_EVERY, true},
    {FST_OPT_TICKS, 0, "ticks", "N", FST_GROUP_RATE,
     "effective sampling ticks, instead of the three above; in top those of all inputs together",
     FST_IN_EVERY, true},
    {FST_OPT_DESIGN_EFFECT, 0, "design-effect", "D", FST_GROUP_RATE,
     "samples that tell as much as one independent one (default 1)", FST_IN_TOP, false},
    {FST_OPT_IDLE, 0, "idle", "FILE", FST_GROUP_INPUT,
     "a third recording, made with py-spy record --idle: adds who waits or is blocked", FST_IN_GIL,
     false},
    {FST_OPT_PROCESSES, 0, "processes", "N", FST_GROUP_RATE,
     "processes that were recorded together (default: as many as the stacks name, else 1)",
     FST_IN_GIL, false},
    {FST_OPT_FORMAT, 0, "format", "NAME", FST_GROUP_OUTPUT,
     "table (default), json, csv, tsv, md, or in top plain", FST_IN_EVERY, false},
    {FST_OPT_LABEL, 0, "label", "TEXT", FST_GROUP_OUTPUT,
     "plain: a word for the headings (GIL makes TOTAL_GIL)", FST_IN_TOP, false},
    {FST_OPT_WIDTH, 0, "width", "CELLS", FST_GROUP_OUTPUT,
     "line length (default: COLUMNS or the terminal's; in a pipe nothing is cut)", FST_IN_EVERY,
     false},
    {FST_OPT_COLOR, 0, "color", "WHEN", FST_GROUP_OUTPUT, "auto (default), always or never",
     FST_IN_EVERY, false},
    {FST_OPT_QUIET, 'q', "quiet", NULL, FST_GROUP_OUTPUT, "no notes and no progress", FST_IN_EVERY,
     false},
    {FST_OPT_EXPLAIN, 0, "explain", NULL, FST_GROUP_OUTPUT,
     "how to record the pair, and how to read the result", FST_IN_GIL, false},
    {FST_OPT_HELP_SHORT, 'h', NULL, NULL, FST_GROUP_OUTPUT, "this summary", FST_IN_EVERY, false},
    {FST_OPT_HELP, 0, "help", NULL, FST_GROUP_OUTPUT, "the whole page, with examples", FST_IN_EVERY,
     false},
    {FST_OPT_VERSION, 'V', "version", NULL, FST_GROUP_OUTPUT, "the version", FST_IN_EVERY, false},
};
const size_t fst_option_count = FST_COUNT_OF(fst_options);

const struct fst_command fst_commands[] = {
    {FST_IN_TOP, "top", "foldstat", "leaf and root tables (the default)", {NULL}},
    {FST_IN_GIL,
     "gil",
     "foldstat gil",
     "who holds the Python GIL, how much of the time",
     {"gil", "all", "idle"}},
    {FST_IN_EVERY, "help", "foldstat help", "this page; foldstat help COMMAND", {NULL}},
};
const size_t fst_command_count = FST_COUNT_OF(fst_commands);

const struct fst_command *fst_command_find(const char *name)
{
    for (size_t i = 0; i < fst_command_count; i++) {
        if (fst_commands[i].bit != FST_IN_EVERY && strcmp(fst_commands[i].name, name) == 0) {
            return &fst_commands[i];
        }
    }
    return NULL;
}

const struct fst_command *fst_command_default(void)
{
    return &fst_commands[0];
}

bool fst_command_takes(const struct fst_command *command, const struct fst_option *option)
{
    return option->commands == FST_IN_EVERY || (option->commands & command->bit) != 0;
}
