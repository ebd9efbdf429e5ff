/* Each reader takes the next input, reads it into a part of its own, and adds the part to the
 * profile when its turn has come: when the inputs before it have been added, or left out. So there
 * are no more parts than readers.
 *
 *     reader 0    read 1    | add 1 | read 3  | add 3
 *     reader 1    read 2 ...        | add 2 | read 4 ...    | add 4
 *
 * A file that several threads can share is read by as many when its turn has come: one such at a
 * time. */
#include "cli/read_many.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/cores.h"
#include "model/crew.h"
#include "model/reader.h"

enum { READERS_MOST = 64 };

struct many {
    const struct fst_cli *cli;
    struct fst_profile *profile;
    char *const *names;
    size_t count;
    unsigned readers;
    unsigned jobs; /* of all readers together */
    struct fst_progress progress;
    pthread_mutex_t lock; /* of the profile, and of what follows: */
    pthread_cond_t turned;
    size_t next;        /* the input that nobody reads yet */
    atomic_size_t turn; /* the input that is filed next */
    atomic_bool stopped;
    size_t failed;
    int code;
};

/* An input that is read. */
struct piece {
    struct many *many;
    size_t number;
    struct fst_source *source;
    struct fst_reader *reader;
    enum fst_status status;
    struct fst_error err;
};

/* Only of the input whose turn it is, so that there is one line, and one thread that writes it. */
static void show_progress(void *ctx, uint64_t done, uint64_t size)
{
    const struct piece *piece = ctx;
    struct many *many = piece->many;
    if (atomic_load(&many->turn) == piece->number) {
        many->progress.file = piece->number + 1;
        fst_progress_update(&many->progress, done, size);
    }
}

static const char *name_of(const struct piece *piece)
{
    return piece->many->names[piece->number];
}

/* Makes the reader of a source that was opened, or not; called with the lock. */
static void begin_piece(struct piece *piece)
{
    struct many *many = piece->many;
    struct fst_error err = {0};
    struct fst_read_options options = many->cli->read;
    options.ticks = many->count == 1 ? many->cli->top.ticks : 0;
    if (many->progress.shown) {
        options.progress = show_progress;
        options.progress_ctx = piece;
    }
    enum fst_status made = fst_reader_new(many->profile, fst_input_label(name_of(piece)), &options,
                                          &piece->reader, &err);
    if (made != FST_OK) {
        piece->status = made;
        piece->err = err;
        return;
    }
    piece->reader->unwanted = &many->stopped;
    piece->reader->part->stacks.most /= many->readers;
}

/* Called with the lock. */
static void wait_for_turn(const struct piece *piece)
{
    struct many *many = piece->many;
    while (atomic_load(&many->turn) != piece->number && !atomic_load(&many->stopped)) {
        (void)pthread_cond_wait(&many->turned, &many->lock);
    }
}

/* How many threads read a piece; waits for its turn where these are all. */
static unsigned share_threads(const struct piece *piece)
{
    struct many *many = piece->many;
    unsigned jobs = fst_crew_size(piece->reader, piece->source);
    if (many->readers == 1) {
        return jobs;
    }
    if (fst_crew_shares(piece->reader, piece->source)) {
        (void)pthread_mutex_lock(&many->lock);
        wait_for_turn(piece);
        (void)pthread_mutex_unlock(&many->lock);
        return jobs;
    }
    unsigned share = many->jobs / many->readers;
    return jobs < share ? jobs : share;
}

/* Reads a source that was opened; with one thread where `alone` says so. */
static void read_piece(struct piece *piece, bool alone)
{
    piece->status = fst_reader_prepare(piece->reader, &piece->source, &piece->err);
    if (piece->status == FST_OK) {
        unsigned jobs = alone ? 1 : share_threads(piece);
        piece->status = fst_reader_read(piece->reader, piece->source, jobs, &piece->err);
    }
}

