/* Which stacks count, and which of their frames: --focus, --ignore, --hide, --show, --show-from,
 * --prune-from, --thread and --process.
 *
 * Meanings are pprof's (https://github.com/google/pprof, profile/filter.go and prune.go). A stack
 * is taken through them in this order:
 *
 *     thread, process   a stack is kept if its label matches; one without a label is dropped
 *     ignore            a stack with a match is dropped
 *     focus             a stack without a match is dropped; a frame that ignore matches is no match
 *     hide              frames that match are taken out
 *     show              frames that do not match are taken out
 *     show_from         frames root-ward of the match nearest to the root are taken out; a stack
 *                       without a match is dropped
 *     prune_from        frames leaf-ward of the match nearest to the leaf are taken out
 *     fold_recursion    a frame right behind itself is taken out
 *
 * focus and ignore see all frames, the last three what is left. Labels of processes and threads are
 * no frames: only thread and process look at them, and they stay. A stack that loses all its frames
 * is dropped.
 *
 * A pattern is matched against a name once, when its number is first seen: a stack costs a look-up
 * a frame. A filter belongs to one thread; the patterns may be shared. */
#ifndef FST_MODEL_FILTER_H
#define FST_MODEL_FILTER_H

#include "base/pattern.h"
#include "parse/dialect.h"

/* NULL: not asked for. The patterns must outlive the filter. */
struct fst_filter_options {
    const struct fst_pattern *thread;
    const struct fst_pattern *process;
    const struct fst_pattern *focus;
    const struct fst_pattern *ignore;
    const struct fst_pattern *hide;
    const struct fst_pattern *show;
    const struct fst_pattern *show_from;
    const struct fst_pattern *prune_from;
    bool fold_recursion;
};

/* Whether anything is asked for. */
bool fst_filter_wanted(const struct fst_filter_options *options);

/* Names by number. A number's name must never change while a filter knows it. */
struct fst_filter_names {
    struct fst_str (*name)(void *ctx, uint32_t id);
    void *ctx;
};

struct fst_filter {
    struct fst_filter_options options;
    struct fst_filter_names names;
    struct fst_matcher matcher;
    uint16_t *verdicts; /* by number; 0: not looked at yet */
    size_t capacity;
    size_t known; /* so many of them are initialised */
};

void fst_filter_init(struct fst_filter *filter, const struct fst_filter_options *options,
                     struct fst_filter_names names);
void fst_filter_release(struct fst_filter *filter);

/* Takes one stack through the filters. ids are its frames, root first, of which lead says how many
 * at the start are labels. *kept gets whether it counts; if so ids and *nids become what is left,
 * the labels where they stood. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_filter_stack(struct fst_filter *filter, const struct fst_lead *lead,
                                 uint32_t *ids, size_t *nids, bool *kept, struct fst_error *err);

/* Whether a stack that begins so is of a process that is asked for. Errors as above. */
enum fst_status fst_filter_process(struct fst_filter *filter, const struct fst_lead *lead,
                                   const uint32_t *ids, bool *wanted, struct fst_error *err);

/* Takes out every id that stands right behind an equal one, in place; returns how many are left. The
 * first `fixed` stay. "Equal" is the caller's: ids of frames tell lines of one function apart. */
size_t fst_fold_recursion(uint32_t *ids, size_t nids, size_t fixed);

#endif
