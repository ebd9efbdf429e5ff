/* zstd data is read whole or its damage is told: nothing is lost in silence. */
#include "unit/helpers.h"

#ifdef FST_HAVE_ZSTD

#include <zstd.h>

#include "unit/compressed.h"

/* Appends text as one frame with a checksum. */
static void add_frame(struct fst_buf *out, struct fst_str text)
{
    size_t room = ZSTD_compressBound(text.len);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_non_null(context);
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
    assert_true(fst_buf_reserve(out, room));
    size_t size = ZSTD_compress2(context, out->data + out->len, room,
                                 text.len == 0 ? "" : text.data, text.len);
    REQUIRE(!ZSTD_isError(size), "%s", ZSTD_getErrorName(size));
    out->len += size;
    ZSTD_freeCCtx(context);
}

/* Appends text as one frame that asks for a window of 2^window_log bytes, as a stream whose length
 * is not known does. */
static void add_frame_with_window(struct fst_buf *out, struct fst_str text, int window_log)
{
    size_t room = ZSTD_compressBound(text.len) + 64;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_non_null(context);
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log)));
    assert_true(fst_buf_reserve(out, room));
    ZSTD_outBuffer into = {out->data + out->len, room, 0};
    ZSTD_inBuffer from = {text.data, text.len, 0};
    size_t left = ZSTD_compressStream2(context, &into, &from, ZSTD_e_flush);
    REQUIRE(left == 0, "flushing: %s", ZSTD_getErrorName(left));
    left = ZSTD_compressStream2(context, &into, &from, ZSTD_e_end);
    REQUIRE(left == 0, "ending: %s", ZSTD_getErrorName(left));
    out->len += into.pos;
    ZSTD_freeCCtx(context);
}

static void frames_are_read_one_after_another(void **state)
{
    (void)state;
    static const struct {
        const char *frames[4];
        const char *text;
    } rows[] = {
        {{"a 1\n"}, "a 1\n"},
        {{""}, ""},
        {{"a 1\n", "b 2\n"}, "a 1\nb 2\n"},
        {{"a 1\nb", " 2\n"}, "a 1\nb 2\n"},
        {{"a 1\n", "", "b 2\n"}, "a 1\nb 2\n"},
        {{"", "", "", "a 1\n"}, "a 1\n"},
        {{"a 1\n", ""}, "a 1\n"},
    };
    static const size_t steps[] = {1, 3, 65536};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        for (size_t k = 0; k < 4 && rows[i].frames[k] != NULL; k++) {
            add_frame(&bytes, fst_str_cstr(rows[i].frames[k]));
        }
        for (size_t s = 0; s < FST_COUNT_OF(steps); s++) {
            struct fst_error err = {0};
            enum fst_status status = read_all(fst_buf_str(&bytes), steps[s], &text, &err);
            REQUIRE(status == FST_OK, "row %zu: %s", i, err.message);
            require_text(i, fst_buf_str(&text), rows[i].text);
        }
        fst_buf_release(&bytes);
        fst_buf_release(&text);
    }
}

/* A frame of the format that holds no text; the four bytes behind its magic number are its size. */
static void skippable_frames_are_skipped(void **state)
{
    (void)state;
    static const struct fst_str skippable = {"\x50\x2a\x4d\x18\x03\0\0\0abc", 11};
    struct fst_buf bytes = {0};
    struct fst_buf text = {0};
    add_frame(&bytes, fst_str_cstr(first_text));
    fst_buf_add_str(&bytes, skippable);
    add_frame(&bytes, fst_str_cstr(second_text));
    fst_buf_add_str(&bytes, skippable);
    assert_int_equal(read_all(fst_buf_str(&bytes), 5, &text, NULL), FST_OK);
    assert_int_equal(text.len, strlen(first_text) + strlen(second_text));
    fst_buf_release(&bytes);
    fst_buf_release(&text);
}

