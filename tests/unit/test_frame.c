/* What a frame is, and where its function, file and line stand. A row says it in one text:
 *
 *     split f [a.py] [3] py     function, file, line; "file" or "py" for what the file looks like
 *     plain, process, thread, delimiter, stand-in     and then the whole frame is the function
 */
#include "unit/helpers.h"

#include "parse/frame.h"

struct row {
    const char *frame;
    const char *parts;
};

static void add_text(struct fst_buf *out, struct fst_str text)
{
    fst_buf_add_char(out, '[');
    fst_buf_add_str(out, text);
    fst_buf_add_cstr(out, "] ");
}

static void add_parts(struct fst_buf *out, struct fst_str frame, bool split_files)
{
    static const char *const kinds[] = {
        [FST_FRAME_PLAIN] = "plain",         [FST_FRAME_SPLIT] = "split",
        [FST_FRAME_PROCESS] = "process",     [FST_FRAME_THREAD] = "thread",
        [FST_FRAME_DELIMITER] = "delimiter", [FST_FRAME_STANDIN] = "stand-in"};
    struct fst_frame_parts parts = fst_frame_read(frame, split_files);
    fst_buf_add_cstr(out, kinds[parts.kind]);
    if (parts.kind != FST_FRAME_SPLIT) {
        assert_true(fst_str_eq(parts.function, frame));
        assert_int_equal(parts.file.len + parts.line.len, 0);
        assert_false(fst_frame_names_file(&parts) || fst_frame_names_python(&parts));
        return;
    }
    fst_buf_add_char(out, ' ');
    add_text(out, parts.function);
    add_text(out, parts.file);
    add_text(out, parts.line);
    fst_buf_add_cstr(out, fst_frame_names_python(&parts) ? "py"
                          : fst_frame_names_file(&parts) ? "file"
                                                         : "word");
}

static void require_rows(const struct row *rows, size_t count, bool split_files)
{
    struct fst_buf got = {0};
    for (size_t i = 0; i < count; i++) {
        fst_buf_clear(&got);
        add_parts(&got, fst_str_cstr(rows[i].frame), split_files);
        require_text(i, fst_buf_str(&got), rows[i].parts);
    }
    fst_buf_release(&got);
}

static void files_stand_in_the_last_balanced_brackets_behind_a_blank(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"main (train.py:42)", "split [main] [train.py] [42] py"},
        {"f (C:\\Program Files (x86)\\p.py:3)", "split [f] [C:\\Program Files (x86)\\p.py] [3] py"},
        {"(anonymous namespace)::f (a.cc:1)", "split [(anonymous namespace)::f] [a.cc] [1] file"},
        {"std::function<void (unsigned int)>::operator() (libx.so)",
         "split [std::function<void (unsigned int)>::operator()] [libx.so] [] file"},
        {"spaced (/home/u/my project (v2)/mod one.py:1)",
         "split [spaced] [/home/u/my project (v2)/mod one.py] [1] py"},
        {"forward (<eval_with_key>.5 from /x/y.py:284 in forward:178)",
         "split [forward] [<eval_with_key>.5 from /x/y.py:284 in forward] [178] py"},
        {"step (C:\\Users\\u\\my proj\\main.py:12)",
         "split [step] [C:\\Users\\u\\my proj\\main.py] [12] py"},
        {"<module> (<string>:1)", "split [<module>] [<string>] [1] py"},
        {"in (<frozen importlib._bootstrap>:1176)",
         "split [in] [<frozen importlib._bootstrap>] [1176] py"},
        {" lead (a.py:6)", "split [ lead] [a.py] [6] py"},
        {"trail  (a.py:7)", "split [trail ] [a.py] [7] py"},
        {"a:b:3 (a.py:6)", "split [a:b:3] [a.py] [6] py"},
        {"f ) (a.py:3)", "split [f )] [a.py] [3] py"},
        {"f\t(a.py:3)", "split [f] [a.py] [3] py"},
        {"f (g) (a.py:3)", "split [f (g)] [a.py] [3] py"},
        {"m (fast.pyx:9)", "split [m] [fast.pyx] [9] py"},
        {"0x7f12ab (libc.so.6)", "split [0x7f12ab] [libc.so.6] [] file"},
        {"f (int)", "split [f] [int] [] word"},
        {"f (int:3)", "split [f] [int] [3] file"},
        {"f (/bin/x)", "split [f] [/bin/x] [] file"},
        {"f (bin\\x)", "split [f] [bin\\x] [] file"},
    };
    require_rows(rows, FST_COUNT_OF(rows), true);
}

