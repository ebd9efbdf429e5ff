/* The messages of py-spy, as its `record` command prints them (src/main.rs of py-spy 0.3 and 0.4),
 * with or without "py-spy> " before them and with or without terminal colours:
 *
 *     Sampling process 100 times a second for 2 seconds. Press Control-C to exit.
 *     1.01s behind in sampling, results may be inaccurate. Try reducing the sampling rate
 *     Stopped sampling because process exited
 *     Wrote raw flamegraph data to 'x.raw'. Samples: 46 Errors: 0
 *     You can use the flamegraph.pl script from https://… to generate a SVG
 *
 * Austin's header (docs of Austin 3) is "# austin: 3.7.0", "# interval: 100" and
 * "# duration: 4000000", both in microseconds.
 */
#include "parse/logline.h"

#include <math.h>

#include "base/compat.h"
#include "base/number.h"

#define LEDE FST_STR("py-spy>")

void fst_recording_init(struct fst_recording *recording)
{
    static const struct fst_claims none = {NAN, NAN, NAN, NAN};
    *recording = (struct fst_recording){.comments = none, .messages = none, .ticks = NAN};
}

/* Removes one "\x1b[…m" at the start. */
static bool skip_colour(struct fst_str *line)
{
    if (!fst_str_starts(*line, FST_STR("\x1b["))) {
        return false;
    }
    size_t at = 2;
    while (at < line->len && (fst_is_digit(line->data[at]) || line->data[at] == ';')) {
        at++;
    }
    if (at == line->len || line->data[at] != 'm') {
        return false;
    }
    *line = fst_str_skip(*line, at + 1);
    return true;
}

/* Moves line behind "py-spy> ", in colours or not; false if it does not begin so. */
static bool skip_lede(struct fst_str *line)
{
    struct fst_str lede = LEDE;
    struct fst_str rest = *line;
    for (size_t i = 0; i < lede.len; i++) {
        while (skip_colour(&rest)) {
        }
        if (rest.len == 0 || rest.data[0] != lede.data[i]) {
            return false;
        }
        rest = fst_str_skip(rest, 1);
    }
    while (skip_colour(&rest)) {
    }
    *line = rest.len > 0 && rest.data[0] == ' ' ? fst_str_skip(rest, 1) : rest;
    return true;
}

/* Messages that are recognised without the lede: they begin and go on with these words. What has a
 * semicolon is rather a stack; only the name of a file may hold one. */
static const struct {
    struct fst_str start;
    struct fst_str inside;
} messages[] = {
    {{"Sampling process ", 17}, {" times a second", 15}},
    {{"Stopped sampling because ", 25}, {"", 0}},
    {{"You can use the flamegraph.pl script from ", 42}, {"", 0}},
    {{"Visit https://www.speedscope.app/ to view", 41}, {"", 0}},
};

/* "1.01s behind in sampling, …", which begins with no word. */
static bool is_lag(struct fst_str line)
{
    size_t at = 0;
    while (at < line.len && (fst_is_digit(line.data[at]) || line.data[at] == '.')) {
        at++;
    }
    return at > 0 && fst_str_starts(fst_str_skip(line, at),
                                    FST_STR("s behind in sampling, results may be inaccurate"));
}

/* "Wrote … to 'x'. Samples: 46 Errors: 0", and nothing behind it. */
static bool is_summary(struct fst_str line)
{
    const char *at = fst_str_find(line, FST_STR(". Samples: "));
    return at != NULL && memchr(at, ';', (size_t)(line.data + line.len - at)) == NULL;
}

bool fst_is_log_line_slow(struct fst_str line)
{
    if (skip_lede(&line)) {
        return true;
    }
    if (fst_str_starts(line, FST_STR("Wrote "))) {
        return is_summary(line);
    }
    if (memchr(line.data, ';', line.len) != NULL) {
        return false;
    }
    if (is_lag(line)) {
        return true;
    }
    for (size_t i = 0; i < FST_COUNT_OF(messages); i++) {
        if (fst_str_starts(line, messages[i].start) &&
            (messages[i].inside.len == 0 || fst_str_find(line, messages[i].inside) != NULL)) {
            return true;
        }
    }
    return false;
}

/* The number that stands right behind word in text; NaN if there is none. */
static double number_behind(struct fst_str text, struct fst_str word)
{
    const char *at = fst_str_find(text, word);
    if (at == NULL) {
        return NAN;
    }
    struct fst_str rest = fst_str_skip(text, (size_t)(at - text.data) + word.len);
    size_t n = 0;
    while (n < rest.len && (fst_is_digit(rest.data[n]) || rest.data[n] == '.')) {
        n++;
    }
    if (n > 0 && rest.data[n - 1] == '.') {
        n--; /* a full stop */
    }
    double value = NAN;
    return n > 0 && fst_number_parse(fst_str_of(rest.data, n), &value) ? value : NAN;
}

