#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/compat.h"

#ifdef __linux__
#include <sys/mman.h>

enum { HUGE_PAGE = 2 << 20 };

/* Asks for huge pages where a block holds some: a table of many rows is filled once, and most of what
 * that costs is the page faults. The system may refuse; nothing depends on it. */
static void ask_for_huge_pages(void *block, size_t size)
{
    uintptr_t start = ((uintptr_t)block + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)block + size) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (block != NULL && start < end) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): rounded within the block
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
    }
}
#else
static void ask_for_huge_pages(void *block, size_t size)
{
    (void)block;
    (void)size;
}
#endif

void *fst_alloc(size_t size)
{
    return malloc(size);
}

void *fst_alloc_zeroed(size_t count, size_t size)
{
    void *block = calloc(count, size);
    ask_for_huge_pages(block, count * size);
    return block;
}

void *fst_realloc(void *block, size_t size)
{
    void *moved = realloc(block, size);
    ask_for_huge_pages(moved, size);
    return moved;
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
