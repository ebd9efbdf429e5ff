/* What is kept of bad lines for a message: where they stand, and the part around the mark. */
#include "unit/helpers.h"

#include "base/escape.h"

/* More than this of a line is too much for a message. */
enum { LONGEST = 120 };

static const struct fst_input *input_of(const struct fst_profile *profile)
{
    size_t count = 0;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    assert_int_equal(count, 1);
    return inputs;
}

/* "12:3 reason text with the [mark] in it", and "…" where the text is cut. */
static void add_bad(struct fst_buf *out, const struct fst_bad_line *bad)
{
    assert_true(bad->mark + bad->mark_len <= bad->text.len);
    fst_buf_add_fmt(out, "%llu:%llu %s: ", (unsigned long long)bad->line,
                    (unsigned long long)bad->column, fst_bad_reason_text(bad->reason));
    fst_buf_add_cstr(out, bad->cut_before ? "…" : "");
    fst_buf_add(out, bad->text.data, bad->mark);
    fst_buf_add_char(out, '[');
    fst_buf_add(out, bad->text.data + bad->mark, bad->mark_len);
    fst_buf_add_char(out, ']');
    fst_buf_add_str(out, fst_str_skip(bad->text, bad->mark + bad->mark_len));
    fst_buf_add_cstr(out, bad->cut_after ? "…" : "");
}

static void a_bad_line_says_where_a_count_was_expected(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* its first bad line is shown */
        const char *shown;
    } rows[] = {
        {"a 1\nmain (a.py:3);bad line here\n",
         "2:24 expected a sample count: main (a.py:3);bad line [here]"},
        {"here\na 1\n", "1:1 expected a sample count: [here]"},
        {"a 1\r\n\r\nb x \r\n", "3:3 expected a sample count: b [x] "},
        {"\xef\xbb\xbf"
         "b x\na 1\n",
         "1:3 expected a sample count: b [x]"},
        {"a 1\nb x", "2:3 expected a sample count: b [x]"},
        {"a 1\na 1e99\n", "2:3 the sample count is out of range: a [1e99]"},
        {"process 1:\"x\ny\" 1\nm z\n", "3:3 expected a sample count: m [z]"},
        {"a 1\nm;process 12:\"a b\n",
         "2:3 expected a semicolon or a count behind a quote that closes this process frame: "
         "m;[process 12:\"]a b"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf got = {0};
        struct fst_profile *profile =
            profile_of(rows[i].text, (struct fst_profile_options){.seed = 1});
        add_bad(&got, &input_of(profile)->bad[0]);
        require_text(i, fst_buf_str(&got), rows[i].shown);
        fst_buf_release(&got);
        fst_profile_free(profile);
    }
}

static void the_first_three_are_kept(void **state)
{
    (void)state;
    struct fst_profile *profile = profile_of("a 1\nb\na 1\nc\na 1\nd x\na 1\ne 1e99\na 1\nf\n",
                                             (struct fst_profile_options){.seed = 1});
    const struct fst_input *input = input_of(profile);
    assert_int_equal(input->bad_lines, 5);
    assert_int_equal(input->bad_by_reason[FST_BAD_NO_COUNT], 4);
    assert_int_equal(input->bad_by_reason[FST_BAD_COUNT_RANGE], 1);
    assert_int_equal(input->bad_by_reason[FST_BAD_QUOTE], 0);
    assert_int_equal(input->bad_bytes, 2 + 2 + 4 + 7 + 2);
    assert_int_equal(input->nbad, FST_BAD_LINES_KEPT);
    static const char *const texts[FST_BAD_LINES_KEPT] = {"b", "c", "d x"};
    for (size_t i = 0; i < FST_BAD_LINES_KEPT; i++) {
        require_text(i, input->bad[i].text, texts[i]);
        assert_int_equal(input->bad[i].line, 2 + 2 * i);
    }
    fst_profile_free(profile);
}

/* Reads "a 1" and line, and checks what is kept of line, whose token of `size` bytes stands at
 * `at`. */
