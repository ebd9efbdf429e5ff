/* What the terminal is, and what follows for the output. */
#ifndef FST_CLI_TERMINAL_H
#define FST_CLI_TERMINAL_H

#include "cli/options.h"

/* The options of rendering to standard output: width, colour, escapes. */
struct fst_render_options fst_terminal_options(const struct fst_cli *cli);

/* Whether a terminal of that name (TERM; may be NULL) knows colours and clears lines. */
bool fst_terminal_moves(const char *term);

/* The columns of the terminal at a descriptor: COLUMNS, else what the terminal says, else 0. */
size_t fst_terminal_width(int fd);

#endif
