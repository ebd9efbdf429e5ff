#include "cli/suggest.h"

#include <string.h>

#include "base/compat.h"
#include "cli/command.h"

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment, by three rows of the usual table. */
size_t fst_edit_distance(const char *a, const char *b)
{
    size_t la = strlen(a);
    size_t lb = strlen(b);
    if (la > LONGEST || lb > LONGEST) {
        return la > lb ? la : lb;
    }
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= lb; j++) {
        above[j] = j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= la; i++) {
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[lb];
}

const char *fst_suggest(const char *typed, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t near = strlen(typed) / 3 + (strlen(typed) != 3);
    for (size_t i = 0; i < count; i++) {
        size_t distance = fst_edit_distance(typed, words[i]);
        if (distance <= near && distance < strlen(words[i])) {
            best = words[i];
            near = distance == 0 ? 0 : distance - 1;
        }
    }
    return best;
}

/* --- what other programs have ------------------------------------------------------------------ */

const char *fst_suggest_known(const char *typed)
{
    static const struct {
        const char *typed;
        const char *meant;
    } known[] = {
        {"version", "--version"},
        {"report", "top"},
        {"stat", "top"},
        {"flamegraph", "flame"},
        {"flame-graph", "flame"},
        {"svg", "flame"},
        {"compare", "diff"},
        {"callers", "peek"},
        {"callees", "peek"},
        {"pprof", "convert --to pprof"},
        {"speedscope", "convert --to speedscope"},
        {"calltree", "tree"},
        {"usage", "help"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(known); i++) {
        if (strcmp(known[i].typed, typed) == 0) {
            return known[i].meant;
        }
    }
    return NULL;
}

static bool takes(const struct fst_command *command, enum fst_option_id id)
{
    for (size_t i = 0; i < fst_option_count; i++) {
        if (fst_options[i].id == id && fst_command_takes(command, &fst_options[i])) {
            return true;
        }
    }
    return false;
}

const char *fst_suggest_option(const char *typed, const struct fst_command *command)
{
    static const struct {
        const char *typed;
        enum fst_option_id id;
        const char *meant;
    } known[] = {
        {"json", FST_OPT_FORMAT, "--format json"},
        {"csv", FST_OPT_FORMAT, "--format csv"},
        {"tsv", FST_OPT_FORMAT, "--format tsv"},
        {"markdown", FST_OPT_FORMAT, "--format md"},
        {"json", FST_OPT_TO, "--to json"},
        {"pprof", FST_OPT_TO, "--to pprof"},
        {"top", FST_OPT_ROWS, "-n"},
        {"limit", FST_OPT_ROWS, "-n"},
        {"head", FST_OPT_ROWS, "-n"},
        {"count", FST_OPT_ROWS, "-n"},
        {"depth", FST_OPT_MAX_DEPTH, "--max-depth"},
        {"frequency", FST_OPT_RATE, "--rate"},
        {"hz", FST_OPT_RATE, "--rate"},
        {"filter", FST_OPT_FOCUS, "--focus"},
        {"include", FST_OPT_FOCUS, "--focus"},
        {"exclude", FST_OPT_IGNORE, "--ignore"},
        {"group-by", FST_OPT_BY, "--by"},
        {"inverted", FST_OPT_REVERSE, "--reverse"},
        {"bottom-up", FST_OPT_REVERSE, "--reverse"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(known); i++) {
        if (strcmp(known[i].typed, typed) == 0 && takes(command, known[i].id)) {
            return known[i].meant;
        }
    }
    return NULL;
}
