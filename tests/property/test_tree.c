/* What holds of every call tree: nothing is lost, and neither the order of the lines, nor how the
 * text is cut, nor who reads it makes a difference. */
#include "unit/helpers.h"

#include <errno.h>

#include "base/width.h"

enum { ROUNDS = 300 };

static const char *const frames[] = {"main (a.py:1)",
                                     "main (a.py:2)",
                                     "f (b.py:10)",
                                     "f (b.py:11)",
                                     "g (b.py:3)",
                                     "h (c.py:3)",
                                     "g",
                                     "x y",
                                     "caf\xe9",
                                     "",
                                     "<module> (a.py:1)"};
static const char *const counts[] = {"1", "2", "17", "0", "1", "3", "-3", "0.25", "1e-12", "1e20"};

/* Lines of random stacks; plain: whole counts above zero alone. */
static void add_lines(struct fst_buf *out, uint64_t *seed, size_t lines, bool plain)
{
    for (; lines > 0; lines--) {
        fst_buf_add_cstr(out, chance_below(seed, 3) == 0 ? "thread (7): t;start (s.py:1)"
                                                         : "start (s.py:1)");
        for (size_t depth = chance_below(seed, 9); depth > 0; depth--) {
            fst_buf_add_fmt(out, ";%s", frames[chance_below(seed, FST_COUNT_OF(frames))]);
        }
        size_t count = chance_below(seed, plain ? 3 : FST_COUNT_OF(counts));
        fst_buf_add_fmt(out, ";end %s\n", counts[count]);
    }
}

static struct fst_profile_options any_options(uint64_t *seed)
{
    static const enum fst_by kinds[] = {FST_BY_FRAME, FST_BY_FUNCTION, FST_BY_LINE, FST_BY_FILE,
                                        FST_BY_MODULE};
    return (struct fst_profile_options){
        .by = kinds[chance_below(seed, FST_COUNT_OF(kinds))],
        .no_totals = chance_below(seed, 2) == 0,
        .tree = true,
        .seed = chance(seed),
    };
}

static struct fst_tree *tree_of(const struct fst_profile *profile, struct fst_tree_options options)
{
    struct fst_tree *tree = NULL;
    assert_int_equal(fst_tree_new(profile, &options, &tree, NULL), FST_OK);
    return tree;
}

/* --- sums -------------------------------------------------------------------------------------- */

/* total = self + totals of the children + what was left out, at every node. */
static void require_sums(size_t round, const struct fst_tree *tree,
                         const struct fst_profile *profile)
{
    fst_i128 *rest = calloc(tree->count, sizeof *rest);
    fst_i128 selves = 0;
    assert_non_null(rest);
    for (size_t i = tree->count; i-- > 0;) {
        const struct fst_tree_node *node = &tree->nodes[i];
        fst_i128 total = fst_count_unpack(node->total);
        fst_i128 self = fst_count_unpack(node->self);
        REQUIRE(total == self + rest[i] + fst_count_unpack(node->left_out), "round %zu: node %zu",
                round, i);
        selves += self;
        if (i > 0) {
            rest[node->parent] += total;
        }
    }
    assert_true(selves + fst_count_unpack(tree->left_out) ==
                fst_count_unpack(fst_profile_total(profile)));
    assert_true(fst_count_unpack(tree->nodes[0].total) ==
                fst_count_unpack(fst_profile_total(profile)));
    free(rest);
}

/* Nodes lie within their parents, a level deeper, and siblings are in their order. */
static void require_shape(size_t round, const struct fst_tree *tree)
{
    for (size_t i = 1; i < tree->count; i++) {
        const struct fst_tree_node *node = &tree->nodes[i];
        const struct fst_tree_node *parent = &tree->nodes[node->parent];
        REQUIRE(node->parent < i && node->end > i && node->end <= parent->end &&
                    node->depth == parent->depth + 1,
                "round %zu: node %zu", round, i);
        if (node->end == parent->end) {
            continue;
        }
        const struct fst_tree_node *next = &tree->nodes[node->end];
        fst_i128 fall = fst_count_unpack(node->total) - fst_count_unpack(next->total);
        REQUIRE(next->parent == node->parent &&
                    (fall > 0 || (fall == 0 && fst_str_cmp(node->name, next->name) < 0)),
                "round %zu: order at node %zu", round, i);
    }
}

