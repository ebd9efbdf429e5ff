/* The inputs that the command line names. */
#ifndef FST_CLI_INPUTS_H
#define FST_CLI_INPUTS_H

#include "cli/options.h"

/* Reads every input into profile. Returns 0, or the exit code after a message. */
int fst_inputs_read(const struct fst_cli *cli, struct fst_profile *profile);

#endif
