/* The same row in several recordings: by name. Labels of threads and processes are folded as all
 * recordings together have them, for a pool may show its size in one of them alone; so they have a
 * table of their own, as have labels in which other rows lie. All others are looked for among the rows
 * of the first recording, and only what is not there is filed. */
#include "analysis/diff_parts.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/names.h"
#include "model/selection.h"

static void release_numbers(uint32_t **numbers, size_t count)
{
    for (size_t r = 0; numbers != NULL && r < count; r++) {
        fst_free(numbers[r]);
    }
    fst_free(numbers);
}

void fst_joined_release(struct fst_joined *joined)
{
    fst_symtab_release(&joined->labels);
    if (joined->folded) {
        fst_fold_release(&joined->fold);
    }
    release_numbers(joined->labels_of, joined->nrecordings);
    release_numbers(joined->rows_of, joined->nrecordings);
    fst_free(joined->self);
    fst_free(joined->total);
    fst_free(joined->members);
}

uint32_t fst_diff_row_number(const struct fst_diff_work *diff, struct fst_str label)
{
    uint32_t id = fst_symtab_find(&diff->joined.labels, label);
    return diff->joined.folded ? diff->joined.fold.of[id] : id;
}

struct fst_str fst_diff_name(const struct fst_diff_work *diff, size_t row)
{
    const struct fst_joined *joined = &diff->joined;
    if (joined->folded) {
        return fst_symtab_name(&joined->fold.names, (uint32_t)row);
    }
    size_t r = 0;
    while (joined->rows_of[r][row] == FST_ID_NONE) { /* one of them has it */
        r++;
    }
    return fst_profile_row_name(diff->recordings[r].profile, joined->rows_of[r][row], NULL);
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

/* --- numbers ---------------------------------------------------------------------------------- */

/* Numbers the rows of a recording by their labels. */
static bool number_labels(struct fst_joined *joined, const struct fst_profile *p, uint32_t *numbers)
{
    for (uint32_t i = 0; i < p->nrows; i++) {
        numbers[i] = FST_ID_NONE;
        if (counts(p, i)) {
            numbers[i] = fst_symtab_intern(&joined->labels, fst_profile_row_name(p, i, NULL));
            if (numbers[i] == FST_ID_NONE) {
                return false;
            }
        }
    }
    joined->nrows = joined->labels.count;
    return true;
}

/* Numbers the rows of the first recording as they come. */
static void number_first(struct fst_joined *joined, const struct fst_profile *p, uint32_t *numbers)
{
    for (uint32_t i = 0; i < p->nrows; i++) {
        numbers[i] = counts(p, i) ? (uint32_t)joined->nrows++ : FST_ID_NONE;
    }
    joined->nfirst = joined->nrows;
}

/* The number of a row that has that one in the first recording; FST_ID_NONE without memory. */
static uint32_t number_of(struct fst_joined *joined, uint32_t in_first, struct fst_str name)
{
    uint32_t number = in_first == FST_ID_NONE ? FST_ID_NONE : joined->labels_of[0][in_first];
    if (number == FST_ID_NONE) {
        uint32_t label = fst_symtab_intern(&joined->labels, name);
        bool fits = label < FST_ID_NONE - joined->nfirst;
        number = fits ? label + (uint32_t)joined->nfirst : FST_ID_NONE;
        joined->nrows = joined->nfirst + joined->labels.count;
    }
    return number;
}

/* Numbers the rows of another recording by those of the first. */
static bool number_others(struct fst_joined *joined, const struct fst_profile *first,
                          const struct fst_profile *p, uint32_t *numbers)
{
    enum { RUN = 128 };
    struct fst_str names[RUN];
    uint32_t found[RUN];
    const struct fst_symtab *table =
        fst_rows_are_frames(first) ? &first->frame_names : &first->row_names;
    for (size_t at = 0; at < p->nrows; at += RUN) {
        size_t n = p->nrows - at < RUN ? p->nrows - at : RUN;
        for (size_t i = 0; i < n; i++) {
            names[i] = fst_profile_row_name(p, (uint32_t)(at + i), NULL);
        }
        fst_symtab_find_all(table, names, n, found);
        for (size_t i = 0; i < n; i++) {
            bool counted = counts(p, (uint32_t)(at + i));
            numbers[at + i] = counted ? number_of(joined, found[i], names[i]) : FST_ID_NONE;
            if (counted && numbers[at + i] == FST_ID_NONE) {
                return false;
            }
        }
    }
    return true;
}

static bool number_all(struct fst_diff_work *diff, bool labels)
{
    struct fst_joined *joined = &diff->joined;
    const struct fst_profile *first = diff->recordings[0].profile;
    joined->nrecordings = diff->nrecordings;
    joined->labels_of = fst_alloc_zeroed(diff->nrecordings, sizeof(uint32_t *));
    bool good = joined->labels_of != NULL;
    for (size_t r = 0; good && r < diff->nrecordings; r++) {
        const struct fst_profile *p = diff->recordings[r].profile;
        uint32_t *numbers = fst_alloc((p->nrows + 1) * sizeof *numbers);
        joined->labels_of[r] = numbers;
        good = numbers != NULL;
        if (good && labels) {
            good = number_labels(joined, p, numbers);
        } else if (good && r == 0) {
            number_first(joined, p, numbers);
        } else if (good) {
            good = number_others(joined, first, p, numbers);
        }
    }
    return good;
}

/* --- counts ----------------------------------------------------------------------------------- */

/* Finds every recording's rows by the numbers that they were given. */
static bool invert(struct fst_diff_work *diff)
{
    struct fst_joined *joined = &diff->joined;
    joined->rows_of = fst_alloc_zeroed(diff->nrecordings, sizeof(uint32_t *));
    for (size_t r = 0; joined->rows_of != NULL && r < diff->nrecordings; r++) {
        uint32_t *rows = fst_alloc((joined->nrows + 1) * sizeof *rows);
        joined->rows_of[r] = rows;
        if (rows == NULL) {
            return false;
        }
        memset(rows, 0xff, joined->nrows * sizeof *rows); /* FST_ID_NONE */
        const uint32_t *numbers = joined->labels_of[r];
        for (uint32_t i = 0; i < diff->recordings[r].profile->nrows; i++) {
            if (numbers[i] != FST_ID_NONE) {
                rows[numbers[i]] = i;
            }
        }
    }
    return joined->rows_of != NULL;
}

/* Adds up the rows of one recording that have become one. seen: by row, for members. */
static void add_counts(struct fst_joined *joined, const struct fst_profile *p, size_t recording,
                       uint64_t *seen)
{
    const uint32_t *labels = joined->labels_of[recording];
    for (uint32_t i = 0; i < p->nrows; i++) {
        if (labels[i] != FST_ID_NONE) {
            uint32_t row = joined->fold.of[labels[i]];
            joined->self[recording * joined->nrows + row] += p->rows[i].self;
            joined->total[recording * joined->nrows + row] += fst_row_total(p, i);
            seen[row]++;
        }
    }
}

/* Members are those in the recording that shows most of them. */
static bool add_folded(struct fst_diff_work *diff)
{
    struct fst_joined *joined = &diff->joined;
    joined->nrows = joined->fold.names.count;
    size_t room = joined->nrows * diff->nrecordings + 1;
    joined->self = fst_alloc_zeroed(room, sizeof *joined->self);
    joined->total = fst_alloc_zeroed(room, sizeof *joined->total);
    joined->members = fst_alloc_zeroed(joined->nrows + 1, sizeof *joined->members);
    uint64_t *seen = fst_alloc_zeroed(joined->nrows + 1, sizeof *seen);
    bool good =
        joined->self != NULL && joined->total != NULL && joined->members != NULL && seen != NULL;
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

enum fst_status fst_diff_join(struct fst_diff_work *diff, struct fst_error *err)
{
    struct fst_joined *joined = &diff->joined;
    const struct fst_profile *first = diff->recordings[0].profile;
    enum fst_by by = first->options.by;
    bool folds = first->alters && (by == FST_BY_THREAD || by == FST_BY_PROCESS);
    if (!number_all(diff, folds || first->options.nested)) {
        return fst_error_nomem(err);
    }
    if (!folds) {
        return invert(diff) ? FST_OK : fst_error_nomem(err);
    }
    joined->folded = true;
    struct fst_fold_labels labels = {.own = &joined->labels, .by = by};
    enum fst_status status =
        fst_fold_init(&joined->fold, first->options.selection, labels, first->options.seed, err);
    if (status == FST_OK && !add_folded(diff)) {
        status = fst_error_nomem(err);
    }
    return status;
}
