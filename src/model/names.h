/* From text to the numbers of frames, rows and roots: the naming half of a profile. All return
 * FST_ID_NONE where memory or numbers ran out. */
#ifndef FST_MODEL_NAMES_H
#define FST_MODEL_NAMES_H

#include "model/normalize.h"
#include "model/profile.h"

/* The frame of that text; read by the profile's grammar when it is first seen, and its row found.
 */
uint32_t fst_names_frame(struct fst_profile *profile, struct fst_str name);

/* The frames of many texts at once; see fst_symtab_intern_all. False where any has no number. */
bool fst_names_frames(struct fst_profile *profile, const struct fst_str *names, size_t count,
                      struct fst_symbol **out);

/* The row of that label, where rows are not frames. */
uint32_t fst_names_row(struct fst_profile *profile, struct fst_str label);

/* The row of those labels, where rows lie within rows. */
uint32_t fst_names_pair(struct fst_profile *profile, struct fst_pair pair);

/* What a frame stands for, for those who normalise it. */
enum fst_name_role fst_names_role(const struct fst_profile *profile, uint32_t frame);

/* Takes a text apart as the frame of that number is, or was. */
struct fst_frame_parts fst_names_read(const struct fst_profile *profile, uint32_t frame,
                                      struct fst_str text);

/* The root of that label. */
uint32_t fst_names_root(struct fst_profile *profile, struct fst_str label);

/* Rows and frames are the same and share their numbers. */
static inline bool fst_rows_are_frames(const struct fst_profile *profile)
{
    return profile->options.by == FST_BY_FRAME && !profile->alters && !profile->options.nested;
}

/* A stack as a whole has such a label, not its frames. */
static inline bool fst_by_is_of_stacks(enum fst_by by)
{
    return by == FST_BY_THREAD || by == FST_BY_PROCESS || by == FST_BY_CATEGORY ||
           by == FST_BY_STACK;
}

/* Neighbours of one such label are one node of a call tree. */
static inline bool fst_rows_join(enum fst_by by)
{
    return by == FST_BY_FILE || by == FST_BY_MODULE;
}

/* Every stack falls into one row as a whole. */
static inline bool fst_rows_are_stacks(const struct fst_profile *profile)
{
    return fst_by_is_of_stacks(profile->options.by) && !profile->options.nested;
}

/* Stacks are kept as they are written, and nobody looks at their frames. */
static inline bool fst_keeps_written(const struct fst_profile *profile)
{
    return profile->options.keep == FST_KEEP_STACKS && !profile->chooses;
}

/* Where rows are groups of frames, the first frame of a group counts its total in its own symbol, which
 * is at hand when the frame has been found. This is the stamp of the others, whose sum is the address
 * of that symbol. */
#define FST_LINKED (UINT32_MAX - 1)

/* A stack's leaf and its first frames tell all that is asked for. */
static inline bool fst_ends_suffice(const struct fst_profile *profile)
{
    const struct fst_profile_options *options = &profile->options;
    return fst_keeps_written(profile) ||
           (options->no_totals && !options->tree && !profile->chooses &&
            !fst_rows_are_stacks(profile) &&
            (options->root == FST_ROOT_AUTO || options->root == FST_ROOT_INDEX));
}

/* Frames count for their rows so. */
static inline bool fst_rows_are_linked(const struct fst_profile *profile)
{
    return !fst_rows_are_frames(profile) && !fst_rows_are_stacks(profile) &&
           !profile->options.nested && !fst_ends_suffice(profile);
}

/* The symbol that counts for a frame's row, where they are linked. */
static inline struct fst_symbol *fst_linked_symbol(struct fst_symbol *frame)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as link_frame put it there
    return frame->stamp == FST_LINKED ? (struct fst_symbol *)(uintptr_t)frame->sum : frame;
}

#endif
