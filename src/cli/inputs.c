#include "cli/inputs.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/read_many.h"
#include "cli/repeated.h"
#include "cli/report.h"
#include "io/source.h"

/* Names of inputs: operands, or pieces of a list. */
struct names {
    char **items;
    size_t count;
    struct fst_buf list; /* the bytes of --files0-from */
    bool stdin_taken;    /* the list itself came from there */
};

static void release(struct names *names)
{
    if (names->list.data != NULL) {
        fst_free(names->items);
    }
    fst_buf_release(&names->list);
}

/* --- --files0-from --------------------------------------------------------------------------- */

static enum fst_status read_all(struct fst_source *source, struct fst_buf *into,
                                struct fst_error *err)
{
    enum { STEP = 64 * 1024 };
    for (;;) {
        size_t got = 0;
        if (!fst_buf_reserve(into, STEP)) {
            return fst_error_nomem(err);
        }
        enum fst_status status = fst_source_read(source, into->data + into->len, STEP, &got, err);
        if (status != FST_OK || got == 0) {
            return status;
        }
        into->len += got;
    }
}

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

const char *fst_input_label(const char *name)
{
    return is_stdin(name) ? FST_STDIN_NAME : name;
}

enum fst_status fst_input_open(const char *name, struct fst_source **out, struct fst_error *err)
{
    return is_stdin(name) ? fst_source_fd(STDIN_FILENO, out, err) : fst_source_open(name, out, err);
}

enum fst_status fst_file_read(const char *path, struct fst_buf *into, struct fst_error *err)
{
    struct fst_source *source = NULL;
    enum fst_status status = fst_input_open(path, &source, err);
    if (status == FST_OK) {
        status = read_all(source, into, err);
    }
    fst_source_free(source);
    return status;
}

static enum fst_status load_list(const char *path, struct fst_buf *into, struct fst_error *err)
{
    enum fst_status status = fst_file_read(path, into, err);
    if (status == FST_OK && into->len > 0 && into->data[into->len - 1] != '\0' &&
        !fst_buf_add_char(into, '\0')) {
        status = fst_error_nomem(err);
    }
    return status;
}

static bool split_list(struct names *names)
{
    size_t count = 0;
    for (size_t i = 0; i < names->list.len; i++) {
        count += names->list.data[i] == '\0';
    }
    names->items = fst_alloc_zeroed(count + 1, sizeof *names->items);
    if (names->items == NULL) {
        return false;
    }
    char *at = names->list.data;
    for (; names->count < count; names->count++) {
        names->items[names->count] = at;
        at += strlen(at) + 1;
    }
    return true;
}

static int take_list(struct names *names, const struct fst_cli *cli)
{
    struct fst_error err;
    if (cli->nfiles > 0) {
        fst_report("--files0-from and names of files exclude each other");
        return FST_EXIT_USAGE;
    }
    if (load_list(cli->files0_from, &names->list, &err) != FST_OK) {
        fst_report_error(cli->files0_from, &err);
        return FST_EXIT_USAGE;
    }
    if (names->list.len == 0) {
        fst_report("--files0-from: %s names no file", cli->files0_from);
        return FST_EXIT_USAGE;
    }
    const char *nul = memchr(names->list.data, '\0', names->list.len);
    const char *newline = memchr(names->list.data, '\n', names->list.len);
    bool one_name = nul == names->list.data + names->list.len - 1;
    if (one_name && newline != NULL && access(names->list.data, F_OK) != 0) {
        fst_report("--files0-from: names end in a NUL byte, as find -print0 writes them, not in a "
                   "newline");
        return FST_EXIT_USAGE;
    }
    if (!split_list(names)) {
        (void)fst_error_nomem(&err);
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    names->stdin_taken = is_stdin(cli->files0_from);
    return 0;
}

/* --- which inputs --------------------------------------------------------------------------- */

static int check_names(const struct names *names)
{
    size_t on_stdin = names->stdin_taken;
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i][0] == '\0') {
            fst_report("input %zu has an empty name", i + 1);
            return FST_EXIT_USAGE;
        }
        on_stdin += is_stdin(names->items[i]);
    }
    if (on_stdin > 1) {
        fst_report("standard input cannot be read twice");
        return FST_EXIT_USAGE;
    }
    return 0;
}

