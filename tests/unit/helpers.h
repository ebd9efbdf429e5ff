/* What the test programs share. Include it first: it brings cmocka and what cmocka needs. */
#ifndef FST_TESTS_HELPERS_H
#define FST_TESTS_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/compat.h"
#include "base/count.h"
#include "base/str.h"
#include "foldstat.h"

/* Fails the test with a message (printf-like) unless the condition holds. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

/* Fails unless got is exactly the text wanted; row says which row of a table it belongs to. */
static inline void require_text(size_t row, struct fst_str got, const char *wanted)
{
    REQUIRE(fst_str_eq(got, fst_str_cstr(wanted)), "row %zu: got \"%.*s\", wanted \"%s\"", row,
            (int)got.len, got.data == NULL ? "" : got.data, wanted);
}

/* The same for a count, written as text ("-0.25"). */
static inline void require_count(size_t row, struct fst_count got, const char *wanted)
{
    char text[FST_COUNT_TEXT];
    size_t len = fst_count_format(fst_count_unpack(got), text);
    require_text(row, fst_str_of(text, len), wanted);
}

/* Fails unless got is within so much of wanted; cmocka's own compares floats. */
static inline void require_within(double got, double wanted, double tolerance)
{
    REQUIRE(got >= wanted - tolerance && got <= wanted + tolerance, "got %.17g, wanted %.17g", got,
            wanted);
}

/* --- profiles -------------------------------------------------------------------------------- */

static inline struct fst_profile *new_profile(struct fst_profile_options options)
{
    struct fst_profile *profile = NULL;
    assert_int_equal(fst_profile_new(&options, &profile, NULL), FST_OK);
    return profile;
}

/* Adds a text, which must be a good one. */
static inline void read_text(struct fst_profile *profile, struct fst_str text, const char *name)
{
    struct fst_error err = {0};
    enum fst_status status =
        fst_profile_read_memory(profile, text, name, &(struct fst_read_options){0}, &err);
    REQUIRE(status == FST_OK, "%s: %s", name, err.message);
}

/* A profile of one text. */
static inline struct fst_profile *profile_of(const char *text, struct fst_profile_options options)
{
    struct fst_profile *profile = new_profile(options);
    read_text(profile, fst_str_cstr(text), "test");
    return profile;
}

static inline struct fst_top *top_of(const struct fst_profile *profile,
                                     struct fst_top_options options)
{
    struct fst_error err = {0};
    struct fst_top *top = NULL;
    enum fst_status status = fst_top_new(profile, &options, &top, &err);
    REQUIRE(status == FST_OK, "fst_top_new: %s", err.message);
    return top;
}

/* The row of that name, which must be there. */
static inline const struct fst_top_row *find_row(const struct fst_top_table *table,
                                                 const char *name)
{
    size_t i = 0;
    while (i < table->count && !fst_str_eq(table->rows[i].name, fst_str_cstr(name))) {
        i++;
    }
    REQUIRE(i < table->count, "no row %s", name);
    return &table->rows[i];
}

/* --- rendering ------------------------------------------------------------------------------- */

/* A write function that collects into a struct fst_buf. */
static inline int collect(void *ctx, const char *bytes, size_t len)
{
    fst_buf_add(ctx, bytes, len);
    return 0;
}

/* What a format makes of top, NUL-terminated. */
static inline void render(struct fst_buf *out, const struct fst_top *top,
                          const struct fst_profile *profile, enum fst_format format)
{
    fst_buf_clear(out);
    struct fst_render_options options = {0};
    assert_int_equal(fst_render_top(top, profile, format, &options, collect, out, NULL), FST_OK);
    assert_true(fst_buf_add_char(out, '\0'));
    out->len--;
}

/* --- chance ---------------------------------------------------------------------------------- */

/* The seed of a property: FOLDSTAT_SEED in the environment, or a fixed one. It is printed, so that
 * a failure can be repeated. */
static inline uint64_t take_seed(const char *property)
{
    const char *given = getenv("FOLDSTAT_SEED");
    uint64_t seed = given == NULL ? 20240229 : strtoull(given, NULL, 10);
    print_message("%s: seed %llu\n", property, (unsigned long long)seed);
    return seed;
}

/* The next of a sequence of even bits (splitmix64, G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
static inline uint64_t chance(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* A number below limit. */
static inline size_t chance_below(uint64_t *state, size_t limit)
{
    return (size_t)(chance(state) % limit);
}

/* Puts items of that size into a random order (R. A. Fisher and F. Yates, by R. Durstenfeld's exchanges). */
static inline void shuffle(void *items, size_t count, size_t size, uint64_t *state)
{
    char *at = items;
    char kept[64];
    assert_true(size <= sizeof kept);
    for (size_t i = count; i > 1; i--) {
        char *last = at + (i - 1) * size;
        char *other = at + chance_below(state, i) * size;
        memcpy(kept, last, size);
        memmove(last, other, size);
        memcpy(other, kept, size);
    }
}

#endif
