/* What the pages of peek for people share: the tables around a match. */
#ifndef FST_RENDER_PEEK_PARTS_H
#define FST_RENDER_PEEK_PARTS_H

#include "base/arena.h"
#include "render/columns.h"
#include "render/prose.h"

/* A row of any of them. */
struct fst_peek_row {
    struct fst_str name;
    struct fst_count self;
    struct fst_count total;
    double self_share;
    double total_share;
    const struct fst_peek_stack *stack; /* whose name it is; NULL: of none */
};

struct fst_peek_section {
    const char *title;   /* "CALLED BY" */
    const char *heading; /* "Called by" */
    const char *one;     /* "caller" */
    const char *many;
    struct fst_grid grid; /* of rows; none: there is nothing to show */
    size_t shown;         /* of what there is: */
    size_t of;
    struct fst_peek_row *rows;
    struct fst_arena names; /* of stacks */
};

enum { FST_PEEK_SECTIONS = 4 };

/* Makes the i-th table around a match; to be released in any case. False without memory. */
bool fst_peek_section_init(struct fst_peek_section *section, const struct fst_peek *peek,
                           const struct fst_peek_match *match, int i);
void fst_peek_section_release(struct fst_peek_section *section);

/* "10 of 34 callers." where some are not shown. */
void fst_peek_prose_rows(struct fst_buf *out, const struct fst_peek_section *section);

/* What was read, and how many rows match. */
void fst_peek_prose_header(struct fst_buf *out, const struct fst_peek_view *view, fst_name_fn name);

/* "8.6% of 18,775 samples are in it, 4.2% end there." */
void fst_peek_prose_match(struct fst_buf *out, const struct fst_peek *peek,
                          const struct fst_peek_match *match);

/* How many matches are not shown. */
void fst_peek_prose_matches(struct fst_buf *out, const struct fst_peek *peek);

#endif
