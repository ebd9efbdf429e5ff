/* The tables' order, figures and what they may be trusted for. */
#include "unit/helpers.h"

#include <math.h>

static bool near(double got, double wanted)
{
    return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-12 * (fabs(wanted) + 1);
}

static void require_names(size_t row, const struct fst_top_table *table, const char *wanted)
{
    struct fst_buf names = {0};
    for (size_t i = 0; i < table->count; i++) {
        fst_buf_add_cstr(&names, i == 0 ? "" : " ");
        fst_buf_add_str(&names, table->rows[i].name);
    }
    require_text(row, fst_buf_str(&names), wanted);
    fst_buf_release(&names);
}

static void rows_are_ordered_by_value_then_ties(void **state)
{
    (void)state;
    /* b and d tie at 3, a and c at 2; e is never a leaf. Roots: e 6, a and b 2. */
    static const char text[] = "e;c 2\ne;b 1\nb 2\na 2\nb 1\ne;d 3\nb;b -1\nb 0\ne;d;d 1\ne;d -1\n";
    static const struct {
        enum fst_sort sort;
        enum fst_ties ties;
        const char *leaf;
        const char *roots;
    } rows[] = {
        {FST_SORT_SELF, FST_TIES_NAME, "b d a c", "e a b"},
        {FST_SORT_SELF, FST_TIES_FIRST, "b d c a", "e b a"},
        {FST_SORT_TOTAL, FST_TIES_NAME, "e b d a c", "e a b"},
        {FST_SORT_TOTAL, FST_TIES_FIRST, "e b d c a", "e b a"},
        {FST_SORT_NAME, FST_TIES_NAME, "a b c d", "a b e"},
        {FST_SORT_NAME, FST_TIES_FIRST, "a b c d", "a b e"}, /* names do not tie */
    };
    struct fst_profile *profile = profile_of(text, (struct fst_profile_options){0});
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_top_options options = {.sort = rows[i].sort, .ties = rows[i].ties};
        struct fst_top *top = top_of(profile, options);
        require_names(i, &top->leaf, rows[i].leaf);
        require_names(i, &top->roots, rows[i].roots);
        fst_top_free(top);
    }
    fst_profile_free(profile);
}

static void names_are_ordered_by_bytes(void **state)
{
    (void)state;
    struct fst_profile *profile =
        profile_of("\xc3\xa9 1\na 1\nB 1\nab 1\n~ 1\n! 1\n", (struct fst_profile_options){0});
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    require_names(0, &top->leaf, "! B a ab ~ \xc3\xa9");
    require_names(1, &top->roots, "! B a ab ~ \xc3\xa9");
    fst_top_free(top);
    fst_profile_free(profile);
}

static void at_most_so_many_rows_are_kept_and_the_rest_is_known(void **state)
{
    (void)state;
    static const struct {
        size_t most;
        size_t count;
        const char *covered;
        double share;
    } rows[] = {
        {1, 1, "6", 0.6}, {2, 2, "9", 0.9}, {3, 3, "10", 1}, {9, 3, "10", 1}, {0, 3, "10", 1}};
    struct fst_profile *profile = profile_of("a 6\nb 3\nc 1\n", (struct fst_profile_options){0});
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_top_options options = {.leaf_rows = rows[i].most, .root_rows = rows[i].most};
        struct fst_top *top = top_of(profile, options);
        const struct fst_top_table *tables[] = {&top->leaf, &top->roots};
        for (size_t k = 0; k < FST_COUNT_OF(tables); k++) {
            assert_int_equal(tables[k]->of, 3);
            assert_int_equal(tables[k]->count, rows[i].count);
            require_count(i, tables[k]->covered, rows[i].covered);
            assert_true(near(tables[k]->covered_share, rows[i].share));
        }
        fst_top_free(top);
    }
    fst_profile_free(profile);
}

