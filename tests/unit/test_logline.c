/* What a profiler prints about itself is recognised and no stack, and its figures are taken. */
#include "unit/helpers.h"

#include <math.h>

#include "parse/logline.h"

#define COLOURED "\x1b[32m\x1b[1mpy-spy\x1b[0m\x1b[2m>\x1b[0m "

static const char *const messages[] = {
    "Sampling process 100 times a second for 2 seconds. Press Control-C to exit.",
    "Sampling process 100 times a second. Press Control-C to exit.",
    "Sampling process 100 times a second for 3",
    "1.01s behind in sampling, results may be inaccurate. Try reducing the sampling rate",
    "61.25s behind in sampling, results may be inaccurate. Try reducing the sampling rate",
    "Stopped sampling because process exited",
    "Stopped sampling because Control-C pressed",
    "Wrote raw flamegraph data to 'x.raw'. Samples: 46 Errors: 0",
    "Wrote flamegraph data to 'my file.svg'. Samples: 46 Errors: 3",
    "Wrote speedscope file to 'x'. Samples: 46 Errors: 0",
    ("You can use the flamegraph.pl script from https://github.com/brendangregg/flamegraph to "
     "generate a SVG"),
    "Visit https://www.speedscope.app/ to view",
};

static bool is_log(const char *lede, const char *text, const char *end)
{
    char line[256];
    int len = snprintf(line, sizeof line, "%s%s%s", lede, text, end);
    return fst_is_log_line(fst_str_of(line, (size_t)len));
}

static void messages_are_recognised_with_and_without_the_name_before_them(void **state)
{
    (void)state;
    static const char *const ledes[] = {"", "py-spy> ", "py-spy>", COLOURED,
                                        "\x1b[1;32mpy-spy>\x1b[0m "};
    static const char *const ends[] = {"", "\r", " "};
    for (size_t i = 0; i < FST_COUNT_OF(messages); i++) {
        for (size_t k = 0; k < FST_COUNT_OF(ledes); k++) {
            for (size_t e = 0; e < FST_COUNT_OF(ends); e++) {
                REQUIRE(is_log(ledes[k], messages[i], ends[e]), "\"%s%s\" is a message", ledes[k],
                        messages[i]);
            }
        }
    }
}

static void behind_its_name_every_line_is_the_profilers(void **state)
{
    (void)state;
    static const char *const rests[] = {"", "Error: no such process 7", "a;b 3", "\x1b[0m"};
    for (size_t i = 0; i < FST_COUNT_OF(rests); i++) {
        assert_true(is_log("py-spy> ", rests[i], ""));
        assert_true(is_log(COLOURED, rests[i], ""));
    }
}

static void stacks_that_resemble_messages_are_stacks(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Sampling process;x 3",
        "Sampling process 5;x 3",
        "Sampling processes 100 times a second 3",
        "Wrote file;x 3",
        "Wrote a;Samples: 5 Errors: 0",
        "Stopped sampling;x 3",
        "You can use;x 3",
        "Visit https://example.org/ 3",
        "1.01s behind in sampling;x 3",
        "1.01 behind in sampling, results may be inaccurate 3",
        "s behind in sampling, results may be inaccurate 3",
        "12",
        "1",
        "py-spy;x 3",
        "py-spy >x 3",
        "py-spy",
        "python;x 3",
        "p",
        "S",
        "\x1b",
        "\x1b[",
        "\x1b[2Jpy-spy> x 3",
        "\x1b[1py-spy> x 3",
        "\x1b[31mred\x1b[0m;x 3",
        " py-spy> x 3",
        "main;Sampling process 100 times a second for 3",
        "main;py-spy> x 3",
    };
    for (size_t i = 0; i < FST_COUNT_OF(lines); i++) {
        REQUIRE(!fst_is_log_line(fst_str_cstr(lines[i])), "\"%s\" is a stack", lines[i]);
    }
}

/* --- what they say --------------------------------------------------------------------------- */

static void add_claim(struct fst_buf *out, const char *name, double value)
{
    if (!isnan(value)) {
        fst_buf_add_fmt(out, " %s %g", name, value);
    }
}

static void add_claims(struct fst_buf *out, const char *name, const struct fst_claims *claims)
{
    fst_buf_add_cstr(out, name);
    add_claim(out, "rate", claims->rate);
    add_claim(out, "duration", claims->duration);
    add_claim(out, "errors", claims->errors);
    add_claim(out, "samples", claims->samples);
}

struct row {
    const char *lines; /* comments and messages */
    const char *says;
};

