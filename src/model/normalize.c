/* A name is read from left to right. Where a byte begins one of the generated parts of the table
 * below, the part is read to its end and put another way. Names that changed are read again, as
 * what is left may have come together to another such part, until nothing changes: every part that
 * is put another way is shorter or has fewer digits, so that comes to an end. */
#include "model/normalize.h"

#include "base/compat.h"

/* --- the tables -------------------------------------------------------------------------------- */

typedef bool before_fn(struct fst_str name, size_t at);
typedef size_t tail_fn(struct fst_str name, size_t at);

typedef size_t span_fn(struct fst_str name, size_t at);

static before_fn begins_file, begins_word, follows_symbol, follows_resume, follows_no_digit;
static tail_fn read_inductor, read_number, read_compiled, read_address, read_lambda, read_clone,
    read_clones, read_rust_hash, read_mangled_hash;
static span_fn skip_digits, skip_hex, skip_hex_pair; /* the end of digits; at, if there are none */

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static const struct part {
    struct fst_str start; /* its first byte must name it in `starts` */
    before_fn *before;    /* whether it may begin at `at`; NULL: anywhere */
    tail_fn *tail;        /* given where start ends: the end of the part, or 0 if it is none */
    struct fst_str put;   /* what it is put as */
    bool path;            /* the folders before it go too */
} parts[] = {
    /* torch.compile: files of generated code, graphs, compiled functions and their continuations */
    {TEXT("c"), begins_file, read_inductor, TEXT("<inductor>"), true},
    {TEXT("<eval_with_key>."), NULL, read_number, TEXT("<eval_with_key>.*"), false},
    {TEXT("__compiled_fn_"), begins_word, read_compiled, TEXT("__compiled_fn_*"), false},
    {TEXT("_at_"), follows_resume, read_number, TEXT("_at_*"), false},
    /* cells of notebooks */
    {TEXT("ipykernel_"), begins_word, read_number, TEXT("ipykernel_*"), false},
    /* addresses and offsets */
    {TEXT("0x"), follows_no_digit, read_address, TEXT("0x*"), false},
    /* Java: closures and reflection */
    {TEXT("$$Lambda"), NULL, read_lambda, TEXT("$$Lambda$*"), false},
    {TEXT("GeneratedMethodAccessor"), NULL, read_number, TEXT("GeneratedMethodAccessor*"), false},
    {TEXT("GeneratedConstructorAccessor"), NULL, read_number, TEXT("GeneratedConstructorAccessor*"),
     false},
    {TEXT("GeneratedSerializationConstructorAccessor"), NULL, read_number,
     TEXT("GeneratedSerializationConstructorAccessor*"), false},
    /* clones that compilers make of a function */
    {TEXT("."), follows_symbol, read_clones, TEXT(""), false},
    {TEXT(" [clone "), NULL, read_clone, TEXT(""), false},
    /* Rust: the hash of a function's crate and types */
    {TEXT("::h"), NULL, read_rust_hash, TEXT(""), false},
    {TEXT("17h"), NULL, read_mangled_hash, TEXT("17h*E"), false},
};

/* Which parts a byte may begin, a bit each by their place in the table. */
#define PART(i) ((uint16_t)(1U << (i)))
static const uint16_t starts[256] = {
    ['c'] = PART(0),
    ['<'] = PART(1),
    ['_'] = PART(2) | PART(3),
    ['i'] = PART(4),
    ['0'] = PART(5),
    ['$'] = PART(6),
    ['G'] = PART(7) | PART(8) | PART(9),
    ['.'] = PART(10),
    [' '] = PART(11),
    [':'] = PART(12),
    ['1'] = PART(13),
};

/* Which parts a byte may be the second one of: nearly all bytes that begin no part are told so by the
 * next one. A clone's part goes on as one of the suffixes. */
static const uint16_t seconds[256] = {
    ['e'] = PART(1) | PART(7) | PART(8) | PART(9),
    ['_'] = PART(2),
    ['a'] = PART(3),
    ['p'] = PART(4) | PART(10),
    ['x'] = PART(5),
    ['$'] = PART(6),
    ['c'] = PART(10),
    ['i'] = PART(10),
    ['l'] = PART(10),
    ['['] = PART(11),
    [':'] = PART(12),
    ['7'] = PART(13),
};
static const unsigned any_second = PART(0); /* a file of inductor goes on with any character */
#undef PART