static void shares_are_of_the_net_total(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double self;  /* of frame b */
        double total; /* of frame a */
        bool interval;
    } rows[] = {
        {"a;b 30\na 10\nc 60\n", 0.3, 0.4, true},
        {"a;b 1\nc 3\n", 0.25, 0.25, true},
        {"a;b 0\nc 3\n", 0, 0, true},
        {"a;b 3\nc -1\n", 1.5, 1.5, false},
        {"a;b -3\nc 9\n", -0.5, -0.5, false},
        {"a;b 0.5\na 1\nc 0.5\n", 0.25, 0.75, false},
        {"a;b 3\nc -3\n", NAN, NAN, false},
        {"a;b 0\n", NAN, NAN, false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
        const struct fst_top_row *a = find_row(&top->leaf, "a");
        const struct fst_top_row *b = find_row(&top->leaf, "b");
        REQUIRE(near(b->self_share, rows[i].self), "row %zu: %g", i, b->self_share);
        REQUIRE(near(a->total_share, rows[i].total), "row %zu: %g", i, a->total_share);
        REQUIRE(isnan(a->total_ci.lo) != rows[i].interval, "row %zu", i);
        REQUIRE(isnan(b->self_ci.hi) != rows[i].interval, "row %zu", i);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

static void busy_is_the_total_a_tick(void **state)
{
    (void)state;
    static const struct {
        const char *texts[2];
        double ticks; /* given */
        double known;
        double busy; /* of m */
    } rows[] = {
        {{"m;a 100\nm;m;b 98\nc 2\n", NULL}, 99, 99, 2},
        {{"m 4\n", NULL}, 0, NAN, NAN},
        {{"# rate: 10\n# duration: 5\nm 98\n", NULL}, 0, 49, 2}, /* 10 * 5 - 1 */
        {{"# rate: 10\n# duration: 5\nm 98\n", NULL}, 196, 196, 0.5},
        {{"# rate: 10\n# duration: 5\nm 98\n", "# ticks: 51\nm 52\n"}, 0, 100, 1.5},
        {{"# rate: 10\n# duration: 5\nm 98\n", "m 52\n"}, 0, NAN, NAN},
        {{"# rate: 10\n# duration: 5\nm 98\n", "m 52\n"}, 75, 75, 2},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].texts[0], (struct fst_profile_options){0});
        if (rows[i].texts[1] != NULL) {
            read_text(profile, fst_str_cstr(rows[i].texts[1]), "second");
        }
        struct fst_top_options options = {.sort = FST_SORT_TOTAL, .ticks = rows[i].ticks};
        struct fst_top *top = top_of(profile, options);
        REQUIRE(near(top->ticks, rows[i].known), "row %zu: %g ticks", i, top->ticks);
        double busy = find_row(&top->leaf, "m")->busy;
        REQUIRE(near(busy, rows[i].busy), "row %zu: busy %g", i, busy);
        REQUIRE(near(find_row(&top->roots, "m")->busy, rows[i].busy), "row %zu: root", i);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

static void the_leader_is_a_function_whose_lines_beat_the_first_row(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *leader;
        double share;
    } rows[] = {
        {"f (a.py:1) 3\nf (a.py:2) 4\ng (b.py:1) 5\n", "f (a.py)", 7.0 / 12},
        {"f (a.py:1) 5\nf (a.py:2) 3\ng (b.py:1) 2\n", "f (a.py)", 0.8},
        {"f (a.py:1) 3\nf (a.py:2) 2\ng (b.py:1) 5\n", "", NAN}, /* not above it */
        {"f (a.py:1) 3\ng (b.py:1) 5\n", "", NAN},
        {"f (a.py:1) 3\nf (a.py:2) 3\ne (a.py:3) 3\ne (a.py:4) 3\n", "e (a.py)", 0.5},
        {"f (a.py:1);f (a.py:2) 3\nf (a.py:3) 0\ng (b.py:1) 1\n", "", NAN}, /* self alone */
        {"f (a.py:1) 3\nf (b.py:2) 3\ng (c.py:1) 4\n", "", NAN},            /* two functions */
        {"f 3\ng 2\n", "", NAN},
        {"f (a.py:1) 5\nf (a.py:2) 5\ng (b.py:1) -10\n", "", NAN}, /* no shares of zero */
        {"", "", NAN},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_profile *profile = profile_of(rows[i].text, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        require_text(i, top->leader, rows[i].leader);
        REQUIRE(near(top->leader_share, rows[i].share), "row %zu: %g", i, top->leader_share);
        fst_top_free(top);
        fst_profile_free(profile);
    }
}

/* Adds the lines of a function to a text; returns its self value. */
static uint64_t add_function(struct fst_buf *text, uint64_t *state, unsigned number, uint64_t base)
{
    uint64_t sum = 0;
    for (unsigned line = 1; line <= 3; line++) {
        uint64_t self = base + chance_below(state, 100000);
        fst_buf_add_fmt(text, "main (m.py:1);f%u (f.py:%u) %llu\n", number, line,
                        (unsigned long long)self);
        sum += self;
    }
    return sum;
}

/* A text of many functions of nearly the same size; their best goes into leader. Returns its self value. */
static uint64_t add_functions(struct fst_buf *text, uint64_t seed, uint64_t base,
                              struct fst_buf *leader)
{
    uint64_t most = 0;
    for (unsigned number = 0; number < 2000; number++) {
        uint64_t sum = add_function(text, &seed, number, base);
        if (sum > most) {
            most = sum;
            fst_buf_clear(leader);
            fst_buf_add_fmt(leader, "f%u (f.py)", number);
        }
    }
    fst_buf_add_char(leader, '\0');
    return most;
}

/* A last line decides: it has as much as the best function, or one more or less, so that nothing may
 * have been rounded. */
static void the_leader_of_many_functions_is_exact(void **state)
{
    (void)state;
    static const uint64_t bases[] = {0, 5000, 1000000000000000000};
    for (size_t i = 0; i < 3 * FST_COUNT_OF(bases); i++) {
        struct fst_buf text = {0};
        struct fst_buf leader = {0};
        uint64_t most = add_functions(&text, i, bases[i / 3], &leader);
        fst_buf_add_fmt(&text, "last (l.py:1) %llu\n", (unsigned long long)(most + i % 3 - 1));
        fst_buf_add_char(&text, '\0');
        struct fst_profile *profile = profile_of(text.data, (struct fst_profile_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        require_text(i, top->leader, i % 3 == 0 ? leader.data : "");
        fst_top_free(top);
        fst_profile_free(profile);
        fst_buf_release(&leader);
        fst_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_ordered_by_value_then_ties),
        cmocka_unit_test(names_are_ordered_by_bytes),
        cmocka_unit_test(at_most_so_many_rows_are_kept_and_the_rest_is_known),
        cmocka_unit_test(shares_are_of_the_net_total),
        cmocka_unit_test(busy_is_the_total_a_tick),
        cmocka_unit_test(the_leader_is_a_function_whose_lines_beat_the_first_row),
        cmocka_unit_test(the_leader_of_many_functions_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
