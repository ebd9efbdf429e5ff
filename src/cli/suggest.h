/* "Did you mean": the nearest word. */
#ifndef FST_CLI_SUGGEST_H
#define FST_CLI_SUGGEST_H

#include <stddef.h>

/* How many insertions, deletions, replacements and swaps of neighbours turn a into b. */
size_t fst_edit_distance(const char *a, const char *b);

/* The word among count nearest to typed, if it is near enough to be meant; else NULL. */
const char *fst_suggest(const char *typed, const char *const *words, size_t count);

struct fst_command;

/* What is meant by the name of a command that other programs have, to be read behind "foldstat";
 * NULL: nothing that is known. Static. */
const char *fst_suggest_known(const char *typed);

/* What is meant by an option that other programs have, as "--format json" by "json", where the command
 * takes that; else NULL. Static. */
const char *fst_suggest_option(const char *typed, const struct fst_command *command);

#endif
