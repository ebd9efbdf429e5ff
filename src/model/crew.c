/* The first reader tells the dialect by the start of the text. Then blocks are taken, by one worker
 * at a time, and read, by all of them beside each other:
 *
 *     worker 0   take 1 | take 2 | take 3 | take 4 | take 5 | ...
 *     worker 1          | read 1 .| read 2 .| read 3 .| ...
 *
 * Whoever takes goes on with that while there is a place for a block to wait in, and then reads one
 * too, so that it seldom sleeps. To be woken takes long, and so does waking: for blocks of a stream
 * it is done when several wait. Whoever leaves wakes all, as nobody else may be left to do it.
 *
 * Taking a block of a stream is to read, or decompress, it: so a decoder runs beside the parsers
 * without a thread of its own. Each worker counts into tables of its own; what is ordered by the
 * text is numbered by block and place in it, so that the sum of the tables does not depend on who
 * read what. They are joined by pairs, beside each other:
 *
 *     0 <- 1    2 <- 3    4 <- 5    6
 *     0 <- 2              4 <- 6
 *     0 <- 4 */
#include "model/crew.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/cores.h"
#include "model/blocks.h"
#include "model/names.h"

enum {
    WAITING_MOST = 8,                      /* blocks of a stream, taken and not yet read */
    WAITING_BYTES_MOST = 16 * 1024 * 1024, /* or one block, if that alone is larger */
    BUFFER_KEPT = 4 * 1024 * 1024,
    WORTH_WAKING = 6, /* so many of them wait before somebody is woken for them */
    FILE_WAITING_MOST = 2,
    WORTH_THREADS = 8 * 1024 * 1024,
    JOBS_MOST = 256
};

/* A place for a block that was taken, and the buffer that its bytes are in; else the buffer
 * waits to be used again. */
struct place {
    struct fst_block block;
    struct fst_buf buffer;
};

struct crew {
    struct fst_reader *first;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct fst_blocks blocks; /* of whoever takes one */
    /* of whoever holds the lock: */
    bool taking;                        /* somebody takes a block */
    bool more;                          /* there is more to take */
    struct place waiting[WAITING_MOST]; /* a ring of blocks in their order */
    size_t first_waiting;
    size_t nwaiting;
    size_t waiting_bytes; /* in their buffers */
    uint32_t failed;      /* the first block that failed; UINT32_MAX: none */
    struct fst_error failure;
    struct fst_block_lines lines;
    fst_i128 *magnitudes; /* of the blocks, beside their lines; the largest where one failed */
    size_t magnitudes_capacity;
    struct worker *workers;
    unsigned jobs;
    struct fst_error unjoined; /* why tables could not be joined; FST_OK: they could */
};

struct worker {
    struct crew *crew;
    struct fst_reader *reader; /* the first one's is the crew's */
    struct fst_buf buffer;
    struct fst_buf asides;
    pthread_t thread;
    bool started;
};

/* Whether this many threads by default would take a core from whoever writes into a pipe, and
 * who is slower than a reader that asks for leaves and roots alone. */
static bool crowds_writer(const struct fst_reader *reader, const struct fst_source *source,
                          unsigned jobs)
{
    bool piped = !source->decoder && !fst_source_seeks(source);
    return jobs > 1 && piped && fst_ends_suffice(reader->part) && jobs == fst_cores_usable();
}

static bool goes_by_line(const struct fst_reader *reader)
{
    return reader->input.kind != FST_INPUT_TEXT || reader->options.strict;
}

bool fst_crew_shares(const struct fst_reader *reader, const struct fst_source *source)
{
    return !goes_by_line(reader) && fst_source_seeks(source) && source->raw_size >= WORTH_THREADS;
}

