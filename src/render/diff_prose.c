#include <math.h>

#include "base/count.h"
#include "base/number.h"
#include "render/diff_parts.h"

/* --- recordings ------------------------------------------------------------------------------- */

/* The input of a recording, as a view of its own; its name and dialect are all that is told of it. */
static struct fst_view view_of(const struct fst_profile *profile)
{
    struct fst_view view = {0};
    view.inputs = fst_profile_inputs(profile, &view.ninputs);
    return view;
}

static void add_recordings(struct fst_buf *out, const struct fst_diff_side *side, fst_name_fn name)
{
    enum { NAMES_AT_MOST = 3 };
    if (side->nrecordings > NAMES_AT_MOST) {
        fst_buf_add_fmt(out, "%zu recordings, from ", side->nrecordings);
    }
    for (size_t i = 0; i < side->nrecordings; i++) {
        bool shown = side->nrecordings <= NAMES_AT_MOST || i == 0 || i + 1 == side->nrecordings;
        if (shown) {
            struct fst_view view = view_of(side->recordings[i]);
            fst_buf_add_cstr(out, i == 0 ? "" : side->nrecordings <= NAMES_AT_MOST ? ", " : " to ");
            name(out, view.ninputs > 0 ? view.inputs[0].name : (struct fst_str){"", 0});
        }
    }
}

/* Each dialect once. */
static void add_dialects(struct fst_buf *out, const struct fst_diff_side *side)
{
    for (size_t i = 0; i < side->nrecordings; i++) {
        struct fst_view view = view_of(side->recordings[i]);
        bool seen = view.ninputs == 0;
        for (size_t k = 0; k < i && !seen; k++) {
            struct fst_view other = view_of(side->recordings[k]);
            seen = other.ninputs > 0 && other.inputs[0].dialect == view.inputs[0].dialect;
        }
        if (!seen) {
            fst_buf_add_fmt(out, " · %s", fst_dialect_name(view.inputs[0].dialect));
        }
    }
}

static enum fst_unit unit_of(const struct fst_diff_side *side)
{
    struct fst_view view = view_of(side->recordings[0]);
    return view.ninputs > 0 ? view.inputs[0].unit : FST_UNIT_SAMPLES;
}

/* "178 samples", "5 units". */
static void add_unit(struct fst_buf *out, const struct fst_diff_side *side, struct fst_count total)
{
    fst_i128 sum = fst_count_unpack(total);
    bool sampled = side->counting != FST_COUNTING_NONE;
    fst_number_grouped(out, sum);
    if (unit_of(side) != FST_UNIT_SAMPLES) {
        fst_buf_add_fmt(out, " %s", fst_unit_name(unit_of(side)));
    } else if (sampled) {
        fst_buf_add_cstr(out, sum == FST_COUNT_ONE ? " sample" : " samples");
    } else {
        fst_buf_add_cstr(out, " units");
    }
}

/* What shares are of, where counts are not samples but so many periods each. */
static void add_periods(struct fst_buf *out, const struct fst_diff_side *side)
{
    if (side->counting == FST_COUNTING_PERIODS && !isnan(side->samples)) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_double(out, side->samples);
        fst_buf_add_cstr(out, side->samples == 1 ? " period" : " periods");
    }
}

void fst_diff_prose_side(struct fst_buf *out, const struct fst_diff *diff,
                         const struct fst_diff_side *side, fst_name_fn name)
{
    add_recordings(out, side, name);
    add_dialects(out, side);
    fst_buf_add_cstr(out, " · ");
    if (diff->nasked > 0) {
        fst_number_grouped(out, fst_count_unpack(side->total));
        fst_buf_add_cstr(out, " of ");
        add_unit(out, side, side->offered);
        fst_buf_add_cstr(out, " kept");
    } else {
        add_unit(out, side, side->total);
    }
    add_periods(out, side);
    if (!isnan(side->ticks)) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_double(out, floor(side->ticks + 0.5));
        fst_buf_add_cstr(out, " ticks");
    }
}

/* --- method ----------------------------------------------------------------------------------- */

