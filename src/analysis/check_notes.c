/* What a careful colleague would say of budgets, and of what a verdict rests on. */
#include "analysis/check_parts.h"
#include "analysis/kept.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"

/* Adds a sentence, and empties it. */
static void flush(struct fst_check_work *check, struct fst_buf *sentence)
{
    fst_notes_add(&check->notes, fst_buf_str(sentence));
    check->notes.failed = check->notes.failed || sentence->failed;
    fst_buf_clear(sentence);
}

/* --- budgets for nothing ---------------------------------------------------------------------- */

/* Looks through the rows that are there for one that a budget is for; names go to nearest. */
static enum fst_status look_for(struct fst_check_work *check, size_t budget,
                                struct fst_nearest *nearest, struct fst_error *err)
{
    enum fst_status status = FST_OK;
    const struct fst_diff_work *diff = check->diff;
    fst_nearest_init(nearest, check->options.budgets[budget].pattern);
    for (size_t i = 0; status == FST_OK && !check->met[budget] && i < diff->joined.nrows; i++) {
        if (fst_diff_is_there(diff, FST_ON_TOTAL, i)) {
            struct fst_str name = fst_diff_name(diff, i);
            status = fst_pattern_match(check->patterns[budget], &check->matcher, name,
                                       &check->met[budget], err);
            fst_nearest_offer(nearest, name);
        }
    }
    return status;
}

/* "--max-self: no row matches …", "budget.txt:3: no row matches …" */
static void say_unmet(struct fst_check_work *check, const struct fst_budget *budget,
                      const struct fst_nearest *nearest, struct fst_buf *sentence)
{
    if (budget->file == NULL) {
        fst_buf_add_fmt(sentence, "--%s: ", fst_budget_name(budget->kind));
    } else {
        fst_escape_text(sentence, fst_str_cstr(budget->file));
        fst_buf_add_fmt(sentence, ":%llu: ", (unsigned long long)budget->line);
    }
    fst_kept_describe(sentence, "row", budget->pattern, nearest);
    flush(check, sentence);
}

static enum fst_status on_budgets(struct fst_check_work *check, struct fst_buf *sentence,
                                  struct fst_error *err)
{
    enum { SHOWN = 3 };
    enum fst_status status = FST_OK;
    size_t unmet = 0;
    for (size_t i = 0; status == FST_OK && i < check->options.nbudgets; i++) {
        struct fst_nearest nearest;
        if (check->patterns[i] == NULL || check->met[i]) {
            continue;
        }
        status = look_for(check, i, &nearest, err);
        if (status == FST_OK && !check->met[i] && unmet++ < SHOWN) {
            say_unmet(check, &check->options.budgets[i], &nearest, sentence);
        }
    }
    if (unmet > SHOWN) {
        fst_number_grouped_u64(sentence, unmet - SHOWN);
        fst_buf_add_cstr(sentence, unmet - SHOWN == 1 ? " more budget matches no row"
                                                      : " more budgets match no row");
        flush(check, sentence);
    }
    return status;
}

/* --- verdicts --------------------------------------------------------------------------------- */

/* Rows that are above their budget and pass all the same. */
static void on_above(struct fst_check_work *check, struct fst_buf *sentence)
{
    size_t above = 0;
    for (size_t i = 0; i < check->base.of; i++) {
        const struct fst_check_row *row = &check->base.rows[i];
        above += row->value > row->budget && !row->over && !row->undecided;
    }
    if (above > 0) {
        fst_number_grouped_u64(sentence, above);
        fst_buf_add_cstr(sentence, above == 1 ? " row that is ok is above its budget, but not "
                                                "beyond noise among so many rows"
                                              : " rows that are ok are above their budgets, but "
                                                "not beyond noise among so many rows");
        flush(check, sentence);
    }
}

static void on_one_recording(struct fst_check_work *check, struct fst_buf *sentence)
{
    if (check->base.diff->test == FST_TEST_PROPORTIONS) {
        fst_buf_add_cstr(sentence,
                         "one recording a side does not show what changes from run to run by "
                         "itself, which may be more than a budget; several do: BASE... --vs "
                         "NEW...");
        flush(check, sentence);
    }
}

enum fst_status fst_check_say(struct fst_check_work *check, struct fst_error *err)
{
    struct fst_buf sentence = {0};
    enum fst_status status = on_budgets(check, &sentence, err);
    if (status == FST_OK) {
        on_above(check, &sentence);
        on_one_recording(check, &sentence);
    }
    fst_buf_release(&sentence);
    check->base.notes = check->notes.items;
    check->base.nnotes = check->notes.count;
    return status == FST_OK && check->notes.failed ? fst_error_nomem(err) : status;
}
