#include "parse/tail.h"

enum { MOST = 3 };

/* The last blank-separated token of [start, end), and where what stands before it ends. */
static struct fst_str last_token(const char *start, const char *end, const char **before)
{
    while (end > start && (fst_is_blank(end[-1]) || end[-1] == '\r')) {
        end--;
    }
    const char *token = end;
    while (token > start && !fst_is_blank(token[-1])) {
        token--;
    }
    *before = token > start ? token - 1 : start;
    return fst_str_of(token, (size_t)(end - token));
}

static bool is_number(enum fst_count_parse parse)
{
    return parse == FST_COUNT_OK || parse == FST_COUNT_ROUNDED;
}

/* Cuts "a,b,c" in three; false if it has another form. */
static bool cut_joined(struct fst_str token, struct fst_str parts[MOST])
{
    for (int i = 0; i < MOST; i++) {
        const char *comma = token.len == 0 ? NULL : memchr(token.data, ',', token.len);
        if ((comma == NULL) != (i == MOST - 1)) {
            return false;
        }
        size_t len = comma == NULL ? token.len : (size_t)(comma - token.data);
        parts[i] = fst_str_of(token.data, len);
        token = fst_str_skip(token, comma == NULL ? len : len + 1);
    }
    return true;
}

static void pick(enum fst_tail_pick how, const fst_i128 *values, struct fst_tail *tail)
{
    switch (how) {
    case FST_PICK_FIRST: tail->count = values[0]; break;
    case FST_PICK_SECOND: tail->count = values[1]; break;
    case FST_PICK_THIRD: tail->count = values[2]; break;
    case FST_PICK_LAST_TWO:
        if (FST_ADD_OVERFLOWS(values[1], values[2], &tail->count)) {
            tail->parse = FST_COUNT_OUT_OF_RANGE;
        }
        break;
    case FST_PICK_FIRST_IF_BUSY: tail->count = values[1] == 0 ? values[0] : 0; break;
    }
}

/* Reads the parts into one count; the token becomes the part that is no count. */
static void read_parts(enum fst_tail_pick how, const struct fst_str *parts, int count,
                       struct fst_tail *tail)
{
    fst_i128 values[MOST] = {0};
    bool rounded = false;
    for (int i = count - 1; i >= 0; i--) {
        tail->token = parts[i];
        tail->parse = fst_count_parse(parts[i], &values[i]);
        rounded = rounded || tail->parse == FST_COUNT_ROUNDED;
        if (!is_number(tail->parse)) {
            tail->too_few = i < count - 1;
            return;
        }
    }
    tail->parse = rounded ? FST_COUNT_ROUNDED : FST_COUNT_OK;
    pick(how, values, tail);
}

struct fst_tail fst_tail_read(struct fst_tail_rule rule, const char *start, const char *end)
{
    struct fst_tail tail = {.stack_end = start};
    if (rule.form == FST_TAIL_ONE) {
        tail.token = last_token(start, end, &tail.stack_end);
        tail.parse = fst_count_parse(tail.token, &tail.count);
        return tail;
    }
    struct fst_str parts[MOST];
    int count = rule.form == FST_TAIL_TWO ? 2 : MOST;
    if (rule.form == FST_TAIL_JOINED) {
        tail.token = last_token(start, end, &tail.stack_end);
        tail.parse = FST_COUNT_NOT_A_NUMBER;
        if (!cut_joined(tail.token, parts)) {
            return tail;
        }
    } else {
        for (int i = count - 1; i >= 0; i--) {
            parts[i] = last_token(start, end, &tail.stack_end);
            end = tail.stack_end;
        }
    }
    read_parts(rule.pick, parts, count, &tail);
    return tail;
}

int fst_tail_numbers(struct fst_str line, bool *negative, bool *joined)
{
    const char *end = line.data + line.len;
    int numbers = 0;
    *negative = false;
    *joined = false;
    while (numbers < MOST) {
        const char *before;
        fst_i128 value;
        struct fst_str token = last_token(line.data, end, &before);
        struct fst_str parts[MOST];
        if (numbers == 0 && cut_joined(token, parts)) {
            struct fst_tail tail = {0};
            read_parts(FST_PICK_FIRST, parts, MOST, &tail);
            *joined = is_number(tail.parse);
            return *joined ? MOST : 0;
        }
        if (!is_number(fst_count_parse(token, &value))) {
            break;
        }
        *negative = *negative || value < 0;
        numbers++;
        if (before == line.data) {
            break;
        }
        end = before;
    }
    return numbers;
}
