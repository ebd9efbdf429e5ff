/* Threads across recordings, and pools of them.
 *
 *     recording   thread frame                    thread (id)   row
 *     GIL         thread (20631): pool_1          20631         pool_1
 *     ALL         thread (20611): pool_1          20611         pool_1
 *     ALL         thread (20700)                  20700         upload_*    named later in ALL
 *     ALL         thread (20700): upload_17       20700         upload_*    one of 8 or more
 *
 * A name stands for all threads of that name; a thread without one for itself, by its id. Members are
 * counted by id within one recording, because two recordings of one program that was started twice
 * have other ids for the same threads; the recording that shows most decides. */
#include <math.h>
#include <stdlib.h>

#include "analysis/gil_parts.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "model/normalize.h"
#include "model/pools.h"
#include "parse/thread.h"

/* A thread of one recording. */
struct entry {
    struct fst_str id;
    struct fst_str
        label;      /* what it is called beside others: "thread (*): NAME"; its frame if it has
                             no name */
    fst_i128 total; /* of the stacks that were kept */
    fst_i128 whole; /* of all of them */
    enum fst_gil_which side;
    bool named;
    bool kept; /* some stack was */
};

/* A row in the making. */
struct group {
    fst_i128 sums[FST_SIDES];
    uint64_t members[FST_SIDES]; /* of which stacks were kept */
    fst_i128 whole;              /* of all stacks, in GIL */
    fst_i128 largest;            /* of one member, of all its stacks in GIL */
    uint64_t seen;               /* members in ALL, whether stacks of them were kept or not */
    bool kept;                   /* some stack was, in any recording */
};

struct threads {
    struct fst_gil_work *gil;
    struct entry *entries;
    size_t count;
    struct fst_sums known; /* "side row id": the members of rows */
    struct fst_pools pools[FST_SIDES];
    struct group *groups; /* by number in gil->names */
    struct fst_buf scratch;
    struct fst_buf key;
};

#define NO_THREAD FST_STR("[no thread]")
#define UNNAMED   FST_STR("[threads without a name]")
#define ANY_ID    FST_STR("thread (*): ")

/* --- entries -------------------------------------------------------------------------------- */

/* The names of a recording's threads by their ids: a profiler may learn a name late. */
static bool name_by_id(const struct fst_sums *sums, struct fst_symtab *ids, struct fst_str *names)
{
    for (size_t i = 0; i < sums->names.count; i++) {
        struct fst_thread_parts parts = fst_thread_read(fst_symtab_name(&sums->names, (uint32_t)i));
        if (parts.name.len == 0) {
            continue;
        }
        size_t known = ids->count;
        uint32_t id = fst_symtab_intern(ids, parts.id);
        if (id == FST_ID_NONE) {
            return false;
        }
        if (id == known) {
            names[id] = parts.name;
        }
    }
    return true;
}

/* What a thread of that name is called, whatever its id: default names are one. */
static bool label_named(struct threads *t, struct fst_str name, struct fst_str *label)
{
    fst_buf_clear(&t->key);
    fst_buf_add_cstr(&t->key, "thread (0): ");
    fst_buf_add_str(&t->key, name);
    fst_buf_clear(&t->scratch);
    struct fst_str made = fst_normalize(fst_buf_str(&t->key), FST_NAME_THREAD, &t->scratch);
    *label = fst_arena_copy(&t->gil->texts, made);
    return !t->key.failed && !t->scratch.failed && label->data != NULL;
}

/* The threads of a recording: of all its stacks, whether they were kept or not. */
static const struct fst_sums *threads_of(const struct fst_gil_work *gil, enum fst_gil_which side)
{
    const struct fst_profile *p = gil->sides[side];
    return p->keeps_whole ? &p->whole.threads : &p->threads;
}

static bool add_entry(struct threads *t, enum fst_gil_which side, uint32_t thread,
                      const struct fst_symtab *ids, const struct fst_str *names)
{
    const struct fst_sums *whole = threads_of(t->gil, side);
    const struct fst_sums *kept = &t->gil->sides[side]->threads;
    struct fst_str frame = fst_symtab_name(&whole->names, thread);
    struct fst_thread_parts parts = fst_thread_read(frame);
    uint32_t id = fst_symtab_find(ids, parts.id);
    struct entry *entry = &t->entries[t->count++];
    *entry = (struct entry){.id = parts.id,
                            .label = frame,
                            .total = fst_sums_of(kept, frame),
                            .whole = whole->totals[thread],
                            .side = side,
                            .named = parts.name.len > 0 || id != FST_ID_NONE,
                            .kept = fst_symtab_find(&kept->names, frame) != FST_ID_NONE};
    return !entry->named ||
           label_named(t, parts.name.len > 0 ? parts.name : names[id], &entry->label);
}

