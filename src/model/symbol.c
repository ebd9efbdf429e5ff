/* Packages by slashes or dots, crates and namespaces by colons. A symbol may carry a type that is
 * returned, template arguments and parameters; what counts is the first part of the path that is
 * neither. */
#include "model/symbol.h"

#include "base/compat.h"

static const struct fst_str nothing = {"", 0};

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_lower(c) || is_upper(c) || fst_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The part of text before the first needle; text, if there is none. */
static struct fst_str before(struct fst_str text, struct fst_str needle)
{
    const char *found = fst_str_find(text, needle);
    return found == NULL ? text : fst_str_of(text.data, (size_t)(found - text.data));
}

/* --- Java, Go ---------------------------------------------------------------------------------- */

/* The class and method, without parameters and what Java adds to generated classes. */
static struct fst_str java_name(struct fst_str name)
{
    static const struct fst_str ends[] = {{"(", 1}, {"$$", 2}, {"/0x", 3}, {".0x", 3}, {"+0x", 3}};
    for (size_t i = 0; i < FST_COUNT_OF(ends); i++) {
        name = before(name, ends[i]);
    }
    bool descriptor = name.len > 1 && name.data[0] == 'L' && is_lower(name.data[1]) &&
                      memchr(name.data, '/', name.len) != NULL;
    return fst_str_skip(name, descriptor);
}

/* "java/util" of java/util/HashMap.get: what is before the last slash, if a class is behind it. */
static struct fst_str package_by_slashes(struct fst_str name)
{
    size_t slash = name.len;
    while (slash > 0 && name.data[slash - 1] != '/') {
        slash--;
    }
    if (slash < 2 || slash == name.len || name.data[0] == '/') {
        return nothing;
    }
    struct fst_str class = fst_str_skip(name, slash);
    bool fits = is_upper(class.data[0]) || memchr(class.data, '$', class.len) != NULL;
    for (size_t i = 0; fits && i < slash; i++) {
        fits = is_word(name.data[i]) || memchr("/$-", name.data[i], 3) != NULL;
    }
    return fits ? fst_str_of(name.data, slash - 1) : nothing;
}

static struct fst_str dotted(struct fst_str path, struct fst_buf *out)
{
    for (size_t i = 0; i < path.len; i++) {
        if (path.data[i] == '/') {
            fst_buf_add_char(out, '.');
        } else {
            fst_buf_add_char(out, path.data[i]);
        }
    }
    return fst_buf_str(out);
}

/* "java.util" of java.util.HashMap.get: parts in lower case, and a class behind them. */
static struct fst_str package_by_dots(struct fst_str name)
{
    size_t end = 0;
    for (size_t at = 0; at < name.len; at++) {
        if (name.data[at] == '.') {
            end = at;
        } else if (is_upper(name.data[at]) && at > 1 && end == at - 1) {
            return fst_str_of(name.data, end);
        } else if (!is_lower(name.data[at]) && !fst_is_digit(name.data[at]) &&
                   name.data[at] != '_') {
            break;
        }
    }
    return nothing;
}

/* Packages that begin as Java's do. */
static bool begins_as_java(struct fst_str name)
{
    static const struct fst_str starts[] = {{"java.", 5},  {"javax.", 6}, {"jdk.", 4}, {"sun.", 4},
                                            {"com.", 4},   {"org.", 4},   {"io.", 3},  {"net.", 4},
                                            {"scala.", 6}, {"kotlin.", 7}};
    for (size_t i = 0; i < FST_COUNT_OF(starts); i++) {
        if (fst_str_starts(name, starts[i])) {
            return true;
        }
    }
    return false;
}

static struct fst_str java_package(struct fst_str symbol, bool java, struct fst_buf *out)
{
    struct fst_str name = java_name(symbol);
    struct fst_str package = package_by_slashes(name);
    if (package.len > 0) {
        return dotted(package, out);
    }
    return java || begins_as_java(name) ? package_by_dots(name) : nothing;
}

/* Packages of Go's library that have no slash, and every program's own. */
static bool is_go_s_own(struct fst_str package)
{
    static const struct fst_str names[] = {
        {"main", 4}, {"runtime", 7}, {"syscall", 7}, {"reflect", 7}, {"sync", 4},   {"os", 2},
        {"net", 3},  {"bytes", 5},   {"strings", 7}, {"strconv", 7}, {"fmt", 3},    {"time", 4},
        {"sort", 4}, {"bufio", 5},   {"io", 2},      {"context", 7}, {"errors", 6}, {"regexp", 6},
        {"math", 4}, {"log", 3},     {"slices", 6},  {"maps", 4},    {"testing", 7}};
    for (size_t i = 0; i < FST_COUNT_OF(names); i++) {
        if (fst_str_eq(package, names[i])) {
            return true;
        }
    }
    return false;
}

