/* Everything that is said on standard error, in one form: "foldstat: thing: what". */
#ifndef FST_CLI_REPORT_H
#define FST_CLI_REPORT_H

#include "base/compat.h"
#include "foldstat.h"

/* Exit codes (besides 0 for success). */
enum { FST_EXIT_FOUND = 1, FST_EXIT_USAGE = 2, FST_EXIT_UNJUDGED = 3 };

/* "foldstat: " and a line. */
void fst_report(const char *fmt, ...) FST_PRINTF(1, 2);

/* An error about an input or output, whose name is escaped; name NULL: none. */
void fst_report_error(const char *name, const struct fst_error *err);

/* What is wrong with an option's value: a pattern, or, where path is given, a line of that file. */
void fst_report_fault(const struct fst_selection_fault *fault, const char *path,
                      const struct fst_error *err);

/* The first bad lines with their carets, at most `most` of them; returns how many were shown. */
size_t fst_report_bad_lines(const struct fst_input *input, size_t most);

/* Bad lines of all inputs that were read, and how much was skipped. */
void fst_report_skipped(const struct fst_input *inputs, size_t count);

/* "foldstat: note: …" for each. */
void fst_report_notes(const struct fst_str *notes, size_t count);

#endif
