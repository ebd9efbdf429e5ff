/* What a symbol says of where it belongs: the package of Java and Go, the crate of Rust, the
 * namespace of C++. */
#ifndef FST_MODEL_SYMBOL_H
#define FST_MODEL_SYMBOL_H

#include "base/buf.h"

/* The package, crate or namespace; empty where the symbol names none. java: it is known to be
 * Java's, so that dots alone may part a package from a class. Points into symbol, or is built in
 * out, which must be empty. */
struct fst_str fst_symbol_module(struct fst_str symbol, bool java, struct fst_buf *out);

/* The outermost crate, namespace or class of a name with "::"; empty where there is none. Points
 * into symbol. */
struct fst_str fst_symbol_namespace(struct fst_str symbol);

#endif
