/* The figures of gil, its rows, its threads and its verdicts. */
#include "unit/helpers.h"

#include <math.h>

/* Two or three texts with their ticks; NULL: no such recording. */
struct pair {
    const char *gil;
    const char *all;
    const char *idle;
    double gil_ticks;
    double all_ticks;
    double idle_ticks;
    double processes;
    enum fst_by by;
};

struct made {
    struct fst_profile *profiles[3];
    struct fst_gil *gil;
};

static struct made make(const struct pair *pair)
{
    struct made made = {{NULL, NULL, NULL}, NULL};
    const char *const texts[] = {pair->gil, pair->all, pair->idle};
    struct fst_profile_options options = {.by = pair->by, .threads = true};
    for (size_t i = 0; i < FST_COUNT_OF(texts); i++) {
        made.profiles[i] = texts[i] == NULL ? NULL : profile_of(texts[i], options);
    }
    struct fst_gil_options figures = {.gil_ticks = pair->gil_ticks,
                                      .all_ticks = pair->all_ticks,
                                      .idle_ticks = pair->idle_ticks,
                                      .processes = pair->processes};
    struct fst_error err = {0};
    enum fst_status status = fst_gil_new(made.profiles[0], made.profiles[1], made.profiles[2],
                                         &figures, &made.gil, &err);
    REQUIRE(status == FST_OK, "fst_gil_new: %s", err.message);
    return made;
}

static void unmake(struct made *made)
{
    fst_gil_free(made->gil);
    for (size_t i = 0; i < 3; i++) {
        fst_profile_free(made->profiles[i]);
    }
}

static void require_near(const char *what, double got, double wanted)
{
    bool near = isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 * (fabs(wanted) + 1);
    REQUIRE(near, "%s: got %.17g, wanted %.17g", what, got, wanted);
}

/* --- figures --------------------------------------------------------------------------------- */

static void figures_are_made_by_ticks(void **state)
{
    (void)state;
    struct pair pair = {.gil = "m;a (x.py:1) 178\n",
                        .all = "m;a (x.py:1) 18775\n",
                        .gil_ticks = 1469,
                        .all_ticks = 4454};
    struct made made = make(&pair);
    const struct fst_gil *gil = made.gil;
    require_near("occupancy", gil->kept.occupancy, 178.0 / 1469);
    require_near("lo", gil->kept.occupancy_ci.lo, 0.10546404323187816);
    require_near("hi", gil->kept.occupancy_ci.hi, 0.13885380691121843);
    require_near("active", gil->kept.active_threads, 18775.0 / 4454);
    require_near("share", gil->kept.gil_share, 178.0 / 1469 / (18775.0 / 4454));
    double s = sqrt((1 - 178.0 / 1469) / 178 + 1.0 / 18775);
    require_near("share lo", gil->kept.gil_share_ci.lo,
                 gil->kept.gil_share * exp(-1.959963984540054 * s));
    require_near("share hi", gil->kept.gil_share_ci.hi,
                 gil->kept.gil_share * exp(1.959963984540054 * s));
    require_near("ratio", gil->count_ratio, 178.0 / 18775);
    require_text(0, gil->count_ratio_label, "not comparable: 1,469 ticks against 4,454");
    require_near("alive", gil->alive_threads, NAN);
    assert_int_equal(gil->verdict, FST_GIL_NATIVE);
    unmake(&made);
}

static void threads_in_step_widen_the_share(void **state)
{
    (void)state;
    struct pair pair = {.gil = "thread (1): a;f (x.py:1) 50\n",
                        .all = "thread (1): a;f (x.py:1) 100\nthread (2): b;f (x.py:1) 100\n"
                               "thread (3): c;f (x.py:1) 100\n",
                        .gil_ticks = 200,
                        .all_ticks = 200};
    struct made made = make(&pair);
    assert_int_equal(made.gil->threads_seen, 3);
    double v = (3 - 1.5) / (1.5 * 200); /* above 1/300 */
    double s = sqrt((1 - 0.25) / 50 + v);
    require_near("hi", log(made.gil->kept.gil_share_ci.hi / made.gil->kept.gil_share),
                 1.959963984540054 * s);
    unmake(&made);
}

