/* What a stack was doing, by the built-in rules and by the user's. */
#include "unit/helpers.h"

#include "base/symtab.h"
#include "model/category.h"
#include "parse/dialect.h"

enum { MOST_FRAMES = 32 };

/* Rules, and what they say of the frames seen so far. */
struct bench {
    struct fst_categories *set;
    struct fst_matcher matcher;
    struct fst_symtab names;
    struct fst_category_verdict verdicts[4096];
};

static struct bench *new_bench(const char *rules)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    struct fst_error err = {0};
    enum fst_status status = rules == NULL
                                 ? fst_categories_new_builtin(&bench->set, &err)
                                 : fst_categories_new(fst_str_cstr(rules), &bench->set, NULL, &err);
    REQUIRE(status == FST_OK, "line %llu: %s", (unsigned long long)err.line, err.message);
    fst_symtab_init(&bench->names, 1);
    return bench;
}

static void free_bench(struct bench *bench)
{
    fst_categories_free(bench->set);
    fst_matcher_release(&bench->matcher);
    fst_symtab_release(&bench->names);
    free(bench);
}

static uint32_t judge(struct bench *bench, const struct fst_dialect_rules *rules,
                      struct fst_str frame)
{
    size_t known = bench->names.count;
    uint32_t id = fst_symtab_intern(&bench->names, frame);
    assert_in_range(id, 0, FST_COUNT_OF(bench->verdicts) - 1);
    if (bench->names.count > known) {
        struct fst_frame_parts parts = rules->read(frame, rules->always_split);
        assert_int_equal(fst_categories_judge(bench->set, &bench->matcher, frame, &parts,
                                              &bench->verdicts[id], NULL),
                         FST_OK);
    }
    return id;
}

/* The category of a stack as it stands in a file. */
static struct fst_str categorise(struct bench *bench, enum fst_dialect dialect, const char *stack)
{
    uint32_t ids[MOST_FRAMES];
    size_t count = 0;
    for (const char *at = stack; *at != '\0';) {
        size_t len = strcspn(at, ";");
        ids[count++] = judge(bench, fst_dialect_rules_of(dialect), fst_str_of(at, len));
        at += len + (at[len] == ';');
    }
    return fst_categories_name(bench->set,
                               fst_categories_decide(bench->set, bench->verdicts, ids, count));
}

struct row {
    const char *stack;
    const char *category;
};

static void require_rows(const char *rules, enum fst_dialect dialect, const struct row *rows,
                         size_t count)
{
    struct bench *bench = new_bench(rules);
    for (size_t i = 0; i < count; i++) {
        require_text(i, categorise(bench, dialect, rows[i].stack), rows[i].category);
    }
    free_bench(bench);
}

/* --- the built-in rules ------------------------------------------------------------------------ */

