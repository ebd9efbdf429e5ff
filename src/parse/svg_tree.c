/* Who called whom is in the geometry alone. The root "all" is at the bottom or at the top, which
 * tells which way is up. Sorted by left edges, and upwards where these are equal, the frames come
 * in the order of a walk through the tree, callers first:
 *
 *              | g 2 |                          all
 *     |  f 6         | h 3 |                    all  main
 *     |       main 10           | w 2 |         all  main  f
 *     |          all 13                  |      all  main  f  g
 *                                               all  main  h        <-- g and f end before h does
 *                                               all  w                  and leave the stack
 *
 * so that one pass with a stack of the frames that are open finds every caller: the uppermost one
 * below that spans the frame's middle. (The middle, because edges are rounded.) It need not be in
 * the next row: pictures exist in which a frame is missing between two others. A frame that is so
 * narrow that its width is rounded to nothing cannot be placed, and counts as not drawn.
 */
#include "parse/svg_tree.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/escape.h"

/* How far rounding can bring the middle of a frame beyond the edge of its caller, in millionths:
 * both edges and the width may be rounded to tenths. */
#define PLACE_TOLERANCE ((int64_t)150000)

/* Frames in all stacks together; far above any profile, far below what a crafted picture can ask
 * for (its stacks grow with the square of its size). */
#define MOST_STACKED ((uint64_t)1 << 32)

void fst_svg_tree_release(struct fst_svg_tree *tree)
{
    fst_arena_release(&tree->names);
    fst_free(tree->frames);
    fst_free(tree->open);
    fst_free(tree->stack);
}

enum fst_status fst_svg_frame_error(const struct fst_svg_frame *frame, const char *before,
                                    const char *behind, struct fst_error *err)
{
    enum { SHOWN = 100 };
    struct fst_buf name = {0};
    fst_escape_text(
        &name, fst_str_of(frame->name.data, frame->name.len < SHOWN ? frame->name.len : SHOWN));
    enum fst_status status =
        fst_error_set(err, FST_ERR_FORMAT, "%s\"%.*s%s\"%s", before, (int)name.len,
                      name.len == 0 ? "" : name.data, frame->name.len > SHOWN ? "…" : "", behind);
    fst_buf_release(&name);
    return fst_error_at_line(status, frame->line, err);
}

bool fst_svg_tree_add(struct fst_svg_tree *tree, struct fst_svg_frame *frame)
{
    void *frames = tree->frames;
    if (frame->name.len == 0) {
        frame->name = FST_FRAME_EMPTY;
    }
    frame->name = fst_arena_copy(&tree->names, frame->name);
    if (frame->name.data == NULL ||
        fst_grow(&frames, &tree->capacity, tree->nframes + 1, sizeof *tree->frames) != 0) {
        return false;
    }
    tree->frames = frames;
    tree->frames[tree->nframes++] = *frame;
    return true;
}

/* --- callers --------------------------------------------------------------------------------- */

/* One end of the picture. */
struct row {
    int64_t y;
    fst_u128 sum;
    size_t nframes;
    size_t nalls; /* frames of the name that the picture's root has */
};

static struct row row_at(const struct fst_svg_tree *tree, int64_t y)
{
    struct row row = {.y = y};
    for (size_t i = 0; i < tree->nframes; i++) {
        const struct fst_svg_frame *frame = &tree->frames[i];
        if (frame->y == y) {
            row.sum += frame->own;
            row.nframes++;
            row.nalls += fst_str_eq(frame->name, FST_STR("all"));
        }
    }
    return row;
}

static bool is_all(const struct row *row)
{
    return row->nframes == 1 && row->nalls == 1;
}

/* Finds the roots, which are at the top or at the bottom, and turns the picture so that y grows from
 * them. The picture's root has a name; should that not decide, the roots are the wider row. */
