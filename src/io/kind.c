#include "io/kind.h"

#include "base/compat.h"

static const char utf16[] =
    "UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8 FILE | foldstat -";
static const char utf16le[] =
    "UTF-16 text; convert it first: iconv -f UTF-16LE -t UTF-8 FILE | foldstat -";
static const char utf16be[] =
    "UTF-16 text; convert it first: iconv -f UTF-16BE -t UTF-8 FILE | foldstat -";

static const struct {
    struct fst_str magic;
    const char *refusal;
} kinds[] = {
    {{"\xff\xfe", 2}, utf16},
    {{"\xfe\xff", 2}, utf16},
    {{"\x28\xb5\x2f\xfd", 4}, "zstd data; decompress it first: zstd -dc FILE | foldstat -"},
    {{"BZh", 3}, "bzip2 data; decompress it first: bzip2 -dc FILE | foldstat -"},
    {{"\xfd"
      "7zXZ",
      5},
     "xz data; decompress it first: xz -dc FILE | foldstat -"},
};

/* UTF-16 without a byte order mark: of the first bytes every second one is NUL and the others are
 * not. Four characters are enough to tell; no stack begins so. */
static const char *bare_utf16(struct fst_str head)
{
    if (head.len < 8) {
        return NULL;
    }
    size_t nuls[2] = {0, 0};
    size_t pairs = head.len / 2;
    for (size_t i = 0; i < pairs * 2; i++) {
        nuls[i % 2] += head.data[i] == '\0';
    }
    if (nuls[0] == 0 && nuls[1] * 10 >= pairs * 9) {
        return utf16le;
    }
    return nuls[1] == 0 && nuls[0] * 10 >= pairs * 9 ? utf16be : NULL;
}

const char *fst_kind_refusal(struct fst_str head)
{
    for (size_t i = 0; i < FST_COUNT_OF(kinds); i++) {
        if (fst_str_starts(head, kinds[i].magic)) {
            return kinds[i].refusal;
        }
    }
    return bare_utf16(head);
}
