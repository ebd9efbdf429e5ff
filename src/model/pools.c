#include "model/pools.h"

#include "base/alloc.h"

/* The blank before the bracket that ends label; NULL if there is none. */
static const char *last_bracket(struct fst_str label)
{
    for (size_t at = label.len; at > 1; at--) {
        if (label.data[at - 1] == '(' && label.data[at - 2] == ' ') {
            return label.data + at - 2;
        }
    }
    return NULL;
}

struct fst_str fst_pool_name(struct fst_str label, struct fst_buf *out)
{
    /* "target-3", perhaps with " (function)" or " tid=*]" behind it */
    fst_buf_clear(out);
    size_t end = label.len;
    const char *bracket = NULL;
    if (fst_str_ends(label, FST_STR(" tid=*]"))) {
        end -= 7;
    } else if (label.len > 0 && label.data[label.len - 1] == ')' &&
               (bracket = last_bracket(label)) != NULL) {
        end = (size_t)(bracket - label.data);
    }
    size_t start = end;
    while (start > 0 && fst_is_digit(label.data[start - 1])) {
        start--;
    }
    bool member = start < end && start > 1 &&
                  (label.data[start - 1] == '-' || label.data[start - 1] == '_') &&
                  !fst_is_blank(label.data[start - 2]);
    if (!member) {
        return fst_str_of("", 0);
    }
    fst_buf_add(out, label.data, start);
    fst_buf_add_char(out, '*');
    fst_buf_add(out, label.data + end, label.len - end);
    return fst_buf_str(out);
}

void fst_pools_init(struct fst_pools *pools, uint64_t seed)
{
    *pools = (struct fst_pools){0};
    fst_symtab_init(&pools->labels, seed);
    fst_symtab_init(&pools->names, seed);
}

void fst_pools_release(struct fst_pools *pools)
{
    fst_symtab_release(&pools->labels);
    fst_symtab_release(&pools->names);
    fst_free(pools->sizes);
    *pools = (struct fst_pools){0};
}

/* The size of the pool of that name, which may be new. */
static uint32_t *size_of(struct fst_pools *pools, struct fst_str name)
{
    size_t known = pools->names.count;
    uint32_t id = fst_symtab_intern(&pools->names, name);
    void *sizes = pools->sizes;
    if (id == FST_ID_NONE ||
        fst_grow(&sizes, &pools->capacity, pools->names.count, sizeof *pools->sizes) != 0) {
        return NULL;
    }
    pools->sizes = sizes;
    if (pools->names.count > known) {
        pools->sizes[id] = 0;
    }
    return &pools->sizes[id];
}

bool fst_pools_add_member(struct fst_pools *pools, struct fst_str name, struct fst_str member)
{
    size_t known = pools->labels.count;
    uint32_t id = fst_symtab_intern(&pools->labels, member);
    uint32_t *size = id == FST_ID_NONE ? NULL : size_of(pools, name);
    if (size != NULL && pools->labels.count > known) {
        (*size)++;
    }
    return size != NULL;
}

bool fst_pools_add(struct fst_pools *pools, struct fst_str label)
{
    struct fst_buf scratch = {0};
    struct fst_str name = fst_pool_name(label, &scratch);
    bool good = !scratch.failed && (name.len == 0 || fst_pools_add_member(pools, name, label));
    fst_buf_release(&scratch);
    return good;
}

bool fst_pools_has(const struct fst_pools *pools, struct fst_str name)
{
    uint32_t id = fst_symtab_find(&pools->names, name);
    return id != FST_ID_NONE && pools->sizes[id] >= FST_POOL_MEMBERS;
}

struct fst_str fst_pools_fold(const struct fst_pools *pools, struct fst_str label,
                              struct fst_buf *out)
{
    struct fst_str name = fst_pool_name(label, out);
    return name.len > 0 && fst_pools_has(pools, name) ? name : label;
}
