#include "io/kind.h"

#include "base/compat.h"

static const char utf16[] =
    "UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8 FILE | foldstat -";
static const char utf16le[] =
    "UTF-16 text; convert it first: iconv -f UTF-16LE -t UTF-8 FILE | foldstat -";
static const char utf16be[] =
    "UTF-16 text; convert it first: iconv -f UTF-16BE -t UTF-8 FILE | foldstat -";

static const char utf32[] =
    "UTF-32 text; convert it first: iconv -f UTF-32 -t UTF-8 FILE | foldstat -";

static const char bzip2[] = "bzip2 data; decompress it first: bzip2 -dc FILE | foldstat -";

static const char zstd[] = "zstd data; decompress it first: zstd -dc FILE | foldstat -";
static const char tar[] = "a tar archive; unpack a file of it first: tar -xOf FILE | foldstat -";
static const char lz4[] = "lz4 data; decompress it first: lz4 -dc FILE | foldstat -";
static const char perf[] = "a perf.data file; fold it first: perf script -i FILE | "
                           "inferno-collapse-perf (or stackcollapse-perf.pl) | foldstat -";
static const char jfr[] = "a Java flight recording; convert it first: jfrconv --cpu -o collapsed "
                          "FILE OUT (of async-profiler), then foldstat OUT";
static const char mojo[] = "Austin's binary format; convert it first: mojo2austin FILE OUT, then "
                           "foldstat OUT";
static const char pprof[] = "a pprof profile; fold it first: go tool pprof -raw FILE | "
                            "stackcollapse-go.pl | foldstat -";
static const char chrome[] = "a Chrome trace, which holds events and no sampled stacks; record "
                             "with py-spy -f raw instead";
static const char html[] =
    "an HTML page, not a flame graph in SVG; async-profiler writes what can be "
    "read with -o collapsed: asprof -o collapsed -f OUT PID";

#define PICTURE                                                                                    \
    ", which holds no counts; save the flame graph as SVG, or record collapsed stacks: py-spy "    \
    "record -f raw"

/* What stands at a fixed place. */
static const struct {
    size_t at;
    struct fst_str magic;
    const char *refusal;
} kinds[] = {
    {0, {"\xff\xfe\0\0", 4}, utf32},
    {0, {"\0\0\xfe\xff", 4}, utf32},
    {0, {"\xff\xfe", 2}, utf16},
    {0, {"\xfe\xff", 2}, utf16},
    {0, {"\x28\xb5\x2f\xfd", 4}, zstd},
    {0, {"\xfd\x37zXZ", 5}, "xz data; decompress it first: xz -dc FILE | foldstat -"},
    {0, {"\x04\x22\x4d\x18", 4}, lz4},
    {0, {"\x02\x21\x4c\x18", 4}, lz4},
    {0,
     {"7z\xbc\xaf\x27\x1c", 6},
     "a 7z archive; unpack a file of it first: 7z x -so FILE | foldstat -"},
    {0, {"PK\3\4", 4}, "a ZIP archive; unpack a file of it first: unzip -p FILE | foldstat -"},
    {0, {"PK\5\6", 4}, "an empty ZIP archive"},
    {257, {"ustar\0", 6}, tar},   /* POSIX */
    {257, {"ustar  \0", 8}, tar}, /* GNU */
    {0, {"PERFILE2", 8}, perf},
    {0, {"FLR\0", 4}, jfr},
    {0,
     {"\x7f\x45LF", 4},
     "a program (ELF), not a profile; record it: perf record -g FILE, then perf script | "
     "inferno-collapse-perf (or stackcollapse-perf.pl) | foldstat -"},
    {0,
     {"SQLite format 3\0", 16},
     "an SQLite database, such as nsys and rocprof export, which holds no collapsed stacks; record "
     "them: py-spy record -f raw"},
    {0, {"\x89PNG\r\n", 6}, "a PNG picture" PICTURE},
    {0, {"%PDF-", 5}, "a PDF document" PICTURE},
};

/* A name may begin with "BZh" too: behind it and the level stand six bytes of pi, or those of its
 * square root where there is no data. */
