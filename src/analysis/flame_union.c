/* Two trees become one by their names. A node of the tree after and one of the tree before are the
 * same frame where their callers are, and their names:
 *
 *     after          before         boxes          children of main: f of both, new of the tree
 *     main           main           main           after alone, and behind them old, which is
 *      f              old            f             gone, with all that stands on it
 *      new            f              new
 *                      g             old
 *
 * Callers stand before what they called, so that one pass through the tree after finds the partner of
 * every node: the children of a node's partner are noted by the number of their name, and each child
 * of the node looks there. A second pass writes the boxes; where a node ends, the children of its
 * partner that found nobody follow. No recursion, however deep the trees are.
 */
#include "analysis/flame_parts.h"
#include "base/alloc.h"
#include "base/symtab.h"

/* Where a node of the tree before was noted, and by whom. */
struct note {
    uint32_t parent; /* node of the tree after, plus 1 */
    uint32_t node;
};

struct matching {
    const struct fst_tree *after;
    const struct fst_tree *before;
    struct fst_symtab names;
    uint32_t *ids[2];   /* numbers of names, by row of each tree */
    struct note *notes; /* by number of a name */
    uint32_t *partner;  /* by node of the tree after */
    bool *taken;        /* by node of the tree before */
};

/* --- partners ------------------------------------------------------------------------------------ */

static size_t rows_of(const struct fst_tree *tree)
{
    size_t rows = 0;
    for (size_t i = 1; i < tree->count; i++) {
        rows = tree->nodes[i].row >= rows ? (size_t)tree->nodes[i].row + 1 : rows;
    }
    return rows;
}

/* Numbers the names of a tree. */
static bool number_names(struct matching *m, const struct fst_tree *tree, uint32_t **out)
{
    size_t rows = rows_of(tree);
    uint32_t *ids = fst_alloc(rows * sizeof *ids + 1);
    *out = ids;
    if (ids == NULL) {
        return false;
    }
    for (size_t row = 0; row < rows; row++) {
        ids[row] = FST_ID_NONE;
    }
    for (size_t i = 1; i < tree->count; i++) {
        uint32_t *id = &ids[tree->nodes[i].row];
        if (*id == FST_ID_NONE) {
            *id = fst_symtab_intern(&m->names, tree->nodes[i].name);
        }
        if (*id == FST_ID_NONE) {
            return false;
        }
    }
    return true;
}

static void match_children(struct matching *m, uint32_t node)
{
    const struct fst_tree_node *after = m->after->nodes;
    const struct fst_tree_node *before = m->before->nodes;
    uint32_t partner = m->partner[node];
    for (uint32_t k = partner + 1; k < before[partner].end; k = before[k].end) {
        m->notes[m->ids[1][before[k].row]] = (struct note){node + 1, k};
    }
    for (uint32_t k = node + 1; k < after[node].end; k = after[k].end) {
        struct note *note = &m->notes[m->ids[0][after[k].row]];
        if (note->parent == node + 1) {
            m->partner[k] = note->node;
            m->taken[note->node] = true;
        }
    }
}

static bool match(struct matching *m)
{
    m->partner = fst_alloc(m->after->count * sizeof *m->partner);
    m->taken = fst_alloc_zeroed(m->before->count, sizeof *m->taken);
    if (m->partner == NULL || m->taken == NULL || !number_names(m, m->after, &m->ids[0]) ||
        !number_names(m, m->before, &m->ids[1])) {
        return false;
    }
    m->notes = fst_alloc_zeroed(m->names.count + 1, sizeof *m->notes);
    if (m->notes == NULL) {
        return false;
    }
    for (size_t i = 1; i < m->after->count; i++) {
        m->partner[i] = FST_NO_NODE;
    }
    m->partner[0] = 0;
    for (uint32_t i = 0; i < m->after->count; i++) {
        if (m->partner[i] != FST_NO_NODE) {
            match_children(m, i);
        }
    }
    return true;
}

static void release(struct matching *m)
{
    fst_symtab_release(&m->names);
    fst_free(m->ids[0]);
    fst_free(m->ids[1]);
    fst_free(m->notes);
    fst_free(m->partner);
    fst_free(m->taken);
}

/* --- boxes ------------------------------------------------------------------------------------------ */

static bool add(struct fst_boxes *boxes, struct fst_box box)
{
    void *items = boxes->items;
    if (boxes->count >= FST_NO_NODE ||
        fst_grow(&items, &boxes->capacity, boxes->count + 1, sizeof *boxes->items) != 0) {
        return false;
    }
    boxes->items = items;
    boxes->items[boxes->count++] = box;
    return true;
}

