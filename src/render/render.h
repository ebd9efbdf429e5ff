/* What every renderer gets and offers: one function a format, found in one table (render.c). */
#ifndef FST_RENDER_RENDER_H
#define FST_RENDER_RENDER_H

#include "io/sink.h"

/* What to render. */
struct fst_view {
    const struct fst_top *top;
    const struct fst_input *inputs;
    size_t ninputs;
    const struct fst_render_options *options;
};

struct fst_gil_view {
    const struct fst_gil *gil;
    const struct fst_render_options *options;
};

/* The inputs stand in page, whose top is NULL. */
struct fst_tree_view {
    const struct fst_tree *tree;
    struct fst_view page;
};

struct fst_peek_view {
    const struct fst_peek *peek;
    struct fst_view page;
};

struct fst_flame_view {
    const struct fst_flame *flame;
    const struct fst_picture_options *options;
};

void fst_top_as_table(struct fst_sink *sink, const struct fst_view *view);
void fst_top_as_plain(struct fst_sink *sink, const struct fst_view *view);
void fst_top_as_json(struct fst_sink *sink, const struct fst_view *view);
void fst_top_as_csv(struct fst_sink *sink, const struct fst_view *view);
void fst_top_as_tsv(struct fst_sink *sink, const struct fst_view *view);
void fst_top_as_markdown(struct fst_sink *sink, const struct fst_view *view);

void fst_gil_as_table(struct fst_sink *sink, const struct fst_gil_view *view);
void fst_gil_as_json(struct fst_sink *sink, const struct fst_gil_view *view);
void fst_gil_as_csv(struct fst_sink *sink, const struct fst_gil_view *view);
void fst_gil_as_tsv(struct fst_sink *sink, const struct fst_gil_view *view);
void fst_gil_as_markdown(struct fst_sink *sink, const struct fst_gil_view *view);

void fst_tree_as_table(struct fst_sink *sink, const struct fst_tree_view *view);
void fst_tree_as_json(struct fst_sink *sink, const struct fst_tree_view *view);
void fst_tree_as_csv(struct fst_sink *sink, const struct fst_tree_view *view);
void fst_tree_as_tsv(struct fst_sink *sink, const struct fst_tree_view *view);
void fst_tree_as_markdown(struct fst_sink *sink, const struct fst_tree_view *view);

void fst_peek_as_table(struct fst_sink *sink, const struct fst_peek_view *view);
void fst_peek_as_json(struct fst_sink *sink, const struct fst_peek_view *view);
void fst_peek_as_csv(struct fst_sink *sink, const struct fst_peek_view *view);
void fst_peek_as_tsv(struct fst_sink *sink, const struct fst_peek_view *view);
void fst_peek_as_markdown(struct fst_sink *sink, const struct fst_peek_view *view);

struct fst_diff_view {
    const struct fst_diff *diff;
    const struct fst_render_options *options;
};

void fst_diff_as_table(struct fst_sink *sink, const struct fst_diff_view *view);
void fst_diff_as_json(struct fst_sink *sink, const struct fst_diff_view *view);
void fst_diff_as_csv(struct fst_sink *sink, const struct fst_diff_view *view);
void fst_diff_as_tsv(struct fst_sink *sink, const struct fst_diff_view *view);
void fst_diff_as_markdown(struct fst_sink *sink, const struct fst_diff_view *view);
void fst_diff_as_collapsed(struct fst_sink *sink, const struct fst_diff_view *view);

struct fst_check_view {
    const struct fst_check *check;
    const struct fst_render_options *options;
};

void fst_check_as_table(struct fst_sink *sink, const struct fst_check_view *view);
void fst_check_as_json(struct fst_sink *sink, const struct fst_check_view *view);
void fst_check_as_csv(struct fst_sink *sink, const struct fst_check_view *view);
void fst_check_as_tsv(struct fst_sink *sink, const struct fst_check_view *view);
void fst_check_as_markdown(struct fst_sink *sink, const struct fst_check_view *view);

/* The picture; its script and style are src/render/flame.js and flame.css. */
void fst_flame_as_svg(struct fst_sink *sink, const struct fst_flame_view *view);

/* The names of enum values as options and JSON spell them; static. */
const char *fst_by_name(enum fst_by by);
const char *fst_counting_name(enum fst_counting counting);

/* What kind of row a row is; root: it stands in the root table, whose roots are labels. */
enum fst_by fst_by_of_row(const struct fst_top *top, const struct fst_top_row *row, bool root);

/* Appends "auto", "3", "thread" or "process". */
void fst_root_add(struct fst_buf *out, enum fst_root root, uint32_t index);

#endif
