/* ISA-L (https://github.com/intel/isa-l) inflates; head and tail of a member (RFC 1952) are read
 * here, because its own streaming reader may call a member finished before it has compared the sums:
 *
 *     1f 8b  method  flags  time(4) xfl os | extra | name\0 | comment\0 | sum | deflate | crc32(4) len(4)
 *     |---------------- fixed ------------|  as the flags say, in this order  |         |--- tail ----|
 *
 * ISA-L reads up to eight bytes ahead of the end of the deflated data: they are the tail's first. */
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "io/inflate.h"

enum { FIXED = 10, TAIL = 8, DEFLATED = 8 };
enum { HAS_SUM = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16, RESERVED = 0xe0 };
enum part { IN_FIXED, IN_EXTRA_LEN, IN_EXTRA, IN_NAME, IN_COMMENT, IN_SUM, IN_BODY, IN_TAIL };

struct fst_inflater {
    struct inflate_state state;
    enum part part;
    unsigned flags;
    uint32_t sum;              /* of the head so far, or of the text */
    uint32_t len;              /* of the text, modulo 2^32 */
    size_t extra;              /* bytes of it that are left */
    unsigned char held[FIXED]; /* bytes of a part that has a size */
    size_t nheld;
};

struct fst_inflater *fst_inflate_new(void)
{
    struct fst_inflater *inflater = fst_alloc_zeroed(1, sizeof *inflater);
    if (inflater != NULL) {
        fst_inflate_restart(inflater);
    }
    return inflater;
}

void fst_inflate_free(struct fst_inflater *inflater)
{
    fst_free(inflater);
}

void fst_inflate_restart(struct fst_inflater *inflater)
{
    isal_inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_DEFLATE;
    inflater->part = IN_FIXED;
    inflater->flags = 0;
    inflater->sum = 0;
    inflater->len = 0;
    inflater->nheld = 0;
}

static uint32_t little_endian(const unsigned char *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value |= (uint32_t)bytes[i] << (8 * i);
    }
    return value;
}

/* --- the head ---------------------------------------------------------------------------------- */

/* The part behind `from` that the flags say is there. */
static enum part next_part(const struct fst_inflater *inflater, enum part from)
{
    static const unsigned needed[IN_BODY] = {[IN_EXTRA_LEN] = HAS_EXTRA,
                                             [IN_NAME] = HAS_NAME,
                                             [IN_COMMENT] = HAS_COMMENT,
                                             [IN_SUM] = HAS_SUM};
    enum part part = from + 1;
    while (part < IN_BODY && (inflater->flags & needed[part]) == 0) {
        part++;
    }
    return part;
}

/* Goes on to the part behind the one at hand. */
static void pass_part(struct fst_inflater *inflater)
{
    inflater->part = next_part(inflater, inflater->part);
    inflater->nheld = 0;
    if (inflater->part == IN_BODY) {
        inflater->sum = 0;
    }
}

/* Holds a byte of a part of that size; true once it is whole. */
static bool hold(struct fst_inflater *inflater, unsigned char byte, size_t size)
{
    inflater->held[inflater->nheld++] = byte;
    return inflater->nheld == size;
}

static bool take_fixed(struct fst_inflater *inflater, unsigned char byte)
{
    static const unsigned char expected[] = {0x1f, 0x8b, DEFLATED};
    size_t at = inflater->nheld;
    if (at < sizeof expected && byte != expected[at]) {
        return false;
    }
    if (hold(inflater, byte, FIXED)) {
        inflater->flags = inflater->held[3];
        pass_part(inflater);
    }
    return (inflater->flags & RESERVED) == 0;
}

