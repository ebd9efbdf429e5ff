/* The geometry of a flame graph.
 *
 *     |        all                      |     a frame is as wide as its share of the root; what
 *     |   main          |  work   |     |     stands on it begins where it does, the largest first,
 *     | f     | g |     |                     and what is left at the right is its own
 *
 * All places are sums of counts and exact until they are divided, so that what stands on a frame
 * never reaches beyond it. In a differential picture a frame that is gone has no counts after; it
 * stands, behind all that are there, as wide as its share before, and every frame below it is that
 * much wider. Places in counts (first, samples) know nothing of it: they are those of the profile
 * after alone, which can be read back from them.
 *
 * Counts below zero have no width: stacks that have one are left out, and that is told.
 */
#include <math.h>

#include "analysis/flame_parts.h"
#include "analysis/notes.h"
#include "analysis/statistics_two.h"
#include "analysis/tree.h"
#include "base/alloc.h"
#include "base/error.h"
#include "parse/svg_frame.h"

enum { DEFAULT_WIDTH = 1200, DECIMALS = 12 };
#define DEFAULT_MIN_WIDTH 0.1
#define DEFAULT_FDR       0.05

/* The public result, and what it owns. */
struct flame {
    struct fst_flame base;
    struct fst_symtab modules;
    struct fst_notes notes;
};

/* Where the next frame at a depth begins, and on which frame. */
struct spot {
    fst_i128 first; /* in counts */
    double x;       /* as frames have it */
    size_t caller;
};

/* What is needed while it is made. */
struct work {
    struct flame *flame;
    const struct fst_profile *after;
    const struct fst_profile *before; /* NULL: nothing is compared */
    struct fst_boxes boxes;
    struct spot *spots; /* by depth */
    size_t spots_capacity;
    double *q; /* the same; NULL: nothing is compared */
    double after_total;
    double before_total;
    double whole;  /* the picture's width in shares: more than 1 where something is gone */
    fst_i128 unit; /* of first and samples, scaled */
};

static double share_of(fst_i128 part, double whole)
{
    return whole > 0 ? fst_count_to_double(part) / whole : 0;
}

/* --- places in counts --------------------------------------------------------------------------- */

/* Most weights fit into 64 bits, in which it is quicker. */
static bool is_multiple(fst_i128 weight, fst_i128 unit)
{
    return weight <= UINT64_MAX ? (uint64_t)weight % (uint64_t)unit == 0 : weight % unit == 0;
}

/* Whole counts, or so many decimals as they need; fewer where they would not fit. */
static void choose_unit(struct work *work)
{
    int decimals = 0;
    fst_i128 unit = FST_COUNT_ONE;
    for (size_t i = 0; i < work->boxes.count && decimals < DECIMALS; i++) {
        const struct fst_box *box = &work->boxes.items[i];
        while (decimals < DECIMALS && !is_multiple(box->weight, unit)) {
            unit /= 10;
            decimals++;
        }
    }
    while (work->boxes.items[0].weight / unit > FST_SVG_MOST / 4) {
        unit *= 10;
        decimals--;
        work->flame->base.rounded = true;
    }
    work->unit = unit;
    work->flame->base.decimals = decimals;
}

/* --- frames ---------------------------------------------------------------------------------------- */

/* How strong the colour of so much change is, by points: below a half, two, five, and above. */
static int step_of(double points)
{
    double size = fabs(points) * 100;
    int step = size < 0.5 ? 1 : size < 2 ? 2 : size < 5 ? 3 : 4;
    return points < 0 ? -step : step;
}

/* Whether a box changed: beyond noise, or, where that cannot be told, at all that can be seen. */
static bool is_changed(const struct work *work, const struct fst_flame_frame *frame)
{
    enum { LEAST_SEEN = 20 }; /* a twentieth of a point */
    return work->flame->base.tested ? fst_is_finding(frame->q, work->flame->base.fdr)
                                    : fabs(frame->points) * 100 * LEAST_SEEN >= 1;
}

