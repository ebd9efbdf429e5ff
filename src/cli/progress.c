#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/terminal.h"

/* Seconds before the first line, and between two. */
static const double PATIENCE = 1.0;
static const double INTERVAL = 0.1;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void fst_progress_init(struct fst_progress *progress, size_t files, bool wanted)
{
    const char *term = getenv("TERM"); // NOLINT(concurrency-mt-unsafe)
    *progress = (struct fst_progress){
        .files = files,
        .shown = wanted && isatty(STDERR_FILENO) && fst_terminal_moves(term),
        .columns = fst_terminal_width(STDERR_FILENO),
        .started = now(),
    };
}

/* "999 B", "1.2 kB", "412 MB": three digits at most, decimal units. */
static void add_bytes(struct fst_buf *out, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1000;
        unit++;
    }
    fst_buf_add_fmt(out, unit > 0 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

static void add_time(struct fst_buf *out, double seconds)
{
    if (seconds < 90) {
        fst_buf_add_fmt(out, "%.0f s", seconds);
    } else if (seconds < 5400) {
        fst_buf_add_fmt(out, "%.0f min", seconds / 60);
    } else {
        fst_buf_add_fmt(out, "%.1f h", seconds / 3600);
    }
}

/* Ctrl-C must not leave the line behind: it is cleared, and the signal does what it always does. */
static void clear_and_die(int signal_number)
{
    static const char clear[] = "\r\x1b[K";
    (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
    (void)raise(signal_number); /* SA_RESETHAND has brought the default back */
}

static void catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = clear_and_die};
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    struct sigaction before;
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
        (void)sigaction(SIGINT, &action, NULL);
    }
}

static void show(struct fst_progress *p, double done, double size, double at)
{
    struct fst_buf line = {0};
    double elapsed = at - p->file_started;
    double rate = elapsed > 0 ? done / elapsed : 0;
    fst_buf_add_cstr(&line, "\r");
    if (p->files > 1) {
        fst_buf_add_fmt(&line, "file %zu of %zu, ", p->file, p->files);
    }
    add_bytes(&line, done);
    if (size > 0) {
        fst_buf_add_cstr(&line, " of ");
        add_bytes(&line, size);
    }
    fst_buf_add_cstr(&line, ", ");
    add_bytes(&line, rate);
    fst_buf_add_cstr(&line, "/s");
    if (size > done && rate > 0) {
        fst_buf_add_cstr(&line, ", ");
        add_time(&line, (size - done) / rate);
        fst_buf_add_cstr(&line, " left");
    }
    if (p->columns > 0 && line.len > p->columns) {
        line.len = p->columns; /* one more than the cells before the last, for the "\r" */
    }
    fst_buf_add_cstr(&line, "\x1b[K");
    if (!p->visible) {
        catch_interrupt();
    }
    if (!line.failed) {
        (void)fwrite(line.data, 1, line.len, stderr);
        (void)fflush(stderr);
        p->visible = true;
    }
    fst_buf_release(&line);
}

void fst_progress_update(void *ctx, uint64_t done, uint64_t size)
{
    struct fst_progress *p = ctx;
    double at = now();
    if (p->timed_file != p->file) {
        p->timed_file = p->file;
        p->file_started = p->file == 1 ? p->started : at;
    }
    if (at - p->started >= PATIENCE && at - p->updated >= INTERVAL) {
        p->updated = at;
        show(p, (double)done, (double)size, at);
    }
}

void fst_progress_clear(struct fst_progress *progress)
{
    if (progress->visible) {
        (void)fputs("\r\x1b[K", stderr);
        (void)fflush(stderr);
        progress->visible = false;
    }
}
