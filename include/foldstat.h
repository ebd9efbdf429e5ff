/* foldstat: read collapsed ("folded") stack profiles and report on them.
 *
 * The path of data, and the order of this page:
 *
 *     bytes -> reader -> profile -> result -> rendering
 *
 *     struct fst_profile *profile;
 *     struct fst_top *top;
 *     struct fst_error err;
 *     fst_profile_new(&(struct fst_profile_options){0}, &profile, &err);
 *     fst_profile_read_path(profile, "gil.raw", &(struct fst_read_options){0}, &err);
 *     fst_top_new(profile, &(struct fst_top_options){0}, &top, &err);
 *     fst_render_top(top, profile, FST_FORMAT_TABLE, &(struct fst_render_options){0}, write, ctx,
 *                    &err);
 *     fst_top_free(top);
 *     fst_profile_free(profile);
 *
 * Manners
 * - Functions that can fail return enum fst_status and take a struct fst_error last, which the
 *   caller owns and which may be NULL. Results go out through pointers and are set only on FST_OK.
 * - The library never prints, exits or aborts, and changes no locale, signal or environment.
 * - Handles are opaque, made by a _new function and given back to the _free function of the same noun,
 *   which takes NULL. What borrows from a handle is freed before it: results before their profile,
 *   profiles before their selection.
 * - Text is pointer and length, any bytes, not NUL-terminated. Unless a comment says otherwise it
 *   is borrowed and lives as long as the handle it came from.
 * - Option structs may be zero-initialised: every zero is the default.
 * - Figures that are not known are NaN; shares are 0 to 1, times seconds, rates Hz, sizes bytes.
 * - Threads: there are no mutable globals. Distinct handles may be used from distinct threads at the same
 *   time; one handle belongs to one thread at a time, and may be handed on. A selection
 *   never changes and may be shared. Reading a large file starts threads of the library's own, which have
 *   ended when it returns.
 * - Versions: FST_VERSION is that of this page, fst_version() that of the library that is linked. Before
 *   1.0 a new minor version (0.x) may change anything, and a patch (0.x.y) nothing that is said here;
 *   from 1.0 on a minor version only adds. Members are added at the end of option structs and meanings
 *   of zero stay, so that a program that names its members compiles again unchanged.
 *
 * docs/examples has a program for each of: memory, pieces, two recordings, a write function.
 */
#ifndef FOLDSTAT_H
#define FOLDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FST_VERSION "0.1.0"

/* The version of the library that is linked, as text ("0.1.0"); static. */
const char *fst_version(void);

/* ------------------------------------------------------------------ errors and plain types -- */

enum fst_status {
    FST_OK = 0,
    FST_ERR_NOMEM,   /* an allocation failed */
    FST_ERR_IO,      /* the system refused to open, read or write; see sys_errno */
    FST_ERR_CORRUPT, /* compressed data is truncated or damaged */
    FST_ERR_FORMAT,  /* the input is no collapsed profile, or a kind that is not read */
    FST_ERR_STRICT,  /* a bad line, where strict reading was asked for */
    FST_ERR_RANGE,   /* a sum of counts does not fit; line says where */
    FST_ERR_NO_DATA, /* the profile does not hold what was asked for (threads, processes) */
    FST_ERR_USAGE    /* options that contradict each other or are out of range */
};

struct fst_error {
    enum fst_status code;
    int sys_errno;     /* for FST_ERR_IO; else 0 */
    uint64_t line;     /* 1-based line of the input; 0 where none is meant */
    char message[512]; /* lower case, no full stop, NUL-terminated; without the input's name */
};

/* Borrowed bytes. data may be NULL only where len is 0. */
struct fst_str {
    const char *data;
    size_t len;
};

/* An exact count: a two's complement 128-bit integer (hi, lo) in units of 10^-12 samples. */
struct fst_count {
    uint64_t lo;
    int64_t hi;
};

/* The nearest double to a count; exact sums stay in struct fst_count. */
double fst_count_value(struct fst_count count);

