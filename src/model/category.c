/* A set of rules is the text that it was read from, and what was found there: words that are globs,
 * and patterns. Every frame is shown to every rule in turn; that costs microseconds, once a distinct
 * frame. */
#include "model/category.h"

#include "base/alloc.h"
#include "base/compat.h"
#include "base/error.h"
#include "base/glob.h"
#include "model/module.h"
#include "model/normalize.h"

enum mode { ANYWHERE, LEAF, FALLBACK };

/* A run of set->globs. */
struct span {
    size_t start;
    size_t count;
};

struct rule {
    uint8_t category;
    enum mode mode;
    struct span functions;
    struct span files;           /* empty: any file, or none */
    struct fst_pattern *pattern; /* instead of both; NULL: there is none */
};

enum { MOST_CATEGORIES = FST_CATEGORY_NONE };

struct fst_categories {
    struct fst_buf text;
    struct fst_str *names; /* they point into text, or are static */
    size_t nnames;
    size_t names_capacity;
    struct fst_str *globs; /* likewise */
    size_t nglobs;
    size_t globs_capacity;
    struct rule *rules;
    size_t nrules;
    size_t rules_capacity;
    uint8_t other;
};

void fst_categories_free(struct fst_categories *categories)
{
    struct fst_categories *set = categories;
    if (set == NULL) {
        return;
    }
    for (size_t i = 0; i < set->nrules; i++) {
        fst_pattern_free(set->rules[i].pattern);
    }
    fst_buf_release(&set->text);
    fst_free(set->names);
    fst_free(set->globs);
    fst_free(set->rules);
    fst_free(set);
}

size_t fst_categories_count(const struct fst_categories *categories)
{
    return categories->nnames;
}

struct fst_str fst_categories_name(const struct fst_categories *categories, size_t category)
{
    return categories->names[category];
}

uint8_t fst_categories_find(const struct fst_categories *categories, struct fst_str name)
{
    for (size_t i = 0; i < categories->nnames; i++) {
        if (fst_str_eq(categories->names[i], name)) {
            return (uint8_t)i;
        }
    }
    return FST_CATEGORY_NONE;
}

/* --- reading ----------------------------------------------------------------------------------- */

/* A line being read, and where. */
struct line {
    struct fst_categories *set;
    struct fst_str text;
    size_t at;
    struct fst_category_fault *fault;
    uint64_t number;
    struct fst_error *err;
};

static enum fst_status refuse(struct line *line, size_t mark, const char *message)
{
    *line->fault = (struct fst_category_fault){line->number, line->text, mark};
    (void)fst_error_set(line->err, FST_ERR_USAGE, "%s", message);
    if (line->err != NULL) {
        line->err->line = line->number;
    }
    return FST_ERR_USAGE;
}

static void skip_blanks(struct line *line)
{
    while (line->at < line->text.len && fst_is_blank(line->text.data[line->at])) {
        line->at++;
    }
}

static bool add_name(struct fst_categories *set, struct fst_str name)
{
    void *names = set->names;
    if (fst_grow(&names, &set->names_capacity, set->nnames + 1, sizeof *set->names) != 0) {
        return false;
    }
    set->names = names;
    set->names[set->nnames++] = name;
    return true;
}

static enum fst_status number_category(struct line *line, struct fst_str name, uint8_t *out)
{
    *out = fst_categories_find(line->set, name);
    if (*out != FST_CATEGORY_NONE) {
        return FST_OK;
    }
    if (line->set->nnames + 1 == MOST_CATEGORIES) {
        return refuse(line, 0, "too many categories");
    }
    *out = (uint8_t)line->set->nnames;
    return add_name(line->set, name) ? FST_OK : fst_error_nomem(line->err);
}

/* "[leaf]" or "[fallback]", or nothing */
static enum fst_status read_mode(struct line *line, enum mode *mode)
{
    static const struct {
        struct fst_str word;
        enum mode mode;
    } modes[] = {{{"[leaf]", 6}, LEAF}, {{"[fallback]", 10}, FALLBACK}};
    struct fst_str rest = fst_str_skip(line->text, line->at);
    *mode = ANYWHERE;
    if (rest.len == 0 || rest.data[0] != '[') {
        return FST_OK;
    }
    for (size_t i = 0; i < FST_COUNT_OF(modes); i++) {
        if (fst_str_starts(rest, modes[i].word)) {
            *mode = modes[i].mode;
            line->at += modes[i].word.len;
            skip_blanks(line);
            return FST_OK;
        }
    }
    return refuse(line, line->at, "expected [leaf] or [fallback]");
}

