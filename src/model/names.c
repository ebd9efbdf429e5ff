#include "model/names.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/module.h"
#include "model/speech.h"
#include "parse/frame.h"

/* The totals of rows beyond the last one are 0. */
static bool extend_totals(struct fst_profile *p, size_t count)
{
    void *totals = p->totals;
    if (fst_grow(&totals, &p->totals_capacity, count, sizeof *p->totals) != 0) {
        return false;
    }
    p->totals = totals;
    for (size_t row = p->nrows; row < count; row++) {
        p->totals[row] = 0;
    }
    return true;
}

/* Makes sure that a row stands behind every number below count. */
static bool extend_rows(struct fst_profile *p, size_t count)
{
    if (!fst_ends_suffice(p) && !extend_totals(p, count)) {
        return false;
    }
    void *rows = p->rows;
    if (fst_grow(&rows, &p->rows_capacity, count, sizeof *p->rows) != 0) {
        return false;
    }
    p->rows = rows;
    for (; p->nrows < count; p->nrows++) {
        uint64_t order = p->origin + p->nrows;
        p->rows[p->nrows] = (struct fst_row){.first_self = FST_NEVER, .order = FST_NEVER};
        if (!p->chooses) {
            p->rows[p->nrows].order = order;
            p->orders = order + 1;
        }
    }
    return true;
}

uint32_t fst_names_row(struct fst_profile *p, struct fst_str label)
{
    uint32_t id = fst_symtab_intern(&p->row_names, label);
    return id != FST_ID_NONE && extend_rows(p, p->row_names.count) ? id : FST_ID_NONE;
}

uint32_t fst_names_pair(struct fst_profile *p, struct fst_pair pair)
{
    return fst_names_row(p, fst_str_of((const char *)&pair, sizeof pair));
}

uint32_t fst_names_root(struct fst_profile *p, struct fst_str label)
{
    uint32_t id = fst_symtab_intern(&p->root_names, label);
    void *roots = p->roots;
    if (id == FST_ID_NONE ||
        fst_grow(&roots, &p->roots_capacity, p->root_names.count, sizeof *p->roots) != 0) {
        return FST_ID_NONE;
    }
    p->roots = roots;
    for (; p->nroots < p->root_names.count; p->nroots++) {
        p->roots[p->nroots] = (struct fst_root_row){.first = FST_NEVER};
    }
    return id;
}

/* "FUNCTION (FILE)", or the frame itself where its parts are not known or it has no line. */
static struct fst_str function_label(struct fst_str frame, const struct fst_frame_parts *parts,
                                     struct fst_buf *scratch)
{
    if (parts->kind != FST_FRAME_SPLIT || parts->line.len == 0) {
        return frame;
    }
    fst_buf_add_str(scratch, parts->function);
    fst_buf_add_cstr(scratch, " (");
    fst_buf_add_str(scratch, parts->file);
    fst_buf_add_char(scratch, ')');
    return fst_buf_str(scratch);
}

struct fst_frame_parts fst_names_read(const struct fst_profile *p, uint32_t frame,
                                      struct fst_str text)
{
    enum fst_dialect dialect = (enum fst_dialect)p->frames[frame].dialect;
    return fst_dialect_rules_of(dialect)->read(text, p->frames[frame].split_files);
}

struct fst_str fst_profile_spoken(const struct fst_profile *profile, uint32_t frame)
{
    bool as_written = !profile->alters || profile->spoken[frame] == FST_ID_NONE;
    return as_written ? fst_symtab_name(&profile->frame_names, frame)
                      : fst_symtab_name(&profile->spoken_names, profile->spoken[frame]);
}

struct fst_str fst_profile_function_label(const struct fst_profile *profile, uint32_t frame,
                                          struct fst_buf *scratch)
{
    struct fst_str name = fst_profile_spoken(profile, frame);
    struct fst_frame_parts parts = fst_names_read(profile, frame, name);
    return function_label(name, &parts, scratch);
}

/* --- what a frame is called ------------------------------------------------------------------ */

enum fst_name_role fst_names_role(const struct fst_profile *p, uint32_t frame)
{
    switch (p->frames[frame].kind) {
    case FST_FRAME_PROCESS: return FST_NAME_PROCESS;
    case FST_FRAME_THREAD: return FST_NAME_THREAD;
    default: return FST_NAME_FRAME;
    }
}

