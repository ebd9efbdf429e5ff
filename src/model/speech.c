#include "model/speech.h"

#include "base/error.h"
#include "model/module.h"
#include "parse/record.h"

void fst_speech_release(struct fst_speech *speech)
{
    fst_buf_release(&speech->rewritten[0]);
    fst_buf_release(&speech->rewritten[1]);
    fst_buf_release(&speech->normalised);
}

enum fst_status fst_speak(const struct fst_selection *selection, struct fst_matcher *matcher,
                          struct fst_str name, enum fst_name_role role, bool strip,
                          struct fst_speech *speech, struct fst_str *out, struct fst_error *err)
{
    *out = strip && selection->strip_annotations ? fst_strip_annotations(name) : name;
    for (size_t i = 0; i < selection->nrewrites; i++) {
        struct fst_str before = *out;
        bool in_first = before.data == speech->rewritten[0].data;
        enum fst_status status = fst_rewrite_apply(selection->rewrites[i], matcher, before,
                                                   &speech->rewritten[in_first], out, err);
        if (status != FST_OK) {
            return status;
        }
    }
    if (selection->normalize) {
        *out = fst_normalize(*out, role, &speech->normalised);
    }
    if (out->len == 0 && name.len > 0) {
        *out = FST_FRAME_EMPTY;
    }
    return speech->normalised.failed ? fst_error_nomem(err) : FST_OK;
}
