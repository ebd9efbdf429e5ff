/* The names that a pattern may have meant, when it found none. */
#ifndef FST_MODEL_NEAREST_H
#define FST_MODEL_NEAREST_H

#include "base/str.h"

enum { FST_NEAREST_MOST = 3, FST_NEAREST_WORD = 64 };

struct fst_nearest {
    uint64_t places[256]; /* by byte: where it stands in the word */
    size_t len;  /* of the word: the longest plain text of the pattern; 0: it is too short */
    size_t most; /* edits beyond which a name is not near */
    struct fst_str names[FST_NEAREST_MOST]; /* the nearest first */
    size_t edits[FST_NEAREST_MOST];
    size_t count;
};

/* Begins a search. Case is ignored for ASCII's letters. */
void fst_nearest_init(struct fst_nearest *nearest, struct fst_str pattern);

/* Considers a name, which is borrowed: nearest->names are the nearest so far. How near it is, is the
 * number of edits between the word and the part of the name that is most like it (a character that is
 * too many, missing or another, or two neighbours that changed places); of equally near
 * ones the shorter, then the smaller by bytes, so that the order of the names decides nothing.
 * Offer every name once. */
void fst_nearest_offer(struct fst_nearest *nearest, struct fst_str name);

#endif
