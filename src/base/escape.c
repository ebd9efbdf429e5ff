#include "base/escape.h"

#include <stdlib.h>

#include <utf8proc.h>

#include "base/compat.h"

size_t fst_utf8_next(struct fst_str text, int32_t *code_point)
{
    utf8proc_ssize_t most = text.len < 4 ? (utf8proc_ssize_t)text.len : 4;
    utf8proc_int32_t c = -1;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.data, most, &c);
    if (n <= 0 || c < 0) {
        return 0;
    }
    *code_point = c;
    return (size_t)n;
}

bool fst_is_utf8(struct fst_str text)
{
    while (text.len > 0) {
        int32_t c;
        size_t n = fst_utf8_next(text, &c);
        if (n == 0) {
            return false;
        }
        text = fst_str_skip(text, n);
    }
    return true;
}

/* Marks, embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9), and
 * the line and paragraph separators. */
static bool reorders_or_breaks(int32_t c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Code points that show nothing, by which two names may differ that look the same: those of Unicode's
 * Default_Ignorable_Code_Point (DerivedCoreProperties.txt) but what is in the next table. */
static bool is_ignorable(int32_t c)
{
    static const int32_t ranges[][2] = {
        {0xad, 0xad},       {0x34f, 0x34f},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180e, 0x180e},   {0x200b, 0x200b},   {0x2060, 0x206f},   {0x3164, 0x3164},
        {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfff8},   {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0xe0fff},
    };
    size_t i = 0;
    while (i < FST_COUNT_OF(ranges) && c > ranges[i][1]) {
        i++;
    }
    return i < FST_COUNT_OF(ranges) && c >= ranges[i][0];
}

/* Joiners and variation selectors, which belong to how a character before them is written. */
static bool is_joiner(int32_t c)
{
    return c == 0x200c || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f) ||
           (c >= 0x180b && c <= 0x180f) || (c >= 0xe0100 && c <= 0xe01ef);
}

/* Behind ASCII they change nothing, but for the keycaps (UTS #51). */
static bool joins_nothing(int32_t c, char before)
{
    bool ascii = (unsigned char)before < 0x80;
    bool keycap = c == 0xfe0f && (fst_is_digit(before) || before == '#' || before == '*');
    return is_joiner(c) && ascii && !keycap;
}

/* The byte before what is left of a text; 0 at its start. */
static char byte_before(const char *start, struct fst_str left)
{
    if (left.data == start) {
        return '\0';
    }
    return left.data[-1];
}

/* Whether c is shown by its number; before: the byte before it, 0 at the start. */
static bool is_hidden(int32_t c, char before)
{
    return c >= 0xad && (reorders_or_breaks(c) || is_ignorable(c) || joins_nothing(c, before));
}

static void add_number(struct fst_buf *out, int32_t c)
{
    fst_buf_add_fmt(out, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
}

static bool is_control(int32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

/* How many bytes from the start of text are printable ASCII, which needs no second look. */
static size_t plain_run(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && text.data[n] >= 0x20 && text.data[n] < 0x7f) {
        n++;
    }
    return n;
}

static void add_hex_bytes(struct fst_buf *out, struct fst_str bytes, const char *prefix)
{
    for (size_t i = 0; i < bytes.len; i++) {
        fst_buf_add_fmt(out, "%sx%02x", prefix, (unsigned char)bytes.data[i]);
    }
}

/* Appends the character c of n bytes that text begins with (0: it begins with none), or what is shown
 * for it; returns how many bytes that was for. before: the byte before it, 0 at the start. */
static size_t add_char(struct fst_buf *out, struct fst_str text, int32_t c, size_t n, char before)
{
    size_t taken = n == 0 ? 1 : n;
    if (n == 0 || is_control(c)) {
        add_hex_bytes(out, fst_str_of(text.data, taken), "\\");
    } else if (is_hidden(c, before)) {
        add_number(out, c);
    } else {
        fst_buf_add(out, text.data, n);
    }
    return taken;
}

void fst_escape_text(struct fst_buf *out, struct fst_str text)
{
    const char *start = text.data;
    while (text.len > 0) {
        size_t n = plain_run(text);
        fst_buf_add(out, text.data, n);
        text = fst_str_skip(text, n);
        if (text.len == 0) {
            break;
        }
        int32_t c = 0;
        n = fst_utf8_next(text, &c);
        text = fst_str_skip(text, add_char(out, text, c, n, byte_before(start, text)));
    }
}

/* The entity of an ASCII character that is markup. */
static const char *entity_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return "&#39;";
    }
}

static bool is_markup(char c)
{
    return c == '&' || c == '<' || c == '>' || c == '"' || c == '\'';
}

/* How many bytes from the start of text are printable ASCII that is no markup. */
static size_t literal_run(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && text.data[n] >= 0x20 && text.data[n] < 0x7f &&
           !is_markup(text.data[n])) {
        n++;
    }
    return n;
}

