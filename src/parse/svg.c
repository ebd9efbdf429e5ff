/* A frame is a group with a title and a rectangle:
 *
 *     <g><title>f (a.py:3) (12 samples, 3.45%)</title><rect x=… y=… width=… fg:x="0" fg:w="12"/>
 *
 * Who called whom is in the geometry alone. The root "all" is at the bottom or at the top, which
 * tells which way is up. Sorted by left edges, and upwards where these are equal, the frames come
 * in the order of a walk through the tree, callers first:
 *
 *              | g 2 |                          all
 *     |  f 6         | h 3 |                    all  main
 *     |       main 10           | w 2 |         all  main  f
 *     |          all 13                  |      all  main  f  g
 *                                               all  main  h        <-- g and f end before h does
 *                                               all  w                  and leave the stack
 *
 * so that one pass with a stack of the frames that are open finds every caller: the uppermost one
 * below that spans the frame's middle. (The middle, because edges are rounded.) It need not be in
 * the next row: pictures exist in which a frame is missing between two others. A frame that is so
 * narrow that its width is rounded to nothing cannot be placed, and counts as not drawn.
 *
 * The text is collected into blocks of one size before expat sees it, so that a cut of the input
 * cannot make a difference. expat reads a tag or comment again from its start when more of it
 * comes; one that never seems to end is refused, for the time that would take.
 */
#include "parse/svg.h"

#include <stdlib.h>

#include <expat.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"

enum {
    BLOCK_SIZE = 64 * 1024,
    MOST_LEVELS = 10 * 1000,
    MOST_FRAMES = 20 * 1000 * 1000,
    LONGEST_TOKEN = 16 * 1024 * 1024
};

/* The largest place or count: sums of four fit. */
#define MOST_PLACE ((int64_t)1 << 60)

/* Places that are not in samples are kept in millionths of a pixel (or of a percent). */
#define PLACE_DECIMALS 1000000

/* How far rounding can bring the middle of a frame beyond the edge of its caller, in the same unit:
 * both edges and the width may be rounded to tenths. */
#define PLACE_TOLERANCE ((int64_t)150000)

/* Frames in all stacks together; far above any profile, far below what a crafted picture can ask
 * for (its stacks grow with the square of its size). */
#define MOST_STACKED ((uint64_t)1 << 32)

struct frame {
    struct fst_str name; /* in the arena */
    int64_t left;        /* in samples, or in millionths of the unit of x */
    int64_t right;
    int64_t y;       /* in millionths; turned so that it grows from the root, once that is known */
    uint64_t own;    /* samples in it and in what it called */
    uint64_t inner;  /* samples in what it called */
    uint64_t line;   /* where it stands in the file */
    uint32_t order;  /* its number in the file */
    uint32_t ncalls; /* how many frames it called */
    uint32_t level;  /* how many callers it has */
};

/* The frames of a picture: in the order of the file, then of a walk through their tree. */
struct tree {
    struct frame *frames;
    size_t nframes;
    size_t capacity;
    struct fst_arena names;
    bool in_samples;     /* places are in samples, and exact */
    bool synthetic_root; /* the only root is the picture's "all" */
    int64_t root_y;
    uint64_t stacked; /* frames in all stacks that are handed on, the root counted */
    size_t *open;     /* the frames that the walk is in */
    size_t open_capacity;
    struct fst_str *stack; /* the names of the frame at hand and its callers */
    size_t stack_capacity;
};

struct fst_svg {
    struct fst_parser_sink sink;
    enum fst_dialect asked;
    struct fst_input *stats;
    XML_Parser xml;
    char *block; /* expat's buffer, being filled; NULL: none */
    size_t filled;
    size_t silent;         /* bytes that expat was given since it last reported something */
    enum fst_status wrong; /* what stopped the reading, with why */
    struct fst_error why;
    size_t level;                   /* elements that are open */
    bool is_group[MOST_LEVELS + 1]; /* the open element of a level is <g> or <a> */
    size_t title_level;             /* of the title that is open; 0: none */
    size_t titled_level; /* of the group that has a title and no rectangle yet; 0: none */
    struct fst_buf title;
    bool any;      /* there was a frame, if only one without any width */
    bool in_bytes; /* the last title counts bytes */
    struct tree tree;
    const struct fst_dialect_rules *rules; /* once told */
    struct fst_str *reshaped;              /* the stack at hand as the dialect wants it */
    size_t reshaped_capacity;
    struct fst_buf reshaped_text;
};

