#include "analysis/kept.h"
#include "analysis/notes.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"

/* The result and what it owns. */
struct sum {
    struct fst_sum base;
    struct fst_notes notes;
};

enum fst_status fst_sum_new(const struct fst_profile *profile,
                            const struct fst_sum_options *options, struct fst_sum **out,
                            struct fst_error *err)
{
    if (profile->options.keep != FST_KEEP_STACKS) {
        return fst_error_set(err, FST_ERR_USAGE, "the profile keeps no stacks");
    }
    enum fst_status status = fst_check_kept(&profile, 1, err);
    if (status != FST_OK) {
        return status;
    }
    struct sum *sum = fst_alloc_zeroed(1, sizeof *sum);
    if (sum == NULL) {
        return fst_error_nomem(err);
    }
    fst_notes_on_stacks(&sum->notes, profile, options->unit_kept);
    sum->base = (struct fst_sum){
        .total = fst_count_pack(profile->total),
        .unit = profile->unit,
        .notes = sum->notes.items,
        .nnotes = sum->notes.count,
    };
    if (sum->notes.failed) {
        fst_sum_free(&sum->base);
        return fst_error_nomem(err);
    }
    *out = &sum->base;
    return FST_OK;
}

void fst_sum_free(struct fst_sum *sum)
{
    if (sum != NULL) {
        struct sum *whole = (struct sum *)sum;
        fst_notes_release(&whole->notes);
        fst_free(whole);
    }
}
