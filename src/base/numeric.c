#include "base/numeric.h"

bool fst_numeric_enter(struct fst_numeric *locale)
{
    locale->c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (locale->c == (locale_t)0) {
        return false;
    }
    locale->before = uselocale(locale->c);
    return true;
}

void fst_numeric_leave(const struct fst_numeric *locale)
{
    (void)uselocale(locale->before);
    freelocale(locale->c);
}
