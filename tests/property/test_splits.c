/* Where a text is cut into feeds, and how many threads read it, makes no difference to anything that
 * is known of it afterwards. */
#include "unit/helpers.h"

/* Texts are random mixes of these: lines of every kind, and pieces that open, close and break what
 * stands around them. Half of a text are stacks of one theme, so that most texts are profiles. */
static const struct fst_str pieces[] = {
#define PIECE(text)                                                                                \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }
    PIECE("main;a 3\n"),
    PIECE("main;b 4\r\n"),
    PIECE("<module> (a.py:1);f (b.py:2) 4\n"),
    PIECE("thread (1): t;f (a.py:1) 2 \t\n"),
    PIECE("a;;b\t1\n"),
    PIECE(" 12\n"),
    PIECE("; 1\n"),
    PIECE("a 1.5\n"),
    PIECE("a -2\n"),
    PIECE("a 0.0000000000015\n"),
    PIECE("process 5:\"\"C:\\x y\\py.exe\" m.py\";m 2\n"),
    PIECE("# austin: 3.7.0\n"),
    PIECE("# mode: full\n"),
    PIECE("P5;T0:77;/x/mod.py:f:12 100,0,-4096\n"),
    PIECE("P5;T0:77;/x/mod.py:g:3 200,1,8192\n"),
    PIECE("Thread 7f1a;f (mod.py);L12 10 0 -5\n"),
    PIECE("a;b 10 20\n"),
    PIECE("a;process 1:\"x;\ny\" 3 4\n"),
    PIECE("[main tid=12];java/lang/Thread.run_[j];foo_[k] 21\n"),
    PIECE("java;start_thread;Foo:.run_[j];-;do_syscall_64_[k] 12\n"),
    PIECE("a 1e400\n"),
    PIECE("caf\xe9;\xff\0x 2\n"),
    PIECE("\xef\xbb\xbf"),
    PIECE("\n"),
    PIECE("\r\n"),
    PIECE("# rate: 49\n"),
    PIECE("# duration: 30\r\n"),
    PIECE("#1 x 2\n"),
    PIECE("py-spy> Sampling process 100 times a second for 2 seconds.\n"),
    PIECE("\x1b[32mpy-spy\x1b[0m> Wrote raw flamegraph data to 'x'. Samples: 5 Errors: 1\n"),
    PIECE("Stopped sampling because process exited\n"),
    PIECE("main (a.py:3);bad line here\n"),
    PIECE("new\nline (a.py:6) 7\n"),
    PIECE("process 7:\"p\";process 9:\"p -c \nx\n\";m 5\n"),
    PIECE("process 8:\"open\n"),
    PIECE("process 8:\"a; b 5\n"),
    PIECE("process 1:\""),
    PIECE("y\";z 3\n"),
    PIECE("\" 5\n"),
    PIECE("\";"),
    PIECE("\""),
    PIECE(";"),
    PIECE(" "),
    PIECE("3"),
    PIECE("p"),
    PIECE("#"),
#undef PIECE
};

/* Where the stacks of a theme begin among the pieces, and how many there are. */
static const struct {
    size_t first;
    size_t count;
} themes[] = {{0, 11}, {11, 4}, {15, 1}, {16, 2}, {18, 2}};

static void add_random_text(struct fst_buf *text, uint64_t *chances, size_t count)
{
    size_t theme = chance_below(chances, 2) == 0 ? 0 : chance_below(chances, FST_COUNT_OF(themes));
    fst_buf_clear(text);
    for (size_t i = 0; i < count; i++) {
        bool any = chance_below(chances, 2) == 0;
        size_t piece = any ? chance_below(chances, FST_COUNT_OF(pieces))
                           : themes[theme].first + chance_below(chances, themes[theme].count);
        fst_buf_add_str(text, pieces[piece]);
    }
    if (chance_below(chances, 20) == 0) {
        fst_buf_add_cstr(text, "\nbeyond 1e26\nthe range 1e26\na 1");
    }
    assert_false(text->failed);
}

/* --- what is known of a text ------------------------------------------------------------------ */

static void add_u64(struct fst_buf *out, uint64_t value)
{
    fst_buf_add_fmt(out, "%llu ", (unsigned long long)value);
}

