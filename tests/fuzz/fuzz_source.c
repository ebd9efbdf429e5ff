/* Any bytes, taken as a file that may be compressed, must be read without a fault. */
#include <stdint.h>

#include "foldstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fst_profile *profile = NULL;
    if (fst_profile_new(&(struct fst_profile_options){.seed = 1}, &profile, NULL) == FST_OK) {
        struct fst_str bytes = {(const char *)data, size};
        struct fst_error err;
        (void)fst_profile_read_memory(profile, bytes, "fuzz", &(struct fst_read_options){0}, &err);
        fst_profile_free(profile);
    }
    return 0;
}
