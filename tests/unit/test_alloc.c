/* Whichever allocation fails, the library says so, loses nothing and stays usable: the whole way
 * from a profile to its renderings is gone again and again with the first, the second, … allocation
 * refused, until none is left to refuse. */
#include "unit/helpers.h"

#include <ftw.h>
#include <sys/stat.h>

#include "unit/refusal.h"

enum {
    BIGGEST_FILE = 3 * 1024,
    EACH_OF = 40 /* so many first allocations are all refused */
};

#define TEXT_OF(text)                                                                              \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

/* --- the way that is gone ---------------------------------------------------------------------- */

struct journey {
    struct fst_str bytes;
    struct fst_profile_options options;
    size_t step; /* feeds of so many bytes to a reader; 0: the bytes are read as a file's */
};

/* What comes of it: the first status that is not FST_OK, and a digest of all output (FNV-1a). */
struct arrival {
    enum fst_status status;
    uint64_t digest;
};

static int digest_output(void *ctx, const char *bytes, size_t len)
{
    uint64_t *digest = ctx;
    for (size_t i = 0; i < len; i++) {
        *digest = (*digest ^ (unsigned char)bytes[i]) * 0x100000001b3U;
    }
    return 0;
}

static enum fst_status feed_all(struct fst_profile *profile, const struct journey *journey,
                                struct fst_error *err)
{
    struct fst_reader *reader = NULL;
    struct fst_read_options options = {0};
    enum fst_status status = fst_reader_new(profile, "pieces", &options, &reader, err);
    if (status != FST_OK) {
        assert_null(reader);
        return status;
    }
    for (size_t at = 0; at < journey->bytes.len && status == FST_OK; at += journey->step) {
        size_t left = journey->bytes.len - at;
        status = fst_reader_feed(reader, journey->bytes.data + at,
                                 left < journey->step ? left : journey->step, err);
    }
    enum fst_status finished = fst_reader_finish(reader, err);
    assert_true(status == FST_OK || finished == status);
    fst_reader_free(reader);
    return finished;
}

static enum fst_status read_all(struct fst_profile *profile, const struct journey *journey,
                                struct fst_error *err)
{
    struct fst_read_options options = {0};
    enum fst_status status = journey->step > 0 ? feed_all(profile, journey, err)
                                               : fst_profile_read_memory(profile, journey->bytes,
                                                                         "memory", &options, err);
    if (status != FST_OK) {
        assert_true(fst_count_unpack(fst_profile_total(profile)) == 0);
    }
    return status;
}

static enum fst_status render_all(const struct fst_profile *profile, uint64_t *digest,
                                  struct fst_error *err)
{
    struct fst_top *top = NULL;
    struct fst_render_options options = {.label = "L", .width = 60};
    enum fst_status status = fst_top_new(profile, &(struct fst_top_options){0}, &top, err);
    assert_int_equal(status == FST_OK, top != NULL);
    for (int format = FST_FORMAT_TABLE; status == FST_OK && format <= FST_FORMAT_MARKDOWN;
         format++) {
        status = fst_render_top(top, profile, (enum fst_format)format, &options, digest_output,
                                digest, err);
    }
    fst_top_free(top);
    return status;
}

/* The profile beside itself. */
static enum fst_status render_gil(const struct fst_profile *profile, uint64_t *digest,
                                  struct fst_error *err)
{
    struct fst_gil *gil = NULL;
    struct fst_render_options options = {.width = 60};
    struct fst_gil_options ticks = {.gil_ticks = 10, .all_ticks = 20, .idle_ticks = 30};
    enum fst_status status = fst_gil_new(profile, profile, profile, &ticks, &gil, err);
    assert_int_equal(status == FST_OK, gil != NULL);
    for (int format = FST_FORMAT_TABLE; status == FST_OK && format <= FST_FORMAT_MARKDOWN;
         format++) {
        if (format != FST_FORMAT_PLAIN) {
            status =
                fst_render_gil(gil, (enum fst_format)format, &options, digest_output, digest, err);
        }
    }
    fst_gil_free(gil);
    return status;
}

/* What there is to a call tree, of rows or of frames. */
static enum fst_status render_calls(const struct fst_profile *profile, bool frames,
                                    uint64_t *digest, struct fst_error *err)
{
    struct fst_tree *tree = NULL;
    struct fst_peek *peek = NULL;
    struct fst_render_options options = {.width = 60};
    struct fst_peek_options asked = {.pattern = {"m|f|a", 5}, .stacks = 2};
    enum fst_status status =
        frames ? fst_peek_new(profile, &asked, &peek, err)
               : fst_tree_new(profile, &(struct fst_tree_options){.least_share = 0.1}, &tree, err);
    assert_int_equal(status == FST_OK, tree != NULL || peek != NULL);
    for (int format = FST_FORMAT_TABLE; status == FST_OK && format <= FST_FORMAT_MARKDOWN;
         format++) {
        if (format != FST_FORMAT_PLAIN) {
            status = frames ? fst_render_peek(peek, profile, (enum fst_format)format, &options,
                                              digest_output, digest, err)
                            : fst_render_tree(tree, profile, (enum fst_format)format, &options,
                                              digest_output, digest, err);
        }
    }
    fst_tree_free(tree);
    fst_peek_free(peek);
    return status;
}

