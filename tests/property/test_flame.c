/* What holds for every flame graph: frames nest, widths sum up, and the picture reads back to the
 * stacks that it was made of. Seeded; the seed is printed. */
#include "unit/flames.h"

#include <math.h>

#include "base/alloc.h"
#include "base/escape.h"

enum { RUNS = 60 };

/* Random stacks over few names, some of which do harm to whoever does not escape them. */
static void add_stacks(struct fst_buf *out, uint64_t *seed, bool fractions)
{
    static const char *const names[] = {
        "main",          "f (a.py:1)",    "g (b/c.py:22)",
        "<b>&amp;\"'",   "h (3 samples)", "]]><script>x()",
        "z\xff\xfe",     "x\x1b[31m",     "f (1 samples, 2.00%)",
        "漢字 (k.py:1)", "all",           " lead",
    };
    size_t stacks = 1 + chance_below(seed, 40);
    for (size_t i = 0; i < stacks; i++) {
        size_t depth = 1 + chance_below(seed, 9);
        for (size_t k = 0; k < depth; k++) {
            fst_buf_add_cstr(out, k == 0 ? "" : ";");
            fst_buf_add_cstr(out, names[chance_below(seed, FST_COUNT_OF(names))]);
        }
        fst_buf_add_fmt(out, " %zu", 1 + chance_below(seed, 1000));
        fst_buf_add_cstr(out, fractions && chance_below(seed, 2) > 0 ? ".125\n" : "\n");
    }
    fst_buf_add_char(out, '\0');
}

static void frames_nest_and_sum_up(void **state)
{
    (void)state;
    uint64_t seed = take_seed("frames nest");
    for (int run = 0; run < RUNS; run++) {
        struct fst_buf texts[2] = {{0}, {0}};
        add_stacks(&texts[0], &seed, run % 3 == 0);
        add_stacks(&texts[1], &seed, run % 3 == 0);
        struct fst_profile *after = tree_profile(texts[0].data);
        struct fst_profile *before = tree_profile(texts[1].data);
        struct fst_flame_options options = {
            .reverse = run % 2 == 0,
            .width = 100 + (double)chance_below(&seed, 2000),
            .every_frame = run % 5 == 0,
            .min_width = (double)chance_below(&seed, 30),
        };
        struct fst_flame *flame = flame_of(after, run % 4 < 2 ? NULL : before, options);
        require_nested(flame);
        double top = 0;
        for (size_t i = 1; i < flame->count; i++) {
            const struct fst_flame_frame *frame = &flame->frames[i];
            assert_true(frame->width * flame->pixels >= flame->min_width * (1 - 1e-9));
            top += frame->depth == 1 ? frame->width : 0;
        }
        assert_true(top <= 1 + 1e-9);
        assert_true(flame->narrow.frames > 0 || fabs(top - 1) < 1e-9);
        fst_flame_free(flame);
        fst_profile_free(after);
        fst_profile_free(before);
        fst_buf_release(&texts[0]);
        fst_buf_release(&texts[1]);
    }
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Self and total counts of every name, as text, in the order of the names as they are shown: bytes
 * that no XML holds come back as that. */
static void tabulate(struct fst_buf *out, const struct fst_profile *profile)
{
    struct fst_top *top = top_of(profile, (struct fst_top_options){.sort = FST_SORT_TOTAL});
    char **lines = calloc(top->leaf.count + 1, sizeof *lines);
    assert_non_null(lines);
    for (size_t i = 0; i < top->leaf.count; i++) {
        const struct fst_top_row *row = &top->leaf.rows[i];
        char self[FST_COUNT_TEXT];
        char total[FST_COUNT_TEXT];
        struct fst_buf line = {0};
        (void)fst_count_text(row->self, self);
        (void)fst_count_text(row->total, total);
        fst_escape_text(&line, row->name);
        fst_buf_add_fmt(&line, "\t%s\t%s\n", self, total);
        fst_buf_add_char(&line, '\0');
        lines[i] = line.data;
    }
    qsort(lines, top->leaf.count, sizeof *lines, by_text);
    for (size_t i = 0; i < top->leaf.count; i++) {
        fst_buf_add_cstr(out, lines[i]);
        fst_free(lines[i]);
    }
    fst_buf_add_char(out, '\0');
    out->len--;
    free(lines);
    fst_top_free(top);
}

static void pictures_read_back_to_the_same_counts(void **state)
{
    (void)state;
    uint64_t seed = take_seed("pictures read back");
    for (int run = 0; run < RUNS; run++) {
        struct fst_buf text = {0};
        struct fst_buf picture = {0};
        struct fst_buf wanted = {0};
        struct fst_buf got = {0};
        add_stacks(&text, &seed, run % 3 == 0);
        struct fst_profile *profile = tree_profile(text.data);
        struct fst_flame *flame =
            flame_of(profile, NULL, (struct fst_flame_options){.every_frame = true});
        draw(&picture, flame,
             (struct fst_picture_options){.layout =
                                              run % 2 == 0 ? FST_FLAME_FLAME : FST_FLAME_ICICLE});
        struct fst_profile *back = new_profile((struct fst_profile_options){0});
        read_text(back, fst_buf_str(&picture), "picture");
        struct fst_count a = fst_profile_total(profile);
        struct fst_count b = fst_profile_total(back);
        assert_true(a.lo == b.lo && a.hi == b.hi);
        tabulate(&got, back);
        tabulate(&wanted, profile);
        require_text((size_t)run, fst_buf_str(&got), wanted.data);
        fst_flame_free(flame);
        fst_profile_free(profile);
        fst_profile_free(back);
        fst_buf_release(&text);
        fst_buf_release(&picture);
        fst_buf_release(&wanted);
        fst_buf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_nest_and_sum_up),
        cmocka_unit_test(pictures_read_back_to_the_same_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