unsigned fst_crew_size(const struct fst_reader *reader, const struct fst_source *source)
{
    const struct fst_read_options *options = &reader->options;
    bool small = source->raw_size > 0 && !source->decoder && source->raw_size < WORTH_THREADS;
    if (goes_by_line(reader) || (small && options->jobs == 0)) {
        return 1;
    }
    if (options->jobs > 0) {
        return options->jobs < JOBS_MOST ? options->jobs : JOBS_MOST;
    }
    unsigned jobs = fst_cores_by_default();
    return crowds_writer(reader, source, jobs) ? jobs - 1 : jobs;
}

/* --- taking blocks: by one worker at a time --------------------------------------------------- */

static enum fst_status number_block(struct crew *crew, struct fst_block *block,
                                    struct fst_error *err)
{
    void *items = crew->lines.items;
    if (fst_grow(&items, &crew->lines.capacity, crew->lines.count + 1, sizeof *crew->lines.items) !=
        0) {
        return fst_error_nomem(err);
    }
    crew->lines.items = items;
    void *magnitudes = crew->magnitudes;
    if (fst_grow(&magnitudes, &crew->magnitudes_capacity, crew->lines.count + 1,
                 sizeof *crew->magnitudes) != 0) {
        return fst_error_nomem(err);
    }
    crew->magnitudes = magnitudes;
    crew->magnitudes[crew->lines.count] = 0;
    block->number = (uint32_t)crew->lines.count;
    crew->lines.items[crew->lines.count++] = 0;
    return FST_OK;
}

/* --- reading blocks: beside the others ------------------------------------------------------- */

static enum fst_status feed_file(struct worker *worker, const struct fst_block *block,
                                 struct fst_error *err)
{
    struct fst_source *source = worker->crew->blocks.source;
    struct fst_buf *buffer = &worker->buffer;
    fst_buf_clear(buffer);
    enum fst_status status = FST_OK;
    size_t got = 1;
    for (uint64_t at = 0; status == FST_OK && at < block->len && got > 0; at += got) {
        uint64_t left = block->len - at;
        size_t room;
        if (!fst_reader_reserve(buffer, &room)) {
            return fst_error_nomem(err);
        }
        room = left < room ? (size_t)left : room;
        status =
            fst_source_read_at(source, block->at + at, buffer->data + buffer->len, room, &got, err);
        if (status == FST_OK) {
            buffer->len += got;
            status = fst_reader_feed_lines(worker->reader, buffer, err);
        }
    }
    return status == FST_OK ? fst_reader_feed(worker->reader, buffer->data, buffer->len, err)
                            : status;
}

static enum fst_status feed_block(struct worker *worker, const struct fst_block *block,
                                  struct fst_error *err)
{
    size_t behind = worker->buffer.capacity - block->bytes.len;
    enum fst_status status =
        worker->crew->blocks.file
            ? feed_file(worker, block, err)
            : fst_parser_feed_slack(&worker->reader->parser, block->bytes, behind, err);
    if (worker->buffer.capacity > BUFFER_KEPT) { /* it held a long line */
        fst_buf_release(&worker->buffer);
    }
    return status;
}

static enum fst_status read_block(struct worker *worker, const struct fst_block *block,
                                  uint64_t *lines, struct fst_error *err)
{
    struct fst_reader *reader = worker->reader;
    uint64_t origin = fst_block_origin(block->number);
    fst_profile_begin_block(reader->part, origin);
    fst_parser_begin_block(&reader->parser, block->number);
    enum fst_status status = feed_block(worker, block, err);
    if (status == FST_OK) {
        status = fst_parser_cut(&reader->parser, err);
    }
    *lines = reader->input.lines - origin;
    return status;
}

/* Keeps the failure that comes first in the text. */
static void keep_failure(struct crew *crew, uint32_t block, const struct fst_error *err)
{
    if (block < crew->failed) {
        crew->failed = block;
        crew->failure = *err;
    }
}

/* --- work: by whoever holds the lock -------------------------------------------------------- */

/* How many places there are to wait in: each has a buffer. */
static size_t waiting_most(const struct crew *crew)
{
    return crew->blocks.file ? FILE_WAITING_MOST : WAITING_MOST;
}