/* "net/http" of net/http.(*conn).serve: up to the first dot behind the last slash. */
static struct fst_str go_package(struct fst_str name)
{
    size_t end = 0;
    size_t slash = 0;
    for (; end < name.len && name.data[end] != '(' && name.data[end] != '['; end++) {
        char c = name.data[end];
        if (c == '/') {
            slash = end + 1;
        } else if (!is_word(c) && c != '.' && c != '-' && c != '~' && c != '%' && c != '*') {
            break;
        }
    }
    const char *dot = end > slash ? memchr(name.data + slash, '.', end - slash) : NULL;
    if (dot == NULL || dot == name.data + slash || name.len == 0 || name.data[0] == '/') {
        return nothing;
    }
    struct fst_str package = fst_str_of(name.data, (size_t)(dot - name.data));
    bool method = fst_str_starts(fst_str_skip(name, package.len), FST_STR(".("));
    bool fits = is_lower(name.data[slash]) && package.len + 1 < name.len;
    return fits && (slash > 0 || method || is_go_s_own(package)) ? package : nothing;
}

/* --- Rust, C++ --------------------------------------------------------------------------------- */

/* How deep brackets nest behind text[at]. The arrows -> and => close nothing. */
static size_t depth_after(struct fst_str text, size_t at, size_t depth)
{
    char c = text.data[at];
    if (c == '<' || c == '(' || c == '[' || c == '{') {
        return depth + 1;
    }
    bool arrow = c == '>' && at > 0 && (text.data[at - 1] == '-' || text.data[at - 1] == '=');
    bool closes = (c == '>' && !arrow) || c == ')' || c == ']' || c == '}';
    return closes && depth > 0 ? depth - 1 : depth;
}

static bool is_at(struct fst_str text, size_t at, struct fst_str word)
{
    return fst_str_starts(fst_str_skip(text, at), word);
}

/* Whether parameters begin at the bracket at `at`. */
static bool begins_parameters(struct fst_str text, size_t at)
{
    return text.data[at] == '(' && !is_at(text, at, FST_STR("(anonymous namespace)")) &&
           !fst_str_ends(fst_str_of(text.data, at), FST_STR("operator"));
}

/* The outermost part of the qualified name that text ends in before its parameters: behind the type
 * that it returns, up to the first "::". */
static struct fst_str outermost(struct fst_str text)
{
    size_t depth = 0;
    size_t start = 0;
    size_t end = 0;
    for (size_t at = 0; at < text.len; at++) {
        if (depth == 0 && begins_parameters(text, at)) {
            break;
        }
        bool top = depth == 0;
        depth = depth_after(text, at, depth);
        if (top && text.data[at] == ' ' &&
            !fst_str_ends(fst_str_of(text.data, at), FST_STR("operator"))) {
            start = at + 1;
            end = 0;
        } else if (top && end == 0 && at > start && is_at(text, at, FST_STR("::"))) {
            end = at;
        }
    }
    return end > 0 ? fst_str_of(text.data + start, end - start) : nothing;
}

/* The first part of the first path of a Rust type: "alloc" of "<&mut alloc::vec::Vec<T> as
 * core::iter::Iterator>", "core" of "<T as core::fmt::Debug>". */
static struct fst_str first_path(struct fst_str type)
{
    size_t start = 0;
    for (size_t at = 0; at < type.len; at++) {
        if (is_at(type, at, FST_STR("::"))) {
            return fst_str_of(type.data + start, at - start);
        }
        if (!is_word(type.data[at])) {
            start = at + 1;
        }
    }
    return nothing;
}

/* "_$LT$alloc..vec..Vec$LT$T$GT$…": the word before the first two dots */
static struct fst_str half_mangled(struct fst_str name)
{
    size_t len = before(name, FST_STR("..")).len;
    size_t start = len;
    while (start > 0 && is_word(name.data[start - 1])) {
        start--;
    }
    return len < name.len ? fst_str_of(name.data + start, len - start) : nothing;
}

struct fst_str fst_symbol_namespace(struct fst_str symbol)
{
    struct fst_str part = outermost(symbol);
    if (fst_str_starts(symbol, FST_STR("_$LT$"))) {
        return half_mangled(symbol);
    }
    if (part.len > 0 && (part.data[0] == '<' || fst_str_starts(part, FST_STR("_<")))) {
        return first_path(part);
    }
    while (part.len > 0 && (part.data[0] == '&' || part.data[0] == '*')) {
        part = fst_str_skip(part, 1);
    }
    return before(part, FST_STR("<")); /* a class goes without its arguments */
}

/* "_ZN3csv6reader…": a length and so many bytes */
static struct fst_str mangled(struct fst_str name)
{
    if (fst_str_starts(name, FST_STR("_ZNSt")) || fst_str_starts(name, FST_STR("_ZSt"))) {
        return FST_STR("std");
    }
    size_t at = fst_str_starts(name, FST_STR("_ZNK")) ? 4 : 3;
    if (!fst_str_starts(name, FST_STR("_ZN"))) {
        return nothing;
    }
    size_t len = 0;
    for (; at < name.len && fst_is_digit(name.data[at]) && len < name.len; at++) {
        len = len * 10 + (size_t)(name.data[at] - '0');
    }
    bool fits =
        len > 0 && len < name.len - at && name.data[at] != '_' && fst_is_digit(name.data[at + len]);
    return fits ? fst_str_of(name.data + at, len) : nothing;
}

/* --- all together ------------------------------------------------------------------------------ */

struct fst_str fst_symbol_module(struct fst_str symbol, bool java, struct fst_buf *out)
{
    struct fst_str module = java_package(symbol, java, out);
    if (module.len == 0) {
        module = go_package(symbol);
    }
    if (module.len == 0) {
        module = fst_symbol_namespace(symbol);
    }
    return module.len > 0 ? module : mangled(symbol);
}
