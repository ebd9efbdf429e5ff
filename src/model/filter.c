#include "model/filter.h"

#include "base/alloc.h"
#include "base/compat.h"
#include "base/error.h"
#include "parse/frame.h"

/* What is known of a number. A label and a frame may have the same name, and so the same number:
 * they are judged apart. */
enum {
    JUDGED_FRAME = 1,
    FOCUSED = 2,
    IGNORED = 4,
    HIDDEN = 8,
    SHOWN_FROM = 16,
    PRUNED_FROM = 32,
    JUDGED_LABEL = 64,
    THREAD = 128,
    PROCESS = 256
};

bool fst_filter_wanted(const struct fst_filter_options *o)
{
    return o->thread != NULL || o->process != NULL || o->focus != NULL || o->ignore != NULL ||
           o->hide != NULL || o->show != NULL || o->show_from != NULL || o->prune_from != NULL ||
           o->fold_recursion;
}

void fst_filter_init(struct fst_filter *filter, const struct fst_filter_options *options,
                     struct fst_filter_names names)
{
    *filter = (struct fst_filter){.options = *options, .names = names};
}

void fst_filter_release(struct fst_filter *filter)
{
    fst_matcher_release(&filter->matcher);
    fst_free(filter->verdicts);
    *filter = (struct fst_filter){0};
}

/* --- verdicts ---------------------------------------------------------------------------------- */

/* One question about a name: the bit that is set if pattern matches, or if it does not. */
struct question {
    const struct fst_pattern *pattern;
    uint16_t bit;
    bool unless;
};

static enum fst_status ask(struct fst_filter *filter, struct fst_str name,
                           const struct question *questions, size_t count, uint16_t *verdict,
                           struct fst_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (questions[i].pattern == NULL) {
            continue;
        }
        bool matched = false;
        enum fst_status status =
            fst_pattern_match(questions[i].pattern, &filter->matcher, name, &matched, err);
        if (status != FST_OK) {
            return status;
        }
        if (matched != questions[i].unless) {
            *verdict |= questions[i].bit;
        }
    }
    return FST_OK;
}

static enum fst_status judge_frame(struct fst_filter *filter, uint32_t id, uint16_t *verdict,
                                   struct fst_error *err)
{
    const struct fst_filter_options *o = &filter->options;
    const struct question questions[] = {
        {o->ignore, IGNORED, false},       {o->focus, FOCUSED, false},
        {o->hide, HIDDEN, false},          {o->show, HIDDEN, true},
        {o->show_from, SHOWN_FROM, false}, {o->prune_from, PRUNED_FROM, false},
    };
    *verdict |= JUDGED_FRAME;
    return ask(filter, filter->names.name(filter->names.ctx, id), questions,
               FST_COUNT_OF(questions), verdict, err);
}

static enum fst_status judge_label(struct fst_filter *filter, uint32_t id, uint16_t *verdict,
                                   struct fst_error *err)
{
    const struct question questions[] = {
        {filter->options.thread, THREAD, false},
        {filter->options.process, PROCESS, false},
    };
    *verdict |= JUDGED_LABEL;
    return ask(filter, filter->names.name(filter->names.ctx, id), questions,
               FST_COUNT_OF(questions), verdict, err);
}

static bool extend(struct fst_filter *filter, size_t count)
{
    void *verdicts = filter->verdicts;
    if (fst_grow(&verdicts, &filter->capacity, count, sizeof *filter->verdicts) != 0) {
        return false;
    }
    filter->verdicts = verdicts;
    memset(filter->verdicts + filter->known, 0,
           (filter->capacity - filter->known) * sizeof *filter->verdicts);
    filter->known = filter->capacity;
    return true;
}

/* Makes sure that the verdict of id is known in that role. A judgement that failed leaves none. */
static enum fst_status need(struct fst_filter *filter, uint32_t id, uint16_t role,
                            struct fst_error *err)
{
    if (id >= filter->known && !extend(filter, (size_t)id + 1)) {
        return fst_error_nomem(err);
    }
    uint16_t verdict = filter->verdicts[id];
    if ((verdict & role) != 0) {
        return FST_OK;
    }
    enum fst_status status = role == JUDGED_FRAME ? judge_frame(filter, id, &verdict, err)
                                                  : judge_label(filter, id, &verdict, err);
    if (status == FST_OK) {
        filter->verdicts[id] = verdict;
    }
    return status;
}

/* --- stacks ------------------------------------------------------------------------------------ */

/* Whether a label has that bit. */
static enum fst_status check_label(struct fst_filter *filter, uint32_t id, uint16_t bit, bool *good,
                                   struct fst_error *err)
{
    enum fst_status status = need(filter, id, JUDGED_LABEL, err);
    *good = status == FST_OK && (filter->verdicts[id] & bit) != 0;
    return status;
}

/* Whether the label at that place has that bit; one that is not asked for is good. */
static enum fst_status check_place(struct fst_filter *filter, const struct fst_pattern *pattern,
                                   const struct fst_lead *lead, size_t place, uint16_t bit,
                                   const uint32_t *ids, bool *good, struct fst_error *err)
{
    *good = pattern == NULL || place < lead->count;
    return pattern == NULL || !*good ? FST_OK : check_label(filter, ids[place], bit, good, err);
}

enum fst_status fst_filter_process(struct fst_filter *filter, const struct fst_lead *lead,
                                   const uint32_t *ids, bool *wanted, struct fst_error *err)
{
    return check_place(filter, filter->options.process, lead, lead->process, PROCESS, ids, wanted,
                       err);
}

