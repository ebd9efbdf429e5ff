/* The first reader tells the dialect by the start of the text. Then blocks are taken, by one worker at
 * a time, and read, by all of them beside each other:
 *
 *     worker 0   take 1 | take 2 | take 3 | take 4 | take 5 | ...
 *     worker 1          | read 1 .| read 2 .| read 3 .| ...
 *
 * Whoever takes goes on with that while there is a place for a block to wait in, and then reads one too,
 * so that it seldom sleeps. To be woken takes long, and so does waking: for blocks of a stream it is
 * done when several wait. Whoever leaves wakes all, as nobody else may be left to do it.
 *
 * Taking a block of a file is to read a little around the place where it should end, and to find
 * where it may; its bytes are read later, a piece at a time, which stays in the core's cache. Taking
 * a block of a stream is to read, or decompress, it, and to keep what stands behind the last place
 * where it may end for the next one. So a decoder runs beside the parsers without a thread of its
 * own. Each worker counts into tables of its own; what is ordered by the text is numbered by block
 * and place in it, so that the sum of the tables does not depend on who read what. */
#include "model/crew.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/count.h"
#include "base/error.h"
#include "io/cores.h"
#include "model/names.h"
#include "parse/cut.h"

/* Sizes of blocks; the first ones are small, so that a short text too is shared out. */
enum {
    FIRST_BLOCK = 8 * 1024,
    FILE_BLOCK = 4 * 1024 * 1024,
    STREAM_BLOCK = 256 * 1024,
    BORDER = 128 * 1024, /* of a block of a file, looked at for its end */
    WAITING_MOST = 8,    /* blocks of a stream, taken and not yet read */
    WORTH_WAKING = 6,    /* so many of them wait before somebody is woken for them */
    FILE_WAITING_MOST = 2,
    WORTH_THREADS = 8 * 1024 * 1024,
    JOBS_MOST = 256
};

/* A piece of the text that one worker reads: len bytes of a file, or a buffer full of a stream. */
struct block {
    uint32_t number;
    uint64_t at;
    uint64_t len;
    struct fst_str bytes;
};

/* A place for a block that was taken, and the buffer that its bytes are in; else the buffer waits to be
 * used again. */
struct place {
    struct block block;
    struct fst_buf buffer;
};

struct crew {
    struct fst_reader *first;
    struct fst_source *source;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool file; /* else a stream */
    /* of whoever takes a block: */
    uint64_t at;         /* of a file: where the next block begins */
    struct fst_buf rest; /* of a stream: what stands behind the last cut */
    bool ended;          /* there is no more to read from the source */
    /* of whoever holds the lock: */
    bool taking;                        /* somebody takes a block */
    bool more;                          /* there is more to take */
    struct place waiting[WAITING_MOST]; /* a ring of blocks in their order */
    size_t first_waiting;
    size_t nwaiting;
    size_t block;          /* size of the next block */
    uint64_t first_others; /* memory of what was there before the crew */
    uint64_t memory;       /* of all workers' tables, when they were last looked at */
    uint32_t failed;       /* the first block that failed; UINT32_MAX: none */
    struct fst_error failure;
    struct fst_block_lines lines;
    fst_i128 *magnitudes; /* of the blocks, beside their lines; the largest where one failed */
    size_t magnitudes_capacity;
};

struct worker {
    struct crew *crew;
    struct fst_reader *reader; /* the first one's is the crew's */
    struct fst_buf buffer;
    struct fst_buf asides;
    pthread_t thread;
    uint64_t memory; /* that its tables took when they were last looked at */
    bool started;
};

/* Whether this many threads by default would take a core from whoever writes into a pipe, and who is
 * slower than a reader that asks for leaves and roots alone. */
static bool crowds_writer(const struct fst_reader *reader, const struct fst_source *source,
                          unsigned jobs)
{
    bool piped = !source->decoder && !fst_source_seeks(source);
    return jobs > 1 && piped && fst_ends_suffice(reader->part);
}

unsigned fst_crew_size(const struct fst_reader *reader, const struct fst_source *source)
{
    const struct fst_read_options *options = &reader->options;
    bool text = reader->input.kind == FST_INPUT_TEXT;
    bool small = source->raw_size > 0 && !source->decoder && source->raw_size < WORTH_THREADS;
    if (!text || options->strict || (small && options->jobs == 0)) {
        return 1;
    }
    unsigned jobs = options->jobs > 0 ? options->jobs : fst_cores_usable();
    if (options->jobs == 0 && crowds_writer(reader, source, jobs)) {
        jobs--;
    }
    return jobs < JOBS_MOST ? jobs : JOBS_MOST;
}

