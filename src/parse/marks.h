/* Where the bytes stand that give a text its structure: semicolons, newlines and quotes.
 *
 * Found 64 bytes at a time with the widest instructions that the machine has and that measured
 * better than narrower ones; every way finds the same. */
#ifndef FST_PARSE_MARKS_H
#define FST_PARSE_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As much text as is marked at once; offsets below it fit the arrays. */
enum { FST_MARKS_TEXT = 32 * 1024 };

struct fst_marks {
    uint32_t *at; /* offsets of ';' and '\n', ascending */
    size_t count;
    uint32_t *line_ends; /* indices into at of the newlines */
    uint32_t
        *depths; /* of lines alone: how many semicolons stand in the text before each newline */
    size_t lines;
    uint32_t *quotes; /* offsets of '"' */
    size_t nquotes;
    size_t room; /* how much text they can be of */
};

/* Sets marks, which have room for them, to those of text. */
typedef void (*fst_marks_fn)(struct fst_marks *marks, const char *text, size_t len);

/* A way to find marks, and what it is called ("avx2"). */
struct fst_marks_way {
    const char *name;
    fst_marks_fn all;   /* of every kind */
    fst_marks_fn lines; /* at holds newlines only, and depths what it says */
};

/* The ways that this machine can go, the best one first; the last one goes everywhere. */
size_t fst_marks_ways(const struct fst_marks_way **ways);

/* Room for the marks of so many bytes of text, at most FST_MARKS_TEXT; false without memory. What
 * marks hold is lost where it is not enough yet. */
bool fst_marks_reserve(struct fst_marks *marks, size_t text);
void fst_marks_release(struct fst_marks *marks);

#endif
