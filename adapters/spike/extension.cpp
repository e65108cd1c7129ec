/* SPDX-License-Identifier: Apache-2.0
 * Ztl as an extension of Spike: the model executes, Spike is the hart around it.
 */
#include <memory>
#include <vector>

#include <riscv/processor.h>
#include <riscv/extension.h>
#include <riscv/simif.h>

#include <ztl/ztl.h>

#include "adapters/spike/disassembly.h"
#include "adapters/spike/machine.h"
#include "adapters/spike/memory.h"

namespace
{

/* The Ztl of one hart. */
class unit : public extension_t
{
  public:
    explicit unit(unsigned revision) : revision(revision), accelerator(ztl_accelerator_size())
    {
    }

    std::vector<insn_desc_t> get_instructions(const processor_t &processor) override;
    std::vector<disasm_insn_t *> get_disasms(const processor_t *) override
    {
        return ztl_spike::disassembly(revision);
    }
    std::vector<csr_t_p> get_csrs(processor_t &processor) const override;
    const char *name() const override
    {
        return revision == 1 ? "ztl1p0" : "ztl";
    }
    void reset(processor_t &processor) override;

    ztl_result execute(processor_t &processor, uint32_t word);

    ztl_state state;

  private:
    const unsigned revision;
    std::vector<uint8_t> accelerator;
    std::unique_ptr<ztl_spike::memory> memory;
};

class csr : public csr_t
{
  public:
    csr(processor_t *processor, reg_t address, unit *owner)
        : csr_t(processor, address), owner(owner)
    {
    }

    reg_t read() const noexcept override
    {
        uint64_t value = 0;
        ztl_csr_read(&owner->state, (unsigned)address, &value);
        return value;
    }

    unit *const owner;

  protected:
    bool unlogged_write(const reg_t value) noexcept override
    {
        return ztl_csr_write(&owner->state, (unsigned)address, value) == ZTL_OK;
    }
};

[[noreturn]] void take(const state_t &hart, const ztl_result &trap)
{
    switch (trap.cause) {
    case ZTL_CAUSE_LOAD_MISALIGNED:
        throw trap_load_address_misaligned(hart.v, trap.tval, 0, 0);
    case ZTL_CAUSE_LOAD_FAULT:
        throw trap_load_access_fault(hart.v, trap.tval, 0, 0);
    case ZTL_CAUSE_STORE_MISALIGNED:
        throw trap_store_address_misaligned(hart.v, trap.tval, 0, 0);
    case ZTL_CAUSE_STORE_FAULT:
        throw trap_store_access_fault(hart.v, trap.tval, 0, 0);
    default:
        throw trap_illegal_instruction(trap.tval);
    }
}

/* Every word of custom-2. The hart's unit is behind one of its CSRs, which is found sooner than an
 * extension by name. */
reg_t custom_2(processor_t *processor, insn_t insn, reg_t pc)
{
    state_t *hart = processor->get_state();
    auto found = hart->csrmap.find(ZTL_CSR_TSHAPE);
    unit *ztl = static_cast<const csr *>(found->second.get())->owner;
    const ztl_result result = ztl->execute(*processor, (uint32_t)insn.bits());
    if (result.status != ZTL_OK)
        take(*hart, result);
    return pc + 4;
}

std::vector<csr_t_p> unit::get_csrs(processor_t &processor) const
{
    std::vector<csr_t_p> csrs;
    const ztl_csr_row *row;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        for (unsigned k = 0; k < row->count && row->first_revision <= revision; k++)
            csrs.push_back(
                std::make_shared<csr>(&processor, row->address + k, const_cast<unit *>(this)));
    return csrs;
}

void unit::reset(processor_t &processor)
{
    ztl_config config = ztl_default_config();
    config.revision = revision;
    config.xlen = processor.get_isa().get_max_xlen();
    config.subsets = ztl_subsets_of(revision);
    ztl_init(&state, &config);
    ztl_attach_accelerator(&state, accelerator.data(), nullptr);
    memory = std::make_unique<ztl_spike::memory>(*ztl_spike::machine_of(processor),
                                                 *processor.get_state());
}

/* Spike resets harts before it registers what --extension names, and not after it. */
std::vector<insn_desc_t> unit::get_instructions(const processor_t &processor)
{
    auto &hart = const_cast<processor_t &>(processor);
    for (const csr_t_p &one : get_csrs(hart))
        hart.get_state()->add_csr(one->address, one);
    reset(hart);
    return {{ZTL_OPCODE, ZTL_OPCODE_MASK, custom_2, custom_2, custom_2, custom_2, custom_2,
             custom_2, custom_2, custom_2}};
}

ztl_result unit::execute(processor_t &processor, uint32_t word)
{
    const uint64_t *x = &processor.get_state()->XPR[0];
    ztl_insn insn;
    if (!ztl_decode(revision, word, &insn))
        return ztl_execute(&state, word, x, nullptr);
    const bool is_store = ztl_op_effects((ztl_op)insn.row->op) & ZTL_STORES;
    return ztl_execute_decoded(&state, &insn, x,
                               memory->of(is_store, processor.get_log_commits_enabled()));
}

class registration
{
  public:
    registration()
    {
        register_extension("ztl", [] { return new unit(2); });
        register_extension("ztl1p0", [] { return new unit(1); });
    }
};
const registration at_loading;

} // namespace
