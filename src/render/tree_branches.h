/* A call tree as people see it: a line a branch. */
#ifndef FST_RENDER_TREE_BRANCHES_H
#define FST_RENDER_TREE_BRANCHES_H

#include "base/buf.h"
#include "foldstat.h"

/* A node, or a chain of nodes of which each is all that there is to the one above; or what was left
 * out of a node. */
struct fst_branch {
    const struct fst_tree *tree;
    uint32_t first;  /* node */
    uint32_t last;   /* of the chain; its figures are those of the branch */
    bool rest;       /* what was left out of it */
    bool ends;       /* no other branch of its parent follows */
    uint32_t parent; /* branch; FST_NO_NODE of the root */
    uint32_t level;  /* 0 of the root */
};

struct fst_branches {
    struct fst_branch *items;
    size_t count;
};

/* Lays out a tree; to be freed. False without memory. */
bool fst_branches_init(struct fst_branches *branches, const struct fst_tree *tree);
void fst_branches_release(struct fst_branches *branches);

/* The total of a branch. */
struct fst_count fst_branch_total(const struct fst_branch *branch);

/* How a branch is drawn. */
struct fst_drawing {
    const struct fst_branches *branches;
    bool ascii;
    bool colour;
};

/* Appends what leads to a branch and its names, in at most so many cells; 0: as many as it takes. */
void fst_branch_draw(struct fst_buf *out, const struct fst_drawing *drawing,
                     const struct fst_branch *branch, size_t cells);

#endif
