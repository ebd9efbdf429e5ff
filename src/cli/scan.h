/* The text behind an option, read as a word, a number or a size. Each returns 0, or the exit code after a
 * message, in which the option is called as in option: "--rows", "-n". */
#ifndef FST_CLI_SCAN_H
#define FST_CLI_SCAN_H

#include <stdint.h>

#include "cli/options.h"

/* Says "where: expected …, found …" and returns the exit code. */
int fst_scan_refuse(const char *where, const char *value, const char *expected);

/* One of the words that the option that is read takes in the command; *out: what it stands for. */
int fst_scan_word(const struct fst_cli *cli, enum fst_option_id id, const char *value, int *out);

/* A number within limits that are meant to catch slips of the finger. */
int fst_scan_number(const char *option, const char *value, double least, double most, double *out);

/* The same without a fraction. */
int fst_scan_whole(const char *option, const char *value, unsigned long least, unsigned long most,
                   unsigned long *out);

/* Bytes: "512M", "2g", "1000000". */
int fst_scan_size(const char *option, const char *value, uint64_t *out);

#endif