/* Puts a block that was taken behind those that wait; its bytes are in the worker's buffer. */
static void add_waiting(struct worker *worker, const struct fst_block *block)
{
    struct crew *crew = worker->crew;
    size_t at = (crew->first_waiting + crew->nwaiting++) % waiting_most(crew);
    crew->waiting[at].block = *block;
    crew->waiting_bytes += block->bytes.len;
    fst_buf_swap(&crew->waiting[at].buffer, &worker->buffer);
}

static struct fst_block next_waiting(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct place *place = &crew->waiting[crew->first_waiting];
    crew->first_waiting = (crew->first_waiting + 1) % waiting_most(crew);
    crew->nwaiting--;
    crew->waiting_bytes -= place->block.bytes.len;
    fst_buf_swap(&place->buffer, &worker->buffer);
    return place->block;
}

static bool may_take(const struct crew *crew)
{
    return !crew->taking && crew->more && crew->failed == UINT32_MAX &&
           !fst_reader_is_unwanted(crew->first) && crew->waiting_bytes < WAITING_BYTES_MOST &&
           crew->nwaiting < waiting_most(crew);
}

/* Blocks before one that failed are read: what fails there comes first. */
static bool may_read(const struct crew *crew)
{
    return crew->nwaiting > 0 && crew->waiting[crew->first_waiting].block.number < crew->failed;
}

static void take_next(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct fst_block block = {0};
    struct fst_error err = {0};
    enum fst_status status = number_block(crew, &block, &err);
    if (status == FST_OK) {
        crew->taking = true;
        (void)pthread_mutex_unlock(&crew->lock);
        status = fst_blocks_take(&crew->blocks, &worker->buffer, &block, &err);
        (void)pthread_mutex_lock(&crew->lock);
        crew->taking = false;
        crew->more = fst_blocks_left(&crew->blocks);
    }
    if (status != FST_OK) {
        keep_failure(crew, block.number, &err);
    } else if (block.len > 0) {
        add_waiting(worker, &block);
    }
    if (status != FST_OK || !crew->more) {
        (void)pthread_cond_broadcast(&crew->changed);
    } else if (crew->blocks.file || crew->nwaiting >= WORTH_WAKING) {
        (void)pthread_cond_signal(&crew->changed);
    }
}