static void nothing_is_lost(void **state)
{
    (void)state;
    uint64_t seed = take_seed("nothing is lost");
    struct fst_buf text = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        fst_buf_clear(&text);
        add_lines(&text, &seed, chance_below(&seed, 40), i % 2 == 0);
        struct fst_profile *profile = new_profile(any_options(&seed));
        read_text(profile, fst_buf_str(&text), "text");
        for (int k = 0; k < 4; k++) {
            struct fst_tree *tree = tree_of(
                profile, (struct fst_tree_options){
                             .reverse = k % 2 == 1,
                             .least_share = k < 2 ? 0 : (double)chance_below(&seed, 50) / 100,
                             .max_depth = k < 2 ? 0 : (uint32_t)chance_below(&seed, 5)});
            require_sums(i, tree, profile);
            require_shape(i, tree);
            fst_tree_free(tree);
        }
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
}

/* A row's total is that of its outermost nodes, and its self count that of all of them. */
static void trees_and_tables_agree(void **state)
{
    (void)state;
    uint64_t seed = take_seed("trees and tables agree");
    struct fst_buf text = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        fst_buf_clear(&text);
        add_lines(&text, &seed, 1 + chance_below(&seed, 40), i % 2 == 0);
        struct fst_profile_options options = any_options(&seed);
        options.no_totals = false;
        struct fst_profile *profile = new_profile(options);
        read_text(profile, fst_buf_str(&text), "text");
        struct fst_tree *tree = tree_of(profile, (struct fst_tree_options){0});
        struct fst_top *top = top_of(profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
        for (size_t k = 0; k < top->leaf.count; k++) {
            const struct fst_top_row *row = &top->leaf.rows[k];
            fst_i128 self = 0;
            fst_i128 total = 0;
            for (size_t n = 0, inside = 0; n < tree->count; n++) {
                const struct fst_tree_node *node = &tree->nodes[n];
                if (fst_str_eq(node->name, row->name) && node->depth > 0) {
                    self += fst_count_unpack(node->self);
                    total += n >= inside ? fst_count_unpack(node->total) : 0;
                    inside = node->end > inside ? node->end : inside;
                }
            }
            REQUIRE(self == fst_count_unpack(row->self) && total == fst_count_unpack(row->total),
                    "round %zu: %.*s", i, (int)row->name.len, row->name.data);
        }
        fst_top_free(top);
        fst_tree_free(tree);
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
}

/* --- against a tree that is written out -------------------------------------------------------- */

enum { STACKS = 30, DEEPEST = 40 };

/* Stacks of a few frames, which have much in common and recur within each other. */
struct written {
    char frames[STACKS][DEEPEST]; /* letters */
    size_t depths[STACKS];
    unsigned counts[STACKS];
    size_t count;
};

static void write_any(struct written *w, struct fst_buf *text, uint64_t *seed)
{
    fst_buf_clear(text);
    w->count = 1 + chance_below(seed, STACKS);
    for (size_t i = 0; i < w->count; i++) {
        size_t other = chance_below(seed, i + 1);
        size_t kept = other == i ? 0 : chance_below(seed, w->depths[other] + 1);
        memmove(w->frames[i], w->frames[other], kept);
        w->depths[i] = kept < DEEPEST ? kept + 1 + chance_below(seed, DEEPEST - kept) : kept;
        for (size_t k = kept; k < w->depths[i]; k++) {
            w->frames[i][k] =
                (char)('a' + (chance_below(seed, 4) == 0 ? chance_below(seed, 3) : 0));
        }
        w->counts[i] = (unsigned)chance_below(seed, 4);
        for (size_t k = 0; k < w->depths[i]; k++) {
            fst_buf_add_fmt(text, "%s%c", k == 0 ? "" : ";", w->frames[i][k]);
        }
        fst_buf_add_fmt(text, " %u\n", w->counts[i]);
    }
}

/* Frame k of a stack, counted from where the tree begins. */
static char frame_at(const struct written *w, bool reverse, size_t i, size_t k)
{
    return w->frames[i][reverse ? w->depths[i] - 1 - k : k];
}

/* How many frames two stacks have in common there. */
static size_t in_common(const struct written *w, bool reverse, size_t a, size_t b)
{
    size_t k = 0;
    while (k < w->depths[a] && k < w->depths[b] &&
           frame_at(w, reverse, a, k) == frame_at(w, reverse, b, k)) {
        k++;
    }
    return k;
}

/* Whether a stack counts anything: only then it is walked from its leaf. */
static bool is_walked(const struct written *w, bool reverse, size_t i)
{
    unsigned sum = 0;
    for (size_t k = 0; k < w->count; k++) {
        bool same = w->depths[k] == w->depths[i] && in_common(w, reverse, i, k) == w->depths[i];
        sum += same ? w->counts[k] : 0;
    }
    return !reverse || sum > 0;
}

/* So many nodes it has, the root among them. */
static size_t count_written(const struct written *w, bool reverse)
{
    size_t nodes = 1;
    for (size_t i = 0; i < w->count; i++) {
        size_t known = 0;
        for (size_t k = 0; k < i; k++) {
            size_t same = is_walked(w, reverse, k) ? in_common(w, reverse, i, k) : 0;
            known = same > known ? same : known;
        }
        nodes += is_walked(w, reverse, i) ? w->depths[i] - known : 0;
    }
    return nodes;
}

/* Self and total of every node are those of the stacks that begin with its way. */
static void require_written(size_t round, const struct fst_tree *tree, const struct written *w)
{
    char way[DEEPEST];
    for (size_t n = 0; n < tree->count; n++) {
        const struct fst_tree_node *node = &tree->nodes[n];
        size_t self = 0;
        size_t total = 0;
        if (node->depth > 0) {
            way[node->depth - 1] = node->name.data[0];
        }
        for (size_t i = 0; i < w->count; i++) {
            size_t k = 0;
            while (k < node->depth && k < w->depths[i] &&
                   frame_at(w, tree->reverse, i, k) == way[k]) {
                k++;
            }
            total += k == node->depth ? w->counts[i] : 0;
            self += k == node->depth && k == w->depths[i] ? w->counts[i] : 0;
        }
        REQUIRE(fst_count_unpack(node->self) == (fst_i128)self * FST_COUNT_ONE &&
                    fst_count_unpack(node->total) == (fst_i128)total * FST_COUNT_ONE,
                "round %zu: node %zu", round, n);
    }
}

static void trees_are_those_that_stacks_write(void **state)
{
    (void)state;
    uint64_t seed = take_seed("trees that stacks write");
    static struct written w;
    struct fst_buf text = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        write_any(&w, &text, &seed);
        struct fst_profile *profile = new_profile((struct fst_profile_options){
            .tree = true, .no_totals = i % 2 == 0, .seed = chance(&seed)});
        read_text(profile, fst_buf_str(&text), "text");
        for (int reverse = 0; reverse < 2; reverse++) {
            struct fst_tree *tree =
                tree_of(profile, (struct fst_tree_options){.reverse = reverse == 1});
            REQUIRE(tree->count == count_written(&w, reverse == 1), "round %zu: %zu nodes", i,
                    tree->count);
            require_written(i, tree, &w);
            fst_tree_free(tree);
        }
        fst_profile_free(profile);
    }
    fst_buf_release(&text);
}