/* The name up to the colon. */
static enum fst_status read_category(struct line *line, uint8_t *category)
{
    struct fst_str rest = fst_str_skip(line->text, line->at);
    const char *colon = memchr(rest.data, ':', rest.len);
    if (colon == NULL) {
        return refuse(line, line->text.len, "expected a colon behind the category");
    }
    struct fst_str name = fst_str_of(rest.data, (size_t)(colon - rest.data));
    while (name.len > 0 && fst_is_blank(name.data[name.len - 1])) {
        name.len--;
    }
    if (name.len == 0) {
        return refuse(line, line->at, "expected the name of a category");
    }
    line->at += (size_t)(colon - rest.data) + 1;
    skip_blanks(line);
    return number_category(line, name, category);
}

/* "/PATTERN/" or "/PATTERN/i" to the end of the line */
static enum fst_status read_pattern(struct line *line, struct fst_pattern **out)
{
    struct fst_str rest = fst_str_skip(line->text, line->at + 1);
    bool ignore_case = fst_str_ends(rest, FST_STR("/i"));
    if (!ignore_case && !fst_str_ends(rest, FST_STR("/"))) {
        return refuse(line, line->text.len, "expected / or /i at the end of the pattern");
    }
    rest.len -= ignore_case ? 2 : 1;
    size_t offset = 0;
    enum fst_status status = fst_pattern_new_caseless(rest, ignore_case, out, &offset, line->err);
    if (status == FST_ERR_USAGE) {
        *line->fault = (struct fst_category_fault){line->number, line->text, line->at + 1 + offset};
        if (line->err != NULL) {
            line->err->line = line->number;
        }
    }
    return status;
}

static bool add_glob(struct fst_categories *set, struct fst_str glob)
{
    void *globs = set->globs;
    if (fst_grow(&globs, &set->globs_capacity, set->nglobs + 1, sizeof *set->globs) != 0) {
        return false;
    }
    set->globs = globs;
    set->globs[set->nglobs++] = glob;
    return true;
}

/* A word, or what stands between quotes. */
static enum fst_status next_word(struct line *line, struct fst_str *word, bool *quoted)
{
    *quoted = line->text.data[line->at] == '"';
    line->at += *quoted;
    size_t start = line->at;
    while (line->at < line->text.len && (*quoted ? line->text.data[line->at] != '"'
                                                 : !fst_is_blank(line->text.data[line->at]))) {
        line->at++;
    }
    *word = fst_str_of(line->text.data + start, line->at - start);
    if (*quoted && line->at == line->text.len) {
        return refuse(line, start - 1, "expected a quote at the end too");
    }
    line->at += *quoted;
    skip_blanks(line);
    return FST_OK;
}

/* Globs up to the word "in" or the end of the line. */
static enum fst_status read_globs(struct line *line, struct span *span, bool *in)
{
    *span = (struct span){line->set->nglobs, 0};
    *in = false;
    while (line->at < line->text.len && !*in) {
        struct fst_str word;
        bool quoted;
        enum fst_status status = next_word(line, &word, &quoted);
        if (status != FST_OK) {
            return status;
        }
        *in = !quoted && fst_str_eq(word, FST_STR("in"));
        if (!*in && !add_glob(line->set, word)) {
            return fst_error_nomem(line->err);
        }
    }
    span->count = line->set->nglobs - span->start;
    return FST_OK;
}

static enum fst_status read_words(struct line *line, struct rule *rule)
{
    bool in;
    size_t start = line->at;
    enum fst_status status = read_globs(line, &rule->functions, &in);
    if (status == FST_OK && rule->functions.count == 0) {
        return refuse(line, start, "expected functions, or a pattern between slashes");
    }
    if (status != FST_OK || !in) {
        return status;
    }
    start = line->at;
    status = read_globs(line, &rule->files, &in);
    if (status == FST_OK && (in || rule->files.count == 0)) {
        return refuse(line, start, "expected files behind \"in\"");
    }
    return status;
}

