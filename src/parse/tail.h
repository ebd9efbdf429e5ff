/* The counts at the end of a line. Most dialects have one; some have several, of which one is
 * picked:
 *
 *     main;a 57              one
 *     main;a 50 20           two (difffolded.pl)
 *     Thread 1;f (m) 9 8 -1  three (Austin 1 and 2, --full)
 *     P1;T0:1;m:f:1 9,0,-4   three, joined (Austin 3, full mode)
 */
#ifndef FST_PARSE_TAIL_H
#define FST_PARSE_TAIL_H

#include <stdbool.h>

#include "base/count.h"

enum fst_tail_form { FST_TAIL_ONE, FST_TAIL_TWO, FST_TAIL_THREE, FST_TAIL_JOINED };

/* How to make one count of several. */
enum fst_tail_pick {
    FST_PICK_FIRST,
    FST_PICK_SECOND,
    FST_PICK_THIRD,
    FST_PICK_LAST_TWO,     /* the sum of the second and third: memory gained and (negative) lost */
    FST_PICK_FIRST_IF_BUSY /* the first where the second, a flag of idleness, is 0; else 0 */
};

struct fst_tail_rule {
    enum fst_tail_form form;
    enum fst_tail_pick pick;
};

struct fst_tail {
    const char *stack_end;      /* where a stack ends that ends on this line */
    struct fst_str token;       /* what should be a count; for several, the one that is none */
    enum fst_count_parse parse; /* how that went */
    fst_i128 count;
    bool too_few; /* there are counts, but fewer than the form asks for */
};

/* Reads the tail of the line [start, end), whose line end is not part of it. */
struct fst_tail fst_tail_read(struct fst_tail_rule rule, const char *start, const char *end);

/* How many whole or fractional numbers, at most three, stand at the end of a line behind blanks;
 * *negative tells whether one is below zero. Three joined by commas count as three and set
 * *joined. For telling dialects. */
int fst_tail_numbers(struct fst_str line, bool *negative, bool *joined);

#endif
