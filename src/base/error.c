#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum fst_status fst_error_set(struct fst_error *err, enum fst_status code, const char *fmt, ...)
{
    if (err == NULL) {
        return code;
    }
    *err = (struct fst_error){.code = code};
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(err->message, sizeof err->message, fmt, args);
    va_end(args);
    return code;
}

enum fst_status fst_error_sys(struct fst_error *err, int sys_errno, const char *what)
{
    /* strerror_r has two incompatible forms; strerror is safe here as the text is copied at once
     * and glibc and musl return constant strings for known numbers. */
    const char *text = strerror(sys_errno); // NOLINT(concurrency-mt-unsafe)
    enum fst_status status = what == NULL || what[0] == '\0'
                                 ? fst_error_set(err, FST_ERR_IO, "%s", text)
                                 : fst_error_set(err, FST_ERR_IO, "%s: %s", what, text);
    if (err != NULL) {
        err->sys_errno = sys_errno;
    }
    return status;
}
