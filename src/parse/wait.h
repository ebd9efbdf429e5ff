/* Native frames in which a thread waits for a lock, and those of the interpreter above them. */
#ifndef FST_PARSE_WAIT_H
#define FST_PARSE_WAIT_H

#include <stddef.h>

#include "base/str.h"

/* The frame of a stack (root first) that says that its thread waits for a lock or a condition, under
 * a frame of a Python interpreter; nframes where there is none. Frames that only enter the system
 * (addresses without a name, syscall) may lie leaf-ward of it. */
size_t fst_wait_find(const struct fst_str *frames, size_t nframes);

#endif
