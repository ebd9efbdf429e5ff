/* Stacks are kept as text; here they are split again, by the dialect of the inputs, and their frames
 * taken apart once each. */
#include <math.h>
#include <stdlib.h>

#include "analysis/recording.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/count.h"
#include "base/error.h"
#include "model/profile.h"

#define OTHERS FST_STR("[other stacks]")

/* The list and what it owns. Stacks hold offsets into ids until that is whole. */
struct list {
    struct fst_list base;
    struct fst_symtab names; /* of frames */
    struct fst_arena texts;  /* threads and processes */
    struct fst_list_frame *frames;
    size_t frames_capacity;
    struct fst_list_stack *stacks;
    size_t stacks_capacity;
    uint32_t *ids;
    size_t nids;
    size_t ids_capacity;
    uint64_t beside; /* bytes that the profile's stacks take meanwhile */
};

/* How frames are read. */
struct reading {
    const struct fst_dialect_rules *rules;
    bool split_files;
    bool labels;
    struct fst_scanner scanner;
    struct fst_buf text;     /* of the stack at hand */
    struct fst_buf reshaped; /* what the dialect makes of it */
};

void fst_list_free(struct fst_list *list)
{
    if (list != NULL) {
        struct list *whole = (struct list *)list;
        fst_symtab_release(&whole->names);
        fst_arena_release(&whole->texts);
        fst_free(whole->frames);
        fst_free(whole->stacks);
        fst_free(whole->ids);
        fst_free(whole);
    }
}

/* --- what the inputs say ----------------------------------------------------------------------- */

/* The dialect of all inputs that have stacks; they are read by the generic one where it differs. */
static void choose_dialect(const struct fst_profile *p, struct fst_list *list,
                           struct reading *reading)
{
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        bool has_stacks = input->status == FST_OK && input->stack_lines > 0;
        reading->split_files = reading->split_files || (has_stacks && input->split_files);
    }
    list->dialect = fst_recording_dialect(p->inputs, p->ninputs);
    reading->rules = fst_dialect_rules_of(list->dialect);
}

/* The rate that all inputs have, and their durations together. */
static void describe_recording(const struct fst_profile *p, struct fst_list *list)
{
    bool any = false;
    list->rate = NAN;
    list->duration = 0;
    for (size_t i = 0; i < p->ninputs; i++) {
        const struct fst_input *input = &p->inputs[i];
        if (input->status == FST_OK) {
            bool same = !any || input->rate == list->rate;
            list->rate = same ? input->rate : NAN;
            list->duration += input->duration;
            any = true;
        }
    }
    if (!any || p->mixed_units || p->unit != FST_UNIT_SAMPLES) {
        list->rate = NAN;
    }
}

/* --- frames ------------------------------------------------------------------------------------ */

static bool read_frame(struct list *list, const struct reading *reading, uint32_t id)
{
    void *frames = list->frames;
    if (fst_grow(&frames, &list->frames_capacity, (size_t)id + 1, sizeof *list->frames) != 0) {
        return false;
    }
    list->frames = frames;
    struct fst_str name = fst_symtab_name(&list->names, id);
    struct fst_frame_parts parts = reading->rules->read(name, reading->split_files);
    list->frames[id] = (struct fst_list_frame){
        .name = name, .function = parts.function, .file = parts.file, .line = parts.line};
    return true;
}

static bool add_id(struct list *list, const struct reading *reading, struct fst_str frame)
{
    size_t known = list->names.count;
    uint32_t id = fst_symtab_intern(&list->names, frame);
    void *ids = list->ids;
    if (id == FST_ID_NONE || (id == known && !read_frame(list, reading, id)) ||
        fst_grow(&ids, &list->ids_capacity, list->nids + 1, sizeof *list->ids) != 0) {
        return false;
    }
    list->ids = ids;
    list->ids[list->nids++] = id;
    return true;
}

/* --- memory ------------------------------------------------------------------------------------ */

static uint64_t memory_of(const struct list *list)
{
    return list->beside + fst_symtab_memory(&list->names) + list->texts.held +
           fst_capacity_soon(list->frames_capacity, list->names.count) * sizeof *list->frames +
           fst_capacity_soon(list->stacks_capacity, list->base.nstacks) * sizeof *list->stacks +
           fst_capacity_soon(list->ids_capacity, list->nids) * sizeof *list->ids;
}

/* Whether there is room for so many bytes more. */
static enum fst_status check_memory(const struct list *list, const struct fst_profile *profile,
                                    uint64_t more, struct fst_error *err)
{
    uint64_t most = profile->options.max_memory;
    if (most == 0 || memory_of(list) + more <= fst_profile_room(profile)) {
        return FST_OK;
    }
    return fst_error_set(err, FST_ERR_NOMEM,
                         "the list of stacks takes more than the %llu bytes of --max-memory, with "
                         "%zu distinct frames and %zu stacks so far; collapsed text goes without",
                         (unsigned long long)most, list->names.count, list->base.nstacks);
}

