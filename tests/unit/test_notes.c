/* Each thing that a careful reader should know is one sentence, and nothing else is. */
#include "unit/helpers.h"

#include "analysis/notes.h"

enum { MOST = 4 };

/* Checks that there is one note for each fragment, in order, and that it holds the fragment. */
static void require_notes(size_t row, const struct fst_str *notes, size_t count,
                          const char *const wanted[MOST])
{
    size_t n = 0;
    for (; n < MOST && wanted[n] != NULL; n++) {
        REQUIRE(n < count, "row %zu: no note on \"%s\"", row, wanted[n]);
        REQUIRE(fst_str_find(notes[n], fst_str_cstr(wanted[n])) != NULL,
                "row %zu: \"%.*s\" does not hold \"%s\"", row, (int)notes[n].len, notes[n].data,
                wanted[n]);
        REQUIRE(notes[n].data[notes[n].len - 1] != '.', "row %zu: a full stop", row);
    }
    REQUIRE(count == n, "row %zu: too much: \"%.*s\"", row, (int)notes[n].len, notes[n].data);
}

#define PYSPY "main (a.py:1);fit (b.py:2) 4\n"

static void each_oddity_of_a_text_has_its_note(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *notes[MOST];
    } rows[] = {
        {"a 4\n", {NULL}},
        {PYSPY, {NULL}},
        {"a 4\nb 0\n\n# comment\n", {NULL}},
        {"", {"test: no samples: an idle process recorded without --idle"}},
        {"# nothing but a comment\n", {"test: no samples"}},
        {"a 4", {"test: the last line has no newline"}},
        {"a 4\n# comment", {NULL}},
        {"a 1.0000000000001\n", {"test: 1 count has more than 12 decimals"}},
        {"a 1.0000000000001\nb 1e-13\na 1.0000000000000\n",
         {"test: 2 counts have more than 12 decimals"}},
        {"# samples: 5\na 4\n", {"test: the counts sum to 4, but the profiler said 5 samples"}},
        {"# samples: 4\na 3\nb 1\n", {NULL}},
        {"# samples: 18775\na 1234567\n",
         {"sum to 1,234,567, but the profiler said 18,775 samples"}},
        {"# errors: 1\na 4\n", {"test: 1 attempt to sample failed"}},
        {"# errors: 2000\na 4\n", {"test: 2,000 attempts to sample failed"}},
        {"# errors: 0\na 4\n", {NULL}},
        {PYSPY "py-spy> 1.01s behind in sampling, results may be inaccurate. Try reducing the "
               "sampling rate\n",
         {"test: the profiler fell behind its rate"}},
        {"py-spy> Sampling process 10 times a second for 5 seconds. Press Control-C to exit.\n"
         "py-spy> Stopped sampling because process exited\n" PYSPY,
         {"test: the recording was interrupted"}},
        {PYSPY "Wrote raw flamegraph data to 'x.raw'. Samples: 4 Errors: 0\n", {NULL}},
        {PYSPY "Wrote raw flamegraph data to 'x.raw'. Samples: 5 Errors: 3\n",
         {"but the profiler said 5 samples", "3 attempts to sample failed"}},
        {PYSPY PYSPY "weird 1\n" PYSPY "odd 1\n",
         {"test: 2 stacks have no frame of the py-spy dialect, the first at line 3"}},
        {"fit (b.py:2);<module> (a.py:1) 4\n", {"--leaf-first"}},
        {"<module> (a.py:1);fit (b.py:2) 4\n", {NULL}},
        {"a;b 10 20\na;c 1 2\n", {"test: two counts a line"}},
        {"main;[unknown] 3\nmain;f 1\n", {"test: 75 % of the total ends in [unknown]"}},
        {"main;[unknown] 1\nmain;f 3\n", {NULL}},
        {"a 0\nb 0\n", {"all counts are zero"}},
        {"a 3\nb -3\n", {"the counts sum to zero", "1 count is negative"}},
        {"a 3\nb -1\nc -1\n", {"2 counts are negative: shares are of the net total"}},
        {"a 0.5\n", {"1 count has a fraction"}},
        {"a 0.5\nb 1.25\nc 3\n", {"2 counts have a fraction"}},
        {"a 0.5\nb -1\n", {"1 count is negative"}},
        {"P5;T77;f (m.py);L12 1024\nP5;T77;g (m.py);L3 1023\nP5;T77;h (m.py);L3 1024\n",
         {"test: µs are a guess: nothing says what Austin counted, and a memory profile's counts "
          "are "
          "bytes; a line"}},
        {"P5;T77;f (m.py);L12 1024\nP5;T77;g (m.py);L3 2048\nP5;T77;h (m.py);L3 1024\n",
         {"as these seem to be"}},
        {"P5;T77;f (m.py);L12 1024\nP5;T77;g (m.py);L3 -2048\n",
         {"as these seem to be", "1 count is negative"}},
        {"# unit: bytes\nP5;T77;f (m.py);L12 1024\n", {NULL}},
        {"# austin: 3.7.0\n# mode: wall\nP5;T0:77;/x/m.py:f:12 100\n", {NULL}},
        {"P5;T0:77;/x/m.py:f:12 100,0,4096\nP5;T0:77;/x/m.py:g:12 100,0,4096\n", {NULL}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_notes notes = {0};
        fst_notes_on_profile(&notes, profile);
        assert_false(notes.failed);
        require_notes(i, notes.items, notes.count, rows[i].notes);
        fst_notes_release(&notes);
        fst_profile_free(profile);
    }
}

