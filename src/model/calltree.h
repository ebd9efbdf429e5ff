/* The call tree: a node for each distinct way from the root of a stack to a frame, with the counts
 * of the stacks that end there. Memory grows with the number of nodes: 24 bytes a node and 4 bytes a
 * slot of the table that finds children. A node is always behind its parent, so that whoever walks
 * the nodes forwards goes down the tree, and backwards up: nothing goes by recursion, however deep
 * stacks are. */
#ifndef FST_MODEL_CALLTREE_H
#define FST_MODEL_CALLTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"
#include "foldstat.h"

struct fst_call {
    uint32_t parent;       /* FST_NO_NODE: it is the root of the tree, which is no frame */
    uint32_t name;         /* a number of the owner's: rows of a profile */
    struct fst_count self; /* of the stacks that end here */
};

struct fst_calltree {
    struct fst_call *calls; /* by number; the first is the root */
    size_t count;           /* 0: nothing was added */
    size_t capacity;
    uint32_t *slots; /* numbers of nodes, found by parent and name; 0: empty */
    size_t mask;     /* number of slots - 1: a power of two less one; two of five are empty */
    uint32_t *path;  /* the nodes of the stack that was added last, from its first frame on */
    size_t depth;    /* of that stack */
    size_t path_capacity;
    uint64_t seed;
    bool joins; /* neighbours of one name are one node */
};

/* joins: neighbours of one name in a stack are one node. */
void fst_calltree_init(struct fst_calltree *tree, uint64_t seed, bool joins);
void fst_calltree_release(struct fst_calltree *tree);

/* Adds count to the node of a stack: the first `known` frames of the stack before it, and behind
 * them n others. False without memory or numbers. The caller bounds the sum of the counts. */
bool fst_calltree_add(struct fst_calltree *tree, size_t known, const uint32_t *names, size_t n,
                      fst_i128 count);

/* The child of that name, added if it is new; FST_NO_NODE without memory or numbers. */
uint32_t fst_calltree_child(struct fst_calltree *tree, uint32_t parent, uint32_t name);

/* Adds another tree, whose names have the numbers `names` here. */
bool fst_calltree_merge(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names);

/* Makes an empty tree of another one whose names become `names`, which may make one of many. */
bool fst_calltree_regroup(struct fst_calltree *into, const struct fst_calltree *from,
                          const uint32_t *names);

/* Forgets the stack that was added last, with its memory. */
void fst_calltree_settle(struct fst_calltree *tree);

/* Bytes of memory that it takes. */
size_t fst_calltree_memory(const struct fst_calltree *tree);

#endif
