/* Whichever allocation fails, merging and converting say so, lose nothing and leave nothing behind: each
 * journey is gone again and again with the first, the second, … allocation refused. It must then say that
 * memory is short, or arrive where it arrives undisturbed. */
#include "unit/helpers.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "model/stacks.h"
#include "unit/journeys.h"

static int digest_output(void *ctx, const char *bytes, size_t len)
{
    uint64_t *digest = ctx;
    for (size_t i = 0; i < len; i++) {
        *digest = (*digest ^ (unsigned char)bytes[i]) * 0x100000001b3U;
    }
    return 0;
}

/* least: so many allocations there are at least. */
static void require_safe(journey_fn *go, size_t least)
{
    assert_in_range(refuse_each(go, false), least, 100000);
    assert_in_range(refuse_each(go, true), least, 100000);
}

/* --- merge ------------------------------------------------------------------------------------- */

static const char *const texts[] = {
    "# rate: 9\nprocess 7:\"p -c \nx\n\";thread (1): t;m (a.py:3) 5\n 7\na;;b 0.5\nbad line\n",
    "a;;b 1\nm (a.py:3);f (b.py:1);f (b.py:1) 2\n99999999999 99999999999999999999\n",
    "a;c 1\nthread (1): t;m (a.py:3) -1\n",
};

static enum fst_status read_text_into(struct fst_profile *profile, const char *text,
                                      struct fst_error *err)
{
    struct fst_read_options options = {.dialect = FST_DIALECT_PYSPY};
    return fst_profile_read_memory(profile, fst_str_cstr(text), "text", &options, err);
}

static enum fst_status read_texts(const struct fst_profile_options *options,
                                  struct fst_profile **out, struct fst_error *err)
{
    enum fst_status status = fst_profile_new(options, out, err);
    for (size_t i = 0; status == FST_OK && i < FST_COUNT_OF(texts); i++) {
        status = read_text_into(*out, texts[i], err);
    }
    return status;
}

/* Reads texts, writes their sum, reads that again, and merges both. */
static enum fst_status merge(const struct fst_profile_options *options, uint64_t *digest,
                             struct fst_error *err)
{
    static const struct fst_str tags[] = {{"host=a", 6}, {"b", 1}};
    const struct fst_collapsed_options form = {
        .tags = tags, .ntags = 2, .header = true, .partial = options->partial};
    struct fst_profile *profiles[2] = {NULL};
    struct fst_buf written = {0};
    struct fst_sum *sum = NULL;
    enum fst_status status = read_texts(options, &profiles[0], err);
    if (status == FST_OK) {
        status = fst_sum_new(profiles[0], &(struct fst_sum_options){0}, &sum, err);
    }
    if (status == FST_OK) {
        status = fst_render_collapsed(profiles[0], &form, collect, &written, err);
        fst_buf_add_char(&written, '\0');
    }
    if (status == FST_OK && written.failed) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK) {
        status = fst_profile_new(options, &profiles[1], err);
    }
    if (status == FST_OK && options->selection == NULL) {
        status = read_text_into(profiles[1], written.data, err);
    }
    if (status == FST_OK) {
        status = fst_profile_merge(profiles[1], profiles[0], err);
    }
    if (status == FST_OK) {
        status = fst_render_collapsed(profiles[1], &form, digest_output, digest, err);
    }
    fst_sum_free(sum);
    fst_buf_release(&written);
    fst_profile_free(profiles[0]);
    fst_profile_free(profiles[1]);
    return status;
}

static enum fst_status merge_plain(uint64_t *digest, struct fst_error *err)
{
    return merge(&(struct fst_profile_options){.keep = FST_KEEP_STACKS, .seed = 1}, digest, err);
}

static enum fst_status merge_partial(uint64_t *digest, struct fst_error *err)
{
    const struct fst_profile_options options = {
        .keep = FST_KEEP_STACKS, .partial = true, .seed = 1};
    return merge(&options, digest, err);
}

