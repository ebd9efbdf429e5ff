/* Globs with * alone, over names and over paths. */
#include "unit/helpers.h"

#include "base/glob.h"

static void globs_fit_whole_texts(void **state)
{
    (void)state;
    static const struct {
        const char *glob;
        const char *text;
        bool fits;
    } rows[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "abc", true},
        {"**", "abc", true},
        {"abc", "abc", true},
        {"abc", "ab", false},
        {"abc", "abcd", false},
        {"abc*", "abc", true},
        {"abc*", "abcd", true},
        {"abc*", "ab", false},
        {"*abc", "abc", true},
        {"*abc", "ababc", true},
        {"*abc", "abcd", false},
        {"*b*", "abc", true},
        {"*b*", "ac", false},
        {"a*c", "abbbc", true},
        {"a*c", "abbb", false},
        {"a*b*c", "axxbxxbxxc", true},
        {"a*b*c", "axxcxxb", false},
        {"*aab", "aaaab", true},
        {"a/b", "a\\b", false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        bool got = fst_glob_fits(fst_str_cstr(rows[i].glob), fst_str_cstr(rows[i].text));
        REQUIRE(got == rows[i].fits, "%s, %s", rows[i].glob, rows[i].text);
    }
}

static void paths_fit_behind_any_slash(void **state)
{
    (void)state;
    static const struct {
        const char *glob;
        const char *path;
        bool fits;
    } rows[] = {
        {"threading.py", "threading.py", true},
        {"threading.py", "/usr/lib/python3.11/threading.py", true},
        {"threading.py", "C:\\Python311\\Lib\\threading.py", true},
        {"threading.py", "mythreading.py", false},
        {"threading.py", "threading.py/x", false},
        {"torch/cuda/*", "/x/site-packages/torch/cuda/streams.py", true},
        {"torch/cuda/*", "x\\torch\\cuda\\streams.py", true},
        {"torch/cuda/*", "mytorch/cuda/streams.py", false},
        {"*zmq*", "pyzmq/poll.py", true},
        {"*", "", true},
        {"", "", true},
        {"", "a/", true},
        {"", "a", false},
        {"b", "a/b", true},
        {"b", "ab/c", false},
        {"\xc3*", "a/\xc3\xa4", true},
        {"/a", "/a", true},
        {"\\a", "/a", true},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const struct fst_glob_path path = fst_glob_path_of(fst_str_cstr(rows[i].path));
        bool got = fst_glob_fits_path(fst_str_cstr(rows[i].glob), &path);
        REQUIRE(got == rows[i].fits, "%s, %s", rows[i].glob, rows[i].path);
    }
}

/* By trying every length for every star. */
static bool fits_plainly(const char *glob, const char *text)
{
    if (*glob == '\0') {
        return *text == '\0';
    }
    if (*glob == '*') {
        return fits_plainly(glob + 1, text) || (*text != '\0' && fits_plainly(glob, text + 1));
    }
    return *glob == *text && fits_plainly(glob + 1, text + 1);
}

static void the_fast_way_is_the_plain_way(void **state)
{
    (void)state;
    uint64_t chances = take_seed("globs");
    for (size_t i = 0; i < 100000; i++) {
        char glob[8];
        char text[12];
        size_t len = chance_below(&chances, sizeof glob);
        for (size_t k = 0; k < len; k++) {
            glob[k] = "ab*"[chance_below(&chances, 3)];
        }
        glob[len] = '\0';
        len = chance_below(&chances, sizeof text);
        for (size_t k = 0; k < len; k++) {
            text[k] = "ab"[chance_below(&chances, 2)];
        }
        text[len] = '\0';
        REQUIRE(fst_glob_fits(fst_str_cstr(glob), fst_str_cstr(text)) == fits_plainly(glob, text),
                "%s, %s", glob, text);
    }
}

static bool path_fits_plainly(const char *glob, const char *path)
{
    for (const char *at = path;; at++) {
        if ((at == path || at[-1] == '/') && fits_plainly(glob, at)) {
            return true;
        }
        if (*at == '\0') {
            return false;
        }
    }
}

static void the_fast_way_is_the_plain_way_for_paths(void **state)
{
    (void)state;
    uint64_t chances = take_seed("globs of paths");
    for (size_t i = 0; i < 200000; i++) {
        char glob[8];
        char text[12];
        size_t len = chance_below(&chances, sizeof glob);
        for (size_t k = 0; k < len; k++) {
            glob[k] = "ab*/"[chance_below(&chances, 4)];
        }
        glob[len] = '\0';
        len = chance_below(&chances, sizeof text);
        for (size_t k = 0; k < len; k++) {
            text[k] = "ab/"[chance_below(&chances, 3)];
        }
        text[len] = '\0';
        const struct fst_glob_path path = fst_glob_path_of(fst_str_cstr(text));
        REQUIRE(fst_glob_fits_path(fst_str_cstr(glob), &path) == path_fits_plainly(glob, text),
                "%s, %s", glob, text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(globs_fit_whole_texts),
        cmocka_unit_test(paths_fit_behind_any_slash),
        cmocka_unit_test(the_fast_way_is_the_plain_way),
        cmocka_unit_test(the_fast_way_is_the_plain_way_for_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
