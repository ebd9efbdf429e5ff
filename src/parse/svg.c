/* A frame is a group with a title and a rectangle:
 *
 *     <g><title>f (a.py:3) (12 samples, 3.45%)</title><rect x=… y=… width=… fg:x="0" fg:w="12"/>
 *
 * svg_frame reads what title and rectangle say, svg_tree finds from where the frames lie who called whom.
 *
 * The text is collected into blocks of one size before expat sees it, so that a cut of the input
 * cannot make a difference. expat reads a tag or comment again from its start when more of it
 * comes; one that never seems to end is refused, for the time that would take.
 */
#include "parse/svg.h"

#include <stdlib.h>

#include <expat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "parse/svg_frame.h"
#include "parse/svg_tree.h"

enum {
    BLOCK_SIZE = 64 * 1024,
    MOST_LEVELS = 10 * 1000,
    MOST_FRAMES = 20 * 1000 * 1000,
    LONGEST_TOKEN = 16 * 1024 * 1024
};

struct fst_svg {
    struct fst_parser_sink sink;
    enum fst_dialect asked;
    struct fst_input *stats;
    struct fst_buf dialect; /* that the picture names; empty: none */
    bool leaf_first;        /* stacks are turned */
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
    bool any;            /* there was a frame, if only one without any width */
    struct fst_buf unit; /* what the first title with a count says that it counts */
    int over;            /* what counts are to be divided by */
    int decimals;        /* they are of 10^-decimals each */
    struct fst_svg_tree tree;
    const struct fst_dialect_rules *rules; /* once told */
    struct fst_str *stack;                 /* the one at hand, as the dialect wants it */
    size_t stack_capacity;
    struct fst_buf reshaped; /* text that it made for it */
};

/* --- errors ---------------------------------------------------------------------------------- */

/* Stops the reading from within a handler of expat. */
static void stop(struct fst_svg *svg, enum fst_status status)
{
    svg->wrong = fst_error_at_line(status, XML_GetCurrentLineNumber(svg->xml), &svg->why);
    (void)XML_StopParser(svg->xml, XML_FALSE);
}

static void refuse(struct fst_svg *svg, const char *message)
{
    stop(svg, fst_error_set(&svg->why, FST_ERR_FORMAT, "%s", message));
}

/* --- frames from elements -------------------------------------------------------------------- */

/* A rectangle in a group with a title: a frame, if the title has a count or it has one itself. */
static void take_rectangle(struct fst_svg *svg, const struct fst_svg_rectangle *r)
{
    bool in_samples = r->first_sample != NULL && r->samples != NULL;
    struct fst_svg_frame frame = {
        .name = fst_buf_str(&svg->title),
        .line = XML_GetCurrentLineNumber(svg->xml),
        .order = (uint32_t)svg->tree.nframes,
    };
    struct fst_svg_title title;
    bool counted = fst_svg_title_cut(&frame.name, &title);
    if (!counted && !in_samples) {
        return;
    }
    frame.own = title.count;
    if (svg->any && svg->tree.in_samples != in_samples) {
        refuse(svg, "a damaged flame graph: some frames have fg:x and fg:w and some do not");
    } else if (!fst_svg_extent_read(r, in_samples, &frame)) {
        stop(svg, fst_svg_frame_error(&frame, "a damaged flame graph: the place of ",
                                      " is no number, or out of range", &svg->why));
    } else if (frame.own > (uint64_t)FST_SVG_MOST) {
        stop(svg, fst_svg_frame_error(&frame, "the count of ", " is out of range", &svg->why));
    } else if (svg->tree.nframes == MOST_FRAMES) {
        refuse(svg, "a flame graph of more than 20 million frames; read the collapsed stacks "
                    "that it was made from");
    } else if (frame.left < frame.right && !fst_svg_tree_add(&svg->tree, &frame)) {
        stop(svg, fst_error_nomem(&svg->why));
    }
    if (svg->unit.len == 0 && !fst_buf_add_str(&svg->unit, title.unit)) {
        stop(svg, fst_error_nomem(&svg->why));
    }
    svg->any = true;
    svg->stats->differential = svg->stats->differential || (counted && title.change);
    svg->tree.in_samples = in_samples;
}

