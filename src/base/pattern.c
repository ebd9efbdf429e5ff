#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/pattern.h"

#include <pcre2.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/escape.h"

/* PCRE2 counts steps anew at every place of the subject where it tries. */
static const uint64_t most_steps = UINT64_C(1) << 32; /* of one name */
enum { MOST_STEPS_A_PLACE = 1000000, MOST_HEAP_KIB = 64 * 1024 };

struct fst_pattern {
    pcre2_code *code;
    size_t groups; /* the whole match included */
    bool anchored; /* it can match at one place alone, the start of a name */
    size_t len;
    char source[];
};

/* --- memory ------------------------------------------------------------------------------------ */

static void *take(size_t size, void *unused)
{
    (void)unused;
    return fst_alloc(size);
}

static void give_back(void *block, void *unused)
{
    (void)unused;
    fst_free(block);
}

/* --- compiling --------------------------------------------------------------------------------- */

static uint32_t flags_for(struct fst_str source, bool ignore_case)
{
    uint32_t flags = PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
    flags |= fst_is_utf8(source) ? PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF
                                 : PCRE2_NEVER_UTF | PCRE2_NEVER_UCP;
    return ignore_case ? flags | PCRE2_CASELESS : flags;
}

static enum fst_status refuse(int code, size_t at, size_t *offset, struct fst_error *err)
{
    if (code == PCRE2_ERROR_HEAP_FAILED || code == PCRE2_ERROR_NOMEMORY) {
        return fst_error_nomem(err);
    }
    if (offset != NULL) {
        *offset = at;
    }
    PCRE2_UCHAR text[256] = "";
    (void)pcre2_get_error_message(code, text, sizeof text);
    return fst_error_set(err, FST_ERR_USAGE, "bad pattern: %s", (const char *)text);
}

/* Compiles source into pattern->code. Machine code is a matter of speed alone: where it cannot be
 * had (PCRE2 built without, or a system that forbids it) the pattern is interpreted. */
static enum fst_status compile(struct fst_pattern *pattern, bool ignore_case, size_t *offset,
                               struct fst_error *err)
{
    pcre2_general_context *memory = pcre2_general_context_create(take, give_back, NULL);
    pcre2_compile_context *context = memory == NULL ? NULL : pcre2_compile_context_create(memory);
    enum fst_status status = context == NULL ? fst_error_nomem(err) : FST_OK;
    if (status == FST_OK) {
        struct fst_str source = fst_pattern_source(pattern);
        int code = 0;
        PCRE2_SIZE at = 0;
        pattern->code = pcre2_compile((PCRE2_SPTR)source.data, source.len,
                                      flags_for(source, ignore_case), &code, &at, context);
        if (pattern->code == NULL) {
            status = refuse(code, at < source.len ? at : source.len, offset, err);
        }
    }
    if (status == FST_OK) {
        uint32_t groups = 0;
        (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &groups);
        pattern->groups = (size_t)groups + 1;
        uint32_t flags = 0;
        (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_ALLOPTIONS, &flags);
        pattern->anchored = (flags & PCRE2_ANCHORED) != 0;
        (void)pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
    }
    pcre2_compile_context_free(context);
    pcre2_general_context_free(memory);
    return status;
}

enum fst_status fst_pattern_new_caseless(struct fst_str source, bool ignore_case,
                                         struct fst_pattern **out, size_t *offset,
                                         struct fst_error *err)
{
    size_t size;
    struct fst_pattern *pattern = NULL;
    if (!FST_ADD_OVERFLOWS(sizeof *pattern, source.len, &size)) {
        pattern = fst_alloc(size);
    }
    if (pattern == NULL) {
        return fst_error_nomem(err);
    }
    *pattern = (struct fst_pattern){.len = source.len};
    if (source.len > 0) {
        memcpy(pattern->source, source.data, source.len);
    }
    enum fst_status status = compile(pattern, ignore_case, offset, err);
    if (status != FST_OK) {
        fst_pattern_free(pattern);
        return status;
    }
    *out = pattern;
    return FST_OK;
}

enum fst_status fst_pattern_new(struct fst_str source, struct fst_pattern **out, size_t *offset,
                                struct fst_error *err)
{
    return fst_pattern_new_caseless(source, false, out, offset, err);
}

void fst_pattern_free(struct fst_pattern *pattern)
{
    if (pattern != NULL) {
        pcre2_code_free(pattern->code);
        fst_free(pattern);
    }
}

