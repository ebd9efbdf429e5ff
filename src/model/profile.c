#include "model/profile.h"

#include <stdatomic.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/selection.h"
#include "model/tally.h"

/* --- life ----------------------------------------------------------------------------------- */

static uint64_t pick_seed(uint64_t wanted)
{
    uint64_t seed = wanted;
    if (seed == 0 && getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        seed = 0x9e3779b97f4a7c15U; /* early in boot: better a known seed than to wait */
    }
    return seed;
}

/* Less than a map of stacks and a batch take is no limit. */
enum { LEAST_MEMORY = 1024 * 1024 };

/* Where leaves and roots alone are asked for, names take most of the memory, which should be little: a
 * second block of 2 MiB is only begun when it is a quarter of them. */
enum { SPARED = 8 * 1024 * 1024 };

/* Whether rows can be made as they are asked for. */
static enum fst_status check_rows(const struct fst_profile_options *o, struct fst_error *err)
{
    bool categories = o->by == FST_BY_CATEGORY || (o->nested && o->inner == FST_BY_CATEGORY);
    if (categories && (o->selection == NULL || o->selection->categories == NULL)) {
        return fst_error_set(err, FST_ERR_USAGE, "rows by category need rules of categories");
    }
    if (o->nested && o->by == o->inner) {
        return fst_error_set(err, FST_ERR_USAGE, "rows within rows must be of another kind");
    }
    if (o->keep == FST_KEEP_STACKS && o->max_memory > 0 && o->max_memory < LEAST_MEMORY) {
        return fst_error_set(
            err, FST_ERR_USAGE,
            "--max-memory %llu: whole stacks need 1M at least, so that what goes to "
            "temporary files is worth it",
            (unsigned long long)o->max_memory);
    }
    if (o->partial && o->keep != FST_KEEP_STACKS) {
        return fst_error_set(err, FST_ERR_USAGE, "a partial sum is of whole stacks");
    }
    if (o->tree && (o->nested || fst_by_is_of_stacks(o->by))) {
        return fst_error_set(err, FST_ERR_USAGE,
                             "a call tree is made of frames, functions, lines, files or modules");
    }
    return FST_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* What the tables of several profiles take, on several threads; the last of them frees it. */
struct fst_account {
    _Atomic uint64_t bytes;
    atomic_uint users;
};

/* Takes the account of another profile, or a new one. */
static bool take_account(struct fst_profile *profile, const struct fst_profile *beside)
{
    struct fst_account *account = beside == NULL ? NULL : beside->account;
    if (account == NULL) {
        account = fst_alloc_zeroed(1, sizeof *account);
    }
    if (account != NULL) {
        (void)atomic_fetch_add(&account->users, 1);
    }
    profile->account = account;
    return account != NULL;
}

/* Tells the account what the tables take by now; returns what all take. */
static uint64_t update_account(struct fst_profile *profile, uint64_t memory)
{
    uint64_t more = memory - profile->accounted; /* modulo 2^64, as the sum is */
    profile->accounted = memory;
    return atomic_fetch_add(&profile->account->bytes, more) + more;
}

static void leave_account(struct fst_profile *profile)
{
    if (profile->account != NULL) {
        (void)update_account(profile, 0);
        if (atomic_fetch_sub(&profile->account->users, 1) == 1) {
            fst_free(profile->account);
        }
    }
}

enum fst_status fst_profile_new(const struct fst_profile_options *options, struct fst_profile **out,
                                struct fst_error *err)
{
    enum fst_status status = check_rows(options, err);
    if (status != FST_OK) {
        return status;
    }
    struct fst_profile *profile = fst_alloc_zeroed(1, sizeof *profile);
    if (profile == NULL) {
        return fst_error_nomem(err);
    }
    profile->options = *options;
    profile->options.beside = NULL;
    if (options->max_memory > 0 && !take_account(profile, options->beside)) {
        fst_free(profile);
        return fst_error_nomem(err);
    }
    profile->alters = fst_selection_alters(options->selection);
    profile->chooses = fst_selection_filters(options->selection) || options->nested ||
                       (options->keep != FST_KEEP_TABLES && profile->alters) ||
                       options->by == FST_BY_CATEGORY || options->by == FST_BY_STACK;
    profile->keeps_whole = options->threads && fst_selection_filters(options->selection);
    profile->options.seed = pick_seed(options->seed);
    fst_symtab_init(&profile->frame_names, profile->options.seed);
    profile->frame_names.arena.spares = fst_ends_suffice(profile) ? SPARED : 0;
    fst_symtab_init(&profile->row_names, profile->options.seed);
    fst_symtab_init(&profile->root_names, profile->options.seed);
    fst_stacks_init(&profile->stacks, profile->options.seed);
    profile->stacks.most =
        fst_profile_room(profile) / 2; /* the other half is for what is being read */
    profile->stacks.folder = options->folder;
    fst_sums_init(&profile->threads, profile->options.seed);
    fst_sums_init(&profile->waits, profile->options.seed);
    fst_sums_init(&profile->whole.threads, profile->options.seed);
    fst_sums_init(&profile->whole.roots, profile->options.seed);
    fst_calltree_init(&profile->calls, profile->options.seed,
                      fst_rows_join(options->by) && !options->tree_of_frames);
    fst_symtab_init(&profile->spoken_names, profile->options.seed);
    for (int i = 0; i < 2; i++) {
        fst_symtab_init(&profile->level_names[i], profile->options.seed);
    }
    *out = profile;
    return FST_OK;
}

void fst_profile_free(struct fst_profile *profile)
{
    if (profile == NULL) {
        return;
    }
    leave_account(profile);
    fst_tally_free(profile->tally);
    fst_symtab_release(&profile->frame_names);
    fst_symtab_release(&profile->row_names);
    fst_symtab_release(&profile->root_names);
    fst_stacks_release(&profile->stacks);
    fst_sums_release(&profile->threads);
    fst_sums_release(&profile->waits);
    fst_sums_release(&profile->whole.threads);
    fst_sums_release(&profile->whole.roots);
    fst_calltree_release(&profile->calls);
    fst_symtab_release(&profile->spoken_names);
    for (int i = 0; i < 2; i++) {
        fst_symtab_release(&profile->level_names[i]);
        fst_free(profile->labels[i]);
    }
    fst_free(profile->spoken);
    fst_buf_release(&profile->label);
    fst_matcher_release(&profile->matcher);
    if (profile->partial != NULL) {
        fst_partial_release(profile->partial);
        fst_free(profile->partial);
    }
    fst_arena_release(&profile->texts);
    fst_free(profile->frames);
    fst_free(profile->rows);
    fst_free(profile->totals);
    fst_free(profile->roots);
    fst_free(profile->inputs);
    fst_free(profile);
}

enum fst_status fst_profile_failed(const struct fst_profile *profile, struct fst_error *err)
{
    if (profile->failure.code == FST_OK) {
        return fst_error_nomem(err);
    }
    if (err != NULL) {
        *err = profile->failure;
    }
    return profile->failure.code;
}

struct fst_count fst_profile_total(const struct fst_profile *profile)
{
    return fst_count_pack(profile->total);
}

/* Bytes of what cannot go to temporary files. */
static uint64_t tables_memory(const struct fst_profile *p)
{
    uint64_t memory =
        fst_symtab_memory(&p->frame_names) + fst_symtab_memory(&p->row_names) +
        fst_symtab_memory(&p->root_names) + fst_symtab_memory(&p->spoken_names) +
        fst_calltree_memory(&p->calls) +
        fst_capacity_soon(p->frames_capacity, p->frame_names.count) * sizeof *p->frames +
        fst_capacity_soon(p->rows_capacity, p->nrows) * sizeof *p->rows +
        fst_capacity_soon(p->totals_capacity, p->nrows) * sizeof *p->totals +
        p->roots_capacity * sizeof *p->roots + p->spoken_capacity * sizeof *p->spoken;
    for (int i = 0; i < 2; i++) {
        memory +=
            fst_symtab_memory(&p->level_names[i]) + p->labels_capacity[i] * sizeof *p->labels[i];
    }
    memory += p->tally == NULL ? 0 : fst_nest_memory(&p->tally->chooser.nest);
    return memory;
}

uint64_t fst_profile_memory(const struct fst_profile *p)
{
    return tables_memory(p) + fst_stacks_memory(&p->stacks);
}

/* What else a program takes is a few MiB, and what it reads into. */
uint64_t fst_profile_room(const struct fst_profile *profile)
{
    enum { SHARE = 4, SHARE_MOST = 8 * 1024 * 1024 };
    uint64_t most = profile->options.max_memory;
    return most - (most / SHARE < SHARE_MOST ? most / SHARE : SHARE_MOST);
}

enum fst_status fst_profile_check_memory(struct fst_profile *profile, struct fst_error *err)
{
    uint64_t most = profile->options.max_memory;
    bool stacks = profile->options.keep == FST_KEEP_STACKS;
    if (most == 0) {
        return FST_OK;
    }
    uint64_t memory = update_account(
        profile, tables_memory(profile) + (stacks ? 0 : fst_stacks_memory(&profile->stacks)));
    if (memory <= fst_profile_room(profile)) {
        return stacks ? fst_stacks_make_room(&profile->stacks, err) : FST_OK;
    }
    if (profile->options.tree) {
        return fst_error_set(err, FST_ERR_NOMEM,
                             "the tables take more than the %llu bytes of --max-memory, with %zu "
                             "distinct frames and %zu ways to them so far",
                             (unsigned long long)most, profile->frame_names.count,
                             profile->calls.nnames);
    }
    return fst_error_set(err, FST_ERR_NOMEM,
                         "the tables take more than the %llu bytes of --max-memory, with %zu "
                         "distinct frames so far",
                         (unsigned long long)most, profile->frame_names.count);
}

const struct fst_input *fst_profile_inputs(const struct fst_profile *profile, size_t *count)
{
    *count = profile->ninputs;
    return profile->inputs;
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
