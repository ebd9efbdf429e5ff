#include "io/cores.h"

#include <sched.h>
#include <stdio.h>

static unsigned by_affinity(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (unsigned)count : 1;
}

/* Reads two numbers of microseconds, a quota and a period; false where there is no limit. */
static int read_limit(const char *quota_path, const char *period_path, double *limit)
{
    double quota = 0;
    double period = 0;
    FILE *file = fopen(quota_path, "re");
    if (file == NULL) {
        return 0;
    }
    int got = fscanf(file, "%lf %lf", &quota, &period);
    (void)fclose(file);
    if (got == 1 && period_path != NULL && (file = fopen(period_path, "re")) != NULL) {
        got += fscanf(file, "%lf", &period);
        (void)fclose(file);
    }
    if (got != 2 || quota <= 0 || period <= 0) {
        return 0;
    }
    *limit = quota / period;
    return 1;
}

unsigned fst_cores_usable(void)
{
    unsigned cores = by_affinity();
    double limit;
    if (read_limit("/sys/fs/cgroup/cpu.max", NULL, &limit) ||
        read_limit("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
                   &limit)) {
        unsigned granted = limit < 1 ? 1 : (unsigned)limit;
        cores = granted < cores ? granted : cores;
    }
    return cores;
}
