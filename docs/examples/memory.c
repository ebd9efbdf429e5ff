/* Reads a profile from memory and prints its hottest frames.
 *
 *     $ memory
 *     5 of 8 samples: work (a.py:9)
 *     3 of 8 samples: rest (a.py:12) */
#include <stdio.h>
#include <string.h>

#include <foldstat.h>

static const char text[] = "main (a.py:3);work (a.py:9) 5\n"
                           "main (a.py:3);rest (a.py:12) 3\n";

static void print_row(const struct fst_top *top, const struct fst_top_row *row)
{
    printf("%.0f of %.0f samples: %.*s\n", fst_count_value(row->self),
           fst_count_value(top->scope.total), (int)row->name.len, row->name.data);
}

int main(void)
{
    const struct fst_profile_options options = {0};
    const struct fst_read_options read = {0};
    const struct fst_top_options rows = {.leaf_rows = 10};
    const struct fst_str bytes = {text, strlen(text)};
    struct fst_profile *profile = NULL;
    struct fst_top *top = NULL;
    struct fst_error err;

    if (fst_profile_new(&options, &profile, &err) != FST_OK ||
        fst_profile_read_memory(profile, bytes, "text", &read, &err) != FST_OK ||
        fst_top_new(profile, &rows, &top, &err) != FST_OK) {
        fprintf(stderr, "memory: %s\n", err.message);
        fst_profile_free(profile);
        return 1;
    }
    for (size_t i = 0; i < top->leaf.count; i++) {
        print_row(top, &top->leaf.rows[i]);
    }
    fst_top_free(top); /* before the profile, which its names are borrowed from */
    fst_profile_free(profile);
    return 0;
}