static void stacks_of_a_training_job_are_told_apart(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"<module> (train.py:3);step (train.py:9)", "Python"},
        {"step (train.py:9);forward (torch/nn/modules/linear.py:125)", "PyTorch"},
        {"step (train.py:9);_call_impl (torch/nn/modules/module.py:1);forward (model.py:3)",
         "Python"},
        {"step (t.py:9);call (/tmp/we/cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t.py:3)",
         "PyTorch"},
        {"forward (<eval_with_key>.5 from /x/y.py:284 in forward:178)", "PyTorch"},
        {"run (torch/_inductor/runtime/triton_heuristics.py:1);launcher (<string>:6)",
         "CUDA launch"},
        {"step (t.py:9);synchronize (torch/cuda/__init__.py:900)", "CUDA sync"},
        {"step (t.py:9);empty_cache (torch/cuda/memory.py:170)", "CUDA memory"},
        {"step (t.py:9);wrapper (torch/distributed/c10d_logger.py:81);all_reduce "
         "(torch/distributed/distributed_c10d.py:2)",
         "NCCL"},
        {"__next__ (torch/utils/data/dataloader.py:6);fetch (torch/utils/data/_utils/fetch.py:5);"
         "__getitem__ (mine.py:3)",
         "data loading"},
        {"__getitem__ (mine.py:3);__init__ (datasets/table.py:117)", "data loading"},
        {"save (train.py:9);save (torch/serialization.py:9)", "serialisation"},
        {"f (a.py:1);loads (json/__init__.py:3);raw_decode (json/decoder.py:353)", "serialisation"},
        {"send (botocore/awsrequest.py:223);sendall (ssl.py:1274);send (ssl.py:1243)", "TLS"},
        {"put (boto3/s3/inject.py:1);_api_call (botocore/client.py:1)", "network and S3"},
        {"getresponse (http/client.py:1);readinto (socket.py:704)", "network and S3"},
        {"f (a.py:1);read (gzip.py:3)", "compression"},
        {"f (a.py:1);acquire (threading.py:3)", "lock or GIL wait"},
        {"f (a.py:1);join (threading.py:1);_wait_for_tstate_lock (threading.py:2)",
         "lock or GIL wait"},
        {"_find_and_load (<frozen importlib._bootstrap>:1);<module> (a.py:1)", "import"},
        {"_find_and_load (/usr/lib/python3.4/importlib/_bootstrap.py:1)", "import"},
        {"info (logging/__init__.py:3);emit (logging/__init__.py:9)", "logging"},
        {"f (a.py:1);info (synapse/logging/context.py:3)", "Python"},
        {"compile_inner (torch/_dynamo/convert_frame.py:3);f (a.py:2)", "compilation"},
        {"_fn (torch/_dynamo/eval_frame.py:600);forward (model.py:3)", "Python"},
        {"f (a.py:1);_wrapit (numpy/_core/fromnumeric.py:39)", "numerics"},
        {"f (a.py:1);f (<string>:2)", "Python"},
        {"run (threading.py:982);work (a.py:3)", "Python"},
        {"thread (7): select;f (a.py:1)", "Python"}, /* labels decide nothing */
        {"process 5:\"python threading.py\"", "other"},
        {"[no Python frames]", "other"},
    };
    require_rows(NULL, FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
}

static void native_frames_decide_first(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"step (t.py:9);cudaLaunchKernel (libcudart.so.12);pthread_mutex_unlock (libc.so.6)",
         "CUDA launch"},
        {"item (t.py:9);cudaStreamSynchronize (libcudart.so.12);0x7f12 (libcuda.so.1);poll "
         "(libc.so.6)",
         "idle"}, /* the leaf decides */
        {"item (t.py:9);cudaStreamSynchronize (libcudart.so.12);pthread_cond_timedwait (libc.so.6)",
         "CUDA sync"}, /* waits of the system are asked last */
        {"f (t.py:9);0x7f12 (libcuda.so.525.85.12)", "CUDA other"},
        {"f (t.py:9);take_gil (libpython3.11.so.1.0);pthread_cond_timedwait (libc.so.6)",
         "lock or GIL wait"},
        {"f (t.py:9);pthread_cond_timedwait (libc.so.6)", "lock or GIL wait"},
        {"f (t.py:9);gc_collect_main (python3.11);deduce_unreachable (python3.11)",
         "garbage collection"},
        {"f (t.py:9);inflate (libz.so.1)", "compression"},
        {"f (t.py:9);SSL_read (libssl.so.3);EVP_CipherUpdate (libcrypto.so.3)", "TLS"},
        {"f (t.py:9);EVP_DigestUpdate (libcrypto.so.3)", "cryptography"},
        {"f (t.py:9);0x7f12 (libtorch_cpu.so)", "PyTorch"},
        {"f (t.py:9);malloc (libc.so.6)", "memory allocation"},
        {"f (t.py:9);_PyEval_EvalFrameDefault (python3.11);0x12 (libfoo.so)", "Python"},
        {"f (t.py:9);ncclAllReduce (libnccl.so.2)", "NCCL"},
    };
    require_rows(NULL, FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
    static const struct row perf[] = {
        {"python;[unknown];[libcuda.so.525.85.12]", "CUDA other"},
        {"swapper;do_idle_[k];cpuidle_enter_[k];intel_idle_[k]", "idle"},
        {"iperf;sys_sendto_[k];tcp_sendmsg_[k];copy_user_generic_[k]", "network and S3"},
        {"dd;entry_SYSCALL_64_after_hwframe_[k];vfs_read_[k]", "file I/O"},
        {"a;main;foo_[k]", "kernel"},
        {"java;org/mozilla/javascript/Foo:.get_[j]", "Java"},
        {"java;start_thread;StealTask::do_it;SpinPause", "garbage collection"},
        {"node;JS:*get wert /srv/app/w11.js:3:23_[j]", "JavaScript"},
        {"node;v8::internal::JsonParser<unsigned char>::ParseJson", "serialisation"},
        {"go;main.main;runtime.mallocgc", "memory allocation"},
        {"go;net/http.(*conn).serve;my/app.Handle", "Go"},
        {"go;text/template.Execute", "Go"},
        {"a;main;Derived::run", "other"},
        {"a;[unknown]", "other"},
        {"python;py::wait:/usr/lib/python3.12/threading.py", "idle"},
        {"python;py::burn:/srv/app/x.py;_PyEval_EvalFrameDefault", "Python"},
        {"py::f:", "Python"},
        {"a;genunix`read;unix`mutex_enter", "lock or GIL wait"},
    };
    require_rows(NULL, FST_DIALECT_PERF, perf, FST_COUNT_OF(perf));
}

