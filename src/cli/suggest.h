/* "Did you mean": the nearest word. */
#ifndef FST_CLI_SUGGEST_H
#define FST_CLI_SUGGEST_H

#include <stddef.h>

/* How many insertions, deletions, replacements and swaps of neighbours turn a into b. */
size_t fst_edit_distance(const char *a, const char *b);

/* The word among count nearest to typed, if it is near enough to be meant; else NULL. */
const char *fst_suggest(const char *typed, const char *const *words, size_t count);

#endif