/* The exact decimal text of a count, NUL-terminated; returns its length (at most 47). */
size_t fst_count_text(struct fst_count count, char out[48]);

/* A 95 % interval of a share, 0 to 1; both NaN where counts are no samples. */
struct fst_interval {
    double lo;
    double hi;
};

/* ------------------------------------------------------------------------------- profiles -- */

/* What a row of the leaf table is. */
enum fst_by {
    FST_BY_FRAME = 0, /* the frame as written */
    FST_BY_FUNCTION,  /* "name (file)": a function's lines are one row */
    FST_BY_LINE,      /* "file:line" */
    FST_BY_FILE,
    FST_BY_THREAD,   /* the stack's thread frame as written, or "[no thread]" */
    FST_BY_PROCESS,  /* the stack's innermost process frame as written, or "[no process]" */
    FST_BY_MODULE,   /* the package, library or crate that the frame belongs to: docs/NAMES.md */
    FST_BY_CATEGORY, /* what the stack was doing: docs/CATEGORIES.md */
    FST_BY_STACK     /* all frames of the stack, with semicolons between them */
};

/* What a stack's root is. */
enum fst_root {
    FST_ROOT_AUTO = 0, /* the first frame that tells something, grouped by function */
    FST_ROOT_INDEX,    /* the frame of that index, or the first where there are not that many */
    FST_ROOT_THREAD,
    FST_ROOT_PROCESS
};

/* The dialect of a text; FST_DIALECT_AUTO tells it from the first lines. */
enum fst_dialect {
    FST_DIALECT_AUTO = 0,
    FST_DIALECT_PYSPY,
    FST_DIALECT_AUSTIN,
    FST_DIALECT_CPYTHON, /* the sampling profiler of Python 3.15 */
    FST_DIALECT_PERF,    /* perf by stackcollapse-perf or inferno; bcc */
    FST_DIALECT_ASYNC,   /* async-profiler */
    FST_DIALECT_GPROFILER,
    FST_DIALECT_RBSPY,
    FST_DIALECT_TORCH,     /* torch.profiler's export_stacks */
    FST_DIALECT_TWO_COUNT, /* difffolded.pl: two counts a line */
    FST_DIALECT_GENERIC
};

/* "py-spy", "generic", …, "auto"; static. */
const char *fst_dialect_name(enum fst_dialect dialect);

/* What counts count. */
enum fst_unit {
    FST_UNIT_SAMPLES = 0,
    FST_UNIT_MICROSECONDS,
    FST_UNIT_BYTES,
    FST_UNIT_COUNTS /* of something else: see counted of struct fst_input */
};

/* "samples", "µs", "bytes", "counts"; static. */
const char *fst_unit_name(enum fst_unit unit);

/* Which of several counts is taken, where Austin's lines carry time, idleness and memory. */
enum fst_metric {
    FST_METRIC_ANY = 0, /* the only one, or time */
    FST_METRIC_TIME,
    FST_METRIC_CPU, /* time that was not idle */
    FST_METRIC_MEMORY
};

/* Which stacks count, which of their frames, and what those are called: docs/NAMES.md. Texts are
 * borrowed during the call only; one without data is not given. A selection never changes, and
 * threads may share it. */
struct fst_selection_options {
    struct fst_str thread; /* patterns (PCRE2) */
    struct fst_str process;
    struct fst_str focus;
    struct fst_str ignore;
    struct fst_str hide;
    struct fst_str show;
    struct fst_str show_from;
    struct fst_str prune_from;
    bool fold_recursion;            /* of frames right behind themselves one stays */
    bool strip_annotations;         /* names lose "_[k]" and its kin */
    bool normalize;                 /* generated names get one name */
    bool no_idle;                   /* stacks that wait for work are dropped */
    bool categorize;                /* for FST_BY_CATEGORY: */
    struct fst_str categories;      /* the rules; not given: the built-in ones */
    const struct fst_str *rewrites; /* s/PATTERN/TEXT/, applied one after the other */
    size_t nrewrites;
};

