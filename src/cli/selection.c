#include "cli/selection.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/inputs.h"
#include "cli/report.h"

/* Whether rows are categories. */
static bool needs_categories(const struct fst_profile_options *options)
{
    return options->by == FST_BY_CATEGORY || (options->nested && options->inner == FST_BY_CATEGORY);
}

static bool is_given(const struct fst_selection_options *o)
{
    return o->thread.data != NULL || o->process.data != NULL || o->focus.data != NULL ||
           o->ignore.data != NULL || o->hide.data != NULL || o->show.data != NULL ||
           o->show_from.data != NULL || o->prune_from.data != NULL || o->fold_recursion ||
           o->strip_annotations || o->normalize || o->no_idle || o->categorize || o->nrewrites > 0;
}

/* Compiles options, whose categories came from path (NULL: they are built in). */
static int compile(const struct fst_selection_options *options, const char *path,
                   struct fst_selection **out)
{
    struct fst_error err = {0};
    struct fst_selection_fault fault = {0};
    enum fst_status status = fst_selection_new(options, out, &fault, &err);
    if (status == FST_ERR_USAGE) {
        fst_report_fault(&fault, fault.line > 0 ? path : NULL, &err);
    } else if (status != FST_OK) {
        fst_report_error(NULL, &err);
    }
    return status == FST_OK ? 0 : FST_EXIT_USAGE;
}

int fst_cli_select(const struct fst_cli *cli, struct fst_selection **out)
{
    struct fst_selection_options options = cli->selection;
    struct fst_buf rules = {0};
    *out = NULL;
    options.rewrites = cli->rewrites;
    options.categorize = needs_categories(&cli->profile);
    if (cli->categories != NULL && !options.categorize) {
        fst_report("--categories: only --by category has use for them");
        return FST_EXIT_USAGE;
    }
    if (!is_given(&options)) {
        return 0;
    }
    if (cli->categories != NULL) {
        struct fst_error err = {0};
        if (fst_file_read(cli->categories, &rules, &err) != FST_OK) {
            fst_report_error(cli->categories, &err);
            fst_buf_release(&rules);
            return FST_EXIT_USAGE;
        }
        options.categories = fst_buf_str(&rules);
    }
    int code = compile(&options, cli->categories, out);
    fst_buf_release(&rules);
    return code;
}

int fst_show_categories(void)
{
    char *text = fst_categories_text();
    if (text == NULL) {
        struct fst_error err;
        (void)fst_error_nomem(&err);
        fst_report_error(NULL, &err);
        return FST_EXIT_USAGE;
    }
    (void)fputs(text, stdout);
    free(text);
    return 0;
}
