/* The command line: every option sets its field, and every mistake is told and costs exit 2. */
#include "unit/helpers.h"

#include <fcntl.h>
#include <getopt.h>
#include <unistd.h>

#include "cli/option_table.h"
#include "cli/options.h"

enum { MOST_WORDS = 24, MOST_TEXT = 512 };

/* A command line and what came of it. The text behind cli lives here. */
struct parsed {
    char text[MOST_TEXT];
    char *argv[MOST_WORDS + 1];
    struct fst_cli cli;
    int code;
    char message[MOST_TEXT]; /* what was written to standard error */
};

/* Redirects standard error into a nameless file until restore_stderr. */
static int divert_stderr(FILE **file)
{
    *file = tmpfile();
    assert_non_null(*file);
    (void)fflush(stderr);
    int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(fileno(*file), STDERR_FILENO) >= 0);
    return before;
}

static void restore_stderr(int before, FILE *file, char *message)
{
    (void)fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    assert_int_equal(close(before), 0);
    rewind(file);
    size_t len = fread(message, 1, MOST_TEXT - 1, file);
    message[len] = '\0';
    assert_int_equal(fclose(file), 0);
}

/* Parses "foldstat" and the words of line, which '|' ends. */
static void parse(struct parsed *p, const char *line)
{
    int argc = 0;
    (void)snprintf(p->text, sizeof p->text, "foldstat|%s", line);
    for (char *at = p->text; *at != '\0' && argc < MOST_WORDS;) {
        p->argv[argc++] = at;
        at += strcspn(at, "|");
        if (*at == '|') {
            *at++ = '\0';
        }
    }
    p->argv[argc] = NULL;
    FILE *file;
    int before = divert_stderr(&file);
    optind = 0; /* getopt begins anew */
    p->code = fst_cli_parse(&p->cli, argc, p->argv);
    restore_stderr(before, file, p->message);
}

static void without_options_everything_is_default(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "");
    assert_int_equal(p.code, 0);
    assert_int_equal(p.cli.action, FST_RUN);
    assert_int_equal(p.cli.nfiles, 0);
    assert_int_equal(p.cli.format, FST_FORMAT_TABLE);
    assert_int_equal(p.cli.rows, 0);
    assert_true(p.cli.read.rate == 0 && p.cli.top.ticks == 0 && p.cli.top.design_effect == 0);
    assert_false(p.cli.read.errors_given || p.cli.ties_given || p.cli.all_rows || p.cli.quiet);
    assert_null(p.cli.files0_from);
    assert_string_equal(p.message, "");
}

