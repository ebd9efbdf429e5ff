/* gzip data is read whole or its damage is told: nothing is lost in silence. */
#include "unit/compressed.h"

#include <zlib.h>

/* Appends text as one gzip member; head, which may be NULL, is what its head says. */
static void add_headed_member(struct fst_buf *out, struct fst_str text, gz_header *head)
{
    z_stream z = {0};
    unsigned char *source = malloc(text.len + 1);
    assert_non_null(source);
    if (text.len > 0) {
        memcpy(source, text.data, text.len);
    }
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_true(head == NULL || deflateSetHeader(&z, head) == Z_OK);
    size_t room = deflateBound(&z, (uLong)text.len) + 256;
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

static void add_member(struct fst_buf *out, struct fst_str text)
{
    add_headed_member(out, text, NULL);
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

/* Sets the parts of a head by bits, 1 extra, 2 name, 4 comment, 8 its sum; the bytes are the caller's. */
static gz_header head_of(unsigned parts, unsigned char *extra, uInt extra_len)
{
    static unsigned char name[] = "prof.txt";
    static unsigned char comment[] = "made by hand";
    return (gz_header){
        .os = 3,
        .extra = parts & 1 ? extra : Z_NULL,
        .extra_len = parts & 1 ? extra_len : 0,
        .name = parts & 2 ? name : Z_NULL,
        .comment = parts & 4 ? comment : Z_NULL,
        .hcrc = (parts & 8) != 0,
    };
}

static void what_a_head_says_is_passed_over(void **state)
{
    (void)state;
    static unsigned char extra[] = {'E', 'X', 2, 0, 0x1f, 0x8b};
    static const uInt sizes[] = {0, sizeof extra};
    for (unsigned parts = 0; parts < 32; parts++) {
        struct fst_buf bytes = {0};
        struct fst_buf text = {0};
        struct fst_error err = {0};
        gz_header head = head_of(parts, extra, sizes[parts / 16]);
        add_headed_member(&bytes, FST_STR("a 1\n"), &head);
        add_headed_member(&bytes, FST_STR("b 2\n"), &head);
        enum fst_status status = read_all(fst_buf_str(&bytes), 1, &text, &err);
        REQUIRE(status == FST_OK, "head %u: %s", parts, err.message);
        require_text(parts, fst_buf_str(&text), "a 1\nb 2\n");
        fst_buf_release(&bytes);
        fst_buf_release(&text);
    }
}

static void a_changed_head_with_a_sum_is_told(void **state)
{
    (void)state;
    static unsigned char extra[] = {'E', 'X', 0, 0};
    gz_header head = head_of(15, extra, sizeof extra);
    struct fst_buf bytes = {0};
    add_headed_member(&bytes, FST_STR("a 1\n"), &head);
    for (size_t at = 0; at < 10 + 2 + sizeof extra + sizeof "prof.txt" + 2; at++) {
        struct fst_buf text = {0};
        struct fst_error err = {0};
        bytes.data[at] ^= 0x41;
        bool gzip = at > 1; /* else nothing says that it is compressed */
        enum fst_status status = read_all(fst_buf_str(&bytes), 65536, &text, &err);
        REQUIRE(!gzip || status == FST_ERR_CORRUPT, "byte %zu: status %d", at, status);
        bytes.data[at] ^= 0x41;
        fst_buf_release(&text);
    }
    fst_buf_release(&bytes);
}

static void a_large_text_comes_back_whole(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    struct fst_buf bytes = {0};
    struct fst_buf back = {0};
    add_large_text(&text);
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
    add_member(&bytes, fst_str_cstr(first_text));
    size_t boundary = bytes.len;
    add_member(&bytes, fst_str_cstr(second_text));
    require_cuts_are_told(fst_buf_str(&bytes), boundary, 2, "unexpected end of gzip data");
    fst_buf_release(&bytes);
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
        require_damage_is_told(&bytes, rows[i].what, rows[i].at);
    }
    fst_buf_release(&bytes);
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
        cmocka_unit_test(what_a_head_says_is_passed_over),
        cmocka_unit_test(a_changed_head_with_a_sum_is_told),
        cmocka_unit_test(a_large_text_comes_back_whole),
        cmocka_unit_test(a_cut_at_any_byte_is_told),
        cmocka_unit_test(the_place_of_the_damage_is_told),
        cmocka_unit_test(changed_bytes_are_told),
        cmocka_unit_test(garbage_behind_the_data_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
