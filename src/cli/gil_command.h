/* foldstat gil: who holds the interpreter's lock. */
#ifndef FST_CLI_GIL_COMMAND_H
#define FST_CLI_GIL_COMMAND_H

#include "cli/options.h"

/* Runs the command; returns the exit code. */
int fst_gil_command(const struct fst_cli *cli);

#endif
