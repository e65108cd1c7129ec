/* SPDX-License-Identifier: Apache-2.0
 * Adding up how long programs, passes and plans take.
 */
#include "ops/format/time.h"

#include "ops/format/insn.h"

enum { PERMUTE_BYTES = 2048, HART_PER_ZTL = 2, HART_PER_WRITE = 2, HART_PER_ELEMENT = 8 };

/* From the first instruction of a pass to its first store, and after its last one. */
enum { START = 40 };

ops_machine ztl_ops_machine_of(const ztl_ops_machine *machine)
{
    static const ztl_ops_engines four = {
        .load_bytes = 64, .load_slices = 1, .store_bytes = 64, .store_slices = 1, .move_bytes = 64};
    const ztl_ops_engines *e = machine && machine->engines.load_bytes ? &machine->engines : &four;
    return (ops_machine){.load = {e->load_bytes, e->load_slices},
                         .store = {e->store_bytes, e->store_slices},
                         .move_bytes = e->move_bytes,
                         .move_engines = e->by_kind ? 1 : 2,
                         .one_engine = e->only_one,
                         .one_port = e->shared_port};
}

static int64_t busy(int64_t slices, int64_t width, const ops_port *port)
{
    int64_t bytes = ops_ceil(slices * width, port->bytes), each = ops_ceil(slices, port->slices);
    return bytes > each ? bytes : each;
}

/* Cycles of the moves of a macro-instruction, on one engine. */
static int64_t moving(const ops_machine *machine, const uint64_t *insn)
{
    int64_t pairs = (int64_t)(insn[ZTL_OP_XPOSE] + insn[ZTL_OP_PERMUTE]);
    int64_t blocks = (int64_t)(insn[ZTL_OP_CONCAT] + insn[ZTL_OP_MERGE] + insn[ZTL_OP_ADDI]);
    return pairs * ops_ceil(PERMUTE_BYTES, machine->move_bytes) +
           blocks * ops_ceil(OPS_BLOCK, machine->move_bytes);
}

ops_use ztl_ops_use(const ops_machine *machine, const ops_slicing *by, const ops_insn *insn,
                    unsigned count)
{
    ops_use use = {.ztl = 0};
    int64_t slices = by->slices;
    for (unsigned i = 0; i < count; i++) {
        enum ops_code code = ops_code_of(&insn[i]);
        const uint64_t *n = ztl_ops_insns[code].stats.insn;
        if (code == OPS_SHAPE)
            slices = insn[i].arg >> 16;
        use.ztl += ops_ztl(code);
        use.load += (int64_t)(n[ZTL_OP_LOAD] + n[ZTL_OP_MLOAD]) *
                    busy(slices, by->load_width, &machine->load);
        use.store += (int64_t)(n[ZTL_OP_STORE] + n[ZTL_OP_MSTORE]) *
                     busy(slices, by->store_width, &machine->store);
        use.move += moving(machine, n);
    }
    return use;
}

int64_t ztl_ops_busiest(const ops_machine *machine, const ops_use *use)
{
    int64_t most = use->load > use->store ? use->load : use->store;
    int64_t move = ops_ceil(use->move, machine->move_engines);
    if (machine->one_engine)
        return use->load + use->store + use->move;
    if (machine->one_port)
        most = use->load + use->store;
    return move > most ? move : most;
}

int64_t ztl_ops_hart_cycles(const ops_use *use)
{
    return use->ztl * HART_PER_ZTL;
}

int64_t ztl_ops_pass_cycles(const ops_machine *machine, const ops_use *use, int64_t batches,
                            int64_t writes)
{
    int64_t hart = batches * ztl_ops_hart_cycles(use) + writes * HART_PER_WRITE;
    int64_t most = batches * ztl_ops_busiest(machine, use);
    return START + writes + (hart > most ? hart : most);
}

int64_t ztl_ops_floor_cycles(const ops_machine *machine, int64_t in, int64_t out)
{
    int64_t load = ops_ceil(in, machine->load.bytes), store = ops_ceil(out, machine->store.bytes);
    if (machine->one_engine || machine->one_port)
        return load + store;
    return load > store ? load : store;
}

/* The instruction that a pass without a program runs for each of its blocks. */
static enum ops_code block_of(const ops_pass *pass)
{
    bool pair = ops_fills_pair(pass);
    switch (pass->kind) {
    case OPS_PASS_UNPACK:
        return pair ? OPS_UNPACK_PAIR : OPS_UNPACK;
    case OPS_PASS_PACK:
        return pair ? OPS_PACK_PAIR : OPS_PACK;
    case OPS_PASS_WHERE:
        return OPS_WHERE;
    default:
        return OPS_INDEXED;
    }
}

static int64_t cycles_of(const ops_machine *machine, const ops_pass *pass)
{
    const ops_insn one = {.op = (uint8_t)block_of(pass)};
    const ops_slicing by = {pass->slices, pass->load_width, pass->store_width};
    bool none = pass->body == OPS_BODY_NONE;
    ops_use use = none ? ztl_ops_use(machine, &by, &one, 1)
                       : ztl_ops_use(machine, &by, ops_pass_insns(pass), pass->insns);
    int64_t runs = (int64_t)ops_runs(pass), writes = 0;
    if (pass->kind == OPS_PASS_SCALAR)
        return ops_loop_runs(pass) * HART_PER_ELEMENT;
    for (uint32_t g = 0; g < pass->groups; g++)
        writes += (ops_pass_groups(pass)[g].load_changes != 0) * pass->slices +
                  (ops_pass_groups(pass)[g].store_changes != 0) * pass->slices;
    return ztl_ops_pass_cycles(machine, &use, runs, writes);
}

uint64_t ztl_ops_plan_cycles(const ztl_ops_plan *plan, const ops_machine *machine)
{
    int64_t sum = 0;
    const ops_pass *pass = ops_first_pass(plan);
    for (uint32_t left = plan->passes; left > 0; left--, pass = ops_next_pass(pass))
        sum += cycles_of(machine, pass);
    return (uint64_t)sum;
}
