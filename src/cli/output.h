/* Standard output, as every command uses it. */
#ifndef FST_CLI_OUTPUT_H
#define FST_CLI_OUTPUT_H

#include "cli/options.h"

/* Writes to standard output; an fst_write_fn. */
int fst_output_write(void *ctx, const char *bytes, size_t len);

/* Says why rendering failed and returns the exit code; a reader that went away is no failure. */
int fst_output_report(const struct fst_error *err);

/* Whether the format is for programs, which want everything. */
bool fst_output_is_for_scripts(const struct fst_cli *cli);

/* How many rows a table gets that usually has so many; 0: all. */
size_t fst_output_rows(const struct fst_cli *cli, size_t usual);

#endif
