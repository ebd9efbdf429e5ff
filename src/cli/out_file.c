#include "cli/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/error.h"
#include "cli/output.h"
#include "cli/report.h"
#include "io/packer.h"
#include "io/sink.h"

/* The file beside, and its place: here, because a signal's handler gets nothing else to go by. The
 * first is empty while there is none. */
static char beside[PATH_MAX];
static char place[PATH_MAX];

/* --- signals ----------------------------------------------------------------------------------- */

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};

/* Removes the file beside; the signal then does what it does without a handler. */
static void on_signal(int number)
{
    (void)unlink(beside);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Sets the handler where a signal is not ignored, or takes it away. */
static void watch(bool on)
{
    for (size_t i = 0; i < FST_COUNT_OF(fatal); i++) {
        struct sigaction before;
        struct sigaction action = {0};
        action.sa_handler = on ? on_signal : SIG_DFL;
        (void)sigemptyset(&action.sa_mask);
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            (void)sigaction(fatal[i], &action, NULL);
        }
    }
}

/* Ends the watch; the file beside has another name, or is to be removed. */
static void forget(bool remove)
{
    if (remove) {
        (void)unlink(beside);
    }
    watch(false);
    beside[0] = '\0';
}

/* --- opening ----------------------------------------------------------------------------------- */

static int refuse(const char *path, int sys_errno)
{
    struct fst_error err;
    (void)fst_error_sys(&err, sys_errno, "");
    fst_report_error(path, &err);
    return FST_EXIT_USAGE;
}

/* The mode of the file that is replaced, or that of a new one. */
static mode_t mode_of(const struct stat *old)
{
    enum { NEW_MODE = 0666, MODE_BITS = 07777 };
    if (old != NULL) {
        return old->st_mode & MODE_BITS;
    }
    mode_t mask = umask(0);
    (void)umask(mask);
    return NEW_MODE & ~mask;
}

/* Finds the place of a file: behind symbolic links, where there is one. */
static bool find_place(const char *path, bool exists)
{
    if (exists) {
        return realpath(path, place) != NULL;
    }
    if (strlen(path) >= sizeof place) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(place, path, strlen(path) + 1);
    return true;
}

/* Makes the file beside its place; returns its descriptor, or -1. */
static int create_beside(mode_t mode)
{
    static const char name[] = ".foldstat-XXXXXX";
    const char *slash = strrchr(place, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - place) + 1;
    if (folder + sizeof name > sizeof beside) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(beside, place, folder);
    memcpy(beside + folder, name, sizeof name);
    int fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0) {
        beside[0] = '\0';
        return -1;
    }
    watch(true);
    if (fchmod(fd, mode) != 0) {
        int failure = errno;
        (void)close(fd);
        forget(true);
        errno = failure;
        return -1;
    }
    return fd;
}

/* Whether a path leads to where standard output goes, as /dev/stdout does. */
static bool is_stdout(const char *path)
{
    struct stat named;
    struct stat standard;
    return stat(path, &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 &&
           named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

static int open_file(struct fst_out *out)
{
    struct stat old;
    bool exists = stat(out->path, &old) == 0;
    out->beside = !exists || S_ISREG(old.st_mode);
    if (!out->beside) {
        out->fd = open(out->path, O_WRONLY | O_CLOEXEC);
    } else if (exists && access(out->path, W_OK) != 0) {
        return refuse(out->path, errno);
    } else if (find_place(out->path, exists)) {
        out->fd = create_beside(mode_of(exists ? &old : NULL));
    }
    return out->fd >= 0 ? 0 : refuse(out->path, errno);
}

static int write_fd(void *ctx, const char *bytes, size_t len)
{
    const struct fst_out *out = ctx;
    return fst_fd_write(out->fd, bytes, len);
}

int fst_out_open_as_is(struct fst_out *out, const char *path)
{
    *out = (struct fst_out){.fd = -1};
    if (path == NULL || strcmp(path, "-") == 0 || is_stdout(path)) {
        return 0;
    }
    out->path = path;
    return open_file(out);
}

int fst_out_open(struct fst_out *out, const char *path)
{
    int code = fst_out_open_as_is(out, path);
    enum fst_packing packing = out->path == NULL ? FST_PACK_NOTHING : fst_packing_of(path);
    struct fst_error err;
    if (code == 0 && packing != FST_PACK_NOTHING &&
        fst_packer_new(packing, write_fd, out, &out->packer, &err) != FST_OK) {
        return fst_out_fail(out, &err);
    }
    return code;
}

/* --- writing ----------------------------------------------------------------------------------- */

int fst_out_write(void *ctx, const char *bytes, size_t len)
{
    struct fst_out *out = ctx;
    if (out->path == NULL) {
        return fst_output_write(NULL, bytes, len);
    }
    return out->packer != NULL ? fst_packer_write(out->packer, bytes, len)
                               : write_fd(out, bytes, len);
}

/* --- the end ----------------------------------------------------------------------------------- */

int fst_out_commit(struct fst_out *out)
{
    if (out->path == NULL) {
        return 0;
    }
    int failure = out->packer != NULL ? fst_packer_finish(out->packer) : 0;
    fst_packer_free(out->packer);
    failure = close(out->fd) != 0 && failure == 0 ? errno : failure;
    if (out->beside) {
        failure = failure == 0 && rename(beside, place) != 0 ? errno : failure;
        forget(failure != 0);
    }
    return failure == 0 ? 0 : refuse(out->path, failure);
}

void fst_out_discard(struct fst_out *out)
{
    if (out->path == NULL) {
        return;
    }
    fst_packer_free(out->packer);
    (void)close(out->fd);
    if (out->beside) {
        forget(true);
    }
}

int fst_out_fail(struct fst_out *out, const struct fst_error *err)
{
    if (out->path == NULL) {
        return fst_output_report(err);
    }
    fst_out_discard(out);
    fst_report_error(out->path, err);
    return FST_EXIT_USAGE;
}
