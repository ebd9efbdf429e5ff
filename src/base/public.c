/* The small functions of the public header that need nothing but counts. */
#include "base/count.h"

const char *fst_version(void)
{
    return FST_VERSION;
}

double fst_count_value(struct fst_count count)
{
    return fst_count_to_double(fst_count_unpack(count));
}

size_t fst_count_text(struct fst_count count, char out[48])
{
    return fst_count_format(fst_count_unpack(count), out);
}
