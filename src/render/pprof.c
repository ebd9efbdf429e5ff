/* pprof's form (https://github.com/google/pprof, proto/profile.proto), written by hand.
 *
 *     Profile   1 sample_type, 2 sample, 3 mapping, 4 location, 5 function, 6 string_table,
 *               10 duration_nanos, 11 period_type, 12 period
 *     ValueType 1 type, 2 unit
 *     Sample    1 location_id (packed, leaf first), 2 value (packed), 3 label
 *     Label     1 key, 2 str
 *     Mapping   1 id, 7 has_functions, 8 has_filenames, 9 has_line_numbers
 *     Location  1 id, 2 mapping_id, 4 line
 *     Line      1 function_id, 2 line
 *     Function  1 id, 2 name, 4 filename
 *
 * Texts are numbers of strings, of which the first is empty and all are UTF-8. A frame is a location of
 * one line; frames that differ by their line alone have one function. system_name stays unset: with
 * it pprof takes <module> for a C++ template and shows <unknown>. */
#include <math.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/symtab.h"
#include "render/list.h"

enum wire { VARINT = 0, BYTES = 2 };

struct writer {
    struct fst_sink *sink;
    const struct fst_list *list;
    struct fst_symtab strings;
    struct fst_symtab functions; /* two numbers of strings each: name and file */
    uint32_t *function_of;       /* by frame, from 1 */
    struct fst_buf message;      /* being made */
    struct fst_buf inner;        /* within it */
    struct fst_buf text;
    double period; /* nanoseconds of a sample; 0: unknown */
    uint64_t room; /* bytes that strings and functions may take; 0: as many as there are */
    bool failed;
};

/* --- protobuf ---------------------------------------------------------------------------------- */

static void put_varint(struct fst_buf *out, uint64_t value)
{
    enum { BITS = 7, MORE = 0x80 };
    for (; value >= MORE; value >>= BITS) {
        fst_buf_add_char(out, (char)(unsigned char)(value | MORE));
    }
    fst_buf_add_char(out, (char)(unsigned char)value);
}

static void put_key(struct fst_buf *out, unsigned field, enum wire wire)
{
    enum { FIELD_SHIFT = 3 };
    put_varint(out, (uint64_t)field << FIELD_SHIFT | wire);
}

/* A number; 0 is the default, and is left out. */
static void put_number(struct fst_buf *out, unsigned field, uint64_t value)
{
    if (value != 0) {
        put_key(out, field, VARINT);
        put_varint(out, value);
    }
}

static void put_bytes(struct fst_buf *out, unsigned field, struct fst_str bytes)
{
    put_key(out, field, BYTES);
    put_varint(out, bytes.len);
    fst_buf_add_str(out, bytes);
}

/* Hands the message on as a field of the profile, and begins another one. */
static void end_message(struct writer *w, unsigned field)
{
    put_bytes(&w->sink->buf, field, fst_buf_str(&w->message));
    w->failed = w->failed || w->message.failed || w->inner.failed;
    fst_buf_clear(&w->message);
    fst_sink_spill(w->sink);
}

/* --- strings and functions --------------------------------------------------------------------- */

static uint32_t intern(struct writer *w, struct fst_symtab *table, struct fst_str text)
{
    uint32_t id = fst_symtab_intern(table, text);
    w->failed = w->failed || id == FST_ID_NONE;
    return id;
}

/* The number of a text, which becomes UTF-8 if it is not. */
static uint32_t string_of(struct writer *w, struct fst_str text)
{
    if (!fst_is_utf8(text)) {
        fst_buf_clear(&w->text);
        fst_escape_text(&w->text, text);
        text = fst_buf_str(&w->text);
        w->failed = w->failed || w->text.failed;
    }
    return intern(w, &w->strings, text);
}

/* Whether strings and functions were made, and have room. */
static enum fst_status check_names(const struct writer *w, struct fst_error *err)
{
    if (w->failed) {
        return fst_error_nomem(err);
    }
    uint64_t memory = fst_symtab_memory(&w->strings) + fst_symtab_memory(&w->functions) +
                      w->list->nframes * sizeof *w->function_of;
    if (w->room == 0 || memory <= w->room) {
        return FST_OK;
    }
    return fst_error_set(err, FST_ERR_NOMEM,
                         "pprof's tables of names take more than the list of %zu stacks leaves of "
                         "--max-memory",
                         w->list->nstacks);
}