static void the_frames_that_py_spy_takes_for_idle_are(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"f (a.py:1);wait (threading.py:327)", "idle"},
        {"f (a.py:1);wait (/usr/lib/python3.11/threading.py:327)", "idle"},
        {"f (a.py:1);select (selectors.py:469)", "idle"},
        {"f (a.py:1);poll (asyncore.py:150)", "idle"},
        {"f (a.py:1);poll (zmq/backend/select.py:3)", "idle"},
        {"f (a.py:1);poll (pyzmq/x.py:3)", "idle"},
        {"f (a.py:1);poll (gevent/select.py:3)", "idle"},
        {"f (a.py:1);poll (tornado/ioloop.py:3)", "idle"},
        {"f (a.py:1);doPoll (twisted/internet/epollreactor.py:218)", "idle"},
        {"f (a.py:1);_worker (concurrent/futures/thread.py:81)", "idle"},
        {"_worker (concurrent/futures/thread.py:83);run (concurrent/futures/thread.py:58);f "
         "(a.py:1)",
         "Python"},
        {"f (a.py:1);get (queue.py:165)", "idle"},
        {"f (a.py:1);accept (socket.py:295)", "idle"},
        {"f (a.py:1);wait (mine.py:3)", "Python"},
        {"f (a.py:1);poll (mine.py:3)", "Python"},
        {"f (a.py:1);select (sqlalchemy/sql.py:3)", "Python"},
        {"f (a.py:1);wait (threading.py:327);pthread_cond_timedwait (libc.so.6)", "idle"},
        {"f (a.py:1);epoll_wait (libc.so.6)", "idle"},
        {"f (a.py:1);nanosleep (libc.so.6)", "idle"},
    };
    require_rows(NULL, FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
    static const struct row austin[] = {
        {"P5;T0:77;/usr/lib/python3.11/threading.py:Condition.wait:12", "idle"},
        {"P5;T0:77;/srv/a.py:f:12;:GC:", "garbage collection"},
        {"P5;T0:77", "other"},
    };
    require_rows(NULL, FST_DIALECT_AUSTIN, austin, FST_COUNT_OF(austin));
}