static bool add_rule(struct fst_categories *set, const struct rule *rule)
{
    void *rules = set->rules;
    if (fst_grow(&rules, &set->rules_capacity, set->nrules + 1, sizeof *set->rules) != 0) {
        return false;
    }
    set->rules = rules;
    set->rules[set->nrules++] = *rule;
    return true;
}

static enum fst_status read_rule(struct line *line)
{
    struct rule rule = {0};
    enum fst_status status = read_mode(line, &rule.mode);
    if (status == FST_OK) {
        status = read_category(line, &rule.category);
    }
    if (status != FST_OK) {
        return status;
    }
    bool pattern = line->at < line->text.len && line->text.data[line->at] == '/';
    status = pattern ? read_pattern(line, &rule.pattern) : read_words(line, &rule);
    if (status == FST_OK && !add_rule(line->set, &rule)) {
        fst_pattern_free(rule.pattern);
        return fst_error_nomem(line->err);
    }
    return status;
}

static enum fst_status read_line(struct line *line)
{
    while (line->text.len > 0 && (fst_is_blank(line->text.data[line->text.len - 1]) ||
                                  line->text.data[line->text.len - 1] == '\r')) {
        line->text.len--;
    }
    line->at = 0;
    skip_blanks(line);
    bool empty = line->at == line->text.len || line->text.data[line->at] == '#';
    return empty ? FST_OK : read_rule(line);
}

static enum fst_status read_lines(struct fst_categories *set, struct fst_category_fault *fault,
                                  struct fst_error *err)
{
    struct fst_str rest = fst_buf_str(&set->text);
    if (fst_str_starts(rest, FST_STR("\xef\xbb\xbf"))) {
        rest = fst_str_skip(rest, 3);
    }
    struct line line = {.set = set, .fault = fault, .err = err};
    while (rest.len > 0) {
        const char *end = memchr(rest.data, '\n', rest.len);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.data);
        line.text = fst_str_of(rest.data, len);
        line.number++;
        enum fst_status status = read_line(&line);
        if (status != FST_OK) {
            return status;
        }
        rest = fst_str_skip(rest, len + (end != NULL));
    }
    uint8_t other = fst_categories_find(set, FST_STR("other"));
    if (other == FST_CATEGORY_NONE) {
        other = (uint8_t)set->nnames;
        if (!add_name(set, FST_STR("other"))) {
            return fst_error_nomem(err);
        }
    }
    set->other = other;
    return FST_OK;
}

enum fst_status fst_categories_new(struct fst_str text, struct fst_categories **out,
                                   struct fst_category_fault *fault, struct fst_error *err)
{
    struct fst_categories *set = fst_alloc_zeroed(1, sizeof *set);
    if (set == NULL) {
        return fst_error_nomem(err);
    }
    struct fst_category_fault found = {.text = {"", 0}};
    enum fst_status status =
        fst_buf_add_str(&set->text, text) ? read_lines(set, &found, err) : fst_error_nomem(err);
    if (status == FST_OK) {
        *out = set;
        return FST_OK;
    }
    if (fault != NULL && status == FST_ERR_USAGE) {
        *fault = found; /* in the caller's copy of the text */
        fault->text.data = text.data + (found.text.data - set->text.data);
    }
    fst_categories_free(set);
    return status;
}

/* --- judging ----------------------------------------------------------------------------------- */

/* A frame as rules see it. */
struct subject {
    struct fst_str function;   /* without annotations */
    struct fst_str method;     /* without its class, where the file is known */
    struct fst_str file;       /* or the library, or "[kernel]"; empty: unknown */
    struct fst_glob_path path; /* the same */
    struct fst_str text; /* "function (file:line)" whatever the dialect writes; for patterns */
    bool script;         /* the file is of an interpreted language */
};

/* "wait" of "Condition.wait" */
static struct fst_str without_class(struct fst_str function)
{
    size_t at = function.len;
    while (at > 0 && function.data[at - 1] != '.') {
        at--;
    }
    return at < function.len ? fst_str_skip(function, at) : function;
}