struct fst_str fst_pattern_source(const struct fst_pattern *pattern)
{
    return fst_str_of(pattern->source, pattern->len);
}

/* --- matching ---------------------------------------------------------------------------------- */

void fst_matcher_release(struct fst_matcher *matcher)
{
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    *matcher = (struct fst_matcher){0};
}

static bool make_context(struct fst_matcher *matcher, pcre2_general_context *memory)
{
    if (matcher->context == NULL) {
        matcher->context = pcre2_match_context_create(memory);
        if (matcher->context == NULL) {
            return false;
        }
        (void)pcre2_set_heap_limit(matcher->context, MOST_HEAP_KIB);
        (void)pcre2_set_depth_limit(matcher->context, MOST_STEPS_A_PLACE);
    }
    return true;
}

/* Makes room for a pattern's groups. */
static bool prepare(struct fst_matcher *matcher, size_t groups)
{
    if (matcher->groups >= groups) {
        return true;
    }
    pcre2_general_context *memory = pcre2_general_context_create(take, give_back, NULL);
    if (memory == NULL) {
        return false;
    }
    bool ready = make_context(matcher, memory);
    pcre2_match_data *data = ready ? pcre2_match_data_create((uint32_t)groups, memory) : NULL;
    pcre2_general_context_free(memory);
    if (data == NULL) {
        return false;
    }
    pcre2_match_data_free(matcher->data);
    matcher->data = data;
    matcher->groups = groups;
    return true;
}

static uint32_t step_limit(const struct fst_pattern *pattern, size_t len)
{
    uint64_t places = pattern->anchored ? 1 : (uint64_t)len + 1;
    uint64_t share = most_steps / places;
    return share < MOST_STEPS_A_PLACE ? (uint32_t)share : MOST_STEPS_A_PLACE;
}

/* What is wrong with a match that ended in one of PCRE2's errors. */
static enum fst_status explain(const struct fst_pattern *pattern, int code, struct fst_error *err)
{
    switch (code) {
    case PCRE2_ERROR_NOMEMORY: return fst_error_nomem(err);
    case PCRE2_ERROR_MATCHLIMIT:
    case PCRE2_ERROR_DEPTHLIMIT:
    case PCRE2_ERROR_HEAPLIMIT:
    case PCRE2_ERROR_JIT_STACKLIMIT: {
        struct fst_buf shown = {0};
        fst_escape_text(&shown, fst_pattern_source(pattern));
        (void)fst_error_set(
            err, FST_ERR_USAGE, "the pattern \"%.*s\" took too long and was stopped",
            (int)(shown.len < 200 ? shown.len : 200), shown.data == NULL ? "" : shown.data);
        bool failed = shown.failed;
        fst_buf_release(&shown);
        return failed ? fst_error_nomem(err) : FST_ERR_USAGE;
    }
    default: {
        PCRE2_UCHAR text[256] = "";
        (void)pcre2_get_error_message(code, text, sizeof text);
        return fst_error_set(err, FST_ERR_USAGE, "a pattern cannot be matched: %s",
                             (const char *)text);
    }
    }
}

/* Looks from the byte `from` on; flags are PCRE2's. Machine code has a small stack of its own: what
 * does not fit is interpreted, on the heap. */
static enum fst_status find(const struct fst_pattern *pattern, struct fst_matcher *matcher,
                            struct fst_str name, size_t from, bool *matched, struct fst_error *err)
{
    if (!prepare(matcher, pattern->groups)) {
        return fst_error_nomem(err);
    }
    (void)pcre2_set_match_limit(matcher->context, step_limit(pattern, name.len));
    PCRE2_SPTR subject = (PCRE2_SPTR)(name.data == NULL ? "" : name.data);
    int code =
        pcre2_match(pattern->code, subject, name.len, from, 0, matcher->data, matcher->context);
    if (code == PCRE2_ERROR_JIT_STACKLIMIT) {
        code = pcre2_match(pattern->code, subject, name.len, from, PCRE2_NO_JIT, matcher->data,
                           matcher->context);
    }
    if (code < 0 && code != PCRE2_ERROR_NOMATCH) {
        return explain(pattern, code, err);
    }
    *matched = code >= 0;
    return FST_OK;
}

enum fst_status fst_pattern_match(const struct fst_pattern *pattern, struct fst_matcher *matcher,
                                  struct fst_str name, bool *matched, struct fst_error *err)
{
    return find(pattern, matcher, name, 0, matched, err);
}

