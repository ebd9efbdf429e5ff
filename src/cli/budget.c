#include "cli/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/compat.h"
#include "base/error.h"
#include "base/number.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/scan.h"

/* Where budgets are read from, for messages. */
struct place {
    const char *option; /* "--max-self"; of a file: NULL */
    const char *path;
    uint64_t line;
    struct fst_str text; /* the line; the option's value */
};

/* Points at a byte of the text. */
static int point(const struct place *place, const char *at, const struct fst_error *err)
{
    struct fst_selection_fault fault = {
        .text = place->text, .mark = (size_t)(at - place->text.data), .line = place->line};
    fst_report_fault(&fault, place->path, err);
    return FST_EXIT_USAGE;
}

/* Refuses what stands at a byte of the text. */
static int refuse(const struct place *place, const char *at, const char *expected)
{
    if (place->option != NULL) {
        return fst_scan_refuse(place->option, place->text.data, expected);
    }
    struct fst_error err;
    (void)fst_error_set(&err, FST_ERR_USAGE, "expected %s", expected);
    return point(place, at, &err);
}

/* --- a budget --------------------------------------------------------------------------------- */

/* "2pp", "5%": a number of points or of percent, above 0 to 100. */
static bool read_limit(struct fst_str text, struct fst_str unit, double *out)
{
    if (!fst_str_ends(text, unit) || text.len == unit.len) {
        return false;
    }
    double percent = 0;
    bool good = fst_number_parse(fst_str_of(text.data, text.len - unit.len), &percent);
    *out = percent / 100;
    return good && percent > 0 && percent <= 100;
}

/* A bad pattern is told before recordings are read. In a file the caret is under its line. */
static int check_pattern(const struct place *place, const struct fst_budget *budget)
{
    struct fst_error err = {0};
    struct fst_selection_fault fault = {.text = budget->pattern};
    if (budget->pattern.data == NULL ||
        fst_pattern_check(budget->pattern, &fault, &err) == FST_OK) {
        return 0;
    }
    if (place->option == NULL && err.code == FST_ERR_USAGE) {
        return point(place, budget->pattern.data + fault.mark, &err);
    }
    fault.option = err.code == FST_ERR_USAGE ? fst_budget_name(budget->kind) : NULL;
    fst_report_fault(&fault, NULL, &err);
    return FST_EXIT_USAGE;
}

/* The last "=" of text; NULL: there is none. */
static const char *find_equals(struct fst_str text)
{
    const char *found = NULL;
    for (size_t i = 0; i < text.len; i++) {
        found = text.data[i] == '=' ? text.data + i : found;
    }
    return found;
}

/* "5%", "RE=5%" */
static int take(struct fst_cli *cli, enum fst_budget_kind kind, struct fst_str value,
                const struct place *place)
{
    bool increase = kind == FST_BUDGET_INCREASE;
    const char *equals = find_equals(value);
    struct fst_str limit =
        equals == NULL ? value : fst_str_skip(value, (size_t)(equals + 1 - value.data));
    struct fst_budget budget = {.kind = kind, .file = place->path, .line = place->line};
    if (equals != NULL) {
        budget.pattern = fst_str_of(value.data, (size_t)(equals - value.data));
    }
    if (!read_limit(limit, increase ? FST_STR("pp") : FST_STR("%"), &budget.limit)) {
        return refuse(place, limit.data,
                      increase ? "points of share such as 2pp, or RE=2pp, up to 100pp"
                               : "a share such as 5%, or RE=5%, up to 100%");
    }
    int code = check_pattern(place, &budget);
    if (code == 0) {
        cli->budgets[cli->nbudgets++] = budget;
    }
    return code;
}

int fst_budget_take(struct fst_cli *cli, enum fst_budget_kind kind, const char *value)
{
    const struct place place = {.option = cli->option, .text = fst_str_cstr(value)};
    if (cli->nbudgets == FST_BUDGETS_MOST) {
        fst_report("%s: more than %d budgets", cli->option, FST_BUDGETS_MOST);
        return FST_EXIT_USAGE;
    }
    return take(cli, kind, place.text, &place);
}

/* --- files ------------------------------------------------------------------------------------ */

/* How many bytes text begins with that are blanks, or that are none. */
static size_t count_run(struct fst_str text, bool blanks)
{
    size_t count = 0;
    while (count < text.len && fst_is_blank(text.data[count]) == blanks) {
        count++;
    }
    return count;
}

/* "max-self RE=5%": a word, blanks, a value. */
static int take_budget(struct fst_cli *cli, struct fst_str text, const struct place *place)
{
    static const enum fst_budget_kind kinds[] = {FST_BUDGET_INCREASE, FST_BUDGET_SELF,
                                                 FST_BUDGET_TOTAL};
    struct fst_str word = fst_str_of(text.data, count_run(text, false));
    struct fst_str rest = fst_str_skip(text, word.len);
    for (size_t i = 0; i < FST_COUNT_OF(kinds); i++) {
        if (fst_str_eq(word, fst_str_cstr(fst_budget_name(kinds[i])))) {
            return take(cli, kinds[i], fst_str_skip(rest, count_run(rest, true)), place);
        }
    }
    return refuse(place, text.data, "max-increase, max-self or max-total, and a budget");
}

static int take_line(struct fst_cli *cli, const struct place *place)
{
    struct fst_str text = fst_str_skip(place->text, count_run(place->text, true));
    struct fst_error err;
    const char *nul = text.len == 0 ? NULL : memchr(text.data, '\0', text.len);
    if (text.len == 0 || text.data[0] == '#') {
        return 0;
    }
    if (nul != NULL) {
        (void)fst_error_set(&err, FST_ERR_USAGE, "a file of budgets is text, without NUL bytes");
        return point(place, nul, &err);
    }
    if (cli->nbudgets == FST_BUDGETS_MOST) {
        (void)fst_error_set(&err, FST_ERR_USAGE, "more than %d budgets", FST_BUDGETS_MOST);
        return point(place, text.data, &err);
    }
    return take_budget(cli, text, place);
}

/* Takes the next line off rest, without its end and the blanks before that. */
static struct fst_str take_text(struct fst_str *rest)
{
    const char *end = memchr(rest->data, '\n', rest->len);
    struct fst_str line =
        fst_str_of(rest->data, end == NULL ? rest->len : (size_t)(end - rest->data));
    *rest = fst_str_skip(*rest, line.len + (end != NULL));
    while (line.len > 0 &&
           (fst_is_blank(line.data[line.len - 1]) || line.data[line.len - 1] == '\r')) {
        line.len--;
    }
    return line;
}

int fst_budget_read(struct fst_cli *cli, const char *path, struct fst_buf *text)
{
    struct fst_error err = {0};
    if (fst_file_read(path, text, &err) != FST_OK) {
        fst_report_error(path, &err);
        return FST_EXIT_USAGE;
    }
    struct fst_str rest = fst_buf_str(text);
    struct place place = {.path = path};
    int code = 0;
    if (fst_str_starts(rest, FST_STR("\xef\xbb\xbf"))) {
        rest = fst_str_skip(rest, 3);
    }
    while (code == 0 && rest.len > 0) {
        place.text = take_text(&rest);
        place.line++;
        code = take_line(cli, &place);
    }
    return code;
}
