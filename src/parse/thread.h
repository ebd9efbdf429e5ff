/* What a thread frame says of its thread. */
#ifndef FST_PARSE_THREAD_H
#define FST_PARSE_THREAD_H

#include "base/str.h"

/* Both point into the frame. */
struct fst_thread_parts {
    struct fst_str id;   /* the system's or the profiler's number; the whole frame if it has another
                            form */
    struct fst_str name; /* empty: none */
};

/* Reads "thread (4242): NAME" in all forms of py-spy, and async-profiler's "[NAME tid=4242]". */
struct fst_thread_parts fst_thread_read(struct fst_str frame);

#endif
