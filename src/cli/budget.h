/* Budgets of check, as options and files have them. */
#ifndef FST_CLI_BUDGET_H
#define FST_CLI_BUDGET_H

#include "base/buf.h"
#include "cli/options.h"

/* Reads "2pp" or "RE=2pp" for an increase, "5%" or "RE=5%" for a share, into the budgets of cli; value
 * must stay. It is the value of the option that is read. Returns 0, or the exit code after a message. */
int fst_budget_take(struct fst_cli *cli, enum fst_budget_kind kind, const char *value);

/* Reads a file of budgets into those of cli: an option without its dashes a line, as in
 * "max-self ^json=5%"; lines that begin with # are comments. Messages name the file and the line, and point at the mistake. text keeps what patterns point to. */
int fst_budget_read(struct fst_cli *cli, const char *path, struct fst_buf *text);

#endif