/* What a frame was before. */
static void compare(const struct work *work, size_t i, struct fst_flame_frame *frame)
{
    const struct fst_box *box = &work->boxes.items[i];
    fst_i128 before =
        box->before == FST_NO_NODE ? 0 : fst_positive(work->boxes.before->nodes[box->before].total);
    frame->before = fst_count_pack(before);
    frame->before_share = share_of(before, work->before_total);
    frame->points = frame->share - frame->before_share;
    frame->q = work->q[i];
    bool changed = is_changed(work, frame);
    frame->step = changed && frame->points != 0 ? step_of(frame->points) : 0;
    frame->change = changed ? FST_FLAME_CHANGED : FST_FLAME_SAME;
    if (box->after == FST_NO_NODE) {
        frame->change = FST_FLAME_GONE;
    } else if (changed && box->before == FST_NO_NODE) {
        frame->change = FST_FLAME_NEW;
    }
}

/* A number of a name: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), folded. */
static uint32_t hash_of(struct fst_str name)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < name.len; i++) {
        hash = (hash ^ (unsigned char)name.data[i]) * 16777619U;
    }
    return hash ^ (hash >> 16);
}

static double width_of(const struct work *work, const struct fst_box *box)
{
    return (share_of(box->weight, work->after_total) + share_of(box->gone, work->before_total)) /
           work->whole;
}

/* Whole units of a place. */
static uint64_t in_units(const struct work *work, fst_i128 place)
{
    bool small = place <= UINT64_MAX && work->unit <= UINT64_MAX; /* most are; it is quicker */
    return small ? (uint64_t)place / (uint64_t)work->unit : (uint64_t)(place / work->unit);
}

/* The frame of a box, before it has a colour. */
static struct fst_flame_frame frame_of(const struct work *work, size_t i, const struct spot *at,
                                       double width)
{
    const struct fst_box *box = &work->boxes.items[i];
    const struct fst_tree_node *node = fst_box_node(&work->boxes, box);
    struct fst_flame_frame frame = {
        .name = node->name,
        .row = node->row,
        .depth = node->depth,
        .x = at->x,
        .width = width,
        .first = in_units(work, at->first),
        .self = box->after == FST_NO_NODE ? fst_count_pack(0)
                                          : fst_count_pack(fst_positive(node->self)),
        .total = fst_count_pack(box->weight),
        .share = share_of(box->weight, work->after_total),
        .colour = FST_FLAME_NO_COLOUR,
        .tint = hash_of(node->name) & 1,
        .drops = node->left_out_nodes > 0,
        .before_share = NAN,
        .points = NAN,
        .q = NAN,
    };
    frame.samples = in_units(work, at->first + box->weight) - frame.first;
    if (work->q != NULL) {
        compare(work, i, &frame);
    }
    return frame;
}

/* Adds the frame of a box where the next one at its depth begins. */
static bool add_frame(struct work *work, size_t i, uint32_t depth, double width)
{
    struct fst_flame *base = &work->flame->base;
    void *spots = work->spots;
    if (fst_grow_zeroed(&spots, &work->spots_capacity, depth + (size_t)2, sizeof *work->spots) !=
        0) {
        return false;
    }
    work->spots = spots;
    struct spot *at = &work->spots[depth];
    base->frames[base->count] = frame_of(work, i, at, width);
    work->spots[depth + 1] = (struct spot){at->first, at->x, base->count++};
    base->levels = depth >= base->levels ? depth + 1 : base->levels;
    return true;
}

/* Counts what the trees left out, being too narrow, and what the boxes do. */
static void leave_out(struct fst_flame *base, uint64_t frames, fst_i128 total)
{
    base->narrow.frames += frames;
    base->narrow.total = fst_count_pack(fst_count_unpack(base->narrow.total) + total);
}

/* Where no frame has a module, names are told apart. */
static void colour_names(struct fst_flame *flame)
{
    for (size_t i = 1; i < flame->count; i++) {
        struct fst_flame_frame *frame = &flame->frames[i];
        frame->colour = (hash_of(frame->name) >> 1) % FST_FLAME_COLOURS;
    }
}

