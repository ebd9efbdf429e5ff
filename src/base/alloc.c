#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/compat.h"

enum { HUGE_PAGE = 2 << 20 };

#ifdef __linux__
#include <sys/mman.h>

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

/* Large blocks are whole huge pages: what is not touched of them costs nothing. */
void *fst_alloc(size_t size)
{
    if (size < HUGE_PAGE || size > SIZE_MAX - HUGE_PAGE) {
        return malloc(size);
    }
    size_t whole = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    void *block = aligned_alloc(HUGE_PAGE, whole);
    ask_for_huge_pages(block, whole);
    return block;
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

/* Moves what is large, and will be larger, into huge pages: to copy it costs less than the page faults of
 * what realloc gives. */
static void *move(void *block, size_t used, size_t size)
{
    void *moved = fst_alloc(size);
    if (moved != NULL && used > 0) {
        memcpy(moved, block, used);
    }
    if (moved != NULL) {
        free(block);
    }
    return moved;
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
    if (bytes >= HUGE_PAGE / 2 && bytes < HUGE_PAGE) {
        bytes = HUGE_PAGE;
        target = bytes / size;
    }
    void *grown =
        bytes >= HUGE_PAGE ? move(*items, *capacity * size, bytes) : fst_realloc(*items, bytes);
    if (grown == NULL) {
        return -1;
    }
    *items = grown;
    *capacity = target;
    return 0;
}
