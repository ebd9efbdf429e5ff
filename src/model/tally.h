/* A sum for each of a set of names: what a profile keeps beside its rows. */
#ifndef FST_MODEL_TALLY_H
#define FST_MODEL_TALLY_H

#include "base/compat.h"
#include "base/symtab.h"

struct fst_tally {
    struct fst_symtab names;
    fst_i128 *totals; /* by number in names */
    size_t capacity;
};

void fst_tally_init(struct fst_tally *tally, uint64_t seed);
void fst_tally_release(struct fst_tally *tally);

/* Adds count (scaled, see base/count.h) to a name's sum; false without memory. The caller bounds
 * the sum. */
bool fst_tally_add(struct fst_tally *tally, struct fst_str name, fst_i128 count);

/* Adds all sums of another. */
bool fst_tally_merge(struct fst_tally *into, const struct fst_tally *from);

/* The sum of a name; 0 if it is not there. */
fst_i128 fst_tally_of(const struct fst_tally *tally, struct fst_str name);

#endif
