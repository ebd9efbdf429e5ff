/* The frames of a flame graph, from where they lie to who called whom. */
#ifndef FST_PARSE_SVG_TREE_H
#define FST_PARSE_SVG_TREE_H

#include "base/arena.h"
#include "parse/parser.h"

struct fst_svg_frame {
    struct fst_str name; /* in the arena */
    int64_t left;        /* in samples, or in millionths of the unit of x */
    int64_t right;
    int64_t y;       /* in millionths; turned so that it grows from the root, once that is known */
    uint64_t own;    /* samples in it and in what it called */
    uint64_t inner;  /* samples in what it called */
    uint64_t line;   /* where it stands in the file */
    uint32_t order;  /* its number in the file */
    uint32_t ncalls; /* how many frames it called */
    uint32_t level;  /* how many callers it has */
};

/* The frames of a picture: in the order of the file, then of a walk through their tree. */
struct fst_svg_tree {
    struct fst_svg_frame *frames;
    size_t nframes;
    size_t capacity;
    struct fst_arena names;
    bool in_samples;     /* places are in samples, and exact */
    bool synthetic_root; /* the only root is the picture's "all" */
    int64_t root_y;
    uint64_t stacked; /* frames in all stacks that are handed on, the root counted */
    size_t *open;     /* the frames that the walk is in */
    size_t open_capacity;
    struct fst_str *stack; /* the names of the frame at hand and its callers */
    size_t stack_capacity;
};

void fst_svg_tree_release(struct fst_svg_tree *tree);

/* Appends a copy of a frame that has a width; its name is copied too, and FST_FRAME_EMPTY stands
 * for an empty one. False without memory. */
bool fst_svg_tree_add(struct fst_svg_tree *tree, struct fst_svg_frame *frame);

/* Finds every frame's caller and puts the frames into the order of a walk, callers first. Errors:
 * FORMAT for a frame that stands on no other or on two, that holds less than what it called (beyond
 * 1 % and beyond what rounding explains), and for stacks of more than 4 billion frames; NOMEM. */
enum fst_status fst_svg_tree_build(struct fst_svg_tree *tree, struct fst_error *err);

/* Goes on to a frame and makes its stack, which is only good if the frames before it were gone
 * through in order. The count is 0 where it has no samples of its own. Errors: NOMEM. */
enum fst_status fst_svg_tree_enter(struct fst_svg_tree *tree, const struct fst_svg_frame *frame,
                                   struct fst_sample *out, struct fst_error *err);

/* FST_ERR_FORMAT about one frame and its line, with its name between the two halves of the
 * sentence. */
enum fst_status fst_svg_frame_error(const struct fst_svg_frame *frame, const char *before,
                                    const char *behind, struct fst_error *err);

#endif
