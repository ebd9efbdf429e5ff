#include "analysis/diff_traits.h"

#include "base/count.h"
#include "base/error.h"
#include "model/names.h"
#include "model/normalize.h"
#include "model/selection.h"

/* --- frames ----------------------------------------------------------------------------------- */

/* What frames look like; of how many. */
struct look {
    size_t split; /* with a file */
    size_t lines; /* of them with a line */
    size_t full;  /* of them with a file from the root of the file system */
    size_t native;
    size_t threads;
    const char *thread_form; /* of the first */
    size_t generated;        /* as they are written */
    size_t normalized;
};

static bool is_full(struct fst_str file)
{
    bool drive =
        file.len > 2 && file.data[1] == ':' && (file.data[2] == '\\' || file.data[2] == '/');
    return drive || (file.len > 0 && file.data[0] == '/');
}

static bool is_library(const struct fst_frame_parts *parts)
{
    return parts->line.len == 0 && (fst_str_ends(parts->file, FST_STR(".so")) ||
                                    fst_str_find(parts->file, FST_STR(".so.")) != NULL);
}

/* py-spy wrote "thread 0x7F…" or "thread 4242" at first, "thread (0x7F…): name" later, and
 * "thread (4242): name" where it knows the system's number. */
static const char *form_of(struct fst_str thread)
{
    if (fst_str_starts(thread, FST_STR("thread (0x"))) {
        return "\"thread (0x…)\"";
    }
    if (fst_str_starts(thread, FST_STR("thread ("))) {
        return "\"thread (N)\"";
    }
    return fst_str_starts(thread, FST_STR("thread ")) ? "\"thread N\"" : NULL;
}

static void look_at(struct look *look, struct fst_str name, const struct fst_frame_parts *parts)
{
    if (parts->kind == FST_FRAME_SPLIT) {
        look->split++;
        look->lines += parts->line.len > 0;
        look->full += is_full(parts->file);
        look->native += is_library(parts);
    }
    if (parts->kind == FST_FRAME_THREAD && look->threads++ == 0) {
        look->thread_form = form_of(name);
    }
}

static void look_for_generated(struct look *look, struct fst_str name, enum fst_name_role role,
                               struct fst_buf *scratch)
{
    look->generated += fst_normalize(name, role, scratch).data != name.data;
    look->normalized += fst_is_normalized(name, role);
}

static enum fst_status look_through(const struct fst_profile *p, struct look *look,
                                    struct fst_error *err)
{
    struct fst_buf scratch = {0};
    bool normalizes = p->options.selection != NULL && p->options.selection->normalize;
    *look = (struct look){0};
    for (uint32_t i = 0; i < p->frame_names.count; i++) {
        struct fst_str name = fst_symtab_name(&p->frame_names, i);
        struct fst_frame_parts parts = fst_names_read(p, i, name);
        look_at(look, name, &parts);
        if (!normalizes) {
            look_for_generated(look, name, fst_names_role(p, i), &scratch);
        }
    }
    bool failed = scratch.failed;
    fst_buf_release(&scratch);
    return failed ? fst_error_nomem(err) : FST_OK;
}

/* --- idle stacks ------------------------------------------------------------------------------ */

/* Whether a row's own samples are a part worth looking at: judging takes its time. */
static bool is_large(const struct fst_profile *p, uint32_t row)
{
    enum { ONE_IN = 200 };
    return p->rows[row].first_self != FST_NEVER && p->rows[row].self > p->total / ONE_IN;
}

/* Adds up the self counts of leaves that wait for work. Rows are numbered as their first frames
 * are, which speak for them. */
static enum fst_status sum_idle(const struct fst_profile *p,
                                const struct fst_categories *categories, fst_i128 *sum,
                                struct fst_error *err)
{
    struct fst_matcher matcher = {0};
    uint8_t idle = fst_categories_find(categories, FST_STR("idle"));
    enum fst_status status = FST_OK;
    uint32_t next = 0;
    for (uint32_t i = 0; status == FST_OK && i < p->frame_names.count; i++) {
        uint32_t row = p->frames[i].row;
        if (row < next) {
            continue;
        }
        next = row + 1;
        if (!is_large(p, row)) {
            continue;
        }
        struct fst_str name = fst_symtab_name(&p->frame_names, i);
        struct fst_frame_parts parts = fst_names_read(p, i, name);
        struct fst_category_verdict verdict;
        status = fst_categories_judge(categories, &matcher, name, &parts, &verdict, err);
        bool waits = status == FST_OK &&
                     fst_categories_decide(categories, &verdict, &(uint32_t){0}, 1) == idle;
        *sum += waits ? p->rows[row].self : 0;
    }
    fst_matcher_release(&matcher);
    return status;
}

/* A recording of active threads may have a few stacks that look idle, one with --idle has many. */
static enum fst_status find_idle(const struct fst_profile *p,
                                 const struct fst_categories *categories, const char **word,
                                 struct fst_error *err)
{
    const double few = 0.02;
    const double many = 0.2;
    fst_i128 sum = 0;
    *word = NULL;
    if (p->options.nested || fst_rows_are_stacks(p) || p->total <= 0) {
        return FST_OK;
    }
    enum fst_status status = sum_idle(p, categories, &sum, err);
    double share = fst_count_to_double(sum) / fst_count_to_double(p->total);
    *word = share >= many ? "has them" : share <= few ? "has hardly any" : NULL;
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

static enum fst_dialect dialect_of(const struct fst_profile *p)
{
    enum fst_dialect dialect = FST_DIALECT_AUTO;
    for (size_t i = 0; i < p->ninputs; i++) {
        dialect = p->inputs[i].stack_lines > 0 ? p->inputs[i].dialect : dialect;
    }
    return dialect;
}

/* By the larger half of frames with a file; a word for some is none for all. */
static const char *word_of(size_t some, size_t all, const char *most, const char *none)
{
    if (all == 0) {
        return NULL;
    }
    return some * 2 > all ? most : some * 10 <= all ? none : NULL;
}

/* Where a recording has both, a name may match on either side. */
static const char *word_of_names(const struct look *look)
{
    if ((look->generated > 0) == (look->normalized > 0)) {
        return NULL;
    }
    return look->generated > 0 ? "as they are written" : "made one";
}

enum fst_status fst_traits_find(const struct fst_profile *p,
                                const struct fst_categories *categories, struct fst_traits *out,
                                struct fst_error *err)
{
    *out = (struct fst_traits){{NULL}};
    if (p->offered_samples == 0) {
        return FST_OK;
    }
    struct look look;
    if (look_through(p, &look, err) != FST_OK) {
        return FST_ERR_NOMEM;
    }
    size_t python = look.split - look.native;
    const char **words = out->words;
    words[FST_TRAIT_DIALECT] = fst_dialect_name(dialect_of(p));
    words[FST_TRAIT_UNIT] = fst_unit_name(p->unit);
    words[FST_TRAIT_LINES] = word_of(look.lines, python, "has them", "has none");
    words[FST_TRAIT_PATHS] = word_of(look.full, python, "has full ones", "has short ones");
    words[FST_TRAIT_THREADS] = p->named_threads > 0 ? "names them" : "does not";
    words[FST_TRAIT_THREAD_FORM] = look.thread_form;
    words[FST_TRAIT_PROCESSES] = p->named_processes > 0 ? "names them" : "does not";
    words[FST_TRAIT_NATIVE] = look.native > 0 ? "has them" : "has none";
    words[FST_TRAIT_GENERATED] = word_of_names(&look);
    return find_idle(p, categories, &words[FST_TRAIT_IDLE], err);
}
