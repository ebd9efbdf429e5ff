#include "cli/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment, by three rows of the usual table. */
size_t fst_edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la > LONGEST || lb > LONGEST) {
        return la > lb ? la : lb;
    }
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= lb; j++) {
        above[j] = j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= la; i++) {
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[lb];
}

const char *fst_suggest(const char *typed, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t near = strlen(typed) / 3 + (strlen(typed) != 3);
    for (size_t i = 0; i < count; i++) {
        size_t distance = fst_edit_distance(typed, words[i]);
        if (distance <= near && distance < strlen(words[i])) {
            best = words[i];
            near = distance == 0 ? 0 : distance - 1;
        }
    }
    return best;
}
