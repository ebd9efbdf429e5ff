/* Lists of stacks in the forms of other programs: one function a form, in a file of its own. */
#ifndef FST_RENDER_LIST_H
#define FST_RENDER_LIST_H

#include "io/sink.h"

void fst_list_as_json(struct fst_sink *sink, const struct fst_list *list,
                      const struct fst_input *inputs, size_t ninputs);
void fst_list_as_speedscope(struct fst_sink *sink, const struct fst_list *list);

/* The line of a frame, which may be negative; 0 where it is not known, or has more than 15 digits. */
int64_t fst_list_line(const struct fst_list_frame *frame);

/* Protobuf, not compressed. room: bytes that its tables of names may take; 0: as many as there are. Errors:
 * RANGE where a count does not fit 64 bits; NOMEM, also beyond room. */
enum fst_status fst_list_as_pprof(struct fst_sink *sink, const struct fst_list *list, uint64_t room,
                                  struct fst_error *err);

#endif
