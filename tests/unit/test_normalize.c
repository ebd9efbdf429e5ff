/* Generated names become one, and ordinary names stay as they are. Rows without a second text are
 * names that must come back untouched. */
#include "unit/helpers.h"

#include "model/normalize.h"
#include "model/pools.h"

struct row {
    const char *name;
    const char *wanted; /* NULL: the name itself */
};

static void require_rows(const struct row *rows, size_t count, enum fst_name_role role)
{
    struct fst_buf out = {0};
    struct fst_buf again = {0};
    for (size_t i = 0; i < count; i++) {
        struct fst_str name = fst_str_cstr(rows[i].name);
        struct fst_str got = fst_normalize(name, role, &out);
        assert_false(out.failed);
        if (rows[i].wanted == NULL) {
            require_text(i, got, rows[i].name);
            assert_ptr_equal(got.data, name.data);
        } else {
            require_text(i, got, rows[i].wanted);
        }
        require_text(i, fst_normalize(got, role, &again),
                     rows[i].wanted == NULL ? rows[i].name : rows[i].wanted);
    }
    fst_buf_release(&out);
    fst_buf_release(&again);
}

#define HASH "cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t"

static void files_of_compiled_models_are_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"call (" HASH ".py:1015)", "call (<inductor>.py:1015)"},
        {"call (/tmp/torchinductor_u/we/" HASH ".py:1015)", "call (<inductor>.py:1015)"},
        {"call (/home/u/my cache (v2)/we/" HASH ".py:1015)", "call (<inductor>.py:1015)"},
        {"call (C:\\Users\\u\\AppData\\we\\" HASH ".py:3)", "call (<inductor>.py:3)"},
        {"call (" HASH ".py)", "call (<inductor>.py)"},
        {"/tmp/torchinductor_u/we/" HASH ".py:call:12", "<inductor>.py:call:12"},
        {"/tmp/we/" HASH ".py(31):_call", "<inductor>.py(31):_call"},
        {"/tmp/we/" HASH ".py", "<inductor>.py"},
        {HASH ".py:1015", "<inductor>.py:1015"},
        {"cpp_fused_add_0 (" HASH ".so)", "cpp_fused_add_0 (<inductor>.so)"},
        {"kernel (/tmp/we/" HASH ".cpp:9)", "kernel (<inductor>.cpp:9)"},
        {"call (conuunoghrd6t4rhkzkm4w53mn7hi74v4tsmyijfb7ojrh4yegss.py:1015)",
         "call (<inductor>.py:1015)"},
        /* ordinary files */
        {"call (controllers.py:1015)", NULL},
        {"call (x" HASH ".py:3)", NULL},
        {"call (" HASH "2.py:3)", NULL},
        {"call (my-" HASH ".py:3)", NULL},
        {"call (a." HASH ".py:3)", NULL},
        {"call (" HASH ".pyx:3)", NULL},
        {"call (" HASH ".txt)", NULL},
        {"call (" HASH ")", NULL},
        {HASH, NULL},
        {"call (cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6.py:3)", NULL},
        {"call (cWe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t.py:3)", NULL},
        {"call (c1e35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t.py:3)", NULL},
        {"call (cwe35vqyzc2bgaq6au3opw4pc_wvmpcivgxyqgovn6h2wspqwc6t.py:3)", NULL},
        {"call (contrastive_language_image_pretraining_with_bert_base_c.py:3)", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void graphs_and_continuations_lose_their_numbers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"forward (<eval_with_key>.5 from /srv/app/x.py:284 in forward:178)",
         "forward (<eval_with_key>.* from /srv/app/x.py:284 in forward:178)"},
        {"forward (<eval_with_key>.61:12)", "forward (<eval_with_key>.*:12)"},
        {"<eval_with_key>.5", "<eval_with_key>.*"},
        {"<eval_with_key>", NULL},
        {"<eval_with_key>.x", NULL},
        {"<eval_with_key>.5b", NULL},
        {"__compiled_fn_7 (a.py:3)", "__compiled_fn_* (a.py:3)"},
        {"__compiled_fn_3_0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9 (a.py:3)",
         "__compiled_fn_* (a.py:3)"},
        {"__compiled_fn_3_0a1b2c3d_4e5f (a.py:3)", NULL},
        {"my__compiled_fn_7", NULL},
        {"__compiled_fn_", NULL},
        {"__compiled_fn_7x", NULL},
        {"torch_dynamo_resume_in_forward_at_178 (model.py:178)",
         "torch_dynamo_resume_in_forward_at_* (model.py:178)"},
        {"torch_dynamo_resume_in_<lambda>_at_3 (model.py:3)",
         "torch_dynamo_resume_in_<lambda>_at_* (model.py:3)"},
        {"torch_dynamo_resume_in_look_at_3_at_12 (m.py:12)",
         "torch_dynamo_resume_in_look_at_3_at_* (m.py:12)"},
        {"Net.torch_dynamo_resume_in_forward_at_178", "Net.torch_dynamo_resume_in_forward_at_*"},
        {"look_at_3 (a.py:3)", NULL},
        {"torch_dynamo_resume_in__at_3", NULL},
        {"torch_dynamo_resume_in_f (look_at_3.py:1)", NULL},
        {"torch_dynamo_resume_in_f_at_x", NULL},
        {"<module> (/tmp/ipykernel_4242/3045093851.py:1)",
         "<module> (/tmp/ipykernel_*/3045093851.py:1)"},
        {"<module> (ipykernel_12/3045093851.py:1)", "<module> (ipykernel_*/3045093851.py:1)"},
        {"<module> (ipykernel_launcher.py:17)", NULL},
        {"do_execute (ipykernel/ipkernel.py:429)", NULL},
        {"f (my_ipykernel_3.py:1)", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void addresses_are_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"0x7f1cb40a3f16 (libc.so.6)", "0x* (libc.so.6)"},
        {"0x5a3ef800758e", "0x*"},
        {"<built-in_method_zeros_of_type_object_at_0x7f9e8897a760>",
         "<built-in_method_zeros_of_type_object_at_0x*>"},
        {"brook::SchedulerStartAp()+0x131", "brook::SchedulerStartAp()+0x*"},
        {"ntdll.dll`func@0x180019140", "ntdll.dll`func@0x*"},
        {"stub_0x7F00_[k]", "stub_0x*_[k]"},
        {"0x7f:0x80", "0x*:0x*"},
        {"0x", NULL},
        {"0x (libc.so.6)", NULL},
        {"0xyz", NULL},
        {"0x10ug", NULL},
        {"f0x12", NULL},
        {"10x12", NULL},
        {"box 640x480", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void java_s_generated_classes_are_one(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"Foo$$Lambda$14/0x0000000800c03000.run_[j]", "Foo$$Lambda$*.run_[j]"},
        {"Foo$$Lambda$14/1180204.run", "Foo$$Lambda$*.run"},
        {"Foo$$Lambda$14.0x0000000800c03000.run", "Foo$$Lambda$*.run"},
        {"Foo$$Lambda$14+0x0000000800c03000.run", "Foo$$Lambda$*.run"},
        {"Foo$$Lambda.0x00007f8a1c.run", "Foo$$Lambda$*.run"},
        {"Foo$$Lambda$14.run", "Foo$$Lambda$*.run"},
        {"Lio/netty/Foo$$Lambda$14;::run", "Lio/netty/Foo$$Lambda$*;::run"},
        {"java/lang/invoke/LambdaForm$MH/0x0000000800c03000.invoke",
         "java/lang/invoke/LambdaForm$MH/0x*.invoke"},
        {"Foo$$Lambda", NULL},
        {"Foo$$Lambda.run", NULL},
        {"Foo$$Lambda$x", NULL},
        {"jdk/internal/reflect/GeneratedMethodAccessor12.invoke",
         "jdk/internal/reflect/GeneratedMethodAccessor*.invoke"},
        {"sun/reflect/GeneratedConstructorAccessor3.newInstance_[j]",
         "sun/reflect/GeneratedConstructorAccessor*.newInstance_[j]"},
        {"sun/reflect/GeneratedSerializationConstructorAccessor3.newInstance",
         "sun/reflect/GeneratedSerializationConstructorAccessor*.newInstance"},
        {"jdk/internal/reflect/NativeMethodAccessorImpl.invoke0", NULL},
        {"GeneratedMethodAccessorFactory.make", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void clones_are_what_they_were_cloned_from(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"finish_task_switch.isra.0", "finish_task_switch"},
        {"finish_task_switch.isra.0_[k]", "finish_task_switch_[k]"},
        {"f.constprop.0", "f"},
        {"f.constprop.12.isra.3", "f"},
        {"f.part.0", "f"},
        {"f.cold", "f"},
        {"f.cold.7", "f"},
        {"f.lto_priv.0 (libx.so)", "f (libx.so)"},
        {"_PyEval_EvalFrameDefault.cold (python3.11)", "_PyEval_EvalFrameDefault (python3.11)"},
        {"dr_postsend_icm_data.llvm.1722661012890563501", "dr_postsend_icm_data"},
        {"f(int) [clone .isra.0]", "f(int)"},
        {"f(int) [clone .constprop.0] [clone .cold]", "f(int)"},
        {"f(int) [clone .isra.0.cold]", "f(int)"},
        {"std::vector<int>::at.cold+0x12", "std::vector<int>::at+0x*"},
        {"f.part", NULL},
        {"f.llvm", NULL},
        {"f.cold.x", NULL},
        {"f.colder", NULL},
        {"cold", NULL},
        {".cold", NULL},
        {"Cache.cold (cache.py:3)", NULL},
        {"Cache.cold (<frozen cache>:3)", NULL},
        {"run (model.cold.py:3)", NULL},
        {"cache.py:Cache.cold:3", NULL},
        {"com/foo/Cache.cold_[j]", NULL},
        {"com/foo/Cache.cold", NULL},
        {"f [clone .part]", NULL},
        {"f [clone .isra.0", NULL},
        {"f [clone isra]", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void rust_s_hashes_go(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"core::ops::function::FnOnce::call_once::hf83bdf43d2f1e17b",
         "core::ops::function::FnOnce::call_once"},
        {"csv::read::hf83bdf43d2f1e17b (csvlens)", "csv::read (csvlens)"},
        {"csv::read::hf83bdf43d2f1e17b.llvm.17882197565315133882", "csv::read"},
        {"csv::read.cold::hf83bdf43d2f1e17b", "csv::read"}, /* read again */
        {"_ZN3csv4read17hf83bdf43d2f1e17bE", "_ZN3csv4read17h*E"},
        {"_ZN3csv4read17hf83bdf43d2f1e17bE.llvm.17882197565315133882", "_ZN3csv4read17h*E"},
        {"_ZN3csv4read17hf83bdf43d2f1e17b", NULL},
        {"_ZN3csv4read17hf83bdf43d2f1e1", NULL},
        {"a::hf83bdf43d2f1e17", NULL},
        {"a::hf83bdf43d2f1e17b0", NULL},
        {"a::height", NULL},
        {"a::hf83bdf43d2f1e17b_x", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void ordinary_names_come_back_themselves(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", NULL},
        {"c", NULL},
        {"forward (torch/nn/modules/linear.py:114)", NULL},
        {"<module> (<string>:1)", NULL},
        {"<module> (<ipython-input-3-0a1b2c3d4e5f>:2)", NULL},
        {"conv_1", NULL},
        {"target-0", NULL},
        {"T7f1a", NULL},
        {"P5", NULL},
        {"thread (4242): MainThread", NULL}, /* no frame is called so */
        {"call (" HASH, NULL},
        {"::h", NULL},
        {" [clone ", NULL},
        {"$$Lambda", NULL},
        {"_at_", NULL},
        {"a\xff"
         "b",
         NULL},
        {"[unknown]", NULL},
        {"[no Python frames]", NULL},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_FRAME);
}

static void processes_and_threads_lose_their_ids(void **state)
{
    (void)state;
    static const struct row processes[] = {
        {"process 10:\"python train.py\"", "process *:\"python train.py\""},
        {"process 22885:\"\"", "process *:\"\""},
        {"process 10:\"python -c x(fd=0x12)\"", "process *:\"python -c x(fd=0x12)\""},
        {"P5", "P*"},
        {"java-30123", "java-*"},
        {"java-30123/30200", "java-*/*"},
        {"java-?/11020", "java-*/*"},
        {"my-tool-7", "my-tool-*"},
        {"java", NULL},
        {"java-", NULL},
        {"-7", NULL},
        {"java-?", NULL},
        {"kworker/0:1", NULL},
        {"P5x", NULL},
        {"process x:\"y\"", NULL},
        {"[no process]", NULL},
        {"", NULL},
    };
    static const struct row threads[] = {
        {"thread (4242): MainThread", "thread (*): MainThread"},
        {"thread (0x7FA03C5B9740): pool_0", "thread (*): pool_0"},
        {"thread (0x7FA03C5B9740)", "thread (*)"},
        {"thread (4242)", "thread (*)"},
        {"thread 4242", "thread *"},
        {"thread 0x7fa0", "thread *"},
        {"thread 4242: main", "thread *: main"},
        {"thread (7): target-3", "thread (*): target-3"},
        {"Thread 7f1a2b", "Thread *"},
        {"T7f1a", "T*"},
        {"T0x7f1a", "T*"},
        {"T0:77", "T*"},
        {"tid:8", "tid:*"},
        {"[main tid=12345]", "[main tid=*]"},
        {"[a b tid=1]", "[a b tid=*]"},
        {"thread (): x", NULL},
        {"thread (7) x", NULL},
        {"Tango", NULL},
        {"[main tid=]", NULL},
        {"[main]", NULL},
        {"[]", NULL},
        {"[no thread]", NULL},
        {"", NULL},
    };
    require_rows(processes, FST_COUNT_OF(processes), FST_NAME_PROCESS);
    require_rows(threads, FST_COUNT_OF(threads), FST_NAME_THREAD);
}

static void threads_nobody_named_are_one_pool(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"thread (1): ThreadPoolExecutor-0_17", "thread (*): ThreadPoolExecutor-*"},
        {"thread (1): Thread-12", "thread (*): Thread-*"},
        {"thread (1): Thread-12 (worker)", "thread (*): Thread-* (worker)"},
        {"thread (1): Thread-12 (<lambda>)", "thread (*): Thread-* (<lambda>)"},
        {"thread (1): asyncio_3", "thread (*): asyncio_*"},
        {"thread (1): Dummy-3", "thread (*): Dummy-*"},
        {"thread (1): pt_autograd_0", "thread (*): pt_autograd_*"},
        {"ThreadPoolExecutor-0_17", "ThreadPoolExecutor-*"},
        {"Thread-12", "Thread-*"},
        {"[pool-1-thread-3 tid=77]", "[pool-*-thread-* tid=*]"},
        {"[ForkJoinPool.commonPool-worker-3 tid=77]", "[ForkJoinPool.commonPool-worker-* tid=*]"},
        {"[ForkJoinPool-2-worker-3 tid=77]", "[ForkJoinPool-*-worker-* tid=*]"},
        {"[C2 CompilerThread0 tid=77]", "[C2 CompilerThread* tid=*]"},
        {"[GC Thread#3 tid=77]", "[GC Thread#* tid=*]"},
        {"thread (1): Thread-12b", "thread (*): Thread-12b"},
        {"thread (1): MyThread-12", "thread (*): MyThread-12"},
        {"thread (1): ThreadPoolExecutor-0", "thread (*): ThreadPoolExecutor-0"},
        {"thread (1): Thread-", "thread (*): Thread-"},
        {"thread (1): Thread-12(x)", "thread (*): Thread-12(x)"},
    };
    require_rows(rows, FST_COUNT_OF(rows), FST_NAME_THREAD);
}

/* --- pools told by their size ------------------------------------------------------------------ */

static void names_that_end_in_a_number_may_be_a_pool_s(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"thread (*): target-3", "thread (*): target-*"},
        {"thread (*): reader_17", "thread (*): reader_*"},
        {"thread (*): reader-1-17 (run)", "thread (*): reader-1-* (run)"},
        {"[grpc-7 tid=*]", "[grpc-* tid=*]"},
        {"target-0", "target-*"},
        {"a_1", "a_*"},
        {"target", ""},
        {"target3", ""},
        {"target-", ""},
        {"target-x", ""},
        {"target-3x", ""},
        {"-3", ""},
        {"_3", ""},
        {"thread (*): -3", ""},
        {"thread (*): MainThread", ""},
        {"thread (*): Thread-*", ""},
        {"thread (*)", ""},
        {"", ""},
    };
    struct fst_buf out = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_text(i, fst_pool_name(fst_str_cstr(rows[i].name), &out), rows[i].wanted);
    }
    fst_buf_release(&out);
}

