/* Every rule looks at a frame and names its module or has nothing to say; the first that names one
 * is right. Rules by the file come before rules by the function, as files are surer: a symbol of
 * C++ in a shared object is filed under that. */
#include "model/module.h"

#include "base/compat.h"
#include "model/normalize.h"
#include "model/runtime.h"
#include "model/symbol.h"

/* --- the rules --------------------------------------------------------------------------------- */

struct query {
    struct fst_str function; /* without annotations */
    struct fst_str file;     /* empty: unknown */
    bool has_line;
    bool kernel; /* it was annotated so */
    bool java;   /* likewise, or the dialect is Java's */
    struct fst_buf *out;
};

/* The module, or an empty text. */
typedef struct fst_str rule_fn(const struct query *query);

static rule_fn kernel, generated_file, frozen_file, python_file, npm_package, gem, shared_object,
    namespace_of_source, source_folder, image, python_trampoline, javascript, runtime, symbol;

static const struct rule {
    rule_fn *name;
    bool by_file; /* for frames that have one; else for those that have none */
} rules[] = {
    {generated_file, true},
    {frozen_file, true},
    {python_file, true},
    {npm_package, true},
    {gem, true},
    {shared_object, true},
    {namespace_of_source, true},
    {source_folder, true},
    {kernel, false},
    {image, false},
    {python_trampoline, false},
    {javascript, false},
    {runtime, false},
    {symbol, false},
};

static const struct fst_str nothing = {"", 0};

/* --- texts ------------------------------------------------------------------------------------- */

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* What stands behind the last slash. */
static struct fst_str base_name(struct fst_str path)
{
    size_t at = path.len;
    while (at > 0 && !is_slash(path.data[at - 1])) {
        at--;
    }
    return fst_str_skip(path, at);
}

/* What stands before the last slash; empty if there is none. */
static struct fst_str folder(struct fst_str path)
{
    size_t base = base_name(path).len;
    return fst_str_of(path.data, path.len == base ? 0 : path.len - base - 1);
}

/* The next part of a path from *at on, which moves behind its slash. */
static struct fst_str next_part(struct fst_str path, size_t *at)
{
    size_t start = *at;
    while (*at < path.len && !is_slash(path.data[*at])) {
        (*at)++;
    }
    struct fst_str part = fst_str_of(path.data + start, *at - start);
    *at += *at < path.len;
    return part;
}

static bool is_absolute(struct fst_str path)
{
    bool drive = path.len > 2 && path.data[1] == ':' && is_slash(path.data[2]);
    return drive || (path.len > 0 && is_slash(path.data[0]));
}

/* Appends path with dots for slashes. */
static struct fst_str dotted(struct fst_str path, struct fst_buf *out)
{
    for (size_t i = 0; i < path.len; i++) {
        if (is_slash(path.data[i])) {
            fst_buf_add_char(out, '.');
        } else {
            fst_buf_add_char(out, path.data[i]);
        }
    }
    return fst_buf_str(out);
}

static bool ends_in_any(struct fst_str text, const struct fst_str *endings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fst_str_ends(text, endings[i])) {
            return true;
        }
    }
    return false;
}

/* --- Python ------------------------------------------------------------------------------------ */

/* Files of torch.compile, graphs and other texts without a file: "<inductor>", "<eval_with_key>",
 * "<string>". */
static struct fst_str generated_file(const struct query *query)
{
    struct fst_buf scratch = {0};
    struct fst_str file = fst_normalize(query->file, FST_NAME_FRAME, &scratch);
    bool inductor = fst_str_starts(file, FST_STR("<inductor>"));
    query->out->failed |= scratch.failed;
    fst_buf_release(&scratch);
    if (inductor) {
        return FST_STR("<inductor>");
    }
    file = query->file;
    if (file.data[0] != '<' || fst_str_starts(file, FST_STR("<frozen "))) {
        return nothing;
    }
    const char *end = memchr(file.data, '>', file.len);
    return end == NULL ? nothing : fst_str_of(file.data, (size_t)(end - file.data) + 1);
}

