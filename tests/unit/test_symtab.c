/* Names get the numbers 0, 1, 2 … in the order in which they come, whatever the hash. */
#include "unit/helpers.h"

#include "base/symtab.h"

static const struct fst_str odd_names[] = {
    {"", 0},   {"a", 1}, {"a\0", 2},      {"a\0b", 3}, {"a\0c", 3},
    {"\0", 1}, {"b", 1}, {"\xff\xfe", 2}, {" a", 2},   {"A", 1},
};

static void names_that_differ_in_any_byte_differ(void **state)
{
    (void)state;
    struct fst_symtab table;
    fst_symtab_init(&table, 1);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < FST_COUNT_OF(odd_names); i++) {
            assert_int_equal(fst_symtab_intern(&table, odd_names[i]), i);
            assert_int_equal(table.count, round == 0 ? i + 1 : FST_COUNT_OF(odd_names));
        }
    }
    for (size_t i = 0; i < FST_COUNT_OF(odd_names); i++) {
        assert_int_equal(fst_symtab_find(&table, odd_names[i]), i);
        assert_true(fst_str_eq(fst_symtab_name(&table, (uint32_t)i), odd_names[i]));
    }
    fst_symtab_release(&table);
}

static void the_empty_name_may_have_no_address(void **state)
{
    (void)state;
    struct fst_symtab table;
    fst_symtab_init(&table, 1);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("x")), 0);
    assert_int_equal(fst_symtab_intern(&table, fst_str_of(NULL, 0)), 1);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("")), 1);
    assert_int_equal(fst_symtab_name(&table, 1).len, 0);
    assert_non_null(fst_symtab_name(&table, 1).data);
    fst_symtab_release(&table);
}

static void a_missing_name_has_no_number(void **state)
{
    (void)state;
    struct fst_symtab table;
    fst_symtab_init(&table, 1);
    assert_int_equal(fst_symtab_find(&table, FST_STR("x")), FST_ID_NONE);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("xy")), 0);
    assert_int_equal(fst_symtab_find(&table, FST_STR("x")), FST_ID_NONE);
    assert_int_equal(fst_symtab_find(&table, FST_STR("xyz")), FST_ID_NONE);
    assert_int_equal(fst_symtab_find(&table, FST_STR("")), FST_ID_NONE);
    assert_int_equal(table.count, 1);
    fst_symtab_release(&table);
}

static void names_are_copies(void **state)
{
    (void)state;
    struct fst_symtab table;
    fst_symtab_init(&table, 1);
    char text[] = "frame";
    assert_int_equal(fst_symtab_intern(&table, fst_str_cstr(text)), 0);
    text[0] = 'X';
    require_text(0, fst_symtab_name(&table, 0), "frame");
    assert_int_equal(fst_symtab_find(&table, fst_str_cstr(text)), FST_ID_NONE);
    fst_symtab_release(&table);
}

static struct fst_str nth_name(char text[32], size_t n)
{
    int len = snprintf(text, 32, "frame %zu (f.py:%zu)", n, n * 7919 % 1000);
    return fst_str_of(text, (size_t)len);
}

static void numbers_do_not_depend_on_the_seed_however_the_table_grows(void **state)
{
    (void)state;
    enum { NAMES = 100000 };
    static const uint64_t seeds[] = {0, 1, 42, UINT64_MAX};
    for (size_t s = 0; s < FST_COUNT_OF(seeds); s++) {
        struct fst_symtab table;
        char text[32];
        fst_symtab_init(&table, seeds[s]);
        const char *first = NULL;
        for (size_t i = 0; i < NAMES; i++) {
            REQUIRE(fst_symtab_intern(&table, nth_name(text, i)) == i, "name %zu", i);
            first = i == 0 ? fst_symtab_name(&table, 0).data : first;
        }
        assert_ptr_equal(fst_symtab_name(&table, 0).data, first);
        assert_int_equal(table.count, NAMES);
        for (size_t i = 0; i < NAMES; i++) {
            struct fst_str name = nth_name(text, i);
            REQUIRE(fst_symtab_intern(&table, name) == i, "name %zu again", i);
            REQUIRE(fst_symtab_find(&table, name) == i, "name %zu found", i);
            REQUIRE(fst_str_eq(fst_symtab_name(&table, (uint32_t)i), name), "name %zu kept", i);
        }
        assert_int_equal(fst_symtab_find(&table, nth_name(text, NAMES)), FST_ID_NONE);
        assert_true(table.count * 5 <= (table.mask + 1) * 4);
        fst_symtab_release(&table);
    }
}

