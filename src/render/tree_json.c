#include <math.h>

#include "render/json.h"

static void put_node(struct fst_jsonw *w, const struct fst_tree *tree, size_t id)
{
    const struct fst_tree_node *node = &tree->nodes[id];
    fst_jsonw_open_inline(w, NULL, '{');
    fst_jsonw_u64(w, "id", id);
    if (node->parent == FST_NO_NODE) {
        fst_jsonw_double(w, "parent", NAN);
    } else {
        fst_jsonw_u64(w, "parent", node->parent);
    }
    fst_jsonw_name(w, node->name);
    fst_jsonw_count(w, "self", node->self);
    fst_jsonw_double(w, "self_share", fst_scope_share(&tree->scope, node->self));
    fst_jsonw_count(w, "total", node->total);
    fst_jsonw_double(w, "total_share", fst_scope_share(&tree->scope, node->total));
    if (node->left_out_nodes > 0) {
        fst_jsonw_u64(w, "left_out_nodes", node->left_out_nodes);
        fst_jsonw_count(w, "left_out", node->left_out);
    }
    fst_jsonw_close(w);
}

static void put_left_out(struct fst_jsonw *w, const struct fst_tree *tree)
{
    fst_jsonw_open_inline(w, "left_out", '{');
    fst_jsonw_u64(w, "nodes", tree->left_out_nodes);
    fst_jsonw_count(w, "total", tree->left_out);
    fst_jsonw_double(w, "total_share", fst_scope_share(&tree->scope, tree->left_out));
    fst_jsonw_close(w);
}

void fst_tree_as_json(struct fst_sink *sink, const struct fst_tree_view *view)
{
    const struct fst_tree *tree = view->tree;
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "tree");
    fst_jsonw_open(&w, "notes", '[');
    fst_json_sentences(&w, tree->notes, tree->nnotes);
    fst_jsonw_close(&w);
    fst_json_inputs(&w, &view->page);
    fst_json_scope(&w, &tree->scope, tree->by);
    fst_jsonw_text(&w, "from", tree->reverse ? FST_STR("leaves") : FST_STR("roots"));
    fst_jsonw_double(&w, "least_share", tree->least_share);
    if (tree->max_depth > 0) {
        fst_jsonw_u64(&w, "max_depth", tree->max_depth);
    } else {
        fst_jsonw_double(&w, "max_depth", NAN);
    }
    put_left_out(&w, tree);
    fst_jsonw_open(&w, "nodes", '[');
    for (size_t i = 0; i < tree->count; i++) {
        put_node(&w, tree, i);
        fst_sink_spill(sink);
    }
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}