static void require_excerpt(struct fst_str line, const char *line_end, size_t at, size_t size)
{
    struct fst_buf text = {0};
    struct fst_profile *profile = new_profile((struct fst_profile_options){.seed = 1});
    fst_buf_add_cstr(&text, "a 1\n");
    fst_buf_add_str(&text, line);
    fst_buf_add_cstr(&text, line_end);
    read_text(profile, fst_buf_str(&text), "test");
    const struct fst_bad_line *bad = input_of(profile)->bad;
    assert_int_equal(bad->line, 2);
    assert_int_equal(bad->column, at + 1);
    assert_in_range(bad->mark, 0, at);
    size_t from = at - bad->mark;
    size_t to = from + bad->text.len;
    assert_in_range(to, at, line.len);
    assert_memory_equal(bad->text.data, line.data + from, bad->text.len);
    assert_int_equal(bad->cut_before, from > 0);
    assert_int_equal(bad->cut_after, to < line.len);
    assert_int_equal(bad->mark_len, at + size < to ? size : to - at);
    assert_true(bad->text.len <= LONGEST);
    assert_true(bad->mark_len == size || bad->mark_len >= 20);
    assert_true(fst_is_utf8(bad->text));
    if (line.len <= 100) {
        assert_int_equal(bad->text.len, line.len);
    }
    fst_profile_free(profile);
    fst_buf_release(&text);
}

/* Lines of `before` letters and a token of `shift` bytes and `size` letters, with `behind` blanks
 * behind it. */
static void require_excerpts(const char *letter, size_t before, size_t shift, size_t size,
                             size_t behind)
{
    struct fst_buf line = {0};
    for (size_t i = 0; i < before; i++) {
        fst_buf_add_cstr(&line, letter);
    }
    fst_buf_add_char(&line, ' ');
    size_t at = line.len;
    fst_buf_add_fill(&line, 'x', shift);
    for (size_t i = 0; i < size; i++) {
        fst_buf_add_cstr(&line, letter);
    }
    size_t bytes = line.len - at;
    fst_buf_add_fill(&line, ' ', behind);
    require_excerpt(fst_buf_str(&line), "\n", at, bytes);
    require_excerpt(fst_buf_str(&line), "\r\n", at, bytes);
    require_excerpt(fst_buf_str(&line), "", at, bytes);
    fst_buf_release(&line);
}

static void of_a_long_line_the_part_around_the_mark_is_kept(void **state)
{
    (void)state;
    static const size_t befores[] = {0, 1, 30, 46, 47, 48, 49, 50, 51, 52, 75, 76, 100, 5000};
    static const size_t sizes[] = {1, 22, 23, 24, 25, 26, 46, 47, 48, 49, 50, 51, 5000};
    static const char *const letters[] = {"x", "é", "ア", "😀"};
    for (size_t k = 0; k < FST_COUNT_OF(letters); k++) {
        for (size_t b = 0; b < FST_COUNT_OF(befores); b++) {
            for (size_t s = 0; s < FST_COUNT_OF(sizes); s++) {
                require_excerpts(letters[k], befores[b], s % 4, sizes[s], 0);
            }
        }
    }
    for (size_t behind = 0; behind < 120; behind++) {
        require_excerpts("x", 60, 0, 30, behind);
        require_excerpts("é", 3, 1, 5, behind);
    }
}

static void an_open_quote_is_marked_in_a_long_line(void **state)
{
    (void)state;
    for (size_t behind = 0; behind < 200; behind++) {
        struct fst_buf line = {0};
        fst_buf_add_fill(&line, 'x', 70);
        fst_buf_add_cstr(&line, ";process 1:\"");
        fst_buf_add_fill(&line, 'y', behind);
        require_excerpt(fst_buf_str(&line), "\n", 71, sizeof "process 1:\"" - 1);
        fst_buf_release(&line);
    }
}

static void bytes_that_are_not_utf8_are_kept_too(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    fst_buf_add_cstr(&text, "a 1\n");
    fst_buf_add_fill(&text, '\xbf', 200);
    fst_buf_add_char(&text, ' ');
    fst_buf_add_fill(&text, '\xff', 200);
    fst_buf_add_char(&text, '\n');
    struct fst_profile *profile = new_profile((struct fst_profile_options){.seed = 1});
    read_text(profile, fst_buf_str(&text), "test");
    const struct fst_bad_line *bad = input_of(profile)->bad;
    assert_int_equal(bad->column, 202);
    assert_true(bad->cut_before && bad->cut_after);
    assert_true(bad->mark_len >= 20 && bad->text.len <= LONGEST);
    assert_int_equal((unsigned char)bad->text.data[bad->mark], 0xff);
    fst_profile_free(profile);
    fst_buf_release(&text);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_line_says_where_a_count_was_expected),
        cmocka_unit_test(the_first_three_are_kept),
        cmocka_unit_test(of_a_long_line_the_part_around_the_mark_is_kept),
        cmocka_unit_test(an_open_quote_is_marked_in_a_long_line),
        cmocka_unit_test(bytes_that_are_not_utf8_are_kept_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
