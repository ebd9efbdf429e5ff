/* The tables of gil. */
#include <math.h>

#include "base/number.h"
#include "render/gil_parts.h"

/* --- cells ---------------------------------------------------------------------------------- */

/* Mean numbers of threads are small for most rows. */
static void add_threads(struct fst_buf *out, double threads)
{
    if (isnan(threads)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.3f", threads);
    }
}

static const struct fst_gil_row *frame(const void *row)
{
    return row;
}

static const struct fst_gil_thread *thread(const void *row)
{
    return row;
}

static const struct fst_gil_wait *wait(const void *row)
{
    return row;
}

static void frame_gil(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, frame(row)->gil);
}

static void frame_gil_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, frame(row)->gil_share);
}

static void frame_all(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, frame(row)->all);
}

static void frame_all_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, frame(row)->all_share);
}

static void frame_held(struct fst_buf *out, const void *row)
{
    add_threads(out, frame(row)->held);
}

static void frame_active(struct fst_buf *out, const void *row)
{
    add_threads(out, frame(row)->active);
}

static void frame_without(struct fst_buf *out, const void *row)
{
    add_threads(out, frame(row)->without);
}

static void frame_ratio(struct fst_buf *out, const void *row)
{
    if (isnan(frame(row)->ratio)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.2f", frame(row)->ratio);
    }
}

static void frame_interval(struct fst_buf *out, const void *row)
{
    struct fst_interval ci = frame(row)->ratio_ci;
    if (isinf(ci.hi)) {
        fst_buf_add_fmt(out, ">%.2f", ci.lo);
    } else {
        fst_buf_add_fmt(out, "%.2f-%.2f", ci.lo, ci.hi);
    }
}

static void frame_label(struct fst_buf *out, const void *row)
{
    fst_buf_add_cstr(out, fst_gil_label_name(frame(row)->label));
}

static void thread_gil(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, thread(row)->gil);
}

static void thread_gil_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, thread(row)->gil_share);
}

static void thread_all(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, thread(row)->all);
}

static void thread_held(struct fst_buf *out, const void *row)
{
    add_threads(out, thread(row)->held);
}

static void thread_active(struct fst_buf *out, const void *row)
{
    add_threads(out, thread(row)->active);
}

static void thread_without(struct fst_buf *out, const void *row)
{
    add_threads(out, thread(row)->without);
}

static void thread_blocked(struct fst_buf *out, const void *row)
{
    add_threads(out, thread(row)->blocked);
}

static void thread_members(struct fst_buf *out, const void *row)
{
    fst_number_grouped_u64(out, thread(row)->members);
}

static void wait_all(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, wait(row)->all);
}

static void wait_idle(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, wait(row)->idle);
}

static void wait_waiting(struct fst_buf *out, const void *row)
{
    add_threads(out, wait(row)->waiting);
}

static struct fst_str frame_name(const void *row)
{
    return frame(row)->name;
}

static struct fst_str thread_name(const void *row)
{
    return thread(row)->name;
}

static struct fst_str wait_name(const void *row)
{
    return wait(row)->name;
}

/* A frame that surely holds the lock, and for a part of it that is worth a look. */
static bool holds(const void *row)
{
    return frame(row)->label == FST_GIL_HOLDS && frame(row)->gil_share >= 0.05;
}

/* --- columns -------------------------------------------------------------------------------- */

/* What a column needs to have figures. */
enum need { ALWAYS, ALL, TICKS, BOTH_TICKS, IDLE, IDLE_TICKS };

struct column {
    enum need need;
    struct fst_column column;
};

static const struct column holding[] = {
    {ALWAYS, {"GIL", 6, 0, false, frame_gil}},
    {ALWAYS, {"GIL%", 6, 6, true, frame_gil_share}},
    {TICKS, {"HELD", 6, 4, false, frame_held}},
    {ALL, {"ALL", 6, 3, false, frame_all}},
    {ALL, {"ALL%", 6, 2, false, frame_all_share}},
    {BOTH_TICKS, {"ACTIVE", 6, 5, false, frame_active}},
    {BOTH_TICKS, {"RATIO", 5, 7, false, frame_ratio}},
    {BOTH_TICKS, {"95 % CI", 9, 1, false, frame_interval}},
    {BOTH_TICKS, {"LABEL", 13, 8, true, frame_label}},
};

static const struct column without[] = {
    {ALWAYS, {"ALL", 6, 2, false, frame_all}},
    {ALWAYS, {"ALL%", 6, 3, false, frame_all_share}},
    {ALWAYS, {"ACTIVE", 6, 4, false, frame_active}},
    {ALWAYS, {"HELD", 6, 1, false, frame_held}},
    {ALWAYS, {"WITHOUT", 7, 0, false, frame_without}},
    {ALWAYS, {"LABEL", 11, 5, false, frame_label}},
};

