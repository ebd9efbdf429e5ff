/* How a stack begins: the labels of its process and thread, and the frame that makes its root. */
#include "base/alloc.h"
#include "model/tally.h"
#include "parse/frame.h"

/* So many frames are looked at first for what leads a stack. */
enum { FEW = 4 };

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

/* Which of the first nframes frames of the stack at hand makes its root; nframes if none does. */
static size_t root_frame(const struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    if (p->options.root == FST_ROOT_INDEX) {
        return p->options.root_index < nframes ? p->options.root_index : nframes;
    }
    size_t at = t->lead.skip;
    while (at < nframes && p->frames[t->stack[at]->id].scaffolding) {
        at++;
    }
    return at;
}

/* The root of the stack at hand by its first frame that tells something. */
static uint32_t auto_root(struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    size_t at = root_frame(p, nframes);
    if (t->lead.skip == nframes) {
        return fst_names_root(p, FST_FRAME_NONE);
    }
    return function_root(p, t->stack[at < nframes ? at : nframes - 1]->id);
}

/* A frame that leads the stack at hand, or what stands for none. */
static struct fst_str lead_label(const struct fst_tally *t, size_t at, struct fst_str none)
{
    return at < t->lead.count ? fst_symbol_name(t->stack[at]) : none;
}

struct fst_str fst_entry_thread(const struct fst_tally *t)
{
    return lead_label(t, t->lead.thread, FST_STR("[no thread]"));
}

struct fst_str fst_entry_process(const struct fst_tally *t)
{
    return t->lead.process_name.len > 0 ? t->lead.process_name
                                        : lead_label(t, t->lead.process, FST_STR("[no process]"));
}

uint32_t fst_entry_root(struct fst_profile *p, size_t nframes)
{
    const struct fst_tally *t = p->tally;
    switch (p->options.root) {
    case FST_ROOT_THREAD: return fst_names_root(p, fst_entry_thread(t));
    case FST_ROOT_PROCESS: return fst_names_root(p, fst_entry_process(t));
    case FST_ROOT_INDEX: {
        size_t at = root_frame(p, nframes);
        return fst_names_root(p, fst_profile_spoken(p, t->stack[at < nframes ? at : 0]->id));
    }
    default: return auto_root(p, nframes);
    }
}

bool fst_entry_name_stack(struct fst_tally *t, size_t nframes)
{
    void *names = t->names;
    if (fst_grow(&names, &t->names_capacity, nframes, sizeof *t->names) != 0) {
        return false;
    }
    t->names = names;
    for (size_t i = 0; i < nframes; i++) {
        t->names[i] = fst_symbol_name(t->stack[i]);
    }
    return true;
}

/* By its first frames, or where all of them lead by all. */
bool fst_entry_lead(struct fst_profile *p, size_t nframes)
{
    struct fst_tally *t = p->tally;
    for (size_t look = nframes < FEW ? nframes : FEW;; look = nframes) {
        if (!fst_entry_name_stack(t, look)) {
            return false;
        }
        t->lead = p->grammar.rules->lead(t->names, look);
        if (t->lead.count < look || look == nframes) {
            return true;
        }
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t fst_entry_reach(const struct fst_profile *p, size_t nframes)
{
    return larger(root_frame(p, nframes), p->tally->lead.count);
}

/* Roots are frames that lead. */
static bool by_lead(const struct fst_profile *p)
{
    return p->options.root == FST_ROOT_THREAD || p->options.root == FST_ROOT_PROCESS;
}

bool fst_entry_new(struct fst_profile *p, size_t nframes)
{
    struct fst_tally *t = p->tally;
    if (!fst_entry_lead(p, nframes)) {
        return false;
    }
    t->root = fst_entry_root(p, nframes);
    t->root_reach = 1 + (by_lead(p) ? t->lead.count : fst_entry_reach(p, nframes));
    return t->root != FST_ID_NONE;
}
