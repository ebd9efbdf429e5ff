/* How often the intervals of gil hold what they are about, in programs whose truth is known.
 *
 * The lock, and each native thread beside it, is on and off by turns, for times that are exponential
 * with given means. It is sampled as py-spy samples: the gaps between ticks are exponential, and the
 * recording ends when its budget of R * D ticks is over, before the last of them is taken. Time is
 * counted in mean gaps.
 *
 *     lock    ____======___==_________=====__     held or free: realised occupancy of the window
 *     ticks   | |     |   |  |  |     |  |  #     N that are taken, and the end of the window
 *
 * For such ticks the N are spread evenly over the window, whatever the lock does, so that the
 * samples that hold it are binomial with the realised occupancy: this is why the interval may speak
 * of the window, and only of that. */
#include "unit/helpers.h"

#include <math.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FEWER_RUNS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FEWER_RUNS
#endif
#endif

#ifdef FEWER_RUNS
enum { RUNS = 200 };
#else
enum { RUNS = 2000 };
#endif

/* How far fewer runs may stray further than 2,000 of them, in shares. */
static double slack(void)
{
    double deviation = sqrt(0.95 * 0.05);
    return 4 * deviation * (1 / sqrt(RUNS) - 1 / sqrt(2000));
}

/* --- chance ---------------------------------------------------------------------------------- */

static double uniform(uint64_t *state)
{
    return ((double)(chance(state) >> 11) + 0.5) * 0x1p-53;
}

static double exponential(uint64_t *state, double mean)
{
    return -mean * log(uniform(state));
}

/* --- what is sampled ------------------------------------------------------------------------- */

/* Something that is on for a share of the time, for `mean` gaps at a time. */
struct source {
    double share;
    double mean;
};

static double mean_off(const struct source *source)
{
    return source->mean * (1 - source->share) / source->share;
}

/* A window that was recorded. */
struct window {
    double on;       /* samples */
    double realised; /* share of the window's time */
};

/* Follows the source from event to event through n ticks and to the end of the window. */
static struct window record(const struct source *source, int n, uint64_t *state)
{
    struct window window = {0, 0};
    bool on = uniform(state) < source->share;
    double now = 0;
    double change = exponential(state, on ? source->mean : mean_off(source));
    double time_on = 0;
    for (int tick = 0; tick <= n; tick++) {
        double next = now + exponential(state, 1);
        while (change < next) {
            time_on += on ? change - now : 0;
            now = change;
            on = !on;
            change = now + exponential(state, on ? source->mean : mean_off(source));
        }
        time_on += on ? next - now : 0;
        now = next;
        window.on += tick < n && on; /* the last one ends the window */
    }
    window.realised = time_on / now;
    return window;
}

/* The same without the time that was spent on: a chain with two states forgets at a rate that is
 * known, so that it can leap from tick to tick however short its holds are. */
static double count_on(const struct source *source, int n, uint64_t *state)
{
    double rate = 1 / source->mean + 1 / mean_off(source);
    bool on = uniform(state) < source->share;
    double count = 0;
    for (int tick = 0; tick < n; tick++) {
        double memory = exp(-rate * exponential(state, 1));
        on = uniform(state) < source->share + (on - source->share) * memory;
        count += on;
    }
    return count;
}

/* --- through the library --------------------------------------------------------------------- */

static struct fst_profile *profile_of_text(struct fst_buf *text)
{
    struct fst_profile *profile = new_profile((struct fst_profile_options){.threads = true});
    read_text(profile, fst_buf_str(text), "run");
    fst_buf_clear(text);
    return profile;
}

static void add_thread(struct fst_buf *text, int thread, double count)
{
    fst_buf_add_fmt(text, "thread (%d): t;f%d (a.py:1) %.0f\n", thread, thread, count);
}

/* The figures of counts by thread; all NULL: of the lock alone. The caller frees both. */
static struct fst_gil *figures(double held, double held_ticks, const double *all, int threads,
                               double all_ticks)
{
    struct fst_buf text = {0};
    add_thread(&text, 0, held);
    struct fst_profile *profiles[2] = {profile_of_text(&text), NULL};
    for (int i = 0; i < threads; i++) {
        add_thread(&text, i, all[i]);
    }
    profiles[1] = all == NULL ? NULL : profile_of_text(&text);
    struct fst_gil_options options = {.gil_ticks = held_ticks, .all_ticks = all_ticks};
    struct fst_gil *gil = NULL;
    assert_int_equal(fst_gil_new(profiles[0], profiles[1], NULL, &options, &gil, NULL), FST_OK);
    fst_buf_release(&text);
    fst_profile_free(profiles[0]); /* figures borrow nothing */
    fst_profile_free(profiles[1]);
    return gil;
}

