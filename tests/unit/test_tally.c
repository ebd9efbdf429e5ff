/* model/tally: sums by name. */
#include "unit/helpers.h"

#include "model/tally.h"

static void adds_by_name(void **state)
{
    (void)state;
    struct fst_tally tally;
    fst_tally_init(&tally, 1);
    assert_true(fst_tally_add(&tally, FST_STR("a"), 3));
    assert_true(fst_tally_add(&tally, FST_STR("b"), -5));
    assert_true(fst_tally_add(&tally, FST_STR("a"), 4));
    assert_int_equal(tally.names.count, 2);
    assert_true(fst_tally_of(&tally, FST_STR("a")) == 7);
    assert_true(fst_tally_of(&tally, FST_STR("b")) == -5);
    assert_true(fst_tally_of(&tally, FST_STR("c")) == 0);
    fst_tally_release(&tally);
}

static void merges(void **state)
{
    (void)state;
    struct fst_tally a;
    struct fst_tally b;
    fst_tally_init(&a, 1);
    fst_tally_init(&b, 2);
    assert_true(fst_tally_merge(&a, &b));
    assert_int_equal(a.names.count, 0);
    assert_true(fst_tally_add(&a, FST_STR("x"), 1));
    assert_true(fst_tally_add(&b, FST_STR("y"), 2));
    assert_true(fst_tally_add(&b, FST_STR("x"), 10));
    assert_true(fst_tally_merge(&a, &b));
    assert_true(fst_tally_of(&a, FST_STR("x")) == 11);
    assert_true(fst_tally_of(&a, FST_STR("y")) == 2);
    fst_tally_release(&a);
    fst_tally_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_by_name),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
