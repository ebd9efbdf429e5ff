/* tree as CSV and TSV: a line a node, in the order of the tree. The parent of the first is an empty
 * field. */
#include "render/render.h"
#include "render/separated.h"

static void put_node(struct fst_sink *sink, const struct fst_tree_view *view,
                     const struct fst_separated *format, size_t id)
{
    const struct fst_tree *tree = view->tree;
    const struct fst_tree_node *node = &tree->nodes[id];
    struct fst_buf *out = &sink->buf;
    fst_buf_add_fmt(out, "%zu%c", id, format->separator);
    if (node->parent != FST_NO_NODE) {
        fst_buf_add_fmt(out, "%u", node->parent);
    }
    fst_buf_add_fmt(out, "%c%u%c", format->separator, node->depth, format->separator);
    fst_separated_name(out, format, node->name, view->page.options->terminal);
    fst_separated_count(out, format, node->self);
    fst_separated_double(out, format, fst_scope_share(&tree->scope, node->self));
    fst_separated_count(out, format, node->total);
    fst_separated_double(out, format, fst_scope_share(&tree->scope, node->total));
    fst_separated_count(out, format, node->left_out);
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_all(struct fst_sink *sink, const struct fst_tree_view *view,
                    const struct fst_separated *format)
{
    static const char *const fields[] = {"id",         "parent", "depth",       "name",    "self",
                                         "self_share", "total",  "total_share", "left_out"};
    fst_separated_head(&sink->buf, format, fields, FST_COUNT_OF(fields));
    for (size_t i = 0; i < view->tree->count; i++) {
        put_node(sink, view, format, i);
    }
}

void fst_tree_as_csv(struct fst_sink *sink, const struct fst_tree_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_tree_as_tsv(struct fst_sink *sink, const struct fst_tree_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