/* How a process or a thread is written: text, its number, text. */
static const struct label {
    enum fst_name_role role;
    struct fst_str before;
    span_fn *number;
    struct fst_str after; /* empty: then the label ends, or a colon and a name follow */
    struct fst_str put;   /* for all of them */
} labels[] = {
    /* py-spy */
    {FST_NAME_PROCESS, TEXT("process "), skip_digits, TEXT(":\""), TEXT("process *:\"")},
    {FST_NAME_THREAD, TEXT("thread (0x"), skip_hex, TEXT(")"), TEXT("thread (*)")},
    {FST_NAME_THREAD, TEXT("thread ("), skip_digits, TEXT(")"), TEXT("thread (*)")},
    {FST_NAME_THREAD, TEXT("thread 0x"), skip_hex, TEXT(""), TEXT("thread *")},
    {FST_NAME_THREAD, TEXT("thread "), skip_digits, TEXT(""), TEXT("thread *")},
    /* CPython */
    {FST_NAME_THREAD, TEXT("tid:"), skip_digits, TEXT(""), TEXT("tid:*")},
    /* Austin */
    {FST_NAME_PROCESS, TEXT("P"), skip_digits, TEXT(""), TEXT("P*")},
    {FST_NAME_THREAD, TEXT("Thread "), skip_hex, TEXT(""), TEXT("Thread *")},
    {FST_NAME_THREAD, TEXT("T0x"), skip_hex, TEXT(""), TEXT("T*")},
    {FST_NAME_THREAD, TEXT("T"), skip_hex_pair, TEXT(""), TEXT("T*")},
};

/* Names that threads get where nobody names them; % stands for digits. A text in brackets may
 * follow, as Python adds the function that the thread runs. */
static const struct pool {
    struct fst_str form;
    struct fst_str put;
} pools_by_default[] = {
    /* Python */
    {TEXT("ThreadPoolExecutor-%_%"), TEXT("ThreadPoolExecutor-*")},
    {TEXT("Thread-%"), TEXT("Thread-*")},
    {TEXT("Dummy-%"), TEXT("Dummy-*")},
    {TEXT("asyncio_%"), TEXT("asyncio_*")},
    {TEXT("pt_autograd_%"), TEXT("pt_autograd_*")},
    {TEXT("Process-%"), TEXT("Process-*")},
    {TEXT("ForkProcess-%"), TEXT("ForkProcess-*")},
    {TEXT("SpawnProcess-%"), TEXT("SpawnProcess-*")},
    {TEXT("ForkServerProcess-%"), TEXT("ForkServerProcess-*")},
    {TEXT("PoolWorker-%"), TEXT("PoolWorker-*")},
    {TEXT("ForkPoolWorker-%"), TEXT("ForkPoolWorker-*")},
    {TEXT("SpawnPoolWorker-%"), TEXT("SpawnPoolWorker-*")},
    /* Java */
    {TEXT("pool-%-thread-%"), TEXT("pool-*-thread-*")},
    {TEXT("ForkJoinPool-%-worker-%"), TEXT("ForkJoinPool-*-worker-*")},
    {TEXT("ForkJoinPool.commonPool-worker-%"), TEXT("ForkJoinPool.commonPool-worker-*")},
    {TEXT("C1 CompilerThread%"), TEXT("C1 CompilerThread*")},
    {TEXT("C2 CompilerThread%"), TEXT("C2 CompilerThread*")},
    {TEXT("GC Thread#%"), TEXT("GC Thread#*")},
    {TEXT("GC task thread#%"), TEXT("GC task thread#*")},
    {TEXT("G1 Conc#%"), TEXT("G1 Conc#*")},
    {TEXT("G1 Refine#%"), TEXT("G1 Refine#*")},
};

/* Suffixes of clones, each behind a dot and perhaps with a number behind another. */
static const struct suffix {
    struct fst_str word;
    bool numbered; /* always */
} suffixes[] = {
    {TEXT(".constprop"), false}, {TEXT(".isra"), false},    {TEXT(".cold"), false},
    {TEXT(".part"), true},       {TEXT(".lto_priv"), true}, {TEXT(".llvm"), true},
};

