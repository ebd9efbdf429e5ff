/* How a call tree is walked in the order in which people read it: from the root down, or from the
 * leaves up. A twig is a node that has not been reached yet. */
#ifndef FST_ANALYSIS_TWIG_H
#define FST_ANALYSIS_TWIG_H

#include "model/profile.h"

struct fst_twig {
    struct fst_str name; /* where it was sorted among others */
    uint32_t row;        /* of the profile, or frame in a tree of frames; FST_NO_NODE: the root */
    uint32_t parent;     /* for the walker's use, as depth is */
    uint32_t depth;
    fst_i128 total;
    fst_i128 weight; /* the sum of the counts' magnitudes; total where none is negative */
    size_t from;     /* for the way's use. Down: the chain; up: the first climber */
    size_t to; /* down: so many of the chain's frames are on the way; up: behind the last climber */
};

struct fst_twigs {
    struct fst_twig *items;
    size_t count;
    size_t capacity;
};

/* A stack on its way from its leaf to its root. */
struct fst_climber {
    uint32_t chain; /* whose frame comes next; 0: none does */
    uint32_t at;    /* where its name is in the names of the tree */
    uint32_t name;  /* FST_NO_NODE of none */
    struct fst_count count;
};

/* A way through the tree of a profile, which must not change. */
struct fst_way {
    const struct fst_profile *profile;
    const struct fst_calltree *tree;
    bool reverse;
    fst_i128 *totals;  /* by chain: of the way down */
    fst_i128 *weights; /* the same; NULL: they are totals */
    struct fst_offspring offspring;
    struct fst_climber *climbers; /* of the way up; those of a twig are from .. to */
    size_t nclimbers;
};

/* Prepares a way through a tree of the profile's rows, or its own of frames; to be released in any case. False without memory. */
bool fst_way_init(struct fst_way *way, const struct fst_profile *profile,
                  const struct fst_calltree *tree, bool reverse);
void fst_way_release(struct fst_way *way);

/* Where it begins. */
struct fst_twig fst_way_root(const struct fst_way *way);

/* Replaces twigs by the children of a twig, in no order that means anything; *self gets the count of
 * what goes no further. A twig can be followed once. False without memory. */
bool fst_way_follow(struct fst_way *way, const struct fst_twig *twig, struct fst_twigs *twigs,
                    fst_i128 *self);

/* The name of a row, or of a frame in a tree of frames. */
struct fst_str fst_way_name(const struct fst_way *way, uint32_t row);

/* Sorts twigs: the largest total first, then by the names' bytes. */
void fst_twigs_sort(const struct fst_way *way, struct fst_twigs *twigs);

/* Appends one; false without memory. */
bool fst_twigs_add(struct fst_twigs *twigs, const struct fst_twig *twig);

#endif
