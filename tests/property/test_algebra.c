/* Merging is addition: the bytes do not depend on the order of the texts nor on their grouping, an
 * empty text changes nothing, and a sum is its own sum. Whatever is written reads back as what was
 * counted. */
#include "unit/helpers.h"

enum { TEXTS = 7, LINES = 30, ROUNDS = 60 };

/* Frames of all kinds that a text can have, and counts. */
static const char *const frames[] = {
    "main (a.py:1)",
    "fit (b.py:22)",
    "spaced name (/x y/c (v2).py:3)",
    "",
    "<eval_with_key>.5 from /x/y.py:284 in forward:178",
    "\xff\x01\x1b[31m",
    "a",
    "Thread 12",
    "#1 worker",
    "\xef\xbb\xbf mark",
    "- 7",
};
/* Frames that are written otherwise where they would be read as something else: which lines stand beside
 * them is another matter in a sum. */
static const char *const odd_frames[] = {"#", "process 9:\"never", "process 9:\"", "q\"", "\""};
static const char *const leads[] = {
    "",
    "",
    "process 10:\"python -c a; b\";",
    "process 11:\"python -c\nimport x;\ny 5\n\";thread (0x7F): MainThread;",
    "thread (42): w;",
};
static const char *const counts[] = {
    "1", "2", "17", "0.5", "1e2", "99999999999999999999", "-0.25", "0.000000000001",
    "3", "4", "-7"};

static const char *any_frame(uint64_t *seed, bool odd)
{
    return odd && chance_below(seed, 3) == 0
               ? odd_frames[chance_below(seed, FST_COUNT_OF(odd_frames))]
               : frames[chance_below(seed, FST_COUNT_OF(frames))];
}

static void add_line(struct fst_buf *out, uint64_t *seed, bool odd)
{
    size_t depth = chance_below(seed, 4);
    const char *lead = leads[chance_below(seed, FST_COUNT_OF(leads))];
    fst_buf_add_cstr(out, lead);
    for (size_t i = 0; i < depth; i++) {
        fst_buf_add_cstr(out, i == 0 ? "" : ";");
        fst_buf_add_cstr(out, any_frame(seed, odd));
    }
    fst_buf_add_char(out, chance_below(seed, 8) == 0 ? '\t' : ' ');
    fst_buf_add_cstr(out, counts[chance_below(seed, FST_COUNT_OF(counts))]);
    fst_buf_add_char(out, '\n');
}

static void add_text(struct fst_buf *out, uint64_t *seed, bool odd)
{
    size_t lines = chance_below(seed, LINES);
    fst_buf_clear(out);
    for (size_t i = 0; i < lines; i++) {
        add_line(out, seed, odd);
    }
}

/* Generic texts, so that lines that end in two numbers are always read alike. */
static const struct fst_read_options reading = {.dialect = FST_DIALECT_PYSPY};

static struct fst_profile *keeping(void)
{
    return new_profile((struct fst_profile_options){.keep = FST_KEEP_STACKS});
}

static void add_to(struct fst_profile *profile, struct fst_str text)
{
    struct fst_error err = {0};
    REQUIRE(fst_profile_read_memory(profile, text, "text", &reading, &err) == FST_OK, "%s",
            err.message);
}

static void write_out(struct fst_buf *out, const struct fst_profile *profile)
{
    const struct fst_collapsed_options options = {.ntags = 0};
    fst_buf_clear(out);
    assert_int_equal(fst_render_collapsed(profile, &options, collect, out, NULL), FST_OK);
}

/* The sum of some texts, in the order that they are given. */
static void sum(struct fst_buf *out, const struct fst_buf *const *texts, size_t count)
{
    struct fst_profile *profile = keeping();
    for (size_t i = 0; i < count; i++) {
        add_to(profile, fst_buf_str(texts[i]));
    }
    write_out(out, profile);
    fst_profile_free(profile);
}

/* Merges texts pair by pair, and the sums again, until one is left. */
static void sum_in_groups(struct fst_buf *out, const struct fst_buf *const *texts, size_t count,
                          uint64_t *seed)
{
    struct fst_buf held[TEXTS] = {{0}};
    for (size_t i = 0; i < count; i++) {
        fst_buf_add_str(&held[i], fst_buf_str(texts[i]));
    }
    while (count > 1) {
        size_t a = chance_below(seed, count - 1);
        const struct fst_buf *pair[] = {&held[a], &held[count - 1]};
        struct fst_buf both = {0};
        sum(&both, pair, 2);
        fst_buf_release(&held[a]);
        held[a] = both;
        fst_buf_release(&held[--count]);
    }
    const struct fst_buf *only[] = {&held[0]};
    sum(out, only, 1);
    fst_buf_release(&held[0]);
}

