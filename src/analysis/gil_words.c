/* What there is to say beside the verdict: what the count ratio means, which options would add what is
 * missing, what to be careful of. */
#include <math.h>

#include "analysis/gil_parts.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"

/* --- what the count ratio means ------------------------------------------------------------- */

static void label_ratio(struct fst_buf *out, const struct fst_gil *gil)
{
    if (isnan(gil->count_ratio)) {
        return;
    }
    if (isnan(gil->gil.ticks) || isnan(gil->all.ticks)) {
        fst_buf_add_cstr(out, "comparable only if both recordings had the same number of ticks");
        return;
    }
    bool same = gil->gil.ticks == gil->all.ticks;
    fst_buf_add_cstr(out, same ? "comparable: both recordings had " : "not comparable: ");
    fst_gil_add_ticks(out, gil->gil.ticks);
    if (!same) {
        fst_buf_add_cstr(out, " against ");
        fst_number_grouped_double(out, floor(gil->all.ticks + 0.5));
    }
}

/* --- what is missing ------------------------------------------------------------------------ */

/* What the ticks of a side would give. */
static const struct {
    const char *option;
    const char *gives;
} wanted[FST_SIDES] = {
    [FST_SIDE_GIL] = {"gil", "the occupancy"},
    [FST_SIDE_ALL] = {"all", "the number of active threads"},
    [FST_SIDE_IDLE] = {"idle", "the threads that wait or are blocked"},
};

static const struct fst_gil_side *side_of(const struct fst_gil *gil, enum fst_gil_which side)
{
    const struct fst_gil_side *const sides[FST_SIDES] = {&gil->gil, &gil->all, &gil->idle};
    return sides[side];
}

static void say_missing(struct fst_buf *out, const struct fst_gil_work *gil,
                        enum fst_gil_which side)
{
    const struct fst_gil_side *what = side_of(&gil->base, side);
    if (!gil->sampled || what->ninputs == 0 || !isnan(what->ticks)) {
        return;
    }
    bool rate = true;
    bool duration = true;
    for (size_t i = 0; i < what->ninputs; i++) {
        rate = rate && !isnan(what->inputs[i].rate);
        duration = duration && !isnan(what->inputs[i].duration);
    }
    const char *option = wanted[side].option;
    fst_escape_text(out, what->inputs[0].name);
    fst_buf_add_cstr(out, !rate && !duration ? ": rate and duration are not known: "
                          : !rate            ? ": the rate is not known: "
                          : !duration        ? ": the duration is not known: "
                                             : ": the ticks are not known: ");
    if (!rate) {
        fst_buf_add_fmt(out, "--%s-rate HZ", option);
    }
    if (!duration) {
        fst_buf_add_fmt(out, "%s--%s-duration SECONDS", rate ? "" : " ", option);
    }
    fst_buf_add_fmt(out, rate && duration ? "--%s-ticks N gives %s" : " (or --%s-ticks N) gives %s",
                    option, wanted[side].gives);
}

static void say_alone(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->sides[FST_SIDE_ALL] == NULL && gil->sampled) {
        fst_buf_add_cstr(out, "one recording tells the occupancy alone: a second one without --gil "
                              "(foldstat gil GIL ALL) gives active threads, what runs without the "
                              "GIL, and the verdict");
    }
}

/* --- notes ---------------------------------------------------------------------------------- */

static void on_no_samples(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (!gil->sampled) {
        fst_buf_add_cstr(out, "the counts are no samples (fractions, negative counts, or another "
                              "unit), so that there are no ticks and no verdict");
    }
}

static void on_occupancy(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->base.whole.occupancy > 1) {
        fst_buf_add_fmt(
            out,
            "the occupancy is %.2f, but one process can hold its lock only once a "
            "tick: the rate or duration is wrong, or the first file is not the "
            "--gil recording%s",
            gil->base.whole.occupancy,
            gil->base.processes > 1 ? "" : ", or several processes were recorded (--processes N)");
    }
}

static void on_share(struct fst_buf *out, const struct fst_gil_work *gil)
{
    const struct fst_gil_figures *whole = &gil->base.whole;
    if (whole->gil_share > 1) {
        fst_buf_add_fmt(out,
                        "the GIL share is %.2f, more than all active thread time: the lock was "
                        "held by threads that the profiler took for idle (blocked while holding "
                        "it), or the two recordings had different loads",
                        whole->gil_share);
    }
    if (whole->active_threads == 0 && whole->occupancy > 0) {
        fst_buf_add_cstr(out, "the lock was held while the second recording has no active thread: "
                              "the two cannot be of the same load");
    }
}