/* The fields that words set, as numbers. */
static void words_and_numbers_set_their_field(void **state)
{
    (void)state;
    static struct parsed p;
    const struct {
        const char *line;
        const int *field;
        int value;
    } words[] = {
        {"--by=function|", (int *)&p.cli.profile.by, FST_BY_FUNCTION},
        {"--by|thread|", (int *)&p.cli.profile.by, FST_BY_THREAD},
        {"--by|process|", (int *)&p.cli.profile.by, FST_BY_PROCESS},
        {"--by|file|--by|line|", (int *)&p.cli.profile.by, FST_BY_LINE}, /* the last one holds */
        {"--root|thread|", (int *)&p.cli.profile.root, FST_ROOT_THREAD},
        {"--root|process|", (int *)&p.cli.profile.root, FST_ROOT_PROCESS},
        {"--root|0|", (int *)&p.cli.profile.root, FST_ROOT_INDEX},
        {"--root=3|", (int *)&p.cli.profile.root_index, 3},
        {"--sort|total|", (int *)&p.cli.top.sort, FST_SORT_TOTAL},
        {"--ties|first|", (int *)&p.cli.top.ties, FST_TIES_FIRST},
        {"--percent-of|all|", (int *)&p.cli.top.percent_of, FST_OF_ALL},
        {"--format|md|", (int *)&p.cli.format, FST_FORMAT_MARKDOWN},
        {"--dialect|py-spy|", (int *)&p.cli.read.dialect, FST_DIALECT_PYSPY},
        {"--metric|cpu|", (int *)&p.cli.read.metric, FST_METRIC_CPU},
        {"--column|1|", &p.cli.read.column, 1},
        {"--color|never|", (int *)&p.cli.colour, FST_COLOUR_NEVER},
        {"diff|--sort|name|", (int *)&p.cli.diff.sort, FST_DIFF_BY_NAME},
        {"diff|--sort-on|total|", (int *)&p.cli.diff.on, FST_ON_TOTAL},
        {"diff|--basis|count|", (int *)&p.cli.diff.basis, FST_BASIS_COUNT},
        {"diff|--format|collapsed2|", (int *)&p.cli.format, FST_FORMAT_COLLAPSED2},
        {"tree|--max-depth|4|", (int *)&p.cli.tree.max_depth, 4},
        {"flame|--layout|flame|", (int *)&p.cli.picture.layout, FST_FLAME_FLAME},
        {"convert|--to|json|", (int *)&p.cli.to, FST_TARGET_JSON},
        {"--by|file,line|", (int *)&p.cli.profile.inner, FST_BY_LINE},
        {"-h|", (int *)&p.cli.action, FST_SHOW_SHORT_HELP},
        {"--help|", (int *)&p.cli.action, FST_SHOW_LONG_HELP},
        {"help|", (int *)&p.cli.action, FST_SHOW_LONG_HELP},
        {"help|top|", (int *)&p.cli.action, FST_SHOW_LONG_HELP},
        {"-V|", (int *)&p.cli.action, FST_SHOW_VERSION},
    };
    for (size_t i = 0; i < FST_COUNT_OF(words); i++) {
        parse(&p, words[i].line);
        REQUIRE(p.code == 0 && *words[i].field == words[i].value, "%s: %d", words[i].line,
                *words[i].field);
    }
    const struct {
        const char *line;
        const double *field;
        double value;
    } numbers[] = {
        {"-r|49|", &p.cli.read.rate, 49},
        {"--rate=99.5|", &p.cli.read.rate, 99.5},
        {"-d|45|", &p.cli.read.duration, 45},
        {"-d1e2|", &p.cli.read.duration, 100},
        {"--ticks|1469|", &p.cli.top.ticks, 1469},
        {"--errors|3|", &p.cli.read.errors, 3},
        {"--design-effect|2.5|", &p.cli.top.design_effect, 2.5},
        {"--min-percent|2|", &p.cli.top.least_share, 0.02},
        {"diff|--fdr|0.1|", &p.cli.fdr, 0.1},
        {"flame|--width|800|", &p.cli.flame.width, 800},
        {"flame|--min-width|2|", &p.cli.flame.min_width, 2},
    };
    for (size_t i = 0; i < FST_COUNT_OF(numbers); i++) {
        parse(&p, numbers[i].line);
        REQUIRE(p.code == 0 && *numbers[i].field == numbers[i].value, "%s: %g", numbers[i].line,
                *numbers[i].field);
    }
}

static void switches_and_texts_set_their_field(void **state)
{
    (void)state;
    struct parsed p;
    parse(&p, "--strict|--leaf-first|--keep-going|-q|--force|-n|7|--all|--errors|0|--ties|name|--"
              "no-normalize|"
              "--label|GIL|--files0-from|-|");
    assert_int_equal(p.code, 0);
    assert_true(p.cli.read.strict && p.cli.read.leaf_first && p.cli.keep_going && p.cli.quiet);
    assert_true(p.cli.read.force);
    assert_true(p.cli.all_rows && p.cli.read.errors_given && p.cli.ties_given);
    parse(&p, "--all|-n|7|");
    assert_true(!p.cli.all_rows && p.cli.rows == 7); /* the last one counts */
    parse(&p, "--label|GIL|--files0-from|-|");
    assert_string_equal(p.cli.render.label, "GIL");
    assert_string_equal(p.cli.files0_from, "-");
    assert_int_equal(p.cli.nfiles, 0);
}

