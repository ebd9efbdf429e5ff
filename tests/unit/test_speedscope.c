/* Sampled speedscope profiles: frames, threads and counts as py-spy's raw format has them, and a
 * place in the message for whatever is wrong. */
#include "unit/stacks.h"

#include <locale.h>

#include "parse/speedscope.h"

static enum fst_status read_json(struct fst_str text, size_t step, struct stacks *stacks,
                                 struct fst_input *stats, struct fst_error *err)
{
    struct fst_speedscope *reader = NULL;
    struct fst_read_options options = {0};
    assert_int_equal(fst_speedscope_new(sink_of(stacks), &options, stats, &reader, err), FST_OK);
    enum fst_status status = FST_OK;
    while (text.len > 0 && status == FST_OK) {
        size_t n = text.len < step ? text.len : step;
        status = fst_speedscope_feed(reader, fst_str_of(text.data, n), err);
        text = fst_str_skip(text, n);
    }
    if (status == FST_OK) {
        status = fst_speedscope_finish(reader, err);
    }
    fst_speedscope_free(reader);
    return status;
}

static void require_stacks(size_t row, struct fst_str text, const char *wanted)
{
    require_stacks_by(read_json, row, text, wanted);
}

static void require_refusal(size_t row, struct fst_str text, const char *message, uint64_t line)
{
    require_refusal_by(read_json, row, text, message, line);
}

#define NO_SPEEDSCOPE                                                                              \
    "JSON, but no speedscope profile; record collapsed stacks instead, as py-spy record -f raw "   \
    "and asprof -o collapsed do"

/* --- files ----------------------------------------------------------------------------------- */

static void what_programs_write_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *stacks;
    } rows[] = {
        {"pyspy-one-thread.json",
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "<module> (train.py:42);fit (loop.py:118);collate (data & co/batch.py:9) 1\n"
         "<module> (train.py:42);fit (loop.py:118);collate (data & co/batch.py:9) 1\n"
         "<module> (train.py:42) 1\n"
         "<module> (train.py:42);fit (loop.py:118);step (optim.py:31);memcpy (libc.so.6) 1\n"},
        {"pyspy-threads.json",
         "thread (0x7F1C5A7FC700);_bootstrap (threading.py:890);watch (log.py:14) 1\n"
         "thread (0x7F1C5A7FC700);_bootstrap (threading.py:890);watch (log.py:14) 1\n"
         "thread (0x7F1C5A7FC700) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);step (optim.py:31) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);collate "
         "(data & co/batch.py:9) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);collate "
         "(data & co/batch.py:9) 1\n"
         "thread (4242): MainThread;<module> (train.py:42) 1\n"
         "thread (4242): MainThread;<module> (train.py:42);fit (loop.py:118);step "
         "(optim.py:31);memcpy (libc.so.6) 1\n"},
        {"pyspy-subprocesses.json",
         "process 10:\"\";thread (10): MainThread;<module> (train.py:42);fit (loop.py:118);step "
         "(optim.py:31) 1\n"
         "process 10:\"\";thread (10): MainThread;<module> (train.py:42);fit (loop.py:118);step "
         "(optim.py:31) 1\n"
         "process 10:\"\";thread (10): MainThread;<module> (train.py:42);fit (loop.py:118);step "
         "(optim.py:31) 1\n"
         "process 11:\"\";thread (11): MainThread;<module> (train.py:42);fit (loop.py:118);collate "
         "(data & co/batch.py:9) 1\n"
         "process 11:\"\";thread (11): MainThread;<module> (train.py:42);fit (loop.py:118);collate "
         "(data & co/batch.py:9) 1\n"
         "process 11:\"\";thread (11): MainThread;<module> (train.py:42) 1\n"
         "process 11:\"\";thread (12): worker (pool; 2);_bootstrap (threading.py:890);watch "
         "(log.py:14) 1\n"},
        {"pyspy-thread-frames.json",
         "process 10:\"python train.py\";thread (10): MainThread;<module> (train.py:42);fit "
         "(loop.py:118);step (optim.py:31) 1\n"
         "process 10:\"python train.py\";thread (10): MainThread;<module> (train.py:42);fit "
         "(loop.py:118);step (optim.py:31) 1\n"
         "process 10:\"python train.py\";thread (10): MainThread;<module> (train.py:42);fit "
         "(loop.py:118);step (optim.py:31) 1\n"
         "process 10:\"python train.py\";thread (12): log;_bootstrap (threading.py:890);watch "
         "(log.py:14) 1\n"
         "process 10:\"python train.py\";thread (12): log;_bootstrap (threading.py:890);watch "
         "(log.py:14) 1\n"},
        {"milliseconds.json", "main;parse (parse.c) 10250\n" /* in µs */
                              "main;draw (draw.c:7) 2000\n"
                              "main 100\n"},
        {"counts.json", "thread (1): before;main;parse 57\n"
                        "thread (1): before;main;[empty] 57\n"
                        "thread (2): after;main 3\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        read_fixture("speedscope", rows[i].file, &text);
        require_stacks(i, fst_buf_str(&text), rows[i].stacks);
        fst_buf_release(&text);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        const char *message;
        uint64_t line;
    } rows[] = {
        {"evented.json", "an evented speedscope profile; only sampled ones are read", 0},
        {"bad-index.json",
         "a damaged speedscope profile: profiles[0].samples[1] names frame 2 of 2", 0},
        {"cut.json", "malformed JSON: '}' expected near end of file", 1},
        {"trace.json", NO_SPEEDSCOPE, 0},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        read_fixture("speedscope", rows[i].file, &text);
        require_refusal(i, fst_buf_str(&text), rows[i].message, rows[i].line);
        fst_buf_release(&text);
    }
}

