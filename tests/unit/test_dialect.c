/* Who wrote a text: "py-spy" or "generic", then "split" where frames are read as "function (file)"
 * and "leaf-first" where the stacks look written so, "but" and another where one was forced that
 * does not fit. */
#include "unit/helpers.h"

struct row {
    const char *text;
    const char *wanted;
};

static void add_grammar(struct fst_buf *out, struct fst_str text, enum fst_dialect asked)
{
    struct fst_profile *profile = new_profile((struct fst_profile_options){.seed = 1});
    struct fst_read_options options = {.dialect = asked};
    (void)fst_profile_read_memory(profile, text, "test", &options, NULL);
    size_t count = 0;
    const struct fst_input *input = fst_profile_inputs(profile, &count);
    assert_int_equal(count, 1);
    fst_buf_add_cstr(out, fst_dialect_name(input->dialect));
    fst_buf_add_cstr(out, input->split_files ? " split" : "");
    fst_buf_add_cstr(out, input->looks_leaf_first ? " leaf-first" : "");
    if (input->looks_like != FST_DIALECT_AUTO) {
        fst_buf_add_fmt(out, " but %s", fst_dialect_name(input->looks_like));
    }
    fst_profile_free(profile);
}

static void require_rows(const struct row *rows, size_t count, enum fst_dialect asked)
{
    struct fst_buf got = {0};
    for (size_t i = 0; i < count; i++) {
        fst_buf_clear(&got);
        add_grammar(&got, fst_str_cstr(rows[i].text), asked);
        require_text(i, fst_buf_str(&got), rows[i].wanted);
    }
    fst_buf_release(&got);
}

static void pyspy_is_told_in_all_its_variants(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"<module> (train.py:42);fit (pkg/loop.py:118) 57\n", "py-spy split"},
        {"<module> (train.py);fit (pkg/loop.py) 57\n", "py-spy split"},
        {"<module> (/srv/app/train.py:42);fit (C:\\app\\loop.py:118) 57\n", "py-spy split"},
        {"<module> (<string>:1);in (<frozen importlib._bootstrap>:1176) 2\n", "py-spy split"},
        {"thread (4242): MainThread;<module> (train.py:42) 2\n", "py-spy split"},
        {"thread 4242;main 2\n", "py-spy split"},
        {"thread (0x7FA0): pool_0;main 2\n", "py-spy split"},
        {"process 10:\"p -c a; b\";<module> (train.py:42) 2\n", "py-spy split"},
        {"process 10:\"p\";thread (1): t;main 2\n", "py-spy split"},
        {"process 10:\"p\" 2\n", "py-spy split"},
        {"main (a.py:1);_PyEval_EvalFrame (python3.11);0x7f12 (libc.so.6);sym (libx.so) 4\n",
         "py-spy split"},
        {" 1999\n", "py-spy split"},
        {" 7\n12\n", "py-spy split"},
        {" 1999\nrun (gevent/hub.py:582) 41\n", "py-spy split"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
}

/* bcc writes no marks of its own: the delimiter or a symbol of the kernel must be there. */
static void bcc_is_told_by_its_kernel_stacks(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"python3;main;read;-;vfs_read 3\nsh;main 3\n", "perf"},
        {"python3;main;read;--;vfs_read 3\nsh;main 3\n", "perf"},
        {"sh;read;entry_SYSCALL_64_after_hwframe;do_syscall_64;vfs_read 3\n", "perf"},
        {"sh;read;el0t_64_sync;el0_svc;invoke_syscall;vfs_read 3\n", "perf"},
        {"kworker/0:1;ret_from_fork_asm;kthread;worker_thread 3\n", "perf"},
        {"swapper/1;secondary_startup_64;cpu_startup_entry;do_idle 3\n", "perf"},
        {"python3;main;read 3\nsh;main 3\n", "generic"}, /* user stacks alone */
        {"repl;loop;- 3\nrepl;loop;* 3\n", "generic"},   /* functions of Lisp */
        {"a;b;-;c 1\nc;d 1\ne;f 1\ng;h 1\n", "generic"}, /* too few */
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
}