static void the_built_in_rules_are_in_the_form_of_the_user_s(void **state)
{
    (void)state;
    struct fst_buf text = {0};
    assert_true(fst_categories_builtin(&text));
    struct fst_categories *set = NULL;
    assert_int_equal(fst_categories_new(fst_buf_str(&text), &set, NULL, NULL), FST_OK);
    static const char *const names[] = {
        "CUDA launch",   "CUDA sync", "CUDA memory",    "NCCL",   "data loading",
        "serialisation", "TLS",       "network and S3", "import", "lock or GIL wait",
        "compression",   "Python",    "PyTorch",        "idle",   "garbage collection",
        "logging",       "other",
    };
    for (size_t i = 0; i < FST_COUNT_OF(names); i++) {
        uint8_t category = fst_categories_find(set, fst_str_cstr(names[i]));
        REQUIRE(category != FST_CATEGORY_NONE, "no category %s", names[i]);
        assert_in_range(category, 0, fst_categories_count(set) - 1);
    }
    assert_int_equal(fst_categories_find(set, FST_STR("nothing")), FST_CATEGORY_NONE);
    const char *line = text.data; /* it is printed: no line is too long for a terminal */
    for (size_t at = 0; at < text.len; at++) {
        if (text.data[at] == '\n') {
            assert_in_range(text.data + at - line, 0, 100);
            line = text.data + at + 1;
        }
    }
    fst_categories_free(set);
    fst_buf_release(&text);
    fst_categories_free(NULL);
}

/* --- the user's rules -------------------------------------------------------------------------- */

static void rules_are_asked_from_the_leaf_up_in_their_order(void **state)
{
    (void)state;
    static const char rules[] = "\xef\xbb\xbf# mine\r\n"
                                "\n"
                                "model : forward backward in model.py lib/*\r\n"
                                "  data: * in data/*\n"
                                "[leaf] leaf: tip in *\n"
                                "[fallback] last: /\\.py:\\d+\\)$/\n"
                                "shout: /^LOUD/i\n"
                                "quoted: \"two words\" \"in\"\n"
                                "native: mal*c\n"
                                "second: forward in model.py";
    static const struct row rows[] = {
        {"forward (model.py:3)", "model"},
        {"backward (/x/lib/a.py:3)", "model"},
        {"forward (other.py:3)", "last"},
        {"load (data/a.py:3);g (b.py:3)", "data"},
        {"load (data/a.py:3);forward (model.py:3)", "model"},
        {"tip (x.py:1)", "leaf"},
        {"tip (x.py:1);g (x.py:2)", "last"},
        {"data (x.py:1);tip (data/x.py:1)", "data"}, /* the earlier rule */
        {"loud (x.c:3)", "shout"},
        {"aloud (x.c:3)", "other"},
        {"two words", "quoted"},
        {"in", "quoted"},
        {"malloc", "native"},
        {"malloc (libc.so.6)", "native"},
        {"malloc (x.py:3)", "last"}, /* without files: no script */
        {"maloc_x", "other"},
        {"g", "other"},
    };
    require_rows(rules, FST_DIALECT_PYSPY, rows, FST_COUNT_OF(rows));
    static const struct row austin[] = {
        {"P5;T0:77;/x/model.py:Net.forward:12", "model"},
        {"P5;T0:77;/x/y.py:f:12", "last"}, /* as "f (/x/y.py:12)" */
    };
    require_rows(rules, FST_DIALECT_AUSTIN, austin, FST_COUNT_OF(austin));
}

static void other_is_a_category_like_any(void **state)
{
    (void)state;
    static const struct row rows[] = {{"a", "other"}, {"b", "x"}, {"c", "other"}, {"", "other"}};
    require_rows("other: a\nx: b\n", FST_DIALECT_GENERIC, rows, FST_COUNT_OF(rows));
    struct bench *bench = new_bench("other: a\nx: b\n");
    assert_int_equal(fst_categories_count(bench->set), 2);
    free_bench(bench);
    bench = new_bench("");
    assert_int_equal(fst_categories_count(bench->set), 1);
    require_text(0, fst_categories_name(bench->set, 0), "other");
    free_bench(bench);
}