/* Adds a node that is gone, with what stands on it, to the box of its caller. */
static bool add_gone(struct fst_boxes *boxes, uint32_t node, uint32_t parent)
{
    const struct fst_tree_node *nodes = boxes->before->nodes;
    uint32_t shift = (uint32_t)boxes->count - node;
    for (uint32_t i = node; i < nodes[node].end; i++) {
        uint32_t caller = i == node ? parent : nodes[i].parent + shift;
        if (!add(boxes, (struct fst_box){.after = FST_NO_NODE, .before = i, .parent = caller})) {
            return false;
        }
    }
    return true;
}

/* Adds those children of a box's partner that found nobody. */
static bool close_box(struct fst_boxes *boxes, const struct matching *m, uint32_t box)
{
    uint32_t partner = boxes->items[box].before;
    if (m == NULL || partner == FST_NO_NODE) {
        return true;
    }
    const struct fst_tree_node *nodes = m->before->nodes;
    for (uint32_t k = partner + 1; k < nodes[partner].end; k = nodes[k].end) {
        if (!m->taken[k] && !add_gone(boxes, k, box)) {
            return false;
        }
    }
    return true;
}

/* Writes the boxes. The open ones are found by their parents: the box that was added last, or the one
 * whose child the next node is. */
static bool write_boxes(struct fst_boxes *boxes, const struct matching *m)
{
    const struct fst_tree_node *nodes = boxes->after->nodes;
    uint32_t open = FST_NO_NODE; /* the innermost box that may get children */
    for (uint32_t i = 0; i < boxes->after->count; i++) {
        while (open != FST_NO_NODE && boxes->items[open].after != nodes[i].parent) {
            if (!close_box(boxes, m, open)) {
                return false;
            }
            open = boxes->items[open].parent;
        }
        uint32_t partner = m == NULL ? FST_NO_NODE : m->partner[i];
        if (!add(boxes, (struct fst_box){.after = i, .before = partner, .parent = open})) {
            return false;
        }
        open = (uint32_t)(boxes->count - 1);
    }
    for (; open != FST_NO_NODE; open = boxes->items[open].parent) {
        if (!close_box(boxes, m, open)) {
            return false;
        }
    }
    return true;
}

/* --- weights ---------------------------------------------------------------------------------------- */

fst_i128 fst_positive(struct fst_count count)
{
    fst_i128 scaled = fst_count_unpack(count);
    return scaled > 0 ? scaled : 0;
}

const struct fst_tree_node *fst_box_node(const struct fst_boxes *boxes, const struct fst_box *box)
{
    return boxes->before == NULL || box->after != FST_NO_NODE ? &boxes->after->nodes[box->after]
                                                              : &boxes->before->nodes[box->before];
}

/* Sums weights and finds ends, from the last box to the first: what stands on a box is behind it. */
static void weigh(struct fst_boxes *boxes)
{
    for (size_t i = boxes->count; i-- > 0;) {
        struct fst_box *box = &boxes->items[i];
        const struct fst_tree_node *node = fst_box_node(boxes, box);
        fst_i128 own = fst_positive(node->self) + fst_positive(node->left_out);
        *(box->after != FST_NO_NODE ? &box->weight : &box->gone) += own;
        box->end = box->end > i ? box->end : (uint32_t)(i + 1);
        if (box->parent != FST_NO_NODE) {
            struct fst_box *parent = &boxes->items[box->parent];
            parent->weight += box->weight;
            parent->gone += box->gone;
            parent->end = parent->end > box->end ? parent->end : box->end;
        }
    }
}

/* Makes room for the most that there can be. */
static bool reserve(struct fst_boxes *boxes)
{
    void *items = NULL;
    size_t most = boxes->after->count + (boxes->before == NULL ? 0 : boxes->before->count);
    bool good = fst_grow(&items, &boxes->capacity, most, sizeof *boxes->items) == 0;
    boxes->items = items;
    return good;
}

bool fst_boxes_fill(struct fst_boxes *boxes)
{
    bool good = reserve(boxes);
    if (!good) {
        return false;
    }
    if (boxes->before == NULL) {
        good = write_boxes(boxes, NULL);
    } else {
        struct matching m = {.after = boxes->after, .before = boxes->before};
        fst_symtab_init(&m.names, 0);
        good = match(&m) && write_boxes(boxes, &m);
        release(&m);
    }
    if (good) {
        weigh(boxes);
    }
    return good;
}

void fst_boxes_release(struct fst_boxes *boxes)
{
    fst_free(boxes->items);
}