/* Python, JavaScript, Ruby, and texts without a file ("<string>"). */
static bool is_script(struct fst_str file)
{
    static const struct fst_str endings[] = {{".py", 3},  {".pyx", 4}, {".js", 3},  {".mjs", 4},
                                             {".cjs", 4}, {".ts", 3},  {".tsx", 4}, {".rb", 3}};
    for (size_t i = 0; i < FST_COUNT_OF(endings); i++) {
        if (fst_str_ends(file, endings[i])) {
            return true;
        }
    }
    return fst_str_starts(file, FST_STR("<")) || fst_str_starts(file, FST_STR("node:"));
}

/* "burn" and "/srv/app/x.py" of "py::burn:/srv/app/x.py", as CPython names its frames for perf */
static bool find_trampoline(struct subject *subject)
{
    if (!fst_str_starts(subject->function, FST_STR("py::"))) {
        return false;
    }
    struct fst_str rest = fst_str_skip(subject->function, 4);
    const char *colon = memchr(rest.data, ':', rest.len);
    if (colon == NULL || colon + 1 == rest.data + rest.len) {
        return false;
    }
    subject->function = fst_str_of(rest.data, (size_t)(colon - rest.data));
    subject->file = fst_str_skip(rest, subject->function.len + 1);
    return true;
}

/* "libcuda.so.525" of "[libcuda.so.525]", "genunix" of "genunix`read" */
static void find_image(struct subject *subject)
{
    struct fst_str name = subject->function;
    const char *tick = memchr(name.data, '`', name.len);
    if (tick != NULL) {
        subject->file = fst_str_of(name.data, (size_t)(tick - name.data));
        subject->function = fst_str_skip(name, subject->file.len + 1);
    } else if (name.len > 2 && name.data[0] == '[' && name.data[name.len - 1] == ']') {
        subject->file = fst_str_of(name.data + 1, name.len - 2);
    }
}

/* A frame that was not split may still end in a file, as in `read (libc.so.6)`. */
static void find_file(struct subject *subject)
{
    struct fst_frame_parts parts = fst_frame_read(subject->function, true);
    if (fst_frame_names_file(&parts)) {
        subject->function = parts.function;
        subject->file = parts.file;
    }
}

static void see_plain(struct subject *subject, struct fst_str frame)
{
    subject->function = fst_strip_annotations(frame);
    subject->text = frame;
    if (fst_str_ends(frame, FST_STR("_[k]"))) {
        subject->file = FST_STR("[kernel]");
        return;
    }
    if (!find_trampoline(subject)) {
        find_image(subject);
    }
    if (subject->file.len == 0) {
        find_file(subject);
    }
}

/* text and file are built in the two buffers. */
static void see_split(struct subject *subject, const struct fst_frame_parts *parts,
                      struct fst_buf *text, struct fst_buf *file)
{
    subject->function = fst_strip_annotations(parts->function);
    subject->file = fst_normalize(parts->file, FST_NAME_FRAME, file);
    fst_buf_add_str(text, parts->function);
    fst_buf_add_cstr(text, " (");
    fst_buf_add_str(text, parts->file);
    if (parts->line.len > 0) {
        fst_buf_add_char(text, ':');
        fst_buf_add_str(text, parts->line);
    }
    fst_buf_add_char(text, ')');
    subject->text = fst_buf_str(text);
}

static bool fits_any(const struct fst_categories *set, struct span span, struct fst_str text)
{
    for (size_t i = 0; i < span.count; i++) {
        if (fst_glob_fits(set->globs[span.start + i], text)) {
            return true;
        }
    }
    return false;
}

static bool fits_function(const struct fst_categories *set, const struct rule *rule,
                          const struct subject *subject)
{
    return fits_any(set, rule->functions, subject->function) ||
           (subject->method.len < subject->function.len &&
            fits_any(set, rule->functions, subject->method));
}

static bool fits_file(const struct fst_categories *set, const struct rule *rule,
                      const struct subject *subject)
{
    bool fits = false;
    for (size_t i = 0; !fits && i < rule->files.count && subject->file.len > 0; i++) {
        fits = fst_glob_fits_path(set->globs[rule->files.start + i], &subject->path);
    }
    return fits;
}

