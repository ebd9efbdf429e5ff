/* Runs a fuzz target over files, as a test: each argument is a file or a folder. Exits 1 if a file
 * cannot be read or there was none. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t files;

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size + 1);
    int failed = file == NULL || data == NULL || fread(data, 1, size, file) != size;
    if (failed) {
        (void)printf("%s: cannot be read\n", path);
    } else {
        (void)LLVMFuzzerTestOneInput(data, size);
        files++;
    }
    free(data);
    if (file != NULL) {
        (void)fclose(file);
    }
    return failed;
}

static int replay(const char *path);

static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    int failed = folder == NULL;
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char inner[4096];
        if (entry->d_name[0] != '.') {
            (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            failed |= replay(inner);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    return failed;
}

static int replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        (void)printf("%s: not there\n", path);
        return 1;
    }
    return S_ISDIR(info.st_mode) ? replay_folder(path) : replay_file(path, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        failed |= replay(argv[i]);
    }
    (void)printf("%zu files replayed\n", files);
    return failed || files == 0;
}