static void nothing_held_is_a_bound(void **state)
{
    (void)state;
    struct pair pair = {.gil = "", .all = "m;[native] 600\n", .gil_ticks = 299, .all_ticks = 299};
    struct made made = make(&pair);
    require_near("occupancy", made.gil->kept.occupancy, 0);
    require_near("lo", made.gil->kept.occupancy_ci.lo, 0);
    require_near("hi", made.gil->kept.occupancy_ci.hi, 1 - pow(0.05, 1.0 / 299));
    require_near("share", made.gil->kept.gil_share, 0);
    double least = 600.0 / 299 * exp(-1.959963984540054 * sqrt(1.0 / 600));
    require_near("share hi", made.gil->kept.gil_share_ci.hi,
                 made.gil->kept.occupancy_ci.hi / least);
    unmake(&made);
}

static void without_ticks_there_is_a_ratio_of_counts(void **state)
{
    (void)state;
    struct pair pair = {.gil = "m;a (x.py:1) 1\n", .all = "m;a (x.py:1) 4\n"};
    struct made made = make(&pair);
    require_near("occupancy", made.gil->kept.occupancy, NAN);
    require_near("active", made.gil->kept.active_threads, NAN);
    require_near("share", made.gil->kept.gil_share, NAN);
    require_near("ratio", made.gil->count_ratio, 0.25);
    require_text(0, made.gil->count_ratio_label,
                 "comparable only if both recordings had the same number of ticks");
    assert_int_equal(made.gil->verdict, FST_GIL_NO_VERDICT);
    assert_int_equal(made.gil->verdict_text.len, 0);
    assert_int_equal(made.gil->nmissing, 2);
    assert_int_equal(made.gil->frames.rows[0].label, FST_GIL_NO_LABEL);
    assert_int_equal(made.gil->without_it.of, 0);
    unmake(&made);
}

static void what_is_no_sample_has_no_figures(void **state)
{
    (void)state;
    struct pair pair = {.gil = "m;a 1.5\n", .all = "m;a 4\n", .gil_ticks = 10, .all_ticks = 10};
    struct made made = make(&pair);
    require_near("occupancy", made.gil->kept.occupancy, NAN);
    assert_int_equal(made.gil->verdict, FST_GIL_NO_VERDICT);
    assert_int_equal(made.gil->nnotes, 2);
    unmake(&made);
}

/* --- verdicts -------------------------------------------------------------------------------- */

