/* Flame graphs for tests: from text to frames, to SVG, and back. */
#ifndef FST_TESTS_FLAMES_H
#define FST_TESTS_FLAMES_H

#include "unit/helpers.h"

static inline struct fst_profile *tree_profile(const char *text)
{
    return profile_of(text, (struct fst_profile_options){.tree = true});
}

static inline struct fst_flame *flame_of(const struct fst_profile *profile,
                                         const struct fst_profile *base,
                                         struct fst_flame_options options)
{
    struct fst_error err = {0};
    struct fst_flame *flame = NULL;
    enum fst_status status = fst_flame_new(profile, base, &options, &flame, &err);
    REQUIRE(status == FST_OK, "fst_flame_new: %s", err.message);
    return flame;
}

/* The picture as text, NUL-terminated. */
static inline void draw(struct fst_buf *out, const struct fst_flame *flame,
                        struct fst_picture_options options)
{
    assert_int_equal(fst_render_flame(flame, &options, collect, out, NULL), FST_OK);
    assert_true(fst_buf_add_char(out, '\0'));
    out->len--;
}

/* Fails unless every frame lies within the one that it stands on, and beside its neighbours. */
static inline void require_nested(const struct fst_flame *flame)
{
    enum { LEVELS_MOST = 256 };
    size_t open[LEVELS_MOST] = {0};
    double next[LEVELS_MOST] = {0};
    uint64_t next_first[LEVELS_MOST] = {0};
    const double slack = 1e-9;
    for (size_t i = 0; i < flame->count; i++) {
        const struct fst_flame_frame *frame = &flame->frames[i];
        uint32_t depth = frame->depth;
        assert_true(depth < LEVELS_MOST && depth < flame->levels);
        if (i > 0) {
            const struct fst_flame_frame *below = &flame->frames[open[depth - 1]];
            assert_true(depth >= 1 && below->depth == depth - 1);
            assert_true(frame->x >= next[depth] - slack && frame->first >= next_first[depth]);
            assert_true(frame->x + frame->width <= below->x + below->width + slack);
            assert_true(frame->first + frame->samples <= below->first + below->samples);
        }
        open[depth] = i;
        next[depth] = frame->x + frame->width;
        next_first[depth] = frame->first + frame->samples;
        next[depth + 1] = frame->x;
        next_first[depth + 1] = frame->first;
    }
}

#endif
