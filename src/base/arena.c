#include "base/arena.h"

#include <stdint.h>

#include "base/alloc.h"
#include "base/compat.h"

/* Blocks double from the first size to a last one; what goes on growing gets huge pages, one a block: most
 * of what filling an arena costs is the page faults. */
enum { FIRST_BLOCK = 4096, LAST_BLOCK = 128 << 10, HUGE_BLOCK = 2 << 20, ALIGNMENT = 8, LINE = 64 };

struct fst_arena_block {
    struct fst_arena_block *older;
    char bytes[]; /* aligned as what malloc returns is, less a pointer */
};

void fst_arena_release(struct fst_arena *arena)
{
    struct fst_arena_block *block = arena->head;
    while (block != NULL) {
        struct fst_arena_block *older = block->older;
        fst_free(block);
        block = older;
    }
    *arena = (struct fst_arena){0};
}

static struct fst_arena_block *add_block(struct fst_arena *arena, size_t size)
{
    size_t bytes;
    if (FST_ADD_OVERFLOWS(size, sizeof(struct fst_arena_block) + FST_ARENA_SLACK, &bytes)) {
        return NULL;
    }
    struct fst_arena_block *block = fst_alloc(bytes);
    if (block == NULL) {
        return NULL;
    }
    block->older = arena->head;
    arena->head = block;
    arena->held += bytes;
    return block;
}

/* A text larger than a block gets one of its own, behind the block being filled. */
static char *place_alone(struct fst_arena *arena, size_t len)
{
    struct fst_arena_block *filling = arena->head;
    struct fst_arena_block *own = add_block(arena, len);
    if (own == NULL) {
        return NULL;
    }
    if (filling != NULL) {
        own->older = filling->older;
        filling->older = own;
        arena->head = filling;
    }
    return own->bytes;
}

/* The size of the next block, which holds so many bytes. */
static size_t size_of_next(const struct fst_arena *arena, size_t len)
{
    size_t size = arena->block_size == 0 ? FIRST_BLOCK : arena->block_size;
    while (size < len) {
        size *= 2;
    }
    bool had_one = arena->held > HUGE_BLOCK;
    if (size > LAST_BLOCK && had_one && arena->held < arena->spares) {
        return LAST_BLOCK;
    }
    return size <= LAST_BLOCK ? size
                              : HUGE_BLOCK - sizeof(struct fst_arena_block) - FST_ARENA_SLACK;
}

static char *place(struct fst_arena *arena, size_t len)
{
    if (len > LAST_BLOCK) {
        return place_alone(arena, len);
    }
    if (arena->next == NULL || len > arena->left) {
        size_t size = size_of_next(arena, len);
        struct fst_arena_block *block = add_block(arena, size);
        if (block == NULL) {
            return NULL;
        }
        arena->next = block->bytes;
        arena->left = size;
        arena->block_size = size * 2;
    }
    char *at = arena->next;
    arena->next += len;
    arena->left -= len;
    return at;
}

/* How many bytes behind `at` something of that size may begin. */
static size_t skip_before(const char *at, size_t size)
{
    size_t skip = -(uintptr_t)at & (ALIGNMENT - 1);
    size_t past = ((uintptr_t)at + skip) & (LINE - 1);
    return size <= LINE && past + size > LINE ? skip + LINE - past : skip;
}

void *fst_arena_alloc(struct fst_arena *arena, size_t size)
{
    size_t room;
    if (FST_ADD_OVERFLOWS(size, LINE + ALIGNMENT, &room)) {
        return NULL;
    }
    size_t skip = arena->next == NULL ? 0 : skip_before(arena->next, size);
    if (arena->next != NULL && skip + size <= LAST_BLOCK && skip + size <= arena->left) {
        room = skip + size;
    }
    char *at = place(arena, room);
    return at == NULL ? NULL : at + skip_before(at, size);
}

struct fst_str fst_arena_copy(struct fst_arena *arena, struct fst_str text)
{
    char *at = place(arena, text.len);
    if (at == NULL) {
        return (struct fst_str){NULL, 0};
    }
    if (text.len > 0) {
        memcpy(at, text.data, text.len);
    }
    return (struct fst_str){at, text.len};
}