static void switches_of_commands_set_their_field(void **state)
{
    (void)state;
    static struct parsed p;
    parse(&p, "diff|a|--vs|b|c|--exit-code|--paths|7|--no-normalize|--by|file|");
    assert_true(p.code == 0 && p.cli.vs_given && p.cli.exit_code && p.cli.normalize_given);
    assert_true(p.cli.vs == 1 && p.cli.nfiles == 3 && p.cli.diff.paths == 7 && p.cli.by_given);
    parse(&p, "check|a|b|--budget|f|--max-self|x=5%|--max-increase|2pp|");
    assert_true(p.code == 0 && p.cli.nbudgets == 2);
    assert_string_equal(p.cli.budget_file, "f");
    parse(&p, "merge|--tag|a=b|--tag|c=d|--header|--sorted|-o|out|--max-memory|2K|");
    assert_true(p.code == 0 && p.cli.ntags == 2 && p.cli.header && p.cli.sorted);
    assert_true(p.cli.profile.max_memory == 2048);
    assert_string_equal(p.cli.output, "out");
    parse(&p, "convert|--to|pprof|--threads|frames|--max-samples|9|--idle|exclude|");
    assert_true(p.code == 0 && p.cli.to_given && p.cli.threads_are_frames);
    assert_true(p.cli.list.most == 9 && p.cli.selection.no_idle);
    parse(&p, "convert|--to|pprof|--threads|labels|--idle|include|--focus|f|--width|0|");
    assert_true(p.code == 2 && !p.cli.threads_are_frames && !p.cli.selection.no_idle);
    parse(&p, "flame|--diff|base|--title|t|--reverse|--width|800|");
    assert_true(p.code == 0 && p.cli.tree.reverse && p.cli.picture.fixed && !p.cli.width_given);
    assert_string_equal(p.cli.base, "base");
    assert_string_equal(p.cli.picture.title, "t");
    parse(&p, "--no-total|--width|0|--jobs|3|--fold-recursion|--strip-annotations|--categories|c|");
    assert_true(p.code == 0 && p.cli.profile.no_totals && p.cli.width_given && p.cli.width == 0);
    assert_true(p.cli.read.jobs == 3 && p.cli.selection.fold_recursion);
    assert_true(p.cli.selection.strip_annotations);
    assert_string_equal(p.cli.categories, "c");
}

/* A pattern's field by its option. */
static void patterns_set_their_field_and_come_once(void **state)
{
    (void)state;
    static struct parsed p;
    const struct {
        const char *name;
        const struct fst_str *field;
    } rows[] = {
        {"focus", &p.cli.selection.focus},         {"ignore", &p.cli.selection.ignore},
        {"hide", &p.cli.selection.hide},           {"show", &p.cli.selection.show},
        {"show-from", &p.cli.selection.show_from}, {"prune-from", &p.cli.selection.prune_from},
        {"thread", &p.cli.selection.thread},       {"process", &p.cli.selection.process},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        char line[MOST_TEXT];
        (void)snprintf(line, sizeof line, "--%s|%s|", rows[i].name, rows[i].name);
        parse(&p, line);
        REQUIRE(p.code == 0, "%s: %s", line, p.message);
        require_text(i, *rows[i].field, rows[i].name);
        (void)snprintf(line, sizeof line, "--%s|a|--%s|b|", rows[i].name, rows[i].name);
        parse(&p, line);
        REQUIRE(p.code == 2 && strstr(p.message, "given twice") != NULL, "%s", line);
    }
}

