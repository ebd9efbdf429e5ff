/* Output reaches the writer in order and in pieces, until the writer fails. */
#include "unit/helpers.h"

#include <errno.h>

#include "io/sink.h"

/* What a writer saw. */
struct record {
    struct fst_buf bytes;
    size_t calls;
    size_t fails_at; /* the call that fails, from 1; 0: none */
    int number;
};

static int keep(void *ctx, const char *bytes, size_t len)
{
    struct record *record = ctx;
    if (++record->calls == record->fails_at) {
        return record->number;
    }
    fst_buf_add(&record->bytes, bytes, len);
    return 0;
}

static void a_little_output_is_one_piece(void **state)
{
    (void)state;
    struct record record = {.calls = 0};
    struct fst_sink sink;
    fst_sink_init(&sink, keep, &record);
    fst_buf_add_cstr(&sink.buf, "one ");
    fst_sink_spill(&sink);
    fst_buf_add_cstr(&sink.buf, "two");
    fst_sink_spill(&sink);
    assert_int_equal(record.calls, 0);
    assert_int_equal(fst_sink_finish(&sink, NULL), FST_OK);
    assert_int_equal(record.calls, 1);
    require_text(0, fst_buf_str(&record.bytes), "one two");
    assert_null(sink.buf.data);
    fst_buf_release(&record.bytes);
}

static void no_output_is_no_call(void **state)
{
    (void)state;
    struct record record = {.fails_at = 1, .number = EIO};
    struct fst_sink sink;
    fst_sink_init(&sink, keep, &record);
    fst_sink_spill(&sink);
    assert_int_equal(fst_sink_finish(&sink, NULL), FST_OK);
    assert_int_equal(record.calls, 0);
}

enum { ROWS = 20000 };

/* Writes ROWS rows of 20 bytes, as a renderer does. */
static void put_rows(struct fst_sink *sink, size_t *largest)
{
    *largest = 0;
    for (size_t i = 0; i < ROWS; i++) {
        fst_buf_add_fmt(&sink->buf, "row %15zu\n", i);
        fst_sink_spill(sink);
        *largest = sink->buf.len > *largest ? sink->buf.len : *largest;
    }
}

static void much_output_is_handed_on_in_pieces(void **state)
{
    (void)state;
    struct record record = {.calls = 0};
    struct fst_sink sink;
    size_t largest;
    fst_sink_init(&sink, keep, &record);
    put_rows(&sink, &largest);
    assert_true(largest < 200000);
    assert_int_equal(fst_sink_finish(&sink, NULL), FST_OK);
    assert_true(record.calls >= 2);
    assert_int_equal(record.bytes.len, ROWS * 20);
    for (size_t i = 0; i < ROWS; i++) {
        char row[32];
        (void)snprintf(row, sizeof row, "row %15zu\n", i);
        assert_memory_equal(record.bytes.data + i * 20, row, 20);
    }
    fst_buf_release(&record.bytes);
}

static void an_error_sticks_and_nothing_is_written_after_it(void **state)
{
    (void)state;
    static const struct {
        size_t fails_at;
        int number;
    } rows[] = {{1, ENOSPC}, {2, EPIPE}, {3, EIO}, {1, -1}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct record record = {.fails_at = rows[i].fails_at, .number = rows[i].number};
        struct fst_sink sink;
        struct fst_error err = {0};
        size_t largest;
        fst_sink_init(&sink, keep, &record);
        put_rows(&sink, &largest);
        assert_int_equal(record.calls, rows[i].fails_at);
        assert_true(largest < 200000); /* what is lost does not pile up */
        size_t written = record.bytes.len;
        assert_int_equal(fst_sink_finish(&sink, &err), FST_ERR_IO);
        assert_int_equal(err.sys_errno, rows[i].number);
        assert_string_equal(err.message, strerror(rows[i].number));
        assert_int_equal(record.calls, rows[i].fails_at);
        assert_int_equal(record.bytes.len, written);
        assert_null(sink.buf.data);
        fst_buf_release(&record.bytes);
    }
}

static void an_error_of_the_last_piece_is_told(void **state)
{
    (void)state;
    struct record record = {.fails_at = 1, .number = ENOSPC};
    struct fst_sink sink;
    struct fst_error err = {0};
    fst_sink_init(&sink, keep, &record);
    fst_buf_add_cstr(&sink.buf, "x");
    assert_int_equal(fst_sink_finish(&sink, &err), FST_ERR_IO);
    assert_int_equal(err.code, FST_ERR_IO);
    assert_int_equal(err.sys_errno, ENOSPC);
}

static void output_with_a_gap_is_not_written(void **state)
{
    (void)state;
    struct record record = {.calls = 0};
    struct fst_sink sink;
    struct fst_error err = {0};
    fst_sink_init(&sink, keep, &record);
    fst_buf_add_cstr(&sink.buf, "before");
    assert_false(fst_buf_reserve(&sink.buf, SIZE_MAX));
    fst_buf_add_cstr(&sink.buf, "after");
    assert_int_equal(fst_sink_finish(&sink, &err), FST_ERR_NOMEM);
    assert_int_equal(err.code, FST_ERR_NOMEM);
    assert_int_equal(record.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_little_output_is_one_piece),
        cmocka_unit_test(no_output_is_no_call),
        cmocka_unit_test(much_output_is_handed_on_in_pieces),
        cmocka_unit_test(an_error_sticks_and_nothing_is_written_after_it),
        cmocka_unit_test(an_error_of_the_last_piece_is_told),
        cmocka_unit_test(output_with_a_gap_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
