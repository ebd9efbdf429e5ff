#include "render/render.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/numeric.h"

static const struct format {
    enum fst_format id;
    const char *name;
    /* NULL: the command has no such format. */
    void (*top)(struct fst_sink *sink, const struct fst_view *view);
    void (*gil)(struct fst_sink *sink, const struct fst_gil_view *view);
    void (*diff)(struct fst_sink *sink, const struct fst_diff_view *view);
    void (*check)(struct fst_sink *sink, const struct fst_check_view *view);
    void (*tree)(struct fst_sink *sink, const struct fst_tree_view *view);
    void (*peek)(struct fst_sink *sink, const struct fst_peek_view *view);
} formats[] = {
    {FST_FORMAT_TABLE, "table", fst_top_as_table, fst_gil_as_table, fst_diff_as_table,
     fst_check_as_table, fst_tree_as_table, fst_peek_as_table},
    {FST_FORMAT_PLAIN, "plain", fst_top_as_plain, NULL, NULL, NULL, NULL, NULL},
    {FST_FORMAT_JSON, "json", fst_top_as_json, fst_gil_as_json, fst_diff_as_json, fst_check_as_json,
     fst_tree_as_json, fst_peek_as_json},
    {FST_FORMAT_CSV, "csv", fst_top_as_csv, fst_gil_as_csv, fst_diff_as_csv, fst_check_as_csv,
     fst_tree_as_csv, fst_peek_as_csv},
    {FST_FORMAT_TSV, "tsv", fst_top_as_tsv, fst_gil_as_tsv, fst_diff_as_tsv, fst_check_as_tsv,
     fst_tree_as_tsv, fst_peek_as_tsv},
    {FST_FORMAT_MARKDOWN, "md", fst_top_as_markdown, fst_gil_as_markdown, fst_diff_as_markdown,
     fst_check_as_markdown, fst_tree_as_markdown, fst_peek_as_markdown},
    {FST_FORMAT_COLLAPSED2, "collapsed2", NULL, NULL, fst_diff_as_collapsed, NULL, NULL, NULL},
};

static const struct format *format_of(enum fst_format id)
{
    size_t i = 0;
    while (i + 1 < FST_COUNT_OF(formats) && formats[i].id != id) {
        i++;
    }
    return &formats[i];
}

bool fst_format_find(const char *name, enum fst_format *out)
{
    for (size_t i = 0; i < FST_COUNT_OF(formats); i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *out = formats[i].id;
            return true;
        }
    }
    return false;
}

const char *fst_by_name(enum fst_by by)
{
    static const char *const names[] = {
        [FST_BY_FRAME] = "frame",   [FST_BY_FUNCTION] = "function", [FST_BY_LINE] = "line",
        [FST_BY_FILE] = "file",     [FST_BY_THREAD] = "thread",     [FST_BY_PROCESS] = "process",
        [FST_BY_MODULE] = "module", [FST_BY_CATEGORY] = "category", [FST_BY_STACK] = "stack",
    };
    return names[by];
}

enum fst_by fst_by_of_row(const struct fst_top *top, const struct fst_top_row *row, bool root)
{
    if (root) {
        return top->root == FST_ROOT_PROCESS ? FST_BY_PROCESS : FST_BY_THREAD;
    }
    return row->within ? top->inner : top->by;
}

const char *fst_counting_name(enum fst_counting counting)
{
    static const char *const names[] = {
        [FST_COUNTING_SAMPLES] = "samples",
        [FST_COUNTING_PERIODS] = "periods",
        [FST_COUNTING_NONE] = "none",
    };
    return names[counting];
}

void fst_root_add(struct fst_buf *out, enum fst_root root, uint32_t index)
{
    switch (root) {
    case FST_ROOT_INDEX: fst_buf_add_fmt(out, "%u", (unsigned)index); break;
    case FST_ROOT_THREAD: fst_buf_add_cstr(out, "thread"); break;
    case FST_ROOT_PROCESS: fst_buf_add_cstr(out, "process"); break;
    default: fst_buf_add_cstr(out, "auto");
    }
}

/* A rendering under way. */
struct rendering {
    struct fst_numeric locale;
    struct fst_sink sink;
};

static enum fst_status begin(struct rendering *rendering, fst_write_fn write, void *ctx,
                             struct fst_error *err)
{
    if (!fst_numeric_enter(&rendering->locale)) {
        return fst_error_nomem(err);
    }
    fst_sink_init(&rendering->sink, write, ctx);
    return FST_OK;
}

static enum fst_status finish(struct rendering *rendering, struct fst_error *err)
{
    enum fst_status status = fst_sink_finish(&rendering->sink, err);
    fst_numeric_leave(&rendering->locale);
    return status;
}

static enum fst_status refuse(const struct format *form, const char *command, struct fst_error *err)
{
    return fst_error_set(err, FST_ERR_USAGE, "%s is no format of %s", form->name, command);
}

enum fst_status fst_render_top(const struct fst_top *top, const struct fst_profile *profile,
                               enum fst_format format, const struct fst_render_options *options,
                               fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->top == NULL) {
        return refuse(form, "top", err);
    }
    struct fst_view view = {.top = top, .options = options};
    view.inputs = fst_profile_inputs(profile, &view.ninputs);
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->top(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_tree(const struct fst_tree *tree, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->tree == NULL) {
        return refuse(form, "tree", err);
    }
    struct fst_tree_view view = {.tree = tree, .page = {.options = options}};
    view.page.inputs = fst_profile_inputs(profile, &view.page.ninputs);
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->tree(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_peek(const struct fst_peek *peek, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->peek == NULL) {
        return refuse(form, "peek", err);
    }
    struct fst_peek_view view = {.peek = peek, .page = {.options = options}};
    view.page.inputs = fst_profile_inputs(profile, &view.page.ninputs);
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->peek(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_gil(const struct fst_gil *gil, enum fst_format format,
                               const struct fst_render_options *options, fst_write_fn write,
                               void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->gil == NULL) {
        return refuse(form, "gil", err);
    }
    struct fst_gil_view view = {.gil = gil, .options = options};
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->gil(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_diff(const struct fst_diff *diff, enum fst_format format,
                                const struct fst_render_options *options, fst_write_fn write,
                                void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->diff == NULL) {
        return refuse(form, "diff", err);
    }
    if (format == FST_FORMAT_COLLAPSED2 && diff->by != FST_BY_STACK) {
        return fst_error_set(err, FST_ERR_USAGE, "%s needs rows by stack", form->name);
    }
    struct fst_diff_view view = {.diff = diff, .options = options};
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->diff(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_check(const struct fst_check *check, enum fst_format format,
                                 const struct fst_render_options *options, fst_write_fn write,
                                 void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (form->check == NULL) {
        return refuse(form, "check", err);
    }
    struct fst_check_view view = {.check = check, .options = options};
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        form->check(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}

enum fst_status fst_render_flame(const struct fst_flame *flame,
                                 const struct fst_picture_options *options, fst_write_fn write,
                                 void *ctx, struct fst_error *err)
{
    struct fst_flame_view view = {.flame = flame, .options = options};
    struct rendering rendering;
    enum fst_status status = begin(&rendering, write, ctx, err);
    if (status == FST_OK) {
        fst_flame_as_svg(&rendering.sink, &view);
        status = finish(&rendering, err);
    }
    return status;
}