static void anything_else_is_generic(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"main;a 3\nmain;b 4\n", "generic"},
        {"", "generic"},
        {"# rate: 49\n\n", "generic"},
        {"no count here\n", "generic"},
        {"nts;std::function<void (int)>::operator() 3\n", "generic"},
        {"app;f (int);g (unsigned int) 3\n", "generic"},
        {"app;f (std::string const&) 3\n", "generic"},
        {"main (a.c:3);g (b.c:4) 1\n", "generic split"},
        {"start (libc.so.6);g (libx.so) 1\n", "generic split"},
        {" 5\nmain;a 3\n", "generic"},
        {"thread_start;main 3\n", "generic"},
        {"process_one;main 3\n", "generic"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
}

static void sixty_percent_of_the_frames_must_name_a_file(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"f (a.py:1);g (a.py:2);h (a.py:3);x;y 1\n", "py-spy split"},
        {"f (a.py:1);x 1\nf (a.py:1);y 1\nf (a.py:1) 1\n", "py-spy split"},
        {"f (a.py:1);g (a.py:2);x;y 1\n", "generic"},
        {"f (a.c:1);g (a.c:2);h (a.c:3);x;y 1\n", "generic split"},
        {"f (a.c:1);g (a.c:2);x;y 1\n", "generic"},
        {"f (a.c:1);g (a.c:2);h (a.c:3);x;f (int) 1\n", "generic split"},
        {"f (a.c:1);g (a.c:2);[empty];h (a.c:3);;x;y 1\n", "generic split"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
    for (unsigned fitting = 59; fitting <= 60; fitting++) {
        struct fst_buf text = {0};
        for (unsigned i = 0; i < 100; i++) {
            fst_buf_add_cstr(&text, i < fitting ? "f (a.py:1) 1\n" : "f 1\n");
        }
        struct fst_buf got = {0};
        add_grammar(&got, fst_buf_str(&text), FST_DIALECT_AUTO);
        require_text(fitting, fst_buf_str(&got), fitting == 60 ? "py-spy split" : "generic");
        fst_buf_release(&got);
        fst_buf_release(&text);
    }
}

static void half_of_the_stacks_may_lack_a_thread_or_process(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"thread (1): a;x 1\ny 1\n", "py-spy split"},
        {"process 1:\"a\";x 1\ny 1\n", "py-spy split"},
        {"thread (1): a;x 1\ny 1\nz 1\n", "generic"},
        {"thread (1): a;x 1\nthread (1): a;x 1\nx 1\ny 1\nz 1\n", "generic"},
        {"x;thread (1): a 1\n", "generic"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
}

static void a_dialect_can_be_forced(void **state)
{
    (void)state;
    static const struct row pyspy[] = {
        {"main;a 3\n", "py-spy split"},
        {"app;f (int) 3\n", "py-spy split"},
        {"", "py-spy split"},
    };
    require_rows(pyspy, FST_COUNT_OF(pyspy), FST_DIALECT_PYSPY);
    static const struct row generic[] = {
        {"app;f (int) 3\n", "generic"},
        {" 1999\n", "generic"},
        {"thread (1): t;main 3\n", "generic"},
        {"main (a.py:1);g (b.py:2) 3\n", "generic split"},
    };
    require_rows(generic, FST_COUNT_OF(generic), FST_DIALECT_GENERIC);
}

