/* A flame graph in SVG, read back into stacks.
 *
 * Two families of pictures are read, with the root at the bottom (flame) or at the top (icicle):
 *
 * - inferno's (https://github.com/jonhoo/inferno), which py-spy writes by default: every frame says
 *   in fg:x and fg:w where it begins and how wide it is, in samples. They are exact. So are foldstat's
 *   own, where an element around the frames may say in data-decimals that fg:x and fg:w are tenths,
 *   hundredths … of what is counted (or, below zero, tens, hundreds …).
 * - flamegraph.pl's (https://github.com/brendangregg/FlameGraph) and those of tools that copied it:
 *   x and width are rounded to a tenth of a pixel, and the count stands in the title,
 *   "NAME (1,234 samples, 12.34%)" or, in a differential one, "NAME (…, 12.34%; +1.23%)".
 *
 * A frame's own samples are its count less its children's: what was too narrow to be drawn stays
 * with its caller. The root "all" is the picture's and not the program's: it is left out of the
 * stacks, and its own samples are the stack FST_FRAME_NONE. */
#ifndef FST_PARSE_SVG_H
#define FST_PARSE_SVG_H

#include "parse/parser.h"

struct fst_svg;

/* A reader that hands stacks to sink and counts into stats, which must be zeroed and outlive it;
 * to be freed with fst_svg_free. Of options only the dialect matters: a picture says itself where
 * its root is. */
enum fst_status fst_svg_new(struct fst_parser_sink sink, const struct fst_read_options *options,
                            struct fst_input *stats, struct fst_svg **out, struct fst_error *err);

/* NULL is fine. */
void fst_svg_free(struct fst_svg *svg);

/* Takes the next bytes of the file; how they are cut makes no difference. Keeps the frames that
 * they draw. Errors: NOMEM, and FORMAT (with its line) for text that is no XML or no SVG, for a
 * DOCTYPE with declarations of its own, for entities that are not XML's, and for pictures beyond
 * 10,000 levels of elements or 20 million frames. After an error it only may be freed. */
enum fst_status fst_svg_feed(struct fst_svg *svg, struct fst_str bytes, struct fst_error *err);

/* Ends the file and hands on its stacks, one for every frame with samples of its own: callers
 * first, then left to right, whatever the order in the file (flamegraph.pl's is that of a hash).
 * Errors: FORMAT for an SVG that is no flame graph, for one that is cut, and for frames that do
 * not stand on another frame or hold less than what stands on them (beyond 1 % and beyond what
 * rounding explains; within that the frame has no samples of its own); NOMEM; the sink's. */
enum fst_status fst_svg_finish(struct fst_svg *svg, struct fst_error *err);

#endif
