#include "cli/output.h"

#include <errno.h>
#include <unistd.h>

#include "cli/report.h"
#include "io/sink.h"

int fst_output_write(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    return fst_fd_write(STDOUT_FILENO, bytes, len);
}

int fst_output_report(const struct fst_error *err)
{
    if (err->sys_errno == EPIPE) {
        return 0;
    }
    fst_report_error("standard output", err);
    return FST_EXIT_USAGE;
}

bool fst_output_is_for_scripts(const struct fst_cli *cli)
{
    return cli->format == FST_FORMAT_JSON || cli->format == FST_FORMAT_CSV ||
           cli->format == FST_FORMAT_TSV;
}

size_t fst_output_rows(const struct fst_cli *cli, size_t usual)
{
    bool everything = cli->all_rows || (cli->rows == 0 && fst_output_is_for_scripts(cli));
    return everything ? 0 : cli->rows > 0 ? cli->rows : usual;
}
