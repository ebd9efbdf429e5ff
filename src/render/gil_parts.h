/* What the renderers of gil for people share: figures in words, and tables. */
#ifndef FST_RENDER_GIL_PARTS_H
#define FST_RENDER_GIL_PARTS_H

#include "render/columns.h"
#include "render/prose.h"

/* A figure of the page: "GIL occupancy", "12.1%", "10.5-13.9%", what it means. */
struct fst_gil_figure {
    struct fst_buf label;
    struct fst_buf value;
    struct fst_buf interval; /* empty: none */
    struct fst_buf meaning;
};

enum { FST_GIL_FIGURES = 7 };

/* Makes the i-th figure; false if there is none of it. Clear it before, release it in the end. */
bool fst_gil_figure_make(struct fst_gil_figure *figure, const struct fst_gil *gil, int i);
void fst_gil_figure_clear(struct fst_gil_figure *figure);
/* Passes a failed append on to out. */
void fst_gil_figure_release(struct fst_gil_figure *figure, struct fst_buf *out);

/* "fixtures/dflash/gil.raw · py-spy · 178 samples · 1,469 ticks"; where there are filters, "54 of 178
 * samples (30.3 %)". */
void fst_gil_prose_side(struct fst_buf *out, const struct fst_gil_side *side, bool filters,
                        fst_name_fn name);

/* The name of the verdict, which is not of the kept stacks alone. */
void fst_gil_prose_verdict(struct fst_buf *out, const struct fst_gil *gil);

/* "20 of 58 rows." where some are not shown. */
void fst_gil_prose_rows(struct fst_buf *out, size_t count, size_t of);

/* The recordings that there are, in order: "GIL", "ALL", "IDLE". NULL behind the last. */
const struct fst_gil_side *fst_gil_side_at(const struct fst_gil *gil, int i, const char **title);

/* A table of the page; its grid has no rows where there is nothing to show. */
struct fst_gil_section {
    const char *title;   /* "HOLDING THE GIL" */
    const char *heading; /* "Holding the GIL" */
    struct fst_grid grid;
    size_t shown; /* rows that lie within none */
    size_t of;    /* rows that there are of these */
};

enum { FST_GIL_SECTIONS = 4 };

struct fst_gil_section fst_gil_section_at(const struct fst_gil *gil, int i);

#endif
