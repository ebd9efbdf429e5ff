/* What the tests of the compressed forms share: texts, and reading bytes through their decoder. */
#ifndef FST_TESTS_COMPRESSED_H
#define FST_TESTS_COMPRESSED_H

#include "unit/helpers.h"

#include "base/error.h"
#include "io/source.h"

static const char first_text[] = "main (a.py:1);fit (b.py:22) 57\n";
static const char second_text[] = "main (a.py:1);load (c.py:3);read (d.py:4) 121\n";

/* Three million bytes that do not compress to nothing. */
static inline void add_large_text(struct fst_buf *out)
{
    uint64_t seed = 3;
    while (out->len < 3000000) {
        fst_buf_add_fmt(out, "f%zu;g%zu %zu\n", chance_below(&seed, 1000000),
                        chance_below(&seed, 1000), chance_below(&seed, 50));
    }
}

/* A source that gives one byte a call, as a slow pipe may. */
struct drip {
    struct fst_source base;
    struct fst_str left;
};

static inline enum fst_status drip_read(struct fst_source *source, char *into, size_t room,
                                        size_t *got, struct fst_error *err)
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

static inline void drip_free(struct fst_source *source)
{
    (void)source; /* read_all's own */
}

/* Reads all of bytes, decoded, in pieces of at most step bytes; where step is 1 they also come one
 * by one. */
static inline enum fst_status read_all(struct fst_str bytes, size_t step, struct fst_buf *text,
                                       struct fst_error *err)
{
    static const struct fst_source_ops drip_ops = {.read = drip_read, .free = drip_free};
    struct drip drip = {.base = {.ops = &drip_ops}, .left = bytes};
    struct fst_source *source = &drip.base;
    fst_buf_clear(text);
    if (step > 1) {
        assert_int_equal(fst_source_memory(bytes, &source, err), FST_OK);
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

/* Two compressed texts, one behind the other and the first `boundary` bytes long, cut at every byte:
 * what is shorter than the magic number is text, a cut between the two is none, and any other is
 * told in words that begin so. */
static inline void require_cuts_are_told(struct fst_str bytes, size_t boundary, size_t magic,
                                         const char *message)
{
    static const size_t steps[] = {1, 4096};
    struct fst_buf text = {0};
    for (size_t i = 0; i < bytes.len * FST_COUNT_OF(steps); i++) {
        size_t cut = i / FST_COUNT_OF(steps);
        struct fst_error err = {0};
        enum fst_status status =
            read_all(fst_str_of(bytes.data, cut), steps[i % FST_COUNT_OF(steps)], &text, &err);
        bool good = cut < magic || cut == boundary;
        REQUIRE(status == (good ? FST_OK : FST_ERR_CORRUPT), "cut at %zu: %d", cut, (int)status);
        if (cut < magic) {
            REQUIRE(text.len == cut, "cut at %zu: %zu bytes", cut, text.len);
        } else if (cut == boundary) {
            require_text(cut, fst_buf_str(&text), first_text);
        } else {
            REQUIRE(strncmp(err.message, message, strlen(message)) == 0, "cut at %zu: %s", cut,
                    err.message);
        }
    }
    fst_buf_release(&text);
}

/* Bytes that are damaged in one place are refused, in whatever pieces they come. */
static inline void require_damage_is_told(struct fst_buf *bytes, const char *what, size_t at)
{
    static const size_t steps[] = {1, 4096};
    struct fst_buf text = {0};
    bytes->data[at] = (char)(bytes->data[at] ^ 0x07);
    for (size_t i = 0; i < FST_COUNT_OF(steps); i++) {
        struct fst_error err = {0};
        enum fst_status status = read_all(fst_buf_str(bytes), steps[i], &text, &err);
        REQUIRE(status == FST_ERR_CORRUPT && err.code == FST_ERR_CORRUPT, "%s: %d", what,
                (int)status);
    }
    bytes->data[at] = (char)(bytes->data[at] ^ 0x07);
    assert_int_equal(read_all(fst_buf_str(bytes), 4096, &text, NULL), FST_OK);
    fst_buf_release(&text);
}

#endif