static void a_large_text_comes_back_whole(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct fst_buf bytes = {0};
    struct fst_buf back = {0};
    add_large_text(&text);
    add_frame(&bytes, fst_buf_str(&text));
    static const size_t steps[] = {1, 4096, 1000000};
    for (size_t s = 0; s < FST_COUNT_OF(steps); s++) {
        assert_int_equal(read_all(fst_buf_str(&bytes), steps[s], &back, NULL), FST_OK);
        assert_true(fst_str_eq(fst_buf_str(&back), fst_buf_str(&text)));
    }
    fst_buf_release(&text);
    fst_buf_release(&bytes);
    fst_buf_release(&back);
}

static void a_cut_at_any_byte_is_told(void **state)
{
    (void)state;
    struct fst_buf bytes = {0};
    add_frame(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_frame(&bytes, fst_str_cstr(second_text));
    require_cuts_are_told(fst_buf_str(&bytes), boundary, 4, "unexpected end of zstd data");
    fst_buf_release(&bytes);
}

static void the_place_of_the_damage_is_told(void **state)
{
    (void)state;
    struct fst_buf bytes = {0};
    struct fst_buf text = {0};
    char wanted[160];
    add_frame(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_frame(&bytes, fst_str_cstr(second_text));
    struct fst_error err = {0};
    (void)read_all(fst_str_of(bytes.data, boundary + 5), 4096, &text, &err);
    (void)snprintf(
        wanted, sizeof wanted,
        "unexpected end of zstd data at byte %zu of the compressed data, after %zu bytes "
        "of text",
        boundary + 5, strlen(first_text));
    assert_string_equal(err.message, wanted);
    fst_buf_release(&bytes);
    fst_buf_release(&text);
}

static void changed_bytes_are_told(void **state)
{
    (void)state;
    struct fst_buf bytes = {0};
    add_frame(&bytes, fst_str_cstr(first_text));
    size_t end = bytes.len;
    const struct {
        const char *what;
        size_t at;
    } rows[] = {
        {"size of the text", 5},
        {"text", end - 6},
        {"checksum", end - 4},
        {"checksum", end - 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_damage_is_told(&bytes, rows[i].what, rows[i].at);
    }
    fst_buf_release(&bytes);
}

static void garbage_behind_the_data_is_told(void **state)
{
    (void)state;
    static const struct fst_str tails[] = {
        {"x", 1},    {"a 1\n", 4},        {"not zstd", 8}, {"\0\0\0\0\0", 5},
        {"\x28", 1}, {"\x28\xb5\x2f", 3}, {"\xff", 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(tails); i++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        struct fst_error err = {0};
        add_frame(&bytes, fst_str_cstr(first_text));
        fst_buf_add_str(&bytes, tails[i]);
        enum fst_status status = read_all(fst_buf_str(&bytes), 7, &text, &err);
        REQUIRE(status == FST_ERR_CORRUPT, "row %zu: %d", i, (int)status);
        require_text(i, fst_buf_str(&text), first_text);
        fst_buf_release(&bytes);
        fst_buf_release(&text);
    }
}

/* 128 MiB are the most: `zstd -d` asks for --long=28 there too. */
static void a_window_may_have_128_mebibytes(void **state)
{
    (void)state;
    static const struct {
        int window_log;
        enum fst_status status;
    } rows[] = {{20, FST_OK}, {27, FST_OK}, {28, FST_ERR_CORRUPT}, {30, FST_ERR_CORRUPT}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        struct fst_error err = {0};
        add_frame_with_window(&bytes, fst_str_cstr(first_text), rows[i].window_log);
        enum fst_status status = read_all(fst_buf_str(&bytes), 4096, &text, &err);
        REQUIRE(status == rows[i].status, "window of 2^%d: %d, %s", rows[i].window_log, (int)status,
                err.message);
        require_text(i, fst_buf_str(&text), status == FST_OK ? first_text : "");
        fst_buf_release(&bytes);
        fst_buf_release(&text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_read_one_after_another),
        cmocka_unit_test(skippable_frames_are_skipped),
        cmocka_unit_test(a_large_text_comes_back_whole),
        cmocka_unit_test(a_cut_at_any_byte_is_told),
        cmocka_unit_test(the_place_of_the_damage_is_told),
        cmocka_unit_test(changed_bytes_are_told),
        cmocka_unit_test(garbage_behind_the_data_is_told),
        cmocka_unit_test(a_window_may_have_128_mebibytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("built without libzstd: nothing to test");
    return 0;
}

#endif