static void on_processes(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->processes_named) {
        fst_buf_add_fmt(out,
                        "the stacks name %.0f processes: occupancy and verdict are means of a "
                        "process, as if each lived all the time; --processes N says otherwise, "
                        "--processes 1 gives the sum",
                        gil->base.processes);
    }
}

/* py-spy --native takes threads that wait in a native frame for active. */
static void on_waits(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->whole_waiting > 0) {
        fst_buf_add_fmt(out,
                        "%.2f of the active threads were in native frames that wait for a lock, "
                        "perhaps the GIL, and did no work there",
                        gil->whole_waiting);
    }
}

/* One row's figures rest on two counts; a mixture of names in the two recordings breaks them. */
static void on_strangers(struct fst_buf *out, const struct fst_gil_work *gil)
{
    bool held = fst_gil_kept(gil, FST_SIDE_GIL) > 0;
    bool active = fst_gil_kept(gil, FST_SIDE_ALL) > 0;
    if (gil->rows_meet || gil->base.nested || gil->base.filtered || !held || !active) {
        return;
    }
    fst_buf_add_cstr(out, "no leaf of one recording occurs in the other: were they made of the "
                          "same program, with the same options (--native, --function, "
                          "--nolineno)?");
}

static void (*const on_result[])(struct fst_buf *out, const struct fst_gil_work *gil) = {
    on_no_samples, on_occupancy, on_share, on_processes, on_waits, on_strangers,
};

/* --- all of it ------------------------------------------------------------------------------ */

/* Files a sentence; clears it. */
static void flush(struct fst_notes *into, struct fst_buf *sentence)
{
    if (sentence->len > 0) {
        fst_notes_add(into, fst_buf_str(sentence));
    }
    into->failed = into->failed || sentence->failed;
    fst_buf_clear(sentence);
}

static struct fst_str keep(struct fst_gil_work *gil, struct fst_buf *text)
{
    struct fst_str kept = fst_arena_copy(&gil->texts, fst_buf_str(text));
    gil->notes.failed = gil->notes.failed || text->failed || kept.data == NULL;
    fst_buf_clear(text);
    return kept;
}

/* Where the lock may not have been seen, or figures contradict each other, nothing is known of a row
 * either. */
static void withdraw_labels(struct fst_gil *gil)
{
    struct fst_gil_table *const tables[] = {&gil->frames, &gil->holding, &gil->without_it};
    for (size_t k = 0; k < FST_COUNT_OF(tables); k++) {
        for (size_t i = 0; i < tables[k]->count; i++) {
            tables[k]->rows[i].label = FST_GIL_NO_LABEL;
        }
    }
}

/* What is said of the counts of one recording may be true of another in the same words. */
static void drop_repeated(struct fst_notes *notes)
{
    size_t kept = 0;
    for (size_t i = 0; i < notes->count; i++) {
        size_t k = 0;
        while (k < kept && !fst_str_eq(notes->items[k], notes->items[i])) {
            k++;
        }
        if (k == kept) {
            notes->items[kept++] = notes->items[i];
        }
    }
    notes->count = kept;
}

enum fst_status fst_gil_say(struct fst_gil_work *gil, struct fst_error *err)
{
    struct fst_gil *out = &gil->base;
    struct fst_buf text = {0};
    fst_gil_find_verdict(gil, &text);
    if (out->verdict == FST_GIL_UNKNOWN || out->verdict == FST_GIL_NO_VERDICT) {
        withdraw_labels(out);
    }
    out->verdict_text = keep(gil, &text);
    label_ratio(&text, out);
    out->count_ratio_label = keep(gil, &text);
    for (int side = 0; side < FST_SIDES; side++) {
        say_missing(&text, gil, (enum fst_gil_which)side);
        flush(&gil->missing, &text);
        if (gil->sides[side] != NULL) {
            fst_notes_on_profile(&gil->notes, gil->sides[side]);
        }
    }
    say_alone(&text, gil);
    flush(&gil->missing, &text);
    for (size_t k = 0; k < FST_COUNT_OF(on_result); k++) {
        on_result[k](&text, gil);
        flush(&gil->notes, &text);
    }
    drop_repeated(&gil->notes);
    out->missing = gil->missing.items;
    out->nmissing = gil->missing.count;
    out->notes = gil->notes.items;
    out->nnotes = gil->notes.count;
    fst_buf_release(&text);
    return gil->notes.failed || gil->missing.failed ? fst_error_nomem(err) : FST_OK;
}