static void require_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fst_recording recording;
        fst_recording_init(&recording);
        struct fst_str rest = fst_str_cstr(rows[i].lines);
        while (rest.len > 0) {
            const char *newline = memchr(rest.data, '\n', rest.len);
            assert_non_null(newline);
            struct fst_str line = fst_str_of(rest.data, (size_t)(newline - rest.data));
            if (line.data[0] == '#') {
                fst_recording_take_comment(&recording, line);
            } else {
                fst_recording_take_log(&recording, line);
            }
            rest = fst_str_skip(rest, line.len + 1);
        }
        struct fst_buf got = {0};
        add_claims(&got, "comments:", &recording.comments);
        add_claim(&got, "ticks", recording.ticks);
        add_claims(&got, "; messages:", &recording.messages);
        fst_buf_add_cstr(&got, recording.stopped_early ? " stopped" : "");
        fst_buf_add_cstr(&got, recording.fell_behind ? " behind" : "");
        require_text(i, fst_buf_str(&got), rows[i].says);
        fst_buf_release(&got);
    }
}

static void rate_duration_samples_and_errors_are_taken_from_messages(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"Sampling process 100 times a second for 2 seconds. Press Control-C to exit.\n",
         "comments:; messages: rate 100 duration 2"},
        {"py-spy> Sampling process 49 times a second. Press Control-C to exit.\r\n",
         "comments:; messages: rate 49"},
        {COLOURED "Wrote raw flamegraph data to 'x.raw'. Samples: 46 Errors: 3\r\n",
         "comments:; messages: errors 3 samples 46"},
        {"Wrote raw flamegraph data to 'x'. Samples: 46 Errors: 0\n",
         "comments:; messages: errors 0 samples 46"},
        {"Wrote raw flamegraph data to 'x'. Samples: many Errors: x\n", "comments:; messages:"},
        {"Stopped sampling because process exited\n", "comments:; messages: stopped"},
        {"py-spy> Stopped sampling because Control-C pressed\n", "comments:; messages: stopped"},
        {"1.01s behind in sampling, results may be inaccurate.\n", "comments:; messages: behind"},
        {"py-spy> 1.01s behind in sampling, results may be inaccurate.\n",
         "comments:; messages: behind"},
        {"py-spy> Error: Samples: 5\n", "comments:; messages:"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void comments_give_figures_as_key_and_value(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"# rate: 49\n# duration: 30\n", "comments: rate 49 duration 30; messages:"},
        {"# rate:49.5 \t\r\n", "comments: rate 49.5; messages:"},
        {"# errors: 0\n# samples: 178\n# ticks: 1469\n",
         "comments: errors 0 samples 178 ticks 1469; messages:"},
        {"# rate: 49 Hz\n", "comments:; messages:"},
        {"# rate: -49\n", "comments:; messages:"},
        {"# rate: 1e999\n", "comments:; messages:"},
        {"# rate:\n", "comments:; messages:"},
        {"# Rate: 49\n", "comments:; messages:"},
        {"# framerate: 49\n", "comments:; messages:"},
        {"# rate 49\n", "comments:; messages:"},
        {"#\n# \n# :\n# {\"rate\": 49}\n", "comments:; messages:"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void austin_counts_in_microseconds(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"# austin: 3.7.0\n# interval: 100\n# mode: wall\n# duration: 4000000\n",
         "comments: rate 10000 duration 4; messages:"},
        {"# austin: 3.7.0\n# interval: 0\n", "comments:; messages:"},
        {"# interval: 100\n# duration: 30\n", "comments: duration 30; messages:"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

static void comments_and_messages_are_kept_apart(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"# rate: 49\nSampling process 100 times a second for 2 seconds.\n",
         "comments: rate 49; messages: rate 100 duration 2"},
        {"Sampling process 100 times a second for 2 seconds.\n# rate: 49\n",
         "comments: rate 49; messages: rate 100 duration 2"},
    };
    require_rows(rows, FST_COUNT_OF(rows));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_recognised_with_and_without_the_name_before_them),
        cmocka_unit_test(behind_its_name_every_line_is_the_profilers),
        cmocka_unit_test(stacks_that_resemble_messages_are_stacks),
        cmocka_unit_test(rate_duration_samples_and_errors_are_taken_from_messages),
        cmocka_unit_test(comments_give_figures_as_key_and_value),
        cmocka_unit_test(austin_counts_in_microseconds),
        cmocka_unit_test(comments_and_messages_are_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
