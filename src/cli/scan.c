#include "cli/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compat.h"
#include "base/number.h"
#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/words.h"

int fst_scan_refuse(const char *where, const char *value, const char *expected)
{
    char *shown = fst_escape(fst_str_cstr(value));
    fst_report("%s: expected %s, found \"%s\"", where, expected, shown == NULL ? "" : shown);
    free(shown);
    return FST_EXIT_USAGE;
}

/* --- words ------------------------------------------------------------------------------------ */

/* The index of the word among count; count where it is none of them. */
static size_t find_word(const char *value, const struct fst_word *words, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(value, words[i].text) != 0) {
        i++;
    }
    return i;
}

/* Another command that knows the word; NULL: none. */
static const struct fst_command *owner_of(enum fst_option_id id, const char *value)
{
    struct fst_word words[FST_WORDS_MOST];
    for (size_t i = 0; i < fst_command_count; i++) {
        size_t count = fst_words_of(id, fst_commands[i], words);
        if (find_word(value, words, count) < count) {
            return fst_commands[i];
        }
    }
    return NULL;
}

/* "a, b or c", and whatever may be meant instead. */
static void describe(struct fst_buf *out, enum fst_option_id id, const char *value,
                     const struct fst_word *words, size_t count)
{
    const char *texts[FST_WORDS_MOST];
    for (size_t i = 0; i < count; i++) {
        texts[i] = words[i].text;
        fst_buf_add_fmt(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", texts[i]);
    }
    const struct fst_command *owner = owner_of(id, value);
    const char *near = fst_suggest(value, texts, count);
    if (owner != NULL) {
        fst_buf_add_fmt(out, " (foldstat %s has %s)", owner->name, value);
    } else if (near != NULL) {
        fst_buf_add_fmt(out, " (did you mean %s?)", near);
    }
    fst_buf_add_char(out, '\0');
}

int fst_scan_word(const struct fst_cli *cli, enum fst_option_id id, const char *value, int *out)
{
    struct fst_word words[FST_WORDS_MOST];
    size_t count = fst_words_of(id, cli->command, words);
    size_t found = find_word(value, words, count);
    if (found < count) {
        *out = words[found].value;
        return 0;
    }
    struct fst_buf expected = {0};
    describe(&expected, id, value, words, count);
    int code =
        fst_scan_refuse(cli->option, value, expected.failed ? "another word" : expected.data);
    fst_buf_release(&expected);
    return code;
}

/* --- numbers ---------------------------------------------------------------------------------- */

int fst_scan_number(const char *option, const char *value, double least, double most, double *out)
{
    if (!fst_number_parse(fst_str_cstr(value), out) || *out < least || *out > most) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
        return fst_scan_refuse(option, value, expected);
    }
    return 0;
}

int fst_scan_whole(const char *option, const char *value, unsigned long least, unsigned long most,
                   unsigned long *out)
{
    char *end;
    errno = 0;
    *out = strtoul(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || value[0] == '-' || *out < least ||
        *out > most) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a whole number from %lu to %lu", least, most);
        return fst_scan_refuse(option, value, expected);
    }
    return 0;
}

int fst_scan_size(const char *option, const char *value, uint64_t *out)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    const char *unit = *end == '\0' ? NULL : strchr(units, toupper((unsigned char)*end));
    unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    bool whole = fst_is_digit(value[0]) && (*end == '\0' || (unit != NULL && end[1] == '\0'));
    if (errno != 0 || !whole || number == 0 || number > UINT64_MAX >> shift) {
        return fst_scan_refuse(option, value, "a size such as 512M or 2G");
    }
    *out = (uint64_t)number << shift;
    return 0;
}
