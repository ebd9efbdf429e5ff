/* Tables for people: columns of figures and a name, laid out alike by every renderer. */
#ifndef FST_RENDER_COLUMNS_H
#define FST_RENDER_COLUMNS_H

#include "base/buf.h"

enum { FST_COLUMNS_MOST = 10 };

struct fst_column {
    const char *heading;
    size_t least; /* width */
    /* Columns give way on narrow terminals, the lowest number first; 0 stays. */
    int gives_way;
    bool signal; /* what stands out may be coloured */
    void (*cell)(struct fst_buf *out, const void *row);
};

struct fst_columns {
    struct fst_column items[FST_COLUMNS_MOST];
    size_t count;
    char name_heading[32]; /* of the last column, the row's name */
};

/* A table: rows of any type, one behind the other, and what to show of each. */
struct fst_grid {
    struct fst_columns columns;
    const void *rows;
    size_t stride; /* bytes of a row */
    size_t count;
    struct fst_str (*name)(const void *row);
    bool (*stands_out)(const void *row); /* NULL: no row does */
    const void *ctx;                     /* of the three below */
    /* Appends the name of a row in at most so many cells, 0: as many as it takes. NULL: name is cut
     * where it is too long. */
    void (*add_name)(struct fst_buf *out, const struct fst_grid *grid, const void *row,
                     size_t cells, bool ascii);
    /* Appends what stands behind the name of a row. NULL: nothing. */
    void (*add_note)(struct fst_buf *out, const struct fst_grid *grid, const void *row);
    bool (*is_inner)(const void *row); /* it lies within a row above. NULL: none does */
    size_t (*of)(const void *row);     /* how many rows within it there are */
};

static inline const void *fst_grid_row(const struct fst_grid *grid, size_t i)
{
    return (const char *)grid->rows + i * grid->stride;
}

/* How many rows that lie within the same row as row i, which is the last of them to be shown, are
 * not; 0 of another row. */
size_t fst_grid_left(const struct fst_grid *grid, size_t i);

/* Names the last column. */
void fst_columns_name(struct fst_columns *columns, const char *heading);

/* By what its rows are: "THREAD", or "THREAD, CATEGORY" where rows lie within rows. */
void fst_columns_name_rows(struct fst_columns *columns, enum fst_by by, bool nested,
                           enum fst_by inner);

/* Appends a column. */
static inline void fst_columns_add(struct fst_columns *columns, const struct fst_column *column)
{
    columns->items[columns->count++] = *column;
}

/* The leaf and the root table, with the columns that top has figures for. */
struct fst_grid fst_grid_of_leaf(const struct fst_top *top);
struct fst_grid fst_grid_of_roots(const struct fst_top *top);

/* What rows are, as the heading of their names ("FRAME"); static. */
const char *fst_columns_heading(enum fst_by by);

/* Appends a share with one decimal: "30.3%", "<0.1%" for what is more than nothing, "-" for NaN. */
void fst_cell_share(struct fst_buf *out, double share);

/* " · 40 threads" where a row stands for some, " · 2 processes". */
void fst_cell_members(struct fst_buf *out, uint64_t members, enum fst_by by);

/* Appends an exact count. */
void fst_cell_count(struct fst_buf *out, struct fst_count count);

#endif
