/* From a tree to lines:
 *
 *     all
 *     ├ main › load › parse        a chain: nobody but main calls load, and main does nothing itself
 *     │ ├ split
 *     │ └ … 3 more                 what was left out of parse
 *     └ wait
 *
 * Where the way to a branch is longer than there is room for, its first levels are told by their
 * number ("+12 │ ├ name"). */
#include "render/tree_branches.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/number.h"
#include "base/width.h"
#include "render/grid.h"

enum {
    LEVELS_MOST = 40, /* that are drawn */
    LEVEL = 2,        /* cells of one */
    CHAIN_LEAST = 30, /* in fewer cells a chain shows its last name alone, */
    MARK_LEAST = 12,  /* with a mark, unless there is hardly room for the name */
    FIRST_LEAST = 20  /* what a long name before the last one gets, or half of the room */
};

/* --- branches ---------------------------------------------------------------------------------- */

/* Whether a node is all that there is to its parent, which is no root. */
static bool continues(const struct fst_tree *tree, uint32_t node)
{
    const struct fst_tree_node *own = &tree->nodes[node];
    const struct fst_tree_node *parent = &tree->nodes[own->parent];
    return parent->parent != FST_NO_NODE && node == own->parent + 1 && own->end == parent->end &&
           parent->left_out_nodes == 0 && fst_count_unpack(parent->self) == 0;
}

/* What was left out of a node is told where it would be large enough for a branch. */
static bool has_rest(const struct fst_tree *tree, const struct fst_tree_node *node)
{
    double share = fst_scope_share(&tree->scope, node->left_out);
    return node->left_out_nodes > 0 && fst_count_unpack(node->left_out) != 0 &&
           !(share < tree->least_share);
}

struct layout {
    struct fst_branches *branches;
    const struct fst_tree *tree;
    uint32_t *of; /* by node: its branch */
};

static void add(struct layout *layout, uint32_t node, bool rest)
{
    struct fst_branches *branches = layout->branches;
    uint32_t above = rest ? node : layout->tree->nodes[node].parent;
    uint32_t parent = above == FST_NO_NODE ? FST_NO_NODE : layout->of[above];
    branches->items[branches->count++] = (struct fst_branch){
        .tree = layout->tree,
        .first = node,
        .last = node,
        .rest = rest,
        .parent = parent,
        .level = parent == FST_NO_NODE ? 0 : branches->items[parent].level + 1,
    };
}

/* Leaves the nodes from one up to an ancestor, which stays. */
static void leave(struct layout *layout, uint32_t node, uint32_t ancestor)
{
    for (; node != ancestor; node = layout->tree->nodes[node].parent) {
        if (has_rest(layout->tree, &layout->tree->nodes[node])) {
            add(layout, node, true);
        }
    }
}

static void lay_out(struct layout *layout)
{
    const struct fst_tree *tree = layout->tree;
    for (uint32_t node = 0; node < tree->count; node++) {
        uint32_t parent = tree->nodes[node].parent;
        if (node > 0) {
            leave(layout, node - 1, parent);
        }
        if (node > 0 && continues(tree, node)) {
            layout->of[node] = layout->of[parent];
            layout->branches->items[layout->of[node]].last = node;
        } else {
            layout->of[node] = (uint32_t)layout->branches->count;
            add(layout, node, false);
        }
    }
    leave(layout, (uint32_t)(tree->count - 1), FST_NO_NODE);
}

/* Finds the last branches of all parents. */
static void find_ends(const struct fst_branches *branches, bool *seen)
{
    for (size_t i = branches->count; i-- > 1;) {
        struct fst_branch *branch = &branches->items[i];
        branch->ends = !seen[branch->parent];
        seen[branch->parent] = true;
    }
}

bool fst_branches_init(struct fst_branches *branches, const struct fst_tree *tree)
{
    size_t most = tree->count;
    for (size_t i = 0; i < tree->count; i++) {
        most += has_rest(tree, &tree->nodes[i]);
    }
    *branches = (struct fst_branches){0};
    struct layout layout = {branches, tree, fst_alloc_zeroed(tree->count, sizeof *layout.of)};
    bool *seen = fst_alloc_zeroed(most, sizeof *seen);
    branches->items = fst_alloc_zeroed(most, sizeof *branches->items);
    bool good = layout.of != NULL && seen != NULL && branches->items != NULL;
    if (good) {
        lay_out(&layout);
        find_ends(branches, seen);
    }
    fst_free(layout.of);
    fst_free(seen);
    return good;
}

void fst_branches_release(struct fst_branches *branches)
{
    fst_free(branches->items);
}

