/* speedscope's own form (https://www.speedscope.app/file-format-schema.json): one sampled profile, with
 * a frame for every line of a function. A member "foldstat", and "text" where a frame is not written
 * "function (file:line)", hold what the form has no word for (src/parse/speedscope.h). */
#include "render/jsonw.h"
#include "render/list.h"

static const char *unit_of(enum fst_unit unit)
{
    switch (unit) {
    case FST_UNIT_MICROSECONDS: return "microseconds";
    case FST_UNIT_BYTES: return "bytes";
    default: return "none";
    }
}

/* Whether a reader that knows no dialect would write a frame as it is written. */
static bool is_plain(const struct fst_list_frame *frame, struct fst_buf *scratch)
{
    fst_buf_clear(scratch);
    fst_buf_add_str(scratch, frame->function);
    if (frame->file.len > 0) {
        fst_buf_add_cstr(scratch, " (");
        fst_buf_add_str(scratch, frame->file);
        if (fst_list_line(frame) > 0) {
            fst_buf_add_fmt(scratch, ":%lld", (long long)fst_list_line(frame));
        }
        fst_buf_add_char(scratch, ')');
    }
    return fst_str_eq(frame->name, fst_buf_str(scratch));
}

static void put_frames(struct fst_jsonw *w, const struct fst_list *list)
{
    struct fst_buf scratch = {0};
    fst_jsonw_open_inline(w, "shared", '{');
    fst_jsonw_open(w, "frames", '[');
    for (size_t i = 0; i < list->nframes; i++) {
        const struct fst_list_frame *frame = &list->frames[i];
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_text(w, "name", frame->function);
        if (frame->file.len > 0) {
            fst_jsonw_text(w, "file", frame->file);
        }
        if (fst_list_line(frame) > 0) {
            fst_jsonw_u64(w, "line", (uint64_t)fst_list_line(frame));
        }
        if (!is_plain(frame, &scratch)) {
            fst_jsonw_text(w, "text", frame->name);
        }
        fst_jsonw_close(w);
    }
    w->sink->buf.failed = w->sink->buf.failed || scratch.failed;
    fst_buf_release(&scratch);
    fst_jsonw_close(w);
    fst_jsonw_close(w);
}

static void put_samples(struct fst_jsonw *w, const struct fst_list *list)
{
    fst_jsonw_open(w, "samples", '[');
    for (size_t i = 0; i < list->nstacks; i++) {
        fst_jsonw_open_inline(w, NULL, '[');
        for (size_t k = 0; k < list->stacks[i].nframes; k++) {
            fst_jsonw_u64(w, NULL, list->stacks[i].frames[k]);
        }
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
    fst_jsonw_open_inline(w, "weights", '[');
    for (size_t i = 0; i < list->nstacks; i++) {
        fst_jsonw_count(w, NULL, list->stacks[i].count);
    }
    fst_jsonw_close(w);
}

/* What speedscope has no word for, for foldstat to read it back. */
static void put_own(struct fst_jsonw *w, const struct fst_list *list)
{
    fst_jsonw_open_inline(w, "foldstat", '{');
    if (list->dialect != FST_DIALECT_AUTO) {
        fst_jsonw_text(w, "dialect", fst_str_cstr(fst_dialect_name(list->dialect)));
    }
    fst_jsonw_text(w, "unit", fst_str_cstr(fst_unit_name(list->unit)));
    fst_jsonw_close(w);
}

void fst_list_as_speedscope(struct fst_sink *sink, const struct fst_list *list)
{
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_jsonw_text(&w, "$schema", FST_STR("https://www.speedscope.app/file-format-schema.json"));
    fst_jsonw_text(&w, "exporter", FST_STR("foldstat " FST_VERSION));
    put_own(&w, list);
    put_frames(&w, list);
    fst_jsonw_open(&w, "profiles", '[');
    fst_jsonw_open(&w, NULL, '{');
    fst_jsonw_text(&w, "type", FST_STR("sampled"));
    fst_jsonw_text(&w, "name", FST_STR("all stacks"));
    fst_jsonw_text(&w, "unit", fst_str_cstr(unit_of(list->unit)));
    fst_jsonw_u64(&w, "startValue", 0);
    fst_jsonw_count(&w, "endValue", list->total);
    put_samples(&w, list);
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}
