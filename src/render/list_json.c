/* A list as JSON of foldstat's own: frames once, stacks as numbers of them. */
#include "base/count.h"
#include "render/json.h"
#include "render/list.h"

static void put_frames(struct fst_jsonw *w, const struct fst_list *list)
{
    fst_jsonw_open(w, "frames", '[');
    for (size_t i = 0; i < list->nframes; i++) {
        const struct fst_list_frame *frame = &list->frames[i];
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_name(w, frame->name);
        fst_jsonw_text(w, "function", frame->function);
        if (frame->file.len > 0) {
            fst_jsonw_text(w, "file", frame->file);
        }
        if (frame->line.len > 0) {
            fst_i128 line = fst_list_line(frame);
            fst_jsonw_count(w, "line", fst_count_pack(line * FST_COUNT_ONE));
        }
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

static void put_stacks(struct fst_jsonw *w, const struct fst_list *list)
{
    fst_jsonw_open(w, "stacks", '[');
    for (size_t i = 0; i < list->nstacks; i++) {
        const struct fst_list_stack *stack = &list->stacks[i];
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_count(w, "count", stack->count);
        fst_jsonw_open_inline(w, "frames", '[');
        for (size_t k = 0; k < stack->nframes; k++) {
            fst_jsonw_u64(w, NULL, stack->frames[k]);
        }
        fst_jsonw_close(w);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

void fst_list_as_json(struct fst_sink *sink, const struct fst_list *list,
                      const struct fst_input *inputs, size_t ninputs)
{
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "convert");
    fst_jsonw_open(&w, "notes", '[');
    fst_jsonw_close(&w);
    fst_jsonw_open(&w, "inputs", '[');
    for (size_t i = 0; i < ninputs; i++) {
        if (inputs[i].status == FST_OK) {
            fst_json_input(&w, &inputs[i], NULL);
        }
    }
    fst_jsonw_close(&w);
    fst_jsonw_text(&w, "unit", fst_str_cstr(fst_unit_name(list->unit)));
    fst_jsonw_count(&w, "total", list->total);
    put_frames(&w, list);
    put_stacks(&w, list);
    fst_jsonw_close(&w);
}
