#include <math.h>
#include <stdlib.h>

#include "render/json.h"

static void put_links(struct fst_jsonw *w, const char *key, const struct fst_peek_links *links)
{
    fst_jsonw_open(w, key, '[');
    for (size_t i = 0; i < links->count; i++) {
        fst_jsonw_open_inline(w, NULL, '{');
        fst_jsonw_name(w, links->rows[i].name);
        fst_jsonw_count(w, "total", links->rows[i].total);
        fst_jsonw_double(w, "share", links->rows[i].share);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

/* The number of a line; null where there is none that JSON can hold exactly. */
static void put_number(struct fst_jsonw *w, struct fst_str line)
{
    enum { DIGITS_MOST = 15 };
    char text[DIGITS_MOST + 2] = {0};
    if (line.len == 0 || line.len >= sizeof text) {
        fst_jsonw_double(w, "line", NAN);
        return;
    }
    memcpy(text, line.data, line.len);
    fst_jsonw_double(w, "line", (double)strtoll(text, NULL, 10));
}

static void put_lines(struct fst_jsonw *w, const struct fst_peek_lines *lines)
{
    fst_jsonw_open(w, "lines", '[');
    for (size_t i = 0; i < lines->count; i++) {
        const struct fst_peek_line *line = &lines->rows[i];
        fst_jsonw_open_inline(w, NULL, '{');
        put_number(w, line->line);
        fst_jsonw_name(w, line->name);
        fst_jsonw_count(w, "self", line->self);
        fst_jsonw_double(w, "self_share", line->self_share);
        fst_jsonw_count(w, "total", line->total);
        fst_jsonw_double(w, "total_share", line->total_share);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

static void put_stacks(struct fst_jsonw *w, const struct fst_peek_stacks *stacks)
{
    fst_jsonw_open(w, "stacks", '[');
    for (size_t i = 0; i < stacks->count; i++) {
        const struct fst_peek_stack *stack = &stacks->rows[i];
        fst_jsonw_open(w, NULL, '{');
        fst_jsonw_count(w, "total", stack->count);
        fst_jsonw_double(w, "share", stack->share);
        fst_jsonw_open(w, "frames", '[');
        fst_json_sentences(w, stack->frames, stack->nframes);
        fst_jsonw_close(w);
        fst_jsonw_close(w);
    }
    fst_jsonw_close(w);
}

static void put_match(struct fst_jsonw *w, const struct fst_peek_match *match)
{
    fst_jsonw_open(w, NULL, '{');
    fst_jsonw_name(w, match->name);
    fst_jsonw_count(w, "self", match->self);
    fst_jsonw_double(w, "self_share", match->self_share);
    fst_jsonw_count(w, "total", match->total);
    fst_jsonw_double(w, "total_share", match->total_share);
    fst_jsonw_count(w, "begins", match->begins);
    fst_jsonw_double(w, "begins_share", match->begins_share);
    fst_jsonw_double(w, "ends_share", match->ends_share);
    fst_jsonw_u64(w, "callers_of", match->callers.of);
    put_links(w, "callers", &match->callers);
    fst_jsonw_u64(w, "callees_of", match->callees.of);
    put_links(w, "callees", &match->callees);
    fst_jsonw_u64(w, "lines_of", match->lines.of);
    put_lines(w, &match->lines);
    fst_jsonw_u64(w, "stacks_of", match->stacks.of);
    put_stacks(w, &match->stacks);
    fst_jsonw_close(w);
}

void fst_peek_as_json(struct fst_sink *sink, const struct fst_peek_view *view)
{
    const struct fst_peek *peek = view->peek;
    struct fst_jsonw w = {.sink = sink};
    fst_jsonw_open(&w, NULL, '{');
    fst_json_head(&w, "peek");
    fst_jsonw_open(&w, "notes", '[');
    fst_json_sentences(&w, peek->notes, peek->nnotes);
    fst_jsonw_close(&w);
    fst_json_inputs(&w, &view->page);
    fst_json_scope(&w, &peek->scope, peek->by);
    fst_jsonw_text(&w, "pattern", peek->pattern);
    fst_jsonw_u64(&w, "of", peek->of);
    fst_jsonw_open(&w, "matches", '[');
    for (size_t i = 0; i < peek->count; i++) {
        put_match(&w, &peek->matches[i]);
        fst_sink_spill(sink);
    }
    fst_jsonw_close(&w);
    fst_jsonw_close(&w);
}