static bool is_bzip2(struct fst_str head)
{
    return head.len >= 10 && fst_str_starts(head, FST_STR("BZh")) &&
           (memcmp(head.data + 4, "1AY&SY", 6) == 0 ||
            memcmp(head.data + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* Behind "MOJ", which may begin a name too, stands the version. */
static bool is_mojo(struct fst_str head)
{
    return head.len >= 4 && fst_str_starts(head, FST_STR("MOJ")) && head.data[3] > 0 &&
           head.data[3] < '\t';
}

/* Whether a digit and a line feed stand in head as 16-bit units, whose low bytes are at low, 0 or
 * 1. */
static bool has_wide_end(struct fst_str head, size_t low)
{
    for (size_t i = 0; i + 4 <= head.len; i += 2) {
        const char *at = head.data + i;
        if (fst_is_digit(at[low]) && at[1 - low] == '\0' && at[2 + low] == '\n' &&
            at[3 - low] == '\0') {
            return true;
        }
    }
    return false;
}

/* UTF-16 without a byte order mark: of the first bytes every second one is NUL and the others are
 * not. Four characters are enough to tell; no stack begins so. Names may be in another script than
 * counts, so that it is also enough where a count ends a line: digit and line feed, each with a
 * NUL. */
static const char *bare_utf16(struct fst_str head)
{
    if (head.len < 8) {
        return NULL;
    }
    size_t nuls[2] = {0, 0};
    size_t pairs = head.len / 2;
    for (size_t i = 0; i < pairs * 2; i++) {
        nuls[i % 2] += head.data[i] == '\0';
    }
    if (nuls[0] == 0 && (nuls[1] * 10 >= pairs * 9 || has_wide_end(head, 0))) {
        return utf16le;
    }
    return nuls[1] == 0 && (nuls[0] * 10 >= pairs * 9 || has_wide_end(head, 1)) ? utf16be : NULL;
}

/* A protobuf whose first field is a message that begins with a varint field: pprof's sample_type. */
static bool is_pprof(struct fst_str head)
{
    return head.len >= 3 && head.data[0] == '\n' && head.data[1] > 0 && head.data[1] < 0x20 &&
           head.data[2] == '\x08';
}

/* head without a byte order mark and blanks. */
static struct fst_str without_blanks(struct fst_str head)
{
    if (fst_str_starts(head, FST_STR("\xef\xbb\xbf"))) {
        head = fst_str_skip(head, 3);
    }
    while (head.len > 0 && memchr(" \t\r\n", head.data[0], 4) != NULL) {
        head = fst_str_skip(head, 1);
    }
    return head;
}

/* "<svg" and the end of the name: a frame may be called "<svg" too. */
static bool is_svg_tag(struct fst_str head)
{
    return fst_str_starts(head, FST_STR("<svg")) && head.len > 4 &&
           memchr(" \t\r\n>", head.data[4], 5) != NULL;
}

enum fst_kind fst_kind_of(struct fst_str head)
{
    head = without_blanks(head);
    if (fst_str_starts(head, FST_STR("<?xml ")) || is_svg_tag(head) ||
        fst_str_starts(head, FST_STR("<!DOCTYPE svg"))) {
        return FST_KIND_SVG;
    }
    if (head.len > 0 && head.data[0] == '{') {
        /* A frame may begin with a brace ("{closure#0}"); an object goes on with a quote. */
        struct fst_str inner = without_blanks(fst_str_skip(head, 1));
        return inner.len > 0 && inner.data[0] == '"' ? FST_KIND_JSON : FST_KIND_TEXT;
    }
    return FST_KIND_TEXT;
}

/* An array of objects, or an object with the keys that Chrome and torch begin with. */
static bool is_chrome_trace(struct fst_str head)
{
    head = without_blanks(head);
    if (head.len == 0 || (head.data[0] != '[' && head.data[0] != '{')) {
        return false;
    }
    struct fst_str inner = without_blanks(fst_str_skip(head, 1));
    if (head.data[0] == '[') {
        return inner.len > 1 && inner.data[0] == '{' &&
               fst_str_starts(without_blanks(fst_str_skip(inner, 1)), FST_STR("\""));
    }
    return fst_str_starts(inner, FST_STR("\"traceEvents\"")) ||
           fst_str_starts(inner, FST_STR("\"schemaVersion\""));
}

static bool starts_in_any_case(struct fst_str text, struct fst_str lower)
{
    if (text.len < lower.len) {
        return false;
    }
    for (size_t i = 0; i < lower.len; i++) {
        char c = text.data[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != lower.data[i]) {
            return false;
        }
    }
    return true;
}

static bool is_html(struct fst_str head)
{
    head = without_blanks(head);
    return starts_in_any_case(head, FST_STR("<!doctype html")) ||
           starts_in_any_case(head, FST_STR("<html>")) ||
           starts_in_any_case(head, FST_STR("<html "));
}

const char *fst_kind_compressed_twice(struct fst_str head, bool compressed)
{
    if (!compressed) {
        return NULL;
    }
    if (fst_str_starts(head, FST_STR("\x1f\x8b"))) {
        return "gzip data inside compressed data; decompress the outer layer first, and give the "
               "rest to foldstat";
    }
    return fst_str_starts(head, FST_STR("\x28\xb5\x2f\xfd"))
               ? "zstd data inside compressed data; decompress the outer layer first, and give the "
                 "rest to foldstat"
               : NULL;
}

const char *fst_kind_refusal(struct fst_str head)
{
    for (size_t i = 0; i < FST_COUNT_OF(kinds); i++) {
        if (head.len >= kinds[i].at &&
            fst_str_starts(fst_str_skip(head, kinds[i].at), kinds[i].magic)) {
            return kinds[i].refusal;
        }
    }
    if (is_bzip2(head)) {
        return bzip2;
    }
    if (is_mojo(head)) {
        return mojo;
    }
    if (is_html(head)) {
        return html;
    }
    if (is_chrome_trace(head)) {
        return chrome;
    }
    return is_pprof(head) ? pprof : bare_utf16(head);
}
