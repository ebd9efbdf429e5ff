/* Memory for strings that live as long as their table: bytes are copied into large blocks and
 * freed all at once. Pointers stay valid until fst_arena_release. */
#ifndef FST_BASE_ARENA_H
#define FST_BASE_ARENA_H

#include "base/str.h"

/* So many bytes behind each piece may be read, whatever they are. */
enum { FST_ARENA_SLACK = 64 };

struct fst_arena_block;

struct fst_arena {
    struct fst_arena_block *head; /* the block being filled, linked to the full ones */
    char *next;                   /* the first free byte of head */
    size_t left;                  /* free bytes of head */
    size_t block_size;            /* size of the next block; doubles up to 128 KiB; then 2 MiB */
    size_t held;                  /* bytes of all blocks */
    size_t spares; /* before it holds so many, no block but the first large one is 2 MiB: the last
                      one is half empty */
};

void fst_arena_release(struct fst_arena *arena);

/* Room for size bytes at a multiple of 8 and, where that can be, within one cache line of 64 bytes;
 * NULL where memory is short. */
void *fst_arena_alloc(struct fst_arena *arena, size_t size);

/* A copy of text that the arena owns; data is NULL where memory is short. An empty text gives a
 * non-NULL pointer with length 0. */
struct fst_str fst_arena_copy(struct fst_arena *arena, struct fst_str text);

#endif
