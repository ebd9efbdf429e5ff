/* Commands that read several recordings, each into a profile of its own. */
#ifndef FST_CLI_SIDES_H
#define FST_CLI_SIDES_H

#include "cli/options.h"

/* What the options say of a side's recordings: its own, or those of all sides. */
struct fst_read_options fst_side_options(const struct fst_cli *cli, int side);

/* Whether the names of inputs can be read, each once; NULL ones are none. Returns 0, or the exit code
 * after a message. */
int fst_sides_check(const char *const *paths, size_t count);

/* Bad lines of all recordings; NULL ones are none. */
void fst_sides_report_skipped(struct fst_profile *const *profiles, size_t count);

#endif