static void line_numbers_may_be_absent_zero_or_negative(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"f (a.py)", "split [f] [a.py] [] py"},
        {"f (a.py:0)", "split [f] [a.py] [0] py"},
        {"f (a.py:-1)", "split [f] [a.py] [-1] py"},
        {"f (a.py:007)", "split [f] [a.py] [007] py"},
        {"f (C:\\a.py)", "split [f] [C:\\a.py] [] py"},
        {"f (a.py:)", "split [f] [a.py:] [] file"},
        {"f (a.py:x3)", "split [f] [a.py:x3] [] file"},
        {"f (a.py:--1)", "split [f] [a.py:--1] [] file"},
        {"f (a.py-1)", "split [f] [a.py-1] [] file"},
        {"f (:3)", "split [f] [:3] [] word"},
        {"f (3)", "split [f] [3] [] word"},
        {"f (-3)", "split [f] [-3] [] word"},
    };
    require_rows(rows, FST_COUNT_OF(rows), true);
}

static void other_brackets_are_part_of_the_name(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"main", "plain"},
        {"f(int)", "plain"},
        {"std::function<void (int)>::operator()", "plain"},
        {"<eval_with_key>.5 from /x/y.py:284 in forward:178", "plain"},
        {"f (a.py:3", "plain"},
        {"f a.py:3)", "plain"},
        {"f (a(b.py:3)", "plain"},
        {"f (a.py:3) ", "plain"},
        {"f (a.py:3)x", "plain"},
        {"f ()", "plain"},
        {" (a.py:3)", "plain"},
        {"(a.py:3)", "plain"},
        {")", "plain"},
        {"()", "plain"},
        {"", "plain"},
    };
    require_rows(rows, FST_COUNT_OF(rows), true);
}

static void process_and_thread_frames_are_recognised_first(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"process 10:\"python train.py\"", "process"},
        {"process 5:\"\"C:\\x y\\py.exe\" m.py (a.py:3)", "process"},
        {"process 22885:\"\"", "process"},
        {"process 7:\"open", "process"},
        {"thread (4242): MainThread", "thread"},
        {"thread (7): Thread-1 (worker)", "thread"},
        {"thread (7): odd (a.py:3)", "thread"},
        {"thread (0x7FA03C5B9740)", "thread"},
        {"thread (0x7FA03C5B9740): pool_0", "thread"},
        {"thread (4242)", "thread"},
        {"thread 4242", "thread"},
        {"thread 4242: main", "thread"},
        {"thread 0x7fa0", "thread"},
        {"process (twisted/web/server.py:235)", "split [process] [twisted/web/server.py] [235] py"},
        {"thread (pool.py:3)", "split [thread] [pool.py] [3] py"},
        {"thread (12.py:3)", "split [thread] [12.py] [3] py"},
        {"process 10 (a.py:3)", "split [process 10] [a.py] [3] py"},
        {"process :\"x\" (a.py:3)", "split [process :\"x\"] [a.py] [3] py"},
        {"processes 10:\"x\"", "plain"},
        {"process 10:x", "plain"},
        {"process 10", "plain"},
        {"thread", "plain"},
        {"thread ", "plain"},
        {"thread x", "plain"},
        {"thread (0x)", "split [thread] [0x] [] word"},
        {"thread (12x:3)", "split [thread] [12x] [3] file"},
        {"thread (12", "plain"},
        {"thread 12)", "plain"},
        {"thread 12 pool", "plain"},
        {"threads 12", "plain"},
    };
    require_rows(rows, FST_COUNT_OF(rows), true);
}

static void delimiters_and_stand_ins_are_no_names(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"-", "delimiter"},      {"--", "delimiter"},
        {"---", "plain"},        {"[no Python frames]", "stand-in"},
        {"[empty]", "stand-in"}, {"[unknown]", "plain"},
    };
    require_rows(rows, FST_COUNT_OF(rows), true);
    require_rows(rows, FST_COUNT_OF(rows), false);
}

static void without_files_a_frame_is_one_name(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"f (int)", "plain"},
        {"main (train.py:42)", "plain"},
        {"process 10:\"x\"", "process"},
        {"thread (7): Thread-1 (worker)", "thread"},
    };
    require_rows(rows, FST_COUNT_OF(rows), false);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_stand_in_the_last_balanced_brackets_behind_a_blank),
        cmocka_unit_test(line_numbers_may_be_absent_zero_or_negative),
        cmocka_unit_test(other_brackets_are_part_of_the_name),
        cmocka_unit_test(process_and_thread_frames_are_recognised_first),
        cmocka_unit_test(delimiters_and_stand_ins_are_no_names),
        cmocka_unit_test(without_files_a_frame_is_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
