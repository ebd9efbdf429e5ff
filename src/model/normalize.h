/* One name for what a machine named anew in every run: files of compiled code, closures, addresses,
 * clones of functions, processes, threads and the members of pools. What is recognised stands in
 * tables at the top of normalize.c, and for users in docs/NAMES.md. */
#ifndef FST_MODEL_NORMALIZE_H
#define FST_MODEL_NORMALIZE_H

#include "base/buf.h"

/* What a name stands for: a label that leads a stack, or one of its frames. The same text may be
 * either ("T7f1a"), so that whoever knows the stack must say. */
enum fst_name_role { FST_NAME_FRAME = 0, FST_NAME_PROCESS, FST_NAME_THREAD };

/* The name that name shares with its like. An ordinary name is returned itself, after one look at
 * each of its bytes; else the new one is in out, which is cleared first and must not hold name.
 * The result of a result is the same. Without memory out->failed is set. */
struct fst_str fst_normalize(struct fst_str name, enum fst_name_role role, struct fst_buf *out);

/* Whether a part of name is as fst_normalize puts generated ones: "<inductor>.py", "Thread-*". */
bool fst_is_normalized(struct fst_str name, enum fst_name_role role);

#endif
