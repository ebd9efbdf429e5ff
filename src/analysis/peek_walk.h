/* What is around chosen rows of a call tree, gathered in one walk over it. */
#ifndef FST_ANALYSIS_PEEK_WALK_H
#define FST_ANALYSIS_PEEK_WALK_H

#include "model/profile.h"

/* A stack that goes through a chosen row: the chain of calls whose end is its own. */
struct fst_heavy {
    fst_i128 count;
    size_t order; /* among those that go through */
    uint32_t chain;
};

/* A chosen row. */
struct fst_spot {
    uint32_t row;
    uint32_t inside;          /* so many of the calls on the way are of it */
    fst_i128 begins;          /* of stacks whose first frame it is */
    struct fst_heavy *stacks; /* by count, then order, if stacks_most limits them */
    size_t nstacks;
    size_t stacks_capacity;
    size_t stacks_of;
};

/* What a pair of rows, or a line, holds; a stack counts once. */
struct fst_once {
    uint32_t inside; /* so many of the calls on the way are of it */
    bool seen;
    fst_i128 self;
    fst_i128 total;
};

struct fst_surroundings {
    const struct fst_profile *profile;
    uint32_t *spot_of; /* by row: its spot; FST_NO_NODE: it is not chosen */
    struct fst_spot *spots;
    size_t nspots;
    uint32_t *entered; /* spots that are on the way, the last one entered last */
    size_t nentered;
    size_t stacks_most;        /* of a spot; 0: all */
    struct fst_calltree calls; /* the profile's, of rows */
    struct fst_symtab pairs;   /* struct fst_pair of the rows that call and are called */
    struct fst_once *links;    /* by number in pairs */
    size_t links_capacity;
    struct fst_once *lines; /* by number of what frames are called, unless no row has lines */
    size_t nlines;
};

/* Chooses rows; release it in any case. False without memory. */
bool fst_surroundings_init(struct fst_surroundings *s, const struct fst_profile *profile,
                           const uint32_t *rows, size_t count);
void fst_surroundings_release(struct fst_surroundings *s);

/* Gathers all but the lines. */
bool fst_surroundings_gather(struct fst_surroundings *s);

/* Gathers the lines of chosen rows. */
bool fst_surroundings_gather_lines(struct fst_surroundings *s);

/* The number of what a frame is called. */
uint32_t fst_line_of_frame(const struct fst_profile *profile, uint32_t frame);

#endif