static void tree_release(struct tree *tree)
{
    fst_arena_release(&tree->names);
    fst_free(tree->frames);
    fst_free(tree->open);
    fst_free(tree->stack);
}

/* --- errors ---------------------------------------------------------------------------------- */

static enum fst_status at_line(enum fst_status status, uint64_t line, struct fst_error *err)
{
    if (err != NULL) {
        err->line = line;
    }
    return status;
}

/* Stops the reading from within a handler of expat. */
static void stop(struct fst_svg *svg, enum fst_status status)
{
    svg->wrong = at_line(status, XML_GetCurrentLineNumber(svg->xml), &svg->why);
    (void)XML_StopParser(svg->xml, XML_FALSE);
}

static void refuse(struct fst_svg *svg, const char *message)
{
    stop(svg, fst_error_set(&svg->why, FST_ERR_FORMAT, "%s", message));
}

/* An error about one frame, with its name between the two halves of the sentence. */
static enum fst_status frame_error(const struct frame *frame, const char *before,
                                   const char *behind, struct fst_error *err)
{
    enum { SHOWN = 100 };
    struct fst_buf name = {0};
    fst_escape_text(
        &name, fst_str_of(frame->name.data, frame->name.len < SHOWN ? frame->name.len : SHOWN));
    enum fst_status status =
        fst_error_set(err, FST_ERR_FORMAT, "%s\"%.*s%s\"%s", before, (int)name.len,
                      name.len == 0 ? "" : name.data, frame->name.len > SHOWN ? "…" : "", behind);
    fst_buf_release(&name);
    return at_line(status, frame->line, err);
}

/* --- titles and numbers ---------------------------------------------------------------------- */

static bool cut_end(struct fst_str *text, struct fst_str end)
{
    if (!fst_str_ends(*text, end)) {
        return false;
    }
    text->len -= end.len;
    return true;
}

/* Cuts "12.34%", "+1.2%" or "100%" off the end. */
static bool cut_percentage(struct fst_str *text)
{
    if (!cut_end(text, FST_STR("%"))) {
        return false;
    }
    size_t len = text->len;
    while (text->len > 0 &&
           (fst_is_digit(text->data[text->len - 1]) || text->data[text->len - 1] == '.')) {
        text->len--;
    }
    bool found = text->len < len;
    if (text->len > 0 && (text->data[text->len - 1] == '+' || text->data[text->len - 1] == '-')) {
        text->len--;
    }
    return found;
}

/* Cuts "1,234" off the start of text if a blank follows; false if it begins otherwise. Too large a
 * number is one beyond MOST_PLACE. */
static bool cut_grouped(struct fst_str *text, uint64_t *out)
{
    uint64_t value = 0;
    size_t at = 0;
    for (; at < text->len; at++) {
        char c = text->data[at];
        if (!fst_is_digit(c) && (at == 0 || c != ',')) {
            break;
        }
        if (c != ',' && value <= (uint64_t)MOST_PLACE) {
            value = value * 10 + (uint64_t)(c - '0');
        }
    }
    if (at == 0 || at == text->len || text->data[at] != ' ') {
        return false;
    }
    *text = fst_str_skip(*text, at);
    *out = value;
    return true;
}

/* Cuts " (1,234 samples, 12.34%)" or " (1,234 samples, 12.34%; +1.23%)" off the end of a title;
 * false, and the title as it was, if it ends otherwise. *unit gets what is counted, with a blank
 * before it. Read from the right, as a name may hold brackets and commas. */