/* "<frozen importlib._bootstrap>" is importlib, "<frozen runpy>" runpy. */
static struct fst_str frozen_file(const struct query *query)
{
    static const struct fst_str word = {"<frozen ", 8};
    if (!fst_str_starts(query->file, word) || query->file.data[query->file.len - 1] != '>') {
        return nothing;
    }
    struct fst_str module = fst_str_of(query->file.data + word.len, query->file.len - word.len - 1);
    size_t at = module.len;
    while (at > 0 && module.data[at - 1] != '.') {
        at--;
    }
    return at > 1 ? fst_str_of(module.data, at - 1) : module;
}

/* Whether packages stand in the folder `part` of a folder: site-packages, lib/python3.11,
 * C:\Python311\Lib, an archive. */
static bool holds_packages(struct fst_str above, struct fst_str part)
{
    static const struct fst_str endings[] = {
        {"site-packages", 13}, {"dist-packages", 13}, {"lib-dynload", 11}, {".egg", 4},
        {".zip", 4},           {".whl", 4},           {".pex", 4},         {".runfiles", 9},
    };
    if (ends_in_any(part, endings, FST_COUNT_OF(endings))) {
        return true;
    }
    if (fst_str_starts(part, FST_STR("python")) && part.len > 6 && fst_is_digit(part.data[6])) {
        return fst_str_starts(above, FST_STR("lib"));
    }
    return (fst_str_eq(part, FST_STR("Lib")) || fst_str_eq(part, FST_STR("lib"))) &&
           (fst_str_starts(above, FST_STR("Python")) || fst_str_starts(above, FST_STR("python")));
}

/* The path below the innermost folder that holds packages; the whole path if there is none. */
static struct fst_str package_path(struct fst_str path)
{
    struct fst_str above = nothing;
    size_t start = 0;
    for (size_t at = 0; at < path.len;) {
        struct fst_str part = next_part(path, &at);
        if (at < path.len && holds_packages(above, part)) {
            start = at;
        }
        above = part;
    }
    return fst_str_skip(path, start);
}

/* The package: "torch.nn.modules" for torch/nn/modules/linear.py, "threading" for threading.py. */
static struct fst_str package_of(struct fst_str file, struct fst_buf *out)
{
    struct fst_str path = package_path(file);
    while (fst_str_starts(path, FST_STR("./"))) {
        path = fst_str_skip(path, 2);
    }
    struct fst_str package = folder(path);
    if (is_absolute(path)) {
        return package.len > 0 ? package : FST_STR("/");
    }
    if (package.len > 0) {
        return dotted(package, out);
    }
    struct fst_str base = base_name(path);
    size_t dot = base.len;
    while (dot > 0 && base.data[dot - 1] != '.') {
        dot--;
    }
    return dot > 1 ? fst_str_of(base.data, dot - 1) : base;
}

static struct fst_str python_file(const struct query *query)
{
    static const struct fst_str endings[] = {{".py", 3}, {".pyx", 4}, {".pyc", 4}};
    return ends_in_any(query->file, endings, FST_COUNT_OF(endings))
               ? package_of(query->file, query->out)
               : nothing;
}

/* "py::burn:/srv/app/x.py", as CPython names its frames for perf */
static struct fst_str python_trampoline(const struct query *query)
{
    if (!fst_str_starts(query->function, FST_STR("py::"))) {
        return nothing;
    }
    struct fst_str rest = fst_str_skip(query->function, 4);
    const char *colon = memchr(rest.data, ':', rest.len);
    if (colon == NULL) {
        return nothing;
    }
    struct query file = *query;
    file.file = fst_str_skip(rest, (size_t)(colon - rest.data) + 1);
    if (file.file.len == 0) {
        return nothing;
    }
    rule_fn *const order[] = {generated_file, frozen_file, python_file};
    for (size_t i = 0; i < FST_COUNT_OF(order); i++) {
        struct fst_str module = order[i](&file);
        if (module.len > 0) {
            return module;
        }
    }
    return nothing;
}

/* --- JavaScript, Ruby -------------------------------------------------------------------------- */

