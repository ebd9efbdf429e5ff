#include "io/cores.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned by_affinity(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}

/* Reads the first line of a small file; false if it cannot be read. */
static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    bool read = fgets(line, size, file) != NULL;
    (void)fclose(file);
    return read;
}

/* "QUOTA PERIOD" in microseconds, of which QUOTA may be a word or negative: no limit. */
static bool read_limit(const char *text, double *limit)
{
    char *behind;
    char *end;
    double quota = strtod(text, &behind);
    double period = strtod(behind, &end);
    if (behind == text || end == behind || !(quota > 0) || !(period > 0)) {
        return false;
    }
    *limit = quota / period;
    return true;
}

static bool find_limit(double *limit)
{
    enum { LINE = 64 };
    char text[2 * LINE];
    if (read_line("/sys/fs/cgroup/cpu.max", text, LINE)) {
        return read_limit(text, limit);
    }
    if (!read_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text, LINE)) {
        return false;
    }
    size_t len = strcspn(text, "\n");
    text[len] = ' ';
    return read_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", text + len + 1, LINE) &&
           read_limit(text, limit);
}

unsigned fst_cores_usable(void)
{
    unsigned cores = by_affinity();
    double limit;
    if (find_limit(&limit)) {
        unsigned granted = limit < 1 ? 1 : (unsigned)limit;
        cores = granted < cores ? granted : cores;
    }
    return cores;
}

unsigned fst_cores_by_default(void)
{
    enum { MOST = 4 };
    unsigned cores = fst_cores_usable();
    return cores < MOST ? cores : MOST;
}
