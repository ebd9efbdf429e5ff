#include "parse/lines.h"

#include "base/alloc.h"
#include "parse/logline.h"
#include "parse/record.h"

enum {
    SHORTEST_LINE = 4, /* "f 1\n" */
    LEAST_ROOM = 1024,
    MOST_DIGITS = 14 /* of an ordinary count: a chunk's number of times 10^14 fits 63 bits */
};

void fst_lines_init(struct fst_lines *lines, bool ends_only, bool (*as_is)(struct fst_str stack))
{
    const struct fst_marks_way *ways;
    (void)fst_marks_ways(&ways);
    *lines = (struct fst_lines){
        .find_marks = ends_only ? ways[0].lines : ways[0].all,
        .ends_only = ends_only,
        .as_is = as_is,
    };
}

/* Room for what so much text holds at most: each frame ends at a mark. */
static bool reserve(struct fst_lines *lines, size_t text)
{
    if (text <= lines->room) {
        return true;
    }
    size_t room = LEAST_ROOM;
    while (room < text) {
        room *= 2;
    }
    fst_free(lines->stacks);
    fst_free(lines->frames);
    lines->stacks = fst_alloc((room / SHORTEST_LINE + 1) * sizeof *lines->stacks);
    lines->frames = fst_alloc(room * sizeof *lines->frames);
    bool reserved = lines->stacks != NULL && lines->frames != NULL;
    lines->room = reserved ? room : 0;
    return reserved && fst_marks_reserve(&lines->marks, room);
}

void fst_lines_release(struct fst_lines *lines)
{
    fst_marks_release(&lines->marks);
    fst_free(lines->stacks);
    fst_free(lines->frames);
    *lines = (struct fst_lines){0};
}

void fst_lines_clear(struct fst_lines *lines)
{
    lines->nstacks = 0;
    lines->nframes = 0;
    lines->before = (struct fst_str){"", 0};
}

bool fst_lines_begin(struct fst_lines *lines, struct fst_str chunk, struct fst_lines_cursor *cursor)
{
    *cursor = (struct fst_lines_cursor){.base = chunk.data};
    fst_lines_clear(lines);
    if (!reserve(lines, chunk.len)) {
        return false;
    }
    lines->find_marks(&lines->marks, chunk.data, chunk.len);
    return true;
}

struct fst_batch fst_lines_batch(const struct fst_lines *lines)
{
    return (struct fst_batch){lines->stacks, lines->nstacks, lines->frames, lines->nframes,
                              lines->ends_only};
}

/* --- one line -------------------------------------------------------------------------------- */

/* A whole count at the end of a text: its value and how many digits it has. */
struct ending {
    uint64_t count;
    ptrdiff_t digits;
};

static struct ending read_digits(const char *line, const char *end)
{
    struct ending ending = {0, 0};
    uint64_t place = 1;
    const char *at = end;
    for (; at > line && fst_is_digit(at[-1]) && end - at <= MOST_DIGITS; at--) {
        ending.count += (uint64_t)(at[-1] - '0') * place;
        place *= 10;
    }
    ending.digits = end - at;
    return ending;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The same of counts of at most seven digits, all at once: digits are the bytes of a word that are
 * below ten when '0' is taken from them, and neighbours are added up to pairs, fours and eight. */
static struct ending read_word(const char *line, const char *end)
{
    const uint64_t ones = 0x0101010101010101U;
    uint64_t word;
    memcpy(&word, end - sizeof word, sizeof word);
    word ^= ones * '0';
    uint64_t others = (((word & ones * 0x7f) + ones * 0x76) | word) & ones * 0x80;
    if (FST_UNLIKELY(others == 0)) {
        return read_digits(line, end);
    }
    unsigned behind = (unsigned)__builtin_clzll(others) & ~7U; /* bits of the digits */
    word = behind == 0 ? 0 : word >> (64 - behind) << (64 - behind);
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffU;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffU;
    word = (word * 10000 + (word >> 32)) & 0xffffffffU;
    return (struct ending){word, behind / 8};
}

static struct ending read_ending(const char *line, const char *end)
{
    return end - line > (ptrdiff_t)sizeof(uint64_t) ? read_word(line, end) : read_digits(line, end);
}
#else
static struct ending read_ending(const char *line, const char *end)
{
    return read_digits(line, end);
}
#endif

/* Reads the count in front of `end` and sets stack and count; false if the line is not ordinary. */
static bool read_ends(const char *line, const char *end, const char *readable,
                      struct fst_stack *stack)
{
    struct ending ending = read_ending(line, end);
    const char *at = end - ending.digits;
    if (ending.digits == 0 || ending.digits > MOST_DIGITS || at - line < 2 ||
        !fst_is_blank(at[-1]) || at[-2] == ';' || readable - (at - 1) < FST_LINES_SLACK) {
        return false;
    }
    stack->text = fst_str_of(line, (size_t)(at - 1 - line));
    stack->count = ending.count;
    return line[0] != '#' && !fst_is_log_line(fst_str_of(line, (size_t)(end - line)));
}

/* How many bytes two texts have in common at their start. */
static size_t common_bytes(struct fst_str a, struct fst_str b)
{
    size_t most = a.len < b.len ? a.len : b.len;
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= most; at += sizeof(uint64_t)) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a.data + at, sizeof x);
        memcpy(&y, b.data + at, sizeof y);
        if (x != y) {
            break;
        }
    }
    while (at < most && a.data[at] == b.data[at]) {
        at++;
    }
    return at;
}