/* --- the same, whatever the way ---------------------------------------------------------------- */

static void add_count(struct fst_buf *out, struct fst_count count)
{
    fst_buf_add_fmt(out, " %llx:%llx", (unsigned long long)count.hi, (unsigned long long)count.lo);
}

/* All that there is to the trees of a profile, both ways, some of it left out. */
static void describe(struct fst_buf *out, const struct fst_profile *profile)
{
    fst_buf_clear(out);
    for (int reverse = 0; reverse < 2; reverse++) {
        struct fst_tree *tree =
            tree_of(profile, (struct fst_tree_options){.reverse = reverse, .least_share = 0.01});
        for (size_t i = 0; i < tree->count; i++) {
            const struct fst_tree_node *node = &tree->nodes[i];
            fst_buf_add_fmt(out, "%zu %u %u ", i, node->parent, node->left_out_nodes);
            fst_buf_add_str(out, node->name);
            add_count(out, node->self);
            add_count(out, node->total);
            add_count(out, node->left_out);
            fst_buf_add_char(out, '\n');
        }
        fst_tree_free(tree);
    }
    assert_false(out->failed);
}

static void require_same(size_t round, const char *way, const struct fst_buf *wanted,
                         struct fst_profile *profile)
{
    struct fst_buf got = {0};
    describe(&got, profile);
    REQUIRE(fst_str_eq(fst_buf_str(&got), fst_buf_str(wanted)), "round %zu: %s", round, way);
    fst_buf_release(&got);
    fst_profile_free(profile);
}

