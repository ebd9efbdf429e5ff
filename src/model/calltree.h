/* The call tree: every distinct way from the root of a stack to a frame, with the counts of the
 * stacks that end there. Calls that follow each other without a branch, and without a stack that ends
 * between them, are one chain; so memory grows by 4 bytes a distinct way, and by 32 bytes and a few
 * slots of 8 for each place where stacks part or end. There are at most twice as many chains as distinct
 * stacks. Nothing goes by recursion, however deep stacks are. */
#ifndef FST_MODEL_CALLTREE_H
#define FST_MODEL_CALLTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"
#include "foldstat.h"

struct fst_chain {
    uint32_t
        parent;    /* the chain at whose end it begins; FST_NO_NODE: the root, which has no frame */
    uint32_t name; /* of its first frame */
    uint32_t first;        /* where the names of its frames are: fst_calltree_names */
    uint32_t length;       /* so many; 0 of the root alone */
    struct fst_count self; /* of the stacks that end where it ends */
};

/* What the table that finds chains holds of one. */
struct fst_chain_slot {
    uint32_t chain; /* 0: empty */
    uint32_t hash;  /* of its parent and its name */
};

/* A chain of the stack that was added last, and how many steps of the stack stand before it. */
struct fst_stretch {
    uint32_t chain;
    uint32_t start;
};

struct fst_calltree {
    struct fst_chain
        *chains;  /* by number; the first is the root. A chain may stand before its parent */
    size_t count; /* 0: nothing was added */
    size_t capacity;
    uint32_t *
        *blocks; /* of names, which never move but for those of the first block: numbers of the
                        * owner's, of rows of a profile, one for each distinct way */
    size_t blocks_capacity;
    size_t nnames; /* and those that the ends of blocks have no room for */
    size_t names_capacity;
    struct fst_chain_slot *slots;
    size_t mask; /* number of slots - 1: a power of two less one; two of five are empty */
    struct fst_stretch
        *path; /* the chains of the stack that was added last, from the root's first on */
    size_t npath;
    size_t path_capacity;
    uint32_t *
        joined; /* where neighbours join: how many steps are left of so many frames of it, less 1 */
    size_t joined_capacity;
    uint64_t seed;
    bool joins; /* neighbours of one name are one call */
};

/* So many names are in a block, but in the first one while there are few: 2 MiB, which is a huge page. */
enum { FST_CALLTREE_BLOCK = 1 << 19 };

/* The names from a place on; those of a chain are beside each other. */
static inline uint32_t *fst_calltree_names(const struct fst_calltree *tree, size_t first)
{
    return tree->blocks[first / FST_CALLTREE_BLOCK] + first % FST_CALLTREE_BLOCK;
}

/* Which chains begin where a chain ends, in no order that means anything. */
struct fst_offspring {
    uint32_t *starts; /* by chain: where its own begin in children, up to those of the next number;
                  * the block begins here that holds the others too */
    uint32_t *children; /* numbers of chains */
    uint32_t *order;    /* of all chains: every one stands behind its parent */
};

/* joins: neighbours of one name in a stack are one call. */
void fst_calltree_init(struct fst_calltree *tree, uint64_t seed, bool joins);
void fst_calltree_release(struct fst_calltree *tree);

/* Adds count to the call where a stack ends: the first `known` frames of the stack before it, and behind
 * them n others, whose names may be overwritten. False without memory or numbers. The caller bounds the
 * sum of the counts. */
bool fst_calltree_add(struct fst_calltree *tree, size_t known, uint32_t *names, size_t n,
                      fst_i128 count);

/* How a stack begins: the names of its first frames. */
enum { FST_OUTSET = 24 };
struct fst_outset {
    uint32_t names[FST_OUTSET];
    uint32_t length; /* so many names are there */
};

/* Asks for the memory that adding such stacks will look at, all of them beside each other, so that the
 * waits overlap. */
enum { FST_OUTSETS = 32 };
void fst_calltree_fetch(const struct fst_calltree *tree, const struct fst_outset *outsets,
                        size_t count);

/* Adds another tree, whose names become `names`, which may make one of many. */
bool fst_calltree_merge(struct fst_calltree *into, const struct fst_calltree *from,
                        const uint32_t *names);

/* Forgets the stack that was added last, with its memory. */
void fst_calltree_settle(struct fst_calltree *tree);

/* Lists the offspring of all chains of a tree that is not empty; to be released in any case. False
 * without memory. */
bool fst_offspring_init(struct fst_offspring *offspring, const struct fst_calltree *tree);
void fst_offspring_release(struct fst_offspring *offspring);

/* Bytes of memory that it takes. */
size_t fst_calltree_memory(const struct fst_calltree *tree);

#endif
