/* Threads by their names: who is who, and which are members of one pool. */
#ifndef FST_ANALYSIS_POOL_H
#define FST_ANALYSIS_POOL_H

#include "base/buf.h"
#include "model/pools.h"

/* What a thread frame says; parts point into it. */
struct fst_thread_parts {
    struct fst_str id;   /* the system's or the profiler's number; the whole frame if it has another
                            form */
    struct fst_str name; /* empty: none */
};

struct fst_thread_parts fst_thread_read(struct fst_str frame);

enum fst_pool {
    FST_POOL_NONE,   /* the thread is one of its own */
    FST_POOL_ALWAYS, /* a default name of Python's, made for one of many */
    FST_POOL_LARGE   /* a name with a number, which is a pool from FST_POOL_MEMBERS of them on */
};

/* Appends the name of the pool that a thread of that name would belong to
 * ("ThreadPoolExecutor-0_17": "ThreadPoolExecutor-*"); nothing for FST_POOL_NONE. */
enum fst_pool fst_pool_of(struct fst_str name, struct fst_buf *out);

#endif
