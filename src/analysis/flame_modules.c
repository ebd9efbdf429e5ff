/* Modules of frames, and the few that get a colour: those that cover most of the picture. Names are
 * judged once: what a row is of is kept by its number. */
#include <stdlib.h>

#include "analysis/flame_parts.h"
#include "base/alloc.h"
#include "base/error.h"
#include "model/module.h"
#include "model/names.h"

struct modules {
    const struct fst_profile *profile;
    struct fst_symtab *names;
    uint32_t *of_row; /* numbers in names, plus 1; 0: not asked for yet; FST_ID_NONE: of none */
};

/* The frame that a row's label reads as. Rows that are no frames are read as the last input's are. */
static struct fst_frame_parts read_label(const struct fst_profile *p, uint32_t row,
                                         struct fst_str label, enum fst_dialect *dialect)
{
    if (fst_rows_are_frames(p)) {
        *dialect = (enum fst_dialect)p->frames[row].dialect;
        return fst_names_read(p, row, label);
    }
    bool split = p->grammar.split_files;
    *dialect = p->grammar.dialect;
    struct fst_frame_parts parts = fst_dialect_rules_of(*dialect)->read(label, split);
    if (p->options.by == FST_BY_FILE || p->options.by == FST_BY_LINE) {
        struct fst_frame_parts file = {.kind = FST_FRAME_SPLIT, .function = label, .file = label};
        const char *colon = memrchr(label.data, ':', label.len);
        if (p->options.by == FST_BY_LINE && colon != NULL) {
            file.file.len = (size_t)(colon - label.data);
            file.line = fst_str_skip(label, file.file.len + 1);
        }
        parts = fst_frame_names_file(&file) ? file : parts;
    }
    return parts;
}

/* The package of a module: "torch" of "torch.nn.modules", "org.apache" of "org.apache.spark.sql", but
 * the whole of what is a file or a path. Few colours tell more than many. */
static struct fst_str package_of(struct fst_str module)
{
    static const char *const domains[] = {"com", "org", "net", "io", "edu", "dev", "gov"};
    size_t from = 0;
    bool is_path = memchr(module.data, '/', module.len) != NULL ||
                   fst_str_find(module, FST_STR(".so")) != NULL ||
                   fst_str_find(module, FST_STR(".dll")) != NULL;
    const char *dot = is_path ? NULL : memchr(module.data, '.', module.len);
    for (size_t i = 0; i < FST_COUNT_OF(domains) && dot != NULL && from == 0; i++) {
        if (fst_str_eq(fst_str_of(module.data, (size_t)(dot - module.data)),
                       fst_str_cstr(domains[i]))) {
            from = (size_t)(dot - module.data) + 1;
        }
    }
    if (from > 0) {
        dot = memchr(module.data + from, '.', module.len - from);
    }
    bool named = dot != NULL && dot > module.data + from && dot + 1 < module.data + module.len &&
                 !fst_is_digit(dot[1]);
    return named ? fst_str_of(module.data, (size_t)(dot - module.data)) : module;
}

static bool has_module(const struct fst_frame_parts *parts)
{
    return parts->kind == FST_FRAME_PLAIN || parts->kind == FST_FRAME_SPLIT;
}

/* The number of a frame's module, plus 1; FST_ID_NONE where it is of none. False without memory. */
static bool find_module(struct modules *modules, const struct fst_flame_frame *frame, uint32_t *out)
{
    const struct fst_profile *p = modules->profile;
    enum fst_dialect dialect;
    struct fst_frame_parts parts = read_label(p, frame->row, frame->name, &dialect);
    struct fst_buf built = {0};
    struct fst_str module = FST_NO_MODULE;
    if (has_module(&parts)) {
        module = p->options.by == FST_BY_MODULE
                     ? frame->name
                     : fst_module_of(frame->name, &parts, dialect, &built);
    }
    bool good = !built.failed;
    *out = FST_ID_NONE;
    if (good && !fst_str_eq(module, FST_NO_MODULE)) {
        uint32_t id = fst_symtab_intern(modules->names, package_of(module));
        good = id != FST_ID_NONE;
        *out = id + 1;
    }
    fst_buf_release(&built);
    return good;
}

static bool find_modules(struct modules *modules, const struct fst_flame *flame)
{
    for (size_t i = 1; i < flame->count; i++) {
        uint32_t *known = &modules->of_row[flame->frames[i].row];
        if (*known == 0 && !find_module(modules, &flame->frames[i], known)) {
            return false;
        }
    }
    return true;
}

/* How much of the picture a module covers. */
struct cover {
    struct fst_str name;
    double area;
    uint32_t module; /* number in names, plus 1 */
};

static int by_area(const void *left, const void *right)
{
    const struct cover *a = left;
    const struct cover *b = right;
    if (a->area != b->area) {
        return a->area < b->area ? 1 : -1;
    }
    return fst_str_cmp(a->name, b->name);
}

static void measure(struct cover *covers, const struct modules *modules,
                    const struct fst_flame *flame)
{
    for (size_t i = 0; i < modules->names->count; i++) {
        covers[i].name = fst_symtab_name(modules->names, (uint32_t)i);
        covers[i].module = (uint32_t)i + 1;
    }
    for (size_t i = 1; i < flame->count; i++) {
        uint32_t module = modules->of_row[flame->frames[i].row];
        if (module != FST_ID_NONE) {
            covers[module - 1].area += flame->frames[i].width;
        }
    }
}

static void paint(struct fst_flame *flame, const struct modules *modules,
                  const struct cover *covers)
{
    size_t count = modules->names->count;
    flame->nmodules = count < FST_FLAME_COLOURS ? count : FST_FLAME_COLOURS;
    for (size_t i = 0; i < flame->nmodules; i++) {
        flame->modules[i] = covers[i].name;
    }
    for (size_t i = 1; i < flame->count; i++) {
        uint32_t module = modules->of_row[flame->frames[i].row];
        for (size_t k = 0; k < flame->nmodules; k++) {
            if (covers[k].module == module) {
                flame->frames[i].colour = (unsigned)k;
            }
        }
    }
}

static bool colour(struct fst_flame *flame, struct modules *modules)
{
    if (!find_modules(modules, flame)) {
        return false;
    }
    struct cover *covers = fst_alloc_zeroed(modules->names->count + 1, sizeof *covers);
    if (covers == NULL) {
        return false;
    }
    measure(covers, modules, flame);
    qsort(covers, modules->names->count, sizeof *covers, by_area);
    paint(flame, modules, covers);
    fst_free(covers);
    return true;
}

enum fst_status fst_flame_colour(struct fst_flame *flame, const struct fst_profile *profile,
                                 struct fst_symtab *names, struct fst_error *err)
{
    struct modules modules = {.profile = profile, .names = names};
    modules.of_row = fst_alloc_zeroed(profile->nrows + 1, sizeof *modules.of_row);
    bool good = modules.of_row != NULL && colour(flame, &modules);
    fst_free(modules.of_row);
    return good ? FST_OK : fst_error_nomem(err);
}
