/* The figures in words: a verdict with what it rests on, what is missing, what to be careful of. */
#include <math.h>

#include "analysis/gil_parts.h"
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"

/* The limits of the verdicts; docs/STATISTICS.md has the reasons. */
#define NEARLY_ALWAYS 0.8
#define ONE_THREAD    1.0
#define MOSTLY_IDLE   0.3

const char *fst_gil_label_name(enum fst_gil_label label)
{
    static const char *const names[] = {
        [FST_GIL_NO_LABEL] = "",
        [FST_GIL_HOLDS] = "holds the GIL",
        [FST_GIL_RELEASES] = "releases it",
        [FST_GIL_UNCLEAR] = "unclear",
    };
    return names[label];
}

const char *fst_gil_verdict_name(enum fst_gil_verdict verdict)
{
    static const char *const names[] = {
        [FST_GIL_NO_VERDICT] = "",
        [FST_GIL_UNKNOWN] = "unknown",
        [FST_GIL_CONTENDED] = "contended",
        [FST_GIL_BOUND] = "GIL-bound",
        [FST_GIL_NATIVE] = "native work without the GIL",
        [FST_GIL_MOSTLY_IDLE] = "mostly idle",
        [FST_GIL_MIXED] = "mixed",
    };
    return names[verdict];
}

/* --- which one ------------------------------------------------------------------------------ */

static bool has_python(const struct fst_profile *p)
{
    for (size_t i = 0; p != NULL && i < p->frame_names.count; i++) {
        const struct fst_frame *frame = &p->frames[i];
        const struct fst_dialect_rules *rules =
            fst_dialect_rules_of((enum fst_dialect)frame->dialect);
        struct fst_frame_parts parts =
            rules->read(fst_symtab_name(&p->frame_names, (uint32_t)i), frame->split_files);
        if (fst_frame_names_python(&parts)) {
            return true;
        }
    }
    return false;
}

static bool is_shared(const struct fst_gil_work *gil)
{
    /* Threads of several processes take turns with nobody. */
    return gil->base.processes <= 1 && gil->sharers >= 2;
}

static enum fst_gil_verdict judge(const struct fst_gil_work *gil)
{
    const struct fst_gil *out = &gil->base;
    double active = out->active_threads / out->processes;
    if (!gil->sampled) {
        return FST_GIL_NO_VERDICT;
    }
    if (gil->sides[FST_SIDE_GIL]->total == 0 && has_python(gil->sides[FST_SIDE_ALL])) {
        return FST_GIL_UNKNOWN;
    }
    if (out->occupancy >= NEARLY_ALWAYS) {
        return is_shared(gil) ? FST_GIL_CONTENDED : FST_GIL_BOUND;
    }
    if (isnan(out->occupancy) || isnan(active)) {
        return FST_GIL_NO_VERDICT;
    }
    if (active - out->occupancy >= ONE_THREAD) {
        return FST_GIL_NATIVE;
    }
    return active < MOSTLY_IDLE ? FST_GIL_MOSTLY_IDLE : FST_GIL_MIXED;
}

/* --- pieces of sentences -------------------------------------------------------------------- */

static void add_percent(struct fst_buf *out, double share)
{
    fst_buf_add_fmt(out, "%.1f %%", share * 100);
}

static void add_ticks(struct fst_buf *out, double ticks)
{
    fst_number_grouped_double(out, floor(ticks + 0.5));
    fst_buf_add_cstr(out, " ticks");
}

static void add_samples(struct fst_buf *out, const struct fst_gil_work *gil,
                        enum fst_gil_which side)
{
    fst_i128 total = gil->sides[side] == NULL ? 0 : gil->sides[side]->total;
    fst_number_grouped(out, total);
    fst_buf_add_cstr(out, total == FST_COUNT_ONE ? " sample" : " samples");
}

/* "The GIL was held 12.1 % of the time (178 samples in 1,469 ticks)" */
static void add_held(struct fst_buf *out, const struct fst_gil_work *gil)
{
    bool many = gil->base.processes > 1;
    fst_buf_add_cstr(out, many ? "The GIL of a process was held " : "The GIL was held ");
    add_percent(out, gil->base.occupancy);
    fst_buf_add_cstr(out, " of the time (");
    add_samples(out, gil, FST_SIDE_GIL);
    fst_buf_add_cstr(out, " in ");
    add_ticks(out, gil->base.gil.ticks);
    if (many) {
        fst_buf_add_cstr(out, " of ");
        fst_number_grouped_double(out, gil->base.processes);
        fst_buf_add_cstr(out, " processes");
    }
    fst_buf_add_char(out, ')');
}