static void the_dialect_is_told_or_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        enum fst_dialect asked;
        enum fst_dialect told;
    } rows[] = {
        {"pyspy-threads.json", FST_DIALECT_AUTO, FST_DIALECT_PYSPY},
        {"pyspy-one-thread.json", FST_DIALECT_AUTO, FST_DIALECT_PYSPY},
        {"pyspy-threads.json", FST_DIALECT_GENERIC, FST_DIALECT_GENERIC},
        {"milliseconds.json", FST_DIALECT_AUTO, FST_DIALECT_GENERIC},
        {"counts.json", FST_DIALECT_PYSPY, FST_DIALECT_PYSPY},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        struct fst_speedscope *reader = NULL;
        struct fst_read_options options = {.dialect = rows[i].asked, .leaf_first = true};
        read_fixture("speedscope", rows[i].file, &text);
        assert_int_equal(fst_speedscope_new(sink_of(&stacks), &options, &stats, &reader, NULL),
                         FST_OK);
        assert_int_equal(fst_speedscope_feed(reader, fst_buf_str(&text), NULL), FST_OK);
        assert_int_equal(fst_speedscope_finish(reader, NULL), FST_OK);
        assert_int_equal(stacks.grammar.dialect, rows[i].told);
        assert_int_equal(stats.dialect, rows[i].told);
        fst_speedscope_free(reader);
        fst_buf_release(&text);
        fst_buf_release(&stacks.text);
    }
}

