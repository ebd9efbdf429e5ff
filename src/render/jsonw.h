/* Writes JSON into a sink: commas and colons come by themselves.
 *
 *     fst_jsonw_open(w, NULL, '{');
 *     fst_jsonw_text(w, "name", name);
 *     fst_jsonw_open(w, "rows", '[');
 *     …
 *     fst_jsonw_close(w);
 *     fst_jsonw_close(w);
 *
 * key is NULL for elements of arrays. Levels are indented by two spaces; arrays and objects opened
 * with fst_jsonw_open_inline stand on one line. */
#ifndef FST_RENDER_JSONW_H
#define FST_RENDER_JSONW_H

#include "io/sink.h"

enum { FST_JSONW_DEPTH = 16 };

struct fst_jsonw {
    struct fst_sink *sink;
    int depth;
    char closers[FST_JSONW_DEPTH];
    bool filled[FST_JSONW_DEPTH]; /* the level has an element */
    bool inlined[FST_JSONW_DEPTH];
};

/* bracket is '{' or '['. */
void fst_jsonw_open(struct fst_jsonw *w, const char *key, char bracket);
void fst_jsonw_open_inline(struct fst_jsonw *w, const char *key, char bracket);
/* Closes the innermost level; the outermost one ends the line. */
void fst_jsonw_close(struct fst_jsonw *w);

void fst_jsonw_text(struct fst_jsonw *w, const char *key, struct fst_str text);
/* "name", and "name_hex" where the bytes are not UTF-8. */
void fst_jsonw_name(struct fst_jsonw *w, struct fst_str name);
/* An exact count, without exponent. */
void fst_jsonw_count(struct fst_jsonw *w, const char *key, struct fst_count count);
void fst_jsonw_u64(struct fst_jsonw *w, const char *key, uint64_t value);
void fst_jsonw_bool(struct fst_jsonw *w, const char *key, bool value);
/* The shortest text that reads back; null for NaN. */
void fst_jsonw_double(struct fst_jsonw *w, const char *key, double value);
/* [lo,hi], or null where it is absent. */
void fst_jsonw_interval(struct fst_jsonw *w, const char *key, struct fst_interval interval);

#endif
