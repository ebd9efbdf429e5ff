/* Tables and sentences laid out for a terminal. */
#ifndef FST_RENDER_GRID_H
#define FST_RENDER_GRID_H

#include "io/sink.h"
#include "render/columns.h"

/* Writes a table's headings and rows. */
void fst_grid_put(struct fst_sink *sink, const struct fst_grid *grid,
                  const struct fst_render_options *options);

/* Appends a name in at most so many cells, 0: as many as it takes; blanks alone are made visible.
 * ascii: what is cut is marked by "...". */
void fst_grid_name(struct fst_buf *out, struct fst_str name, size_t cells, bool ascii);

/* Ends a sentence that was collected in line, broken at blanks where the width is limited, and
 * clears it; nothing for an empty one. */
void fst_grid_put_line(struct fst_sink *sink, const struct fst_render_options *options,
                       struct fst_buf *line);

#endif
