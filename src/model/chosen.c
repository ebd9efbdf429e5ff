#include "model/chosen.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/module.h"
#include "model/selection.h"
#include "model/tally.h"
#include "parse/wait.h"

void fst_chooser_release(struct fst_chooser *chooser)
{
    if (chooser->ready) {
        fst_filter_release(&chooser->filter);
    }
    fst_free(chooser->ids);
    fst_free(chooser->kept);
    fst_free(chooser->verdicts);
    fst_free(chooser->idle);
    fst_buf_release(&chooser->label);
    fst_nest_release(&chooser->nest);
}

/* --- verdicts ---------------------------------------------------------------------------------- */

/* What filters see: the name as written, but for annotations that are not wanted. */
static struct fst_str filtered_name(void *ctx, uint32_t id)
{
    const struct fst_profile *p = ctx;
    struct fst_str name = fst_symtab_name(&p->frame_names, id);
    return p->options.selection->strip_annotations ? fst_strip_annotations(name) : name;
}

/* Judges the frames that no verdict is known of. */
static bool judge(struct fst_profile *p, const struct fst_categories *categories,
                  struct fst_category_verdict **verdicts, size_t *capacity, size_t *judged)
{
    size_t count = p->frame_names.count;
    void *grown = *verdicts;
    if (fst_grow(&grown, capacity, count, sizeof **verdicts) != 0) {
        return false;
    }
    *verdicts = grown;
    for (; *judged < count; (*judged)++) {
        uint32_t id = (uint32_t)*judged;
        struct fst_str name = fst_symtab_name(&p->frame_names, id);
        struct fst_frame_parts parts = fst_names_read(p, id, name);
        if (fst_categories_judge(categories, &p->matcher, name, &parts, &(*verdicts)[id],
                                 &p->failure) != FST_OK) {
            return false;
        }
    }
    return true;
}

/* Whether the stack at hand waits for work. False where judging failed. */
static bool is_idle(struct fst_profile *p, size_t nframes, bool *idle)
{
    struct fst_chooser *c = &p->tally->chooser;
    const struct fst_selection *s = p->options.selection;
    if (c->idle_judged < p->frame_names.count &&
        !judge(p, s->waiting, &c->idle, &c->idle_capacity, &c->idle_judged)) {
        return false;
    }
    *idle = fst_categories_decide(s->waiting, c->idle, c->ids, nframes) == s->idle;
    return true;
}

/* --- choosing ---------------------------------------------------------------------------------- */

static bool take_ids(struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    struct fst_chooser *c = &p->tally->chooser;
    void *ids = c->ids;
    if (fst_grow(&ids, &c->ids_capacity, nframes, sizeof *c->ids) != 0) {
        return false;
    }
    c->ids = ids;
    for (size_t i = 0; i < nframes; i++) {
        c->ids[i] = t->stack[i]->id;
    }
    return true;
}

static void ready_filter(struct fst_profile *p)
{
    struct fst_chooser *c = &p->tally->chooser;
    if (!c->ready) {
        struct fst_filter_names names = {filtered_name, p};
        fst_filter_init(&c->filter, &p->options.selection->filter, names);
        c->ready = true;
    }
}

/* Counts the stack at hand as one of its process, before filters look at it. */
static bool count_whole(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_chooser *c = &p->tally->chooser;
    bool wanted = false;
    ready_filter(p);
    if (fst_filter_process(&c->filter, &p->tally->lead, c->ids, &wanted, &p->failure) != FST_OK) {
        return false;
    }
    if (!wanted) {
        return true;
    }
    uint32_t root = fst_entry_root(p, nframes);
    if (!fst_entry_name_stack(p->tally, nframes)) {
        return false;
    }
    p->whole.total += count;
    p->whole.waiting += fst_wait_find(p->tally->names, nframes) < nframes ? count : 0;
    return root != FST_ID_NONE &&
           fst_sums_add(&p->whole.roots, fst_symtab_name(&p->root_names, root), count) &&
           fst_sums_add(&p->whole.threads, fst_entry_thread(p->tally), count);
}

/* Takes the stack at hand through the filters: *nframes are left of it, if it is kept. */
static bool choose(struct fst_profile *p, size_t *nframes, bool *kept)
{
    struct fst_tally *t = p->tally;
    struct fst_chooser *c = &t->chooser;
    const struct fst_selection *s = p->options.selection;
    *kept = true;
    if (!fst_selection_filters(s)) {
        return true;
    }
    bool idle = false;
    if (s->waiting != NULL && !is_idle(p, *nframes, &idle)) {
        return false;
    }
    if (idle || !fst_filter_wanted(&s->filter)) {
        *kept = !idle;
        return true;
    }
    ready_filter(p);
    return fst_filter_stack(&c->filter, &t->lead, c->ids, nframes, kept, &p->failure) == FST_OK;
}

/* What is left of the stack at hand becomes the stack at hand; the whole one is kept for the next,
 * which may have frames in common with it. */
static bool swap_in(struct fst_profile *p, size_t nframes)
{
    struct fst_tally *t = p->tally;
    struct fst_chooser *c = &t->chooser;
    if (!fst_symbols_grow(&c->kept, &c->kept_capacity, nframes)) {
        return false;
    }
    for (size_t i = 0; i < nframes; i++) {
        c->kept[i] = p->frame_names.symbols[c->ids[i]];
    }
    struct fst_symbol **whole = t->stack;
    t->stack = c->kept;
    c->kept = whole;
    return true;
}

static void swap_out(struct fst_tally *t)
{
    struct fst_symbol **left = t->stack;
    t->stack = t->chooser.kept;
    t->chooser.kept = left;
}

/* --- rows -------------------------------------------------------------------------------------- */

