/* What a stack was doing: CUDA launch, data loading, lock or GIL wait, …
 *
 * Rules look at single frames. The first frame from the leaf up that any rule fits decides for its
 * stack; of the rules that fit one frame, the first. Rules marked [fallback] are asked only where no
 * other rule fits any frame of the stack; rules marked [leaf] only for the leaf. A stack that no
 * rule fits is "other". The form of rules, built-in and the user's, is in docs/CATEGORIES.md. */
#ifndef FST_MODEL_CATEGORY_H
#define FST_MODEL_CATEGORY_H

#include "base/pattern.h"
#include "parse/frame.h"

/* No category: no rule fits. */
#define FST_CATEGORY_NONE UINT8_MAX

/* A set of rules. It never changes: threads may share it. */
struct fst_categories;

/* Where rules are wrong. */
struct fst_category_fault {
    uint64_t line;       /* 1-based; 0: nothing is wrong */
    struct fst_str text; /* that line, in the text that was read */
    size_t mark;         /* the byte of it that a caret belongs under; at most its length */
};

/* Reads rules; text need not stay. Errors: USAGE (in which case *fault, if not NULL, says where and
 * err->line is set), NOMEM. */
enum fst_status fst_categories_new(struct fst_str text, struct fst_categories **out,
                                   struct fst_category_fault *fault, struct fst_error *err);

/* NULL is fine. */
void fst_categories_free(struct fst_categories *categories);

/* Appends the built-in rules as text, which is what `foldstat help categories` prints; false without
 * memory. */
bool fst_categories_builtin(struct fst_buf *out);

/* The set of the built-in rules. Errors: NOMEM. */
enum fst_status fst_categories_new_builtin(struct fst_categories **out, struct fst_error *err);

/* Categories are numbered in the order in which the rules first name them; "other", where they do
 * not, comes last. */
size_t fst_categories_count(const struct fst_categories *categories);
struct fst_str fst_categories_name(const struct fst_categories *categories, size_t category);

/* The number of that name; FST_CATEGORY_NONE if there is none. */
uint8_t fst_categories_find(const struct fst_categories *categories, struct fst_str name);

/* What the rules say of one frame, wherever it stands: worth keeping for each distinct frame. */
struct fst_category_verdict {
    uint8_t leaf;     /* as a leaf */
    uint8_t caller;   /* elsewhere */
    uint8_t fallback; /* where no rule fits any frame */
};

/* Judges a frame by its parts; no rule fits py-spy's labels of processes and threads, and their kin
 * of other dialects. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_categories_judge(const struct fst_categories *categories,
                                     struct fst_matcher *matcher, struct fst_str frame,
                                     const struct fst_frame_parts *parts,
                                     struct fst_category_verdict *out, struct fst_error *err);

/* The category of a stack, root first, its labels included; verdicts are by frame number. */
uint8_t fst_categories_decide(const struct fst_categories *categories,
                              const struct fst_category_verdict *verdicts, const uint32_t *ids,
                              size_t nids);

#endif
