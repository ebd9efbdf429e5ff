/* Exact sample counts.
 *
 * A count is a signed 128-bit integer in units of 10^-12 of a sample ("scaled"), which holds every
 * count with up to 12 decimals between -1.7 * 10^26 and 1.7 * 10^26. Sums of integers, of decimals
 * and of negative parts are exact and do not depend on the order of the lines.
 */
#ifndef FST_BASE_COUNT_H
#define FST_BASE_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compat.h"
#include "base/str.h"

/* One sample, scaled. */
#define FST_COUNT_ONE ((fst_i128)1000000000000)
/* The largest magnitude, scaled; symmetrical, so that every count can be negated. */
#define FST_COUNT_MAX FST_I128_MAX
/* Room for the text of any count, with its NUL. */
#define FST_COUNT_TEXT 48

enum fst_count_parse {
    FST_COUNT_OK,
    FST_COUNT_ROUNDED,      /* a count, but it had more than 12 decimals: rounded half to even */
    FST_COUNT_NOT_A_NUMBER, /* does not have a count's form */
    FST_COUNT_OUT_OF_RANGE  /* has a count's form and does not fit */
};

/* Reads text as [+-]? (digits[.digits*] | .digits) ([eE][+-]?digits)?, all of it, into *out. */
enum fst_count_parse fst_count_parse(struct fst_str text, fst_i128 *out);

/* Writes the exact decimal form without exponent or trailing zeros ("-0.25", "18775") and a NUL
 * into out; returns its length. */
size_t fst_count_format(fst_i128 scaled, char out[FST_COUNT_TEXT]);

/* The nearest double for whole counts; for others within one unit in the last place. */
double fst_count_to_double(fst_i128 scaled);

static inline bool fst_count_is_whole(fst_i128 scaled)
{
    return scaled % FST_COUNT_ONE == 0;
}

static inline struct fst_count fst_count_pack(fst_i128 scaled)
{
    return (struct fst_count){(uint64_t)scaled, (int64_t)(scaled >> 64)};
}

static inline fst_i128 fst_count_unpack(struct fst_count count)
{
    return (fst_i128)(((fst_u128)(uint64_t)count.hi << 64) | count.lo);
}

#endif
