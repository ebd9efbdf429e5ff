/* Rows are grouped by the functions of their frames, in two steps. First each row's self value goes
 * into one of many small bins, by the hash of its function's label. A function has no more than its
 * bin, so that only those of bins with more than the largest row can lead: one of many, as a rule.
 * These are told apart then. They are looked up among the frames that were the first of each, whose
 * labels are made anew to be compared.
 *
 * To touch memory for the first time costs more here than to count in it: a bin takes two bytes, in
 * which FULL stands for the largest row. */
#include "analysis/leader.h"

#include "base/alloc.h"

enum { HASH_BITS = 32, FULL = 16384 };

/* Functions in a table by open addressing. A slot is the number of the first frame plus one, below
 * the upper half of the label's hash; 0 where it is empty. */
struct functions {
    const struct fst_profile *profile;
    fst_i128 most;    /* of a row */
    uint32_t *leaves; /* bins of rows with a self value; then the frames of those that can lead */
    size_t nleaves;
    uint16_t *bins; /* what their rows have at most together, in parts of FULL */
    size_t bin_mask;
    uint64_t *slots;
    size_t mask;
    fst_i128 *sums; /* beside the slots */
    struct fst_buf label;
    struct fst_buf other; /* the label it is compared with */
};

void fst_leader_release(struct fst_leader *leader)
{
    fst_buf_release(&leader->name);
}

static void release(struct functions *f)
{
    fst_free(f->leaves);
    fst_free(f->bins);
    fst_free(f->slots);
    fst_free(f->sums);
    fst_buf_release(&f->label);
    fst_buf_release(&f->other);
}

static struct fst_str label_of(const struct functions *f, uint32_t frame, struct fst_buf *scratch)
{
    fst_buf_clear(scratch);
    return fst_profile_function_label(f->profile, frame, scratch);
}

static fst_i128 self_of(const struct functions *f, uint32_t frame)
{
    return f->profile->rows[f->profile->frames[frame].row].self;
}

/* The least power of two that is no smaller. */
static size_t power_of_two(size_t count)
{
    size_t power = 16;
    while (power < count) {
        power *= 2;
    }
    return power;
}

/* --- bins ----------------------------------------------------------------------------------- */

/* Looks at the rows: how many have a self value, and how large is the largest. */
static void look_at_rows(struct functions *f)
{
    const struct fst_profile *p = f->profile;
    for (size_t i = 0; i < p->nrows; i++) {
        f->nleaves += p->rows[i].first_self != FST_NEVER;
        f->most = p->rows[i].self > f->most ? p->rows[i].self : f->most;
    }
}

/* The first frame from `from` on that is the first of a row with a self value; or how many frames
 * there are. Rows are numbered as their first frames are: next is the first that was not met. */
static size_t next_leaf(const struct fst_profile *p, size_t from, uint32_t *next)
{
    size_t i = from;
    for (; i < p->frame_names.count; i++) {
        uint32_t row = p->frames[i].row;
        if (row >= *next) {
            *next = row + 1;
            if (p->rows[row].first_self != FST_NEVER) {
                break;
            }
        }
    }
    return i;
}

/* A self value in parts of the largest row, which is FULL of them: rounded up, and one more, as
 * what is rounded up may have been rounded down to a double before. */
static unsigned parts_of(fst_i128 self, double scale)
{
    return self > 0 ? (unsigned)((double)self * scale) + 2 : 0;
}

static void fill_bins(struct functions *f)
{
    const struct fst_symtab *names = &f->profile->frame_names;
    double scale = f->most > 0 ? FULL / (double)f->most : 0;
    uint32_t row = 0;
    size_t frame = next_leaf(f->profile, 0, &row);
    for (size_t i = 0; i < f->nleaves; i++) {
        fst_symtab_fetch(names, frame + FST_SYMTAB_AHEAD);
        struct fst_str label = label_of(f, (uint32_t)frame, &f->label);
        size_t bin = (size_t)fst_symtab_hash(names, label) & f->bin_mask;
        unsigned sum = f->bins[bin] + parts_of(self_of(f, (uint32_t)frame), scale);
        f->leaves[i] = (uint32_t)bin;
        f->bins[bin] = (uint16_t)(sum < UINT16_MAX ? sum : UINT16_MAX);
        frame = next_leaf(f->profile, frame + 1, &row);
    }
}