static void a_bad_rule_says_what_and_where(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        uint64_t line;
        size_t mark;
        const char *message;
    } rows[] = {
        {"a", 1, 1, "expected a colon behind the category"},
        {"# x\n\n  a b", 3, 5, "expected a colon behind the category"},
        {": x", 1, 0, "expected the name of a category"},
        {"[leaf] : x", 1, 7, "expected the name of a category"},
        {"[leef] a: x", 1, 0, "expected [leaf] or [fallback]"},
        {"a:", 1, 2, "expected functions, or a pattern between slashes"},
        {"a: in b", 1, 3, "expected functions, or a pattern between slashes"},
        {"a: b in", 1, 7, "expected files behind \"in\""},
        {"a: b in c in d", 1, 8, "expected files behind \"in\""},
        {"a: \"b", 1, 3, "expected a quote at the end too"},
        {"a: b \"", 1, 5, "expected a quote at the end too"},
        {"a: /b", 1, 5, "expected / or /i at the end of the pattern"},
        {"a: /", 1, 4, "expected / or /i at the end of the pattern"},
        {"x: y\na: /b(c/\r\n", 2, 7, "bad pattern: missing closing parenthesis"},
        {"a: /*/i", 1, 4, "bad pattern: quantifier does not follow a repeatable item"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_str text = fst_str_cstr(rows[i].rules);
        struct fst_categories *set = NULL;
        struct fst_category_fault fault = {0};
        struct fst_error err = {0};
        REQUIRE(fst_categories_new(text, &set, &fault, &err) == FST_ERR_USAGE, "row %zu", i);
        assert_null(set);
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(err.line, rows[i].line);
        assert_int_equal(fault.line, rows[i].line);
        REQUIRE(fault.mark == rows[i].mark, "row %zu: mark %zu", i, fault.mark);
        assert_in_range(fault.text.data - text.data, 0, text.len);
        assert_in_range(fault.mark, 0, fault.text.len);
        assert_int_equal(fst_categories_new(text, &set, NULL, NULL), FST_ERR_USAGE);
    }
}

static void there_may_be_many_categories_but_not_any_number(void **state)
{
    (void)state;
    for (unsigned wanted = 254; wanted <= 255; wanted++) {
        struct fst_buf rules = {0};
        for (unsigned i = 0; i < wanted; i++) {
            fst_buf_add_fmt(&rules, "c%u: f%u\n", i, i);
        }
        struct fst_categories *set = NULL;
        struct fst_error err = {0};
        enum fst_status status = fst_categories_new(fst_buf_str(&rules), &set, NULL, &err);
        assert_int_equal(status, wanted == 254 ? FST_OK : FST_ERR_USAGE);
        assert_true(status != FST_OK || fst_categories_count(set) == 255);
        assert_true(status == FST_OK || err.line == 255);
        fst_categories_free(set);
        fst_buf_release(&rules);
    }
}

static void a_pattern_that_runs_for_ever_is_an_error(void **state)
{
    (void)state;
    struct bench *bench = new_bench("a: /(a+)+$/\n");
    struct fst_str frame = FST_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    struct fst_frame_parts parts = fst_frame_read(frame, false);
    struct fst_category_verdict verdict;
    struct fst_error err = {0};
    assert_int_equal(
        fst_categories_judge(bench->set, &bench->matcher, frame, &parts, &verdict, &err),
        FST_ERR_USAGE);
    assert_non_null(strstr(err.message, "took too long"));
    free_bench(bench);
}

/* --- names of any length ------------------------------------------------------------------------ */