static enum fst_status merge_and_render(const struct fst_profile *profile,
                                        const struct journey *journey, uint64_t *digest,
                                        struct fst_error *err)
{
    struct fst_profile *sum = NULL;
    enum fst_status status = fst_profile_new(&journey->options, &sum, err);
    for (int i = 0; status == FST_OK && i < 2; i++) {
        status = fst_profile_merge(sum, profile, err);
    }
    if (status == FST_OK) {
        status = render_all(sum, digest, err);
    }
    if (status == FST_OK && journey->options.tree) {
        status = render_calls(sum, journey->options.tree_of_frames, digest, err);
    }
    fst_profile_free(sum);
    return status;
}

static struct arrival go(const struct journey *journey)
{
    struct arrival arrival = {FST_OK, 0xcbf29ce484222325U};
    struct fst_profile *profile = NULL;
    struct fst_error err = {0};
    arrival.status = fst_profile_new(&journey->options, &profile, &err);
    assert_int_equal(arrival.status == FST_OK, profile != NULL);
    if (arrival.status == FST_OK) {
        arrival.status = read_all(profile, journey, &err);
    }
    if (arrival.status == FST_OK) {
        arrival.status = render_all(profile, &arrival.digest, &err);
    }
    if (arrival.status == FST_OK && journey->options.threads) {
        arrival.status = render_gil(profile, &arrival.digest, &err);
    }
    if (arrival.status == FST_OK) {
        arrival.status = merge_and_render(profile, journey, &arrival.digest, &err);
    }
    assert_int_equal(err.code, arrival.status);
    fst_profile_free(profile);
    return arrival;
}

/* Refuses every allocation of a journey in turn, and of long ones, whose steps recur, more and more
 * seldom; returns about how many there are. */
static size_t refuse_each(const struct journey *journey, bool for_good)
{
    struct arrival undisturbed = go(journey);
    REQUIRE(undisturbed.status != FST_ERR_NOMEM, "without a refusal: out of memory");
    for (size_t n = 0;; n += 1 + n / EACH_OF) {
        trap.for_good = for_good;
        trap.refused_at = n;
        trap.seen = 0;
        trap.armed = true;
        struct arrival arrival = go(journey);
        trap.armed = false;
        if (trap.seen <= n) {
            return n;
        }
        REQUIRE(arrival.status == FST_ERR_NOMEM ||
                    (arrival.status == undisturbed.status && arrival.digest == undisturbed.digest),
                "allocation %zu: status %d", n, (int)arrival.status);
    }
}

static void require_safe(const struct journey *journey, bool for_good)
{
    assert_in_range(refuse_each(journey, for_good), 3, 100000);
}

/* --- inputs ------------------------------------------------------------------------------------ */

static void tricky_texts_survive_every_refusal(void **state)
{
    (void)state;
    static const struct fst_str texts[] = {
#define TEXT(text) {(text), sizeof(text) - 1}
        TEXT(""),
        TEXT("a;b 1\na 2\n"),
        TEXT("process 7:\"p\";process 9:\"p -c \nx\n\";thread (1): t;m (a.py:3) 5\n 7\n"),
        TEXT("main (a.py:3);f (b.py:1) 2\nmain (a.py:3);f (b.py:2) 1.5\nmain (a.py:3) -1\n"),
        TEXT("x 1\nbad line\n1e400\nx 2\ny 0.0000000000001\nprocess 1:\"open\nx 1\nx 1"),
        TEXT("bad\nx 1e999\nprocess 1:\"open\n"),
        TEXT("a 1e26\nb 1e26\n"),
        TEXT(
            "py-spy> Sampling process 10 times a second for 3 seconds.\n# errors: 1\na;\xff\0 3\n"),
        TEXT("<built-in x>;\xe3\x82\xa2 (a|b.c:1) 5000\n<built-in x>;\"q\"\t,; 7000\nz 3000\n"),
        TEXT("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xb4\x4e\x52\x30\xe4\x4a\x54\x30\xe2"
             "\x02\x00\x2d\x60\x5c\x1f\x0a\x00\x00\x00"),
        TEXT("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xb4\x4e\x52\x30\xe4\x4a\x54\x30\xe2"),
        TEXT("thread (1): up_1;m (a.py:3) 5\nthread (1);m (a.py:3) 2\nthread (2);m (a.py:3);"
             "take_gil (libpython3.so);sem_wait (libc.so) 1\nm (a.py:3) 1\n"),
#undef TEXT
    };
    for (size_t i = 0; i < FST_COUNT_OF(texts); i++) {
        static const enum fst_by bys[] = {FST_BY_FRAME, FST_BY_LINE, FST_BY_THREAD};
        for (size_t k = 0; k < FST_COUNT_OF(bys); k++) {
            struct journey journey = {.bytes = texts[i],
                                      .options = {.by = bys[k], .threads = true, .seed = 1}};
            require_safe(&journey, false);
            require_safe(&journey, true);
            journey.step = 7;
            require_safe(&journey, false);
        }
    }
}

