/* What the parts of the picture hand to each other. */
#ifndef FST_RENDER_FLAME_PARTS_H
#define FST_RENDER_FLAME_PARTS_H

#include "render/render.h"

/* Pixels; the script and the style know them too. */
enum { FST_FLAME_ROW = 18, FST_FLAME_MARGIN = 10 };

/* The width in pixels of a cell of the frames' font: the widest of those that the style names. */
#define FST_FLAME_CELL 7.25

/* By flame_frames.c: the frames, in an element of their own whose top is at y. */
void fst_flame_put_frames(struct fst_sink *sink, const struct fst_flame_view *view, unsigned y);

/* By flame_frames.c: what of a name fits into so many cells, escaped for XML: all of it, "function
 * (file:line)" without folders, the function, or its start. Nothing in less than three cells. */
void fst_flame_label(struct fst_buf *out, struct fst_str name, size_t cells);

/* By flame_prose.c: what the picture is of, and what is to be known of it; words for people, names
 * escaped, but not for XML. */
void fst_flame_title(struct fst_buf *out, const struct fst_flame_view *view);
void fst_flame_about(struct fst_buf *out, const struct fst_flame_view *view);
void fst_flame_foot(struct fst_buf *out, const struct fst_flame_view *view);

/* By flame_prose.c: the word for what is counted. */
struct fst_str fst_flame_unit(const struct fst_flame *flame);

/* Generated from flame.css and flame.js. */
extern const unsigned char fst_flame_style[];
extern const unsigned long fst_flame_style_len;
extern const unsigned char fst_flame_script[];
extern const unsigned long fst_flame_script_len;

#endif
