#include <math.h>

#include "render/render.h"

#include "base/count.h"
#include "render/json.h"

static struct fst_str text_of(const char *text)
{
    return (struct fst_str){text, strlen(text)};
}

void fst_json_input(struct fst_jsonw *w, const struct fst_input *input, const char *side)
{
    fst_jsonw_open(w, NULL, '{');
    if (side != NULL) {
        fst_jsonw_text(w, "side", text_of(side));
    }
    fst_jsonw_text(w, "path", input->name);
    fst_jsonw_text(w, "dialect", text_of(fst_dialect_name(input->dialect)));
    fst_jsonw_text(w, "unit", text_of(fst_unit_name(input->unit)));
    fst_jsonw_u64(w, "bytes", input->bytes);
    fst_jsonw_u64(w, "lines", input->lines);
    fst_jsonw_u64(w, "stack_lines", input->stack_lines);
    fst_jsonw_u64(w, "skipped_lines", input->bad_lines);
    fst_jsonw_count(w, "total", input->total);
    fst_jsonw_double(w, "rate", input->rate);
    fst_jsonw_double(w, "duration", input->duration);
    fst_jsonw_double(w, "errors", input->errors);
    fst_jsonw_double(w, "ticks", input->ticks);
    fst_jsonw_close(w);
}

void fst_json_inputs(struct fst_jsonw *w, const struct fst_view *view)
{
    fst_jsonw_open(w, "inputs", '[');
    for (size_t i = 0; i < view->ninputs; i++) {
        if (view->inputs[i].status == FST_OK) {
            fst_json_input(w, &view->inputs[i], NULL);
        }
    }
    fst_jsonw_close(w);
}

void fst_json_head(struct fst_jsonw *w, const char *command)
{
    fst_jsonw_u64(w, "schema", 1);
    fst_jsonw_text(w, "command", text_of(command));
    fst_jsonw_text(w, "version", text_of(fst_version()));
}

void fst_json_sentences(struct fst_jsonw *w, const struct fst_str *sentences, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fst_jsonw_text(w, NULL, sentences[i]);
    }
}

static void put_notes(struct fst_jsonw *w, const struct fst_top *top)
{
    fst_jsonw_open(w, "notes", '[');
    fst_json_sentences(w, top->notes, top->nnotes);
    fst_jsonw_close(w);
}

void fst_json_members(struct fst_jsonw *w, uint64_t members)
{
    if (members > 0) {
        fst_jsonw_u64(w, "members", members);
    } else {
        fst_jsonw_double(w, "members", NAN);
    }
}