static void verdicts_come_in_order(void **state)
{
    (void)state;
    const struct {
        enum fst_gil_verdict wanted;
        struct pair pair;
    } rows[] = {
        /* G = 0 although Python runs */
        {FST_GIL_UNKNOWN, {.gil = "", .all = "a (x.py:1) 900\n", .gil_ticks = 99, .all_ticks = 99}},
        {FST_GIL_UNKNOWN, {.gil = "", .all = "a (x.py:1) 900\n"}},
        /* G = 0 and no Python in sight: the lock was free */
        {FST_GIL_NATIVE,
         {.gil = "", .all = "main (a.cc:1) 900\n", .gil_ticks = 99, .all_ticks = 99}},
        {FST_GIL_NO_VERDICT, {.gil = "", .all = NULL, .gil_ticks = 99}},
        /* two threads with a tenth each */
        {FST_GIL_CONTENDED,
         {.gil = "thread (1): a;f (x.py:1) 81\nthread (2): b;f (x.py:1) 9\n", .gil_ticks = 100}},
        {FST_GIL_BOUND,
         {.gil = "thread (1): a;f (x.py:1) 82\nthread (2): b;f (x.py:1) 9\n", .gil_ticks = 100}},
        /* two threads of one name take turns too */
        {FST_GIL_CONTENDED,
         {.gil = "thread (1): a;f (x.py:1) 45\nthread (2): a;f (x.py:1) 45\n", .gil_ticks = 100}},
        /* a pool whose members are below a tenth each */
        {FST_GIL_CONTENDED,
         {.gil = "thread (1): p_1;f 12\nthread (2): p_2;f 12\nthread (3): p_3;f 12\n"
                 "thread (4): p_4;f 12\nthread (5): p_5;f 12\nthread (6): p_6;f 12\n"
                 "thread (7): p_7;f 12\nthread (8): p_8;f 12\nthread (9): p_9;f 12\n"
                 "thread (10): p_10;f 12\nthread (11): p_11;f 12\nthread (12): p_12;f 12\n",
          .gil_ticks = 150}},
        /* the rest of a pool below a tenth */
        {FST_GIL_BOUND,
         {.gil =
              "thread (1): ThreadPoolExecutor-0_0;f 95\nthread (2): ThreadPoolExecutor-0_1;f 5\n",
          .gil_ticks = 100}},
        /* stacks without a thread are no thread */
        {FST_GIL_BOUND, {.gil = "thread (1): a;f (x.py:1) 45\nf (x.py:1) 45\n", .gil_ticks = 100}},
        /* roots where no stack names a thread */
        {FST_GIL_CONTENDED, {.gil = "f (x.py:1) 50\ng (x.py:9) 40\n", .gil_ticks = 100}},
        {FST_GIL_BOUND, {.gil = "f (x.py:1) 50\nf (x.py:2) 40\n", .gil_ticks = 100}},
        /* 0.8 is enough */
        {FST_GIL_BOUND, {.gil = "f (x.py:1) 80\n", .gil_ticks = 100}},
        {FST_GIL_NO_VERDICT, {.gil = "f (x.py:1) 79\n", .gil_ticks = 100}},
        /* before a - h >= 1 */
        {FST_GIL_BOUND,
         {.gil = "f (x.py:1) 90\n", .all = "f (x.py:1) 900\n", .gil_ticks = 100, .all_ticks = 100}},
        {FST_GIL_NATIVE,
         {.gil = "f (x.py:1) 50\n", .all = "f (x.py:1) 300\n", .gil_ticks = 100, .all_ticks = 200}},
        {FST_GIL_MIXED,
         {.gil = "f (x.py:1) 50\n", .all = "f (x.py:1) 299\n", .gil_ticks = 100, .all_ticks = 200}},
        {FST_GIL_MIXED,
         {.gil = "f (x.py:1) 5\n", .all = "f (x.py:1) 30\n", .gil_ticks = 100, .all_ticks = 100}},
        {FST_GIL_MOSTLY_IDLE,
         {.gil = "f (x.py:1) 5\n", .all = "f (x.py:1) 29\n", .gil_ticks = 100, .all_ticks = 100}},
        /* several processes: means of one, and nobody takes turns */
        {FST_GIL_BOUND,
         {.gil = "thread (1): a;f (x.py:1) 90\nthread (2): b;f (x.py:1) 90\n",
          .gil_ticks = 100,
          .processes = 2}},
        {FST_GIL_MIXED,
         {.gil = "f (x.py:1) 90\n",
          .all = "f (x.py:1) 200\n",
          .gil_ticks = 100,
          .all_ticks = 100,
          .processes = 2}},
        {FST_GIL_MOSTLY_IDLE,
         {.gil = "process 1:\"p\";f (x.py:1) 10\nprocess 2:\"q\";f (x.py:1) 10\n",
          .all = "process 1:\"p\";f (x.py:1) 20\nprocess 2:\"q\";f (x.py:1) 20\n",
          .gil_ticks = 100,
          .all_ticks = 100}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct made made = make(&rows[i].pair);
        REQUIRE(made.gil->verdict == rows[i].wanted, "row %zu: verdict \"%s\"", i,
                fst_gil_verdict_name(made.gil->verdict));
        assert_int_equal(made.gil->verdict == FST_GIL_NO_VERDICT, made.gil->verdict_text.len == 0);
        unmake(&made);
    }
}

/* --- rows ------------------------------------------------------------------------------------ */

static void rows_have_ratios_and_labels(void **state)
{
    (void)state;
    struct pair pair = {.gil = "f (x.py:1) 54\ng (x.py:2) 3\nonly (x.py:3) 2\n",
                        .all = "f (x.py:1) 56\ng (x.py:2) 180\nfree (x.py:4) 30\n",
                        .gil_ticks = 299,
                        .all_ticks = 299};
    static const struct {
        const char *name;
        const char *gil;
        const char *all;
        double ratio;
        enum fst_gil_label label;
    } rows[] = {
        {"f (x.py:1)", "54", "56", 54.0 / 56, FST_GIL_HOLDS},
        {"g (x.py:2)", "3", "180", 3.0 / 180, FST_GIL_RELEASES},
        {"only (x.py:3)", "2", "0", NAN, FST_GIL_UNCLEAR},
        {"free (x.py:4)", "0", "30", 0, FST_GIL_RELEASES},
    };
    struct made made = make(&pair);
    assert_int_equal(made.gil->frames.of, FST_COUNT_OF(rows));
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const struct fst_gil_row *row = &made.gil->frames.rows[i];
        require_text(i, row->name, rows[i].name);
        require_count(i, row->gil, rows[i].gil);
        require_count(i, row->all, rows[i].all);
        require_near(rows[i].name, row->ratio, rows[i].ratio);
        REQUIRE(row->label == rows[i].label, "row %zu: %s", i, fst_gil_label_name(row->label));
    }
    assert_true(isinf(made.gil->frames.rows[2].ratio_ci.hi));
    assert_int_equal(made.gil->holding.of, 3);
    /* What holds the lock is not among what runs without it. */
    assert_int_equal(made.gil->without_it.of, 2);
    require_text(0, made.gil->without_it.rows[0].name, "g (x.py:2)");
    require_text(1, made.gil->without_it.rows[1].name, "free (x.py:4)");
    unmake(&made);
}

