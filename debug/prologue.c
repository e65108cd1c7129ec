/* SPDX-License-Identifier: Apache-2.0
 * Decoding a function's first instructions: how large its frame is and where ra is saved.
 */
#include "debug/prologue.h"

#include "debug/code.h"
#include "debug/file/symbol.h"

enum { RA = 1, SP = 2, FP = 8, MOST_BYTES = 256 };

/* Some bits of a word, moved to another place. */
static uint32_t bits(uint32_t word, unsigned from, unsigned count, unsigned to)
{
    return (word >> from & ((UINT32_C(1) << count) - 1)) << to;
}

static int64_t extend(uint32_t value, unsigned sign)
{
    return (int64_t)value - ((int64_t)(value >> sign & 1) << (sign + 1));
}

/* addi sp, sp, and its two short forms. */
static bool moves_sp(uint32_t word, int64_t *by)
{
    if ((word & 0xfffff) == 0x10113)
        *by = extend(word >> 20, 11);
    else if ((word & 0xef83) == 0x0101)
        *by = extend(bits(word, 12, 1, 5) | bits(word, 2, 5, 0), 5);
    else if ((word & 0xef83) == 0x6101)
        *by = extend(bits(word, 12, 1, 9) | bits(word, 6, 1, 4) | bits(word, 5, 1, 6) |
                         bits(word, 3, 2, 7) | bits(word, 2, 1, 5),
                     9);
    else
        return false;
    return true;
}

/* A store of a whole register at sp, long or short. */
static bool stores(uint32_t word, unsigned word_size, unsigned *what, int64_t *where)
{
    const bool is_wide = word_size == 8;
    if ((word & 0xff07f) == (is_wide ? 0x13023u : 0x12023u)) {
        *what = word >> 20 & 31;
        *where = extend(bits(word, 25, 7, 5) | bits(word, 7, 5, 0), 11);
    } else if ((word & 0xe003) == (is_wide ? 0xe002u : 0xc002u)) {
        *what = word >> 2 & 31;
        *where = is_wide ? bits(word, 10, 3, 3) | bits(word, 7, 3, 6)
                         : bits(word, 9, 4, 2) | bits(word, 7, 2, 6);
    } else {
        return false;
    }
    return true;
}

/* Behind a branch, a jump or a call it is no longer known what was done. */
static bool leads_away(uint32_t word, unsigned word_size)
{
    if ((word & 3) == 3)
        return (word & 0x7f) == 0x63 || (word & 0x7f) == 0x67 || (word & 0x7f) == 0x6f;
    const uint32_t kind = word & 0xe003;
    return kind == 0xa001 || kind == 0xc001 || kind == 0xe001 || (word & 0xe07f) == 0x8002 ||
           (kind == 0x2001 && word_size == 4);
}

static void note(ztl_prologue *p, uint32_t word, unsigned word_size)
{
    unsigned what;
    int64_t by, where;
    if (moves_sp(word, &by)) {
        p->size -= by;
        p->ra -= by;
        p->fp -= by;
    } else if (stores(word, word_size, &what, &where) && (what == RA || what == FP)) {
        *(what == RA ? &p->ra : &p->fp) = where;
        *(what == RA ? &p->keeps_ra : &p->keeps_fp) = true;
    }
}

ztl_prologue ztl_prologue_of(Dwfl_Module *module, uint64_t pc, unsigned word_size)
{
    ztl_prologue p = {.size = 0};
    uint64_t start;
    if (!ztl_symbol_at(module, pc, &start))
        return p;
    for (uint64_t at = start; at < pc && at - start < MOST_BYTES;) {
        uint32_t word = ztl_code_fetch(module, at, 2);
        const unsigned length = (word & 3) == 3 ? 4 : 2;
        if (length == 4)
            word = ztl_code_fetch(module, at, 4);
        if (!word || leads_away(word, word_size))
            break;
        note(&p, word, word_size);
        at += length;
    }
    return p;
}
