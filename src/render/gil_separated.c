/* gil as CSV and TSV: one line a row of any table, told apart by the first column.
 *
 *     figure   name is a figure; value, lo, hi. Those called whole_… are what the verdict rests on, all
 *              of the processes that are asked for, the others of what filters kept
 *     verdict  name is the verdict
 *     frame    counts, shares, held, active, without; value is held / active, lo and hi its interval;
 *              members, where names of threads became one
 *     within   the same, of a row within the row that the last field names
 *     thread   counts, shares, held, active, without, blocked, members
 *     wait     counts; value is the mean number of threads that wait
 *
 * Figures that are absent are empty fields. */
#include <math.h>

#include "base/number.h"
#include "render/render.h"
#include "render/separated.h"

/* One line; what a table does not have is NaN or empty. */
struct line {
    const char *table;
    struct fst_str name;
    uint64_t members; /* 0: none */
    const struct fst_count *gil;
    const struct fst_count *all;
    const struct fst_count *idle;
    double gil_share;
    double all_share;
    double held;
    double active;
    double without;
    double blocked;
    double value;
    struct fst_interval ci;
    const char *label;
    struct fst_str outer;
};

static const struct line empty = {
    .name = {"", 0},
    .gil_share = NAN,
    .all_share = NAN,
    .held = NAN,
    .active = NAN,
    .without = NAN,
    .blocked = NAN,
    .value = NAN,
    .ci = {NAN, NAN},
    .label = "",
    .outer = {"", 0},
};

static void put_count(struct fst_buf *out, const struct fst_separated *format,
                      const struct fst_count *count)
{
    if (count == NULL) {
        fst_buf_add_char(out, format->separator);
    } else {
        fst_separated_count(out, format, *count);
    }
}

static void put_line(struct fst_sink *sink, const struct fst_gil_view *view,
                     const struct fst_separated *format, const struct line *line)
{
    struct fst_buf *out = &sink->buf;
    fst_buf_add_cstr(out, line->table);
    fst_buf_add_char(out, format->separator);
    fst_separated_name(out, format, line->name, view->options->terminal);
    fst_buf_add_char(out, format->separator);
    if (line->members > 0) {
        fst_buf_add_fmt(out, "%llu", (unsigned long long)line->members);
    }
    put_count(out, format, line->gil);
    put_count(out, format, line->all);
    put_count(out, format, line->idle);
    const double fields[] = {
        line->gil_share, line->all_share, line->held,
        line->active,    line->without,   line->blocked,
        line->value,     line->ci.lo,     isinf(line->ci.hi) ? NAN : line->ci.hi};
    for (size_t i = 0; i < FST_COUNT_OF(fields); i++) {
        fst_separated_double(out, format, fields[i]);
    }
    fst_buf_add_char(out, format->separator);
    fst_buf_add_cstr(out, line->label);
    if (view->gil->nested) {
        fst_buf_add_char(out, format->separator);
        if (line->outer.len > 0) {
            fst_separated_name(out, format, line->outer, view->options->terminal);
        }
    }
    fst_buf_add_cstr(out, format->line_end);
    fst_sink_spill(sink);
}

static void put_figures(struct fst_sink *sink, const struct fst_gil_view *view,
                        const struct fst_separated *format)
{
    const struct fst_gil *gil = view->gil;
    const struct fst_interval none = {NAN, NAN};
    const struct {
        const char *name;
        double value;
        struct fst_interval ci;
    } figures[] = {
        {"gil_ticks", gil->gil.ticks, none},
        {"all_ticks", gil->all.ticks, none},
        {"idle_ticks", gil->idle.ticks, none},
        {"processes", gil->processes, none},
        {"count_ratio", gil->count_ratio, none},
        {"occupancy", gil->kept.occupancy, gil->kept.occupancy_ci},
        {"active_threads", gil->kept.active_threads, none},
        {"without_gil", gil->kept.without, none},
        {"gil_share", gil->kept.gil_share, gil->kept.gil_share_ci},
        {"alive_threads", gil->alive_threads, none},
        {"blocked_threads", gil->blocked_threads, none},
        {"whole_occupancy", gil->whole.occupancy, gil->whole.occupancy_ci},
        {"whole_active_threads", gil->whole.active_threads, none},
        {"whole_without_gil", gil->whole.without, none},
        {"whole_gil_share", gil->whole.gil_share, gil->whole.gil_share_ci},
    };
    for (size_t i = 0; i < FST_COUNT_OF(figures); i++) {
        struct line line = empty;
        line.table = "figure";
        line.name = fst_str_cstr(figures[i].name);
        line.value = figures[i].value;
        line.ci = figures[i].ci;
        put_line(sink, view, format, &line);
    }
    struct line verdict = empty;
    verdict.table = "verdict";
    verdict.name = fst_str_cstr(fst_gil_verdict_name(gil->verdict));
    put_line(sink, view, format, &verdict);
}