static void any_order_and_grouping_gives_equal_bytes(void **state)
{
    (void)state;
    uint64_t seed = take_seed("order and grouping");
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_buf texts[TEXTS] = {{0}};
        const struct fst_buf *order[TEXTS];
        struct fst_buf whole = {0};
        struct fst_buf again = {0};
        for (size_t i = 0; i < TEXTS; i++) {
            add_text(&texts[i], &seed, round % 2 == 1);
            order[i] = &texts[i];
        }
        sum(&whole, order, TEXTS);
        shuffle(order, TEXTS, sizeof order[0], &seed);
        sum(&again, order, TEXTS);
        REQUIRE(fst_str_eq(fst_buf_str(&whole), fst_buf_str(&again)), "round %zu: order", round);
        sum_in_groups(&again, order, TEXTS, &seed);
        REQUIRE(fst_str_eq(fst_buf_str(&whole), fst_buf_str(&again)), "round %zu: groups", round);
        fst_buf_release(&whole);
        fst_buf_release(&again);
        for (size_t i = 0; i < TEXTS; i++) {
            fst_buf_release(&texts[i]);
        }
    }
}

static void a_sum_is_its_own_sum(void **state)
{
    (void)state;
    uint64_t seed = take_seed("identity");
    static const struct fst_buf nothing = {.data = NULL};
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_buf text = {0};
        struct fst_buf once = {0};
        struct fst_buf twice = {0};
        struct fst_buf padded = {0};
        add_text(&text, &seed, round % 2 == 1);
        sum(&once, (const struct fst_buf *[]){&text}, 1);
        sum(&twice, (const struct fst_buf *[]){&once}, 1);
        sum(&padded, (const struct fst_buf *[]){&nothing, &text, &nothing}, 3);
        REQUIRE(fst_str_eq(fst_buf_str(&once), fst_buf_str(&twice)), "round %zu: itself", round);
        REQUIRE(fst_str_eq(fst_buf_str(&once), fst_buf_str(&padded)), "round %zu: nothing", round);
        fst_buf_release(&text);
        fst_buf_release(&once);
        fst_buf_release(&twice);
        fst_buf_release(&padded);
    }
}

/* Merging profiles is merging their texts. */
static void profiles_merge_as_texts_do(void **state)
{
    (void)state;
    uint64_t seed = take_seed("profiles");
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_buf texts[2] = {{0}};
        struct fst_profile *profiles[2];
        struct fst_buf whole = {0};
        struct fst_buf merged = {0};
        for (size_t i = 0; i < 2; i++) {
            add_text(&texts[i], &seed, round % 2 == 1);
            profiles[i] = keeping();
            add_to(profiles[i], fst_buf_str(&texts[i]));
        }
        sum(&whole, (const struct fst_buf *[]){&texts[0], &texts[1]}, 2);
        assert_int_equal(fst_profile_merge(profiles[1], profiles[0], NULL), FST_OK);
        write_out(&merged, profiles[1]);
        REQUIRE(fst_str_eq(fst_buf_str(&whole), fst_buf_str(&merged)), "round %zu", round);
        for (size_t i = 0; i < 2; i++) {
            fst_profile_free(profiles[i]);
            fst_buf_release(&texts[i]);
        }
        fst_buf_release(&whole);
        fst_buf_release(&merged);
    }
}

/* Tables of a text and of its sum: every row, by every kind of it. */
static void a_sum_has_the_same_tables(void **state)
{
    (void)state;
    static const enum fst_by kinds[] = {FST_BY_FRAME, FST_BY_FUNCTION, FST_BY_THREAD,
                                        FST_BY_PROCESS, FST_BY_STACK};
    uint64_t seed = take_seed("tables");
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_buf text = {0};
        struct fst_buf merged = {0};
        add_text(&text, &seed, false);
        sum(&merged, (const struct fst_buf *[]){&text}, 1);
        for (size_t i = 0; i < FST_COUNT_OF(kinds); i++) {
            struct fst_buf tables[2] = {{0}};
            for (size_t k = 0; k < 2; k++) {
                struct fst_profile *profile =
                    new_profile((struct fst_profile_options){.by = kinds[i]});
                add_to(profile, fst_buf_str(k == 0 ? &text : &merged));
                struct fst_top *top = NULL;
                enum fst_status status =
                    fst_top_new(profile, &(struct fst_top_options){0}, &top, NULL);
                if (status == FST_OK) {
                    render(&tables[k], top, profile, FST_FORMAT_TSV);
                } else {
                    assert_int_equal(status, FST_ERR_NO_DATA);
                }
                fst_top_free(top);
                fst_profile_free(profile);
            }
            REQUIRE(fst_str_eq(fst_buf_str(&tables[0]), fst_buf_str(&tables[1])),
                    "round %zu, rows %d: %.*s\nand not\n%.*s", round, (int)kinds[i],
                    (int)tables[1].len, tables[1].data, (int)tables[0].len, tables[0].data);
            fst_buf_release(&tables[0]);
            fst_buf_release(&tables[1]);
        }
        fst_buf_release(&text);
        fst_buf_release(&merged);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_and_grouping_gives_equal_bytes),
        cmocka_unit_test(a_sum_is_its_own_sum),
        cmocka_unit_test(profiles_merge_as_texts_do),
        cmocka_unit_test(a_sum_has_the_same_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
