/* Filters, names and categories that the command line asks for, for every command. */
#ifndef FST_CLI_SELECTION_H
#define FST_CLI_SELECTION_H

#include "cli/options.h"

/* Compiles them into *out, to be freed with fst_selection_free; NULL where nothing is asked for.
 * Returns 0, or the exit code after a message. */
int fst_cli_select(const struct fst_cli *cli, struct fst_selection **out);

/* Prints the built-in rules of categories. */
int fst_show_categories(void);

#endif