/* What of the options is wrong, and where. */
struct fst_selection_fault {
    const char *option;  /* "focus", "rewrite", "categories", …; static */
    struct fst_str text; /* the pattern, or the line of the categories: in the caller's text */
    size_t mark;         /* the byte of it at which the mistake shows; at most its length */
    uint64_t line;       /* of the categories, 1-based; else 0 */
};

struct fst_selection;

/* Errors: USAGE, with *fault filled in (unless NULL) where a pattern or a rule is bad; NOMEM. */
enum fst_status fst_selection_new(const struct fst_selection_options *options,
                                  struct fst_selection **out, struct fst_selection_fault *fault,
                                  struct fst_error *err);

/* NULL is fine. Profiles that were made with it must be freed first. */
void fst_selection_free(struct fst_selection *selection);

struct fst_profile_options {
    enum fst_by by;
    bool nested;                           /* rows within rows: */
    enum fst_by inner;                     /* what they are */
    const struct fst_selection *selection; /* borrowed; NULL: everything as it is written */
    enum fst_root root;
    uint32_t root_index; /* for FST_ROOT_INDEX: 0 is the outermost frame */
    bool no_totals;      /* leaves and roots alone are asked for: totals of rows mean nothing, and
                            inner frames are hardly looked at, which is several times as fast */
    uint64_t max_memory; /* bytes that tables and buffers may take, else FST_ERR_NOMEM with a
                            message that says so; 0: as many as there are */
    bool threads;        /* also keep sums by thread and of lock waits, for fst_gil_new */
    uint64_t seed;       /* of the hash; 0 takes a random one. Results do not depend on it */
};

/* Names and counters of one or more inputs. Memory grows with the number of distinct frames, not
 * with the size of the inputs; with FST_BY_STACK in the number of distinct stacks. */
struct fst_profile;

/* A new empty profile, to be freed with fst_profile_free. Errors: USAGE where rows are categories
 * and the selection has none, or rows and the rows within them are the same; NOMEM. */
enum fst_status fst_profile_new(const struct fst_profile_options *options, struct fst_profile **out,
                                struct fst_error *err);

/* NULL is fine. */
void fst_profile_free(struct fst_profile *profile);

/* Adds the samples and inputs of from to into. Both must have been made with the same options
 * (but for the seed; the selection is the same one) and hold counts of the same unit, else
 * FST_ERR_USAGE. from is left unchanged. On failure into is unusable but for fst_profile_free. */
enum fst_status fst_profile_merge(struct fst_profile *into, const struct fst_profile *from,
                                  struct fst_error *err);

/* The sum of the counts that were kept; it may be negative. */
struct fst_count fst_profile_total(const struct fst_profile *profile);

/* -------------------------------------------------------------------------------- reading -- */

/* Zero in a double of this struct means "not given". */
struct fst_read_options {
    enum fst_dialect dialect; /* FST_DIALECT_AUTO: told from the text */
    enum fst_metric metric;   /* USAGE if the text has no such count */
    int column;               /* of two counts: 1 or 2; 0 takes the second */
    bool force;               /* add counts of another unit than the profile's */
    bool leaf_first;          /* the text has the leaf first and the root last */
    bool strict;              /* a bad line is FST_ERR_STRICT */
    unsigned jobs;            /* threads that read one input; 0: as many as there are usable cores,
                                 where the input is large enough. Results do not depend on it */
    double rate;              /* sampling rate in Hz; overrides what the text says */
    double duration;          /* of the recording in seconds; overrides likewise */
    double ticks;             /* effective sampling ticks; overrides rate, duration and errors */
    double errors;            /* ticks that the profiler lost; see errors_given */
    bool errors_given;        /* errors counts although it may be 0 */
    /* Called now and then while a file is read, with the bytes taken so far from the file itself
     * (compressed ones, if it is) and its size (0: unknown); never twice at once, but perhaps on
     * another thread. NULL: not called. */
    void (*progress)(void *ctx, uint64_t done, uint64_t size);
    void *progress_ctx;
};

