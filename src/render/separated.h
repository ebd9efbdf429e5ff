/* Fields of CSV and TSV. A function that writes a value writes the separator before it. */
#ifndef FST_RENDER_SEPARATED_H
#define FST_RENDER_SEPARATED_H

#include "base/buf.h"

/* How a format separates fields, ends lines and protects names. */
struct fst_separated {
    char separator;
    const char *line_end;
    void (*name)(struct fst_buf *out, struct fst_str name);
};

extern const struct fst_separated fst_separated_csv;
extern const struct fst_separated fst_separated_tsv;

/* The line of field names. */
void fst_separated_head(struct fst_buf *out, const struct fst_separated *format,
                        const char *const *fields, size_t count);

/* A name, without a separator; escaped where it goes to a terminal. */
void fst_separated_name(struct fst_buf *out, const struct fst_separated *format,
                        struct fst_str name, bool terminal);

void fst_separated_count(struct fst_buf *out, const struct fst_separated *format,
                         struct fst_count count);

/* Empty for NaN. */
void fst_separated_double(struct fst_buf *out, const struct fst_separated *format, double value);

#endif