static void units_are_those_of_the_weights(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        const char *weights;
        enum fst_unit told;
    } rows[] = {
        {"bytes", "8,8", FST_UNIT_BYTES},          {"microseconds", "1,2", FST_UNIT_MICROSECONDS},
        {"microseconds", "2,2", FST_UNIT_SAMPLES}, {"none", "1,2", FST_UNIT_SAMPLES},
        {"seconds", "1,1", FST_UNIT_SAMPLES},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        fst_buf_add_fmt(&text,
                        "{\"shared\":{\"frames\":[{\"name\":\"main\"}]},\"profiles\":["
                        "{\"type\":\"sampled\",\"unit\":\"%s\",\"samples\":[[0],[0]],"
                        "\"weights\":[%s]}]}",
                        rows[i].unit, rows[i].weights);
        assert_int_equal(read_json(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
        assert_int_equal(stats.unit, rows[i].told);
        assert_int_equal(stacks.grammar.unit, rows[i].told);
        fst_buf_release(&text);
        fst_buf_release(&stacks.text);
    }
}

/* A file of foldstat's own, with what it says of itself. */
#define OWN(told, unit, weights)                                                                   \
    "{\"exporter\":\"foldstat 0.1.0\"," told "\"shared\":{\"frames\":[{\"name\":\"main\"}]},"      \
    "\"profiles\":[{\"type\":\"sampled\",\"unit\":\"" unit                                         \
    "\",\"samples\":[[0],[0]],\"weights\":[" weights "]}]}"
#define TOLD(dialect, unit) "\"foldstat\":{\"dialect\":\"" dialect "\",\"unit\":\"" unit "\"},"

static void our_own_files_say_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fst_dialect dialect;
        enum fst_unit unit;
        const char *stacks;
    } rows[] = {
        {OWN("", "microseconds", "5,5"), FST_DIALECT_GENERIC, FST_UNIT_MICROSECONDS,
         "main 5\nmain 5\n"},
        {OWN("", "bytes", "5,5"), FST_DIALECT_GENERIC, FST_UNIT_BYTES, "main 5\nmain 5\n"},
        {OWN("", "none", "5,5"), FST_DIALECT_GENERIC, FST_UNIT_SAMPLES, "main 5\nmain 5\n"},
        {OWN(TOLD("perf", "samples"), "none", "2000,3000"), FST_DIALECT_PERF, FST_UNIT_SAMPLES,
         "main 2000\nmain 3000\n"},
        {OWN(TOLD("rbspy", "counts"), "none", "5,6"), FST_DIALECT_RBSPY, FST_UNIT_COUNTS,
         "main 5\nmain 6\n"},
        {OWN(TOLD("austin", "samples"), "none", "5,6"), FST_DIALECT_AUSTIN, FST_UNIT_SAMPLES,
         "main 5\nmain 6\n"},
        {OWN(TOLD("unheard of", "parsecs"), "none", "5,6"), FST_DIALECT_GENERIC, FST_UNIT_SAMPLES,
         "main 5\nmain 6\n"},
        {OWN("\"foldstat\":[1],", "none", "5,6"), FST_DIALECT_GENERIC, FST_UNIT_SAMPLES,
         "main 5\nmain 6\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct stacks stacks = {0};
        struct fst_input stats = {0};
        assert_int_equal(read_json(fst_str_cstr(rows[i].text), SIZE_MAX, &stacks, &stats, NULL),
                         FST_OK);
        require_text(i, fst_buf_str(&stacks.text), rows[i].stacks);
        assert_int_equal(stats.dialect, rows[i].dialect);
        assert_int_equal(stats.unit, rows[i].unit);
        fst_buf_release(&stacks.text);
    }
}

static void frames_of_our_own_files_are_as_they_were_written(void **state)
{
    (void)state;
    static const char frames[] = "\"shared\":{\"frames\":[{\"name\":\"f\",\"file\":\"x.py\","
                                 "\"line\":3,\"text\":\"x.py:f:3\"}]},"
                                 "\"profiles\":[{\"type\":\"sampled\",\"unit\":\"none\","
                                 "\"samples\":[[0]],\"weights\":[2]}]}";
    struct fst_buf text = {0};
    fst_buf_add_fmt(&text, "{\"exporter\":\"foldstat 0.1.0\",%s", frames);
    require_stacks(0, fst_buf_str(&text), "x.py:f:3 2\n");
    fst_buf_clear(&text);
    fst_buf_add_fmt(&text, "{\"exporter\":\"another\",%s", frames);
    require_stacks(1, fst_buf_str(&text), "f (x.py:3) 2\n");
    fst_buf_release(&text);
}

static void leaf_first_turns_stacks_below_what_leads_them(void **state)
{
    (void)state;
    static const char text[] =
        "{\"shared\":{\"frames\":[{\"name\":\"main\"},{\"name\":\"f\"},{\"name\":\"g\"}]},"
        "\"profiles\":[{\"type\":\"sampled\",\"name\":\"a\",\"unit\":\"none\",\"samples\":[[2,1,0],"
        "[0],[]],"
        "\"weights\":[3,2,1]},{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":[],\"weights\":[]"
        "}]}";
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    struct fst_speedscope *reader = NULL;
    const struct fst_read_options options = {.leaf_first = true};
    assert_int_equal(fst_speedscope_new(sink_of(&stacks), &options, &stats, &reader, NULL), FST_OK);
    assert_int_equal(fst_speedscope_feed(reader, FST_STR(text), NULL), FST_OK);
    assert_int_equal(fst_speedscope_finish(reader, NULL), FST_OK);
    fst_speedscope_free(reader);
    require_text(0, fst_buf_str(&stacks.text),
                 "thread (1): a;main;f;g 3\nthread (1): a;main 2\nthread (1): a 1\n");
    fst_buf_release(&stacks.text);
}