static enum fst_status fits_rule(const struct fst_categories *set, const struct rule *rule,
                                 const struct subject *subject, struct fst_matcher *matcher,
                                 bool *fits, struct fst_error *err)
{
    if (rule->pattern != NULL) {
        return fst_pattern_match(rule->pattern, matcher, subject->text, fits, err);
    }
    *fits = rule->files.count > 0
                ? fits_function(set, rule, subject) && fits_file(set, rule, subject)
                : !subject->script && fits_function(set, rule, subject);
    return FST_OK;
}

static const struct fst_category_verdict no_verdict = {FST_CATEGORY_NONE, FST_CATEGORY_NONE,
                                                       FST_CATEGORY_NONE};

/* Gives category to a place that has none yet. */
static void settle(uint8_t *place, uint8_t category)
{
    if (*place == FST_CATEGORY_NONE) {
        *place = category;
    }
}

static void take_rule(const struct rule *rule, struct fst_category_verdict *verdict)
{
    switch (rule->mode) {
    case ANYWHERE:
        settle(&verdict->leaf, rule->category);
        settle(&verdict->caller, rule->category);
        break;
    case LEAF: settle(&verdict->leaf, rule->category); break;
    case FALLBACK: settle(&verdict->fallback, rule->category); break;
    }
}

/* Whether a rule can still add to the verdict. */
static bool matters(const struct rule *rule, const struct fst_category_verdict *verdict)
{
    switch (rule->mode) {
    case ANYWHERE:
        return verdict->leaf == FST_CATEGORY_NONE || verdict->caller == FST_CATEGORY_NONE;
    case LEAF: return verdict->leaf == FST_CATEGORY_NONE;
    default: return verdict->fallback == FST_CATEGORY_NONE;
    }
}

static enum fst_status ask_rules(const struct fst_categories *set, const struct subject *subject,
                                 struct fst_matcher *matcher, struct fst_category_verdict *out,
                                 struct fst_error *err)
{
    *out = no_verdict;
    for (size_t i = 0; i < set->nrules; i++) {
        bool fits = false;
        if (!matters(&set->rules[i], out)) {
            continue;
        }
        enum fst_status status = fits_rule(set, &set->rules[i], subject, matcher, &fits, err);
        if (status != FST_OK) {
            return status;
        }
        if (fits) {
            take_rule(&set->rules[i], out);
        }
    }
    return FST_OK;
}

enum fst_status fst_categories_judge(const struct fst_categories *categories,
                                     struct fst_matcher *matcher, struct fst_str frame,
                                     const struct fst_frame_parts *parts,
                                     struct fst_category_verdict *out, struct fst_error *err)
{
    if (parts->kind == FST_FRAME_PROCESS || parts->kind == FST_FRAME_THREAD) {
        *out = no_verdict;
        return FST_OK;
    }
    struct subject subject = {.file = {"", 0}};
    struct fst_buf text = {0};
    struct fst_buf file = {0};
    if (parts->kind == FST_FRAME_SPLIT) {
        see_split(&subject, parts, &text, &file);
    } else {
        see_plain(&subject, frame);
    }
    subject.script = is_script(subject.file);
    subject.path = fst_glob_path_of(subject.file);
    subject.method = subject.file.len > 0 ? without_class(subject.function) : subject.function;
    enum fst_status status = text.failed || file.failed
                                 ? fst_error_nomem(err)
                                 : ask_rules(categories, &subject, matcher, out, err);
    fst_buf_release(&text);
    fst_buf_release(&file);
    return status;
}

uint8_t fst_categories_decide(const struct fst_categories *categories,
                              const struct fst_category_verdict *verdicts, const uint32_t *ids,
                              size_t nids)
{
    uint8_t fallback = FST_CATEGORY_NONE;
    for (size_t at = nids; at-- > 0;) {
        const struct fst_category_verdict *verdict = &verdicts[ids[at]];
        uint8_t category = at + 1 == nids ? verdict->leaf : verdict->caller;
        if (category != FST_CATEGORY_NONE) {
            return category;
        }
        settle(&fallback, verdict->fallback);
    }
    return fallback != FST_CATEGORY_NONE ? fallback : categories->other;
}
