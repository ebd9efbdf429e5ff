/* Says how much of the time the Python GIL was held, from two recordings of one process.
 *
 *     $ gil fixtures/dflash/gil.raw 1469 fixtures/dflash/all.raw 4454
 *     held 12.1 % of the time (10.5-13.9 %), 4.2 threads active: native work without the GIL */
#include <stdio.h>
#include <stdlib.h>

#include <foldstat.h>

/* Both recordings are read with the same options; ticks are the sampling ticks of this one. */
static enum fst_status load(const char *path, const char *ticks, struct fst_profile **out,
                            struct fst_error *err)
{
    const struct fst_profile_options options = {.by = FST_BY_FUNCTION, .threads = true};
    const struct fst_read_options read = {.ticks = strtod(ticks, NULL)};
    enum fst_status status = fst_profile_new(&options, out, err);
    return status == FST_OK ? fst_profile_read_path(*out, path, &read, err) : status;
}

static void print_figures(const struct fst_gil *gil)
{
    printf("held %.1f %% of the time (%.1f-%.1f %%), %.1f threads active: %s\n",
           100 * gil->whole.occupancy, 100 * gil->whole.occupancy_ci.lo,
           100 * gil->whole.occupancy_ci.hi, gil->whole.active_threads,
           fst_gil_verdict_name(gil->verdict));
}

int main(int argc, char **argv)
{
    const struct fst_gil_options options = {0};
    struct fst_profile *held = NULL;
    struct fst_profile *active = NULL;
    struct fst_gil *gil = NULL;
    struct fst_error err;

    if (argc != 5) {
        fprintf(stderr, "usage: gil GIL TICKS ALL TICKS\n");
        return 2;
    }
    enum fst_status status = load(argv[1], argv[2], &held, &err);
    if (status == FST_OK) {
        status = load(argv[3], argv[4], &active, &err);
    }
    if (status == FST_OK) {
        status = fst_gil_new(held, active, NULL, &options, &gil, &err);
    }
    if (status == FST_OK) {
        print_figures(gil);
    } else {
        fprintf(stderr, "gil: %s\n", err.message);
    }
    fst_gil_free(gil);
    fst_profile_free(active);
    fst_profile_free(held);
    return status == FST_OK ? 0 : 1;
}