static bool cut_count(struct fst_str *title, uint64_t *count, struct fst_str *unit)
{
    struct fst_str rest = *title;
    if (!cut_end(&rest, FST_STR(")")) || !cut_percentage(&rest) ||
        (cut_end(&rest, FST_STR("; ")) && !cut_percentage(&rest)) ||
        !cut_end(&rest, FST_STR(", "))) {
        return false;
    }
    for (size_t at = rest.len; at-- > 1;) {
        *unit = fst_str_skip(rest, at + 1);
        if (rest.data[at] == '(' && rest.data[at - 1] == ' ' && cut_grouped(unit, count)) {
            title->len = at - 1;
            return true;
        }
    }
    return false;
}

/* A decimal number as a multiple of 1 / decimals, which divides 10^12, cut where it has more. */
static bool read_place(const char *text, int64_t decimals, int64_t *out)
{
    fst_i128 scaled;
    struct fst_str number = fst_str_cstr(text);
    (void)cut_end(&number, FST_STR("%"));
    enum fst_count_parse form = fst_count_parse(number, &scaled);
    if (form != FST_COUNT_OK && form != FST_COUNT_ROUNDED) {
        return false;
    }
    fst_i128 place = scaled / (FST_COUNT_ONE / decimals);
    if (place > MOST_PLACE || place < -MOST_PLACE) {
        return false;
    }
    *out = (int64_t)place;
    return true;
}

/* A number of samples: whole, not negative. */
static bool read_samples(const char *text, int64_t *out)
{
    struct fst_str digits = fst_str_cstr(text);
    for (size_t i = 0; i < digits.len; i++) {
        if (!fst_is_digit(digits.data[i])) {
            return false;
        }
    }
    return read_place(text, 1, out);
}

/* --- frames from elements -------------------------------------------------------------------- */

/* The attributes of a rectangle that count; NULL where it does not have them. */
struct rectangle {
    const char *x;
    const char *y;
    const char *width;
    const char *first_sample;
    const char *samples;
};

static struct rectangle rectangle_of(const char **attributes)
{
    struct rectangle r = {0};
    for (; attributes[0] != NULL; attributes += 2) {
        const char *name = attributes[0];
        if (strcmp(name, "x") == 0) {
            r.x = attributes[1];
        } else if (strcmp(name, "y") == 0) {
            r.y = attributes[1];
        } else if (strcmp(name, "width") == 0) {
            r.width = attributes[1];
        } else if (strcmp(name, "fg:x") == 0) {
            r.first_sample = attributes[1];
        } else if (strcmp(name, "fg:w") == 0) {
            r.samples = attributes[1];
        }
    }
    return r;
}

/* Reads where a frame lies into *frame, and if it is in samples also how many it has. */
static bool read_extent(const struct rectangle *r, bool in_samples, struct frame *frame)
{
    int64_t left;
    int64_t width;
    bool read = r->y != NULL && read_place(r->y, PLACE_DECIMALS, &frame->y);
    if (in_samples) {
        read = read && read_samples(r->first_sample, &left) && read_samples(r->samples, &width);
    } else {
        read = read && r->x != NULL && read_place(r->x, PLACE_DECIMALS, &left) &&
               r->width != NULL && read_place(r->width, PLACE_DECIMALS, &width);
    }
    if (!read || width < 0 || left + width > MOST_PLACE) {
        return false;
    }
    frame->left = left;
    frame->right = left + width;
    frame->own = in_samples ? (uint64_t)width : frame->own;
    return true;
}

static bool keep_frame(struct tree *tree, struct frame *frame)
{
    void *frames = tree->frames;
    if (frame->name.len == 0) {
        frame->name = FST_FRAME_EMPTY;
    }
    frame->name = fst_arena_copy(&tree->names, frame->name);
    if (frame->name.data == NULL ||
        fst_grow(&frames, &tree->capacity, tree->nframes + 1, sizeof *tree->frames) != 0) {
        return false;
    }
    tree->frames = frames;
    tree->frames[tree->nframes++] = *frame;
    return true;
}

