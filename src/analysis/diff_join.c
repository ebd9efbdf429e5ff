/* The same row in several recordings: by name. Labels of threads and processes are folded as all
 * recordings together have them, for a pool may show its size in one of them alone. */
#include "analysis/diff_parts.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/names.h"
#include "model/selection.h"

void fst_joined_release(struct fst_joined *joined)
{
    fst_symtab_release(&joined->labels);
    if (joined->folded) {
        fst_fold_release(&joined->fold);
    }
    for (size_t r = 0; joined->labels_of != NULL && r < joined->nrecordings; r++) {
        fst_free(joined->labels_of[r]);
    }
    fst_free(joined->labels_of);
    fst_free(joined->self);
    fst_free(joined->total);
    fst_free(joined->members);
}

uint32_t fst_joined_row(const struct fst_joined *joined, struct fst_str label)
{
    uint32_t id = fst_symtab_find(&joined->labels, label);
    return joined->folded ? joined->fold.of[id] : id;
}

struct fst_str fst_joined_name(const struct fst_joined *joined, size_t row)
{
    return fst_symtab_name(joined->folded ? &joined->fold.names : &joined->labels, (uint32_t)row);
}

bool fst_row_is_inner(const struct fst_profile *p, uint32_t row)
{
    struct fst_pair pair = {row, FST_ID_NONE};
    if (p->options.nested) {
        memcpy(&pair, p->row_names.symbols[row]->name, sizeof pair);
    }
    return pair.inner != FST_ID_NONE;
}

/* A stack that was kept has it, and it is a row of its own. */
static bool counts(const struct fst_profile *p, uint32_t row)
{
    return p->rows[row].order != FST_NEVER && !fst_row_is_inner(p, row);
}

static bool collect_labels(struct fst_joined *joined, const struct fst_profile *p, size_t recording)
{
    uint32_t *labels = fst_alloc_zeroed(p->nrows + 1, sizeof *labels);
    joined->labels_of[recording] = labels;
    for (uint32_t i = 0; labels != NULL && i < p->nrows; i++) {
        labels[i] = FST_ID_NONE;
        if (counts(p, i)) {
            labels[i] = fst_symtab_intern(&joined->labels, fst_profile_row_name(p, i, NULL));
            if (labels[i] == FST_ID_NONE) {
                return false;
            }
        }
    }
    return labels != NULL;
}

static bool collect_all(struct fst_diff_work *diff)
{
    struct fst_joined *joined = &diff->joined;
    joined->nrecordings = diff->nrecordings;
    joined->labels_of = fst_alloc_zeroed(diff->nrecordings, sizeof(uint32_t *));
    bool good = joined->labels_of != NULL;
    for (size_t r = 0; good && r < diff->nrecordings; r++) {
        good = collect_labels(joined, diff->recordings[r].profile, r);
    }
    return good;
}

/* The rows of one recording. seen: by row, for members. */
static void add_counts(struct fst_joined *joined, const struct fst_profile *p, size_t recording,
                       uint64_t *seen)
{
    const uint32_t *labels = joined->labels_of[recording];
    for (uint32_t i = 0; i < p->nrows; i++) {
        if (labels[i] == FST_ID_NONE) {
            continue;
        }
        uint32_t row = joined->folded ? joined->fold.of[labels[i]] : labels[i];
        joined->self[recording * joined->nrows + row] += p->rows[i].self;
        joined->total[recording * joined->nrows + row] += p->rows[i].total;
        if (seen != NULL) {
            seen[row]++;
        }
    }
}

/* In the recording that shows most of them. */
static bool count_members(struct fst_diff_work *diff)
{
    struct fst_joined *joined = &diff->joined;
    uint64_t *seen = fst_alloc_zeroed(joined->nrows + 1, sizeof *seen);
    joined->members = fst_alloc_zeroed(joined->nrows + 1, sizeof *joined->members);
    bool good = seen != NULL && joined->members != NULL;
    for (size_t r = 0; good && r < diff->nrecordings; r++) {
        memset(seen, 0, joined->nrows * sizeof *seen);
        add_counts(joined, diff->recordings[r].profile, r, seen);
        for (size_t i = 0; i < joined->nrows; i++) {
            joined->members[i] = seen[i] > joined->members[i] ? seen[i] : joined->members[i];
        }
    }
    fst_free(seen);
    return good;
}

static bool add_all(struct fst_diff_work *diff)
{
    struct fst_joined *joined = &diff->joined;
    joined->nrows = joined->folded ? joined->fold.names.count : joined->labels.count;
    size_t room = joined->nrows * diff->nrecordings + 1;
    joined->self = fst_alloc_zeroed(room, sizeof *joined->self);
    joined->total = fst_alloc_zeroed(room, sizeof *joined->total);
    if (joined->self == NULL || joined->total == NULL) {
        return false;
    }
    if (joined->folded) {
        return count_members(diff);
    }
    for (size_t r = 0; r < diff->nrecordings; r++) {
        add_counts(joined, diff->recordings[r].profile, r, NULL);
    }
    return true;
}

enum fst_status fst_diff_join(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_joined *joined = &diff->joined;
    const struct fst_profile *first = diff->recordings[0].profile;
    enum fst_by by = first->options.by;
    if (!collect_all(diff)) {
        return fst_error_nomem(err);
    }
    if (first->alters && (by == FST_BY_THREAD || by == FST_BY_PROCESS)) {
        joined->folded = true;
        struct fst_fold_labels labels = {.own = &joined->labels, .by = by};
        enum fst_status status = fst_fold_init(&joined->fold, first->options.selection, labels,
                                               first->options.seed, err);
        if (status != FST_OK) {
            return status;
        }
    }
    return add_all(diff) ? FST_OK : fst_error_nomem(err);
}
