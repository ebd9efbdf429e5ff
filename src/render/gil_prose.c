#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "render/gil_parts.h"

/* --- figures -------------------------------------------------------------------------------- */

/* Two decimals where one would say little. */
static void add_percent(struct fst_buf *out, double share)
{
    if (isnan(share)) {
        fst_buf_add_char(out, '-');
    } else if (share > 0 && share < 0.00005) {
        fst_buf_add_cstr(out, "<0.01%");
    } else {
        fst_buf_add_fmt(out, share < 0.1 ? "%.2f%%" : "%.1f%%", share * 100);
    }
}

static void add_interval(struct fst_buf *out, struct fst_interval interval)
{
    if (!isnan(interval.lo)) {
        bool fine = interval.hi < 0.1;
        fst_buf_add_fmt(out, fine ? "%.2f-%.2f%%" : "%.1f-%.1f%%", interval.lo * 100,
                        interval.hi * 100);
    }
}

static void add_threads(struct fst_buf *out, double threads)
{
    if (isnan(threads)) {
        fst_buf_add_char(out, '-');
    } else {
        fst_buf_add_fmt(out, "%.2f", threads);
    }
}

static void add_samples(struct fst_buf *out, struct fst_count count)
{
    fst_i128 samples = fst_count_unpack(count);
    fst_number_grouped(out, samples);
    fst_buf_add_cstr(out, samples == FST_COUNT_ONE ? " sample" : " samples");
}

static void add_ticks(struct fst_buf *out, double ticks)
{
    fst_number_grouped_double(out, floor(ticks + 0.5));
    fst_buf_add_cstr(out, " ticks");
}

static void add_basis(struct fst_buf *out, const struct fst_gil_side *side)
{
    add_samples(out, side->samples);
    fst_buf_add_cstr(out, isnan(side->ticks) ? ", but the ticks are not known" : " in ");
    if (!isnan(side->ticks)) {
        add_ticks(out, side->ticks);
    }
}

/* Figures of some stacks are not those of the process. */
static const char *in_kept(const struct fst_gil *gil)
{
    return gil->filtered ? " in the kept stacks" : "";
}

static bool make_occupancy(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    bool many = gil->processes > 1;
    fst_buf_add_cstr(&f->label, "GIL occupancy");
    add_percent(&f->value, gil->kept.occupancy);
    add_interval(&f->interval, gil->kept.occupancy_ci);
    fst_buf_add_cstr(&f->meaning, many ? "of the time the lock of a process was held"
                                       : "of the time a thread held the lock");
    fst_buf_add_cstr(&f->meaning, in_kept(gil));
    fst_buf_add_cstr(&f->meaning, ": ");
    add_basis(&f->meaning, &gil->gil);
    if (many) {
        fst_buf_add_cstr(&f->meaning, " of ");
        fst_number_grouped_double(&f->meaning, gil->processes);
        fst_buf_add_cstr(&f->meaning, " processes");
    }
    if (gil->verdict == FST_GIL_UNKNOWN && !isnan(gil->gil.ticks)) {
        fst_buf_add_cstr(&f->meaning, ", if it was seen: see the verdict");
    }
    return true;
}

static bool make_active(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "active threads");
    add_threads(&f->value, gil->kept.active_threads);
    fst_buf_add_fmt(&f->meaning, "on average%s: ", in_kept(gil));
    add_basis(&f->meaning, &gil->all);
    return gil->all.ninputs > 0;
}

static bool make_without(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "without GIL");
    add_threads(&f->value, gil->kept.without);
    fst_buf_add_cstr(&f->meaning, "of them, on average, did not hold it");
    return gil->all.ninputs > 0 && !isnan(gil->kept.without);
}

static bool make_share(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "GIL share");
    add_percent(&f->value, gil->kept.gil_share);
    add_interval(&f->interval, gil->kept.gil_share_ci);
    fst_buf_add_fmt(&f->meaning, "of active thread time%s held the lock", in_kept(gil));
    return gil->all.ninputs > 0;
}