/* Takes a byte of the head; false where it cannot stand there. */
static bool take_head(struct fst_inflater *inflater, unsigned char byte)
{
    uint32_t sum = inflater->sum;
    inflater->sum = crc32_gzip_refl(sum, &byte, 1);
    switch (inflater->part) {
    case IN_FIXED: return take_fixed(inflater, byte);
    case IN_EXTRA_LEN:
        if (hold(inflater, byte, 2)) {
            inflater->extra = little_endian(inflater->held, 2);
            inflater->part = IN_EXTRA;
            inflater->nheld = 0;
        }
        break;
    case IN_EXTRA: inflater->extra--; break;
    case IN_NAME:
    case IN_COMMENT:
        if (byte == 0) {
            pass_part(inflater);
        }
        return true;
    default:
        inflater->sum = sum; /* the sum is of what is before it */
        if (hold(inflater, byte, 2)) {
            bool same = little_endian(inflater->held, 2) == (sum & 0xffff);
            pass_part(inflater);
            return same;
        }
        return true;
    }
    if (inflater->part == IN_EXTRA && inflater->extra == 0) {
        pass_part(inflater);
    }
    return true;
}

/* --- the body and the tail ---------------------------------------------------------------------- */

/* What was read ahead: the bits of the last byte that are left, and whole bytes behind them. */
static void take_back(struct fst_inflater *inflater)
{
    struct inflate_state *state = &inflater->state;
    size_t bits = state->read_in_length > 0 ? (size_t)state->read_in_length : 0;
    uint64_t ahead = bits > 0 ? state->read_in >> (bits % 8) : 0;
    for (size_t i = 0; i < bits / 8 && i < TAIL; i++) {
        inflater->held[inflater->nheld++] = (unsigned char)(ahead >> (8 * i));
    }
}

static uint32_t bounded(size_t size)
{
    return size > INT_MAX / 2 ? INT_MAX / 2 : (uint32_t)size;
}

static bool run_body(struct fst_inflater *inflater, struct fst_inflate_io *io)
{
    struct inflate_state *state = &inflater->state;
    state->next_in = (uint8_t *)io->in; /* it is only read */
    state->avail_in = bounded(io->in_len);
    state->next_out = io->out;
    state->avail_out = bounded(io->room);
    int code = isal_inflate(state);
    size_t used = (size_t)(state->next_in - io->in);
    size_t made = (size_t)(state->next_out - io->out);
    inflater->sum = crc32_gzip_refl(inflater->sum, io->out, made);
    inflater->len += (uint32_t)made;
    io->in += used;
    io->in_len -= used;
    io->out += made;
    io->room -= made;
    if (code >= ISAL_DECOMP_OK && state->block_state == ISAL_BLOCK_FINISH) {
        inflater->part = IN_TAIL;
        inflater->nheld = 0;
        take_back(inflater);
    }
    return code == ISAL_DECOMP_OK || code == ISAL_END_INPUT || code == ISAL_OUT_OVERFLOW;
}

static enum fst_inflate_step run_tail(struct fst_inflater *inflater, struct fst_inflate_io *io)
{
    while (inflater->nheld < TAIL && io->in_len > 0) {
        inflater->held[inflater->nheld++] = *io->in++;
        io->in_len--;
    }
    if (inflater->nheld < TAIL) {
        return FST_INFLATE_STUCK;
    }
    bool same = little_endian(inflater->held, 4) == inflater->sum &&
                little_endian(inflater->held + 4, 4) == inflater->len;
    return same ? FST_INFLATE_END : FST_INFLATE_CORRUPT;
}

enum fst_inflate_step fst_inflate_run(struct fst_inflater *inflater, struct fst_inflate_io *io)
{
    while (inflater->part < IN_BODY && io->in_len > 0) {
        unsigned char byte = *io->in++;
        io->in_len--;
        if (!take_head(inflater, byte)) {
            return FST_INFLATE_CORRUPT;
        }
    }
    if (inflater->part < IN_BODY) {
        return FST_INFLATE_STUCK;
    }
    if (inflater->part == IN_BODY) {
        size_t in_len = io->in_len;
        size_t room = io->room;
        if (!run_body(inflater, io)) {
            return FST_INFLATE_CORRUPT;
        }
        if (inflater->part == IN_BODY) {
            bool moved = io->in_len < in_len || io->room < room;
            return moved ? FST_INFLATE_MORE : FST_INFLATE_STUCK;
        }
    }
    return run_tail(inflater, io);
}
