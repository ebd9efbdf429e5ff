#include "analysis/rows.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/names.h"

void fst_candidates_release(struct fst_candidates *candidates)
{
    fst_free(candidates->items);
    for (int i = 0; i < 2; i++) {
        if (candidates->folded[i]) {
            fst_fold_release(&candidates->folds[i]);
        }
    }
}

/* --- order ------------------------------------------------------------------------------------- */

static int compare_values(const struct fst_candidate *a, const struct fst_candidate *b)
{
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    if (a->order != b->order) {
        return a->order < b->order ? -1 : 1;
    }
    return fst_str_cmp(a->name, b->name);
}

/* Those within no row first, then by the row that they lie within. */
static int compare_places(const struct fst_candidate *a, const struct fst_candidate *b)
{
    if (a->within != b->within) {
        return a->within ? 1 : -1;
    }
    return a->within ? fst_str_cmp(a->outer, b->outer) : 0;
}

static int compare(const void *left, const void *right)
{
    int order = compare_places(left, right);
    return order != 0 ? order : compare_values(left, right);
}

int fst_candidates_compare(const struct fst_candidate *a, const struct fst_candidate *b)
{
    int order = compare_places(a, b);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

static int compare_names(const void *left, const void *right)
{
    return fst_candidates_compare(left, right);
}

void fst_candidates_sort_names(struct fst_candidates *c)
{
    if (c->count > 0) {
        qsort(c->items, c->count, sizeof *c->items, compare_names);
    }
}

size_t fst_candidates_sort(struct fst_candidates *candidates)
{
    if (candidates->count > 0) {
        qsort(candidates->items, candidates->count, sizeof *candidates->items, compare);
    }
    size_t outer = 0;
    while (outer < candidates->count && !candidates->items[outer].within) {
        outer++;
    }
    return outer;
}

/* --- the first ones ---------------------------------------------------------------------------- */

/* Of those that are kept the last one stands first, above a heap of the others. */
static void sift_down(struct fst_candidates *c)
{
    struct fst_candidate item = c->items[0];
    size_t at = 0;
    for (size_t child = 1; child < c->count; child = 2 * at + 1) {
        child += child + 1 < c->count && compare(&c->items[child + 1], &c->items[child]) > 0;
        if (compare(&c->items[child], &item) <= 0) {
            break;
        }
        c->items[at] = c->items[child];
        at = child;
    }
    c->items[at] = item;
}

static void sift_up(struct fst_candidates *c)
{
    size_t at = c->count - 1;
    struct fst_candidate item = c->items[at];
    while (at > 0 && compare(&item, &c->items[(at - 1) / 2]) > 0) {
        c->items[at] = c->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    c->items[at] = item;
}

/* Whether a candidate does not belong to the first ones, whatever its name. */
static bool is_beaten(const struct fst_candidates *c, const struct fst_candidate *item)
{
    const struct fst_candidate *last = &c->items[0];
    return c->count == c->most &&
           (item->key < last->key || (item->key == last->key && item->order > last->order));
}

static void keep(struct fst_candidates *c, const struct fst_candidate *item)
{
    if (c->count < c->most) {
        c->items[c->count++] = *item;
        if (c->most != SIZE_MAX) {
            sift_up(c);
        }
    } else if (compare(item, &c->items[0]) < 0) {
        c->items[0] = *item;
        sift_down(c);
    }
}

/* --- folding ----------------------------------------------------------------------------------- */

static bool is_label(enum fst_by by)
{
    return by == FST_BY_THREAD || by == FST_BY_PROCESS;
}

/* What a label is called now. */
static struct fst_str folded_name(const struct fst_fold *fold, uint32_t label)
{
    return fst_symtab_name(&fold->names, fold->of[label]);
}

/* The labels of a level's rows. */
static const struct fst_symtab *labels_of(const struct fst_profile *p, int level)
{
    return p == NULL ? NULL : p->options.nested ? &p->level_names[level] : &p->row_names;
}

/* Folds the labels of a level of rows, if they are labels and names are altered. */
static enum fst_status fold_level(struct fst_candidates *c, int level, const struct fst_profile *p,
                                  const struct fst_compared *compared, struct fst_error *err)
{
    enum fst_by by = level == 0 ? p->options.by : p->options.inner;
    const struct fst_symtab *others[FST_COMPARED_MOST] = {NULL};
    struct fst_fold_labels labels = {.own = labels_of(p, level), .others = others, .by = by};
    if (!p->alters || !is_label(by)) {
        return FST_OK;
    }
    for (; compared != NULL && labels.nothers < compared->count; labels.nothers++) {
        others[labels.nothers] = labels_of(compared->profiles[labels.nothers], level);
    }
    c->folded[level] = true;
    return fst_fold_init(&c->folds[level], p->options.selection, labels, p->options.seed, err);
}

static enum fst_status fold_roots(struct fst_candidates *c, const struct fst_profile *p,
                                  struct fst_error *err)
{
    enum fst_by by = p->options.root == FST_ROOT_THREAD    ? FST_BY_THREAD
                     : p->options.root == FST_ROOT_PROCESS ? FST_BY_PROCESS
                                                           : FST_BY_FRAME;
    if (!p->alters || !is_label(by)) {
        return FST_OK;
    }
    c->folded[0] = true;
    return fst_fold_init(&c->folds[0], p->options.selection,
                         (struct fst_fold_labels){.own = &p->root_names, .by = by}, p->options.seed,
                         err);
}

/* Adds up candidates that have become one. */
static void unite(struct fst_candidates *c)
{
    if (c->count == 0 || (!c->folded[0] && !c->folded[1])) {
        return;
    }
    fst_candidates_sort_names(c);
    size_t last = 0;
    for (size_t i = 1; i < c->count; i++) {
        struct fst_candidate *to = &c->items[last];
        const struct fst_candidate *from = &c->items[i];
        if (compare_names(to, from) != 0) {
            c->items[++last] = *from;
            continue;
        }
        to->self += from->self;
        to->total += from->total;
        to->members += from->members;
        to->leaf = to->leaf || from->leaf;
        to->order = from->order < to->order ? from->order : to->order;
        to->first = from->first < to->first ? from->first : to->first;
    }
    c->count = last + 1;
}

/* --- gathering --------------------------------------------------------------------------------- */

/* Gives a candidate what it is sorted by; false if the table does not show it. */
static bool set_key(struct fst_candidate *item, const struct fst_top_options *options, bool roots)
{
    bool by_total = options->sort == FST_SORT_TOTAL || roots;
    /* Names never tie. */
    bool by_occurrence = options->ties == FST_TIES_FIRST && options->sort != FST_SORT_NAME;
    uint64_t order = by_total ? item->order : item->first;
    fst_i128 value = by_total ? item->total : item->self;
    item->order = by_occurrence ? order : 0;
    item->key = options->sort == FST_SORT_NAME ? 0 : value;
    return item->leaf || by_total;
}

/* Does so for all that were gathered, and drops those that the table does not show. */
static void set_keys(struct fst_candidates *c, const struct fst_top_options *options, bool roots)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (set_key(&c->items[i], options, roots)) {
            c->items[count++] = c->items[i];
        }
    }
    c->count = count;
}