/* A rectangle in a group with a title: a frame, if the title has a count or it has one itself. */
static void take_rectangle(struct fst_svg *svg, const struct rectangle *r)
{
    bool in_samples = r->first_sample != NULL && r->samples != NULL;
    struct frame frame = {
        .name = fst_buf_str(&svg->title),
        .line = XML_GetCurrentLineNumber(svg->xml),
        .order = (uint32_t)svg->tree.nframes,
    };
    struct fst_str unit = {"", 0};
    if (!cut_count(&frame.name, &frame.own, &unit) && !in_samples) {
        return;
    }
    if (svg->any && svg->tree.in_samples != in_samples) {
        refuse(svg, "a damaged flame graph: some frames have fg:x and fg:w and some do not");
    } else if (!read_extent(r, in_samples, &frame)) {
        stop(svg, frame_error(&frame, "a damaged flame graph: the place of ",
                              " is no number, or out of range", &svg->why));
    } else if (frame.own > (uint64_t)MOST_PLACE) {
        stop(svg, frame_error(&frame, "the count of ", " is out of range", &svg->why));
    } else if (svg->tree.nframes == MOST_FRAMES) {
        refuse(svg, "a flame graph of more than 20 million frames; read the collapsed stacks "
                    "that it was made from");
    } else if (frame.left < frame.right && !keep_frame(&svg->tree, &frame)) {
        stop(svg, fst_error_nomem(&svg->why));
    }
    svg->any = true;
    svg->in_bytes = fst_str_eq(unit, FST_STR(" bytes"));
    svg->tree.in_samples = in_samples;
}

/* --- expat's handlers ------------------------------------------------------------------------ */

static void on_start(void *ctx, const char *name, const char **attributes)
{
    struct fst_svg *svg = ctx;
    svg->silent = 0;
    if (svg->wrong != FST_OK) {
        return;
    }
    if (++svg->level > MOST_LEVELS) {
        refuse(svg, "an SVG of more than 10,000 levels of elements");
        return;
    }
    if (svg->level == 1 && strcmp(name, "svg") != 0) {
        refuse(svg, "XML, but no SVG of a flame graph");
        return;
    }
    svg->is_group[svg->level] = strcmp(name, "g") == 0 || strcmp(name, "a") == 0;
    if (svg->title_level != 0) {
        return;
    }
    if (strcmp(name, "title") == 0 && svg->is_group[svg->level - 1]) {
        svg->title_level = svg->level;
        fst_buf_clear(&svg->title);
    } else if (strcmp(name, "rect") == 0 && svg->titled_level != 0) {
        struct rectangle r = rectangle_of(attributes);
        svg->titled_level = 0;
        take_rectangle(svg, &r);
    }
}

static void on_end(void *ctx, const char *name)
{
    struct fst_svg *svg = ctx;
    (void)name;
    svg->silent = 0;
    if (svg->wrong != FST_OK) {
        return;
    }
    if (svg->title_level == svg->level) {
        svg->title_level = 0;
        svg->titled_level = svg->level - 1;
    } else if (svg->titled_level == svg->level) {
        svg->titled_level = 0;
    }
    svg->level--;
}

static void on_text(void *ctx, const char *bytes, int len)
{
    struct fst_svg *svg = ctx;
    svg->silent = 0;
    if (svg->wrong == FST_OK && svg->title_level != 0 &&
        !fst_buf_add(&svg->title, bytes, (size_t)len)) {
        stop(svg, fst_error_nomem(&svg->why));
    }
}

/* Comments and whatever else there is between elements. */
static void on_aside(void *ctx, const char *bytes, int len)
{
    struct fst_svg *svg = ctx;
    (void)bytes;
    (void)len;
    svg->silent = 0;
}

static void on_doctype(void *ctx, const char *name, const char *system, const char *public,
                       int has_declarations)
{
    struct fst_svg *svg = ctx;
    (void)name;
    (void)system;
    (void)public;
    if (has_declarations && svg->wrong == FST_OK) {
        refuse(svg, "an SVG whose DOCTYPE declares entities or elements of its own, which no "
                    "flame graph does");
    }
}

