/* Commands that add their inputs up and show what the sum holds. */
#ifndef FST_CLI_ONE_PROFILE_H
#define FST_CLI_ONE_PROFILE_H

#include "cli/options.h"

/* Shows a profile; returns the exit code. */
typedef int (*fst_show_fn)(const struct fst_cli *cli, const struct fst_profile *profile);

/* Compiles what is asked of stacks and names, reads the inputs into a profile of these options (but
 * for the selection, which is set here), says what was skipped, and shows it. Returns the exit
 * code. */
int fst_cli_on_profile(const struct fst_cli *cli, const struct fst_profile_options *options,
                       fst_show_fn show);

/* The same of a profile that keeps whole stacks, whose notes are said first; temporary files go where TMPDIR
 * says. */
int fst_cli_on_stacks(const struct fst_cli *cli, fst_show_fn show);

#endif