enum fst_bad_reason {
    FST_BAD_NO_COUNT,    /* the line does not end in a count */
    FST_BAD_COUNT_RANGE, /* the count does not fit: beyond 1.7 * 10^26 */
    FST_BAD_QUOTE,       /* no count, and the quote of a process frame never closes */
    FST_BAD_COLUMNS,     /* fewer counts than the dialect has */
    FST_BAD_REASONS      /* how many there are */
};

/* The sentence for a reason, without the text that was found ("expected a sample count"). */
const char *fst_bad_reason_text(enum fst_bad_reason reason);

/* A line that was skipped. */
struct fst_bad_line {
    enum fst_bad_reason reason;
    uint64_t line;       /* 1-based */
    uint64_t column;     /* 1-based, in bytes: where the token stands that should be a count */
    struct fst_str text; /* the line, or where it is long the part around the token */
    size_t mark;         /* offset of the token in text */
    size_t mark_len;     /* bytes of the token that are in text */
    bool cut_before;     /* text does not begin where the line does */
    bool cut_after;      /* text does not end where the line does */
};

enum { FST_BAD_LINES_KEPT = 3 };

/* What form an input had. */
enum fst_input_kind {
    FST_INPUT_TEXT = 0,  /* a line a stack */
    FST_INPUT_SVG,       /* a flame graph, read back */
    FST_INPUT_SPEEDSCOPE /* sampled speedscope JSON */
};

/* What was read from one input, and what it says of itself. Counted in lines of text after
 * decompression. */
struct fst_input {
    struct fst_str name;
    enum fst_status status; /* FST_OK; else the input failed and no sample of it was counted */
    enum fst_dialect dialect;
    enum fst_dialect looks_like; /* what the text looks like, where the dialect that was asked for
                                    does not fit it; else FST_DIALECT_AUTO */
    enum fst_unit unit;
    enum fst_input_kind kind;
    char counted[32];  /* of FST_UNIT_COUNTS: the input's word for what it counts, cut where it is
                               long; NUL-terminated */
    bool differential; /* a picture of two profiles: counts are those of the second alone */
    bool two_counts;   /* the second of two counts was taken, unasked */
    bool split_files;  /* frames are read as "function (file:line)" */
    uint64_t bytes;    /* of text */
    uint64_t lines;    /* all of them */
    uint64_t stack_lines;   /* records that were counted; one may take several lines */
    uint64_t comment_lines; /* comments and metadata */
    uint64_t blank_lines;
    uint64_t log_lines; /* messages of the profiler itself */
    uint64_t bad_lines;
    uint64_t bad_bytes;
    uint64_t bad_by_reason[FST_BAD_REASONS];
    struct fst_bad_line bad[FST_BAD_LINES_KEPT]; /* the first ones */
    size_t nbad;
    struct fst_count total;
    double rate;             /* Hz; NaN: unknown */
    double duration;         /* seconds; NaN: unknown */
    double errors;           /* ticks that failed, as given or reported; NaN: nothing is said */
    bool errors_reported;    /* the text says so, not an option */
    double samples_said;     /* the sum that the profiler reported; NaN: it said nothing */
    double ticks;            /* effective ticks, rate * duration - 1 - errors; NaN: unknown */
    bool stopped_early;      /* the profiler says that it was interrupted: its duration is wrong */
    bool fell_behind;        /* the profiler says that it could not keep up */
    bool unterminated;       /* the last line had no newline */
    bool looks_leaf_first;   /* the stacks look as if they were written leaf first */
    uint64_t rounded_lines;  /* counts with more than 12 decimals */
    uint64_t negative_lines; /* counts below zero */
    uint64_t large_lines;    /* counts of 100,000 and more */
    uint64_t foreign_lines;  /* stacks without any frame of the dialect */
    double unknown_share;    /* of the total: stacks whose leaf is [unknown]; NaN: no total */
    uint64_t deepest;        /* frames of the deepest stack */
    uint64_t at_deepest;     /* stacks of that depth */
    uint64_t first_foreign;  /* line of the first of them */
};

