/* Filling in a caller's struct fst_error. An error is set once, where it is understood. */
#ifndef FST_BASE_ERROR_H
#define FST_BASE_ERROR_H

#include "base/compat.h"
#include "foldstat.h"

/* Stores code and the formatted message in err (NULL: nothing is stored); returns code, so that a
 * function can end with `return fst_error_set(err, …)`. Line, offset and errno are reset. */
enum fst_status fst_error_set(struct fst_error *err, enum fst_status code, const char *fmt, ...)
    FST_PRINTF(3, 4);

/* The same for a failed system call: keeps sys_errno and appends its text to the message. */
enum fst_status fst_error_sys(struct fst_error *err, int sys_errno, const char *what);

/* Says on which line of the input an error that was stored lies; returns status. */
static inline enum fst_status fst_error_at_line(enum fst_status status, uint64_t line,
                                                struct fst_error *err)
{
    if (err != NULL) {
        err->line = line;
    }
    return status;
}

/* The error of a failed allocation. */
static inline enum fst_status fst_error_nomem(struct fst_error *err)
{
    (void)fst_error_set(err, FST_ERR_NOMEM, "out of memory");
    return FST_ERR_NOMEM;
}

#endif