/* The lines of a text in random order. */
static void shuffle_lines(struct fst_buf *out, const struct fst_buf *text, uint64_t *seed)
{
    struct fst_str lines[1000];
    size_t count = 0;
    for (size_t at = 0; at < text->len && count < FST_COUNT_OF(lines);) {
        const char *end = memchr(text->data + at, '\n', text->len - at);
        size_t len = (size_t)(end + 1 - (text->data + at));
        lines[count++] = fst_str_of(text->data + at, len);
        at += len;
    }
    fst_buf_clear(out);
    shuffle(lines, count, sizeof lines[0], seed);
    for (size_t i = 0; i < count; i++) {
        fst_buf_add_str(out, lines[i]);
    }
}

static struct fst_profile *read_in_pieces(const struct fst_buf *text,
                                          struct fst_profile_options options, uint64_t *seed)
{
    struct fst_profile *profile = new_profile(options);
    struct fst_reader *reader = NULL;
    assert_int_equal(fst_reader_new(profile, "text", &(struct fst_read_options){0}, &reader, NULL),
                     FST_OK);
    for (size_t at = 0; at < text->len;) {
        size_t most = 1 + chance_below(seed, 200);
        size_t len = text->len - at < most ? text->len - at : most;
        assert_int_equal(fst_reader_feed(reader, text->data + at, len, NULL), FST_OK);
        at += len;
    }
    assert_int_equal(fst_reader_finish(reader, NULL), FST_OK);
    fst_reader_free(reader);
    return profile;
}

/* Two halves, each a profile, added up. */
static struct fst_profile *merge_halves(const struct fst_buf *text,
                                        struct fst_profile_options options, bool second_first)
{
    size_t cut = text->len / 2;
    while (cut > 0 && text->data[cut - 1] != '\n') {
        cut--;
    }
    struct fst_str halves[2] = {fst_str_of(text->data, cut), fst_str_skip(fst_buf_str(text), cut)};
    struct fst_profile *sum = new_profile(options);
    for (int i = 0; i < 2; i++) {
        options.seed++;
        struct fst_profile *half = new_profile(options);
        struct fst_read_options reading = {.dialect = FST_DIALECT_PYSPY};
        assert_int_equal(
            fst_profile_read_memory(half, halves[second_first ? 1 - i : i], "half", &reading, NULL),
            FST_OK);
        assert_int_equal(fst_profile_merge(sum, half, NULL), FST_OK);
        fst_profile_free(half);
    }
    return sum;
}

static void order_cuts_and_merges_make_no_difference(void **state)
{
    (void)state;
    uint64_t seed = take_seed("order, cuts and merges");
    struct fst_buf text = {0};
    struct fst_buf other = {0};
    struct fst_buf wanted = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        fst_buf_clear(&text);
        add_lines(&text, &seed, 1 + chance_below(&seed, 300), false);
        struct fst_profile_options options = any_options(&seed);
        struct fst_profile *whole = new_profile(options);
        struct fst_read_options reading = {.dialect = FST_DIALECT_PYSPY};
        assert_int_equal(fst_profile_read_memory(whole, fst_buf_str(&text), "text", &reading, NULL),
                         FST_OK);
        describe(&wanted, whole);
        fst_profile_free(whole);
        options.seed = chance(&seed);
        require_same(i, "merged", &wanted, merge_halves(&text, options, false));
        require_same(i, "merged the other way", &wanted, merge_halves(&text, options, true));
        shuffle_lines(&other, &text, &seed);
        struct fst_profile *shuffled = new_profile(options);
        assert_int_equal(
            fst_profile_read_memory(shuffled, fst_buf_str(&other), "text", &reading, NULL), FST_OK);
        require_same(i, "shuffled", &wanted, shuffled);
    }
    fst_buf_release(&text);
    fst_buf_release(&other);
    fst_buf_release(&wanted);
}

/* As tests/property/test_splits.c does for tables: with texts that are long enough for many blocks,
 * whose lines go the fast way and the slow one. */
