/* What the JSON of diff and check have in common. */
#ifndef FST_RENDER_DIFF_JSON_H
#define FST_RENDER_DIFF_JSON_H

#include "render/jsonw.h"

/* "notes" to "after": all of the comparison but its rows. Other notes follow those of diff. */
void fst_diff_json_head(struct fst_jsonw *w, const struct fst_diff *diff,
                        const struct fst_str *notes, size_t nnotes);

/* The members of a row, into the open object. */
void fst_diff_json_row(struct fst_jsonw *w, const struct fst_diff_row *row);

#endif
