/* Names and counters: what a stream of samples leaves behind.
 *
 *     frame text --> frame (what it is, which row it counts into, which root it makes)
 *                      |                                  |
 *                      v                                  v
 *                     row (self, total)                 root (total)
 *
 * Frames are read once, when they are first seen; after that a stack costs a look-up and two
 * additions a frame. Rows are the frames themselves (FST_BY_FRAME) or the groups that frames or
 * stacks fall into. Every counter is bounded by the sum of the counts' magnitudes, which alone is
 * checked for overflow. */
#ifndef FST_MODEL_PROFILE_H
#define FST_MODEL_PROFILE_H

#include "base/buf.h"
#include "base/pattern.h"
#include "base/symtab.h"
#include "model/calltree.h"
#include "model/partial.h"
#include "model/stacks.h"
#include "model/sums.h"
#include "parse/dialect.h"
#include "parse/parser.h"

/* A sample's position that stands for "never". */
#define FST_NEVER UINT64_MAX

struct fst_frame {
    uint32_t row;    /* of FST_BY_FRAME: its own number; FST_ID_NONE: not known yet */
    uint32_t root;   /* the root it makes under FST_ROOT_AUTO; FST_ID_NONE: not known yet */
    uint8_t kind;    /* enum fst_frame_kind */
    uint8_t dialect; /* by which it was read, and how */
    bool split_files : 1;
    bool scaffolding : 1; /* FST_ROOT_AUTO passes over it */
    bool unknown : 1;     /* [unknown] */
};

/* What is not in the counters of the row's symbol yet: see src/model/count.c. */
struct fst_row {
    fst_i128 self;
    uint64_t first_self; /* position of the sample that first had it as its leaf, or FST_NEVER */
    uint64_t order;      /* rows that occur earlier have lower ones; FST_NEVER: no stack that was
                            kept has it */
};

/* The name of a row where rows lie within rows: its labels' numbers. */
struct fst_pair {
    uint32_t outer;
    uint32_t inner; /* FST_ID_NONE: the outer row itself */
};

struct fst_root_row {
    fst_i128 total;
    uint64_t first; /* position of the sample that first had it */
};

/* Counts of the processes that are asked for, whatever else filters drop of them: what is said of a
 * process must not change with the stacks that somebody looks at. */
struct fst_whole {
    fst_i128 total;
    struct fst_sums threads; /* by thread */
    struct fst_sums roots;   /* by root, of stacks as they were read, and so */
    fst_i128 waiting;        /* of those that wait for a lock in native frames */
};

struct fst_profile {
    struct fst_profile_options options;
    struct fst_symtab frame_names;
    struct fst_frame *frames; /* by number in frame_names */
    size_t frames_capacity;
    struct fst_symtab row_names; /* unused where rows are frames (fst_rows_are_frames) */
    struct fst_symtab
        level_names[2];  /* of rows within rows: labels of the outer and the inner ones;
                                         row_names then has struct fst_pair for names */
    uint32_t *labels[2]; /* the labels of frames there, by number in frame_names */
    size_t labels_capacity[2];
    struct fst_symtab spoken_names; /* what frames are called, where the selection alters names */
    uint32_t *spoken;               /* by number in frame_names; FST_ID_NONE: what is written */
    size_t spoken_capacity;
    struct fst_buf label;       /* scratch for the labels of new frames */
    bool alters;                /* the selection alters names */
    bool chooses;               /* stacks are judged one by one: model/chosen.h */
    bool keeps_whole;           /* options.threads asks for threads, and filters may drop stacks */
    bool mixed_units;           /* counts of another unit were added by force */
    enum fst_unit unit;         /* of the counts; that of the first input */
    struct fst_matcher matcher; /* for rewriting */
    struct fst_error failure;   /* why counting failed, where that is not for want of memory */
    struct fst_row *rows;
    size_t rows_capacity;
    fst_i128 *totals; /* of the rows; NULL where nothing asks for them (fst_ends_suffice) */
    size_t totals_capacity;
    size_t nrows;
    struct fst_symtab root_names;
    struct fst_root_row *roots;
    size_t roots_capacity;
    size_t nroots;
    struct fst_stacks stacks;   /* where options.keep asks for them */
    struct fst_sums threads;    /* by thread, where options.threads asks for it */
    struct fst_sums waits;      /* by native frame that waits for a lock; likewise */
    struct fst_whole whole;     /* counted where keeps_whole says so */
    struct fst_calltree calls;  /* of rows or frames, where options.tree asks for it */
    struct fst_grammar grammar; /* of the text being read */
    uint64_t samples;           /* stacks that were kept so far */
    uint64_t offered_samples;   /* stacks that were read so far */
    uint64_t position;          /* of the next sample in the order of the text; gaps do no harm */
    uint64_t origin;            /* of the block that is read: where its positions begin */
    uint64_t orders;            /* beyond the order of every row */
    uint64_t named_threads;     /* stacks that have a thread frame */
    uint64_t named_processes;
    uint64_t foreign;            /* stacks without any frame of the dialect */
    uint64_t first_foreign;      /* line of the first */
    uint64_t deepest;            /* frames of the deepest stack */
    uint64_t at_deepest;         /* stacks of that depth */
    fst_i128 unknown;            /* sum of the stacks whose leaf is [unknown] */
    fst_i128 total;              /* of what was kept */
    fst_i128 offered;            /* of all that was read */
    fst_i128 magnitude;          /* sum of |count| */
    fst_i128 before;             /* the magnitude of the profile that will absorb this one */
    fst_i128 divisor;            /* of all counts, by fst_divisor_of; 0 before the first */
    struct fst_account *account; /* of all whose tables max_memory is for; NULL: it is not given */
    uint64_t accounted;          /* bytes of its tables that the account has */
    uint64_t counted;            /* stacks whose count is not 0 */
    uint64_t negatives;
    uint64_t fractions;
    struct fst_tally *tally; /* of src/model/count.c; NULL before the first sample */
    struct fst_input *inputs;
    size_t inputs_capacity;
    size_t ninputs;
    struct fst_partial *partial; /* of partial sums that were read, and of all inputs where
                                    options.partial asks for it; NULL: none yet */
    struct fst_arena texts;      /* names and excerpts of inputs */
};

