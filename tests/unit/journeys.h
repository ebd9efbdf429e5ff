/* Ways that are gone again and again, each time with another allocation refused. Include unit/helpers.h
 * first. */
#ifndef FST_TESTS_JOURNEYS_H
#define FST_TESTS_JOURNEYS_H

#include "unit/refusal.h"

/* Goes one way, digests what it finds, and leaves nothing behind. */
typedef enum fst_status journey_fn(uint64_t *digest, struct fst_error *err);

/* Refuses the first, the second, … allocation of a way until there are no more: it must say that memory is
 * short, or arrive where it arrives undisturbed. Returns how many there are. */
static size_t refuse_each(journey_fn *go, bool for_good)
{
    uint64_t undisturbed = 0;
    enum fst_status wanted = go(&undisturbed, NULL);
    assert_int_not_equal(wanted, FST_ERR_NOMEM);
    for (size_t n = 0;; n++) {
        trap.for_good = for_good;
        trap.refused_at = n;
        trap.seen = 0;
        trap.armed = true;
        uint64_t digest = 0;
        struct fst_error err = {0};
        enum fst_status status = go(&digest, &err);
        trap.armed = false;
        assert_int_equal(err.code, status);
        if (trap.seen <= n) {
            return n;
        }
        REQUIRE(status == FST_ERR_NOMEM || (status == wanted && digest == undisturbed),
                "allocation %zu: status %d", n, (int)status);
    }
}

#endif
