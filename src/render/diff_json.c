#include "render/diff_json.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "render/json.h"
#include "render/render.h"

static void put_side(struct fst_jsonw *w, const char *key, const struct fst_diff_side *side)
{
    fst_jsonw_open(w, key, '{');
    fst_jsonw_count(w, "total", side->total);
    fst_jsonw_count(w, "offered", side->offered);
    fst_jsonw_double(w, "samples", side->samples);
    fst_jsonw_double(w, "ticks", side->ticks);
    fst_jsonw_u64(w, "recordings", side->nrecordings);
    fst_jsonw_close(w);
}

static void put_inputs(struct fst_jsonw *w, const struct fst_diff_side *side, const char *name)
{
    for (size_t i = 0; i < side->nrecordings; i++) {
        size_t count;
        const struct fst_input *inputs = fst_profile_inputs(side->recordings[i], &count);
        for (size_t k = 0; k < count; k++) {
            if (inputs[k].status == FST_OK) {
                fst_json_input(w, &inputs[k], name);
            }
        }
    }
}

void fst_diff_json_head(struct fst_jsonw *w, const struct fst_diff *diff,
                        const struct fst_str *notes, size_t nnotes)
{
    fst_jsonw_open(w, "notes", '[');
    fst_json_sentences(w, diff->notes, diff->nnotes);
    fst_json_sentences(w, notes, nnotes);
    fst_jsonw_close(w);
    fst_jsonw_open(w, "inputs", '[');
    put_inputs(w, &diff->before, "before");
    put_inputs(w, &diff->after, "after");
    fst_jsonw_close(w);
    fst_jsonw_text(w, "basis", fst_str_cstr(fst_basis_name(diff->basis)));
    fst_jsonw_text(w, "by", fst_str_cstr(fst_by_name(diff->by)));
    fst_jsonw_text(w, "sort_on", fst_str_cstr(fst_on_name(diff->on)));
    fst_jsonw_text(w, "percent_of", fst_str_cstr(diff->percent_of == FST_OF_ALL ? "all" : "kept"));
    fst_jsonw_text(w, "test", fst_str_cstr(fst_diff_test_name(diff->test)));
    fst_jsonw_double(w, "fdr", diff->fdr);
    fst_jsonw_double(w, "design_effect", diff->design_effect);
    put_side(w, "before", &diff->before);
    put_side(w, "after", &diff->after);
}

/* A member whose name ends in what it is of: "delta_self". */
static const char *key_of(char out[32], const char *name, const char *on)
{
    (void)snprintf(out, 32, "%s_%s", name, on);
    return out;
}

static void put_change(struct fst_jsonw *w, const struct fst_change *change, const char *on)
{
    char key[32];
    char share[48];
    fst_jsonw_count(w, key_of(key, "before", on), change->before);
    fst_jsonw_count(w, key_of(key, "after", on), change->after);
    (void)snprintf(share, sizeof share, "before_%s_share", on);
    fst_jsonw_double(w, share, change->before_share);
    (void)snprintf(share, sizeof share, "after_%s_share", on);
    fst_jsonw_double(w, share, change->after_share);
    fst_jsonw_double(w, key_of(key, "delta", on), change->delta);
    (void)snprintf(share, sizeof share, "delta_%s_ci", on);
    fst_jsonw_interval(w, share, change->delta_ci);
    fst_jsonw_double(w, key_of(key, "ratio", on), change->ratio);
    fst_jsonw_double(w, key_of(key, "p", on), change->p);
    fst_jsonw_double(w, key_of(key, "q", on), change->q);
}

void fst_diff_json_row(struct fst_jsonw *w, const struct fst_diff_row *row)
{
    fst_jsonw_name(w, row->name);
    if (row->members > 0) {
        fst_jsonw_u64(w, "members", row->members);
    }
    fst_jsonw_text(w, "presence", fst_str_cstr(fst_presence_name(row->presence)));
    fst_jsonw_bool(w, "significant", row->significant);
    put_change(w, &row->self, "self");
    put_change(w, &row->total, "total");
}

static void put_paths(struct fst_jsonw *w, const struct fst_diff_row *row)
{
    fst_jsonw_open(w, "paths", '[');
    for (size_t i = 0; i < row->npaths; i++) {
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_name(w, row->paths[i].stack);
        fst_jsonw_count(w, "before", row->paths[i].before);
        fst_jsonw_count(w, "after", row->paths[i].after);
        fst_jsonw_double(w, "delta", row->paths[i].delta);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

void fst_diff_as_json(struct fst_sink *sink, const struct fst_diff_view *view)
{
    const struct fst_diff *diff = view->diff;
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "diff");
    fst_diff_json_head(&w, diff, NULL, 0);
    fst_jsonw_u64(&w, "of", diff->of);
    fst_jsonw_u64(&w, "changed", diff->significant);
    fst_jsonw_open(&w, "rows", '[');
    for (size_t i = 0; i < diff->count; i++) {
        fst_jsonw_open_inline(&w, NULL, '{');
        fst_diff_json_row(&w, &diff->rows[i]);
        if (diff->rows[i].npaths > 0) {
            put_paths(&w, &diff->rows[i]);
        }
        fst_jsonw_close(&w);
    }
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}
