/* A speedscope document that was parsed and checked: its frames, what leads its stacks, and what its
 * weights are. */
#ifndef FST_PARSE_SPEEDSCOPE_FILE_H
#define FST_PARSE_SPEEDSCOPE_FILE_H

#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/count.h"
#include "foldstat.h"
#include "parse/frame.h"

/* A frame of the file, as it stands in a stack. */
struct fst_speedscope_frame {
    struct fst_str text;
    enum fst_frame_kind kind;
};

/* What leads the stacks of a profile; data is NULL where nothing does. */
struct fst_speedscope_lead {
    struct fst_str process;
    struct fst_str thread;
    bool from_pyspy; /* the profile has a name of py-spy's form */
};

struct fst_speedscope_file {
    struct fst_str text; /* of which root was made; it must outlive this */
    json_t *root;
    const json_t *profiles; /* in root */
    size_t nprofiles;
    struct fst_speedscope_frame *frames;
    size_t nframes;
    struct fst_speedscope_lead *leads; /* one a profile */
    bool as_samples;                   /* every sample counts as 1 */
    struct fst_arena texts;
    struct fst_buf scratch; /* the text at hand; failed: memory ran out */
};

/* Reads file->root, which is the file's from then on, whatever comes of it. Errors: FORMAT with the
 * place in the document, NOMEM. */
enum fst_status fst_speedscope_file_read(struct fst_speedscope_file *file, struct fst_error *err);

void fst_speedscope_file_release(struct fst_speedscope_file *file);

/* A member that may be absent: NULL also where it is null. */
const json_t *fst_speedscope_member(const json_t *object, const char *key);

/* The bytes of a text; empty for NULL and for any other value. */
struct fst_str fst_speedscope_text(const json_t *value);

const json_t *fst_speedscope_profile(const struct fst_speedscope_file *file, size_t index);

/* --- numbers (speedscope_number.c) ----------------------------------------------------------- */

/* Makes a tree of text. Integers are what they are; every real is a place in the text, where
 * fst_speedscope_digits finds the number with all its digits. NULL, and *error set, where it is no JSON
 * or memory ran out. */
json_t *fst_speedscope_parse(struct fst_str text, json_error_t *error);

/* A real as it is written in file->text. */
struct fst_str fst_speedscope_digits(const struct fst_speedscope_file *file, const json_t *real);

/* --- weights (speedscope_weight.c) ----------------------------------------------------------- */

/* Whether foldstat wrote the document. */
bool fst_speedscope_is_own(const struct fst_speedscope_file *file);

/* What foldstat says of its own documents ("dialect", "unit"); empty where it says nothing. */
struct fst_str fst_speedscope_told(const struct fst_speedscope_file *file, const char *key);

/* The word for what a profile's weights are; "none" where it has none. */
struct fst_str fst_speedscope_unit_name(const json_t *profile);

/* The unit of the counts; otherwise where there is no word for it. */
enum fst_unit fst_speedscope_unit(const struct fst_speedscope_file *file, enum fst_unit otherwise);

/* Whether weights are the sampling interval and not counts; all profiles have the same unit. */
bool fst_speedscope_are_intervals(const struct fst_speedscope_file *file);

/* The exact value of a weight, which is a number. */
enum fst_count_parse fst_speedscope_weigh(const struct fst_speedscope_file *file,
                                          const json_t *weight, fst_i128 *out);

/* The count of a sample with a weight: 1, the weight, or its µs. */
enum fst_count_parse fst_speedscope_count(const struct fst_speedscope_file *file,
                                          const json_t *weight, fst_i128 *out);

#endif
