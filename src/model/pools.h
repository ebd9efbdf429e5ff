/* Pools that are told by their size.
 *
 * Threads whose names differ in a number at the end ("target-0", "reader_17") are a pool where
 * there are enough of them; fewer are as likely to be threads with a task each. */
#ifndef FST_MODEL_POOLS_H
#define FST_MODEL_POOLS_H

#include "base/buf.h"
#include "base/symtab.h"

/* From so many members on. */
enum { FST_POOL_MEMBERS = 8 };

/* What the members of a pool are called together ("thread (*): target-*"), built in out, which is
 * cleared first; an empty text where label does not end so. label is a thread's, normalised. */
struct fst_str fst_pool_name(struct fst_str label, struct fst_buf *out);

/* The pools of a profile. */
struct fst_pools {
    struct fst_symtab labels;
    struct fst_symtab names;
    uint32_t *sizes; /* by number in names: how many labels share it */
    size_t capacity;
};

void fst_pools_init(struct fst_pools *pools, uint64_t seed);
void fst_pools_release(struct fst_pools *pools);

/* Takes note of a thread's normalised label, seen before or not; false without memory. */
bool fst_pools_add(struct fst_pools *pools, struct fst_str label);

/* Takes note of a member, seen before or not, of the pool of that name, however it is told. */
bool fst_pools_add_member(struct fst_pools *pools, struct fst_str name, struct fst_str member);

/* Whether the pool of that name has enough members. */
bool fst_pools_has(const struct fst_pools *pools, struct fst_str name);

/* What label is called now that all are known: the name of its pool if that is large enough, built
 * in out, else label. Without memory out->failed is set. */
struct fst_str fst_pools_fold(const struct fst_pools *pools, struct fst_str label,
                              struct fst_buf *out);

#endif