static void stacks_are_shaped_by_the_dialect(void **state)
{
    (void)state;
    static const char text[] =
        "{\"shared\":{\"frames\":[{\"name\":\"Thread 7f1a2b3c\"},"
        "{\"name\":\"f (mod.py)\"},{\"name\":\"L12\"}]},\"profiles\":[{\"type\":\"sampled\","
        "\"unit\":\"microseconds\",\"samples\":[[0,1,2],[0]],\"weights\":[100,20]}]}";
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    assert_int_equal(read_json(FST_STR(text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
    require_text(0, fst_buf_str(&stacks.text),
                 "Thread 7f1a2b3c;f (mod.py:12) 100\nThread 7f1a2b3c 20\n");
    assert_int_equal(stacks.last_lead.count, 1);
    assert_int_equal(stacks.last_lead.thread, 0);
    assert_int_equal(stats.unit, FST_UNIT_MICROSECONDS);
    fst_buf_release(&stacks.text);
}

/* --- frames, threads and counts -------------------------------------------------------------- */

#define TEXT(json)                                                                                 \
    {                                                                                              \
        json, sizeof(json) - 1                                                                     \
    }
/* A file of these frames and profiles, and a profile of frame 0. */
#define FILE_OF(frames, profiles)                                                                  \
    "{\"shared\":{\"frames\":[" frames "]},\"profiles\":[" profiles "]}"
#define MAIN "{\"name\":\"main\"}"
#define PROFILE(name, unit, samples, weights)                                                      \
    "{\"type\":\"sampled\",\"name\":\"" name "\",\"unit\":\"" unit "\",\"samples\":[" samples      \
    "],\"weights\":[" weights "]}"
#define ONE(name) PROFILE(name, "none", "[0]", "1")

static void frames_are_written_as_in_raw_profiles(void **state)
{
    (void)state;
    static const struct {
        const char *frame;
        const char *text;
    } rows[] = {
        {"{\"name\":\"f\"}", "f 1\n"},
        {"{\"name\":\"f\",\"file\":null,\"line\":null,\"col\":null}", "f 1\n"},
        {"{\"name\":\"f\",\"file\":\"\",\"line\":3}", "f 1\n"},
        {"{\"name\":\"f\",\"line\":3}", "f 1\n"},
        {"{\"name\":\"f\",\"file\":\"a.py\"}", "f (a.py) 1\n"},
        {"{\"name\":\"f\",\"file\":\"a.py\",\"line\":0}", "f (a.py) 1\n"},
        {"{\"name\":\"f\",\"file\":\"a.py\",\"line\":12,\"col\":7}", "f (a.py:12) 1\n"},
        {"{\"name\":\"f\",\"file\":\"a.py\",\"line\":-1}", "f (a.py:-1) 1\n"},
        {"{\"name\":\"f\",\"file\":\"a.py\",\"line\":12.0}", "f (a.py:12) 1\n"},
        {"{\"name\":\"\",\"file\":\"a.py\"}", " (a.py) 1\n"},
        {"{\"name\":\"\"}", "[empty] 1\n"},
        {"{\"name\":\"a;b\\u0000\\u001b\\u00e9\"}", "a;b\\x00\\x1b\xc3\xa9 1\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        fst_buf_add_fmt(&text, "%s%s%s", "{\"shared\":{\"frames\":[", rows[i].frame,
                        "]},\"profiles\":[" ONE("") "]}");
        require_stacks(i, fst_buf_str(&text), rows[i].text);
        fst_buf_release(&text);
    }
}

static void names_of_profiles_become_threads(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *lead;
    } rows[] = {
        {"Thread 4242 \\\"MainThread\\\"", "thread (4242): MainThread"},
        {"Thread 0x7f1C \\\"a \\\"b\\\" (c)\\\"", "thread (0x7f1C): a \"b\" (c)"},
        {"Thread 0X7F1C \\\"\\\"", "thread (0X7F1C)"},
        {"Thread 7", "thread (7)"},
        {"Process 10 Thread 11 \\\"w\\\"", "process 10:\"\";thread (11): w"},
        {"", "thread (1)"},
        {"main", "thread (1): main"},
        {"py-spy", "thread (1): py-spy"},
        {"Thread", "thread (1): Thread"},
        {"Thread ", "thread (1): Thread "},
        {"Thread x \\\"w\\\"", "thread (1): Thread x \"w\""},
        {"Thread 12x \\\"w\\\"", "thread (1): Thread 12x \"w\""},
        {"Thread 0x \\\"w\\\"", "thread (1): Thread 0x \"w\""},
        {"Thread 7 w", "thread (1): Thread 7 w"},
        {"Thread 7 \\\"", "thread (1): Thread 7 \""},
        {"Process 10", "thread (1): Process 10"},
        {"Process x Thread 7 \\\"w\\\"", "thread (1): Process x Thread 7 \"w\""},
        {"Process 10 Threads", "thread (1): Process 10 Threads"},
        {"thread (9): w", "thread (1): thread (9): w"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        struct fst_buf wanted = {0};
        fst_buf_add_fmt(&text,
                        "{\"shared\":{\"frames\":[%s]},\"profiles\":["
                        "{\"type\":\"sampled\",\"name\":\"%s\",\"samples\":[[0],[]],"
                        "\"weights\":[2,3]},%s]}",
                        MAIN, rows[i].name, ONE("Thread 5 \\\"x\\\""));
        fst_buf_add_fmt(&wanted, "%s;main 2\n%s 3\nthread (5): x;main 1\n", rows[i].lead,
                        rows[i].lead);
        fst_buf_add_char(&wanted, '\0');
        require_stacks(i, fst_buf_str(&text), wanted.data);
        fst_buf_release(&text);
        fst_buf_release(&wanted);
    }
}

static void frames_that_lead_a_stack_go_before_names_of_profiles(void **state)
{
    (void)state;
    static const char text[] =
        FILE_OF(MAIN ",{\"name\":\"process 10:\\\"p\\\"\"},{\"name\":\"thread (11): a\"}",
                PROFILE("Process 10 Thread 11 \\\"b\\\"", "none",
                        "[0],[1,0],[2,0],[1,2,0],[1],[0,2]", "1,2,3,4,5,6") "," ONE("other"));
    require_stacks(0, FST_STR(text),
                   "process 10:\"\";thread (11): b;main 1\n"
                   "process 10:\"p\";thread (11): b;main 2\n"
                   "thread (11): a;main 3\n"
                   "process 10:\"p\";thread (11): a;main 4\n"
                   "process 10:\"p\";thread (11): b 5\n"
                   "process 10:\"\";thread (11): b;main;thread (11): a 6\n"
                   "thread (2): other;main 1\n");
}

static void weights_are_intervals_or_counts(void **state)
{
    (void)state;
    static const struct {
        struct fst_str text;
        const char *stacks;
    } rows[] = {
        /* the same everywhere, in a unit of time: the interval */
        {TEXT(FILE_OF(MAIN, PROFILE("", "seconds", "[0],[]", "0.01,0.01"))),
         "main 1\n[no Python frames] 1\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("", "nanoseconds", "[0]", "10101010"))), "main 1\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("", "microseconds", "[0],[0]", "5,5.0"))), "main 1\nmain 1\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("a", "seconds", "[0]", "0.01") "," PROFILE("b", "seconds",
                                                                               "[0]", "0.02"))),
         "thread (1): a;main 1\nthread (2): b;main 1\n"},
        /* not the same in one of the profiles: counts in all of them */
        {TEXT(FILE_OF(MAIN, PROFILE("a", "seconds", "[0],[0]",
                                    "1,1") "," PROFILE("b", "seconds", "[0],[0]", "1,2"))),
         "thread (1): a;main 1000000\nthread (1): a;main 1000000\nthread (2): b;main 1000000\n"
         "thread (2): b;main 2000000\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("", "nanoseconds", "[0],[0]", "1500,1"))),
         "main 1.5\nmain 0.001\n"},
        /* no unit of time: counts */
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0],[0]", "5,5"))), "main 5\nmain 5\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("", "bytes", "[0]", "4096"))), "main 4096\n"},
        {TEXT(FILE_OF(MAIN, PROFILE("", "", "[0]", "3"))), "main 3\n"},
        {TEXT(FILE_OF(MAIN,
                      "{\"type\":\"sampled\",\"unit\":null,\"samples\":[[0]],\"weights\":[7]}")),
         "main 7\n"},
        /* our own files */
        {TEXT("{\"exporter\":\"foldstat 0.1.0\",\"shared\":{\"frames\":[" MAIN
              "]},\"profiles\":[" PROFILE("", "microseconds", "[0]", "1234") "]}"),
         "main 1234\n"},
        /* exact numbers */
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0],[0],[0],[0],[0],[0],[0],[0],[0],[0]",
                                    "0,-2,0.1,2.50,1e3,1e-7,-1e-12,9007199254740993,"
                                    "9223372036854775807,1e26"))),
         "main 0\nmain -2\nmain 0.1\nmain 2.5\nmain 1000\nmain 0.0000001\nmain -0.000000000001\n"
         "main 9007199254740993\nmain 9223372036854775807\nmain 100000000000000000000000000\n"},
        {TEXT(FILE_OF(MAIN,
                      PROFILE("", "none", "[0],[0],[0],[0],[0],[0],[0]",
                              "1000000000000000000000,9007199254740993.25,-12345678901234567890,"
                              "123456789012345678.901234567891,25E+2,-0.0,999999999999999999"))),
         "main 1000000000000000000000\nmain 9007199254740993.25\nmain -12345678901234567890\n"
         "main 123456789012345678.901234567891\nmain 2500\nmain 0\nmain 999999999999999999\n"},
        /* what looks like a number within a text is none */
        {TEXT(FILE_OF("{\"name\":\"a\\\"1.5\\\\\",\"file\":\"-2e1 0.5\",\"line\":1.2e1}",
                      PROFILE("", "none", "[0]", "0.5"))),
         "a\"1.5\\ (-2e1 0.5:12) 0.5\n"},
        /* a byte order mark */
        {TEXT("\xef\xbb\xbf" FILE_OF(MAIN, ONE(""))), "main 1\n"},
        /* nothing at all */
        {TEXT(FILE_OF("", "")), ""},
        {TEXT(FILE_OF(MAIN, PROFILE("", "seconds", "", ""))), ""},
        {TEXT(FILE_OF(MAIN, PROFILE("a", "none", "", "") "," PROFILE(
                                "b", "none", "[0]", "1") "," PROFILE("c", "none", "", ""))),
         "thread (2): b;main 1\n"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_stacks(i, rows[i].text, rows[i].stacks);
    }
}

