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
        {ZTL_EXT_ZFH, "Zfh"},
        {ZTL_EXT_ZBA, "Zba"},
        {ZTL_EXT_ZBB, "Zbb"},
        {ZTL_EXT_ZBS, "Zbs"},
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
    unsigned needed = ztl_base_rows[insn->op].extension;
    return insn->length == 2 ? needed | ZTL_EXT_C : needed;
}

static void add_isa(const ztl_hart_isa *isa, ztl_text *out)
{
    char name[160];
    ztl_hart_isa_print(isa, name, sizeof name);
    ztl_text_add(out, ", which is not in the hart's ISA, ");
    ztl_text_add(out, name);
}

/* An instruction that the hart lacks but another one has. */
static bool explain_missing(const ztl_hart_isa *isa, uint32_t word, ztl_text *out)
{
    char name[160];
    decoded insn;
    ztl_hart_isa all = *isa;
    all.extensions = ~0u;
    ztl_decode_base(&all, word, &insn);
    if (insn.op >= BASE_INSNS)
        return false;
    ztl_hart_disassemble(&all, 0, word, name, sizeof name);
    name[strcspn(name, " ")] = '\0';
    ztl_text_add(out, name);
    ztl_text_add(out, " needs ");
    name_missing(needed_by(&insn) & ~isa->extensions, out);
    add_isa(isa, out);
    return true;
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
        return explain_missing(&hart->isa, word, &out);
    bool is_float = insn.op >= INTEGER_INSNS && insn.op < BASE_INSNS;
    if (is_float_csr(&insn) && !(hart->isa.extensions & ZTL_EXT_F)) {
        ztl_text_add(&out, "floating point needs F");
        add_isa(&hart->isa, &out);
    } else if ((is_float || is_float_csr(&insn)) && !(hart->csr.mstatus & MSTATUS_FS)) {
        ztl_text_add(&out, "floating point is off: mstatus.FS is 0");
    } else if (is_float && insn.rm == ROUND_DYNAMIC && hart->csr.frm >= ZTL_ROUNDINGS) {
        ztl_text_add(&out, "frm holds no rounding mode");
    } else {
        return false;
    }
    return true;
}
