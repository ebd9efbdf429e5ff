/* Rows within rows, of random stacks: the outer rows are those of one kind alone, what lies within them
 * adds up to them, and A within B is as large as B within A, however stacks come. */
#include "unit/helpers.h"

#include "base/count.h"

enum { ROUNDS = 12, STACKS_MOST = 300, DEPTH_MOST = 24 };

static const char *const frames[] = {
    "main (app/run.py:3)",
    "main (app/run.py:9)",
    "step (app/run.py:20)",
    "wait (threading.py:300)",
    "dumps (json/encoder.py:4)",
    "loads (json/decoder.py:7)",
    "inflate (libz.so.1)",
    "read (gzip.py:4)",
    "gemm (libopenblas.so)",
    "<module> (app/__init__.py)",
    "plain",
    "connect (socket.py:8)",
};

static const enum fst_by kinds[] = {FST_BY_FRAME,   FST_BY_FUNCTION, FST_BY_FILE,
                                    FST_BY_LINE,    FST_BY_MODULE,   FST_BY_THREAD,
                                    FST_BY_PROCESS, FST_BY_CATEGORY, FST_BY_STACK};

/* Some counts have fractions or lie below zero, which are counted in another way. */
static void add_count(struct fst_buf *out, bool whole, uint64_t *seed)
{
    size_t kind = whole ? 0 : chance_below(seed, 12);
    fst_buf_add_fmt(out, " %s%zu%s\n", kind == 11 ? "-" : "", chance_below(seed, 9),
                    kind == 10 ? ".25" : "");
}

static void make_text(struct fst_buf *out, uint64_t *seed)
{
    fst_buf_clear(out);
    bool whole = chance_below(seed, 2) == 0;
    size_t stacks = 1 + chance_below(seed, STACKS_MOST);
    for (size_t i = 0; i < stacks; i++) {
        fst_buf_add_fmt(out, "process %zu:\"app\";thread (%zu): crew-%zu", chance_below(seed, 3),
                        chance_below(seed, 5), chance_below(seed, 3));
        size_t depth = 1 + chance_below(seed, DEPTH_MOST);
        for (size_t k = 0; k < depth; k++) {
            fst_buf_add_fmt(out, ";%s", frames[chance_below(seed, FST_COUNT_OF(frames))]);
        }
        add_count(out, whole, seed);
    }
    assert_false(out->failed);
}

/* A table by one kind of rows, or by rows within rows, read in pieces of any size or at once. */
struct table {
    struct fst_profile *profile;
    struct fst_top *top;
};

static struct table table_by(struct fst_str text, const struct fst_selection *selection,
                             enum fst_by outer, const enum fst_by *inner, size_t step)
{
    struct fst_profile_options options = {.by = outer, .selection = selection, .seed = 7};
    options.nested = inner != NULL;
    options.inner = inner != NULL ? *inner : FST_BY_FRAME;
    struct table table = {new_profile(options), NULL};
    struct fst_reader *reader = NULL;
    struct fst_read_options read = {0};
    assert_int_equal(fst_reader_new(table.profile, "chance", &read, &reader, NULL), FST_OK);
    for (size_t at = 0; at < text.len; at += step) {
        size_t n = text.len - at < step ? text.len - at : step;
        assert_int_equal(fst_reader_feed(reader, text.data + at, n, NULL), FST_OK);
    }
    assert_int_equal(fst_reader_finish(reader, NULL), FST_OK);
    fst_reader_free(reader);
    table.top = top_of(table.profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
    return table;
}

static void release(struct table *table)
{
    fst_top_free(table->top);
    fst_profile_free(table->profile);
}

/* The row of that name, within the row that is called outer; NULL data: of rows that lie in none. */
static const struct fst_top_row *find(const struct fst_top *top, struct fst_str outer,
                                      struct fst_str name)
{
    struct fst_str above = {NULL, 0};
    for (size_t i = 0; i < top->leaf.count; i++) {
        const struct fst_top_row *row = &top->leaf.rows[i];
        above = row->within ? above : row->name;
        bool here =
            row->within ? outer.data != NULL && fst_str_eq(above, outer) : outer.data == NULL;
        if (here && fst_str_eq(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

static void require_same(const struct fst_top_row *a, const struct fst_top_row *b, const char *what)
{
    REQUIRE(a != NULL && b != NULL, "%s: a row is missing", what);
    REQUIRE(fst_count_unpack(a->self) == fst_count_unpack(b->self) &&
                fst_count_unpack(a->total) == fst_count_unpack(b->total),
            "%s: %.*s", what, (int)a->name.len, a->name.data);
}

static void outer_rows_are_those_of_one_kind(const struct table *nested, const struct table *alone)
{
    const struct fst_str none = {NULL, 0};
    size_t outer = 0;
    for (size_t i = 0; i < nested->top->leaf.count; i++) {
        const struct fst_top_row *row = &nested->top->leaf.rows[i];
        if (!row->within) {
            require_same(row, find(alone->top, none, row->name), "outer row");
            outer++;
        }
    }
    assert_int_equal(outer, alone->top->leaf.count);
}

static void a_within_b_is_b_within_a(const struct table *ab, const struct table *ba)
{
    struct fst_str above = {NULL, 0};
    assert_int_equal(ab->top->leaf.count - ab->top->leaf.shown,
                     ba->top->leaf.count - ba->top->leaf.shown);
    for (size_t i = 0; i < ab->top->leaf.count; i++) {
        const struct fst_top_row *row = &ab->top->leaf.rows[i];
        above = row->within ? above : row->name;
        if (row->within) {
            require_same(row, find(ba->top, row->name, above), "inner row");
        }
    }
}

static void inner_self_counts_add_up(const struct table *nested)
{
    fst_i128 left = 0;
    for (size_t i = 0; i < nested->top->leaf.count; i++) {
        const struct fst_top_row *row = &nested->top->leaf.rows[i];
        fst_i128 self = fst_count_unpack(row->self);
        REQUIRE(row->within || left == 0, "self counts before row %zu", i);
        left = row->within ? left - self : self;
    }
    assert_true(left == 0);
}

static void check(struct fst_str text, const struct fst_selection *selection, enum fst_by a,
                  enum fst_by b, size_t step)
{
    struct table ab = table_by(text, selection, a, &b, text.len);
    struct table ba = table_by(text, selection, b, &a, step);
    struct table alone = table_by(text, selection, a, NULL, text.len);
    outer_rows_are_those_of_one_kind(&ab, &alone);
    a_within_b_is_b_within_a(&ab, &ba);
    inner_self_counts_add_up(&ab);
    release(&ab);
    release(&ba);
    release(&alone);
}

static void rows_within_rows_are_what_both_kinds_say(void **state)
{
    (void)state;
    uint64_t seed = take_seed("nest");
    struct fst_selection *selection = NULL;
    const struct fst_selection_options options = {.categorize = true};
    assert_int_equal(fst_selection_new(&options, &selection, NULL, NULL), FST_OK);
    struct fst_buf text = {0};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_text(&text, &seed);
        for (size_t i = 0; i < FST_COUNT_OF(kinds); i++) {
            size_t other =
                (i + 1 + chance_below(&seed, FST_COUNT_OF(kinds) - 1)) % FST_COUNT_OF(kinds);
            check(fst_buf_str(&text), selection, kinds[i], kinds[other],
                  1 + chance_below(&seed, 200));
        }
    }
    fst_buf_release(&text);
    fst_selection_free(selection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_within_rows_are_what_both_kinds_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
