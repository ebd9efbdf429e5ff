/* The command line: one table of options behind parsing and help. */
#ifndef FST_CLI_OPTIONS_H
#define FST_CLI_OPTIONS_H

#include <stdio.h>

#include "cli/command.h"
#include "cli/completion.h"
#include "foldstat.h"

enum fst_action {
    FST_RUN,
    FST_SHOW_SHORT_HELP,
    FST_SHOW_LONG_HELP,
    FST_SHOW_EXPLANATION,
    FST_SHOW_VERSION,
    FST_SHOW_CATEGORIES,
    FST_SHOW_COMPLETION, /* for cli.shell */
    FST_SHOW_COMPLETION_HELP
};

enum { FST_REWRITES_MOST = 64, FST_BUDGETS_MOST = 256, FST_TAGS_MOST = 16 };

enum fst_colour { FST_COLOUR_AUTO, FST_COLOUR_ALWAYS, FST_COLOUR_NEVER };

/* What an option of one side says of its recording; zero means "not given", as in
 * struct fst_read_options. */
struct fst_sampling {
    double rate;
    double duration;
    double ticks;
    double errors;
    bool errors_given;
};

/* What was asked for. */
struct fst_cli {
    const struct fst_command *command;     /* that runs, or whose help is shown */
    char option[FST_OPTION_NAME_MOST + 2]; /* that is read, as it was written: "-n", "--rows" */
    struct fst_profile_options profile;    /* selection: by cli/selection */
    struct fst_selection_options selection;
    struct fst_str rewrites[FST_REWRITES_MOST]; /* --rewrite, as often as it was given */
    const char *categories;                     /* --categories; NULL: not given */
    struct fst_read_options read;
    struct fst_top_options top;
    struct fst_render_options render;
    size_t rows;                               /* -n; 0: not given */
    const char *pattern;                       /* peek: its first operand */
    struct fst_tree_options tree;              /* what is given by top's options stands there */
    size_t width;                              /* --width */
    struct fst_sampling sides[FST_SIDES_MOST]; /* of the command's sides */
    const char *idle;                          /* gil: the third recording; NULL: none */
    double processes;                          /* gil; 0: not given */
    struct fst_flame_options flame;            /* flame: */
    struct fst_picture_options picture;
    const char *base;                   /* --diff; NULL: nothing is compared */
    struct fst_str tags[FST_TAGS_MOST]; /* merge: --tag */
    size_t ntags;
    struct fst_list_options list;  /* convert: --max-samples */
    const char *output;            /* -o; NULL: standard output */
    const struct fst_shell *shell; /* whose completion is shown */
    const char *files0_from;       /* NULL: not given */
    char **files;                  /* operands, in argv */
    size_t nfiles;
    double fdr; /* 0: not given */
    struct fst_diff_options diff;
    size_t vs;                                   /* diff, check: the first file of the other side */
    struct fst_budget budgets[FST_BUDGETS_MOST]; /* check: in argv, or of budget_file */
    size_t nbudgets;
    const char *budget_file; /* NULL: not given */
    enum fst_action action;
    enum fst_format format;
    enum fst_colour colour;
    enum fst_target to;
    bool normalize_given; /* --normalize or --no-normalize */
    bool all_rows;        /* --all */
    bool ties_given;
    bool by_given;
    bool least_given; /* --min-percent */
    bool width_given; /* it may be 0: nothing is cut */
    bool keep_going;
    bool quiet;
    bool to_given;           /* convert: --to */
    bool threads_are_frames; /* convert: --threads frames */
    bool header;             /* merge: --header */
    bool unit_kept;          /* merge, convert: what is written says what is counted */
    bool sorted;             /* merge: --sorted */
    bool vs_given;
    bool exit_code; /* diff */
};

/* Reads argv (which is overwritten) into *cli. Returns 0, or the exit code after a message. */
int fst_cli_parse(struct fst_cli *cli, int argc, char **argv);

/* Usage and one line an option. */
void fst_help_short(FILE *to, const struct fst_command *command);

/* Examples, every option, exit codes. */
void fst_help_long(FILE *to, const struct fst_command *command);

/* How to record for gil, and how to read what it says. */
void fst_help_explain(FILE *to);

#endif