static void rounded_and_negative_counts_are_counted(void **state)
{
    (void)state;
    static const char text[] =
        FILE_OF(MAIN, PROFILE("", "none", "[0],[0],[0]", "0.010101010101010102,-1,2"));
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    assert_int_equal(read_json(FST_STR(text), SIZE_MAX, &stacks, &stats, NULL), FST_OK);
    require_text(0, fst_buf_str(&stacks.text), "main 0.010101010101\nmain -1\nmain 2\n");
    assert_int_equal(stats.rounded_lines, 1);
    assert_int_equal(stats.negative_lines, 1);
    assert_int_equal(stats.stack_lines, 3);
    fst_buf_release(&stacks.text);
}

static void a_decimal_comma_in_the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < FST_COUNT_OF(names) && found == NULL; i++) {
        found = setlocale(LC_NUMERIC, names[i]);
    }
    if (found == NULL) {
        skip();
    }
    require_stacks(0, FST_STR(FILE_OF(MAIN, PROFILE("", "none", "[0],[0]", "0.25,1e-7"))),
                   "main 0.25\nmain 0.0000001\n");
    (void)setlocale(LC_NUMERIC, "C");
}

/* --- damage ---------------------------------------------------------------------------------- */

#define DAMAGED "a damaged speedscope profile: "