static void rows_follow_by(void **state)
{
    (void)state;
    struct pair pair = {.gil = "f (x.py:1) 1\nf (x.py:2) 2\n",
                        .all = "f (x.py:2) 3\nf (x.py:3) 4\n",
                        .by = FST_BY_FUNCTION};
    struct made made = make(&pair);
    assert_int_equal(made.gil->frames.of, 1);
    require_text(0, made.gil->frames.rows[0].name, "f (x.py)");
    require_count(0, made.gil->frames.rows[0].gil, "3");
    require_count(0, made.gil->frames.rows[0].all, "7");
    unmake(&made);
}

static void profiles_must_count_by_the_same(void **state)
{
    (void)state;
    struct fst_profile *frames = profile_of("a 1\n", (struct fst_profile_options){0});
    struct fst_profile *files =
        profile_of("a 1\n", (struct fst_profile_options){.by = FST_BY_FILE});
    struct fst_gil *gil = NULL;
    struct fst_error err = {0};
    assert_int_equal(fst_gil_new(frames, files, NULL, &(struct fst_gil_options){0}, &gil, &err),
                     FST_ERR_USAGE);
    assert_null(gil);
    assert_int_equal(err.code, FST_ERR_USAGE);
    fst_profile_free(frames);
    fst_profile_free(files);
}

/* --- threads --------------------------------------------------------------------------------- */

static const struct fst_gil_thread *find_thread(const struct fst_gil *gil, const char *name)
{
    for (size_t i = 0; i < gil->threads.count; i++) {
        if (fst_str_eq(gil->threads.rows[i].name, fst_str_cstr(name))) {
            return &gil->threads.rows[i];
        }
    }
    static const struct fst_gil_thread none = {0};
    fail_msg("no thread %s", name);
    return &none;
}

