/* Lines that a profiler prints about itself and that end up in its output file
 * (`py-spy record -o /dev/stdout`, `2>&1`), and metadata comments. */
#ifndef FST_PARSE_LOGLINE_H
#define FST_PARSE_LOGLINE_H

#include "base/str.h"

/* What the text of a recording says of it; NaN where it says nothing. */
struct fst_recording {
    double rate;         /* Hz */
    double duration;     /* seconds */
    double ticks;        /* effective sampling ticks */
    double errors;       /* ticks that failed */
    double samples_said; /* sum of all counts */
    bool stopped_early;  /* interrupted, or the process ended: the planned duration is wrong */
    bool fell_behind;    /* could not keep up with its rate */
    bool microseconds;   /* interval and duration are in µs (Austin's header) */
};

void fst_recording_init(struct fst_recording *recording);

bool fst_is_log_line_slow(struct fst_str line);

/* Whether line, which is not empty, is a message of py-spy and no stack. */
static inline bool fst_is_log_line(struct fst_str line)
{
    switch (line.data[0]) {
    case 'p':
    case 'S':
    case 'W':
    case 'V':
    case 'Y':
    case '\x1b': return fst_is_log_line_slow(line);
    default: return false;
    }
}

/* Takes what a message says. */
void fst_recording_take_log(struct fst_recording *recording, struct fst_str line);

/* Takes what a comment line ("# rate: 49") says: rate, duration, ticks, errors, samples, and
 * Austin's austin, interval and duration. Other comments are left alone. */
void fst_recording_take_comment(struct fst_recording *recording, struct fst_str line);

#endif
