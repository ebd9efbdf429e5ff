#include "analysis/pool.h"

static bool drop_prefix(struct fst_str *text, struct fst_str prefix)
{
    if (!fst_str_starts(*text, prefix)) {
        return false;
    }
    *text = fst_str_skip(*text, prefix.len);
    return true;
}

/* "(4242): NAME", "4242: NAME", "(4242)", "4242": what py-spy writes behind "thread ". */
static struct fst_thread_parts read_pyspy(struct fst_str rest)
{
    bool brackets = drop_prefix(&rest, FST_STR("("));
    struct fst_thread_parts parts = {rest, {rest.data + rest.len, 0}};
    for (size_t i = 0; i < rest.len; i++) {
        if (rest.data[i] == (brackets ? ')' : ':')) {
            parts.id.len = i;
            parts.name = fst_str_skip(rest, i + 1);
            break;
        }
    }
    if (brackets) {
        (void)drop_prefix(&parts.name, FST_STR(":"));
    }
    (void)drop_prefix(&parts.name, FST_STR(" "));
    return parts;
}

/* "[NAME tid=4242]": async-profiler. */
static bool read_async(struct fst_str frame, struct fst_thread_parts *parts)
{
    const char *tid = fst_str_find(frame, FST_STR(" tid="));
    if (tid == NULL || frame.data[0] != '[' || frame.data[frame.len - 1] != ']') {
        return false;
    }
    parts->name = fst_str_of(frame.data + 1, (size_t)(tid - frame.data) - 1);
    parts->id = fst_str_of(tid + 5, (size_t)(frame.data + frame.len - 1 - (tid + 5)));
    return true;
}

struct fst_thread_parts fst_thread_read(struct fst_str frame)
{
    struct fst_str rest = frame;
    struct fst_thread_parts parts = {frame, {"", 0}};
    if (drop_prefix(&rest, FST_STR("thread "))) {
        return read_pyspy(rest);
    }
    (void)read_async(frame, &parts);
    return parts;
}

static size_t digits_at(struct fst_str text)
{
    size_t n = 0;
    while (n < text.len && fst_is_digit(text.data[n])) {
        n++;
    }
    return n;
}

/* "PREFIX" with a number behind it, and perhaps "_" and another one, or " (…)". */
static bool is_default(struct fst_str name, struct fst_str prefix, bool member,
                       struct fst_str *rest)
{
    *rest = name;
    if (!drop_prefix(rest, prefix) || digits_at(*rest) == 0) {
        return false;
    }
    *rest = fst_str_skip(*rest, digits_at(*rest));
    if (!member) {
        return rest->len == 0 || fst_str_starts(*rest, FST_STR(" ("));
    }
    if (!drop_prefix(rest, FST_STR("_")) || rest->len == 0 || digits_at(*rest) != rest->len) {
        return false;
    }
    rest->len = 0;
    return true;
}

/* The length of name up to a number at its end, with the "-" or "_" before it; 0: none. */
static size_t numbered(struct fst_str name)
{
    size_t at = name.len;
    while (at > 0 && fst_is_digit(name.data[at - 1])) {
        at--;
    }
    bool parted = at > 1 && at < name.len && (name.data[at - 1] == '-' || name.data[at - 1] == '_');
    return parted ? at : 0;
}

enum fst_pool fst_pool_of(struct fst_str name, struct fst_buf *out)
{
    /* What the threading and concurrent.futures modules call threads that nobody named. */
    static const struct {
        struct fst_str prefix;
        bool member; /* of a pool: a second number follows */
    } defaults[] = {
        {{"ThreadPoolExecutor-", 19}, true},
        {{"Thread-", 7}, false},
        {{"Dummy-", 6}, false},
    };
    struct fst_str rest;
    for (size_t i = 0; i < FST_COUNT_OF(defaults); i++) {
        if (is_default(name, defaults[i].prefix, defaults[i].member, &rest)) {
            fst_buf_add_str(out, defaults[i].prefix);
            fst_buf_add_char(out, '*');
            fst_buf_add_str(out, rest);
            return FST_POOL_ALWAYS;
        }
    }
    size_t stem = numbered(name);
    if (stem == 0) {
        return FST_POOL_NONE;
    }
    fst_buf_add(out, name.data, stem);
    fst_buf_add_char(out, '*');
    return FST_POOL_LARGE;
}