static bool lay_out(struct work *work)
{
    struct fst_flame *base = &work->flame->base;
    double least = base->min_width / base->pixels;
    base->frames = fst_alloc(work->boxes.count * sizeof *base->frames);
    if (base->frames == NULL) {
        return false;
    }
    for (size_t i = 0; i < work->boxes.count; i++) {
        const struct fst_box *box = &work->boxes.items[i];
        uint32_t depth = fst_box_node(&work->boxes, box)->depth;
        double width = width_of(work, box);
        bool narrow = i > 0 && (width < least || width <= 0);
        if (!narrow && !add_frame(work, i, depth, width)) {
            return false;
        }
        struct spot *spot = &work->spots[depth];
        spot->first += box->weight;
        spot->x += width;
        if (narrow) {
            leave_out(base, width > 0, box->weight);
            base->frames[spot->caller].drops |= width > 0;
            i = box->end - (size_t)1;
        }
    }
    leave_out(base, work->boxes.after->left_out_nodes, fst_positive(work->boxes.after->left_out));
    base->narrow.share = share_of(fst_count_unpack(base->narrow.total), work->after_total);
    return true;
}

/* --- what stands beside the frames ------------------------------------------------------------------ */

/* Rate and duration of all inputs: the rate that all have, and the durations' sum. */
static struct fst_flame_side side_of(const struct fst_profile *p, const struct fst_tree *tree)
{
    struct fst_flame_side side = {
        .scope = tree->scope,
        .rate = NAN,
        .duration = 0,
    };
    side.inputs = fst_profile_inputs(p, &side.ninputs);
    bool first = true;
    for (size_t i = 0; i < side.ninputs; i++) {
        const struct fst_input *input = &side.inputs[i];
        if (input->status == FST_OK) {
            side.rate = first || side.rate == input->rate ? input->rate : NAN;
            side.duration += input->duration;
            first = false;
        }
    }
    side.duration = first ? NAN : side.duration;
    return side;
}

static void count_below_zero(struct fst_flame_left_out *out, const struct fst_tree *tree)
{
    fst_i128 sum = 0;
    for (size_t i = 0; i < tree->count; i++) {
        fst_i128 self = fst_count_unpack(tree->nodes[i].self);
        out->frames += self < 0;
        sum += self < 0 ? self : 0;
    }
    out->total = fst_count_pack(sum);
    out->share = NAN;
}

static void describe(struct work *work, const struct fst_flame_options *o)
{
    struct fst_flame *base = &work->flame->base;
    const struct fst_tree *tree = work->boxes.after;
    base->by = tree->by;
    base->reverse = tree->reverse;
    base->differential = work->before != NULL;
    base->fdr = o->fdr > 0 ? o->fdr : DEFAULT_FDR;
    base->after = side_of(work->after, tree);
    if (work->before != NULL) {
        base->before = side_of(work->before, work->boxes.before);
    }
    count_below_zero(&base->below_zero, tree);
}

/* Takes the notes on a profile that were not taken on another one. */
static void take_notes_on(struct fst_notes *notes, const struct fst_profile *p)
{
    struct fst_notes own = {0};
    fst_notes_on_picture(&own, p);
    for (size_t i = 0; i < own.count; i++) {
        bool known = false;
        for (size_t k = 0; k < notes->count; k++) {
            known = known || fst_str_eq(notes->items[k], own.items[i]);
        }
        if (!known) {
            fst_notes_add(notes, own.items[i]);
        }
    }
    notes->failed = notes->failed || own.failed;
    fst_notes_release(&own);
}

/* Why changes were not told from noise. The profile that is drawn has counts. */
static struct fst_str why_untested(const struct fst_profile *before)
{
#define AND_SO ": changes cannot be told from noise, and every one is coloured"
    if (before->samples == 0) {
        return before->offered_samples > 0
                   ? FST_STR("the filters keep no stack of the profile before" AND_SO)
                   : FST_STR("the profile before has no samples" AND_SO);
    }
    return before->total == 0 ? FST_STR("the counts of the profile before sum to zero" AND_SO)
                              : FST_STR("counts are no samples" AND_SO);
#undef AND_SO
}

