/* How often diff finds what is not there, and what is: simulated recordings of programs whose shares
 * are known.
 *
 * Every recording is drawn from a list of frames with shares of their own. Where recordings vary, each
 * multiplies every share by a log-normal factor of its own, as runs of a real program do. The
 * rates that are demanded here are told in docs/STATISTICS.md. */
#include "unit/helpers.h"

#include <math.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
enum { SLOW = 5 }; /* fewer runs where each takes longer */
#else
enum { SLOW = 1 };
#endif

enum { FRAMES = 500, SAMPLES = 10000, RECORDINGS_MOST = 8, CHANGED = 7 };

/* A program: shares of frames that add up to 1. */
struct program {
    double shares[FRAMES];
};

/* --- chance ----------------------------------------------------------------------------------- */

static double even(uint64_t *state)
{
    return ((double)(chance(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(even(state))) * cos(6.283185307179586 * even(state));
}

static void scale(struct program *program)
{
    double sum = 0;
    for (size_t i = 0; i < FRAMES; i++) {
        sum += program->shares[i];
    }
    for (size_t i = 0; i < FRAMES; i++) {
        program->shares[i] /= sum;
    }
}

/* A few hot frames and many cold ones, as profiles have them. */
static struct program make_program(void)
{
    struct program program;
    for (size_t i = 0; i < FRAMES; i++) {
        program.shares[i] = 1 / (double)(i + 4);
    }
    scale(&program);
    return program;
}

/* One frame gets the share, the others share the rest as before. */
static struct program with_share(struct program program, double share)
{
    double before = program.shares[CHANGED];
    for (size_t i = 0; i < FRAMES; i++) {
        program.shares[i] *= (1 - share) / (1 - before);
    }
    program.shares[CHANGED] = share;
    return program;
}

static struct program varied(struct program program, double sigma, bool uneven, uint64_t *state)
{
    for (size_t i = 0; sigma > 0 && i < FRAMES; i++) {
        program.shares[i] *= exp((uneven && i % 2 == 1 ? 3 * sigma : sigma) * normal(state));
    }
    scale(&program);
    return program;
}

/* Draws samples of a program: a table says where to begin to look. */
static void draw(const struct program *program, size_t samples, unsigned *counts, uint64_t *state)
{
    enum { PARTS = 4096 };
    double until[FRAMES];
    unsigned short begin[PARTS];
    double sum = 0;
    size_t at = 0;
    for (size_t i = 0; i < FRAMES; i++) {
        sum += program->shares[i];
        until[i] = i + 1 < FRAMES ? sum : 2;
    }
    for (size_t part = 0; part < PARTS; part++) {
        while (until[at] <= (double)part / PARTS) {
            at++;
        }
        begin[part] = (unsigned short)at;
    }
    for (size_t i = 0; i < samples; i++) {
        double u = even(state);
        size_t frame = begin[(size_t)(u * PARTS)];
        while (until[frame] < u) {
            frame++;
        }
        counts[frame]++;
    }
}

/* A recording of so many samples, as text, read back. */
static struct fst_profile *record(const struct program *program, size_t samples, uint64_t *state)
{
    unsigned counts[FRAMES] = {0};
    draw(program, samples, counts, state);
    struct fst_buf text = {0};
    for (size_t i = 0; i < FRAMES; i++) {
        if (counts[i] > 0) {
            fst_buf_add_fmt(&text, "main;part_%zu;f%zu %u\n", i % 10, i, counts[i]);
        }
    }
    struct fst_profile *profile = new_profile((struct fst_profile_options){.seed = 1});
    read_text(profile, fst_buf_str(&text), "simulated");
    fst_buf_release(&text);
    return profile;
}

/* --- experiments ------------------------------------------------------------------------------ */

/* Recordings of two programs, so many a side, whose shares vary from recording to recording. */
struct experiment {
    struct program before;
    struct program after;
    size_t recordings;
    double sigma;
    bool uneven; /* every other frame varies thrice as much */
    enum fst_on on;
    enum fst_basis basis;
};

/* What came of one run of it. */
struct outcome {
    size_t findings;   /* rows */
    size_t false_ones; /* among them, but for the frame that was changed */
    bool found;        /* that frame */
};

static struct outcome run(const struct experiment *e, uint64_t *state)
{
    struct fst_profile *profiles[2 * RECORDINGS_MOST];
    size_t count = 2 * e->recordings;
    for (size_t i = 0; i < count; i++) {
        const struct program *program = i < e->recordings ? &e->before : &e->after;
        struct program ran = varied(*program, e->sigma, e->uneven, state);
        profiles[i] = record(&ran, SAMPLES, state);
    }
    const struct fst_profile *const *all = (const struct fst_profile *const *)profiles;
    struct fst_diff_options options = {.on = e->on, .basis = e->basis};
    struct fst_diff *diff = NULL;
    struct fst_error err = {0};
    REQUIRE(fst_diff_new(all, e->recordings, all + e->recordings, e->recordings, &options, &diff,
                         &err) == FST_OK,
            "%s", err.message);
    struct outcome outcome = {.findings = diff->significant};
    for (size_t i = 0; i < diff->significant; i++) {
        bool changed = fst_str_eq(diff->rows[i].name, FST_STR("f7"));
        outcome.found = outcome.found || changed;
        outcome.false_ones += changed ? 0 : 1;
    }
    fst_diff_free(diff);
    for (size_t i = 0; i < count; i++) {
        fst_profile_free(profiles[i]);
    }
    return outcome;
}

/* The share of runs with any finding, in so many. */
static double any_finding(const char *what, const struct experiment *e, size_t runs,
                          uint64_t *state)
{
    size_t with = 0;
    for (size_t i = 0; i < runs; i++) {
        with += run(e, state).findings > 0;
    }
    double rate = (double)with / (double)runs;
    print_message("%s: %zu of %zu runs (%.1f %%) have a finding\n", what, with, runs, rate * 100);
    return rate;
}

/* The share of runs in which the changed frame is found. */
static double found(const char *what, const struct experiment *e, size_t runs, uint64_t *state)
{
    size_t hits = 0;
    size_t findings = 0;
    size_t false_ones = 0;
    for (size_t i = 0; i < runs; i++) {
        struct outcome outcome = run(e, state);
        hits += outcome.found;
        findings += outcome.findings;
        false_ones += outcome.false_ones;
    }
    double rate = (double)hits / (double)runs;
    print_message("%s: found in %zu of %zu runs (%.1f %%), %zu findings beside it\n", what, hits,
                  runs, rate * 100, false_ones);
    assert_true(findings >= hits);
    return rate;
}

/* Above this a rate that is 5 % in truth hardly ever comes out of so many runs: 0.05 and three
 * standard errors; 6.5 % of 1,000 runs is two. */
static double limit_of(size_t runs)
{
    return runs >= 1000 ? 0.065 : 0.05 + 3 * sqrt(0.05 * 0.95 / (double)runs);
}

/* --- one recording a side --------------------------------------------------------------------- */

static void test_no_change(void **state)
{
    (void)state;
    uint64_t seed = take_seed("no change");
    const size_t runs = 1000 / SLOW;
    struct experiment e = {.before = make_program(), .after = make_program(), .recordings = 1};
    assert_true(any_finding("no change, self", &e, runs, &seed) <= limit_of(runs));
    e.basis = FST_BASIS_COUNT;
    assert_true(any_finding("no change, counts", &e, runs, &seed) <= limit_of(runs));
}

static void test_a_change(void **state)
{
    (void)state;
    uint64_t seed = take_seed("a change");
    struct experiment e = {.before = with_share(make_program(), 0.05),
                           .after = with_share(make_program(), 0.08),
                           .recordings = 1};
    assert_true(found("5 % to 8 %", &e, 300 / SLOW, &seed) > 0.95);
}

/* --- several recordings a side ---------------------------------------------------------------- */

/* What two recordings cannot know: how much changes by itself. */
static void test_variance(void **state)
{
    (void)state;
    uint64_t seed = take_seed("variance");
    const size_t runs = 400 / SLOW;
    struct experiment e = {
        .before = make_program(), .after = make_program(), .recordings = 1, .sigma = 0.15};
    assert_true(any_finding("varying, one a side", &e, runs, &seed) > 0.5);
    e.recordings = 4;
    assert_true(any_finding("varying, four a side", &e, runs, &seed) <= limit_of(runs));
    e.on = FST_ON_TOTAL;
    assert_true(any_finding("varying, four a side, totals", &e, runs, &seed) <= limit_of(runs));
}

static void test_change_and_variance(void **state)
{
    (void)state;
    uint64_t seed = take_seed("change and variance");
    struct experiment e = {.before = with_share(make_program(), 0.05),
                           .after = with_share(make_program(), 0.08),
                           .recordings = 4,
                           .sigma = 0.1};
    assert_true(found("varying, 5 % to 8 %, four a side", &e, 300 / SLOW, &seed) >
                (SLOW > 1 ? 0.8 : 0.9));
    e.recordings = 5;
    assert_true(found("varying, 5 % to 8 %, five a side", &e, 300 / SLOW, &seed) >
                (SLOW > 1 ? 0.85 : 0.95));
}

/* The approximate test: better than none, and told to be approximate. */
static void test_few(void **state)
{
    (void)state;
    uint64_t seed = take_seed("few");
    const size_t runs = 200 / SLOW;
    for (size_t recordings = 2; recordings <= 3; recordings++) {
        struct experiment e = {.before = make_program(),
                               .after = make_program(),
                               .recordings = recordings,
                               .sigma = 0.15};
        char what[64];
        (void)snprintf(what, sizeof what, "varying, %zu a side", recordings);
        double varying = any_finding(what, &e, runs, &seed);
        e.sigma = 0.1;
        e.uneven = true;
        (void)snprintf(what, sizeof what, "varying unevenly, %zu a side", recordings);
        double uneven = any_finding(what, &e, runs, &seed);
        e.uneven = false;
        e.sigma = 0;
        (void)snprintf(what, sizeof what, "no change, %zu a side", recordings);
        double still = any_finding(what, &e, runs, &seed);
        assert_true(still <= limit_of(runs));
        assert_true(varying <= 0.15);
        assert_true(uneven <= 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_change), cmocka_unit_test(test_a_change),
        cmocka_unit_test(test_variance),  cmocka_unit_test(test_change_and_variance),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