static bool make_count_ratio(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "count ratio");
    add_percent(&f->value, gil->count_ratio);
    fst_buf_add_str(&f->meaning, gil->count_ratio_label);
    return gil->all.ninputs > 0;
}

static bool make_alive(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "threads");
    add_threads(&f->value, gil->alive_threads);
    fst_buf_add_fmt(&f->meaning, "on average%s, active or not: ", in_kept(gil));
    add_basis(&f->meaning, &gil->idle);
    return gil->idle.ninputs > 0;
}

static bool make_blocked(struct fst_gil_figure *f, const struct fst_gil *gil)
{
    fst_buf_add_cstr(&f->label, "blocked");
    add_threads(&f->value, gil->blocked_threads);
    fst_buf_add_cstr(&f->meaning, "of them, on average, waited or were blocked, on whatever");
    return gil->idle.ninputs > 0 && gil->all.ninputs > 0;
}

static bool (*const figures[FST_GIL_FIGURES])(struct fst_gil_figure *f,
                                              const struct fst_gil *gil) = {
    make_occupancy,   make_active, make_without, make_share,
    make_count_ratio, make_alive,  make_blocked,
};

bool fst_gil_figure_make(struct fst_gil_figure *figure, const struct fst_gil *gil, int i)
{
    return figures[i](figure, gil);
}

void fst_gil_figure_clear(struct fst_gil_figure *figure)
{
    fst_buf_clear(&figure->label);
    fst_buf_clear(&figure->value);
    fst_buf_clear(&figure->interval);
    fst_buf_clear(&figure->meaning);
}

void fst_gil_figure_release(struct fst_gil_figure *figure, struct fst_buf *out)
{
    out->failed = out->failed || figure->label.failed || figure->value.failed ||
                  figure->interval.failed || figure->meaning.failed;
    fst_buf_release(&figure->label);
    fst_buf_release(&figure->value);
    fst_buf_release(&figure->interval);
    fst_buf_release(&figure->meaning);
}

/* --- sentences ------------------------------------------------------------------------------ */

const struct fst_gil_side *fst_gil_side_at(const struct fst_gil *gil, int i, const char **title)
{
    static const char *const titles[] = {"GIL", "ALL", "IDLE"};
    const struct fst_gil_side *const sides[] = {&gil->gil, &gil->all, &gil->idle};
    for (size_t k = 0; k < FST_COUNT_OF(sides); k++) {
        if (sides[k]->ninputs > 0 && i-- == 0) {
            *title = titles[k];
            return sides[k];
        }
    }
    return NULL;
}

void fst_gil_prose_side(struct fst_buf *out, const struct fst_gil_side *side, bool filters,
                        fst_name_fn name)
{
    struct fst_view view = {.inputs = side->inputs, .ninputs = side->ninputs};
    fst_prose_inputs(out, &view, name);
    fst_buf_add_cstr(out, " · ");
    if (filters) {
        double offered = fst_count_value(side->offered);
        fst_number_grouped(out, fst_count_unpack(side->samples));
        fst_buf_add_cstr(out, " of ");
        add_samples(out, side->offered);
        if (offered > 0) {
            fst_buf_add_fmt(out, " (%.1f %%)", fst_count_value(side->samples) / offered * 100);
        }
    } else {
        add_samples(out, side->samples);
    }
    if (!isnan(side->ticks)) {
        fst_buf_add_cstr(out, " · ");
        add_ticks(out, side->ticks);
    }
}

void fst_gil_prose_verdict(struct fst_buf *out, const struct fst_gil *gil)
{
    fst_buf_add_cstr(out, fst_gil_verdict_name(gil->verdict));
    fst_buf_add_cstr(out, gil->filtered ? ", filters aside" : "");
}

void fst_gil_prose_rows(struct fst_buf *out, size_t count, size_t of)
{
    if (count < of) {
        fst_number_grouped_u64(out, count);
        fst_buf_add_cstr(out, " of ");
        fst_number_grouped_u64(out, of);
        fst_buf_add_cstr(out, " rows.");
    }
}
