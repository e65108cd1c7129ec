/* SPDX-License-Identifier: Apache-2.0
 * One program on one engine, and what is left of it.
 */
#include "tests/diff/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/qemu/emulate.h"

typedef struct run {
    const diff_engine *engine;
    ztl_config config;
    uint64_t seed;
    bool verbose;
    uint64_t hash;
    unsigned traps;
    uint64_t x[DIFF_GPRS];
} run;

ztl_config diff_config_of(const char *isa)
{
    ztl_config config = ztl_default_config();
    if (!ztl_config_of_isa(isa, &config, NULL)) {
        fprintf(stderr, "diff: bad ISA '%s'\n", isa);
        exit(2);
    }
    config.xlen = strncmp(isa, "rv32_", 5) ? 64 : 32;
    return config;
}

/* FNV-1a by 64-bit pieces, with a shift so that high bits come down. */
static void mix(run *r, uint64_t value)
{
    r->hash = (r->hash ^ value) * UINT64_C(0x100000001b3);
    r->hash ^= r->hash >> 29;
}

static void mix_bytes(run *r, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t piece;
        memcpy(&piece, bytes + i, 8);
        mix(r, piece);
    }
}

/* Reads a CSR into a0 with csrrs a0, csr, x0. */
static uint64_t read_csr(run *r, unsigned address)
{
    uint64_t x[DIFF_GPRS] = {0};
    diff_outcome outcome = r->engine->execute(address << 20 | 2 << 12 | DIFF_A0 << 7 | 0x73, x);
    return outcome.trap ? UINT64_MAX : x[0];
}

static void write_csr(run *r, unsigned address, uint64_t value)
{
    uint64_t x[DIFF_GPRS] = {value};
    r->engine->execute(address << 20 | DIFF_A0 << 15 | 1 << 12 | 0x73, x);
}

static void report_step(const run *r, const diff_step *step, const diff_outcome *outcome,
                        uint64_t status)
{
    static const char *const names[] = {"ok", "illegal", "misaligned", "fault"};
    char text[80];
    ztl_disassemble(r->config.revision, step->word, text, sizeof text);
    printf("  %08x %-36s a0=%llx a1=%llx: %s %llx status=%llx\n", (unsigned)step->word, text,
           (unsigned long long)step->a0, (unsigned long long)step->a1, names[outcome->trap],
           (unsigned long long)outcome->address, (unsigned long long)status);
}

static void run_step(run *r, const diff_step *step)
{
    uint64_t all = r->config.xlen == 32 ? UINT32_MAX : UINT64_MAX;
    r->x[0] = step->a0 & all;
    r->x[1] = step->a1 & all;
    diff_outcome outcome = r->engine->execute(step->word, r->x);
    mix(r, outcome.trap);
    mix(r, outcome.address);
    for (unsigned i = 0; i < DIFF_GPRS; i++)
        mix(r, r->x[i]);
    uint64_t status = 0;
    if (outcome.trap) {
        r->traps++;
        status = read_csr(r, ZTL_CSR_STATUS);
        mix(r, status);
    }
    if (r->verbose)
        report_step(r, step, &outcome, status);
}

static void mix_csrs(run *r)
{
    const ztl_csr_row *row;
    for (size_t i = 0; (row = ztl_isa_csr(i)); i++)
        for (unsigned n = 0; n < row->count; n++)
            mix(r, read_csr(r, row->address + n));
}

/* STORE (Ztl 1: MSTORE) of a register to the engine's dump; a1 is the shape of Ztl 1. */
static void mix_register(run *r, unsigned index)
{
    bool first = r->config.revision == 1;
    const ztl_insn_row *row = ztl_isa_insn(first ? ZTL_INSN_V1_MSTORE : ZTL_INSN_STORE);
    uint32_t base = first ? DIFF_A0 << 20 | (DIFF_A0 + 1) << 7 : DIFF_A0 << 7;
    uint64_t x[DIFF_GPRS] = {r->engine->dump_address, 0x01012020};
    memset(r->engine->dump, 0xaa, ZTL_REG_BYTES);
    diff_outcome outcome = r->engine->execute(row->match | index << 15 | base, x);
    mix(r, outcome.trap);
    mix_bytes(r, r->engine->dump, ZTL_REG_BYTES);
}

static void mix_registers(run *r)
{
    write_csr(r, ZTL_CSR_STORE_MASK, UINT32_MAX);
    write_csr(r, ZTL_CSR_TTYPE, 0);
    write_csr(r, ZTL_CSR_TSHAPE, 0x202001);
    write_csr(r, ZTL_CSR_STORE_WIDTH, 0);
    for (unsigned i = 0; i < 32; i++)
        write_csr(r, ZTL_CSR_STORE_STRIDE + i, i);
    for (unsigned i = 0; i < ZTL_REGISTERS; i++)
        mix_register(r, i);
}

static void run_program(void *context)
{
    run *r = context;
    diff_program program;
    diff_generate(r->seed, r->config.revision, &program);
    for (unsigned i = 0; i < program.count; i++)
        run_step(r, &program.step[i]);
    mix_csrs(r);
    mix_registers(r);
    mix_bytes(r, r->engine->memory, DIFF_RW_SIZE);
}

int diff_main(int argc, char **argv, const diff_engine *engine)
{
    if (argc < 4) {
        fprintf(stderr, "usage: %s ISA FIRST_SEED COUNT [-v]\n", argv[0]);
        return 2;
    }
    uint64_t first = strtoull(argv[2], NULL, 0), count = strtoull(argv[3], NULL, 0);
    for (uint64_t seed = first; seed < first + count; seed++) {
        run r = {.engine = engine,
                 .config = diff_config_of(argv[1]),
                 .seed = seed,
                 .verbose = argc > 4,
                 .hash = UINT64_C(0xcbf29ce484222325)};
        uint64_t random = seed ^ UINT64_C(0x5eed);
        for (size_t i = 0; i < DIFF_RW_SIZE; i += 8) {
            uint64_t piece = diff_random(&random);
            memcpy(engine->memory + i, &piece, 8);
        }
        engine->with_fresh_hart(run_program, &r);
        printf("%llu traps=%u %016llx\n", (unsigned long long)seed, r.traps,
               (unsigned long long)r.hash);
    }
    return 0;
}
