#include "parse/asides.h"

#include <stdlib.h>

#include "base/alloc.h"

/* What stands before each text. */
struct header {
    uint64_t line;
    uint64_t len;
    bool comment;
};

/* An aside that was found again. */
struct aside {
    struct header header;
    const char *text;
};

void fst_aside_take(struct fst_recording *recording, bool comment, struct fst_str text)
{
    if (comment && fst_is_partial_line(text)) {
        fst_buf_add_str(&recording->partial, text);
        fst_buf_add_char(&recording->partial, '\n');
    } else if (comment) {
        fst_recording_take_comment(recording, text);
    } else {
        fst_recording_take_log(recording, text);
    }
}

bool fst_aside_keep(struct fst_buf *asides, uint64_t line, bool comment, struct fst_str text)
{
    struct header header = {line, text.len, comment};
    return fst_buf_add(asides, (const char *)&header, sizeof header) &&
           fst_buf_add_str(asides, text);
}

/* The aside at offset `at`; returns the offset behind it. */
static size_t read_aside(const struct fst_buf *asides, size_t at, struct aside *aside)
{
    memcpy(&aside->header, asides->data + at, sizeof aside->header);
    aside->text = asides->data + at + sizeof aside->header;
    return at + sizeof aside->header + aside->header.len;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = ((const struct aside *)left)->header.line;
    uint64_t b = ((const struct aside *)right)->header.line;
    return (a > b) - (a < b);
}

bool fst_asides_take(const struct fst_buf *asides, struct fst_recording *recording)
{
    size_t count = 0;
    struct aside aside;
    for (size_t at = 0; at < asides->len; count++) {
        at = read_aside(asides, at, &aside);
    }
    if (count == 0) {
        return true;
    }
    struct aside *sorted = fst_alloc_zeroed(count, sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (size_t at = 0, i = 0; at < asides->len; i++) {
        at = read_aside(asides, at, &sorted[i]);
    }
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++) {
        fst_aside_take(recording, sorted[i].header.comment,
                       fst_str_of(sorted[i].text, sorted[i].header.len));
    }
    fst_free(sorted);
    return true;
}
