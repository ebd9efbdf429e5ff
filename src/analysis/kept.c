#include "analysis/kept.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include "model/nearest.h"
#include "model/selection.h"

/* --- threads and processes --------------------------------------------------------------------- */

/* The dialect of the last input that has stacks. */
static enum fst_dialect dialect_of(const struct fst_profile *p)
{
    enum fst_dialect dialect = FST_DIALECT_GENERIC;
    for (size_t i = 0; i < p->ninputs; i++) {
        if (p->inputs[i].stack_lines > 0) {
            dialect = p->inputs[i].dialect;
        }
    }
    return dialect;
}

/* How to record what is asked for, where the profiler is known to have a way. */
static const char *advice_on_threads(enum fst_dialect dialect)
{
    switch (dialect) {
    case FST_DIALECT_PYSPY:
    case FST_DIALECT_GENERIC: return "; record with: py-spy record --threads";
    case FST_DIALECT_ASYNC: return "; record with: asprof -t";
    case FST_DIALECT_PERF: return "; fold with: stackcollapse-perf.pl --tid";
    default: return "";
    }
}

static const char *advice_on_processes(enum fst_dialect dialect)
{
    return dialect == FST_DIALECT_PYSPY || dialect == FST_DIALECT_GENERIC
               ? "; record with: py-spy record --subprocesses"
               : "";
}

/* That no stack names a thread or a process; of which recording, where there are several. */
static enum fst_status refuse_unnamed(const struct fst_profile *p, const char *what,
                                      const char *advice, bool several, struct fst_error *err)
{
    struct fst_buf place = {0};
    if (several && p->ninputs > 0) {
        fst_escape_text(&place, p->inputs[0].name);
        fst_buf_add_cstr(&place, ": ");
    }
    enum fst_status status =
        place.failed ? fst_error_nomem(err)
                     : fst_error_set(err, FST_ERR_NO_DATA, "%.*sno stack names its %s%s",
                                     (int)place.len, place.len > 0 ? place.data : "", what, advice);
    fst_buf_release(&place);
    return status;
}

static enum fst_status check_named(const struct fst_profile *p, bool several, struct fst_error *err)
{
    const struct fst_profile_options *o = &p->options;
    const struct fst_selection *s = o->selection;
    bool threads = o->by == FST_BY_THREAD || (o->nested && o->inner == FST_BY_THREAD) ||
                   o->root == FST_ROOT_THREAD || (s != NULL && s->filter.thread != NULL);
    bool processes = o->by == FST_BY_PROCESS || (o->nested && o->inner == FST_BY_PROCESS) ||
                     o->root == FST_ROOT_PROCESS || (s != NULL && s->filter.process != NULL);
    if (threads && p->offered_samples > 0 && p->named_threads == 0) {
        return refuse_unnamed(p, "thread", advice_on_threads(dialect_of(p)), several, err);
    }
    if (processes && p->offered_samples > 0 && p->named_processes == 0) {
        return refuse_unnamed(p, "process", advice_on_processes(dialect_of(p)), several, err);
    }
    return FST_OK;
}

/* --- filters that keep nothing ----------------------------------------------------------------- */

static bool is_label(const struct fst_profile *p, uint32_t frame)
{
    uint8_t kind = p->frames[frame].kind;
    return kind == FST_FRAME_THREAD || kind == FST_FRAME_PROCESS;
}

/* Profiles that are shown together. */
struct set {
    const struct fst_profile *const *profiles;
    size_t count;
};

/* Whether one of the profiles before the i-th has a frame of that name. */
static bool was_seen(const struct set *set, size_t i, struct fst_str name)
{
    for (size_t k = 0; k < i; k++) {
        const struct fst_profile *p = set->profiles[k];
        if (p != NULL && fst_symtab_find(&p->frame_names, name) != FST_ID_NONE) {
            return true;
        }
    }
    return false;
}

/* Whether a pattern matches none of the names that it is about; these are offered to nearest. */
static enum fst_status try_profile(const struct set *set, size_t i, const struct fst_wish *wish,
                                   struct fst_nearest *nearest, bool *vain, struct fst_error *err)
{
    const struct fst_profile *p = set->profiles[i];
    struct fst_matcher matcher = {0};
    enum fst_status status = FST_OK;
    for (uint32_t k = 0; p != NULL && k < p->frame_names.count && status == FST_OK && *vain; k++) {
        struct fst_str name = fst_symtab_name(&p->frame_names, k);
        if (is_label(p, k) == wish->of_labels && !was_seen(set, i, name)) {
            bool matched = false;
            status = fst_pattern_match(wish->pattern, &matcher, name, &matched, err);
            fst_nearest_offer(nearest, name);
            *vain = !matched;
        }
    }
    fst_matcher_release(&matcher);
    return status;
}