/* Called by whoever takes a block, so that calls do not overlap. */
static void tell_progress(const struct crew *crew)
{
    const struct fst_read_options *options = &crew->first->options;
    if (options->progress != NULL) {
        options->progress(options->progress_ctx, crew->source->raw_bytes, crew->source->raw_size);
    }
}

/* --- taking blocks: by one worker at a time --------------------------------------------------- */

/* Takes a block of a file: looks for its end before the place where it should be, in a border that
 * is as large as it takes, and else further on. */
static enum fst_status take_file(struct crew *crew, struct fst_buf *buffer, struct block *block,
                                 struct fst_error *err)
{
    uint64_t size = crew->block;
    size_t cut = 0;
    for (size_t border = BORDER; cut == 0 && !crew->ended; border *= 2, size *= 2) {
        size_t wanted = size < border ? (size_t)size : border;
        size_t got = 0;
        fst_buf_clear(buffer);
        if (!fst_buf_reserve(buffer, wanted)) {
            return fst_error_nomem(err);
        }
        block->len = size - wanted;
        enum fst_status status = fst_source_read_at(crew->source, crew->at + block->len,
                                                    buffer->data, wanted, &got, err);
        if (status != FST_OK) {
            return status;
        }
        crew->ended = got < wanted;
        struct fst_str text = fst_str_of(buffer->data, got);
        cut = crew->ended ? got : fst_cut_before(text, block->len == 0);
        block->len += cut;
    }
    block->at = crew->at;
    crew->at += block->len;
    crew->source->raw_bytes = crew->at;
    return FST_OK;
}

/* Reads until buffer holds so many bytes or the stream ends. */
static enum fst_status fill(struct crew *crew, struct fst_buf *buffer, size_t wanted,
                            struct fst_error *err)
{
    while (!crew->ended && buffer->len < wanted) {
        size_t got = 0;
        size_t room = wanted - buffer->len;
        if (!fst_buf_reserve(buffer, room)) {
            return fst_error_nomem(err);
        }
        enum fst_status status =
            fst_source_read(crew->source, buffer->data + buffer->len, room, &got, err);
        if (status != FST_OK) {
            return status;
        }
        crew->ended = got == 0;
        buffer->len += got;
        tell_progress(crew);
    }
    return FST_OK;
}

/* Takes a block of a stream: what the last one left over, and more. */
static enum fst_status take_stream(struct crew *crew, struct fst_buf *buffer, struct block *block,
                                   struct fst_error *err)
{
    fst_buf_swap(buffer, &crew->rest);
    fst_buf_clear(&crew->rest);
    size_t cut = 0;
    for (size_t wanted = crew->block; cut == 0; wanted *= 2) {
        enum fst_status status = fill(crew, buffer, wanted, err);
        if (status != FST_OK) {
            return status;
        }
        if (crew->ended || buffer->len > FST_LINE_MOST) {
            cut = buffer->len;
            break;
        }
        cut = fst_cut_before(fst_buf_str(buffer), true);
    }
    block->bytes = fst_str_of(fst_buf_str(buffer).data, cut);
    block->len = cut;
    struct fst_str rest = fst_str_skip(fst_buf_str(buffer), cut);
    return fst_buf_add_str(&crew->rest, rest) ? FST_OK : fst_error_nomem(err);
}

static enum fst_status number_block(struct crew *crew, struct block *block, struct fst_error *err)
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
    size_t largest = crew->file ? FILE_BLOCK : STREAM_BLOCK;
    crew->block = crew->block < largest / 2 ? crew->block * 2 : largest;
    return FST_OK;
}

static bool has_more(const struct crew *crew)
{
    return !crew->ended || crew->rest.len > 0;
}

/* Takes the next block, which has its number; its length is 0 where there is none. */
static enum fst_status take(struct worker *worker, struct block *block, struct fst_error *err)
{
    struct crew *crew = worker->crew;
    enum fst_status status = crew->file ? take_file(crew, &worker->buffer, block, err)
                                        : take_stream(crew, &worker->buffer, block, err);
    if (status == FST_OK) {
        tell_progress(crew);
    }
    return status;
}

