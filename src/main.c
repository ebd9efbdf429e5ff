/* foldstat: reads collapsed stack profiles and says what is hot.
 *
 * A map of the modules, in the order in which data flows through them:
 *
 *   cli/options       argv to struct fst_cli, by the table in cli/option_table; cli/values
 *   cli/command       what each command says of itself, in cli/top_command and so on
 *     cli/words         the words that options take, also for
 *     cli/completion    what shells load: cli/completion_bash, _zsh, _fish
 *   cli/selection     filters, rules for names and categories, compiled by model/selection
 *   cli/inputs        which files; each goes to model/load
 *     cli/read_many     several at a time, filed in their order
 *     cli/compared      the recordings of diff and check, read beside each other
 *     cli/budget        budgets of check
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
 *     model/crew        several threads that read one text, by parse/asides, parse/join
 *       model/blocks          in pieces, by parse/cut
 *     parse/parser      text in pieces to samples
 *       parse/lines       ordinary lines, many at a time, by parse/marks
 *       parse/record      a line to frames and its tail
 *       parse/tail        the counts at the end of a line
 *       parse/logline     messages and metadata between the lines
 *       parse/dialect     which profiler wrote it: dialect_pyspy, _austin, _perf, _other
 *       parse/frame       a frame to function, file and line
 *       parse/scaffolding frames that are no roots
 *       parse/thread      a thread frame to id and name
 *       parse/wait        native frames that wait for a lock
 *     model/profile     samples to counters of rows and roots, which model/count counts
 *       model/names       text to numbers
 *       model/speech      what a frame is called: model/normalize, base/pattern
 *       model/count       stacks to counters: model/entry (roots), model/ends (the fast way)
 *       model/nest        rows within rows
 *       model/chosen      stacks that are judged one by one: model/filter, model/category
 *       model/calls       stacks to the call tree, where it is asked for
 *       model/calltree    every way from a root to a frame
 *       model/merge       one profile added to another
 *   analysis/top      counters to tables
 *     analysis/kept        whether there is anything to show
 *     analysis/rows        which rows there are; analysis/fold makes one of many labels
 *   analysis/tree     the call tree in order; analysis/twig walks it, down or up
 *   analysis/peek     what is around rows that match, gathered by analysis/peek_walk
 *   analysis/gil      counters of two or three recordings to figures, rows and a verdict
 *     analysis/gil_rows, analysis/gil_threads  rows and threads across recordings
 *     analysis/gil_verdict, analysis/gil_words the figures in words
 *   analysis/diff     recordings before and after to rows, differences and a verdict for each
 *     analysis/diff_join     the same row in several recordings
 *     analysis/diff_figures  values, intervals and tests: statistics_two, statistics_several
 *     analysis/diff_paths    stacks that carry a change
 *     analysis/diff_notes    what recordings differ in, by analysis/diff_traits
 *   analysis/check    budgets held against a comparison
 *     analysis/statistics  shares to intervals
 *     analysis/notes       what a careful reader should see
 *   analysis/flame    a call tree, or two, to rectangles: analysis/flame_union, _change, _modules
 *   render/render     results to bytes: render/table, render/plain, render/json, render/gil_…, _diff, _check, _tree, _peek
 *     render/flame_svg     a picture: render/flame_frames, _prose, flame.js, flame.css
 *     render/columns, render/grid  tables that people read
 *   analysis/sum      what whole stacks amount to; render/collapsed writes them, from model/stacks
 *     model/stream        sorted stacks one by one: of the table, of model/runs on disk, of model/sorted
 *     analysis/list       stacks frame by frame; render/list writes pprof, speedscope and JSON
 *   io/sink           bytes to the caller's write function, perhaps through io/packer
 *   cli/out_file      a file that is whole or not there at all
 *   cli/report        everything on standard error
 *
 *   base/…            what all of them stand on: str, buf, arena, symtab, count, number, escape
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

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

/* What reads gzip. */
static const char *gzip_version(void)
{
#ifdef FST_HAVE_ISAL
    return "ISA-L, zlib ";
#else
    return "zlib ";
#endif
}

static void show_version(void)
{
    static const char commit[] = FST_COMMIT; /* "" where the source was not in git */
    (void)printf("foldstat %s%s%s%s\n", fst_version(), commit[0] == '\0' ? "" : " (", commit,
                 commit[0] == '\0' ? "" : ")");
    (void)printf("%s%s, %sexpat %d.%d.%d, jansson %s, PCRE2 %d.%d, utf8proc %s, "
                 "xxHash %d.%d.%d\n",
                 gzip_version(), zlibVersion(), zstd_version(), XML_MAJOR_VERSION,
                 XML_MINOR_VERSION, XML_MICRO_VERSION, JANSSON_VERSION, PCRE2_MAJOR, PCRE2_MINOR,
                 utf8proc_version(), XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE);
    (void)printf("built with %s\n", FST_BUILD);
}

/* For --max-memory. Left alone, glibc takes ever larger blocks from its heap once one as large was
 * freed, and keeps what of the heap lies below a block in use: several times what is allowed. Blocks
 * from 2 MiB on are mapped here, and so given back where they are freed. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    enum { MAPPED = 2 << 20, TRIMMED = 2 * MAPPED };
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED);
    (void)mallopt(M_TRIM_THRESHOLD, TRIMMED);
#endif
}

int main(int argc, char **argv)
{
    /* A file that becomes larger than is allowed is then an error of writing, with a message. */
    (void)signal(SIGXFSZ, SIG_IGN);
    struct fst_cli cli;
    int code = fst_cli_parse(&cli, argc, argv);
    if (code != 0) {
        return code;
    }
    if (cli.profile.max_memory > 0) {
        give_back_memory();
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