static void add_input(struct fst_buf *out, const struct fst_input *input)
{
    const uint64_t counters[] = {
        (uint64_t)input->status,
        (uint64_t)input->dialect,
        input->split_files,
        input->lines,
        input->stack_lines,
        input->comment_lines,
        input->blank_lines,
        input->log_lines,
        input->bad_lines,
        input->bad_bytes,
        input->nbad,
        input->stopped_early,
        input->fell_behind,
        input->unterminated,
        input->looks_leaf_first,
        input->rounded_lines,
        input->negative_lines,
        input->foreign_lines,
        input->first_foreign,
        input->total.lo,
        (uint64_t)input->total.hi,
    };
    for (size_t i = 0; i < FST_COUNT_OF(counters); i++) {
        add_u64(out, counters[i]);
    }
    /* Where reading stops early, the feed at hand has been counted as a whole. */
    if (input->status == FST_OK || input->status == FST_ERR_FORMAT) {
        add_u64(out, input->bytes);
    }
    fst_buf_add_fmt(out, "%g %g %g %g %g\n", input->rate, input->duration, input->errors,
                    input->samples_said, input->ticks);
    for (size_t i = 0; i < FST_BAD_REASONS; i++) {
        add_u64(out, input->bad_by_reason[i]);
    }
    for (size_t i = 0; i < input->nbad; i++) {
        const struct fst_bad_line *bad = &input->bad[i];
        const uint64_t places[] = {(uint64_t)bad->reason, bad->line,       bad->column,   bad->mark,
                                   bad->mark_len,         bad->cut_before, bad->cut_after};
        for (size_t k = 0; k < FST_COUNT_OF(places); k++) {
            add_u64(out, places[k]);
        }
        fst_buf_add_str(out, bad->text);
    }
}

struct way {
    struct fst_profile_options profile;
    struct fst_read_options reading;
};

/* All that is known of a profile of one text. */
static void describe(struct fst_buf *out, struct fst_profile *profile, bool totals,
                     const struct fst_error *err)
{
    size_t count = 0;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    assert_int_equal(count, 1);
    static const enum fst_sort sorts[] = {FST_SORT_SELF, FST_SORT_TOTAL};
    size_t nsorts = totals ? FST_COUNT_OF(sorts) : 1;
    for (size_t i = 0; i < nsorts && inputs->status == FST_OK; i++) {
        struct fst_top *top =
            top_of(profile, (struct fst_top_options){.ties = FST_TIES_FIRST, .sort = sorts[i]});
        render(out, top, profile, FST_FORMAT_JSON);
        fst_top_free(top);
    }
    fst_buf_add_fmt(out, "\n%s line %llu\n", err->message, (unsigned long long)err->line);
    add_input(out, inputs);
    fst_profile_free(profile);
}

/* Feeds text cut behind its first `cut` bytes, then in pieces of step bytes, or, where step is 0,
 * of random sizes up to 64 bytes; out gets all that is known of it. */
static void read_pieces(struct fst_buf *out, struct fst_str text, const struct way *way, size_t cut,
                        size_t step, uint64_t *chances)
{
    struct fst_profile *profile = new_profile(way->profile);
    struct fst_reader *reader = NULL;
    struct fst_error err = {0};
    assert_int_equal(fst_reader_new(profile, "text", &way->reading, &reader, &err), FST_OK);
    enum fst_status status = FST_OK;
    for (size_t at = 0; at < text.len && status == FST_OK;) {
        size_t want = at < cut ? cut - at : step == 0 ? chance_below(chances, 64) + 1 : step;
        size_t len = text.len - at < want ? text.len - at : want;
        status = fst_reader_feed(reader, text.data + at, len, &err);
        at += len;
    }
    (void)fst_reader_finish(reader, &err);
    fst_reader_free(reader);
    describe(out, profile, !way->profile.no_totals, &err);
}

/* The same, read by so many threads from a file, or from memory, which is read as a stream is. */
static void read_together(struct fst_buf *out, struct fst_str text, const struct way *way,
                          unsigned jobs, bool file)
{
    struct fst_profile *profile = new_profile(way->profile);
    struct fst_read_options reading = way->reading;
    struct fst_error err = {0};
    reading.jobs = jobs;
    if (file) {
        FILE *stored = tmpfile();
        assert_non_null(stored);
        assert_int_equal(fwrite(text.data, 1, text.len, stored), text.len);
        assert_int_equal(fflush(stored), 0);
        rewind(stored);
        (void)fst_profile_read_fd(profile, fileno(stored), "text", &reading, &err);
        (void)fclose(stored);
    } else {
        (void)fst_profile_read_memory(profile, text, "text", &reading, &err);
    }
    describe(out, profile, !way->profile.no_totals, &err);
}

/* --- properties ------------------------------------------------------------------------------- */

