/* A sum for each of a set of names: what a profile keeps beside its rows. */
#ifndef FST_MODEL_SUMS_H
#define FST_MODEL_SUMS_H

#include "base/compat.h"
#include "base/symtab.h"

struct fst_sums {
    struct fst_symtab names;
    fst_i128 *totals; /* by number in names */
    size_t capacity;
};

void fst_sums_init(struct fst_sums *sums, uint64_t seed);
void fst_sums_release(struct fst_sums *sums);

/* Adds count (scaled, see base/count.h) to a name's sum; false without memory. The caller bounds
 * the sum. */
bool fst_sums_add(struct fst_sums *sums, struct fst_str name, fst_i128 count);

/* Adds all sums of another. */
bool fst_sums_merge(struct fst_sums *into, const struct fst_sums *from);

/* The sum of a name; 0 if it is not there. */
fst_i128 fst_sums_of(const struct fst_sums *sums, struct fst_str name);

#endif
