/* The inputs that the command line names. */
#ifndef FST_CLI_INPUTS_H
#define FST_CLI_INPUTS_H

#include "base/buf.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "io/source.h"

/* What standard input is called in tables and messages. */
#define FST_STDIN_NAME "<stdin>"

/* What an input of that name ("-": standard input) is called in tables and messages. */
const char *fst_input_label(const char *name);

enum fst_status fst_input_open(const char *name, struct fst_source **out, struct fst_error *err);

/* Reads every input into profile. Returns 0, or the exit code after a message. */
int fst_inputs_read(const struct fst_cli *cli, struct fst_profile *profile);

/* Reads one input ("-": standard input) with options of its own. Says nothing. */
enum fst_status fst_inputs_try(struct fst_profile *profile, const char *name,
                               const struct fst_read_options *options, struct fst_error *err);

/* What is done with an input of that name ("-": standard input), one of so many. It says why it
 * failed. */
typedef enum fst_status (*fst_input_fn)(void *ctx, const char *name, size_t of,
                                        struct fst_error *err);

/* Does that with every input that the command line names. Returns 0, or the exit code after a
 * message. */
int fst_inputs_each(const struct fst_cli *cli, fst_input_fn take, void *ctx);

/* The same, and says why it failed. */
enum fst_status fst_inputs_read_one(struct fst_profile *profile, const char *name,
                                    struct fst_read_options options, struct fst_progress *progress,
                                    struct fst_error *err);

/* Says why the input that was last read into profile failed. */
void fst_inputs_report(const struct fst_profile *profile, const char *name,
                       const struct fst_error *err);

/* What comes of it that so many of count inputs failed, the last one with that error: 0 where it
 * is left out and reading goes on, or the exit code. */
int fst_inputs_leave_out(const struct fst_cli *cli, const struct fst_error *err, size_t failed,
                         size_t count);

/* Says how many were left out in the end, if any were. */
void fst_inputs_report_left_out(size_t failed, size_t count);

/* Appends the bytes of a file, or of standard input for "-". */
enum fst_status fst_file_read(const char *path, struct fst_buf *into, struct fst_error *err);

#endif
