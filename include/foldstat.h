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
 * Contents
 *    1. errors and plain types     enum fst_status, struct fst_error, fst_str, fst_count
 *    2. profiles                   struct fst_profile; dialects, units; fst_selection: filters and names
 *    3. reading                    fst_profile_read_*, fst_reader_feed for pieces, what was skipped
 *    4. the leaf and root tables   fst_top_new
 *    5. the call tree              fst_tree_new
 *    6. what is around a frame     fst_peek_new: callers, callees, lines, stacks
 *    7. who holds the GIL          fst_gil_new: occupancy, active threads, a verdict
 *    8. what changed               fst_diff_new: differences, and which are noise
 *    9. a gate for changes         fst_check_new: budgets and a verdict
 *   10. whole stacks               struct fst_sum, fst_list, fst_sorted: merging and converting
 *   11. the flame graph            fst_flame_new: rectangles
 *   12. rendering                  fst_render_*: each of 4 to 11 in the forms that it has
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

/* -------------------------------------------------------------- 1. errors and plain types -- */

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

/* ---------------------------------------------------------------------------- 2. profiles -- */

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
    const char *option;  /* "focus", "rewrite", "categories", …; static; NULL: none */
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

/* What a profile keeps of the stacks that it reads. */
enum fst_keep {
    FST_KEEP_TABLES = 0, /* rows and roots */
    FST_KEEP_STACKS      /* whole stacks, for fst_render_collapsed, and neither rows nor roots */
};

struct fst_profile_options {
    enum fst_keep keep;
    enum fst_by by;
    bool nested;                           /* rows within rows: */
    enum fst_by inner;                     /* what they are */
    const struct fst_selection *selection; /* borrowed; NULL: everything as it is written */
    enum fst_root root;
    uint32_t root_index; /* for FST_ROOT_INDEX: 0 is the outermost frame */
    bool no_totals;      /* leaves and roots alone are asked for: totals of rows mean nothing, and
                            inner frames are hardly looked at, which is several times as fast */
    uint64_t max_memory; /* bytes that tables and buffers may take, else FST_ERR_NOMEM with a
                            message that says so; 0: as many as there are. Whole stacks that have
                            no room go to temporary files; below 1 MiB that is USAGE */
    /* Tables of both together have max_memory; looked at while the profile is made. NULL: it has
     * it alone. */
    const struct fst_profile *beside;
    const char *folder;  /* for these, borrowed; NULL: /tmp */
    bool threads;        /* also keep sums by thread and of lock waits, for fst_gil_new */
    bool tree;           /* also keep the call tree of the rows, for fst_tree_new; neighbours that
                            are one row by file or module are one node. Not for rows that stacks
                            make as a whole, or within rows */
    bool tree_of_frames; /* with tree: it is made of frames as they are written, not of rows, for
                            fst_peek_new */
    bool partial;        /* with FST_KEEP_STACKS: also keep what inputs say of their recordings, and
                            how shares differ between them, for fst_render_collapsed */
    uint64_t seed;       /* of the hash; 0 takes a random one. Results do not depend on it */
};

/* Names and counters of one or more inputs. Memory grows with the number of distinct frames, not
 * with the size of the inputs; with FST_BY_STACK or FST_KEEP_STACKS in the number of distinct
 * stacks, with `tree` in that of distinct ways from a root to a frame. */
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

/* ----------------------------------------------------------------------------- 3. reading -- */

