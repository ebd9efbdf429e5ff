/* Partial sums add up like the stacks in them: their bytes do not depend on the order of the inputs nor on
 * their grouping, an empty text changes nothing, a partial sum is its own sum, and the stacks are those of
 * the plain sum. */
#include "unit/helpers.h"

enum { TEXTS = 6, LINES = 25, ROUNDS = 40 };

/* A recording, or a sum of some. */
struct item {
    struct fst_buf text;
    char name[8];
    double rate;
    double duration;
};

static const char *const frames[] = {
    "main (a.py:1)", "fit\t(b.py:22)", "",  "\xff\x01\\n",       "a",
    "tail 12",       "#1 worker",      "b", "\xef\xbb\xbf mark",
};
static const char *const leads[] = {
    "",
    "",
    "process 11:\"python -c\nimport x;\ny 5\n\";thread (0x7F): MainThread;",
};
static const char *const counts[] = {"1", "2", "17", "0.5", "1e2", "99999999999999999999", "0"};

static void add_line(struct fst_buf *out, uint64_t *seed, bool negative)
{
    size_t depth = chance_below(seed, 5);
    fst_buf_add_cstr(out, leads[chance_below(seed, FST_COUNT_OF(leads))]);
    for (size_t i = 0; i < depth; i++) {
        fst_buf_add_cstr(out, i == 0 ? "" : ";");
        fst_buf_add_cstr(out, frames[chance_below(seed, FST_COUNT_OF(frames))]);
    }
    fst_buf_add_fmt(out, " %s%s\n", negative ? "-" : "",
                    counts[chance_below(seed, FST_COUNT_OF(counts))]);
}

/* Some are empty, some have counts below zero, some of their lines are bad. */
static void make(struct item *item, uint64_t *seed)
{
    static const double figures[] = {0, 49, 99.5, 0.1, 142.857142857142857};
    size_t lines = chance_below(seed, 5) == 0 ? 0 : chance_below(seed, LINES);
    bool negative = chance_below(seed, 6) == 0;
    *item = (struct item){.rate = figures[chance_below(seed, FST_COUNT_OF(figures))],
                          .duration = figures[chance_below(seed, FST_COUNT_OF(figures))]};
    (void)snprintf(item->name, sizeof item->name, "h\t%zu", chance_below(seed, 4));
    for (size_t i = 0; i < lines; i++) {
        add_line(&item->text, seed, negative && chance_below(seed, 3) == 0);
        if (i > 1 && chance_below(seed, 10) == 0) {
            fst_buf_add_cstr(&item->text, "no;stack at all\n");
        }
    }
}

static struct fst_profile *read_items(const struct item *const *items, size_t count)
{
    struct fst_profile *profile =
        new_profile((struct fst_profile_options){.keep = FST_KEEP_STACKS, .partial = true});
    for (size_t i = 0; i < count; i++) {
        struct fst_read_options options = {
            .dialect = FST_DIALECT_PYSPY, .rate = items[i]->rate, .duration = items[i]->duration};
        struct fst_error err = {0};
        REQUIRE(fst_profile_read_memory(profile, fst_buf_str(&items[i]->text), items[i]->name,
                                        &options, &err) == FST_OK,
                "%s", err.message);
    }
    return profile;
}

/* The partial sum of some items; partial: else the plain one. */
static void sum(struct item *out, const struct item *const *items, size_t count, bool partial)
{
    const struct fst_collapsed_options options = {.partial = partial};
    struct fst_profile *profile = read_items(items, count);
    *out = (struct item){.name = "sum"};
    assert_int_equal(fst_render_collapsed(profile, &options, collect, &out->text, NULL), FST_OK);
    fst_profile_free(profile);
}

static void require_same(size_t round, const char *what, const struct item *a, const struct item *b)
{
    REQUIRE(fst_str_eq(fst_buf_str(&a->text), fst_buf_str(&b->text)),
            "round %zu, %s: %.*s\nand not\n%.*s", round, what, (int)b->text.len, b->text.data,
            (int)a->text.len, a->text.data);
}

