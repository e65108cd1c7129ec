/* SPDX-License-Identifier: Apache-2.0
 * RISC-V semihosting for Spike: the console and the exit of programs that picolibc starts. Files
 * are refused. An ebreak that is no call is the breakpoint that it always is.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <riscv/processor.h>
#include <riscv/extension.h>
#include <riscv/mmu.h>
#include <riscv/simif.h>

#include "adapters/spike/machine.h"

namespace
{

enum operation {
    SYS_OPEN = 0x01,
    SYS_CLOSE = 0x02,
    SYS_WRITEC = 0x03,
    SYS_WRITE0 = 0x04,
    SYS_WRITE = 0x05,
    SYS_ISTTY = 0x09,
    SYS_EXIT = 0x18,
    SYS_EXIT_EXTENDED = 0x20,
};

enum { EBREAK = 0x00100073, BEFORE = 0x01f01013, AFTER = 0x40705013 };
enum { STDIN = 1, STDOUT = 2, STDERR = 3 }; /* handles */
enum { APPLICATION_EXIT = 0x20026 };

/* The program's memory, which is physical. */
class guest
{
  public:
    explicit guest(processor_t &processor)
        : machine(*ztl_spike::machine_of(processor)), word_bytes(processor.get_xlen() / 8)
    {
    }

    bool read(reg_t address, void *bytes, size_t size) const
    {
        for (size_t i = 0; i < size; i++) {
            const char *byte = machine.addr_to_mem(address + i);
            if (!byte)
                return false;
            static_cast<char *>(bytes)[i] = *byte;
        }
        return true;
    }

    /* A word of the block of arguments; 0 where there is no memory. */
    reg_t argument(reg_t block, unsigned index) const
    {
        uint64_t value = 0;
        read(block + index * word_bytes, &value, word_bytes);
        return value;
    }

    std::string text(reg_t address) const
    {
        std::string all;
        for (char byte; read(address + all.size(), &byte, 1) && byte;)
            all += byte;
        return all;
    }

  private:
    simif_t &machine;
    const unsigned word_bytes;
};

bool is_call(const guest &memory, reg_t pc)
{
    uint32_t words[3];
    return pc % 4 == 0 && memory.read(pc - 4, words, sizeof words) && words[0] == BEFORE &&
           words[1] == EBREAK && words[2] == AFTER;
}

/* The bytes that were not written. */
reg_t write(const guest &memory, reg_t block)
{
    const reg_t handle = memory.argument(block, 0);
    reg_t at = memory.argument(block, 1), left = memory.argument(block, 2);
    FILE *out = handle == STDERR ? stderr : stdout;
    for (char byte; handle > STDIN && handle <= STDERR && left && memory.read(at, &byte, 1);
         left--, at++)
        putc(byte, out);
    fflush(out);
    return left;
}

/* ":tt" is the console: opened for reading, writing or appending. */
reg_t open(const guest &memory, reg_t block)
{
    if (memory.text(memory.argument(block, 0)) != ":tt")
        return -1;
    const reg_t mode = memory.argument(block, 1);
    return mode < 4 ? STDIN : mode < 8 ? STDOUT : STDERR;
}

[[noreturn]] void leave(reg_t reason, reg_t code)
{
    fflush(nullptr);
    exit(reason == APPLICATION_EXIT ? (int)(code & 0xff) : 1);
}

reg_t serve(const guest &memory, unsigned xlen, reg_t number, reg_t argument)
{
    switch (number) {
    case SYS_OPEN:
        return open(memory, argument);
    case SYS_CLOSE:
        return 0;
    case SYS_WRITEC: {
        char byte = 0;
        memory.read(argument, &byte, 1);
        putchar(byte);
        return 0;
    }
    case SYS_WRITE0:
        fputs(memory.text(argument).c_str(), stdout);
        return 0;
    case SYS_WRITE:
        return write(memory, argument);
    case SYS_ISTTY:
        return 1;
    case SYS_EXIT:
        if (xlen == 32) /* no block: the reason itself */
            leave(argument, 0);
        [[fallthrough]];
    case SYS_EXIT_EXTENDED:
        leave(memory.argument(argument, 0), memory.argument(argument, 1));
    default:
        return -1;
    }
}

reg_t ebreak(processor_t *processor, insn_t, reg_t pc)
{
    state_t *hart = processor->get_state();
    const guest memory(*processor);
    if (!is_call(memory, pc))
        throw trap_breakpoint(hart->v, pc);
    const reg_t result = serve(memory, processor->get_xlen(), hart->XPR[10], hart->XPR[11]);
    hart->XPR.write(10, result);
    if (processor->get_log_commits_enabled())
        hart->log_reg_write[10 << 4] = {result, 0};
    return pc + 4;
}

class semihosting : public extension_t
{
  public:
    std::vector<insn_desc_t> get_instructions(const processor_t &) override
    {
        return {
            {EBREAK, 0xffffffff, ebreak, ebreak, ebreak, ebreak, ebreak, ebreak, ebreak, ebreak}};
    }
    std::vector<disasm_insn_t *> get_disasms(const processor_t *) override
    {
        return {};
    }
    const char *name() const override
    {
        return "semihosting";
    }
};

REGISTER_EXTENSION(semihosting, [] { return new semihosting; })

} // namespace
