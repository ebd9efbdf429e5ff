/* An error is set whole, once, in the caller's struct. */
#include "unit/helpers.h"

#include <errno.h>

#include "base/error.h"

/* An error that an earlier failure left behind. */
static struct fst_error used(void)
{
    return (struct fst_error){
        .code = FST_ERR_IO, .sys_errno = EACCES, .line = 17, .message = "an earlier message"};
}

static void setting_replaces_every_member(void **state)
{
    (void)state;
    struct fst_error err = used();
    assert_int_equal(fst_error_set(&err, FST_ERR_FORMAT, "line %d is %s", 3, "bad"),
                     FST_ERR_FORMAT);
    assert_int_equal(err.code, FST_ERR_FORMAT);
    assert_string_equal(err.message, "line 3 is bad");
    assert_int_equal(err.sys_errno, 0);
    assert_int_equal(err.line, 0);
}

static void a_caller_may_want_the_status_alone(void **state)
{
    (void)state;
    assert_int_equal(fst_error_set(NULL, FST_ERR_STRICT, "unseen"), FST_ERR_STRICT);
    assert_int_equal(fst_error_sys(NULL, ENOSPC, "unseen"), FST_ERR_IO);
    assert_int_equal(fst_error_nomem(NULL), FST_ERR_NOMEM);
}

static void a_long_message_is_cut_and_terminated(void **state)
{
    (void)state;
    static const int lengths[] = {510, 511, 512, 5000};
    for (size_t i = 0; i < FST_COUNT_OF(lengths); i++) {
        struct fst_error err = used();
        (void)fst_error_set(&err, FST_ERR_USAGE, "%*d", lengths[i], 7);
        size_t kept = lengths[i] < 511 ? (size_t)lengths[i] : 511;
        assert_int_equal(strnlen(err.message, sizeof err.message), kept);
        assert_int_equal(err.message[0], ' ');
    }
}

static void a_system_error_keeps_its_number_and_says_what_it_means(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *what;
        const char *before;
    } rows[] = {
        {ENOENT, "", ""},
        {ENOENT, NULL, ""},
        {ENOSPC, "out.json", "out.json: "},
        {EACCES, "100%s", "100%s: "},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_error err = used();
        char wanted[256];
        (void)snprintf(wanted, sizeof wanted, "%s%s", rows[i].before, strerror(rows[i].number));
        assert_int_equal(fst_error_sys(&err, rows[i].number, rows[i].what), FST_ERR_IO);
        assert_int_equal(err.code, FST_ERR_IO);
        assert_int_equal(err.sys_errno, rows[i].number);
        assert_int_equal(err.line, 0);
        assert_string_equal(err.message, wanted);
    }
}

static void a_failed_allocation_has_a_status_of_its_own(void **state)
{
    (void)state;
    struct fst_error err = used();
    assert_int_equal(fst_error_nomem(&err), FST_ERR_NOMEM);
    assert_int_equal(err.code, FST_ERR_NOMEM);
    assert_int_equal(err.sys_errno, 0);
    assert_string_equal(err.message, "out of memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_replaces_every_member),
        cmocka_unit_test(a_caller_may_want_the_status_alone),
        cmocka_unit_test(a_long_message_is_cut_and_terminated),
        cmocka_unit_test(a_system_error_keeps_its_number_and_says_what_it_means),
        cmocka_unit_test(a_failed_allocation_has_a_status_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