void fst_escape_xml(struct fst_buf *out, struct fst_str text)
{
    const char *start = text.data;
    while (text.len > 0) {
        size_t n = literal_run(text);
        fst_buf_add(out, text.data, n);
        text = fst_str_skip(text, n);
        if (text.len == 0) {
            break;
        }
        int32_t c = 0;
        n = fst_utf8_next(text, &c);
        if (n == 1 && is_markup((char)c)) {
            fst_buf_add_cstr(out, entity_of((char)c));
        } else if (c == 0xfffe ||
                   c == 0xffff) { /* no Char of XML 1.0, https://www.w3.org/TR/xml/#charsets */
            add_number(out, c);
        } else {
            n = add_char(out, text, c, n, byte_before(start, text));
        }
        text = fst_str_skip(text, n);
    }
}

static void add_json_number(struct fst_buf *out, int32_t c)
{
    if (c > 0xffff) { /* as two surrogates, RFC 8259, section 7 */
        fst_buf_add_fmt(out, "\\u%04x\\u%04x", 0xd800 + ((unsigned)(c - 0x10000) >> 10),
                        0xdc00 + ((unsigned)(c - 0x10000) & 0x3ff));
    } else {
        fst_buf_add_fmt(out, "\\u%04x", (unsigned)c);
    }
}

/* before: the byte before the character, 0 at the start. */
static void add_json_char(struct fst_buf *out, struct fst_str at, int32_t c, char before)
{
    switch (c) {
    case '"': fst_buf_add_cstr(out, "\\\""); break;
    case '\\': fst_buf_add_cstr(out, "\\\\"); break;
    case '\n': fst_buf_add_cstr(out, "\\n"); break;
    case '\r': fst_buf_add_cstr(out, "\\r"); break;
    case '\t': fst_buf_add_cstr(out, "\\t"); break;
    default:
        if (is_control(c) || is_hidden(c, before)) {
            add_json_number(out, c);
        } else {
            fst_buf_add_str(out, at);
        }
    }
}

void fst_escape_json(struct fst_buf *out, struct fst_str text)
{
    const char *start = text.data;
    fst_buf_add_char(out, '"');
    while (text.len > 0) {
        int32_t c = 0;
        size_t n = fst_utf8_next(text, &c);
        if (n == 0) {
            n = 1;
            add_hex_bytes(out, fst_str_of(text.data, 1), "\\\\");
        } else {
            add_json_char(out, fst_str_of(text.data, n), c, byte_before(start, text));
        }
        text = fst_str_skip(text, n);
    }
    fst_buf_add_char(out, '"');
}

bool fst_is_ascii(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && (unsigned char)text.data[n] < 0x80) {
        n++;
    }
    return n == text.len;
}

/* The program's own signs, with enough around them to tell most from those of names. */
static const struct {
    struct fst_str sign;
    struct fst_str ascii;
} signs[] = {
    {{" · ", 4}, {" - ", 3}}, {{"…", 3}, {"...", 3}}, {{" × ", 4}, {" x ", 3}},
    {{"±", 2}, {"+-", 2}},    {{"µs", 3}, {"us", 2}}, {{" › ", 5}, {" > ", 3}},
    {{"−", 3}, {"-", 1}},     {{"└ ", 4}, {"` ", 2}},
};

void fst_ascii_prose(struct fst_buf *out, struct fst_str text)
{
    while (text.len > 0) {
        size_t i = 0;
        while (i < FST_COUNT_OF(signs) && !fst_str_starts(text, signs[i].sign)) {
            i++;
        }
        if (i < FST_COUNT_OF(signs)) {
            fst_buf_add_str(out, signs[i].ascii);
        } else {
            fst_buf_add_char(out, text.data[0]);
        }
        text = fst_str_skip(text, i < FST_COUNT_OF(signs) ? signs[i].sign.len : 1);
    }
}

char *fst_escape(struct fst_str text)
{
    struct fst_buf out = {0};
    fst_escape_text(&out, text);
    fst_buf_add_char(&out, '\0');
    if (out.failed) {
        fst_buf_release(&out);
    }
    return out.data;
}

/* --- fields between tabs ----------------------------------------------------------------------- */

void fst_escape_field(struct fst_buf *out, struct fst_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.data[i]) {
        case '\t': fst_buf_add_cstr(out, "\\t"); break;
        case '\n': fst_buf_add_cstr(out, "\\n"); break;
        case '\r': fst_buf_add_cstr(out, "\\r"); break;
        case '\\': fst_buf_add_cstr(out, "\\\\"); break;
        default: fst_buf_add_char(out, text.data[i]);
        }
    }
}

bool fst_unescape_field(struct fst_buf *out, struct fst_str field)
{
    for (size_t i = 0; i < field.len; i++) {
        char c = field.data[i];
        if (c == '\\') {
            switch (++i < field.len ? field.data[i] : '\0') {
            case 't': c = '\t'; break;
            case 'n': c = '\n'; break;
            case 'r': c = '\r'; break;
            case '\\': break;
            default: return false;
            }
        }
        fst_buf_add_char(out, c);
    }
    return true;
}
