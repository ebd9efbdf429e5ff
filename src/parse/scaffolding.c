/* Frames that start a thread, a process or an interpreter and say nothing of the program: what
 * `--root auto` passes over. A row with a file matches only frames whose file ends in it at a path
 * separator (of Windows too); a row without one matches the function whatever its file. */
#include "base/compat.h"
#include "parse/frame.h"

static const struct scaffold {
    struct fst_str function;
    struct fst_str file;
} scaffolds[] = {
#define ANYWHERE(function)                                                                         \
    {                                                                                              \
        {function, sizeof(function) - 1},                                                          \
        {                                                                                          \
            "", 0                                                                                  \
        }                                                                                          \
    }
#define IN(function, file)                                                                         \
    {                                                                                              \
        {function, sizeof(function) - 1},                                                          \
        {                                                                                          \
            file, sizeof(file) - 1                                                                 \
        }                                                                                          \
    }
    /* threading */
    ANYWHERE("_bootstrap"),
    ANYWHERE("__bootstrap"),
    ANYWHERE("_bootstrap_inner"),
    ANYWHERE("__bootstrap_inner"),
    IN("run", "threading.py"),
    /* executors and process pools */
    IN("_worker", "concurrent/futures/thread.py"),
    IN("run", "concurrent/futures/thread.py"),
    IN("_process_worker", "concurrent/futures/process.py"),
    IN("worker", "multiprocessing/pool.py"),
    IN("run", "multiprocessing/process.py"),
    IN("_bootstrap", "multiprocessing/process.py"),
    IN("spawn_main", "multiprocessing/spawn.py"),
    IN("_main", "multiprocessing/spawn.py"),
    IN("_launch", "multiprocessing/popen_fork.py"),
    /* python -m and runpy */
    ANYWHERE("_run_module_as_main"),
    ANYWHERE("_run_module_code"),
    IN("_run_code", "runpy.py"),
    IN("_run_code", "<frozen runpy>"),
    IN("run_module", "runpy.py"),
    IN("run_module", "<frozen runpy>"),
    IN("run_path", "runpy.py"),
    IN("run_path", "<frozen runpy>"),
    /* import */
    ANYWHERE("_call_with_frames_removed"),
    /* the interpreter's own entry */
    ANYWHERE("Py_BytesMain"),
    ANYWHERE("Py_RunMain"),
    ANYWHERE("Py_Main"),
    ANYWHERE("pymain_main"),
    ANYWHERE("thread_run"),
    ANYWHERE("t_bootstrap"),
    ANYWHERE("pythread_wrapper"),
    /* the C library and the system */
    ANYWHERE("start_thread"),
    ANYWHERE("clone"),
    ANYWHERE("clone3"),
    ANYWHERE("__clone"),
    ANYWHERE("__clone3"),
    ANYWHERE("_start"),
    ANYWHERE("__libc_start_main"),
    ANYWHERE("__libc_start_call_main"),
    ANYWHERE("_pthread_start"),
    ANYWHERE("thread_start"),
#undef ANYWHERE
#undef IN
};

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static bool in_file(struct fst_str file, struct fst_str wanted)
{
    if (file.len < wanted.len) {
        return false;
    }
    struct fst_str end = fst_str_skip(file, file.len - wanted.len);
    for (size_t i = 0; i < wanted.len; i++) {
        if (end.data[i] != wanted.data[i] &&
            !(is_separator(end.data[i]) && is_separator(wanted.data[i]))) {
            return false;
        }
    }
    return file.len == wanted.len || is_separator(end.data[-1]);
}

/* Unnamed code: "0x7f1c…", alone or before " (file)". */
static bool is_address(struct fst_str function)
{
    if (!fst_str_starts(function, FST_STR("0x")) || function.len == 2) {
        return false;
    }
    for (size_t at = 2; at < function.len; at++) {
        if (!fst_is_hex(function.data[at])) {
            return false;
        }
    }
    return true;
}

/* "Thread.run", as Austin writes it, is "run". */
static struct fst_str without_class(struct fst_str function)
{
    size_t at = function.len;
    while (at > 0 && function.data[at - 1] != '.') {
        at--;
    }
    return at < function.len ? fst_str_skip(function, at) : function;
}

bool fst_frame_is_scaffolding(struct fst_str frame, const struct fst_frame_parts *parts)
{
    if (parts->kind == FST_FRAME_PROCESS || parts->kind == FST_FRAME_THREAD ||
        parts->kind == FST_FRAME_DELIMITER) {
        return true;
    }
    if (parts->kind == FST_FRAME_STANDIN) {
        return false;
    }
    /* A frame that was not split because its file does not read files may still be an address
     * or a scaffold with a library behind it, as perf and py-spy --native write them. */
    struct fst_frame_parts again = *parts;
    if (again.kind == FST_FRAME_PLAIN) {
        again = fst_frame_read(frame, true);
    }
    if (is_address(again.function)) {
        return true;
    }
    struct fst_str method = again.file.len > 0 ? without_class(again.function) : again.function;
    for (size_t i = 0; i < FST_COUNT_OF(scaffolds); i++) {
        if (fst_str_eq(method, scaffolds[i].function) &&
            (scaffolds[i].file.len == 0 || in_file(again.file, scaffolds[i].file))) {
            return true;
        }
    }
    return false;
}