/* "4.22 threads were active on average (18,775 samples in 4,454 ticks)" */
static void add_active(struct fst_buf *out, const struct fst_gil_work *gil)
{
    bool many = gil->base.processes > 1;
    fst_buf_add_fmt(out, "%.2f threads%s were active on average (",
                    gil->base.active_threads / gil->base.processes, many ? " of a process" : "");
    add_samples(out, gil, FST_SIDE_ALL);
    fst_buf_add_cstr(out, " in ");
    add_ticks(out, gil->base.all.ticks);
    fst_buf_add_char(out, ')');
}

/* "; 1.45 of the 2.39 active threads ran without it" where that is known. */
static void add_rest(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (!isnan(gil->base.active_threads)) {
        fst_buf_add_cstr(out, "; ");
        add_active(out, gil);
    }
}

static const char *sharer_noun(const struct fst_gil_work *gil)
{
    return gil->sharers_are_threads ? "threads" : "roots";
}

/* --- verdicts ------------------------------------------------------------------------------- */

static void say_unknown(struct fst_buf *out, const struct fst_gil_work *gil)
{
    fst_buf_add_cstr(out, "No sample held the GIL, although the other recording shows Python code "
                          "running (");
    add_samples(out, gil, FST_SIDE_ALL);
    fst_buf_add_cstr(out, "). Either the profiler cannot see the lock: py-spy before 0.4.0 on "
                          "Python 3.12 or newer, and in general a py-spy older than the Python. Or "
                          "there is none: free-threaded builds (python3.13t and newer). Or the "
                          "lock was really free");
    if (!isnan(gil->base.gil.ticks)) {
        fst_buf_add_cstr(out, " at all ");
        add_ticks(out, gil->base.gil.ticks);
        fst_buf_add_cstr(out, ", which puts the occupancy below ");
        fst_buf_add_fmt(out, "%.2g %%", gil->base.occupancy_ci.hi * 100);
    }
    fst_buf_add_char(out, '.');
}

static void say_contended(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    fst_buf_add_fmt(out, ", and two or more %s have a tenth of it each", sharer_noun(gil));
    add_rest(out, gil);
    fst_buf_add_cstr(out, ". They take turns: Python code of this process runs no faster with "
                          "more threads, and each of them waits for the others.");
}

static void say_bound(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    if (gil->base.processes <= 1) {
        fst_buf_add_fmt(out, ", and no two %s have a tenth of it each", sharer_noun(gil));
    }
    add_rest(out, gil);
    fst_buf_add_cstr(out, ". Python code of this process cannot use more of a processor than it "
                          "does.");
    if (gil->base.processes > 1) {
        fst_buf_add_cstr(out, " Whether threads of one process compete is not told for several "
                              "processes together.");
    } else if (!gil->sharers_are_threads) {
        fst_buf_add_cstr(out, " Whether several threads of one root compete is not told without "
                              "names: record both with --threads.");
    }
}

static void say_native(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    add_rest(out, gil);
    fst_buf_add_fmt(
        out,
        ", so that %.2f of them ran without it: native code and system calls, which the "
        "GIL does not limit.",
        gil->base.without / gil->base.processes);
}

static void say_idle(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    add_rest(out, gil);
    fst_buf_add_cstr(out, ". The process mostly waits, for what is in neither recording");
    fst_buf_add_cstr(out, gil->sides[FST_SIDE_IDLE] == NULL
                              ? ": a third one with py-spy record --idle (--idle FILE) shows where."
                              : ".");
}

static void say_mixed(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    add_rest(out, gil);
    fst_buf_add_fmt(out,
                    ", so that %.2f of them ran without it. Neither does the GIL limit the process "
                    "by itself, nor does a whole thread run beside it.",
                    gil->base.without / gil->base.processes);
}

static void (*const say[])(struct fst_buf *out, const struct fst_gil_work *gil) = {
    [FST_GIL_NO_VERDICT] = NULL,         [FST_GIL_UNKNOWN] = say_unknown,
    [FST_GIL_CONTENDED] = say_contended, [FST_GIL_BOUND] = say_bound,
    [FST_GIL_NATIVE] = say_native,       [FST_GIL_MOSTLY_IDLE] = say_idle,
    [FST_GIL_MIXED] = say_mixed,
};

