/* Collapsed texts that are sorted, as fst_render_collapsed writes them: read beside each other, in memory
 * of one record each. */
#ifndef FST_MODEL_SORTED_H
#define FST_MODEL_SORTED_H

#include "model/stream.h"

/* Begins to read all of them: *out is a stream of their sum, which belongs to sorted. Errors of the
 * stream: IO, CORRUPT, FORMAT (a text that is not sorted, or has a line that is no stack), RANGE, NOMEM;
 * fst_sorted_failed then names the input. */
enum fst_status fst_sorted_begin(struct fst_sorted *sorted, struct fst_stream **out,
                                 struct fst_error *err);

#endif
