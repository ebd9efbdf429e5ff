/* What the JSON of every command has. */
#ifndef FST_RENDER_JSON_H
#define FST_RENDER_JSON_H

#include "render/jsonw.h"
#include "render/render.h"

/* "schema", "command" and "version". */
void fst_json_head(struct fst_jsonw *w, const char *command);

/* Elements of the open array. */
void fst_json_sentences(struct fst_jsonw *w, const struct fst_str *sentences, size_t count);

/* "filters": what decided about stacks and frames, option and value. */
void fst_json_asked(struct fst_jsonw *w, const struct fst_asked *asked, size_t nasked);

/* "members": of a row that stands for several threads or processes; null for 0. */
void fst_json_members(struct fst_jsonw *w, uint64_t members);
/* "inputs" of a page. */
void fst_json_inputs(struct fst_jsonw *w, const struct fst_view *view);

/* Which samples a result is of, and what its rows are: from "unit" to "foldable". */
void fst_json_scope(struct fst_jsonw *w, const struct fst_scope *scope, enum fst_by by);

/* An element of "inputs"; side: the recording that it belongs to, or NULL. */
void fst_json_input(struct fst_jsonw *w, const struct fst_input *input, const char *side);

#endif
