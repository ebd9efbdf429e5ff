/* Reading many inputs into one profile, several at a time. */
#ifndef FST_CLI_READ_MANY_H
#define FST_CLI_READ_MANY_H

#include "cli/options.h"
#include "model/profile.h"

/* Reads inputs ("-": standard input) as the command line says. They are filed in their order,
 * and what is said of them is as if each were read after the one before. Returns 0, or the exit
 * code after a message. */
int fst_read_many(const struct fst_cli *cli, struct fst_profile *profile, char *const *names,
                  size_t count);

#endif
