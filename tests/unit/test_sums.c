/* model/sums: sums by name. */
#include "unit/helpers.h"

#include "model/sums.h"

static void adds_by_name(void **state)
{
    (void)state;
    struct fst_sums sums;
    fst_sums_init(&sums, 1);
    assert_true(fst_sums_add(&sums, FST_STR("a"), 3));
    assert_true(fst_sums_add(&sums, FST_STR("b"), -5));
    assert_true(fst_sums_add(&sums, FST_STR("a"), 4));
    assert_int_equal(sums.names.count, 2);
    assert_true(fst_sums_of(&sums, FST_STR("a")) == 7);
    assert_true(fst_sums_of(&sums, FST_STR("b")) == -5);
    assert_true(fst_sums_of(&sums, FST_STR("c")) == 0);
    fst_sums_release(&sums);
}

static void merges(void **state)
{
    (void)state;
    struct fst_sums a;
    struct fst_sums b;
    fst_sums_init(&a, 1);
    fst_sums_init(&b, 2);
    assert_true(fst_sums_merge(&a, &b));
    assert_int_equal(a.names.count, 0);
    assert_true(fst_sums_add(&a, FST_STR("x"), 1));
    assert_true(fst_sums_add(&b, FST_STR("y"), 2));
    assert_true(fst_sums_add(&b, FST_STR("x"), 10));
    assert_true(fst_sums_merge(&a, &b));
    assert_true(fst_sums_of(&a, FST_STR("x")) == 11);
    assert_true(fst_sums_of(&a, FST_STR("y")) == 2);
    fst_sums_release(&a);
    fst_sums_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_by_name),
        cmocka_unit_test(merges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
