/* Every allocation of the library goes through these, so that a test can make the n-th one fail. */
#ifndef FST_BASE_ALLOC_H
#define FST_BASE_ALLOC_H

#include <stddef.h>
#include <string.h>

/* From 2 MiB on it is in huge pages, where the system has some. */
void *fst_alloc(size_t size);
void *fst_alloc_zeroed(size_t count, size_t size);
void *fst_realloc(void *block, size_t size);
void fst_free(void *block);

/* How many elements an array of so many has room for, or will have soon: one that is nearly full counts
 * as doubled already, so that who watches over memory acts before that is taken. */
static inline size_t fst_capacity_soon(size_t capacity, size_t count)
{
    enum { NEAR = 16, NEAR_MOST = 4096 };
    size_t soon = capacity / NEAR < NEAR_MOST ? capacity / NEAR : NEAR_MOST;
    return count + soon > capacity ? 2 * capacity : capacity;
}

/* Grows an array to hold at least need elements of size bytes each, at least doubling; *items and
 * *capacity change only on success. From 1 MiB on it is in huge pages, of which it has all that it
 * takes: one of 1 MiB has the room of 2. Returns 0, or -1 if memory or the
 * address space is short. */
int fst_grow(void **items, size_t *capacity, size_t need, size_t size);

/* The same, and what is new is zero. */
static inline int fst_grow_zeroed(void **items, size_t *capacity, size_t need, size_t size)
{
    size_t before = *capacity;
    if (fst_grow(items, capacity, need, size) != 0) {
        return -1;
    }
    memset((char *)*items + before * size, 0, (*capacity - before) * size);
    return 0;
}

#endif
