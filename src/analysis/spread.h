/* How shares differ between the inputs of partial sums: docs/STATISTICS.md. */
#ifndef FST_ANALYSIS_SPREAD_H
#define FST_ANALYSIS_SPREAD_H

#include "analysis/notes.h"

/* Gives the rows of the leaf table their spreads, where rows are frames as they are written and all inputs
 * are partial sums; where they are not, but some input is one, a note says why. *owned gets what the rows
 * point to, for fst_free. False without memory. */
bool fst_spread_attach(struct fst_top *top, const struct fst_profile *profile,
                       struct fst_notes *notes, struct fst_spread **owned);

#endif
