/* Which profiler wrote a text, and how its lines are to be read.
 *
 * A dialect is one value of struct fst_dialect_rules, in a file of its own or beside its kin, and a
 * row in the registry (dialect.c). It is told from the first lines: the sniffer hands every record
 * to every dialect, which says whether it fits; then each bids, and the highest bid wins. What is
 * won changes labels, units and what is known of threads, processes and files. It changes totals
 * only by choosing a count where lines carry several. */
#ifndef FST_PARSE_DIALECT_H
#define FST_PARSE_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "parse/frame.h"
#include "parse/logline.h"
#include "parse/record.h"

/* How far the sniffer looks, whichever comes first. Lines are those that may be stacks. */
enum { FST_SNIFF_LINES = 1000, FST_SNIFF_BYTES = 4 * 1024 * 1024 };

enum { FST_DIALECTS_MOST = 16 };

/* What the first lines hold. */
struct fst_sniff {
    uint64_t records; /* stacks, and bad lines, which another form of tail may explain */
    uint64_t stacks;
    uint64_t empty_stacks;  /* "[no Python frames]" */
    uint64_t led_stacks;    /* begin with one of py-spy's process or thread frames */
    uint64_t frames;        /* but process, thread and stand-in frames */
    uint64_t file_frames;   /* of them: "name (file)" with something that looks like a file */
    uint64_t python_frames; /* of them: of a Python file */
    uint64_t leaf_first;    /* stacks that look written leaf first */
    uint64_t root_first;    /* stacks that look written root first */
    uint64_t countless;     /* records that end in no number */
    uint64_t tails[4];      /* records that end in 0, 1, 2, 3 numbers none of which is negative */
    uint64_t threes;        /* records that end in three numbers behind blanks, of any sign */
    uint64_t joined;        /* records that end in three numbers joined by commas */
    uint64_t fits[FST_DIALECTS_MOST]; /* records that fit each dialect of the registry */
    bool json_comment;                /* the first comment is "# {…" */
};

/* The labels that lead a stack: frames that name its process and its thread. Indices into the
 * stack, which count only below `count`; FST_NO_FRAME where there is none. */
#define FST_NO_FRAME SIZE_MAX

struct fst_lead {
    size_t count;   /* how many frames lead */
    size_t skip;    /* how many of them FST_ROOT_AUTO passes over */
    size_t process; /* the innermost */
    size_t thread;
    struct fst_str process_name; /* where the frame says more than that; empty: it is the name */
    size_t tags;                 /* how many of them, the first ones, are tags and no labels */
};

#define FST_NO_LEAD ((struct fst_lead){0, 0, FST_NO_FRAME, FST_NO_FRAME, {"", 0}, 0})

struct fst_dialect_rules {
    enum fst_dialect id;
    const char *name;
    /* Whether a record has a mark of the dialect. NULL: there is none that a record could lack. */
    bool (*fits)(const struct fst_record *record);
    /* How much the dialect wants the text; fits is the share of records that fit, 0 to 1. */
    int (*bid)(const struct fst_sniff *sniff, double fits);
    /* Takes a frame apart; split_files: "name (file:line)" is in use. */
    struct fst_frame_parts (*read)(struct fst_str frame, bool split_files);
    /* The process and thread frames that lead a stack. */
    struct fst_lead (*lead)(const struct fst_str *frames, size_t nframes);
    /* Rewrites a stack in place, with text that must be new put into scratch; returns its new
     * length. NULL: stacks stay as they are. On failure scratch->failed is set. */
    size_t (*reshape)(struct fst_str *frames, size_t nframes, struct fst_buf *scratch);
    /* Whether reshape would surely leave a stack as it is; NULL: it is not known. */
    bool (*as_is)(struct fst_str stack);
    bool always_split; /* frames carry files by definition; else only where enough of them do */
    enum fst_unit unit;
};

extern const struct fst_dialect_rules fst_dialect_pyspy;
extern const struct fst_dialect_rules fst_dialect_generic;
extern const struct fst_dialect_rules fst_dialect_austin;
extern const struct fst_dialect_rules fst_dialect_cpython;
extern const struct fst_dialect_rules fst_dialect_perf;
extern const struct fst_dialect_rules fst_dialect_async;
extern const struct fst_dialect_rules fst_dialect_gprofiler;
extern const struct fst_dialect_rules fst_dialect_rbspy;
extern const struct fst_dialect_rules fst_dialect_torch;
extern const struct fst_dialect_rules fst_dialect_two_count;

/* How a text is to be read. */
struct fst_grammar {
    const struct fst_dialect_rules *rules;
    enum fst_dialect dialect;
    enum fst_dialect looks_like; /* the dialect that the text has the marks of, where it has hardly
                                    any of the one that was asked for; else FST_DIALECT_AUTO */
    bool split_files;            /* "name (file:line)" is in use */
    bool looks_leaf_first;       /* half of the stacks look leaf first, and fewer root first */
    struct fst_tail_rule tail;
    enum fst_unit unit;
    bool unit_guessed; /* Austin's, where neither text nor counts tell it */
};

/* Counts one record: a stack or a bad line. */
void fst_sniff_take(struct fst_sniff *sniff, const struct fst_record *record);

/* Counts one stack that comes from no line of text. */
void fst_sniff_take_stack(struct fst_sniff *sniff, const struct fst_str *frames, size_t nframes);

/* Decides. options->dialect overrides the bids; metric and column choose among several counts.
 * USAGE where the text has no such count. */
enum fst_status fst_dialect_tell(const struct fst_sniff *sniff,
                                 const struct fst_recording *recording,
                                 const struct fst_read_options *options, struct fst_grammar *out,
                                 struct fst_error *err);

/* Decides by stacks alone: there is one count each, and no metadata. */
struct fst_grammar fst_dialect_tell_stacks(const struct fst_sniff *sniff, enum fst_dialect asked);

/* The same where the input names its dialect, which goes before what the stacks look like; a name of
 * none says nothing. */
struct fst_grammar fst_dialect_tell_known(const struct fst_sniff *sniff, enum fst_dialect asked,
                                          struct fst_str name);

/* Finds a unit by its name; false, and *out as it was, if there is none. */
bool fst_unit_find(struct fst_str name, enum fst_unit *out);

/* The rules of a dialect; those of the generic one for FST_DIALECT_AUTO. */
const struct fst_dialect_rules *fst_dialect_rules_of(enum fst_dialect dialect);

/* Finds a dialect by name ("auto" too); false if there is none. */
bool fst_dialect_find(const char *name, enum fst_dialect *out);

/* --- for the dialects ------------------------------------------------------------------------ */

/* The process and thread frames at the start, as read() knows them by their text. */
struct fst_lead fst_lead_by_kind(const struct fst_dialect_rules *rules,
                                 const struct fst_str *frames, size_t nframes);

/* Takes "FILE:FUNCTION:LINE" apart; false if it has another form. */
bool fst_frame_read_colons(struct fst_str frame, struct fst_frame_parts *parts);

#endif