static void on_unknown_entity(void *ctx, const char *name, int is_parameter)
{
    struct fst_svg *svg = ctx;
    (void)name;
    (void)is_parameter;
    if (svg->wrong == FST_OK) {
        refuse(svg, "malformed XML: an entity that is not declared");
    }
}

/* --- life and feeding ------------------------------------------------------------------------ */

static bool create_parser(struct fst_svg *svg)
{
    static const XML_Memory_Handling_Suite memory = {fst_alloc, fst_realloc, fst_free};
    svg->xml = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (svg->xml == NULL) {
        return false;
    }
    XML_SetUserData(svg->xml, svg);
    XML_SetElementHandler(svg->xml, on_start, on_end);
    XML_SetCharacterDataHandler(svg->xml, on_text);
    XML_SetDefaultHandlerExpand(svg->xml, on_aside);
    XML_SetStartDoctypeDeclHandler(svg->xml, on_doctype);
    XML_SetSkippedEntityHandler(svg->xml, on_unknown_entity);
    return true;
}

enum fst_status fst_svg_new(struct fst_parser_sink sink, const struct fst_read_options *options,
                            struct fst_input *stats, struct fst_svg **out, struct fst_error *err)
{
    struct fst_svg *svg = fst_alloc_zeroed(1, sizeof *svg);
    if (svg == NULL || !create_parser(svg)) {
        fst_free(svg);
        return fst_error_nomem(err);
    }
    svg->sink = sink;
    svg->asked = options->dialect;
    svg->stats = stats;
    *out = svg;
    return FST_OK;
}

void fst_svg_free(struct fst_svg *svg)
{
    if (svg == NULL) {
        return;
    }
    XML_ParserFree(svg->xml);
    fst_buf_release(&svg->title);
    tree_release(&svg->tree);
    fst_free(svg->reshaped);
    fst_buf_release(&svg->reshaped_text);
    fst_free(svg);
}

static enum fst_status xml_error(struct fst_svg *svg)
{
    uint64_t line = XML_GetCurrentLineNumber(svg->xml);
    enum XML_Error code = XML_GetErrorCode(svg->xml);
    switch (code) {
    case XML_ERROR_ABORTED: return svg->wrong;
    case XML_ERROR_NO_MEMORY: return fst_error_nomem(&svg->why);
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR:
        return at_line(fst_error_set(&svg->why, FST_ERR_FORMAT,
                                     "the SVG is cut: it ends before its elements are closed"),
                       line, &svg->why);
    default:
        return at_line(
            fst_error_set(&svg->why, FST_ERR_FORMAT, "malformed XML: %s", XML_ErrorString(code)),
            line, &svg->why);
    }
}

/* Hands the block to expat. */
static enum fst_status parse_block(struct fst_svg *svg, bool ended)
{
    svg->silent += svg->filled;
    enum XML_Status parsed = XML_ParseBuffer(svg->xml, (int)svg->filled, ended);
    svg->block = NULL;
    if (parsed != XML_STATUS_OK) {
        return xml_error(svg);
    }
    if (svg->silent > LONGEST_TOKEN) {
        return at_line(fst_error_set(&svg->why, FST_ERR_FORMAT,
                                     "an SVG with a tag or comment of more than 16 MiB"),
                       XML_GetCurrentLineNumber(svg->xml), &svg->why);
    }
    return FST_OK;
}

static enum fst_status take_block(struct fst_svg *svg)
{
    svg->filled = 0;
    svg->block = XML_GetBuffer(svg->xml, BLOCK_SIZE);
    return svg->block == NULL ? fst_error_nomem(&svg->why) : FST_OK;
}