/* Reads a whole file, plain or gzip as its first bytes say. The input is appended to the profile's
 * inputs also when it fails; its samples are added only if all of it was read. Errors: IO, CORRUPT,
 * FORMAT, STRICT, RANGE, NOMEM. */
enum fst_status fst_profile_read_path(struct fst_profile *profile, const char *path,
                                      const struct fst_read_options *options,
                                      struct fst_error *err);

/* The same from an open file descriptor, which is neither rewound nor closed. name is what the
 * input is called. */
enum fst_status fst_profile_read_fd(struct fst_profile *profile, int fd, const char *name,
                                    const struct fst_read_options *options, struct fst_error *err);

/* The same for bytes in memory. */
enum fst_status fst_profile_read_memory(struct fst_profile *profile, struct fst_str bytes,
                                        const char *name, const struct fst_read_options *options,
                                        struct fst_error *err);

/* Reads text that comes in pieces of any size; where the pieces are cut makes no difference. name
 * and options are copied; the profile must outlive the reader. Compressed bytes are not for it: use
 * the functions above. */
struct fst_reader;

enum fst_status fst_reader_new(struct fst_profile *profile, const char *name,
                               const struct fst_read_options *options, struct fst_reader **out,
                               struct fst_error *err);

/* Takes len more bytes, which may be reused on return. After a failure only fst_reader_finish and
 * fst_reader_free may follow. */
enum fst_status fst_reader_feed(struct fst_reader *reader, const char *bytes, size_t len,
                                struct fst_error *err);

/* Ends the text and adds its samples to the profile. Call it once. */
enum fst_status fst_reader_finish(struct fst_reader *reader, struct fst_error *err);

/* NULL is fine. A reader that was not finished adds nothing. */
void fst_reader_free(struct fst_reader *reader);

/* The inputs so far, in the order in which they were read; *count gets their number. The array is
 * valid until the profile changes. */
const struct fst_input *fst_profile_inputs(const struct fst_profile *profile, size_t *count);

/* -------------------------------------------------------------------- the leaf/root tables -- */

enum fst_sort { FST_SORT_SELF = 0, FST_SORT_TOTAL, FST_SORT_NAME };

/* How rows of equal value are ordered: by their names' bytes, or as they first occurred. */
enum fst_ties { FST_TIES_NAME = 0, FST_TIES_FIRST };

/* What shares are shares of: the samples that filters kept, or all that were read. */
enum fst_percent_of { FST_OF_KEPT = 0, FST_OF_ALL };

struct fst_top_options {
    enum fst_sort sort;
    enum fst_ties ties;
    enum fst_percent_of percent_of;
    size_t leaf_rows;     /* at most so many rows; 0: all */
    size_t inner_rows;    /* the same for the rows within each */
    size_t root_rows;     /* the same for the root table */
    double least_share;   /* rows whose share is smaller, 0 to 1, are left out */
    double ticks;         /* effective ticks of all inputs together; 0: the sum of the inputs' */
    double design_effect; /* samples that tell as much as one independent one; 0: 1 */
};

struct fst_top_row {
    struct fst_str name;
    struct fst_count self;  /* samples with this row's frame as the leaf */
    struct fst_count total; /* samples with it anywhere, each stack counted once */
    double self_share;      /* of the whole; NaN if that is 0 */
    bool total_known;       /* false: it was not counted, and what follows from it is NaN */
    double total_share;
    struct fst_interval self_ci; /* Wilson's interval; NaN where counts are no samples */
    struct fst_interval total_ci;
    double busy;      /* samples / ticks: mean number of threads in it; NaN without ticks */
    uint64_t members; /* threads whose names became this one; 0: none was folded */
    bool within;      /* it lies within the nearest row above that does not */
    size_t of;        /* rows within it that there are; as many as fit follow it */
};

