/* The working memory of counting, for whoever ends a profile. */
#ifndef FST_MODEL_COUNT_H
#define FST_MODEL_COUNT_H

struct fst_tally;

/* NULL is fine. */
void fst_tally_free(struct fst_tally *tally);

#endif
