/* parse/thread: what thread frames say. */
#include "unit/helpers.h"

#include "parse/thread.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_frame_has_an_id_and_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