/* --- reading blocks: beside the others ------------------------------------------------------- */

static enum fst_status feed_file(struct worker *worker, const struct block *block,
                                 struct fst_error *err)
{
    struct fst_source *source = worker->crew->source;
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

static enum fst_status feed_block(struct worker *worker, const struct block *block,
                                  struct fst_error *err)
{
    size_t behind = worker->buffer.capacity - block->bytes.len;
    return worker->crew->file
               ? feed_file(worker, block, err)
               : fst_parser_feed_slack(&worker->reader->parser, block->bytes, behind, err);
}

static enum fst_status read_block(struct worker *worker, const struct block *block, uint64_t *lines,
                                  struct fst_error *err)
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

/* What one worker's tables take, the others' check counts against them. */
static enum fst_status check_memory(struct worker *worker, struct fst_error *err)
{
    struct crew *crew = worker->crew;
    struct fst_profile *part = worker->reader->part;
    uint64_t memory = fst_profile_memory(part);
    crew->memory += memory - worker->memory;
    worker->memory = memory;
    part->others = crew->first_others + crew->memory - memory;
    return fst_profile_check_memory(part, err);
}

/* --- work: by whoever holds the lock ----------------------------------------------------------- */

/* Puts a block that was taken behind those that wait; its bytes are in the worker's buffer. */
static void add_waiting(struct worker *worker, const struct block *block)
{
    struct crew *crew = worker->crew;
    size_t at = (crew->first_waiting + crew->nwaiting++) % WAITING_MOST;
    crew->waiting[at].block = *block;
    fst_buf_swap(&crew->waiting[at].buffer, &worker->buffer);
}

static struct block next_waiting(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct place *place = &crew->waiting[crew->first_waiting];
    crew->first_waiting = (crew->first_waiting + 1) % WAITING_MOST;
    crew->nwaiting--;
    fst_buf_swap(&place->buffer, &worker->buffer);
    return place->block;
}

static bool may_take(const struct crew *crew)
{
    return !crew->taking && crew->more && crew->failed == UINT32_MAX &&
           crew->nwaiting < (size_t)(crew->file ? FILE_WAITING_MOST : WAITING_MOST);
}

/* Blocks before one that failed are read: what fails there comes first. */
static bool may_read(const struct crew *crew)
{
    return crew->nwaiting > 0 && crew->waiting[crew->first_waiting].block.number < crew->failed;
}

static void take_next(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct block block = {0};
    struct fst_error err = {0};
    enum fst_status status = number_block(crew, &block, &err);
    if (status == FST_OK) {
        crew->taking = true;
        (void)pthread_mutex_unlock(&crew->lock);
        status = take(worker, &block, &err);
        (void)pthread_mutex_lock(&crew->lock);
        crew->taking = false;
        crew->more = has_more(crew);
    }
    if (status != FST_OK) {
        keep_failure(crew, block.number, &err);
    } else if (block.len > 0) {
        add_waiting(worker, &block);
    }
    if (status != FST_OK || !crew->more) {
        (void)pthread_cond_broadcast(&crew->changed);
    } else if (crew->file || crew->nwaiting >= WORTH_WAKING) {
        (void)pthread_cond_signal(&crew->changed);
    }
}

static void read_next(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct fst_profile *part = worker->reader->part;
    struct block block = next_waiting(worker);
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
    if (status == FST_OK) {
        status = check_memory(worker, &err);
    }
    if (status != FST_OK) {
        keep_failure(crew, block.number, &err);
    }
}

/* Takes blocks and reads them until there are none, or one has failed. */
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
            (void)pthread_cond_broadcast(&crew->changed);
        }
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

