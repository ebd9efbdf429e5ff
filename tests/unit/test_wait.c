/* parse/wait: native frames that wait for a lock. */
#include "unit/helpers.h"

#include "parse/wait.h"

enum { MOST = 6 };

static const struct row {
    const char *frames[MOST]; /* root first, ended by NULL */
    int at;                   /* of the frame that waits; -1: none does */
} rows[] = {
    {{"f (a.py:3)", "take_gil (libpython3.11.so.1.0)", "pthread_cond_timedwait (libc.so.6)",
      "0x7f1cb40a3f16 (libc.so.6)"},
     2},
    {{"f (a.py:3)", "pthread_cond_timedwait@@GLIBC_2.3.2 (libc.so.6)"}, 1},
    {{"f (a.py:3)", "take_gil (libpython3.11.so.1.0)", "syscall (libc.so.6)"}, 1},
    {{"PyEval_RestoreThread (python3.12)", "__futex_abstimed_wait_common64 (libc.so.6)"}, 1},
    {{"main (libpython3.11.so.1.0)", "sem_wait (libc.so.6)"}, 1},
    {{"f (a.py:3)", "do_futex_wait (nptl/sem_waitcommon.c:112)"}, 1},
    /* no interpreter above */
    {{"start_thread (libc.so.6)", "blas_thread (libopenblas.so)", "sem_wait (libc.so.6)"}, -1},
    {{"sem_wait (libc.so.6)"}, -1},
    /* no wait at the leaf */
    {{"f (a.py:3)"}, -1},
    {{"f (a.py:3)", "take_gil (libpython3.11.so)", "memcpy (libc.so.6)"}, -1},
    {{"f (a.py:3)", "pthread_cond_signal (libc.so.6)"}, -1},
    {{"f (a.py:3)", "0x7f1cb40a3f16 (libc.so.6)"}, -1},
    {{"0x7f1cb40a3f16 (libc.so.6)"}, -1},
    {{"syscall"}, -1},
    {{""}, -1},
};

static void finds_waits(void **state)
{
    (void)state;
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_str frames[MOST];
        size_t n = 0;
        for (; n < MOST && rows[i].frames[n] != NULL; n++) {
            frames[n] = fst_str_cstr(rows[i].frames[n]);
        }
        size_t want = rows[i].at < 0 ? n : (size_t)rows[i].at;
        REQUIRE(fst_wait_find(frames, n) == want, "row %zu: found %zu, wanted %zu", i,
                fst_wait_find(frames, n), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
