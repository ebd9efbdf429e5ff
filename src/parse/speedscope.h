/* A sampled speedscope profile (https://www.speedscope.app/file-format-schema.json) to stacks; what
 * py-spy writes with `-f speedscope`.
 *
 * Counts. A profile has a weight for every sample, of which every digit counts. Where the unit is one
 * of time and all weights of each profile are equal, they are the sampling interval, and every sample
 * counts as 1; so py-spy has it. Otherwise, and in foldstat's own files whatever their weights, the
 * weight is the count: in the unit that it names, times as µs.
 *
 * Files that foldstat wrote say in members of their own what the format has no word for: the dialect
 * and the unit of the counts, and frames as they are written, where that is another form.
 *
 * Frames are "name (file:line)", "name (file)" or "name", as py-spy writes them in its raw format,
 * where a line 0 is none.
 *
 * Threads. Where there are several profiles, each one's name becomes a frame that leads its stacks:
 *
 *     Thread 4242 "MainThread"              thread (4242): MainThread
 *     Process 10 Thread 0x7F1C "worker"     process 10:"";thread (0x7F1C): worker
 *     anything else, of the third profile   thread (3): anything else
 *
 * unless the stack has such a frame already (`py-spy record --threads`): process frames that lead
 * it stay before the thread's. */
#ifndef FST_PARSE_SPEEDSCOPE_H
#define FST_PARSE_SPEEDSCOPE_H

#include "parse/parser.h"

struct fst_speedscope;

/* A reader that hands stacks to sink and counts into stats, which must be zeroed and outlive it;
 * to be freed with fst_speedscope_free. Of options dialect and leaf_first matter. */
enum fst_status fst_speedscope_new(struct fst_parser_sink sink,
                                   const struct fst_read_options *options, struct fst_input *stats,
                                   struct fst_speedscope **out, struct fst_error *err);

/* NULL is fine. */
void fst_speedscope_free(struct fst_speedscope *reader);

/* Keeps the next bytes of the file; the end of it takes about ten times their memory. Errors: FORMAT
 * beyond 512 MiB, NOMEM. */
enum fst_status fst_speedscope_feed(struct fst_speedscope *reader, struct fst_str bytes,
                                    struct fst_error *err);

/* Ends the file and hands on its samples, profile by profile in the order of the file; their line
 * is 0. Errors: FORMAT for text that is no JSON (with its line), JSON that is no speedscope
 * profile, evented profiles, profiles of different units, and for whatever has the wrong type or
 * names a frame that is not there (the message names the place); NOMEM; the sink's. */
enum fst_status fst_speedscope_finish(struct fst_speedscope *reader, struct fst_error *err);

#endif