static void read_next(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct fst_profile *part = worker->reader->part;
    struct fst_block block = next_waiting(worker);
    struct fst_error err = {0};
    uint64_t lines = 0;
    if (may_take(crew)) {
        (void)pthread_cond_signal(&crew->changed);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    fst_i128 magnitude = -part->magnitude;
    enum fst_status status = read_block(worker, &block, &lines, &err);
    magnitude += part->magnitude;
    (void)pthread_mutex_lock(&crew->lock);
    crew->lines.items[block.number] = lines;
    crew->magnitudes[block.number] = status == FST_OK ? magnitude : FST_COUNT_MAX;
    if (status != FST_OK) {
        keep_failure(crew, block.number, &err);
    }
}

static void release_blocks(struct crew *crew)
{
    for (size_t i = 0; i < WAITING_MOST; i++) {
        fst_buf_release(&crew->waiting[i].buffer);
    }
    fst_blocks_release(&crew->blocks);
}

/* Called by whoever has found nothing to do, and nobody who takes: nothing will be taken any
 * more. */
static void leave(struct crew *crew)
{
    release_blocks(crew);
    (void)pthread_cond_broadcast(&crew->changed);
}

/* Takes blocks and reads them until there are none, or one has failed. What text was read into is
 * freed then, before tables are joined, which is when most memory is held. */
static void work(struct worker *worker)
{
    struct crew *crew = worker->crew;
    (void)pthread_mutex_lock(&crew->lock);
    for (bool working = true; working;) {
        if (may_take(crew)) {
            take_next(worker);
        } else if (may_read(crew)) {
            read_next(worker);
        } else if (crew->taking) {
            (void)pthread_cond_wait(&crew->changed, &crew->lock);
        } else {
            working = false;
            leave(crew);
        }
    }
    (void)pthread_mutex_unlock(&crew->lock);
    fst_buf_release(&worker->buffer);
}

/* --- joining: each worker those behind it, when they are done --------------------------------- */

static void release_reader(struct worker *worker)
{
    fst_reader_free(worker->reader);
    worker->reader = NULL;
    fst_buf_release(&worker->asides);
}

static bool has_failed(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    bool failed = crew->failed != UINT32_MAX || crew->unjoined.code != FST_OK;
    (void)pthread_mutex_unlock(&crew->lock);
    return failed;
}

/* Adds what another worker has read, which is gone then. */
static void join(struct worker *worker, struct worker *other)
{
    struct crew *crew = worker->crew;
    struct fst_error err = {0};
    if (has_failed(crew)) {
        return;
    }
    enum fst_status status = fst_parser_join(&worker->reader->parser, &other->reader->parser, &err);
    if (status == FST_OK) {
        status = fst_profile_join(worker->reader->part, other->reader->part, &err);
    }
    release_reader(other);
    if (status != FST_OK) {
        (void)pthread_mutex_lock(&crew->lock);
        crew->unjoined = err;
        (void)pthread_mutex_unlock(&crew->lock);
    }
}

/* Joins those behind a worker that are not behind another one: the next, the next but one, four
 * further on, and so on, each of which has joined its own before. */
static void gather(struct worker *worker)
{
    struct crew *crew = worker->crew;
    size_t number = (size_t)(worker - crew->workers);
    for (size_t step = 1; number % (step * 2) == 0 && number + step < crew->jobs; step *= 2) {
        struct worker *other = worker + step;
        if (other->started) {
            (void)pthread_join(other->thread, NULL);
        } else {
            gather(other);
        }
        join(worker, other);
    }
}

static void *work_on_thread(void *worker)
{
    work(worker);
    gather(worker);
    return NULL;
}

/* --- workers -------------------------------------------------------------------------------- */

/* Makes a reader that reads blocks of the first one's text. */
static enum fst_status make_reader(struct worker *worker, struct fst_error *err)
{
    const struct fst_reader *first = worker->crew->first;
    struct fst_reader *reader = fst_alloc_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return fst_error_nomem(err);
    }
    worker->reader = reader;
    reader->options = first->options;
    struct fst_profile_options options = first->part->options;
    options.beside = first->part;
    enum fst_status status = fst_profile_new(&options, &reader->part, err);
    if (status != FST_OK) {
        return status;
    }
    reader->part->grammar = first->part->grammar;
    reader->part->unit = first->part->unit;
    reader->part->before = first->part->before;
    fst_parser_fork(&reader->parser, &first->parser, fst_reader_sink(reader), &reader->input,
                    &worker->asides);
    return FST_OK;
}

/* Reads blocks with the first reader until it has told the dialect; they count as one. */
static enum fst_status read_start(struct worker *worker, struct fst_error *err)
{
    struct crew *crew = worker->crew;
    struct fst_reader *first = crew->first;
    enum fst_status status = FST_OK;
    while (status == FST_OK && fst_blocks_left(&crew->blocks) && !first->parser.told) {
        struct fst_block block = {0};
        status = number_block(crew, &block, err);
        if (status == FST_OK) {
            status = fst_blocks_take(&crew->blocks, &worker->buffer, &block, err);
        }
        if (status == FST_OK) {
            status = feed_block(worker, &block, err);
        }
    }
    crew->more = fst_blocks_left(&crew->blocks);
    if (status == FST_OK) {
        status = fst_parser_cut(&first->parser, err);
    }
    if (crew->lines.count > 0) {
        crew->lines.items[0] = first->input.lines;
        crew->magnitudes[0] = first->part->magnitude;
    }
    return status;
}

/* --- the end -------------------------------------------------------------------------------- */

