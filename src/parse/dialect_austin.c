/* Austin (https://github.com/P403n1x87/austin), versions 1 to 3, and the sampling profiler of
 * CPython 3.15 (Lib/profiling/sampling), which writes frames as Austin 3 does.
 *
 *     1  Thread 7f1a;f (mod.py);L12;g (mod.py);L3 100
 *     2  P5;T7f1a;f (mod.py);L12 100
 *     3  P5;T0:77;/x/mod.py:f:12;:GC: 100
 *     -  tid:8;repro.py:<module>:6;<GC> 5
 *
 * Counts are µs, or bytes in memory mode. In versions 1 and 2 a line stands in a frame of its own
 * behind its function: it is folded into that, as "f (mod.py:12)". */
#include "parse/dialect.h"

/* The length of hexadecimal digits at the start of text. */
static size_t hex_run(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && fst_is_hex(text.data[n])) {
        n++;
    }
    return n;
}

static size_t digit_run(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && fst_is_digit(text.data[n])) {
        n++;
    }
    return n;
}

/* "P5" */
static bool is_process(struct fst_str frame)
{
    return frame.len > 1 && frame.data[0] == 'P' &&
           digit_run(fst_str_skip(frame, 1)) == frame.len - 1;
}

/* "Thread 7f1a", "T7f1a", "T0x7f1a", "T0:77" */
static bool is_thread(struct fst_str frame)
{
    static const struct fst_str word = {"Thread ", 7};
    if (fst_str_starts(frame, word)) {
        return frame.len > word.len &&
               hex_run(fst_str_skip(frame, word.len)) == frame.len - word.len;
    }
    if (frame.len < 2 || frame.data[0] != 'T') {
        return false;
    }
    struct fst_str rest = fst_str_skip(frame, 1);
    if (fst_str_starts(rest, FST_STR("0x"))) {
        rest = fst_str_skip(rest, 2);
    }
    size_t n = hex_run(rest);
    if (n < rest.len && rest.data[n] == ':') {
        size_t second = hex_run(fst_str_skip(rest, n + 1));
        return n > 0 && second > 0 && n + 1 + second == rest.len;
    }
    return n > 0 && n == rest.len;
}

/* "L12" */
static bool is_line(struct fst_str frame)
{
    return frame.len > 1 && frame.data[0] == 'L' &&
           digit_run(fst_str_skip(frame, 1)) == frame.len - 1;
}

static bool is_mark(struct fst_str frame)
{
    return frame.len > 2 &&
           ((frame.data[0] == ':' && frame.data[frame.len - 1] == ':') ||
            fst_str_eq(frame, FST_STR("<GC>")) || fst_str_eq(frame, FST_STR("<native>")));
}

/* A frame that may be a label or a mark, else "file:function:line" or "function (file:line)". */
static struct fst_frame_parts read_with_label(struct fst_str frame, bool split_files, bool process,
                                              bool thread)
{
    struct fst_frame_parts parts = {.function = frame, .file = {"", 0}, .line = {"", 0}};
    if (process || thread) {
        parts.kind = process ? FST_FRAME_PROCESS : FST_FRAME_THREAD;
    } else if (is_mark(frame)) {
        parts.kind = FST_FRAME_STANDIN;
    } else if (!fst_frame_read_colons(frame, &parts)) {
        parts = fst_frame_read(frame, split_files);
    }
    return parts;
}

static struct fst_frame_parts read_austin(struct fst_str frame, bool split_files)
{
    return read_with_label(frame, split_files, is_process(frame), is_thread(frame));
}

static struct fst_lead lead_austin(const struct fst_str *frames, size_t nframes)
{
    return fst_lead_by_kind(&fst_dialect_austin, frames, nframes);
}

/* ";L12" somewhere in the stack. */
static bool has_line_frame(struct fst_str text)
{
    const char *at;
    while ((at = fst_str_find(text, FST_STR(";L"))) != NULL) {
        text = fst_str_skip(text, (size_t)(at - text.data) + 2);
        if (text.len > 0 && fst_is_digit(text.data[0])) {
            return true;
        }
    }
    return false;
}

enum { LONG_ID = 13 }; /* "Thread " and six digits: shorter ones may be a name */

/* The same of frames that stand in no text. */
static bool frames_fit_austin(const struct fst_str *frames, size_t nframes)
{
    size_t at = fst_tags_count(frames, nframes);
    if (at == nframes) {
        return false;
    }
    if (is_process(frames[at])) {
        return at + 1 < nframes && frames[at + 1].len > 0 && frames[at + 1].data[0] == 'T';
    }
    bool thread = is_thread(frames[at]) && frames[at].data[1] == 'h';
    bool line = false;
    for (size_t i = at + 1; thread && !line && i < nframes; i++) {
        line = is_line(frames[i]);
    }
    return thread && (frames[at].len >= LONG_ID || line);
}