/* The selection is made on the way. */
static enum fst_status merge_chosen(uint64_t *digest, struct fst_error *err)
{
    static const struct fst_str rules[] = {{"s/a/A\t/g", 8}};
    static const struct fst_selection_options asked = {
        .ignore = {"^f", 2}, .normalize = true, .rewrites = rules, .nrewrites = 1};
    struct fst_selection *selection = NULL;
    enum fst_status status = fst_selection_new(&asked, &selection, NULL, err);
    if (status == FST_OK) {
        const struct fst_profile_options options = {
            .keep = FST_KEEP_STACKS, .partial = true, .selection = selection, .seed = 1};
        status = merge(&options, digest, err);
    }
    fst_selection_free(selection);
    return status;
}

static void sums_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(merge_plain, 50);
    require_safe(merge_partial, 150);
    require_safe(merge_chosen, 100);
}

/* top of partial sums: spreads and notes. */
static enum fst_status show_partial(uint64_t *digest, struct fst_error *err)
{
    static const char text[] =
        "# foldstat partial "
        "1\tinputs=2\tcompared=2\tsamples=4\tbad-lines=0\tframes=1\trates=0:0:0\t"
        "durations=0:0\terrors=0:0\tticks=0:0\trules\tend\na\\;b 4\n# foldstat frame\tb\t2\t"
        "2000000000\t2000000000000000000\t1000000000\tx\\t\t1000000000\ty\t1000000000\tx\\t\t"
        "1000000000\ty\tself\n";
    struct fst_profile *profile = NULL;
    struct fst_top *top = NULL;
    struct fst_render_options options = {.width = 60};
    enum fst_status status =
        fst_profile_new(&(struct fst_profile_options){.seed = 1}, &profile, err);
    for (int i = 0; status == FST_OK && i < 2; i++) {
        status = read_text_into(profile, text, err);
    }
    if (status == FST_OK) {
        status = fst_top_new(profile, &(struct fst_top_options){0}, &top, err);
        assert_true(status != FST_OK || top->compared == 4);
    }
    for (int format = FST_FORMAT_TABLE; status == FST_OK && format <= FST_FORMAT_MARKDOWN;
         format++) {
        status = fst_render_top(top, profile, (enum fst_format)format, &options, digest_output,
                                digest, err);
    }
    fst_top_free(top);
    fst_profile_free(profile);
    return status;
}

static void spreads_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(show_partial, 40);
}

/* --- temporary files --------------------------------------------------------------------------- */

enum { PARTS = 2, SPILLS = 40 };

/* Every stack but a few goes to a run of its own, so that runs are united too. */
static enum fst_status spill(struct fst_stacks *stacks, size_t part, struct fst_error *err)
{
    for (size_t i = 0; i < SPILLS; i++) {
        char name[32];
        int len = snprintf(name, sizeof name, "main;f%zu", i * (part + 2) % 50);
        fst_i128 count = i % 9 == 0 ? -FST_COUNT_ONE / 4 : FST_COUNT_ONE;
        if (!fst_stacks_add(stacks, fst_str_of(name, (size_t)len), count)) {
            return fst_error_nomem(err);
        }
        enum fst_status status = i % 20 == 19 ? FST_OK : fst_stacks_make_room(stacks, err);
        if (status != FST_OK) {
            return status;
        }
    }
    return FST_OK;
}

static enum fst_status walk(const struct fst_stacks *stacks, uint64_t *digest,
                            struct fst_error *err)
{
    struct fst_walk walk;
    bool more = true;
    enum fst_status status = fst_walk_begin(&walk, stacks, err);
    while (status == FST_OK && more) {
        status = fst_stream_next(&walk.all.base, &more, err);
        if (status == FST_OK && more) {
            (void)digest_output(digest, walk.all.base.text.data, walk.all.base.text.len);
            (void)digest_output(digest, (const char *)&walk.all.base.count, sizeof(fst_i128));
        }
    }
    fst_walk_release(&walk);
    return status;
}

