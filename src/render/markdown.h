/* Pieces of Markdown. */
#ifndef FST_RENDER_MARKDOWN_H
#define FST_RENDER_MARKDOWN_H

#include "io/sink.h"
#include "render/columns.h"

/* Appends an untrusted name in which nothing is markup. */
void fst_markdown_name(struct fst_buf *out, struct fst_str name);

/* Appends a sentence in which nothing is markup. */
void fst_markdown_text(struct fst_buf *out, struct fst_str text);

/* Writes a table. */
void fst_markdown_put(struct fst_sink *sink, const struct fst_grid *grid);

#endif