/* An interval that reaches to the other side of the limit. */
static void say_how_near(struct fst_buf *out, const struct fst_gil *gil)
{
    struct fst_interval ci = gil->occupancy_ci;
    if (ci.lo < NEARLY_ALWAYS && ci.hi >= NEARLY_ALWAYS) {
        fst_buf_add_fmt(out,
                        " The occupancy may lie on either side of %.0f %%, at which the verdict "
                        "changes: its interval is %.1f-%.1f %%.",
                        NEARLY_ALWAYS * 100, ci.lo * 100, ci.hi * 100);
    }
}

static void say_limits(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->base.occupancy > 1) {
        fst_buf_add_cstr(out, " More than 100 % cannot be: the rate, the duration or the number of "
                              "processes is wrong, and with it the verdict.");
    }
    if (gil->sides[FST_SIDE_ALL] == NULL) {
        fst_buf_add_cstr(out, " Threads that wait for the GIL stand in no such recording.");
        return;
    }
    fst_buf_add_cstr(out, " Threads that wait for the GIL are asleep and stand in neither "
                          "recording; those that the profiler took for active all the same count "
                          "as running without it. Two recordings are two moments: all this assumes "
                          "that both had the same load.");
}

static void find_verdict(struct fst_gil_work *gil, struct fst_buf *text)
{
    gil->base.verdict = judge(gil);
    if (say[gil->base.verdict] == NULL) {
        return;
    }
    say[gil->base.verdict](text, gil);
    say_how_near(text, &gil->base);
    say_limits(text, gil);
}

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
    add_ticks(out, gil->gil.ticks);
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
    if (gil->base.occupancy > 1) {
        fst_buf_add_fmt(
            out,
            "the occupancy is %.2f, but one process can hold its lock only once a "
            "tick: the rate or duration is wrong, or the first file is not the "
            "--gil recording%s",
            gil->base.occupancy,
            gil->base.processes > 1 ? "" : ", or several processes were recorded (--processes N)");
    }
}

static void on_share(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->base.gil_share > 1) {
        fst_buf_add_fmt(out,
                        "the GIL share is %.2f, more than all active thread time: the lock was "
                        "held by threads that the profiler took for idle (blocked while holding "
                        "it), or the two recordings had different loads",
                        gil->base.gil_share);
    }
    if (gil->base.active_threads == 0 && gil->base.occupancy > 0) {
        fst_buf_add_cstr(out, "the lock was held while the second recording has no active thread: "
                              "the two cannot be of the same load, and the verdict means nothing");
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
    double waiting = 0;
    for (size_t i = 0; i < gil->base.waits.of; i++) {
        waiting += fst_count_value(gil->base.waits.rows[i].all);
    }
    if (waiting > 0 && !isnan(gil->base.all.ticks)) {
        fst_buf_add_fmt(out,
                        "%.2f of the active threads were in native frames that wait for a lock, "
                        "perhaps the GIL, and did no work there",
                        waiting / gil->base.all.ticks);
    }
}

/* One row's figures rest on two counts; a mixture of names in the two recordings breaks them. */
static void on_strangers(struct fst_buf *out, const struct fst_gil_work *gil)
{
    const struct fst_gil *base = &gil->base;
    if (base->all.ninputs == 0 || base->holding.of == 0 ||
        fst_count_unpack(base->all.samples) <= 0) {
        return;
    }
    for (size_t i = 0; i < base->frames.of; i++) {
        const struct fst_gil_row *row = &base->frames.rows[i];
        if (fst_count_unpack(row->gil) > 0 && fst_count_unpack(row->all) > 0) {
            return;
        }
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

/* Where the lock may not have been seen, no row is known to release it. */
static void withdraw_labels(struct fst_gil *gil)
{
    struct fst_gil_table *const tables[] = {&gil->frames, &gil->without_it};
    for (size_t k = 0; k < FST_COUNT_OF(tables); k++) {
        for (size_t i = 0; i < tables[k]->of; i++) {
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
    find_verdict(gil, &text);
    if (out->verdict == FST_GIL_UNKNOWN) {
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
