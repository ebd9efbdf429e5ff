/* Labels of threads and processes that become one: by the user's rules, by generated parts, by the
 * size of a pool. What a pool is shows only when all labels are known, so that rows of labels are
 * folded when a table is made; that is exact, as every stack has one label. */
#ifndef FST_ANALYSIS_FOLD_H
#define FST_ANALYSIS_FOLD_H

#include "model/profile.h"

/* What the labels of a table are called. */
struct fst_fold {
    struct fst_symtab names; /* the new ones */
    uint32_t *of;            /* by number in the table of labels: number in names */
};

/* Labels, which are of threads or processes, and those of other recordings, whose threads count for
 * the size of pools too. */
struct fst_fold_labels {
    const struct fst_symtab *own;
    const struct fst_symtab *const *others; /* NULL among them is fine */
    size_t nothers;
    enum fst_by by;
};

/* Folds them. Errors: USAGE where a pattern took too long, NOMEM; release it in any case. */
enum fst_status fst_fold_init(struct fst_fold *fold, const struct fst_selection *selection,
                              struct fst_fold_labels labels, uint64_t seed, struct fst_error *err);
void fst_fold_release(struct fst_fold *fold);

/* How many of how many rows with a self count would be gone if names were normalised; false without
 * memory. */
bool fst_fold_count(const struct fst_profile *profile, uint64_t *foldable, uint64_t *of);

#endif
