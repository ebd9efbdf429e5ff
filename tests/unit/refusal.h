/* Allocations that can be refused, one after another. The linker puts the functions below in the
 * place of those of base/alloc.h (see the CMakeLists.txt of the tests), so that only programs that
 * are linked so may include this. */
#ifndef FST_TESTS_REFUSAL_H
#define FST_TESTS_REFUSAL_H

#include "base/alloc.h"

static struct {
    bool armed;
    bool for_good;     /* all later ones are refused too */
    size_t refused_at; /* the number of the first one that is refused */
    size_t seen;       /* since it was armed */
} trap;

static bool is_refused(void)
{
    if (!trap.armed) {
        return false;
    }
    size_t number = trap.seen++;
    return number == trap.refused_at || (trap.for_good && number > trap.refused_at);
}

void *__real_fst_alloc(size_t size);
void *__real_fst_alloc_zeroed(size_t count, size_t size);
void *__real_fst_realloc(void *block, size_t size);
int __real_fst_grow(void **items, size_t *capacity, size_t need, size_t size);
void *__wrap_fst_alloc(size_t size);
void *__wrap_fst_alloc_zeroed(size_t count, size_t size);
void *__wrap_fst_realloc(void *block, size_t size);
int __wrap_fst_grow(void **items, size_t *capacity, size_t need, size_t size);

void *__wrap_fst_alloc(size_t size)
{
    return is_refused() ? NULL : __real_fst_alloc(size);
}

void *__wrap_fst_alloc_zeroed(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_fst_alloc_zeroed(count, size);
}

void *__wrap_fst_realloc(void *block, size_t size)
{
    return is_refused() ? NULL : __real_fst_realloc(block, size);
}

/* It reallocates out of the linker's sight. */
int __wrap_fst_grow(void **items, size_t *capacity, size_t need, size_t size)
{
    return need > *capacity && is_refused() ? -1 : __real_fst_grow(items, capacity, need, size);
}

#endif
