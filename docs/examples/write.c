/* Renders into the caller's own buffer by a write function, and stops the rendering where it is full.
 *
 *     $ write fixtures/dflash/gil.raw
 *     csv: 67 lines
 *     json in 100 bytes: No space left on device */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <foldstat.h>

struct room {
    char bytes[16384];
    size_t most; /* as many of them as may be used */
    size_t len;
};

/* 0 for what was taken; an errno value ends the rendering and comes back in struct fst_error. */
static int take(void *ctx, const char *bytes, size_t len)
{
    struct room *room = ctx;
    if (len > room->most - room->len) {
        return ENOSPC;
    }
    memcpy(room->bytes + room->len, bytes, len);
    room->len += len;
    return 0;
}

static size_t count_lines(const struct room *room)
{
    size_t lines = 0;
    for (size_t i = 0; i < room->len; i++) {
        lines += room->bytes[i] == '\n';
    }
    return lines;
}

static void render(const struct fst_top *top, const struct fst_profile *profile)
{
    const struct fst_render_options options = {0};
    struct room room = {.most = sizeof room.bytes};
    struct fst_error err;
    if (fst_render_top(top, profile, FST_FORMAT_CSV, &options, take, &room, &err) == FST_OK) {
        printf("csv: %zu lines\n", count_lines(&room));
    }
    room.len = 0;
    room.most = 100;
    if (fst_render_top(top, profile, FST_FORMAT_JSON, &options, take, &room, &err) == FST_ERR_IO) {
        printf("json in 100 bytes: %s\n", strerror(err.sys_errno));
    }
}

int main(int argc, char **argv)
{
    const struct fst_profile_options options = {0};
    const struct fst_read_options read = {0};
    const struct fst_top_options rows = {0};
    struct fst_profile *profile = NULL;
    struct fst_top *top = NULL;
    struct fst_error err;

    if (argc != 2) {
        fprintf(stderr, "usage: write PROFILE\n");
        return 2;
    }
    enum fst_status status = fst_profile_new(&options, &profile, &err);
    if (status == FST_OK) {
        status = fst_profile_read_path(profile, argv[1], &read, &err);
    }
    if (status == FST_OK) {
        status = fst_top_new(profile, &rows, &top, &err);
    }
    if (status == FST_OK) {
        render(top, profile);
    } else {
        fprintf(stderr, "write: %s: %s\n", argv[1], err.message);
    }
    fst_top_free(top);
    fst_profile_free(profile);
    return status == FST_OK ? 0 : 1;
}
