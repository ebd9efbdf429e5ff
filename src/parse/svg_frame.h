/* What the title and the rectangle of a frame in a flame graph say. */
#ifndef FST_PARSE_SVG_FRAME_H
#define FST_PARSE_SVG_FRAME_H

#include "parse/svg_tree.h"

/* The largest place or count: sums of four fit. */
#define FST_SVG_MOST ((int64_t)1 << 60)

/* The attributes of a rectangle that count; NULL where it does not have them. */
struct fst_svg_rectangle {
    const char *x;
    const char *y;
    const char *width;
    const char *first_sample;
    const char *samples;
};

/* Cuts " (1,234 samples, 12.34%)" or " (1,234 samples, 12.34%; +1.23%)" off the end of a title;
 * false, and the title as it was, if it ends otherwise. *unit gets what is counted, with a blank
 * before it. Too large a count is one beyond FST_SVG_MOST. */
bool fst_svg_title_cut(struct fst_str *title, uint64_t *count, struct fst_str *unit);

/* The attributes of an element, as expat lists them. */
struct fst_svg_rectangle fst_svg_rectangle_of(const char **attributes);

/* Reads where a frame lies into *frame, and if it is in samples also how many it has; false where a
 * place is no number or out of range. */
bool fst_svg_extent_read(const struct fst_svg_rectangle *r, bool in_samples,
                         struct fst_svg_frame *frame);

#endif
