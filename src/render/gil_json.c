#include <math.h>

#include "render/json.h"
#include "render/render.h"

static struct fst_str text_of(const char *text)
{
    return (struct fst_str){text, strlen(text)};
}

/* null for an empty text. */
static void put_word(struct fst_jsonw *w, const char *key, const char *word)
{
    if (word[0] == '\0') {
        fst_jsonw_double(w, key, NAN);
    } else {
        fst_jsonw_text(w, key, text_of(word));
    }
}

static void put_text(struct fst_jsonw *w, const char *key, struct fst_str text)
{
    if (text.len == 0) {
        fst_jsonw_double(w, key, NAN);
    } else {
        fst_jsonw_text(w, key, text);
    }
}

static bool is_given(const struct fst_gil_side *side)
{
    return side->ninputs > 0;
}

/* A count of a recording; null where there is none. */
static void put_count(struct fst_jsonw *w, const char *key, const struct fst_gil_side *side,
                      struct fst_count count)
{
    if (is_given(side)) {
        fst_jsonw_count(w, key, count);
    } else {
        fst_jsonw_double(w, key, NAN);
    }
}

static void put_side(struct fst_jsonw *w, const char *key, const struct fst_gil_side *side)
{
    if (!is_given(side)) {
        fst_jsonw_double(w, key, NAN);
        return;
    }
    fst_jsonw_open(w, key, '{');
    fst_jsonw_count(w, "samples", side->samples);
    fst_jsonw_count(w, "offered", side->offered);
    fst_jsonw_double(w, "ticks", side->ticks);
    fst_jsonw_close(w);
}

static void put_inputs(struct fst_jsonw *w, const struct fst_gil_side *side, const char *name)
{
    for (size_t i = 0; i < side->ninputs; i++) {
        if (side->inputs[i].status == FST_OK) {
            fst_json_input(w, &side->inputs[i], name);
        }
    }
}

/* [lo, hi] with null for an end that is infinite; null where there is no interval. */
static void put_ratio_interval(struct fst_jsonw *w, struct fst_interval ci)
{
    if (isnan(ci.lo) || isnan(ci.hi)) {
        fst_jsonw_double(w, "ratio_ci", NAN);
        return;
    }
    fst_jsonw_open_inline(w, "ratio_ci", '[');
    fst_jsonw_double(w, NULL, ci.lo);
    fst_jsonw_double(w, NULL, ci.hi);
    fst_jsonw_close(w);
}

static void put_row_figures(struct fst_jsonw *w, const struct fst_gil *gil,
                            const struct fst_gil_row *row)
{
    fst_jsonw_name(w, row->name);
    fst_jsonw_count(w, "gil", row->gil);
    put_count(w, "all", &gil->all, row->all);
    fst_jsonw_double(w, "gil_share", row->gil_share);
    fst_jsonw_double(w, "all_share", row->all_share);
    fst_jsonw_double(w, "held", row->held);
    fst_jsonw_double(w, "active", row->active);
    fst_jsonw_double(w, "ratio", row->ratio);
    put_ratio_interval(w, row->ratio_ci);
    put_word(w, "label", fst_gil_label_name(row->label));
    fst_json_members(w, row->members);
}

static void put_row(struct fst_jsonw *w, const struct fst_gil *gil, const struct fst_gil_row *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    put_row_figures(w, gil, row);
    fst_jsonw_close(w);
}

/* A row and those within it, which follow it; returns how many rows were put. */
static size_t put_nested_row(struct fst_jsonw *w, const struct fst_gil *gil, size_t at)
{
    const struct fst_gil_table *table = &gil->frames;
    size_t next = at + 1;
    fst_jsonw_open(w, NULL, '{');
    put_row_figures(w, gil, &table->rows[at]);
    fst_jsonw_u64(w, "of", table->rows[at].of);
    fst_jsonw_open(w, "rows", '[');
    for (; next < table->count && table->rows[next].within; next++) {
        put_row(w, gil, &table->rows[next]);
    }
    fst_jsonw_close(w);
    fst_jsonw_close(w);
    return next - at;
}

static void put_rows(struct fst_jsonw *w, const struct fst_gil *gil)
{
    fst_jsonw_u64(w, "of", gil->frames.of);
    fst_jsonw_open(w, "rows", '[');
    for (size_t i = 0; i < gil->frames.count;) {
        if (gil->nested) {
            i += put_nested_row(w, gil, i);
        } else {
            put_row(w, gil, &gil->frames.rows[i++]);
        }
    }
    fst_jsonw_close(w);
}

