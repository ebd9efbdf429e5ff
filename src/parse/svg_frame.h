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

/* What a title says behind the name. */
struct fst_svg_title {
    uint64_t count;      /* too large a one is one beyond FST_SVG_MOST */
    struct fst_str unit; /* what is counted ("samples"); points into the title */
    bool change;         /* it also says how much the share changed */
};

/* Cuts " (1,234 samples, 12.34%)" or " (1,234 samples, 12.34%; +1.23%)" off the end of a title;
 * false, and the title as it was, if it ends otherwise. */
bool fst_svg_title_cut(struct fst_str *title, struct fst_svg_title *out);

/* The unit of counts that a title calls so; false where it is another. "samples" is what the
 * programs write unless they are told otherwise, and says no more than `otherwise` does. *over gets
 * what counts are to be divided by. */
bool fst_svg_unit_find(struct fst_str word, enum fst_unit otherwise, enum fst_unit *unit,
                       int *over);

/* The attributes of an element, as expat lists them. */
struct fst_svg_rectangle fst_svg_rectangle_of(const char **attributes);

/* Reads where a frame lies into *frame, and if it is in samples also how many it has; false where a
 * place is no number or out of range. */
bool fst_svg_extent_read(const struct fst_svg_rectangle *r, bool in_samples,
                         struct fst_svg_frame *frame);

#endif