static void *work_on_thread(void *worker)
{
    work(worker);
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
    enum fst_status status = fst_profile_new(&first->part->options, &reader->part, err);
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
    while (status == FST_OK && has_more(crew) && !first->parser.told) {
        struct block block = {0};
        status = number_block(crew, &block, err);
        if (status == FST_OK) {
            status = take(worker, &block, err);
        }
        if (status == FST_OK) {
            status = feed_block(worker, &block, err);
        }
    }
    crew->more = has_more(crew);
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

static enum fst_status join(struct crew *crew, struct worker *workers, unsigned jobs,
                            struct fst_error *err)
{
    struct fst_reader *first = crew->first;
    enum fst_status status = FST_OK;
    for (unsigned i = 1; i < jobs && status == FST_OK; i++) {
        status = fst_parser_join(&first->parser, &workers[i].reader->parser, err);
        if (status == FST_OK) {
            status = fst_profile_join(first->part, workers[i].reader->part, err);
        }
    }
    if (status == FST_OK) {
        status = fst_parser_joined(&first->parser, &crew->lines, err);
        first->part->first_foreign = fst_block_line(&crew->lines, first->part->first_foreign);
    }
    return status;
}

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

static enum fst_status conclude(struct crew *crew, struct worker *workers, unsigned jobs,
                                struct fst_error *err)
{
    if (crew->failed == UINT32_MAX) {
        enum fst_status status = join(crew, workers, jobs, err);
        return status == FST_ERR_RANGE ? locate_range_error(crew, err) : status;
    }
    if (crew->failure.code == FST_ERR_RANGE) {
        return locate_range_error(crew, err);
    }
    crew->failure.line = fst_block_line(&crew->lines, crew->failure.line);
    if (err != NULL) {
        *err = crew->failure;
    }
    return crew->failure.code;
}

/* Frees what text was read into, before tables are joined, which is when most memory is held. */
static void release_buffers(struct crew *crew, struct worker *workers, unsigned jobs)
{
    for (unsigned i = 0; workers != NULL && i < jobs; i++) {
        fst_buf_release(&workers[i].buffer);
    }
    for (size_t i = 0; i < WAITING_MOST; i++) {
        fst_buf_release(&crew->waiting[i].buffer);
    }
    fst_buf_release(&crew->rest);
}

static void release(struct crew *crew, struct worker *workers, unsigned jobs)
{
    release_buffers(crew, workers, jobs);
    for (unsigned i = 0; workers != NULL && i < jobs; i++) {
        if (i > 0) {
            fst_reader_free(workers[i].reader);
        }
        fst_buf_release(&workers[i].asides);
    }
    fst_free(workers);
    fst_free(crew->lines.items);
    fst_free(crew->magnitudes);
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_mutex_destroy(&crew->lock);
}

/* Starts the others, works too, and waits for all. A thread that cannot be had is done without. */
static enum fst_status run(struct crew *crew, struct worker *workers, unsigned jobs,
                           struct fst_error *err)
{
    for (unsigned i = 1; i < jobs; i++) {
        enum fst_status status = make_reader(&workers[i], err);
        if (status != FST_OK) {
            return status;
        }
    }
    for (unsigned i = 0; i < jobs; i++) {
        workers[i].reader->part->stacks.most /= jobs;
    }
    crew->first->parser.asides = &workers[0].asides;
    for (unsigned i = 1; i < jobs; i++) {
        workers[i].started =
            pthread_create(&workers[i].thread, NULL, work_on_thread, &workers[i]) == 0;
    }
    work(&workers[0]);
    for (unsigned i = 1; i < jobs; i++) {
        if (workers[i].started) {
            (void)pthread_join(workers[i].thread, NULL);
        }
    }
    release_buffers(crew, workers, jobs);
    return conclude(crew, workers, jobs, err);
}

enum fst_status fst_crew_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                              struct fst_error *err)
{
    struct crew crew = {
        .first = reader,
        .source = source,
        .file = fst_source_seeks(source),
        .block = FIRST_BLOCK,
        .first_others = reader->part->others,
        .failed = UINT32_MAX,
    };
    (void)pthread_mutex_init(&crew.lock, NULL);
    (void)pthread_cond_init(&crew.changed, NULL);
    struct worker *workers = fst_alloc_zeroed(jobs, sizeof *workers);
    enum fst_status status = workers == NULL ? fst_error_nomem(err) : FST_OK;
    for (unsigned i = 0; status == FST_OK && i < jobs; i++) {
        workers[i] = (struct worker){.crew = &crew, .reader = i == 0 ? reader : NULL};
    }
    if (status == FST_OK) {
        status = read_start(&workers[0], err);
    }
    if (status == FST_OK && crew.more) {
        status = run(&crew, workers, jobs, err);
    }
    release(&crew, workers, jobs);
    return status;
}
