/* The verdict and what it rests on: the stacks of the whole process, or of those that are asked for.
 * What else filters keep of them makes no difference, for a process is not idle because somebody looks
 * at one of its functions. */
#include <math.h>

#include "analysis/gil_parts.h"
#include "base/number.h"

/* The limits of the verdicts; docs/STATISTICS.md has the reasons. */
#define NEARLY_ALWAYS 0.8
#define ONE_THREAD    1.0
#define MOSTLY_IDLE   0.3
#define OVERFULL      1.05

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

/* Why figures cannot be those of one process and one load. */
enum contradiction {
    NONE,
    TOO_MUCH_HELD, /* more than once a tick */
    MORE_HELD_THAN_ACTIVE,
};

static enum contradiction find_contradiction(const struct fst_gil_work *gil)
{
    const struct fst_gil_figures *whole = &gil->base.whole;
    bool nothing_active = whole->active_threads == 0 && whole->held > 0;
    if (whole->occupancy > OVERFULL) {
        return TOO_MUCH_HELD;
    }
    return nothing_active || whole->gil_share_ci.lo > 1 ? MORE_HELD_THAN_ACTIVE : NONE;
}

static enum fst_gil_verdict judge(const struct fst_gil_work *gil)
{
    const struct fst_gil_figures *whole = &gil->base.whole;
    double active = whole->active_threads / gil->base.processes;
    if (!gil->sampled || find_contradiction(gil) != NONE) {
        return FST_GIL_NO_VERDICT;
    }
    if (fst_gil_whole(gil, FST_SIDE_GIL) == 0 && has_python(gil->sides[FST_SIDE_ALL])) {
        return FST_GIL_UNKNOWN;
    }
    if (whole->occupancy >= NEARLY_ALWAYS) {
        return is_shared(gil) ? FST_GIL_CONTENDED : FST_GIL_BOUND;
    }
    if (isnan(whole->occupancy) || isnan(active)) {
        return FST_GIL_NO_VERDICT;
    }
    if (active - whole->occupancy >= ONE_THREAD) {
        return FST_GIL_NATIVE;
    }
    return active < MOSTLY_IDLE ? FST_GIL_MOSTLY_IDLE : FST_GIL_MIXED;
}

/* --- pieces of sentences -------------------------------------------------------------------- */

static void add_percent(struct fst_buf *out, double share)
{
    fst_buf_add_fmt(out, "%.1f %%", share * 100);
}

void fst_gil_add_ticks(struct fst_buf *out, double ticks)
{
    fst_number_grouped_double(out, floor(ticks + 0.5));
    fst_buf_add_cstr(out, " ticks");
}

static void add_samples(struct fst_buf *out, const struct fst_gil_work *gil,
                        enum fst_gil_which side)
{
    fst_i128 total = fst_gil_whole(gil, side);
    fst_number_grouped(out, total);
    fst_buf_add_cstr(out, total == FST_COUNT_ONE ? " sample" : " samples");
}

/* "The GIL was held 12.1 % of the time (178 samples in 1,469 ticks)" */
static void add_held(struct fst_buf *out, const struct fst_gil_work *gil)
{
    bool many = gil->base.processes > 1;
    fst_buf_add_cstr(out, many ? "The GIL of a process was held " : "The GIL was held ");
    add_percent(out, gil->base.whole.occupancy);
    fst_buf_add_cstr(out, " of the time (");
    add_samples(out, gil, FST_SIDE_GIL);
    fst_buf_add_cstr(out, " in ");
    fst_gil_add_ticks(out, gil->base.gil.ticks);
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
                    gil->base.whole.active_threads / gil->base.processes,
                    many ? " of a process" : "");
    add_samples(out, gil, FST_SIDE_ALL);
    fst_buf_add_cstr(out, " in ");
    fst_gil_add_ticks(out, gil->base.all.ticks);
    fst_buf_add_char(out, ')');
}

/* "; 1.45 of the 2.39 active threads ran without it" where that is known. */
static void add_rest(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (!isnan(gil->base.whole.active_threads)) {
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
        fst_gil_add_ticks(out, gil->base.gil.ticks);
        fst_buf_add_cstr(out, ", which puts the occupancy below ");
        fst_buf_add_fmt(out, "%.2g %%", gil->base.whole.occupancy_ci.hi * 100);
    }
    fst_buf_add_char(out, '.');
}

static void say_contended(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    fst_buf_add_fmt(out, ", and two or more %s have a tenth of it each", sharer_noun(gil));
    add_rest(out, gil);
    fst_buf_add_cstr(out,
                     gil->sharers_are_threads
                         ? ". Unless one ended before the other began, they take turns and wait "
                         : ". If different threads run them at the same time, they take turns "
                           "and wait ");
    fst_buf_add_cstr(out, "for each other: Python code of this process runs no faster with more "
                          "threads.");
}

