/* Rows are grouped by the functions of their frames. Functions are looked up among the frames that
 * were the first of each, whose labels are made anew to be compared: so a function costs two words,
 * however many there are, and its label none. */
#include "analysis/leader.h"

#include "base/alloc.h"

enum { HASH_BITS = 32 };

/* A table of functions by open addressing. A slot is the number of the first frame plus one, below
 * the upper half of the label's hash; 0 where it is empty. */
struct functions {
    const struct fst_profile *profile;
    uint64_t *slots;
    size_t mask;
    fst_i128 *sums; /* by the row of the first frame */
    struct fst_buf label;
    struct fst_buf other; /* the label it is compared with */
};

void fst_leader_release(struct fst_leader *leader)
{
    fst_buf_release(&leader->name);
}

/* How many rows have a self value. */
static size_t count_leaves(const struct fst_profile *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->nrows; i++) {
        count += p->rows[i].first_self != FST_NEVER;
    }
    return count;
}

static bool init(struct functions *f, const struct fst_profile *p)
{
    size_t leaves = count_leaves(p);
    size_t slots = 16;
    while (slots / 4 * 3 < leaves) {
        slots *= 2;
    }
    *f = (struct functions){.profile = p, .mask = slots - 1};
    f->slots = fst_alloc_zeroed(slots, sizeof *f->slots);
    f->sums = fst_alloc_zeroed(p->nrows + 1, sizeof *f->sums);
    return f->slots != NULL && f->sums != NULL;
}

static void release(struct functions *f)
{
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

/* The frame of a slot that is not empty. */
static uint32_t frame_of(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

/* The first frame of the function that a frame is of: the frame itself, if it is the first. */
static uint32_t first_of_function(struct functions *f, uint32_t frame)
{
    struct fst_str label = label_of(f, frame, &f->label);
    uint64_t h = fst_symtab_hash(&f->profile->frame_names, label);
    for (size_t i = (size_t)h & f->mask;; i = (i + 1) & f->mask) {
        uint64_t slot = f->slots[i];
        if (slot == 0) {
            f->slots[i] = h >> HASH_BITS << HASH_BITS | ((uint64_t)frame + 1);
            return frame;
        }
        if ((slot ^ h) >> HASH_BITS == 0 &&
            fst_str_eq(label, label_of(f, frame_of(slot), &f->other))) {
            return frame_of(slot);
        }
    }
}

/* Sums the rows' self values by function. A row counts by the first of the frames that it stands
 * for. */
static bool sum_up(struct functions *f)
{
    const struct fst_profile *p = f->profile;
    uint32_t next = 0; /* rows are numbered as their first frames are */
    for (size_t i = 0; i < p->frame_names.count; i++) {
        uint32_t row = p->frames[i].row;
        if (row < next) {
            continue;
        }
        next = row + 1;
        if (p->rows[row].first_self != FST_NEVER) {
            uint32_t first = first_of_function(f, (uint32_t)i);
            f->sums[p->frames[first].row] += p->rows[row].self;
        }
    }
    return !f->label.failed && !f->other.failed;
}

static fst_i128 most_of_a_row(const struct fst_profile *p)
{
    fst_i128 most = 0;
    for (size_t i = 0; i < p->nrows; i++) {
        most = p->rows[i].self > most ? p->rows[i].self : most;
    }
    return most;
}

/* Keeps the best of the functions. */
static bool choose(struct functions *f, struct fst_leader *leader)
{
    const struct fst_profile *p = f->profile;
    fst_i128 most = most_of_a_row(p);
    leader->self = most;
    for (size_t i = 0; i <= f->mask; i++) {
        if (f->slots[i] == 0) {
            continue;
        }
        uint32_t frame = frame_of(f->slots[i]);
        fst_i128 sum = f->sums[p->frames[frame].row];
        if (sum < leader->self || sum == most) {
            continue;
        }
        struct fst_str label = label_of(f, frame, &f->label);
        if (sum > leader->self || fst_str_cmp(label, fst_buf_str(&leader->name)) < 0) {
            fst_buf_clear(&leader->name);
            fst_buf_add_str(&leader->name, label);
            leader->self = sum;
        }
    }
    return !f->label.failed && !leader->name.failed;
}

bool fst_leader_find(const struct fst_profile *p, struct fst_leader *leader)
{
    struct functions f;
    bool good = init(&f, p) && sum_up(&f) && choose(&f, leader);
    release(&f);
    return good;
}