static void notes_come_by_input_and_then_of_the_whole(void **state)
{
    (void)state;
    static const char *const wanted[MOST] = {"one: the last line has no newline",
                                             "three: 1 attempt to sample failed",
                                             "1 count has a fraction"};
    struct fst_profile *profile = new_profile((struct fst_profile_options){0});
    read_text(profile, FST_STR("a 1"), "one");
    read_text(profile, FST_STR("b 1\n"), "two");
    read_text(profile, FST_STR("# errors: 1\nc 0.5\n"), "three");
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    require_notes(0, top->notes, top->nnotes, wanted);
    fst_top_free(top);
    fst_profile_free(profile);
}

/* Ten stacks of `deep` frames and `shallow` of one frame less, and a note or none. */
static void stacks_that_were_cut_at_a_depth_are_told(void **state)
{
    (void)state;
    static const struct {
        int deep;
        size_t shallow;
        const char *notes[MOST];
    } rows[] = {
        {127, 0, {"test: 100 % of the stacks have exactly 127 frames"}},
        {127, 30, {"test: 25 % of the stacks have exactly 127 frames"}},
        {127, 91, {NULL}}, /* fewer than one in ten */
        {32, 10, {"test: 50 % of the stacks have exactly 32 frames"}},
        {31, 0, {NULL}}, /* a shallow program */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf text = {0};
        for (size_t k = 0; k < 10 + rows[i].shallow; k++) {
            for (int depth = rows[i].deep - (k >= 10); depth > 1; depth--) {
                fst_buf_add_cstr(&text, "f;");
            }
            fst_buf_add_fmt(&text, "leaf%zu 1\n", k);
        }
        struct fst_profile *profile = new_profile((struct fst_profile_options){0});
        read_text(profile, fst_buf_str(&text), "test");
        struct fst_notes notes = {0};
        fst_notes_on_profile(&notes, profile);
        require_notes(i, notes.items, notes.count, rows[i].notes);
        fst_notes_release(&notes);
        fst_profile_free(profile);
        fst_buf_release(&text);
    }
}

