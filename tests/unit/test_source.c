/* A source gives every byte once, in order, however it is read; its start can be looked at. */
#include "unit/helpers.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "io/source.h"

enum { TEXT_BYTES = 300 };

/* Bytes that tell where they stand. */
static struct fst_str numbered(void)
{
    static char bytes[TEXT_BYTES];
    for (size_t i = 0; i < TEXT_BYTES; i++) {
        bytes[i] = (char)(i * 7 % 251);
    }
    return fst_str_of(bytes, TEXT_BYTES);
}

/* A source of numbered() that gives one byte a call, as a slow pipe may. */
struct drip {
    struct fst_source base;
    size_t at;
    bool freed;
};

static enum fst_status drip_read(struct fst_source *source, char *into, size_t room, size_t *got,
                                 struct fst_error *err)
{
    (void)err;
    struct drip *drip = (struct drip *)source;
    *got = room > 0 && drip->at < TEXT_BYTES;
    if (*got > 0) {
        *into = numbered().data[drip->at++];
    }
    return FST_OK;
}

static void drip_free(struct fst_source *source)
{
    ((struct drip *)source)->freed = true;
}

static const struct fst_source_ops drip_ops = {.read = drip_read, .free = drip_free};

/* Checks that source gives text from offset on, read in pieces of step bytes, and then ends. */
static void require_rest(struct fst_source *source, struct fst_str text, size_t offset, size_t step)
{
    char piece[TEXT_BYTES + 1];
    size_t got = 1;
    while (got > 0) {
        assert_int_equal(fst_source_read(source, piece, step, &got, NULL), FST_OK);
        REQUIRE(got <= step && got <= text.len - offset, "%zu bytes at %zu", got, offset);
        assert_memory_equal(piece, text.data + offset, got);
        offset += got;
    }
    assert_int_equal(offset, text.len);
    assert_int_equal(fst_source_read(source, piece, step, &got, NULL), FST_OK);
    assert_int_equal(got, 0);
}

static void memory_is_read_in_pieces_of_any_size(void **state)
{
    (void)state;
    static const size_t steps[] = {1, 2, 63, 64, 65, 299, 300, 301};
    for (size_t i = 0; i < FST_COUNT_OF(steps); i++) {
        struct fst_source *source = NULL;
        assert_int_equal(fst_source_memory(numbered(), &source, NULL), FST_OK);
        assert_int_equal(source->raw_size, TEXT_BYTES);
        require_rest(source, numbered(), 0, steps[i]);
        assert_int_equal(source->raw_bytes, TEXT_BYTES);
        fst_source_free(source);
    }
    struct fst_source *empty = NULL;
    assert_int_equal(fst_source_memory(fst_str_of(NULL, 0), &empty, NULL), FST_OK);
    require_rest(empty, fst_str_of("", 0), 0, 10);
    fst_source_free(empty);
    fst_source_free(NULL);
}

static void a_look_takes_nothing_away(void **state)
{
    (void)state;
    static const size_t lens[] = {0, 1, 63, 64, 65, 300};
    for (size_t i = 0; i < FST_COUNT_OF(lens); i++) {
        struct fst_str text = fst_str_of(numbered().data, lens[i]);
        struct fst_str head;
        struct fst_source *source = NULL;
        assert_int_equal(fst_source_memory(text, &source, NULL), FST_OK);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(fst_source_peek(source, &head, NULL), FST_OK);
            assert_int_equal(head.len, lens[i] < FST_PEEK_MAX ? lens[i] : FST_PEEK_MAX);
            assert_memory_equal(head.data, text.data, head.len);
        }
        require_rest(source, text, 0, 5);
        fst_source_free(source);
    }
}

static void a_look_may_come_in_the_middle(void **state)
{
    (void)state;
    struct fst_source *source = NULL;
    struct fst_str head;
    char piece[TEXT_BYTES];
    size_t got;
    assert_int_equal(fst_source_memory(numbered(), &source, NULL), FST_OK);
    assert_int_equal(fst_source_peek(source, &head, NULL), FST_OK);
    assert_int_equal(fst_source_read(source, piece, 10, &got, NULL), FST_OK);
    assert_int_equal(got, 10);
    assert_int_equal(fst_source_peek(source, &head, NULL), FST_OK);
    assert_int_equal(head.len, FST_PEEK_MAX);
    assert_memory_equal(head.data, numbered().data + 10, FST_PEEK_MAX);
    require_rest(source, numbered(), 10, 50);
    fst_source_free(source);
}

static void a_source_that_drips_gives_a_whole_look(void **state)
{
    (void)state;
    struct drip drip = {.base = {.ops = &drip_ops}};
    struct fst_source *source = &drip.base;
    struct fst_str head;
    assert_int_equal(fst_source_peek(source, &head, NULL), FST_OK);
    assert_int_equal(head.len, FST_PEEK_MAX);
    assert_int_equal(fst_source_decode(&source, NULL), FST_OK);
    assert_ptr_equal(source, &drip.base);
    require_rest(source, numbered(), 0, 100);
    fst_source_free(source);
    assert_true(drip.freed);
}