/* The total of a row; 0 where totals are not counted. */
static inline fst_i128 fst_row_total(const struct fst_profile *profile, uint32_t row)
{
    return profile->totals == NULL ? 0 : profile->totals[row];
}

/* The sum of counts is out of range, from that line on (0: no line is known). */
enum fst_status fst_profile_out_of_range(uint64_t line, struct fst_error *err);

/* Adds one stack. Errors: RANGE (err->line set), NOMEM. */
enum fst_status fst_profile_add(struct fst_profile *profile, const struct fst_sample *sample,
                                struct fst_error *err);

/* Adds the stacks of a batch, in their order. */
enum fst_status fst_profile_add_batch(struct fst_profile *profile, const struct fst_batch *batch,
                                      struct fst_error *err);

/* Bytes that tables take. */
uint64_t fst_profile_memory(const struct fst_profile *profile);

/* How much of options.max_memory tables may take: what remains is for buffers and for the program. */
uint64_t fst_profile_room(const struct fst_profile *profile);

/* FST_ERR_NOMEM with a message where the profile, and those that it was made beside, take more than
 * options.max_memory, unless whole stacks can go to a temporary file. The others count as they were
 * when this was last asked of them, which may be meanwhile, on another thread. */
enum fst_status fst_profile_check_memory(struct fst_profile *profile, struct fst_error *err);

/* Moves what is still counted beside them into rows and roots. To be called before they are read;
 * frees what counting needed. */
void fst_profile_settle(struct fst_profile *profile);

/* The common divisor of two counts' divisors or magnitudes, scaled: 0 with x is x, and a divisor
 * below 1,000 samples is as good as none and becomes one sample. */
fst_i128 fst_divisor_of(fst_i128 a, fst_i128 b);

/* The name of a row; where it lies within another one, that one's name is in *outer, which is else
 * empty. outer may be NULL. */
struct fst_str fst_profile_row_name(const struct fst_profile *profile, uint32_t row,
                                    struct fst_str *outer);

/* What a frame is called. */
struct fst_str fst_profile_spoken(const struct fst_profile *profile, uint32_t frame);

/* The error of a step of counting that failed: what it left in failure, or want of memory. */
enum fst_status fst_profile_failed(const struct fst_profile *profile, struct fst_error *err);

/* Appends an input; its texts are copied. The new element is valid until the next one. */
struct fst_input *fst_profile_add_input(struct fst_profile *profile, const struct fst_input *input,
                                        struct fst_error *err);

/* Adds a partial sum to that of the profile. Errors: USAGE where rules differ, RANGE, NOMEM. */
enum fst_status fst_profile_merge_partial(struct fst_profile *profile,
                                          const struct fst_partial *from, struct fst_error *err);

/* From here on samples, and new rows, have positions from origin on. */
void fst_profile_begin_block(struct fst_profile *profile, uint64_t origin);

/* Adds what another profile has counted of the same text, in blocks of its own. It is settled. */
enum fst_status fst_profile_join(struct fst_profile *into, struct fst_profile *from,
                                 struct fst_error *err);

/* Adds from's counters and names to into and may empty from; its inputs are not taken. */
enum fst_status fst_profile_absorb(struct fst_profile *into, struct fst_profile *from,
                                   struct fst_error *err);

/* The group that a frame falls into by function: "name (file)", or the frame itself. Points into
 * the frame or is built in scratch, which the caller clears and releases. */
struct fst_str fst_profile_function_label(const struct fst_profile *profile, uint32_t frame,
                                          struct fst_buf *scratch);

#endif
