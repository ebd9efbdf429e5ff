/* The stacks of any text must be written in every form; collapsed, they must be read back to the same
 * bytes, from a table and as sorted text; and speedscope's form must have the same total. */
#include <stdio.h>
#include <unistd.h>

#include "fuzz/text.h"

static const struct fst_profile_options keep_stacks = {.keep = FST_KEEP_STACKS, .seed = 1};

static struct text collapsed(const struct fst_profile *profile)
{
    struct text text = {NULL, 0};
    require(fst_render_collapsed(profile, &(struct fst_collapsed_options){0}, collect, &text,
                                 NULL) == FST_OK);
    return text;
}

static void require_same_text(const struct text *a, const struct text *b)
{
    require(a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0));
}

/* The sum of a sorted text alone is the text. */
static void require_sorted(const struct text *text, const struct fst_read_options *options)
{
    struct fst_sorted *sorted = NULL;
    struct text again = {NULL, 0};
    FILE *file = tmpfile();
    require(file != NULL && fwrite(text->data, 1, text->len, file) == text->len);
    require(fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0);
    require(fst_sorted_new(options, &sorted, NULL) == FST_OK);
    require(fst_sorted_add_fd(sorted, fileno(file), "fuzz", NULL) == FST_OK);
    require(fst_render_sorted(sorted, &(struct fst_collapsed_options){0}, collect, &again, NULL) ==
            FST_OK);
    require_same_text(text, &again);
    fst_sorted_free(sorted);
    (void)fclose(file);
    empty(&again);
}

static void require_read_back(const struct fst_profile *profile)
{
    struct text text = collapsed(profile);
    struct fst_profile *back = read_text(text.data, text.len, &keep_stacks, FST_DIALECT_GENERIC);
    if (back != NULL) {
        struct text again = collapsed(back);
        require_same_text(&text, &again);
        if (text.len > 0) {
            require_sorted(&text, &(struct fst_read_options){.dialect = FST_DIALECT_GENERIC});
        }
        empty(&again);
    }
    fst_profile_free(back);
    empty(&text);
}

/* The same total: of whole counts, for those with a fraction are read as doubles, which have some 16
 * digits. */
static void require_speedscope(const struct fst_profile *profile, const struct text *text)
{
    struct fst_profile *back = read_text(text->data, text->len, &keep_stacks, FST_DIALECT_AUTO);
    if (back != NULL) {
        require(same_count(fst_profile_total(back), fst_profile_total(profile)));
    }
    fst_profile_free(back);
}

static void list_all(const struct fst_profile *profile, const struct fst_list_options *options)
{
    struct fst_list *list = NULL;
    require(fst_list_new(profile, options, &list, NULL) == FST_OK);
    for (int target = FST_TARGET_JSON; target <= FST_TARGET_SPEEDSCOPE; target++) {
        struct text text = {NULL, 0};
        enum fst_status status =
            fst_render_list(list, profile, (enum fst_target)target, collect, &text, NULL);
        require(status == FST_OK || (status == FST_ERR_RANGE && target == FST_TARGET_PPROF));
        if (target != FST_TARGET_PPROF) {
            require_json(&text);
        }
        if (target == FST_TARGET_SPEEDSCOPE && list->fractions == 0) {
            require_speedscope(profile, &text);
        }
        empty(&text);
    }
    fst_list_free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct fst_profile *profile =
        read_text((const char *)data + 1, size - 1, &keep_stacks, FST_DIALECT_AUTO);
    if (profile != NULL) {
        require_read_back(profile);
        struct fst_list_options options = {.most = data[0] >> 1, .labels = (data[0] & 1) != 0};
        list_all(profile, &options);
    }
    fst_profile_free(profile);
    return 0;
}