static void put_ends(struct fst_jsonw *w, const char *key, const struct fst_spread_input *ends,
                     uint64_t inputs)
{
    fst_jsonw_open_inline(w, key, '[');
    for (size_t i = 0; i < FST_SPREAD_ENDS && i < inputs; i++) {
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_name(w, ends[i].name);
        fst_jsonw_double(w, "share", ends[i].share);
        fst_jsonw_double(w, "mean_of_others", ends[i].mean);
        fst_jsonw_double(w, "sd_of_others", ends[i].sd);
        fst_jsonw_bool(w, "stands_out", ends[i].stands_out);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

static void put_spread(struct fst_jsonw *w, const char *key, const struct fst_spread *spread)
{
    if (spread == NULL) {
        fst_jsonw_double(w, key, NAN);
        return;
    }
    fst_jsonw_open_inline(w, key, '{');
    fst_jsonw_u64(w, "inputs", spread->inputs);
    fst_jsonw_double(w, "mean", spread->mean);
    fst_jsonw_double(w, "sd", spread->sd);
    fst_jsonw_double(w, "least", spread->least);
    fst_jsonw_double(w, "most", spread->most);
    put_ends(w, "highest", spread->high, spread->inputs);
    put_ends(w, "lowest", spread->low, spread->inputs);
    fst_jsonw_close(w);
}

/* Rows of partial sums have spreads, unless there are none of a kind. */
static void put_spreads(struct fst_jsonw *w, const struct fst_top_row *row)
{
    if (row->self_spread != NULL || row->total_spread != NULL) {
        put_spread(w, "self_spread", row->self_spread);
        put_spread(w, "total_spread", row->total_spread);
    }
}

static void put_leaf_figures(struct fst_jsonw *w, const struct fst_top_row *row)
{
    fst_jsonw_name(w, row->name);
    fst_jsonw_count(w, "self", row->self);
    fst_jsonw_double(w, "self_share", row->self_share);
    fst_jsonw_interval(w, "self_ci", row->self_ci);
    if (row->total_known) {
        fst_jsonw_count(w, "total", row->total);
    } else {
        fst_jsonw_double(w, "total", NAN);
    }
    fst_jsonw_double(w, "total_share", row->total_share);
    fst_jsonw_double(w, "busy", row->busy);
    fst_json_members(w, row->members);
    put_spreads(w, row);
}

static void put_leaf_row(struct fst_jsonw *w, const struct fst_top_row *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    put_leaf_figures(w, row);
    fst_jsonw_close(w);
}

/* A row and those within it, which follow it; returns how many rows were put. */
static size_t put_nested_row(struct fst_jsonw *w, const struct fst_top_table *table, size_t at)
{
    size_t next = at + 1;
    fst_jsonw_open(w, NULL, '{');
    put_leaf_figures(w, &table->rows[at]);
    fst_jsonw_u64(w, "of", table->rows[at].of);
    fst_jsonw_open(w, "rows", '[');
    for (; next < table->count && table->rows[next].within; next++) {
        put_leaf_row(w, &table->rows[next]);
    }
    fst_jsonw_close(w);
    fst_jsonw_close(w);
    return next - at;
}

static void put_root_row(struct fst_jsonw *w, const struct fst_top_row *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    fst_jsonw_name(w, row->name);
    fst_jsonw_count(w, "total", row->total);
    fst_jsonw_double(w, "total_share", row->total_share);
    fst_jsonw_interval(w, "total_ci", row->total_ci);
    fst_jsonw_double(w, "busy", row->busy);
    fst_json_members(w, row->members);
    fst_jsonw_close(w);
}

void fst_json_asked(struct fst_jsonw *w, const struct fst_asked *asked, size_t nasked)
{
    fst_jsonw_open(w, "filters", '[');
    for (size_t i = 0; i < nasked; i++) {
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_text(w, "option", text_of(asked[i].option));
        fst_jsonw_text(w, "value", asked[i].value);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

void fst_json_scope(struct fst_jsonw *w, const struct fst_scope *scope, enum fst_by by)
{
    fst_jsonw_text(w, "unit", text_of(fst_unit_name(scope->unit)));
    fst_jsonw_text(w, "counting", text_of(fst_counting_name(scope->counting)));
    fst_jsonw_count(w, "total", scope->total);
    fst_jsonw_u64(w, "stack_lines", scope->stack_lines);
    fst_jsonw_count(w, "offered", scope->offered);
    fst_jsonw_u64(w, "offered_lines", scope->offered_lines);
    fst_json_asked(w, scope->asked, scope->nasked);
    fst_jsonw_text(w, "by", text_of(fst_by_name(by)));
    fst_jsonw_text(w, "percent_of", text_of(scope->percent_of == FST_OF_ALL ? "all" : "kept"));
    fst_jsonw_text(w, "names", text_of(scope->normalized ? "normalized" : "as written"));
    fst_jsonw_u64(w, "foldable", scope->foldable);
}

static void put_table(struct fst_jsonw *w, const char *key, const struct fst_top_table *table,
                      void (*put_row)(struct fst_jsonw *, const struct fst_top_row *))
{
    fst_jsonw_open(w, key, '{');
    fst_jsonw_u64(w, "of", table->of);
    fst_jsonw_open(w, "rows", '[');
    for (size_t i = 0; i < table->count;) {
        if (table->rows[i].of > 0) {
            i += put_nested_row(w, table, i);
        } else {
            put_row(w, &table->rows[i++]);
        }
    }
    fst_jsonw_close(w);
    fst_jsonw_close(w);
}

void fst_top_as_json(struct fst_sink *sink, const struct fst_view *view)
{
    const struct fst_top *top = view->top;
    struct fst_jsonw w = {.sink = sink};
    struct fst_buf root = {0};
    fst_root_add(&root, top->root, top->root_index);
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "top");
    put_notes(&w, top);
    fst_json_inputs(&w, view);
    fst_jsonw_text(&w, "unit", text_of(fst_unit_name(top->scope.unit)));
    fst_jsonw_text(&w, "counting", text_of(fst_counting_name(top->scope.counting)));
    fst_jsonw_count(&w, "total", top->scope.total);
    fst_jsonw_u64(&w, "stack_lines", top->scope.stack_lines);
    fst_jsonw_count(&w, "offered", top->scope.offered);
    fst_jsonw_u64(&w, "offered_lines", top->scope.offered_lines);
    fst_json_asked(&w, top->scope.asked, top->scope.nasked);
    fst_jsonw_text(&w, "by", text_of(fst_by_name(top->by)));
    if (top->nested) {
        fst_jsonw_text(&w, "within", text_of(fst_by_name(top->inner)));
    }
    fst_jsonw_text(&w, "root", fst_buf_str(&root));
    fst_jsonw_text(&w, "percent_of", text_of(top->scope.percent_of == FST_OF_ALL ? "all" : "kept"));
    fst_jsonw_double(&w, "least_share", top->least_share);
    fst_jsonw_text(&w, "names", text_of(top->scope.normalized ? "normalized" : "as written"));
    fst_jsonw_u64(&w, "foldable", top->scope.foldable);
    fst_jsonw_double(&w, "ticks", top->ticks);
    fst_jsonw_double(&w, "design_effect", top->design_effect);
    fst_jsonw_double(&w, "independent_samples", top->precision.n);
    if (top->compared > 0) {
        fst_jsonw_open_inline(&w, "partial", '{');
        fst_jsonw_u64(&w, "inputs", top->inputs);
        fst_jsonw_u64(&w, "compared", top->compared);
        fst_jsonw_u64(&w, "skipped_lines", top->bad_lines);
        fst_jsonw_close(&w);
    }
    put_table(&w, "leaf", &top->leaf, put_leaf_row);
    put_table(&w, "root_table", &top->roots, put_root_row);
    fst_jsonw_close(&w);
    sink->buf.failed = sink->buf.failed || root.failed;
    fst_buf_release(&root);
}
