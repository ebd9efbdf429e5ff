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

void fst_escape_text(struct fst_buf *out, struct fst_str text)
{
    while (text.len > 0) {
        size_t n = plain_run(text);
        fst_buf_add(out, text.data, n);
        text = fst_str_skip(text, n);
        if (text.len == 0) {
            break;
        }
        int32_t c = 0;
        n = fst_utf8_next(text, &c);
        if (n == 0 || is_control(c)) {
            n = n == 0 ? 1 : n;
            add_hex_bytes(out, fst_str_of(text.data, n), "\\");
        } else if (reorders_or_breaks(c)) {
            fst_buf_add_fmt(out, "\\u%04x", (unsigned)c);
        } else {
            fst_buf_add(out, text.data, n);
        }
        text = fst_str_skip(text, n);
    }
}

/* The entity of an ASCII character that is markup; NULL for others. */
static const char *entity_of(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

/* Appends printable ASCII, which may be markup. */
static void add_xml_run(struct fst_buf *out, struct fst_str run)
{
    size_t from = 0;
    for (size_t i = 0; i < run.len; i++) {
        const char *entity = entity_of(run.data[i]);
        if (entity != NULL) {
            fst_buf_add(out, run.data + from, i - from);
            fst_buf_add_cstr(out, entity);
            from = i + 1;
        }
    }
    fst_buf_add(out, run.data + from, run.len - from);
}

void fst_escape_xml(struct fst_buf *out, struct fst_str text)
{
    while (text.len > 0) {
        size_t n = plain_run(text);
        add_xml_run(out, fst_str_of(text.data, n));
        text = fst_str_skip(text, n);
        if (text.len == 0) {
            break;
        }
        int32_t c = 0;
        n = fst_utf8_next(text, &c);
        if (c == 0xfffe ||
            c == 0xffff) { /* no Char of XML 1.0, https://www.w3.org/TR/xml/#charsets */
            fst_buf_add_fmt(out, "\\u%04x", (unsigned)c);
        } else {
            fst_escape_text(out, fst_str_of(text.data, n == 0 ? 1 : n));
        }
        text = fst_str_skip(text, n == 0 ? 1 : n);
    }
}

static void add_json_char(struct fst_buf *out, struct fst_str at, int32_t c)
{
    switch (c) {
    case '"': fst_buf_add_cstr(out, "\\\""); break;
    case '\\': fst_buf_add_cstr(out, "\\\\"); break;
    case '\n': fst_buf_add_cstr(out, "\\n"); break;
    case '\r': fst_buf_add_cstr(out, "\\r"); break;
    case '\t': fst_buf_add_cstr(out, "\\t"); break;
    default:
        if (is_control(c) || reorders_or_breaks(c)) {
            fst_buf_add_fmt(out, "\\u%04x", (unsigned)c);
        } else {
            fst_buf_add_str(out, at);
        }
    }
}

void fst_escape_json(struct fst_buf *out, struct fst_str text)
{
    fst_buf_add_char(out, '"');
    while (text.len > 0) {
        int32_t c = 0;
        size_t n = fst_utf8_next(text, &c);
        if (n == 0) {
            n = 1;
            add_hex_bytes(out, fst_str_of(text.data, 1), "\\\\");
        } else {
            add_json_char(out, fst_str_of(text.data, n), c);
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
