/* Patterns over names: Perl-compatible regular expressions (PCRE2, https://www.pcre.org), found
 * anywhere in a name unless they are anchored.
 *
 * A name is one subject, whatever bytes it holds: a dot matches a newline too, and `$` only the
 * very end. Patterns are UTF-8, and match by characters with Unicode's classes; bytes of a name
 * that are not UTF-8 match nothing, and what stands around them matches as ever. A pattern that is
 * not UTF-8 itself is compared byte by byte.
 *
 * A match is stopped after 1,000,000 steps from one place of a name, and after 2^32 steps a name
 * at most (one that can match at its start alone has that place only); that is an error, never "no match". All memory but the compiled machine code comes from
 * base/alloc.h. */
#ifndef FST_BASE_PATTERN_H
#define FST_BASE_PATTERN_H

#include "base/buf.h"
#include "foldstat.h"

/* A compiled pattern. It never changes: threads may share it. */
struct fst_pattern;

/* Compiles source, which is copied. An error in it is USAGE; *offset then gets the byte of source
 * at which it shows (at most its length), and err says what is wrong without quoting the source.
 * offset may be NULL. Other errors: NOMEM. */
enum fst_status fst_pattern_new(struct fst_str source, struct fst_pattern **out, size_t *offset,
                                struct fst_error *err);

/* The same, ignoring case if so asked, as (?i) does. */
enum fst_status fst_pattern_new_caseless(struct fst_str source, bool ignore_case,
                                         struct fst_pattern **out, size_t *offset,
                                         struct fst_error *err);

/* NULL is fine. */
void fst_pattern_free(struct fst_pattern *pattern);

/* What was compiled; lives as long as the pattern. */
struct fst_str fst_pattern_source(const struct fst_pattern *pattern);

/* What one thread needs to match any patterns. Zero-initialised it is ready. */
struct fst_matcher {
    void *data;    /* of PCRE2: where the groups of the last match stand */
    void *context; /* of PCRE2: the limits */
    size_t groups; /* that data has room for, the whole match included */
};

void fst_matcher_release(struct fst_matcher *matcher);

/* Whether pattern matches in name. Errors: USAGE where it took too long, NOMEM. */
enum fst_status fst_pattern_match(const struct fst_pattern *pattern, struct fst_matcher *matcher,
                                  struct fst_str name, bool *matched, struct fst_error *err);

/* A rule that rewrites names, from the text `s/PATTERN/TEXT/FLAGS`.
 *
 * The delimiter is any printable ASCII character but a letter, a digit and the backslash; inside
 * it is written with a backslash. In TEXT, `&` and `\0` stand for what matched, `\1` to `\9` for its
 * groups (empty where a group took no part), `\n` and `\t` for a newline and a tab, and a backslash
 * before any other sign for that sign. `$` is an ordinary character, as Java's names are full of
 * it. Flags: `g` replaces all matches, not the first alone; `i` ignores case. */
struct fst_rewrite;

/* Compiles source, which is copied. Errors as for fst_pattern_new, with offsets in source. */
enum fst_status fst_rewrite_new(struct fst_str source, struct fst_rewrite **out, size_t *offset,
                                struct fst_error *err);

/* NULL is fine. */
void fst_rewrite_free(struct fst_rewrite *rewrite);

/* What rule makes of name. Where it does not match, *out is name itself; else the new name is in
 * scratch, which is cleared first and must not hold name. Errors as for fst_pattern_match. */
enum fst_status fst_rewrite_apply(const struct fst_rewrite *rewrite, struct fst_matcher *matcher,
                                  struct fst_str name, struct fst_buf *scratch, struct fst_str *out,
                                  struct fst_error *err);

#endif
