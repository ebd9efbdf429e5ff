#include "analysis/fold.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/names.h"
#include "model/pools.h"
#include "model/speech.h"

void fst_fold_release(struct fst_fold *fold)
{
    fst_symtab_release(&fold->names);
    fst_free(fold->of);
    *fold = (struct fst_fold){0};
}

/* --- folding ----------------------------------------------------------------------------------- */

/* What every label is called alone, and which pools these names make. of: by number in labels, the
 * number in spoken; may be NULL. */
static enum fst_status speak_all(const struct fst_selection *selection,
                                 const struct fst_symtab *labels, enum fst_by by,
                                 struct fst_symtab *spoken, uint32_t *of, struct fst_pools *pools,
                                 struct fst_error *err)
{
    enum fst_name_role role = by == FST_BY_THREAD ? FST_NAME_THREAD : FST_NAME_PROCESS;
    struct fst_speech speech = {0};
    struct fst_matcher matcher = {0};
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < labels->count && status == FST_OK; i++) {
        struct fst_str called;
        status = fst_speak(selection, &matcher, fst_symtab_name(labels, (uint32_t)i), role, true,
                           &speech, &called, err);
        if (status != FST_OK) {
            break;
        }
        uint32_t id = fst_symtab_intern(spoken, called);
        bool counts = role == FST_NAME_THREAD && selection->normalize;
        bool good = id != FST_ID_NONE && (!counts || fst_pools_add(pools, called));
        status = good ? FST_OK : fst_error_nomem(err);
        if (of != NULL) {
            of[i] = id;
        }
    }
    fst_matcher_release(&matcher);
    fst_speech_release(&speech);
    return status;
}

/* Takes the names of pools for those of their members. */
static bool fold_pools(struct fst_fold *fold, size_t count, const struct fst_symtab *spoken,
                       const struct fst_pools *pools)
{
    struct fst_buf scratch = {0};
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        struct fst_str name = fst_pools_fold(pools, fst_symtab_name(spoken, fold->of[i]), &scratch);
        fold->of[i] = scratch.failed ? FST_ID_NONE : fst_symtab_intern(&fold->names, name);
        good = fold->of[i] != FST_ID_NONE;
    }
    fst_buf_release(&scratch);
    return good;
}

enum fst_status fst_fold_init(struct fst_fold *fold, const struct fst_selection *selection,
                              struct fst_fold_labels labels, uint64_t seed, struct fst_error *err)
{
    struct fst_symtab spoken;
    struct fst_pools pools;
    size_t count = labels.own->count;
    fst_symtab_init(&spoken, seed);
    fst_pools_init(&pools, seed);
    *fold = (struct fst_fold){0};
    fst_symtab_init(&fold->names, seed);
    fold->of = fst_alloc_zeroed(count + 1, sizeof *fold->of);
    enum fst_status status = fold->of == NULL ? fst_error_nomem(err)
                                              : speak_all(selection, labels.own, labels.by, &spoken,
                                                          fold->of, &pools, err);
    for (size_t i = 0; i < labels.nothers && status == FST_OK; i++) {
        if (labels.others[i] != NULL) {
            status = speak_all(selection, labels.others[i], labels.by, &spoken, NULL, &pools, err);
        }
    }
    if (status == FST_OK && !fold_pools(fold, count, &spoken, &pools)) {
        status = fst_error_nomem(err);
    }
    fst_pools_release(&pools);
    fst_symtab_release(&spoken);
    return status;
}

/* --- what folding would do --------------------------------------------------------------------- */

static bool is_shown(const struct fst_profile *p, uint32_t row)
{
    return p->rows[row].first_self != FST_NEVER;
}

/* Counts rows, those whose name changes, and the names that these would have. */
static bool count_changed(const struct fst_profile *p, struct fst_symtab *names, uint64_t *changed,
                          uint64_t *of)
{
    struct fst_buf scratch = {0};
    bool good = true;
    for (uint32_t i = 0; good && i < p->nrows; i++) {
        struct fst_str name = fst_profile_row_name(p, i, NULL);
        if (!is_shown(p, i)) {
            continue;
        }
        (*of)++;
        enum fst_name_role role = fst_rows_are_frames(p) ? fst_names_role(p, i) : FST_NAME_FRAME;
        struct fst_str normalised = fst_normalize(name, role, &scratch);
        good = !scratch.failed;
        if (good && normalised.data != name.data) {
            (*changed)++;
            good = fst_symtab_intern(names, normalised) != FST_ID_NONE;
        }
    }
    fst_buf_release(&scratch);
    return good;
}

static bool count_frames(const struct fst_profile *p, uint64_t *foldable, uint64_t *of)
{
    struct fst_symtab names;
    fst_symtab_init(&names, p->options.seed);
    uint64_t changed = 0;
    bool good = count_changed(p, &names, &changed, of);
    *foldable = good ? changed - names.count : 0;
    fst_symtab_release(&names);
    return good;
}

static bool count_labels(const struct fst_profile *p, uint64_t *foldable, uint64_t *of)
{
    static const struct fst_selection normalising = {.normalize = true};
    struct fst_fold fold;
    const struct fst_fold_labels labels = {.own = &p->row_names, .by = p->options.by};
    bool good = fst_fold_init(&fold, &normalising, labels, p->options.seed, NULL) == FST_OK;
    *of = p->row_names.count;
    *foldable = good ? p->row_names.count - fold.names.count : 0;
    fst_fold_release(&fold);
    return good;
}

bool fst_fold_count(const struct fst_profile *p, uint64_t *foldable, uint64_t *of)
{
    *of = 0;
    *foldable = 0;
    const struct fst_selection *s = p->options.selection;
    bool leaves = p->options.no_totals && !p->options.tree;
    if (p->options.nested || leaves || (s != NULL && s->normalize)) {
        return true;
    }
    switch (p->options.by) {
    case FST_BY_THREAD:
    case FST_BY_PROCESS: return count_labels(p, foldable, of);
    case FST_BY_MODULE:
    case FST_BY_CATEGORY:
    case FST_BY_STACK: return true;
    default: return count_frames(p, foldable, of);
    }
}