static void take_notes(struct work *work)
{
    struct flame *flame = work->flame;
    take_notes_on(&flame->notes, work->after);
    if (work->before != NULL) {
        take_notes_on(&flame->notes, work->before);
    }
    if (work->before != NULL && !flame->base.tested) {
        fst_notes_add(&flame->notes, why_untested(work->before));
    }
    if (flame->base.rounded) {
        fst_notes_add(&flame->notes, FST_STR("counts are so large that the picture has not all of "
                                             "their digits"));
    }
    flame->base.notes = flame->notes.items;
    flame->base.nnotes = flame->notes.count;
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static enum fst_status test(struct work *work, const struct fst_flame_options *o,
                            struct fst_error *err)
{
    if (work->before == NULL) {
        return FST_OK;
    }
    work->q = fst_alloc(work->boxes.count * sizeof *work->q);
    if (work->q == NULL) {
        return fst_error_nomem(err);
    }
    double design_effect = o->design_effect > 0 ? o->design_effect : 1;
    return fst_flame_test(&work->boxes, work->after, work->before, design_effect, work->q,
                          &work->flame->base.tested, err);
}

static enum fst_status fill(struct work *work, const struct fst_flame_options *o,
                            struct fst_error *err)
{
    if (!fst_boxes_fill(&work->boxes)) {
        return fst_error_nomem(err);
    }
    describe(work, o);
    work->after_total = fst_count_to_double(work->boxes.items[0].weight);
    work->before_total =
        work->boxes.before == NULL ? 0 : fst_count_value(work->boxes.before->nodes[0].total);
    if (work->boxes.items[0].weight == 0) {
        return fst_error_set(err, FST_ERR_NO_DATA, "no count is above 0: there is nothing to draw");
    }
    work->whole = 1 + share_of(work->boxes.items[0].gone, work->before_total);
    choose_unit(work);
    enum fst_status status = test(work, o, err);
    if (status == FST_OK && !lay_out(work)) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK && !work->flame->base.differential) {
        status = fst_flame_colour(&work->flame->base, work->after, &work->flame->modules, err);
        if (status == FST_OK && work->flame->base.nmodules == 0) {
            colour_names(&work->flame->base);
        }
    }
    take_notes(work);
    return status == FST_OK && work->flame->notes.failed ? fst_error_nomem(err) : status;
}

/* The trees: what would be too narrow is left out, unless another tree or
 * what lies below zero may make it wider. */
static enum fst_status grow(struct work *work, const struct fst_flame_options *o,
                            struct fst_tree **after, struct fst_tree **before,
                            struct fst_error *err)
{
    const struct fst_flame *base = &work->flame->base;
    struct fst_tree_options options = {.reverse = o->reverse};
    if (work->before == NULL && work->after->negatives == 0) {
        options.least_share = base->min_width / base->pixels;
    }
    enum fst_status status = fst_tree_of_picture(work->after, &options, after, err);
    if (status == FST_OK && work->before != NULL) {
        status = fst_tree_of_picture(work->before, &options, before, err);
    }
    work->boxes.after = *after;
    work->boxes.before = *before;
    return status;
}

static void choose_sizes(struct fst_flame *base, const struct fst_flame_options *o)
{
    base->pixels = o->width > 0 ? o->width : DEFAULT_WIDTH;
    base->min_width = o->min_width > 0 ? o->min_width : DEFAULT_MIN_WIDTH;
    base->min_width = o->every_frame ? 0 : base->min_width;
}

static enum fst_status make(struct flame *flame, const struct fst_profile *profile,
                            const struct fst_profile *base, const struct fst_flame_options *options,
                            struct fst_error *err)
{
    struct fst_tree *after = NULL;
    struct fst_tree *before = NULL;
    struct work work = {.flame = flame, .after = profile, .before = base};
    choose_sizes(&flame->base, options);
    enum fst_status status = grow(&work, options, &after, &before, err);
    if (status == FST_OK) {
        status = fill(&work, options, err);
    }
    fst_boxes_release(&work.boxes);
    fst_free(work.spots);
    fst_free(work.q);
    fst_tree_free(after);
    fst_tree_free(before);
    return status;
}

enum fst_status fst_flame_new(const struct fst_profile *profile, const struct fst_profile *base,
                              const struct fst_flame_options *options, struct fst_flame **out,
                              struct fst_error *err)
{
    struct flame *flame = fst_alloc_zeroed(1, sizeof *flame);
    if (flame == NULL) {
        return fst_error_nomem(err);
    }
    fst_symtab_init(&flame->modules, 0);
    enum fst_status status = make(flame, profile, base, options, err);
    if (status != FST_OK) {
        fst_flame_free(&flame->base);
        return status;
    }
    *out = &flame->base;
    return FST_OK;
}

void fst_flame_free(struct fst_flame *flame)
{
    struct flame *whole = (struct flame *)flame;
    if (whole != NULL) {
        fst_symtab_release(&whole->modules);
        fst_notes_release(&whole->notes);
        fst_free(flame->frames);
        fst_free(whole);
    }
}
