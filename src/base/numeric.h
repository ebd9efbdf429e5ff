/* Numbers have a decimal point whatever the locale of the program: between enter and leave this thread
 * formats them as in C. */
#ifndef FST_BASE_NUMERIC_H
#define FST_BASE_NUMERIC_H

#include <locale.h>
#include <stdbool.h>

struct fst_numeric {
    locale_t c;
    locale_t before;
};

/* false: without memory, and nothing has changed. */
bool fst_numeric_enter(struct fst_numeric *locale);
void fst_numeric_leave(const struct fst_numeric *locale);

#endif