static const struct column threads[] = {
    {ALWAYS, {"GIL", 6, 0, false, thread_gil}},
    {ALWAYS, {"GIL%", 6, 7, false, thread_gil_share}},
    {TICKS, {"HELD", 6, 3, false, thread_held}},
    {ALL, {"ALL", 6, 1, false, thread_all}},
    {BOTH_TICKS, {"ACTIVE", 6, 4, false, thread_active}},
    {BOTH_TICKS, {"WITHOUT", 7, 5, false, thread_without}},
    {IDLE_TICKS, {"BLOCKED", 7, 6, false, thread_blocked}},
    {ALWAYS, {"MEMBERS", 7, 2, false, thread_members}},
};

static const struct column waits[] = {
    {ALL, {"ALL", 6, 1, false, wait_all}},
    {IDLE, {"IDLE", 6, 2, false, wait_idle}},
    {ALWAYS, {"WAITING", 7, 0, false, wait_waiting}},
};

static bool has(const struct fst_gil *gil, enum need need)
{
    bool ticks = !isnan(gil->gil.ticks);
    bool both = ticks && !isnan(gil->all.ticks);
    switch (need) {
    case ALL: return gil->all.ninputs > 0;
    case TICKS: return ticks;
    case BOTH_TICKS: return both;
    case IDLE: return gil->idle.ninputs > 0;
    case IDLE_TICKS: return !isnan(gil->idle.ticks) && !isnan(gil->all.ticks);
    default: return true;
    }
}

static void add_columns(struct fst_columns *columns, const struct fst_gil *gil,
                        const struct column *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (has(gil, from[i].need)) {
            fst_columns_add(columns, &from[i].column);
        }
    }
}

/* --- sections ------------------------------------------------------------------------------- */

/* "40 threads" behind the name of a row that stands for several. */
static void add_members(struct fst_buf *out, const struct fst_grid *grid, const void *row)
{
    const struct fst_gil *gil = grid->ctx;
    fst_cell_members(out, frame(row)->members, frame(row)->within ? gil->inner : gil->by);
}

static bool is_within(const void *row)
{
    return frame(row)->within;
}

static size_t rows_within(const void *row)
{
    return frame(row)->of;
}

static struct fst_gil_section frames_section(const char *title, const char *heading,
                                             const struct fst_gil *gil,
                                             const struct fst_gil_table *table)
{
    struct fst_gil_section section = {
        .title = title, .heading = heading, .shown = table->shown, .of = table->of};
    section.grid = (struct fst_grid){.rows = table->rows,
                                     .stride = sizeof *table->rows,
                                     .count = table->count,
                                     .name = frame_name,
                                     .stands_out = holds,
                                     .ctx = gil,
                                     .add_note = add_members,
                                     .is_inner = is_within,
                                     .of = rows_within};
    fst_columns_name_rows(&section.grid.columns, gil->by, gil->nested, gil->inner);
    return section;
}

static struct fst_gil_section holding_section(const struct fst_gil *gil)
{
    struct fst_gil_section section =
        frames_section("HOLDING THE GIL", "Holding the GIL", gil, &gil->holding);
    add_columns(&section.grid.columns, gil, holding, FST_COUNT_OF(holding));
    return section;
}

static struct fst_gil_section without_section(const struct fst_gil *gil)
{
    struct fst_gil_section section =
        frames_section("ACTIVE WITHOUT IT", "Active without it", gil, &gil->without_it);
    add_columns(&section.grid.columns, gil, without, FST_COUNT_OF(without));
    return section;
}

static struct fst_gil_section threads_section(const struct fst_gil *gil)
{
    struct fst_gil_section section = {.title = "THREADS",
                                      .heading = "Threads",
                                      .shown = gil->threads.count,
                                      .of = gil->threads.of};
    section.grid = (struct fst_grid){.rows = gil->threads.rows,
                                     .stride = sizeof *gil->threads.rows,
                                     .count = gil->threads.count,
                                     .name = thread_name};
    fst_columns_name(&section.grid.columns, "THREAD");
    add_columns(&section.grid.columns, gil, threads, FST_COUNT_OF(threads));
    return section;
}

static struct fst_gil_section waits_section(const struct fst_gil *gil)
{
    struct fst_gil_section section = {.title = "POSSIBLE GIL OR LOCK WAITS",
                                      .heading = "Possible GIL or lock waits",
                                      .shown = gil->waits.count,
                                      .of = gil->waits.of};
    section.grid = (struct fst_grid){.rows = gil->waits.rows,
                                     .stride = sizeof *gil->waits.rows,
                                     .count = gil->waits.count,
                                     .name = wait_name};
    fst_columns_name(&section.grid.columns, "NATIVE FRAME");
    add_columns(&section.grid.columns, gil, waits, FST_COUNT_OF(waits));
    return section;
}

struct fst_gil_section fst_gil_section_at(const struct fst_gil *gil, int i)
{
    static struct fst_gil_section (*const sections[FST_GIL_SECTIONS])(const struct fst_gil *) = {
        holding_section, without_section, threads_section, waits_section};
    return sections[i](gil);
}
