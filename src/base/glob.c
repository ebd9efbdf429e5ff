#include "base/glob.h"

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* The first place from `at` on where the byte at g of a glob stands; the end of text if there is
 * none. */
static size_t find_byte(struct fst_str glob, size_t g, struct fst_str text, size_t at, bool path)
{
    if (g == glob.len || at == text.len) {
        return text.len;
    }
    if (path && is_slash(glob.data[g])) {
        return at;
    }
    const char *found = memchr(text.data + at, glob.data[g], text.len - at);
    return found == NULL ? text.len : (size_t)(found - text.data);
}

/* Only the last * met needs to be tried with more bytes: whatever an earlier one could take, the
 * last one can. */
static bool fits(struct fst_str glob, struct fst_str text, bool path)
{
    size_t g = 0;
    size_t t = 0;
    size_t star = SIZE_MAX; /* where the last * stands, and how far it reaches */
    size_t reach = 0;
    while (t < text.len) {
        if (g < glob.len && glob.data[g] == '*') {
            star = g++;
            reach = t;
        } else if (g < glob.len && (glob.data[g] == text.data[t] ||
                                    (path && is_slash(glob.data[g]) && is_slash(text.data[t])))) {
            g++;
            t++;
        } else if (star != SIZE_MAX) {
            g = star + 1;
            reach = find_byte(glob, g, text, reach + 1, path);
            t = reach;
        } else {
            return false;
        }
    }
    while (g < glob.len && glob.data[g] == '*') {
        g++;
    }
    return g == glob.len;
}

/* Most globs differ from most texts in the first byte. */
static bool may_fit(struct fst_str glob, struct fst_str text, size_t at)
{
    return glob.len == 0 || glob.data[0] == '*' ||
           (at < text.len && (glob.data[0] == text.data[at] || is_slash(glob.data[0])));
}

bool fst_glob_fits(struct fst_str glob, struct fst_str text)
{
    return may_fit(glob, text, 0) && fits(glob, text, false);
}

/* --- paths ------------------------------------------------------------------------------------- */

static bool begins_at(struct fst_str text, size_t at)
{
    return at == 0 || is_slash(text.data[at - 1]);
}

struct fst_glob_path fst_glob_path_of(struct fst_str text)
{
    struct fst_glob_path path = {.text = text};
    for (size_t at = 0; at < text.len; at++) {
        unsigned char byte = (unsigned char)text.data[at];
        path.begins[byte / 64] |= (uint64_t)begins_at(text, at) << (byte % 64);
    }
    return path;
}

/* Most globs begin with a byte that no part of the path begins with. */
static bool may_fit_path(struct fst_str glob, const struct fst_glob_path *path)
{
    if (glob.len == 0 || glob.data[0] == '*' || is_slash(glob.data[0])) {
        return true;
    }
    unsigned char byte = (unsigned char)glob.data[0];
    return (path->begins[byte / 64] >> (byte % 64) & 1) != 0;
}

/* The bytes before the first *. */
static struct fst_str head_of(struct fst_str glob)
{
    const char *star = glob.len == 0 ? NULL : memchr(glob.data, '*', glob.len);
    return star == NULL ? glob : fst_str_of(glob.data, (size_t)(star - glob.data));
}

static bool begins_with(struct fst_str text, struct fst_str head)
{
    return head.len <= text.len && fits(head, fst_str_of(text.data, head.len), true);
}

/* Where the head of a glob is found, what follows its * needs to be tried once, at the first such
 * place: whatever fits further on, the * could reach. */
bool fst_glob_fits_path(struct fst_str glob, const struct fst_glob_path *path)
{
    if (!may_fit_path(glob, path)) {
        return false;
    }
    struct fst_str head = head_of(glob);
    for (size_t at = 0; at <= path->text.len; at++) {
        struct fst_str rest = fst_str_skip(path->text, at);
        bool found =
            begins_at(path->text, at) && may_fit(glob, path->text, at) && begins_with(rest, head);
        if (found && head.len < glob.len) {
            return fits(fst_str_skip(glob, head.len), fst_str_skip(rest, head.len), true);
        }
        if (found && head.len == rest.len) {
            return true;
        }
    }
    return false;
}