static bool fits_austin(const struct fst_record *record)
{
    if (record->stack.data == NULL && record->nframes > 0) {
        return frames_fit_austin(record->frames, record->nframes);
    }
    struct fst_str text = fst_str_skip(record->text, fst_tags_length(record->text));
    const char *end = text.len == 0 ? NULL : memchr(text.data, ';', text.len);
    if (end == NULL) {
        end = memchr(text.data, ' ', text.len);
        end = fst_str_starts(text, FST_STR("Thread ")) ? memchr(text.data + 7, ' ', text.len - 7)
                                                       : end;
    }
    struct fst_str first =
        fst_str_of(text.data, end == NULL ? text.len : (size_t)(end - text.data));
    if (is_process(first)) {
        return end != NULL && *end == ';' && end + 1 < text.data + text.len && end[1] == 'T';
    }
    return is_thread(first) && first.data[1] == 'h' &&
           (first.len >= LONG_ID || has_line_frame(text));
}

static int bid_austin(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.5 ? 100 : 0;
}

/* "f (mod.py)" with "L12" behind it becomes "f (mod.py:12)". */
static struct fst_str join_line(struct fst_str frame, struct fst_str line, struct fst_buf *scratch)
{
    size_t start = scratch->len;
    bool bracket = frame.len > 0 && frame.data[frame.len - 1] == ')';
    fst_buf_add(scratch, frame.data, frame.len - bracket);
    fst_buf_add_char(scratch, ':');
    fst_buf_add(scratch, line.data + 1, line.len - 1);
    if (bracket) {
        fst_buf_add_char(scratch, ')');
    }
    return fst_str_of(scratch->data + start, scratch->len - start);
}

/* Whether a line may be folded into the frame before it: a function, and only once. */
static bool takes_line(struct fst_str frame, const struct fst_buf *scratch)
{
    bool folded = scratch->len > 0 && frame.data >= scratch->data &&
                  frame.data < scratch->data + scratch->len;
    return !folded && !is_line(frame) && !is_process(frame) && !is_thread(frame) && !is_mark(frame);
}

static size_t fold_lines(struct fst_str *frames, size_t nframes, struct fst_buf *scratch)
{
    size_t room = 0;
    bool any = false;
    for (size_t i = 0; i < nframes; i++) {
        any = any || is_line(frames[i]);
        room += frames[i].len + 2;
    }
    /* Room for all of it at once: folded frames point into scratch, which must not move. Each frame
     * is copied there once at most. */
    if (!any || !fst_buf_reserve(scratch, room)) {
        return nframes;
    }
    size_t kept = 0;
    for (size_t i = 0; i < nframes; i++) {
        if (kept > 0 && is_line(frames[i]) && takes_line(frames[kept - 1], scratch)) {
            frames[kept - 1] = join_line(frames[kept - 1], frames[i], scratch);
        } else {
            frames[kept++] = frames[i];
        }
    }
    return kept;
}

static bool has_no_line_frame(struct fst_str stack)
{
    return stack.data[0] != 'L' && !has_line_frame(stack);
}

const struct fst_dialect_rules fst_dialect_austin = {
    .id = FST_DIALECT_AUSTIN,
    .name = "austin",
    .fits = fits_austin,
    .bid = bid_austin,
    .read = read_austin,
    .lead = lead_austin,
    .reshape = fold_lines,
    .as_is = has_no_line_frame,
    .always_split = true,
    .unit = FST_UNIT_MICROSECONDS,
};

/* --- CPython 3.15 ----------------------------------------------------------------------------- */

/* "tid:8" */
static bool is_tid(struct fst_str frame)
{
    static const struct fst_str word = {"tid:", 4};
    return fst_str_starts(frame, word) && frame.len > word.len &&
           digit_run(fst_str_skip(frame, word.len)) == frame.len - word.len;
}

static struct fst_frame_parts read_cpython(struct fst_str frame, bool split_files)
{
    return read_with_label(frame, split_files, false, is_tid(frame));
}

static struct fst_lead lead_cpython(const struct fst_str *frames, size_t nframes)
{
    return fst_lead_by_kind(&fst_dialect_cpython, frames, nframes);
}

static bool fits_cpython(const struct fst_record *record)
{
    if (record->kind != FST_RECORD_STACK) {
        return false;
    }
    size_t tags = fst_tags_count(record->frames, record->nframes);
    return tags < record->nframes && is_tid(record->frames[tags]);
}

static int bid_cpython(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.5 ? 92 : 0;
}

const struct fst_dialect_rules fst_dialect_cpython = {
    .id = FST_DIALECT_CPYTHON,
    .name = "cpython",
    .fits = fits_cpython,
    .bid = bid_cpython,
    .read = read_cpython,
    .lead = lead_cpython,
    .always_split = true,
};