static void whatever_is_wrong_is_named(void **state)
{
    (void)state;
    static const char other[] = NO_SPEEDSCOPE;
    static const struct {
        struct fst_str text;
        const char *message;
        uint64_t line;
    } rows[] = {
        {TEXT(""), "malformed JSON: '[' or '{' expected near end of file", 1},
        {TEXT("main;work 12\n"), "malformed JSON: '[' or '{' expected near 'main'", 1},
        {TEXT("{\n\"a\": NaN}"), "malformed JSON: invalid token near 'NaN'", 2},
        {TEXT("{\"a\": 1e999}"), other, 0},
        {TEXT("{\"a\": 1e999,\n9999999999999999999}"),
         "malformed JSON: string or '}' expected near '13.0'", 2},
        {TEXT("{\"a\": 1.}"), "malformed JSON: invalid token near '1.'", 1},
        {TEXT("{\"a\": 01.5}"), "malformed JSON: invalid token near '0'", 1},
        {TEXT("{\"a\": -}"), "malformed JSON: invalid token near '-'", 1},
        {TEXT("{\"a\": \"\xff\"}"), "malformed JSON: unable to decode byte 0xff near '\"'", 1},
        {TEXT("{\"\x1b[2J"), "malformed JSON: control character 0x1b near '\"'", 1},
        {TEXT("{}\n{}"), "malformed JSON: end of file expected near '{'", 2},
        {TEXT("[]"), other, 0},
        {TEXT("{}"), other, 0},
        {TEXT("{\"shared\":[],\"profiles\":[]}"), other, 0},
        {TEXT("{\"shared\":{\"frames\":{}},\"profiles\":[]}"), other, 0},
        {TEXT("{\"shared\":{\"frames\":[]},\"profiles\":null}"), other, 0},
        {TEXT(FILE_OF("1", "")), DAMAGED "shared.frames[0] is no object", 0},
        {TEXT(FILE_OF("{}", "")), DAMAGED "shared.frames[0].name is no text", 0},
        {TEXT(FILE_OF(MAIN ",{\"name\":7}", "")), DAMAGED "shared.frames[1].name is no text", 0},
        {TEXT(FILE_OF("{\"name\":\"f\",\"file\":7}", "")),
         DAMAGED "shared.frames[0].file is no text", 0},
        {TEXT(FILE_OF("{\"name\":\"f\",\"line\":\"7\"}", "")),
         DAMAGED "shared.frames[0].line is no whole number", 0},
        {TEXT(FILE_OF("{\"name\":\"f\",\"line\":7.5}", "")),
         DAMAGED "shared.frames[0].line is no whole number", 0},
        {TEXT(FILE_OF("{\"name\":\"f\",\"line\":1e300}", "")),
         DAMAGED "shared.frames[0].line is no whole number", 0},
        {TEXT(FILE_OF(MAIN, "7")), DAMAGED "profiles[0] is no object", 0},
        {TEXT(FILE_OF(MAIN, ONE("a") ",{\"type\":\"heap\"}")),
         DAMAGED "profiles[1].type is not \"sampled\"", 0},
        {TEXT(FILE_OF(MAIN, "{\"type\":7}")), DAMAGED "profiles[0].type is not \"sampled\"", 0},
        {TEXT(FILE_OF(MAIN, ONE("a") ",{\"type\":\"evented\"}")),
         "an evented speedscope profile; only sampled ones are read", 0},
        {TEXT(FILE_OF(MAIN, "{\"type\":\"sampled\",\"name\":7}")),
         DAMAGED "profiles[0] has a name or unit that is no text", 0},
        {TEXT(FILE_OF(MAIN, "{\"type\":\"sampled\",\"unit\":[]}")),
         DAMAGED "profiles[0] has a name or unit that is no text", 0},
        {TEXT(FILE_OF(MAIN, "{\"type\":\"sampled\",\"samples\":[]}")),
         DAMAGED "profiles[0] has no arrays of samples and weights", 0},
        {TEXT(FILE_OF(MAIN, "{\"type\":\"sampled\",\"samples\":{},\"weights\":[]}")),
         DAMAGED "profiles[0] has no arrays of samples and weights", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0],[0]", "1"))),
         DAMAGED "profiles[0] has 2 samples, 1 weights", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0],0", "1,1"))),
         DAMAGED "profiles[0].samples[1] is no array", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0,\"0\"]", "1"))),
         DAMAGED "profiles[0].samples[0][1] is no whole number", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0.0]", "1"))),
         DAMAGED "profiles[0].samples[0][0] is no whole number", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0,1]", "1"))),
         DAMAGED "profiles[0].samples[0] names frame 1 of 1", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[-1]", "1"))),
         DAMAGED "profiles[0].samples[0] names frame -1 of 1", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0]", "null"))),
         DAMAGED "profiles[0].weights[0] is no number", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0]", "\"1\""))),
         DAMAGED "profiles[0].weights[0] is no number", 0},
        {TEXT(FILE_OF(MAIN, PROFILE("", "none", "[0],[0]", "1,1e27"))),
         DAMAGED "profiles[0].weights[1] is out of range", 0},
        {TEXT(
             FILE_OF(MAIN, PROFILE("a", "none", "[0]", "1") "," PROFILE("b", "bytes", "[0]", "1"))),
         "a speedscope file whose profiles have different units, which cannot be added; export "
         "them one by one",
         0},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_refusal(i, rows[i].text, rows[i].message, rows[i].line);
    }
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    struct fst_error err = {0};
    assert_true(fst_buf_add_fill(&text, '[', 1000000));
    assert_int_equal(read_json(fst_buf_str(&text), SIZE_MAX, &stacks, &stats, &err),
                     FST_ERR_FORMAT);
    assert_string_equal(err.message, "malformed JSON: maximum parsing depth reached near '['");
    fst_buf_release(&text);
}

