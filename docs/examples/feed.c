/* Feeds a profile that comes in pieces, as from a socket or a pipe, and says what was skipped.
 *
 *     $ feed <fixtures/dflash/gil.raw
 *     py-spy: 178 samples on 64 lines, 0 lines skipped */
#include <stdio.h>

#include <foldstat.h>

/* Where a piece ends makes no difference, so that any size will do. */
enum { PIECE = 1000 };

static enum fst_status feed_all(struct fst_reader *reader, FILE *from, struct fst_error *err)
{
    char piece[PIECE];
    size_t len;
    enum fst_status status = FST_OK;
    while (status == FST_OK && (len = fread(piece, 1, sizeof piece, from)) > 0) {
        status = fst_reader_feed(reader, piece, len, err);
    }
    return status == FST_OK ? fst_reader_finish(reader, err) : status;
}

static void print_input(const struct fst_input *input)
{
    char total[48];
    fst_count_text(input->total, total);
    printf("%s: %s %s on %llu lines, %llu lines skipped\n", fst_dialect_name(input->dialect), total,
           fst_unit_name(input->unit), (unsigned long long)input->stack_lines,
           (unsigned long long)input->bad_lines);
}

int main(void)
{
    const struct fst_profile_options options = {0};
    const struct fst_read_options read = {0};
    struct fst_profile *profile = NULL;
    struct fst_reader *reader = NULL;
    struct fst_error err;
    enum fst_status status = fst_profile_new(&options, &profile, &err);

    if (status == FST_OK) {
        status = fst_reader_new(profile, "<stdin>", &read, &reader, &err);
    }
    if (status == FST_OK) {
        status = feed_all(reader, stdin, &err);
    }
    if (status == FST_OK) {
        size_t count;
        print_input(fst_profile_inputs(profile, &count));
    } else {
        fprintf(stderr, "feed: line %llu: %s\n", (unsigned long long)err.line, err.message);
    }
    fst_reader_free(reader);
    fst_profile_free(profile);
    return status == FST_OK ? 0 : 1;
}
