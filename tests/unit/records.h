/* Texts written down as the records that are found in them, one a line:
 *
 *     main|a| 3           a stack: a bar behind every frame, then the count ("~3": rounded)
 *     bad count @23+4     a bad line: the reason, then offset and length of the mark
 *     blank, comment, log
 *     5 lines: …          before any of them, if it takes more than one
 */
#ifndef FST_TESTS_RECORDS_H
#define FST_TESTS_RECORDS_H

#include "unit/helpers.h"

#include <time.h>

#include "base/escape.h"
#include "parse/record.h"

/* How much longer the text of a test of costs is than the text that it is compared with. */
enum { LONGER = 8 };

static inline double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* A text LONGER times as long may cost LONGER times as much, with room for a machine that has other
 * work (4 times, and half a second); a cost that grows with the square costs LONGER² times. */
#define REQUIRE_LINEAR(brief, full, row)                                                           \
    REQUIRE((full) < 4 * LONGER * (brief) + 0.5,                                                   \
            "row %zu: %.2f seconds, an eighth of it took %.2f", (size_t)(row), (full), (brief))

static inline void add_times(struct fst_buf *text, const char *piece, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        assert_true(fst_buf_add_cstr(text, piece));
    }
}

struct row {
    struct fst_str text;
    const char *records;
};

#define ROW(text, records)                                                                         \
    {                                                                                              \
        {(text), sizeof(text) - 1}, (records)                                                      \
    }

static inline void add_stack(struct fst_buf *out, const struct fst_record *record)
{
    for (size_t i = 0; i < record->nframes; i++) {
        fst_escape_text(out, record->frames[i]);
        fst_buf_add_char(out, '|');
    }
    char count[FST_COUNT_TEXT];
    (void)fst_count_format(record->count, count);
    fst_buf_add_fmt(out, " %s%s\n", record->rounded ? "~" : "", count);
}

static inline void add_record(struct fst_buf *out, const struct fst_record *record)
{
    static const char *const reasons[] = {
        [FST_BAD_NO_COUNT] = "count", [FST_BAD_COUNT_RANGE] = "range", [FST_BAD_QUOTE] = "quote"};
    if (record->lines != 1) {
        fst_buf_add_fmt(out, "%llu lines: ", (unsigned long long)record->lines);
    }
    switch (record->kind) {
    case FST_RECORD_BLANK: fst_buf_add_cstr(out, "blank\n"); break;
    case FST_RECORD_COMMENT: fst_buf_add_cstr(out, "comment\n"); break;
    case FST_RECORD_LOG: fst_buf_add_cstr(out, "log\n"); break;
    case FST_RECORD_STACK: add_stack(out, record); break;
    case FST_RECORD_BAD:
        fst_buf_add_fmt(out, "bad %s @%zu+%zu\n", reasons[record->reason], record->mark,
                        record->mark_len);
    }
}

static inline void add_records(struct fst_buf *out, struct fst_str text)
{
    struct fst_scanner scanner = {0};
    while (text.len > 0) {
        struct fst_record record;
        assert_int_equal(fst_record_next(&scanner, text, true, &record), FST_RECORD_FOUND);
        assert_in_range(record.size, 1, text.len);
        assert_int_equal(record.newline, text.data[record.size - 1] == '\n');
        add_record(out, &record);
        text = fst_str_skip(text, record.size);
    }
    fst_scanner_release(&scanner);
}

/* A prefix that may go on holds back its first record or gives the one of the whole text. */
static inline void require_prefixes(size_t row, struct fst_str text)
{
    struct fst_scanner scanner = {0};
    struct fst_record whole;
    struct fst_buf wanted = {0};
    struct fst_buf got = {0};
    assert_int_equal(fst_record_next(&scanner, text, true, &whole), FST_RECORD_FOUND);
    add_record(&wanted, &whole);
    assert_true(fst_buf_add_char(&wanted, '\0'));
    for (size_t len = 1; len <= text.len; len++) {
        struct fst_record record;
        if (fst_record_next(&scanner, fst_str_of(text.data, len), false, &record) ==
            FST_RECORD_FOUND) {
            fst_buf_clear(&got);
            add_record(&got, &record);
            require_text(row, fst_buf_str(&got), wanted.data);
            assert_int_equal(record.size, whole.size);
            assert_true(record.newline);
        }
    }
    fst_buf_release(&wanted);
    fst_buf_release(&got);
    fst_scanner_release(&scanner);
}

static inline void require_rows(const struct row *rows, size_t count)
{
    struct fst_buf got = {0};
    for (size_t i = 0; i < count; i++) {
        fst_buf_clear(&got);
        add_records(&got, rows[i].text);
        require_text(i, fst_buf_str(&got), rows[i].records);
        require_prefixes(i, rows[i].text);
    }
    fst_buf_release(&got);
}

#endif