static void a_forced_dialect_that_does_not_fit_is_noticed(void **state)
{
    (void)state;
    static const struct {
        enum fst_dialect asked;
        struct row row;
    } rows[] = {
        {FST_DIALECT_AUSTIN, {"main (a.py:1);g (b.py:2) 3\n", "austin split but py-spy"}},
        {FST_DIALECT_PYSPY, {"P5;T0:77;/x/m.py:f:12 100\n", "py-spy split but austin"}},
        {FST_DIALECT_PYSPY, {"sh;main;do_syscall_64_[k] 3\n", "py-spy split but perf"}},
        {FST_DIALECT_PYSPY, {"# austin: 3.7\n# mode: wall\nx 3\n", "py-spy split"}},
        {FST_DIALECT_AUSTIN, {"# austin: 3.7\nmain (a.py:1) 3\n", "austin split"}},
        {FST_DIALECT_RBSPY, {"train.py(31): _main 1234\n", "rbspy split but torch"}},
        {FST_DIALECT_GPROFILER, {"main (a.py:1) 3\n", "gprofiler split but py-spy"}},
        {FST_DIALECT_GPROFILER, {"1;c;sh;main;read_[k] 3\n", "gprofiler"}}, /* its header is lost */
        {FST_DIALECT_PERF, {"[main tid=5];run_[j] 3\n", "perf"}},           /* has its marks too */
        /* of no dialect */
        {FST_DIALECT_PERF, {"main;a 3\n", "perf"}},
        {FST_DIALECT_AUSTIN, {"", "austin split"}},
        /* asked for on purpose */
        {FST_DIALECT_GENERIC, {"main (a.py:1) 3\n", "generic split"}},
        {FST_DIALECT_TWO_COUNT, {"main (a.py:1) 3 4\n", "two-count"}},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_rows(&rows[i].row, 1, rows[i].asked);
    }
    for (unsigned marked = 4; marked <= 5; marked++) { /* in a hundred is hardly any */
        struct fst_buf text = {0};
        for (unsigned i = 0; i < 100; i++) {
            fst_buf_add_cstr(&text, i < marked ? "P5;T0:77;a.py:f:1 1\n" : "f (a.py:1) 1\n");
        }
        struct fst_buf got = {0};
        add_grammar(&got, fst_buf_str(&text), FST_DIALECT_AUSTIN);
        require_text(marked, fst_buf_str(&got),
                     marked == 4 ? "austin split but py-spy" : "austin split");
        fst_buf_release(&got);
        fst_buf_release(&text);
    }
}

static void stacks_written_leaf_first_are_noticed(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"<built-in_method_conv2d>;__conv;nn.Module:_R 6\n", "generic leaf-first"},
        {"f (a.py:3);<module> (a.py:1) 1\n", "py-spy split leaf-first"},
        {"<module> (a.py:1);f (a.py:3) 1\n", "py-spy split"},
        {"a;<built-in method x> 1\n", "generic"},
        {"thread (1): t;f (a.py:3);<module> (a.py:1) 1\n", "py-spy split leaf-first"},
        {"<module> (a.py:1);f (a.py:3);<module> (b.py:1) 1\n", "py-spy split"},
        {"<module> (a.py:1) 1\n", "py-spy split"},
        {"<built-in x>;a 1\nb;<built-in x> 1\n", "generic"},
        {"<built-in x>;a 1\n<built-in x>;a 1\nb;<built-in x> 1\n", "generic leaf-first"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_DIALECT_AUTO);
}

static void dialects_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fst_dialect dialect;
    } rows[] = {
        {"auto", FST_DIALECT_AUTO},
        {"py-spy", FST_DIALECT_PYSPY},
        {"generic", FST_DIALECT_GENERIC},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        assert_string_equal(fst_dialect_name(rows[i].dialect), rows[i].name);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pyspy_is_told_in_all_its_variants),
        cmocka_unit_test(bcc_is_told_by_its_kernel_stacks),
        cmocka_unit_test(anything_else_is_generic),
        cmocka_unit_test(sixty_percent_of_the_frames_must_name_a_file),
        cmocka_unit_test(half_of_the_stacks_may_lack_a_thread_or_process),
        cmocka_unit_test(a_dialect_can_be_forced),
        cmocka_unit_test(a_forced_dialect_that_does_not_fit_is_noticed),
        cmocka_unit_test(stacks_written_leaf_first_are_noticed),
        cmocka_unit_test(dialects_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