static void say_bound(struct fst_buf *out, const struct fst_gil_work *gil)
{
    add_held(out, gil);
    if (gil->base.processes <= 1) {
        fst_buf_add_fmt(out, ", and no two %s have a tenth of it each", sharer_noun(gil));
    }
    add_rest(out, gil);
    fst_buf_add_fmt(out, ". Python code of %s can use hardly more of a processor than it does.",
                    gil->base.processes > 1 ? "such a process" : "this process");
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
        gil->base.whole.without / gil->base.processes);
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
                    gil->base.whole.without / gil->base.processes);
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
    struct fst_interval ci = gil->whole.occupancy_ci;
    if (ci.lo < NEARLY_ALWAYS && ci.hi >= NEARLY_ALWAYS) {
        fst_buf_add_fmt(out,
                        " The occupancy may lie on either side of %.0f %%, at which the verdict "
                        "changes: its interval is %.1f-%.1f %%.",
                        NEARLY_ALWAYS * 100, ci.lo * 100, ci.hi * 100);
    }
}

static void say_limits(struct fst_buf *out, const struct fst_gil_work *gil)
{
    if (gil->base.whole.occupancy > 1) {
        fst_buf_add_cstr(out, " More than 100 % cannot be: the rate, the duration or the number of "
                              "processes is wrong, and with it the verdict.");
    }
    if (gil->base.whole.gil_share > 1) {
        fst_buf_add_cstr(out, " More threads held the lock than were active, within what chance "
                              "does: the loads may have differed.");
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

/* py-spy --native takes threads that wait for a lock in native code for active. */
static void say_waits(struct fst_buf *out, const struct fst_gil_work *gil)
{
    double waiting = gil->whole_waiting;
    bool rests_on_active =
        gil->base.verdict == FST_GIL_NATIVE || gil->base.verdict == FST_GIL_MIXED;
    if (!rests_on_active || !(waiting >= 0.005)) {
        return;
    }
    fst_buf_add_fmt(out, " But %.2f of the active threads only waited for a lock in native code",
                    waiting / gil->base.processes);
    double working = (gil->base.whole.without - waiting) / gil->base.processes;
    bool decides = gil->base.verdict == FST_GIL_NATIVE && working < ONE_THREAD;
    fst_buf_add_cstr(out, decides
                              ? ", perhaps for the GIL: without them less than one whole thread "
                                "ran beside it, and this would be \"mixed\"."
                              : ", perhaps for the GIL.");
}

/* What the verdict is about, where the figures above it are not the whole. */
static void say_scope(struct fst_buf *out, const struct fst_gil *gil)
{
    bool picked = false;
    for (size_t i = 0; i < gil->nasked; i++) {
        picked = picked || strcmp(gil->asked[i].option, "process") == 0;
    }
    if (gil->filtered) {
        fst_buf_add_cstr(out, picked ? "This is about all that --process keeps, whatever the other "
                                       "filters keep of it. "
                                     : "This is about the whole recordings, whatever the filters "
                                       "keep of them. ");
    }
}

/* Why there is no verdict. */
static void say_contradiction(struct fst_buf *out, const struct fst_gil_work *gil)
{
    const struct fst_gil_figures *whole = &gil->base.whole;
    if (find_contradiction(gil) == TOO_MUCH_HELD) {
        fst_buf_add_cstr(out, "The lock cannot have been held ");
        add_percent(out, whole->occupancy);
        fst_buf_add_cstr(out, " of the time (");
        add_samples(out, gil, FST_SIDE_GIL);
        fst_buf_add_cstr(out, " in ");
        fst_gil_add_ticks(out, gil->base.gil.ticks);
        fst_buf_add_cstr(out,
                         "): the rate, the duration or the number of processes is wrong, or the "
                         "files are in the wrong order: the --gil recording comes first.");
        return;
    }
    fst_buf_add_fmt(out, "The lock was held by %.2f threads on average (", whole->held);
    add_samples(out, gil, FST_SIDE_GIL);
    fst_buf_add_cstr(out, " in ");
    fst_gil_add_ticks(out, gil->base.gil.ticks);
    fst_buf_add_fmt(out, "), yet only %.2f were active (", whole->active_threads);
    add_samples(out, gil, FST_SIDE_ALL);
    fst_buf_add_cstr(out, " in ");
    fst_gil_add_ticks(out, gil->base.all.ticks);
    fst_buf_add_cstr(out,
                     "). A thread that holds the lock is active, unless the profiler takes it for "
                     "idle: the recordings are of different loads, their ticks are wrong, or "
                     "the files are in the wrong order: the --gil recording comes first.");
}

void fst_gil_find_verdict(struct fst_gil_work *gil, struct fst_buf *text)
{
    gil->base.verdict = judge(gil);
    bool says_why = gil->sampled && find_contradiction(gil) != NONE;
    if (say[gil->base.verdict] == NULL && !says_why) {
        return;
    }
    say_scope(text, &gil->base);
    if (says_why) {
        say_contradiction(text, gil);
        return;
    }
    say[gil->base.verdict](text, gil);
    say_waits(text, gil);
    say_how_near(text, &gil->base);
    say_limits(text, gil);
}