static void commands_have_options_of_their_own(void **state)
{
    (void)state;
    static struct parsed p;
    parse(&p,
          "--gil-rate|49|gil|--all-ticks=7|g|--idle-errors|0|--rate|9|a|--idle|i|--processes|3|");
    assert_int_equal(p.code, 0);
    assert_string_equal(p.cli.command->name, "gil");
    assert_true(p.cli.sides[0].rate == 49 && p.cli.sides[1].ticks == 7);
    assert_true(p.cli.sides[2].errors_given && !p.cli.sides[0].errors_given);
    assert_true(p.cli.read.rate == 9 && p.cli.processes == 3);
    assert_true(p.cli.sides[1].rate == 0 && p.cli.top.ticks == 0);
    assert_string_equal(p.cli.idle, "i");
    assert_int_equal(p.cli.nfiles, 2);
    assert_string_equal(p.cli.files[0], "g");
    static const struct {
        const char *line;
        const char *command;
        int action;
    } rows[] = {
        {"a|", "top", FST_RUN},
        {"top|gil|", "top", FST_RUN}, /* a file of that name */
        {"a|gil|", "top", FST_RUN},
        {"--|gil|", "top", FST_RUN},
        {"gil|", "gil", FST_RUN},
        {"gil|--help|", "gil", FST_SHOW_LONG_HELP},
        {"-h|gil|", "gil", FST_SHOW_SHORT_HELP},
        {"help|gil|", "gil", FST_SHOW_LONG_HELP},
        {"help|top|", "top", FST_SHOW_LONG_HELP},
        {"help|help|", "top", FST_SHOW_LONG_HELP},
        {"gil|--explain|", "gil", FST_SHOW_EXPLANATION},
        {"completion|zsh|", "top", FST_SHOW_COMPLETION},
        {"help|completion|", "top", FST_SHOW_COMPLETION_HELP},
        {"completion|-h|", "top", FST_SHOW_COMPLETION_HELP},
        {"--|completion|", "top", FST_RUN},
        {"gil|--gil-dur|3|a|", "gil", FST_RUN}, /* short for --gil-duration */
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        parse(&p, rows[i].line);
        REQUIRE(p.code == 0 && (int)p.cli.action == rows[i].action, "%s: %d", rows[i].line, p.code);
        assert_string_equal(p.cli.command->name, rows[i].command);
    }
}

static void operands_stand_anywhere_and_keep_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *files; /* each followed by '|' */
    } rows[] = {
        {"a.raw|b.raw|", "a.raw|b.raw|"},
        {"a.raw|-q|b.raw|-n|3|c.raw|", "a.raw|b.raw|c.raw|"},
        {"top|a.raw|", "a.raw|"},
        {"-q|top|a.raw|", "a.raw|"},
        {"top|top|", "top|"},
        {"a.raw|top|", "a.raw|top|"},
        {"-|", "-|"},
        {"a.raw|--|-q|--strict|", "a.raw|-q|--strict|"},
        {"--|top|", "top|"}, /* behind "--" there are only files */
        {"top|--|help|", "help|"},
        {"no-such-file|", "no-such-file|"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct parsed p;
        struct fst_buf files = {0};
        parse(&p, rows[i].line);
        REQUIRE(p.code == 0 && p.cli.action == FST_RUN, "%s: %d", rows[i].line, p.code);
        for (size_t k = 0; k < p.cli.nfiles; k++) {
            fst_buf_add_fmt(&files, "%s|", p.cli.files[k]);
        }
        require_text(i, fst_buf_str(&files), rows[i].files);
        fst_buf_release(&files);
    }
}

