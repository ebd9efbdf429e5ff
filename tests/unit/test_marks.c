/* Every way of finding marks finds those that a plain loop finds, wherever they stand in a block. */
#include "unit/helpers.h"

#include "parse/marks.h"

/* What a plain loop finds, in the form of require_marks. */
struct plain {
    struct fst_marks marks;
    bool lines_only;
};

static void find_plainly(struct plain *plain, struct fst_str text)
{
    struct fst_marks *marks = &plain->marks;
    uint32_t semicolons = 0;
    marks->count = marks->lines = marks->nquotes = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        semicolons += c == ';';
        if (c == '\n') {
            marks->depths[marks->lines] = semicolons;
            marks->line_ends[marks->lines++] = (uint32_t)marks->count;
        }
        if (c == '\n' || (c == ';' && !plain->lines_only)) {
            marks->at[marks->count++] = (uint32_t)i;
        }
        if (c == '"') {
            marks->quotes[marks->nquotes++] = (uint32_t)i;
        }
    }
}

static void require_marks(const char *way, const struct fst_marks *got, const struct plain *plain)
{
    const struct fst_marks *wanted = &plain->marks;
    REQUIRE(got->count == wanted->count && got->lines == wanted->lines &&
                got->nquotes == wanted->nquotes,
            "%s: %zu marks, %zu lines, %zu quotes; wanted %zu, %zu, %zu", way, got->count,
            got->lines, got->nquotes, wanted->count, wanted->lines, wanted->nquotes);
    assert_memory_equal(got->at, wanted->at, got->count * sizeof *got->at);
    assert_memory_equal(got->line_ends, wanted->line_ends, got->lines * sizeof *got->line_ends);
    assert_memory_equal(got->quotes, wanted->quotes, got->nquotes * sizeof *got->quotes);
    if (plain->lines_only) {
        assert_memory_equal(got->depths, wanted->depths, got->lines * sizeof *got->depths);
    }
}

/* Compares all ways over text, which is copied to an end of memory that a sanitizer guards. */
static void require_all_ways(struct fst_str text)
{
    const struct fst_marks_way *ways;
    size_t count = fst_marks_ways(&ways);
    struct fst_marks marks = {0};
    struct plain plain = {.lines_only = false};
    char *copy = malloc(text.len + 1);
    assert_non_null(copy);
    memcpy(copy, text.data, text.len);
    struct fst_str guarded = fst_str_of(copy, text.len);
    assert_true(fst_marks_reserve(&marks, text.len + 1) &&
                fst_marks_reserve(&plain.marks, text.len + 1));
    for (size_t i = 0; i < count; i++) {
        plain.lines_only = false;
        find_plainly(&plain, guarded);
        ways[i].all(&marks, guarded.data, guarded.len);
        require_marks(ways[i].name, &marks, &plain);
        plain.lines_only = true;
        find_plainly(&plain, guarded);
        ways[i].lines(&marks, guarded.data, guarded.len);
        require_marks(ways[i].name, &marks, &plain);
    }
    fst_marks_release(&marks);
    fst_marks_release(&plain.marks);
    free(copy);
}

static void there_is_a_way_for_every_machine(void **state)
{
    (void)state;
    const struct fst_marks_way *ways;
    size_t count = fst_marks_ways(&ways);
    assert_true(count >= 1);
    assert_string_equal(ways[count - 1].name, "words");
}

static void each_byte_is_told_from_its_neighbours(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char text[130];
        memset(text, byte, sizeof text);
        require_all_ways(fst_str_of(text, sizeof text));
        for (size_t i = 0; i < sizeof text; i += 7) {
            text[i] = ";\n\""[i % 3];
        }
        require_all_ways(fst_str_of(text, sizeof text));
    }
}

static void every_length_is_marked_to_its_end(void **state)
{
    (void)state;
    static const char *const fillings[] = {";", "\n", "\"", "a", ";\n\"a", "\n\n\n;"};
    char text[200];
    for (size_t i = 0; i < FST_COUNT_OF(fillings); i++) {
        for (size_t at = 0; at < sizeof text; at++) {
            text[at] = fillings[i][at % strlen(fillings[i])];
        }
        for (size_t len = 0; len <= sizeof text; len++) {
            require_all_ways(fst_str_of(text, len));
        }
    }
}

static void random_texts_are_marked_alike(void **state)
{
    (void)state;
    uint64_t chances = take_seed("marks");
    static char text[FST_MARKS_TEXT];
    for (size_t i = 0; i < 20; i++) {
        size_t rarity = 4 + chance_below(&chances, 200);
        for (size_t at = 0; at < sizeof text; at++) {
            size_t draw = chance_below(&chances, rarity);
            text[at] = draw < 3 ? ";\n\""[draw] : (char)chance_below(&chances, 256);
        }
        require_all_ways(
            fst_str_of(text, i == 0 ? sizeof text : chance_below(&chances, sizeof text)));
    }
    memset(text, ';', sizeof text);
    require_all_ways(fst_str_of(text, sizeof text));
    memset(text, '\n', sizeof text);
    require_all_ways(fst_str_of(text, sizeof text));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_way_for_every_machine),
        cmocka_unit_test(each_byte_is_told_from_its_neighbours),
        cmocka_unit_test(every_length_is_marked_to_its_end),
        cmocka_unit_test(random_texts_are_marked_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
