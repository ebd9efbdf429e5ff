/* The table of options, shared by parsing and help. */
#ifndef FST_CLI_OPTION_TABLE_H
#define FST_CLI_OPTION_TABLE_H

#include <stddef.h>

enum fst_option_group {
    FST_GROUP_INPUT,
    FST_GROUP_FILTERS,
    FST_GROUP_NAMES,
    FST_GROUP_BUDGETS,
    FST_GROUP_TABLES,
    FST_GROUP_PICTURE,
    FST_GROUP_RATE,
    FST_GROUP_OUTPUT,
    FST_GROUP_COUNT
};

enum fst_option_id {
    FST_OPT_FIRST = 256, /* above every character */
    FST_OPT_FILES0_FROM,
    FST_OPT_DIALECT,
    FST_OPT_METRIC,
    FST_OPT_COLUMN,
    FST_OPT_FORCE,
    FST_OPT_LEAF_FIRST,
    FST_OPT_STRICT,
    FST_OPT_KEEP_GOING,
    FST_OPT_VS,
    FST_OPT_JOBS,
    FST_OPT_MAX_MEMORY,
    FST_OPT_NO_TOTAL,
    FST_OPT_ROWS,
    FST_OPT_ALL,
    FST_OPT_SORT,
    FST_OPT_TIES,
    FST_OPT_DIFF_SORT,
    FST_OPT_SORT_ON,
    FST_OPT_BASIS,
    FST_OPT_FDR,
    FST_OPT_PATHS,
    FST_OPT_EXIT_CODE,
    FST_OPT_MAX_INCREASE,
    FST_OPT_MAX_SELF,
    FST_OPT_MAX_TOTAL,
    FST_OPT_BUDGET,
    FST_OPT_BY,
    FST_OPT_ROOT,
    FST_OPT_PERCENT_OF,
    FST_OPT_MIN_PERCENT,
    FST_OPT_MAX_DEPTH,
    FST_OPT_REVERSE,
    FST_OPT_FOCUS,
    FST_OPT_IGNORE,
    FST_OPT_HIDE,
    FST_OPT_SHOW,
    FST_OPT_SHOW_FROM,
    FST_OPT_PRUNE_FROM,
    FST_OPT_THREAD,
    FST_OPT_PROCESS,
    FST_OPT_WITH_IDLE,
    FST_OPT_FOLD_RECURSION,
    FST_OPT_NORMALIZE,
    FST_OPT_NO_NORMALIZE,
    FST_OPT_REWRITE,
    FST_OPT_STRIP_ANNOTATIONS,
    FST_OPT_CATEGORIES,
    FST_OPT_RATE,
    FST_OPT_DURATION,
    FST_OPT_TICKS,
    FST_OPT_ERRORS,
    FST_OPT_DESIGN_EFFECT,
    FST_OPT_IDLE,
    FST_OPT_PROCESSES,
    FST_OPT_TAG,
    FST_OPT_HEADER,
    FST_OPT_PARTIAL,
    FST_OPT_SORTED,
    FST_OPT_TO,
    FST_OPT_MAX_SAMPLES,
    FST_OPT_LABELS,
    FST_OPT_OUTPUT,
    FST_OPT_BASE,
    FST_OPT_LAYOUT,
    FST_OPT_MIN_WIDTH,
    FST_OPT_PIXELS,
    FST_OPT_TITLE,
    FST_OPT_EXPLAIN,
    FST_OPT_FORMAT,
    FST_OPT_LABEL,
    FST_OPT_WIDTH,
    FST_OPT_COLOR,
    FST_OPT_QUIET,
    FST_OPT_HELP_SHORT,
    FST_OPT_HELP,
    FST_OPT_VERSION
};

/* Room for the name of any option, with a side's before it, and a NUL. */
enum { FST_OPTION_NAME_MOST = 24 };

/* The commands, as bits, so that an option can name those that take it. */
enum fst_command_bit {
    FST_IN_EVERY = 0,
    FST_IN_TOP = 0x1,
    FST_IN_GIL = 0x2,
    FST_IN_DIFF = 0x4,
    FST_IN_CHECK = 0x8,
    FST_IN_TREE = 0x10,
    FST_IN_PEEK = 0x20,
    FST_IN_FLAME = 0x40,
    FST_IN_MERGE = 0x80,
    FST_IN_CONVERT = 0x100,
    /* those that show tables, and those that take any number of inputs and add them up */
    FST_IN_TABLES =
        FST_IN_TOP | FST_IN_GIL | FST_IN_DIFF | FST_IN_CHECK | FST_IN_TREE | FST_IN_PEEK,
    FST_IN_SUMS =
        FST_IN_TOP | FST_IN_TREE | FST_IN_PEEK | FST_IN_FLAME | FST_IN_MERGE | FST_IN_CONVERT,
    FST_IN_CALLS = FST_IN_TREE | FST_IN_PEEK | FST_IN_FLAME, /* and show what calls what */
    FST_IN_EVERY_BUT_GIL = 0x1ff & ~FST_IN_GIL
};

/* Beside those bits: the option exists for each side too. */
enum { FST_SIDED = 0x10000 };

/* A command with several recordings ("sides") has an option of one row for each of them too, with the
 * side's name before it: --rate, and in gil --gil-rate, --all-rate. Its id is then that of the row
 * plus FST_SIDE_STEP for the first side, twice that for the second … */
enum { FST_SIDES_MOST = 3, FST_SIDE_STEP = 1024 };

struct fst_option {
    enum fst_option_id id;
    char letter;          /* 0: none */
    const char *name;     /* long name; NULL: only a letter */
    const char *argument; /* its name in help; NULL: takes none */
    enum fst_option_group group;
    unsigned commands; /* the bits of those that take it, or FST_IN_EVERY; perhaps FST_SIDED */
    const char *help;  /* one line */
};

extern const struct fst_option fst_options[];
extern const size_t fst_option_count;
extern const char *const fst_option_groups[FST_GROUP_COUNT]; /* headings */

/* The long name of an option of the table. */
const char *fst_option_name(enum fst_option_id id);

#endif
