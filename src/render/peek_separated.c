/* peek as CSV and TSV: a line a relation, told by the second column.
 *
 *     match    what matches; shares are of the whole
 *     begins   stacks that begin with it; shares here and below are of its total
 *     caller   name calls it
 *     callee   it calls name
 *     line     name is it, with its line
 *     stack    name is the stack, frames parted by semicolons */
#include <math.h>

#include "render/render.h"
#include "render/separated.h"

struct relation {
    const char *kind;
    struct fst_str name;
    const struct fst_count *self; /* NULL: none */
    double self_share;
    struct fst_count total;
    double total_share;
};

static void put(struct fst_sink *sink, const struct fst_peek_view *view,
                const struct fst_separated *format, struct fst_str match,
                const struct relation *relation)
{
    struct fst_buf *out = &sink->buf;
    bool terminal = view->page.options->terminal;
    fst_separated_name(out, format, match, terminal);
    fst_buf_add_fmt(out, "%c%s%c", format->separator, relation->kind, format->separator);
    fst_separated_name(out, format, relation->name, terminal);
    if (relation->self != NULL) {
        fst_separated_count(out, format, *relation->self);
    } else {
        fst_buf_add_char(out, format->separator);
    }
    fst_separated_double(out, format, relation->self_share);
    fst_separated_count(out, format, relation->total);
    fst_separated_double(out, format, relation->total_share);
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_links(struct fst_sink *sink, const struct fst_peek_view *view,
                      const struct fst_separated *format, struct fst_str match, const char *kind,
                      const struct fst_peek_links *links)
{
    for (size_t i = 0; i < links->count; i++) {
        const struct fst_peek_link *link = &links->rows[i];
        struct relation relation = {kind, link->name, NULL, NAN, link->total, link->share};
        put(sink, view, format, match, &relation);
    }
}

static void put_stacks(struct fst_sink *sink, const struct fst_peek_view *view,
                       const struct fst_separated *format, const struct fst_peek_match *match)
{
    struct fst_buf name = {0};
    for (size_t i = 0; i < match->stacks.count; i++) {
        const struct fst_peek_stack *stack = &match->stacks.rows[i];
        fst_buf_clear(&name);
        for (size_t k = 0; k < stack->nframes; k++) {
            fst_buf_add_cstr(&name, k == 0 ? "" : ";");
            fst_buf_add_str(&name, stack->frames[k]);
        }
        struct relation relation = {"stack", fst_buf_str(&name), NULL,
                                    NAN,     stack->count,       stack->share};
        put(sink, view, format, match->name, &relation);
    }
    sink->buf.failed = sink->buf.failed || name.failed;
    fst_buf_release(&name);
}

static void put_match(struct fst_sink *sink, const struct fst_peek_view *view,
                      const struct fst_separated *format, const struct fst_peek_match *match)
{
    struct relation own = {"match",           match->name,  &match->self,
                           match->self_share, match->total, match->total_share};
    put(sink, view, format, match->name, &own);
    if (fst_count_value(match->begins) != 0) {
        struct relation begins = {"begins", match->name,   NULL,
                                  NAN,      match->begins, match->begins_share};
        put(sink, view, format, match->name, &begins);
    }
    put_links(sink, view, format, match->name, "caller", &match->callers);
    put_links(sink, view, format, match->name, "callee", &match->callees);
    for (size_t i = 0; i < match->lines.count; i++) {
        const struct fst_peek_line *line = &match->lines.rows[i];
        struct relation relation = {"line",           line->name,  &line->self,
                                    line->self_share, line->total, line->total_share};
        put(sink, view, format, match->name, &relation);
    }
    put_stacks(sink, view, format, match);
}

static void put_all(struct fst_sink *sink, const struct fst_peek_view *view,
                    const struct fst_separated *format)
{
    static const char *const fields[] = {"match",      "relation", "name",       "self",
                                         "self_share", "total",    "total_share"};
    fst_separated_head(&sink->buf, format, fields, FST_COUNT_OF(fields));
    for (size_t i = 0; i < view->peek->count; i++) {
        put_match(sink, view, format, &view->peek->matches[i]);
    }
}

void fst_peek_as_csv(struct fst_sink *sink, const struct fst_peek_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_peek_as_tsv(struct fst_sink *sink, const struct fst_peek_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