static void take_decimals(struct fst_svg *svg, const char *value)
{
    enum { LEAST = -12, MOST = 12 };
    char *end;
    long decimals = strtol(value, &end, 10);
    if (*end != '\0' || decimals < LEAST || decimals > MOST) {
        refuse(svg, "a damaged flame graph: data-decimals is no number from -12 to 12");
    } else {
        svg->decimals = (int)decimals;
    }
}

/* Takes what foldstat says of its own pictures, on elements that frames are in. */
static void take_own(struct fst_svg *svg, const char **attributes)
{
    for (; attributes[0] != NULL && svg->wrong == FST_OK; attributes += 2) {
        const char *value = attributes[1];
        if (strcmp(attributes[0], "data-decimals") == 0) {
            take_decimals(svg, value);
        } else if (strcmp(attributes[0], "data-left-out") == 0) {
            svg->stats->complete = strcmp(value, "0") == 0;
        } else if (strcmp(attributes[0], "data-reverse") == 0) {
            svg->stats->reversed = true;
            svg->leaf_first = true;
        } else if (strcmp(attributes[0], "data-dialect") == 0) {
            fst_buf_clear(&svg->dialect);
            if (!fst_buf_add_cstr(&svg->dialect, value)) {
                stop(svg, fst_error_nomem(&svg->why));
            }
        }
    }
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
    if (strcmp(name, "svg") == 0) {
        take_own(svg, attributes);
    }
    svg->is_group[svg->level] = strcmp(name, "g") == 0 || strcmp(name, "a") == 0;
    if (svg->title_level != 0) {
        return;
    }
    if (strcmp(name, "title") == 0 && svg->is_group[svg->level - 1]) {
        svg->title_level = svg->level;
        fst_buf_clear(&svg->title);
    } else if (strcmp(name, "rect") == 0 && svg->titled_level != 0) {
        struct fst_svg_rectangle r = fst_svg_rectangle_of(attributes);
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
    svg->leaf_first = options->leaf_first;
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
    fst_buf_release(&svg->unit);
    fst_buf_release(&svg->dialect);
    fst_svg_tree_release(&svg->tree);
    fst_free(svg->stack);
    fst_buf_release(&svg->reshaped);
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
        return fst_error_at_line(
            fst_error_set(&svg->why, FST_ERR_FORMAT,
                          "the SVG is cut: it ends before its elements are closed"),
            line, &svg->why);
    default:
        return fst_error_at_line(
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
        return fst_error_at_line(fst_error_set(&svg->why, FST_ERR_FORMAT,
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

/* --- the stacks ------------------------------------------------------------------------------ */

static size_t bytes_of(const struct fst_sample *sample)
{
    size_t bytes = 0;
    for (size_t i = 0; i < sample->nframes; i++) {
        bytes += sample->frames[i].len + 1;
    }
    return bytes;
}

/* Tells the unit of the counts by the word that the titles have for it; where there is none of ours
 * the word is kept. */
static void tell_unit(struct fst_svg *svg, struct fst_grammar *grammar)
{
    struct fst_str word = svg->unit.len == 0 ? FST_STR("samples") : fst_buf_str(&svg->unit);
    grammar->unit_guessed = grammar->unit_guessed && fst_str_starts(word, FST_STR("sample"));
    if (!fst_svg_unit_find(word, grammar->unit, &grammar->unit, &svg->over)) {
        size_t most = sizeof svg->stats->counted - 1;
        size_t len = word.len < most ? word.len : most;
        while (len > 0 && len < word.len && ((unsigned char)word.data[len] & 0xc0) == 0x80) {
            len--; /* not within a character */
        }
        memcpy(svg->stats->counted, word.data, len);
        svg->stats->counted[len] = '\0';
        grammar->unit = FST_UNIT_COUNTS;
    }
}

/* Goes on to a frame; its stack is the one that the dialect may rewrite, root first. */
static enum fst_status enter(struct fst_svg *svg, size_t index, struct fst_sample *sample,
                             struct fst_error *err)
{
    enum fst_status status = fst_svg_tree_enter(&svg->tree, &svg->tree.frames[index], sample, err);
    if (status != FST_OK || sample->count == 0) {
        return status;
    }
    /* The tree needs its own as it is. */
    void *frames = svg->stack;
    if (fst_grow(&frames, &svg->stack_capacity, sample->nframes, sizeof *svg->stack) != 0) {
        return fst_error_nomem(err);
    }
    svg->stack = frames;
    for (size_t i = 0; i < sample->nframes; i++) {
        svg->stack[i] = sample->frames[svg->leaf_first ? sample->nframes - 1 - i : i];
    }
    sample->frames = svg->stack;
    return FST_OK;
}

/* Tells the dialect from as many stacks as the reader of collapsed text looks at. */
static enum fst_status tell(struct fst_svg *svg, struct fst_error *err)
{
    struct fst_sniff sniff = {0};
    size_t bytes = 0;
    for (size_t i = 0;
         i < svg->tree.nframes && sniff.stacks < FST_SNIFF_LINES && bytes < FST_SNIFF_BYTES; i++) {
        struct fst_sample sample;
        enum fst_status status = enter(svg, i, &sample, err);
        if (status != FST_OK) {
            return status;
        }
        if (sample.count > 0) {
            fst_sniff_take_stack(&sniff, sample.frames, sample.nframes);
            bytes += bytes_of(&sample);
        }
    }
    struct fst_str told = svg->dialect.len == 0 ? FST_STR("") : fst_buf_str(&svg->dialect);
    struct fst_grammar grammar = fst_dialect_tell_known(&sniff, svg->asked, told);
    tell_unit(svg, &grammar);
    svg->rules = grammar.rules;
    svg->stats->dialect = grammar.dialect;
    svg->stats->unit = grammar.unit;
    svg->stats->split_files = grammar.split_files;
    svg->stats->looks_leaf_first = grammar.looks_leaf_first && !svg->leaf_first;
    return svg->sink.grammar(svg->sink.ctx, &grammar, err);
}

static enum fst_status hand_on_stack(struct fst_svg *svg, struct fst_sample *sample,
                                     struct fst_error *err)
{
    if (svg->rules->reshape != NULL) {
        fst_buf_clear(&svg->reshaped);
        sample->nframes = svg->rules->reshape(svg->stack, sample->nframes, &svg->reshaped);
        if (svg->reshaped.failed) {
            return fst_error_nomem(err);
        }
    }
    sample->lead = svg->rules->lead(sample->frames, sample->nframes);
    svg->stats->stack_lines++;
    return svg->sink.sample(svg->sink.ctx, sample, err);
}

/* Brings a count to whole units; false where it is out of range. */
static bool scale_count(const struct fst_svg *svg, fst_i128 *count)
{
    *count /= svg->over;
    for (int i = 0; i < svg->decimals; i++) {
        *count /= 10;
    }
    for (int i = 0; i > svg->decimals; i--) {
        if (FST_MUL_OVERFLOWS(*count, 10, count)) {
            return false;
        }
    }
    return true;
}

static enum fst_status hand_on(struct fst_svg *svg, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    for (size_t i = 0; i < svg->tree.nframes && status == FST_OK; i++) {
        struct fst_sample sample;
        status = enter(svg, i, &sample, err);
        if (status == FST_OK && !scale_count(svg, &sample.count)) {
            status =
                fst_svg_frame_error(&svg->tree.frames[i], "the count of ", " is out of range", err);
        }
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
        status = fst_svg_tree_build(&svg->tree, err);
    }
    if (status == FST_OK) {
        status = tell(svg, err);
    }
    return status == FST_OK ? hand_on(svg, err) : status;
}
