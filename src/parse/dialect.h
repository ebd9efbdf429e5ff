/* Which profiler wrote a text, told from its first lines.
 *
 * Every dialect is a row of one table and bids on what the sniffer counted; the highest bid wins,
 * the earlier row among equals. The result changes how frames are read, never the totals. */
#ifndef FST_PARSE_DIALECT_H
#define FST_PARSE_DIALECT_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/record.h"

/* How far the sniffer looks: whichever comes first. */
enum { FST_SNIFF_LINES = 1000, FST_SNIFF_BYTES = 4 * 1024 * 1024 };

/* What the first lines hold. */
struct fst_sniff {
    uint64_t stacks;
    uint64_t empty_stacks;  /* "[no Python frames]" */
    uint64_t led_stacks;    /* begin with a process or thread frame */
    uint64_t frames;        /* but process, thread and stand-in frames */
    uint64_t file_frames;   /* of them: name a file */
    uint64_t python_frames; /* of them: name a Python file */
    uint64_t leaf_first;    /* stacks that look written leaf first */
    uint64_t root_first;    /* stacks that look written root first */
};

/* How the frames of a text are to be read. */
struct fst_grammar {
    enum fst_dialect dialect;
    bool split_files;      /* frames are "function (file:line)" */
    bool looks_leaf_first; /* more stacks look leaf first than root first */
};

/* Counts one stack. */
void fst_sniff_take(struct fst_sniff *sniff, const struct fst_str *frames, size_t nframes);

/* Decides; asked overrides the bids unless it is FST_DIALECT_AUTO. */
struct fst_grammar fst_dialect_tell(const struct fst_sniff *sniff, enum fst_dialect asked);

/* Finds a dialect by name ("auto" too); false if there is none. */
bool fst_dialect_find(const char *name, enum fst_dialect *out);

#endif