/* Zero in a double of this struct means "not given". */
struct fst_read_options {
    enum fst_dialect dialect; /* FST_DIALECT_AUTO: told from the text */
    enum fst_metric metric;   /* USAGE if the text has no such count */
    int column;               /* of two counts: 1 or 2; 0 takes the second */
    bool force;               /* add counts of another unit than the profile's */
    bool leaf_first;          /* the text has the leaf first and the root last */
    bool strict;              /* a bad line is FST_ERR_STRICT */
    unsigned jobs;            /* threads that read one input; 0: as many as there are usable cores,
                                 but 4 at most, where the input is large enough. Results do not
                                 depend on it */
    uint64_t line_most;       /* bytes of the longest line, else FST_ERR_FORMAT; 0, or more than 512
                                 MiB: so many. Shorter ones than 32 KiB are read in
                                 any case. The profile's max_memory is a limit too */
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
    FST_BAD_QUOTE, /* no count, and no quote before a semicolon that would close a process frame */
    FST_BAD_COLUMNS, /* fewer counts than the dialect has */
    FST_BAD_REASONS  /* how many there are */
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
    bool unit_guessed; /* nothing says whether Austin's counts are time or memory: taken for µs */
    bool looks_like_bytes;  /* and they are below zero, or multiples of 1,024 */
    bool differential;      /* a picture of two profiles: counts are those of the second alone */
    bool two_counts;        /* the second of two counts was taken, unasked */
    bool split_files;       /* frames are read as "function (file:line)" */
    uint64_t bytes;         /* of text */
    uint64_t lines;         /* all of them */
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
    bool complete;           /* a picture that has every frame */
    bool reversed;           /* a picture from the leaves, which was turned */
    bool shrank;             /* the file ended before the size that it had when it was opened */
    uint64_t partial_inputs; /* of a partial sum (docs/FLEET.md): how many inputs it is of; 0: it is
                                none */
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

/* ------------------------------------------------------------ 4. the leaf and root tables -- */

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

/* The share of one input. */
struct fst_spread_input {
    struct fst_str name;
    double share;
    bool stands_out; /* it is further from the others than chance explains: docs/STATISTICS.md */
    double mean;     /* of the others */
    double sd;
};

enum { FST_SPREAD_ENDS = 2 };

/* How the share of a frame differs between the inputs of partial sums, each counting the same. */
struct fst_spread {
    uint64_t inputs; /* that have the frame; of the others the share is 0 */
    double mean;
    double sd;    /* standard deviation, over n - 1; NaN of one input */
    double least; /* share, 0 where an input does not have the frame */
    double most;
    struct fst_spread_input
        high[FST_SPREAD_ENDS]; /* the largest shares, and the least of inputs that */
    struct fst_spread_input
        low[FST_SPREAD_ENDS]; /* have the frame: as many as there are of these */
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
    const struct fst_spread *self_spread; /* NULL: it is not known, or no input has it as a leaf */
    const struct fst_spread *total_spread;
    bool within; /* it lies within the nearest row above that does not */
    size_t of;   /* rows within it that there are; as many as fit follow it */
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

/* Which samples a result is of. */
struct fst_scope {
    struct fst_count total; /* of the stacks that were kept */
    uint64_t stack_lines;
    struct fst_count offered; /* of all stacks that were read */
    uint64_t offered_lines;
    const struct fst_asked *asked; /* by which they were kept; of the selection */
    size_t nasked;
    enum fst_unit unit;
    enum fst_counting counting;
    double samples; /* total by the divisor of counts; NaN for FST_COUNTING_NONE or a total of 0 */
    bool normalized;
    uint64_t foldable;    /* rows that would be gone if names were normalised; 0 where they are, and
                             of a picture, which does not tell */
    uint64_t foldable_of; /* the rows with a self count that there are */
    enum fst_percent_of percent_of;
    struct fst_count whole; /* what shares are shares of */
};

/* The share of the whole that a count is; NaN if that is 0. */
double fst_scope_share(const struct fst_scope *scope, struct fst_count count);

struct fst_top {
    struct fst_scope scope;
    struct fst_count divisor; /* of FST_COUNTING_PERIODS; else 1 */
    enum fst_by by;
    bool nested;
    enum fst_by inner;
    enum fst_root root;
    uint32_t root_index;
    bool no_totals; /* totals of the leaf table are not known */
    enum fst_sort sort;
    double least_share;
    double ticks; /* NaN: unknown */
    double design_effect;
    struct fst_precision precision;
    struct fst_top_table leaf;
    struct fst_top_table roots;
    uint64_t inputs;    /* of the partial sums that were read, where rows have spreads; else 0 */
    uint64_t compared;  /* of them: those that spreads are of, as they have shares */
    uint64_t bad_lines; /* of all of them */
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

/* ----------------------------------------------------------------------- 5. the call tree -- */

/* The number that stands for no node. */
#define FST_NO_NODE UINT32_MAX

struct fst_tree_options {
    bool reverse; /* from the leaves: the children of a frame are its callers */
    enum fst_percent_of percent_of;
    double least_share; /* nodes with a smaller share, 0 to 1, are left out, with all below them */
    uint32_t max_depth; /* and those that lie deeper below the root, whose depth is 0; 0: none */
};

/* A way from the root to a frame: total = self + totals of its children + left_out. In a reversed
 * tree self is what begins with the frame, instead of what ends with it. */
struct fst_tree_node {
    struct fst_str name; /* "all" of the root */
    struct fst_count self;
    struct fst_count total;
    struct fst_count left_out; /* totals of those children that are not here */
    uint32_t left_out_nodes;   /* how many they are, what is below them not counted */
    uint32_t parent;           /* FST_NO_NODE of the root */
    uint32_t end;   /* index behind its last descendant; its next sibling, if any, stands there */
    uint32_t depth; /* 0 of the root */
    uint32_t row;   /* the same of all nodes of a name; FST_NO_NODE of the root */
};

struct fst_tree {
    struct fst_tree_node *nodes; /* each before its children, the first the root; of children the
                                    largest total first, then by the names' bytes */
    size_t count;                /* at least 1 */
    struct fst_count left_out;   /* of all nodes: samples that lie below those that are here */
    uint64_t left_out_nodes;
    struct fst_scope scope;
    enum fst_by by;
    bool reverse;
    double least_share;
    uint32_t max_depth;
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Puts the tree of a profile that was made with `tree` in order. It borrows names from profile,
 * which must stay and not change. With negative counts a share is one of magnitudes where it decides
 * what is left out. Errors: USAGE where the profile has no tree; NO_DATA as for fst_top_new; NOMEM,
 * also where there are more nodes than numbers. */
enum fst_status fst_tree_new(const struct fst_profile *profile,
                             const struct fst_tree_options *options, struct fst_tree **out,
                             struct fst_error *err);

/* NULL is fine. */
void fst_tree_free(struct fst_tree *tree);

/* -------------------------------------------------------------- 6. what is around a frame -- */

struct fst_peek_options {
    struct fst_str pattern; /* rows whose names match; PCRE2, as for filters */
    enum fst_percent_of percent_of;
    size_t matches; /* at most so many; 0: all, here and below */
    size_t links;   /* callers, and as many callees, of each */
    size_t lines;   /* of each */
    size_t stacks;  /* through each */
};

/* A row that calls a match, or that a match calls. */
struct fst_peek_link {
    struct fst_str name;
    struct fst_count total; /* of stacks in which it does, each counted once */
    double share;           /* of the match's total; NaN if that is 0 */
};

struct fst_peek_links {
    struct fst_peek_link *rows; /* by total, then name */
    size_t count;
    size_t of;
};

/* A line of a match: of its stacks, those that are in it there. */
struct fst_peek_line {
    struct fst_str name; /* the frame */
    struct fst_str line; /* its number, as written; empty: it has none */
    struct fst_count self;
    struct fst_count total;
    double self_share; /* of the match's total */
    double total_share;
};

struct fst_peek_lines {
    struct fst_peek_line *rows; /* those with the largest totals, by their numbers */
    size_t count;
    size_t of;
};

struct fst_peek_stack {
    const struct fst_str *frames; /* as rows are called, root first */
    size_t nframes;
    struct fst_count count;
    double share; /* of the match's total */
};

struct fst_peek_stacks {
    struct fst_peek_stack *rows; /* by count */
    size_t count;
    size_t of;
};

/* A row that matches. A stack counts once, however often the row recurs in it: also into what calls
 * it and what it calls, where a row that calls itself is its own caller. */
struct fst_peek_match {
    struct fst_str name;
    struct fst_count self;
    struct fst_count total;
    double self_share; /* of the whole */
    double total_share;
    struct fst_count begins; /* of stacks that begin with it: it has no caller there */
    double begins_share;     /* of its total */
    double ends_share;       /* self, of its total: it calls nothing there */
    struct fst_peek_links callers;
    struct fst_peek_links callees;
    struct fst_peek_lines lines; /* where rows are functions or files, and frames have lines */
    struct fst_peek_stacks stacks;
};

struct fst_peek {
    struct fst_peek_match *matches; /* by total, then name */
    size_t count;
    size_t of;
    struct fst_str pattern;
    struct fst_scope scope;
    enum fst_by by;
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Whether a pattern can be compiled: errors as of fst_selection_new. */
enum fst_status fst_pattern_check(struct fst_str pattern, struct fst_selection_fault *fault,
                                  struct fst_error *err);

/* Finds what is around the rows that match, of a profile that was made with tree_of_frames. It
 * borrows names from profile, which must stay and not change. Errors: USAGE where the profile has no
 * such tree, or the pattern is bad or took too long; NO_DATA as for fst_top_new, and where nothing
 * matches, with the names that are nearest; NOMEM. */
enum fst_status fst_peek_new(const struct fst_profile *profile,
                             const struct fst_peek_options *options, struct fst_peek **out,
                             struct fst_error *err);

/* NULL is fine. */
void fst_peek_free(struct fst_peek *peek);

/* ------------------------------------------------------------------- 7. who holds the GIL -- */

/* Recordings of one process answer together what none answers alone: GIL holds the samples whose
 * thread held the interpreter's lock (py-spy record --gil), ALL those of every active thread, IDLE
 * those of every thread (py-spy record --idle). Their counts have different clocks, so that all
 * figures are made by sampling ticks. docs/STATISTICS.md has every formula, its source and what it
 * assumes. */

struct fst_gil_options {
    double gil_ticks; /* effective ticks of a side's inputs together; 0: the sum of theirs */
    double all_ticks;
    double idle_ticks;
    double processes; /* that were recorded together; 0: as many as the stacks name, else 1 */
    enum fst_percent_of percent_of;
    double least_share;  /* rows whose share is smaller, 0 to 1, are left out */
    size_t inner_rows;   /* at most so many rows within each row; 0: all */
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
    FST_GIL_NO_VERDICT = 0, /* figures are missing that it would rest on, or cannot be */
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
    struct fst_count samples;       /* that filters kept */
    struct fst_count offered;       /* that were read */
    struct fst_count whole;         /* of the processes that are asked for (option process of the
                                       selection), whatever other filters drop */
    double ticks;                   /* NaN: unknown */
    uint64_t foldable; /* rows that would be gone if names were normalised; 0 where they are, and of
                             IDLE, whose rows are not shown */
    uint64_t foldable_of; /* the rows with a self count that there are */
};

/* A row of frames, or of what else the profiles count by; counts are self counts. */
struct fst_gil_row {
    struct fst_str name;
    struct fst_str outer; /* of a row within a row: that one's name */
    bool within;          /* it is one, of the nearest row above that is not */
    size_t of;            /* rows within it that there are; as many as fit follow it */
    uint64_t members;     /* threads whose names became this one; 0: none was folded */
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
    size_t count; /* rows here, rows within rows included */
    size_t shown; /* of them: rows that lie within none */
    size_t of;    /* rows that there are of these */
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

/* Figures by ticks, of some stacks of GIL and ALL. */
struct fst_gil_figures {
    double held;      /* GIL's samples / ticks: mean number of threads with the lock */
    double occupancy; /* held / processes: share of the time a lock was held */
    struct fst_interval occupancy_ci; /* of the recorded window alone */
    double active_threads;            /* ALL's samples / ticks, of all processes together */
    double without;                   /* active_threads - held */
    double gil_share;                 /* held / active_threads: of active thread time */
    struct fst_interval gil_share_ci;
};

struct fst_gil {
    enum fst_by by;
    bool nested;
    enum fst_by inner;
    const struct fst_asked *asked; /* by which stacks were kept; of the selection */
    size_t nasked;
    bool filtered; /* the stacks that were kept are not all of their processes */
    enum fst_percent_of percent_of;
    double least_share;
    struct fst_gil_side gil;
    struct fst_gil_side all;
    struct fst_gil_side idle;
    double processes;
    double count_ratio; /* GIL's samples / ALL's: no share of anything unless ticks agree */
    struct fst_str count_ratio_label; /* what may be read from it */
    struct fst_gil_figures kept;      /* of the stacks that were kept */
    struct fst_gil_figures whole;     /* of all stacks of the processes that are asked for */
    double alive_threads;             /* IDLE's samples / ticks */
    double blocked_threads;           /* alive_threads - kept.active_threads */
    uint64_t threads_seen;            /* threads that ALL's kept stacks name; 0: none */
    enum fst_gil_verdict verdict;     /* on the whole: filters other than that of processes change
                                     nothing about it */
    struct fst_str verdict_text;     /* what it rests on and its limits, or why there is none; empty
                                     where figures are missing */
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
 * fst_top_new, but filters that keep nothing of one recording are an answer if they keep some of
 * another; NOMEM. */
enum fst_status fst_gil_new(const struct fst_profile *gil, const struct fst_profile *all,
                            const struct fst_profile *idle, const struct fst_gil_options *options,
                            struct fst_gil **out, struct fst_error *err);

/* NULL is fine. */
void fst_gil_free(struct fst_gil *gil);

/* ------------------------------------------------------------------------ 8. what changed -- */

/* Recordings before and after something, one or several a side. Several are the sound way: only the
 * spread between recordings tells how much changes by itself. docs/STATISTICS.md has every formula,
 * its source and what it assumes. */

/* What is compared. */
enum fst_basis {
    FST_BASIS_SHARE = 0, /* shares of a recording's samples, 0 to 1 */
    FST_BASIS_RATE,      /* samples a tick: the mean number of threads */
    FST_BASIS_COUNT      /* counts as they are: only where recordings are equally long */
};

/* "share", "rate", "count"; static. */
const char *fst_basis_name(enum fst_basis basis);

/* Which of a row's counts rows are sorted and judged by. */
enum fst_on { FST_ON_SELF = 0, FST_ON_TOTAL };

/* "self", "total"; static. */
const char *fst_on_name(enum fst_on on);

enum fst_diff_sort {
    FST_DIFF_BY_DELTA = 0, /* significant rows first, then by size of the difference */
    FST_DIFF_BY_BEFORE,
    FST_DIFF_BY_AFTER,
    FST_DIFF_BY_NAME
};

struct fst_diff_options {
    enum fst_basis basis;
    enum fst_on on;
    enum fst_diff_sort sort;
    enum fst_percent_of percent_of;
    double fdr;           /* rate of false findings that is accepted; 0: 0.05 */
    double design_effect; /* samples that tell as much as one independent one; 0: 1 */
    size_t rows;          /* at most so many; 0: all */
    bool measured;        /* only rows that have what they are sorted by */
    size_t
        paths; /* stacks of each row that changed, for profiles with stacks within rows; 0: none */
    unsigned jobs; /* threads; 0: as many as there are cores */
};

enum fst_presence { FST_PRESENCE_BOTH = 0, FST_PRESENCE_NEW, FST_PRESENCE_GONE };

/* "both", "new", "gone"; static. */
const char *fst_presence_name(enum fst_presence presence);

/* How it was decided whether a row changed. */
enum fst_diff_test {
    FST_TEST_NONE = 0,    /* not at all: counts are no samples, or there are none */
    FST_TEST_PROPORTIONS, /* one recording a side: Fisher's exact test, or the z-test, of two shares */
    FST_TEST_RATES,       /* the same of two rates or counts */
    FST_TEST_DISPERSION, /* few recordings a side: t with the dispersion between them; approximate */
    FST_TEST_PERMUTATION /* from four a side: permutation of recordings, max-|t| */
};

/* "proportions", "rates", "dispersion", "permutation", "none"; static. */
const char *fst_diff_test_name(enum fst_diff_test test);

/* A row's self or total counts on both sides. What is in the unit of the basis is a share, a mean
 * number of threads, or a count. */
struct fst_change {
    struct fst_count before; /* of all recordings of the side */
    struct fst_count after;
    double before_share; /* of the side's samples; with several recordings the mean of theirs */
    double after_share;
    double before_value; /* in the unit of the basis; with several recordings the mean of theirs */
    double after_value;
    double delta;                 /* after_value - before_value */
    struct fst_interval delta_ci; /* 95 %; NaN where counts are no samples */
    double ratio;                 /* after_value / before_value; NaN unless both are above 0 */
    double p; /* two-sided; NaN where counts are no samples, or neither side has any in the row */
    double q; /* for all rows together: significant where it is at most the fdr */
};

/* A stack that carries a row's change. */
struct fst_diff_path {
    struct fst_str stack; /* its frames, root first, with semicolons between them */
    struct fst_count before;
    struct fst_count after;
    double delta; /* in the unit of the basis */
};

struct fst_diff_row {
    struct fst_str name;
    uint64_t
        members; /* threads or processes whose names became this one, in the recording with most
                         of them; 0: none was folded */
    enum fst_presence presence;
    bool significant; /* in what rows are sorted by */
    struct fst_change self;
    struct fst_change total;
    const struct fst_diff_path *paths; /* by size of the difference, then stack */
    size_t npaths;
};

struct fst_diff_side {
    const struct fst_profile *const *recordings;
    size_t nrecordings;
    struct fst_count total;     /* of all recordings: what was kept */
    struct fst_count offered;   /* what was read */
    enum fst_counting counting; /* of all recordings: NONE where any is, then PERIODS */
    double samples;             /* of what shares are of; NaN where counts are no samples */
    double ticks;               /* of all recordings; NaN: unknown */
    double n;                   /* independent samples that statistics assume; NaN: none */
};

struct fst_diff {
    enum fst_basis basis;
    enum fst_by by;
    enum fst_on on;
    enum fst_diff_test test;
    enum fst_percent_of percent_of;
    const struct fst_asked *asked; /* by which stacks were kept; of the selection */
    size_t nasked;
    double fdr;
    double design_effect;
    struct fst_diff_side before;
    struct fst_diff_side after;
    struct fst_diff_row *rows;
    size_t count;          /* rows here */
    size_t of;             /* rows that there are, of the kind that options ask for */
    size_t significant;    /* rows that changed, shown or not */
    size_t tested;         /* rows that were compared */
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Compares recordings, each a profile of its own; all must have been made with the same options (but
 * for the seed), and must stay and not change, as must both arrays. Rows are matched by name; rows of
 * threads and processes are folded as all recordings together have them. Where profiles have rows
 * within rows, those within are the paths. Errors: USAGE where the options differ; NO_DATA as for
 * fst_top_new, and for FST_BASIS_RATE where a recording's ticks are not known; NOMEM. */
enum fst_status fst_diff_new(const struct fst_profile *const *before, size_t nbefore,
                             const struct fst_profile *const *after, size_t nafter,
                             const struct fst_diff_options *options, struct fst_diff **out,
                             struct fst_error *err);

/* NULL is fine. */
void fst_diff_free(struct fst_diff *diff);

/* ------------------------------------------------------------------ 9. a gate for changes -- */

/* What a budget limits. */
enum fst_budget_kind {
    FST_BUDGET_INCREASE =
        0,           /* how much a row's share may grow, in self or total as it is compared */
    FST_BUDGET_SELF, /* what a row's self share may be afterwards */
    FST_BUDGET_TOTAL /* what its total share may be */
};

/* "max-increase", "max-self", "max-total"; static. */
const char *fst_budget_name(enum fst_budget_kind kind);

struct fst_budget {
    enum fst_budget_kind kind;
    struct fst_str pattern; /* PCRE2: rows that it is for; without data: every row */
    double limit;           /* share, above 0 to 1 */
    const char *file;       /* where it was read, for notes; NULL: it is an option */
    uint64_t line;
};

struct fst_check_options {
    /* Of increases the first with a pattern that matches counts for a row, else the first without
     * one; of the others all that match. */
    const struct fst_budget *budgets;
    size_t nbudgets;
    size_t rows;        /* at most so many; 0: all */
    size_t within_rows; /* of them at most so many that are within their budget; 0: all */
};

enum fst_verdict { FST_VERDICT_WITHIN = 0, FST_VERDICT_BEYOND, FST_VERDICT_CANNOT_JUDGE };

/* "within", "beyond", "cannot-judge"; static. */
const char *fst_verdict_name(enum fst_verdict verdict);

/* A row and a budget for it. */
struct fst_check_row {
    const struct fst_diff_row *row;
    enum fst_budget_kind kind;
    enum fst_on on; /* which count of the row it is about */
    double budget;
    double value;             /* increase, or share afterwards */
    struct fst_interval ci;   /* of value; NaN: unknown */
    double q;                 /* how sure it is that it grew, or is above the budget */
    bool over;                /* value is above the budget, and surely so */
    bool undecided;           /* too little was recorded to tell */
    double samples_needed;    /* a side, to tell by one recording a side; NaN unless undecided, and
                                 where no number that can be recorded would do */
    double recordings_needed; /* a side, to tell by several; likewise */
};

struct fst_check {
    const struct fst_diff *diff;
    enum fst_verdict verdict;
    struct fst_check_row *rows; /* those over first, then the undecided; by value, then name */
    size_t count;               /* rows here */
    size_t of;                  /* rows that there are */
    size_t over;
    size_t undecided;
    double samples_needed;    /* the most of all rows; NaN: none is needed, or none would do */
    double recordings_needed; /* likewise */
    struct fst_str *notes; /* sentences on budgets and verdict, besides those of diff, in order */
    size_t nnotes;
};

/* Holds budgets against a comparison of shares, whose rows must all be there (no limit, and not only
 * measured ones); it must stay. Errors: USAGE for a bad pattern, with *fault filled in (unless NULL),
 * or one that took too long, or where shares were not compared; NOMEM. */
enum fst_status fst_check_new(const struct fst_diff *diff, const struct fst_check_options *options,
                              struct fst_check **out, struct fst_selection_fault *fault,
                              struct fst_error *err);

/* NULL is fine. */
void fst_check_free(struct fst_check *check);

/* ----------------------------------------------------------------------- 10. whole stacks -- */

struct fst_sum_options {
    bool unit_kept; /* what is to be written says what is counted: a header, or a form with units */
};

/* What a profile that keeps stacks (FST_KEEP_STACKS) amounts to. */
struct fst_sum {
    struct fst_count total;
    enum fst_unit unit;
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Errors: USAGE where the profile keeps no stacks; NO_DATA as for fst_top_new; NOMEM. */
enum fst_status fst_sum_new(const struct fst_profile *profile,
                            const struct fst_sum_options *options, struct fst_sum **out,
                            struct fst_error *err);

/* NULL is fine. */
void fst_sum_free(struct fst_sum *sum);

/* The stacks of a profile that keeps them, frame by frame, for those who write them in another form. */
struct fst_list_options {
    size_t most; /* stacks with the largest counts; all others become one, of a frame
                     "[other stacks]"; 0: all */
    bool labels; /* frames that name process and thread are taken off the stacks, and stand beside
                     them */
};

/* A frame, and what its dialect says of it. */
struct fst_list_frame {
    struct fst_str name; /* as it is written */
    struct fst_str function;
    struct fst_str file; /* empty: unknown */
    struct fst_str line; /* digits, perhaps with a minus sign; empty: unknown */
};

struct fst_list_stack {
    const uint32_t *frames; /* numbers, root first */
    size_t nframes;         /* at least 1 */
    struct fst_count count;
    struct fst_str thread; /* with labels; empty: none is named */
    struct fst_str process;
};

struct fst_list {
    const struct fst_list_frame *frames; /* in the order in which stacks have them */
    size_t nframes;
    const struct fst_list_stack *stacks; /* in the order of their bytes, others last */
    size_t nstacks;
    struct fst_count total;
    enum fst_unit unit;
    uint64_t fractions; /* stacks whose count is not whole */
    double rate;        /* Hz, where all inputs have the same; else NaN */
    double duration;    /* seconds, of all inputs together; NaN: unknown */
    enum fst_dialect
        dialect;     /* of all inputs that have stacks; FST_DIALECT_AUTO where they differ */
    uint64_t memory; /* bytes that it takes, and with it the profile's stacks */
};

/* Errors: USAGE where the profile keeps no stacks; NOMEM, also beyond the profile's max_memory. The
 * list owns its texts. */
enum fst_status fst_list_new(const struct fst_profile *profile,
                             const struct fst_list_options *options, struct fst_list **out,
                             struct fst_error *err);

/* NULL is fine. */
void fst_list_free(struct fst_list *list);

/* Collapsed texts that are sorted already, as fst_render_collapsed writes them: they are read beside each
 * other while their sum is written (fst_render_sorted), in memory of a record each, whatever the
 * number of stacks. Every one of them stays open. */
struct fst_sorted;

/* options are copied; of them dialect, metric, column and force count. */
enum fst_status fst_sorted_new(const struct fst_read_options *options, struct fst_sorted **out,
                               struct fst_error *err);

/* NULL is fine. */
void fst_sorted_free(struct fst_sorted *sorted);

/* Adds a text, plain or compressed. On failure it is as if it had never been named. Errors: IO,
 * CORRUPT, FORMAT, USAGE (counts of another unit than those before), NOMEM. */
enum fst_status fst_sorted_add_path(struct fst_sorted *sorted, const char *path,
                                    struct fst_error *err);

/* The same from an open file descriptor, which stays the caller's. */
enum fst_status fst_sorted_add_fd(struct fst_sorted *sorted, int fd, const char *name,
                                  struct fst_error *err);

/* The name of the text that made fst_render_sorted fail; NULL: none did. */
const char *fst_sorted_failed(const struct fst_sorted *sorted);

/* -------------------------------------------------------------------- 11. the flame graph -- */

/* What there is to a frame of a differential picture. */
enum fst_flame_change {
    FST_FLAME_SAME =
        0, /* its share changed no more than chance explains, or nothing was compared */
    FST_FLAME_CHANGED,
    FST_FLAME_NEW, /* it was not there before, and that is no chance */
    FST_FLAME_GONE /* it is not there after: it stands for the share that it had before */
};

struct fst_flame_options {
    bool reverse;         /* from the leaves: what stands on a frame are its callers */
    double width;         /* of the picture, in pixels; 0: 1,200 */
    double min_width;     /* narrower frames are not drawn, in pixels; 0: 0.1 */
    bool every_frame;     /* all are drawn, however narrow */
    double fdr;           /* differential: rate of false findings that is accepted; 0: 0.05 */
    double design_effect; /* differential: samples that tell as much as one independent one; 0: 1 */
};

/* Frames of no module that has a colour of its own. */
enum { FST_FLAME_COLOURS = 6, FST_FLAME_NO_COLOUR = FST_FLAME_COLOURS };

struct fst_flame_frame {
    struct fst_str name;
    uint32_t row;   /* as of struct fst_tree_node: the same of all frames of a name */
    uint32_t depth; /* 0: the root, "all" */
    double x;       /* where it begins, and how wide it is: 0 to 1, of the picture's width */
    double width;
    uint64_t first; /* the same in counts: of 10^-decimals units each, the root beginning at 0 */
    uint64_t samples;
    struct fst_count self;
    struct fst_count total;
    double share;    /* of the root's total; NaN if that is 0 */
    unsigned colour; /* of its module, an index of modules; or FST_FLAME_NO_COLOUR. Where there are
                         no modules, of its name */
    unsigned tint;   /* 0 or 1, by its name: so that neighbours can be told apart */
    bool drops;      /* frames that stand on it are too narrow and were left out */
    /* Differential: */
    enum fst_flame_change change;
    struct fst_count before; /* its total */
    double before_share;
    double points; /* share - before_share */
    double q;      /* see struct fst_diff_row */
    int step;      /* how strong its colour is: -4 (much less) to 4 (much more), 0 within noise */
};

struct fst_flame_side {
    const struct fst_input *inputs; /* borrowed from the profile */
    size_t ninputs;
    struct fst_scope scope;
    double rate;     /* Hz, where all inputs agree; NaN: unknown */
    double duration; /* seconds, of all inputs together; NaN: unknown */
};

/* Frames that lie on frames of the picture, a frame and what stands on it as one. */
struct fst_flame_left_out {
    uint64_t frames;
    struct fst_count total;
    double share; /* of the root's total */
};

struct fst_flame {
    struct fst_flame_frame *frames; /* each before those that stand on it, these from left to right;
                                       the first is the root */
    size_t count;                   /* at least 1 */
    uint32_t levels;                /* frames of the highest tower, the root counted */
    enum fst_by by;
    bool reverse;
    bool differential;
    double pixels;    /* the width that it is made for */
    double min_width; /* pixels; 0: every frame is drawn */
    int decimals;     /* of first and samples; negative: they are tens, hundreds … */
    bool rounded;     /* first and samples have not all digits of the counts, which would not fit */
    struct fst_flame_left_out narrow;     /* narrower than that */
    struct fst_flame_left_out below_zero; /* stacks with negative counts, which have no width */
    struct fst_str modules[FST_FLAME_COLOURS]; /* with a colour of their own: those that cover most
                                                  of the picture first */
    size_t nmodules;
    struct fst_flame_side after; /* the profile that is drawn */
    struct fst_flame_side before;
    double fdr;
    bool tested;           /* differential: counts are samples, and changes were told from noise */
    struct fst_str *notes; /* sentences that a careful reader should see, in order */
    size_t nnotes;
};

/* Lays the call tree of a profile out, that was made with `tree`; base is the profile before, made
 * with the same options, or NULL. Frames are as wide as their share of the root; in a differential
 * picture frames that are gone stand where they were, as wide as their share before, and what they
 * stand on is wider by it. Profiles must stay and not change: names are borrowed. Errors: as of
 * fst_tree_new; NO_DATA also where no count is above 0; USAGE where options differ. */
enum fst_status fst_flame_new(const struct fst_profile *profile, const struct fst_profile *base,
                              const struct fst_flame_options *options, struct fst_flame **out,
                              struct fst_error *err);

/* NULL is fine. */
void fst_flame_free(struct fst_flame *flame);

/* -------------------------------------------------------------------------- 12. rendering -- */

enum fst_format {
    FST_FORMAT_TABLE = 0, /* for people, in columns */
    FST_FORMAT_PLAIN,     /* what the script that people publish prints */
    FST_FORMAT_JSON,      /* docs/schema has the form */
    FST_FORMAT_CSV,       /* RFC 4180 */
    FST_FORMAT_TSV,       /* tabs; \t, \n, \r and \\ in names are escaped */
    FST_FORMAT_MARKDOWN,  /* GitHub's tables */
    FST_FORMAT_COLLAPSED2 /* stacks with two counts, before and after, as difffolded.pl has them */
};

/* Finds a format by its name (table, plain, json, csv, tsv, md, collapsed2); false if there is
 * none. */
bool fst_format_find(const char *name, enum fst_format *out);

struct fst_render_options {
    const char *label; /* plain: "GIL" makes TOTAL_GIL, TOP_GIL_LEAF, …; NULL: none */
    size_t width;      /* table: cells of a line; 0: as long as it takes */
    bool colour;       /* table: colours what stands out */
    bool ascii;    /* table, and the tree in md: no characters beyond ASCII but those of names */
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

/* The same for a tree. FST_FORMAT_PLAIN is USAGE. */
enum fst_status fst_render_tree(const struct fst_tree *tree, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err);

/* The same for what is around matches. FST_FORMAT_PLAIN is USAGE. */
enum fst_status fst_render_peek(const struct fst_peek *peek, const struct fst_profile *profile,
                                enum fst_format format, const struct fst_render_options *options,
                                fst_write_fn write, void *ctx, struct fst_error *err);

/* The same for the figures of fst_gil_new. FST_FORMAT_PLAIN is USAGE. */
enum fst_status fst_render_gil(const struct fst_gil *gil, enum fst_format format,
                               const struct fst_render_options *options, fst_write_fn write,
                               void *ctx, struct fst_error *err);

/* The same for the rows of fst_diff_new. FST_FORMAT_PLAIN is USAGE, and so is FST_FORMAT_COLLAPSED2
 * unless rows are stacks. */
enum fst_status fst_render_diff(const struct fst_diff *diff, enum fst_format format,
                                const struct fst_render_options *options, fst_write_fn write,
                                void *ctx, struct fst_error *err);

/* The same for what fst_check_new found. FST_FORMAT_PLAIN and FST_FORMAT_COLLAPSED2 are USAGE. */
enum fst_status fst_render_check(const struct fst_check *check, enum fst_format format,
                                 const struct fst_render_options *options, fst_write_fn write,
                                 void *ctx, struct fst_error *err);

struct fst_collapsed_options {
    const struct fst_str *tags; /* frames that every stack begins with, from the root on */
    size_t ntags;
    bool
        header; /* comments first, which are read back: the unit, the sum, and the ticks where those
                    of all inputs are known. Not for fst_render_sorted */
    bool partial; /* a partial sum, in comments before and behind the stacks, which are read back
                     (docs/FLEET.md); of a profile that was made with `partial`, instead of header.
                     Tags also stand before the names of inputs. Not for fst_render_sorted */
};

/* Writes the stacks of a profile that keeps them (FST_KEEP_STACKS) as collapsed text, sorted by the
 * bytes of the stacks: the same profile gives the same bytes, and so does one that is read from them.
 * Stacks are as they were written, or as the selection leaves them; sums are exact. Errors: USAGE
 * where it keeps none, or no partial sum that is asked for, or a tag is no frame (empty, or with a semicolon or newline in it); IO, NOMEM.
 */
enum fst_status fst_render_collapsed(const struct fst_profile *profile,
                                     const struct fst_collapsed_options *options,
                                     fst_write_fn write, void *ctx, struct fst_error *err);

/* Writes the sum of sorted texts in the same form, once. Where a text turns out not to be sorted, or is
 * damaged, a part has been written already. Errors: FORMAT, with the line; IO, CORRUPT, RANGE, USAGE,
 * NOMEM. */
enum fst_status fst_render_sorted(struct fst_sorted *sorted,
                                  const struct fst_collapsed_options *options, fst_write_fn write,
                                  void *ctx, struct fst_error *err);

/* The forms that a list can be written in. */
enum fst_target {
    FST_TARGET_JSON,       /* docs/schema has the form */
    FST_TARGET_PPROF,      /* gzip'd protobuf: go tool pprof, Pyroscope, Parca, … */
    FST_TARGET_SPEEDSCOPE, /* sampled, for https://www.speedscope.app */
    FST_TARGET_COLLAPSED   /* not of a list: fst_render_collapsed */
};

/* Writes the list. Counts with a fraction are rounded in pprof, which knows none. Errors: RANGE where a
 * count does not fit pprof's 64 bits; USAGE for FST_TARGET_COLLAPSED; IO, NOMEM. */
enum fst_status fst_render_list(const struct fst_list *list, const struct fst_profile *profile,
                                enum fst_target target, fst_write_fn write, void *ctx,
                                struct fst_error *err);

enum fst_flame_layout {
    FST_FLAME_ICICLE = 0, /* the root at the top */
    FST_FLAME_FLAME       /* the root at the bottom */
};

struct fst_picture_options {
    const char *title; /* NULL: says what the picture is of */
    enum fst_flame_layout layout;
    bool fixed; /* the picture keeps its width; else it takes the window's */
};

/* Writes a flame graph as one SVG that needs nothing else: docs/FLAME.md says what it can do, and
 * fst_profile_read_… reads it back. */
enum fst_status fst_render_flame(const struct fst_flame *flame,
                                 const struct fst_picture_options *options, fst_write_fn write,
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