/* --- reading a rewrite ------------------------------------------------------------------------- */

struct fst_rewrite {
    struct fst_pattern *pattern;
    bool all; /* every match, not the first alone */
    size_t len;
    char text[]; /* TEXT as it was written; it is read again at every match */
};

/* The parts of s/PATTERN/TEXT/FLAGS; they point into it. */
struct parts {
    struct fst_str pattern;
    struct fst_str text;
    bool all;
    bool ignore_case;
};

static enum fst_status refuse_at(size_t at, size_t *offset, struct fst_error *err,
                                 const char *message)
{
    if (offset != NULL) {
        *offset = at;
    }
    return fst_error_set(err, FST_ERR_USAGE, "bad rewrite: %s", message);
}

static bool is_delimiter(char c)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return c > ' ' && c < 0x7f && c != '\\' && !letter && !fst_is_digit(c);
}

/* The first delimiter from the byte `at` on that no backslash escapes; source.len: none. */
static size_t find_delimiter(struct fst_str source, size_t at, char delimiter)
{
    while (at < source.len && source.data[at] != delimiter) {
        at += source.data[at] == '\\' && at + 1 < source.len ? 2 : 1;
    }
    return at;
}

static enum fst_status read_flags(struct fst_str source, size_t at, struct parts *parts,
                                  size_t *offset, struct fst_error *err)
{
    for (; at < source.len; at++) {
        if (source.data[at] == 'g') {
            parts->all = true;
        } else if (source.data[at] == 'i') {
            parts->ignore_case = true;
        } else {
            return refuse_at(at, offset, err, "expected one of the flags g and i");
        }
    }
    return FST_OK;
}

static enum fst_status read_parts(struct fst_str source, struct parts *parts, size_t *offset,
                                  struct fst_error *err)
{
    if (source.len < 2 || source.data[0] != 's' || !is_delimiter(source.data[1])) {
        return refuse_at(0, offset, err, "expected s/PATTERN/TEXT/");
    }
    char delimiter = source.data[1];
    size_t middle = find_delimiter(source, 2, delimiter);
    size_t end = middle < source.len ? find_delimiter(source, middle + 1, delimiter) : source.len;
    if (end >= source.len) {
        char message[64];
        (void)snprintf(message, sizeof message, "expected another %c, as in s%cPATTERN%cTEXT%c",
                       delimiter, delimiter, delimiter, delimiter);
        return refuse_at(source.len, offset, err, message);
    }
    *parts = (struct parts){.pattern = fst_str_of(source.data + 2, middle - 2),
                            .text = fst_str_of(source.data + middle + 1, end - middle - 1)};
    return read_flags(source, end + 1, parts, offset, err);
}

/* A backslash before a digit names a group, which must be there. */
static enum fst_status check_groups(struct fst_str text, size_t start, size_t groups,
                                    size_t *offset, struct fst_error *err)
{
    for (size_t at = 0; at + 1 < text.len; at++) {
        if (text.data[at] != '\\') {
            continue;
        }
        at++;
        if (fst_is_digit(text.data[at]) && (size_t)(text.data[at] - '0') >= groups) {
            return refuse_at(start + at, offset, err, "the pattern has no such group");
        }
    }
    return FST_OK;
}

static enum fst_status compile_parts(struct fst_rewrite *rewrite, struct fst_str source,
                                     const struct parts *parts, size_t *offset,
                                     struct fst_error *err)
{
    size_t at = 0;
    enum fst_status status =
        fst_pattern_new_caseless(parts->pattern, parts->ignore_case, &rewrite->pattern, &at, err);
    if (status != FST_OK) {
        if (offset != NULL && status == FST_ERR_USAGE) {
            *offset = at + 2;
        }
        return status;
    }
    return check_groups(parts->text, (size_t)(parts->text.data - source.data),
                        rewrite->pattern->groups, offset, err);
}

enum fst_status fst_rewrite_new(struct fst_str source, struct fst_rewrite **out, size_t *offset,
                                struct fst_error *err)
{
    struct parts parts = {.pattern = {"", 0}, .text = {"", 0}};
    enum fst_status status = read_parts(source, &parts, offset, err);
    if (status != FST_OK) {
        return status;
    }
    struct fst_rewrite *rewrite = fst_alloc(sizeof *rewrite + parts.text.len);
    if (rewrite == NULL) {
        return fst_error_nomem(err);
    }
    *rewrite = (struct fst_rewrite){.all = parts.all, .len = parts.text.len};
    memcpy(rewrite->text, parts.text.data, parts.text.len);
    status = compile_parts(rewrite, source, &parts, offset, err);
    if (status != FST_OK) {
        fst_rewrite_free(rewrite);
        return status;
    }
    *out = rewrite;
    return FST_OK;
}

