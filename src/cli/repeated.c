#include "cli/repeated.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/escape.h"
#include "cli/inputs.h"
#include "cli/report.h"

/* The file that an input is. */
struct file {
    dev_t device;
    ino_t number;
    size_t input;
};

/* Files that are one come together, in the order of the inputs. */
static int compare(const void *left, const void *right)
{
    const struct file *a = left;
    const struct file *b = right;
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return a->input < b->input ? -1 : 1;
}

static bool find_file(const char *name, size_t input, struct file *out)
{
    struct stat status;
    bool found =
        strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &status) == 0 : stat(name, &status) == 0;
    if (!found || !S_ISREG(status.st_mode)) {
        return false;
    }
    *out = (struct file){status.st_dev, status.st_ino, input};
    return true;
}

static void add_name(struct fst_buf *out, const char *name)
{
    fst_escape_text(out, fst_str_cstr(fst_input_label(name)));
}

/* "s.txt is given twice", "s.txt and ./s.txt are one file". */
static void describe(const char *first, const char *again, size_t more)
{
    struct fst_buf text = {0};
    add_name(&text, first);
    if (strcmp(first, again) == 0) {
        fst_buf_add_cstr(&text, " is given twice, and counts twice");
    } else {
        fst_buf_add_cstr(&text, " and ");
        add_name(&text, again);
        fst_buf_add_cstr(&text, " are one file, which counts twice");
    }
    if (more > 0) {
        fst_buf_add_fmt(&text, "; so it is with %zu more", more);
    }
    struct fst_str note = fst_buf_str(&text);
    fst_report_notes(&note, text.failed ? 0 : 1);
    fst_buf_release(&text);
}

/* Goes through sorted files. */
static void report_sorted(const struct file *files, size_t count, char *const *names)
{
    size_t repeated = 0;
    const struct file *first = NULL; /* of the inputs that are repeated */
    const struct file *of = NULL;
    for (size_t i = 1; i < count; i++) {
        if (files[i].device == files[i - 1].device && files[i].number == files[i - 1].number) {
            repeated++;
            if (first == NULL || files[i].input < first->input) {
                first = &files[i];
                of = &files[i - 1];
            }
        }
    }
    if (first != NULL) {
        describe(names[of->input], names[first->input], repeated - 1);
    }
}

void fst_repeated_report(char *const *names, size_t count)
{
    struct file *files = count < 2 ? NULL : fst_alloc(count * sizeof *files);
    size_t found = 0;
    for (size_t i = 0; files != NULL && i < count; i++) {
        found += find_file(names[i], i, &files[found]);
    }
    if (found > 1) {
        qsort(files, found, sizeof *files, compare);
        report_sorted(files, found, names);
    }
    fst_free(files);
}
