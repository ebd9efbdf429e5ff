#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/compat.h"

static size_t width_from_environment(void)
{
    const char *columns = getenv("COLUMNS"); // NOLINT(concurrency-mt-unsafe)
    if (columns == NULL || columns[0] < '0' || columns[0] > '9') {
        return 0;
    }
    char *end;
    unsigned long width = strtoul(columns, &end, 10);
    return *end == '\0' && width < 1000000 ? width : 0;
}

size_t fst_terminal_width(int fd)
{
    size_t width = width_from_environment();
    struct winsize size;
    if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) {
        width = size.ws_col;
    }
    return width;
}

bool fst_terminal_moves(const char *term)
{
    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

/* no-color.org: NO_COLOR counts when it is set and not empty. */
static bool wants_colour(const struct fst_cli *cli, bool terminal)
{
    if (cli->colour != FST_COLOUR_AUTO) {
        return cli->colour == FST_COLOUR_ALWAYS;
    }
    const char *no_color = getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe)
    const char *term = getenv("TERM");         // NOLINT(concurrency-mt-unsafe)
    return terminal && (no_color == NULL || no_color[0] == '\0') && fst_terminal_moves(term);
}

/* Whether the characters of the locale are UTF-8: by its name, as a program that is linked statically
 * may know no locales. The first of these that is set and not empty decides. */
static bool knows_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < FST_COUNT_OF(variables); i++) {
        const char *locale = getenv(variables[i]); // NOLINT(concurrency-mt-unsafe)
        if (locale != NULL && locale[0] != '\0') {
            return strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL;
        }
    }
    return false;
}

struct fst_render_options fst_terminal_options(const struct fst_cli *cli)
{
    struct fst_render_options options = cli->render;
    options.terminal = isatty(STDOUT_FILENO);
    options.colour = wants_colour(cli, options.terminal);
    options.width = cli->width;
    options.ascii = !knows_utf8();
    if (!cli->width_given && options.terminal) {
        options.width = fst_terminal_width(STDOUT_FILENO);
    }
    return options;
}