static bool join_frames(struct fst_profile *p, size_t nframes, struct fst_str *out)
{
    struct fst_chooser *c = &p->tally->chooser;
    fst_buf_clear(&c->label);
    for (size_t i = 0; i < nframes; i++) {
        fst_buf_add_cstr(&c->label, i == 0 ? "" : ";");
        fst_buf_add_str(&c->label, fst_profile_spoken(p, c->ids[i]));
    }
    *out = fst_buf_str(&c->label);
    return !c->label.failed;
}

/* What the stack at hand as a whole is called. */
static bool stack_label(struct fst_profile *p, enum fst_by by, size_t nframes, struct fst_str *out)
{
    struct fst_chooser *c = &p->tally->chooser;
    switch (by) {
    case FST_BY_THREAD: *out = fst_entry_thread(p->tally); return true;
    case FST_BY_PROCESS: *out = fst_entry_process(p->tally); return true;
    case FST_BY_STACK: return join_frames(p, nframes, out);
    default: break;
    }
    const struct fst_categories *categories = p->options.selection->categories;
    if (c->judged < p->frame_names.count &&
        !judge(p, categories, &c->verdicts, &c->verdicts_capacity, &c->judged)) {
        return false;
    }
    *out = fst_categories_name(categories,
                               fst_categories_decide(categories, c->verdicts, c->ids, nframes));
    return true;
}

static bool count_as_whole(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_str label;
    if (!stack_label(p, p->options.by, nframes, &label)) {
        return false;
    }
    uint32_t row = fst_names_row(p, label);
    if (row == FST_ID_NONE) {
        return false;
    }
    fst_count_once(p, p->row_names.symbols[row], count);
    fst_count_leaf(p, row, count);
    return true;
}

/* The labels of the stack as a whole, of the levels that are of stacks. */
static bool find_whole_labels(struct fst_profile *p, size_t nframes, uint32_t whole[2])
{
    const enum fst_by levels[2] = {p->options.by, p->options.inner};
    for (int i = 0; i < 2; i++) {
        struct fst_str label;
        whole[i] = FST_ID_NONE;
        if (!fst_by_is_of_stacks(levels[i])) {
            continue;
        }
        if (!stack_label(p, levels[i], nframes, &label)) {
            return false;
        }
        whole[i] = fst_symtab_intern(&p->level_names[i], label);
        if (whole[i] == FST_ID_NONE) {
            return false;
        }
    }
    return true;
}

static bool count_nested(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_chooser *c = &p->tally->chooser;
    uint32_t whole[2];
    return find_whole_labels(p, nframes, whole) &&
           fst_nest_count(p, &c->nest,
                          (struct fst_nest_stack){c->ids, nframes, whole, count, c->units});
}

static bool count_rows(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    fst_tally_stamp(p);
    if (p->options.nested) {
        return count_nested(p, nframes, count);
    }
    if (fst_rows_are_stacks(p)) {
        return count_as_whole(p, nframes, count);
    }
    fst_count_frames(p, nframes, count);
    return true;
}

/* Counts what is left of the stack at hand into the stacks. */
static bool keep_stack(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_tally *t = p->tally;
    struct fst_chooser *c = &t->chooser;
    void *names = t->names;
    if (fst_grow(&names, &t->names_capacity, nframes, sizeof *t->names) != 0) {
        return false;
    }
    t->names = names;
    for (size_t i = 0; i < nframes; i++) {
        t->names[i] = fst_profile_spoken(p, c->ids[i]);
    }
    fst_buf_clear(&c->label);
    fst_stack_write(&c->label, t->names, nframes);
    return !c->label.failed && fst_stacks_add(&p->stacks, fst_buf_str(&c->label), count);
}

/* Counts what is left of the stack at hand into rows and roots. */
static bool count_into_tables(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    struct fst_tally *t = p->tally;
    t->root = fst_entry_root(p, nframes);
    if (t->root == FST_ID_NONE || !count_rows(p, nframes, count)) {
        return false;
    }
    fst_count_root(p, count);
    return fst_count_calls(p, nframes, count) && fst_count_thread(p, nframes, count);
}

/* Counts what is left of the stack at hand. */
static bool count_kept(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    p->total += count;
    p->samples++;
    return p->options.keep == FST_KEEP_STACKS ? keep_stack(p, nframes, count)
                                              : count_into_tables(p, nframes, count);
}

/* What leads the stack at hand when filters have taken tags out of it, that had a label behind them. */
static struct fst_lead lead_left(const struct fst_chooser *c, struct fst_lead lead, uint32_t label)
{
    size_t left = 0;
    while (left < lead.tags && c->ids[left] != label) {
        left++;
    }
    size_t gone = lead.tags - left;
    lead.count -= gone;
    lead.tags = left;
    lead.thread -= lead.thread == FST_NO_FRAME ? 0 : gone;
    lead.process -= lead.process == FST_NO_FRAME ? 0 : gone;
    return lead;
}

bool fst_chosen_count(struct fst_profile *p, size_t nframes, fst_i128 count)
{
    bool kept = false;
    struct fst_tally *t = p->tally;
    if (!take_ids(p, nframes)) {
        return false;
    }
    struct fst_lead whole = t->lead; /* for the next stack, which may begin alike */
    uint32_t label = whole.tags > 0 && whole.tags < nframes ? t->chooser.ids[whole.tags] : 0;
    if ((p->keeps_whole && !count_whole(p, nframes, count)) || !choose(p, &nframes, &kept)) {
        return false;
    }
    if (!kept) {
        return true;
    }
    if (!swap_in(p, nframes)) {
        return false;
    }
    if (whole.tags > 0) {
        t->lead = lead_left(&t->chooser, whole, label);
    }
    bool counted = count_kept(p, nframes, count);
    t->lead = whole;
    swap_out(t);
    return counted;
}
