/* Patterns with * alone, for tables of names. */
#ifndef FST_BASE_GLOB_H
#define FST_BASE_GLOB_H

#include <stdint.h>

#include "base/str.h"

/* Whether all of text fits glob, in which * stands for any bytes or none. Takes time in proportion
 * to the product of the lengths at worst. */
bool fst_glob_fits(struct fst_str glob, struct fst_str text);

/* A path that many globs are held against. */
struct fst_glob_path {
    struct fst_str text;
    uint64_t
        begins[4]; /* a bit for each byte that it, or what stands behind a slash, begins with */
};

/* text must stay. */
struct fst_glob_path fst_glob_path_of(struct fst_str text);

/* Whether a path, or what stands behind one of its slashes, fits glob. Slashes of both kinds are
 * the same. */
bool fst_glob_fits_path(struct fst_str glob, const struct fst_glob_path *path);

#endif