static void a_pool_is_folded_from_eight_members_on(void **state)
{
    (void)state;
    struct fst_pools pools;
    struct fst_buf out = {0};
    fst_pools_init(&pools, 1);
    char label[32];
    for (int i = 0; i < 8; i++) {
        (void)snprintf(label, sizeof label, "worker-%d", i);
        assert_true(fst_pools_add(&pools, fst_str_cstr(label)));
        (void)snprintf(label, sizeof label, "target-%d", i % 7);
        assert_true(fst_pools_add(&pools, fst_str_cstr(label)));
        assert_true(fst_pools_add(&pools, FST_STR("MainThread")));
        struct fst_str folded = fst_pools_fold(&pools, FST_STR("worker-0"), &out);
        require_text((size_t)i, folded, i == 7 ? "worker-*" : "worker-0");
    }
    require_text(0, fst_pools_fold(&pools, FST_STR("target-3"), &out), "target-3");
    require_text(1, fst_pools_fold(&pools, FST_STR("MainThread"), &out), "MainThread");
    require_text(2, fst_pools_fold(&pools, FST_STR("worker-99"), &out), "worker-*");
    require_text(3, fst_pools_fold(&pools, FST_STR("worker_1"), &out), "worker_1");
    assert_true(fst_pools_add(&pools, FST_STR("target-7")));
    require_text(4, fst_pools_fold(&pools, FST_STR("target-3"), &out), "target-*");
    fst_buf_release(&out);
    fst_pools_release(&pools);
}

