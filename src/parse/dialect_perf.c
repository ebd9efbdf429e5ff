/* Native profilers: perf by way of stackcollapse-perf or inferno, and bcc; async-profiler; gProfiler.
 *
 *     perf       java;start_thread;Foo:.run_[j];do_syscall_64_[k] 12
 *     async      [main tid=12345];java/lang/Thread.run_[j];foo_[k] 21
 *     gProfiler  # {json}
 *                ID;CONTAINER;COMM;frame;frame 7
 *
 * Names are symbols: brackets in them are parameters, never files, so that "f (int)" stays one name.
 * Sources: https://github.com/brendangregg/FlameGraph (stackcollapse-perf.pl),
 * https://github.com/jonhoo/inferno, https://github.com/iovisor/bcc (tools/profile.py -f),
 * https://github.com/async-profiler/async-profiler, https://github.com/intel/gprofiler. */
#include "parse/dialect.h"

/* "name_[k]" */
static bool is_annotated(struct fst_str frame)
{
    return frame.len > 4 && frame.data[frame.len - 1] == ']' && frame.data[frame.len - 3] == '[' &&
           frame.data[frame.len - 4] == '_';
}

/* "[unknown]", "[libc.so.6]", "[perf]" */
static bool is_module(struct fst_str frame)
{
    return frame.len > 2 && frame.data[0] == '[' && frame.data[frame.len - 1] == ']' &&
           memchr(frame.data, ' ', frame.len) == NULL && !fst_str_eq(frame, FST_FRAME_EMPTY);
}

/* Symbols below which every native program runs, and those through which the kernel is entered. */
static bool is_entry(struct fst_str frame)
{
    static const struct fst_str entries[] = {
        {"_start", 6},
        {"__libc_start_main", 17},
        {"__libc_start_call_main", 22},
        {"start_thread", 12},
        {"clone", 5},
        {"clone3", 6},
        {"__clone", 7},
        {"entry_SYSCALL_64", 16},
        {"entry_SYSCALL_64_after_hwframe", 30},
        {"do_syscall_64", 13},
        {"el0_svc", 7},
        {"el0t_64_sync", 12},
        {"el0t_64_sync_handler", 20},
        {"invoke_syscall", 14},
        {"ret_from_fork", 13},
        {"ret_from_fork_asm", 17},
        {"kthread", 7},
        {"secondary_startup_64", 20},
        {"secondary_startup_64_no_verify", 30},
        {"cpu_startup_entry", 17},
        {"__schedule", 10},
        {"[unknown]", 9},
    };
    bool found = false;
    bool named = frame.len > 0 && frame.data[frame.len - 1] != ')'; /* most others in Python */
    for (size_t i = 0; named && !found && i < FST_COUNT_OF(entries); i++) {
        found = fst_str_eq(frame, entries[i]);
    }
    return found;
}

static struct fst_frame_parts read_symbol(struct fst_str frame, bool split_files)
{
    (void)split_files;
    struct fst_frame_parts parts = fst_frame_read(frame, false);
    if (parts.kind == FST_FRAME_PROCESS || parts.kind == FST_FRAME_THREAD) {
        parts.kind = FST_FRAME_PLAIN; /* py-spy's labels mean nothing here */
    }
    return parts;
}

/* Delimiters between kernel and user stacks are no frames, and neither is what stands for no Python
 * frames. */
static bool is_no_frame(struct fst_str frame)
{
    return fst_frame_is_delimiter(frame) || fst_str_eq(frame, FST_FRAME_NONE);
}

static size_t drop_delimiters(struct fst_str *frames, size_t nframes, struct fst_buf *scratch)
{
    (void)scratch;
    size_t kept = 0;
    for (size_t i = 0; i < nframes; i++) {
        if (!is_no_frame(frames[i])) {
            frames[kept++] = frames[i];
        }
    }
    if (kept == 0) {
        frames[kept++] = FST_FRAME_BARE;
    }
    return kept;
}

/* Nothing in the text looks like a frame that drop_delimiters drops. */
static bool has_no_delimiter(struct fst_str stack)
{
    return stack.data[0] != '-' && fst_str_find(stack, FST_STR(";-")) == NULL &&
           fst_str_find(stack, FST_FRAME_NONE) == NULL;
}

/* --- perf ------------------------------------------------------------------------------------- */

/* The length of "COMMAND-PID" in "COMMAND-PID/TID", as --tid of the folding scripts writes it ("?" is
 * a process that perf did not name); 0 if the frame has another form. */
static size_t process_length(struct fst_str frame)
{
    size_t slash = frame.len;
    while (slash > 0 && fst_is_digit(frame.data[slash - 1])) {
        slash--;
    }
    if (slash == frame.len || slash < 2 || frame.data[slash - 1] != '/') {
        return 0;
    }
    size_t end = slash - 1;
    size_t at = end;
    while (at > 0 && fst_is_digit(frame.data[at - 1])) {
        at--;
    }
    at -= at == end && frame.data[at - 1] == '?';
    return at > 1 && at < end && frame.data[at - 1] == '-' ? end : 0;
}

