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
#include "analysis/pool.h"
#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"

/* A thread of one recording. */
struct entry {
    struct fst_str id;
    struct fst_str label; /* its name, or its frame if it has none */
    fst_i128 total;
    enum fst_gil_which side;
    bool named;
};

/* A row in the making. */
struct group {
    fst_i128 sums[FST_SIDES];
    uint64_t members[FST_SIDES];
    fst_i128 largest; /* of one member, in GIL */
};

struct threads {
    struct fst_gil_work *gil;
    struct entry *entries;
    size_t count;
    struct fst_sums known;   /* "side name-or-pool id" already counted as a member */
    struct fst_symtab pools; /* names of pools */
    uint64_t *members;       /* by number in pools: the most of any recording */
    struct group *groups;    /* by number in gil->names */
    struct fst_buf scratch;
    struct fst_buf key;
};

#define NO_THREAD FST_STR("[no thread]")

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

static bool add_entries(struct threads *t, enum fst_gil_which side)
{
    const struct fst_sums *sums = &t->gil->sides[side]->threads;
    struct fst_symtab ids;
    fst_symtab_init(&ids, t->gil->sides[side]->options.seed);
    struct fst_str *names = fst_alloc_zeroed(sums->names.count + 1, sizeof *names);
    bool ok = names != NULL && name_by_id(sums, &ids, names);
    for (size_t i = 0; ok && i < sums->names.count; i++) {
        struct fst_str frame = fst_symtab_name(&sums->names, (uint32_t)i);
        struct entry *entry = &t->entries[t->count++];
        *entry = (struct entry){.label = frame, .total = sums->totals[i], .side = side};
        struct fst_thread_parts parts = fst_thread_read(frame);
        uint32_t id = fst_symtab_find(&ids, parts.id);
        entry->id = parts.id;
        entry->named = parts.name.len > 0 || id != FST_ID_NONE;
        if (entry->named) {
            entry->label = parts.name.len > 0 ? parts.name : names[id];
        }
    }
    fst_free(names);
    fst_symtab_release(&ids);
    return ok;
}

/* --- pools ---------------------------------------------------------------------------------- */

/* Whether an entry is a new member of something; also sums its samples under that key. */
static bool is_new(struct threads *t, char what, const struct entry *entry, struct fst_str of,
                   uint32_t *number)
{
    fst_buf_clear(&t->key);
    fst_buf_add_fmt(&t->key, "%c%d", what, (int)entry->side);
    fst_buf_add_fmt(&t->key, "%zu:", of.len);
    fst_buf_add_str(&t->key, of);
    fst_buf_add_str(&t->key, entry->id);
    size_t known = t->known.names.count;
    if (t->key.failed || !fst_sums_add(&t->known, fst_buf_str(&t->key), entry->total)) {
        t->key.failed = true;
        return false;
    }
    *number = fst_symtab_find(&t->known.names, fst_buf_str(&t->key));
    return t->known.names.count > known;
}

/* The pool that the entry would be in; a thread without a name is in the one of all such. */
static enum fst_pool pool_of(struct threads *t, const struct entry *entry)
{
    fst_buf_clear(&t->scratch);
    if (entry->named) {
        return fst_pool_of(entry->label, &t->scratch);
    }
    if (fst_str_eq(entry->label, NO_THREAD)) {
        return FST_POOL_NONE;
    }
    fst_buf_add_cstr(&t->scratch, "[threads without a name]");
    return FST_POOL_LARGE;
}