static void a_released_table_can_be_used_again(void **state)
{
    (void)state;
    struct fst_symtab table;
    fst_symtab_init(&table, 3);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("a")), 0);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("b")), 1);
    fst_symtab_release(&table);
    fst_symtab_init(&table, 3);
    assert_int_equal(fst_symtab_find(&table, FST_STR("b")), FST_ID_NONE);
    assert_int_equal(fst_symtab_intern(&table, FST_STR("b")), 0);
    fst_symtab_release(&table);
}

/* --- many at once ----------------------------------------------------------------------------- */

enum { MANY = 4000, LONGEST = 200 };

/* Random names, of few distinct ones, with the slack that looking up many of them takes. */
struct crowd {
    char text[MANY][LONGEST + FST_SYMTAB_SLACK];
    struct fst_str names[MANY];
    struct fst_symbol *symbols[MANY];
};

static void fill_crowd(struct crowd *crowd, uint64_t *chances)
{
    for (size_t i = 0; i < MANY; i++) {
        bool again = i > 0 && chance_below(chances, 3) > 0;
        size_t len = chance_below(chances, 4) == 0 ? chance_below(chances, LONGEST + 1)
                                                   : chance_below(chances, 70);
        char *text = crowd->text[i];
        for (size_t at = 0; at < sizeof crowd->text[i]; at++) {
            text[at] = (char)chance_below(chances, 256); /* the slack too is anything */
        }
        if (again) {
            struct fst_str other = crowd->names[chance_below(chances, i)];
            len = other.len;
            memcpy(text, other.data, len);
            if (len > 0 && chance_below(chances, 4) == 0) {
                text[chance_below(chances, len)]++; /* nearly the same */
            }
        }
        crowd->names[i] = fst_str_of(text, len);
    }
}

/* The width of a machine that has less of vectors. */
static unsigned narrowed(unsigned width, int steps)
{
    static const unsigned widths[] = {64, 32, FST_SYMTAB_WORD};
    return width < widths[steps] ? width : widths[steps];
}

static void many_at_once_are_numbered_as_one_by_one(void **state)
{
    (void)state;
    uint64_t chances = take_seed("crowds");
    struct crowd *crowd = malloc(sizeof *crowd);
    assert_non_null(crowd);
    for (int round = 0; round < 6; round++) {
        fill_crowd(crowd, &chances);
        struct fst_symtab single;
        struct fst_symtab many;
        fst_symtab_init(&single, 5);
        fst_symtab_init(&many, 5);
        many.width = narrowed(many.width, round % 3);
        single.width = narrowed(single.width, round % 2 * 2);
        for (size_t at = 0; at < MANY;) {
            size_t step = 1 + chance_below(&chances, 700);
            size_t count = MANY - at < step ? MANY - at : step;
            assert_true(
                fst_symtab_intern_all(&many, crowd->names + at, count, crowd->symbols + at));
            at += count;
        }
        for (size_t i = 0; i < MANY; i++) {
            uint32_t id = fst_symtab_intern(&single, crowd->names[i]);
            REQUIRE(crowd->symbols[i]->id == id, "name %zu is %u, wanted %u", i,
                    crowd->symbols[i]->id, id);
            assert_true(fst_str_eq(fst_symbol_name(crowd->symbols[i]), crowd->names[i]));
            assert_int_equal(fst_symtab_find(&many, crowd->names[i]), id);
        }
        assert_int_equal(many.count, single.count);
        fst_symtab_release(&single);
        fst_symtab_release(&many);
    }
    free(crowd);
}

/* Many are found as one by one; of an empty table none is. */
static void many_at_once_are_found_as_one_by_one(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static char texts[COUNT][24];
    static struct fst_str names[COUNT];
    static uint32_t found[COUNT];
    struct fst_symtab table;
    fst_symtab_init(&table, 3);
    for (int i = 0; i < COUNT; i++) {
        names[i] =
            fst_str_of(texts[i], (size_t)snprintf(texts[i], sizeof texts[i], "f%d (a.py)", i));
    }
    fst_symtab_find_all(&table, names, COUNT, found);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(found[i], FST_ID_NONE);
    }
    for (int i = 0; i < COUNT; i += 3) {
        (void)fst_symtab_intern(&table, names[i]);
    }
    fst_symtab_find_all(&table, names, COUNT, found);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(found[i], i % 3 == 0 ? (uint32_t)i / 3 : FST_ID_NONE);
    }
    fst_symtab_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_differ_in_any_byte_differ),
        cmocka_unit_test(the_empty_name_may_have_no_address),
        cmocka_unit_test(a_missing_name_has_no_number),
        cmocka_unit_test(names_are_copies),
        cmocka_unit_test(numbers_do_not_depend_on_the_seed_however_the_table_grows),
        cmocka_unit_test(a_released_table_can_be_used_again),
        cmocka_unit_test(many_at_once_are_numbered_as_one_by_one),
        cmocka_unit_test(many_at_once_are_found_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