void fst_recording_take_log(struct fst_recording *recording, struct fst_str line)
{
    struct fst_claims *said = &recording->messages;
    (void)skip_lede(&line);
    if (fst_str_starts(line, FST_STR("Sampling process "))) {
        said->rate = number_behind(line, FST_STR("Sampling process "));
        said->duration = number_behind(line, FST_STR(" times a second for "));
    } else if (fst_str_starts(line, FST_STR("Wrote "))) {
        said->samples = number_behind(line, FST_STR(". Samples: "));
        said->errors = number_behind(line, FST_STR(" Errors: "));
    } else if (fst_str_starts(line, FST_STR("Stopped sampling because "))) {
        recording->stopped_early = true;
    } else if (fst_str_find(line, FST_STR(" behind in sampling")) != NULL) {
        recording->fell_behind = true;
    }
}

/* Cuts "# key: value" in two; false if the comment has another form. */
static bool cut_pair(struct fst_str line, struct fst_str *key, struct fst_str *value)
{
    if (!fst_str_starts(line, FST_STR("# "))) {
        return false;
    }
    line = fst_str_skip(line, 2);
    const char *colon = line.len == 0 ? NULL : memchr(line.data, ':', line.len);
    if (colon == NULL) {
        return false;
    }
    *key = fst_str_of(line.data, (size_t)(colon - line.data));
    *value = fst_str_skip(line, key->len + 1);
    while (value->len > 0 && fst_is_blank(value->data[0])) {
        *value = fst_str_skip(*value, 1);
    }
    while (value->len > 0 &&
           (fst_is_blank(value->data[value->len - 1]) || value->data[value->len - 1] == '\r')) {
        value->len--;
    }
    return true;
}

static enum fst_mode mode_of(struct fst_str word)
{
    static const struct {
        struct fst_str word;
        enum fst_mode mode;
    } modes[] = {
        {{"wall", 4}, FST_MODE_WALL},
        {{"cpu", 3}, FST_MODE_CPU},
        {{"memory", 6}, FST_MODE_MEMORY},
        {{"full", 4}, FST_MODE_FULL},
    };
    for (size_t i = 0; i < FST_COUNT_OF(modes); i++) {
        if (fst_str_eq(word, modes[i].word)) {
            return modes[i].mode;
        }
    }
    return FST_MODE_UNKNOWN;
}

/* Takes what is counted, where it is known: foldstat's own names. */
static void take_unit(struct fst_recording *recording, struct fst_str word)
{
    static const struct {
        struct fst_str word;
        enum fst_unit unit;
    } units[] = {
        {{"samples", 7}, FST_UNIT_SAMPLES},
        {{"\xc2\xb5s", 3}, FST_UNIT_MICROSECONDS},
        {{"bytes", 5}, FST_UNIT_BYTES},
        {{"counts", 6}, FST_UNIT_COUNTS},
    };
    for (size_t i = 0; i < FST_COUNT_OF(units); i++) {
        if (fst_str_eq(word, units[i].word)) {
            recording->unit = units[i].unit;
            recording->unit_told = true;
        }
    }
}

void fst_recording_take_comment(struct fst_recording *recording, struct fst_str line)
{
    struct fst_str key;
    struct fst_str value;
    double number;
    struct fst_claims *said = &recording->comments;
    if (!cut_pair(line, &key, &value)) {
        return;
    }
    if (fst_str_eq(key, FST_STR("austin"))) {
        recording->microseconds = true;
    }
    if (fst_str_eq(key, FST_STR("mode")) && recording->microseconds) {
        recording->mode = mode_of(value);
    }
    if (fst_str_eq(key, FST_STR("unit"))) {
        take_unit(recording, value);
    }
    if (!fst_number_parse(value, &number) || number < 0) {
        return;
    }
    if (fst_str_eq(key, FST_STR("rate"))) {
        said->rate = number;
    } else if (fst_str_eq(key, FST_STR("duration"))) {
        said->duration = recording->microseconds ? number / 1e6 : number;
    } else if (fst_str_eq(key, FST_STR("interval")) && recording->microseconds && number > 0) {
        said->rate = 1e6 / number;
    } else if (fst_str_eq(key, FST_STR("ticks"))) {
        recording->ticks = number;
    } else if (fst_str_eq(key, FST_STR("errors"))) {
        said->errors = number;
    } else if (fst_str_eq(key, FST_STR("samples"))) {
        said->samples = number;
    }
}
