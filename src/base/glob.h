/* Patterns with * alone, for tables of names. */
#ifndef FST_BASE_GLOB_H
#define FST_BASE_GLOB_H

#include "base/str.h"

/* Whether all of text fits glob, in which * stands for any bytes or none. Takes time in proportion
 * to the product of the lengths at worst. */
bool fst_glob_fits(struct fst_str glob, struct fst_str text);

/* Whether a path, or what stands behind one of its slashes, fits glob. Slashes of both kinds are
 * the same. */
bool fst_glob_fits_path(struct fst_str glob, struct fst_str path);

#endif