static void put_thread(struct fst_jsonw *w, const struct fst_gil *gil,
                       const struct fst_gil_thread *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    fst_jsonw_name(w, row->name);
    fst_jsonw_u64(w, "members", row->members);
    fst_jsonw_count(w, "gil", row->gil);
    put_count(w, "all", &gil->all, row->all);
    put_count(w, "idle", &gil->idle, row->idle);
    fst_jsonw_double(w, "gil_share", row->gil_share);
    fst_jsonw_double(w, "all_share", row->all_share);
    fst_jsonw_double(w, "held", row->held);
    fst_jsonw_double(w, "active", row->active);
    fst_jsonw_double(w, "without_gil", row->without);
    fst_jsonw_double(w, "blocked", row->blocked);
    fst_jsonw_close(w);
}

static void put_wait(struct fst_jsonw *w, const struct fst_gil *gil, const struct fst_gil_wait *row)
{
    fst_jsonw_open_inline(w, NULL, '{');
    fst_jsonw_name(w, row->name);
    put_count(w, "all", &gil->all, row->all);
    put_count(w, "idle", &gil->idle, row->idle);
    fst_jsonw_double(w, "waiting", row->waiting);
    fst_jsonw_text(w, "label", text_of("possible GIL or lock wait"));
    fst_jsonw_close(w);
}

/* What the verdict rests on. */
static void put_whole(struct fst_jsonw *w, const struct fst_gil *gil)
{
    const struct fst_gil_figures *whole = &gil->whole;
    fst_jsonw_open(w, "whole", '{');
    put_count(w, "gil", &gil->gil, gil->gil.whole);
    put_count(w, "all", &gil->all, gil->all.whole);
    fst_jsonw_double(w, "occupancy", whole->occupancy);
    fst_jsonw_interval(w, "occupancy_ci", whole->occupancy_ci);
    fst_jsonw_double(w, "active_threads", whole->active_threads);
    fst_jsonw_double(w, "without_gil", whole->without);
    fst_jsonw_double(w, "gil_share", whole->gil_share);
    fst_jsonw_interval(w, "gil_share_ci", whole->gil_share_ci);
    fst_jsonw_close(w);
}

static void put_figures(struct fst_jsonw *w, const struct fst_gil *gil)
{
    put_side(w, "gil", &gil->gil);
    put_side(w, "all", &gil->all);
    put_side(w, "idle", &gil->idle);
    fst_jsonw_double(w, "processes", gil->processes);
    fst_jsonw_double(w, "count_ratio", gil->count_ratio);
    put_text(w, "count_ratio_label", gil->count_ratio_label);
    fst_jsonw_double(w, "occupancy", gil->kept.occupancy);
    fst_jsonw_interval(w, "occupancy_ci", gil->kept.occupancy_ci);
    fst_jsonw_double(w, "active_threads", gil->kept.active_threads);
    fst_jsonw_double(w, "without_gil", gil->kept.without);
    fst_jsonw_double(w, "gil_share", gil->kept.gil_share);
    fst_jsonw_interval(w, "gil_share_ci", gil->kept.gil_share_ci);
    fst_jsonw_double(w, "alive_threads", gil->alive_threads);
    fst_jsonw_double(w, "blocked_threads", gil->blocked_threads);
    put_whole(w, gil);
    put_word(w, "verdict", fst_gil_verdict_name(gil->verdict));
    put_text(w, "verdict_text", gil->verdict_text);
}

void fst_gil_as_json(struct fst_sink *sink, const struct fst_gil_view *view)
{
    const struct fst_gil *gil = view->gil;
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "gil");
    fst_jsonw_open(&w, "notes", '[');
    fst_json_sentences(&w, gil->notes, gil->nnotes);
    fst_json_sentences(&w, gil->missing, gil->nmissing);
    fst_jsonw_close(&w);
    fst_jsonw_open(&w, "inputs", '[');
    put_inputs(&w, &gil->gil, "gil");
    put_inputs(&w, &gil->all, "all");
    put_inputs(&w, &gil->idle, "idle");
    fst_jsonw_close(&w);
    fst_jsonw_text(&w, "by", text_of(fst_by_name(gil->by)));
    if (gil->nested) {
        fst_jsonw_text(&w, "within", text_of(fst_by_name(gil->inner)));
    }
    fst_json_asked(&w, gil->asked, gil->nasked);
    fst_jsonw_text(&w, "percent_of", text_of(gil->percent_of == FST_OF_ALL ? "all" : "kept"));
    fst_jsonw_double(&w, "least_share", gil->least_share);
    put_figures(&w, gil);
    put_rows(&w, gil);
    fst_jsonw_open(&w, "threads", '[');
    for (size_t i = 0; i < gil->threads.count; i++) {
        put_thread(&w, gil, &gil->threads.rows[i]);
    }
    fst_jsonw_close(&w);
    fst_jsonw_open(&w, "waits", '[');
    for (size_t i = 0; i < gil->waits.count; i++) {
        put_wait(&w, gil, &gil->waits.rows[i]);
    }
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}
