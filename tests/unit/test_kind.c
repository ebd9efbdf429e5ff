/* Files of another kind are named, with the command that helps; text is never refused. */
#include "unit/helpers.h"

#include "io/kind.h"

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static void other_kinds_get_their_command(void **state)
{
    (void)state;
    static const struct {
        struct fst_str head;
        const char *refusal; /* parts of it, joined by '|' */
    } rows[] = {
        {TEXT("\xff\xfem\0a\0i\0n\0"), "UTF-16|iconv -f UTF-16 -t UTF-8 FILE | foldstat -"},
        {TEXT("\xff\xfe"), "UTF-16|iconv -f UTF-16 -t UTF-8"},
        {TEXT("\xfe\xff\0m\0a\0i\0n"), "UTF-16|iconv -f UTF-16 -t UTF-8"},
        {TEXT("m\0a\0i\0n\0"), "UTF-16|iconv -f UTF-16LE -t UTF-8 FILE | foldstat -"},
        {TEXT("\0m\0a\0i\0n"), "UTF-16|iconv -f UTF-16BE -t UTF-8 FILE | foldstat -"},
        {TEXT("m\0a\0i\0n\0 \0(\0a\0.\0p\0y\0:\0\x31\0)\0 \0\x33\0\n\0"), "iconv -f UTF-16LE"},
        {TEXT("\0m\0a\0i\0n\0;\0f\0 "), "iconv -f UTF-16BE"},
        /* one character in ten may be from another page */
        {TEXT("m\0a\0i\0n\0;\0f\0\x22\x6fz\0 \0\x33\0"), "iconv -f UTF-16LE"},
        {TEXT("\x28\xb5\x2f\xfd\x24\x00"), "zstd data|zstd -dc FILE | foldstat -"},
        {TEXT("BZh91AY&SY\x01\x02"), "bzip2 data|bzip2 -dc FILE | foldstat -"},
        {TEXT("BZh11AY&SY\x01\x02"), "bzip2 data|bzip2 -dc"},
        {TEXT("BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0"), "bzip2 data"}, /* of nothing */
        {TEXT("\xfd\x37zXZ\0\0"), "xz data|xz -dc FILE | foldstat -"},
        {TEXT("\x04\x22\x4d\x18\x64\x40"), "lz4 data|lz4 -dc FILE | foldstat -"},
        {TEXT("\x02\x21\x4c\x18\x07"), "lz4 data|lz4 -dc FILE"}, /* the older format */
        {TEXT("7z\xbc\xaf\x27\x1c\0\4"), "7z archive|7z x -so FILE | foldstat -"},
        {TEXT("PK\3\4\x14\0\0\0"), "ZIP archive|unzip -p FILE | foldstat -"},
        {TEXT("PK\5\6\0\0"), "an empty ZIP archive"},
        {TEXT("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG picture|as SVG|py-spy record -f raw"},
        {TEXT("%PDF-1.7\n"), "PDF document|as SVG|py-spy record -f raw"},
        {TEXT("SQLite format 3\0\x10\0"), "SQLite database|nsys|py-spy record -f raw"},
        {TEXT("PERFILE2\x68\0\0\0"), "perf.data|perf script"},
        {TEXT("FLR\0\0\x02\0\0"), "Java flight recording|jfrconv"},
        {TEXT("MOJ\x03\x01"), "Austin's binary format|mojo2austin"},
        {TEXT("\n\x04\x08\x01\x10\x02"), "pprof|go tool pprof -raw"},
        {TEXT("{\"traceEvents\": [{\"ph\""), "Chrome trace|py-spy"},
        {TEXT("[{\"ph\": \"B\""), "Chrome trace"},
        {TEXT("\x7f\x45LF\x02\x01\x01"), "a program (ELF)|perf record -g FILE"},
        {TEXT("<!DOCTYPE html>\n<html>"), "HTML|asprof -o collapsed"},
        {TEXT("<!doctype HTML>\n<html>"), "HTML"},
        {TEXT("<HTML>\n"), "HTML"},
        {TEXT("\xef\xbb\xbf\n <html lang"), "HTML"},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        const char *refusal = fst_kind_refusal(rows[i].head);
        REQUIRE(refusal != NULL, "row %zu: not refused", i);
        for (const char *part = rows[i].refusal; *part != '\0';) {
            size_t len = strcspn(part, "|");
            len += part[len] == '|' && part[len + 1] == ' ' ? strlen(part + len) : 0; /* a pipe */
            REQUIRE(fst_str_find(fst_str_cstr(refusal), fst_str_of(part, len)) != NULL,
                    "row %zu: %s", i, refusal);
            part += len + (part[len] == '|');
        }
    }
}

/* The header of a tar archive begins with a name, and says what it is behind 257 bytes. */
static void tar_archives_are_told_by_a_later_place(void **state)
{
    (void)state;
    static const struct {
        struct fst_str magic;
        bool refused;
    } rows[] = {
        {TEXT("ustar\0"
              "00"),
         true},
        {TEXT("ustar  \0"), true},
        {TEXT("ustart_worker 1\n"), false}, /* of "cpustart_worker" */
        {TEXT("ustar  "), false},
        {TEXT(""), false},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        struct fst_buf head = {0};
        fst_buf_add_fill(&head, 'c', 257);
        fst_buf_add_str(&head, rows[i].magic);
        const char *refusal = fst_kind_refusal(fst_buf_str(&head));
        REQUIRE((refusal != NULL) == rows[i].refused, "row %zu: %s", i, refusal);
        assert_true(refusal == NULL || strstr(refusal, "tar -xOf FILE | foldstat -") != NULL);
        fst_buf_release(&head);
    }
}

static void what_may_be_a_profile_is_let_through(void **state)
{
    (void)state;
    static const struct fst_str heads[] = {
        TEXT(""),
        TEXT("\n"),
        TEXT("main (a.py:1);fit (b.py:22) 57\n"),
        TEXT("\xef\xbb\xbfmain 3\n"), /* a UTF-8 byte order mark */
        TEXT("# rate: 49\n"),
        TEXT(" 12\n"),
        TEXT("BZhandle::put;f 3\n"), /* no bzip2, although it begins so */
        TEXT("BZh9;f 3\n"),
        TEXT("BZ"),
        TEXT("MOJITO;f 3\n"),
        TEXT("MOJ\t3\n"),
        TEXT("PERFILE 3\n"),
        TEXT("FLR;f 3\n"),
        TEXT("{closure#0};f 3\n"), /* a frame of Rust */
        TEXT("[main tid=1];f 3\n"),
        TEXT("<module> (a.py:1) 3\n"),
        TEXT("<htmlparser>;f 3\n"),
        TEXT("\n\na;b 3\n"),
        TEXT("7zXZ 3\n"),
        TEXT("7z;main 3\n"),
        TEXT("PK;main 3\n"),
        TEXT("PNG;f 3\n"),
        TEXT("%PDF 3\n"),
        TEXT("SQLite format 3\n"),
        TEXT("\xffz;b 1\n"),
        TEXT("a\0b;c 1\n"), /* NUL bytes are kept */
        TEXT("a\0;\0b 1\n"),
        TEXT("\0\0\0\0\0\0\0\0"),
        TEXT("m\0a\0i\0"), /* too short to tell */
        TEXT("caf\xc3\xa9 1\n"),
        TEXT("\xe6\xbc\xa2;\xe5\xad\x97 1\n"),
        TEXT("\x28\xb5\x2f 1\n"),
    };
    for (size_t i = 0; i < FST_COUNT_OF(heads); i++) {
        const char *refusal = fst_kind_refusal(heads[i]);
        REQUIRE(refusal == NULL, "row %zu: %s", i, refusal);
    }
    assert_null(fst_kind_refusal(fst_str_of(NULL, 0)));
}

static void pictures_and_documents_are_told_from_text(void **state)
{
    (void)state;
    static const struct {
        struct fst_str head;
        enum fst_kind kind;
    } rows[] = {
        {TEXT(""), FST_KIND_TEXT},
        {TEXT("main;f 3\n"), FST_KIND_TEXT},
        {TEXT("<?xml version=\"1.0\"?><svg "), FST_KIND_SVG},
        {TEXT("<svg xmlns="), FST_KIND_SVG},
        {TEXT("<svg><g>"), FST_KIND_SVG},
        {TEXT("\xef\xbb\xbf\r\n <!DOCTYPE svg PUBLIC"), FST_KIND_SVG},
        {TEXT("<svg;f 3\n"), FST_KIND_TEXT},
        {TEXT("<module> (a.py:1) 3\n"), FST_KIND_TEXT},
        {TEXT("{\"$schema\": \"https://www.speedscope.app"), FST_KIND_JSON},
        {TEXT(" {\n  \"version\""), FST_KIND_JSON},
        {TEXT("{closure#0};f 3\n"), FST_KIND_TEXT},
        {TEXT("{"), FST_KIND_TEXT},
        {TEXT("# {\"a\": 1}\nf 3\n"), FST_KIND_TEXT},
    };
    for (size_t i = 0; i < FST_COUNT_OF(rows); i++) {
        enum fst_kind kind = fst_kind_of(rows[i].head);
        REQUIRE(kind == rows[i].kind, "row %zu: %d", i, (int)kind);
    }
}

static void a_refused_file_is_no_profile(void **state)
{
    (void)state;
    struct fst_profile *profile = new_profile((struct fst_profile_options){0});
    struct fst_error err = {0};
    struct fst_read_options options = {0};
    assert_int_equal(
        fst_profile_read_memory(profile, FST_STR("BZh91AY&SY 1\n"), "x.bz2", &options, &err),
        FST_ERR_FORMAT);
    assert_non_null(strstr(err.message, "bzip2 -dc"));
    size_t count;
    const struct fst_input *inputs = fst_profile_inputs(profile, &count);
    assert_int_equal(count, 1);
    assert_int_equal(inputs[0].status, FST_ERR_FORMAT);
    require_count(0, fst_profile_total(profile), "0");
    fst_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_kinds_get_their_command),
        cmocka_unit_test(tar_archives_are_told_by_a_later_place),
        cmocka_unit_test(what_may_be_a_profile_is_let_through),
        cmocka_unit_test(pictures_and_documents_are_told_from_text),
        cmocka_unit_test(a_refused_file_is_no_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