/* The package in the innermost node_modules, with its scope; "node" for Node's own files. */
static struct fst_str npm_package_of(struct fst_str path)
{
    if (fst_str_starts(path, FST_STR("node:"))) {
        return FST_STR("node");
    }
    struct fst_str found = nothing;
    for (size_t at = 0; at < path.len;) {
        struct fst_str part = next_part(path, &at);
        if (fst_str_eq(part, FST_STR("node_modules")) && at < path.len) {
            found = fst_str_skip(path, at);
        }
    }
    size_t end = 0;
    struct fst_str name = next_part(found, &end);
    if (name.len > 0 && name.data[0] == '@') {
        name.len = name.len + 1 + next_part(found, &end).len;
    }
    return name.len < found.len ? name : nothing;
}

static bool is_javascript(struct fst_str file)
{
    static const struct fst_str endings[] = {{".js", 3}, {".mjs", 4}, {".cjs", 4},
                                             {".ts", 3}, {".tsx", 4}, {".jsx", 4}};
    return ends_in_any(file, endings, FST_COUNT_OF(endings));
}

static struct fst_str npm_package(const struct query *query)
{
    struct fst_str package = npm_package_of(query->file);
    return package.len > 0 || !is_javascript(query->file) ? package : source_folder(query);
}

/* Cuts ":3" off the end of text, if it is there. */
static struct fst_str without_number(struct fst_str text)
{
    size_t at = text.len;
    while (at > 0 && fst_is_digit(text.data[at - 1])) {
        at--;
    }
    return at < text.len && at > 1 && text.data[at - 1] == ':' ? fst_str_of(text.data, at - 1)
                                                               : text;
}

/* "JS:*get wert /srv/app/w11.js:3:23", as V8 names its frames for perf */
static struct fst_str javascript(const struct query *query)
{
    struct fst_str text = without_number(without_number(query->function));
    size_t at = text.len;
    while (at > 0 && text.data[at - 1] != ' ') {
        at--;
    }
    struct query file = *query;
    file.file = fst_str_skip(text, at);
    bool known =
        at > 0 && (is_javascript(file.file) || fst_str_starts(file.file, FST_STR("node:")));
    return known ? npm_package(&file) : nothing;
}

/* The gem's name without its version, or the folder or file below lib/ruby/VERSION. */
static struct fst_str gem(const struct query *query)
{
    if (!fst_str_ends(query->file, FST_STR(".rb"))) {
        return nothing;
    }
    struct fst_str above = nothing;
    struct fst_str found = nothing;
    for (size_t at = 0; at < query->file.len;) {
        struct fst_str part = next_part(query->file, &at);
        size_t dash = part.len;
        while (dash > 0 && part.data[dash - 1] != '-') {
            dash--;
        }
        if (fst_str_eq(above, FST_STR("gems")) && dash > 1 && at < query->file.len) {
            found = fst_str_of(part.data, dash - 1);
        }
        above = part;
    }
    return found.len > 0 ? found : source_folder(query);
}

/* --- files of compiled code -------------------------------------------------------------------- */

static struct fst_str shared_object(const struct query *query)
{
    static const struct fst_str libraries[] = {
        {".so", 3}, {".dylib", 6}, {".dll", 4}, {".exe", 4}, {".node", 5}};
    static const struct fst_str sources[] = {
        {".c", 2},  {".cc", 3},   {".cpp", 4}, {".cxx", 4}, {".h", 2},  {".hpp", 4},
        {".cu", 3}, {".cuh", 4},  {".rs", 3},  {".go", 3},  {".S", 2},  {".s", 2},
        {".m", 2},  {".java", 5}, {".f90", 4}, {".php", 4}, {".inc", 4}};
    struct fst_str base = base_name(query->file);
    bool library = ends_in_any(base, libraries, FST_COUNT_OF(libraries)) ||
                   fst_str_find(base, FST_STR(".so.")) != NULL;
    if (fst_str_eq(base, FST_STR("?"))) {
        return nothing;
    }
    bool source = query->has_line || ends_in_any(base, sources, FST_COUNT_OF(sources)) ||
                  fst_str_find(query->file, FST_STR("(")) != NULL;
    return library || (!source && base.len > 0) ? base : nothing;
}

static struct fst_str namespace_of_source(const struct query *query)
{
    return fst_symbol_namespace(query->function);
}

/* The folder of a source file, or the file where no folder is known. */
static struct fst_str source_folder(const struct query *query)
{
    if (fst_str_eq(query->file, FST_STR("?"))) {
        return nothing;
    }
    struct fst_str above = folder(query->file);
    return above.len > 0 ? above : query->file;
}