struct fst_top_table {
    struct fst_top_row *rows;
    size_t count;             /* rows here, rows within rows included */
    size_t shown;             /* of them: rows that lie within none */
    size_t of;                /* rows that there are of these */
    struct fst_count covered; /* sum of the rows' self (leaf table) or total (root table) */
    double covered_share;     /* NaN where rows overlap (sorted by total) */
};

/* How far shares can be trusted. All NaN where counts are no samples. */
struct fst_precision {
    double n;          /* independent samples that the intervals assume */
    double half_width; /* of the interval of a share of one half, 0 to 1 */
    double wanted;     /* a half-width worth having: 0.02 */
    double wanted_n;   /* samples that it takes, of the period that counts are multiples of */
    double factor;     /* wanted_n / samples: how many times this recording */
};

/* What counts are for statistics. */
enum fst_counting {
    FST_COUNTING_SAMPLES, /* whole counts, none negative: samples */
    FST_COUNTING_PERIODS, /* all counts share a divisor of 1,000 or more: total / divisor samples */
    FST_COUNTING_NONE     /* fractions or negative counts: no samples, no statistics */
};

/* An option of the selection that decides about stacks and frames, and its value. */
struct fst_asked {
    const char *option; /* "focus"; static */
    struct fst_str value;
};

struct fst_top {
    struct fst_count total; /* of the stacks that were kept */
    uint64_t stack_lines;
    struct fst_count offered; /* of all stacks that were read */
    uint64_t offered_lines;
    const struct fst_asked *asked; /* by which they were kept; of the selection */
    size_t nasked;
    enum fst_unit unit;
    enum fst_counting counting;
    struct fst_count divisor; /* of FST_COUNTING_PERIODS; else 1 */
    double samples;           /* total / divisor; NaN for FST_COUNTING_NONE or a total of 0 */
    enum fst_by by;
    bool nested;
    enum fst_by inner;
    enum fst_root root;
    uint32_t root_index;
    bool no_totals; /* totals of the leaf table are not known */
    enum fst_sort sort;
    double least_share;
    bool normalized;
    uint64_t
        foldable; /* rows that would become others if names were normalised; 0 where they are */
    enum fst_percent_of percent_of;
    struct fst_count whole; /* what shares are shares of */
    double ticks;           /* NaN: unknown */
    double design_effect;
    struct fst_precision precision;
    struct fst_top_table leaf;
    struct fst_top_table roots;
    /* The function with the largest self count, where its lines are several rows and together
     * stand above the first one; else, or where there are no shares, an empty name. */
    struct fst_str leader;
    double leader_share;
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Computes both tables. They borrow names from profile, which must stay and not change. Errors:
 * NO_DATA where rows or roots are threads or processes and no stack names one, or where the
 * selection kept no stack, with the names that are nearest to its patterns; USAGE where a pattern
 * took too long; NOMEM. */
enum fst_status fst_top_new(const struct fst_profile *profile,
                            const struct fst_top_options *options, struct fst_top **out,
                            struct fst_error *err);

/* NULL is fine. */
void fst_top_free(struct fst_top *top);

/* ------------------------------------------------------------------------ who holds the GIL -- */

/* Recordings of one process answer together what none answers alone: GIL holds the samples whose
 * thread held the interpreter's lock (py-spy record --gil), ALL those of every active thread, IDLE
 * those of every thread (py-spy record --idle). Their counts have different clocks, so that all
 * figures are made by sampling ticks. docs/STATISTICS.md has every formula, its source and what it
 * assumes. */

struct fst_gil_options {
    double gil_ticks; /* effective ticks of a side's inputs together; 0: the sum of theirs */
    double all_ticks;
    double idle_ticks;
    double processes;    /* that were recorded together; 0: as many as the stacks name, else 1 */
    size_t frame_rows;   /* at most so many rows of frames and holding; 0: all */
    size_t without_rows; /* the same for without and waits */
    size_t thread_rows;  /* the same for threads */
};

/* What a frame does with the lock, by the interval of its ratio: above one half it holds it, below
 * it releases it. */
enum fst_gil_label {
    FST_GIL_NO_LABEL = 0, /* ticks or a recording are missing, or the verdict is unknown */
    FST_GIL_HOLDS,
    FST_GIL_RELEASES,
    FST_GIL_UNCLEAR
};

/* "holds the GIL", "releases it", "unclear", ""; static. */
const char *fst_gil_label_name(enum fst_gil_label label);

/* The first that holds, in this order; h is the occupancy, a the number of active threads of a
 * process. */
enum fst_gil_verdict {
    FST_GIL_NO_VERDICT = 0, /* figures are missing that it would rest on */
    FST_GIL_UNKNOWN,     /* GIL is empty though ALL has Python frames: it may not have been seen */
    FST_GIL_CONTENDED,   /* h >= 0.8, and two threads or more have a tenth of it each */
    FST_GIL_BOUND,       /* h >= 0.8 */
    FST_GIL_NATIVE,      /* a - h >= 1: a whole thread runs without it */
    FST_GIL_MOSTLY_IDLE, /* a < 0.3 */
    FST_GIL_MIXED
};

/* "unknown", "contended", "GIL-bound", "native work without the GIL", "mostly idle", "mixed"; "" for
 * none; static. */
const char *fst_gil_verdict_name(enum fst_gil_verdict verdict);

/* One recording. */
struct fst_gil_side {
    const struct fst_input *inputs; /* borrowed from the profile */
    size_t ninputs;                 /* 0: there is no such recording */
    struct fst_count samples;
    double ticks; /* NaN: unknown */
};

/* A row of frames, or of what else the profiles count by; counts are self counts. */
struct fst_gil_row {
    struct fst_str name;
    struct fst_count gil;
    struct fst_count all;
    double gil_share; /* of GIL's samples; NaN of none */
    double all_share;
    double held;    /* gil / GIL's ticks: the share of time in which it held the lock */
    double active;  /* all / ALL's ticks: mean number of threads in it */
    double without; /* active - held: of them without the lock */
    double ratio;   /* held / active; NaN if unknown or active is 0 */
    struct fst_interval ratio_ci; /* hi is infinite if active is 0 */
    enum fst_gil_label label;
};

struct fst_gil_table {
    struct fst_gil_row *rows;
    size_t count; /* rows here */
    size_t of;    /* rows that there are */
};

/* A thread, or a pool of them ("ThreadPoolExecutor-*"). */
struct fst_gil_thread {
    struct fst_str name;
    uint64_t members; /* threads that it stands for: the most that one recording shows */
    struct fst_count gil;
    struct fst_count all;
    struct fst_count idle; /* samples in IDLE, which has active threads too */
    double gil_share;
    double all_share;
    double held;
    double active;
    double without; /* active - held */
    double blocked; /* idle / IDLE's ticks - active: waiting or blocked, on whatever */
};

struct fst_gil_threads {
    struct fst_gil_thread *rows; /* empty unless stacks name their threads */
    size_t count;
    size_t of;
};

/* A native frame at the leaf in which a thread waits for a lock, under a frame of the interpreter:
 * "possible GIL or lock wait". */
struct fst_gil_wait {
    struct fst_str name;
    struct fst_count all;
    struct fst_count idle;
    double waiting; /* mean number of threads in it, by IDLE if there is one, else ALL */
};

struct fst_gil_waits {
    struct fst_gil_wait *rows;
    size_t count;
    size_t of;
};

struct fst_gil {
    enum fst_by by;
    struct fst_gil_side gil;
    struct fst_gil_side all;
    struct fst_gil_side idle;
    double processes;
    double count_ratio; /* GIL's samples / ALL's: no share of anything unless ticks agree */
    struct fst_str count_ratio_label; /* what may be read from it */
    double held;      /* GIL's samples / ticks: mean number of threads with the lock */
    double occupancy; /* held / processes: share of the time a lock was held */
    struct fst_interval occupancy_ci; /* of the recorded window alone */
    double active_threads;            /* ALL's samples / ticks, of all processes together */
    double without;                   /* active_threads - held */
    double gil_share;                 /* held / active_threads: of active thread time */
    struct fst_interval gil_share_ci;
    double alive_threads;   /* IDLE's samples / ticks */
    double blocked_threads; /* alive_threads - active_threads */
    uint64_t threads_seen;  /* threads that ALL names; 0: none */
    enum fst_gil_verdict verdict;
    struct fst_str verdict_text;     /* what it rests on and its limits; empty for no verdict */
    struct fst_gil_table frames;     /* every row: by gil, then all, then name */
    struct fst_gil_table holding;    /* those that held the lock */
    struct fst_gil_table without_it; /* those that do not hold it surely: by without, then name */
    struct fst_gil_threads threads;  /* by gil, then all, then name */
    struct fst_gil_waits waits;      /* of --native recordings: by all, then idle, then name */
    struct fst_str *missing;         /* which options would give what is absent, a sentence each */
    size_t nmissing;
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Computes all of it. all and idle may be NULL. The profiles must have been made with the same
 * options (but for the seed), with `threads` for what is told by thread, and must stay and not
 * change: names are borrowed from them. Errors: USAGE where the options differ; NO_DATA as for
 * fst_top_new; NOMEM. */
enum fst_status fst_gil_new(const struct fst_profile *gil, const struct fst_profile *all,
                            const struct fst_profile *idle, const struct fst_gil_options *options,
                            struct fst_gil **out, struct fst_error *err);

/* NULL is fine. */
void fst_gil_free(struct fst_gil *gil);

/* ------------------------------------------------------------------------------ rendering -- */

enum fst_format {
    FST_FORMAT_TABLE = 0, /* for people, in columns */
    FST_FORMAT_PLAIN,     /* what the script that people publish prints */
    FST_FORMAT_JSON,      /* docs/schema has the form */
    FST_FORMAT_CSV,       /* RFC 4180 */
    FST_FORMAT_TSV,       /* tabs; \t, \n, \r and \\ in names are escaped */
    FST_FORMAT_MARKDOWN   /* GitHub's tables */
};

/* Finds a format by its name (table, plain, json, csv, tsv, md); false if there is none. */
bool fst_format_find(const char *name, enum fst_format *out);

struct fst_render_options {
    const char *label; /* plain: "GIL" makes TOTAL_GIL, TOP_GIL_LEAF, …; NULL: none */
    size_t width;      /* table: cells of a line; 0: as long as it takes */
    bool colour;       /* table: colours what stands out */
    bool terminal; /* names are shown as \xNN where bytes could steer a terminal, also in formats
                      that else keep them (plain, csv, tsv) */
};

/* Takes len bytes of output; returns 0, or an errno value that ends the rendering. */
typedef int (*fst_write_fn)(void *ctx, const char *bytes, size_t len);

/* Writes top in a format, in pieces. Output never depends on the locale. Errors: IO with the errno
 * that write returned, NOMEM. */
enum fst_status fst_render_top(const struct fst_top *top, const struct fst_profile *profile,
                               enum fst_format format, const struct fst_render_options *options,
                               fst_write_fn write, void *ctx, struct fst_error *err);

/* The same for the figures of fst_gil_new. FST_FORMAT_PLAIN is USAGE. */
enum fst_status fst_render_gil(const struct fst_gil *gil, enum fst_format format,
                               const struct fst_render_options *options, fst_write_fn write,
                               void *ctx, struct fst_error *err);

/* The rules that sort stacks into categories unless others are given, as text that can be edited and
 * given back: a NUL-terminated string to be freed with free(), or NULL without memory. */
char *fst_categories_text(void);

/* Text for people: control bytes, bytes that are not UTF-8 and characters that reorder or break a
 * line are shown as \xNN or \uNNNN. Returns a NUL-terminated string to be freed with free(), or
 * NULL without memory. */
char *fst_escape(struct fst_str text);

#ifdef __cplusplus
}
#endif

#endif
