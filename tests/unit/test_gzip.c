/* gzip data is read whole or its damage is told: nothing is lost in silence. */
#include "unit/helpers.h"

#include <zlib.h>

#include "io/source.h"

static const char first_text[] = "main (a.py:1);fit (b.py:22) 57\n";
static const char second_text[] = "main (a.py:1);load (c.py:3);read (d.py:4) 121\n";

/* Appends text as one gzip member. */
static void add_member(struct fst_buf *out, struct fst_str text)
{
    z_stream z = {0};
    unsigned char *source = malloc(text.len + 1);
    assert_non_null(source);
    if (text.len > 0) {
        memcpy(source, text.data, text.len);
    }
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, (uLong)text.len) + 64;
    assert_true(fst_buf_reserve(out, room));
    z.next_in = source;
    z.avail_in = (uInt)text.len;
    z.next_out = (unsigned char *)out->data + out->len;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len += z.total_out;
    deflateEnd(&z);
    free(source);
}

/* A source that gives one byte a call, as a slow pipe may. */
struct drip {
    struct fst_source base;
    struct fst_str left;
};

static enum fst_status drip_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                 struct fst_error *err)
{
    (void)err;
    struct drip *drip = (struct drip *)source;
    *got = room > 0 && drip->left.len > 0;
    if (*got > 0) {
        *into = drip->left.data[0];
        drip->left = fst_str_skip(drip->left, 1);
    }
    return FST_OK;
}

static void drip_free(struct fst_source *source)
{
    (void)source; /* read_all's own */
}

static const struct fst_source_ops drip_ops = {.read = drip_read, .free = drip_free};

/* Reads all of bytes, decoded, in pieces of at most step bytes; where step is 1 they also come one
 * by one. */
static enum fst_status read_all(struct fst_str bytes, size_t step, struct fst_buf *text,
                                struct fst_error *err)
{
    struct fst_source *source = NULL;
    fst_buf_clear(text);
    struct drip drip = {.base = {.ops = &drip_ops}, .left = bytes};
    if (step > 1) {
        assert_int_equal(fst_source_memory(bytes, &source, err), FST_OK);
    } else {
        source = &drip.base;
    }
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

static void members_are_read_one_after_another(void **state)
{
    (void)state;
    static const struct {
        const char *members[4];
        size_t padding; /* zeros behind the last */
        const char *text;
    } rows[] = {
        {{"a 1\n"}, 0, "a 1\n"},
        {{""}, 0, ""},
        {{"a 1\n", "b 2\n"}, 0, "a 1\nb 2\n"},
        {{"a 1\nb", " 2\n"}, 0, "a 1\nb 2\n"},
        {{"a 1\n", "", "b 2\n"}, 0, "a 1\nb 2\n"},
        {{"a 1\n", ""}, 0, "a 1\n"},
        {{"a 1\n", "b 2\n"}, 511, "a 1\nb 2\n"},
        {{"a 1\n"}, 200000, "a 1\n"},
    };
    static const size_t steps[] = {1, 3, 65536};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        for (size_t k = 0; k < 4 && rows[i].members[k] != NULL; k++) {
            add_member(&bytes, fst_str_cstr(rows[i].members[k]));
        }
        fst_buf_add_fill(&bytes, '\0', rows[i].padding);
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
    add_member(&bytes, fst_buf_str(&text));
    assert_int_equal(read_all(fst_buf_str(&bytes), 100000, &back, NULL), FST_OK);
    assert_true(fst_str_eq(fst_buf_str(&back), fst_buf_str(&text)));
    fst_buf_release(&text);
    fst_buf_release(&bytes);
    fst_buf_release(&back);
}

static void a_cut_at_any_byte_is_told(void **state)
{
    (void)state;
    struct fst_buf bytes = {0};
    struct fst_buf text = {0};
    add_member(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_member(&bytes, fst_str_cstr(second_text));
    for (size_t cut = 0; cut < bytes.len; cut++) {
        struct fst_error err = {0};
        enum fst_status status = read_all(fst_str_of(bytes.data, cut), 1, &text, &err);
        enum fst_status again = read_all(fst_str_of(bytes.data, cut), 4096, &text, &err);
        REQUIRE(again == status, "cut at %zu: %d and %d", cut, (int)status, (int)again);
        if (cut < 2) { /* too short for the magic number: text */
            REQUIRE(status == FST_OK && text.len == cut, "cut at %zu: %d", cut, (int)status);
        } else if (cut == boundary) {
            REQUIRE(status == FST_OK, "cut at %zu: %d", cut, (int)status);
            require_text(cut, fst_buf_str(&text), first_text);
        } else {
            REQUIRE(status == FST_ERR_CORRUPT, "cut at %zu: %d", cut, (int)status);
            REQUIRE(strstr(err.message, "unexpected end of gzip data") != NULL, "cut at %zu: %s",
                    cut, err.message);
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
    add_member(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_member(&bytes, fst_str_cstr(second_text));
    struct fst_error err = {0};
    (void)read_all(fst_str_of(bytes.data, boundary + 5), 4096, &text, &err);
    (void)snprintf(
        wanted, sizeof wanted,
        "unexpected end of gzip data at byte %zu of the compressed data, after %zu bytes "
        "of text",
        boundary + 5, strlen(first_text));
    assert_string_equal(err.message, wanted);
    require_text(0, fst_buf_str(&text), first_text);
    fst_buf_release(&bytes);
    fst_buf_release(&text);
}

static void changed_bytes_are_told(void **state)
{
    (void)state;
    struct fst_buf bytes = {0};
    struct fst_buf text = {0};
    add_member(&bytes, fst_str_cstr(first_text));
    size_t end = bytes.len;
    const struct {
        const char *what;
        size_t at;
    } rows[] = {
        {"method", 2},       {"CRC", end - 8},    {"CRC", end - 5},
        {"length", end - 4}, {"length", end - 1}, {"data", 10},
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
        {"x", 1},    {"a 1\n", 4},    {"\0\0x", 3},
        {"\x1f", 1}, {"\x1f\x8b", 2}, {"\x1fzzzzzzzzzzzzzz", 15},
        {"\xff", 1},
    };
    for (size_t i = 0; i < FST_COUNT_OF(tails); i++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        struct fst_error err = {0};
        add_member(&bytes, fst_str_cstr(first_text));
        fst_buf_add_str(&bytes, tails[i]);
        enum fst_status status = read_all(fst_buf_str(&bytes), 7, &text, &err);
        REQUIRE(status == FST_ERR_CORRUPT, "row %zu: %d", i, (int)status);
        require_text(i, fst_buf_str(&text), first_text);
        fst_buf_release(&bytes);
        fst_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_read_one_after_another),
        cmocka_unit_test(a_large_text_comes_back_whole),
        cmocka_unit_test(a_cut_at_any_byte_is_told),
        cmocka_unit_test(the_place_of_the_damage_is_told),
        cmocka_unit_test(changed_bytes_are_told),
        cmocka_unit_test(garbage_behind_the_data_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