static struct fst_str symbol(const struct query *query)
{
    return fst_symbol_module(query->function, query->java, query->out);
}

static struct fst_str runtime(const struct query *query)
{
    return query->java ? nothing : fst_runtime_module(query->function, query->out);
}

/* --- images that stand in the frame ------------------------------------------------------------ */

static struct fst_str kernel(const struct query *query)
{
    return query->kernel ? FST_STR("[kernel]") : nothing;
}

/* "[libc.so.6]" and "[[mlx5_core]]" of perf, "libsystem_kernel.dylib`read" of dtrace */
static struct fst_str image(const struct query *query)
{
    struct fst_str name = query->function;
    const char *tick = memchr(name.data, '`', name.len);
    if (tick != NULL && tick > name.data) {
        return fst_str_of(name.data, (size_t)(tick - name.data));
    }
    if (name.len < 3 || name.data[0] != '[' || name.data[name.len - 1] != ']' ||
        memchr(name.data, ' ', name.len) != NULL || fst_str_starts(name, FST_STR("[unknown"))) {
        return nothing;
    }
    struct fst_str inner = fst_str_of(name.data + 1, name.len - 2);
    if (inner.len > 2 && inner.data[0] == '[' && inner.data[inner.len - 1] == ']') {
        inner = fst_str_of(inner.data + 1, inner.len - 2);
    }
    bool jit = fst_str_starts(inner, FST_STR("perf-")) && fst_str_ends(inner, FST_STR(".map"));
    return jit ? FST_STR("[jit]") : base_name(inner);
}

/* --- all together ------------------------------------------------------------------------------ */

/* The letter of the annotation that frame ends in; NULL if there is none. */
static const char *annotation(struct fst_str frame)
{
    static const char letters[] = "kijwc01";
    bool fits = frame.len > 4 && frame.data[frame.len - 1] == ']' &&
                frame.data[frame.len - 3] == '[' && frame.data[frame.len - 4] == '_' &&
                memchr(letters, frame.data[frame.len - 2], sizeof letters - 1) != NULL;
    return fits ? frame.data + frame.len - 2 : NULL;
}

struct fst_str fst_strip_annotations(struct fst_str frame)
{
    while (annotation(frame) != NULL) {
        frame.len -= 4;
    }
    return frame;
}

static bool is_java_s(enum fst_dialect dialect, const char *letter)
{
    return dialect == FST_DIALECT_ASYNC || (letter != NULL && memchr("j01c", *letter, 4) != NULL);
}

/* A frame that was not split still names a library or a script if that stands in its last bracket. */
static void find_file(struct fst_str frame, struct query *query)
{
    struct fst_frame_parts parts = fst_frame_read(frame, true);
    struct query file = *query;
    file.file = parts.file;
    file.has_line = true; /* by its ending alone */
    if (parts.kind == FST_FRAME_SPLIT &&
        (is_javascript(parts.file) || python_file(&file).len > 0 || shared_object(&file).len > 0)) {
        query->function = parts.function;
        query->file = parts.file;
    }
}

struct fst_str fst_module_of(struct fst_str frame, const struct fst_frame_parts *parts,
                             enum fst_dialect dialect, struct fst_buf *out)
{
    if (parts->kind != FST_FRAME_PLAIN && parts->kind != FST_FRAME_SPLIT) {
        return frame;
    }
    const char *letter = annotation(parts->function);
    struct query query = {.function = fst_strip_annotations(parts->function),
                          .file = parts->file,
                          .has_line = parts->line.len > 0,
                          .kernel = letter != NULL && *letter == 'k',
                          .java = is_java_s(dialect, letter),
                          .out = out};
    if (query.file.len == 0) {
        find_file(frame, &query);
    }
    fst_buf_clear(out);
    for (size_t i = 0; i < FST_COUNT_OF(rules); i++) {
        struct fst_str module =
            rules[i].by_file == (query.file.len > 0) ? rules[i].name(&query) : nothing;
        if (module.len > 0) {
            return module;
        }
    }
    bool unknown =
        fst_str_starts(frame, FST_STR("[unknown")) || fst_str_eq(parts->file, FST_STR("?"));
    return unknown ? FST_STR("[unknown]") : FST_NO_MODULE;
}
