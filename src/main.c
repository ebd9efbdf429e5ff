/* foldstat: reads collapsed stack profiles and says what is hot.
 *
 * A map of the modules, in the order in which data flows through them:
 *
 *   cli/options       argv to struct fst_cli, by the table in cli/option_table; cli/values
 *   cli/command       what each command says of itself, in cli/top_command and so on
 *     cli/words         the words that options take, also for
 *     cli/completion    what shells load: cli/completion_bash, _zsh, _fish
 *   cli/selection     filters, rules for names and categories, compiled by model/selection
 *   cli/inputs        which files; each goes to
 *   model/load        a file into a profile: source -> parser -> counters
 *     io/source         bytes of a file, a pipe or memory
 *     io/gzip, io/zstd  bytes inside compressed ones
 *     io/kind           files that are something else, refused with advice
 *     parse/svg         a flame graph back to samples
 *       parse/svg_frame       what a title and a rectangle say
 *       parse/svg_tree        where frames lie to who called whom
 *     parse/speedscope  a JSON document to samples
 *       parse/speedscope_file     its frames and threads, checked
 *       parse/speedscope_weight   its weights to counts
 *     model/crew        several threads that read one text, by parse/cut, parse/asides, parse/join
 *     parse/parser      text in pieces to samples
 *       parse/lines       ordinary lines, many at a time, by parse/marks
 *       parse/record      a line to frames and its tail
 *       parse/tail        the counts at the end of a line
 *       parse/logline     messages and metadata between the lines
 *       parse/dialect     which profiler wrote it: dialect_pyspy, _austin, _perf, _other
 *       parse/frame       a frame to function, file and line
 *       parse/scaffolding frames that are no roots
 *       parse/wait        native frames that wait for a lock
 *     model/profile     samples to counters of rows and roots, which model/count counts
 *       model/names       text to numbers
 *       model/speech      what a frame is called: model/normalize, base/pattern
 *       model/count       stacks to counters: model/entry (roots), model/ends (the fast way)
 *       model/chosen      stacks that are judged one by one: model/filter, model/category
 *       model/merge       one profile added to another
 *   analysis/top      counters to tables
 *     analysis/kept        whether there is anything to show
 *     analysis/rows        which rows there are; analysis/fold makes one of many labels
 *   analysis/gil      counters of two or three recordings to figures, rows and a verdict
 *     analysis/gil_threads, analysis/pool  threads across recordings, and pools of them
 *     analysis/gil_verdict                 the figures in words
 *     analysis/statistics  shares to intervals
 *     analysis/notes       what a careful reader should see
 *   render/render     results to bytes: render/table, render/plain, render/json, render/gil_…
 *     render/columns, render/grid  tables that people read
 *   io/sink           bytes to the caller's write function
 *   cli/report        everything on standard error
 *
 *   base/…            what all of them stand on: str, buf, arena, symtab, count, number, escape
 */
#include <errno.h>
#include <stdio.h>

#include <expat.h>
#include <jansson.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <utf8proc.h>
#include <xxhash.h>
#include <zlib.h>
#ifdef FST_HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/error.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/selection.h"

static int finish_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return 0;
    }
    if (errno == EPIPE) {
        return 0; /* the reader went away */
    }
    struct fst_error err;
    (void)fst_error_sys(&err, errno, "");
    fst_report_error("standard output", &err);
    return FST_EXIT_USAGE;
}

/* "zstd 1.5.4, ", or nothing where zstd is not read. */
static const char *zstd_version(void)
{
#ifdef FST_HAVE_ZSTD
    return "zstd " ZSTD_VERSION_STRING ", ";
#else
    return "";
#endif
}

static void show_version(void)
{
    static const char commit[] = FST_COMMIT; /* "" where the source was not in git */
    (void)printf("foldstat %s%s%s%s\n", fst_version(), commit[0] == '\0' ? "" : " (", commit,
                 commit[0] == '\0' ? "" : ")");
    (void)printf("zlib %s, %sexpat %d.%d.%d, jansson %s, PCRE2 %d.%d, utf8proc %s, "
                 "xxHash %d.%d.%d\n",
                 zlibVersion(), zstd_version(), XML_MAJOR_VERSION, XML_MINOR_VERSION,
                 XML_MICRO_VERSION, JANSSON_VERSION, PCRE2_MAJOR, PCRE2_MINOR, utf8proc_version(),
                 XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
    (void)printf("built with %s\n", FST_BUILD);
}

int main(int argc, char **argv)
{
    struct fst_cli cli;
    int code = fst_cli_parse(&cli, argc, argv);
    if (code != 0) {
        return code;
    }
    switch (cli.action) {
    case FST_SHOW_SHORT_HELP: fst_help_short(stdout, cli.command); return finish_stdout();
    case FST_SHOW_LONG_HELP: fst_help_long(stdout, cli.command); return finish_stdout();
    case FST_SHOW_VERSION: show_version(); return finish_stdout();
    case FST_SHOW_EXPLANATION: fst_help_explain(stdout); return finish_stdout();
    case FST_SHOW_COMPLETION: cli.shell->write(stdout); return finish_stdout();
    case FST_SHOW_COMPLETION_HELP: fst_help_completion(stdout); return finish_stdout();
    case FST_SHOW_CATEGORIES:
        code = fst_show_categories();
        return code != 0 ? code : finish_stdout();
    default: return cli.command->run(&cli);
    }
}