/* Fills the block from the start of bytes. */
static void fill_block(struct fst_svg *svg, struct fst_str *bytes)
{
    size_t room = BLOCK_SIZE - svg->filled;
    size_t n = bytes->len < room ? bytes->len : room;
    memcpy(svg->block + svg->filled, bytes->data, n);
    for (size_t i = 0; i < n; i++) {
        svg->stats->lines += bytes->data[i] == '\n';
    }
    svg->stats->bytes += n;
    svg->filled += n;
    *bytes = fst_str_skip(*bytes, n);
}

/* Passes the error on that the handlers or expat left. */
static enum fst_status conclude(struct fst_svg *svg, enum fst_status status, struct fst_error *err)
{
    svg->wrong = status;
    if (status != FST_OK && err != NULL) {
        *err = svg->why;
    }
    return status;
}

enum fst_status fst_svg_feed(struct fst_svg *svg, struct fst_str bytes, struct fst_error *err)
{
    enum fst_status status = svg->wrong;
    while (status == FST_OK && bytes.len > 0) {
        if (svg->block == NULL) {
            status = take_block(svg);
        }
        if (status == FST_OK) {
            fill_block(svg, &bytes);
        }
        if (status == FST_OK && svg->filled == BLOCK_SIZE) {
            status = parse_block(svg, false);
        }
    }
    return conclude(svg, status, err);
}

static enum fst_status end_text(struct fst_svg *svg, struct fst_error *err)
{
    enum fst_status status = svg->wrong;
    if (status == FST_OK && svg->block == NULL) {
        status = take_block(svg);
    }
    if (status == FST_OK) {
        status = parse_block(svg, true);
    }
    return conclude(svg, status, err);
}

/* --- the tree -------------------------------------------------------------------------------- */

/* One end of the picture. */
struct row {
    int64_t y;
    fst_u128 sum;
    size_t nframes;
    size_t nalls; /* frames of the name that the picture's root has */
};

static struct row row_at(const struct tree *tree, int64_t y)
{
    struct row row = {.y = y};
    for (size_t i = 0; i < tree->nframes; i++) {
        const struct frame *frame = &tree->frames[i];
        if (frame->y == y) {
            row.sum += frame->own;
            row.nframes++;
            row.nalls += fst_str_eq(frame->name, FST_STR("all"));
        }
    }
    return row;
}

static bool is_all(const struct row *row)
{
    return row->nframes == 1 && row->nalls == 1;
}

/* Finds the roots, which are at the top or at the bottom, and turns the picture so that y grows from
 * them. The picture's root has a name; should that not decide, the roots are the wider row. */