static void pieces_and_threads_make_no_difference(void **state)
{
    (void)state;
    uint64_t seed = take_seed("pieces and threads");
    struct fst_buf text = {0};
    struct fst_buf wanted = {0};
    for (size_t i = 0; i < 20; i++) {
        fst_buf_clear(&text);
        add_lines(&text, &seed, 3000 + chance_below(&seed, 5000), i % 2 == 0);
        struct fst_profile_options options = any_options(&seed);
        struct fst_profile *whole = new_profile(options);
        read_text(whole, fst_buf_str(&text), "text");
        describe(&wanted, whole);
        fst_profile_free(whole);
        require_same(i, "in pieces", &wanted, read_in_pieces(&text, options, &seed));
        for (unsigned jobs = 1; jobs <= 5; jobs++) {
            struct fst_profile *profile = new_profile(options);
            struct fst_read_options reading = {.jobs = jobs};
            assert_int_equal(
                fst_profile_read_memory(profile, fst_buf_str(&text), "text", &reading, NULL),
                FST_OK);
            require_same(i, "by threads", &wanted, profile);
        }
    }
    fst_buf_release(&text);
    fst_buf_release(&wanted);
}

/* --- drawn ------------------------------------------------------------------------------------- */

/* A name of any length, of letters that are narrow, wide, none at all or not shown. */
static void add_any_name(struct fst_buf *out, uint64_t *seed)
{
    static const char *const parts[] = {
        "a",        "b",         " ",    ".",    "/", "(",       ")",   "\xe4\xb8\xad",
        "\xc3\xa4", "e\xcc\x81", "\x01", "\xff", ":", "c.py:3)", " (x/"};
    size_t len = chance_below(seed, 4) == 0 ? 60 : 20;
    for (size_t i = 1 + chance_below(seed, len); i > 0; i--) {
        fst_buf_add_cstr(
            out, parts[chance_below(seed, chance_below(seed, 2) == 0 ? 2 : FST_COUNT_OF(parts))]);
    }
}

static void add_long_chains(struct fst_buf *out, uint64_t *seed)
{
    for (size_t lines = 1 + chance_below(seed, 4); lines > 0; lines--) {
        fst_buf_add_cstr(out, "x");
        size_t deep = chance_below(seed, 8) == 0 ? 150 : 8;
        for (size_t depth = 1 + chance_below(seed, deep); depth > 0; depth--) {
            fst_buf_add_char(out, ';');
            add_any_name(out, seed);
        }
        fst_buf_add_fmt(out, " %zu\n", 1 + chance_below(seed, 100000));
    }
}

static int keep_text(void *ctx, const char *bytes, size_t len)
{
    return fst_buf_add(ctx, bytes, len) ? 0 : ENOMEM;
}

static void require_width(struct fst_str text, size_t width, bool ascii)
{
    while (text.len > 0) {
        const char *end = memchr(text.data, '\n', text.len);
        assert_non_null(end);
        struct fst_str line = fst_str_of(text.data, (size_t)(end - text.data));
        REQUIRE(fst_width(line) <= width, "width %zu%s: %.*s", width, ascii ? ", ascii" : "",
                (int)line.len, line.data);
        text = fst_str_skip(text, line.len + 1);
    }
}

static void no_line_is_wider_than_asked(void **state)
{
    (void)state;
    uint64_t seed = take_seed("no line is wider than asked");
    struct fst_buf text = {0};
    struct fst_buf drawn = {0};
    for (size_t i = 0; i < 5 * ROUNDS; i++) {
        fst_buf_clear(&text);
        add_long_chains(&text, &seed);
        struct fst_profile_options options = any_options(&seed);
        struct fst_profile *profile = new_profile(options);
        read_text(profile, fst_buf_str(&text), "text");
        struct fst_tree *tree = tree_of(profile, (struct fst_tree_options){.reverse = i % 2 == 1});
        struct fst_top *top = top_of(profile, (struct fst_top_options){0});
        for (int k = 0; k < 4; k++) {
            struct fst_render_options render = {.width = 40 + chance_below(&seed, 61),
                                                .ascii = k % 2 == 1};
            fst_buf_clear(&drawn);
            assert_int_equal(k < 2 ? fst_render_tree(tree, profile, FST_FORMAT_TABLE, &render,
                                                     keep_text, &drawn, NULL)
                                   : fst_render_top(top, profile, FST_FORMAT_TABLE, &render,
                                                    keep_text, &drawn, NULL),
                             FST_OK);
            require_width(fst_buf_str(&drawn), render.width, render.ascii);
        }
        fst_top_free(top);
        fst_tree_free(tree);
        fst_profile_free(profile);
    }
    fst_buf_release(&drawn);
    fst_buf_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(trees_and_tables_agree),
        cmocka_unit_test(trees_are_those_that_stacks_write),
        cmocka_unit_test(order_cuts_and_merges_make_no_difference),
        cmocka_unit_test(pieces_and_threads_make_no_difference),
        cmocka_unit_test(no_line_is_wider_than_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
