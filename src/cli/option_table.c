#include "cli/option_table.h"

#include <string.h>

#include "base/compat.h"

const char *const fst_option_groups[FST_GROUP_COUNT] = {
    [FST_GROUP_INPUT] = "Input",
    [FST_GROUP_FILTERS] = "Filters (RE: Perl-compatible, anywhere in a name)",
    [FST_GROUP_NAMES] = "Names",
    [FST_GROUP_TABLES] = "Tables",
    [FST_GROUP_RATE] = "Rate and duration",
    [FST_GROUP_OUTPUT] = "Output",
};

const struct fst_option fst_options[] = {
    {FST_OPT_FILES0_FROM, 0, "files0-from", "F", FST_GROUP_INPUT, FST_IN_TOP,
     "read the names of the inputs from F (- for stdin), each ended by a NUL byte"},
    {FST_OPT_DIALECT, 0, "dialect", "NAME", FST_GROUP_INPUT, FST_IN_EVERY,
     "how lines are read (default: told from the first ones): py-spy, austin, cpython, perf, "
     "async-profiler, gprofiler, rbspy, torch, two-count, generic"},
    {FST_OPT_METRIC, 0, "metric", "NAME", FST_GROUP_INPUT, FST_IN_EVERY,
     "which of Austin's counts: time (default), cpu or memory"},
    {FST_OPT_COLUMN, 0, "column", "1|2", FST_GROUP_INPUT, FST_IN_EVERY,
     "which of two counts a line (default: the second)"},
    {FST_OPT_FORCE, 0, "force", NULL, FST_GROUP_INPUT, FST_IN_TOP,
     "add up counts of different units"},
    {FST_OPT_LEAF_FIRST, 0, "leaf-first", NULL, FST_GROUP_INPUT, FST_IN_EVERY,
     "stacks are written leaf first, root last"},
    {FST_OPT_STRICT, 0, "strict", NULL, FST_GROUP_INPUT, FST_IN_EVERY,
     "a line that is no stack is an error"},
    {FST_OPT_KEEP_GOING, 0, "keep-going", NULL, FST_GROUP_INPUT, FST_IN_TOP,
     "leave out inputs that cannot be read, and say so"},
    {FST_OPT_JOBS, 'j', "jobs", "N", FST_GROUP_INPUT, FST_IN_EVERY,
     "threads that read an input (default: the usable cores, for large inputs)"},
    {FST_OPT_MAX_MEMORY, 0, "max-memory", "SIZE", FST_GROUP_INPUT, FST_IN_EVERY,
     "give up where tables would take more (bytes; K, M, G and T are powers of 1,024)"},
    {FST_OPT_ROWS, 'n', "rows", "N", FST_GROUP_TABLES, FST_IN_EVERY,
     "rows of each table (default: 20 of the first, 12 of others; all in json, csv, tsv)"},
    {FST_OPT_ALL, 0, "all", NULL, FST_GROUP_TABLES, FST_IN_EVERY, "all rows"},
    {FST_OPT_SORT, 0, "sort", "KEY", FST_GROUP_TABLES, FST_IN_TOP,
     "self (default), total (lists every frame) or name"},
    {FST_OPT_NO_TOTAL, 0, "no-total", NULL, FST_GROUP_TABLES, FST_IN_TOP,
     "count leaves and roots alone, several times as fast (as plain does)"},
    {FST_OPT_TIES, 0, "ties", "ORDER", FST_GROUP_TABLES, FST_IN_TOP,
     "rows of equal value by name (default) or by first occurrence: name, first"},
    {FST_OPT_BY, 0, "by", "WHAT", FST_GROUP_TABLES, FST_IN_EVERY,
     "what a leaf row is: frame (default), function, line, file, module, thread, process or "
     "stack; in top also category, and A,B: rows of B within each of A"},
    {FST_OPT_ROOT, 0, "root", "WHICH", FST_GROUP_TABLES, FST_IN_TOP,
     "what a root is: auto (default), N (frame N from the outermost, 0), thread or process"},
    {FST_OPT_PERCENT_OF, 0, "percent-of", "WHAT", FST_GROUP_TABLES, FST_IN_TOP,
     "what shares are of: kept (default) or all samples"},
    {FST_OPT_MIN_PERCENT, 0, "min-percent", "P", FST_GROUP_TABLES, FST_IN_TOP,
     "leave out rows whose share is smaller"},
    {FST_OPT_FOCUS, 0, "focus", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "keep stacks with a frame that matches"},
    {FST_OPT_IGNORE, 0, "ignore", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "drop stacks with a frame that matches"},
    {FST_OPT_HIDE, 0, "hide", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "take frames that match out of their stacks"},
    {FST_OPT_SHOW, 0, "show", "RE", FST_GROUP_FILTERS, FST_IN_TOP, "take all other frames out"},
    {FST_OPT_SHOW_FROM, 0, "show-from", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "cut stacks above the match nearest to the root; drop those without one"},
    {FST_OPT_PRUNE_FROM, 0, "prune-from", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "cut stacks below the match nearest to the leaf"},
    {FST_OPT_THREAD, 0, "thread", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "keep stacks of threads that match"},
    {FST_OPT_PROCESS, 0, "process", "RE", FST_GROUP_FILTERS, FST_IN_TOP,
     "keep stacks of processes that match"},
    {FST_OPT_WITH_IDLE, 0, "idle", "WHAT", FST_GROUP_FILTERS, FST_IN_TOP,
     "stacks that wait for work: include (default) or exclude"},
    {FST_OPT_FOLD_RECURSION, 0, "fold-recursion", NULL, FST_GROUP_FILTERS, FST_IN_TOP,
     "of frames right behind themselves keep one"},
    {FST_OPT_NORMALIZE, 0, "normalize", NULL, FST_GROUP_NAMES, FST_IN_TOP,
     "give generated names and members of thread pools one name"},
    {FST_OPT_NO_NORMALIZE, 0, "no-normalize", NULL, FST_GROUP_NAMES, FST_IN_EVERY,
     "keep names as they are written (the default here)"},
    {FST_OPT_REWRITE, 0, "rewrite", "RULE", FST_GROUP_NAMES, FST_IN_TOP,
     "rewrite names by s/RE/TEXT/; may be given several times"},
    {FST_OPT_STRIP_ANNOTATIONS, 0, "strip-annotations", NULL, FST_GROUP_NAMES, FST_IN_TOP,
     "take _[k], _[j] and their kin off names"},
    {FST_OPT_CATEGORIES, 0, "categories", "FILE", FST_GROUP_NAMES, FST_IN_TOP,
     "rules for --by category; foldstat help categories prints the built-in ones"},
    {FST_OPT_RATE, 'r', "rate", "HZ", FST_GROUP_RATE, FST_SIDED, "sampling rate of each input"},
    {FST_OPT_DURATION, 'd', "duration", "SECONDS", FST_GROUP_RATE, FST_SIDED,
     "length of each recording"},
    {FST_OPT_ERRORS, 0, "errors", "N", FST_GROUP_RATE, FST_SIDED,
     "ticks of each recording that failed"},
    {FST_OPT_TICKS, 0, "ticks", "N", FST_GROUP_RATE, FST_SIDED,
     "effective sampling ticks, instead of the three above; in top those of all inputs together"},
    {FST_OPT_DESIGN_EFFECT, 0, "design-effect", "D", FST_GROUP_RATE, FST_IN_TOP,
     "samples that tell as much as one independent one (default 1)"},
    {FST_OPT_IDLE, 0, "idle", "FILE", FST_GROUP_INPUT, FST_IN_GIL,
     "a third recording, made with py-spy record --idle: adds who waits or is blocked"},
    {FST_OPT_PROCESSES, 0, "processes", "N", FST_GROUP_RATE, FST_IN_GIL,
     "processes that were recorded together (default: as many as the stacks name, else 1)"},
    {FST_OPT_FORMAT, 0, "format", "NAME", FST_GROUP_OUTPUT, FST_IN_EVERY,
     "table (default), json, csv, tsv, md, or in top plain"},
    {FST_OPT_LABEL, 0, "label", "TEXT", FST_GROUP_OUTPUT, FST_IN_TOP,
     "plain: a word for the headings (GIL makes TOTAL_GIL)"},
    {FST_OPT_WIDTH, 0, "width", "CELLS", FST_GROUP_OUTPUT, FST_IN_EVERY,
     "line length (default: COLUMNS or the terminal's; in a pipe nothing is cut)"},
    {FST_OPT_COLOR, 0, "color", "WHEN", FST_GROUP_OUTPUT, FST_IN_EVERY,
     "auto (default), always or never"},
    {FST_OPT_QUIET, 'q', "quiet", NULL, FST_GROUP_OUTPUT, FST_IN_EVERY, "no notes and no progress"},
    {FST_OPT_EXPLAIN, 0, "explain", NULL, FST_GROUP_OUTPUT, FST_IN_GIL,
     "how to record the pair, and how to read the result"},
    {FST_OPT_HELP_SHORT, 'h', NULL, NULL, FST_GROUP_OUTPUT, FST_IN_EVERY, "this summary"},
    {FST_OPT_HELP, 0, "help", NULL, FST_GROUP_OUTPUT, FST_IN_EVERY,
     "the whole page, with examples"},
    {FST_OPT_VERSION, 'V', "version", NULL, FST_GROUP_OUTPUT, FST_IN_EVERY, "the version"},
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
    unsigned commands = option->commands & ~(unsigned)FST_SIDED;
    return commands == FST_IN_EVERY || (commands & command->bit) != 0;
}