static inline struct fst_str frame_between(const char *from, const char *to)
{
    static const char empty[sizeof "[empty]" + FST_LINES_SLACK] = "[empty]"; /* FST_FRAME_EMPTY */
    return FST_UNLIKELY(from == to) ? fst_str_of(empty, sizeof "[empty]" - 1)
                                    : fst_str_of(from, (size_t)(to - from));
}

/* Adds the frames of a stack whose semicolons are marks [mark, end). */
static void add_frames(struct fst_lines *lines, const struct fst_lines_cursor *cursor, size_t end,
                       struct fst_stack *stack)
{
    const uint32_t *at = lines->marks.at;
    const char *base = cursor->base;
    size_t common = common_bytes(lines->before, stack->text);
    size_t mark = cursor->mark;
    while (mark < end && at[mark] - cursor->at < common) {
        mark++;
    }
    stack->shared = (uint32_t)(mark - cursor->mark);
    stack->nframes = (uint32_t)(end - mark) + 1;
    stack->depth = stack->shared + stack->nframes;
    struct fst_str *frame = lines->frames + lines->nframes;
    const char *from = mark == cursor->mark ? stack->text.data : base + at[mark - 1] + 1;
    for (; mark < end; mark++) {
        const char *to = base + at[mark];
        *frame++ = frame_between(from, to);
        from = to + 1;
    }
    *frame = frame_between(from, stack->text.data + stack->text.len);
    lines->nframes += stack->nframes;
}

static void add_leaf(struct fst_lines *lines, const struct fst_lines_cursor *cursor,
                     struct fst_stack *stack)
{
    stack->depth = lines->marks.depths[cursor->line] - cursor->depth + 1;
    const char *end = stack->text.data + stack->text.len;
    const char *semicolon = memrchr(stack->text.data, ';', stack->text.len);
    stack->shared = 0;
    stack->nframes = 1;
    lines->frames[lines->nframes++] =
        frame_between(semicolon == NULL ? stack->text.data : semicolon + 1, end);
}

/* How many quotes stand on the line at hand, which ends at offset end. */
static size_t count_quotes(const struct fst_marks *marks, struct fst_lines_cursor *cursor,
                           size_t end)
{
    while (cursor->quote < marks->nquotes && marks->quotes[cursor->quote] < cursor->at) {
        cursor->quote++;
    }
    size_t count = 0;
    while (cursor->quote + count < marks->nquotes && marks->quotes[cursor->quote + count] < end) {
        count++;
    }
    return count;
}

/* Whether the line at hand begins with a process frame around its two quotes, and goes on behind it;
 * semicolons of the command line are then passed over. Where they would be counted it does not. */
static bool begins_with_process(const struct fst_lines *lines, struct fst_lines_cursor *cursor,
                                size_t end)
{
    const struct fst_marks *marks = &lines->marks;
    const char *line = cursor->base + cursor->at;
    size_t open = marks->quotes[cursor->quote];
    size_t close = marks->quotes[cursor->quote + 1];
    size_t behind = fst_quote_opening(fst_str_of(line, end - cursor->at));
    if (behind == 0 || open != cursor->at + behind - 1 || cursor->base[close + 1] != ';' ||
        (lines->ends_only && memchr(line, ';', close - cursor->at) != NULL)) {
        return false;
    }
    while (!lines->ends_only && marks->at[cursor->mark] <= close) {
        cursor->mark++;
    }
    return true;
}

/* Whether quotes leave the line at hand ordinary: there are none, or those of one process frame. */
static bool has_ordinary_quotes(const struct fst_lines *lines, struct fst_lines_cursor *cursor,
                                size_t end)
{
    size_t quotes = count_quotes(&lines->marks, cursor, end);
    return quotes == 0 || (quotes == 2 && begins_with_process(lines, cursor, end));
}

/* Moves the cursor behind the marks of the line at hand. */
static void pass_line(const struct fst_lines *lines, struct fst_lines_cursor *cursor)
{
    cursor->mark = lines->marks.line_ends[cursor->line] + (size_t)1;
    cursor->depth = lines->ends_only ? lines->marks.depths[cursor->line] : 0;
    cursor->line++;
}

bool fst_lines_take(struct fst_lines *lines, struct fst_lines_cursor *cursor, const char *readable,
                    uint64_t *number)
{
    const struct fst_marks *marks = &lines->marks;
    while (cursor->line < marks->lines) {
        size_t last = marks->line_ends[cursor->line];
        size_t end = marks->at[last];
        struct fst_stack *stack = &lines->stacks[lines->nstacks];
        if (!has_ordinary_quotes(lines, cursor, end) ||
            !read_ends(cursor->base + cursor->at, cursor->base + end, readable, stack) ||
            (lines->as_is != NULL && !lines->as_is(stack->text))) {
            return true;
        }
        stack->line = ++*number;
        stack->first = (uint32_t)lines->nframes;
        if (lines->ends_only) {
            add_leaf(lines, cursor, stack);
        } else {
            add_frames(lines, cursor, last, stack);
            lines->before = stack->text;
        }
        lines->nstacks++;
        cursor->at = end + 1;
        pass_line(lines, cursor);
    }
    return false;
}

void fst_lines_skip(const struct fst_lines *lines, struct fst_lines_cursor *cursor, size_t at)
{
    const struct fst_marks *marks = &lines->marks;
    while (cursor->line < marks->lines && marks->at[marks->line_ends[cursor->line]] < at) {
        pass_line(lines, cursor);
    }
    cursor->at = at;
}
