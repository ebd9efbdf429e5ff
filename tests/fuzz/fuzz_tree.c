/* The call tree of any text, what is around its frames, and its picture must come out in every format;
 * and the picture, read back, must have the counts that the profile has. */
#include "fuzz/text.h"

/* What the first byte decides. */
struct choices {
    enum fst_by by;
    bool reverse;
    uint32_t width; /* of the terminal, and the depth of the tree */
};

static struct choices choose(uint8_t byte)
{
    static const enum fst_by bys[] = {FST_BY_FRAME, FST_BY_FUNCTION, FST_BY_FILE, FST_BY_MODULE};
    return (struct choices){
        .by = bys[byte & 3], .reverse = (byte & 4) != 0, .width = 10U + (byte >> 3)};
}

/* Writes a tree, or what is around its frames, in every format that both have. */
static void render_all(const struct fst_profile *profile, const struct fst_tree *tree,
                       const struct fst_peek *peek, size_t narrow)
{
    static const enum fst_format formats[] = {FST_FORMAT_TABLE, FST_FORMAT_JSON, FST_FORMAT_CSV,
                                              FST_FORMAT_TSV, FST_FORMAT_MARKDOWN};
    for (size_t i = 0; i < 2 * sizeof formats / sizeof *formats; i++) {
        enum fst_format format = formats[i / 2];
        struct fst_render_options look = looks(i % 2 == 0 ? 0 : narrow);
        struct text text = {NULL, 0};
        struct fst_error err;
        enum fst_status status =
            peek == NULL ? fst_render_tree(tree, profile, format, &look, collect, &text, &err)
                         : fst_render_peek(peek, profile, format, &look, collect, &text, &err);
        require(status == FST_OK);
        if (format == FST_FORMAT_JSON) {
            require_json(&text);
        }
        empty(&text);
    }
}

static void try_tree(const struct fst_profile *profile, struct choices choices)
{
    struct fst_tree_options options = {.reverse = choices.reverse, .max_depth = choices.width};
    struct fst_tree *tree = NULL;
    struct fst_error err;
    if (fst_tree_new(profile, &options, &tree, &err) == FST_OK) {
        render_all(profile, tree, NULL, choices.width);
    }
    fst_tree_free(tree);
}

static void try_peek(const char *bytes, size_t len, struct choices choices)
{
    struct fst_profile_options keep = {
        .by = choices.by, .tree = true, .tree_of_frames = true, .seed = 1};
    struct fst_peek_options options = {.pattern = {".", 1}, .matches = 4};
    struct fst_profile *profile = read_text(bytes, len, &keep, FST_DIALECT_AUTO);
    struct fst_peek *peek = NULL;
    struct fst_error err;
    if (profile != NULL && fst_peek_new(profile, &options, &peek, &err) == FST_OK) {
        render_all(profile, NULL, peek, choices.width);
    }
    fst_peek_free(peek);
    fst_profile_free(profile);
}

/* The picture has all counts, but for those that have no width: negative ones, and where others are so
 * large that its units are. */
static void try_flame(const struct fst_profile *profile, struct choices choices)
{
    struct fst_flame_options options = {.reverse = choices.reverse, .every_frame = true};
    struct fst_flame *flame = NULL;
    struct fst_error err;
    if (fst_flame_new(profile, NULL, &options, &flame, &err) != FST_OK) {
        return;
    }
    struct text text = {NULL, 0};
    require(fst_render_flame(flame, &(struct fst_picture_options){0}, collect, &text, &err) ==
            FST_OK);
    struct fst_profile *back =
        read_text(text.data, text.len, &(struct fst_profile_options){.seed = 1}, FST_DIALECT_AUTO);
    require(back != NULL);
    if (flame->below_zero.frames == 0 && !flame->rounded) {
        require(same_count(fst_profile_total(back), fst_profile_total(profile)));
    }
    fst_profile_free(back);
    empty(&text);
    fst_flame_free(flame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *bytes = (const char *)data + 1;
    struct choices choices = choose(data[0]);
    struct fst_profile_options keep = {.by = choices.by, .tree = true, .seed = 1};
    struct fst_profile *profile = read_text(bytes, size - 1, &keep, FST_DIALECT_AUTO);
    if (profile != NULL) {
        try_tree(profile, choices);
        try_flame(profile, choices);
        try_peek(bytes, size - 1, choices);
    }
    fst_profile_free(profile);
    return 0;
}
