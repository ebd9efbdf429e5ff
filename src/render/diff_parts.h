/* What the renderers of diff for people share: sentences, and tables. */
#ifndef FST_RENDER_DIFF_PARTS_H
#define FST_RENDER_DIFF_PARTS_H

#include "render/columns.h"
#include "render/prose.h"

/* "before.raw · py-spy · 178 samples · 1,469 ticks". */
void fst_diff_prose_side(struct fst_buf *out, const struct fst_diff *diff,
                         const struct fst_diff_side *side, fst_name_fn name);

/* What is compared, and what decides. */
void fst_diff_prose_method(struct fst_buf *out, const struct fst_diff *diff, fst_name_fn name);

/* How many rows are shown, how many changed, and what would tell more. */
void fst_diff_prose_rows(struct fst_buf *out, const struct fst_diff *diff);

/* A table; its lines are to be freed. */
struct fst_diff_table {
    struct fst_grid grid;
    struct fst_diff_line *lines;
};

/* Rows, with the columns that their basis has. A failure for want of memory leaves no rows and marks
 * out as failed. */
void fst_diff_table_make(struct fst_diff_table *table, const struct fst_diff *diff,
                         struct fst_buf *out);
/* The stacks of a row, likewise. */
void fst_diff_table_of_paths(struct fst_diff_table *table, const struct fst_diff *diff,
                             const struct fst_diff_row *row, struct fst_buf *out);
void fst_diff_table_release(struct fst_diff_table *table);

/* Pieces of cells: a value, a difference and its interval in the unit of a basis; "-" for NaN. */
void fst_diff_cell_value(struct fst_buf *out, enum fst_basis basis, double value);
void fst_diff_cell_delta(struct fst_buf *out, enum fst_basis basis, double delta);
void fst_diff_cell_interval(struct fst_buf *out, enum fst_basis basis, struct fst_interval ci);

/* How a row's value compares: "1.60", "new", "gone", "from 0", "to 0", "-". */
void fst_diff_cell_ratio(struct fst_buf *out, const struct fst_diff_row *row, enum fst_on on);

#endif
