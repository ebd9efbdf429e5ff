/* Several threads that read one text. */
#ifndef FST_MODEL_CREW_H
#define FST_MODEL_CREW_H

#include "io/source.h"
#include "model/reader.h"

/* How many threads are worth starting for what the source holds: 1 where it is small, or where what
 * was asked for goes line by line. */
unsigned fst_crew_size(const struct fst_reader *reader, const struct fst_source *source);

/* Whether source is a file large enough to be read by several threads, who share its bytes: not
 * one whose reading goes as fast as somebody writes or decompresses it. */
bool fst_crew_shares(const struct fst_reader *reader, const struct fst_source *source);

/* Reads all of source into the reader with so many threads, at least 2, and leaves it as one thread
 * would before fst_parser_finish. A failure is the one that comes first in the text. */
enum fst_status fst_crew_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                              struct fst_error *err);

#endif
