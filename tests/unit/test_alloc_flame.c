/* Whichever allocation fails on the way from two profiles to a picture of what changed, the library
 * says so and loses nothing. */
#include "unit/flames.h"

#include "model/calltree.h"
#include "unit/refusal.h"

static int forget(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    (void)bytes;
    (void)len;
    return 0;
}

static enum fst_status read_one(const char *text, struct fst_profile **out)
{
    struct fst_error err = {0};
    enum fst_status status =
        fst_profile_new(&(struct fst_profile_options){.tree = true}, out, &err);
    if (status == FST_OK) {
        status = fst_profile_read_memory(*out, fst_str_cstr(text), "test",
                                         &(struct fst_read_options){0}, &err);
    }
    return status;
}

/* The whole way; base may be NULL. */
static enum fst_status go(const char *text, const char *base)
{
    struct fst_profile *profiles[2] = {NULL};
    struct fst_flame *flame = NULL;
    struct fst_error err = {0};
    enum fst_status status = read_one(text, &profiles[0]);
    if (status == FST_OK && base != NULL) {
        status = read_one(base, &profiles[1]);
    }
    if (status == FST_OK) {
        status =
            fst_flame_new(profiles[0], profiles[1], &(struct fst_flame_options){0}, &flame, &err);
    }
    if (status == FST_OK) {
        status = fst_render_flame(flame, &(struct fst_picture_options){0}, forget, NULL, &err);
    }
    assert_true(status == FST_OK || status == FST_ERR_NOMEM);
    fst_flame_free(flame);
    fst_profile_free(profiles[0]);
    fst_profile_free(profiles[1]);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char after[] =
        "main;f (pkg/a.py:1);g (other/b.py:2) 30\nmain;h (lib.so) 5\nx -1\n";
    static const char before[] = "main;f (pkg/a.py:1);old (gone/c.py:3);deep 20\nmain 7\n";
    for (int mode = 0; mode < 4; mode++) {
        size_t n = 0;
        enum fst_status status;
        do {
            trap.for_good = mode % 2 == 1;
            trap.refused_at = n++;
            trap.seen = 0;
            trap.armed = true;
            status = go(after, mode < 2 ? NULL : before);
            trap.armed = false;
        } while (status != FST_OK);
        assert_true(n > 30);
    }
}

/* Grows a call tree beyond the first size of all that it has, and adds it to another one. */
static bool grow_trees(struct fst_calltree *one, struct fst_calltree *other)
{
    enum { STACKS = 300 };
    static const uint32_t names[] = {3, 2, 1, 0};
    bool good = true;
    for (uint32_t i = 0; good && i < STACKS; i++) {
        uint32_t stack[] = {i % 4, i / 4 % 4, i / 16 % 4, i / 64 % 4, 3};
        good = fst_calltree_add(one, 0, stack, FST_COUNT_OF(stack) - i % 2, 1);
    }
    return good && fst_calltree_merge(other, one, names) && fst_calltree_merge(other, one, names);
}

static void trees_survive_every_refusal(void **state)
{
    (void)state;
    bool good = false;
    for (size_t n = 0; !good; n++) {
        struct fst_calltree trees[2];
        fst_calltree_init(&trees[0], 1, false);
        fst_calltree_init(&trees[1], 1, n % 2 == 1);
        trap.for_good = false;
        trap.refused_at = n;
        trap.seen = 0;
        trap.armed = true;
        good = grow_trees(&trees[0], &trees[1]);
        trap.armed = false;
        assert_int_equal(good, trap.seen <= n);
        assert_true(!good || n > 20);
        fst_calltree_release(&trees[0]);
        fst_calltree_release(&trees[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail),
                                       cmocka_unit_test(trees_survive_every_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