static bool add_entries(struct threads *t, enum fst_gil_which side)
{
    const struct fst_sums *sums = threads_of(t->gil, side);
    struct fst_symtab ids;
    fst_symtab_init(&ids, t->gil->sides[side]->options.seed);
    struct fst_str *names = fst_alloc_zeroed(sums->names.count + 1, sizeof *names);
    bool ok = names != NULL && name_by_id(sums, &ids, names);
    for (size_t i = 0; ok && i < sums->names.count; i++) {
        ok = add_entry(t, side, (uint32_t)i, &ids, names);
    }
    fst_free(names);
    fst_symtab_release(&ids);
    return ok;
}

/* --- pools ---------------------------------------------------------------------------------- */

/* The pool that the entry would be in; a thread without a name is in the one of all such. Empty:
 * none. */
static struct fst_str pool_of(struct threads *t, const struct entry *entry)
{
    if (entry->named) {
        return fst_pool_name(entry->label, &t->scratch);
    }
    return fst_str_eq(entry->label, NO_THREAD) ? FST_STR("") : UNNAMED;
}

static bool count_members(struct threads *t)
{
    bool ok = true;
    for (size_t i = 0; ok && i < t->count; i++) {
        const struct entry *entry = &t->entries[i];
        struct fst_str pool = pool_of(t, entry);
        ok = !t->scratch.failed &&
             (pool.len == 0 || fst_pools_add_member(&t->pools[entry->side], pool, entry->label));
    }
    return ok;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* The name of the row that the entry falls into: that of its pool, if one recording shows it large. */
static struct fst_str row_name(struct threads *t, const struct entry *entry)
{
    struct fst_str pool = pool_of(t, entry);
    bool large = false;
    for (int side = 0; side < FST_SIDES && pool.len > 0; side++) {
        large = large || fst_pools_has(&t->pools[side], pool);
    }
    struct fst_str label = large ? pool : entry->label;
    return fst_str_starts(label, ANY_ID) ? fst_str_skip(label, ANY_ID.len) : label;
}

/* Adds a count to what a row and an id have together in one recording, in a sum of its own for each
 * kind. *is_new: they are met for the first time. */
static bool add_member(struct threads *t, char kind, const struct entry *entry, struct fst_str row,
                       fst_i128 *sum, bool *is_new)
{
    fst_buf_clear(&t->key);
    fst_buf_add_fmt(&t->key, "%c%d%zu:", kind, (int)entry->side, row.len);
    fst_buf_add_str(&t->key, row);
    fst_buf_add_str(&t->key, entry->id);
    size_t known = t->known.names.count;
    if (t->key.failed || !fst_sums_add(&t->known, fst_buf_str(&t->key), entry->whole)) {
        return false;
    }
    *is_new = t->known.names.count > known;
    *sum = fst_sums_of(&t->known, fst_buf_str(&t->key));
    return true;
}

static bool group_entry(struct threads *t, const struct entry *entry, struct fst_str row,
                        struct group *group)
{
    fst_i128 sum = 0;
    bool is_new = false;
    if (entry->kept && !add_member(t, 'k', entry, row, &sum, &is_new)) {
        return false;
    }
    group->kept = group->kept || entry->kept;
    group->sums[entry->side] += entry->total;
    group->members[entry->side] += is_new;
    if (!add_member(t, 'a', entry, row, &sum, &is_new)) {
        return false;
    }
    group->seen += entry->side == FST_SIDE_ALL && is_new;
    if (entry->side == FST_SIDE_GIL) {
        group->whole += entry->whole;
        group->largest = sum > group->largest ? sum : group->largest;
    }
    return true;
}

static bool group_entries(struct threads *t)
{
    t->groups = fst_alloc_zeroed(t->count + 1, sizeof *t->groups);
    bool ok = t->groups != NULL;
    for (size_t i = 0; ok && i < t->count; i++) {
        const struct entry *entry = &t->entries[i];
        struct fst_str name = row_name(t, entry);
        uint32_t id = fst_symtab_intern(&t->gil->names, name);
        ok = id != FST_ID_NONE && !t->scratch.failed && group_entry(t, entry, name, &t->groups[id]);
    }
    return ok;
}

static struct fst_gil_thread make_thread(const struct fst_gil_work *gil, struct fst_str name,
                                         const struct group *group)
{
    struct fst_gil_thread row = {
        .name = name,
        .gil = fst_count_pack(group->sums[FST_SIDE_GIL]),
        .all = fst_count_pack(group->sums[FST_SIDE_ALL]),
        .idle = fst_count_pack(group->sums[FST_SIDE_IDLE]),
        .gil_share = fst_gil_share_of(gil, FST_SIDE_GIL, group->sums[FST_SIDE_GIL]),
        .all_share = fst_gil_share_of(gil, FST_SIDE_ALL, group->sums[FST_SIDE_ALL]),
        .held = fst_count_to_double(group->sums[FST_SIDE_GIL]) / gil->base.gil.ticks,
        .active = fst_count_to_double(group->sums[FST_SIDE_ALL]) / gil->base.all.ticks,
    };
    row.without = row.active - row.held;
    row.blocked =
        fst_count_to_double(group->sums[FST_SIDE_IDLE]) / gil->base.idle.ticks - row.active;
    for (int side = 0; side < FST_SIDES; side++) {
        row.members = group->members[side] > row.members ? group->members[side] : row.members;
    }
    return row;
}

static int compare(const void *left, const void *right)
{
    const struct fst_gil_thread *a = left;
    const struct fst_gil_thread *b = right;
    int order = fst_gil_compare_counts(a->gil, b->gil);
    order = order != 0 ? order : fst_gil_compare_counts(a->all, b->all);
    order = order != 0 ? order : fst_gil_compare_counts(a->idle, b->idle);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

/* A pool is one thread that shares the lock, or two if its members but the busiest have the part of
 * a sharer too: then at least two of them take turns. */
static void count_sharers(struct fst_gil_work *gil, struct fst_str name, const struct group *group)
{
    if (fst_str_eq(name, NO_THREAD)) {
        return;
    }
    double least = fst_count_to_double(fst_gil_whole(gil, FST_SIDE_GIL)) * FST_GIL_SHARER;
    if (!(least > 0)) {
        return;
    }
    gil->sharers += fst_count_to_double(group->whole) >= least;
    gil->sharers += fst_count_to_double(group->whole - group->largest) >= least;
}

/* Whether a row is large enough to be shown. */
static bool is_wanted(const struct fst_gil_work *gil, const struct fst_gil_thread *row)
{
    double least = gil->base.least_share;
    double idle = fst_gil_share_of(gil, FST_SIDE_IDLE, fst_count_unpack(row->idle));
    return least == 0 || row->gil_share >= least || row->all_share >= least || idle >= least;
}

static void add_row(struct fst_gil_work *gil, struct fst_str name, const struct group *group)
{
    struct fst_gil_threads *out = &gil->base.threads;
    if (gil->sharers_are_threads) {
        count_sharers(gil, name, group);
    }
    if (!fst_str_eq(name, NO_THREAD)) {
        gil->base.threads_seen += group->members[FST_SIDE_ALL];
        gil->whole_threads_seen += group->seen;
    }
    if (!group->kept) {
        return;
    }
    struct fst_gil_thread row = make_thread(gil, name, group);
    out->of++;
    if (is_wanted(gil, &row)) {
        out->rows[out->count++] = row;
    }
}

static enum fst_status fill_table(struct threads *t, size_t most, struct fst_error *err)
{
    struct fst_gil_work *gil = t->gil;
    struct fst_gil_threads *out = &gil->base.threads;
    out->rows = fst_alloc_zeroed(gil->names.count + 1, sizeof *out->rows);
    if (out->rows == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; i < gil->names.count; i++) {
        add_row(gil, fst_symtab_name(&gil->names, (uint32_t)i), &t->groups[i]);
    }
    if (out->count > 0) {
        qsort(out->rows, out->count, sizeof *out->rows, compare);
    }
    out->count = most > 0 && most < out->count ? most : out->count;
    return FST_OK;
}

static enum fst_status work(struct threads *t, size_t most, struct fst_error *err)
{
    size_t room = 1;
    for (int side = 0; side < FST_SIDES; side++) {
        room += t->gil->sides[side] == NULL
                    ? 0
                    : threads_of(t->gil, (enum fst_gil_which)side)->names.count;
    }
    t->entries = fst_alloc_zeroed(room, sizeof *t->entries);
    bool ok = t->entries != NULL;
    for (int side = 0; ok && side < FST_SIDES; side++) {
        ok = t->gil->sides[side] == NULL || add_entries(t, (enum fst_gil_which)side);
    }
    if (!ok || !count_members(t) || !group_entries(t)) {
        return fst_error_nomem(err);
    }
    return fill_table(t, most, err);
}

enum fst_status fst_gil_find_threads(struct fst_gil_work *gil, size_t most, struct fst_error *err)
{
    const struct fst_profile *held = gil->sides[FST_SIDE_GIL];
    gil->sharers_are_threads = held->options.threads && held->named_threads > 0;
    bool named = gil->sharers_are_threads;
    for (int side = FST_SIDE_ALL; side < FST_SIDES; side++) {
        named = named || (gil->sides[side] != NULL && gil->sides[side]->named_threads > 0);
    }
    if (!named || !held->options.threads) {
        return FST_OK;
    }
    struct threads t = {.gil = gil};
    fst_sums_init(&t.known, held->options.seed);
    for (int side = 0; side < FST_SIDES; side++) {
        fst_pools_init(&t.pools[side], held->options.seed);
    }
    enum fst_status status = work(&t, most, err);
    fst_sums_release(&t.known);
    for (int side = 0; side < FST_SIDES; side++) {
        fst_pools_release(&t.pools[side]);
    }
    fst_buf_release(&t.scratch);
    fst_buf_release(&t.key);
    fst_free(t.entries);
    fst_free(t.groups);
    return status;
}