/* --- stacks ------------------------------------------------------------------------------------ */

/* Splits a stack, and lets the dialect rewrite it; returns how many frames it has. */
static size_t split(struct reading *reading, struct fst_str text)
{
    size_t nframes = fst_stack_split(&reading->scanner, text, &reading->text);
    if (nframes > 0 && reading->rules->reshape != NULL) {
        fst_buf_clear(&reading->reshaped);
        nframes = reading->rules->reshape(reading->scanner.frames, nframes, &reading->reshaped);
    }
    return reading->reshaped.failed ? 0 : nframes;
}

/* Whether a frame is a label and nothing else: perf's command is also a good root. */
static bool is_label(const struct reading *reading, struct fst_str frame)
{
    enum fst_frame_kind kind = reading->rules->read(frame, reading->split_files).kind;
    return kind == FST_FRAME_PROCESS || kind == FST_FRAME_THREAD;
}

/* Copies what names the process and the thread of the stack at hand; returns how many of its frames
 * do. */
static size_t take_labels(struct list *list, const struct reading *reading, size_t nframes,
                          struct fst_list_stack *stack)
{
    const struct fst_str *frames = reading->scanner.frames;
    struct fst_lead lead = reading->rules->lead(frames, nframes);
    size_t taken = 0;
    while (taken < lead.count && is_label(reading, frames[taken])) {
        taken++;
    }
    if (lead.process < taken) {
        struct fst_str name = lead.process_name;
        stack->process = fst_arena_copy(&list->texts, name.len > 0 ? name : frames[lead.process]);
    }
    if (lead.thread < taken) {
        stack->thread = fst_arena_copy(&list->texts, frames[lead.thread]);
    }
    return taken;
}

static bool reserve_stack(struct list *list)
{
    void *stacks = list->stacks;
    if (fst_grow(&stacks, &list->stacks_capacity, list->base.nstacks + 1, sizeof *list->stacks) !=
        0) {
        return false;
    }
    list->stacks = stacks;
    return true;
}

static bool add_stack(struct list *list, struct reading *reading, struct fst_str text,
                      fst_i128 count)
{
    size_t nframes = split(reading, text);
    if (nframes == 0 || !reserve_stack(list)) {
        return false;
    }
    struct fst_list_stack stack = {
        .count = fst_count_pack(count), .thread = {"", 0}, .process = {"", 0}};
    size_t at = reading->labels ? take_labels(list, reading, nframes, &stack) : 0;
    bool good = stack.thread.data != NULL && stack.process.data != NULL;
    if (good && at == nframes) {
        good = add_id(list, reading, FST_FRAME_NONE);
        stack.nframes = 1;
    }
    for (; good && at < nframes; at++, stack.nframes++) {
        good = add_id(list, reading, reading->scanner.frames[at]);
    }
    list->base.fractions += !fst_count_is_whole(count);
    list->stacks[list->base.nstacks++] = stack;
    return good;
}

static enum fst_status add_all(struct list *list, struct reading *reading,
                               const struct fst_profile *profile, struct fst_error *err)
{
    struct fst_walk walk;
    bool more = true;
    list->beside = fst_stacks_memory(&profile->stacks) +
                   profile->stacks.texts.count * sizeof(struct fst_symbol *);
    enum fst_status status = fst_walk_begin(&walk, &profile->stacks, err);
    while (status == FST_OK && more) {
        status = fst_stream_next(&walk.all.base, &more, err);
        if (status == FST_OK && more) {
            status = add_stack(list, reading, walk.all.base.text, walk.all.base.count)
                         ? check_memory(list, profile, 0, err)
                         : fst_error_nomem(err);
        }
    }
    fst_walk_release(&walk);
    return status;
}

/* --- the largest ones -------------------------------------------------------------------------- */

/* The larger count first; of equal ones that which comes first. */
static int by_count(const void *a, const void *b)
{
    const struct fst_list_stack *const *left = a;
    const struct fst_list_stack *const *right = b;
    fst_i128 x = fst_count_unpack((*left)->count);
    fst_i128 y = fst_count_unpack((*right)->count);
    if (x != y) {
        return x > y ? -1 : 1;
    }
    return (*left > *right) - (*left < *right);
}

/* Marks the stacks beyond the largest ones, by no frames, and returns the sum of their counts. */
static bool mark_others(struct list *list, size_t most, fst_i128 *sum)
{
    size_t count = list->base.nstacks;
    struct fst_list_stack **order = fst_alloc((count + 1) * sizeof(struct fst_list_stack *));
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = &list->stacks[i];
    }
    qsort(order, count, sizeof(struct fst_list_stack *), by_count);
    *sum = 0;
    for (size_t i = most; i < count; i++) {
        *sum += fst_count_unpack(order[i]->count);
        order[i]->nframes = 0;
    }
    fst_free(order);
    return true;
}