/* Files what a frame is called, unless that is what is written; where lines are told apart by it
 * (fst_line_of_frame) always. */
static bool file_spoken(struct fst_profile *p, uint32_t id, struct fst_str name)
{
    void *spoken = p->spoken;
    if (fst_grow(&spoken, &p->spoken_capacity, (size_t)id + 1, sizeof *p->spoken) != 0) {
        return false;
    }
    p->spoken = spoken;
    struct fst_speech speech = {0};
    struct fst_str called;
    bool good = fst_speak(p->options.selection, &p->matcher, name, fst_names_role(p, id), true,
                          &speech, &called, &p->failure) == FST_OK;
    p->spoken[id] = FST_ID_NONE;
    if (good && (called.data != name.data || called.len != name.len || p->options.tree_of_frames)) {
        p->spoken[id] = fst_symtab_intern(&p->spoken_names, called);
        good = p->spoken[id] != FST_ID_NONE;
    }
    fst_speech_release(&speech);
    return good;
}

/* --- the rows of frames ---------------------------------------------------------------------- */

/* The module of a frame, whose annotations tell the kernel's. */
static struct fst_str module_label(struct fst_profile *p, uint32_t id, struct fst_str name,
                                   struct fst_buf *scratch)
{
    struct fst_speech speech = {0};
    struct fst_str module = {"", 0};
    if (p->alters && fst_speak(p->options.selection, &p->matcher, name, fst_names_role(p, id),
                               false, &speech, &name, &p->failure) != FST_OK) {
        scratch->failed = true;
    } else {
        struct fst_frame_parts parts = fst_names_read(p, id, name);
        struct fst_buf built = {0};
        module = fst_module_of(name, &parts, (enum fst_dialect)p->frames[id].dialect, &built);
        fst_buf_add_str(scratch, module);
        module = fst_buf_str(scratch);
        scratch->failed = scratch->failed || built.failed;
        fst_buf_release(&built);
    }
    fst_speech_release(&speech);
    return module;
}

/* A frame that is filed: its text as it is written, which its parts point into. */
struct written {
    struct fst_str name;
    struct fst_frame_parts parts;
};

/* The label of a frame, of what it is called, in rows of that kind. */
static struct fst_str frame_label(struct fst_profile *p, enum fst_by by, uint32_t id,
                                  const struct written *written, struct fst_buf *scratch)
{
    if (by == FST_BY_MODULE) {
        return module_label(p, id, written->name, scratch);
    }
    bool altered = p->alters && p->spoken[id] != FST_ID_NONE;
    struct fst_str spoken = altered ? fst_profile_spoken(p, id) : written->name;
    struct fst_frame_parts parts = altered ? fst_names_read(p, id, spoken) : written->parts;
    if (by == FST_BY_FUNCTION) {
        return function_label(spoken, &parts, scratch);
    }
    if (by == FST_BY_FRAME || parts.kind != FST_FRAME_SPLIT) {
        return spoken;
    }
    if (by == FST_BY_FILE || parts.line.len == 0) {
        return parts.file;
    }
    fst_buf_add_str(scratch, parts.file);
    fst_buf_add_char(scratch, ':');
    fst_buf_add_str(scratch, parts.line);
    return fst_buf_str(scratch);
}

/* The first frame of a row counts for it, to which the row's symbol leads; the others are led there. */
static void link_frame(struct fst_profile *p, uint32_t id)
{
    struct fst_symbol *frame = p->frame_names.symbols[id];
    struct fst_symbol *row = p->row_names.symbols[p->frames[id].row];
    if (row->sum == 0) {
        row->sum = (uintptr_t)frame;
    } else {
        frame->sum = row->sum;
        frame->stamp = FST_LINKED;
    }
}

/* Files the row of a frame. */
static bool file_row(struct fst_profile *p, uint32_t id, const struct written *written)
{
    struct fst_buf *scratch = &p->label;
    fst_buf_clear(scratch);
    struct fst_str label = frame_label(p, p->options.by, id, written, scratch);
    p->frames[id].row = scratch->failed ? FST_ID_NONE : fst_names_row(p, label);
    if (p->frames[id].row == FST_ID_NONE) {
        return false;
    }
    if (fst_rows_are_linked(p)) {
        link_frame(p, id);
    }
    return true;
}