static void threads_are_matched_by_name(void **state)
{
    (void)state;
    /* Two recordings of one program that was started twice, and a name that came late. */
    struct pair pair = {.gil = "thread (11): main;f 4\nthread (12): io;f 1\n",
                        .all = "thread (21);f 1\nthread (21): main;f 5\nthread (22): io;f 2\n"
                               "thread (23);f 7\nf 1\n",
                        .idle = "thread (31): main;f 10\nthread (32): io;f 10\n",
                        .gil_ticks = 10,
                        .all_ticks = 10,
                        .idle_ticks = 10};
    struct made made = make(&pair);
    assert_int_equal(made.gil->threads.of, 4);
    assert_int_equal(made.gil->threads_seen, 3);
    const struct fst_gil_thread *thread = find_thread(made.gil, "main");
    assert_int_equal(thread->members, 1);
    require_count(0, thread->all, "6");
    require_near("held", thread->held, 0.4);
    require_near("active", thread->active, 0.6);
    require_near("without", thread->without, 0.2);
    require_near("blocked", thread->blocked, 0.4);
    require_near("share", thread->gil_share, 0.8);
    require_count(1, find_thread(made.gil, "thread (23)")->all, "7");
    require_count(2, find_thread(made.gil, "[no thread]")->all, "1");
    unmake(&made);
}

/* So many threads of a name with a number. */
static struct fst_buf pool_text(const char *before, bool numbered, const char *behind, int threads)
{
    struct fst_buf text = {0};
    for (int i = 0; i < threads; i++) {
        fst_buf_add_fmt(&text, "thread (%d)%s", 100 + i, before);
        if (numbered) {
            fst_buf_add_fmt(&text, "%d", i);
        }
        fst_buf_add_fmt(&text, "%s;f (x.py:1) 1\n", behind);
    }
    fst_buf_add_char(&text, '\0');
    return text;
}

static void pools_are_one_row(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        bool numbered;
        const char *behind;
        int threads;
        size_t rows;
        const char *name; /* of the first */
        uint64_t members;
    } rows[] = {
        {": upload_", true, "", 500, 1, "upload_*", 500},
        {": upload_", true, "", 8, 1, "upload_*", 8},
        {": upload_", true, "", 7, 7, "upload_0", 1},
        {": ThreadPoolExecutor-0_", true, "", 2, 1, "ThreadPoolExecutor-*", 2},
        {": Thread-", true, "", 3, 1, "Thread-*", 3},
        {": Thread-", true, " (serve)", 3, 1, "Thread-* (serve)", 3},
        {": worker", false, "", 3, 1, "worker", 3},
        {"", false, "", 8, 1, "[threads without a name]", 8},
        {"", false, "", 3, 3, "thread (100)", 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text =
            pool_text(rows[i].before, rows[i].numbered, rows[i].behind, rows[i].threads);
        struct pair pair = {.gil = text.data, .gil_ticks = 1000};
        struct made made = make(&pair);
        REQUIRE(made.gil->threads.of == rows[i].rows, "row %zu: %zu rows", i, made.gil->threads.of);
        require_text(i, made.gil->threads.rows[0].name, rows[i].name);
        REQUIRE(made.gil->threads.rows[0].members == rows[i].members, "row %zu: %llu members", i,
                (unsigned long long)made.gil->threads.rows[0].members);
        unmake(&made);
        fst_buf_release(&text);
    }
}

/* --- waits ----------------------------------------------------------------------------------- */

static void waits_are_found_in_native_stacks(void **state)
{
    (void)state;
    struct pair pair = {.gil = "f (x.py:1) 5\n",
                        .all = "f (x.py:1);take_gil (libpython3.so);sem_wait (libc.so) 3\n"
                               "f (x.py:1);poll (libc.so) 2\n",
                        .idle = "f (x.py:1);sem_wait (libc.so) 4\n"
                                "f (x.py:1);pthread_cond_wait (libc.so) 6\n",
                        .gil_ticks = 10,
                        .all_ticks = 10,
                        .idle_ticks = 20};
    struct made made = make(&pair);
    assert_int_equal(made.gil->waits.of, 2);
    require_text(0, made.gil->waits.rows[0].name, "sem_wait (libc.so)");
    require_count(0, made.gil->waits.rows[0].all, "3");
    require_count(0, made.gil->waits.rows[0].idle, "4");
    require_near("waiting", made.gil->waits.rows[0].waiting, 0.2);
    require_text(1, made.gil->waits.rows[1].name, "pthread_cond_wait (libc.so)");
    unmake(&made);
}