/* Whether a file's sum goes out of range with those before it, of which its reader knew nothing. */
static bool goes_too_far(const struct piece *piece)
{
    fst_i128 sum;
    return piece->many->readers > 1 && piece->status == FST_OK && piece->source->raw_size > 0 &&
           FST_ADD_OVERFLOWS(piece->many->profile->magnitude, piece->reader->part->magnitude, &sum);
}

/* Reads a file once more, behind those before it, to tell the line. */
static void read_again(struct piece *piece)
{
    fst_reader_free(piece->reader);
    fst_source_free(piece->source);
    piece->reader = NULL;
    piece->source = NULL;
    piece->status = fst_input_open(name_of(piece), &piece->source, &piece->err);
    begin_piece(piece);
    if (piece->status == FST_OK) {
        read_piece(piece, true);
    }
}

/* Adds an input to the profile, or leaves it out; called with the lock, when its turn has come. */
static void file_piece(struct piece *piece)
{
    struct many *many = piece->many;
    if (goes_too_far(piece)) {
        read_again(piece);
    }
    if (piece->reader != NULL) {
        piece->status = fst_reader_file(piece->reader, piece->source, piece->status, &piece->err);
    }
    if (piece->status != FST_OK) {
        fst_progress_clear(&many->progress);
        fst_inputs_report(many->profile, name_of(piece), &piece->err);
        many->code = fst_inputs_leave_out(many->cli, &piece->err, ++many->failed, many->count);
        atomic_store(&many->stopped, many->code != 0);
    }
    (void)atomic_fetch_add(&many->turn, 1);
    (void)pthread_cond_broadcast(&many->turned);
}

/* Reads an input and adds it; called with the lock, which is released meanwhile. */
static void take_piece(struct many *many)
{
    struct piece piece = {.many = many, .number = many->next++};
    (void)pthread_mutex_unlock(&many->lock);
    piece.status = fst_input_open(name_of(&piece), &piece.source, &piece.err);
    (void)pthread_mutex_lock(&many->lock);
    begin_piece(&piece);
    if (piece.status == FST_OK) {
        (void)pthread_mutex_unlock(&many->lock);
        read_piece(&piece, false);
        (void)pthread_mutex_lock(&many->lock);
    }
    wait_for_turn(&piece);
    if (!atomic_load(&many->stopped)) {
        file_piece(&piece);
    }
    fst_reader_free(piece.reader);
    fst_source_free(piece.source);
}

static void *take_pieces(void *ctx)
{
    struct many *many = ctx;
    (void)pthread_mutex_lock(&many->lock);
    while (many->next < many->count && !atomic_load(&many->stopped)) {
        take_piece(many);
    }
    (void)pthread_mutex_unlock(&many->lock);
    return NULL;
}

static void read_beside(struct many *many)
{
    pthread_t threads[READERS_MOST];
    unsigned started = 1; /* this one */
    while (started < many->readers &&
           pthread_create(&threads[started], NULL, take_pieces, many) == 0) {
        started++;
    }
    (void)take_pieces(many);
    for (unsigned i = 1; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

int fst_read_many(const struct fst_cli *cli, struct fst_profile *profile, char *const *names,
                  size_t count)
{
    struct many many = {.cli = cli, .profile = profile, .names = names, .count = count};
    many.jobs = cli->read.jobs > 0 ? cli->read.jobs : fst_cores_by_default();
    many.readers = many.jobs < READERS_MOST ? many.jobs : READERS_MOST;
    many.readers = many.readers < count ? many.readers : (unsigned)count;
    fst_progress_init(&many.progress, count, !cli->quiet);
    (void)pthread_mutex_init(&many.lock, NULL);
    (void)pthread_cond_init(&many.turned, NULL);
    read_beside(&many);
    (void)pthread_cond_destroy(&many.turned);
    (void)pthread_mutex_destroy(&many.lock);
    fst_progress_clear(&many.progress);
    if (many.code == 0) {
        fst_inputs_report_left_out(many.failed, count);
    }
    return many.code;
}
