/* zstd data is read whole or its damage is told: nothing is lost in silence. */
#include "unit/helpers.h"

#ifdef FST_HAVE_ZSTD

#include <zstd.h>

#include "io/source.h"

static const char first_text[] = "main (a.py:1);fit (b.py:22) 57\n";
static const char second_text[] = "main (a.py:1);load (c.py:3);read (d.py:4) 121\n";

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

/* Reads all of bytes, decoded, in pieces of at most step bytes. */
static enum fst_status read_all(struct fst_str bytes, size_t step, struct fst_buf *text,
                                struct fst_error *err)
{
    struct fst_source *source = NULL;
    fst_buf_clear(text);
    assert_int_equal(fst_source_memory(bytes, &source, err), FST_OK);
    enum fst_status status = fst_source_decode(&source, err);
    size_t got = 1;
    while (status == FST_OK && got > 0) {
        assert_true(fst_buf_reserve(text, step));
        status = fst_source_read(source, text->data + text->len, step, &got, err);
        text->len += status == FST_OK ? got : 0;
    }
    fst_source_free(source);
    return status;
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
    uint64_t seed = 3;
    while (text.len < 3000000) {
        fst_buf_add_fmt(&text, "f%zu;g%zu %zu\n", chance_below(&seed, 1000000),
                        chance_below(&seed, 1000), chance_below(&seed, 50));
    }
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
    struct fst_buf text = {0};
    add_frame(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_frame(&bytes, fst_str_cstr(second_text));
    for (size_t cut = 0; cut < bytes.len; cut++) {
        static const size_t steps[] = {1, 4096};
        for (size_t s = 0; s < FST_COUNT_OF(steps); s++) {
            struct fst_error err = {0};
            enum fst_status status = read_all(fst_str_of(bytes.data, cut), steps[s], &text, &err);
            if (cut < 4) { /* too short for the magic number: text */
                REQUIRE(status == FST_OK && text.len == cut, "cut at %zu: %d", cut, (int)status);
            } else if (cut == boundary) {
                REQUIRE(status == FST_OK, "cut at %zu: %d", cut, (int)status);
                require_text(cut, fst_buf_str(&text), first_text);
            } else {
                REQUIRE(status == FST_ERR_CORRUPT, "cut at %zu: %d", cut, (int)status);
                REQUIRE(strstr(err.message, "unexpected end of zstd data") != NULL,
                        "cut at %zu: %s", cut, err.message);
            }
        }
    }
    fst_buf_release(&bytes);
    fst_buf_release(&text);
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
    struct fst_buf text = {0};
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
        struct fst_error err = {0};
        bytes.data[rows[i].at] = (char)(bytes.data[rows[i].at] ^ 0x07);
        enum fst_status status = read_all(fst_buf_str(&bytes), 4096, &text, &err);
        REQUIRE(status == FST_ERR_CORRUPT && err.code == FST_ERR_CORRUPT, "%s: %d", rows[i].what,
                (int)status);
        status = read_all(fst_buf_str(&bytes), 1, &text, NULL);
        REQUIRE(status == FST_ERR_CORRUPT, "%s, by bytes: %d", rows[i].what, (int)status);
        bytes.data[rows[i].at] = (char)(bytes.data[rows[i].at] ^ 0x07);
    }
    assert_int_equal(read_all(fst_buf_str(&bytes), 4096, &text, NULL), FST_OK);
    fst_buf_release(&bytes);
    fst_buf_release(&text);
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
