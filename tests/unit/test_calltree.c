/* Chains against the ways that they stand for, each written out. */
#include "unit/helpers.h"

#include "base/count.h"
#include "model/calltree.h"

enum { ROUNDS = 400, STACKS = 60, DEEPEST = 70 };

/* Stacks of numbers, as they were added. */
struct stacks {
    uint32_t names[STACKS][DEEPEST];
    size_t depths[STACKS];
    fst_i128 counts[STACKS];
    size_t count;
};

/* A stack that leaves the one before it, or another one, somewhere. */
static void add_any(struct stacks *s, uint64_t *seed)
{
    size_t i = s->count++;
    size_t other = i == 0 ? 0 : chance_below(seed, 3) == 0 ? chance_below(seed, i) : i - 1;
    size_t kept = i == 0 ? 0 : chance_below(seed, s->depths[other] + 1);
    memcpy(s->names[i], s->names[other], kept * sizeof s->names[i][0]);
    s->depths[i] = kept;
    size_t more = chance_below(seed, DEEPEST - kept + 1);
    for (size_t k = 0; k < more; k++) {
        s->names[i][s->depths[i]++] = (uint32_t)chance_below(seed, 3);
    }
    s->counts[i] = (fst_i128)chance_below(seed, 5) - 1;
}

static size_t common(const struct stacks *s, size_t a, size_t b)
{
    size_t least = s->depths[a] < s->depths[b] ? s->depths[a] : s->depths[b];
    size_t same = 0;
    while (same < least && s->names[a][same] == s->names[b][same]) {
        same++;
    }
    return same;
}

static void add_to_tree(struct fst_calltree *tree, const struct stacks *s, size_t i, size_t known)
{
    uint32_t rest[DEEPEST + 1];
    size_t n = s->depths[i] - known;
    memcpy(rest, s->names[i] + known, n * sizeof rest[0]);
    assert_true(fst_calltree_add(tree, known, rest, n, s->counts[i]));
}

/* What neighbours of one name leave of a stack. */
static void join_names(struct stacks *s)
{
    for (size_t i = 0; i < s->count; i++) {
        size_t left = 0;
        for (size_t k = 0; k < s->depths[i]; k++) {
            if (left == 0 || s->names[i][k] != s->names[i][left - 1]) {
                s->names[i][left++] = s->names[i][k];
            }
        }
        s->depths[i] = left;
    }
}

/* The way to the end of a chain. */
static size_t way_to(const struct fst_calltree *tree, uint32_t id, uint32_t *way)
{
    size_t depth = 0;
    for (uint32_t at = id; at != 0; at = tree->chains[at].parent) {
        depth += tree->chains[at].length;
    }
    size_t left = depth;
    for (uint32_t at = id; at != 0; at = tree->chains[at].parent) {
        const struct fst_chain *chain = &tree->chains[at];
        assert_true(chain->length > 0 && chain->name == *fst_calltree_names(tree, chain->first));
        left -= chain->length;
        memcpy(way + left, fst_calltree_names(tree, chain->first), chain->length * sizeof *way);
    }
    return depth;
}

/* So many distinct ways lead to frames. */
static size_t count_ways(const struct stacks *s)
{
    size_t ways = 0;
    for (size_t i = 0; i < s->count; i++) {
        size_t known = 0;
        for (size_t k = 0; k < i; k++) {
            size_t same = common(s, i, k);
            known = same > known ? same : known;
        }
        ways += s->depths[i] - known;
    }
    return ways;
}

static void require_ways(size_t round, const struct fst_calltree *tree, const struct stacks *s)
{
    fst_i128 sum = 0;
    REQUIRE(tree->nnames == count_ways(s), "round %zu: %zu ways", round, tree->nnames);
    for (uint32_t id = 0; id < tree->count; id++) {
        uint32_t way[DEEPEST];
        size_t depth = way_to(tree, id, way);
        fst_i128 wanted = 0;
        for (size_t i = 0; i < s->count; i++) {
            bool same = s->depths[i] == depth && memcmp(s->names[i], way, depth * sizeof *way) == 0;
            wanted += same ? s->counts[i] : 0;
        }
        REQUIRE(fst_count_unpack(tree->chains[id].self) == wanted, "round %zu: chain %u", round,
                id);
        sum += wanted;
    }
    for (size_t i = 0; i < s->count; i++) {
        sum -= s->counts[i];
    }
    REQUIRE(sum == 0, "round %zu: a stack ends at no chain", round);
}

/* Parents first, every chain once, children where they belong. */
static void require_offspring(size_t round, const struct fst_calltree *tree)
{
    struct fst_offspring o;
    bool seen[2 * STACKS + 2] = {false};
    assert_true(fst_offspring_init(&o, tree) && tree->count <= FST_COUNT_OF(seen));
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t id = o.order[i];
        uint32_t parent = tree->chains[id].parent;
        REQUIRE(!seen[id] && (id == 0 ? i == 0 : seen[parent]), "round %zu: order", round);
        seen[id] = true;
        for (uint32_t k = o.starts[id]; k < o.starts[id + 1]; k++) {
            REQUIRE(tree->chains[o.children[k]].parent == id, "round %zu: child of %u", round, id);
        }
    }
    fst_offspring_release(&o);
}