/* --- bytes ------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Of an identifier; bytes beyond ASCII are. */
static bool is_word(char c)
{
    return is_letter(c) || fst_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_at(struct fst_str name, size_t at, struct fst_str text)
{
    return name.len - at >= text.len && memcmp(name.data + at, text.data, text.len) == 0;
}

/* Whether no identifier goes on at `at`. An annotation ("_[k]") is no part of one. */
static bool ends_word(struct fst_str name, size_t at)
{
    return at == name.len || !is_word(name.data[at]) || is_at(name, at, FST_STR("_["));
}

static size_t skip_digits(struct fst_str name, size_t at)
{
    while (at < name.len && fst_is_digit(name.data[at])) {
        at++;
    }
    return at;
}

static size_t skip_hex(struct fst_str name, size_t at)
{
    while (at < name.len && fst_is_hex(name.data[at])) {
        at++;
    }
    return at;
}

/* "77" or, for an interpreter and a thread, "0:77" */
static size_t skip_hex_pair(struct fst_str name, size_t at)
{
    size_t end = skip_hex(name, at);
    if (end > at && end < name.len && name.data[end] == ':') {
        size_t second = skip_hex(name, end + 1);
        return second > end + 1 ? second : end;
    }
    return end;
}

/* --- what may stand before a part -------------------------------------------------------------- */

static bool begins_word(struct fst_str name, size_t at)
{
    return at == 0 || !is_word(name.data[at - 1]);
}

static bool begins_file(struct fst_str name, size_t at)
{
    return begins_word(name, at) &&
           (at == 0 || (name.data[at - 1] != '.' && name.data[at - 1] != '-'));
}

static bool follows_no_digit(struct fst_str name, size_t at)
{
    return at == 0 || !(is_letter(name.data[at - 1]) || fst_is_digit(name.data[at - 1]));
}

/* How far before a part it is looked for what it follows: longer names cost no more. */
enum { PATH_MOST = 4096, RESUMED_MOST = 256 };

/* Symbols of C and its kin have no slash. */
static bool follows_symbol(struct fst_str name, size_t at)
{
    if (at == 0) {
        return false;
    }
    char last = name.data[at - 1];
    size_t behind = at < PATH_MOST ? at : PATH_MOST;
    return (is_word(last) || last == ')' || last == '>' || last == ']') &&
           memchr(name.data + at - behind, '/', behind) == NULL;
}

/* torch_dynamo_resume_in_F, where F may be <lambda> */
static bool follows_resume(struct fst_str name, size_t at)
{
    static const struct fst_str word = TEXT("torch_dynamo_resume_in_");
    size_t start = at;
    while (start > 0 && at - start < RESUMED_MOST &&
           (is_word(name.data[start - 1]) || name.data[start - 1] == '<' ||
            name.data[start - 1] == '>')) {
        start--;
    }
    struct fst_str before = fst_str_of(name.data + start, at - start);
    const char *found = fst_str_find(before, word);
    return found != NULL && found + word.len < name.data + at;
}

/* --- what follows the start of a part ---------------------------------------------------------- */

/* 51 characters of base 32, and then what sort of file it is, which stays. */
static size_t read_inductor(struct fst_str name, size_t at)
{
    static const struct fst_str endings[] = {TEXT(".py"), TEXT(".so"), TEXT(".cpp")};
    enum { LENGTH = 51 };
    if (name.len - at < LENGTH || !(name.len - at > LENGTH && name.data[at + LENGTH] == '.')) {
        return 0;
    }
    size_t end = at + LENGTH;
    for (; at < end; at++) {
        char c = name.data[at];
        if (!((c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'))) {
            return 0;
        }
    }
    for (size_t i = 0; i < FST_COUNT_OF(endings); i++) {
        if (is_at(name, end, endings[i]) && ends_word(name, end + endings[i].len)) {
            return end;
        }
    }
    return 0;
}

static size_t read_number(struct fst_str name, size_t at)
{
    size_t end = skip_digits(name, at);
    return end > at && ends_word(name, end) ? end : 0;
}

/* A number, and since PyTorch 2.8 a UUID with low lines. */
static size_t read_compiled(struct fst_str name, size_t at)
{
    static const size_t lengths[] = {8, 4, 4, 4, 12};
    size_t number = skip_digits(name, at);
    if (number == at) {
        return 0;
    }
    size_t end = number;
    for (size_t i = 0; i < FST_COUNT_OF(lengths); i++) {
        if (end == name.len || name.data[end] != '_' ||
            skip_hex(name, end + 1) != end + 1 + lengths[i]) {
            return ends_word(name, number) ? number : 0;
        }
        end += 1 + lengths[i];
    }
    return ends_word(name, end) ? end : 0;
}

static size_t read_address(struct fst_str name, size_t at)
{
    size_t end = skip_hex(name, at);
    return end > at && ends_word(name, end) ? end : 0;
}

/* "$14", "$14/0x0000000800c03000", "$14/1180204", "$14.0x0000000800c03000", "/0x0000000800c03000" */
static size_t read_lambda(struct fst_str name, size_t at)
{
    size_t end = at;
    if (end < name.len && name.data[end] == '$' && skip_digits(name, end + 1) > end + 1) {
        end = skip_digits(name, end + 1);
    }
    if (end < name.len && memchr("/.+", name.data[end], 3) != NULL) {
        size_t number = end + 1;
        size_t stop = is_at(name, number, FST_STR("0x")) ? skip_hex(name, number + 2) : 0;
        if (stop > number + 2) {
            end = stop;
        } else if (name.data[end] == '/' && skip_digits(name, number) > number) {
            end = skip_digits(name, number);
        }
    }
    return end > at && ends_word(name, end) ? end : 0;
}

/* Whether a compiled function's name ends at `at`: at the end, before a file that is not Python's,
 * before a note, a version or an offset. */
static bool ends_symbol(struct fst_str name, size_t at)
{
    struct fst_str rest = fst_str_skip(name, at);
    if (fst_str_starts(rest, FST_STR(" ("))) {
        return fst_str_find(rest, FST_STR(".py")) == NULL && !fst_str_starts(rest, FST_STR(" (<"));
    }
    return rest.len == 0 || rest.data[0] == '@' || rest.data[0] == '+' ||
           fst_str_eq(rest, FST_STR("_[k]")) || fst_str_starts(rest, FST_STR(" ["));
}

/* One suffix at `at`; its end, or 0. */
static size_t read_suffix(struct fst_str name, size_t at)
{
    for (size_t i = 0; i < FST_COUNT_OF(suffixes); i++) {
        if (!is_at(name, at, suffixes[i].word)) {
            continue;
        }
        size_t word = at + suffixes[i].word.len;
        size_t end = word;
        if (word < name.len && name.data[word] == '.') {
            end = skip_digits(name, word + 1);
            end = end == word + 1 ? word : end;
        }
        return (end > word || !suffixes[i].numbered) && ends_word(name, end) ? end : 0;
    }
    return 0;
}

/* ".part.0.isra.0" */
static size_t read_clones(struct fst_str name, size_t at)
{
    size_t end = 0;
    for (size_t next = read_suffix(name, at - 1); next > 0; next = read_suffix(name, end)) {
        end = next;
    }
    return end > 0 && ends_symbol(name, end) ? end : 0;
}

/* ".isra.0]", as c++filt writes it */
static size_t read_clone(struct fst_str name, size_t at)
{
    size_t end = at;
    for (size_t next = read_suffix(name, at); next > 0; next = read_suffix(name, end)) {
        end = next;
    }
    return end > at && end < name.len && name.data[end] == ']' && ends_symbol(name, end + 1)
               ? end + 1
               : 0;
}

static size_t read_rust_hash(struct fst_str name, size_t at)
{
    enum { LENGTH = 16 };
    size_t end = skip_hex(name, at);
    return end == at + LENGTH && ends_word(name, end) ? end : 0;
}

/* The same before demangling, where the hash is the last part of a path. */
static size_t read_mangled_hash(struct fst_str name, size_t at)
{
    enum { LENGTH = 16 };
    bool hash =
        name.len - at > LENGTH && skip_hex(fst_str_of(name.data, at + LENGTH), at) == at + LENGTH;
    return hash && name.data[at + LENGTH] == 'E' ? at + LENGTH + 1 : 0;
}

/* --- frames ------------------------------------------------------------------------------------ */

/* Where the path begins whose last part would follow text: behind the bracket that holds the file,
 * or at the start. */
static size_t path_start(struct fst_str text)
{
    size_t depth = 0;
    for (size_t at = text.len; at-- > 0;) {
        if (text.data[at] == ')') {
            depth++;
        } else if (text.data[at] == '(') {
            if (depth == 0 && (at == 0 || fst_is_blank(text.data[at - 1]))) {
                return at + 1;
            }
            depth -= depth > 0;
        }
    }
    return 0;
}

/* The parts that the two bytes at `at` may begin, a bit each: hardly ever any. */
static inline unsigned parts_at(struct fst_str name, size_t at)
{
    unsigned begun = starts[(unsigned char)name.data[at]];
    if (FST_LIKELY(begun == 0) || at + 1 == name.len) {
        return 0;
    }
    return begun & (seconds[(unsigned char)name.data[at + 1]] | any_second);
}

/* The one of those parts that begins at `at`, and its end. */
static const struct part *find_part(struct fst_str name, size_t at, unsigned wanted, size_t *end)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        const struct part *part = &parts[__builtin_ctz(wanted)];
        if (is_at(name, at, part->start) && (part->before == NULL || part->before(name, at))) {
            *end = part->tail(name, at + part->start.len);
            if (*end > 0) {
                return part;
            }
        }
    }
    return NULL;
}

/* Reads name once; whether out holds another one. */
static bool rewrite_parts(struct fst_str name, struct fst_buf *out)
{
    size_t copied = 0;
    fst_buf_clear(out);
    for (size_t at = 0; at < name.len;) {
        size_t end;
        unsigned wanted = parts_at(name, at);
        const struct part *part = wanted == 0 ? NULL : find_part(name, at, wanted, &end);
        if (part == NULL) {
            at++;
            continue;
        }
        fst_buf_add(out, name.data + copied, at - copied);
        if (part->path) {
            out->len = path_start(fst_buf_str(out));
        }
        fst_buf_add_str(out, part->put);
        copied = at = end;
    }
    if (copied > 0) {
        fst_buf_add(out, name.data + copied, name.len - copied);
    }
    return copied > 0;
}

static struct fst_str normalize_frame(struct fst_str name, struct fst_buf *out)
{
    if (!rewrite_parts(name, out)) {
        return name;
    }
    struct fst_buf again = {0};
    while (!out->failed && !again.failed && rewrite_parts(fst_buf_str(out), &again)) {
        fst_buf_swap(out, &again);
    }
    out->failed |= again.failed;
    fst_buf_release(&again);
    return fst_buf_str(out);
}

/* --- processes and threads --------------------------------------------------------------------- */

/* A label taken apart, and its number put as *: text, a name that may be a pool's, text. */
struct shape {
    struct fst_str before;
    struct fst_str between;
    struct fst_str name;
    struct fst_str rest;
    bool numbered; /* there was a number */
};

static bool fits(const struct label *label, struct fst_str name, struct shape *out)
{
    if (!fst_str_starts(name, label->before)) {
        return false;
    }
    size_t number = label->number(name, label->before.len);
    if (number == label->before.len || !is_at(name, number, label->after)) {
        return false;
    }
    struct fst_str rest = fst_str_skip(name, number + label->after.len);
    bool ends = rest.len == 0 || rest.data[0] == ':';
    if (label->role == FST_NAME_PROCESS ? label->after.len == 0 && rest.len > 0 : !ends) {
        return false;
    }
    size_t named = label->role == FST_NAME_THREAD && fst_str_starts(rest, FST_STR(": ")) ? 2 : 0;
    *out = (struct shape){.before = label->put,
                          .between = fst_str_of(rest.data, named),
                          .name = fst_str_skip(rest, named),
                          .rest = {"", 0},
                          .numbered = true};
    return true;
}

/* "[main tid=12345]", as async-profiler writes it */
static bool fits_java(struct fst_str name, struct shape *out)
{
    static const struct fst_str word = TEXT(" tid=");
    if (name.len < 2 || name.data[0] != '[' || name.data[name.len - 1] != ']') {
        return false;
    }
    size_t digits = name.len - 1;
    while (fst_is_digit(name.data[digits - 1])) {
        digits--;
    }
    struct fst_str before = fst_str_of(name.data, digits);
    if (digits == name.len - 1 || !fst_str_ends(before, word)) {
        return false;
    }
    *out = (struct shape){.before = FST_STR("["),
                          .between = {"", 0},
                          .name = fst_str_of(name.data + 1, before.len - word.len - 1),
                          .rest = FST_STR(" tid=*]"),
                          .numbered = true};
    return true;
}

/* "java-30123", "java-30123/30200", "java-?/30200", as perf's scripts write a command */
static bool fits_command(struct fst_str name, struct shape *out)
{
    size_t start = name.len;
    while (start > 0 && name.data[start - 1] != '-') {
        start--;
    }
    size_t number = skip_digits(name, start);
    bool process = number > start;
    number += !process && number < name.len && name.data[number] == '?';
    bool thread = number > start && number < name.len && name.data[number] == '/' &&
                  skip_digits(name, number + 1) == name.len && number + 1 < name.len;
    if (start < 2 || !(thread || (process && number == name.len))) {
        return false;
    }
    *out = (struct shape){.before = fst_str_of(name.data, start),
                          .between = {"", 0},
                          .name = {"", 0},
                          .rest = thread ? FST_STR("*/*") : FST_STR("*"),
                          .numbered = true};
    return true;
}

static struct shape read_label(struct fst_str name, enum fst_name_role role)
{
    struct shape shape;
    for (size_t i = 0; i < FST_COUNT_OF(labels); i++) {
        if (labels[i].role == role && fits(&labels[i], name, &shape)) {
            return shape;
        }
    }
    if (role == FST_NAME_THREAD ? fits_java(name, &shape) : fits_command(name, &shape)) {
        return shape;
    }
    return (struct shape){.before = {"", 0}, .between = {"", 0}, .name = name, .rest = {"", 0}};
}

/* The length that form, with % for digits, has at the start of name; 0: it does not fit. */
static size_t form_length(struct fst_str form, struct fst_str name)
{
    size_t at = 0;
    for (size_t i = 0; i < form.len; i++) {
        if (form.data[i] == '%') {
            size_t end = skip_digits(name, at);
            if (end == at) {
                return 0;
            }
            at = end;
        } else if (at < name.len && name.data[at] == form.data[i]) {
            at++;
        } else {
            return 0;
        }
    }
    return at;
}

/* The default pool that name is a member of, and how much of name that says; or NULL. */
static const struct pool *find_pool(struct fst_str name, size_t *length)
{
    for (size_t i = 0; i < FST_COUNT_OF(pools_by_default); i++) {
        size_t len = form_length(pools_by_default[i].form, name);
        if (len > 0 && (len == name.len || is_at(name, len, FST_STR(" (")))) {
            *length = len;
            return &pools_by_default[i];
        }
    }
    return NULL;
}

static struct fst_str normalize_label(struct fst_str name, enum fst_name_role role,
                                      struct fst_buf *out)
{
    struct shape shape = read_label(name, role);
    size_t length = 0;
    const struct pool *pool = role == FST_NAME_THREAD ? find_pool(shape.name, &length) : NULL;
    if (!shape.numbered && pool == NULL) {
        return name;
    }
    fst_buf_clear(out);
    fst_buf_add_str(out, shape.before);
    fst_buf_add_str(out, shape.between);
    if (pool != NULL) {
        fst_buf_add_str(out, pool->put);
    }
    fst_buf_add_str(out, fst_str_skip(shape.name, length));
    fst_buf_add_str(out, shape.rest);
    return fst_buf_str(out);
}

struct fst_str fst_normalize(struct fst_str name, enum fst_name_role role, struct fst_buf *out)
{
    return role == FST_NAME_FRAME ? normalize_frame(name, out) : normalize_label(name, role, out);
}

/* --- names that are normalised already ---------------------------------------------------------- */

static bool has(struct fst_str name, struct fst_str put)
{
    return put.len > 0 && fst_str_find(name, put) != NULL;
}

static bool has_part(struct fst_str name)
{
    for (size_t i = 0; i < FST_COUNT_OF(parts); i++) {
        if (has(name, parts[i].put)) {
            return true;
        }
    }
    return false;
}

static bool has_label(struct fst_str name, enum fst_name_role role)
{
    for (size_t i = 0; i < FST_COUNT_OF(labels); i++) {
        if (labels[i].role == role && fst_str_starts(name, labels[i].put)) {
            return true;
        }
    }
    bool pool = false;
    for (size_t i = 0; i < FST_COUNT_OF(pools_by_default) && role == FST_NAME_THREAD; i++) {
        pool = pool || has(name, pools_by_default[i].put);
    }
    return pool;
}

bool fst_is_normalized(struct fst_str name, enum fst_name_role role)
{
    return role == FST_NAME_FRAME ? has_part(name) : has_label(name, role);
}
