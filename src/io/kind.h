/* What kind of file the first bytes belong to, where it is not text that can be read. */
#ifndef FST_IO_KIND_H
#define FST_IO_KIND_H

#include <stdbool.h>

#include "base/str.h"

/* Forms that are read by readers of their own. */
enum fst_kind { FST_KIND_TEXT, FST_KIND_SVG, FST_KIND_JSON };

/* Which form head, the first bytes of a file after decompression, belongs to. */
enum fst_kind fst_kind_of(struct fst_str head);

/* What to say where head, the first bytes after one decompression (compressed tells whether there
 * was one), is compressed again; NULL where it is not. Static. */
const char *fst_kind_compressed_twice(struct fst_str head, bool compressed);

/* A sentence that names the kind and the command that makes a file which can be read; NULL where
 * head may be the start of a collapsed profile. Static. */
const char *fst_kind_refusal(struct fst_str head);

#endif
