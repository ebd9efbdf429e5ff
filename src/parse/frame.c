#include "parse/frame.h"

#include "base/compat.h"
#include "parse/record.h"

/* process 123:"… */
static bool is_process(struct fst_str frame)
{
    static const struct fst_str word = {"process ", 8};
    if (!fst_str_starts(frame, word)) {
        return false;
    }
    size_t at = word.len;
    while (at < frame.len && fst_is_digit(frame.data[at])) {
        at++;
    }
    return at > word.len && fst_str_starts(fst_str_skip(frame, at), FST_STR(":\""));
}

/* The length of a decimal number or of 0x and hexadecimal digits at the start of text; 0: none. */
static size_t number_length(struct fst_str text)
{
    size_t at = 0;
    if (fst_str_starts(text, FST_STR("0x")) || fst_str_starts(text, FST_STR("0X"))) {
        at = 2;
        while (at < text.len && fst_is_hex(text.data[at])) {
            at++;
        }
        return at > 2 ? at : 0;
    }
    while (at < text.len && fst_is_digit(text.data[at])) {
        at++;
    }
    return at;
}

/* "thread (4242)", "thread (0x7F…): name", and the older "thread 4242" and "thread 4242: name" */
static bool is_thread(struct fst_str frame)
{
    static const struct fst_str word = {"thread ", 7};
    if (!fst_str_starts(frame, word)) {
        return false;
    }
    struct fst_str rest = fst_str_skip(frame, word.len);
    bool bracket = rest.len > 0 && rest.data[0] == '(';
    rest = fst_str_skip(rest, bracket);
    size_t digits = number_length(rest);
    if (digits == 0) {
        return false;
    }
    rest = fst_str_skip(rest, digits);
    if (bracket) {
        if (rest.len == 0 || rest.data[0] != ')') {
            return false;
        }
        rest = fst_str_skip(rest, 1);
    }
    return rest.len == 0 || rest.data[0] == ':';
}

/* The opening bracket that the last byte of text closes, or NULL. Mostly it is the last one. */
static const char *opening_bracket(struct fst_str text)
{
    const char *last = memrchr(text.data, '(', text.len);
    const char *end = text.data + text.len - 1;
    if (last == NULL || memchr(last, ')', (size_t)(end - last)) == NULL) {
        return last;
    }
    size_t depth = 0;
    for (const char *at = end; at >= text.data; at--) {
        if (*at == ')') {
            depth++;
        } else if (*at == '(' && --depth == 0) {
            return at;
        }
    }
    return NULL;
}

/* The offset of the opening bracket that the last byte of frame closes, if a blank and a name stand
 * before it; else 0. */
static size_t file_bracket(struct fst_str frame)
{
    if (frame.len < 4 || frame.data[frame.len - 1] != ')') {
        return 0;
    }
    const char *bracket = opening_bracket(frame);
    size_t at = bracket == NULL ? 0 : (size_t)(bracket - frame.data);
    return at >= 2 && fst_is_blank(frame.data[at - 1]) && at + 2 < frame.len ? at : 0;
}

/* Cuts ":123" or ":-1" off the end of file. */
static struct fst_str cut_line(struct fst_str *file)
{
    size_t at = file->len;
    while (at > 0 && fst_is_digit(file->data[at - 1])) {
        at--;
    }
    if (at == file->len || at == 0) {
        return (struct fst_str){"", 0};
    }
    size_t start = file->data[at - 1] == '-' ? at - 1 : at;
    if (start < 2 || file->data[start - 1] != ':') {
        return (struct fst_str){"", 0};
    }
    struct fst_str line = fst_str_skip(*file, start);
    file->len = start - 1;
    return line;
}

static bool is_standin(struct fst_str frame)
{
    return fst_str_eq(frame, FST_FRAME_NONE) || fst_str_eq(frame, FST_FRAME_BARE) ||
           fst_str_eq(frame, FST_FRAME_EMPTY);
}

/* Most frames begin with a byte that leaves one kind. */
static enum fst_frame_kind kind_without_file(struct fst_str frame)
{
    switch (frame.len == 0 ? '\0' : frame.data[0]) {
    case 'p': return is_process(frame) ? FST_FRAME_PROCESS : FST_FRAME_PLAIN;
    case 't': return is_thread(frame) ? FST_FRAME_THREAD : FST_FRAME_PLAIN;
    case '-': return fst_frame_is_delimiter(frame) ? FST_FRAME_DELIMITER : FST_FRAME_PLAIN;
    case '[': return is_standin(frame) ? FST_FRAME_STANDIN : FST_FRAME_PLAIN;
    default: return FST_FRAME_PLAIN;
    }
}

struct fst_frame_parts fst_frame_read(struct fst_str frame, bool split_files)
{
    struct fst_frame_parts parts = {
        .kind = kind_without_file(frame), .function = frame, .file = {"", 0}, .line = {"", 0}};
    if (parts.kind != FST_FRAME_PLAIN || !split_files) {
        return parts;
    }
    size_t bracket = file_bracket(frame);
    if (bracket > 0) {
        parts.kind = FST_FRAME_SPLIT;
        parts.function = fst_str_of(frame.data, bracket - 1);
        parts.file = fst_str_of(frame.data + bracket + 1, frame.len - bracket - 2);
        parts.line = cut_line(&parts.file);
    }
    return parts;
}

bool fst_frame_names_file(const struct fst_frame_parts *parts)
{
    if (parts->kind != FST_FRAME_SPLIT) {
        return false;
    }
    struct fst_str file = parts->file;
    if (parts->line.len > 0 || (file.data[0] == '<' && file.data[file.len - 1] == '>')) {
        return true;
    }
    return memchr(file.data, '.', file.len) != NULL || memchr(file.data, '/', file.len) != NULL ||
           memchr(file.data, '\\', file.len) != NULL;
}

bool fst_frame_names_python(const struct fst_frame_parts *parts)
{
    if (parts->kind != FST_FRAME_SPLIT) {
        return false;
    }
    struct fst_str file = parts->file;
    return fst_str_ends(file, FST_STR(".py")) || fst_str_ends(file, FST_STR(".pyx")) ||
           file.data[0] == '<';
}

static bool is_key_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || fst_is_digit(c) || c == '_' ||
           c == '-' || c == '.';
}

/* The offset behind "key=" at the start of text; 0 if it does not begin so. */
static size_t behind_key(struct fst_str text)
{
    size_t at = 0;
    while (at < text.len && is_key_byte(text.data[at])) {
        at++;
    }
    return at > 0 && at < text.len && text.data[at] == '=' ? at + 1 : 0;
}

size_t fst_tags_length(struct fst_str text)
{
    size_t length = 0;
    for (;;) {
        struct fst_str rest = fst_str_skip(text, length);
        size_t key = behind_key(rest);
        const char *end = key == 0 ? NULL : memchr(rest.data + key, ';', rest.len - key);
        if (end == NULL) {
            return length;
        }
        length += (size_t)(end - rest.data) + 1;
    }
}

size_t fst_tags_count(const struct fst_str *frames, size_t nframes)
{
    size_t count = 0;
    while (count < nframes && behind_key(frames[count]) > 0) {
        count++;
    }
    return count;
}
