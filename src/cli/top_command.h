/* foldstat top: the leaf and root tables. */
#ifndef FST_CLI_TOP_COMMAND_H
#define FST_CLI_TOP_COMMAND_H

#include "cli/options.h"

/* Runs the command; returns the exit code. */
int fst_top_command(const struct fst_cli *cli);

#endif
