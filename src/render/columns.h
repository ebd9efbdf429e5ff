/* The columns of the leaf and root tables, shared by the renderers that people read. */
#ifndef FST_RENDER_COLUMNS_H
#define FST_RENDER_COLUMNS_H

#include "base/buf.h"

enum { FST_COLUMNS_MOST = 6 };

struct fst_column {
    const char *heading;
    size_t least; /* width */
    /* Columns give way on narrow terminals, the lowest number first; 0 stays. */
    int gives_way;
    bool signal; /* what stands out may be coloured */
    void (*cell)(struct fst_buf *out, const struct fst_top_row *row);
};

struct fst_columns {
    struct fst_column items[FST_COLUMNS_MOST];
    size_t count;
    char name_heading[32]; /* of the last column, the row's name */
};

/* The columns that top has figures for. */
struct fst_columns fst_columns_of_leaf(const struct fst_top *top);
struct fst_columns fst_columns_of_roots(const struct fst_top *top);

/* Appends a share with one decimal: "30.3%", "<0.1%" for what is more than nothing, "-" for NaN. */
void fst_cell_share(struct fst_buf *out, double share);

#endif
