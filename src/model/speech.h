/* What a name becomes by the selection: annotations are taken off, then the user's rules rewrite it
 * one after the other, then generated parts get one name. */
#ifndef FST_MODEL_SPEECH_H
#define FST_MODEL_SPEECH_H

#include "model/normalize.h"
#include "model/selection.h"

/* Room for names on their way. Zero-initialised it is ready. */
struct fst_speech {
    struct fst_buf rewritten[2];
    struct fst_buf normalised;
};

void fst_speech_release(struct fst_speech *speech);

/* What name is called; in name, in speech, or static. strip: annotations go, if the selection says
 * so. Errors: USAGE where a pattern took too long, NOMEM. */
enum fst_status fst_speak(const struct fst_selection *selection, struct fst_matcher *matcher,
                          struct fst_str name, enum fst_name_role role, bool strip,
                          struct fst_speech *speech, struct fst_str *out, struct fst_error *err);

#endif