/* Numbers the frames anew, in the order in which the stacks that are left have them, and forgets the
 * others. */
static bool renumber(struct list *list)
{
    uint32_t *numbers = fst_alloc_zeroed(list->names.count + 1, sizeof *numbers); /* from 1 */
    struct fst_list_frame *frames = fst_alloc((list->names.count + 1) * sizeof *frames);
    size_t kept = 0;
    for (size_t i = 0; numbers != NULL && frames != NULL && i < list->base.nstacks; i++) {
        const struct fst_list_stack *stack = &list->stacks[i];
        uint32_t *ids = list->ids + (stack->frames - list->ids);
        for (size_t k = 0; k < stack->nframes; k++) {
            uint32_t *number = &numbers[ids[k]];
            if (*number == 0) {
                frames[kept++] = list->frames[ids[k]];
                *number = (uint32_t)kept;
            }
            ids[k] = *number - 1;
        }
    }
    bool good = numbers != NULL && frames != NULL;
    if (good) {
        fst_free(list->frames);
        list->frames = frames;
        list->base.nframes = kept;
    } else {
        fst_free(frames);
    }
    fst_free(numbers);
    return good;
}

/* Bytes of memory that it takes to fold them. */
static uint64_t memory_of_folding(const struct list *list)
{
    return list->base.nstacks * sizeof(struct fst_list_stack *) +
           list->names.count * (sizeof *list->frames + sizeof *list->ids);
}

/* Makes one stack of all but so many; the frames of stacks are found by then. */
static bool fold_others(struct list *list, const struct reading *reading, size_t most)
{
    fst_i128 sum = 0;
    size_t kept = 0;
    if (!mark_others(list, most, &sum) || !add_id(list, reading, OTHERS)) {
        return false;
    }
    for (size_t i = 0; i < list->base.nstacks; i++) {
        if (list->stacks[i].nframes > 0) {
            list->stacks[kept++] = list->stacks[i];
        }
    }
    list->stacks[kept++] = (struct fst_list_stack){.frames = &list->ids[list->nids - 1],
                                                   .nframes = 1,
                                                   .count = fst_count_pack(sum),
                                                   .thread = {"", 0},
                                                   .process = {"", 0}};
    list->base.nstacks = kept;
    return renumber(list);
}

/* Stacks find their frames, when ids has all of them and room for one more. */
static bool place_frames(struct list *list)
{
    void *ids = list->ids;
    if (fst_grow(&ids, &list->ids_capacity, list->nids + 1, sizeof *list->ids) != 0) {
        return false;
    }
    list->ids = ids;
    size_t at = 0;
    for (size_t i = 0; i < list->base.nstacks; i++) {
        list->stacks[i].frames = list->ids + at;
        at += list->stacks[i].nframes;
    }
    return true;
}

static enum fst_status fill(struct list *list, const struct fst_profile *profile,
                            const struct fst_list_options *options, struct fst_error *err)
{
    struct reading reading = {.labels = options->labels};
    choose_dialect(profile, &list->base, &reading);
    enum fst_status status = add_all(list, &reading, profile, err);
    list->base.nframes = list->names.count;
    if (status == FST_OK && !place_frames(list)) {
        status = fst_error_nomem(err);
    }
    bool folds = options->most > 0 && list->base.nstacks > options->most;
    if (status == FST_OK && folds) {
        status = check_memory(list, profile, memory_of_folding(list), err);
    }
    if (status == FST_OK && folds && !fold_others(list, &reading, options->most)) {
        status = fst_error_nomem(err);
    }
    fst_scanner_release(&reading.scanner);
    fst_buf_release(&reading.text);
    fst_buf_release(&reading.reshaped);
    return status;
}

enum fst_status fst_list_new(const struct fst_profile *profile,
                             const struct fst_list_options *options, struct fst_list **out,
                             struct fst_error *err)
{
    if (profile->options.keep != FST_KEEP_STACKS) {
        return fst_error_set(err, FST_ERR_USAGE, "the profile keeps no stacks");
    }
    struct list *list = fst_alloc_zeroed(1, sizeof *list);
    if (list == NULL) {
        return fst_error_nomem(err);
    }
    fst_symtab_init(&list->names, profile->options.seed);
    enum fst_status status = fill(list, profile, options, err);
    if (status != FST_OK) {
        fst_list_free(&list->base);
        return status;
    }
    describe_recording(profile, &list->base);
    list->base.frames = list->frames;
    list->base.stacks = list->stacks;
    list->base.total = fst_count_pack(profile->total);
    list->base.unit = profile->unit;
    list->base.memory = memory_of(list);
    *out = &list->base;
    return FST_OK;
}
