#include "render/partial.h"

#include "base/alloc.h"
#include "base/count.h"
#include "base/escape.h"
#include "base/order.h"

/* --- figures ----------------------------------------------------------------------------------- */

/* A whole number that is not negative. */
static void put_whole(struct fst_buf *out, fst_i128 value)
{
    char digits[40];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value > 0);
    fst_buf_add(out, digits + at, sizeof digits - at);
}

static void put_count(struct fst_buf *out, fst_i128 count)
{
    char text[FST_COUNT_TEXT];
    fst_buf_add(out, text, fst_count_format(count, text));
}

static void put_told(struct fst_buf *out, const char *key, const struct fst_told *told)
{
    fst_buf_add_fmt(out, "\t%s=%llu:", key, (unsigned long long)told->known);
    put_count(out, told->sum);
}

/* --- before the stacks ------------------------------------------------------------------------- */

static uint64_t count_lines(const struct fst_partial *partial)
{
    uint64_t lines = 0;
    for (int kind = 0; kind < FST_MOMENTS_KINDS; kind++) {
        for (uint32_t id = 0; id < partial->frames.count && id < partial->capacity[kind]; id++) {
            lines += partial->moments[kind][id].inputs > 0;
        }
    }
    return lines;
}

void fst_partial_put_head(struct fst_buf *out, const struct fst_profile *profile)
{
    struct fst_partial none;
    fst_partial_init(&none, 0);
    const struct fst_partial *p = profile->partial == NULL ? &none : profile->partial;
    enum fst_unit unit = profile->mixed_units ? FST_UNIT_COUNTS : profile->unit;
    if (p->inputs > 0) {
        fst_buf_add_fmt(out, "# unit: %s\n", fst_unit_name(unit));
        fst_buf_add_str(out, FST_PARTIAL_HEAD);
        fst_buf_add_fmt(out, FST_PARTIAL_VERSION "\tinputs=%llu\tcompared=%llu\tsamples=",
                        (unsigned long long)p->inputs, (unsigned long long)p->compared);
        put_count(out, profile->total);
        fst_buf_add_fmt(
            out, "\tbad-lines=%llu\tframes=%llu\trates=%llu:", (unsigned long long)p->bad_lines,
            (unsigned long long)count_lines(p), (unsigned long long)p->rates.known);
        put_count(out, p->least_rate);
        fst_buf_add_char(out, ':');
        put_count(out, p->most_rate);
        put_told(out, "durations", &p->durations);
        put_told(out, "errors", &p->errors);
        put_told(out, "ticks", &p->ticks);
        fst_buf_add_cstr(out, "\trules");
        fst_buf_add_str(out, fst_buf_str(&p->rules));
        fst_buf_add_cstr(out, "\tend\n");
    }
    fst_partial_release(&none);
}

/* --- behind them ------------------------------------------------------------------------------- */

static void put_ends(struct fst_buf *out, const struct fst_partial *partial,
                     const struct fst_extreme *ends, uint64_t inputs, struct fst_str tags)
{
    for (size_t i = 0; i < FST_PARTIAL_ENDS && i < inputs; i++) {
        fst_buf_add_char(out, '\t');
        put_whole(out, ends[i].share);
        fst_buf_add_char(out, '\t');
        fst_escape_field(out, tags);
        fst_buf_add_cstr(out, tags.len > 0 ? ";" : "");
        fst_escape_field(out, fst_symtab_name(&partial->names, ends[i].input));
    }
}

static void put_frame(struct fst_buf *out, const struct fst_partial *partial, struct fst_str frame,
                      enum fst_moments_kind kind, struct fst_str tags)
{
    const struct fst_moments *moments = fst_partial_find(partial, frame, kind);
    if (moments == NULL) {
        return;
    }
    fst_buf_add_str(out, FST_PARTIAL_FRAME);
    fst_escape_field(out, frame);
    fst_buf_add_fmt(out, "\t%llu\t", (unsigned long long)moments->inputs);
    put_whole(out, moments->sum);
    fst_buf_add_char(out, '\t');
    put_whole(out, moments->squares);
    put_ends(out, partial, moments->most, moments->inputs, tags);
    put_ends(out, partial, moments->least, moments->inputs, tags);
    fst_buf_add_cstr(out, kind == FST_MOMENTS_SELF ? "\tself\n" : "\ttotal\n");
}

bool fst_partial_put_frames(struct fst_sink *sink, const struct fst_profile *profile,
                            struct fst_str tags)
{
    const struct fst_partial *partial = profile->partial;
    size_t count = partial == NULL ? 0 : partial->frames.count;
    struct fst_symbol **sorted = fst_alloc((count + 1) * sizeof(struct fst_symbol *));
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, count == 0 ? sorted : partial->frames.symbols,
           count * sizeof(struct fst_symbol *));
    bool good = fst_symbols_sort(sorted, count);
    for (size_t i = 0; good && i < count && sink->sys_errno == 0; i++) {
        for (int kind = 0; kind < FST_MOMENTS_KINDS; kind++) {
            put_frame(&sink->buf, partial, fst_symbol_name(sorted[i]), (enum fst_moments_kind)kind,
                      tags);
        }
        fst_sink_spill(sink);
    }
    fst_free(sorted);
    return good;
}