static enum fst_status go_by_files(bool absorb, uint64_t *digest, struct fst_error *err)
{
    struct fst_stacks parts[PARTS];
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < PARTS; i++) {
        fst_stacks_init(&parts[i], 1);
        parts[i].most = 1;
    }
    for (size_t i = 0; status == FST_OK && i < PARTS; i++) {
        status = spill(&parts[i], i, err);
    }
    if (status == FST_OK) {
        status = absorb ? fst_stacks_absorb(&parts[0], &parts[1], err)
                        : fst_stacks_merge(&parts[0], &parts[1], err);
    }
    if (status == FST_OK) {
        status = walk(&parts[0], digest, err);
    }
    for (size_t i = 0; i < PARTS; i++) {
        fst_stacks_release(&parts[i]);
    }
    return status;
}

static enum fst_status absorb_files(uint64_t *digest, struct fst_error *err)
{
    return go_by_files(true, digest, err);
}

static enum fst_status merge_files(uint64_t *digest, struct fst_error *err)
{
    return go_by_files(false, digest, err);
}

static void temporary_files_survive_every_refusal(void **state)
{
    (void)state;
    assert_in_range(refuse_each(absorb_files, false), 200, 100000);
    assert_in_range(refuse_each(merge_files, true), 200, 100000);
}

/* --- lists ------------------------------------------------------------------------------------- */

static enum fst_status convert(const struct fst_list_options *options, uint64_t *digest,
                               struct fst_error *err)
{
    const struct fst_profile_options kept = {.keep = FST_KEEP_STACKS, .seed = 1};
    struct fst_profile *profile = NULL;
    struct fst_list *list = NULL;
    enum fst_status status = fst_profile_new(&kept, &profile, err);
    if (status == FST_OK) {
        status = read_text_into(profile, texts[0], err);
    }
    if (status == FST_OK) {
        status = read_text_into(profile, texts[2], err);
    }
    if (status == FST_OK) {
        status = fst_list_new(profile, options, &list, err);
    }
    for (int target = FST_TARGET_JSON; status == FST_OK && target <= FST_TARGET_SPEEDSCOPE;
         target++) {
        status =
            fst_render_list(list, profile, (enum fst_target)target, digest_output, digest, err);
    }
    fst_list_free(list);
    fst_profile_free(profile);
    return status;
}

static enum fst_status convert_all(uint64_t *digest, struct fst_error *err)
{
    return convert(&(struct fst_list_options){.labels = true}, digest, err);
}

static enum fst_status convert_few(uint64_t *digest, struct fst_error *err)
{
    return convert(&(struct fst_list_options){.most = 1}, digest, err);
}

static void lists_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(convert_all, 40);
    require_safe(convert_few, 40);
}

/* --- sorted texts ------------------------------------------------------------------------------ */

/* A file of these bytes, which has no name. */
static int file_of(const char *text)
{
    int fd = memfd_create("sorted", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static enum fst_status read_sorted(uint64_t *digest, struct fst_error *err)
{
    static const char *const sorted_texts[] = {
        "# unit: samples\na;b 1\na;c 2\nprocess 7:\"p -c \nx\n\";m 3\n", "a;c 0.5\nb 1\n", ""};
    static const struct fst_str tag = {"t", 1};
    struct fst_sorted *sorted = NULL;
    int fds[FST_COUNT_OF(sorted_texts)];
    enum fst_status status = fst_sorted_new(&(struct fst_read_options){0}, &sorted, err);
    for (size_t i = 0; i < FST_COUNT_OF(sorted_texts); i++) {
        fds[i] = file_of(sorted_texts[i]);
        if (status == FST_OK) {
            status = fst_sorted_add_fd(sorted, fds[i], "text", err);
        }
    }
    if (status == FST_OK) {
        const struct fst_collapsed_options form = {.tags = &tag, .ntags = 1};
        status = fst_render_sorted(sorted, &form, digest_output, digest, err);
    }
    fst_sorted_free(sorted);
    for (size_t i = 0; i < FST_COUNT_OF(sorted_texts); i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    return status;
}

static void sorted_texts_survive_every_refusal(void **state)
{
    (void)state;
    require_safe(read_sorted, 20);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_survive_every_refusal),
        cmocka_unit_test(spreads_survive_every_refusal),
        cmocka_unit_test(temporary_files_survive_every_refusal),
        cmocka_unit_test(lists_survive_every_refusal),
        cmocka_unit_test(sorted_texts_survive_every_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
