/* A reader from the inside: for those who read an input together. */
#ifndef FST_MODEL_READER_H
#define FST_MODEL_READER_H

#include <stdatomic.h>

#include "io/source.h"
#include "model/profile.h"
#include "parse/parser.h"
#include "parse/speedscope.h"
#include "parse/svg.h"

struct fst_reader {
    struct fst_profile *into;
    struct fst_profile *part;
    struct fst_parser parser;
    struct fst_svg *svg;               /* instead of the parser, where the input is one */
    struct fst_speedscope *speedscope; /* likewise */
    struct fst_input input;
    struct fst_read_options options;
    struct fst_partial told; /* of the text, where that is a partial sum: */
    bool is_partial;
    struct fst_arena texts;      /* the input's name */
    const atomic_bool *unwanted; /* what is read will not be filed; NULL: it will */
    struct fst_error failure;    /* of a feed; FST_OK: none */
};

/* Whether reading may stop short, as nobody will look at what was read. */
static inline bool fst_reader_is_unwanted(const struct fst_reader *reader)
{
    return reader->unwanted != NULL && atomic_load(reader->unwanted);
}

/* Where the parser of a reader puts what it reads: into part. */
struct fst_parser_sink fst_reader_sink(struct fst_reader *reader);

/* How much of a text is fed at once: it stays in the core's cache. */
enum { FST_PIECE = 256 * 1024 };

/* How much is to be appended to a buffer to fill it with a piece; false without memory for that,
 * and for what fst_reader_feed_lines asks for. */
bool fst_reader_reserve(struct fst_buf *buffer, size_t *room);

/* Feeds a text up to the last newline in buffer, and moves the rest to its start, to be fed with
 * what is appended to it: no line is fed in two parts unless a piece is too short for it. */
enum fst_status fst_reader_feed_lines(struct fst_reader *reader, struct fst_buf *buffer,
                                      struct fst_error *err);

/* Reading an input in steps, of which the first and the second touch nothing but the reader and
 * its source, so that several inputs can be read beside each other. First: finds out what the
 * source holds, which may put a decoder before it. */
enum fst_status fst_reader_prepare(struct fst_reader *reader, struct fst_source **source,
                                   struct fst_error *err);

/* Second: reads all of it, with so many threads. */
enum fst_status fst_reader_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                                struct fst_error *err);

/* Third: files the input's record, and its samples if status, of what came before (err has its
 * message), is FST_OK. source may be NULL where it could not be opened. Returns the status of
 * all. */
enum fst_status fst_reader_file(struct fst_reader *reader, const struct fst_source *source,
                                enum fst_status status, struct fst_error *err);

/* Reads what the text says of itself, if it is a partial sum; at its end. Errors: FORMAT, USAGE,
 * NOMEM. */
enum fst_status fst_reader_tell_partial(struct fst_reader *reader, struct fst_error *err);

/* Adds it, or what the input is to a partial sum that is asked for, to the receiver's. Errors:
 * as of fst_profile_merge_partial. */
enum fst_status fst_reader_take_partial(struct fst_reader *reader, struct fst_error *err);

#endif
