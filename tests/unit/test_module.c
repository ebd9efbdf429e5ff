/* Which module a frame belongs to, by the dialect it is read in. */
#include "unit/helpers.h"

#include "model/module.h"
#include "parse/dialect.h"

struct row {
    const char *frame;
    const char *module;
};

static void require_rows(enum fst_dialect dialect, const struct row *rows, size_t count)
{
    const struct fst_dialect_rules *rules = fst_dialect_rules_of(dialect);
    struct fst_buf out = {0};
    for (size_t i = 0; i < count; i++) {
        struct fst_str frame = fst_str_cstr(rows[i].frame);
        struct fst_frame_parts parts = rules->read(frame, rules->always_split);
        require_text(i, fst_module_of(frame, &parts, dialect, &out), rows[i].module);
    }
    fst_buf_release(&out);
}

static void python_files_belong_to_packages(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"forward (torch/nn/modules/linear.py:114)", "torch.nn.modules"},
        {"forward (torch/__init__.py:3)", "torch"},
        {"wait (threading.py:327)", "threading"},
        {"wait (threading.py)", "threading"},
        {"step (./train.py:3)", "train"},
        {"step (./pkg/train.py:3)", "pkg"},
        {"wait (/usr/lib/python3.11/threading.py:327)", "threading"},
        {"run (/usr/lib/python3.11/concurrent/futures/thread.py:58)", "concurrent.futures"},
        {"f (/opt/conda/lib/python3.10/site-packages/torch/nn/functional.py:1)", "torch.nn"},
        {"f (/home/u/.venv/lib/python3.12/site-packages/chess/__init__.py:414)", "chess"},
        {"f (/usr/lib/python3/dist-packages/six.py:1)", "six"},
        {"f (C:\\Python311\\Lib\\site-packages\\torch\\nn\\functional.py:1)", "torch.nn"},
        {"f (C:\\Python311\\Lib\\threading.py:1)", "threading"},
        {"f (/x/foo.egg/foo/bar.py:1)", "foo"},
        {"f (/x/app.zip/foo/bar.py:1)", "foo"},
        {"f (/srv/app/train.py:1)", "/srv/app"},
        {"f (/home/u/my project (v2)/mod one.py:1)", "/home/u/my project (v2)"},
        {"f (C:\\app\\train.py:1)", "C:\\app"},
        {"f (/train.py:1)", "/"},
        {"f (cython/fast.pyx:9)", "cython"},
        {"<module> (<string>:1)", "<string>"},
        {"f (<frozen importlib._bootstrap>:241)", "importlib"},
        {"f (<frozen runpy>:88)", "runpy"},
        {"forward (<eval_with_key>.5 from /x/y.py:284 in forward:178)", "<eval_with_key>"},
        {"call (/tmp/we/cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t.py:3)", "<inductor>"},
        {"call (controllers.py:3)", "controllers"},
    };
    require_rows(FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
    static const struct row austin[] = {
        {"/usr/lib/python3.11/json/decoder.py:decode:12", "json"},
        {"P5", "P5"},
        {"T0:77", "T0:77"},
        {":GC:", ":GC:"},
    };
    require_rows(FST_DIALECT_AUSTIN, austin, FST_COUNT_OF(austin));
    static const struct row torch[] = {
        {"site-packages/torch/nn/modules/conv.py(31):_forward", "torch.nn.modules"},
        {"<built-in_method_zeros_of_type_object_at_0x7f9e8897a760>", "[no module]"},
    };
    require_rows(FST_DIALECT_TORCH, torch, FST_COUNT_OF(torch));
}

static void native_code_belongs_to_its_library(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"cudaLaunchKernel (libcudart.so.12)", "libcudart.so.12"},
        {"at::native::add (/x/torch/lib/libtorch_cpu.so)", "libtorch_cpu.so"},
        {"f (numpy/core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so)",
         "_multiarray_umath.cpython-311-x86_64-linux-gnu.so"},
        {"0x7f1cb40a3f16 (libc.so.6)", "libc.so.6"},
        {"_PyEval_EvalFrameDefault (python3.11)", "python3.11"},
        {"f (libx.dylib)", "libx.dylib"},
        {"f (C:\\Windows\\ntdll.dll)", "ntdll.dll"},
        {"take_gil (Python/ceval_gil.c:212)", "Python"},
        {"take_gil (ceval_gil.c:212)", "ceval_gil.c"},
        {"at::native::add (aten/src/BinaryOps.cpp:12)", "at"},
        {"0x7f1cb3b6cd62 (?)", "[unknown]"},
        {"process 10:\"x\"", "process 10:\"x\""},
        {"thread (7): x", "thread (7): x"},
        {"[no Python frames]", "[no Python frames]"},
        {"sleep", "[no module]"},
    };
    require_rows(FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
    static const struct row generic[] = {
        {"read (libc.so.6)", "libc.so.6"}, /* although frames are not split */
        {"f (int)", "[no module]"},
        {"libsystem_kernel.dylib`read", "libsystem_kernel.dylib"},
        {"inferno.exe`core::slice::iter<u8>", "inferno.exe"},
        {"`x", "[no module]"},
    };
    require_rows(FST_DIALECT_GENERIC, generic, FST_COUNT_OF(generic));
    static const struct row perf[] = {
        {"do_syscall_64_[k]", "[kernel]"},
        {"[libc.so.6]", "libc.so.6"},
        {"[/usr/lib/libz.so]", "libz.so"},
        {"[[mlx5_core]]", "mlx5_core"},
        {"[perf-10939.map]", "[jit]"},
        {"[unknown]", "[unknown]"},
        {"[unknown]_[k]", "[kernel]"},
        {"malloc", "[no module]"},
        {"py::burn:/srv/app/x.py", "/srv/app"},
        {"py::wait:threading.py", "threading"},
        {"py::f:<frozen runpy>", "runpy"},
        {"py::f:<string>", "<string>"},
        {"py::f:", "py"},
    };
    require_rows(FST_DIALECT_PERF, perf, FST_COUNT_OF(perf));
}

