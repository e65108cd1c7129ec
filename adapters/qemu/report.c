/* SPDX-License-Identifier: Apache-2.0
 * What was emulated, for people and for programs.
 */
#include <inttypes.h>

#include "adapters/qemu/run.h"

static uint64_t instructions(const ztl_statistics *statistics)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ZTL_INSNS; i++)
        sum += statistics->count[i];
    return sum;
}

static void report_text(const ztl_statistics *statistics, FILE *out)
{
    fprintf(out,
            "%" PRIu64 " Ztl instructions, %" PRIu64 " CSR accesses, %" PRIu64 " traps, %" PRIu64
            " bytes loaded, %" PRIu64 " bytes stored\n",
            instructions(statistics), statistics->csr, statistics->traps, statistics->bytes_loaded,
            statistics->bytes_stored);
    for (size_t i = 0; i < ZTL_INSNS; i++)
        if (statistics->count[i])
            fprintf(out, "%12" PRIu64 "  %s\n", statistics->count[i], ztl_isa_insn(i)->mnemonic);
}

/* The keys are those of the simulator's statistics. */
static void report_json(const ztl_statistics *statistics, FILE *out)
{
    const char *separator = "";
    fprintf(out, "{\n  \"engine\": \"qemu\",\n  \"ztl\": {");
    for (size_t i = 0; i < ZTL_INSNS; i++) {
        if (!statistics->count[i])
            continue;
        fprintf(out, "%s\"%s\": %" PRIu64, separator, ztl_isa_insn(i)->mnemonic,
                statistics->count[i]);
        separator = ", ";
    }
    fprintf(out, "},\n  \"bytes\": {\"ztl_loaded\": %" PRIu64 ", \"ztl_stored\": %" PRIu64 "},\n",
            statistics->bytes_loaded, statistics->bytes_stored);
    fprintf(out, "  \"ztl_csr\": %" PRIu64 ",\n  \"ztl_traps\": %" PRIu64 "\n}\n", statistics->csr,
            statistics->traps);
}

void ztl_qemu_report(const ztl_statistics *statistics, bool as_json, FILE *out)
{
    if (as_json)
        report_json(statistics, out);
    else
        report_text(statistics, out);
}
