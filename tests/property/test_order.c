/* The order of the lines makes no difference to the tables: equal rows stand in the order of their
 * names, and every sum is exact. */
#include "unit/helpers.h"

/* Stacks of random frames out of a few, so that rows tie often. */
static void add_line(struct fst_buf *line, uint64_t *chances)
{
    static const char *const frames[] = {
        "main (a.py:1)",
        "f (a.py:2)",
        "f (a.py:3)",
        "g (b.py:4)",
        "run (threading.py:9)",
        "h",
        "x y",
        "",
        "caf\xe9",
        "0x7f12 (libc.so)",
        "<module> (a.py:1)",
        "-",
    };
    static const char *const leads[] = {
        "",
        "",
        "thread (1): t;",
        "thread (2): u;",
        "process 5:\"\"C:\\x y\" a;b\";",
        "process 5:\"p\";thread (1): t;",
    };
    static const char *const counts[] = {
        "1",   "1", "2", "3", "10", "0", "-1", "1.5", "1e-3", "0.000000000001", "9007199254740993",
        "1e20"};
    fst_buf_add_cstr(line, leads[chance_below(chances, FST_COUNT_OF(leads))]);
    size_t depth = chance_below(chances, 6);
    for (size_t i = 0; i < depth; i++) {
        fst_buf_add_cstr(line, frames[chance_below(chances, FST_COUNT_OF(frames))]);
        fst_buf_add_cstr(line, i + 1 < depth ? ";" : "");
    }
    fst_buf_add_char(line, ' ');
    fst_buf_add_cstr(line, counts[chance_below(chances, FST_COUNT_OF(counts))]);
}

static void add_aside(struct fst_buf *line, uint64_t *chances)
{
    static const char *const asides[] = {
        "", "# a comment", "# rate: 49", "# duration: 30", "bad line here", "py-spy> x 3", " 7",
    };
    fst_buf_add_cstr(line, asides[chance_below(chances, FST_COUNT_OF(asides))]);
}

/* Fewer than the lines that tell the dialect, which those before others could tip. */
enum { MOST_LINES = 300 };

struct lines {
    struct fst_buf line[MOST_LINES];
    size_t count;
};

static void make_lines(struct lines *lines, uint64_t *chances)
{
    lines->count = 20 + chance_below(chances, MOST_LINES - 20);
    for (size_t i = 0; i < lines->count; i++) {
        fst_buf_clear(&lines->line[i]);
        if (chance_below(chances, 8) == 0) {
            add_aside(&lines->line[i], chances);
        } else {
            add_line(&lines->line[i], chances);
        }
    }
}

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < MOST_LINES; i++) {
        fst_buf_release(&lines->line[i]);
    }
    free(lines);
}

static struct fst_profile *profile_of_lines(const struct lines *lines,
                                            struct fst_profile_options options)
{
    struct fst_buf text = {0};
    for (size_t i = 0; i < lines->count; i++) {
        fst_buf_add_str(&text, fst_buf_str(&lines->line[i]));
        fst_buf_add_char(&text, '\n');
    }
    struct fst_profile *profile = new_profile(options);
    read_text(profile, fst_buf_str(&text), "text");
    fst_buf_release(&text);
    return profile;
}

/* --- what must hold of every table ------------------------------------------------------------ */

static fst_i128 value_of(const struct fst_top_row *row, bool leaf)
{
    return fst_count_unpack(leaf ? row->self : row->total);
}

static void require_order(const struct fst_top_table *table, bool leaf)
{
    for (size_t i = 1; i < table->count; i++) {
        const struct fst_top_row *a = &table->rows[i - 1];
        const struct fst_top_row *b = &table->rows[i];
        fst_i128 fall = value_of(a, leaf) - value_of(b, leaf);
        REQUIRE(fall > 0 || (fall == 0 && fst_str_cmp(a->name, b->name) < 0),
                "row %zu \"%.*s\" stands before \"%.*s\"", i, (int)a->name.len, a->name.data,
                (int)b->name.len, b->name.data);
    }
}

static void require_sum(const struct fst_top_table *table, bool leaf, struct fst_count total)
{
    fst_i128 sum = 0;
    for (size_t i = 0; i < table->count; i++) {
        sum += value_of(&table->rows[i], leaf);
    }
    assert_true(sum == fst_count_unpack(total));
}

/* The tables as JSON, from the key "unit" or "leaf" on; what stands before may speak of lines. */
static void add_tables(struct fst_buf *out, const struct fst_profile *profile)
{
    struct fst_top *top = top_of(profile, (struct fst_top_options){0});
    require_order(&top->leaf, true);
    require_order(&top->roots, false);
    require_sum(&top->leaf, true, top->scope.total);
    require_sum(&top->roots, false, top->scope.total);
    render(out, top, profile, FST_FORMAT_JSON);
    const char *tables = strstr(out->data, "\"leaf\"");
    assert_non_null(tables);
    fst_buf_consume(out, (size_t)(tables - out->data));
    fst_top_free(top);
}

static void the_order_of_lines_does_not_reach_the_tables(void **state)
{
    (void)state;
    uint64_t chances = take_seed("order of lines");
    struct lines *lines = calloc(1, sizeof *lines);
    struct fst_buf before = {0};
    struct fst_buf after = {0};
    assert_non_null(lines);
    for (size_t i = 0; i < 200; i++) {
        make_lines(lines, &chances);
        struct fst_profile_options options = {
            .by = (enum fst_by)chance_below(&chances, FST_BY_PROCESS + 1),
            .root = (enum fst_root)chance_below(&chances, FST_ROOT_PROCESS + 1),
            .root_index = (uint32_t)chance_below(&chances, 4),
        };
        struct fst_profile *profile = profile_of_lines(lines, options);
        add_tables(&before, profile);
        fst_profile_free(profile);
        for (size_t k = 0; k < 3; k++) {
            shuffle(lines->line, lines->count, sizeof lines->line[0], &chances);
            profile = profile_of_lines(lines, options);
            add_tables(&after, profile);
            fst_profile_free(profile);
            REQUIRE(fst_str_eq(fst_buf_str(&before), fst_buf_str(&after)),
                    "text %zu: first\n%.*s\nshuffled\n%.*s", i, (int)before.len, before.data,
                    (int)after.len, after.data);
        }
    }
    fst_buf_release(&before);
    fst_buf_release(&after);
    free_lines(lines);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_lines_does_not_reach_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
