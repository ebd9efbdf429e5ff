#include <math.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/number.h"
#include "render/flame_parts.h"
#include "render/prose.h"

struct fst_str fst_flame_unit(const struct fst_flame *flame)
{
    for (size_t i = 0; i < flame->after.ninputs && flame->after.scope.unit == FST_UNIT_COUNTS;
         i++) {
        const char *counted = flame->after.inputs[i].counted;
        if (counted[0] != '\0') {
            return fst_str_cstr(counted);
        }
    }
    return fst_str_cstr(fst_unit_name(flame->after.scope.unit));
}

static void add_count(struct fst_buf *out, const struct fst_flame *flame, struct fst_count count)
{
    fst_number_grouped(out, fst_count_unpack(count));
    fst_buf_add_char(out, ' ');
    fst_escape_text(out, fst_flame_unit(flame));
}

static void add_names(struct fst_buf *out, const struct fst_flame_side *side)
{
    struct fst_view view = {.inputs = side->inputs, .ninputs = side->ninputs};
    fst_prose_inputs(out, &view, fst_escape_text);
}

void fst_flame_title(struct fst_buf *out, const struct fst_flame_view *view)
{
    const struct fst_flame *flame = view->flame;
    if (view->options->title != NULL) {
        fst_escape_text(out, fst_str_cstr(view->options->title));
    } else if (flame->differential) {
        fst_buf_add_cstr(out, "What changed");
    } else {
        fst_buf_add_cstr(out, flame->after.scope.unit == FST_UNIT_BYTES ? "Where memory goes"
                                                                        : "Where time goes");
    }
    if (view->options->title == NULL && flame->reverse) {
        fst_buf_add_cstr(out, ", from the leaves");
    }
}

/* --- what it is of -------------------------------------------------------------------------------- */

/* " · 99 Hz for 45 s", as far as it is known. */
static void add_recording(struct fst_buf *out, const struct fst_flame_side *side)
{
    if (!isnan(side->rate)) {
        fst_buf_add_cstr(out, " · ");
        fst_number_grouped_double(out, side->rate);
        fst_buf_add_cstr(out, " Hz");
    }
    if (!isnan(side->duration)) {
        fst_buf_add_cstr(out, isnan(side->rate) ? " · " : " for ");
        fst_number_grouped_double(out, side->duration);
        fst_buf_add_cstr(out, " s");
    }
}

static void add_side(struct fst_buf *out, const struct fst_flame *flame,
                     const struct fst_flame_side *side)
{
    add_names(out, side);
    fst_buf_add_cstr(out, " · ");
    if (flame->after.scope.nasked > 0) {
        fst_number_grouped(out, fst_count_unpack(side->scope.total));
        fst_buf_add_cstr(out, " of ");
    }
    add_count(out, flame, flame->after.scope.nasked > 0 ? side->scope.offered : side->scope.total);
    add_recording(out, side);
}

static void add_asked(struct fst_buf *out, const struct fst_flame *flame)
{
    for (size_t i = 0; i < flame->after.scope.nasked; i++) {
        fst_buf_add_fmt(out, "%s--%s", i == 0 ? " · kept by " : ", ",
                        flame->after.scope.asked[i].option);
        if (flame->after.scope.asked[i].value.len > 0) {
            fst_buf_add_char(out, ' ');
            fst_escape_text(out, flame->after.scope.asked[i].value);
        }
    }
}

void fst_flame_about(struct fst_buf *out, const struct fst_flame_view *view)
{
    const struct fst_flame *flame = view->flame;
    if (flame->differential) {
        fst_buf_add_cstr(out, "after: ");
    }
    add_side(out, flame, &flame->after);
    if (flame->differential) {
        fst_buf_add_cstr(out, " · before: ");
        add_side(out, flame, &flame->before);
    }
    add_asked(out, flame);
    if (flame->by != FST_BY_FRAME) {
        fst_buf_add_fmt(out, " · by %s", fst_by_name(flame->by));
    }
}

/* --- what is to be known of it -------------------------------------------------------------------- */

static void add_share(struct fst_buf *out, double share)
{
    fst_buf_add_fmt(out, share > 0 && share < 0.0005 ? "<0.1 %%" : "%.1f %%", share * 100);
}

static void add_narrow(struct fst_buf *out, const struct fst_flame *flame)
{
    const struct fst_flame_left_out *narrow = &flame->narrow;
    if (narrow->frames == 0) {
        fst_buf_add_cstr(out, "Every frame is drawn.");
        return;
    }
    fst_buf_add_cstr(out, "Not drawn: ");
    fst_number_grouped_u64(out, narrow->frames);
    fst_buf_add_fmt(out, " %s narrower than %g of ", narrow->frames == 1 ? "frame" : "frames",
                    flame->min_width);
    fst_number_grouped_double(out, flame->pixels);
    fst_buf_add_cstr(out, " pixels, and what stands on them: ");
    add_share(out, narrow->share);
    fst_buf_add_fmt(out, " of all %.*s.", (int)fst_flame_unit(flame).len,
                    fst_flame_unit(flame).data);
}

static void add_reading(struct fst_buf *out, const struct fst_flame *flame)
{
    if (flame->differential) {
        fst_buf_add_cstr(out, " A frame is as wide as its share after; one that is gone, with a "
                              "broken outline, as its share before, and those below it are that "
                              "much wider.");
    }
    if (flame->differential && flame->tested) {
        fst_buf_add_fmt(out,
                        " Coloured where shares differ beyond noise, at a rate of false findings "
                        "of %g.",
                        flame->fdr);
    }
}

void fst_flame_foot(struct fst_buf *out, const struct fst_flame_view *view)
{
    const struct fst_flame *flame = view->flame;
    add_narrow(out, flame);
    if (flame->below_zero.frames > 0) {
        fst_buf_add_cstr(out, " Counts below zero have no width and are left out: ");
        add_count(out, flame, flame->below_zero.total);
        fst_buf_add_char(out, '.');
    }
    add_reading(out, flame);
    fst_buf_add_fmt(out, " foldstat %s.", fst_version());
}