/* --- merging and rendering ------------------------------------------------------------------- */

static void merged_profiles_are_one(void **state)
{
    (void)state;
    struct fst_profile_options options = {.threads = true};
    struct fst_profile *a = profile_of("thread (1): a;f (x.py:1) 5\n", options);
    struct fst_profile *b = profile_of("thread (1): a;f (x.py:1) 2\nthread (2): b;g (x.py:2);"
                                       "sem_wait (libc.so) 3\n",
                                       options);
    assert_int_equal(fst_profile_merge(a, b, NULL), FST_OK);
    struct fst_gil *gil = NULL;
    struct fst_gil_options ticks = {.gil_ticks = 10, .all_ticks = 10};
    assert_int_equal(fst_gil_new(a, a, NULL, &ticks, &gil, NULL), FST_OK);
    require_count(0, find_thread(gil, "a")->gil, "7");
    require_count(1, find_thread(gil, "b")->gil, "3");
    require_count(2, gil->waits.rows[0].all, "3");
    assert_int_equal(gil->threads_seen, 2);
    fst_gil_free(gil);
    struct fst_profile *without = profile_of("f 1\n", (struct fst_profile_options){0});
    assert_int_equal(fst_profile_merge(a, without, NULL), FST_ERR_USAGE);
    fst_profile_free(without);
    fst_profile_free(b);
    fst_profile_free(a);
}

/* --- filters --------------------------------------------------------------------------------- */

static const char *const busy = "process 1:\"p\";thread (1): a;m (x.py:1);f (x.py:2) 50\n"
                                "process 1:\"p\";thread (2): b;m (x.py:1);g (x.py:3) 35\n"
                                "process 2:\"q\";thread (3): c;m (x.py:1);h (x.py:4) 10\n";

static struct fst_gil *gil_of(const struct fst_profile *held, const struct fst_profile *active)
{
    struct fst_gil *gil = NULL;
    struct fst_gil_options ticks = {.gil_ticks = 100, .all_ticks = 100};
    struct fst_error err = {0};
    enum fst_status status = fst_gil_new(held, active, NULL, &ticks, &gil, &err);
    REQUIRE(status == FST_OK, "fst_gil_new: %s", err.message);
    return gil;
}

/* A selection, and what is then kept and what the verdict rests on: samples of GIL. */
struct look {
    struct fst_selection_options asked;
    const char *kept;
    const char *whole;
    bool filtered;
    double processes;
    enum fst_gil_verdict verdict;
};

static void require_look(size_t i, const struct look *look, bool merged)
{
    struct fst_selection *selection = NULL;
    assert_int_equal(fst_selection_new(&look->asked, &selection, NULL, NULL), FST_OK);
    struct fst_profile_options options = {.threads = true, .selection = selection};
    struct fst_profile *held = profile_of(busy, options);
    struct fst_profile *active = profile_of(busy, options);
    if (merged) { /* with nothing, in two ways */
        struct fst_profile *empty = new_profile(options);
        assert_int_equal(fst_profile_merge(empty, held, NULL), FST_OK);
        fst_profile_free(held);
        held = empty;
        read_text(held, FST_STR(""), "none");
    }
    struct fst_gil *gil = gil_of(held, active);
    require_count(i, gil->gil.samples, look->kept);
    require_count(i, gil->gil.whole, look->whole);
    require_count(i, gil->gil.offered, "95");
    REQUIRE(gil->filtered == look->filtered, "look %zu: filtered %d", i, gil->filtered);
    require_near("processes", gil->processes, look->processes);
    REQUIRE(gil->verdict == look->verdict, "look %zu: %s", i, fst_gil_verdict_name(gil->verdict));
    fst_gil_free(gil);
    fst_profile_free(held);
    fst_profile_free(active);
    fst_selection_free(selection);
}

