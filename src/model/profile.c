#include "model/profile.h"

#include <sys/random.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/names.h"
#include "parse/frame.h"
#include "parse/wait.h"

/* Divisors below this many samples mean nothing: the search for a larger one stops there. */
enum { SMALLEST_DIVISOR = 1000 };

/* --- life ----------------------------------------------------------------------------------- */

static uint64_t pick_seed(uint64_t wanted)
{
    uint64_t seed = wanted;
    if (seed == 0 && getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        seed = 0x9e3779b97f4a7c15U; /* early in boot: better a known seed than to wait */
    }
    return seed;
}

enum fst_status fst_profile_new(const struct fst_profile_options *options, struct fst_profile **out,
                                struct fst_error *err)
{
    struct fst_profile *profile = fst_alloc_zeroed(1, sizeof *profile);
    if (profile == NULL) {
        return fst_error_nomem(err);
    }
    profile->options = *options;
    profile->options.seed = pick_seed(options->seed);
    fst_symtab_init(&profile->frame_names, profile->options.seed);
    fst_symtab_init(&profile->row_names, profile->options.seed);
    fst_symtab_init(&profile->root_names, profile->options.seed);
    fst_tally_init(&profile->threads, profile->options.seed);
    fst_tally_init(&profile->waits, profile->options.seed);
    *out = profile;
    return FST_OK;
}

void fst_profile_free(struct fst_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    fst_symtab_release(&profile->frame_names);
    fst_symtab_release(&profile->row_names);
    fst_symtab_release(&profile->root_names);
    fst_tally_release(&profile->threads);
    fst_tally_release(&profile->waits);
    fst_arena_release(&profile->texts);
    fst_free(profile->frames);
    fst_free(profile->rows);
    fst_free(profile->roots);
    fst_free(profile->ids);
    fst_free(profile->inputs);
    fst_free(profile);
}

struct fst_count fst_profile_total(const struct fst_profile *profile)
{
    return fst_count_pack(profile->total);
}

const struct fst_input *fst_profile_inputs(const struct fst_profile *profile, size_t *count)
{
    *count = profile->ninputs;
    return profile->inputs;
}

/* --- roots, threads and processes ----------------------------------------------------------- */

/* The root that a frame makes by its function; found once a frame. */
static uint32_t function_root(struct fst_profile *p, uint32_t id)
{
    if (p->frames[id].root == FST_ID_NONE) {
        struct fst_buf scratch = {0};
        struct fst_str label = fst_profile_function_label(p, id, &scratch);
        p->frames[id].root = scratch.failed ? FST_ID_NONE : fst_names_root(p, label);
        fst_buf_release(&scratch);
    }
    return p->frames[id].root;
}

static uint32_t auto_root(struct fst_profile *p, const struct fst_lead *lead, size_t nframes)
{
    if (lead->skip == nframes) {
        return fst_names_root(p, FST_FRAME_NONE);
    }
    for (size_t i = lead->skip; i < nframes; i++) {
        if (!p->frames[p->ids[i]].scaffolding) {
            return function_root(p, p->ids[i]);
        }
    }
    return function_root(p, p->ids[nframes - 1]);
}

/* A frame that leads the stack, or what stands for none. */
static struct fst_str lead_label(const struct fst_profile *p, const struct fst_lead *lead,
                                 size_t at, struct fst_str none)
{
    return at < lead->count ? fst_symtab_name(&p->frame_names, p->ids[at]) : none;
}

static struct fst_str thread_label(const struct fst_profile *p, const struct fst_lead *lead)
{
    return lead_label(p, lead, lead->thread, FST_STR("[no thread]"));
}

static struct fst_str process_label(const struct fst_profile *p, const struct fst_lead *lead)
{
    return lead_label(p, lead, lead->process, FST_STR("[no process]"));
}

static uint32_t find_root(struct fst_profile *p, const struct fst_lead *lead, size_t nframes)
{
    switch (p->options.root) {
    case FST_ROOT_THREAD: return fst_names_root(p, thread_label(p, lead));
    case FST_ROOT_PROCESS: return fst_names_root(p, process_label(p, lead));
    case FST_ROOT_INDEX: {
        size_t at = p->options.root_index < nframes ? p->options.root_index : 0;
        return fst_names_root(p, fst_symtab_name(&p->frame_names, p->ids[at]));
    }
    default: return auto_root(p, lead, nframes);
    }
}

/* --- counting ------------------------------------------------------------------------------- */

