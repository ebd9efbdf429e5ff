/* Call trees for those who show something else than a tree. */
#ifndef FST_ANALYSIS_TREE_H
#define FST_ANALYSIS_TREE_H

#include "foldstat.h"

/* What fst_tree_new makes, but nobody asks what normalising its names would do, and what there is to
 * be noted. */
enum fst_status fst_tree_of_picture(const struct fst_profile *profile,
                                    const struct fst_tree_options *options, struct fst_tree **out,
                                    struct fst_error *err);

#endif