/* Whether the first rows can be told while they are gathered: as long as no row depends on others. */
static void be_selective(struct fst_candidates *c, const struct fst_top_options *options,
                         size_t rows, bool nested)
{
    c->selective = !nested && !c->folded[0] && !(options->least_share > 0);
    c->most = c->selective && rows > 0 ? rows : SIZE_MAX;
}

static bool reserve(struct fst_candidates *c, size_t count)
{
    c->items = fst_alloc_zeroed((count < c->most ? count : c->most) + 1, sizeof *c->items);
    return c->items != NULL;
}

/* The names of a candidate that is row `row`. */
static void name_row(const struct fst_candidates *c, const struct fst_profile *p, uint32_t row,
                     struct fst_candidate *out)
{
    out->name = fst_profile_row_name(p, row, &out->outer);
    struct fst_pair pair = {row, FST_ID_NONE};
    if (p->options.nested) {
        memcpy(&pair, p->row_names.symbols[row]->name, sizeof pair);
    }
    out->within = pair.inner != FST_ID_NONE;
    out->members = c->folded[out->within];
    if (c->folded[0]) {
        *(out->within ? &out->outer : &out->name) = folded_name(&c->folds[0], pair.outer);
    }
    if (c->folded[1] && out->within) {
        out->name = folded_name(&c->folds[1], pair.inner);
    }
}

/* Takes row `row`, if it has a place among the rows that are shown. */
static void take_leaf(struct fst_candidates *c, const struct fst_profile *p,
                      const struct fst_top_options *options, uint32_t row)
{
    const struct fst_row *from = &p->rows[row];
    struct fst_candidate item = {
        .self = from->self,
        .total = fst_row_total(p, row),
        .leaf = from->first_self != FST_NEVER,
        .first = from->first_self,
        .order = from->order,
    };
    if (from->order == FST_NEVER || (c->selective && !set_key(&item, options, false))) {
        return;
    }
    c->of++;
    if (!is_beaten(c, &item)) {
        name_row(c, p, row, &item);
        keep(c, &item);
    }
}

enum fst_status fst_candidates_of_leaves(struct fst_candidates *c, const struct fst_profile *p,
                                         const struct fst_compared *compared,
                                         const struct fst_top_options *options,
                                         struct fst_error *err)
{
    *c = (struct fst_candidates){0};
    bool nested = p->options.nested;
    enum fst_status status = fold_level(c, 0, p, compared, err);
    if (status == FST_OK && nested) {
        status = fold_level(c, 1, p, compared, err);
    }
    be_selective(c, options, options->leaf_rows, nested);
    if (status == FST_OK && !reserve(c, p->nrows)) {
        status = fst_error_nomem(err);
    }
    for (uint32_t i = 0; status == FST_OK && i < p->nrows; i++) {
        take_leaf(c, p, options, i);
    }
    if (!c->selective) {
        unite(c);
        set_keys(c, options, false);
    }
    return status;
}

static void take_root(struct fst_candidates *c, const struct fst_profile *p,
                      const struct fst_top_options *options, uint32_t root)
{
    struct fst_candidate item = {.total = p->roots[root].total, .order = p->roots[root].first};
    if (p->roots[root].first == FST_NEVER) {
        return; /* of stacks that were not kept */
    }
    item.members = c->folded[0];
    item.name =
        c->folded[0] ? folded_name(&c->folds[0], root) : fst_symtab_name(&p->root_names, root);
    if (c->selective) {
        (void)set_key(&item, options, true);
    }
    c->of++;
    keep(c, &item);
}

enum fst_status fst_candidates_of_roots(struct fst_candidates *c, const struct fst_profile *p,
                                        const struct fst_top_options *options,
                                        struct fst_error *err)
{
    *c = (struct fst_candidates){0};
    enum fst_status status = fold_roots(c, p, err);
    be_selective(c, options, options->root_rows, false);
    if (status == FST_OK && !reserve(c, p->nroots)) {
        status = fst_error_nomem(err);
    }
    for (uint32_t i = 0; status == FST_OK && i < p->nroots; i++) {
        take_root(c, p, options, i);
    }
    if (!c->selective) {
        unite(c);
        set_keys(c, options, true);
    }
    return status;
}