static void the_verdict_is_of_the_whole(void **state)
{
    (void)state;
#define RE(text)                                                                                   \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }
    static const struct look looks[] = {
        {{.fold_recursion = true}, "95", "95", false, 2, FST_GIL_MIXED},
        {{.focus = RE("^f ")}, "50", "95", true, 2, FST_GIL_MIXED},
        {{.thread = RE("b$")}, "35", "95", true, 2, FST_GIL_MIXED},
        {{.ignore = RE("^[fg] ")}, "10", "95", true, 2, FST_GIL_MIXED},
        {{.hide = RE("^m ")}, "95", "95", false, 2, FST_GIL_MIXED},
        {{.process = RE("process 1:")}, "85", "85", false, 1, FST_GIL_CONTENDED},
        {{.process = RE("process 1:"), .focus = RE("^g ")}, "35", "85", true, 1, FST_GIL_CONTENDED},
        {{.process = RE("process 1:"), .thread = RE("a$")}, "50", "85", true, 1, FST_GIL_CONTENDED},
        {{.process = RE("process 2:")}, "10", "10", false, 1, FST_GIL_MOSTLY_IDLE},
    };
#undef RE
    for (size_t i = 0; i < FST_COUNT_OF(looks); i++) {
        require_look(i, &looks[i], false);
        require_look(i, &looks[i], true);
    }
}

static int refuse(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    (void)bytes;
    (void)len;
    return 28; /* ENOSPC */
}

static void rendering_says_how_it_went(void **state)
{
    (void)state;
    struct pair pair = {
        .gil = "f (x.py:1) 5\n", .all = "f (x.py:1) 9\n", .gil_ticks = 10, .all_ticks = 10};
    struct made made = make(&pair);
    struct fst_render_options options = {0};
    struct fst_error err = {0};
    struct fst_buf out = {0};
    assert_int_equal(fst_render_gil(made.gil, FST_FORMAT_PLAIN, &options, collect, &out, &err),
                     FST_ERR_USAGE);
    assert_int_equal(out.len, 0);
    static const enum fst_format formats[] = {FST_FORMAT_TABLE, FST_FORMAT_JSON, FST_FORMAT_CSV,
                                              FST_FORMAT_TSV, FST_FORMAT_MARKDOWN};
    for (size_t i = 0; i < FST_COUNT_OF(formats); i++) {
        fst_buf_clear(&out);
        assert_int_equal(fst_render_gil(made.gil, formats[i], &options, collect, &out, &err),
                         FST_OK);
        REQUIRE(fst_str_find(fst_buf_str(&out), FST_STR("f (x.py:1)")) != NULL, "format %zu", i);
        assert_int_equal(fst_render_gil(made.gil, formats[i], &options, refuse, NULL, &err),
                         FST_ERR_IO);
        assert_int_equal(err.sys_errno, 28);
    }
    fst_buf_release(&out);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_made_by_ticks),
        cmocka_unit_test(threads_in_step_widen_the_share),
        cmocka_unit_test(nothing_held_is_a_bound),
        cmocka_unit_test(without_ticks_there_is_a_ratio_of_counts),
        cmocka_unit_test(what_is_no_sample_has_no_figures),
        cmocka_unit_test(verdicts_come_in_order),
        cmocka_unit_test(rows_have_ratios_and_labels),
        cmocka_unit_test(rows_follow_by),
        cmocka_unit_test(profiles_must_count_by_the_same),
        cmocka_unit_test(threads_are_matched_by_name),
        cmocka_unit_test(pools_are_one_row),
        cmocka_unit_test(merged_profiles_are_one),
        cmocka_unit_test(the_verdict_is_of_the_whole),
        cmocka_unit_test(rendering_says_how_it_went),
        cmocka_unit_test(waits_are_found_in_native_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
