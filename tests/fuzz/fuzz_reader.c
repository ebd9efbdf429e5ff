/* Any text, cut into pieces as its first byte says, must be read without a fault, and must give the
 * same report as when it comes in one piece. */
#include "fuzz/text.h"

/* The profile beside itself, in every format that gil has. */
static void append_gil(struct text *text, const struct fst_profile *profile, size_t width)
{
    struct fst_gil *gil = NULL;
    struct fst_gil_options ticks = {.gil_ticks = 100, .all_ticks = 50};
    struct fst_render_options options = {.width = width, .colour = true, .terminal = true};
    if (fst_gil_new(profile, profile, profile, &ticks, &gil, NULL) != FST_OK) {
        abort();
    }
    for (int format = FST_FORMAT_TABLE; format <= FST_FORMAT_MARKDOWN; format++) {
        if (format != FST_FORMAT_PLAIN &&
            fst_render_gil(gil, (enum fst_format)format, &options, collect, text, NULL) != FST_OK) {
            abort();
        }
    }
    fst_gil_free(gil);
}

/* The JSON report of bytes fed in pieces of `step` bytes; empty where reading fails. */
static struct text report(const char *bytes, size_t len, size_t step, size_t width, enum fst_by by,
                          bool leaf_first)
{
    struct fst_profile *profile = NULL;
    struct fst_reader *reader = NULL;
    struct fst_top *top = NULL;
    struct text text = {NULL, 0};
    struct fst_profile_options options = {.by = by, .threads = true, .seed = 1};
    struct fst_read_options reading = {.leaf_first = leaf_first};
    if (fst_profile_new(&options, &profile, NULL) != FST_OK ||
        fst_reader_new(profile, "fuzz", &reading, &reader, NULL) != FST_OK) {
        abort();
    }
    enum fst_status status = FST_OK;
    for (size_t at = 0; at < len && status == FST_OK; at += step) {
        status = fst_reader_feed(reader, bytes + at, len - at < step ? len - at : step, NULL);
    }
    if (status == FST_OK && fst_reader_finish(reader, NULL) == FST_OK &&
        fst_top_new(profile, &(struct fst_top_options){0}, &top, NULL) == FST_OK) {
        /* Every renderer, and the table also on a narrow terminal. */
        for (int format = FST_FORMAT_TABLE; format <= FST_FORMAT_MARKDOWN; format++) {
            struct fst_render_options wide = {.label = "L"};
            struct fst_render_options narrow = {.width = width, .colour = true, .terminal = true};
            if (fst_render_top(top, profile, (enum fst_format)format, &wide, collect, &text,
                               NULL) != FST_OK ||
                fst_render_top(top, profile, (enum fst_format)format, &narrow, collect, &text,
                               NULL) != FST_OK) {
                abort();
            }
        }
        fst_top_free(top);
        append_gil(&text, profile, width);
    }
    fst_reader_free(reader);
    fst_profile_free(profile);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t step = (data[0] & 0x1f) + 1U;
    enum fst_by by = (enum fst_by)((data[0] >> 5) % 6);
    bool leaf_first = data[0] >= 0xc0;
    struct text whole = report((const char *)data + 1, size - 1, size, step + 10, by, leaf_first);
    struct text pieces = report((const char *)data + 1, size - 1, step, step + 10, by, leaf_first);
    if (whole.len != pieces.len ||
        (whole.len > 0 && memcmp(whole.data, pieces.data, whole.len) != 0)) {
        abort();
    }
    empty(&whole);
    empty(&pieces);
    return 0;
}
