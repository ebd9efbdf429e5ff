/* Inputs that are one file. */
#ifndef FST_CLI_REPEATED_H
#define FST_CLI_REPEATED_H

#include <stddef.h>

/* Says which of the inputs ("-": standard input) are a file that is another input too, and so counts more
 * than once: the first, and how many more there are. Pipes and what cannot be looked at are none. */
void fst_repeated_report(char *const *names, size_t count);

#endif
