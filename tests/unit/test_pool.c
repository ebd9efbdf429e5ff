/* analysis/pool: threads by their names. */
#include "unit/helpers.h"

#include "analysis/pool.h"

static void a_thread_frame_has_an_id_and_a_name(void **state)
{
    (void)state;
    const struct {
        const char *frame;
        const char *id;
        const char *name;
    } rows[] = {
        {"thread (4242): MainThread", "4242", "MainThread"},
        {"thread (4242)", "4242", ""},
        {"thread (0x7F20C4F9B700): name", "0x7F20C4F9B700", "name"},
        {"thread (83): say \"hi\"", "83", "say \"hi\""},
        {"thread (82): lock waiter (a: b)", "82", "lock waiter (a: b)"},
        {"thread (86): ", "86", ""},
        {"thread 5121: loader_0", "5121", "loader_0"},
        {"thread 5120", "5120", ""},
        {"thread ", "", ""},
        {"thread (", "", ""},
        {"[main tid=12345]", "12345", "main"},
        {"[a tid=b", "[a tid=b", ""},
        {"Thread 7f1a", "Thread 7f1a", ""},
        {"tid:8", "tid:8", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_thread_parts parts = fst_thread_read(fst_str_cstr(rows[i].frame));
        require_text(i, parts.id, rows[i].id);
        require_text(i, parts.name, rows[i].name);
    }
}

static void numbered_names_make_pools(void **state)
{
    (void)state;
    const struct {
        const char *name;
        enum fst_pool kind;
        const char *pool;
    } rows[] = {
        {"ThreadPoolExecutor-0_17", FST_POOL_ALWAYS, "ThreadPoolExecutor-*"},
        {"ThreadPoolExecutor-12_0", FST_POOL_ALWAYS, "ThreadPoolExecutor-*"},
        {"ThreadPoolExecutor-12", FST_POOL_LARGE, "ThreadPoolExecutor-*"},
        {"ThreadPoolExecutor-1_a", FST_POOL_NONE, ""},
        {"Thread-12", FST_POOL_ALWAYS, "Thread-*"},
        {"Thread-3 (worker)", FST_POOL_ALWAYS, "Thread-* (worker)"},
        {"Thread-3b", FST_POOL_NONE, ""},
        {"Dummy-1", FST_POOL_ALWAYS, "Dummy-*"},
        {"upload_499", FST_POOL_LARGE, "upload_*"},
        {"target-0", FST_POOL_LARGE, "target-*"},
        {"asyncio_0", FST_POOL_LARGE, "asyncio_*"},
        {"MainThread", FST_POOL_NONE, ""},
        {"worker7", FST_POOL_NONE, ""},
        {"-7", FST_POOL_NONE, ""},
        {"7", FST_POOL_NONE, ""},
        {"a-", FST_POOL_NONE, ""},
        {"", FST_POOL_NONE, ""},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf pool = {0};
        enum fst_pool kind = fst_pool_of(fst_str_cstr(rows[i].name), &pool);
        REQUIRE(kind == rows[i].kind, "%s: kind %d", rows[i].name, (int)kind);
        require_text(i, fst_buf_str(&pool), rows[i].pool);
        fst_buf_release(&pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_frame_has_an_id_and_a_name),
        cmocka_unit_test(numbered_names_make_pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