/* Adds up pair by pair, recordings and sums as they come, until one is left. */
static void sum_in_groups(struct item *out, const struct item *const *items, size_t count,
                          uint64_t *seed)
{
    struct item held[TEXTS] = {0};
    for (size_t i = 0; i < count; i++) {
        held[i] = *items[i];
        held[i].text = (struct fst_buf){0};
        fst_buf_add_str(&held[i].text, fst_buf_str(&items[i]->text));
    }
    while (count > 1) {
        size_t a = chance_below(seed, count - 1);
        struct item both;
        sum(&both, (const struct item *[]){&held[count - 1], &held[a]}, 2, true);
        fst_buf_release(&held[a].text);
        held[a] = both;
        fst_buf_release(&held[--count].text);
    }
    sum(out, (const struct item *[]){&held[0]}, 1, true);
    fst_buf_release(&held[0].text);
}

static void any_order_and_grouping_gives_equal_bytes(void **state)
{
    (void)state;
    uint64_t seed = take_seed("order and grouping of partial sums");
    for (size_t round = 0; round < ROUNDS; round++) {
        struct item items[TEXTS];
        const struct item *order[TEXTS];
        struct item whole;
        struct item again;
        for (size_t i = 0; i < TEXTS; i++) {
            make(&items[i], &seed);
            order[i] = &items[i];
        }
        sum(&whole, order, TEXTS, true);
        shuffle(order, TEXTS, sizeof order[0], &seed);
        sum(&again, order, TEXTS, true);
        require_same(round, "order", &whole, &again);
        fst_buf_release(&again.text);
        sum_in_groups(&again, order, TEXTS, &seed);
        require_same(round, "groups", &whole, &again);
        fst_buf_release(&again.text);
        fst_buf_release(&whole.text);
        for (size_t i = 0; i < TEXTS; i++) {
            fst_buf_release(&items[i].text);
        }
    }
}

static void a_partial_sum_is_its_own_sum(void **state)
{
    (void)state;
    static const struct item nothing = {.name = "none", .rate = 7};
    uint64_t seed = take_seed("identity of partial sums");
    for (size_t round = 0; round < ROUNDS; round++) {
        struct item item;
        struct item once;
        struct item twice;
        struct item padded;
        struct item plain;
        struct item of_partial;
        make(&item, &seed);
        sum(&once, (const struct item *[]){&item}, 1, true);
        sum(&twice, (const struct item *[]){&once}, 1, true);
        sum(&padded, (const struct item *[]){&nothing, &item, &nothing}, 3, true);
        require_same(round, "itself", &once, &twice);
        require_same(round, "nothing", &once, &padded);
        sum(&plain, (const struct item *[]){&item}, 1, false);
        sum(&of_partial, (const struct item *[]){&once}, 1, false);
        require_same(round, "stacks", &plain, &of_partial);
        fst_buf_release(&item.text);
        fst_buf_release(&once.text);
        fst_buf_release(&twice.text);
        fst_buf_release(&padded.text);
        fst_buf_release(&plain.text);
        fst_buf_release(&of_partial.text);
    }
}

/* Merging profiles is merging their texts. */
static void profiles_merge_as_texts_do(void **state)
{
    (void)state;
    uint64_t seed = take_seed("profiles of partial sums");
    const struct fst_collapsed_options options = {.partial = true};
    for (size_t round = 0; round < ROUNDS; round++) {
        struct item items[2];
        struct item whole;
        struct item merged = {0};
        make(&items[0], &seed);
        make(&items[1], &seed);
        sum(&whole, (const struct item *[]){&items[0], &items[1]}, 2, true);
        struct fst_profile *into = read_items((const struct item *[]){&items[1]}, 1);
        struct fst_profile *from = read_items((const struct item *[]){&items[0]}, 1);
        assert_int_equal(fst_profile_merge(into, from, NULL), FST_OK);
        assert_int_equal(fst_render_collapsed(into, &options, collect, &merged.text, NULL), FST_OK);
        require_same(round, "profiles", &whole, &merged);
        fst_profile_free(into);
        fst_profile_free(from);
        fst_buf_release(&items[0].text);
        fst_buf_release(&items[1].text);
        fst_buf_release(&whole.text);
        fst_buf_release(&merged.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_and_grouping_gives_equal_bytes),
        cmocka_unit_test(a_partial_sum_is_its_own_sum),
        cmocka_unit_test(profiles_merge_as_texts_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