static enum fst_status find_functions(struct writer *w, struct fst_error *err)
{
    const struct fst_list *list = w->list;
    enum fst_status status = check_names(w, err);
    if (status != FST_OK) {
        return status;
    }
    w->function_of = fst_alloc_zeroed(list->nframes + 1, sizeof *w->function_of);
    if (w->function_of == NULL) {
        return fst_error_nomem(err);
    }
    for (size_t i = 0; status == FST_OK && i < list->nframes; i++) {
        uint32_t pair[2] = {string_of(w, list->frames[i].function),
                            string_of(w, list->frames[i].file)};
        w->function_of[i] =
            intern(w, &w->functions, fst_str_of((const char *)pair, sizeof pair)) + 1;
        status = check_names(w, err);
    }
    return status;
}

static void put_functions(struct writer *w)
{
    for (size_t i = 0; i < w->functions.count; i++) {
        uint32_t pair[2];
        memcpy(pair, w->functions.symbols[i]->name, sizeof pair);
        put_number(&w->message, 1, i + 1);
        put_number(&w->message, 2, pair[0]);
        put_number(&w->message, 4, pair[1]);
        end_message(w, 5);
    }
}

static void put_locations(struct writer *w)
{
    for (size_t i = 0; i < w->list->nframes; i++) {
        fst_buf_clear(&w->inner);
        put_number(&w->inner, 1, w->function_of[i]);
        put_number(&w->inner, 2, (uint64_t)fst_list_line(&w->list->frames[i]));
        put_number(&w->message, 1, i + 1);
        put_number(&w->message, 2, 1);
        put_bytes(&w->message, 4, fst_buf_str(&w->inner));
        end_message(w, 4);
    }
}

/* --- samples ----------------------------------------------------------------------------------- */

/* Adds a label to the sample at hand; an empty one is none. */
static void put_label(struct writer *w, const char *key, struct fst_str value)
{
    if (value.len > 0) {
        fst_buf_clear(&w->inner);
        put_number(&w->inner, 1, string_of(w, fst_str_cstr(key)));
        put_number(&w->inner, 2, string_of(w, value));
        put_bytes(&w->message, 3, fst_buf_str(&w->inner));
    }
}

static void put_stack(struct writer *w, const struct fst_list_stack *stack, int64_t value)
{
    fst_buf_clear(&w->inner);
    for (size_t i = stack->nframes; i-- > 0;) {
        put_varint(&w->inner, (uint64_t)stack->frames[i] + 1);
    }
    put_bytes(&w->message, 1, fst_buf_str(&w->inner));
    fst_buf_clear(&w->inner);
    put_varint(&w->inner, (uint64_t)value);
    if (w->period > 0) {
        put_varint(&w->inner, (uint64_t)(int64_t)llround((double)value * w->period));
    }
    put_bytes(&w->message, 2, fst_buf_str(&w->inner));
    put_label(w, "process", stack->process);
    put_label(w, "thread", stack->thread);
    end_message(w, 2);
}

/* A count as a whole number, half to even; false where it does not fit. */
static bool round_count(struct fst_count count, int64_t *out)
{
    fst_i128 scaled = fst_count_unpack(count);
    fst_i128 whole = scaled / FST_COUNT_ONE;
    fst_i128 twice = scaled % FST_COUNT_ONE * 2;
    fst_i128 limit = FST_COUNT_ONE;
    bool odd = whole % 2 != 0;
    whole += twice > limit || (twice == limit && odd);
    whole -= twice < -limit || (twice == -limit && odd);
    *out = (int64_t)whole;
    return whole <= INT64_MAX && whole >= INT64_MIN;
}

/* Whether a count's nanoseconds fit too. The bounds are whole doubles, of which the upper one is just
 * beyond what fits. */
static bool time_fits(const struct writer *w, int64_t value)
{
    double nanoseconds = (double)value * w->period;
    return nanoseconds < 0x1p63 && nanoseconds >= -0x1p63;
}

