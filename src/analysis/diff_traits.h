/* What a recording was made with, as far as its frames show: recordings that differ in it cannot be
 * compared without care. */
#ifndef FST_ANALYSIS_DIFF_TRAITS_H
#define FST_ANALYSIS_DIFF_TRAITS_H

#include "model/category.h"
#include "model/profile.h"

/* What there is to differ in. */
enum fst_trait {
    FST_TRAIT_UNIT,
    FST_TRAIT_DIALECT,
    FST_TRAIT_LINES,   /* frames have line numbers */
    FST_TRAIT_PATHS,   /* files have their full names */
    FST_TRAIT_THREADS, /* stacks name threads */
    FST_TRAIT_THREAD_FORM,
    FST_TRAIT_PROCESSES, /* stacks name processes */
    FST_TRAIT_NATIVE,    /* native frames stand between Python's */
    FST_TRAIT_IDLE,      /* stacks that wait for work are there */
    FST_TRAIT_GENERATED, /* generated names are one, which matters where they are compared as they stand */
    FST_TRAITS
};

/* Words for each trait of a recording, by enum fst_trait; NULL where nothing is known, and in all of
 * them for one without stacks. Static text. */
struct fst_traits {
    const char *words[FST_TRAITS];
};

/* categories are the built-in ones. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_traits_find(const struct fst_profile *profile,
                                const struct fst_categories *categories, struct fst_traits *out,
                                struct fst_error *err);

#endif
