/* The recordings that diff and check compare: BEFORE AFTER, BEFORE... --vs AFTER..., or one file with
 * two counts a line. */
#ifndef FST_CLI_COMPARED_H
#define FST_CLI_COMPARED_H

#include "cli/options.h"

struct fst_compared {
    struct fst_cli cli; /* with what these commands do unless told otherwise */
    struct fst_selection *selection;
    struct fst_profile **profiles; /* those before first */
    size_t nbefore;
    size_t nafter;
};

/* Reads them all, by rows of functions with names normalised unless the command line says otherwise;
 * with stacks within rows if `stacks` says so. Returns 0, or the exit code after a message; release
 * them in any case. */
int fst_compared_read(const struct fst_cli *cli, bool stacks, struct fst_compared *compared);
void fst_compared_release(struct fst_compared *compared);

/* Compares them. Returns 0, or the exit code after a message. */
int fst_compared_diff(const struct fst_compared *compared, const struct fst_diff_options *options,
                      struct fst_diff **out);

#endif