static void find_roots(struct tree *tree)
{
    int64_t top_y = tree->frames[0].y;
    int64_t bottom_y = top_y;
    for (size_t i = 1; i < tree->nframes; i++) {
        int64_t y = tree->frames[i].y;
        top_y = y < top_y ? y : top_y;
        bottom_y = y > bottom_y ? y : bottom_y;
    }
    struct row top = row_at(tree, top_y);
    struct row bottom = row_at(tree, bottom_y);
    bool icicle = is_all(&top) != is_all(&bottom) ? is_all(&top) : top.sum > bottom.sum;
    tree->synthetic_root = is_all(icicle ? &top : &bottom);
    tree->root_y = icicle ? top_y : -bottom_y;
    for (size_t i = 0; i < tree->nframes && !icicle; i++) {
        tree->frames[i].y = -tree->frames[i].y;
    }
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The order of the walk; that of the file where frames coincide. */
static int by_walk(const void *left, const void *right)
{
    const struct frame *a = left;
    const struct frame *b = right;
    int order = compare(a->left, b->left);
    if (order == 0) {
        order = compare(a->y, b->y);
    }
    return order != 0 ? order : compare(a->order, b->order);
}

static bool has_room(const struct frame *caller, const struct frame *frame)
{
    return caller->own >= caller->inner && caller->own - caller->inner >= frame->own;
}

/* Whether a frame, which does not begin before caller, may stand on it. Twice the distances, so as
 * to stay in whole numbers. */
static bool spans(const struct tree *tree, const struct frame *caller, const struct frame *frame)
{
    int64_t beyond = frame->left + frame->right - 2 * caller->right;
    if (tree->in_samples) {
        return frame->left < caller->right;
    }
    return beyond <= 0 || (beyond <= 2 * PLACE_TOLERANCE && has_room(caller, frame));
}

/* Counts a frame into its caller, the uppermost of those that are open. */
static enum fst_status stand_on(struct tree *tree, struct frame *caller, struct frame *frame,
                                struct fst_error *err)
{
    if (tree->in_samples && frame->right > caller->right) {
        return frame_error(frame, "a damaged flame graph: ", " stands on two frames", err);
    }
    frame->level = caller->level + 1;
    caller->ncalls++;
    if (FST_ADD_OVERFLOWS(caller->inner, frame->own, &caller->inner)) {
        caller->inner = UINT64_MAX;
    }
    return FST_OK;
}

static enum fst_status find_callers(struct tree *tree, struct fst_error *err)
{
    size_t depth = 0;
    for (size_t i = 0; i < tree->nframes; i++) {
        struct frame *frame = &tree->frames[i];
        while (depth > 0 && (tree->frames[tree->open[depth - 1]].y >= frame->y ||
                             !spans(tree, &tree->frames[tree->open[depth - 1]], frame))) {
            depth--;
        }
        if (depth == 0 && frame->y != tree->root_y) {
            return frame_error(frame, "a damaged flame graph: ", " stands on no other frame", err);
        }
        if (depth > 0) {
            enum fst_status status =
                stand_on(tree, &tree->frames[tree->open[depth - 1]], frame, err);
            if (status != FST_OK) {
                return status;
            }
        }
        void *open = tree->open;
        if (fst_grow(&open, &tree->open_capacity, depth + 1, sizeof *tree->open) != 0) {
            return fst_error_nomem(err);
        }
        tree->open = open;
        tree->open[depth++] = i;
    }
    return FST_OK;
}

/* Whether what it called has more samples than a frame itself, by more than a hundredth and by more
 * than the rounding of counts in titles (half a sample each) can make. */
static bool is_gross(const struct tree *tree, const struct frame *frame)
{
    if (frame->inner <= frame->own) {
        return false;
    }
    uint64_t excess = frame->inner - frame->own;
    bool rounded = !tree->in_samples && excess <= (frame->ncalls + (uint64_t)1) / 2;
    return excess > frame->own / 100 && !rounded;
}

static enum fst_status check_frames(struct tree *tree, struct fst_error *err)
{
    for (size_t i = 0; i < tree->nframes; i++) {
        const struct frame *frame = &tree->frames[i];
        if (is_gross(tree, frame)) {
            return frame_error(frame, "a damaged flame graph: what ",
                               " called has more samples than it has itself", err);
        }
        tree->stacked += frame->own > frame->inner ? frame->level + (uint64_t)1 : 0;
    }
    return tree->stacked <= MOST_STACKED
               ? FST_OK
               : fst_error_set(err, FST_ERR_FORMAT,
                               "a flame graph whose stacks hold more than 4 billion frames");
}

static enum fst_status build(struct tree *tree, struct fst_error *err)
{
    if (tree->nframes == 0) {
        return FST_OK;
    }
    find_roots(tree);
    qsort(tree->frames, tree->nframes, sizeof *tree->frames, by_walk);
    enum fst_status status = find_callers(tree, err);
    if (status == FST_OK) {
        status = check_frames(tree, err);
    }
    if (tree->synthetic_root) {
        tree->frames[0].name = FST_FRAME_NONE;
    }
    return status;
}

/* --- the stacks ------------------------------------------------------------------------------ */

/* Goes on to a frame and makes its stack, which is only good if the frames before it were gone
 * through in order. The count is 0 where it has no samples of its own. */
static enum fst_status enter(struct tree *tree, const struct frame *frame, struct fst_sample *out,
                             struct fst_error *err)
{
    void *stack = tree->stack;
    if (fst_grow(&stack, &tree->stack_capacity, frame->level + (size_t)1, sizeof *tree->stack) !=
        0) {
        return fst_error_nomem(err);
    }
    tree->stack = stack;
    tree->stack[frame->level] = frame->name;
    size_t skipped = tree->synthetic_root && frame->level > 0 ? 1 : 0;
    uint64_t samples = frame->own > frame->inner ? frame->own - frame->inner : 0;
    *out = (struct fst_sample){
        .frames = tree->stack + skipped,
        .nframes = frame->level + (size_t)1 - skipped,
        .count = (fst_i128)samples * FST_COUNT_ONE,
        .line = frame->line,
    };
    return FST_OK;
}

static size_t bytes_of(const struct fst_sample *sample)
{
    size_t bytes = 0;
    for (size_t i = 0; i < sample->nframes; i++) {
        bytes += sample->frames[i].len + 1;
    }
    return bytes;
}

/* Tells the dialect from as many stacks as the reader of collapsed text looks at. */
static enum fst_status tell(struct fst_svg *svg, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    size_t bytes = 0;
    for (size_t i = 0;
         i < svg->tree.nframes && sniff.stacks < FST_SNIFF_LINES && bytes < FST_SNIFF_BYTES; i++) {
        struct fst_sample sample;
        enum fst_status status = enter(&svg->tree, &svg->tree.frames[i], &sample, err);
        if (status != FST_OK) {
            return status;
        }
        if (sample.count > 0) {
            fst_sniff_take_stack(&sniff, sample.frames, sample.nframes);
            bytes += bytes_of(&sample);
        }
    }
    struct fst_grammar grammar = fst_dialect_tell_stacks(&sniff, svg->asked);
    if (svg->in_bytes) {
        grammar.unit = FST_UNIT_BYTES;
    }
    svg->rules = grammar.rules;
    svg->stats->dialect = grammar.dialect;
    svg->stats->unit = grammar.unit;
    svg->stats->split_files = grammar.split_files;
    return svg->sink.grammar(svg->sink.ctx, &grammar, err);
}

/* Lets the dialect rewrite a stack, of which the tree needs its own as it is. */
static bool reshape(struct fst_svg *svg, struct fst_sample *sample)
{
    void *frames = svg->reshaped;
    if (fst_grow(&frames, &svg->reshaped_capacity, sample->nframes, sizeof *svg->reshaped) != 0) {
        return false;
    }
    svg->reshaped = frames;
    memcpy(svg->reshaped, sample->frames, sample->nframes * sizeof *svg->reshaped);
    fst_buf_clear(&svg->reshaped_text);
    sample->nframes = svg->rules->reshape(svg->reshaped, sample->nframes, &svg->reshaped_text);
    sample->frames = svg->reshaped;
    return !svg->reshaped_text.failed;
}

static enum fst_status hand_on_stack(struct fst_svg *svg, struct fst_sample *sample,
                                     struct fst_error *err)
{
    if (svg->rules->reshape != NULL && !reshape(svg, sample)) {
        return fst_error_nomem(err);
    }
    sample->lead = svg->rules->lead(sample->frames, sample->nframes);
    svg->stats->stack_lines++;
    return svg->sink.sample(svg->sink.ctx, sample, err);
}

static enum fst_status hand_on(struct fst_svg *svg, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < svg->tree.nframes && status == FST_OK; i++) {
        struct fst_sample sample;
        status = enter(&svg->tree, &svg->tree.frames[i], &sample, err);
        if (status == FST_OK && sample.count > 0) {
            status = hand_on_stack(svg, &sample, err);
        }
    }
    return status;
}

enum fst_status fst_svg_finish(struct fst_svg *svg, struct fst_error *err)
{
    enum fst_status status = end_text(svg, err);
    if (status == FST_OK && !svg->any) {
        return fst_error_set(err, FST_ERR_FORMAT, "an SVG, but no flame graph");
    }
    if (status == FST_OK) {
        status = build(&svg->tree, err);
    }
    if (status == FST_OK) {
        status = tell(svg, err);
    }
    return status == FST_OK ? hand_on(svg, err) : status;
}