static void stacks_are_found_again(void **state)
{
    (void)state;
    uint64_t seed = take_seed("stacks are found again");
    static struct stacks s;
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_calltree tree;
        bool joins = round % 3 == 2;
        s.count = 0;
        fst_calltree_init(&tree, chance(&seed), joins);
        for (size_t most = 1 + chance_below(&seed, STACKS); s.count < most;) {
            add_any(&s, &seed);
            size_t i = s.count - 1;
            size_t known = i == 0 ? 0 : chance_below(&seed, common(&s, i, i - 1) + 1);
            add_to_tree(&tree, &s, i, known);
        }
        if (joins) {
            join_names(&s);
        }
        require_ways(round, &tree, &s);
        require_offspring(round, &tree);
        fst_calltree_release(&tree);
    }
}

/* Two trees become one, some of whose names are the same there. */
static void trees_are_added(void **state)
{
    (void)state;
    uint64_t seed = take_seed("trees are added");
    static struct stacks s;
    static const uint32_t names[] = {7, 5, 5};
    for (size_t round = 0; round < ROUNDS; round++) {
        struct fst_calltree halves[2];
        struct fst_calltree sum;
        bool joins = round % 2 == 1;
        s.count = 0;
        fst_calltree_init(&sum, chance(&seed), joins);
        for (int half = 0; half < 2; half++) {
            fst_calltree_init(&halves[half], chance(&seed), false);
            for (size_t more = chance_below(&seed, STACKS / 2); more > 0; more--) {
                add_any(&s, &seed);
                add_to_tree(&halves[half], &s, s.count - 1, 0);
            }
            assert_true(fst_calltree_merge(&sum, &halves[half], names));
            fst_calltree_release(&halves[half]);
        }
        for (size_t i = 0; i < s.count; i++) {
            for (size_t k = 0; k < s.depths[i]; k++) {
                s.names[i][k] = names[s.names[i][k]];
            }
        }
        if (joins) {
            join_names(&s);
        }
        require_ways(round, &sum, &s);
        fst_calltree_release(&sum);
    }
}

/* A stack of a hundred thousand frames, and those that end midway, share its chain. */
static void deep_stacks_share_their_frames(void **state)
{
    (void)state;
    enum { DEPTH = 100000, ENDS = 500 };
    struct fst_calltree tree;
    uint32_t *names = calloc(DEPTH, sizeof *names);
    assert_non_null(names);
    fst_calltree_init(&tree, 1, false);
    for (size_t i = ENDS; i > 0; i--) {
        assert_true(fst_calltree_add(&tree, 0, names, DEPTH / ENDS * i, 1));
    }
    assert_int_equal(tree.nnames, DEPTH);
    assert_int_equal(tree.count, ENDS + 1);
    assert_true(fst_calltree_memory(&tree) < (size_t)1024 * 1024);
    fst_calltree_release(&tree);
    free(names);
}

/* Stacks that are longer than a block of names, and some that leave them behind its ends. */
static void stacks_may_be_longer_than_a_block(void **state)
{
    (void)state;
    enum { DEPTH = FST_CALLTREE_BLOCK * 5 / 2, BRANCHES = 40, OTHER = 7 };
    struct fst_calltree tree;
    struct fst_calltree copy;
    static const uint32_t same[] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t *names = calloc(DEPTH, sizeof *names);
    uint32_t *way = calloc(DEPTH, sizeof *way);
    assert_true(names != NULL && way != NULL);
    for (size_t i = 0; i < DEPTH; i++) {
        names[i] = (uint32_t)(i % OTHER);
    }
    fst_calltree_init(&tree, 1, false);
    assert_true(fst_calltree_add(&tree, 0, names, DEPTH, 1));
    for (size_t i = 1; i < BRANCHES; i++) {
        uint32_t others[] = {OTHER, OTHER};
        assert_true(fst_calltree_add(&tree, DEPTH / BRANCHES * (BRANCHES - i), others, 2, 1));
    }
    fst_calltree_init(&copy, 2, false);
    assert_true(fst_calltree_merge(&copy, &tree, same));
    size_t ends = 0;
    for (uint32_t id = 1; id < copy.count; id++) {
        size_t depth = way_to(&copy, id, way);
        bool branch = way[depth - 1] == OTHER;
        ends += fst_count_unpack(copy.chains[id].self) == 1;
        assert_memory_equal(way, names, (branch ? depth - 2 : depth) * sizeof *way);
    }
    assert_int_equal(ends, BRANCHES);
    assert_int_equal(copy.count, tree.count);
    fst_calltree_release(&tree);
    fst_calltree_release(&copy);
    free(names);
    free(way);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_found_again),
        cmocka_unit_test(trees_are_added),
        cmocka_unit_test(deep_stacks_share_their_frames),
        cmocka_unit_test(stacks_may_be_longer_than_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
