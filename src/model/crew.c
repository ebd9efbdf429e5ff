/* The first reader tells the dialect by the start of the text. Then every worker takes the next
 * block, alone, and reads it, beside the others:
 *
 *     worker 0   take 1 | read 1 .......| take 3 | read 3 ....| ...
 *     worker 1          | take 2 | read 2 .....| take 4 | read 4 ...
 *
 * A block is taken from memory (a mapped file) by finding where it may end, or from a stream by
 * reading, or decompressing, and keeping what stands behind the last place where it may end for the
 * next one. So the decoder runs beside the parsers without a thread of its own. Each worker counts
 * into tables of its own; what is ordered by the text is numbered by block and place in it, so that
 * the sum of the tables does not depend on who read what. */
#include "model/crew.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/error.h"
#include "io/cores.h"
#include "parse/cut.h"

/* Sizes of blocks; the first ones are small, so that a short text too is shared out. */
enum {
    FIRST_BLOCK = 4 * 1024,
    MAPPED_BLOCK = 4 * 1024 * 1024,
    STREAM_BLOCK = 1024 * 1024,
    WORTH_THREADS = 8 * 1024 * 1024,
    JOBS_MOST = 256
};

struct crew {
    struct fst_reader *first;
    struct fst_source *source;
    pthread_mutex_t lock;
    bool mapped;
    struct fst_str left; /* of memory */
    struct fst_buf rest; /* of a stream: what stands behind the last cut */
    bool ended;          /* of a stream: there is no more to read */
    size_t block;        /* size of the next block */
    uint32_t next;       /* the number of the next block */
    uint32_t failed;     /* the first block that failed; UINT32_MAX: none */
    struct fst_error failure;
    struct fst_block_lines lines;
};

struct worker {
    struct crew *crew;
    struct fst_reader *reader; /* the first one's is the crew's */
    struct fst_buf buffer;
    struct fst_buf asides;
    pthread_t thread;
    bool started;
};

/* A piece of the text that one worker reads. */
struct block {
    struct fst_str bytes;
    uint32_t number;
};

unsigned fst_crew_size(const struct fst_reader *reader, const struct fst_source *source)
{
    const struct fst_read_options *options = &reader->options;
    bool text = reader->input.kind == FST_INPUT_TEXT;
    bool small = source->raw_size > 0 && !source->decoder && source->raw_size < WORTH_THREADS;
    if (!text || options->strict || (small && options->jobs == 0)) {
        return 1;
    }
    unsigned jobs = options->jobs > 0 ? options->jobs : fst_cores_usable();
    return jobs < JOBS_MOST ? jobs : JOBS_MOST;
}

/* --- blocks --------------------------------------------------------------------------------- */

static struct fst_str take_memory(struct crew *crew)
{
    struct fst_str left = crew->left;
    size_t cut = left.len;
    for (size_t most = crew->block; most < left.len; most *= 2) {
        size_t found = fst_cut_before(left, most);
        if (found > 0) {
            cut = found;
            break;
        }
    }
    crew->left = fst_str_skip(left, cut);
    return fst_str_of(left.data, cut);
}

/* Reads until buffer holds so many bytes or the stream ends. */
static enum fst_status fill(struct crew *crew, struct fst_buf *buffer, size_t wanted,
                            struct fst_error *err)
{
    while (!crew->ended && buffer->len < wanted) {
        size_t got = 0;
        if (!fst_buf_reserve(buffer, wanted - buffer->len)) {
            return fst_error_nomem(err);
        }
        enum fst_status status =
            fst_source_read(crew->source, buffer->data + buffer->len, wanted - buffer->len, &got, err);
        if (status != FST_OK) {
            return status;
        }
        crew->ended = got == 0;
        buffer->len += got;
    }
    return FST_OK;
}

static enum fst_status take_stream(struct crew *crew, struct fst_buf *buffer, struct fst_str *bytes,
                                   struct fst_error *err)
{
    struct fst_buf swap = *buffer;
    *buffer = crew->rest;
    crew->rest = swap;
    fst_buf_clear(&crew->rest);
    size_t cut = 0;
    for (size_t wanted = crew->block; cut == 0; wanted *= 2) {
        enum fst_status status = fill(crew, buffer, wanted, err);
        if (status != FST_OK) {
            return status;
        }
        bool too_long = buffer->len > FST_LINE_MOST;
        cut = crew->ended || too_long ? buffer->len
                                      : fst_cut_before(fst_buf_str(buffer), buffer->len);
        if (cut == 0 && crew->ended) {
            break;
        }
    }
    *bytes = fst_str_of(fst_buf_str(buffer).data, cut);
    struct fst_str rest = fst_str_skip(fst_buf_str(buffer), cut);
    return fst_buf_add_str(&crew->rest, rest) ? FST_OK : fst_error_nomem(err);
}

static bool add_block(struct crew *crew, uint32_t *number)
{
    void *items = crew->lines.items;
    if (fst_grow(&items, &crew->lines.capacity, crew->lines.count + 1,
                 sizeof *crew->lines.items) != 0) {
        return false;
    }
    crew->lines.items = items;
    crew->lines.items[crew->lines.count++] = 0;
    *number = crew->next++;
    size_t largest = crew->mapped ? MAPPED_BLOCK : STREAM_BLOCK;
    crew->block = crew->block < largest / 2 ? crew->block * 2 : largest;
    return true;
}