static enum fst_status put_samples(struct writer *w, struct fst_error *err)
{
    for (size_t i = 0; i < w->list->nstacks; i++) {
        int64_t value;
        if (!round_count(w->list->stacks[i].count, &value)) {
            return fst_error_set(err, FST_ERR_RANGE,
                                 "a count does not fit the 64 bits that pprof has for it");
        }
        if (!time_fits(w, value)) {
            return fst_error_set(err, FST_ERR_RANGE,
                                 "the nanoseconds of a count at this rate do not fit the 64 bits "
                                 "that pprof has for them");
        }
        put_stack(w, &w->list->stacks[i], value);
        enum fst_status status = check_names(w, err);
        if (status != FST_OK) {
            return status;
        }
    }
    return FST_OK;
}

/* --- the rest ---------------------------------------------------------------------------------- */

static void put_type(struct writer *w, unsigned field, const char *type, const char *unit)
{
    put_number(&w->message, 1, string_of(w, fst_str_cstr(type)));
    put_number(&w->message, 2, string_of(w, fst_str_cstr(unit)));
    end_message(w, field);
}

static void put_types(struct writer *w)
{
    switch (w->list->unit) {
    case FST_UNIT_MICROSECONDS: put_type(w, 1, "time", "microseconds"); break;
    case FST_UNIT_BYTES: put_type(w, 1, "space", "bytes"); break;
    case FST_UNIT_COUNTS: put_type(w, 1, "events", "count"); break;
    default: put_type(w, 1, "samples", "count");
    }
    if (w->period > 0) {
        put_type(w, 1, "cpu", "nanoseconds");
    }
}

/* One mapping that says that there is nothing to be looked up in binaries. */
static void put_mapping(struct writer *w)
{
    enum { ID = 1, HAS_FUNCTIONS = 7, HAS_FILENAMES = 8, HAS_LINES = 9 };
    put_number(&w->message, ID, 1);
    put_number(&w->message, HAS_FUNCTIONS, 1);
    put_number(&w->message, HAS_FILENAMES, 1);
    put_number(&w->message, HAS_LINES, 1);
    end_message(w, 3);
}

static void put_clock(struct writer *w)
{
    enum { DURATION = 10, PERIOD_TYPE = 11, PERIOD = 12 };
    if (w->list->duration > 0 && w->list->duration < 9e9) {
        put_number(&w->sink->buf, DURATION, (uint64_t)llround(w->list->duration * 1e9));
    }
    if (w->period > 0) {
        put_type(w, PERIOD_TYPE, "cpu", "nanoseconds");
        put_number(&w->sink->buf, PERIOD, (uint64_t)llround(w->period));
    }
}

static void put_strings(struct writer *w)
{
    for (size_t i = 0; i < w->strings.count; i++) {
        put_bytes(&w->sink->buf, 6, fst_symtab_name(&w->strings, (uint32_t)i));
        fst_sink_spill(w->sink);
    }
}

static enum fst_status put_profile(struct writer *w, struct fst_error *err)
{
    (void)intern(w, &w->strings, fst_str_of("", 0));
    put_types(w);
    enum fst_status status = find_functions(w, err);
    if (status == FST_OK) {
        status = put_samples(w, err);
    }
    if (status != FST_OK) {
        return status;
    }
    put_mapping(w);
    put_locations(w);
    put_functions(w);
    put_clock(w);
    put_strings(w);
    return w->failed ? fst_error_nomem(err) : FST_OK;
}

enum fst_status fst_list_as_pprof(struct fst_sink *sink, const struct fst_list *list, uint64_t room,
                                  struct fst_error *err)
{
    struct writer w = {.sink = sink, .list = list, .room = room};
    w.period = list->rate > 0 && list->rate <= 1e9 ? 1e9 / list->rate : 0;
    fst_symtab_init(&w.strings, 1);
    fst_symtab_init(&w.functions, 1);
    enum fst_status status = put_profile(&w, err);
    fst_symtab_release(&w.strings);
    fst_symtab_release(&w.functions);
    fst_free(w.function_of);
    fst_buf_release(&w.message);
    fst_buf_release(&w.inner);
    fst_buf_release(&w.text);
    return status;
}