static fst_i128 gcd(fst_i128 a, fst_i128 b)
{
    while (b != 0) {
        fst_i128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

fst_i128 fst_divisor_of(fst_i128 a, fst_i128 b)
{
    fst_i128 smallest = SMALLEST_DIVISOR * FST_COUNT_ONE;
    return (a != 0 && a < smallest) || (b != 0 && b < smallest) ? FST_COUNT_ONE : gcd(a, b);
}

static void count_row(struct fst_row *row, fst_i128 count, uint64_t number)
{
    if (row->stamp != number + 1) {
        row->stamp = number + 1;
        row->total += count;
    }
}

static void count_leaf(struct fst_row *row, fst_i128 count, uint64_t number)
{
    row->self += count;
    if (row->first_self == FST_NEVER) {
        row->first_self = number;
    }
}

/* Keeps what decides whether counts are samples, periods or something else. */
static void count_unit(struct fst_profile *p, fst_i128 count)
{
    p->negatives += count < 0;
    p->counted += count != 0;
    p->fractions += !fst_count_is_whole(count);
    p->divisor = fst_divisor_of(p->divisor, count < 0 ? -count : count);
}

static bool is_foreign(const struct fst_profile *p, size_t nframes)
{
    if (!p->grammar.rules->always_split) {
        return false;
    }
    for (size_t i = nframes; i-- > 0;) {
        if (p->frames[p->ids[i]].kind != FST_FRAME_PLAIN) {
            return false;
        }
    }
    return true;
}

static enum fst_status range_error(uint64_t line, struct fst_error *err)
{
    enum fst_status status = fst_error_set(
        err, FST_ERR_RANGE, "the sum of the counts' magnitudes is out of range (beyond 1.7e26)");
    if (err != NULL) {
        err->line = line;
    }
    return status;
}

static bool number_frames(struct fst_profile *p, const struct fst_sample *sample)
{
    void *ids = p->ids;
    if (fst_grow(&ids, &p->ids_capacity, sample->nframes, sizeof *p->ids) != 0) {
        return false;
    }
    p->ids = ids;
    for (size_t i = 0; i < sample->nframes; i++) {
        p->ids[i] = fst_names_frame(p, sample->frames[i]);
        if (p->ids[i] == FST_ID_NONE) {
            return false;
        }
    }
    return true;
}

static bool count_rows(struct fst_profile *p, const struct fst_lead *lead, size_t nframes,
                       fst_i128 count)
{
    uint64_t number = p->samples;
    if (fst_rows_are_stacks(p)) {
        uint32_t row = fst_names_row(p, p->options.by == FST_BY_THREAD ? thread_label(p, lead)
                                                                       : process_label(p, lead));
        if (row == FST_ID_NONE) {
            return false;
        }
        count_row(&p->rows[row], count, number);
        count_leaf(&p->rows[row], count, number);
        return true;
    }
    for (size_t i = 0; i < nframes; i++) {
        count_row(&p->rows[p->frames[p->ids[i]].row], count, number);
    }
    count_leaf(&p->rows[p->frames[p->ids[nframes - 1]].row], count, number);
    return true;
}

static bool count_root(struct fst_profile *p, const struct fst_lead *lead, size_t nframes,
                       fst_i128 count)
{
    uint32_t root = find_root(p, lead, nframes);
    if (root == FST_ID_NONE) {
        return false;
    }
    p->roots[root].total += count;
    if (p->roots[root].first == FST_NEVER) {
        p->roots[root].first = p->samples;
    }
    return true;
}

/* Sums by thread, and by native frame in which a thread waits. */
static bool count_thread(struct fst_profile *p, const struct fst_sample *sample)
{
    size_t wait = fst_wait_find(sample->frames, sample->nframes);
    return fst_tally_add(&p->threads, thread_label(p, &sample->lead), sample->count) &&
           (wait == sample->nframes ||
            fst_tally_add(&p->waits, sample->frames[wait], sample->count));
}

/* Keeps what notes are about. */
static void count_shape(struct fst_profile *p, const struct fst_sample *sample)
{
    p->named_threads += sample->lead.thread < sample->lead.count;
    p->named_processes += sample->lead.process < sample->lead.count;
    p->unknown += p->frames[p->ids[sample->nframes - 1]].unknown ? sample->count : 0;
    if (sample->nframes > p->deepest) {
        p->deepest = sample->nframes;
        p->at_deepest = 0;
    }
    p->at_deepest += sample->nframes == p->deepest;
}

enum fst_status fst_profile_add(struct fst_profile *p, const struct fst_sample *sample,
                                struct fst_error *err)
{
    fst_i128 count = sample->count;
    fst_i128 magnitude;
    fst_i128 together;
    if (FST_ADD_OVERFLOWS(p->magnitude, count < 0 ? -count : count, &magnitude) ||
        FST_ADD_OVERFLOWS(p->before, magnitude, &together)) {
        return range_error(sample->line, err);
    }
    if (!number_frames(p, sample)) {
        return fst_error_nomem(err);
    }
    if (!count_rows(p, &sample->lead, sample->nframes, count) ||
        !count_root(p, &sample->lead, sample->nframes, count) ||
        (p->options.threads && !count_thread(p, sample))) {
        return fst_error_nomem(err);
    }
    if (FST_UNLIKELY(is_foreign(p, sample->nframes)) && p->foreign++ == 0) {
        p->first_foreign = sample->line;
    }
    count_unit(p, count);
    count_shape(p, sample);
    p->magnitude = magnitude;
    p->total += count;
    p->offered += count;
    p->samples++;
    return FST_OK;
}

/* --- inputs --------------------------------------------------------------------------------- */

static bool copy_text(struct fst_profile *p, struct fst_str *text)
{
    *text = fst_arena_copy(&p->texts, *text);
    return text->data != NULL;
}

struct fst_input *fst_profile_add_input(struct fst_profile *profile, const struct fst_input *input,
                                        struct fst_error *err)
{
    void *inputs = profile->inputs;
    if (fst_grow(&inputs, &profile->inputs_capacity, profile->ninputs + 1,
                 sizeof *profile->inputs) != 0) {
        (void)fst_error_nomem(err);
        return NULL;
    }
    profile->inputs = inputs;
    struct fst_input *added = &profile->inputs[profile->ninputs];
    *added = *input;
    bool copied = copy_text(profile, &added->name);
    for (size_t i = 0; copied && i < added->nbad; i++) {
        copied = copy_text(profile, &added->bad[i].text);
    }
    if (!copied) {
        (void)fst_error_nomem(err);
        return NULL;
    }
    profile->ninputs++;
    return added;
}
