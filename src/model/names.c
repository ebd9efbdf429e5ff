#include "model/names.h"

#include "base/alloc.h"
#include "parse/frame.h"

/* Makes sure that a row stands behind every number below count. */
static bool extend_rows(struct fst_profile *p, size_t count)
{
    void *rows = p->rows;
    if (fst_grow(&rows, &p->rows_capacity, count, sizeof *p->rows) != 0) {
        return false;
    }
    p->rows = rows;
    for (; p->nrows < count; p->nrows++) {
        uint64_t order = p->origin + p->nrows;
        p->rows[p->nrows] = (struct fst_row){.first_self = FST_NEVER, .order = order};
        p->orders = order + 1;
    }
    return true;
}

uint32_t fst_names_row(struct fst_profile *p, struct fst_str label)
{
    uint32_t id = fst_symtab_intern(&p->row_names, label);
    return id != FST_ID_NONE && extend_rows(p, p->row_names.count) ? id : FST_ID_NONE;
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

static struct fst_frame_parts read_frame(const struct fst_profile *p, uint32_t frame)
{
    enum fst_dialect dialect = (enum fst_dialect)p->frames[frame].dialect;
    return fst_dialect_rules_of(dialect)->read(fst_symtab_name(&p->frame_names, frame),
                                               p->frames[frame].split_files);
}

struct fst_str fst_profile_function_label(const struct fst_profile *profile, uint32_t frame,
                                          struct fst_buf *scratch)
{
    struct fst_frame_parts parts = read_frame(profile, frame);
    return function_label(fst_symtab_name(&profile->frame_names, frame), &parts, scratch);
}

/* The row label of a frame, where rows are groups of frames. */
static struct fst_str frame_label(const struct fst_profile *p, struct fst_str frame,
                                  const struct fst_frame_parts *parts, struct fst_buf *scratch)
{
    if (p->options.by == FST_BY_FUNCTION) {
        return function_label(frame, parts, scratch);
    }
    if (parts->kind != FST_FRAME_SPLIT) {
        return frame;
    }
    if (p->options.by == FST_BY_FILE || parts->line.len == 0) {
        return parts->file;
    }
    fst_buf_add_str(scratch, parts->file);
    fst_buf_add_char(scratch, ':');
    fst_buf_add_str(scratch, parts->line);
    return fst_buf_str(scratch);
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
    struct fst_frame_parts parts = grammar->rules->read(name, grammar->split_files);
    p->frames[id] = (struct fst_frame){
        .row = id,
        .root = FST_ID_NONE,
        .kind = (uint8_t)parts.kind,
        .dialect = (uint8_t)grammar->dialect,
        .split_files = grammar->split_files,
        .scaffolding = fst_frame_is_scaffolding(name, &parts),
        .unknown = fst_str_eq(name, FST_STR("[unknown]")),
    };
    if (fst_rows_are_frames(p)) {
        return extend_rows(p, (size_t)id + 1);
    }
    if (fst_rows_are_stacks(p)) {
        p->frames[id].row = FST_ID_NONE;
        return true;
    }
    struct fst_buf scratch = {0};
    struct fst_str label = frame_label(p, name, &parts, &scratch);
    p->frames[id].row = scratch.failed ? FST_ID_NONE : fst_names_row(p, label);
    fst_buf_release(&scratch);
    return p->frames[id].row != FST_ID_NONE;
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

struct fst_str fst_profile_row_name(const struct fst_profile *profile, uint32_t row)
{
    return fst_symtab_name(
        fst_rows_are_frames(profile) ? &profile->frame_names : &profile->row_names, row);
}