static void inputs_that_do_not_match_are_told(void **state)
{
    (void)state;
    static const struct {
        enum fst_dialect dialects[2];
        const char *second;
        const char *notes[MOST];
    } rows[] = {
        {{FST_DIALECT_PYSPY, FST_DIALECT_GENERIC},
         "b 2\n",
         {"of different dialects (py-spy, generic)"}},
        {{FST_DIALECT_PYSPY, FST_DIALECT_PYSPY}, PYSPY, {NULL}},
        {{FST_DIALECT_GENERIC, FST_DIALECT_TORCH},
         "train.py(31): _main 1234\n",
         {"of different dialects (generic, torch)", "different units were added up (--force)"}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = new_profile((struct fst_profile_options){0});
        const char *texts[] = {PYSPY, rows[i].second};
        for (size_t k = 0; k < 2; k++) {
            struct fst_read_options options = {.dialect = rows[i].dialects[k], .force = true};
            assert_int_equal(
                fst_profile_read_memory(profile, fst_str_cstr(texts[k]), "test", &options, NULL),
                FST_OK);
        }
        struct fst_notes notes = {0};
        fst_notes_on_profile(&notes, profile);
        require_notes(i, notes.items, notes.count, rows[i].notes);
        fst_notes_release(&notes);
        fst_profile_free(profile);
    }
}

static void an_input_that_failed_has_no_notes(void **state)
{
    (void)state;
    static const char *const none[MOST] = {NULL};
    struct fst_profile *profile = profile_of("a 1\n", (struct fst_profile_options){0});
    struct fst_read_options options = {0};
    assert_int_equal(fst_profile_read_path(profile, "/nonexistent", &options, NULL), FST_ERR_IO);
    struct fst_notes notes = {0};
    fst_notes_on_profile(&notes, profile);
    require_notes(0, notes.items, notes.count, none);
    fst_notes_release(&notes);
    fst_profile_free(profile);
}

static void names_in_notes_are_escaped(void **state)
{
    (void)state;
    static const char *const wanted[MOST] = {"a\\x1b[31m\\x0a.raw: the last line"};
    struct fst_profile *profile = new_profile((struct fst_profile_options){0});
    read_text(profile, FST_STR("a 1"), "a\x1b[31m\n.raw");
    struct fst_notes notes = {0};
    fst_notes_on_profile(&notes, profile);
    require_notes(0, notes.items, notes.count, wanted);
    fst_notes_release(&notes);
    fst_profile_free(profile);
}

static void a_period_is_told_with_its_samples(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *notes[MOST];
    } rows[] = {
        {"a 1e6\nb 2e6\nc 3e6\n", {"all counts are multiples of 1,000,000: taken as 6 samples"}},
        {"a 1e6\nb 2e6\n", {NULL}},
        {"P5;T77;f (m.py);L12 1000\nP5;T77;g (m.py);L3 2000\nP5;T77;h (m.py);L3 1000\n",
         {"µs are a guess", "all counts are multiples of 1,000"}},
        {"P5;T77;f (m.py);L12 4096\nP5;T77;g (m.py);L3 8192\nP5;T77;h (m.py);L3 4096\n",
         {"as these seem to be"}}, /* no period */
        {"a 1e6\nb 2e6\nc -3e6\n", {"sum to zero", "negative"}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        require_notes(i, top->notes, top->nnotes, rows[i].notes);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

#define NO_SAMPLES "most of perf's counts are 100,000 or more and have no period in common"

static void counts_of_events_are_told_from_samples(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *notes[MOST];
    } rows[] = {
        {"a;f_[k] 2345678\na;g_[k] 123457\na;h_[k] 17\n", {NO_SAMPLES}},
        {"a;f_[k] 100003\na;g_[k] 100003\na;h_[k] 100000\n", {NO_SAMPLES}},
        {"a;f_[k] 707000\na;g_[k] 707007\na;h_[k] 707\n", {NO_SAMPLES}},      /* a divisor of 7 */
        {"a;f_[k] 2345678\na;g_[k] 123457\na;h_[k] 17\na;i_[k] 3\n", {NULL}}, /* half of them */
        {"a;f_[k] 99999\na;g_[k] 99998\na;h_[k] 99997\n", {NULL}},
        {"a;f_[k] 2345678\na;g_[k] 123457\n", {NULL}}, /* too few to say */
        {"a;f_[k] 2000000\na;g_[k] 3000000\na;h_[k] 1000000\n", {"are multiples of 1,000,000"}},
        {"a;f 2345678\na;g 123457\na;h 17\n", {"most counts are 100,000 or more and have no"}},
        {"f (m.py:1) 2345678\ng (m.py:2) 123457\nh (m.py:3) 170000\n", {NULL}}, /* py-spy's */
        {"a;f_[k] 2345678\na;g_[k] 123457\na;h_[k] -17\n", {"1 count is negative"}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        require_notes(i, top->notes, top->nnotes, rows[i].notes);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

static void sentences_are_copied_in_order(void **state)
{
    (void)state;
    struct fst_notes notes = {0};
    char text[] = "sentence 0";
    for (char digit = '0'; digit <= '9'; digit++) {
        text[9] = digit;
        fst_notes_add(&notes, fst_str_cstr(text));
    }
    assert_int_equal(notes.count, 10);
    require_text(0, notes.items[0], "sentence 0");
    require_text(9, notes.items[9], "sentence 9");
    fst_notes_release(&notes);
    assert_int_equal(notes.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_oddity_of_a_text_has_its_note),
        cmocka_unit_test(notes_come_by_input_and_then_of_the_whole),
        cmocka_unit_test(stacks_that_were_cut_at_a_depth_are_told),
        cmocka_unit_test(inputs_that_do_not_match_are_told),
        cmocka_unit_test(an_input_that_failed_has_no_notes),
        cmocka_unit_test(names_in_notes_are_escaped),
        cmocka_unit_test(a_period_is_told_with_its_samples),
        cmocka_unit_test(counts_of_events_are_told_from_samples),
        cmocka_unit_test(sentences_are_copied_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
