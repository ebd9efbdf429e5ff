/* The values of options. */
#ifndef FST_CLI_VALUES_H
#define FST_CLI_VALUES_H

#include "cli/options.h"

/* Takes an option of the table, by its id, with its value. letter: by which it was given; 0: by its name.
 * Returns 0, or the exit code after a message. */
int fst_cli_apply(struct fst_cli *cli, int id, int letter, const char *value);

#endif
