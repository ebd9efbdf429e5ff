/* Lines that a profiler prints about itself and that end up in its output file
 * (`py-spy record -o /dev/stdout`, `2>&1`), and metadata comments. */
#ifndef FST_PARSE_LOGLINE_H
#define FST_PARSE_LOGLINE_H

#include "base/buf.h"

/* Figures of a recording as one kind of line gives them; NaN where it says nothing. */
struct fst_claims {
    double rate;     /* Hz */
    double duration; /* seconds */
    double errors;   /* ticks that failed */
    double samples;  /* sum of all counts */
};

/* Austin's mode. */
enum fst_mode { FST_MODE_UNKNOWN, FST_MODE_WALL, FST_MODE_CPU, FST_MODE_MEMORY, FST_MODE_FULL };

/* What the text of a recording says of it. */
struct fst_recording {
    struct fst_claims comments; /* these go before what messages say, wherever they stand */
    struct fst_claims messages;
    double ticks;       /* effective sampling ticks, from a comment; NaN: unknown */
    bool stopped_early; /* interrupted, or the process ended: the messages' duration is wrong */
    bool fell_behind;   /* could not keep up with its rate */
    enum fst_mode mode;
    bool unit_told; /* a comment says what is counted: */
    enum fst_unit unit;
    bool microseconds;      /* comments give interval and duration in µs (Austin's header) */
    struct fst_buf partial; /* lines of partial sums (model/partial.h), each with a newline */
};

/* How the lines of a partial sum begin: the one that says what it is of, and those of frames. */
#define FST_PARTIAL_HEAD  FST_STR("# foldstat partial ")
#define FST_PARTIAL_FRAME FST_STR("# foldstat frame\t")

static inline bool fst_is_partial_line(struct fst_str line)
{
    return fst_str_starts(line, FST_PARTIAL_HEAD) || fst_str_starts(line, FST_PARTIAL_FRAME);
}

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
    default: return fst_is_digit(line.data[0]) && fst_is_log_line_slow(line);
    }
}

/* Takes what a message says. */
void fst_recording_take_log(struct fst_recording *recording, struct fst_str line);

/* Takes what a comment line ("# rate: 49") says: rate, duration, ticks, errors, samples, unit, and
 * Austin's austin, interval and duration. Other comments are left alone. */
void fst_recording_take_comment(struct fst_recording *recording, struct fst_str line);

#endif
