/* The module that a frame belongs to: a Python package, a shared object, a Java or Go package, a
 * Rust crate, a C++ namespace, an npm package, a gem. The rules stand in docs/NAMES.md, in the order
 * of the table in module.c. */
#ifndef FST_MODEL_MODULE_H
#define FST_MODEL_MODULE_H

#include "base/buf.h"
#include "parse/frame.h"

/* What a frame of no module is filed under. */
#define FST_NO_MODULE FST_STR("[no module]")

/* The module of a frame whose parts are known, by the rules of the dialect that it was read in. A
 * label of a process or thread, a delimiter and a stand-in are their own modules. The result points
 * into frame, or is static, or is built in out, which is cleared first. Without memory out->failed
 * is set. */
struct fst_str fst_module_of(struct fst_str frame, const struct fst_frame_parts *parts,
                             enum fst_dialect dialect, struct fst_buf *out);

/* frame without the annotations at its end: "_[k]" for the kernel, "_[j]", "_[i]", "_[0]", "_[1]"
 * and "_[c]" for code that was compiled, inlined, interpreted …, "_[w]" for wakers. What would be
 * nothing but annotations stays. Points into frame. */
struct fst_str fst_strip_annotations(struct fst_str frame);

#endif
