#include "analysis/recording.h"

#include <math.h>

#include "base/error.h"

double fst_recording_ticks(const struct fst_profile *profile)
{
    double sum = 0;
    size_t read = 0;
    for (size_t i = 0; i < profile->ninputs; i++) {
        if (profile->inputs[i].status == FST_OK) {
            sum += profile->inputs[i].ticks;
            read++;
        }
    }
    return read > 0 ? sum : NAN;
}

/* How to record what is asked for, where the profiler is known to have a way. */
static const char *advice_on_threads(enum fst_dialect dialect)
{
    switch (dialect) {
    case FST_DIALECT_PYSPY:
    case FST_DIALECT_GENERIC: return "; record with: py-spy record --threads";
    case FST_DIALECT_ASYNC: return "; record with: asprof -t";
    case FST_DIALECT_PERF: return "; fold with: stackcollapse-perf.pl --tid";
    default: return "";
    }
}

static const char *advice_on_processes(enum fst_dialect dialect)
{
    return dialect == FST_DIALECT_PYSPY || dialect == FST_DIALECT_GENERIC
               ? "; record with: py-spy record --subprocesses"
               : "";
}

enum fst_status fst_recording_check(const struct fst_profile *p, struct fst_error *err)
{
    bool threads = p->options.by == FST_BY_THREAD || p->options.root == FST_ROOT_THREAD;
    bool processes = p->options.by == FST_BY_PROCESS || p->options.root == FST_ROOT_PROCESS;
    enum fst_dialect dialect = FST_DIALECT_GENERIC;
    for (size_t i = 0; i < p->ninputs; i++) {
        if (p->inputs[i].stack_lines > 0) {
            dialect = p->inputs[i].dialect;
        }
    }
    if (threads && p->samples > 0 && p->named_threads == 0) {
        return fst_error_set(err, FST_ERR_NO_DATA, "no stack names its thread%s",
                             advice_on_threads(dialect));
    }
    if (processes && p->samples > 0 && p->named_processes == 0) {
        return fst_error_set(err, FST_ERR_NO_DATA, "no stack names its process%s",
                             advice_on_processes(dialect));
    }
    return FST_OK;
}