void fst_rewrite_free(struct fst_rewrite *rewrite)
{
    if (rewrite != NULL) {
        fst_pattern_free(rewrite->pattern);
        fst_free(rewrite);
    }
}

/* --- rewriting --------------------------------------------------------------------------------- */

/* Where the group of the last match stands in name. */
static struct fst_str group_of(const struct fst_matcher *matcher, struct fst_str name, size_t group)
{
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(matcher->data) + 2 * group;
    if (ends[0] == PCRE2_UNSET || ends[1] <= ends[0]) {
        return fst_str_of(name.data, 0);
    }
    return fst_str_of(name.data + ends[0], ends[1] - ends[0]);
}

static void add_escaped(struct fst_buf *out, const struct fst_matcher *matcher, struct fst_str name,
                        char c)
{
    if (fst_is_digit(c)) {
        fst_buf_add_str(out, group_of(matcher, name, (size_t)(c - '0')));
    } else {
        if (c == 'n') {
            c = '\n';
        } else if (c == 't') {
            c = '\t';
        }
        fst_buf_add_char(out, c);
    }
}

/* Appends TEXT for the last match. A backslash at its end stands for itself. */
static void add_text(const struct fst_rewrite *rewrite, const struct fst_matcher *matcher,
                     struct fst_str name, struct fst_buf *out)
{
    for (size_t at = 0; at < rewrite->len; at++) {
        char c = rewrite->text[at];
        if (c == '&') {
            fst_buf_add_str(out, group_of(matcher, name, 0));
        } else if (c == '\\' && at + 1 < rewrite->len) {
            add_escaped(out, matcher, name, rewrite->text[++at]);
        } else {
            fst_buf_add_char(out, c);
        }
    }
}

/* The length of the character at `at`, or of one byte that begins none. */
static size_t step_over(struct fst_str name, size_t at)
{
    int32_t ignored;
    size_t len = fst_utf8_next(fst_str_skip(name, at), &ignored);
    return len > 0 ? len : 1;
}

/* Replaces matches from the first one, which was just found, to the last. `copied` bytes of name
 * are in out, or were replaced. An empty match right behind another match is none. */
static enum fst_status replace(const struct fst_rewrite *rewrite, struct fst_matcher *matcher,
                               struct fst_str name, struct fst_buf *out, struct fst_error *err)
{
    size_t copied = 0;
    size_t from = 0;
    size_t last_end = SIZE_MAX;
    bool found = true;
    while (found) {
        const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(matcher->data);
        size_t start = ends[0] < copied ? copied : ends[0]; /* \K may move it */
        size_t end = ends[1] < start ? start : ends[1];
        bool empty = end == start;
        if (!empty || end != last_end) {
            fst_buf_add(out, name.data + copied, start - copied);
            add_text(rewrite, matcher, name, out);
            copied = end;
            last_end = end;
        }
        from = empty && end < name.len ? end + step_over(name, end) : end + empty;
        if (!rewrite->all || from > name.len) {
            break;
        }
        enum fst_status status = find(rewrite->pattern, matcher, name, from, &found, err);
        if (status != FST_OK) {
            return status;
        }
    }
    fst_buf_add(out, name.data + copied, name.len - copied);
    return out->failed ? fst_error_nomem(err) : FST_OK;
}

enum fst_status fst_rewrite_apply(const struct fst_rewrite *rewrite, struct fst_matcher *matcher,
                                  struct fst_str name, struct fst_buf *scratch, struct fst_str *out,
                                  struct fst_error *err)
{
    bool matched = false;
    if (name.data == NULL) {
        name.data = "";
    }
    enum fst_status status = find(rewrite->pattern, matcher, name, 0, &matched, err);
    if (status != FST_OK) {
        return status;
    }
    if (!matched) {
        *out = name;
        return FST_OK;
    }
    fst_buf_clear(scratch);
    status = replace(rewrite, matcher, name, scratch, err);
    if (status == FST_OK) {
        *out = fst_buf_str(scratch);
    }
    return status;
}
