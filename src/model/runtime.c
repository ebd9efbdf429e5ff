#include "model/runtime.h"

#include "base/compat.h"

static const struct fst_str nothing = {"", 0};

/* --- texts ------------------------------------------------------------------------------------- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

static bool is_word(char c)
{
    return is_letter(c) || fst_is_digit(c) || c == '_' || c == '\'';
}

/* The end of the word that begins at `at`. */
static size_t word_end(struct fst_str text, size_t at)
{
    while (at < text.len && is_word(text.data[at])) {
        at++;
    }
    return at;
}

/* The length of the capitalised words with dots behind them at the start of text; *count gets their
 * number. */
static size_t capitalised(struct fst_str text, size_t *count)
{
    size_t at = 0;
    for (*count = 0; at < text.len && is_upper(text.data[at]); (*count)++) {
        size_t end = word_end(text, at);
        if (end >= text.len || text.data[end] != '.') {
            break;
        }
        at = end + 1;
    }
    return at;
}

/* --- forms ------------------------------------------------------------------------------------- */

/* "camlLwt__bind_1394" */
static struct fst_str ocaml(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    if (!fst_str_starts(name, FST_STR("caml")) || name.len < 6 || !is_upper(name.data[4])) {
        return nothing;
    }
    struct fst_str rest = fst_str_skip(name, 4);
    const char *end = fst_str_find(rest, FST_STR("__"));
    return end == NULL ? nothing : fst_str_of(rest.data, (size_t)(end - rest.data));
}

/* "Emulator.Video.activePoints": two capitalised words at least, as a class with a method has one; but
 * top-level values that GHC collects are known by their name. */
static struct fst_str haskell(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    size_t count;
    size_t len = capitalised(name, &count);
    struct fst_str rest = fst_str_skip(name, len);
    bool collected = fst_str_eq(rest, FST_STR("CAF")) || fst_str_starts(rest, FST_STR("CAF:"));
    bool value = rest.len > 0 && !is_upper(rest.data[0]) && rest.data[0] != '(' &&
                 memchr(name.data, '(', name.len) == NULL;
    bool known =
        count > 0 && (collected || fst_str_eq(name, FST_STR("MAIN.MAIN")) || (count > 1 && value));
    return known ? fst_str_of(name.data, len - 1) : nothing;
}

/* "System.Private.CoreLib!System.String.Join(…)", "ntdll!NtWaitForSingleObject" */
static struct fst_str behind_bang(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    size_t end = 0;
    while (end < name.len &&
           (is_word(name.data[end]) || name.data[end] == '.' || name.data[end] == '-')) {
        end++;
    }
    bool parted = end > 0 && end + 1 < name.len && name.data[end] == '!';
    bool follows = parted && (is_word(name.data[end + 1]) || name.data[end + 1] == '<' ||
                              name.data[end + 1] == '?' || name.data[end + 1] == '.');
    return follows ? fst_str_of(name.data, end) : nothing;
}

/* "instance void [Demo] Ns.Program::Main(string[])[Tier0]" */
static struct fst_str in_assembly(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    const char *open = memchr(name.data, '[', name.len);
    const char *close = fst_str_find(name, FST_STR("] "));
    if (open == NULL || close == NULL || open == name.data || open[-1] != ' ' || close < open + 2) {
        return nothing;
    }
    struct fst_str inner = fst_str_of(open + 1, (size_t)(close - open) - 1);
    struct fst_str rest = fst_str_skip(name, (size_t)(close - name.data) + 2);
    for (size_t i = 0; i < inner.len; i++) {
        if (!is_word(inner.data[i]) && inner.data[i] != '.' && inner.data[i] != '-') {
            return nothing;
        }
    }
    return fst_str_find(rest, FST_STR("::")) != NULL ? inner : nothing;
}

/* "OpenTK.Vector3.get_Length()": the namespace, of a class and a method. */
static struct fst_str dotted_call(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    const char *open = memchr(name.data, '(', name.len);
    if (open == NULL || name.data[name.len - 1] != ')') {
        return nothing;
    }
    struct fst_str path = fst_str_of(name.data, (size_t)(open - name.data));
    size_t count;
    size_t len = capitalised(path, &count);
    bool method = word_end(path, len) == path.len && len < path.len;
    if (!method || count < 2) {
        return nothing;
    }
    size_t end = len - 1; /* of the class */
    while (end > 0 && path.data[end - 1] != '.') {
        end--;
    }
    return fst_str_of(path.data, end - 1);
}

/* "Java_java_net_SocketInputStream_read0": words up to the class, which is capitalised. */
static struct fst_str jni(struct fst_str name, struct fst_buf *out)
{
    struct fst_str rest = fst_str_skip(name, 5);
    fst_buf_clear(out);
    if (!fst_str_starts(name, FST_STR("Java_"))) {
        return nothing;
    }
    size_t at = 0;
    while (at < rest.len && rest.data[at] >= 'a' && rest.data[at] <= 'z') {
        size_t end = at;
        while (end < rest.len && (is_letter(rest.data[end]) || fst_is_digit(rest.data[end]))) {
            end++;
        }
        if (end == rest.len || rest.data[end] != '_') {
            return nothing;
        }
        fst_buf_add_cstr(out, at > 0 ? "." : "");
        fst_buf_add(out, rest.data + at, end - at);
        at = end + 1;
    }
    return at < rest.len && is_upper(rest.data[at]) ? fst_buf_str(out) : nothing;
}

/* "_PyEval_EvalFrameDefault", "Py_INCREF", "PyFloat_FromDouble": names that Python's headers reserve. */
static struct fst_str interpreter(struct fst_str name, struct fst_buf *out)
{
    (void)out;
    struct fst_str rest = name.len > 0 && name.data[0] == '_' ? fst_str_skip(name, 1) : name;
    if (!fst_str_starts(rest, FST_STR("Py")) || rest.len < 4) {
        return nothing;
    }
    size_t at = 2;
    while (at < rest.len && (is_letter(rest.data[at]) || fst_is_digit(rest.data[at]))) {
        at++;
    }
    bool spoken = rest.data[2] == '_' || is_upper(rest.data[2]);
    bool reserved =
        spoken && at + 1 < rest.len && rest.data[at] == '_' && is_letter(rest.data[at + 1]);
    return reserved ? FST_STR("[python]") : nothing;
}

struct fst_str fst_runtime_module(struct fst_str function, struct fst_buf *out)
{
    static struct fst_str (*const forms[])(struct fst_str name, struct fst_buf * out) = {
        in_assembly, behind_bang, jni, ocaml, interpreter, dotted_call, haskell,
    };
    for (size_t i = 0; i < FST_COUNT_OF(forms); i++) {
        struct fst_str module = forms[i](function, out);
        if (module.len > 0) {
            return module;
        }
    }
    return nothing;
}
