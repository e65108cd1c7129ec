/* SPDX-License-Identifier: Apache-2.0
 * Why an instruction is illegal on a hart, in words.
 */
#include "sim/hart.h"

#include <stdio.h>
#include <string.h>

#include "codec/text.h"
#include "float/float.h"
#include "sim/privileged/csr.h"

/* The names of extensions that the hart lacks, as "D and Zfh". */
static void name_missing(unsigned missing, ztl_text *out)
{
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {
        {ZTL_EXT_M, "M"},
        {ZTL_EXT_A, "A"},
        {ZTL_EXT_F, "F"},
        {ZTL_EXT_D, "D"},
        {ZTL_EXT_C, "C"},
        {ZTL_EXT_ZICSR, "Zicsr"},
        {ZTL_EXT_ZIFENCEI, "Zifencei"},
        {ZTL_EXT_ZFHMIN, "Zfhmin"},
        {ZTL_EXT_ZFH, "Zfh"},
        {ZTL_EXT_ZFA, "Zfa"},
        {ZTL_EXT_ZICOND, "Zicond"},
        {ZTL_EXT_ZICBOM, "Zicbom"},
        {ZTL_EXT_ZICBOZ, "Zicboz"},
        {ZTL_EXT_ZCB, "Zcb"},
        {ZTL_EXT_ZBA, "Zba"},
        {ZTL_EXT_ZBB, "Zbb"},
        {ZTL_EXT_ZBC, "Zbc"},
        {ZTL_EXT_ZBKB, "Zbkb"},
        {ZTL_EXT_ZBKX, "Zbkx"},
        {ZTL_EXT_ZBS, "Zbs"},
        {ZTL_EXT_ZBB_ZBKB, "Zbb or Zbkb"},
        {ZTL_EXT_ZBC_ZBKC, "Zbc or Zbkc"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(missing & names[i].bit))
            continue;
        ztl_text_add(out, any ? " and " : "");
        ztl_text_add(out, names[i].name);
        any = true;
    }
}

static unsigned needed_by(const decoded *insn)
{
    base_row row;
    if (insn->length == 2 && ztl_compressed_row(insn->c_row, &row))
        return row.extension;
    return ztl_base_rows[insn->op].extension;
}

static void add_isa(const ztl_hart_isa *isa, ztl_text *out)
{
    char name[160];
    ztl_hart_isa_print(isa, name, sizeof name);
    ztl_text_add(out, ", which is not in the hart's ISA, ");
    ztl_text_add(out, name);
}

/* An extension that no hart here has; NULL: the word is of none that is known. */
static const char *find_absent(uint32_t word)
{
    static const struct {
        uint32_t match, mask;
        const char *needs;
    } rows[] = {
#define ABSENT(match, mask, needs) {match, mask, needs},
#include "sim/text/absent.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((word & rows[i].mask) == rows[i].match)
            return rows[i].needs;
    return NULL;
}

static bool explain_absent(const ztl_hart_isa *isa, uint32_t word, ztl_text *out)
{
    const char *needs = find_absent(word);
    if (!needs)
        return false;
    ztl_text_add(out, "this encoding needs ");
    ztl_text_add(out, needs);
    add_isa(isa, out);
    return true;
}

/* An instruction that the hart lacks but one of this width and all extensions has. */
static bool explain_missing(const ztl_hart_isa *isa, unsigned xlen, uint32_t word, ztl_text *out)
{
    char name[160];
    decoded insn;
    ztl_hart_isa all = {.xlen = xlen, .extensions = ~0u};
    ztl_decode_base(&all, word, &insn);
    if (insn.op >= BASE_INSNS)
        return false;
    uint32_t missing = needed_by(&insn) & ~isa->extensions;
    ztl_hart_disassemble(&all, 0, word, name, sizeof name);
    name[strcspn(name, " ")] = '\0';
    ztl_text_add(out, name);
    ztl_text_add(out, " needs ");
    if (xlen != isa->xlen)
        ztl_text_add(out, xlen == 32 ? "RV32" : "RV64");
    ztl_text_add(out, xlen != isa->xlen && missing ? " and " : "");
    name_missing(missing, out);
    add_isa(isa, out);
    return true;
}

static bool explain_unknown(const ztl_hart_isa *isa, uint32_t word, ztl_text *out)
{
    return explain_missing(isa, isa->xlen, word, out) ||
           explain_missing(isa, isa->xlen == 64 ? 32 : 64, word, out) ||
           explain_absent(isa, word, out);
}

static bool is_float_csr(const decoded *insn)
{
    return insn->op >= OP_CSRRW && insn->op <= OP_CSRRCI && insn->imm >= CSR_FFLAGS &&
           insn->imm <= CSR_FCSR;
}

bool ztl_hart_explain_illegal(const ztl_hart *hart, uint32_t word, char *text, size_t size)
{
    ztl_text out = ztl_text_in(text, size);
    decoded insn;
    ztl_decode_base(&hart->isa, word, &insn);
    if (insn.op == OP_ILLEGAL)
        return explain_unknown(&hart->isa, word, &out);
    bool is_block = insn.op < BASE_INSNS && ztl_base_rows[insn.op].format == FORMAT_CACHE;
    bool is_float = insn.op >= INTEGER_INSNS && insn.op < BASE_INSNS;
    if (is_float_csr(&insn) && !(hart->isa.extensions & ZTL_EXT_F)) {
        ztl_text_add(&out, "floating point needs F");
        add_isa(&hart->isa, &out);
    } else if ((is_float || is_float_csr(&insn)) && !(hart->csr.mstatus & MSTATUS_FS)) {
        ztl_text_add(&out, "floating point is off: mstatus.FS is 0");
    } else if (is_float && insn.rm == ROUND_DYNAMIC && hart->csr.frm >= ZTL_ROUNDINGS) {
        ztl_text_add(&out, "frm holds no rounding mode");
    } else if (is_block && !ztl_cache_allowed(hart, insn.op)) {
        ztl_text_add(&out, "menvcfg does not allow it in user mode");
    } else {
        return false;
    }
    return true;
}
