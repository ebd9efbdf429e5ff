/* Bytes that were packed come out again, are the same wherever they were cut, and a write function
 * that fails is told. */
#include "unit/compressed.h"

#include <errno.h>

#include "io/packer.h"

static void names_tell_the_packing(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum fst_packing packing;
    } rows[] = {
        {"all.raw", FST_PACK_NOTHING},    {"all.raw.gz", FST_PACK_GZIP}, {".gz", FST_PACK_GZIP},
        {"a.zst", FST_PACK_ZSTD},         {"gz", FST_PACK_NOTHING},      {"", FST_PACK_NOTHING},
        {"all.gz.raw", FST_PACK_NOTHING}, {"A.GZ", FST_PACK_NOTHING},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        REQUIRE(fst_packing_of(rows[i].path) == rows[i].packing, "%s", rows[i].path);
    }
}

/* Packs text in pieces of at most step bytes. */
static void pack(enum fst_packing packing, struct fst_str text, size_t step, struct fst_buf *out)
{
    struct fst_packer *packer = NULL;
    assert_int_equal(fst_packer_new(packing, collect, out, &packer, NULL), FST_OK);
    while (text.len > 0) {
        size_t piece = text.len < step ? text.len : step;
        assert_int_equal(fst_packer_write(packer, text.data, piece), 0);
        text = fst_str_skip(text, piece);
    }
    assert_int_equal(fst_packer_finish(packer), 0);
    fst_packer_free(packer);
}

/* What can be packed here. */
static const enum fst_packing packings[] = {
    FST_PACK_NOTHING,
    FST_PACK_GZIP,
#ifdef FST_HAVE_ZSTD
    FST_PACK_ZSTD,
#endif
};

static void what_was_packed_comes_out_again(void **state)
{
    (void)state;
    static const size_t steps[] = {1000, 65536, SIZE_MAX};
    struct fst_buf large = {0};
    add_large_text(&large);
    struct fst_str texts[] = {{"", 0}, {first_text, sizeof first_text - 1}, fst_buf_str(&large)};
    for (size_t i = 0; i < FST_COUNT_OF(packings) * FST_COUNT_OF(texts); i++) {
        enum fst_packing packing = packings[i / FST_COUNT_OF(texts)];
        struct fst_str text = texts[i % FST_COUNT_OF(texts)];
        struct fst_buf whole = {0};
        for (size_t k = 0; k < FST_COUNT_OF(steps); k++) {
            struct fst_buf packed = {0};
            struct fst_buf again = {0};
            pack(packing, text, steps[k], &packed);
            assert_int_equal(read_all(fst_buf_str(&packed), 4096, &again, NULL), FST_OK);
            REQUIRE(fst_str_eq(fst_buf_str(&again), text), "packing %d, step %zu", (int)packing,
                    steps[k]);
            REQUIRE(k == 0 || fst_str_eq(fst_buf_str(&packed), fst_buf_str(&whole)),
                    "packing %d: cuts of %zu bytes show", (int)packing, steps[k]);
            fst_buf_release(&whole);
            whole = packed;
            fst_buf_release(&again);
        }
        fst_buf_release(&whole);
    }
    fst_buf_release(&large);
}

static int refuse(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    (void)bytes;
    (void)len;
    return ENOSPC;
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct fst_buf large = {0};
    add_large_text(&large);
    for (size_t i = 0; i < FST_COUNT_OF(packings); i++) {
        struct fst_packer *packer = NULL;
        assert_int_equal(fst_packer_new(packings[i], refuse, NULL, &packer, NULL), FST_OK);
        assert_int_equal(fst_packer_write(packer, large.data, large.len), ENOSPC);
        fst_packer_free(packer);
    }
    struct fst_packer *packer = NULL;
    assert_int_equal(fst_packer_new(FST_PACK_GZIP, refuse, NULL, &packer, NULL), FST_OK);
    assert_int_equal(fst_packer_finish(packer), ENOSPC);
    fst_packer_free(packer);
    fst_buf_release(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_the_packing),
        cmocka_unit_test(what_was_packed_comes_out_again),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
