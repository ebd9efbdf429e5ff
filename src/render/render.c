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

/* --- results by format -------------------------------------------------------------------------- */

/* A result that is to be written. */
struct drawing {
    const char *command;
    bool known; /* the command has the format */
    /* Calls the format's function, or writes the one form that there is. */
    void (*draw)(const struct format *form, struct fst_sink *sink, const void *view);
    const void *view;
};

static enum fst_status render(const struct format *form, const struct drawing *drawing,
                              fst_write_fn write, void *ctx, struct fst_error *err)
{
    struct fst_numeric locale;
    struct fst_sink sink;
    if (!drawing->known) {
        return fst_error_set(err, FST_ERR_USAGE, "%s is no format of %s", form->name,
                             drawing->command);
    }
    if (!fst_numeric_enter(&locale)) {
        return fst_error_nomem(err);
    }
    fst_sink_init(&sink, write, ctx);
    drawing->draw(form, &sink, drawing->view);
    enum fst_status status = fst_sink_finish(&sink, err);
    fst_numeric_leave(&locale);
    return status;
}

static void draw_top(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->top(sink, view);
}

enum fst_status fst_render_top(const struct fst_top *top, const struct fst_profile *profile,
                               enum fst_format format, const struct fst_render_options *options,
                               fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    struct fst_view view = {.top = top, .options = options};
    view.inputs = fst_profile_inputs(profile, &view.ninputs);
    const struct drawing drawing = {"top", form->top != NULL, draw_top, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_tree(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->tree(sink, view);
}

enum fst_status fst_render_tree(const struct fst_tree *tree, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    struct fst_tree_view view = {.tree = tree, .page = {.options = options}};
    view.page.inputs = fst_profile_inputs(profile, &view.page.ninputs);
    const struct drawing drawing = {"tree", form->tree != NULL, draw_tree, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_peek(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->peek(sink, view);
}

enum fst_status fst_render_peek(const struct fst_peek *peek, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    struct fst_peek_view view = {.peek = peek, .page = {.options = options}};
    view.page.inputs = fst_profile_inputs(profile, &view.page.ninputs);
    const struct drawing drawing = {"peek", form->peek != NULL, draw_peek, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_gil(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->gil(sink, view);
}

enum fst_status fst_render_gil(const struct fst_gil *gil, enum fst_format format,
                               const struct fst_render_options *options, fst_write_fn write,
                               void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    const struct fst_gil_view view = {.gil = gil, .options = options};
    const struct drawing drawing = {"gil", form->gil != NULL, draw_gil, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_diff(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->diff(sink, view);
}

enum fst_status fst_render_diff(const struct fst_diff *diff, enum fst_format format,
                                const struct fst_render_options *options, fst_write_fn write,
                                void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    if (format == FST_FORMAT_COLLAPSED2 && diff->by != FST_BY_STACK) {
        return fst_error_set(err, FST_ERR_USAGE, "%s needs rows by stack", form->name);
    }
    const struct fst_diff_view view = {.diff = diff, .options = options};
    const struct drawing drawing = {"diff", form->diff != NULL, draw_diff, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_check(const struct format *form, struct fst_sink *sink, const void *view)
{
    form->check(sink, view);
}

enum fst_status fst_render_check(const struct fst_check *check, enum fst_format format,
                                 const struct fst_render_options *options, fst_write_fn write,
                                 void *ctx, struct fst_error *err)
{
    const struct format *form = format_of(format);
    const struct fst_check_view view = {.check = check, .options = options};
    const struct drawing drawing = {"check", form->check != NULL, draw_check, &view};
    return render(form, &drawing, write, ctx, err);
}

static void draw_flame(const struct format *form, struct fst_sink *sink, const void *view)
{
    (void)form;
    fst_flame_as_svg(sink, view);
}

enum fst_status fst_render_flame(const struct fst_flame *flame,
                                 const struct fst_picture_options *options, fst_write_fn write,
                                 void *ctx, struct fst_error *err)
{
    const struct fst_flame_view view = {.flame = flame, .options = options};
    const struct drawing drawing = {"flame", true, draw_flame, &view};
    return render(NULL, &drawing, write, ctx, err);
}