/* Filters, names, categories and rows within rows, all at once. */
static void selections_survive_every_refusal(void **state)
{
    (void)state;
    static const struct fst_str rules[] = {{"s/o/O/g", 7}, {"s/([a-z])(3)/\\2\\1/", 18}};
    static const struct fst_selection_options asked[] = {
        {.focus = {"m", 1}, .hide = {"^f", 2}, .fold_recursion = true, .strip_annotations = true},
        {.normalize = true, .categorize = true, .rewrites = rules, .nrewrites = 2},
        {.normalize = true, .no_idle = true, .thread = {"pool", 4}, .categorize = true},
        {.focus = {"mian", 4}},
    };
    static const struct fst_str text = TEXT_OF(
        "thread (1): pool-1;main (a.py:3);f (b.py:2);wait (threading.py:3) 2\n"
        "thread (2): pool-2;main (a.py:3);main (a.py:3);g_[k] 1\nmain (a.py:3);f (c.py:1) 1.5\n");
    for (size_t i = 0; i < FST_COUNT_OF(asked); i++) {
        struct fst_selection *selection = NULL;
        assert_int_equal(fst_selection_new(&asked[i], &selection, NULL, NULL), FST_OK);
        for (int by = FST_BY_FRAME; by <= FST_BY_STACK; by++) {
            struct journey journey = {
                .bytes = text,
                .options = {
                    .by = (enum fst_by)by, .selection = selection, .threads = true, .seed = 1}};
            if (by == FST_BY_CATEGORY && !asked[i].categorize) {
                continue;
            }
            require_safe(&journey, false);
            journey.options.nested = true;
            journey.options.inner = by == FST_BY_THREAD ? FST_BY_FUNCTION : FST_BY_THREAD;
            require_safe(&journey, true);
        }
        fst_selection_free(selection);
    }
}

/* Call trees, read as they are and as filters leave them. */
static void call_trees_survive_every_refusal(void **state)
{
    (void)state;
    static const struct fst_str text =
        TEXT_OF("main (a.py:3);f (b.py:2);f (b.py:3);g (c.py:1) 2\nmain (a.py:3);f (b.py:2) 1\n"
                "thread (1): t;main (a.py:3) -1.5\nmain (a.py:3);h;f (b.py:9) 4\n");
    static const struct fst_selection_options asked = {.hide = {"^g", 2}, .normalize = true};
    struct fst_selection *selection = NULL;
    assert_int_equal(fst_selection_new(&asked, &selection, NULL, NULL), FST_OK);
    for (int by = FST_BY_FRAME; by <= FST_BY_FILE; by++) {
        for (int k = 0; k < 4; k++) {
            struct journey journey = {.bytes = text,
                                      .options = {.by = (enum fst_by)by,
                                                  .tree = true,
                                                  .tree_of_frames = k % 2 == 1,
                                                  .selection = k < 2 ? NULL : selection,
                                                  .seed = 1}};
            require_safe(&journey, false);
            require_safe(&journey, true);
        }
    }
    fst_selection_free(selection);
}

static size_t files_tried;

static int try_file(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)place;
    if (kind != FTW_F || info->st_size >= BIGGEST_FILE) {
        return 0;
    }
    static char bytes[BIGGEST_FILE];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    /* A different row each time: all rows come up, and the time stays short. */
    struct journey journey = {
        .bytes = fst_str_of(bytes, len),
        .options = {.by = (enum fst_by)(files_tried % (FST_BY_PROCESS + 1)),
                    .threads = files_tried % 2 == 0,
                    .seed = 1},
        .step = files_tried % 3 == 0 ? 100 : 0,
    };
    require_safe(&journey, files_tried % 4 == 0);
    files_tried++;
    return 0;
}

static void small_fixtures_survive_every_refusal(void **state)
{
    (void)state;
    assert_int_equal(nftw(FIXTURES, try_file, 16, FTW_PHYS), 0);
    assert_in_range(files_tried, 1, SIZE_MAX);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tricky_texts_survive_every_refusal),
        cmocka_unit_test(selections_survive_every_refusal),
        cmocka_unit_test(call_trees_survive_every_refusal),
        cmocka_unit_test(small_fixtures_survive_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