static void mistakes_are_told_and_cost_exit_2(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        const char *message; /* a part of it */
    } rows[] = {
        {"--nonsense|", "foldstat: --nonsense: unknown option"},
        {"--fromat|json|", "--fromat: unknown option; did you mean --format?"},
        {"--r|", "--r: ambiguous option"},
        {"--strict=yes|", "--strict: this option takes no value"},
        {"-Z|", "-Z: unknown option"},
        {"--strict|-qZ|", "-Z: unknown option"},
        {"--strict|-Zq|", "-Z: unknown option"}, /* in front of others, behind a long one */
        {"a.raw|-Zq|", "-Z: unknown option"},
        {"-\xff|", "-\\xff: unknown option"},
        {"--rate|", "--rate: this option needs a value"},
        {"-n|", "-n: this option needs a value"},
        {"--strict|-qn|", "-n: this option needs a value"},
        {"--by|farme|", "did you mean frame?"},
        {"--by|\x1b[31m|", "\\x1b[31m"},
        {"--sort|size|", "--sort: expected self, total or name, found \"size\""},
        {"--ties|last|", "--ties: expected name or first"},
        {"--format|xml|", "--format: expected "},
        {"--dialect|perl|", "--dialect: expected "},
        {"--percent-of|none|", "--percent-of: expected "},
        {"--column|3|", "--column: expected 1 or 2"},
        {"--root|first|", "--root: expected "},
        {"tree|--by|thread|", "file or module (foldstat top has thread), found \"thread\""},
        {"tree|--by|file,line|", "tree: rows within rows are of foldstat top and gil alone"},
        {"diff|--vs|a|--vs|b|", "--vs: given twice"},
        {"merge|--tag|a|", "--tag: expected key=value"},
        {"--root|4294967296|", "--root: expected "},
        {"--root|99999999999999999999999|", "--root: expected "},
        {"-n|0|", "-n: expected a whole number"},
        {"-n|-5|", "-n: expected "},
        {"--rows=|", "--rows: expected "},
        {"-r|0|", "-r: expected a number"},
        {"-r|-49|", "-r: expected "},
        {"-r|nan|", "-r: expected "},
        {"-qr|x|", "-r: expected "},
        {"--rat=x|", "--rate: expected "},
        {"gil|--all-dur|x|", "--all-duration: expected "},
        {"-r|49Hz|", "found \"49Hz\""},
        {"--ticks|1e400|", "--ticks: expected "},
        {"--ticks|0|", "--ticks: expected "},
        {"--errors|-1|", "--errors: expected a whole number"},
        {"--design-effect|0|", "--design-effect: expected "},
        {"tpo|", "tpo: neither a file nor a command; did you mean foldstat top?"},
        {"help|tpo|", "help: no command tpo; did you mean top?"},
        {"gil|--gil-rate|x|", "--gil-rate: expected a number"},
        {"gil|--root|3|a|", "--root: no option of gil; foldstat top has it"},
        {"--idle-rate|3|a|", "--idle-rate: no option of top; foldstat gil has it"},
        {"gil|--gil-raet|3|", "did you mean --gil-rate?"},
        {"--gil-raet|3|a|", "did you mean --gil-rate of foldstat gil?"},
        {"gil|--gil|3|", "--gil: ambiguous option; foldstat gil --help lists them"},
        {"gil|--processes|0|", "--processes: expected a number from 1"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct parsed p;
        parse(&p, rows[i].line);
        REQUIRE(p.code == 2, "%s: %d", rows[i].line, p.code);
        REQUIRE(strstr(p.message, rows[i].message) != NULL, "%s: %s", rows[i].line, p.message);
        REQUIRE(strncmp(p.message, "foldstat: ", 10) == 0, "%s: %s", rows[i].line, p.message);
        REQUIRE(strchr(p.message, '\n') == p.message + strlen(p.message) - 1, "%s: one line",
                rows[i].line);
    }
}

static void an_option_is_called_by_the_letter_that_was_given(void **state)
{
    (void)state;
    size_t refused = 0;
    for (size_t i = 0; i < fst_option_count; i++) {
        const struct fst_option *option = &fst_options[i];
        struct parsed p;
        char line[32];
        char called[8];
        if (option->letter == 0 || option->argument == NULL ||
            strcmp(option->argument, "FILE") == 0) {
            continue; /* no value of it is wrong */
        }
        (void)snprintf(line, sizeof line, "-%c|none|", option->letter);
        (void)snprintf(called, sizeof called, "-%c: ", option->letter);
        parse(&p, line);
        REQUIRE(p.code == 2, "%s: %d", line, p.code);
        REQUIRE(strstr(p.message, called) != NULL, "%s: %s", line, p.message);
        REQUIRE(strstr(p.message, option->name) == NULL, "%s: %s", line, p.message);
        refused++;
    }
    assert_true(refused >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_everything_is_default),
        cmocka_unit_test(words_and_numbers_set_their_field),
        cmocka_unit_test(switches_and_texts_set_their_field),
        cmocka_unit_test(switches_of_commands_set_their_field),
        cmocka_unit_test(patterns_set_their_field_and_come_once),
        cmocka_unit_test(commands_have_options_of_their_own),
        cmocka_unit_test(operands_stand_anywhere_and_keep_their_order),
        cmocka_unit_test(mistakes_are_told_and_cost_exit_2),
        cmocka_unit_test(an_option_is_called_by_the_letter_that_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