static bool holds(struct fst_interval interval, double value)
{
    return interval.lo <= value && value <= interval.hi;
}

/* --- occupancy ------------------------------------------------------------------------------- */

struct coverage {
    double window;   /* share of runs whose interval held the realised occupancy */
    double long_run; /* the same of the share that the source has in the long run */
};

static struct coverage cover_occupancy(const struct source *lock, int n, uint64_t *state)
{
    struct coverage coverage = {0, 0};
    for (int run = 0; run < RUNS; run++) {
        struct window window = record(lock, n, state);
        struct fst_gil *gil = figures(window.on, n, NULL, 0, 0);
        coverage.window += holds(gil->kept.occupancy_ci, window.realised);
        coverage.long_run += holds(gil->kept.occupancy_ci, lock->share);
        fst_gil_free(gil);
    }
    coverage.window /= RUNS;
    coverage.long_run /= RUNS;
    return coverage;
}

static const double shares[] = {0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95};

static void the_realised_occupancy_lies_in_its_interval(void **state)
{
    (void)state;
    uint64_t chances = take_seed("occupancy of the window");
    static const struct {
        int ticks;
        double mean; /* hold, in gaps */
    } rows[] = {{500, 0.5}, {1469, 0.5}, {500, 20}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        for (size_t k = 0; k < FST_COUNT_OF(shares); k++) {
            struct source lock = {shares[k], rows[i].mean};
            double got = cover_occupancy(&lock, rows[i].ticks, &chances).window;
            print_message("h %.2f, %d ticks, holds of %g gaps: %.1f %%\n", shares[k], rows[i].ticks,
                          rows[i].mean, got * 100);
            REQUIRE(fabs(got - 0.95) <= 0.02 + slack(), "h %g, %d ticks, holds of %g gaps: %.3f",
                    shares[k], rows[i].ticks, rows[i].mean, got);
        }
    }
}

/* No gate: it shows what the interval does not promise. */
static void bursts_hide_the_long_run(void **state)
{
    (void)state;
    uint64_t chances = take_seed("long-run mean");
    const double rate = 49;
    const double seconds = 30;
    for (size_t k = 0; k < FST_COUNT_OF(shares); k++) {
        struct source bursts = {shares[k], 0.5 * rate};
        struct coverage got = cover_occupancy(&bursts, (int)(rate * seconds) - 1, &chances);
        print_message(
            "h %.2f, bursts of 0.5 s in 30 s at 49 Hz: window %.1f %%, long run %.1f %%\n",
            shares[k], got.window * 100, got.long_run * 100);
    }
}

/* --- share ----------------------------------------------------------------------------------- */

enum { THREADS_MOST = 9 };

/* The lock and so many native threads beside it. */
static double cover_share(const struct source *lock, const struct source *native, int threads,
                          int ticks, uint64_t *state)
{
    double covered = 0;
    double active = lock->share + threads * native->share;
    for (int run = 0; run < RUNS; run++) {
        double all[THREADS_MOST];
        double held = count_on(lock, ticks, state);
        all[0] = count_on(lock, ticks, state); /* another recording */
        for (int i = 1; i <= threads; i++) {
            all[i] = count_on(native, ticks, state);
        }
        struct fst_gil *gil = figures(held, ticks, all, threads + 1, ticks);
        covered += holds(gil->kept.gil_share_ci, lock->share / active);
        fst_gil_free(gil);
    }
    return covered / RUNS;
}

static void the_share_lies_in_its_interval(void **state)
{
    (void)state;
    uint64_t chances = take_seed("share of active time");
    static const struct {
        double lock;
        double native;
        int threads;
        int ticks;
    } rows[] = {
        {0.05, 0.5, 1, 500},  {0.12, 0.5, 8, 1469}, {0.3, 0.1, 3, 500},  {0.5, 0.5, 4, 500},
        {0.5, 0.05, 1, 1000}, {0.8, 0.3, 2, 500},   {0.95, 0.9, 6, 500},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct source lock = {rows[i].lock, 0.02};
        struct source native = {rows[i].native, 0.02};
        double got = cover_share(&lock, &native, rows[i].threads, rows[i].ticks, &chances);
        print_message("h %.2f beside %d threads active for %.2f, %d ticks: %.1f %%\n", rows[i].lock,
                      rows[i].threads, rows[i].native, rows[i].ticks, got * 100);
        REQUIRE(got >= 0.93 - slack(), "row %zu: %.3f", i, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_realised_occupancy_lies_in_its_interval),
        cmocka_unit_test(bursts_hide_the_long_run),
        cmocka_unit_test(the_share_lies_in_its_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
