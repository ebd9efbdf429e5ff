/* Collapsed text, a line a stack. */
#include "base/count.h"
#include "base/error.h"
#include "base/number.h"
#include "base/numeric.h"
#include "io/sink.h"
#include "model/profile.h"
#include "model/sorted.h"
#include "render/partial.h"
#include "render/render.h"

/* A byte order mark at the start of a text is dropped when it is read: where it belongs to the first
 * stack, another one stands before it. */
#define BYTE_ORDER_MARK FST_STR("\xef\xbb\xbf")

static enum fst_status check_tags(const struct fst_collapsed_options *options,
                                  struct fst_error *err)
{
    for (size_t i = 0; i < options->ntags; i++) {
        struct fst_str tag = options->tags[i];
        if (tag.len == 0 || memchr(tag.data, ';', tag.len) != NULL ||
            memchr(tag.data, '\n', tag.len) != NULL) {
            return fst_error_set(err, FST_ERR_USAGE,
                                 "a tag must be a frame: neither empty nor with a semicolon or a "
                                 "newline in it");
        }
    }
    return FST_OK;
}

/* Writes one stack and its count. */
static void put_stack(struct fst_sink *sink, struct fst_str tags, struct fst_str text,
                      fst_i128 count)
{
    char digits[FST_COUNT_TEXT];
    size_t len = fst_count_format(count, digits);
    fst_buf_add_str(&sink->buf, tags);
    fst_buf_add_cstr(&sink->buf, tags.len > 0 && text.len > 0 ? ";" : "");
    fst_buf_add_str(&sink->buf, text);
    fst_buf_add_char(&sink->buf, ' ');
    fst_buf_add(&sink->buf, digits, len);
    fst_buf_add_char(&sink->buf, '\n');
    fst_sink_spill(sink);
}

/* Writes all of a stream, until that or writing fails; first: nothing stands before it. */
static enum fst_status put_stacks(struct fst_sink *sink, struct fst_str tags,
                                  struct fst_stream *stream, bool first, struct fst_error *err)
{
    bool more = true;
    enum fst_status status = fst_stream_next(stream, &more, err);
    while (status == FST_OK && more && sink->sys_errno == 0) {
        if (first && fst_str_starts(tags.len > 0 ? tags : stream->text, BYTE_ORDER_MARK)) {
            fst_buf_add_str(&sink->buf, BYTE_ORDER_MARK);
        }
        put_stack(sink, tags, stream->text, stream->count);
        first = false;
        status = fst_stream_next(stream, &more, err);
    }
    return status;
}

/* What all inputs' ticks are together; NaN unless all are known. */
static double ticks_of(const struct fst_profile *p)
{
    double ticks = 0;
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        if (input->status == FST_OK && input->stack_lines > 0) {
            ticks += input->ticks;
        }
    }
    return ticks;
}

/* "# key: value" lines, as parse/logline takes them. */
static void put_header(struct fst_sink *sink, const struct fst_profile *p)
{
    char total[FST_COUNT_TEXT];
    double ticks = ticks_of(p);
    (void)fst_count_format(p->total, total);
    fst_buf_add_fmt(&sink->buf, "# unit: %s\n# samples: %s\n", fst_unit_name(p->unit), total);
    if (ticks > 0) {
        fst_buf_add_cstr(&sink->buf, "# ticks: ");
        fst_number_json(&sink->buf, ticks);
        fst_buf_add_char(&sink->buf, '\n');
    }
}

/* profile: whose header goes before the stacks, or whose partial sum around them; NULL: neither. */
static enum fst_status write_stream(struct fst_stream *stream, const struct fst_profile *profile,
                                    const struct fst_collapsed_options *options, fst_write_fn write,
                                    void *ctx, struct fst_error *err)
{
    struct fst_buf tags = {0};
    for (size_t i = 0; i < options->ntags; i++) {
        fst_buf_add_cstr(&tags, i == 0 ? "" : ";");
        fst_buf_add_str(&tags, options->tags[i]);
    }
    struct fst_sink sink;
    fst_sink_init(&sink, write, ctx);
    sink.buf.failed = tags.failed;
    bool partial = profile != NULL && options->partial;
    if (partial) {
        fst_partial_put_head(&sink.buf, profile);
    } else if (profile != NULL) {
        put_header(&sink, profile);
    }
    enum fst_status status = put_stacks(&sink, fst_buf_str(&tags), stream, sink.buf.len == 0, err);
    if (status == FST_OK && partial &&
        !fst_partial_put_frames(&sink, profile, fst_buf_str(&tags))) {
        status = fst_error_nomem(err);
    }
    enum fst_status finished = fst_sink_finish(&sink, status == FST_OK ? err : NULL);
    fst_buf_release(&tags);
    return status == FST_OK ? finished : status;
}

enum fst_status fst_render_collapsed(const struct fst_profile *profile,
                                     const struct fst_collapsed_options *options,
                                     fst_write_fn write, void *ctx, struct fst_error *err)
{
    if (profile->options.keep != FST_KEEP_STACKS) {
        return fst_error_set(err, FST_ERR_USAGE, "the profile keeps no stacks");
    }
    if (options->partial && !profile->options.partial) {
        return fst_error_set(err, FST_ERR_USAGE, "the profile was not made for a partial sum");
    }
    enum fst_status status = check_tags(options, err);
    if (status != FST_OK) {
        return status;
    }
    struct fst_walk walk;
    struct fst_numeric locale;
    if (!fst_numeric_enter(&locale)) {
        return fst_error_nomem(err);
    }
    status = fst_walk_begin(&walk, &profile->stacks, err);
    if (status == FST_OK) {
        status = write_stream(&walk.all.base, options->header || options->partial ? profile : NULL,
                              options, write, ctx, err);
    }
    fst_walk_release(&walk);
    fst_numeric_leave(&locale);
    return status;
}

enum fst_status fst_render_sorted(struct fst_sorted *sorted,
                                  const struct fst_collapsed_options *options, fst_write_fn write,
                                  void *ctx, struct fst_error *err)
{
    struct fst_stream *stream;
    enum fst_status status = check_tags(options, err);
    if (status == FST_OK) {
        status = fst_sorted_begin(sorted, &stream, err);
    }
    return status == FST_OK ? write_stream(stream, NULL, options, write, ctx, err) : status;
}