static const char *basis_text(const struct fst_diff *diff)
{
    static const char *const single[] = {"shares of each side's samples, differences in points",
                                         "mean numbers of threads (samples a tick)",
                                         "counts as they are"};
    static const char *const several[] = {"shares, means over recordings, differences in points",
                                          "mean numbers of threads, means over recordings",
                                          "counts, means over recordings"};
    bool one = diff->before.nrecordings == 1 && diff->after.nrecordings == 1;
    return (one ? single : several)[diff->basis];
}

static const char *test_text(enum fst_diff_test test)
{
    static const char *const texts[] = {
        [FST_TEST_NONE] = "no test: counts are no samples",
        [FST_TEST_PROPORTIONS] = "two-proportion tests",
        [FST_TEST_RATES] = "tests of two rates",
        [FST_TEST_DISPERSION] = "t-tests by the spread between recordings (approximate)",
        [FST_TEST_PERMUTATION] = "permutation of recordings (max-|t|)",
    };
    return texts[test];
}

/* How rows together are judged, and what that assumes. */
static void add_judgement(struct fst_buf *out, const struct fst_diff *diff)
{
    bool permuted = diff->test == FST_TEST_PERMUTATION;
    bool two = diff->test == FST_TEST_PROPORTIONS || diff->test == FST_TEST_RATES;
    fst_buf_add_fmt(out,
                    permuted ? ", chance of any false finding at most %g %%"
                             : ", false discovery rate %g %%",
                    diff->fdr * 100);
    if (two && (isnan(diff->before.ticks) || isnan(diff->after.ticks))) {
        if (diff->design_effect == 1) {
            fst_buf_add_cstr(out, " · assumes independent samples");
        } else {
            fst_buf_add_fmt(out, " · design effect %g", diff->design_effect);
        }
    }
}

static void add_asked(struct fst_buf *out, const struct fst_diff *diff, fst_name_fn name)
{
    for (size_t i = 0; i < diff->nasked; i++) {
        fst_buf_add_fmt(out, "%s--%s", i == 0 ? " · kept by " : ", ", diff->asked[i].option);
        if (diff->asked[i].value.len > 0) {
            fst_buf_add_char(out, ' ');
            name(out, diff->asked[i].value);
        }
    }
    if (diff->nasked > 0) {
        fst_buf_add_cstr(out, diff->percent_of == FST_OF_ALL ? " · shares of all"
                                                             : " · shares of the kept");
    }
}

void fst_diff_prose_method(struct fst_buf *out, const struct fst_diff *diff, fst_name_fn name)
{
    fst_buf_add_cstr(out, basis_text(diff));
    add_asked(out, diff, name);
    fst_buf_add_cstr(out, " · ");
    bool empty =
        fst_count_unpack(diff->before.total) == 0 || fst_count_unpack(diff->after.total) == 0;
    if (diff->test == FST_TEST_NONE && empty) {
        fst_buf_add_cstr(out, "no test: a recording has no samples");
    } else {
        fst_buf_add_cstr(out, test_text(diff->test));
    }
    if (diff->test != FST_TEST_NONE) {
        add_judgement(out, diff);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

static void add_counted(struct fst_buf *out, size_t n, const char *one, const char *many)
{
    fst_number_grouped_u64(out, n);
    fst_buf_add_fmt(out, " %s", n == 1 ? one : many);
}

void fst_diff_prose_rows(struct fst_buf *out, const struct fst_diff *diff)
{
    fst_number_grouped_u64(out, diff->count);
    fst_buf_add_cstr(out, " of ");
    add_counted(out, diff->of, "row.", "rows.");
    if (diff->test == FST_TEST_NONE || diff->tested == 0) {
        return;
    }
    if (diff->significant == 0) {
        fst_buf_add_cstr(out, " Nothing changed beyond noise (~).");
    } else {
        fst_buf_add_char(out, ' ');
        add_counted(out, diff->significant, "row", "rows");
        bool all = diff->significant == diff->tested;
        fst_buf_add_cstr(out, all ? " changed beyond noise (*)."
                                  : " changed beyond noise (*); the others are within it (~).");
    }
    if (diff->test == FST_TEST_PROPORTIONS || diff->test == FST_TEST_RATES) {
        fst_buf_add_cstr(out,
                         " One recording a side does not show how much changes from run to run: "
                         "BEFORE... --vs AFTER... with several does.");
    }
}