struct trial {
    struct fst_buf text;
    struct fst_buf whole;
    struct fst_buf cut;
    struct way way;
};

/* A random text and a random way to read it, read in one piece. */
static void prepare(struct trial *trial, uint64_t *chances, size_t count)
{
    add_random_text(&trial->text, chances, count);
    trial->way = (struct way){
        .profile = {.by = (enum fst_by)chance_below(chances, FST_BY_FILE + 1),
                    .no_totals = chance_below(chances, 3) == 0,
                    .seed = 1},
        .reading = {.leaf_first = chance_below(chances, 4) == 0,
                    .strict = chance_below(chances, 8) == 0},
    };
    fst_buf_clear(&trial->whole);
    read_pieces(&trial->whole, fst_buf_str(&trial->text), &trial->way, 0, SIZE_MAX, chances);
}

static void require_same(struct trial *trial, size_t cut, size_t step, uint64_t *chances)
{
    fst_buf_clear(&trial->cut);
    read_pieces(&trial->cut, fst_buf_str(&trial->text), &trial->way, cut, step, chances);
    REQUIRE(fst_str_eq(fst_buf_str(&trial->cut), fst_buf_str(&trial->whole)),
            "cut at %zu, then every %zu bytes, the text\n%.*s\ngives\n%.*s\nbut in one piece\n%.*s",
            cut, step, (int)trial->text.len, trial->text.data, (int)trial->cut.len, trial->cut.data,
            (int)trial->whole.len, trial->whole.data);
}

static void release(struct trial *trial)
{
    fst_buf_release(&trial->text);
    fst_buf_release(&trial->whole);
    fst_buf_release(&trial->cut);
}

static void every_cut_in_two_gives_the_same(void **state)
{
    (void)state;
    uint64_t chances = take_seed("cuts in two");
    struct trial trial = {0};
    for (size_t i = 0; i < 150; i++) {
        prepare(&trial, &chances, 1 + chance_below(&chances, 12));
        for (size_t cut = 1; cut < trial.text.len; cut++) {
            require_same(&trial, cut, SIZE_MAX, &chances);
        }
    }
    release(&trial);
}

static void byte_by_byte_gives_the_same(void **state)
{
    (void)state;
    uint64_t chances = take_seed("single bytes");
    struct trial trial = {0};
    for (size_t i = 0; i < 1000; i++) {
        prepare(&trial, &chances, 1 + chance_below(&chances, 40));
        require_same(&trial, 0, 1, &chances);
        require_same(&trial, 0, 2, &chances);
    }
    release(&trial);
}

static void random_pieces_of_long_texts_give_the_same(void **state)
{
    (void)state;
    uint64_t chances = take_seed("random pieces");
    struct trial trial = {0};
    for (size_t i = 0; i < 30; i++) {
        prepare(&trial, &chances, 600 + chance_below(&chances, 3000));
        require_same(&trial, 0, 0, &chances);
        require_same(&trial, chance_below(&chances, trial.text.len), SIZE_MAX, &chances);
        require_same(&trial, chance_below(&chances, trial.text.len), 0, &chances);
        require_same(&trial, 0, 1, &chances);
    }
    release(&trial);
}

/* Texts long enough that the dialect is told early in them, and with stacks enough to be profiles. */
static void any_number_of_threads_gives_the_same(void **state)
{
    (void)state;
    uint64_t chances = take_seed("threads");
    struct trial trial = {0};
    for (size_t i = 0; i < 40; i++) {
        prepare(&trial, &chances, 4000 + chance_below(&chances, 12000));
        for (unsigned jobs = 1; jobs <= 5; jobs++) {
            for (int file = 0; file <= 1; file++) {
                fst_buf_clear(&trial.cut);
                read_together(&trial.cut, fst_buf_str(&trial.text), &trial.way, jobs, file);
                bool range = fst_str_find(fst_buf_str(&trial.whole), FST_STR("out of range"));
                REQUIRE((range && !file && jobs > 1) ||
                            fst_str_eq(fst_buf_str(&trial.cut), fst_buf_str(&trial.whole)),
                        "trial %zu, %u threads, file %d: gives\n%.*s\nbut one reader\n%.*s", i,
                        jobs, file, (int)trial.cut.len, trial.cut.data, (int)trial.whole.len,
                        trial.whole.data);
            }
        }
    }
    release(&trial);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_in_two_gives_the_same),
        cmocka_unit_test(byte_by_byte_gives_the_same),
        cmocka_unit_test(random_pieces_of_long_texts_give_the_same),
        cmocka_unit_test(any_number_of_threads_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