static int find_names(struct names *names, const struct fst_cli *cli)
{
    static char dash[] = "-";
    static char *only_stdin[] = {dash};
    if (cli->files0_from != NULL) {
        int code = take_list(names, cli);
        return code != 0 ? code : check_names(names);
    }
    names->items = cli->files;
    names->count = cli->nfiles;
    if (names->count == 0) {
        if (isatty(STDIN_FILENO)) {
            fst_help_short(stderr, cli->command);
            return FST_EXIT_USAGE;
        }
        names->items = only_stdin;
        names->count = 1;
    }
    return check_names(names);
}

/* --- reading -------------------------------------------------------------------------------- */

void fst_inputs_report(const struct fst_profile *profile, const char *name,
                       const struct fst_error *err)
{
    size_t count;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    if (count > 0 && (err->code == FST_ERR_FORMAT || err->code == FST_ERR_STRICT)) {
        (void)fst_report_bad_lines(&inputs[count - 1], FST_BAD_LINES_KEPT);
    }
    if (err->code == FST_ERR_STRICT) {
        fst_report("a line was bad and --strict is on: no table");
    } else {
        fst_report_error(fst_input_label(name), err);
    }
}

enum fst_status fst_inputs_try(struct fst_profile *profile, const char *name,
                               const struct fst_read_options *options, struct fst_error *err)
{
    return is_stdin(name) ? fst_profile_read_fd(profile, STDIN_FILENO, FST_STDIN_NAME, options, err)
                          : fst_profile_read_path(profile, name, options, err);
}

enum fst_status fst_inputs_read_one(struct fst_profile *profile, const char *name,
                                    struct fst_read_options options, struct fst_progress *progress,
                                    struct fst_error *err)
{
    if (progress->shown) {
        options.progress = fst_progress_update;
        options.progress_ctx = progress;
    }
    progress->file++;
    enum fst_status status = fst_inputs_try(profile, name, &options, err);
    if (status != FST_OK) {
        fst_progress_clear(progress);
        fst_inputs_report(profile, name, err);
    }
    return status;
}

int fst_inputs_leave_out(const struct fst_cli *cli, const struct fst_error *err, size_t failed,
                         size_t count)
{
    bool hopeless = err->code == FST_ERR_NOMEM || err->code == FST_ERR_STRICT || !cli->keep_going;
    return hopeless || failed == count ? FST_EXIT_USAGE : 0;
}

void fst_inputs_report_left_out(size_t failed, size_t count)
{
    if (failed > 0) {
        fst_report("%zu of %zu inputs left out (--keep-going)", failed, count);
    }
}

int fst_inputs_each(const struct fst_cli *cli, fst_input_fn take, void *ctx)
{
    struct names names = {0};
    int code = find_names(&names, cli);
    size_t failed = 0;
    if (code == 0 && !cli->quiet) {
        fst_repeated_report(names.items, names.count);
    }
    for (size_t i = 0; code == 0 && i < names.count; i++) {
        struct fst_error err = {0};
        if (take(ctx, names.items[i], names.count, &err) != FST_OK) {
            code = fst_inputs_leave_out(cli, &err, ++failed, names.count);
        }
    }
    if (code == 0) {
        fst_inputs_report_left_out(failed, names.count);
    }
    release(&names);
    return code;
}

int fst_inputs_read(const struct fst_cli *cli, struct fst_profile *profile)
{
    struct names names = {0};
    int code = find_names(&names, cli);
    if (code == 0 && !cli->quiet) {
        fst_repeated_report(names.items, names.count);
    }
    if (code == 0) {
        code = fst_read_many(cli, profile, names.items, names.count);
    }
    release(&names);
    return code;
}
