/* What a partial sum knows beside its stacks: how many inputs it is of, what they said of their
 * recordings, and how the share of every frame differs between them.
 *
 * An input's share of a frame is a whole number of billionths of the input's total, rounded half to even
 * once, when the input is read. What is kept of the shares are sums and extremes of whole numbers, so that
 * partial sums add up to the same whatever their order and grouping: n, the sum x, the sum x^2, and the
 * FST_PARTIAL_ENDS largest and least with their inputs' names. There are fewer than 2^32 inputs and a share
 * is at most 10^9, so that no sum gets near 2^127.
 *
 * docs/FLEET.md has the form in a text; render/partial writes it. */
#ifndef FST_MODEL_PARTIAL_H
#define FST_MODEL_PARTIAL_H

#include "base/buf.h"
#include "base/symtab.h"
#include "model/stacks.h"
#include "parse/dialect.h"

/* Of the form of its lines. */
#define FST_PARTIAL_VERSION "1"

#define FST_PARTIAL_WHOLE ((fst_i128)1000000000)

enum { FST_PARTIAL_ENDS = 2 };

/* The share of one input. */
struct fst_extreme {
    fst_i128 share; /* billionths */
    uint32_t input; /* its name's number */
};

/* The shares of a frame, over the inputs that have it at all. */
struct fst_moments {
    uint64_t inputs;
    fst_i128 sum;
    fst_i128 squares;
    struct fst_extreme most[FST_PARTIAL_ENDS]; /* as many as there are inputs; the largest first, */
    struct fst_extreme least[FST_PARTIAL_ENDS]; /* the least first; of equal ones by name */
};

enum fst_moments_kind { FST_MOMENTS_SELF, FST_MOMENTS_TOTAL, FST_MOMENTS_KINDS };

/* A figure of recordings: of how many inputs it is known, and their sum (scaled, see base/count.h). */
struct fst_told {
    uint64_t known;
    fst_i128 sum;
};

struct fst_partial {
    uint64_t inputs; /* that have stacks */
    uint64_t
        compared; /* of them: those that have shares, being without negative counts and not 0 */
    uint64_t bad_lines;
    struct fst_told rates; /* the sum means nothing */
    fst_i128 least_rate;   /* Hz, scaled; of those that are known */
    fst_i128 most_rate;
    struct fst_told durations; /* seconds */
    struct fst_told errors;
    struct fst_told ticks;
    struct fst_buf rules;    /* that changed stacks and names, each escaped and behind a tab */
    struct fst_symtab names; /* of inputs */
    struct fst_symtab frames;
    struct fst_moments *moments[FST_MOMENTS_KINDS]; /* by number in frames */
    size_t capacity[FST_MOMENTS_KINDS];
};

/* What one input is to a partial sum. */
struct fst_partial_input {
    struct fst_str name;
    struct fst_str rules;
    fst_i128 total;
    bool negative; /* it has counts below zero */
    uint64_t bad_lines;
    double rate; /* NaN: unknown; the others too */
    double duration;
    double errors;
    double ticks;
    const struct fst_grammar *grammar;
    const struct fst_stacks *stacks; /* at least one */
};

void fst_partial_init(struct fst_partial *partial, uint64_t seed);
void fst_partial_release(struct fst_partial *partial);

/* Adds an input. Errors: USAGE where partial's rules are others, RANGE beyond 2^32 inputs, both of which
 * change nothing; NOMEM. */
enum fst_status fst_partial_add(struct fst_partial *partial, const struct fst_partial_input *input,
                                struct fst_error *err);

/* Adds all of another one, with the same errors. */
enum fst_status fst_partial_merge(struct fst_partial *into, const struct fst_partial *from,
                                  struct fst_error *err);

/* Adds shares of a frame; false without memory. */
bool fst_partial_add_moments(struct fst_partial *into, struct fst_str frame,
                             enum fst_moments_kind kind, const struct fst_moments *moments,
                             const struct fst_symtab *names);

/* The shares of a frame; NULL where no input has it. */
const struct fst_moments *fst_partial_find(const struct fst_partial *partial, struct fst_str frame,
                                           enum fst_moments_kind kind);

/* Bytes of memory that it holds. */
uint64_t fst_partial_memory(const struct fst_partial *partial);

/* Reads the lines of a text that fst_is_partial_line finds, each with a newline, into partial, which is initialised and
 * empty; several partial sums may stand one behind the other. total: the sum of the text's counts. Errors:
 * FORMAT where lines are not as they were written, or the sum is another one; those of fst_partial_merge. */
enum fst_status fst_partial_read(struct fst_partial *partial, struct fst_str lines, fst_i128 total,
                                 struct fst_error *err);

#endif
