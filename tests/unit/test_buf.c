/* Bytes that grow, and a failure that sticks. */
#include "unit/helpers.h"

static void starts_without_memory_and_ends_so(void **state)
{
    (void)state;
    struct fst_buf buf = {0};
    assert_true(fst_buf_add(&buf, NULL, 0));
    assert_true(fst_buf_add_cstr(&buf, ""));
    assert_null(buf.data);
    assert_int_equal(buf.capacity, 0);
    assert_true(fst_buf_add_char(&buf, 'x'));
    assert_non_null(buf.data);
    fst_buf_release(&buf);
    assert_null(buf.data);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.capacity, 0);
}

static void appends_keep_every_byte(void **state)
{
    (void)state;
    struct fst_buf buf = {0};
    assert_true(fst_buf_add(&buf, "a\0b", 3));
    assert_true(fst_buf_add_str(&buf, FST_STR("cd")));
    assert_true(fst_buf_add_cstr(&buf, "ef"));
    assert_true(fst_buf_add_char(&buf, '\0'));
    assert_true(fst_buf_add_fill(&buf, '-', 3));
    assert_true(fst_buf_add_fill(&buf, 'x', 0));
    assert_true(fst_buf_add_fmt(&buf, "%d%%", 12));
    assert_true(fst_str_eq(fst_buf_str(&buf), fst_str_of("a\0bcdef\0---12%", 14)));
    fst_buf_release(&buf);
}

static void clearing_keeps_the_memory(void **state)
{
    (void)state;
    struct fst_buf buf = {0};
    assert_true(fst_buf_add_fill(&buf, 'x', 100));
    size_t capacity = buf.capacity;
    const char *data = buf.data;
    fst_buf_clear(&buf);
    assert_int_equal(buf.len, 0);
    assert_int_equal(buf.capacity, capacity);
    assert_true(fst_buf_add_fill(&buf, 'y', 100));
    assert_ptr_equal(buf.data, data);
    fst_buf_release(&buf);
}

static void grows_byte_by_byte_to_a_million(void **state)
{
    (void)state;
    enum { BYTES = 1000000 };
    struct fst_buf buf = {0};
    size_t growths = 0;
    for (size_t i = 0; i < BYTES; i++) {
        size_t before = buf.capacity;
        assert_true(fst_buf_add_char(&buf, (char)('a' + i % 26)));
        growths += buf.capacity != before;
        REQUIRE(buf.len == i + 1 && buf.len <= buf.capacity, "at %zu", i);
    }
    assert_true(growths <= 20); /* it at least doubles: 8 * 2^17 > 1,000,000 */
    for (size_t i = 0; i < BYTES; i++) {
        REQUIRE(buf.data[i] == (char)('a' + i % 26), "byte %zu", i);
    }
    fst_buf_release(&buf);
}

static void formats_texts_of_any_length(void **state)
{
    (void)state;
    static const int widths[] = {0, 1, 7, 254, 255, 256, 257, 1000, 70000};
    for (size_t i = 0; i < FST_COUNT_OF(widths); i++) {
        struct fst_buf buf = {0};
        size_t width = (size_t)widths[i];
        assert_true(fst_buf_add_cstr(&buf, "<"));
        assert_true(fst_buf_add_fmt(&buf, "%*s", widths[i], ""));
        assert_true(fst_buf_add_cstr(&buf, ">"));
        assert_int_equal(buf.len, width + 2);
        assert_int_equal(buf.data[0], '<');
        for (size_t k = 0; k < width; k++) {
            REQUIRE(buf.data[1 + k] == ' ', "width %zu, byte %zu", width, k);
        }
        assert_int_equal(buf.data[width + 1], '>');
        fst_buf_release(&buf);
    }
}

static void consuming_drops_the_front(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        const char *left;
    } rows[] = {{0, "abcdef"}, {1, "bcdef"}, {5, "f"}, {6, ""}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf buf = {0};
        assert_true(fst_buf_add_cstr(&buf, "abcdef"));
        fst_buf_consume(&buf, rows[i].n);
        require_text(i, fst_buf_str(&buf), rows[i].left);
        assert_true(fst_buf_add_char(&buf, '!'));
        assert_int_equal(buf.data[buf.len - 1], '!');
        fst_buf_release(&buf);
    }
}

static void a_failure_keeps_the_bytes_and_sticks(void **state)
{
    (void)state;
    struct fst_buf buf = {0};
    assert_true(fst_buf_add_cstr(&buf, "kept"));
    assert_false(fst_buf_reserve(&buf, SIZE_MAX)); /* the sum of the lengths overflows */
    assert_true(buf.failed);
    require_text(0, fst_buf_str(&buf), "kept");
    assert_false(fst_buf_add_char(&buf, 'x'));
    assert_false(fst_buf_add_cstr(&buf, ""));
    assert_false(fst_buf_add_fill(&buf, 'x', 1));
    assert_false(fst_buf_add_fmt(&buf, "%d", 1));
    assert_false(fst_buf_add_fmt(&buf, "%300d", 1));
    require_text(1, fst_buf_str(&buf), "kept");
    fst_buf_clear(&buf);
    assert_true(buf.failed);
    fst_buf_release(&buf);
    assert_false(buf.failed);
    assert_true(fst_buf_add_char(&buf, 'x'));
    fst_buf_release(&buf);
}

static void lengths_beyond_the_address_space_are_refused(void **state)
{
    (void)state;
    struct fst_buf buf = {0};
    assert_false(fst_buf_reserve(&buf, SIZE_MAX)); /* the doubling overflows */
    assert_true(buf.failed);
    assert_null(buf.data);
    fst_buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_without_memory_and_ends_so),
        cmocka_unit_test(appends_keep_every_byte),
        cmocka_unit_test(clearing_keeps_the_memory),
        cmocka_unit_test(grows_byte_by_byte_to_a_million),
        cmocka_unit_test(formats_texts_of_any_length),
        cmocka_unit_test(consuming_drops_the_front),
        cmocka_unit_test(a_failure_keeps_the_bytes_and_sticks),
        cmocka_unit_test(lengths_beyond_the_address_space_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
