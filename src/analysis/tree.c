/* The call tree in the order in which people read it, without what is too small to be read. */
#include "analysis/tree.h"

#include <math.h>

#include "analysis/kept.h"
#include "analysis/notes.h"
#include "analysis/scope.h"
#include "analysis/twig.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"

/* The public result, and what it owns. */
struct tree {
    struct fst_tree base;
    struct fst_notes notes;
    size_t capacity; /* of base.nodes */
};

/* --- nodes ------------------------------------------------------------------------------------- */

/* Whether a child of a node at a depth is too small, or too deep. */
static bool is_left_out(const struct fst_tree *tree, const struct fst_twig *child, uint32_t depth)
{
    double share = fabs(fst_scope_share(&tree->scope, fst_count_pack(child->weight)));
    return share < tree->least_share || (tree->max_depth > 0 && depth > tree->max_depth);
}

static bool add_node(struct tree *tree, const struct fst_twig *twig, fst_i128 self)
{
    void *nodes = tree->base.nodes;
    if (tree->base.count >= FST_NO_NODE ||
        fst_grow(&nodes, &tree->capacity, tree->base.count + 1, sizeof *tree->base.nodes) != 0) {
        return false;
    }
    tree->base.nodes = nodes;
    tree->base.nodes[tree->base.count++] = (struct fst_tree_node){
        .self = fst_count_pack(self),
        .total = fst_count_pack(twig->total),
        .parent = twig->parent,
        .depth = twig->depth,
        .row = twig->row,
    };
    return true;
}

/* Takes those children that are left out from the others, of the node that was added last. */
static void leave_out(struct fst_tree *tree, struct fst_twigs *children)
{
    struct fst_tree_node *node = &tree->nodes[tree->count - 1];
    fst_i128 left_out = 0;
    size_t kept = 0;
    for (size_t i = 0; i < children->count; i++) {
        const struct fst_twig *child = &children->items[i];
        if (is_left_out(tree, child, node->depth + 1)) {
            left_out += child->total;
            node->left_out_nodes++;
        } else {
            children->items[kept++] = *child;
        }
    }
    children->count = kept;
    node->left_out = fst_count_pack(left_out);
    tree->left_out = fst_count_pack(fst_count_unpack(tree->left_out) + left_out);
    tree->left_out_nodes += node->left_out_nodes;
}

/* Adds the children of the node that was added last to those that wait, the last one first. */
static bool push_children(const struct tree *tree, struct fst_twigs *waiting,
                          struct fst_twigs *children)
{
    uint32_t parent = (uint32_t)(tree->base.count - 1);
    for (size_t i = children->count; i-- > 0;) {
        struct fst_twig *child = &children->items[i];
        child->parent = parent;
        child->depth = tree->base.nodes[parent].depth + 1;
        if (!fst_twigs_add(waiting, child)) {
            return false;
        }
    }
    return true;
}

/* Makes room for the first nodes of a large tree, in huge pages. */
static bool reserve(struct tree *tree, const struct fst_way *way)
{
    enum { LARGE = 64 * 1024, FIRST = 16 * 1024 };
    void *nodes = NULL;
    bool good = way->tree->nnames < LARGE ||
                fst_grow(&nodes, &tree->capacity, FIRST, sizeof *tree->base.nodes) == 0;
    tree->base.nodes = nodes;
    return good;
}

/* Walks a way to its ends; what waits to be reached is on a stack. */
static bool walk(struct tree *tree, struct fst_way *way)
{
    struct fst_twigs waiting = {0};
    struct fst_twigs children = {0};
    struct fst_twig root = fst_way_root(way);
    bool good = reserve(tree, way) && fst_twigs_add(&waiting, &root);
    while (good && waiting.count > 0) {
        struct fst_twig twig = waiting.items[--waiting.count];
        fst_i128 self = 0;
        good = fst_way_follow(way, &twig, &children, &self) && add_node(tree, &twig, self);
        if (good) {
            leave_out(&tree->base, &children);
            fst_twigs_sort(way, &children);
            good = push_children(tree, &waiting, &children);
        }
    }
    fst_free(waiting.items);
    fst_free(children.items);
    return good;
}

/* Names the nodes: all at once, as each name alone is a wait for memory. */
static void name_nodes(struct fst_tree *tree, const struct fst_way *way)
{
    tree->nodes[0].name = fst_way_root(way).name;
    for (size_t i = 1; i < tree->count; i++) {
        tree->nodes[i].name = fst_way_name(way, tree->nodes[i].row);
    }
}

/* Finds the ends of all nodes: a node ends where the last of its descendants does. */
static void find_ends(struct fst_tree *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct fst_tree_node *node = &tree->nodes[i];
        node->end = node->end > i ? node->end : (uint32_t)(i + 1);
        if (node->parent != FST_NO_NODE && tree->nodes[node->parent].end < node->end) {
            tree->nodes[node->parent].end = node->end;
        }
    }
}

/* --- the whole --------------------------------------------------------------------------------- */

static enum fst_status fill(struct tree *tree, const struct fst_profile *p,
                            const struct fst_tree_options *options, struct fst_error *err)
{
    tree->base.by = p->options.by;
    tree->base.reverse = options->reverse;
    tree->base.least_share = options->least_share;
    tree->base.max_depth = options->max_depth;
    struct fst_way way;
    fst_scope_describe(&tree->base.scope, p, options->percent_of);
    bool good = fst_way_init(&way, p, &p->calls, options->reverse) && walk(tree, &way);
    if (good) {
        name_nodes(&tree->base, &way);
        find_ends(&tree->base);
    }
    fst_way_release(&way);
    return good ? FST_OK : fst_error_nomem(err);
}

enum fst_status fst_tree_of_picture(const struct fst_profile *profile,
                                    const struct fst_tree_options *options, struct fst_tree **out,
                                    struct fst_error *err)
{
    enum fst_status status = fst_check_kept(&profile, 1, err);
    if (status != FST_OK) {
        return status;
    }
    if (!profile->options.tree || profile->options.tree_of_frames) {
        return fst_error_set(err, FST_ERR_USAGE, "no call tree of rows was kept");
    }
    struct tree *tree = fst_alloc_zeroed(1, sizeof *tree);
    if (tree == NULL) {
        return fst_error_nomem(err);
    }
    status = fill(tree, profile, options, err);
    if (status != FST_OK) {
        fst_tree_free(&tree->base);
        return status;
    }
    *out = &tree->base;
    return FST_OK;
}

/* Tells what stands beside the nodes. */
static bool describe(struct tree *tree, const struct fst_profile *p, enum fst_percent_of percent_of)
{
    fst_notes_on_profile(&tree->notes, p);
    tree->base.notes = tree->notes.items;
    tree->base.nnotes = tree->notes.count;
    return fst_scope_fill(&tree->base.scope, p, percent_of) && !tree->notes.failed;
}

enum fst_status fst_tree_new(const struct fst_profile *profile,
                             const struct fst_tree_options *options, struct fst_tree **out,
                             struct fst_error *err)
{
    enum fst_status status = fst_tree_of_picture(profile, options, out, err);
    if (status == FST_OK && !describe((struct tree *)*out, profile, options->percent_of)) {
        fst_tree_free(*out);
        *out = NULL;
        status = fst_error_nomem(err);
    }
    return status;
}

void fst_tree_free(struct fst_tree *tree)
{
    if (tree != NULL) {
        struct tree *whole = (struct tree *)tree;
        fst_notes_release(&whole->notes);
        fst_free(tree->nodes);
        fst_free(whole);
    }
}