static void a_text_of_more_than_512_mib_is_refused(void **state)
{
    (void)state;
    struct stacks stacks = {0};
    struct fst_input stats = {0};
    struct fst_error err = {0};
    struct fst_speedscope *reader = NULL;
    struct fst_read_options options = {0};
    assert_int_equal(fst_speedscope_new(sink_of(&stacks), &options, &stats, &reader, NULL), FST_OK);
    assert_int_equal(fst_speedscope_feed(reader, FST_STR("{"), &err), FST_OK);
    /* Refused before a byte of it is looked at. */
    struct fst_str large = {"", (size_t)512 << 20};
    assert_int_equal(fst_speedscope_feed(reader, large, &err), FST_ERR_FORMAT);
    assert_string_equal(err.message,
                        "a speedscope profile of more than 512 MiB; record with py-spy "
                        "record -f raw, which sums equal stacks up");
    fst_speedscope_free(reader);
    fst_speedscope_free(NULL);
}

static void a_sink_can_stop_the_reader(void **state)
{
    (void)state;
    static const char text[] = FILE_OF(MAIN, PROFILE("", "none", "[0],[0],[0]", "1,2,3"));
    struct stacks stacks = {.stop_after = 2};
    struct fst_input stats = {0};
    struct fst_error err = {0};
    assert_int_equal(read_json(FST_STR(text), SIZE_MAX, &stacks, &stats, &err), FST_ERR_RANGE);
    assert_string_equal(err.message, "stopped");
    assert_int_equal(stacks.samples, 2);
    fst_buf_release(&stacks.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_programs_write_is_read),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(the_dialect_is_told_or_asked_for),
        cmocka_unit_test(units_are_those_of_the_weights),
        cmocka_unit_test(our_own_files_say_what_they_are),
        cmocka_unit_test(frames_of_our_own_files_are_as_they_were_written),
        cmocka_unit_test(leaf_first_turns_stacks_below_what_leads_them),
        cmocka_unit_test(stacks_are_shaped_by_the_dialect),
        cmocka_unit_test(frames_are_written_as_in_raw_profiles),
        cmocka_unit_test(names_of_profiles_become_threads),
        cmocka_unit_test(frames_that_lead_a_stack_go_before_names_of_profiles),
        cmocka_unit_test(weights_are_intervals_or_counts),
        cmocka_unit_test(rounded_and_negative_counts_are_counted),
        cmocka_unit_test(a_decimal_comma_in_the_locale_does_not_matter),
        cmocka_unit_test(whatever_is_wrong_is_named),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_text_of_more_than_512_mib_is_refused),
        cmocka_unit_test(a_sink_can_stop_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
