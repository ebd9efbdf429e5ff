/* What a careful colleague would say of the inputs, one sentence each. */
#ifndef FST_ANALYSIS_NOTES_H
#define FST_ANALYSIS_NOTES_H

#include "base/arena.h"
#include "model/profile.h"

struct fst_notes {
    struct fst_str *items; /* in order; text in arena */
    size_t count;
    size_t capacity;
    struct fst_arena arena;
    bool failed; /* memory ran out */
};

void fst_notes_release(struct fst_notes *notes);

/* Adds a sentence (copied). */
void fst_notes_add(struct fst_notes *notes, struct fst_str sentence);

/* Adds what there is to say of each input and of the profile as a whole. */
void fst_notes_on_profile(struct fst_notes *notes, const struct fst_profile *profile);

/* The same where the profile is shown as widths, which nothing below zero has. */
void fst_notes_on_picture(struct fst_notes *notes, const struct fst_profile *profile);

/* Says that counts are multiples of a divisor, and how many samples that makes. name: of the input,
 * where there are several recordings; else empty. */
void fst_notes_on_periods(struct fst_notes *notes, struct fst_str name, fst_i128 divisor,
                          double samples);

/* Adds what there is to say where whole stacks are kept: of inputs that were read otherwise than they
 * may be meant (of a few, and how many more there are), and of the sum. unit_kept: what is written of
 * them says what is counted. */
void fst_notes_on_stacks(struct fst_notes *notes, const struct fst_profile *profile,
                         bool unit_kept);

#endif
