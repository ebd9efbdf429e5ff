#include "render/peek_parts.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/number.h"
#include "base/width.h"
#include "render/grid.h"

/* --- cells ------------------------------------------------------------------------------------- */

static void cell_total(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, ((const struct fst_peek_row *)row)->total);
}

static void cell_total_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, ((const struct fst_peek_row *)row)->total_share);
}

static void cell_self(struct fst_buf *out, const void *row)
{
    fst_cell_count(out, ((const struct fst_peek_row *)row)->self);
}

static void cell_self_share(struct fst_buf *out, const void *row)
{
    fst_cell_share(out, ((const struct fst_peek_row *)row)->self_share);
}

static struct fst_str name_of(const void *row)
{
    return ((const struct fst_peek_row *)row)->name;
}

/* The names of a stack's last frames, as many as fit, behind the number of the others. */
static void add_last_frames(struct fst_buf *out, const struct fst_peek_stack *stack, size_t cells,
                            bool ascii)
{
    enum { MORE = sizeof "100000 more;" - 1 };
    struct fst_buf name = {0};
    size_t first = stack->nframes;
    for (size_t used = MORE; first > 0; first--) {
        fst_buf_clear(&name);
        fst_grid_name(&name, stack->frames[first - 1], 0, false);
        used += fst_width(fst_buf_str(&name)) + 1;
        if (used > cells + 1) {
            break;
        }
    }
    first -= first == stack->nframes; /* the leaf is always there */
    fst_buf_clear(&name);
    if (first > 0) {
        fst_buf_add_fmt(&name, "%zu more;", first);
    }
    size_t taken = name.len;
    fst_buf_add_str(out, fst_buf_str(&name));
    bool cut = first + 1 == stack->nframes;
    for (size_t i = first; i < stack->nframes; i++) {
        fst_buf_add_cstr(out, i == first ? "" : ";");
        fst_grid_name(out, stack->frames[i],
                      !cut                ? 0
                      : cells > taken + 1 ? cells - taken
                                          : 1,
                      ascii);
    }
    out->failed = out->failed || name.failed;
    fst_buf_release(&name);
}

static void add_name(struct fst_buf *out, const struct fst_grid *grid, const void *row,
                     size_t cells, bool ascii)
{
    (void)grid;
    const struct fst_peek_row *own = row;
    struct fst_buf whole = {0};
    fst_grid_name(&whole, own->name, 0, false);
    if (own->stack == NULL) {
        fst_grid_name(out, own->name, cells, ascii);
    } else if (cells == 0 || fst_width(fst_buf_str(&whole)) <= cells) {
        fst_buf_add_str(out, fst_buf_str(&whole));
    } else {
        add_last_frames(out, own->stack, cells, ascii);
    }
    out->failed = out->failed || whole.failed;
    fst_buf_release(&whole);
}

static const struct fst_column total = {"TOTAL", 7, 2, false, cell_total};
static const struct fst_column total_share = {"SHARE", 6, 0, false, cell_total_share};
static const struct fst_column self = {"SELF", 7, 1, false, cell_self};
static const struct fst_column self_share = {"SELF%", 6, 3, false, cell_self_share};

/* --- rows -------------------------------------------------------------------------------------- */

static void add_row(struct fst_peek_section *section, struct fst_str name, struct fst_count count,
                    double share)
{
    struct fst_peek_row *row = &section->rows[section->grid.count++];
    row->name = name;
    row->total = count;
    row->total_share = share;
}

/* Links, and behind them the stacks that have none there. */
static void add_links(struct fst_peek_section *section, const struct fst_peek_links *links,
                      const char *none, struct fst_count without, double without_share)
{
    for (size_t i = 0; i < links->count; i++) {
        add_row(section, links->rows[i].name, links->rows[i].total, links->rows[i].share);
    }
    section->shown = links->count;
    section->of = links->of;
    if (fst_count_unpack(without) != 0) {
        add_row(section, fst_str_cstr(none), without, without_share);
    }
}

static void add_lines(struct fst_peek_section *section, const struct fst_peek_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct fst_peek_line *line = &lines->rows[i];
        section->rows[section->grid.count++] = (struct fst_peek_row){
            line->name, line->self, line->total, line->self_share, line->total_share, NULL};
    }
    section->shown = lines->count;
    section->of = lines->of;
}

/* A stack as it is written: its frames with semicolons between them. */
static struct fst_str join(struct fst_peek_section *section, const struct fst_peek_stack *stack)
{
    size_t len = stack->nframes - 1;
    for (size_t i = 0; i < stack->nframes; i++) {
        len += stack->frames[i].len;
    }
    char *text = fst_arena_alloc(&section->names, len);
    char *at = text;
    for (size_t i = 0; text != NULL && i < stack->nframes; i++) {
        memcpy(at, stack->frames[i].data, stack->frames[i].len);
        at += stack->frames[i].len;
        *at = ';';
        at += i + 1 < stack->nframes;
    }
    return fst_str_of(text, text == NULL ? 0 : len);
}

