/* Takes the paragraph macros that have no paragraph out of what scdoc writes, so that mandoc's checks find
 * nothing: those right behind a heading, and those before another macro that begins or ends something.
 *
 *     tidy <page-of-scdoc >page.1 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const char *line, const char *macro)
{
    return strncmp(line, macro, strlen(macro)) == 0;
}

static bool is_heading(const char *line)
{
    return begins(line, ".SH") || begins(line, ".SS");
}

static bool is_boundary(const char *line)
{
    return is_heading(line) || begins(line, ".P") || begins(line, ".RE") || begins(line, ".RS");
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    bool after_heading = false;
    bool held = false; /* a .P that waits for the line behind it */
    while (getline(&line, &room, stdin) != -1) {
        if (held && !is_boundary(line)) {
            (void)fputs(".P\n", stdout);
        }
        held = begins(line, ".P") && !after_heading;
        if (!begins(line, ".P")) {
            (void)fputs(line, stdout);
            after_heading = is_heading(line);
        }
    }
    free(line);
    return fflush(stdout) == 0 ? 0 : 2;
}
