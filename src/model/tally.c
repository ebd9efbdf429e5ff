#include "model/tally.h"

#include "base/alloc.h"

void fst_tally_init(struct fst_tally *tally, uint64_t seed)
{
    *tally = (struct fst_tally){0};
    fst_symtab_init(&tally->names, seed);
}

void fst_tally_release(struct fst_tally *tally)
{
    fst_symtab_release(&tally->names);
    fst_free(tally->totals);
    tally->totals = NULL;
    tally->capacity = 0;
}

bool fst_tally_add(struct fst_tally *tally, struct fst_str name, fst_i128 count)
{
    size_t known = tally->names.count;
    uint32_t id = fst_symtab_intern(&tally->names, name);
    void *totals = tally->totals;
    if (id == FST_ID_NONE ||
        fst_grow(&totals, &tally->capacity, tally->names.count, sizeof *tally->totals) != 0) {
        return false;
    }
    tally->totals = totals;
    tally->totals[id] = (id < known ? tally->totals[id] : 0) + count;
    return true;
}

bool fst_tally_merge(struct fst_tally *into, const struct fst_tally *from)
{
    for (size_t i = 0; i < from->names.count; i++) {
        if (!fst_tally_add(into, fst_symtab_name(&from->names, (uint32_t)i), from->totals[i])) {
            return false;
        }
    }
    return true;
}

fst_i128 fst_tally_of(const struct fst_tally *tally, struct fst_str name)
{
    uint32_t id = fst_symtab_find(&tally->names, name);
    return id == FST_ID_NONE ? 0 : tally->totals[id];
}
