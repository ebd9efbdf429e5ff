/* Where a command's result goes: standard output, or the file of -o.
 *
 *     struct fst_out out;
 *     int code = fst_out_open(&out, cli->out);
 *     if (code == 0) {
 *         … fst_render_…(…, fst_out_write, &out, &err) …
 *         code = status == FST_OK ? fst_out_commit(&out) : fst_out_fail(&out, &err);
 *     }
 *
 * A file is written beside its place, under another name, and renamed when it is whole: it is the
 * old one or the new one, never a part, and may be among the inputs. What was not renamed is removed
 * when a signal ends the program. Names that end in .gz or .zst get compressed bytes. What is no
 * ordinary file (/dev/null, a pipe) is written in its place. One file is open at a time. */
#ifndef FST_CLI_OUT_FILE_H
#define FST_CLI_OUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "foldstat.h"

struct fst_packer;

struct fst_out {
    const char *path; /* as given; NULL: standard output */
    int fd;
    bool beside; /* it is written under another name */
    struct fst_packer *packer;
};

/* Opens path for writing; NULL or "-" is standard output. Returns 0, or the exit code after a
 * message. */
int fst_out_open(struct fst_out *out, const char *path);

/* The same for bytes that are compressed already, or never are, whatever the name ends in. */
int fst_out_open_as_is(struct fst_out *out, const char *path);

/* Takes bytes; an fst_write_fn whose ctx is the struct fst_out. */
int fst_out_write(void *ctx, const char *bytes, size_t len);

/* Ends the output and puts the file in its place. Returns 0, or the exit code after a message. */
int fst_out_commit(struct fst_out *out);

/* Removes what was written, unless that went to standard output. */
void fst_out_discard(struct fst_out *out);

/* The same, and says why unless the reader of standard output went away. Returns the
 * exit code. */
int fst_out_fail(struct fst_out *out, const struct fst_error *err);

#endif
