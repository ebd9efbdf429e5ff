/* Numbers keep all their digits, which the library's doubles and 64 bits would not: on its way into
 * the library every number that is not a short whole one is replaced by the place where it stands,
 *
 *     "weights":[3,0.25,1e30]     -->     "weights":[3,13.0,18.0]
 *
 * so that all reals of the tree are places in the text, and the text has the number. What has not a
 * number's form in JSON is handed on as it is, for the library to refuse. */
#include "base/count.h"
#include "parse/speedscope_file.h"

/* Whole numbers of so many digits fit 64 bits. */
enum { SHORT_NUMBER = 18 };

/* The text on its way into the library. */
struct passage {
    struct fst_str text;
    size_t at;
    bool quoted;            /* within a text */
    struct fst_str pending; /* to be handed on before the text goes on */
    char place[32];
};

static bool is_number_byte(char c)
{
    return fst_is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static struct fst_str number_at(struct fst_str text, size_t at)
{
    size_t end = at;
    while (end < text.len && is_number_byte(text.data[end])) {
        end++;
    }
    return fst_str_of(text.data + at, end - at);
}

/* Cuts digits off the start; how many they were. */
static size_t cut_digits(struct fst_str *text)
{
    size_t n = 0;
    while (n < text->len && fst_is_digit(text->data[n])) {
        n++;
    }
    *text = fst_str_skip(*text, n);
    return n;
}

static bool cut_byte(struct fst_str *text, const char *any_of)
{
    bool found = text->len > 0 && strchr(any_of, text->data[0]) != NULL;
    *text = fst_str_skip(*text, found);
    return found;
}

/* Whether text is a number by JSON's grammar (RFC 8259, section 6) that is not short and whole. */
static bool is_long_number(struct fst_str text)
{
    (void)cut_byte(&text, "-");
    bool zero = text.len > 0 && text.data[0] == '0';
    size_t whole = cut_digits(&text);
    bool valid = whole > 0 && !(zero && whole > 1);
    bool point = cut_byte(&text, ".");
    valid = valid && (!point || cut_digits(&text) > 0);
    bool exponent = cut_byte(&text, "eE");
    if (exponent) {
        (void)cut_byte(&text, "+-");
        valid = valid && cut_digits(&text) > 0;
    }
    return valid && text.len == 0 && (point || exponent || whole > SHORT_NUMBER);
}

/* Takes the number at hand: it, or its place, is to be handed on next. */
static void take_number(struct passage *passage)
{
    struct fst_str number = number_at(passage->text, passage->at);
    passage->pending = number;
    if (is_long_number(number)) {
        int len = snprintf(passage->place, sizeof passage->place, "%zu.0", passage->at);
        passage->pending = fst_str_of(passage->place, (size_t)len);
    }
    passage->at += number.len;
}

static bool begins_number(char c)
{
    return fst_is_digit(c) || c == '-';
}

/* Takes what is no number: the bytes up to where something may change, or the one that changes it,
 * with what it escapes. */
static void take_run(struct passage *passage)
{
    struct fst_str rest = fst_str_skip(passage->text, passage->at);
    size_t n = 0;
    while (n < rest.len && rest.data[n] != '"' &&
           !(passage->quoted ? rest.data[n] == '\\' : begins_number(rest.data[n]))) {
        n++;
    }
    if (n == 0) {
        bool quote = rest.data[0] == '"';
        passage->quoted = passage->quoted != quote;
        n = !quote && rest.len > 1 ? 2 : 1;
    }
    passage->pending = fst_str_of(rest.data, n);
    passage->at += n;
}

/* Fills the library's buffer; 0 at the end. */
static size_t hand_on(void *buffer, size_t room, void *ctx)
{
    struct passage *passage = ctx;
    char *into = buffer;
    size_t filled = 0;
    while (filled < room && (passage->pending.len > 0 || passage->at < passage->text.len)) {
        if (passage->pending.len == 0) {
            if (!passage->quoted && begins_number(passage->text.data[passage->at])) {
                take_number(passage);
            } else {
                take_run(passage);
            }
        }
        size_t left = room - filled;
        size_t n = passage->pending.len < left ? passage->pending.len : left;
        memcpy(into + filled, passage->pending.data, n);
        passage->pending = fst_str_skip(passage->pending, n);
        filled += n;
    }
    return filled;
}

json_t *fst_speedscope_parse(struct fst_str text, json_error_t *error)
{
    struct passage passage = {.text = text, .pending = {"", 0}};
    json_t *root = json_load_callback(hand_on, &passage, JSON_ALLOW_NUL, error);
    if (root == NULL && json_error_code(error) != json_error_out_of_memory) {
        /* Said of the text itself, in which no number is too large. */
        json_error_t plain;
        json_t *other = json_loadb(text.data, text.len, JSON_ALLOW_NUL, &plain);
        bool better = other == NULL && json_error_code(&plain) != json_error_numeric_overflow;
        *error = better ? plain : *error;
        json_decref(other);
    }
    return root;
}

struct fst_str fst_speedscope_digits(const struct fst_speedscope_file *file, const json_t *real)
{
    return number_at(file->text, (size_t)json_real_value(real));
}
