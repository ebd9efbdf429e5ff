/* The function that leads: the one whose frames have the largest self value together. */
#ifndef FST_ANALYSIS_LEADER_H
#define FST_ANALYSIS_LEADER_H

#include "base/buf.h"
#include "model/profile.h"

struct fst_leader {
    struct fst_buf name; /* empty: no function has more than the first row */
    fst_i128 self;
};

/* Finds the function with the largest self value, the first by name among equals, where that value
 * is larger than any row's; rows must be of frames. leader is empty before. False without memory;
 * release it in any case. */
bool fst_leader_find(const struct fst_profile *profile, struct fst_leader *leader);
void fst_leader_release(struct fst_leader *leader);

#endif