static void rust_and_cpp_belong_to_the_outermost_name(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"core::ops::function::FnOnce::call_once", "core"},
        {"core::ops::function::impls::<impl core::ops::function::FnMut<A> for &F>::call_mut",
         "core"},
        {"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "alloc"},
        {"<&mut flate2::Inflate as flate2::InflateBackend>::decompress", "flate2"},
        {"<T as core::fmt::Debug>::fmt", "core"},
        {"_<alloc::string::String as x::Y>::z", "alloc"},
        {"_$LT$core..option..Option$LT$T$GT$$GT$::map::hf83bdf43d2f1e17b", "core"},
        {"_ZN3csv6reader11read_record17hf83bdf43d2f1e17bE", "csv"},
        {"_ZNSt6vectorIiE2atEv", "std"},
        {"_ZNK4llvm3fooEv", "llvm"},
        {"_ZN", "[no module]"},
        {"_ZN99999999999999999999999", "[no module]"},
        {"std::vector<int, std::allocator<int> >::at", "std"},
        {"std::function<void (int)>::operator()(int) const", "std"},
        {"void at::native::add<float>(at::Tensor const&)", "at"},
        {"std::enable_if<a::b>::type llvm::f<int>(int)", "llvm"},
        {"nuri::(anonymous namespace)::find", "nuri"},
        {"(anonymous namespace)::find(int)", "(anonymous namespace)"},
        {"HNSW<hnsw_distance::L2>::addPoint", "HNSW"},
        {"c10::function_ref<void ", "c10"},
        {"foo(std::string)", "[no module]"},
        {"foo<std::string>", "[no module]"},
        {"a::operator-><b::c>", "a"},
        {"a::b::operator bool()", "a"},
        {"operator new(unsigned long)", "[no module]"},
        {"virtual thunk to foo::bar()", "foo"},
        {"&alloc::vec::f", "alloc"},
        {"::f", "[no module]"},
    };
    require_rows(FST_DIALECT_PERF, rows, FST_COUNT_OF(rows));
}

static void java_and_go_have_packages(void **state)
{
    (void)state;
    static const struct row async[] = {
        {"java/lang/Thread.run_[j]", "java.lang"},
        {"java.util.HashMap.get_[i]", "java.util"},
        {"org/x/Foo$$Lambda$14/0x0000000800c03000.run", "org.x"},
        {"org/x/Foo$$Lambda.0x00007f.run", "org.x"},
        {"jdk/internal/reflect/GeneratedMethodAccessor12.invoke", "jdk.internal.reflect"},
        {"ThreadLocal.get_[i]", "[no module]"},
        {"[main tid=12345]", "[main tid=12345]"},
        {"Unsafe_Park", "[no module]"},
        {"_[j]", "[no module]"},
    };
    require_rows(FST_DIALECT_ASYNC, async, FST_COUNT_OF(async));
    static const struct row perf[] = {
        {"org/mozilla/javascript/ScriptableObject:.getSlot_[j]", "org.mozilla.javascript"},
        {"Lio/netty/channel/Foo;::read", "io.netty.channel"},
        {"java.util.HashMap.get(Ljava/lang/Object;)", "java.util"},
        {"my.app.Main.run", "[no module]"},
        {"my.app.Main.run_[j]", "my.app"},
        {"net/http.(*conn).serve", "net/http"},
        {"net/http.HandlerFunc.ServeHTTP", "net/http"},
        {"github.com/foo/bar.(*T).M", "github.com/foo/bar"},
        {"github.com/foo/bar.Map[go.shape.int]", "github.com/foo/bar"},
        {"runtime.mallocgc", "runtime"},
        {"main.main", "main"},
        {"mypkg.(*T).M", "mypkg"},
        {"foo.isra.0", "[no module]"},
        {"JS:*get wert /srv/app/w11.js:3:23", "/srv/app"},
        {"JS:~f node:internal/fs:3:23", "node"},
        {"JS:*f /x/node_modules/@scope/pkg/lib/a.js:3:23", "@scope/pkg"},
    };
    require_rows(FST_DIALECT_PERF, perf, FST_COUNT_OF(perf));
}

