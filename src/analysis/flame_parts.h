/* What the parts of the flame graph hand to each other. */
#ifndef FST_ANALYSIS_FLAME_PARTS_H
#define FST_ANALYSIS_FLAME_PARTS_H

#include "base/count.h"
#include "model/profile.h"

/* --- by flame_union.c: the frames of one tree, or of two ------------------------------------------ */

/* A way from the root to a frame that one of the trees has, or both. */
struct fst_box {
    uint32_t after; /* the node there; FST_NO_NODE: the frame is gone */
    uint32_t before;
    uint32_t parent; /* FST_NO_NODE of the root */
    uint32_t end;    /* index behind the last box above it */
    fst_i128 weight; /* counts above 0 of it and all above it that the tree after has */
    fst_i128 gone;   /* those that the tree before has, in boxes that are gone */
};

/* The trees, and boxes for both of them: callers before what they called, that from left to right,
 * the largest first, and behind those what is gone. */
struct fst_boxes {
    const struct fst_tree *after;
    const struct fst_tree *before; /* NULL: there is none */
    struct fst_box *items;
    size_t count;
    size_t capacity;
};

/* Fills boxes whose trees are set; to be released in any case. False without memory. */
bool fst_boxes_fill(struct fst_boxes *boxes);
void fst_boxes_release(struct fst_boxes *boxes);

/* The node of a box that has a name for it: after, unless it is gone. */
const struct fst_tree_node *fst_box_node(const struct fst_boxes *boxes, const struct fst_box *box);

/* A count, or 0 where it is below that: it has no width. */
fst_i128 fst_positive(struct fst_count count);

/* --- by flame_modules.c: colours ------------------------------------------------------------------- */

/* Gives colours to the modules that cover most of a picture, and to their frames. The modules' names
 * go into names, which must outlive the picture. Errors: NOMEM. */
enum fst_status fst_flame_colour(struct fst_flame *flame, const struct fst_profile *profile,
                                 struct fst_symtab *names, struct fst_error *err);

/* --- by flame_change.c: what changed ---------------------------------------------------------------- */

/* Tells the changes of all boxes from noise: q gets a value for each, NaN where it cannot be told.
 * *tested says whether counts are samples at all. Errors: NOMEM. */
enum fst_status fst_flame_test(const struct fst_boxes *boxes, const struct fst_profile *after,
                               const struct fst_profile *before, double design_effect, double *q,
                               bool *tested, struct fst_error *err);

#endif
