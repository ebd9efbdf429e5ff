/* One frame: what it is, and its function, file and line. */
#ifndef FST_PARSE_FRAME_H
#define FST_PARSE_FRAME_H

#include "base/str.h"

enum fst_frame_kind {
    FST_FRAME_PLAIN,     /* a name without a file that can be told */
    FST_FRAME_SPLIT,     /* function and file, perhaps a line */
    FST_FRAME_PROCESS,   /* process 10:"cmd" */
    FST_FRAME_THREAD,    /* thread (4242): MainThread */
    FST_FRAME_DELIMITER, /* "-" and "--", which perf's tools put between user and kernel */
    FST_FRAME_STANDIN /* [no Python frames], [no frames], [empty], and a profiler's own marks (:GC:) */
};

struct fst_frame_parts {
    enum fst_frame_kind kind;
    struct fst_str function; /* the whole frame, unless kind is FST_FRAME_SPLIT */
    struct fst_str file;     /* empty: unknown */
    struct fst_str line;     /* digits, perhaps with a minus sign; empty: unknown */
};

/* Takes a frame apart. split_files: brackets at the end, behind a blank, hold the file and perhaps
 * ":line"; else such a frame is one name. The parts point into frame. */
struct fst_frame_parts fst_frame_read(struct fst_str frame, bool split_files);

/* How many bytes at the start of a stack's text are tags, as foldstat merge puts them at the root:
 * "host=web1;role=db;", a word, an equals sign and anything. */
size_t fst_tags_length(struct fst_str text);

/* How many frames at the start are tags. */
size_t fst_tags_count(const struct fst_str *frames, size_t nframes);

/* What bcc's tools put between user and kernel stacks (-d). */
static inline bool fst_frame_is_delimiter(struct fst_str frame)
{
    return fst_str_eq(frame, FST_STR("-")) || fst_str_eq(frame, FST_STR("--"));
}

/* Whether a frame of kind FST_FRAME_SPLIT names something that looks like a file: it has a line, a
 * dot, a slash or a backslash, or stands in angle brackets. */
bool fst_frame_names_file(const struct fst_frame_parts *parts);

/* The same, and the file is Python's (x.py, <frozen x>, <string>). */
bool fst_frame_names_python(const struct fst_frame_parts *parts);

/* Whether --root auto passes over the frame: process and thread frames, delimiters, addresses
 * without a name, and the scaffolding that starts threads, processes and interpreters. */
bool fst_frame_is_scaffolding(struct fst_str frame, const struct fst_frame_parts *parts);

#endif
