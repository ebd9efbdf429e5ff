#include "render/jsonw.h"

#include <math.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"

static void begin(struct fst_jsonw *w, const char *key)
{
    struct fst_buf *out = &w->sink->buf;
    if (w->depth > 0) {
        bool inlined = w->inlined[w->depth - 1];
        if (w->filled[w->depth - 1]) {
            fst_buf_add_char(out, ',');
        }
        if (!inlined) {
            fst_buf_add_char(out, '\n');
            fst_buf_add_fill(out, ' ', (size_t)w->depth * 2);
        }
        w->filled[w->depth - 1] = true;
    }
    if (key != NULL) {
        fst_buf_add_fmt(out, "\"%s\":%s", key, w->inlined[w->depth - 1] ? "" : " ");
    }
}

static void open_level(struct fst_jsonw *w, const char *key, char bracket, bool inlined)
{
    begin(w, key);
    fst_buf_add_char(&w->sink->buf, bracket);
    w->closers[w->depth] = bracket == '{' ? '}' : ']';
    w->filled[w->depth] = false;
    w->inlined[w->depth] = inlined;
    w->depth++;
}

void fst_jsonw_open(struct fst_jsonw *w, const char *key, char bracket)
{
    open_level(w, key, bracket, false);
}

void fst_jsonw_open_inline(struct fst_jsonw *w, const char *key, char bracket)
{
    open_level(w, key, bracket, true);
}

void fst_jsonw_close(struct fst_jsonw *w)
{
    struct fst_buf *out = &w->sink->buf;
    w->depth--;
    if (w->filled[w->depth] && !w->inlined[w->depth]) {
        fst_buf_add_char(out, '\n');
        fst_buf_add_fill(out, ' ', (size_t)w->depth * 2);
    }
    fst_buf_add_char(out, w->closers[w->depth]);
    if (w->depth == 0) {
        fst_buf_add_char(out, '\n');
    }
    fst_sink_spill(w->sink);
}

void fst_jsonw_text(struct fst_jsonw *w, const char *key, struct fst_str text)
{
    begin(w, key);
    fst_escape_json(&w->sink->buf, text);
}

void fst_jsonw_name(struct fst_jsonw *w, struct fst_str name)
{
    fst_jsonw_text(w, "name", name);
    if (fst_is_utf8(name)) {
        return;
    }
    begin(w, "name_hex");
    struct fst_buf *out = &w->sink->buf;
    fst_buf_add_char(out, '"');
    for (size_t i = 0; i < name.len; i++) {
        fst_buf_add_fmt(out, "%02x", (unsigned char)name.data[i]);
    }
    fst_buf_add_char(out, '"');
}

void fst_jsonw_count(struct fst_jsonw *w, const char *key, struct fst_count count)
{
    char text[FST_COUNT_TEXT];
    begin(w, key);
    fst_buf_add(&w->sink->buf, text, fst_count_format(fst_count_unpack(count), text));
}

void fst_jsonw_u64(struct fst_jsonw *w, const char *key, uint64_t value)
{
    begin(w, key);
    fst_buf_add_fmt(&w->sink->buf, "%llu", (unsigned long long)value);
}

void fst_jsonw_bool(struct fst_jsonw *w, const char *key, bool value)
{
    begin(w, key);
    fst_buf_add_cstr(&w->sink->buf, value ? "true" : "false");
}

void fst_jsonw_double(struct fst_jsonw *w, const char *key, double value)
{
    begin(w, key);
    fst_number_json(&w->sink->buf, value);
}

void fst_jsonw_interval(struct fst_jsonw *w, const char *key, struct fst_interval interval)
{
    if (isnan(interval.lo) || isnan(interval.hi)) {
        fst_jsonw_double(w, key, NAN);
        return;
    }
    fst_jsonw_open_inline(w, key, '[');
    fst_jsonw_double(w, NULL, interval.lo);
    fst_jsonw_double(w, NULL, interval.hi);
    fst_jsonw_close(w);
}