static void a_file_and_its_descriptor_give_the_same(void **state)
{
    (void)state;
    char path[] = "/tmp/foldstat-test-XXXXXX";
    struct fst_source *source = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, numbered().data, TEXT_BYTES), TEXT_BYTES);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(fst_source_open(path, &source, NULL), FST_OK);
    assert_int_equal(source->raw_size, TEXT_BYTES);
    require_rest(source, numbered(), 0, 17);
    fst_source_free(source);
    assert_int_equal(fst_source_fd(fd, &source, NULL), FST_OK);
    require_rest(source, numbered(), 0, TEXT_BYTES);
    assert_int_equal(source->raw_bytes, TEXT_BYTES);
    fst_source_free(source);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), TEXT_BYTES); /* still open, and not rewound */
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

/* A file of numbered() that is to be removed. */
static int make_file(char *path)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, numbered().data, TEXT_BYTES), TEXT_BYTES);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void a_file_that_shrinks_is_told(void **state)
{
    (void)state;
    enum { START = 50, FIRST = 100 };
    static const struct {
        size_t size; /* that the file gets after its first bytes were read */
        bool shrank;
    } rows[] = {{TEXT_BYTES, false},
                {TEXT_BYTES - 1, true},
                {START + FIRST, true},
                {START + FIRST + 1, true},
                {0, true},
                {TEXT_BYTES + 1, false}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        char path[] = "/tmp/foldstat-test-XXXXXX";
        char piece[TEXT_BYTES + 1];
        struct fst_source *source = NULL;
        size_t got = FIRST;
        int fd = make_file(path);
        assert_int_equal(lseek(fd, START, SEEK_SET), START);
        assert_int_equal(fst_source_fd(fd, &source, NULL), FST_OK);
        assert_int_equal(fst_source_read(source, piece, FIRST, &got, NULL), FST_OK);
        assert_int_equal(ftruncate(fd, (off_t)rows[i].size), 0);
        while (got > 0) {
            assert_int_equal(fst_source_read(source, piece, sizeof piece, &got, NULL), FST_OK);
        }
        assert_int_equal(source->shrank, rows[i].shrank);
        fst_source_free(source);

        assert_int_equal(ftruncate(fd, TEXT_BYTES), 0);
        assert_int_equal(lseek(fd, START, SEEK_SET), START);
        assert_int_equal(fst_source_fd(fd, &source, NULL), FST_OK);
        assert_int_equal(ftruncate(fd, (off_t)rows[i].size), 0);
        assert_int_equal(fst_source_read_at(source, 0, piece, 1, &got, NULL), FST_OK);
        assert_int_equal(source->shrank, got == 0);
        assert_int_equal(fst_source_read_at(source, 1, piece, sizeof piece, &got, NULL), FST_OK);
        assert_int_equal(source->shrank, rows[i].shrank);
        fst_source_free(source);
        assert_int_equal(close(fd), 0);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_pipe_has_no_size_and_ends(void **state)
{
    (void)state;
    int ends[2];
    struct fst_source *source = NULL;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], numbered().data, TEXT_BYTES), TEXT_BYTES);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(fst_source_fd(ends[0], &source, NULL), FST_OK);
    assert_int_equal(source->raw_size, 0);
    require_rest(source, numbered(), 0, 64);
    fst_source_free(source);
    assert_int_equal(close(ends[0]), 0);
}

static void what_cannot_be_opened_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int number;
    } rows[] = {{"/nonexistent/foldstat.raw", ENOENT},
                {"", ENOENT},
                {"/", EISDIR},
                {"/dev/null/x", ENOTDIR}};
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_source *source = NULL;
        struct fst_error err = {0};
        assert_int_equal(fst_source_open(rows[i].path, &source, &err), FST_ERR_IO);
        assert_int_equal(err.sys_errno, rows[i].number);
        assert_string_equal(err.message, strerror(rows[i].number));
        assert_null(source);
    }
    struct fst_source *source = NULL;
    struct fst_error err = {0};
    assert_int_equal(fst_source_fd(-1, &source, &err), FST_ERR_IO);
    assert_int_equal(err.sys_errno, EBADF);
    int fd = open("/dev/null", O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(fst_source_fd(fd, &source, NULL), FST_OK);
    struct fst_str head;
    assert_int_equal(fst_source_peek(source, &head, &err), FST_ERR_IO); /* not open for reading */
    assert_int_equal(fst_source_decode(&source, &err), FST_ERR_IO);
    assert_int_equal(err.sys_errno, EBADF);
    fst_source_free(source);
    assert_int_equal(close(fd), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_read_in_pieces_of_any_size),
        cmocka_unit_test(a_look_takes_nothing_away),
        cmocka_unit_test(a_look_may_come_in_the_middle),
        cmocka_unit_test(a_source_that_drips_gives_a_whole_look),
        cmocka_unit_test(a_file_and_its_descriptor_give_the_same),
        cmocka_unit_test(a_file_that_shrinks_is_told),
        cmocka_unit_test(a_pipe_has_no_size_and_ends),
        cmocka_unit_test(what_cannot_be_opened_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
