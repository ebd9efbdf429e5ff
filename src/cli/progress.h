/* One line on standard error while a long read goes on: bytes, rate, time left.
 *
 *     412 MB of 1.0 GB, 210 MB/s, 3 s left
 *
 * It appears after a second, only on a terminal, and is cleared before anything else is said. */
#ifndef FST_CLI_PROGRESS_H
#define FST_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fst_progress {
    size_t file;    /* the one being read, from 1; the caller's to set */
    size_t files;   /* how many there are */
    bool shown;     /* standard error is a terminal that can take it */
    size_t columns; /* of that terminal; 0: unknown */
    bool visible;   /* a line stands on the terminal */
    double started; /* seconds, monotonic */
    double updated;
    double file_started;
    size_t timed_file; /* the file that file_started belongs to */
};

void fst_progress_init(struct fst_progress *progress, size_t files, bool wanted);

/* As the progress function of struct fst_read_options; ctx is the struct fst_progress. */
void fst_progress_update(void *ctx, uint64_t done, uint64_t size);

/* Removes the line. */
void fst_progress_clear(struct fst_progress *progress);

#endif
