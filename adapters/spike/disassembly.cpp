/* SPDX-License-Identifier: Apache-2.0
 * Spike writes a mnemonic and then its operands: one entry for each row of the table and for each
 * access to a CSR. Spike looks at the entries that came last first.
 */
#include "adapters/spike/disassembly.h"

#include <cstring>
#include <string>

#include <ztl/ztl.h>

namespace
{

/* What follows the mnemonic in the text of an instruction. */
class operands : public arg_t
{
  public:
    explicit operands(unsigned revision) : revision(revision)
    {
    }

    std::string to_string(insn_t insn) const override
    {
        char text[128];
        ztl_disassemble(revision, (uint32_t)insn.bits(), text, sizeof text);
        const char *space = strchr(text, ' ');
        return space ? space + 1 : "";
    }

  private:
    const unsigned revision;
};

class csr_name_arg : public arg_t
{
    std::string to_string(insn_t insn) const override
    {
        char text[64] = "";
        ztl_csr_name(2, (unsigned)insn.csr(), text, sizeof text); /* Ztl 1 has some of the same */
        return text;
    }
};

class rd_arg : public arg_t
{
    std::string to_string(insn_t insn) const override
    {
        return xpr_name[insn.rd()];
    }
};

class rs1_arg : public arg_t
{
    std::string to_string(insn_t insn) const override
    {
        return xpr_name[insn.rs1()];
    }
};

class immediate_arg : public arg_t
{
    std::string to_string(insn_t insn) const override
    {
        return std::to_string(insn.rs1());
    }
};

const operands operands_1(1), operands_2(2);
const csr_name_arg csr_arg;
const rd_arg rd;
const rs1_arg rs1;
const immediate_arg immediate;

/* The accesses to a CSR, the short forms last. */
const struct access {
    const char *name;
    uint32_t match;
    uint32_t mask;
    std::vector<const arg_t *> args;
} accesses[] = {
    {"csrrw", 0x1073, 0x707f, {&rd, &csr_arg, &rs1}},
    {"csrrs", 0x2073, 0x707f, {&rd, &csr_arg, &rs1}},
    {"csrrc", 0x3073, 0x707f, {&rd, &csr_arg, &rs1}},
    {"csrrwi", 0x5073, 0x707f, {&rd, &csr_arg, &immediate}},
    {"csrrsi", 0x6073, 0x707f, {&rd, &csr_arg, &immediate}},
    {"csrrci", 0x7073, 0x707f, {&rd, &csr_arg, &immediate}},
    {"csrw", 0x1073, 0x7fff, {&csr_arg, &rs1}},
    {"csrs", 0x2073, 0x7fff, {&csr_arg, &rs1}},
    {"csrc", 0x3073, 0x7fff, {&csr_arg, &rs1}},
    {"csrwi", 0x5073, 0x7fff, {&csr_arg, &immediate}},
    {"csrsi", 0x6073, 0x7fff, {&csr_arg, &immediate}},
    {"csrci", 0x7073, 0x7fff, {&csr_arg, &immediate}},
    {"csrr", 0x2073, 0xff07f, {&rd, &csr_arg}},
};

} // namespace

std::vector<disasm_insn_t *> ztl_spike::disassembly(unsigned revision)
{
    std::vector<disasm_insn_t *> all;
    const arg_t *rest = revision == 1 ? &operands_1 : &operands_2;
    const ztl_insn_row *row;
    for (size_t i = 0; (row = ztl_isa_insn(i)); i++)
        if (row->revision == revision)
            all.push_back(new disasm_insn_t(row->mnemonic, row->match, row->mask, {rest}));
    const ztl_alias_row *alias;
    for (size_t i = 0; (alias = ztl_isa_alias(i)); i++)
        if ((row = ztl_isa_insn(alias->id))->revision == revision)
            all.push_back(new disasm_insn_t(row->mnemonic, alias->match, alias->mask, {rest}));
    const ztl_csr_row *csr;
    for (size_t i = 0; (csr = ztl_isa_csr(i)); i++)
        for (unsigned k = 0; k < csr->count && csr->first_revision <= revision; k++)
            for (const access &one : accesses)
                all.push_back(new disasm_insn_t(one.name, one.match | (csr->address + k) << 20,
                                                one.mask | 0xfff00000, one.args));
    return all;
}