static enum fst_status check_labels(struct fst_filter *filter, const struct fst_lead *lead,
                                    const uint32_t *ids, bool *good, struct fst_error *err)
{
    enum fst_status status = fst_filter_process(filter, lead, ids, good, err);
    return status != FST_OK || !*good ? status
                                      : check_place(filter, filter->options.thread, lead,
                                                    lead->thread, THREAD, ids, good, err);
}

static bool has(const struct fst_filter *filter, uint32_t id, uint16_t bit)
{
    return (filter->verdicts[id] & bit) != 0;
}

/* Whether ignore and focus let the frames pass. */
static bool passes(const struct fst_filter *filter, const uint32_t *ids, size_t nids)
{
    bool focused = filter->options.focus == NULL;
    for (size_t i = 0; i < nids; i++) {
        if (has(filter, ids[i], IGNORED)) {
            return false;
        }
        focused |= has(filter, ids[i], FOCUSED);
    }
    return focused;
}

static size_t take_out_hidden(const struct fst_filter *filter, uint32_t *ids, size_t nids)
{
    size_t left = 0;
    for (size_t i = 0; i < nids; i++) {
        if (!has(filter, ids[i], HIDDEN)) {
            ids[left++] = ids[i];
        }
    }
    return left;
}

static size_t cut_root_side(const struct fst_filter *filter, uint32_t *ids, size_t nids)
{
    size_t first = 0;
    while (first < nids && !has(filter, ids[first], SHOWN_FROM)) {
        first++;
    }
    memmove(ids, ids + first, (nids - first) * sizeof *ids);
    return nids - first;
}

static size_t cut_leaf_side(const struct fst_filter *filter, const uint32_t *ids, size_t nids)
{
    for (size_t last = nids; last > 0; last--) {
        if (has(filter, ids[last - 1], PRUNED_FROM)) {
            return last;
        }
    }
    return nids;
}

size_t fst_fold_recursion(uint32_t *ids, size_t nids, size_t fixed)
{
    size_t left = nids < fixed ? nids : fixed;
    for (size_t i = left; i < nids; i++) {
        if (left == fixed || ids[left - 1] != ids[i]) {
            ids[left++] = ids[i];
        }
    }
    return left;
}

/* Takes frames out; ids are those behind the labels, all judged. Returns how many are left. */
static size_t take_out(const struct fst_filter *filter, uint32_t *ids, size_t nids)
{
    const struct fst_filter_options *o = &filter->options;
    if (o->hide != NULL || o->show != NULL) {
        nids = take_out_hidden(filter, ids, nids);
    }
    if (o->show_from != NULL) {
        nids = cut_root_side(filter, ids, nids);
    }
    if (o->prune_from != NULL) {
        nids = cut_leaf_side(filter, ids, nids);
    }
    return o->fold_recursion ? fst_fold_recursion(ids, nids, 0) : nids;
}

static void reverse(uint32_t *ids, size_t nids)
{
    for (size_t i = 0; i < nids / 2; i++) {
        uint32_t id = ids[i];
        ids[i] = ids[nids - 1 - i];
        ids[nids - 1 - i] = id;
    }
}

/* Puts the first `by` of some frames behind the others. */
static void rotate(uint32_t *ids, size_t nids, size_t by)
{
    reverse(ids, by);
    reverse(ids + by, nids - by);
    reverse(ids, nids);
}

/* How many frames at the start are tags, of which there were so many. */
static size_t tags_left(const struct fst_filter *filter, const uint32_t *ids, size_t nids,
                        size_t tags)
{
    size_t left = 0;
    while (left < nids && left < tags) {
        struct fst_str name = filter->names.name(filter->names.ctx, ids[left]);
        if (fst_tags_count(&name, 1) == 0) {
            break;
        }
        left++;
    }
    return left;
}

/* Filters the frames of a stack; its tags are some of them, and its labels stand before them. */
static enum fst_status filter_frames(struct fst_filter *filter, uint32_t *frames, size_t *nframes,
                                     bool *kept, struct fst_error *err)
{
    for (size_t i = 0; i < *nframes; i++) {
        enum fst_status status = need(filter, frames[i], JUDGED_FRAME, err);
        if (status != FST_OK) {
            return status;
        }
    }
    *kept = passes(filter, frames, *nframes);
    if (*kept) {
        size_t left = take_out(filter, frames, *nframes);
        bool bare = *nframes == 0 && filter->options.show == NULL &&
                    filter->options.show_from == NULL; /* it had no frames to lose */
        *kept = left > 0 || bare;
        *nframes = left;
    }
    return FST_OK;
}

enum fst_status fst_filter_stack(struct fst_filter *filter, const struct fst_lead *lead,
                                 uint32_t *ids, size_t *nids, bool *kept, struct fst_error *err)
{
    enum fst_status status = check_labels(filter, lead, ids, kept, err);
    if (status != FST_OK || !*kept) {
        return status;
    }
    size_t lead_count = lead->count < *nids ? lead->count : *nids;
    size_t tags = lead->tags < lead_count ? lead->tags : lead_count;
    size_t labels = lead_count - tags;
    size_t nframes = *nids - labels;
    rotate(ids, lead_count, tags);
    status = filter_frames(filter, ids + labels, &nframes, kept, err);
    if (status == FST_OK && *kept) {
        size_t left = tags_left(filter, ids + labels, nframes, tags);
        rotate(ids, labels + left, labels);
        *nids = labels + nframes;
    }
    return status;
}
