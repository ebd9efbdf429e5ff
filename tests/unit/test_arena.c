/* Copies stay where they are until the arena is released. */
#include "unit/helpers.h"

#include "base/arena.h"

/* Bytes that depend on n and differ from those of n + 1. */
static void fill(char *bytes, size_t len, size_t n)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (char)((n * 31 + i * 7) % 256);
    }
}

static void copies_are_equal_and_apart(void **state)
{
    (void)state;
    struct fst_arena arena = {0};
    char text[] = "a\0b";
    struct fst_str first = fst_arena_copy(&arena, fst_str_of(text, 3));
    struct fst_str second = fst_arena_copy(&arena, fst_str_of(text, 3));
    text[0] = 'X';
    assert_true(fst_str_eq(first, fst_str_of("a\0b", 3)));
    assert_true(fst_str_eq(second, first));
    assert_ptr_not_equal(first.data, second.data);
    fst_arena_release(&arena);
}

static void an_empty_text_has_an_address(void **state)
{
    (void)state;
    struct fst_arena arena = {0};
    struct fst_str fresh = fst_arena_copy(&arena, fst_str_of(NULL, 0));
    assert_non_null(fresh.data);
    assert_int_equal(fresh.len, 0);
    struct fst_str next = fst_arena_copy(&arena, FST_STR("x"));
    struct fst_str empty = fst_arena_copy(&arena, FST_STR(""));
    assert_non_null(empty.data);
    assert_int_equal(empty.len, 0);
    require_text(0, next, "x");
    fst_arena_release(&arena);
}

static void texts_of_all_lengths_survive_what_follows(void **state)
{
    (void)state;
    /* around the sizes of the first block, of a block's quarter and of the largest block */
    static const size_t lens[] = {0,     1,      2,      4095,   4096,    4097,    8191,
                                  65536, 262143, 262144, 262145, 1048576, 3000000, 5};
    enum { ROUNDS = 40 };
    static char bytes[3000000];
    struct fst_str copies[ROUNDS];
    struct fst_arena arena = {0};
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t len = lens[i % FST_COUNT_OF(lens)];
        fill(bytes, len, i);
        copies[i] = fst_arena_copy(&arena, fst_str_of(bytes, len));
        REQUIRE(copies[i].data != NULL && copies[i].len == len, "copy %zu", i);
    }
    for (size_t i = 0; i < ROUNDS; i++) {
        fill(bytes, copies[i].len, i);
        REQUIRE(fst_str_eq(copies[i], fst_str_of(bytes, copies[i].len)), "copy %zu kept", i);
    }
    fst_arena_release(&arena);
}

static void many_small_texts_do_not_overlap(void **state)
{
    (void)state;
    enum { TEXTS = 50000, LONGEST = 40 };
    struct fst_arena arena = {0};
    struct fst_str *copies = calloc(TEXTS, sizeof *copies);
    assert_non_null(copies);
    char bytes[LONGEST];
    for (size_t i = 0; i < TEXTS; i++) {
        fill(bytes, i % LONGEST, i);
        copies[i] = fst_arena_copy(&arena, fst_str_of(bytes, i % LONGEST));
    }
    for (size_t i = 0; i < TEXTS; i++) {
        fill(bytes, i % LONGEST, i);
        REQUIRE(fst_str_eq(copies[i], fst_str_of(bytes, i % LONGEST)), "copy %zu", i);
    }
    free(copies);
    fst_arena_release(&arena);
}

static void a_length_beyond_the_address_space_gives_no_copy(void **state)
{
    (void)state;
    struct fst_arena arena = {0};
    struct fst_str before = fst_arena_copy(&arena, FST_STR("before"));
    struct fst_str none = fst_arena_copy(&arena, fst_str_of("x", SIZE_MAX));
    assert_null(none.data);
    assert_int_equal(none.len, 0);
    require_text(0, before, "before");
    require_text(1, fst_arena_copy(&arena, FST_STR("after")), "after");
    fst_arena_release(&arena);
}

static void a_released_arena_is_empty_and_can_be_used_again(void **state)
{
    (void)state;
    struct fst_arena arena = {0};
    fst_arena_release(&arena);
    assert_non_null(fst_arena_copy(&arena, FST_STR("x")).data);
    fst_arena_release(&arena);
    assert_null(arena.head);
    assert_null(arena.next);
    assert_int_equal(arena.left, 0);
    require_text(0, fst_arena_copy(&arena, FST_STR("again")), "again");
    fst_arena_release(&arena);
}

/* How many bytes an arena holds when this many have been copied into it, 100 at a time. */
static size_t held_for(size_t bytes, size_t spares)
{
    static const char text[100];
    struct fst_arena arena = {.spares = spares};
    for (size_t copied = 0; copied < bytes; copied += sizeof text) {
        assert_non_null(fst_arena_copy(&arena, fst_str_of(text, sizeof text)).data);
    }
    size_t held = arena.held;
    fst_arena_release(&arena);
    return held;
}

static void an_arena_that_spares_has_one_small_block_too_many(void **state)
{
    (void)state;
    enum { KIB = 1024, MIB = 1024 * KIB };
    assert_in_range(held_for(MIB, 8 * MIB), 2 * MIB, 2 * MIB + 300 * KIB); /* the first large one */
    for (size_t bytes = 3 * MIB; bytes < 7 * MIB; bytes += 700 * KIB) {
        size_t held = held_for(bytes, 8 * MIB);
        REQUIRE(held >= bytes && held < bytes + 150 * KIB, "%zu hold %zu", bytes, held);
        REQUIRE(held_for(bytes, 0) >= bytes, "%zu", bytes);
    }
    /* beyond what it spares it grows as the others do, by 2 MiB */
    size_t held = held_for(9 * MIB, 8 * MIB);
    assert_in_range(held, 10 * MIB, 10 * MIB + 300 * KIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_equal_and_apart),
        cmocka_unit_test(an_empty_text_has_an_address),
        cmocka_unit_test(texts_of_all_lengths_survive_what_follows),
        cmocka_unit_test(many_small_texts_do_not_overlap),
        cmocka_unit_test(a_length_beyond_the_address_space_gives_no_copy),
        cmocka_unit_test(a_released_arena_is_empty_and_can_be_used_again),
        cmocka_unit_test(an_arena_that_spares_has_one_small_block_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