static void other_languages_have_packages_too(void **state)
{
    (void)state;
    static const struct row generic[] = {
        {"f (/x/node_modules/express/lib/router.js:3)", "express"},
        {"f (/x/node_modules/a/node_modules/b/i.js:3)", "b"},
        {"f (file:///srv/app/w11.js:7)", "file:///srv/app"},
        {"f (w11.js:7)", "w11.js"},
        {"f (node:internal/fs:7)", "node"},
        {"f (/x/node_modules)", "node_modules"},
    };
    const struct fst_dialect_rules *rules = &fst_dialect_generic;
    struct fst_buf out = {0};
    for (size_t i = 0; i < FST_COUNT_OF(generic); i++) {
        struct fst_str frame = fst_str_cstr(generic[i].frame);
        struct fst_frame_parts parts = rules->read(frame, true);
        require_text(i, fst_module_of(frame, &parts, FST_DIALECT_GENERIC, &out), generic[i].module);
    }
    fst_buf_release(&out);
    static const struct row rbspy[] = {
        {"find - /var/gems/activerecord-7.0.4/lib/active_record/core.rb:12", "activerecord"},
        {"run - lib/x.rb:3", "lib"},
        {"run - x.rb:3", "x.rb"},
        {"sleep [c function] - (unknown)", "(unknown)"},
    };
    require_rows(FST_DIALECT_RBSPY, rbspy, FST_COUNT_OF(rbspy));
}

static void run_times_have_names_of_their_own(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"camlLwt__bind_1394", "Lwt"},
        {"camlUnikernel____pa_lwt_loop_1382", "Unikernel"},
        {"camlStdlib__List__map_236", "Stdlib"},
        {"caml_alloc_small", "[no module]"},
        {"camlback", "[no module]"},
        {"Emulator.Video.activePoints'.onBits", "Emulator.Video"},
        {"Emulator.Monad.Internal.render.renderCell", "Emulator.Monad.Internal"},
        {"Emulator.Video.activePoints'.\\", "Emulator.Video"},
        {"GHC.IO.Handle.FD.CAF", "GHC.IO.Handle.FD"},
        {"Main.CAF:main1", "Main"},
        {"MAIN.MAIN", "MAIN"},
        {"Foo.forward", "[no module]"},
        {"A.B.C", "[no module]"},
        {"A.", "[no module]"},
        {"A..b", "[no module]"},
        {"System.Private.CoreLib!System.String.Join(string)", "System.Private.CoreLib"},
        {"ntdll!NtWaitForSingleObject", "ntdll"},
        {"app!<main>b__0", "app"},
        {"println!", "[no module]"},
        {"hello! world", "[no module]"},
        {"!x", "[no module]"},
        {"instance void [Demo.App] Ns.Program::Main(string[])[Tier0]", "Demo.App"},
        {"void [System.Private.CoreLib] System.Threading.Thread::Sleep(int32)",
         "System.Private.CoreLib"},
        {"call [here it is] a::b", "a"},
        {"OpenTK.Vector3.get_Length()", "OpenTK"},
        {"System.Collections.IEnumerator.MoveNext()", "System.Collections"},
        {"Vector3.get_Length()", "[no module]"},
        {"Java_java_net_SocketInputStream_socketRead0", "java.net"},
        {"Java_sun_nio_ch_EPollArrayWrapper_epollWait", "sun.nio.ch"},
        {"Java_Main_run", "[no module]"},
        {"Java_java", "[no module]"},
        {"Java_", "[no module]"},
        {"_PyEval_EvalFrameDefault", "[python]"},
        {"PyList_Append", "[python]"},
        {"Py_BytesMain", "[python]"},
        {"_Py_Dealloc", "[python]"},
        {"Pyramid_build", "[no module]"},
        {"PyList", "[no module]"},
        {"Py", "[no module]"},
        {"", "[no module]"},
    };
    require_rows(FST_DIALECT_PERF, rows, FST_COUNT_OF(rows));
}

static void annotations_are_stripped(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"do_syscall_64_[k]", "do_syscall_64"},
        {"java/lang/Thread.run_[j]", "java/lang/Thread.run"},
        {"f_[i]", "f"},
        {"f_[0]", "f"},
        {"f_[1]", "f"},
        {"f_[c]", "f"},
        {"f_[w]", "f"},
        {"f_[i]_[j]", "f"},
        {"f_[x]", "f_[x]"},
        {"f_[k", "f_[k"},
        {"f[k]", "f[k]"},
        {"_[k]", "_[k]"},
        {"", ""},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        require_text(i, fst_strip_annotations(fst_str_cstr(rows[i].frame)), rows[i].module);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(python_files_belong_to_packages),
        cmocka_unit_test(native_code_belongs_to_its_library),
        cmocka_unit_test(rust_and_cpp_belong_to_the_outermost_name),
        cmocka_unit_test(java_and_go_have_packages),
        cmocka_unit_test(other_languages_have_packages_too),
        cmocka_unit_test(run_times_have_names_of_their_own),
        cmocka_unit_test(annotations_are_stripped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
