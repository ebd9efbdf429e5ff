#include "base/alloc.h"

#include <stdlib.h>

#include "base/compat.h"

void *fst_alloc(size_t size)
{
    return malloc(size);
}

void *fst_alloc_zeroed(size_t count, size_t size)
{
    return calloc(count, size);
}

void *fst_realloc(void *block, size_t size)
{
    return realloc(block, size);
}

void fst_free(void *block)
{
    free(block);
}

int fst_grow(void **items, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) {
        return 0;
    }
    size_t target = *capacity < 8 ? 8 : *capacity;
    while (target < need) {
        if (FST_MUL_OVERFLOWS(target, (size_t)2, &target)) {
            return -1;
        }
    }
    size_t bytes;
    if (FST_MUL_OVERFLOWS(target, size, &bytes)) {
        return -1;
    }
    void *grown = fst_realloc(*items, bytes);
    if (grown == NULL) {
        return -1;
    }
    *items = grown;
    *capacity = target;
    return 0;
}