static void find_roots(struct fst_svg_tree *tree)
{
    int64_t top_y = tree->frames[0].y;
    int64_t bottom_y = top_y;
    for (size_t i = 1; i < tree->nframes; i++) {
        int64_t y = tree->frames[i].y;
        top_y = y < top_y ? y : top_y;
        bottom_y = y > bottom_y ? y : bottom_y;
    }
    struct row top = row_at(tree, top_y);
    struct row bottom = row_at(tree, bottom_y);
    bool icicle = is_all(&top) != is_all(&bottom) ? is_all(&top) : top.sum > bottom.sum;
    tree->synthetic_root = is_all(icicle ? &top : &bottom);
    tree->root_y = icicle ? top_y : -bottom_y;
    for (size_t i = 0; i < tree->nframes && !icicle; i++) {
        tree->frames[i].y = -tree->frames[i].y;
    }
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The order of the walk; that of the file where frames coincide. */
static int by_walk(const void *left, const void *right)
{
    const struct fst_svg_frame *a = left;
    const struct fst_svg_frame *b = right;
    int order = compare(a->left, b->left);
    if (order == 0) {
        order = compare(a->y, b->y);
    }
    return order != 0 ? order : compare(a->order, b->order);
}

static bool has_room(const struct fst_svg_frame *caller, const struct fst_svg_frame *frame)
{
    return caller->own >= caller->inner && caller->own - caller->inner >= frame->own;
}

/* Whether a frame, which does not begin before caller, may stand on it. Twice the distances, so as
 * to stay in whole numbers. */
static bool spans(const struct fst_svg_tree *tree, const struct fst_svg_frame *caller,
                  const struct fst_svg_frame *frame)
{
    int64_t beyond = frame->left + frame->right - 2 * caller->right;
    if (tree->in_samples) {
        return frame->left < caller->right;
    }
    return beyond <= 0 || (beyond <= 2 * PLACE_TOLERANCE && has_room(caller, frame));
}

/* Counts a frame into its caller, the uppermost of those that are open. */
static enum fst_status stand_on(struct fst_svg_tree *tree, struct fst_svg_frame *caller,
                                struct fst_svg_frame *frame, struct fst_error *err)
{
    if (tree->in_samples && frame->right > caller->right) {
        return fst_svg_frame_error(frame, "a damaged flame graph: ", " stands on two frames", err);
    }
    frame->level = caller->level + 1;
    caller->ncalls++;
    if (FST_ADD_OVERFLOWS(caller->inner, frame->own, &caller->inner)) {
        caller->inner = UINT64_MAX;
    }
    return FST_OK;
}

static enum fst_status find_callers(struct fst_svg_tree *tree, struct fst_error *err)
{
    size_t depth = 0;
    for (size_t i = 0; i < tree->nframes; i++) {
        struct fst_svg_frame *frame = &tree->frames[i];
        while (depth > 0 && (tree->frames[tree->open[depth - 1]].y >= frame->y ||
                             !spans(tree, &tree->frames[tree->open[depth - 1]], frame))) {
            depth--;
        }
        if (depth == 0 && frame->y != tree->root_y) {
            return fst_svg_frame_error(frame,
                                       "a damaged flame graph: ", " stands on no other frame", err);
        }
        if (depth > 0) {
            enum fst_status status =
                stand_on(tree, &tree->frames[tree->open[depth - 1]], frame, err);
            if (status != FST_OK) {
                return status;
            }
        }
        void *open = tree->open;
        if (fst_grow(&open, &tree->open_capacity, depth + 1, sizeof *tree->open) != 0) {
            return fst_error_nomem(err);
        }
        tree->open = open;
        tree->open[depth++] = i;
    }
    return FST_OK;
}

/* Whether what it called has more samples than a frame itself, by more than a hundredth and by more
 * than the rounding of counts in titles (half a sample each) can make. */
static bool is_gross(const struct fst_svg_tree *tree, const struct fst_svg_frame *frame)
{
    if (frame->inner <= frame->own) {
        return false;
    }
    uint64_t excess = frame->inner - frame->own;
    bool rounded = !tree->in_samples && excess <= (frame->ncalls + (uint64_t)1) / 2;
    return excess > frame->own / 100 && !rounded;
}

static enum fst_status check_frames(struct fst_svg_tree *tree, struct fst_error *err)
{
    for (size_t i = 0; i < tree->nframes; i++) {
        const struct fst_svg_frame *frame = &tree->frames[i];
        if (is_gross(tree, frame)) {
            return fst_svg_frame_error(frame, "a damaged flame graph: what ",
                                       " called has more samples than it has itself", err);
        }
        tree->stacked += frame->own > frame->inner ? frame->level + (uint64_t)1 : 0;
    }
    return tree->stacked <= MOST_STACKED
               ? FST_OK
               : fst_error_set(err, FST_ERR_FORMAT,
                               "a flame graph whose stacks hold more than 4 billion frames");
}

enum fst_status fst_svg_tree_build(struct fst_svg_tree *tree, struct fst_error *err)
{
    if (tree->nframes == 0) {
        return FST_OK;
    }
    find_roots(tree);
    qsort(tree->frames, tree->nframes, sizeof *tree->frames, by_walk);
    enum fst_status status = find_callers(tree, err);
    if (status == FST_OK) {
        status = check_frames(tree, err);
    }
    if (tree->synthetic_root) {
        tree->frames[0].name = FST_FRAME_NONE;
    }
    return status;
}

enum fst_status fst_svg_tree_enter(struct fst_svg_tree *tree, const struct fst_svg_frame *frame,
                                   struct fst_sample *out, struct fst_error *err)
{
    void *stack = tree->stack;
    if (fst_grow(&stack, &tree->stack_capacity, frame->level + (size_t)1, sizeof *tree->stack) !=
        0) {
        return fst_error_nomem(err);
    }
    tree->stack = stack;
    tree->stack[frame->level] = frame->name;
    size_t skipped = tree->synthetic_root && frame->level > 0 ? 1 : 0;
    uint64_t samples = frame->own > frame->inner ? frame->own - frame->inner : 0;
    *out = (struct fst_sample){
        .frames = tree->stack + skipped,
        .nframes = frame->level + (size_t)1 - skipped,
        .count = (fst_i128)samples * FST_COUNT_ONE,
        .line = frame->line,
    };
    return FST_OK;
}