static bool count_members(struct threads *t)
{
    uint64_t(*members)[FST_SIDES] = fst_alloc_zeroed(t->count + 1, sizeof *members);
    t->members = fst_alloc_zeroed(t->count + 1, sizeof *t->members);
    bool ok = members != NULL && t->members != NULL;
    for (size_t i = 0; ok && i < t->count; i++) {
        const struct entry *entry = &t->entries[i];
        if (pool_of(t, entry) != FST_POOL_LARGE) {
            continue;
        }
        struct fst_str pool = fst_buf_str(&t->scratch);
        uint32_t id = fst_symtab_intern(&t->pools, pool);
        uint32_t number = 0;
        if (id != FST_ID_NONE && is_new(t, 'p', entry, pool, &number)) {
            uint64_t n = ++members[id][entry->side];
            t->members[id] = n > t->members[id] ? n : t->members[id];
        }
        ok = id != FST_ID_NONE && !t->key.failed && !t->scratch.failed;
    }
    fst_free(members);
    return ok;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* The name of the row that the entry falls into. */
static struct fst_str row_name(struct threads *t, const struct entry *entry)
{
    enum fst_pool kind = pool_of(t, entry);
    struct fst_str pool = fst_buf_str(&t->scratch);
    uint32_t id = kind == FST_POOL_LARGE ? fst_symtab_find(&t->pools, pool) : FST_ID_NONE;
    bool large = id != FST_ID_NONE && t->members[id] >= FST_POOL_MEMBERS;
    return kind == FST_POOL_ALWAYS || large ? pool : entry->label;
}

static bool group_entries(struct threads *t)
{
    t->groups = fst_alloc_zeroed(t->count + 1, sizeof *t->groups);
    bool ok = t->groups != NULL;
    for (size_t i = 0; ok && i < t->count; i++) {
        const struct entry *entry = &t->entries[i];
        struct fst_str name = row_name(t, entry);
        uint32_t id = fst_symtab_intern(&t->gil->names, name);
        if (id == FST_ID_NONE || t->scratch.failed) {
            return false;
        }
        uint32_t number = 0;
        struct group *group = &t->groups[id];
        group->sums[entry->side] += entry->total;
        group->members[entry->side] += is_new(t, 'r', entry, name, &number);
        ok = !t->key.failed;
        if (ok && entry->side == FST_SIDE_GIL && t->known.totals[number] > group->largest) {
            group->largest = t->known.totals[number];
        }
    }
    return ok;
}

static double share_of(const struct fst_gil_work *gil, enum fst_gil_which side, fst_i128 sum)
{
    double whole = fst_gil_samples(gil, side);
    return whole == 0 ? NAN : fst_count_to_double(sum) / whole;
}

static struct fst_gil_thread make_thread(const struct fst_gil_work *gil, struct fst_str name,
                                         const struct group *group)
{
    struct fst_gil_thread row = {
        .name = name,
        .gil = fst_count_pack(group->sums[FST_SIDE_GIL]),
        .all = fst_count_pack(group->sums[FST_SIDE_ALL]),
        .idle = fst_count_pack(group->sums[FST_SIDE_IDLE]),
        .gil_share = share_of(gil, FST_SIDE_GIL, group->sums[FST_SIDE_GIL]),
        .all_share = share_of(gil, FST_SIDE_ALL, group->sums[FST_SIDE_ALL]),
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

static int compare_counts(struct fst_count left, struct fst_count right)
{
    fst_i128 a = fst_count_unpack(left);
    fst_i128 b = fst_count_unpack(right);
    return (a < b) - (a > b);
}

static int compare(const void *left, const void *right)
{
    const struct fst_gil_thread *a = left;
    const struct fst_gil_thread *b = right;
    int order = compare_counts(a->gil, b->gil);
    order = order != 0 ? order : compare_counts(a->all, b->all);
    order = order != 0 ? order : compare_counts(a->idle, b->idle);
    return order != 0 ? order : fst_str_cmp(a->name, b->name);
}

/* A pool is one thread that shares the lock, or two if its members but the busiest have the part of
 * a sharer too: then at least two of them take turns. */
static void count_sharers(struct fst_gil_work *gil, struct fst_str name, const struct group *group)
{
    if (fst_str_eq(name, NO_THREAD)) {
        return;
    }
    fst_i128 sum = group->sums[FST_SIDE_GIL];
    gil->sharers += share_of(gil, FST_SIDE_GIL, sum) >= FST_GIL_SHARER;
    gil->sharers += share_of(gil, FST_SIDE_GIL, sum - group->largest) >= FST_GIL_SHARER;
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
        struct fst_str name = fst_symtab_name(&gil->names, (uint32_t)i);
        out->rows[i] = make_thread(gil, name, &t->groups[i]);
        if (gil->sharers_are_threads) {
            count_sharers(gil, name, &t->groups[i]);
        }
        if (!fst_str_eq(name, NO_THREAD)) {
            gil->base.threads_seen += t->groups[i].members[FST_SIDE_ALL];
        }
    }
    out->of = gil->names.count;
    qsort(out->rows, out->of, sizeof *out->rows, compare);
    out->count = most > 0 && most < out->of ? most : out->of;
    return FST_OK;
}

static enum fst_status work(struct threads *t, size_t most, struct fst_error *err)
{
    size_t room = 1;
    for (int side = 0; side < FST_SIDES; side++) {
        room += t->gil->sides[side] == NULL ? 0 : t->gil->sides[side]->threads.names.count;
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
    fst_symtab_init(&t.pools, held->options.seed);
    enum fst_status status = work(&t, most, err);
    fst_sums_release(&t.known);
    fst_symtab_release(&t.pools);
    fst_buf_release(&t.scratch);
    fst_buf_release(&t.key);
    fst_free(t.entries);
    fst_free(t.members);
    fst_free(t.groups);
    return status;
}
