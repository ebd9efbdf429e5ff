#include "parse/thread.h"

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
