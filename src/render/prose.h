/* The sentences around the tables: what was read, and how far to trust it. None ends in a newline;
 * one that has nothing to say appends nothing. */
#ifndef FST_RENDER_PROSE_H
#define FST_RENDER_PROSE_H

#include "render/render.h"

/* Appends an untrusted name in the manner of the output. */
typedef void (*fst_name_fn)(struct fst_buf *out, struct fst_str name);

/* "1 line", "64 lines". */
void fst_prose_counted(struct fst_buf *out, uint64_t n, const char *one, const char *many);

/* "178 samples", of a count that is one of the scope's unit. */
void fst_prose_count(struct fst_buf *out, const struct fst_scope *scope, struct fst_count count);

/* The inputs and their dialects. */
void fst_prose_inputs(struct fst_buf *out, const struct fst_view *view, fst_name_fn name);

/* The same, with what was kept of them and by which filters. The inputs are those of view. */
void fst_prose_scope(struct fst_buf *out, const struct fst_view *view,
                     const struct fst_scope *scope, fst_name_fn name);

/* The same of top, with what the intervals assume. */
void fst_prose_header(struct fst_buf *out, const struct fst_view *view, fst_name_fn name);

/* A share in a sentence: "30.3 %", "<0.1 %", "-" where there is none. */
void fst_prose_share(struct fst_buf *out, double share);

/* "kept by --focus RE, --fold-recursion · shares of the kept"; nothing where nothing is asked. */
void fst_prose_asked(struct fst_buf *out, const struct fst_asked *asked, size_t nasked,
                     enum fst_percent_of percent_of, fst_name_fn name);

/* How many rows are shown, what they cover, and how far a share can be trusted. */
void fst_prose_leaf(struct fst_buf *out, const struct fst_top *top);

/* The function that would lead if its lines were one row. */
void fst_prose_leader(struct fst_buf *out, const struct fst_top *top, fst_name_fn name);

/* Into how many of its rows --normalize would fold a table. */
void fst_prose_foldable(struct fst_buf *out, uint64_t foldable, uint64_t of);

/* How many roots are not shown. */
void fst_prose_roots(struct fst_buf *out, const struct fst_top *top);

/* Which options would add the figures that are absent. */
void fst_prose_missing(struct fst_buf *out, const struct fst_view *view);

/* Says what the columns of spreads are of; nothing where there are none. */
void fst_prose_spread(struct fst_buf *out, const struct fst_top *top);

/* How many are said at most. */
enum { FST_PROSE_OUTLIERS = 5 };

/* Says of the n-th input, from 0, that stands out in a row that is shown, how far it does; false, and
 * nothing, where there are not that many. */
bool fst_prose_outlier(struct fst_buf *out, const struct fst_top *top, size_t n, fst_name_fn name);

#endif
