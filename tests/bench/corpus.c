/* Writes a synthetic collapsed profile: corpus KIND BYTES [SEED]
 *
 *   py      py-spy-like: "name (package/module.py:line)", depth 10 to 120 with median 35, stacks
 *           distinct and unsorted
 *   log     the same names in runs and repeats of 30,000 stacks, as samplers that do not aggregate
 *           write them
 *   cpp     C++-like names of 200 to 340 bytes without files, 200,000 distinct ones
 *   short   names of a few bytes
 *
 * The kind `sorted` of the measurements is py with its lines in byte order, as tools that aggregate
 * write them: corpus py BYTES [SEED] | LC_ALL=C sort. Sorting in here would hold it in memory.
 *
 * A stack is a walk through a graph of frames: from each frame one follower is taken in 69 % of the
 * steps, the others by a Zipf-like draw, so that prefixes repeat as they do in recordings. The same
 * arguments give the same bytes everywhere. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 51000, FRAMES_CPP = 200000, REPEATED = 30000 };
enum { ROOTS = 12, DEEPEST = 120, SHALLOWEST = 10 };

struct random {
    uint64_t state;
};

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static uint64_t next(struct random *random)
{
    return mix(random->state++);
}

static double unit(struct random *random)
{
    return (double)(next(random) >> 11) * 0x1p-53;
}

/* A rank from 0: rank r about as often as 1/(r+1). */
static uint32_t zipf(struct random *random, uint32_t n)
{
    double rank = exp(unit(random) * log((double)n + 1)) - 1;
    return (uint32_t)rank < n ? (uint32_t)rank : n - 1;
}

static const char *const words[] = {
    "forward", "backward", "run",   "step",   "load",  "fetch", "encode", "decode",
    "apply",   "update",   "merge", "gather", "write", "read",  "pack",   "reduce",
};
static const char *const packages[] = {
    "torch/nn/modules",    "datasets/formatting",
    "transformers/models", "numpy/core",
    "app/train",           "app/data",
    "urllib3/connection",  "asyncio",
};
enum { WORDS = 16, PACKAGES = 8 };

static size_t name_py(char *out, size_t room, uint32_t id)
{
    uint64_t h = mix(id);
    return (size_t)snprintf(out, room, "%s_%x (%s/m%02u.py:%u)", words[h % WORDS], id & 0xfff,
                            packages[(h >> 8) % PACKAGES], (unsigned)(h >> 16) % 97,
                            (unsigned)(h >> 24) % 1999 + 1);
}

static size_t name_cpp(char *out, size_t room, uint32_t id)
{
    uint64_t h = mix(id);
    size_t wanted = 180 + h % 80;
    size_t len = (size_t)snprintf(out, room, "ns%u::", (unsigned)h % 50);
    for (unsigned i = 0; len < wanted; i++) {
        len +=
            (size_t)snprintf(out + len, room - len,
                             "%s_traits<std::pair<long, %s_%u>>::", words[(h >> (4 * i)) % WORDS],
                             words[(h >> (5 * i)) % WORDS], (unsigned)(h >> (6 * i)) % 900);
    }
    return len + (size_t)snprintf(out + len, room - len, "operator_%u(unsigned long)", id);
}

static size_t name_short(char *out, size_t room, uint32_t id)
{
    return (size_t)snprintf(out, room, "f%x", id % 40000);
}

static const struct kind {
    const char *name;
    size_t (*write_name)(char *out, size_t room, uint32_t id);
    uint32_t frames;
    int repeats;
} kinds[] = {
    {"py", name_py, FRAMES, 0},
    {"log", name_py, FRAMES, 1},
    {"cpp", name_cpp, FRAMES_CPP, 0},
    {"short", name_short, FRAMES, 0},
};

/* Around a median of 35, with a long tail. */
static int draw_depth(struct random *random)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        sum += unit(random);
    }
    int depth = (int)(35 * exp(0.45 * (sum - 6)));
    return depth < SHALLOWEST ? SHALLOWEST : depth > DEEPEST ? DEEPEST : depth;
}

static uint32_t follower(struct random *random, uint32_t frame, uint32_t frames)
{
    uint32_t choice = unit(random) < 0.69 ? 0 : 1 + zipf(random, 40);
    return (uint32_t)(mix(((uint64_t)frame << 8) + choice) % frames);
}

/* Writes one line into out and returns its length. */
static size_t write_stack(const struct kind *kind, struct random *random, char *out, size_t room)
{
    int depth = draw_depth(random);
    uint32_t frame = zipf(random, ROOTS);
    size_t len = 0;
    for (int i = 0; i < depth; i++) {
        if (i > 0) {
            out[len++] = ';';
            frame = follower(random, frame, kind->frames);
        }
        len += kind->write_name(out + len, room - len, frame);
    }
    uint32_t count = 1 + zipf(random, 400);
    return len + (size_t)snprintf(out + len, room - len, " %u\n", count);
}

static int write_corpus(const struct kind *kind, double bytes, uint64_t seed)
{
    static char line[DEEPEST * 512];
    struct random order = {mix(seed)};
    uint64_t stack = 0;
    unsigned run = 0;
    for (double written = 0; written < bytes;) {
        if (!kind->repeats) {
            stack++;
        } else if (run-- == 0) {
            stack = zipf(&order, REPEATED);
            run = (unsigned)(next(&order) % 8);
        }
        struct random random = {mix(seed ^ (stack << 20))};
        size_t len = write_stack(kind, &random, line, sizeof line);
        if (fwrite(line, 1, len, stdout) != len) {
            return 1;
        }
        written += (double)len;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 3 && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            return write_corpus(&kinds[i], strtod(argv[2], NULL),
                                argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
        }
    }
    (void)fputs("usage: corpus py|log|cpp|short BYTES [SEED]\n", stderr);
    return 2;
}