/* A sum out of range: by whom it was found says little about the line at which one thread would
 * have found it, which lies in the first block up to which the sum is out of range. */
static enum fst_status locate_range_error(const struct crew *crew, struct fst_error *err)
{
    fst_i128 sum = crew->first->part->before;
    uint32_t block = 0;
    while (block + 1 < crew->lines.count &&
           !FST_ADD_OVERFLOWS(sum, crew->magnitudes[block], &sum)) {
        block++;
    }
    return fst_error_at_line(
        fst_error_set(err, FST_ERR_RANGE,
                      "the sum of the counts' magnitudes goes out of range (beyond 1.7e26) here or "
                      "soon after"),
        fst_block_line(&crew->lines, fst_block_origin(block) + 1), err);
}

/* What the whole text comes to, when all are joined. */
static enum fst_status conclude(struct crew *crew, struct fst_error *err)
{
    struct fst_reader *first = crew->first;
    bool failed = crew->failed != UINT32_MAX;
    struct fst_error *failure = failed ? &crew->failure : &crew->unjoined;
    if (failure->code == FST_ERR_RANGE) {
        return locate_range_error(crew, err);
    }
    if (failure->code == FST_OK) {
        first->part->first_foreign = fst_block_line(&crew->lines, first->part->first_foreign);
        return fst_parser_joined(&first->parser, &crew->lines, err);
    }
    failure->line = failed ? fst_block_line(&crew->lines, failure->line) : failure->line;
    if (err != NULL) {
        *err = *failure;
    }
    return failure->code;
}

static void release(struct crew *crew)
{
    for (unsigned i = 0; crew->workers != NULL && i < crew->jobs; i++) {
        fst_buf_release(&crew->workers[i].buffer);
        fst_buf_release(&crew->workers[i].asides);
        if (i > 0) {
            fst_reader_free(crew->workers[i].reader);
        }
    }
    fst_free(crew->workers);
    release_blocks(crew);
    fst_free(crew->lines.items);
    fst_free(crew->magnitudes);
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_mutex_destroy(&crew->lock);
}

/* Starts the others, who begin when all are there. A thread that cannot be had is done without. */
static void start(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    for (unsigned i = 1; i < crew->jobs; i++) {
        struct worker *worker = &crew->workers[i];
        worker->started = pthread_create(&worker->thread, NULL, work_on_thread, worker) == 0;
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

/* Starts the others, works too, and waits for all. */
static enum fst_status run(struct crew *crew, struct fst_error *err)
{
    for (unsigned i = 1; i < crew->jobs; i++) {
        enum fst_status status = make_reader(&crew->workers[i], err);
        if (status != FST_OK) {
            return status;
        }
    }
    for (unsigned i = 0; i < crew->jobs; i++) {
        crew->workers[i].reader->part->stacks.most /= crew->jobs;
    }
    crew->first->parser.asides = &crew->workers[0].asides;
    start(crew);
    work(&crew->workers[0]);
    gather(&crew->workers[0]);
    return conclude(crew, err);
}

enum fst_status fst_crew_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                              struct fst_error *err)
{
    struct crew crew = {
        .first = reader,
        .failed = UINT32_MAX,
        .jobs = jobs,
    };
    fst_blocks_init(&crew.blocks, source, &reader->options);
    (void)pthread_mutex_init(&crew.lock, NULL);
    (void)pthread_cond_init(&crew.changed, NULL);
    crew.workers = fst_alloc_zeroed(jobs, sizeof *crew.workers);
    enum fst_status status = crew.workers == NULL ? fst_error_nomem(err) : FST_OK;
    for (unsigned i = 0; status == FST_OK && i < jobs; i++) {
        crew.workers[i] = (struct worker){.crew = &crew, .reader = i == 0 ? reader : NULL};
    }
    if (status == FST_OK) {
        status = read_start(&crew.workers[0], err);
    }
    if (status == FST_OK && crew.more) {
        status = run(&crew, err);
    }
    release(&crew);
    return status;
}