static bool add_stacks(struct fst_peek_section *section, const struct fst_peek_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++) {
        struct fst_str name = join(section, &stacks->rows[i]);
        if (name.data == NULL) {
            return false;
        }
        section->rows[section->grid.count].stack = &stacks->rows[i];
        add_row(section, name, stacks->rows[i].count, stacks->rows[i].share);
    }
    section->shown = stacks->count;
    section->of = stacks->of;
    return true;
}

/* --- sections ---------------------------------------------------------------------------------- */

static bool fill(struct fst_peek_section *section, const struct fst_peek_match *match, int i)
{
    switch (i) {
    case 0:
        add_links(section, &match->callers, "(nothing: stacks begin with it)", match->begins,
                  match->begins_share);
        return true;
    case 1:
        add_links(section, &match->callees, "(nothing: stacks end with it)", match->self,
                  match->ends_share);
        return true;
    case 2: add_lines(section, &match->lines); return true;
    default: return add_stacks(section, &match->stacks);
    }
}

bool fst_peek_section_init(struct fst_peek_section *section, const struct fst_peek *peek,
                           const struct fst_peek_match *match, int i)
{
    static const struct fst_peek_section kinds[FST_PEEK_SECTIONS] = {
        {.title = "CALLED BY", .heading = "Called by", .one = "caller", .many = "callers"},
        {.title = "CALLS", .heading = "Calls", .one = "callee", .many = "callees"},
        {.title = "LINES", .heading = "Lines", .one = "line", .many = "lines"},
        {.title = "HEAVIEST STACKS",
         .heading = "Heaviest stacks",
         .one = "stack",
         .many = "stacks"},
    };
    *section = kinds[i];
    const size_t counts[] = {match->callers.count + 1, match->callees.count + 1, match->lines.count,
                             match->stacks.count};
    section->rows = fst_alloc_zeroed(counts[i] + 1, sizeof *section->rows);
    section->grid.rows = section->rows;
    section->grid.stride = sizeof *section->rows;
    section->grid.name = name_of;
    section->grid.add_name = add_name;
    fst_columns_add(&section->grid.columns, &total);
    fst_columns_add(&section->grid.columns, &total_share);
    if (i == 2) {
        fst_columns_add(&section->grid.columns, &self);
        fst_columns_add(&section->grid.columns, &self_share);
    }
    const char *names[] = {fst_columns_heading(peek->by), fst_columns_heading(peek->by), "LINE",
                           "STACK"};
    fst_columns_name(&section->grid.columns, names[i]);
    return section->rows != NULL && fill(section, match, i);
}

void fst_peek_section_release(struct fst_peek_section *section)
{
    fst_free(section->rows);
    fst_arena_release(&section->names);
}

/* --- sentences --------------------------------------------------------------------------------- */

void fst_peek_prose_rows(struct fst_buf *out, const struct fst_peek_section *section)
{
    if (section->shown < section->of) {
        fst_number_grouped_u64(out, section->shown);
        fst_buf_add_cstr(out, " of ");
        fst_prose_counted(out, section->of, section->one, section->many);
        fst_buf_add_char(out, '.');
    }
}

void fst_peek_prose_header(struct fst_buf *out, const struct fst_peek_view *view, fst_name_fn name)
{
    static const char *const many[] = {"frames", "functions", "lines", "files"};
    const struct fst_peek *peek = view->peek;
    fst_prose_scope(out, &view->page, &peek->scope, name);
    fst_buf_add_cstr(out, " · ");
    fst_prose_counted(out, peek->of, fst_by_name(peek->by),
                      peek->by <= FST_BY_FILE ? many[peek->by] : "modules");
    fst_buf_add_cstr(out, peek->of == 1 ? " matches " : " match ");
    name(out, peek->pattern);
}

void fst_peek_prose_match(struct fst_buf *out, const struct fst_peek *peek,
                          const struct fst_peek_match *match)
{
    fst_number_grouped(out, fst_count_unpack(match->total));
    fst_buf_add_cstr(out, " (");
    fst_prose_share(out, match->total_share);
    fst_buf_add_cstr(out, ") of ");
    fst_prose_count(out, &peek->scope, peek->scope.whole);
    fst_buf_add_cstr(out, " go through it, ");
    fst_number_grouped(out, fst_count_unpack(match->self));
    fst_buf_add_cstr(out, " (");
    fst_prose_share(out, match->self_share);
    fst_buf_add_cstr(out, ") end there.");
}

void fst_peek_prose_matches(struct fst_buf *out, const struct fst_peek *peek)
{
    if (peek->count < peek->of) {
        fst_number_grouped_u64(out, peek->count);
        fst_buf_add_cstr(out, " of ");
        fst_prose_counted(out, peek->of, "match", "matches");
        fst_buf_add_cstr(out, ", those with the largest totals.");
    }
}
