/* Untrusted bytes made safe for a terminal, a message, JSON. */
#ifndef FST_BASE_ESCAPE_H
#define FST_BASE_ESCAPE_H

#include "base/buf.h"

/* Appends text for people: C0, DEL and C1 controls and bytes that are not UTF-8 as \xNN, direction
 * controls, line separators (which would reorder or break the line) and what shows nothing, so that
 * two names look the same, as \uNNNN or \UNNNNNNNN. Joiners and variation selectors stay behind
 * what is not ASCII, where they belong to the text. */
void fst_escape_text(struct fst_buf *out, struct fst_str text);

/* Appends a quoted JSON string (RFC 8259). Bytes that are not UTF-8 become the text \xNN. */
void fst_escape_json(struct fst_buf *out, struct fst_str text);

/* Appends text for people, as fst_escape_text does, for elements and attributes of XML: markup as
 * entities, and the two characters that no XML may have as \uNNNN. */
void fst_escape_xml(struct fst_buf *out, struct fst_str text);

/* Appends text as a field between tabs: tab, newline, return and backslash as \t, \n, \r and \\. */
void fst_escape_field(struct fst_buf *out, struct fst_str text);

/* Appends what such a field is of; false where it is of nothing. */
bool fst_unescape_field(struct fst_buf *out, struct fst_str field);

/* Appends a sentence of the program for a terminal that knows ASCII alone: the program's own signs
 * as "-", "...", "+-", "x", "us". Names in it keep theirs, unless they look the same. */
void fst_ascii_prose(struct fst_buf *out, struct fst_str text);

bool fst_is_ascii(struct fst_str text);

/* Whether all of text is well-formed UTF-8. */
bool fst_is_utf8(struct fst_str text);

/* The length of the UTF-8 sequence at the start of text and its code point; 0 if it is ill-formed
 * or text is empty. */
size_t fst_utf8_next(struct fst_str text, int32_t *code_point);

#endif