/* The command stands first, unless the stack begins with what can only be a symbol. It is the
 * process, and a good root: what follows it is often not known. */
static struct fst_lead lead_perf(const struct fst_str *frames, size_t nframes)
{
    (void)nframes;
    struct fst_str first = frames[0];
    bool symbol = is_annotated(first) || is_module(first) || is_entry(first) ||
                  memchr(first.data, '(', first.len) != NULL ||
                  fst_str_find(first, FST_STR("::")) != NULL || fst_str_eq(first, FST_FRAME_BARE) ||
                  fst_str_eq(first, FST_FRAME_EMPTY);
    if (symbol) {
        return FST_NO_LEAD;
    }
    size_t process = process_length(first);
    return (struct fst_lead){.count = 1,
                             .process = 0,
                             .thread = process > 0 ? 0 : FST_NO_FRAME,
                             .process_name = fst_str_of(first.data, process)};
}

static bool fits_perf(const struct fst_record *record)
{
    if (record->kind != FST_RECORD_STACK) {
        return false;
    }
    for (size_t i = 0; i < record->nframes; i++) {
        struct fst_str frame = record->frames[i];
        bool inside = i > 0 && i + 1 < record->nframes; /* a leaf may be a function of that name */
        if (is_annotated(frame) || is_module(frame) || is_entry(frame) ||
            (inside && fst_frame_is_delimiter(frame))) {
            return true;
        }
    }
    return false;
}

static int bid_perf(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.3 ? 60 : 0;
}

const struct fst_dialect_rules fst_dialect_perf = {
    .id = FST_DIALECT_PERF,
    .name = "perf",
    .fits = fits_perf,
    .bid = bid_perf,
    .read = read_symbol,
    .lead = lead_perf,
    .reshape = drop_delimiters,
    .as_is = has_no_delimiter,
};

/* --- async-profiler --------------------------------------------------------------------------- */

/* "[main tid=12345]" */
static bool is_java_thread(struct fst_str frame)
{
    static const struct fst_str word = {" tid=", 5};
    return frame.len > word.len + 2 && frame.data[0] == '[' && frame.data[frame.len - 1] == ']' &&
           fst_str_find(frame, word) != NULL;
}

static struct fst_frame_parts read_async(struct fst_str frame, bool split_files)
{
    struct fst_frame_parts parts = read_symbol(frame, split_files);
    if (is_java_thread(frame)) {
        parts.kind = FST_FRAME_THREAD;
    }
    return parts;
}

static struct fst_lead lead_async(const struct fst_str *frames, size_t nframes)
{
    return fst_lead_by_kind(&fst_dialect_async, frames, nframes);
}

/* A thread, or Java (compiled, inlined, interpreted …) right at the root: no command before it. */
static bool fits_async(const struct fst_record *record)
{
    if (record->kind != FST_RECORD_STACK) {
        return false;
    }
    struct fst_str first = record->frames[0];
    return is_java_thread(first) ||
           (is_annotated(first) && memchr("ji01c", first.data[first.len - 2], 5) != NULL) ||
           (record->nframes > 1 && fst_str_starts(record->frames[1], FST_STR("java_start("))) ||
           fst_str_eq(first, FST_STR("thread_native_entry"));
}

static int bid_async(const struct fst_sniff *sniff, double fits)
{
    (void)sniff;
    return fits >= 0.5 ? 70 : 0;
}

const struct fst_dialect_rules fst_dialect_async = {
    .id = FST_DIALECT_ASYNC,
    .name = "async-profiler",
    .fits = fits_async,
    .bid = bid_async,
    .read = read_async,
    .lead = lead_async,
};

/* --- gProfiler -------------------------------------------------------------------------------- */

static struct fst_lead lead_gprofiler(const struct fst_str *frames, size_t nframes)
{
    enum { LEAD = 3 }; /* id, container, command */
    (void)frames;
    size_t count = nframes < LEAD ? nframes : LEAD;
    return (struct fst_lead){count, count - 1, count - 1, FST_NO_FRAME, {"", 0}, 0};
}

static int bid_gprofiler(const struct fst_sniff *sniff, double fits)
{
    (void)fits;
    return sniff->json_comment ? 96 : 0;
}

const struct fst_dialect_rules fst_dialect_gprofiler = {
    .id = FST_DIALECT_GPROFILER,
    .name = "gprofiler",
    .fits = fits_perf, /* most of its stacks are perf's */
    .bid = bid_gprofiler,
    .read = read_symbol,
    .lead = lead_gprofiler,
};