struct fst_count fst_branch_total(const struct fst_branch *branch)
{
    const struct fst_tree_node *node = &branch->tree->nodes[branch->last];
    return branch->rest ? node->left_out : node->total;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- guides ------------------------------------------------------------------------------------ */

static const char *guide(const struct fst_drawing *drawing, const struct fst_branch *branch,
                         bool own)
{
    if (own) {
        return drawing->ascii ? (branch->ends ? "` " : "+ ") : (branch->ends ? "└ " : "├ ");
    }
    return branch->ends ? "  " : drawing->ascii ? "| " : "│ ";
}

/* How many levels of a way there is room for, in half of the cells and beside the number of those
 * that are not drawn, which is appended. */
static size_t levels_drawn(struct fst_buf *out, uint32_t level, size_t cells)
{
    size_t most = cells > 0 ? cells / 2 : SIZE_MAX;
    size_t drawn = smaller(level, smaller(most / LEVEL, LEVELS_MOST));
    char left[24] = "";
    while (drawn < level) {
        int taken = snprintf(left, sizeof left, "+%zu ", level - drawn);
        if (drawn == 0 || (size_t)taken + LEVEL * drawn <= most) {
            break;
        }
        drawn--;
    }
    fst_buf_add_cstr(out, left);
    return drawn;
}

/* Draws the way to a branch; returns the cells that it takes. */
static size_t draw_way(struct fst_buf *out, const struct fst_drawing *drawing,
                       const struct fst_branch *branch, size_t cells)
{
    const struct fst_branch *way[LEVELS_MOST];
    size_t start = out->len;
    fst_buf_add_cstr(out, drawing->colour && branch->level > 0 ? "\x1b[2m" : "");
    size_t plain = out->len;
    size_t drawn = levels_drawn(out, branch->level, cells);
    size_t width = out->len - plain + LEVEL * drawn;
    for (size_t i = 0; i < drawn; i++) {
        way[i] = i == 0 ? branch : &drawing->branches->items[way[i - 1]->parent];
    }
    while (drawn-- > 0) {
        fst_buf_add_cstr(out, guide(drawing, way[drawn], way[drawn] == branch));
    }
    fst_buf_add_cstr(out, plain > start ? "\x1b[0m" : "");
    return width;
}

/* --- names ------------------------------------------------------------------------------------- */

static void add_chain(struct fst_buf *out, const struct fst_drawing *drawing,
                      const struct fst_branch *branch)
{
    for (uint32_t node = branch->first; node <= branch->last; node++) {
        if (node > branch->first) {
            fst_buf_add_cstr(out, drawing->ascii ? " > " : " › ");
        }
        fst_grid_name(out, branch->tree->nodes[node].name, 0, drawing->ascii);
    }
}

static size_t width_of(struct fst_str name)
{
    struct fst_buf shown = {0};
    fst_grid_name(&shown, name, 0, false);
    size_t width = fst_width(fst_buf_str(&shown));
    fst_buf_release(&shown);
    return width;
}

/* A chain by its ends: "first › 3 more › last". */
static void add_ends(struct fst_buf *out, const struct fst_drawing *drawing,
                     const struct fst_branch *branch, size_t cells)
{
    struct fst_str first = branch->tree->nodes[branch->first].name;
    struct fst_str last = branch->tree->nodes[branch->last].name;
    const char *arrow = drawing->ascii ? " > " : " › ";
    struct fst_buf middle = {0};
    fst_buf_add_cstr(&middle, arrow);
    if (branch->last > branch->first + 1) {
        fst_buf_add_fmt(&middle, "%u more%s", branch->last - branch->first - 1, arrow);
    }
    size_t room = cells - fst_width(fst_buf_str(&middle)); /* CHAIN_LEAST leaves some */
    size_t first_least = smaller(width_of(first), smaller(FIRST_LEAST, room / 2));
    size_t last_cells = smaller(width_of(last), room - first_least);
    fst_grid_name(out, first, room - last_cells, drawing->ascii);
    fst_buf_add_str(out, fst_buf_str(&middle));
    fst_grid_name(out, last, last_cells, drawing->ascii);
    out->failed = out->failed || middle.failed;
    fst_buf_release(&middle);
}

/* The end of a chain: "… › last". */
static void add_end(struct fst_buf *out, const struct fst_drawing *drawing,
                    const struct fst_branch *branch, size_t cells)
{
    const char *mark = drawing->ascii ? "... > " : "… › ";
    if (branch->first < branch->last && cells >= MARK_LEAST) {
        fst_buf_add_cstr(out, mark);
        cells -= fst_width(fst_str_cstr(mark));
    }
    fst_grid_name(out, branch->tree->nodes[branch->last].name, cells, drawing->ascii);
}

static void add_names(struct fst_buf *out, const struct fst_drawing *drawing,
                      const struct fst_branch *branch, size_t cells)
{
    struct fst_buf chain = {0};
    add_chain(&chain, drawing, branch);
    if (cells == 0 || fst_width(fst_buf_str(&chain)) <= cells) {
        fst_buf_add_str(out, fst_buf_str(&chain));
    } else if (branch->first == branch->last || cells < CHAIN_LEAST) {
        add_end(out, drawing, branch, cells);
    } else {
        add_ends(out, drawing, branch, cells);
    }
    out->failed = out->failed || chain.failed;
    fst_buf_release(&chain);
}

static void add_rest(struct fst_buf *out, const struct fst_drawing *drawing,
                     const struct fst_branch *branch)
{
    fst_buf_add_cstr(out, drawing->ascii ? "... " : "… ");
    fst_number_grouped_u64(out, branch->tree->nodes[branch->last].left_out_nodes);
    fst_buf_add_cstr(out, " more");
}

void fst_branch_draw(struct fst_buf *out, const struct fst_drawing *drawing,
                     const struct fst_branch *branch, size_t cells)
{
    size_t taken = draw_way(out, drawing, branch, cells);
    if (branch->rest) {
        add_rest(out, drawing, branch);
    } else {
        add_names(out, drawing, branch, cells == 0 ? 0 : cells > taken + 1 ? cells - taken : 1);
    }
}
