#include "model/sums.h"

#include "base/alloc.h"

void fst_sums_init(struct fst_sums *sums, uint64_t seed)
{
    *sums = (struct fst_sums){0};
    fst_symtab_init(&sums->names, seed);
}

void fst_sums_release(struct fst_sums *sums)
{
    fst_symtab_release(&sums->names);
    fst_free(sums->totals);
    sums->totals = NULL;
    sums->capacity = 0;
}

bool fst_sums_add(struct fst_sums *sums, struct fst_str name, fst_i128 count)
{
    size_t known = sums->names.count;
    uint32_t id = fst_symtab_intern(&sums->names, name);
    void *totals = sums->totals;
    if (id == FST_ID_NONE ||
        fst_grow(&totals, &sums->capacity, sums->names.count, sizeof *sums->totals) != 0) {
        return false;
    }
    sums->totals = totals;
    sums->totals[id] = (id < known ? sums->totals[id] : 0) + count;
    return true;
}

bool fst_sums_merge(struct fst_sums *into, const struct fst_sums *from)
{
    for (size_t i = 0; i < from->names.count; i++) {
        if (!fst_sums_add(into, fst_symtab_name(&from->names, (uint32_t)i), from->totals[i])) {
            return false;
        }
    }
    return true;
}

fst_i128 fst_sums_of(const struct fst_sums *sums, struct fst_str name)
{
    uint32_t id = fst_symtab_find(&sums->names, name);
    return id == FST_ID_NONE ? 0 : sums->totals[id];
}
