/* What the fuzz targets of reports share: profiles of any text, and the bytes that are written. */
#ifndef FST_TESTS_FUZZ_TEXT_H
#define FST_TESTS_FUZZ_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "foldstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    char *data;
    size_t len;
};

/* The fst_write_fn that appends to a struct text. */
static inline int collect(void *ctx, const char *bytes, size_t len)
{
    struct text *text = ctx;
    char *grown = realloc(text->data, text->len + len + 1);
    if (grown == NULL) {
        abort();
    }
    memcpy(grown + text->len, bytes, len);
    text->data = grown;
    text->len += len;
    return 0;
}

static inline void empty(struct text *text)
{
    free(text->data);
    *text = (struct text){NULL, 0};
}

static inline void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* A profile of the bytes, or NULL where they cannot be read. */
static inline struct fst_profile *read_text(const char *bytes, size_t len,
                                            const struct fst_profile_options *options,
                                            enum fst_dialect dialect)
{
    struct fst_profile *profile = NULL;
    struct fst_error err;
    struct fst_read_options reading = {.jobs = 1, .dialect = dialect};
    require(fst_profile_new(options, &profile, &err) == FST_OK);
    struct fst_str text = {bytes, len};
    if (fst_profile_read_memory(profile, text, "fuzz", &reading, &err) != FST_OK) {
        fst_profile_free(profile);
        return NULL;
    }
    return profile;
}

static inline bool same_count(struct fst_count a, struct fst_count b)
{
    char first[48];
    char second[48];
    size_t len = fst_count_text(a, first);
    return len == fst_count_text(b, second) && memcmp(first, second, len) == 0;
}

/* The text must be one JSON document in UTF-8, whatever the size of its integers. */
static inline void require_json(const struct text *text)
{
    json_error_t error;
    json_t *document =
        json_loadb(text->data, text->len, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    require(document != NULL);
    json_decref(document);
}

/* How the formats of a report are tried: as files have them, and on a narrow coloured terminal. */
static inline struct fst_render_options looks(size_t width)
{
    return (struct fst_render_options){.width = width, .colour = width > 0, .terminal = width > 0};
}

#endif
