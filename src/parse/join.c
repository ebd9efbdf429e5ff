/* Putting together what several parsers have read of one text. */
#include "base/error.h"
#include "parse/asides.h"
#include "parse/parser.h"

static void add_counts(struct fst_input *into, const struct fst_input *from)
{
    into->bytes += from->bytes;
    into->stack_lines += from->stack_lines;
    into->comment_lines += from->comment_lines;
    into->blank_lines += from->blank_lines;
    into->log_lines += from->log_lines;
    into->bad_lines += from->bad_lines;
    into->bad_bytes += from->bad_bytes;
    into->rounded_lines += from->rounded_lines;
    into->negative_lines += from->negative_lines;
    into->large_lines += from->large_lines;
    into->unterminated = into->unterminated || from->unterminated;
    for (size_t i = 0; i < FST_BAD_REASONS; i++) {
        into->bad_by_reason[i] += from->bad_by_reason[i];
    }
}

/* Puts a bad line where it belongs among the first ones, if it is one of them. */
static bool insert_bad(struct fst_parser *first, const struct fst_bad_line *bad)
{
    struct fst_input *stats = first->stats;
    size_t at = stats->nbad;
    while (at > 0 && stats->bad[at - 1].line > bad->line) {
        at--;
    }
    if (at == FST_BAD_LINES_KEPT) {
        return true;
    }
    struct fst_buf text = {0};
    if (!fst_buf_add_str(&text, bad->text)) {
        return false;
    }
    size_t last = stats->nbad < FST_BAD_LINES_KEPT ? stats->nbad++ : FST_BAD_LINES_KEPT - 1;
    fst_buf_release(&first->excerpts[last]);
    for (size_t i = last; i > at; i--) {
        stats->bad[i] = stats->bad[i - 1];
        first->excerpts[i] = first->excerpts[i - 1];
    }
    stats->bad[at] = *bad;
    first->excerpts[at] = text;
    stats->bad[at].text = fst_buf_str(&first->excerpts[at]);
    return true;
}

enum fst_status fst_parser_join(struct fst_parser *first, const struct fst_parser *other,
                                struct fst_error *err)
{
    const struct fst_input *from = other->stats;
    add_counts(first->stats, from);
    for (size_t i = 0; i < from->nbad; i++) {
        if (!insert_bad(first, &from->bad[i])) {
            return fst_error_nomem(err);
        }
    }
    bool kept =
        other->asides->len == 0 || fst_buf_add_str(first->asides, fst_buf_str(other->asides));
    return kept ? FST_OK : fst_error_nomem(err);
}

uint64_t fst_block_line(const struct fst_block_lines *lines, uint64_t line)
{
    uint64_t before = 0;
    size_t block = (size_t)(line / fst_block_origin(1));
    for (size_t i = 0; i < block && i < lines->count; i++) {
        before += lines->items[i];
    }
    return before + line % fst_block_origin(1);
}

enum fst_status fst_parser_joined(struct fst_parser *first, const struct fst_block_lines *lines,
                                  struct fst_error *err)
{
    struct fst_input *stats = first->stats;
    stats->lines = 0;
    for (size_t i = 0; i < lines->count; i++) {
        stats->lines += lines->items[i];
    }
    for (size_t i = 0; i < stats->nbad; i++) {
        stats->bad[i].line = fst_block_line(lines, stats->bad[i].line);
    }
    bool taken = fst_asides_take(first->asides, &first->recording);
    first->asides = NULL;
    return taken ? FST_OK : fst_error_nomem(err);
}
