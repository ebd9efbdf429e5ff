/* Profiles as sums: nothing is lost, and order and grouping do not matter. */
#include "unit/helpers.h"

enum { ROUNDS = 300 };

static const char *const leads[] = {
    "thread (7): MainThread;",
    "thread (8): pool_1;",
    "process 10:\"python -c a; b\";",
    "process 10:\"sh\";process 11:\"py\";thread (9);",
};
static const char *const frames[] = {
    "main (a.py:1)",
    "main (a.py:2)",
    "f (b.py:10)",
    "f (b.py:11)",
    "f (c.py:10)",
    "g",
    "_bootstrap (threading.py:973)",
    "<module> (a.py:1)",
    "sym (lib.so)",
    "h (b.py)",
    "caf\xe9 (b.py:3)",
    "",
};
static const char *const counts[] = {"1", "2", "17", "-3", "0", "0.25", "1e3", "123456789012345"};

/* Appends a text of up to ten stacks. plain: only whole counts above zero. */
static void add_text(struct fst_buf *out, uint64_t *seed, bool plain)
{
    for (size_t lines = chance_below(seed, 10); lines > 0; lines--) {
        if (chance_below(seed, 2) == 0) {
            fst_buf_add_cstr(out, leads[chance_below(seed, FST_COUNT_OF(leads))]);
        }
        fst_buf_add_cstr(out, "start (s.py:1)");
        for (size_t depth = chance_below(seed, 6); depth > 0; depth--) {
            fst_buf_add_fmt(out, ";%s", frames[chance_below(seed, FST_COUNT_OF(frames))]);
        }
        fst_buf_add_fmt(out, ";end %s\n",
                        counts[chance_below(seed, plain ? 3 : FST_COUNT_OF(counts))]);
    }
}

static struct fst_profile_options any_options(uint64_t *seed)
{
    return (struct fst_profile_options){
        .by = (enum fst_by)chance_below(seed, 6),
        .root = (enum fst_root)chance_below(seed, 4),
        .root_index = (uint32_t)chance_below(seed, 4),
        .seed = chance(seed),
    };
}

/* Adds a text. All are read as py-spy's, for one alone might look like another profiler's. */
static void read_into(struct fst_profile *profile, const struct fst_buf *text)
{
    struct fst_read_options reading = {.dialect = FST_DIALECT_PYSPY};
    assert_int_equal(fst_profile_read_memory(profile, fst_buf_str(text), "text", &reading, NULL),
                     FST_OK);
}

static struct fst_profile *profile_in(const struct fst_buf *text,
                                      struct fst_profile_options options)
{
    struct fst_profile *profile = new_profile(options);
    read_into(profile, text);
    return profile;
}

/* The whole report, or from its counting on, which leaves out the inputs and what is said of them. */
static void report(struct fst_buf *out, const struct fst_profile *profile, enum fst_ties ties,
                   bool whole)
{
    struct fst_top *top = NULL;
    struct fst_top_options options = {.sort = FST_SORT_TOTAL, .ties = ties};
    fst_buf_clear(out);
    if (fst_top_new(profile, &options, &top, NULL) != FST_OK) {
        fst_buf_add_cstr(out, "no thread or process is named");
        return;
    }
    render(out, top, profile, FST_FORMAT_JSON);
    const char *unit = strstr(out->data, "\"counting\"");
    assert_non_null(unit);
    fst_buf_consume(out, whole ? 0 : (size_t)(unit - out->data));
    fst_top_free(top);
}

static void require_same(size_t round, const struct fst_profile *a, const struct fst_profile *b,
                         enum fst_ties ties, bool whole)
{
    struct fst_buf left = {0};
    struct fst_buf right = {0};
    report(&left, a, ties, whole);
    report(&right, b, ties, whole);
    REQUIRE(fst_str_eq(fst_buf_str(&left), fst_buf_str(&right)), "round %zu:\n%.*s\n%.*s", round,
            (int)left.len, left.data, (int)right.len, right.data);
    fst_buf_release(&left);
    fst_buf_release(&right);
}

static void merge(struct fst_profile *into, struct fst_profile *from)
{
    assert_int_equal(fst_profile_merge(into, from, NULL), FST_OK);
}

