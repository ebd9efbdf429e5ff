/* Numbers as text, for people and for JSON; independent of the locale as long as the caller set
 * LC_NUMERIC to C for its thread (fst_render_* do). */
#ifndef FST_BASE_NUMBER_H
#define FST_BASE_NUMBER_H

#include "base/buf.h"

/* Appends an exact count with commas between groups of three digits ("18,775"). */
void fst_number_grouped(struct fst_buf *out, fst_i128 scaled);

/* The same for a whole number. */
void fst_number_grouped_u64(struct fst_buf *out, uint64_t value);

/* The same for a double that is a count in spirit: whole ones up to 10^15 with commas, others as %g
 * writes them. */
void fst_number_grouped_double(struct fst_buf *out, double value);

/* Appends what "%.2f" writes, which takes longer. */
void fst_number_hundredths(struct fst_buf *out, double value);

/* Appends the shortest decimal text that reads back as value; "null" for NaN and infinities. */
void fst_number_json(struct fst_buf *out, double value);

/* Reads all of text as a decimal number of the form a count has; false otherwise. */
bool fst_number_parse(struct fst_str text, double *out);

#endif