static void a_normalised_name_is_told_from_others(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum fst_name_role role;
        bool normalized;
    } rows[] = {
        {"call (<inductor>.py:1015)", FST_NAME_FRAME, true},
        {"forward (<eval_with_key>.*)", FST_NAME_FRAME, true},
        {"0x*", FST_NAME_FRAME, true},
        {"forward (<eval_with_key>.7)", FST_NAME_FRAME, false},
        {"operator* (a.cc:3)", FST_NAME_FRAME, false},
        {"Thread-*", FST_NAME_FRAME, false},
        {"thread (*): MainThread", FST_NAME_THREAD, true},
        {"Thread-*", FST_NAME_THREAD, true},
        {"T*", FST_NAME_THREAD, true},
        {"thread (12): MainThread", FST_NAME_THREAD, false},
        {"process *:\"x\"", FST_NAME_PROCESS, true},
        {"process *:\"x\"", FST_NAME_THREAD, false},
        {"", FST_NAME_FRAME, false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        bool normalized = fst_is_normalized(fst_str_cstr(rows[i].name), rows[i].role);
        REQUIRE(normalized == rows[i].normalized, "%s", rows[i].name);
    }
}

/* Whoever looks back to the start from each of the beginnings needs minutes for these. */
static void long_names_take_no_longer_a_byte(void **state)
{
    (void)state;
    static const char *const repeated[] = {"_at_", "_at_x", ".part.x", "a.py:", "a.p", "0x", ".0 "};
    enum { LONG = 4 * 1000 * 1000 };
    for (size_t i = 0; i < FST_COUNT_OF(repeated); i++) {
        struct fst_buf name = {0};
        struct fst_buf out = {0};
        fst_buf_add_cstr(&name, "torch_dynamo_resume_in_f");
        while (name.len < LONG) {
            fst_buf_add_cstr(&name, repeated[i]);
        }
        struct fst_str text = fst_buf_str(&name);
        REQUIRE(fst_str_eq(fst_normalize(text, FST_NAME_FRAME, &out), text), "%s", repeated[i]);
        fst_buf_release(&out);
        fst_buf_release(&name);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_names_take_no_longer_a_byte),
        cmocka_unit_test(files_of_compiled_models_are_one),
        cmocka_unit_test(graphs_and_continuations_lose_their_numbers),
        cmocka_unit_test(addresses_are_one),
        cmocka_unit_test(java_s_generated_classes_are_one),
        cmocka_unit_test(clones_are_what_they_were_cloned_from),
        cmocka_unit_test(rust_s_hashes_go),
        cmocka_unit_test(ordinary_names_come_back_themselves),
        cmocka_unit_test(processes_and_threads_lose_their_ids),
        cmocka_unit_test(threads_nobody_named_are_one_pool),
        cmocka_unit_test(names_that_end_in_a_number_may_be_a_pool_s),
        cmocka_unit_test(a_pool_is_folded_from_eight_members_on),
        cmocka_unit_test(a_normalised_name_is_told_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