static enum fst_status try_wish(const struct set *set, const struct fst_wish *wish,
                                struct fst_nearest *nearest, bool *vain, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    fst_nearest_init(nearest, fst_pattern_source(wish->pattern));
    *vain = true;
    for (size_t i = 0; i < set->count && status == FST_OK && *vain; i++) {
        status = try_profile(set, i, wish, nearest, vain, err);
    }
    return status;
}

/* Appends a name or a pattern in full, unless it is very long. */
static void add_shown(struct fst_buf *out, struct fst_str name)
{
    enum { LONGEST = 110 };
    fst_escape_text(out, name.len > LONGEST ? fst_str_of(name.data, LONGEST) : name);
    fst_buf_add_cstr(out, name.len > LONGEST ? "…" : "");
}

void fst_kept_describe(struct fst_buf *out, const char *kind, struct fst_str pattern,
                       const struct fst_nearest *nearest)
{
    fst_buf_add_fmt(out, "no %s matches \"", kind);
    add_shown(out, pattern);
    fst_buf_add_char(out, '"');
    for (size_t i = 0; i < nearest->count; i++) {
        fst_buf_add_cstr(out, i > 0                ? ", "
                              : nearest->count > 1 ? "; the nearest are "
                                                   : "; the nearest is ");
        add_shown(out, nearest->names[i]);
    }
}

/* Says what the filters keep nothing of. */
static void describe_filters(struct fst_buf *out, const struct fst_selection *s, uint64_t stacks)
{
    if (s->nasked == 1) {
        fst_buf_add_fmt(out, "--%s ", s->asked[0].option);
        add_shown(out, s->asked[0].value);
        fst_buf_add_cstr(out, s->asked[0].value.len > 0 ? " keeps" : "keeps");
    } else {
        fst_buf_add_cstr(out, "the filters together keep");
    }
    fst_buf_add_cstr(out, " none of the ");
    fst_number_grouped_u64(out, stacks);
    fst_buf_add_cstr(out, stacks == 1 ? " stack" : " stacks");
}

enum fst_status fst_kept_refuse(const struct fst_buf *message, struct fst_error *err)
{
    struct fst_str text = fst_buf_str(message);
    return message->failed ? fst_error_nomem(err)
                           : fst_error_set(err, FST_ERR_NO_DATA, "%.*s", (int)text.len, text.data);
}

static enum fst_status refuse(const struct set *set, const struct fst_selection *selection,
                              uint64_t stacks, struct fst_error *err)
{
    struct fst_wish wishes[FST_ASKED_MOST];
    size_t count = fst_selection_wishes(selection, wishes);
    struct fst_buf message = {0};
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < count && message.len == 0 && status == FST_OK; i++) {
        struct fst_nearest nearest;
        bool vain = false;
        status = try_wish(set, &wishes[i], &nearest, &vain, err);
        if (status == FST_OK && vain) {
            fst_buf_add_fmt(&message, "--%s: ", wishes[i].option);
            fst_kept_describe(&message, wishes[i].of_labels ? wishes[i].option : "frame",
                              fst_pattern_source(wishes[i].pattern), &nearest);
        }
    }
    if (message.len == 0) {
        describe_filters(&message, selection, stacks);
    }
    if (status == FST_OK) {
        status = fst_kept_refuse(&message, err);
    }
    fst_buf_release(&message);
    return status;
}

enum fst_status fst_check_kept(const struct fst_profile *const *profiles, size_t count,
                               struct fst_error *err)
{
    const struct set set = {profiles, count};
    const struct fst_selection *selection = NULL;
    uint64_t kept = 0;
    uint64_t offered = 0;
    size_t given = 0;
    for (size_t i = 0; i < count; i++) {
        given += profiles[i] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (profiles[i] == NULL) {
            continue;
        }
        enum fst_status status = check_named(profiles[i], given > 1, err);
        if (status != FST_OK) {
            return status;
        }
        selection = profiles[i]->options.selection;
        kept += profiles[i]->samples;
        offered += profiles[i]->offered_samples;
    }
    return kept == 0 && offered > 0 ? refuse(&set, selection, offered, err) : FST_OK;
}
