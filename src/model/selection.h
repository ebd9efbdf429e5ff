/* What is asked of stacks and names, compiled: patterns, rules and switches. It never changes, so
 * that the profiles of all threads share one. */
#ifndef FST_MODEL_SELECTION_H
#define FST_MODEL_SELECTION_H

#include "base/arena.h"
#include "model/category.h"
#include "model/filter.h"

/* One for each option that decides about stacks and frames. */
enum { FST_ASKED_MOST = 10 };

struct fst_selection {
    struct fst_filter_options filter;
    struct fst_pattern *patterns[FST_ASKED_MOST]; /* those of filter, to be freed */
    size_t npatterns;
    struct fst_rewrite **rewrites;
    size_t nrewrites;
    struct fst_categories *categories; /* of rows; NULL: not wanted */
    struct fst_categories *waiting;    /* the built-in ones, for no_idle; NULL: not wanted */
    uint8_t idle;                      /* its number in waiting */
    bool strip_annotations;
    bool normalize;
    struct fst_asked asked[FST_ASKED_MOST];
    size_t nasked;
    struct fst_str rules;   /* all of what changes stacks and names, in the form of options, each
                               escaped and behind a tab; empty: nothing */
    struct fst_arena texts; /* of asked and rules */
};

/* Whether stacks are dropped or cut. selection may be NULL, here and below. */
bool fst_selection_filters(const struct fst_selection *selection);

/* Whether frames are called otherwise than they are written. */
bool fst_selection_alters(const struct fst_selection *selection);

/* A pattern that no frame, or no label, matches keeps nothing. */
struct fst_wish {
    const char *option;
    const struct fst_pattern *pattern;
    bool of_labels;
};

/* The filters without a match of which no stack is kept: at most FST_ASKED_MOST; returns how many. */
size_t fst_selection_wishes(const struct fst_selection *selection,
                            struct fst_wish out[FST_ASKED_MOST]);

#endif