/* Repeated, these begin what a rule looks for, again and again. */
static const char *const awkward[] = {
    "z",          "Z",      "a.",        "ab.",      "aB.",          "aB$(",     "a/",
    "a$",         "A$",     "$",         "_",        "::",           "<",        "(",
    ")",          " (",     "_ZN",       "Py",       "_Py",          "PyA_",     "La/",
    "A.a_[",      "A.a_[j", ".(*",       "at::",     "*cuda*::",     "synchron", "cuda::",
    "torch/",     "PIL/",   "PIL/Plug",  "a.py:",    "\xff",         "\xc3\xa4", "\xc3\xa4.",
    "a\xc3\xa4/", "~%-.",   "com/a.b/c", "Builtin:", "lll_lock_wai", "json_",    "Heap::Co",
    "v8::inter",  "[",      "`",         "a\n",      "java/",        "\\",
};

/* Judges text as a function, as a function with a file, and as a file. */
static void judge_everywhere(struct bench *bench, struct fst_str text, const char *rule)
{
    struct fst_frame_parts split = {
        .kind = FST_FRAME_SPLIT, .function = text, .file = text, .line = FST_STR("1")};
    struct fst_frame_parts plain = {.kind = FST_FRAME_PLAIN, .function = text};
    const struct fst_frame_parts *const all[] = {&split, &plain};
    for (size_t i = 0; i < FST_COUNT_OF(all); i++) {
        struct fst_category_verdict verdict;
        struct fst_error err = {0};
        enum fst_status status =
            fst_categories_judge(bench->set, &bench->matcher, text, all[i], &verdict, &err);
        REQUIRE(status == FST_OK, "%s: %.40s...: %s", rule, text.data, err.message);
    }
}

static void judge_all(const char *rules, const struct fst_buf *texts, size_t most)
{
    struct bench *bench = new_bench(rules);
    for (size_t i = 0; i < FST_COUNT_OF(awkward); i++) {
        size_t len = texts[i].len < most ? texts[i].len : most;
        judge_everywhere(bench, fst_str_of(texts[i].data, len), rules == NULL ? "all" : rules);
    }
    free_bench(bench);
}

/* Each built-in rule is alone, as others would answer first; rules without a pattern, which are
 * many, see the starts of the texts. */
static void judge_by_every_rule(const struct fst_buf *texts)
{
    char *rules = fst_categories_text();
    assert_non_null(rules);
    size_t patterns = 0;
    for (char *end, *rule = rules; (end = strchr(rule, '\n')) != NULL; rule = end + 1) {
        *end = '\0';
        bool pattern = rule[0] != '#' && strstr(rule, ": /") != NULL;
        judge_all(rule, texts, pattern ? SIZE_MAX : 2000);
        patterns += pattern;
    }
    assert_in_range(patterns, 5, 100);
    free(rules);
}

static void no_built_in_rule_is_stopped_by_a_long_name(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    struct fst_buf texts[FST_COUNT_OF(awkward)] = {0};
    for (size_t i = 0; i < FST_COUNT_OF(awkward); i++) {
        while (texts[i].len < LONG) {
            fst_buf_add_cstr(&texts[i], awkward[i]);
        }
        fst_buf_add_char(&texts[i], i % 2 == 0 ? '!' : '(');
        assert_false(texts[i].failed);
    }
    judge_all(NULL, texts, SIZE_MAX);
    judge_by_every_rule(texts);
    for (size_t i = 0; i < FST_COUNT_OF(awkward); i++) {
        fst_buf_release(&texts[i]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_of_a_training_job_are_told_apart),
        cmocka_unit_test(native_frames_decide_first),
        cmocka_unit_test(the_frames_that_py_spy_takes_for_idle_are),
        cmocka_unit_test(the_built_in_rules_are_in_the_form_of_the_user_s),
        cmocka_unit_test(rules_are_asked_from_the_leaf_up_in_their_order),
        cmocka_unit_test(other_is_a_category_like_any),
        cmocka_unit_test(a_bad_rule_says_what_and_where),
        cmocka_unit_test(there_may_be_many_categories_but_not_any_number),
        cmocka_unit_test(a_pattern_that_runs_for_ever_is_an_error),
        cmocka_unit_test(no_built_in_rule_is_stopped_by_a_long_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