/* Leaves the rows whose functions can lead. */
static void drop_hopeless(struct functions *f)
{
    uint32_t row = 0;
    size_t frame = next_leaf(f->profile, 0, &row);
    size_t n = 0;
    for (size_t i = 0; i < f->nleaves; i++) {
        if (f->bins[f->leaves[i]] > FULL) {
            f->leaves[n++] = (uint32_t)frame;
        }
        frame = next_leaf(f->profile, frame + 1, &row);
    }
    f->nleaves = n;
}

static bool init(struct functions *f, const struct fst_profile *p)
{
    *f = (struct functions){.profile = p};
    look_at_rows(f);
    size_t bins = power_of_two(f->nleaves);
    f->bin_mask = bins - 1;
    f->bins = fst_alloc_zeroed(bins, sizeof *f->bins);
    f->leaves = fst_alloc((f->nleaves + 1) * sizeof *f->leaves);
    return f->leaves != NULL && f->bins != NULL;
}

/* --- functions ------------------------------------------------------------------------------ */

static bool make_table(struct functions *f)
{
    size_t slots = power_of_two(f->nleaves / 3 * 4 + 16);
    f->mask = slots - 1;
    f->slots = fst_alloc_zeroed(slots, sizeof *f->slots);
    f->sums = fst_alloc_zeroed(slots, sizeof *f->sums);
    return f->slots != NULL && f->sums != NULL;
}

/* The frame of a slot that is not empty. */
static uint32_t frame_of(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

/* The place of the function that a frame is of. */
static size_t place_of(struct functions *f, uint32_t frame)
{
    struct fst_str label = label_of(f, frame, &f->label);
    uint64_t h = fst_symtab_hash(&f->profile->frame_names, label);
    for (size_t i = (size_t)h & f->mask;; i = (i + 1) & f->mask) {
        uint64_t slot = f->slots[i];
        if (slot == 0) {
            f->slots[i] = h >> HASH_BITS << HASH_BITS | ((uint64_t)frame + 1);
            return i;
        }
        if ((slot ^ h) >> HASH_BITS == 0 &&
            fst_str_eq(label, label_of(f, frame_of(slot), &f->other))) {
            return i;
        }
    }
}

static bool sum_up(struct functions *f)
{
    for (size_t i = 0; i < f->nleaves; i++) {
        uint32_t frame = f->leaves[i];
        f->sums[place_of(f, frame)] += self_of(f, frame);
    }
    return !f->label.failed && !f->other.failed;
}

/* Keeps the best of the functions. */
static bool choose(struct functions *f, struct fst_leader *leader)
{
    leader->self = f->most;
    for (size_t i = 0; i <= f->mask; i++) {
        if (f->slots[i] == 0 || f->sums[i] < leader->self || f->sums[i] == f->most) {
            continue;
        }
        struct fst_str label = label_of(f, frame_of(f->slots[i]), &f->label);
        if (f->sums[i] > leader->self || fst_str_cmp(label, fst_buf_str(&leader->name)) < 0) {
            fst_buf_clear(&leader->name);
            fst_buf_add_str(&leader->name, label);
            leader->self = f->sums[i];
        }
    }
    return !f->label.failed && !leader->name.failed;
}

bool fst_leader_find(const struct fst_profile *p, struct fst_leader *leader)
{
    struct functions f;
    bool good = init(&f, p);
    if (good) {
        fill_bins(&f);
        drop_hopeless(&f);
        good = make_table(&f) && sum_up(&f) && choose(&f, leader);
    }
    release(&f);
    return good;
}
