/* A record reaches over a line end only where the quote of a process frame is open, for at most
 * FST_LOOKAHEAD_LINES lines and FST_LOOKAHEAD_BYTES bytes behind the line that it begins on, and
 * never over a line that begins with a process frame. So a line begins a record for sure if it
 * begins with one, or if no quote opens on the lines so far before it. */
#include "parse/cut.h"

#include "parse/record.h"

/* How many lines are tried. */
enum { TRIES = 256 };

/* Whether text has `process N:"` anywhere. */
static bool opens_quote(struct fst_str text)
{
    static const struct fst_str word = {"process ", 8};
    while (text.len > 0) {
        const char *at = memmem(text.data, text.len, word.data, word.len);
        if (at == NULL) {
            return false;
        }
        text = fst_str_skip(text, (size_t)(at - text.data));
        if (fst_quote_opening(text) > 0) {
            return true;
        }
        text = fst_str_skip(text, 1);
    }
    return false;
}

/* Where the line begins that ends right before `end`, which is a place behind a newline; 0 also
 * where that is not in text. */
static size_t line_before(struct fst_str text, size_t end)
{
    const char *newline = end < 2 ? NULL : memrchr(text.data, '\n', end - 1);
    return newline == NULL ? 0 : (size_t)(newline + 1 - text.data);
}

/* Whether no record can reach over a place because no quote at all stands on the lines before
 * it: so it is in nearly every text. */
static bool is_far_from_quotes(struct fst_str text, size_t at)
{
    if (at <= FST_LOOKAHEAD_BYTES) {
        return false;
    }
    size_t start = line_before(text, at - FST_LOOKAHEAD_BYTES);
    return start > 0 && memchr(text.data + start, '"', at - start) == NULL;
}

static bool is_cut(struct fst_str text, size_t at, bool whole)
{
    if (is_far_from_quotes(text, at) || fst_quote_opening(fst_str_skip(text, at)) > 0) {
        return true;
    }
    size_t end = at;
    for (int lines = 0; lines <= FST_LOOKAHEAD_LINES; lines++) {
        if (at - end > FST_LOOKAHEAD_BYTES) {
            return true;
        }
        size_t start = line_before(text, end);
        if (opens_quote(fst_str_of(text.data + start, end - start))) {
            return false;
        }
        if (start == 0) {
            return whole;
        }
        end = start;
    }
    return true;
}

size_t fst_cut_before(struct fst_str text, bool whole)
{
    const char *newline = text.len == 0 ? NULL : memrchr(text.data, '\n', text.len);
    size_t at = newline == NULL ? 0 : (size_t)(newline + 1 - text.data);
    for (int tries = 0; tries < TRIES && at > 0; tries++) {
        if (is_cut(text, at, whole)) {
            return at;
        }
        at = line_before(text, at);
    }
    return 0;
}
