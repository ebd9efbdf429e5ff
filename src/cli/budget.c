#include "cli/budget.h"

#include <string.h>

#include "base/number.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/scan.h"

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

int fst_budget_take(struct fst_cli *cli, enum fst_budget_kind kind, const char *value,
                    const char *where)
{
    bool increase = kind == FST_BUDGET_INCREASE;
    const char *equals = strrchr(value, '=');
    const char *limit = equals == NULL ? value : equals + 1;
    struct fst_budget budget = {.kind = kind};
    if (cli->nbudgets == FST_BUDGETS_MOST) {
        fst_report("%s: more than %d budgets", where, FST_BUDGETS_MOST);
        return FST_EXIT_USAGE;
    }
    if (equals != NULL) {
        budget.pattern = fst_str_of(value, (size_t)(equals - value));
    }
    if (!read_limit(fst_str_cstr(limit), increase ? FST_STR("pp") : FST_STR("%"), &budget.limit)) {
        return fst_scan_refuse(where, value,
                               increase ? "points of share such as 2pp, or RE=2pp, up to 100pp"
                                        : "a share such as 5%, or RE=5%, up to 100%");
    }
    cli->budgets[cli->nbudgets++] = budget;
    return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

/* "max-self RE=5%": a word, blanks, a value. */
static int take_line(struct fst_cli *cli, char *line, const char *where)
{
    static const enum fst_budget_kind kinds[] = {FST_BUDGET_INCREASE, FST_BUDGET_SELF,
                                                 FST_BUDGET_TOTAL};
    line += strspn(line, " \t");
    size_t end = strlen(line);
    while (end > 0 && strchr(" \t\r", line[end - 1]) != NULL) {
        line[--end] = '\0';
    }
    if (line[0] == '\0' || line[0] == '#') {
        return 0;
    }
    size_t word = strcspn(line, " \t");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *name = fst_budget_name(kinds[i]);
        if (strlen(name) == word && strncmp(line, name, word) == 0 && line[word] != '\0') {
            return fst_budget_take(cli, kinds[i], line + word + strspn(line + word, " \t"), where);
        }
    }
    return fst_scan_refuse(where, line, "max-increase, max-self or max-total, and a budget");
}

int fst_budget_read(struct fst_cli *cli, const char *path, struct fst_buf *text)
{
    struct fst_error err = {0};
    if (fst_file_read(path, text, &err) != FST_OK || !fst_buf_add_char(text, '\0')) {
        fst_report_error(path, &err);
        return FST_EXIT_USAGE;
    }
    if (strlen(text->data) + 1 != text->len) {
        fst_report("%s: a file of budgets is text, without NUL bytes", path);
        return FST_EXIT_USAGE;
    }
    int code = 0;
    char *at = text->data;
    for (size_t number = 1; code == 0 && at != NULL; number++) {
        char where[256];
        char *next = strchr(at, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        (void)snprintf(where, sizeof where, "%s:%zu", path, number);
        code = take_line(cli, at, where);
        at = next;
    }
    return code;
}