static void order_and_grouping_of_merges_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = take_seed("order_and_grouping_of_merges_do_not_matter");
    for (size_t i = 0; i < ROUNDS; i++) {
        struct fst_profile_options options = any_options(&seed);
        struct fst_buf texts[3] = {{0}};
        struct fst_profile *p[6];
        for (size_t k = 0; k < 6; k++) {
            if (k < 3) {
                add_text(&texts[k], &seed, false);
            }
            options.seed = chance(&seed);
            p[k] = profile_in(&texts[k % 3], options);
        }
        merge(p[0], p[1]); /* (a + b) + c */
        merge(p[0], p[2]);
        merge(p[4], p[5]); /* a + (b + c) */
        merge(p[3], p[4]);
        require_same(i, p[0], p[3], FST_TIES_NAME, true);
        require_same(i, p[0], p[3], FST_TIES_FIRST, true);
        merge(p[2], p[1]); /* (c + b) + a, where a is read again */
        struct fst_profile *a = profile_in(&texts[0], options);
        merge(p[2], a);
        require_same(i, p[0], p[2], FST_TIES_NAME, false);
        fst_profile_free(a);
        for (size_t k = 0; k < 6; k++) {
            fst_profile_free(p[k]);
            fst_buf_release(&texts[k % 3]);
        }
    }
}

static void a_merge_is_one_reading_of_both_texts(void **state)
{
    (void)state;
    uint64_t seed = take_seed("a_merge_is_one_reading_of_both_texts");
    for (size_t i = 0; i < ROUNDS; i++) {
        struct fst_profile_options options = any_options(&seed);
        struct fst_buf both = {0};
        add_text(&both, &seed, i % 2 == 0);
        struct fst_profile *sum = profile_in(&both, options);
        struct fst_profile *twice = profile_in(&both, options); /* reads one after the other */
        struct fst_buf second = {0};
        add_text(&second, &seed, i % 2 == 0);
        read_into(twice, &second);
        fst_buf_add_str(&both, fst_buf_str(&second));
        struct fst_profile *from = profile_in(&second, options);
        struct fst_profile *whole = profile_in(&both, options);
        merge(sum, from);
        require_same(i, sum, whole, FST_TIES_NAME, false);
        require_same(i, sum, whole, FST_TIES_FIRST, false);
        require_same(i, sum, twice, FST_TIES_FIRST, true);
        fst_profile_free(sum);
        fst_profile_free(twice);
        fst_profile_free(from);
        fst_profile_free(whole);
        fst_buf_release(&both);
        fst_buf_release(&second);
    }
}

static fst_i128 sum_of(const struct fst_top_table *table, bool self)
{
    fst_i128 sum = 0;
    for (size_t i = 0; i < table->count; i++) {
        sum += fst_count_unpack(self ? table->rows[i].self : table->rows[i].total);
    }
    return sum;
}

/* The sum of the last words of all lines. */
static fst_i128 sum_of_text(const struct fst_buf *text)
{
    fst_i128 sum = 0;
    for (size_t at = 0; at < text->len;) {
        size_t len =
            (size_t)((char *)memchr(text->data + at, '\n', text->len - at) - text->data) - at;
        size_t word = len;
        while (text->data[at + word - 1] != ' ') {
            word--;
        }
        fst_i128 count;
        assert_int_equal(fst_count_parse(fst_str_of(text->data + at + word, len - word), &count),
                         FST_COUNT_OK);
        sum += count;
        at += len + 1;
    }
    return sum;
}

static void every_count_is_in_one_leaf_and_one_root(void **state)
{
    (void)state;
    uint64_t seed = take_seed("every_count_is_in_one_leaf_and_one_root");
    for (size_t i = 0; i < ROUNDS; i++) {
        struct fst_buf text = {0};
        bool plain = i % 2 == 0;
        add_text(&text, &seed, plain);
        struct fst_profile *profile = profile_in(&text, any_options(&seed));
        struct fst_top *top = NULL;
        struct fst_top_options options = {.sort = FST_SORT_TOTAL};
        fst_i128 total = fst_count_unpack(fst_profile_total(profile));
        assert_true(total == sum_of_text(&text));
        if (fst_top_new(profile, &options, &top, NULL) == FST_OK) {
            REQUIRE(sum_of(&top->leaf, true) == total, "round %zu: self", i);
            REQUIRE(sum_of(&top->roots, false) == total, "round %zu: roots", i);
            for (size_t k = 0; plain && k < top->leaf.count; k++) {
                const struct fst_top_row *row = &top->leaf.rows[k];
                REQUIRE(fst_count_unpack(row->self) <= fst_count_unpack(row->total) &&
                            fst_count_unpack(row->total) <= total,
                        "round %zu: row %zu", i, k);
            }
        }
        fst_top_free(top);
        fst_profile_free(profile);
        fst_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_and_grouping_of_merges_do_not_matter),
        cmocka_unit_test(a_merge_is_one_reading_of_both_texts),
        cmocka_unit_test(every_count_is_in_one_leaf_and_one_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