static void put_frames(struct fst_sink *sink, const struct fst_gil_view *view,
                       const struct fst_separated *format)
{
    const struct fst_gil_table *table = &view->gil->frames;
    bool all = view->gil->all.ninputs > 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct fst_gil_row *row = &table->rows[i];
        struct line line = empty;
        line.table = row->within ? "within" : "frame";
        line.name = row->name;
        line.outer = row->outer;
        line.members = row->members;
        line.gil = &row->gil;
        line.all = all ? &row->all : NULL;
        line.gil_share = row->gil_share;
        line.all_share = row->all_share;
        line.held = row->held;
        line.active = row->active;
        line.without = row->without;
        line.value = row->ratio;
        line.ci = row->ratio_ci;
        line.label = fst_gil_label_name(row->label);
        put_line(sink, view, format, &line);
    }
}

static void put_threads(struct fst_sink *sink, const struct fst_gil_view *view,
                        const struct fst_separated *format)
{
    const struct fst_gil *gil = view->gil;
    for (size_t i = 0; i < gil->threads.count; i++) {
        const struct fst_gil_thread *row = &gil->threads.rows[i];
        struct line line = empty;
        line.table = "thread";
        line.name = row->name;
        line.members = row->members;
        line.gil = &row->gil;
        line.all = gil->all.ninputs > 0 ? &row->all : NULL;
        line.idle = gil->idle.ninputs > 0 ? &row->idle : NULL;
        line.gil_share = row->gil_share;
        line.all_share = row->all_share;
        line.held = row->held;
        line.active = row->active;
        line.without = row->without;
        line.blocked = row->blocked;
        put_line(sink, view, format, &line);
    }
}

static void put_waits(struct fst_sink *sink, const struct fst_gil_view *view,
                      const struct fst_separated *format)
{
    const struct fst_gil *gil = view->gil;
    for (size_t i = 0; i < gil->waits.count; i++) {
        const struct fst_gil_wait *row = &gil->waits.rows[i];
        struct line line = empty;
        line.table = "wait";
        line.name = row->name;
        line.all = gil->all.ninputs > 0 ? &row->all : NULL;
        line.idle = gil->idle.ninputs > 0 ? &row->idle : NULL;
        line.value = row->waiting;
        line.label = "possible GIL or lock wait";
        put_line(sink, view, format, &line);
    }
}

static void put_all(struct fst_sink *sink, const struct fst_gil_view *view,
                    const struct fst_separated *format)
{
    static const char *const fields[] = {
        "table",  "name",    "members", "gil",   "all", "idle", "gil_share", "all_share", "held",
        "active", "without", "blocked", "value", "lo",  "hi",   "label",     "within",
    };
    fst_separated_head(&sink->buf, format, fields,
                       FST_COUNT_OF(fields) - (view->gil->nested ? 0 : 1));
    put_figures(sink, view, format);
    put_frames(sink, view, format);
    put_threads(sink, view, format);
    put_waits(sink, view, format);
}

void fst_gil_as_csv(struct fst_sink *sink, const struct fst_gil_view *view)
{
    put_all(sink, view, &fst_separated_csv);
}

void fst_gil_as_tsv(struct fst_sink *sink, const struct fst_gil_view *view)
{
    put_all(sink, view, &fst_separated_tsv);
}