/* Keeps the failure of the block that comes first. */
static void fail(struct crew *crew, uint32_t block, const struct fst_error *err)
{
    if (block < crew->failed) {
        crew->failed = block;
        crew->failure = *err;
    }
}

/* Takes the next block; false where there is none. */
static bool take(struct worker *worker, struct block *block)
{
    struct crew *crew = worker->crew;
    struct fst_error err = {0};
    if (crew->failed != UINT32_MAX) {
        return false;
    }
    if (!add_block(crew, &block->number)) {
        (void)fst_error_nomem(&err);
        fail(crew, crew->next, &err);
        return false;
    }
    if (crew->mapped) {
        block->bytes = take_memory(crew);
    } else if (take_stream(crew, &worker->buffer, &block->bytes, &err) != FST_OK) {
        fail(crew, block->number, &err);
        return false;
    }
    return block->bytes.len > 0;
}

/* --- workers -------------------------------------------------------------------------------- */

static bool read_block(struct worker *worker, const struct block *block, uint64_t *lines,
                       struct fst_error *err)
{
    struct fst_reader *reader = worker->reader;
    fst_profile_begin_block(reader->part, fst_block_origin(block->number));
    return fst_parser_block(&reader->parser, block->bytes, block->number, lines, err) == FST_OK;
}

/* Takes blocks and reads them until there are none. */
static void work(struct worker *worker)
{
    struct crew *crew = worker->crew;
    struct block block = {0};
    (void)pthread_mutex_lock(&crew->lock);
    while (take(worker, &block)) {
        (void)pthread_mutex_unlock(&crew->lock);
        struct fst_error err = {0};
        uint64_t lines = 0;
        bool read = read_block(worker, &block, &lines, &err);
        (void)pthread_mutex_lock(&crew->lock);
        crew->lines.items[block.number] = lines;
        if (!read) {
            fail(crew, block.number, &err);
        }
        if (crew->mapped) {
            fst_source_forget(crew->source, block.bytes);
        }
        const struct fst_read_options *options = &crew->first->options;
        if (worker->reader == crew->first && options->progress != NULL) {
            options->progress(options->progress_ctx, crew->source->raw_bytes,
                              crew->source->raw_size);
        }
    }
    (void)pthread_mutex_unlock(&crew->lock);
}

static void *work_on_thread(void *worker)
{
    work(worker);
    return NULL;
}

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
    return fst_parser_fork(&reader->parser, &first->parser, fst_reader_sink(reader), &reader->input,
                           &worker->asides, err);
}

/* --- the start ------------------------------------------------------------------------------ */

/* Feeds the first reader the start of the text, up to a cut, until it has told the dialect. */
static enum fst_status read_start(struct crew *crew, struct fst_buf *buffer, struct fst_error *err)
{
    struct fst_reader *first = crew->first;
    enum fst_status status = FST_OK;
    struct fst_str bytes = {"", 1};
    while (status == FST_OK && bytes.len > 0 && !first->parser.told) {
        if (crew->mapped) {
            bytes = take_memory(crew);
        } else {
            status = take_stream(crew, buffer, &bytes, err);
        }
        if (status == FST_OK) {
            status = fst_parser_feed(&first->parser, bytes, err);
        }
    }
    return status == FST_OK ? fst_parser_cut(&first->parser, err) : status;
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

static enum fst_status conclude(struct crew *crew, struct worker *workers, unsigned jobs,
                                struct fst_error *err)
{
    if (crew->failed == UINT32_MAX) {
        return join(crew, workers, jobs, err);
    }
    crew->failure.line = fst_block_line(&crew->lines, crew->failure.line);
    if (err != NULL) {
        *err = crew->failure;
    }
    return crew->failure.code;
}

static void release(struct crew *crew, struct worker *workers, unsigned jobs)
{
    for (unsigned i = 0; workers != NULL && i < jobs; i++) {
        if (i > 0) {
            fst_reader_free(workers[i].reader);
        }
        fst_buf_release(&workers[i].buffer);
        fst_buf_release(&workers[i].asides);
    }
    fst_free(workers);
    fst_buf_release(&crew->rest);
    fst_free(crew->lines.items);
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
    return conclude(crew, workers, jobs, err);
}

enum fst_status fst_crew_read(struct fst_reader *reader, struct fst_source *source, unsigned jobs,
                              struct fst_error *err)
{
    struct crew crew = {.first = reader, .source = source, .block = FIRST_BLOCK, .failed = UINT32_MAX};
    (void)pthread_mutex_init(&crew.lock, NULL);
    crew.mapped = fst_source_map(source, &crew.left);
    struct worker *workers = fst_alloc_zeroed(jobs, sizeof *workers);
    enum fst_status status = workers == NULL ? fst_error_nomem(err) : FST_OK;
    for (unsigned i = 0; status == FST_OK && i < jobs; i++) {
        workers[i] = (struct worker){.crew = &crew, .reader = i == 0 ? reader : NULL};
    }
    uint32_t start;
    if (status == FST_OK && !add_block(&crew, &start)) {
        status = fst_error_nomem(err);
    }
    if (status == FST_OK) {
        status = read_start(&crew, &workers[0].buffer, err);
    }
    if (status == FST_OK) {
        crew.lines.items[start] = reader->input.lines;
        status = run(&crew, workers, jobs, err);
    }
    release(&crew, workers, jobs);
    return status;
}
