/* What a waiting thread looks like in a py-spy --native recording, leaf-ward:
 *
 *     work (a.py:3);take_gil (libpython3.11.so);pthread_cond_timedwait (libc.so.6);0x7f1c… (libc.so.6)
 *
 * CPython takes its own lock and those of the threading module with condition variables, semaphores
 * and mutexes (Python/ceval_gil.c, Python/thread_pthread.h), which wait in futex(2). Whose lock it
 * is cannot be told from the stack, unless take_gil itself stands in it. */
#include "parse/wait.h"

#include "base/compat.h"
#include "parse/frame.h"

static const char *const waits[] = {
    "take_gil",
    "PyThread_acquire_lock_timed",
    "_PySemaphore_Wait",
    "_PyParkingLot_Park",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "__pthread_cond_wait",
    "__pthread_cond_wait_common",
    "__pthread_cond_timedwait",
    "__pthread_cond_clockwait",
    "pthread_mutex_lock",
    "__pthread_mutex_lock",
    "___pthread_mutex_lock",
    "__lll_lock_wait",
    "__lll_lock_wait_private",
    "sem_wait",
    "sem_timedwait",
    "sem_clockwait",
    "__new_sem_wait",
    "__new_sem_wait_slow",
    "__new_sem_wait_slow64",
    "do_futex_wait",
    "futex_wait",
    "futex_wait_cancelable",
    "futex_abstimed_wait",
    "futex_abstimed_wait_cancelable",
    "__futex_abstimed_wait_common",
    "__futex_abstimed_wait_common64",
    "__futex_abstimed_wait_cancelable64",
    "__psynch_cvwait",
    "__psynch_mutexwait",
};

/* "pthread_cond_wait@@GLIBC_2.3.2" is pthread_cond_wait; inlined callees and symbol tables of
 * macOS are the same names. */
static struct fst_str function_of(struct fst_str frame)
{
    struct fst_frame_parts parts = fst_frame_read(frame, true);
    const char *version =
        parts.function.len == 0 ? NULL : memchr(parts.function.data, '@', parts.function.len);
    return version == NULL
               ? parts.function
               : fst_str_of(parts.function.data, (size_t)(version - parts.function.data));
}

static bool enters_system(struct fst_str function)
{
    return fst_str_starts(function, FST_STR("0x")) || fst_str_eq(function, FST_STR("syscall")) ||
           fst_str_eq(function, FST_STR("__syscall"));
}

static bool is_wait(struct fst_str function)
{
    for (size_t i = 0; i < FST_COUNT_OF(waits); i++) {
        if (fst_str_eq(function, fst_str_cstr(waits[i]))) {
            return true;
        }
    }
    return false;
}

/* Python code, or C code of the interpreter. */
static bool is_interpreter(struct fst_str frame)
{
    struct fst_frame_parts parts = fst_frame_read(frame, true);
    return fst_frame_names_python(&parts) || fst_str_starts(parts.function, FST_STR("Py")) ||
           fst_str_starts(parts.function, FST_STR("_Py")) ||
           fst_str_starts(parts.file, FST_STR("libpython"));
}

size_t fst_wait_find(const struct fst_str *frames, size_t nframes)
{
    size_t at = nframes;
    while (at > 0 && enters_system(function_of(frames[at - 1]))) {
        at--;
    }
    if (at == 0 || !is_wait(function_of(frames[at - 1]))) {
        return nframes;
    }
    for (size_t i = at - 1; i-- > 0;) {
        if (is_interpreter(frames[i])) {
            return at - 1;
        }
    }
    return nframes;
}
