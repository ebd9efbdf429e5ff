/* A normalised name is the same when it is normalised again, whatever pieces it is made of; and two
 * names that differ only in what was generated become one. */
#include "unit/helpers.h"

#include "model/normalize.h"
#include "model/pools.h"

/* What the generated parts are made of, and what may stand between them. */
static const char *const pieces[] = {
    "c",
    "cwe35vqyzc2bgaq6au3opw4pcxwvmpcivgxyqgovn6h2wspqwc6t",
    ".py",
    ".so",
    "<eval_with_key>.",
    "__compiled_fn_",
    "torch_dynamo_resume_in_",
    "_at_",
    "ipykernel_",
    "0x",
    "$$Lambda",
    "$",
    "GeneratedMethodAccessor",
    ".constprop",
    ".isra",
    ".cold",
    ".part",
    ".llvm",
    " [clone ",
    "]",
    "::h",
    "f83bdf43d2f1e17b",
    "0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9",
    "thread (",
    "thread ",
    "process ",
    ":\"",
    ")",
    "): ",
    " (",
    "(",
    "T",
    "P",
    "tid:",
    " tid=",
    "[",
    "-",
    "_",
    "?",
    "/",
    "\\",
    ".",
    ":",
    "+",
    "@",
    " ",
    "*",
    "_[k]",
    "_[j]",
    "0",
    "7",
    "12",
    "f",
    "foo",
    "Thread",
    "ThreadPoolExecutor",
    "pool",
    "thread",
    "target",
    "\xc3\xa9",
    "\xff",
};

static const enum fst_name_role roles[] = {FST_NAME_FRAME, FST_NAME_PROCESS, FST_NAME_THREAD};

static void require_stable(struct fst_str name)
{
    struct fst_buf once = {0};
    struct fst_buf twice = {0};
    struct fst_buf pool = {0};
    for (size_t i = 0; i < FST_COUNT_OF(roles); i++) {
        struct fst_str first = fst_normalize(name, roles[i], &once);
        struct fst_str second = fst_normalize(first, roles[i], &twice);
        REQUIRE(fst_str_eq(first, second), "role %zu: \"%.*s\" became \"%.*s\" and then \"%.*s\"",
                i, (int)name.len, name.data, (int)first.len, first.data, (int)second.len,
                second.data);
    }
    struct fst_str family = fst_pool_name(name, &pool);
    REQUIRE(family.len == 0 || fst_pool_name(family, &once).len == 0, "\"%.*s\" is a pool twice",
            (int)name.len, name.data);
    fst_buf_release(&once);
    fst_buf_release(&twice);
    fst_buf_release(&pool);
}

static void a_result_is_its_own_result(void **state)
{
    (void)state;
    uint64_t chances = take_seed("normalised names");
    struct fst_buf name = {0};
    for (size_t i = 0; i < 300000; i++) {
        fst_buf_clear(&name);
        for (size_t left = 1 + chance_below(&chances, 10); left > 0; left--) {
            fst_buf_add_cstr(&name, pieces[chance_below(&chances, FST_COUNT_OF(pieces))]);
        }
        require_stable(fst_buf_str(&name));
    }
    fst_buf_release(&name);
}

/* Appends form with every % put as a number and every @ as a character of base 32. */
static void fill(struct fst_buf *out, const char *form, uint64_t *chances)
{
    static const char base32[] = "abcdefghijklmnopqrstuvwxyz234567";
    fst_buf_clear(out);
    for (const char *c = form; *c != '\0'; c++) {
        if (*c == '%') {
            fst_buf_add_fmt(out, "%u", (unsigned)chance_below(chances, 100000));
        } else if (*c == '#') {
            fst_buf_add_fmt(out, "%016llx", (unsigned long long)chance(chances));
        } else if (*c == '@') {
            for (size_t i = 0; i < 51; i++) {
                fst_buf_add_char(out, base32[chance_below(chances, 32)]);
            }
        } else {
            fst_buf_add_char(out, *c);
        }
    }
}

static void names_that_differ_in_what_was_generated_are_one(void **state)
{
    (void)state;
    static const struct {
        enum fst_name_role role;
        const char *form;
    } rows[] = {
        {FST_NAME_FRAME, "call (c@.py:12)"},
        {FST_NAME_FRAME, "call (/tmp/torchinductor_u/xy/c@.py:12)"},
        {FST_NAME_FRAME, "forward (<eval_with_key>.% from /x/y.py:284 in forward:178)"},
        {FST_NAME_FRAME, "__compiled_fn_% (a.py:1)"},
        {FST_NAME_FRAME, "torch_dynamo_resume_in_step_at_% (a.py:1)"},
        {FST_NAME_FRAME, "<module> (/tmp/ipykernel_%/12.py:1)"},
        {FST_NAME_FRAME, "0x# (libc.so.6)"},
        {FST_NAME_FRAME, "Foo$$Lambda$%/0x#.run_[j]"},
        {FST_NAME_FRAME, "jdk/internal/reflect/GeneratedMethodAccessor%.invoke"},
        {FST_NAME_FRAME, "f.constprop.%.isra.%"},
        {FST_NAME_FRAME, "f(int) [clone .part.%]"},
        {FST_NAME_FRAME, "a::b::h#"},
        {FST_NAME_PROCESS, "process %:\"python x.py\""},
        {FST_NAME_PROCESS, "java-%/%"},
        {FST_NAME_THREAD, "thread (%): ThreadPoolExecutor-%_%"},
        {FST_NAME_THREAD, "thread (%): Thread-% (run)"},
        {FST_NAME_THREAD, "[pool-%-thread-% tid=%]"},
        {FST_NAME_THREAD, "T0:%"},
    };
    uint64_t chances = take_seed("generated names");
    struct fst_buf name = {0};
    struct fst_buf one = {0};
    struct fst_buf other = {0};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        fill(&name, rows[i].form, &chances);
        fst_buf_clear(&one);
        struct fst_buf scratch = {0};
        struct fst_str normal = fst_normalize(fst_buf_str(&name), rows[i].role, &scratch);
        fst_buf_add_str(&one, normal);
        fst_buf_release(&scratch);
        for (size_t k = 0; k < 200; k++) {
            fill(&name, rows[i].form, &chances);
            struct fst_str again = fst_normalize(fst_buf_str(&name), rows[i].role, &other);
            REQUIRE(fst_str_eq(again, fst_buf_str(&one)), "%s: \"%.*s\" and \"%.*s\"", rows[i].form,
                    (int)one.len, one.data, (int)again.len, again.data);
        }
    }
    fst_buf_release(&name);
    fst_buf_release(&one);
    fst_buf_release(&other);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_its_own_result),
        cmocka_unit_test(names_that_differ_in_what_was_generated_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
