/* A reader from the inside: for those who read an input together. */
#ifndef FST_MODEL_READER_H
#define FST_MODEL_READER_H

#include "model/profile.h"
#include "parse/parser.h"
#include "parse/speedscope.h"
#include "parse/svg.h"

struct fst_reader {
    struct fst_profile *into;
    struct fst_profile *part;
    struct fst_parser parser;
    struct fst_svg *svg;               /* instead of the parser, where the input is one */
    struct fst_speedscope *speedscope; /* likewise */
    struct fst_input input;
    struct fst_read_options options;
    struct fst_arena texts;   /* the input's name */
    struct fst_error failure; /* of a feed; FST_OK: none */
};

/* Where the parser of a reader puts what it reads: into part. */
struct fst_parser_sink fst_reader_sink(struct fst_reader *reader);

#endif
