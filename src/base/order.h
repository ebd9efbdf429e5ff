/* Sorting many texts by their bytes. */
#ifndef FST_BASE_ORDER_H
#define FST_BASE_ORDER_H

#include <stdbool.h>

#include "base/symtab.h"

/* Puts symbols into the order of their names' bytes; a name that another one begins with comes first.
 * False without memory (16 bytes a symbol), which leaves them as they are. */
bool fst_symbols_sort(struct fst_symbol **symbols, size_t count);

#endif
