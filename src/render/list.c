#include "render/list.h"

#include "base/error.h"
#include "base/numeric.h"
#include "io/packer.h"
#include "model/profile.h"
#include "render/render.h"

int64_t fst_list_line(const struct fst_list_frame *frame)
{
    enum { DIGITS_MOST = 15 };
    struct fst_str line = frame->line;
    bool negative = line.len > 0 && line.data[0] == '-';
    int64_t value = 0;
    line = fst_str_skip(line, negative);
    for (size_t i = 0; i < line.len && line.len <= DIGITS_MOST; i++) {
        value = value * 10 + (line.data[i] - '0');
    }
    return negative ? -value : value;
}

/* What the profile's limit leaves beside the list; 0: there is no limit. */
static uint64_t room_beside(const struct fst_list *list, const struct fst_profile *profile)
{
    uint64_t room = fst_profile_room(profile);
    if (profile->options.max_memory == 0) {
        return 0;
    }
    return room > list->memory ? room - list->memory : 1;
}

/* pprof's files are gzip'd. */
static enum fst_status write_pprof(const struct fst_list *list, const struct fst_profile *profile,
                                   fst_write_fn write, void *ctx, struct fst_error *err)
{
    struct fst_packer *packer = NULL;
    struct fst_sink sink;
    enum fst_status status = fst_packer_new(FST_PACK_GZIP, write, ctx, &packer, err);
    if (status != FST_OK) {
        return status;
    }
    fst_sink_init(&sink, fst_packer_write, packer);
    status = fst_list_as_pprof(&sink, list, room_beside(list, profile), err);
    enum fst_status finished = fst_sink_finish(&sink, status == FST_OK ? err : NULL);
    status = status == FST_OK ? finished : status;
    if (status == FST_OK) {
        int failure = fst_packer_finish(packer);
        status = failure == 0 ? FST_OK : fst_error_sys(err, failure, "");
    }
    fst_packer_free(packer);
    return status;
}

static enum fst_status write_json(const struct fst_list *list, const struct fst_profile *profile,
                                  enum fst_target target, fst_write_fn write, void *ctx,
                                  struct fst_error *err)
{
    size_t ninputs;
    const struct fst_input *inputs = fst_profile_inputs(profile, &ninputs);
    struct fst_sink sink;
    fst_sink_init(&sink, write, ctx);
    if (target == FST_TARGET_JSON) {
        fst_list_as_json(&sink, list, inputs, ninputs);
    } else {
        fst_list_as_speedscope(&sink, list);
    }
    return fst_sink_finish(&sink, err);
}

enum fst_status fst_render_list(const struct fst_list *list, const struct fst_profile *profile,
                                enum fst_target target, fst_write_fn write, void *ctx,
                                struct fst_error *err)
{
    struct fst_numeric locale;
    if (target == FST_TARGET_COLLAPSED) {
        return fst_error_set(err, FST_ERR_USAGE,
                             "collapsed text is made of a profile, not of a list");
    }
    if (!fst_numeric_enter(&locale)) {
        return fst_error_nomem(err);
    }
    enum fst_status status = target == FST_TARGET_PPROF
                                 ? write_pprof(list, profile, write, ctx, err)
                                 : write_json(list, profile, target, write, ctx, err);
    fst_numeric_leave(&locale);
    return status;
}