/* Files the labels of a frame, where rows lie within rows. */
static bool file_labels(struct fst_profile *p, uint32_t id, const struct written *written)
{
    const enum fst_by levels[2] = {p->options.by, p->options.inner};
    for (int i = 0; i < 2; i++) {
        if (fst_by_is_of_stacks(levels[i])) {
            continue;
        }
        void *labels = p->labels[i];
        if (fst_grow(&labels, &p->labels_capacity[i], (size_t)id + 1, sizeof *p->labels[i]) != 0) {
            return false;
        }
        p->labels[i] = labels;
        struct fst_buf *scratch = &p->label;
        fst_buf_clear(scratch);
        struct fst_str label = frame_label(p, levels[i], id, written, scratch);
        p->labels[i][id] =
            scratch->failed ? FST_ID_NONE : fst_symtab_intern(&p->level_names[i], label);
        if (p->labels[i][id] == FST_ID_NONE) {
            return false;
        }
    }
    return true;
}

/* Reads a frame that was not seen before and files it under its number. */
static bool file_frame(struct fst_profile *p, uint32_t id, struct fst_str name)
{
    void *frames = p->frames;
    if (fst_grow(&frames, &p->frames_capacity, (size_t)id + 1, sizeof *p->frames) != 0) {
        return false;
    }
    p->frames = frames;
    const struct fst_grammar *grammar = &p->grammar;
    struct written written = {name, grammar->rules->read(name, grammar->split_files)};
    p->frames[id] = (struct fst_frame){
        .row = id,
        .root = FST_ID_NONE,
        .kind = (uint8_t)written.parts.kind,
        .dialect = (uint8_t)grammar->dialect,
        .split_files = grammar->split_files,
        .scaffolding = fst_frame_is_scaffolding(name, &written.parts),
        .unknown = fst_str_eq(name, FST_STR("[unknown]")),
    };
    if (fst_rows_are_frames(p)) {
        return extend_rows(p, (size_t)id + 1);
    }
    if (p->alters && !file_spoken(p, id, name)) {
        return false;
    }
    if (p->options.nested) {
        return file_labels(p, id, &written);
    }
    if (fst_rows_are_stacks(p)) {
        p->frames[id].row = FST_ID_NONE;
        return true;
    }
    return file_row(p, id, &written);
}

uint32_t fst_names_frame(struct fst_profile *p, struct fst_str name)
{
    size_t known = p->frame_names.count;
    uint32_t id = fst_symtab_intern(&p->frame_names, name);
    if (FST_LIKELY(id < known)) {
        return id;
    }
    return id != FST_ID_NONE && file_frame(p, id, name) ? id : FST_ID_NONE;
}

bool fst_names_frames(struct fst_profile *p, const struct fst_str *names, size_t count,
                      struct fst_symbol **out)
{
    size_t known = p->frame_names.count;
    if (!fst_symtab_intern_all(&p->frame_names, names, count, out)) {
        return false;
    }
    for (size_t id = known; id < p->frame_names.count; id++) {
        if (!file_frame(p, (uint32_t)id, fst_symtab_name(&p->frame_names, (uint32_t)id))) {
            return false;
        }
    }
    return true;
}

struct fst_str fst_profile_row_name(const struct fst_profile *profile, uint32_t row,
                                    struct fst_str *outer)
{
    struct fst_str name = fst_symtab_name(
        fst_rows_are_frames(profile) ? &profile->frame_names : &profile->row_names, row);
    struct fst_str above = {"", 0};
    if (profile->options.nested) {
        struct fst_pair pair;
        memcpy(&pair, name.data, sizeof pair);
        name = fst_symtab_name(&profile->level_names[0], pair.outer);
        if (pair.inner != FST_ID_NONE) {
            above = name;
            name = fst_symtab_name(&profile->level_names[1], pair.inner);
        }
    }
    if (outer != NULL) {
        *outer = above;
    }
    return name;
}
