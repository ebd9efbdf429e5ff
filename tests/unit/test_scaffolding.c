/* Frames that only start a thread, a process or an interpreter are passed over in the search for a
 * root; frames that merely resemble them are not. */
#include "unit/helpers.h"

#include "parse/frame.h"

static void require_each(const char *const *frames, size_t count, bool split_files, bool wanted)
{
    for (size_t i = 0; i < count; i++) {
        struct fst_str frame = fst_str_cstr(frames[i]);
        struct fst_frame_parts parts = fst_frame_read(frame, split_files);
        REQUIRE(fst_frame_is_scaffolding(frame, &parts) == wanted, "\"%s\" %s", frames[i],
                wanted ? "should be passed over" : "should be kept");
    }
}

static void starters_of_threads_processes_and_interpreters_are_passed_over(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "_bootstrap (threading.py:1002)",
        "__bootstrap (threading.py:774)",
        "_bootstrap_inner (threading.py:1045)",
        "run (threading.py:982)",
        "_worker (concurrent/futures/thread.py:83)",
        "worker (multiprocessing/pool.py:125)",
        "_bootstrap (multiprocessing/process.py:314)",
        "run (multiprocessing/process.py:108)",
        "spawn_main (multiprocessing/spawn.py:122)",
        "_main (multiprocessing/spawn.py:135)",
        "_run_module_as_main (<frozen runpy>:198)",
        "_run_module_as_main (runpy.py:194)",
        "_run_module_code (runpy.py:97)",
        "_run_code (<frozen runpy>:88)",
        "_run_code (runpy.py:87)",
        "run_module (<frozen runpy>:226)",
        "run_path (runpy.py:263)",
        "_call_with_frames_removed (<frozen importlib._bootstrap>:241)",
        "start_thread (libpthread-2.31.so)",
        "clone (libc-2.31.so)",
        "clone3 (libc.so.6)",
        "_start (python3.11)",
        "__libc_start_main (libc.so.6)",
    };
    require_each(frames, FST_COUNT_OF(frames), true, true);
    /* Where a text does not carry files, the same frames are still the same. */
    require_each(frames, FST_COUNT_OF(frames), false, true);
}

static void names_alone_are_enough_where_no_file_is_asked_for(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "start_thread",          "clone3",           "_start",           "_bootstrap",
        "_bootstrap (x/y.py:3)", "_bootstrap_inner", "__libc_start_main"};
    require_each(frames, FST_COUNT_OF(frames), true, true);
    static const char *const others[] = {"run", "worker", "_worker", "_main", "run_module"};
    require_each(others, FST_COUNT_OF(others), true, false);
}

static void a_file_matches_by_its_end_at_a_separator(void **state)
{
    (void)state;
    static const char *const same[] = {
        "run (/usr/lib/python3.11/threading.py:982)",
        "run (C:\\Python311\\Lib\\threading.py:982)",
        "run (threading.py)",
        "run (threading.py:0)",
        "_worker (/usr/lib/python3.11/concurrent/futures/thread.py:83)",
        "_worker (concurrent\\futures\\thread.py:83)",
        "_worker (C:\\Program Files (x86)\\Lib\\concurrent\\futures\\thread.py:83)",
        "worker (/opt/py/multiprocessing/pool.py:125)",
        "worker (multiprocessing\\pool.py:125)",
    };
    require_each(same, FST_COUNT_OF(same), true, true);
    static const char *const others[] = {
        "run (mythreading.py:3)",
        "run (threading.pyc:3)",
        "run (threading.py/x.py:3)",
        "run (app.py:3)",
        "runs (threading.py:3)",
        "Run (threading.py:3)",
        "_worker (thread.py:83)",
        "_worker (futures/thread.py:83)",
        "_worker (myconcurrent/futures/thread.py:83)",
        "_worker (concurrent.futures.thread.py:83)",
        "worker (pool.py:125)",
        "submit (concurrent/futures/thread.py:83)",
        "_run_code (app/norunpy.py:3)",
    };
    require_each(others, FST_COUNT_OF(others), true, false);
}

static void addresses_delimiters_processes_and_threads_are_passed_over(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "0x7f1c2b3a (libtorch_cpu.so)",
        "0x7F1C",
        "0x0 (python3.11)",
        "-",
        "--",
        "process 10:\"python train.py\"",
        "process 10:\"\"",
        "thread (4242): MainThread",
        "thread (0x7FA0)",
        "thread 4242",
    };
    require_each(frames, FST_COUNT_OF(frames), true, true);
    require_each(frames, FST_COUNT_OF(frames), false, true);
}

static void what_tells_something_is_kept(void **state)
{
    (void)state;
    static const char *const frames[] = {
        "main (train.py:42)",
        "<module> (train.py:1)",
        "process (twisted/web/server.py:235)",
        "thread (pool.py:3)",
        "0x",
        "0x (lib.so)",
        "0x7fzz (lib.so)",
        "7f12 (lib.so)",
        "f0x7f12 (lib.so)",
        "---",
        "",
        "[no Python frames]",
        "[empty]",
        "[unknown]",
        "my_start_thread",
        "start_threads",
        "clone4",
    };
    require_each(frames, FST_COUNT_OF(frames), true, false);
    require_each(frames, FST_COUNT_OF(frames), false, false);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(starters_of_threads_processes_and_interpreters_are_passed_over),
        cmocka_unit_test(names_alone_are_enough_where_no_file_is_asked_for),
        cmocka_unit_test(a_file_matches_by_its_end_at_a_separator),
        cmocka_unit_test(addresses_delimiters_processes_and_threads_are_passed_over),
        cmocka_unit_test(what_tells_something_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
